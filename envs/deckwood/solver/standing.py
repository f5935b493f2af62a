"""Engagements of real positions with full pools: solved by counting, with all standing modifiers, where exploring is too large."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.core.game import Game
from deckwood.core.jit import rule
from deckwood.core.spec import Positions
from deckwood.solver import counts
from deckwood.solver.boards import KEY, MAX_BOARDS, Resolved, also_recovered, find_boards, no_boards, rules_of
from deckwood.solver.engagement import isolate
from deckwood.solver.fights import MAX_BYTES, Tables, fill, states_of
from deckwood.solver.foresight import foresee
from deckwood.solver.graph import TooLarge
from deckwood.strong import vocabulary as v
from deckwood.strong.objective import Objective, value_of
from deckwood.strong.steps import COMMIT
from deckwood.strong.terms import (
    AFTER,
    AFTER_STANDING,
    ALWAYS,
    COUNT,
    FALLS,
    GOLD_MAX,
    HEALTH,
    NONE,
    OP,
    PER,
    REWARD,
    STAT_MAX,
    UNIT_DICE,
    WHAT,
    WHEN,
)

COUNTED = {
    FALLS: (v.GAIN_STAT, v.LOSE_STAT, v.GAIN_GOLD, v.LOSE_GOLD),
    REWARD: (v.GAIN_STAT, v.GAIN_GOLD),
    AFTER: (v.GAIN_STAT, v.LOSE_STAT, v.GAIN_GOLD, v.LOSE_GOLD),
    AFTER_STANDING: (v.GAIN_STAT, v.LOSE_STAT, v.GAIN_GOLD, v.LOSE_GOLD),
}
"""What cards may do at a moment without the counting being any less exact."""


@rule
def resolve_boards(boards, n, deck, objective, value, final, prize):
    """The value of each board after Resolve without its ready dice. The boards' positions are advanced to there."""
    before = boards.fallen[0]
    for b in range(n):
        s = boards.positions[b]
        gained, lost = foresee(s, deck, before, boards.due[b])
        prize[b] = gained
        boards.regain[b] = max(0, boards.regain[b] - lost)
        final[b] = s.stats[HEALTH] < 1
        for colour in range(5):
            s.ready[colour] = 0
        value[b] = value_of(s, deck, objective)


@dataclass(frozen=True)
class Counted:
    """An engagement at its first commit, counted."""

    tables: Tables
    left_out: tuple[tuple[str, int], ...]  # cards and the rows of their effects that were not reckoned with; none: the values are exact

    def value_of(self, dice: NDArray[np.int64] | tuple[int, ...]) -> float:
        """The value of committing ``dice`` (5,) now and then playing best."""
        size = self.tables.rules.size
        return float(self.tables.rolled[0, self.tables.row(size - np.asarray(dice), np.asarray(dice)), 0])

    @property
    def value(self) -> float:
        """The value under best play."""
        rules, k = self.tables.rules, np.zeros(5, np.int64)
        return float(counts.best_commit(rules, self.tables.first, self.tables.rolled[0], rules.size, k.copy(), 0, 0, 0, k))


def not_counted(game: Game, position: Any) -> tuple[tuple[str, int], ...]:
    """Cards in play, with rows of their effects, whose effect in an engagement the counting does not know.

    Of how dice are rolled it knows one way for the whole engagement: it must not end with an enemy that falls while others stand.
    """
    tables, names = game.deck.tables, game.deck.names["faces"]
    out = []
    ordered = losses_in_order(game, position)
    enemies = [int(face) for face in position.slot if face != NONE]
    own = [int(face) for face in (position.hero, *position.items, *position.beside) if face != NONE]
    for face in enemies + own:
        may_end = face in enemies and len(enemies) > 1
        first = int(tables.cards[face]["first"])
        for row in range(first, first + int(tables.cards[face]["count"])):
            when, op, per = (int(tables.effects[row, column]) for column in (WHEN, OP, PER))
            reward_of_health = op in (v.GAIN_STAT, v.LOSE_STAT) and int(tables.effects[row, WHAT]) != HEALTH
            if when <= ALWAYS:
                if op == v.KEEP_HITS or (op in (v.FIX_MISSES, v.SWAP_HITS) and may_end):
                    out.append((names[face], row))
            elif op not in COUNTED.get(when, ()) or per or reward_of_health or (when in (FALLS, REWARD), op) in ordered:
                out.append((names[face], row))
    return tuple(out)


def losses_in_order(game: Game, position: Any) -> set[tuple[bool, int]]:
    """Losses of Health and gold whose order among the gains can matter: (whether they come with a fall or after, the op).

    Below a stat's maximum and above its end gains and losses add up, whatever comes first. The counting takes one order only, but the
    player chooses the best.
    """
    out = set()
    for gain, loss, holds, most in (
        (v.GAIN_STAT, v.LOSE_STAT, int(position.stats[HEALTH]), STAT_MAX),
        (v.GAIN_GOLD, v.LOSE_GOLD, int(position.gold), GOLD_MAX),
    ):
        gains = {with_fall: _sum_of(game, position, gain, with_fall) for with_fall in (True, False)}
        losses = {with_fall: _sum_of(game, position, loss, with_fall) for with_fall in (True, False)}
        if losses[True] and gains[True] and (holds + gains[True] > most or losses[True] >= holds):
            out.add((True, loss))
        if losses[False] and gains[False]:  # the damage suffered in between is not known here
            out.add((False, loss))
    return out


def _sum_of(game: Game, position: Any, op: int, with_fall: bool) -> int:
    """What the enemies in play can change by this op, with their falls or in the After Effects step."""
    tables, whens, total = game.deck.tables, (FALLS, REWARD) if with_fall else (AFTER, AFTER_STANDING), 0
    for face in (int(face) for face in position.slot if face != NONE):
        first = int(tables.cards[face]["first"])
        rows = tables.effects[first : first + int(tables.cards[face]["count"])]
        total += int(sum(row[COUNT] for row in rows if row[WHEN] in whens and row[OP] == op))
    return total


def count_engagement(game: Game, position: Positions, objective: Objective | None = None, *, max_bytes: int = MAX_BYTES) -> Counted:
    """Solve the engagement that begins at ``position``, its first Commit Dice step, by counting.

    Standing modifiers count as they do in play, and what cards do to Health and gold when they fall or after; other effects, items and the
    hero's ability are left out and reported. ValueError unless this is a first commit, TypeError unless the game is a 20 Strong deck,
    TooLarge for too many boards or bytes.
    """
    objective = objective or Objective()
    s = isolate(game, position)[0]
    if int(s.agenda[s.depth - 1, 0]) != COMMIT or s.passes != 1 or s.committed:
        raise ValueError(f"{game.spec.env_id}: an engagement is counted from its first commit, not from {game.phase(position)}")
    boards = no_boards(game.spec.dtype)
    n = int(find_boards(s, game.deck.tables, s.ready, False, boards, np.zeros(KEY, np.int64)))
    what = f"{game.spec.env_id} at {game.phase(position)}"
    if n == 0:
        raise TooLarge(states_of(s.ready, MAX_BOARDS), *objective.range(), what)
    value, final, prize = np.zeros(n), np.zeros(n, np.bool_), np.zeros(n, np.int16)
    resolve_boards(boards, n, game.deck.tables, objective.record(), value, final, prize)
    resolved = Resolved(
        value=value,
        final=final,
        prize=prize,
        bonus=also_recovered(game.spec, s),
        ready_value=np.array(objective.ready, np.float64),
        number_value=np.zeros(sum(UNIT_DICE) + 1),
        logistic=False,
    )
    rules = rules_of(s, boards, n, resolved)
    assert rules is not None
    tables = fill(rules, 1, 0, max_bytes=max_bytes, what=what, bounds=objective.range())
    return Counted(tables, not_counted(game, s))
