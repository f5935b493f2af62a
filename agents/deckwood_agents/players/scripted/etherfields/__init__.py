"""Etherfields' scripted players."""
