"""Advice at the table: which dice to commit and what to apply, for a player who types in the fight or has saved the game.

``python -m deckwood.advise`` is the command (:mod:`deckwood.advise.command`); docs/advise.md shows how it is used.
"""
