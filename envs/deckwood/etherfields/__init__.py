"""20 Strong: Etherfields, solo."""
