"""Prospects: the chance to win a 20 Strong game, as a logistic model of a position, fitted to simulated games.

A module per game, named as the game is typed, offers ``NAMES`` (of the features), ``PHASES`` and rules: ``features(s, deck, out)``, which
fills ``out`` and returns the phase, ``is_won(s, deck)``, ``lateness(s, deck)``, ``is_battle(s, deck)``: whether the same enemies are fought
round after round, and ``is_trusted(s, deck)``: whether an agent should play by the model. See
:mod:`deckwood_agents.players.prospects.strong`.
"""

from pathlib import Path

PROSPECTS = Path(__file__).parent
"""The models by which ``solver`` plays, ``<game>.json``."""
