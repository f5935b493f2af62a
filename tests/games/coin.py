"""The coin as a game of the house: one seat, a chance event first, a deck that weights the sides."""

import hashlib
from pathlib import Path
from typing import NamedTuple

import numpy as np

from deckwood.core.spec import Action, Ending, Feature, GameSpec, LoadedDeck, Option, position_dtype
from tests.games import coin_rules


class Coin(NamedTuple):
    sides: np.ndarray  # int32 (2,): weight of heads, of tails


def load_deck(path: Path | None) -> LoadedDeck:
    sides = [3, 1] if path is None else [int(word) for word in path.read_text().split()]
    return LoadedDeck(Coin(np.array(sides, np.int32)), {}, path or Path("coin"), hashlib.sha256(repr(sides).encode()).hexdigest())


SPEC = GameSpec(
    name="Coin",
    env_id="test/Coin-v0",
    summary="Flip or stop.",
    seats=(1, 1),
    dtype=position_dtype([("heads", np.int16), ("flips", np.int16)]),
    actions=(Action("flip", "coin", "Flip the coin"), Action("stop", "coin", "Stop")),
    features=(Feature("heads", 1, 0, 1, "heads so far over ten"),),
    options=(Option("lamp", False, "has no effect"),),
    endings=(Ending("stopped", "by choice"), Ending("bust", "tails"), Ending("full", "ten heads")),
    readings=(),
    payoff_range=(0, 10),
    longest_game=12,
    max_outcomes=2,
    rules=coin_rules,
    load_deck=load_deck,
    phase_name=lambda s: ("flip or stop", "the coin", "the end")[s.node],
    outcome_name=lambda s, deck, outcome: ("heads", "tails")[outcome],
    action_text=lambda s, deck, action: SPEC.actions[action].text,
    describe=lambda s, deck: f"{s.heads} heads",
    draw=lambda s, deck: np.full((8, 8, 3), 20 * s.heads, np.uint8),
)
