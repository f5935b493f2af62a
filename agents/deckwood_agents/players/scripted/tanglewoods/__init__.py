"""Tanglewoods' scripted players."""
