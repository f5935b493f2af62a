"""The charts' numbers: the best first commit against one enemy of each Health and Damage, with what comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.solver import Commit, Enemy, Fight, Solution, counts, expected_damage, solve_fight
from deckwood.solver.counts import SAME
from deckwood.solver.fights import Dice, Tables
from deckwood.solver.ledger import Ledger
from deckwood.strong.objective import Objective

LETTERS = "ygbpr"
OBJECTIVE = Objective(fallen=3.0)  # the default objective, and 3 for the reward of an enemy that falls
HEALTHS = range(1, 11)
DAMAGES = range(6)
DEADLY = -1  # the Damage of an enemy that leaves no Health
MAX_PASSES = 5
SAFE_HEALTH = 6  # of the hero, so that no Damage of the charts kills


@dataclass(frozen=True)
class Pool:
    """The dice before a fight."""

    game: str
    ready: Dice
    whole: Dice  # ready and exhausted together

    @property
    def exhausted(self) -> Dice:
        y, g, b, p, r = (most - n for most, n in zip(self.whole, self.ready, strict=True))
        return y, g, b, p, r


TANGLEWOODS: Dice = (3, 3, 3, 3, 0)
ETHERFIELDS: Dice = (4, 4, 4, 4, 1)
START = Pool("Tanglewoods", TANGLEWOODS, TANGLEWOODS)
POOLS = (
    START,
    Pool("Tanglewoods", (2, 2, 2, 2, 0), TANGLEWOODS),
    Pool("Tanglewoods", (3, 2, 1, 0, 0), TANGLEWOODS),
    Pool("Tanglewoods", (0, 1, 2, 3, 0), TANGLEWOODS),
)
FULL = Pool("Etherfields", ETHERFIELDS, ETHERFIELDS)
DEPLETED = Pool("Etherfields", (2, 2, 2, 2, 0), ETHERFIELDS)


def spell(dice: Sequence[int]) -> str:
    """Dice as they are typed, ``3y1p``; ``none`` for no dice."""
    return "".join(f"{n}{letter}" for n, letter in zip(dice, LETTERS, strict=True) if n) or "none"


def dice_of(spelled: str) -> dict[str, int]:
    """``3y1p`` as ``{"y": 3, "p": 1}``; nothing for ``none``."""
    return {} if spelled == "none" else {spelled[i + 1]: int(spelled[i]) for i in range(0, len(spelled), 2)}


@dataclass(frozen=True)
class Cell:
    """One fight of the charts, a line of the CSV file. Means and chances are exact, under best play after the best commit."""

    game: str
    ready: str
    exhausted: str
    recovery: int
    strategy: int
    health: int
    damage: str  # a number, or "deadly"
    commit: str
    dice: int  # of the commit
    mean_damage: float  # of the commit, rolled once
    value: float  # of the position after the fight
    gain: float  # ... above that of resolving at once
    defeat: float  # chance
    suffered: float  # Health lost, mean
    exhausts: float  # dice committed in the whole fight, mean
    held: float  # rolls after which hits were left unapplied, mean
    second: str  # the next best commit
    second_loss: float  # how much less its value is


COLUMNS = tuple(field.name for field in fields(Cell))


def duel(
    whole: Dice, damage: int, recovery: int, *, passes: int = MAX_PASSES, ready: Dice | None = None, health: int = HEALTHS[-1]
) -> Fight:
    """One enemy of the charts. A deadly one deals 1 Damage to a hero of Health 1."""
    ready = ready or whole
    y, g, b, p, r = (most - n for most, n in zip(whole, ready, strict=True))
    hero, dealt = (1, 1) if damage == DEADLY else (SAFE_HEALTH, damage)
    return Fight(ready, (Enemy(health, dealt),), (y, g, b, p, r), health=hero, strategy=passes, recovery=recovery)


def best_two(commits: Sequence[Commit], resolve: float) -> tuple[Commit, Commit]:
    """The best commit and the next one. Where a fight is worth it, dice are committed now: waiting is no commit."""
    worth_it = commits[0].value > resolve + SAME
    named = [commit for commit in commits if not worth_it or any(commit.dice)]
    return named[0], named[1]


def cell(
    pool: Pool,
    fight: Fight,
    passes: int,
    health: int,
    commits: Sequence[Commit],
    resolve: float,
    defeat: float,
    exhausts: float,
    held: float,
) -> Cell:
    best, second = best_two(commits, resolve)
    deadly = fight.health == 1
    damage = fight.enemies[0].damage
    return Cell(
        game=pool.game, ready=spell(pool.ready), exhausted=spell(pool.exhausted), recovery=fight.recovery, strategy=passes, health=health,
        damage="deadly" if deadly else str(damage), commit=spell(best.dice), dice=sum(best.dice), mean_damage=expected_damage(best.dice),
        value=best.value, gain=best.value - resolve, defeat=defeat, suffered=damage * (1 - defeat), exhausts=exhausts, held=held,
        second=spell(second.dice), second_loss=best.value - second.value,
    )  # fmt: skip


class Book:
    """A ledger with what best play brings."""

    def __init__(self, fight: Fight, objective: Objective = OBJECTIVE) -> None:
        self.ledger = Ledger(fight, objective)

    @cached_property
    def traced(self) -> NDArray[np.float64]:
        """See :meth:`Ledger.trace`."""
        return self.ledger.trace(self.ledger.best)

    def cells(self, pools: Sequence[Pool]) -> Iterator[Cell]:
        ledger, best = self.ledger, self.ledger.best
        for pool in pools:
            for passes in range(1, ledger.fight.strategy + 1):
                for health in range(1, ledger.fight.enemies[0].health + 1):
                    facts = ledger.facts(self.traced, best, pool.ready, passes, (health,))
                    commits = ledger.commits(pool.ready, passes, (health,))
                    resolve = float(ledger.stops[ledger.row(pool.ready), ledger.board((health,))])
                    yield cell(pool, ledger.fight, passes, health, commits, resolve, facts.defeat[0], facts.committed, facts.held)


def part(solution: Solution, passes: int, health: int) -> Solution:
    """The smaller fight within a solved one against one enemy: fewer passes, less Health."""
    tables, fight = solution.tables, solution.fight

    def cut(array: NDArray[Any]) -> NDArray[Any]:
        return np.ascontiguousarray(array[..., : health + 1])

    by_board = ("to", "fresh", "passes", "limit", "total", "banned", "one_each", "whole", "value", "final", "prize", "regain")
    shorter: dict[str, Any] = {name: cut(getattr(tables.rules, name)) for name in by_board}
    rules = tables.rules._replace(**shorter)
    smaller = Tables(rules, 1, tables.first, cut(tables.stops), cut(tables.rolled[-passes:]), cut(tables.after[-passes:]))
    return replace(solution, fight=replace(fight, strategy=passes, enemies=(replace(fight.enemies[0], health=health),)), tables=smaller)


def large_cells(pool: Pool, fight: Fight, strategies: Sequence[int]) -> Iterator[Cell]:
    """The cells of a pool too large for a ledger that traces, from the first commit on."""
    solution = solve_fight(fight, OBJECTIVE)
    tables = solution.tables
    for health in range(1, fight.enemies[0].health):
        counts.roll_first(tables.rules, tables.first, tables.after[0], health, tables.rolled[0])  # type: ignore[no-untyped-call]
    for passes in strategies:
        for health in range(1, fight.enemies[0].health + 1):
            smaller = part(solution, passes, health)
            resolve = float(tables.stops[tables.row(pool.ready, (0, 0, 0, 0, 0)), health])
            commits = smaller.commits
            outlook = smaller.outlook(best_two(commits, resolve)[0].dice)
            yield cell(pool, fight, passes, health, commits, resolve, outlook.defeat[0], outlook.exhausted, float("nan"))
