"""The rules of 20 Strong: Tanglewoods Red, a module for each phase; ``contract`` has the six functions of the contract."""
