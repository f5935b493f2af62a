"""Prospects: the chance to win a 20 Strong game, as a logistic model of a position, fitted to simulated games.

A module per game, named as the game is typed, offers ``NAMES`` (of the features), ``PHASES`` and the rules ``features(s, deck, out)``,
which fills ``out`` and returns the phase, and ``is_won(s, deck)``: see :mod:`deckwood_agents.prospects.strong`.
"""
