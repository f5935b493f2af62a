"""Plain fights of the 20 Strong system, solved for full pools: what to commit, and what to do after each roll."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import factorial, prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from deckwood.core.errors import DeckwoodError
from deckwood.solver import counts
from deckwood.solver.counts import FACES, UP_TO, Rules
from deckwood.solver.graph import TooLarge
from deckwood.strong.objective import Objective
from deckwood.strong.terms import COLOURS, GOLD_MAX, HIT, SIDES, SLOTS, STAT_MAX, UNIT_DICE

Dice = tuple[int, int, int, int, int]
"""Dice by colour, weakest first."""

Counts: TypeAlias = Sequence[int] | NDArray[np.int64]

NONE_OF_THEM: Dice = (0, 0, 0, 0, 0)
MAX_BYTES = 5 << 30
UNLIMITED = 99
SAME_SHARE = 1e-12  # of the best value: commits closer to it than this are listed by their number of dice


MAX_REWARD = 20


class FightError(DeckwoodError, ValueError):
    """An impossible fight; the message names what was found and what is allowed."""


@dataclass(frozen=True)
class Enemy:
    """An enemy without effects. The rewards are taken when it falls."""

    health: int  # 1..20
    damage: int  # 0..20
    gold: int = 0  # rewards
    gain_health: int = 0
    gain_strategy: int = 0
    gain_recovery: int = 0
    recover: int = 0  # dice of those exhausted before the fight; only where this is the only enemy


REWARDS = ("gold", "gain_health", "gain_strategy", "gain_recovery", "recover")


@dataclass(frozen=True)
class Fight:
    """An engagement about to begin: the hero and the enemies."""

    ready: Dice
    enemies: tuple[Enemy, ...]
    exhausted: Dice = NONE_OF_THEM
    health: int = 3
    strategy: int = 3
    recovery: int = 3
    gold: int = 0
    shield: int = 0  # damage that the Suffer Damage step does not count

    def __post_init__(self) -> None:
        """FightError for numbers outside the game's ranges."""
        for name, dice in (("ready", self.ready), ("exhausted", self.exhausted)):
            if len(dice) != len(COLOURS) or min(dice) < 0:
                raise FightError(f"{name} dice {dice!r}: five counts of 0 or more, one for each of {', '.join(COLOURS)}")
        for colour, count, most in zip(COLOURS, np.add(self.ready, self.exhausted), UNIT_DICE, strict=True):
            if count > most:
                raise FightError(f"{count} {colour} dice, ready and exhausted: the box has {most}")
        if not 1 <= len(self.enemies) <= SLOTS:
            raise FightError(f"{len(self.enemies)} enemies: from 1 to {SLOTS} can lie in the active area")
        for name, low, high in (
            ("health", 1, STAT_MAX), ("strategy", 1, STAT_MAX), ("recovery", 0, STAT_MAX), ("gold", 0, GOLD_MAX), ("shield", 0, 20),
        ):  # fmt: skip
            if not low <= (found := getattr(self, name)) <= high:
                raise FightError(f"{name} {found}: must be from {low} to {high}")
        for i, enemy in enumerate(self.enemies, 1):
            if not 1 <= enemy.health <= 20 or not 0 <= enemy.damage <= 20:
                raise FightError(f"enemy {i}, {enemy.health}/{enemy.damage}: Health must be from 1 to 20, Damage from 0 to 20")
            for name in REWARDS:
                if not 0 <= (found := getattr(enemy, name)) <= MAX_REWARD:
                    raise FightError(f"enemy {i}, reward {name} {found}: must be from 0 to {MAX_REWARD}")
            if enemy.recover and len(self.enemies) > 1:
                raise FightError(
                    f"enemy {i} gives dice when it falls, which could be committed against the others: this is not a plain fight"
                )


@dataclass(frozen=True)
class Commit:
    """A choice of dice for the first Commit Dice step."""

    dice: Dice
    value: float  # under best play from then on


@dataclass(frozen=True)
class Outlook:
    """The prospects of a commit under best play: exact chances and means."""

    value: float
    defeat: tuple[float, ...]  # the chance that each enemy is defeated
    defeat_all: float
    death: float  # the chance that Health falls below 1
    damage: float  # mean Health lost in the Suffer Damage step, no more than there is
    exhausted: float  # mean number of dice committed, all of which are exhausted
    ready_after: float  # mean number of ready dice when recovery is done


@dataclass(frozen=True)
class Recommendation:
    """What to do after a roll."""

    apply: tuple[tuple[int, int, int], ...]  # colour, face (HIT or CRIT), enemy
    again: bool  # repeat the Strategy phase
    commit: Dice  # ... and commit these
    value: float


def expected_damage(dice: Sequence[int]) -> float:
    """Mean damage of dice, by colour, that are rolled once: 1/2, 2/3, 5/6, 1 and 7/6 each."""
    return sum(n * (hit + 2 * crit) / 6 for n, (_, hit, crit) in zip(dice, SIDES, strict=True))


def roll_chances(dice: Sequence[tuple[int, int, int]] = SIDES) -> NDArray[np.float64]:
    """(5, faces): the chance of each triple of FACES when as many dice of a colour, with these sides, are rolled."""
    out = np.zeros((len(COLOURS), len(FACES)))
    for colour, sides in enumerate(dice):
        for i, (misses, hits, crits) in enumerate(FACES.tolist()):
            ways = factorial(misses + hits + crits) // (factorial(misses) * factorial(hits) * factorial(crits))
            out[colour, i] = ways * prod((n / 6) ** k for n, k in zip(sides, (misses, hits, crits), strict=True))
    return out


def states_of(size: Counts, boards: int) -> int:
    """How many states there are between rolls: ready dice, dice in hand, board."""
    return prod((int(n) + 1) * (int(n) + 2) // 2 for n in size) * boards


def cells_of(size: Counts, boards: int, passes: int) -> int:
    """The number of values over the faces of the dice in hand, in passes without a shortcut."""
    return prod(int(UP_TO[n]) for n in size) * boards if passes > 0 else 0


def bytes_of(size: Counts, boards: int, passes: int, weakest_first: bool = True) -> int:
    """The memory that solving takes at most."""
    return 8 * (states_of(size, boards) * (2 * passes + 1) + 2 * cells_of(size, boards, passes - 2 * weakest_first))


@dataclass
class Tables:
    """All values of a fight from a pass of its Strategy phase on; see :mod:`deckwood.solver.counts`."""

    rules: Rules
    begin: int  # the pass whose roll is ``rolled[0]``
    first: NDArray[np.int64]
    stops: NDArray[np.float64]  # (rows, boards)
    rolled: NDArray[np.float64]  # (passes, rows, boards)
    after: NDArray[np.float64]  # (passes, rows, boards)

    def row(self, ready: Counts, hand: Counts) -> int:
        return int(counts.row_of(self.rules.size, self.first, np.asarray(ready), np.asarray(hand)))


def fill(
    rules: Rules,
    begin: int,
    start: int,
    *,
    max_bytes: int = MAX_BYTES,
    what: str = "the fight",
    bounds: tuple[float, float] = (-np.inf, np.inf),
) -> Tables:
    """Solve the passes from ``begin`` on, where the board is ``start`` when the first of them begins.

    TooLarge, before anything is allocated, if that takes more memory than ``max_bytes``.
    """
    size, boards = rules.size, rules.to.shape[3]
    passes = max(1, int(rules.passes.max()) - begin + 1)
    if bytes_of(size, boards, passes, rules.weakest_first) > max_bytes:
        raise TooLarge(states_of(size, boards) * passes, *bounds, what)
    first, rows = first_rows(size)
    stops = np.empty((rows, boards))
    counts.fill_stops(rules, stops)
    return fill_passes(rules, begin, first, stops, start)


def first_rows(size: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """The first row of every pool of ready dice, and how many rows there are."""
    first = np.zeros(prod(int(n) + 1 for n in size), np.int64)
    return first, int(counts.first_rows(size, first))


def fill_passes(
    rules: Rules, begin: int, first: NDArray[np.int64], stops: NDArray[np.float64], start: int | None = None, *, by_hand: bool = False
) -> Tables:
    """The passes from ``begin`` on, from the values of resolving; ``by_hand`` says that those depend on the dice in hand.

    There are shortcuts: for the last pass if they do not, and for the first if ``start`` is the board when it begins.
    """
    size, boards = rules.size, rules.to.shape[3]
    passes = max(1, int(rules.passes.max()) - begin + 1)
    short_last = rules.weakest_first and not by_hand
    short_first = rules.weakest_first and start is not None and passes > 1
    rolled, after = np.empty((passes, len(stops), boards)), np.empty((passes, len(stops), boards))
    needed = cells_of(size, boards, passes - short_last - short_first)
    cells, spare, shown = np.empty(needed), np.empty(needed), counts.no_shown()
    for u in range(passes - 1, -1, -1):
        if u == passes - 1:
            after[u] = stops
        else:
            counts.fill_after(rules, first, stops, begin + u, rolled[u + 1], after[u])
        if u == passes - 1 and short_last:
            totals = np.zeros((len(first), int(size.sum()) + 1, int(size.sum()) + 1))
            counts.fill_totals(rules, totals)
            counts.roll_last(rules, first, stops, totals, rolled[u])
        elif u == 0 and short_first:
            assert start is not None
            rolled[u] = counts.NEVER
            counts.roll_first(rules, first, after[u], start, rolled[u])
        else:
            counts.roll_all(rules, first, after[u], rolled[u], cells, spare, shown)
    return Tables(rules, begin, first, stops, rolled, after)


def plain_rules(fight: Fight, objective: Objective) -> Rules:
    """The fight's rules as numbers. A board is the Health left of each enemy, in mixed radix, the first enemy's most significant."""
    needs = [enemy.health for enemy in fight.enemies]
    left = np.array(list(product(*(range(need + 1) for need in needs))), np.int64)
    place = np.cumprod([1, *(need + 1 for need in reversed(needs[1:]))])[::-1]
    boards = len(left)
    to = np.full((len(needs), len(COLOURS), 2, boards), -1, np.int16)
    for t in range(len(needs)):
        for damage in (1, 2):
            there = np.arange(boards) - np.minimum(left[:, t], damage) * place[t]
            to[t, :, damage - 1] = np.where(left[:, t] > 0, there, -1)
    fallen = left == 0
    suffered = np.maximum((~fallen @ [enemy.damage for enemy in fight.enemies]) - fight.shield, 0)

    def gained(name: str, now: int, most: int) -> NDArray[np.int64]:
        return np.minimum(now + fallen @ [getattr(enemy, name) for enemy in fight.enemies], most)

    health = gained("gain_health", fight.health, STAT_MAX) - suffered
    recovery = gained("gain_recovery", fight.recovery, STAT_MAX)
    strategy = gained("gain_strategy", fight.strategy, STAT_MAX)
    dead = health < 1
    value = (
        objective.health * health
        + objective.strategy * strategy
        + objective.recovery * recovery
        + objective.gold * gained("gold", fight.gold, GOLD_MAX)
        + objective.fallen * fallen.sum(axis=1)
        + objective.won * fallen.all(axis=1)
    )
    value = np.where(dead, objective.lost, value)
    ready = np.array(objective.ready, np.float64)
    size = np.array(fight.ready, np.int64)
    return Rules(
        size=size,
        held=np.zeros(5, np.int64),
        spent=np.array(fight.exhausted, np.int64),
        gone=np.zeros(5, np.int64),
        chances=roll_chances(),
        to=to,
        fresh=np.arange(boards, dtype=np.int16),
        passes=np.where(fallen.all(axis=1), 0, strategy).astype(np.int16),
        limit=np.full(boards, UNLIMITED, np.int16),
        total=np.full(boards, UNLIMITED, np.int16),
        banned=np.zeros(boards, np.int16),
        one_each=np.zeros(boards, np.bool_),
        whole=np.zeros(boards, np.bool_),
        free=True,
        fixed_misses=False,
        weakest_first=True,
        value=value.astype(np.float64),
        final=dead,
        prize=(fallen @ [enemy.recover for enemy in fight.enemies]).astype(np.int16),
        regain=recovery.astype(np.int16),
        bonus=-1,
        ready_value=ready,
        number_value=np.zeros(sum(UNIT_DICE) + 1),
        by_value=np.argsort(-ready, kind="stable").astype(np.int64),
        logistic=False,
    )


@dataclass(frozen=True)
class Solution:
    """A plain fight, solved."""

    fight: Fight
    objective: Objective
    tables: Tables
    seconds: float  # that it took, compilation left out if it was compiled before

    @property
    def states(self) -> int:
        """The number of computed values: states between rolls, of each pass, before and after the roll."""
        return int(self.tables.rolled.size + self.tables.after.size)

    @property
    def start(self) -> int:
        """The board on which nothing has been dealt."""
        return int(self.tables.rules.to.shape[3]) - 1

    @property
    def value(self) -> float:
        """The value of the fight under best play."""
        return max(commit.value for commit in self.commits)

    @cached_property
    def commits(self) -> tuple[Commit, ...]:
        """Every first commit, the best one first; of equally good ones that with fewer dice."""
        ready = self.fight.ready
        found = []
        for dice in product(*(range(n + 1) for n in ready)):
            row = self.tables.row(np.subtract(ready, dice), dice)
            found.append(Commit(dice, float(self.tables.rolled[0, row, self.start])))  # type: ignore[arg-type]
        best = max(commit.value for commit in found)
        same = SAME_SHARE * max(1.0, abs(best))
        return tuple(
            sorted(found, key=lambda commit: (-commit.value if commit.value < best - same else -best, sum(commit.dice), commit.dice))
        )

    def check(self, dice: Sequence[int], ready: Sequence[int] | None = None) -> Dice:
        """``dice`` as a commit; FightError for more than are ready (by default, all of the fight's dice)."""
        ready = self.fight.ready if ready is None else ready
        if len(dice) != len(COLOURS) or any(not 0 <= n <= most for n, most in zip(dice, ready, strict=True)):
            raise FightError(f"commit {tuple(dice)}: there are {tuple(ready)} ready dice by colour ({', '.join(COLOURS)})")
        return tuple(map(int, dice))  # type: ignore[return-value]

    def outlook(
        self,
        dice: Sequence[int],
        *,
        ready: Sequence[int] | None = None,
        hand: Sequence[int] = NONE_OF_THEM,
        left: Sequence[int] | None = None,
        passes: int = 0,
    ) -> Outlook:
        """The prospects of committing ``dice`` and then playing best: first, or when dice have been rolled ``passes`` times.

        Then ``ready`` dice are ready before the commit and ``hand`` dice in hand, to be rolled again with it; ``left`` is the Health left
        of each enemy. FightError if dice, Health or passes exceed the fight's.
        """
        tables, rules, fight = self.tables, self.tables.rules, self.fight
        ready = fight.ready if ready is None else ready
        dice = self.check(dice, ready)
        if (np.add(ready, hand) > fight.ready).any() or min(*ready, *hand) < 0:
            raise FightError(f"the fight began with {fight.ready} ready dice; {tuple(ready)} ready and {tuple(hand)} in hand are more")
        if not 0 <= passes < len(tables.rolled):
            raise FightError(f"a commit after {passes} rolls: the Strategy phase can be played {len(tables.rolled)} times")
        if passes == 0 and (any(hand) or tuple(ready) != fight.ready or left is not None):
            raise FightError("before the first roll all dice are ready and no enemy has lost Health")
        board = self.start if left is None else self.board(left)
        mass, ended = np.zeros_like(tables.stops), np.zeros_like(tables.stops)
        row = tables.row(np.subtract(ready, dice), np.add(hand, dice))
        mass[row, board] = 1.0
        entries = prod(int(UP_TO[n]) for n in fight.ready)
        counts.carry(
            rules, tables.first, tables.stops, tables.begin + passes, tables.rolled[passes:], tables.after[passes:], mass, ended,
            np.empty(entries * len(rules.value)), counts.no_shown(),
        )  # fmt: skip
        boards, means = ended.sum(axis=0), np.zeros(2)
        counts.tally(rules, ended, means)
        fallen = np.array(list(product(*(range(enemy.health + 1) for enemy in fight.enemies)))) == 0
        due = np.maximum((~fallen @ [enemy.damage for enemy in fight.enemies]) - fight.shield, 0)
        before = np.minimum(fight.health + fallen @ [enemy.gain_health for enemy in fight.enemies], STAT_MAX)
        return Outlook(
            value=float(tables.rolled[passes, row, board]),
            defeat=tuple(float(chance) for chance in boards @ fallen),
            defeat_all=float(boards @ fallen.all(axis=1)),
            death=float(boards @ rules.final),
            damage=float(boards @ np.minimum(due, before)),
            exhausted=float(means[0]),
            ready_after=float(means[1]),
        )

    def board(self, left: Sequence[int]) -> int:
        """The board with this Health left of each enemy; FightError if an enemy never had that much."""
        needs = [enemy.health for enemy in self.fight.enemies]
        if len(left) != len(needs) or any(not 0 <= n <= need for n, need in zip(left, needs, strict=True)):
            raise FightError(f"Health left {tuple(left)}: the enemies have {tuple(needs)}")
        board = 0
        for n, need in zip(left, needs, strict=True):
            board = board * (need + 1) + n
        return board

    def after_roll(
        self, ready: Sequence[int], shown: Sequence[Sequence[int]], left: Sequence[int] | None = None, passes: int = 1
    ) -> Recommendation:
        """The best play when the dice in hand show ``shown`` (5, 3: misses, hits, crits by colour) and ``ready`` dice are ready.

        ``left`` is the Health left of each enemy (all of it, by default), ``passes`` the number of this roll in the fight, from 1.
        FightError if dice, Health or passes exceed the fight's.
        """
        faces = np.asarray(shown, np.int64)
        if (
            len(ready) != len(COLOURS)
            or min(ready) < 0
            or faces.shape != (len(COLOURS), 3)
            or faces.min() < 0
            or (np.add(ready, faces.sum(axis=1)) > self.fight.ready).any()
        ):
            raise FightError(
                f"the fight began with {self.fight.ready} ready dice; {tuple(ready)} ready and {faces.tolist()} shown are more"
            )
        tables, rules = self.tables, self.tables.rules
        if not 1 <= passes <= len(tables.rolled):
            raise FightError(f"{passes} rolls: the Strategy phase can be played from 1 to {len(tables.rolled)} times")
        r, hand = np.asarray(ready, np.int64), np.zeros(5, np.int64)
        values = tables.after[passes - 1]
        plan = np.zeros((int(faces.sum()), 3), np.int64)
        board = self.start if left is None else self.board(left)
        value, board, n = counts.play_roll(rules, tables.first, values, r, faces, board, hand, plan)
        row = tables.row(r, hand)
        again = passes < len(tables.rolled) and values[row, board] > tables.stops[row, board] + counts.SAME
        commit = np.zeros(5, np.int64)
        if again:
            counts.best_commit(rules, tables.first, tables.rolled[passes], r, hand, board, 0, 0, commit)
        return Recommendation(
            apply=tuple((int(c), HIT + int(face), int(t)) for c, face, t in plan[:n]),
            again=bool(again),
            commit=tuple(map(int, commit)),  # type: ignore[arg-type]
            value=value,
        )


def solve_fight(fight: Fight, objective: Objective | None = None, *, max_bytes: int = MAX_BYTES) -> Solution:
    """Solve a plain fight. TooLarge, at once, if that would take more memory than ``max_bytes``."""
    objective = objective or Objective()
    boards = prod(enemy.health + 1 for enemy in fight.enemies)
    gains = sorted(enemy.gain_strategy for enemy in fight.enemies)
    max_passes = min(STAT_MAX, fight.strategy + sum(gains[1:]))  # when the last enemy has fallen the phase is over
    if boards > np.iinfo(np.int16).max or bytes_of(fight.ready, boards, max_passes) > max_bytes:
        raise TooLarge(states_of(fight.ready, boards) * max_passes, *objective.range(), "the fight")
    begun = time.perf_counter()
    rules = plain_rules(fight, objective)
    tables = fill(rules, 1, len(rules.value) - 1, max_bytes=max_bytes, bounds=objective.range())
    return Solution(fight, objective, tables, time.perf_counter() - begun)
