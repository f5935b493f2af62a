"""A single engagement of a 20 Strong deck, from its current state to the end of its Resolve phase."""

from __future__ import annotations

import numpy as np

from deckwood.core.game import Game
from deckwood.core.jit import rule
from deckwood.core.spec import Positions
from deckwood.solver.graph import Graph, explore
from deckwood.strong.objective import Objective, value_of
from deckwood.strong.steps import HALT, RECOVER_DICE, STEP
from deckwood.strong.terms import STRONG_FIELDS


@rule
def settle_value(s, deck, objective, out):
    """The value of the position after an engagement under an objective."""
    out[0] = value_of(s, deck, objective)


def isolate(game: Game, position: Positions) -> Positions:
    """A copy of ``position`` that ends when its engagement's Resolve phase has, its recovery included, and the deck goes no further.

    ValueError unless an engagement is in progress (from its first decision to the choice of the dice to recover), TypeError unless the game
    is a 20 Strong deck.
    """
    if not {name for name, *_ in STRONG_FIELDS} <= set(game.spec.dtype.names or ()):
        raise TypeError(f"{game.spec.env_id} is not a 20 Strong deck: it has no engagements")
    alone = position.copy().view(np.recarray)
    agenda, depth = position["agenda"][0], int(position["depth"][0])
    last = np.flatnonzero(agenda[:depth, STEP] == RECOVER_DICE)
    if len(last) == 0:
        raise ValueError(f"{game.spec.env_id}: no engagement is under way at {game.phase(position)}")
    kept = depth - int(last[0])
    alone["agenda"][0] = 0
    alone["agenda"][0, 0, STEP] = HALT
    alone["agenda"][0, 1 : kept + 1] = agenda[last[0] : depth]
    alone["depth"][0] = kept + 1
    return alone


def solve_engagement(game: Game, position: Positions, objective: Objective | None = None, *, max_positions: int = 2_000_000) -> Graph:
    """The engagement that ``position`` stands in, solved with every card effect: see :func:`deckwood.solver.explore`.

    ``objective`` is the objective over the position after Resolve; dice are recovered as suits it best. TooLarge after ``max_positions``
    positions; ValueError and TypeError as for :func:`isolate`.
    """
    objective = objective or Objective()
    return explore(
        game,
        isolate(game, position),
        max_positions=max_positions,
        settle=settle_value,
        objective=objective.record(),
        bounds=objective.range(),
    )
