"""A game for two to four, small enough to reason about: a seat decides several times in a row, is paid in between, and games can be cut."""

import hashlib
from pathlib import Path
from typing import NamedTuple

import numpy as np

from deckwood.core.spec import Action, Ending, Feature, GameSpec, LoadedDeck, Option, position_dtype
from tests.games import hill_rules


class Slope(NamedTuple):
    weights: np.ndarray  # int32 (2,): of rolling back, of climbing


def load_deck(path: Path | None) -> LoadedDeck:
    weights = [1, 2] if path is None else [int(word) for word in path.read_text().split()]
    return LoadedDeck(Slope(np.array(weights, np.int32)), {}, path or Path("the hill"), hashlib.sha256(repr(weights).encode()).hexdigest())


SPEC = GameSpec(
    name="Hill",
    env_id="test/Hill-v0",
    summary="Push or bank.",
    seats=(2, 4),
    dtype=position_dtype(
        [
            ("height", np.int16, (4,)),
            ("climb", np.int16),
            ("top", np.int16),
            ("players", np.int8),
            ("played", np.int16),
            ("rounds", np.int16),
        ],
        seats=4,
    ),
    actions=(Action("push", "push", "Push"), Action("bank", "stop", "Bank the climb"), Action("rest", "stop", "Stay where you are")),
    features=(
        Feature("own_height", 1, 0, 1, "where the mover's stone would be if banked, over the top"),
        Feature("best_other", 1, 0, 1, "the highest stone of the others, over the top"),
        Feature("climb", 1, 0, 1, "steps of this turn over the top"),
        Feature("players", 1, 2, 4, "at the table"),
    ),
    options=(
        Option("num_players", 3, "at the table", low=2, high=4),
        Option("top", 4, "steps that win", low=1, high=20),
        Option("rounds", 30, "after which the game is cut", low=1, high=99),
    ),
    endings=(Ending("summit", "a stone lies on top"),),
    readings=(),
    payoff_range=(-1, 1 + 20 * hill_rules.STEP),
    longest_game=5_000,
    max_outcomes=2,
    rules=hill_rules,
    load_deck=load_deck,
    phase_name=lambda s: ("push or stop", "the stone", "the end")[s.node],
    outcome_name=lambda s, deck, outcome: ("rolls back", "climbs")[outcome],
    action_text=lambda s, deck, action: SPEC.actions[action].text,
    describe=lambda s, deck: f"{list(s.height[: s.players])} of {s.top}, climb {s.climb}, seat {s.mover}",
    draw=lambda s, deck: np.full((8, 8, 3), 10 * s.climb, np.uint8),
)
