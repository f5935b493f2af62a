"""Pig as a game of the house: two seats, chance, forced moves (a turn begins with a roll)."""

import hashlib
from pathlib import Path
from typing import NamedTuple

import numpy as np

from deckwood.core.spec import Action, Ending, Feature, GameSpec, LoadedDeck, Option, position_dtype
from tests.games import pig_rules


class Die(NamedTuple):
    faces: np.ndarray  # int32 (6,): the weight of each face


def load_deck(path: Path | None) -> LoadedDeck:
    faces = [1] * 6 if path is None else [int(word) for word in path.read_text().split()]
    return LoadedDeck(Die(np.array(faces, np.int32)), {}, path or Path("fair die"), hashlib.sha256(repr(faces).encode()).hexdigest())


def phase_name(s) -> str:
    return ("roll or hold", "the die", "the end")[s.node]


def describe(s, deck) -> str:
    return f"{s.scores[0]} : {s.scores[1]}, turn {s.turn}, seat {s.mover}: {phase_name(s)}"


def draw(s, deck) -> np.ndarray:
    image = np.zeros((20, 100, 3), np.uint8)
    image[:10, : s.scores[0]] = (200, 0, 0)
    image[10:, : s.scores[1]] = (0, 0, 200)
    return image


SPEC = GameSpec(
    name="Pig",
    env_id="test/Pig-v0",
    summary="Roll or hold.",
    seats=(2, 2),
    dtype=position_dtype([("scores", np.int16, (2,)), ("turn", np.int16), ("target", np.int16)], seats=2),
    actions=(Action("roll", "die", "Roll the die"), Action("hold", "die", "Bank the turn")),
    features=(
        Feature("own_score", 1, 0, 1, "the mover's score over the target"),
        Feature("other_score", 1, 0, 1, "the other's score over the target"),
        Feature("turn", 1, 0, 1, "points of this turn over the target"),
    ),
    options=(Option("target", 30, "points that win", low=2, high=100),),
    endings=(Ending("target_reached", "a player held with at least the target"),),
    readings=(),
    payoff_range=(-1, 1),
    longest_game=5_000,
    max_outcomes=6,
    rules=pig_rules,
    load_deck=load_deck,
    phase_name=phase_name,
    outcome_name=lambda s, deck, outcome: f"rolled {outcome + 1}",
    action_text=lambda s, deck, action: SPEC.actions[action].text,
    describe=describe,
    draw=draw,
)
