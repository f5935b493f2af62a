"""The fitted model of a game: loading, and the rules that use it."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.core.errors import DeckwoodError
from deckwood.core.jit import rule
from deckwood.core.spec import GameSpec
from deckwood.solver.boards import Boards, Resolved, also_recovered
from deckwood.solver.foresight import foresee
from deckwood.strong.terms import HEALTH, NUM_COLOURS
from deckwood_agents.games import slug
from deckwood_agents.players.prospects import PROSPECTS
from deckwood_agents.players.prospects.strong import ABOVE, BENDS, READY, READY_LATE, STAT

MAX_DICE = 17


class NoProspects(DeckwoodError, ValueError):
    """A game without a model, or a model made for other features."""


# Placeholders; a game's own rules replace them.
features: Any = None
is_won: Any = None


def _look_all(positions, deck, out, phases):
    """The features of positions, into ``out`` (n, F), and their phases (n,)."""
    for i in range(len(positions)):
        phases[i] = features(positions[i], deck, out[i])


def _find_won(positions, deck, out):
    """Where a battle is won if the hero lives, into ``out`` (n,)."""
    for i in range(len(out)):
        out[i] = is_won(positions[i], deck)


def find_won(module: ModuleType) -> Callable[..., None]:
    return bound(_find_won, module)


def _resolve(boards, n, deck, weights, row, value, final, prize):
    """What each board is worth after Resolve without its ready dice, as log-odds; 1 or 0 where the game is won or lost.

    ``weights`` are (phases, 1 + F), the constant first. The boards' positions are led there; ``regain`` is made smaller by dice lost.
    """
    before = boards.fallen[0]
    for b in range(n):
        s = boards.positions[b]
        gained, lost = foresee(s, deck, before, boards.due[b])
        prize[b] = gained
        boards.regain[b] = max(0, boards.regain[b] - lost)
        final[b] = True
        if s.stats[HEALTH] < 1:
            value[b] = 0.0
        elif is_won(s, deck):
            value[b] = 1.0
        else:
            final[b] = False
            phase = features(s, deck, row)
            value[b] = weights[phase, 0]
            for i in range(STAT, len(row)):
                if i != READY_LATE:
                    value[b] += weights[phase, 1 + i] * row[i]


@cache
def bound(template: FunctionType, module: ModuleType) -> Callable[..., Any]:
    """``template`` compiled with a game's ``features`` and ``is_won``; kept on disk as long as its sources and the rules stay."""
    names = {**template.__globals__, "features": module.features, "is_won": module.is_won}
    function = FunctionType(template.__code__, names, template.__name__)
    function.__module__ = module.__name__
    function.__qualname__ = template.__name__
    return rule(function)


@cache
def module_of(game: str) -> ModuleType:
    """The module of a game as it is typed; NoProspects where there is none."""
    name = f"{__package__}.{game}"
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise NoProspects(f"{game} has no model of a position's prospects") from None


@dataclass(frozen=True)
class Prospects:
    """The chance to win from a position between engagements, for each phase of a game a logistic model."""

    spec: GameSpec
    weights: NDArray[np.float64]  # (phases, 1 + features), the constant first; log-odds

    def features(self, positions: Any, tables: Any) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """float64 (n, F) and the phase of each, for position records (n,)."""
        module = module_of(slug(self.spec.env_id))
        out, phases = np.zeros((len(positions), len(module.NAMES))), np.zeros(len(positions), np.int64)
        bound(_look_all, module)(positions, tables, out, phases)
        return out, phases

    def chances(self, positions: Any, tables: Any) -> NDArray[np.float64]:
        """The chance to win from each of the positions, (n,)."""
        rows, phases = self.features(positions, tables)
        odds = self.weights[phases, 0] + (self.weights[phases, 1:] * rows).sum(axis=1)
        chances: NDArray[np.float64] = 1.0 / (1.0 + np.exp(-odds))
        return chances

    def resolved(self, position: Any, boards: Boards, n: int, tables: Any) -> Resolved:
        """What the first ``n`` boards of the engagement that ``position`` (a record) stands in come to."""
        module = module_of(slug(self.spec.env_id))
        value, final, prize = np.zeros(n), np.zeros(n, np.bool_), np.zeros(n, np.int16)
        row = np.zeros(len(module.NAMES))
        phase = self.features(boards.positions[:1], tables)[1][0]
        bound(_resolve, module)(boards, n, tables, self.weights, row, value, final, prize)
        weights = self.weights[phase, 1:]
        late, dice = module.lateness(position, tables), np.arange(MAX_DICE + 1)
        return Resolved(
            value=value,
            final=final,
            prize=prize,
            bonus=also_recovered(self.spec, position),
            ready_value=weights[READY : READY + NUM_COLOURS] + weights[READY_LATE] * late,
            number_value=sum(np.maximum(0, dice - bend) * weights[ABOVE + i] for i, bend in enumerate(BENDS)),
            logistic=True,
        )


def path_of(game: str) -> Path:
    return PROSPECTS / f"{game}.json"


@cache
def weights_of(game: str) -> NDArray[np.float64]:
    """The weights that ship for a game; see :func:`load`."""
    module = module_of(game)
    path = path_of(game)
    if not path.is_file():
        raise NoProspects(f"no model ships for {game}: make one with `python -m deckwood_agents.studies.prospects {game}`")
    data = json.loads(path.read_text(encoding="utf-8"))
    weights = []
    for phase in module.PHASES:
        found = data["phases"].get(phase, {})
        if set(found) != {"constant", *module.NAMES}:
            raise NoProspects(f"{path}: phase {phase!r} was fitted on other features than this version's: refit the model")
        weights.append([found["constant"], *(found[name] for name in module.NAMES)])
    return np.array(weights, np.float64)


def load(spec: GameSpec) -> Prospects:
    """The model that ships for a game; NoProspects where there is none or it was made for other features."""
    return Prospects(spec, weights_of(slug(spec.env_id)))
