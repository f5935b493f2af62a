"""A solo game for the agents' tests, small enough to reason about: masks that change, forced moves, endings that say who won."""

import hashlib
from pathlib import Path
from typing import NamedTuple

import numpy as np

from deckwood.core.errors import DeckError
from deckwood.core.spec import Action, Ending, Feature, GameSpec, LoadedDeck, Option, position_dtype
from tests.agents import ladder_rules


class Die(NamedTuple):
    faces: np.ndarray  # int32 (6,): the weight of each face


def load_deck(path: Path | None) -> LoadedDeck:
    if path is not None and not path.exists():
        raise DeckError(f"deck file {path}: cannot be read")
    faces = [1] * 6 if path is None else [int(word) for word in path.read_text().split()]
    return LoadedDeck(Die(np.array(faces, np.int32)), {}, path or Path("fair die"), hashlib.sha256(repr(faces).encode()).hexdigest())


SPEC = GameSpec(
    name="Ladder",
    env_id="test/Ladder-v0",
    summary="Climb as high as the die lets you.",
    seats=(1, 1),
    dtype=position_dtype([("height", np.int16), ("die", np.int16), ("turns", np.int16)]),
    actions=tuple(Action(f"climb_{n}", "climb", f"Climb {n}") for n in range(6)),
    features=(
        Feature("height", 1, 0, 20, "rungs climbed"),
        Feature("die", 1, 0, 5, "the most rungs to climb now"),
        Feature("turns", 1, 0, 8, "turns taken"),
    ),
    options=(Option("wind", 0, "has no effect", low=0, high=9),),
    endings=(Ending("top", "fifteen rungs", won=True), Ending("late", "eight turns")),
    readings=(),
    payoff_range=(0, 19 / 15),
    longest_game=8,
    max_outcomes=6,
    rules=ladder_rules,
    load_deck=load_deck,
    phase_name=lambda s: ("how far to climb", "the die", "the end")[s.node],
    outcome_name=lambda s, deck, outcome: f"rolled {outcome}",
    action_text=lambda s, deck, action: SPEC.actions[action].text,
    describe=lambda s, deck: f"rung {s.height}, die {s.die}, turn {s.turns}",
    draw=lambda s, deck: np.full((8, 8, 3), 12 * s.height, np.uint8),
)
