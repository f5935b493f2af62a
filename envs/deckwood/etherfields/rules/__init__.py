"""The rules of Etherfields, by phase; ``contract`` holds the six functions of the contract."""
