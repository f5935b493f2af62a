"""Rules of thumb for committing dice, learned from best play, each with its exact regret."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from deckwood.solver import expected_damage
from deckwood.solver.counts import SAME
from deckwood.solver.ledger import RESOLVE, Ledger, Play, Rule
from deckwood_agents.studies.sheet.charts import MAX_PASSES, Pool

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

COLOURS = range(5)
MEANS: Floats = np.array([expected_damage(row) for row in np.eye(5, dtype=int).tolist()])
ENOUGH = 1e-9


@dataclass(frozen=True)
class Table:
    """What a rule of thumb may look at, of n situations (arrays of n, dice (n, 5))."""

    passes: int  # left, the next roll included
    health: Any  # left, of all enemies together: (n,) or a number
    stake: Any  # what defeating them all would be worth, dice aside: (n,) or a number
    recovery: int
    value: Floats  # (5,) of ready dice
    whole: Ints  # (5,) all dice of the hero
    ready: Ints
    hand: Ints

    @property
    def in_hand(self) -> Floats:
        """Mean damage of the dice in hand."""
        return self.hand @ MEANS

    @property
    def exhausted(self) -> Ints:
        """How many dice are exhausted or will be."""
        out: Ints = (self.whole - self.ready).sum(axis=1)
        return out

    def lost(self, ready: Ints) -> Floats:
        """What the exhausted dice are worth that Recovery will not bring back, if so many stay ready."""
        exhausted, back = self.whole - ready, np.full(len(ready), self.recovery)
        out = exhausted @ self.value
        for c in np.argsort(-self.value, kind="stable"):
            n = np.minimum(exhausted[:, c], back)
            out, back = out - n * self.value[c], back - n
        return out


class Heuristic(Protocol):
    """A rule of thumb."""

    def commit(self, table: Table) -> Ints:
        """The dice to commit (n, 5); RESOLVE in all five where it is better to stop."""


def add_dice(table: Table, commit: Ints, target: Any, order: Sequence[int], most: Any = 99) -> Ints:
    """``commit`` with dice added in the order of their colours until those in hand deal ``target`` in the mean, ``most`` at most are
    exhausted, or there are no more."""
    commit = commit.copy()
    mean, gone = table.in_hand + commit @ MEANS, table.exhausted + commit.sum(axis=1)
    for c in order:
        for _ in range(int(table.ready[:, c].max(initial=0))):
            more = (mean < target - ENOUGH) & (commit[:, c] < table.ready[:, c]) & (gone < most)
            commit[:, c] += more
            mean, gone = mean + more * MEANS[c], gone + more
    return commit


WEAKEST, STRONGEST, FREE, CHEAPEST = "weakest first", "strongest first", "free first", "cheapest first"


def reach(table: Table, target: Any, order: str) -> Ints:
    """Dice that bring the mean damage in hand to ``target``.

    FREE: the strongest while Recovery brings all back, then the weakest. CHEAPEST: the die that loses least for its mean damage.
    """
    if order == CHEAPEST:
        return cheapest(table, target)
    commit = np.zeros_like(table.ready)
    if order == FREE:
        commit = add_dice(table, commit, target, COLOURS[::-1], most=table.recovery)
    return add_dice(table, commit, target, COLOURS[::-1] if order == STRONGEST else COLOURS)


def cheapest(table: Table, target: Any) -> Ints:
    """Dice that bring the mean damage in hand to ``target``, each the one whose loss for its mean damage is least, the strongest of equal
    ones. A die loses what it is worth, but no more than the last of the exhausted dice that Recovery brings back is worth."""
    commit, mean = np.zeros_like(table.ready), table.in_hand
    rows = np.arange(len(commit))
    for _ in range(int(table.ready.sum(axis=1).max(initial=0))):
        lost = table.lost(table.ready - commit)
        price = np.full((len(commit), 5), np.inf)
        for c in COLOURS:
            more = commit + np.eye(5, dtype=np.int64)[c]
            price[:, c] = np.where(more[:, c] <= table.ready[:, c], (table.lost(table.ready - more) - lost) / MEANS[c], np.inf)
        c = 4 - np.argmin(np.round(price[:, ::-1], 9), axis=1)
        adds = (mean < target - ENOUGH) & np.isfinite(price[rows, c])
        commit[rows, c] += adds
        mean = mean + adds * MEANS[c]
    return commit


@dataclass(frozen=True)
class All:
    """Everything that is ready, at once."""

    def commit(self, table: Table) -> Ints:
        return table.ready.copy()


@dataclass(frozen=True)
class Multiple:
    """Commit until the mean damage in hand is ``times`` the Health left, each by the passes left.

    Add nothing, and only roll what is in hand, where that costs more dice than ``price`` times the stake, or where all dice deal less
    than ``least`` times the Health left.
    """

    order: str
    times: Mapping[int, float]
    price: Mapping[int, float] = field(default_factory=dict)
    least: Mapping[int, float] = field(default_factory=dict)

    def target(self, table: Table) -> Any:
        """The mean damage that dice in hand shall reach."""
        return self.times[table.passes] * table.health

    def commit(self, table: Table) -> Ints:
        out = reach(table, self.target(table), self.order)
        if not self.price:
            return out
        return np.where(hopeless(table, out, self.price[table.passes], self.least[table.passes])[:, None], 0, out)


def hopeless(table: Table, commit: Ints, price: float, least: float) -> NDArray[np.bool_]:
    """Where a commit costs more dice than ``price`` times the stake, or all dice deal less than ``least`` times the Health left."""
    all_dice = table.in_hand + table.ready @ MEANS
    out: NDArray[np.bool_] = (losing(table, commit) > price * table.stake + ENOUGH) | (all_dice < least * table.health - ENOUGH)
    return out


def losing(table: Table, commit: Ints) -> Floats:
    """What the dice of a commit are worth that Recovery will not bring back."""
    return table.lost(table.ready - commit) - table.lost(table.ready)


def stakes(ledger: Ledger) -> Floats:
    """(boards,): what defeating all that stand would be worth, dice aside."""
    value = ledger.rules.value
    out: Floats = value[0] - value
    return out


def as_rule(ledger: Ledger, heuristic: Heuristic) -> Rule:
    """A rule of thumb for a ledger's fights."""
    stake = stakes(ledger)

    def commit(passes: int, left: tuple[int, ...], ready: Ints, hand: Ints) -> Ints:
        return heuristic.commit(_table(ledger, passes, sum(left), float(stake[ledger.board(left)]), ready, hand))

    return commit


def _table(ledger: Ledger, passes: int, health: Any, stake: Any, ready: Ints, hand: Ints) -> Table:
    whole = np.add(ledger.fight.ready, ledger.fight.exhausted)
    return Table(passes, health, stake, ledger.fight.recovery, ledger.rules.ready_value, whole, ready, hand)


def follow(ledger: Ledger, heuristic: Heuristic, *, all_hits: bool = False) -> Play:
    """A rule of thumb in every pass, exactly."""
    return ledger.follow(as_rule(ledger, heuristic), all_hits=all_hits)


def follow_or_stop(ledger: Ledger, heuristic: Heuristic) -> Play:
    """The same by one who resolves at once where that is better than going on so: what the commits alone are worth."""

    def choose(left: int, rolled: Floats) -> NDArray[np.int32]:
        choices = ledger.choices(as_rule(ledger, heuristic), left)
        return np.where(ledger.value_of(choices, rolled) > ledger.stops + SAME, choices, np.int32(RESOLVE))

    return ledger.play(choose)


@dataclass(frozen=True)
class Regret:
    """Of a rule over the fights of the charts: in units of the objective."""

    mean: float
    share: float  # of what best play gains above resolving at once
    worst: float
    worst_fight: str
    within: float  # share of fights that lose at most 0.05


def regrets(ledgers: Sequence[Ledger], plays: Sequence[Play], pools: Sequence[Pool]) -> tuple[Floats, Floats]:
    """(ledgers, passes, pools, healths): what plays lose against best play, and what best play gains above resolving at once."""
    lost, gained = [], []
    for ledger, play in zip(ledgers, plays, strict=True):
        rows = [ledger.row(pool.ready) for pool in pools]
        boards = [board for board in range(len(ledger.left)) if board]
        at = np.ix_(range(1, ledger.fight.strategy + 1), rows, boards)
        lost.append(ledger.best.values[at] - play.values[at])
        gained.append(ledger.best.values[at] - ledger.stops[np.ix_(rows, boards)])
    return np.array(lost), np.array(gained)


# ------------------------------------------------------------------------------------------------------------------ learning


@dataclass(frozen=True)
class Sample:
    """Situations to learn from, those of one number of passes left: n of them, each against every ledger (stake)."""

    table: Table
    boards: Ints  # (n,)
    weights: Floats  # (n,)


def sample(ledger: Ledger, pools: Sequence[Pool], passes: int, later: int, seed: int = 1) -> Sample:
    """The charts' fights, and as much weight on ``later`` situations drawn at random, with dice in hand, where passes have been played."""
    rng = np.random.default_rng(seed)
    rows = np.array([ledger.row(pool.ready) for pool in pools])
    n_first = len(rows)
    if passes < MAX_PASSES:
        in_hand = np.flatnonzero((ledger.hand.sum(axis=1) > 0) & (ledger.ready.sum(axis=1) > 0))
        rows = np.concatenate([rows, rng.choice(in_hand, later, replace=False)])
    weights = np.where(np.arange(len(rows)) < n_first, 1 / n_first, 1 / max(1, len(rows) - n_first))
    boards = np.arange(1, len(ledger.left))
    at = np.repeat(rows, len(boards))
    table = _table(ledger, passes, np.tile(ledger.left[boards].sum(axis=1), len(rows)), 0.0, ledger.ready[at], ledger.hand[at])
    return Sample(table, np.tile(boards, len(rows)), np.repeat(weights, len(boards)) / len(boards))


def values_of(ledger: Ledger, here: Sample, commit: Ints) -> Floats:
    """(n,): of commits, followed by best play."""
    rows = ledger.rows(here.table.ready - commit, here.table.hand + commit)
    out: Floats = ledger.best.rolled[here.table.passes, rows, here.boards]
    return out


def resolving(ledger: Ledger, here: Sample) -> Floats:
    return ledger.stops[ledger.rows(here.table.ready, here.table.hand), here.boards]


def best_values(ledger: Ledger, here: Sample) -> Floats:
    out: Floats = ledger.best.values[here.table.passes, ledger.rows(here.table.ready, here.table.hand), here.boards]
    return out


TIMES = np.arange(0.25, 1.51, 0.125)
PRICES = (0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.75, 1.0)
LEAST = (0.0, 0.25, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.25)


def fit(ledgers: Sequence[Ledger], pools: Sequence[Pool], order: str, *, gives_up: bool) -> Multiple:
    """The multiples with the least mean regret over single commits, each followed by best play.

    Where the rule does not say when to give up, it is fitted for one who knows.
    """
    found: dict[str, dict[int, float]] = {"times": {}, "price": {}, "least": {}}
    for passes in range(1, MAX_PASSES + 1):
        here = sample(ledgers[0], pools, passes, later=200)
        nothing_more = {ledger: values_of(ledger, here, np.zeros_like(here.table.ready)) for ledger in ledgers}
        best = (np.inf, 0.0, 0.0, 0.0)
        for times in TIMES:
            commit = reach(here.table, times * here.table.health, order)
            shared = [
                (replace(here.table, stake=stakes(ledger)[here.boards]), values_of(ledger, here, commit), resolving(ledger, here))
                for ledger in ledgers
            ]
            for price, least in product(PRICES, LEAST) if gives_up else [(0.0, 0.0)]:
                value = 0.0
                for ledger, (table, going, stopping) in zip(ledgers, shared, strict=True):
                    stop = hopeless(table, commit, price, least) if gives_up else going < stopping
                    value += float(here.weights @ np.where(stop, nothing_more[ledger] if gives_up else stopping, going))
                if -value < best[0] - 1e-9:
                    best = (-value, float(times), price, least)
        for name, number in zip(("times", "price", "least"), best[1:], strict=True):
            found[name][passes] = number
    heuristic = Multiple(order, found["times"])
    return replace(heuristic, price=found["price"], least=found["least"]) if gives_up else heuristic


OPTIONS = (0.0, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0)
"""What a leaf of the tree says: how much of the simple rule's target to reach; 0: add no dice."""
FEATURES = ("passes left", "Health left", "price", "reach", "in hand", "free dice")
CLIPPED = 3.0  # a worse choice counts no more, so that the tree looks at the choices that matter


def features(table: Table, simple: Multiple) -> Floats:
    """(n, FEATURES): what a tree looks at, most of it as a share of the simple rule's target.

    ``price`` is what reaching the target loses in dice, as a share of the stake; ``reach`` and ``in hand`` the mean damage of all dice
    and of those in hand as shares of the target.
    """
    n, target = len(table.ready), simple.target(table)
    price = losing(table, reach(table, target, simple.order)) / table.stake
    all_dice = table.in_hand + table.ready @ MEANS
    free = np.maximum(0, table.recovery - table.exhausted)
    columns = (table.passes, table.health, price, all_dice / target, table.in_hand / target, free)
    return np.stack([np.broadcast_to(np.asarray(column, np.float64), n) for column in columns], axis=1)


@dataclass(frozen=True)
class Tree:
    """A decision tree over FEATURES whose leaves are OPTIONS."""

    simple: Multiple
    model: Any  # sklearn.tree.DecisionTreeRegressor of the regret of each option

    def commit(self, table: Table) -> Ints:
        option = np.argmin(self.model.predict(features(table, self.simple)), axis=1)
        return reach(table, np.array(OPTIONS)[option] * self.simple.target(table), self.simple.order)


def learn(ledgers: Sequence[Ledger], pools: Sequence[Pool], simple: Multiple, leaves: Sequence[int]) -> list[Tree]:
    """Trees with these numbers of leaves, grown on the exact regrets of each option."""
    from sklearn.tree import DecisionTreeRegressor

    inputs, outputs, weights = [], [], []
    for passes in range(1, MAX_PASSES + 1):
        here = sample(ledgers[0], pools, passes, later=200)
        target = simple.target(here.table)
        commits = [reach(here.table, share * target, simple.order) for share in OPTIONS]
        for ledger in ledgers:
            table = replace(here.table, stake=stakes(ledger)[here.boards])
            values = np.stack([values_of(ledger, here, commit) for commit in commits], axis=1)
            inputs.append(features(table, simple))
            outputs.append(np.minimum(best_values(ledger, here)[:, None] - values, CLIPPED))
            weights.append(here.weights)
    x, y, w = np.concatenate(inputs), np.concatenate(outputs), np.concatenate(weights)
    return [Tree(simple, DecisionTreeRegressor(max_leaf_nodes=n, random_state=0).fit(x, y, w)) for n in leaves]
