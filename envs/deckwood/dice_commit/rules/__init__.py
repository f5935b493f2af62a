"""The rules of DiceCommit; ``contract`` holds the six functions of the contract."""
