"""What is worked out once and kept: the sheet of dice to commit, fitted weights and prospects."""
