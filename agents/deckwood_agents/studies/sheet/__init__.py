"""The sheet: which dice to commit, as charts and rules that a player can use. ``python -m deckwood_agents.studies.sheet`` writes it."""
