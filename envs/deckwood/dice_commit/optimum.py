"""The optimal value of each fight: found when it is first asked for, and kept in the user's cache folder.

A kept value lies in a folder named by a digest of the deck file and of every source that it depends on, in a file of its own. So a value
that is out of date is never found, and any number of processes may keep values at once.
"""

from __future__ import annotations

import hashlib
import json
import math
import sys
import time
import warnings
from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from deckwood.core.cache import PACKAGE, Cache, sources_digest
from deckwood.core.game import Game
from deckwood.core.spec import OPTIMAL_VALUE, Node, Positions
from deckwood.dice_commit.state import OPTION_SOLVE
from deckwood.strong.objective import own_objective
from deckwood.strong.steps import COMMIT, A
from deckwood.strong.terms import NONE
from deckwood.strong.words import step_of

UNKNOWN = float("nan")
SOURCES = ("core", "strong", "dice_commit", "solver")
"""The folders of this package whose sources an optimal value depends on."""
WALKED_DICE = 6
"""Fights with no more ready dice are small enough to be walked."""
PATIENCE = 2.0  # seconds of solving after which a user is told what takes so long

_values: dict[tuple[str, int], float] = {}  # by a deck's digest and a fight's place


def compute_metrics(game: Game, positions: Positions) -> Mapping[str, NDArray[np.float64]]:
    """What the best policy is paid on average in the fight of each position, from before its first die, float64 (n,).

    It is not a number with ``solve=False``, before a fight is drawn, and, with a warning, where a fight is too large to be solved.
    """
    fights, where = np.unique(positions["fight"], return_inverse=True)
    solve = bool(game.options[OPTION_SOLVE])
    values = optimal_values(game, fights.tolist()) if solve else [UNKNOWN] * len(fights)
    return {OPTIMAL_VALUE: np.array(values)[where]}


def optimal_values(game: Game, fights: Sequence[int]) -> list[float]:
    """The values of these fights, by their places in the deck's table."""
    values, start, patient = [], time.monotonic(), True
    for done, fight in enumerate(fights):
        if patient and time.monotonic() - start > PATIENCE:
            patient = False
            print(f"deckwood: solving fights, {done} of {len(fights)} done; this happens once for each", file=sys.stderr, flush=True)
        values.append(UNKNOWN if fight == NONE else optimal_value(game, fight))
    return values


def optimal_value(game: Game, fight: int) -> float:
    """What the best policy is paid on average in a fight of the game's family; see :func:`compute_metrics`."""
    key = game.deck.digest, fight
    if key not in _values:
        kept = read_value(kept_values(game.deck.digest).read(f"{fight}.json"))
        if kept is None:
            kept = solve(game, fight)
            content = json.dumps({OPTIMAL_VALUE: None if math.isnan(kept) else kept})
            kept_values(game.deck.digest).write(f"{fight}.json", content.encode())
        _values[key] = kept
    return _values[key]


@cache
def kept_values(deck_digest: str) -> Cache:
    """Where the values of a deck's fights are kept."""
    parts = [deck_digest, *(sources_digest(PACKAGE / folder) for folder in SOURCES)]
    return Cache("optima", hashlib.sha256(repr(parts).encode()).hexdigest()[:20])


def read_value(content: bytes | None) -> float | None:
    """The value in what was kept; None where there is none."""
    try:
        value = json.loads(content or b"")[OPTIMAL_VALUE]
    except (ValueError, KeyError, TypeError):
        return None
    if value is None:
        return UNKNOWN
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else None


def solve(game: Game, fight: int) -> float:
    """Solve a fight: by walking its positions, or, where there are many dice, by counting them, if that is exact."""
    from deckwood.solver import TooLarge, explore

    start = start_of(game, fight)
    counted = count(game, start) if start["ready"].sum() > WALKED_DICE else None
    if counted is not None:
        return counted
    try:
        return explore(game, start).value
    except TooLarge as error:
        warnings.warn(f"no optimal value of the fight {game.deck.names['fights'][fight]!r}: {error}", stacklevel=2)
        return UNKNOWN


def count(game: Game, start: Positions) -> float | None:
    """The value of a fight from its first commit, by counting. None where it begins otherwise, where an effect cannot be counted exactly,
    or where it is too large."""
    from deckwood.solver import TooLarge
    from deckwood.solver.standing import count_engagement, not_counted

    if step_of(start[0]) != COMMIT or not_counted(game, start[0]):
        return None
    try:
        return count_engagement(game, start, own_objective(game.deck.tables)).value - float(start["start"][0])
    except TooLarge:
        return None


def start_of(game: Game, fight: int) -> Positions:
    """The position at the start of a fight, which is one of the game's family."""
    position = game.new()
    if position["node"][0] == Node.CHANCE and position["fight"][0] == NONE:
        game.apply_chance(position, fight - int(position["agenda"][0, 0, A]))
    return position
