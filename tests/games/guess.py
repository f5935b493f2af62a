"""Guessing a coin as a game of the house. A deck file weights the sides."""

import hashlib
from pathlib import Path

import numpy as np

from deckwood.core.spec import Action, Ending, Feature, GameSpec, LoadedDeck, position_dtype
from tests.games import guess_rules
from tests.games.coin import Coin


def load_deck(path: Path | None) -> LoadedDeck:
    sides = [1, 1] if path is None else [int(word) for word in path.read_text().split()]
    return LoadedDeck(Coin(np.array(sides, np.int32)), {}, path or Path("coin"), hashlib.sha256(repr(sides).encode()).hexdigest())


SPEC = GameSpec(
    name="Guess",
    env_id="test/Guess-v0",
    summary="Heads or tails?",
    seats=(1, 1),
    dtype=position_dtype([("named", np.int8), ("fell", np.int8)]),
    actions=(Action("heads", "side", "Name heads"), Action("tails", "side", "Name tails")),
    features=(Feature("node", 1, 0, 1, "what is to come"),),
    options=(),
    endings=(Ending("right", "the coin fell as named", won=True), Ending("wrong", "it did not")),
    readings=(),
    payoff_range=(0, 1),
    longest_game=3,
    max_outcomes=2,
    rules=guess_rules,
    load_deck=load_deck,
    phase_name=lambda s: ("heads or tails", "the coin", "the end")[s.node],
    outcome_name=lambda s, deck, outcome: ("heads", "tails")[outcome],
    action_text=lambda s, deck, action: SPEC.actions[action].text,
    describe=lambda s, deck: f"named {s.named}, fell {s.fell}",
    draw=lambda s, deck: np.full((8, 8, 3), 20 * s.fell, np.uint8),
)
