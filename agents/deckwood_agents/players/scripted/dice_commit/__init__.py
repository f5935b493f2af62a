"""DiceCommit's scripted players."""
