"""Small games that a test writes down node by node.

    tree(choose(0, 1, 2), end(3, -3), roll({3: 1, 4: 2}), ...)

A node is told by its place; ``choose`` names the seat and the nodes that it chooses from, ``roll`` the nodes with their weights, ``end``
what each seat is paid.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from deckwood.core.game import Game
from deckwood.core.spec import Action, Ending, Feature, GameSpec, LoadedDeck, Node, position_dtype
from tests.solver import tree_rules

MOVES = 3


class Tree(NamedTuple):
    kinds: np.ndarray  # int8 (nodes,)
    movers: np.ndarray  # int8 (nodes,)
    children: np.ndarray  # int32 (nodes, MOVES); -1: there is no such move
    weights: np.ndarray  # int32 (nodes, MOVES)
    payoffs: np.ndarray  # float64 (nodes, 2)


def choose(seat, *nodes):
    return Node.DECISION, seat, dict.fromkeys(nodes, 0), (0, 0)


def roll(weights):
    return Node.CHANCE, 0, weights, (0, 0)


def end(*payoffs):
    return Node.END, 0, {}, payoffs


def tree(*nodes):
    """The game, and its start."""
    n = len(nodes)
    table = Tree(
        np.zeros(n, np.int8), np.zeros(n, np.int8), np.full((n, MOVES), -1, np.int32), np.zeros((n, MOVES), np.int32), np.zeros((n, 2))
    )
    for at, (kind, mover, following, payoffs) in enumerate(nodes):
        table.kinds[at], table.movers[at], table.payoffs[at] = kind, mover, payoffs
        table.children[at, : len(following)] = list(following)
        table.weights[at, : len(following)] = list(following.values())
    deck = LoadedDeck(table, {}, Path("tree"), "tree")
    game = Game(GameSpec(**{**SPEC, "load_deck": lambda path: deck}))
    return game, game.new()


SPEC = {
    "name": "Tree",
    "env_id": "test/Tree-v0",
    "summary": "Node by node.",
    "seats": (2, 2),
    "dtype": position_dtype([("at", np.int32)], seats=2),
    "actions": tuple(Action(f"move_{i}", "move", f"Move {i}") for i in range(MOVES)),
    "features": (Feature("at", 1, 0, 1e6, "the node"),),
    "options": (),
    "endings": (Ending("end", "an end"),),
    "readings": (),
    "payoff_range": (-1, 1),
    "longest_game": 10,
    "max_outcomes": MOVES,
    "rules": tree_rules,
    "phase_name": lambda s: f"node {s.at}",
    "outcome_name": lambda s, deck, outcome: str(outcome),
    "action_text": lambda s, deck, action: str(action),
    "describe": lambda s, deck: str(s.at),
    "draw": lambda s, deck: np.zeros((1, 1, 3), np.uint8),
}
