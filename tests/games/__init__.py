"""Small games on the contract of the house, so that the machinery is tested apart from any deck."""
