"""The rules of Lost Woods."""
