"""20 Strong: Tanglewoods Red."""
