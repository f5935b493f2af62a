"""Exact values and policies: of any game's small positions by walking them, and of plain 20 Strong fights with full pools by counting."""

from deckwood.solver.book import Book
from deckwood.solver.engagement import isolate, settle_value, solve_engagement
from deckwood.solver.fights import (
    Commit,
    Enemy,
    Fight,
    FightError,
    Outlook,
    Recommendation,
    Solution,
    expected_damage,
    solve_fight,
)
from deckwood.solver.graph import Graph, TooLarge, explore, payoff_of
from deckwood.solver.policy import NeverEnds, PolicyValue, policy_value

__all__ = [
    "Book",
    "Commit",
    "Enemy",
    "Fight",
    "FightError",
    "Graph",
    "NeverEnds",
    "Outlook",
    "PolicyValue",
    "Recommendation",
    "Solution",
    "TooLarge",
    "expected_damage",
    "explore",
    "isolate",
    "payoff_of",
    "policy_value",
    "settle_value",
    "solve_engagement",
    "solve_fight",
]
