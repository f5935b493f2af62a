"""All sub-fights of one fight: any of its dice ready, any Health left, any number of passes left; under best play or a rule of thumb.

The states between rolls of one plain fight hold every smaller one: dice that are not ready count as exhausted, Health that is gone as
dealt. So one backward pass solves a whole chart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from deckwood.core.jit import rule
from deckwood.solver import counts
from deckwood.solver.counts import (
    NEVER,
    SAME,
    UP_TO,
    Rules,
    best_commit,
    block_of,
    expect,
    fill_cells,
    next_count,
    place_in_block,
    room_for_cells,
    row_of,
    show_up_to,
)
from deckwood.solver.fights import SAME_SHARE, Commit, Counts, Dice, Fight, FightError, first_rows, plain_rules
from deckwood.strong.objective import Objective

RESOLVE = -1

Rule: TypeAlias = Callable[[int, tuple[int, ...], NDArray[np.int64], NDArray[np.int64]], NDArray[np.int64]]
"""A way to commit: from the passes left, the Health left of each enemy, and ready dice and dice in hand (rows, 5 each), the dice to
commit (rows, 5), or RESOLVE in all five."""


@rule
def fill_choices(rules, first, stops, rolled, choices):
    """Best play: the row of what is ready and in hand after the best commit, at every state and board; RESOLVE where that is best."""
    r = np.zeros(5, np.int64)
    h = np.zeros(5, np.int64)
    k = np.zeros(5, np.int64)
    room = np.zeros(5, np.int64)
    row = 0
    while True:
        for c in range(5):
            room[c] = rules.size[c] - r[c]
        while True:
            for b in range(stops.shape[1]):
                choices[row, b] = RESOLVE
                if rules.passes[b] > 0 and best_commit(rules, first, rolled, r, h, b, 0, 0, k) > stops[row, b] + SAME:
                    choices[row, b] = row_of(rules.size, first, r - k, h + k)
            row += 1
            if not next_count(h, room):
                break
        if not next_count(r, rules.size):
            return


@rule
def dice_to_apply(rules, shown, at, dice):
    """The dice that may be applied next, crits before hits, into ``dice`` (n, 2): face, colour; returns how many.

    Where the weakest may go first, it is one crit and one hit at most.
    """
    n = 0
    for face in range(1, -1, -1):
        for c in range(5):
            if shown.hits[face, c, at[c]] > 0:
                dice[n, 0] = face
                dice[n, 1] = c
                n += 1
                if rules.weakest_first:
                    break
    return n


@rule
def fill_ends(rules, first, r, shown, cells, all_hits, ends):
    """Where each entry of ``cells`` (see :func:`fill_cells`) ends when dice are applied: 2 * (row * boards + board), and 1 more if a hit
    or crit is left unapplied. ``r`` dice are ready.

    The best dice are applied, all that make no difference too; with ``all_hits`` every die that can be, to the first enemy it can be
    applied to, and only the shape of ``cells`` matters.
    """
    at = np.zeros(5, np.int64)
    hand = np.zeros(5, np.int64)
    last = shown.n - 1
    boards, targets = cells.shape[1], rules.to.shape[0]
    dice = np.zeros((10, 2), np.int64)
    while True:
        block, place = block_of(shown.n, at), place_in_block(shown.n, at)
        for c in range(5):
            hand[c] = shown.hand[c, at[c]]
        state = row_of(rules.size, first, r, hand) * boards
        n = dice_to_apply(rules, shown, at, dice)
        for b in range(boards):
            ends[block, b, place] = 2 * (state + rules.fresh[b]) + (1 if n > 0 else 0)
        for i in range(n - 1, -1, -1):  # so that the first one has the last word
            face, c = dice[i]
            now = at[c]
            at[c] = shown.less[face, c, now]
            source, source_place = block_of(shown.n, at), place_in_block(shown.n, at)
            at[c] = now
            for t in range(targets - 1, -1, -1):
                for b in range(boards):
                    there = int(rules.to[t, c, face, b])
                    if there >= 0 and there != b and (all_hits or cells[source, there, source_place] >= cells[block, b, place] - SAME):
                        ends[block, b, place] = ends[source, there, source_place]
        if not next_count(at, last):
            return


@rule
def trace_rolls(rules, first, values, goes_on, things, all_hits, out, cells, spare, ends, shown):
    """Means of ``things`` (n, rows * boards), defined on states between rolls, over a roll whose dice are applied as is best by ``values``.

    ``out`` (n, rows, boards) is defined on states about to be rolled. The first thing counts one more where a hit is left unapplied and the
    state ``goes_on`` (rows * boards) to another roll. ``all_hits`` is as in :func:`fill_ends`.
    """
    room = np.zeros(5, np.int64)
    r = np.zeros(5, np.int64)
    boards = values.shape[1]
    i = 0
    while True:
        rows = 1
        for c in range(5):
            room[c] = rules.size[c] - r[c]
            rows *= room[c] + 1
        show_up_to(rules, room, shown)
        blocks, places = room_for_cells(shown.n)
        n = blocks * places * boards
        block_cells = cells[:n].reshape(blocks, boards, places)
        if not all_hits:
            fill_cells(rules, first, values, r, shown, block_cells)
        fill_ends(rules, first, r, shown, block_cells, all_hits, ends[:n].reshape(blocks, boards, places))
        for thing in range(len(things)):
            for j in range(n):
                cells[j] = things[thing, ends[j] >> 1]
                if thing == 0 and ends[j] & 1 and goes_on[ends[j] >> 1]:
                    cells[j] += 1.0
            expect(rules, room, cells, spare, out[thing, first[i] : first[i] + rows])
        i += 1
        if not next_count(r, rules.size):
            return


@dataclass(frozen=True)
class Play:
    """A way to play every fight within one. The first index is the number of passes left."""

    choices: NDArray[np.int32]  # (passes + 1, rows, boards): the row that committing leads to, or RESOLVE
    values: NDArray[np.float64]  # (passes + 1, rows, boards): before committing
    rolled: NDArray[np.float64]  # (passes + 1, rows, boards): when the dice in hand are about to be rolled; [0] means nothing
    all_hits: bool  # every hit and crit is applied that can be; otherwise as is best for one who goes on to commit so


@dataclass(frozen=True)
class Facts:
    """The prospects of a fight: exact chances and means."""

    value: float
    defeat: tuple[float, ...]  # the chance that each enemy is defeated
    committed: float  # mean number of dice committed
    held: float  # mean number of rolls after which hits were left unapplied, to be rolled again


class Ledger:
    """A plain fight with all its sub-fights, for up to ``fight.strategy`` passes."""

    def __init__(self, fight: Fight, objective: Objective | None = None) -> None:
        self.fight = fight
        self.objective = objective or Objective()
        self.rules: Rules = plain_rules(fight, self.objective)
        size = self.rules.size
        self.first, rows = first_rows(size)
        self.left = np.array(list(product(*(range(enemy.health + 1) for enemy in fight.enemies))), np.int64)
        """(boards, enemies): the Health left."""
        self.stops = np.empty((rows, len(self.left)))
        counts.fill_stops(self.rules, self.stops)
        self.ready, self.hand = np.zeros((rows, 5), np.int64), np.zeros((rows, 5), np.int64)
        """(rows, 5) each."""
        row = 0
        for r in product(*(range(int(n) + 1) for n in size)):
            hands = np.indices([int(n) - k + 1 for n, k in zip(size, r, strict=True)]).reshape(5, -1).T
            self.ready[row : row + len(hands)] = r
            self.hand[row : row + len(hands)] = hands
            row += len(hands)
        entries = prod(int(UP_TO[n]) for n in size) * len(self.left)
        self._cells, self._spare, self._ends = np.empty(entries), np.empty(entries), np.empty(entries, np.int64)

    def rows(self, ready: NDArray[np.int64], hand: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rows (n,) of ready dice and dice in hand, (n, 5) each."""
        size = self.rules.size
        place, row = np.zeros(len(ready), np.int64), np.zeros(len(ready), np.int64)
        for c in range(5):
            place = place * (size[c] + 1) + ready[:, c]
            row = row * (size[c] - ready[:, c] + 1) + hand[:, c]
        return self.first[place] + row

    def row(self, ready: Counts, hand: Counts = (0, 0, 0, 0, 0)) -> int:
        """The row of these ready dice and dice in hand; FightError for more than the fight has."""
        for n, k, most in zip(ready, hand, self.fight.ready, strict=True):
            if n < 0 or k < 0 or n + k > most:
                raise FightError(f"{tuple(ready)} dice ready and {tuple(hand)} in hand: the fight began with {self.fight.ready}")
        return int(self.rows(np.array([ready], np.int64), np.array([hand], np.int64))[0])

    def board(self, left: Sequence[int]) -> int:
        """The board with this Health left of each enemy; FightError if an enemy never had that much."""
        fits = len(left) == self.left.shape[1]
        found = np.flatnonzero((self.left == np.array(left)).all(axis=1)) if fits else np.zeros(0, np.int64)
        if len(found) == 0:
            raise FightError(f"Health left {tuple(left)}: the enemies have {tuple(self.left[-1].tolist())}")
        return int(found[0])

    def _roll(self, values: NDArray[np.float64], last: bool, all_hits: bool) -> NDArray[np.float64]:
        """The values of dice in hand that are about to be rolled, from those of what is left of them."""
        rules, out = self.rules, np.empty_like(values)
        if all_hits:
            self._trace(values, np.zeros(values.shape, np.bool_), values[None], out[None], all_hits)
        elif last and rules.weakest_first:
            n = int(rules.size.sum()) + 1
            totals = np.zeros((len(self.first), n, n))
            counts.fill_totals(rules, totals)
            counts.roll_last(rules, self.first, self.stops, totals, out)
        else:
            counts.roll_all(rules, self.first, values, out, self._cells, self._spare, counts.no_shown())
        return out

    def _trace(
        self,
        values: NDArray[np.float64],
        goes_on: NDArray[np.bool_],
        things: NDArray[np.float64],
        out: NDArray[np.float64],
        all_hits: bool,
    ) -> None:
        trace_rolls(
            self.rules, self.first, values, goes_on.ravel(), things.reshape(len(things), -1), all_hits, out, self._cells, self._spare,
            self._ends, counts.no_shown(),
        )  # fmt: skip

    def play(self, choose: Callable[[int, NDArray[np.float64]], NDArray[np.int32]], *, all_hits: bool = False) -> Play:
        """Any way to play. Walking back from the last pass, ``choose`` is asked for its choices (rows, boards) where so many passes are
        left and dice about to be rolled are worth so much (rows, boards)."""
        passes = self.fight.strategy
        choices = np.full((passes + 1, *self.stops.shape), RESOLVE, np.int32)
        values, rolled = [self.stops], [np.full_like(self.stops, NEVER)]
        for left in range(1, passes + 1):
            rolled.append(self._roll(values[-1], left == 1, all_hits))
            choices[left] = choose(left, rolled[-1])
            values.append(self.value_of(choices[left], rolled[-1]))
        return Play(choices, np.array(values), np.array(rolled), all_hits)

    def value_of(self, choices: NDArray[np.int32], rolled: NDArray[np.float64]) -> NDArray[np.float64]:
        """(rows, boards): the values of ``choices`` when dice about to be rolled are worth ``rolled``."""
        return np.where(choices == RESOLVE, self.stops, np.take_along_axis(rolled, np.maximum(choices, 0), axis=0))

    @cached_property
    def best(self) -> Play:
        """Best play."""
        return self.play(self._best_choices)

    @cached_property
    def best_with_all_hits(self) -> Play:
        """The best commits for one who applies every hit and crit that can be."""
        return self.play(self._best_choices, all_hits=True)

    def _best_choices(self, left: int, rolled: NDArray[np.float64]) -> NDArray[np.int32]:
        out = np.empty(self.stops.shape, np.int32)
        fill_choices(self.rules, self.first, self.stops, rolled, out)
        return out

    def choices(self, rule: Rule, passes: int) -> NDArray[np.int32]:
        """(rows, boards): where a rule's commits lead with ``left`` passes left; FightError if it commits dice that are not ready."""
        out = np.full(self.stops.shape, RESOLVE, np.int32)
        for b in np.flatnonzero(self.rules.passes > 0):
            commit = rule(passes, tuple(self.left[b].tolist()), self.ready, self.hand)
            resolves = (commit == RESOLVE).all(axis=1)
            wrong = ~resolves & ((commit < 0) | (commit > self.ready)).any(axis=1)
            if wrong.any():
                i = int(np.flatnonzero(wrong)[0])
                raise FightError(f"the rule commits {commit[i].tolist()} of {self.ready[i].tolist()} ready dice")
            k = np.where(resolves[:, None], 0, commit)
            out[:, b] = np.where(resolves, RESOLVE, self.rows(self.ready - k, self.hand + k))
        return out

    def follow(self, rule: Rule, *, all_hits: bool = False) -> Play:
        """The rule in every pass, exactly. Hits and crits are applied as is best for one who goes on to commit by the rule, or all."""
        return self.play(lambda left, rolled: self.choices(rule, left), all_hits=all_hits)

    def trace(self, play: Play) -> NDArray[np.float64]:
        """(passes + 1, 2 + enemies, rows, boards), before committing: rolls that left hits, dice not ready at the end, defeats."""
        ended = np.zeros((2 + self.left.shape[1], *self.stops.shape))
        ended[1] = (int(self.rules.size.sum()) - self.ready.sum(axis=1))[:, None]
        ended[2:] = (self.left == 0).T[:, None, :]
        traced = [ended]
        for left in range(1, len(play.values)):
            rolled, now = np.empty_like(ended), play.choices[left]
            self._trace(play.values[left - 1], play.choices[left - 1] != RESOLVE, traced[-1], rolled, play.all_hits)
            traced.append(np.where(now == RESOLVE, ended, np.take_along_axis(rolled, np.maximum(now, 0)[None], axis=1)))
        return np.array(traced)

    def facts(self, traced: NDArray[np.float64], play: Play, ready: Counts, passes: int, left: Sequence[int]) -> Facts:
        """The prospects of the fight that begins with ``ready`` dice; ``traced`` is :meth:`trace` of ``play``."""
        row, board = self.row(ready), self.board(left)
        held, gone, *defeat = traced[passes, :, row, board].tolist()
        return Facts(float(play.values[passes, row, board]), tuple(defeat), gone - (sum(self.fight.ready) - sum(ready)), held)

    def commits(self, ready: Counts, passes: int, left: Sequence[int]) -> list[Commit]:
        """Every first commit of the fight that begins with ``ready`` dice, the best first; of equally good ones that with fewer dice."""
        self.row(ready)
        dice = np.array(list(product(*(range(int(n) + 1) for n in ready))), np.int64)
        values = self.best.rolled[passes, self.rows(np.array(ready) - dice, dice), self.board(left)].tolist()
        found = [Commit(_dice(k), value) for k, value in zip(dice.tolist(), values, strict=True)]
        best = max(commit.value for commit in found)
        same = SAME_SHARE * max(1.0, abs(best))
        return sorted(found, key=lambda commit: (-commit.value if commit.value < best - same else -best, sum(commit.dice), commit.dice))


def _dice(counts_of: Sequence[int]) -> Dice:
    y, g, b, p, r = counts_of
    return y, g, b, p, r
