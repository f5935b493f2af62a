"""What holds at every decision of every game. Each game's own invariants are those of its tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.core.game import Game
from deckwood.core.jit import rule
from deckwood.core.spec import GameSpec, LoadedDeck, Node
from deckwood.core.uncompiled import uncompiled
from deckwood.strong.terms import NUM_COLOURS
from tests.etherfields import test_invariants as etherfields
from tests.lost_woods import test_invariants as lost_woods
from tests.tanglewoods import test_invariants as tanglewoods

DICE_AREAS = ("ready", "exhausted", "banished", "unrolled", "to_recover", "explore")  # dice by colour
SHOWN_AREAS = ("rolled", "kept", "applied")  # by colour and face, the applied by enemy too
FORCED, RANGE, MOVER = 1, 2, 3
WHAT = {
    FORCED: "the mask is not of 0 and 1, or leaves fewer than two actions",
    RANGE: "a feature is outside its declared range",
    MOVER: "nobody's seat decides",
}


@rule
def first_fault(obs, low, high, mask, actor, seats):  # type: ignore[no-untyped-def]
    """4 * slot + what is wrong there, of the first slot where something is; -1 where all is well."""
    for i in range(obs.shape[0]):
        legal = 0
        for a in range(mask.shape[1]):
            if mask[i, a] != 0 and mask[i, a] != 1:
                return 4 * i + FORCED
            legal += int(mask[i, a])
        if legal < 2:
            return 4 * i + FORCED
        for f in range(obs.shape[1]):
            if not low[f] <= obs[i, f] <= high[f]:
                return 4 * i + RANGE
        if not 0 <= actor[i] < seats:
            return 4 * i + MOVER
    return -1


def ranges(spec: GameSpec) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The least and the greatest value of each entry of an observation."""
    low = np.concatenate([np.full(f.size, f.low, np.float32) for f in spec.features])
    high = np.concatenate([np.full(f.size, f.high, np.float32) for f in spec.features])
    return low, high


def dice(positions: Any) -> NDArray[np.int64] | None:
    """All dice of each position by colour, (n, colours); None in a game without dice that can be lost."""
    names = positions.dtype.names
    if "ready" not in names:
        return None
    n = len(positions)
    plain = sum(positions[area].astype(np.int64) for area in DICE_AREAS if area in names)
    shown = sum(positions[area].reshape(n, -1, NUM_COLOURS, 3).sum(axis=(1, 3), dtype=np.int64) for area in SHOWN_AREAS if area in names)
    return np.asarray(plain + shown)


def _lost_woods(s: Any, deck: LoadedDeck) -> None:
    lost_woods.check(s, deck, None)
    lost_woods.check_map(s, deck)


OF_GAME: dict[str, Callable[[Any, LoadedDeck], None]] = {
    "tanglewoods": lambda s, deck: tanglewoods.check(s),
    "etherfields": etherfields.check,
    "lost_woods": _lost_woods,
}
"""By the name of a game's folder: AssertionError where a position at a decision breaks an invariant of the game."""


def play_uncompiled(game: Game, remembered: Any, events: NDArray[np.int32]) -> Any:
    """The record to which ``events``, as ``Batch.events`` gives them, lead by the rules as plain Python; AssertionError where to none."""
    rules, tables = game.spec.rules, game.deck.tables
    setup, legal, apply = (uncompiled(getattr(rules, name)) for name in ("setup", "legal", "apply"))
    chance, apply_chance = uncompiled(rules.chance), uncompiled(rules.apply_chance)
    position = np.zeros(1, game.spec.dtype).view(np.recarray)
    for name, value in remembered.items():
        position[name][0] = value
    s = position[0]
    mask, weights = np.zeros(len(game.spec.actions), np.int8), np.zeros(game.spec.max_outcomes, np.int32)
    setup(s, tables, game.options)
    for actor, action, outcome in events.tolist():
        if s.node == Node.CHANCE:
            assert actor == -1, "uncompiled rules come to a chance event, compiled ones to a decision"
            count = chance(s, tables, weights)
            assert 0 <= outcome < count, f"outcome {outcome} cannot happen by uncompiled rules"
            assert weights[outcome] > 0, f"outcome {outcome} cannot happen by uncompiled rules"
            apply_chance(s, tables, outcome)
        else:
            assert (s.node, s.mover) == (Node.DECISION, actor), "uncompiled rules come to another node than compiled ones"
            legal(s, tables, mask)
            assert mask[action] == 1, f"action {action} is illegal by uncompiled rules"
            apply(s, tables, action)
            s.decisions += 1
    return s
