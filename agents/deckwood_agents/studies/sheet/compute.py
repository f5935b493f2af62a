"""All that the sheet tells: the cells of its charts, and the figures of its findings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from deckwood.solver import Enemy, Fight
from deckwood.solver.ledger import Ledger, Play
from deckwood.strong.objective import Objective
from deckwood_agents.studies.sheet.charts import (
    DAMAGES,
    DEADLY,
    DEPLETED,
    ETHERFIELDS,
    FULL,
    HEALTHS,
    LETTERS,
    MAX_PASSES,
    OBJECTIVE,
    POOLS,
    SAFE_HEALTH,
    START,
    TANGLEWOODS,
    Book,
    Cell,
    Pool,
    best_two,
    dice_of,
    duel,
    large_cells,
    spell,
)
from deckwood_agents.studies.sheet.heuristics import (
    CHEAPEST,
    FEATURES,
    FREE,
    OPTIONS,
    STRONGEST,
    WEAKEST,
    All,
    Heuristic,
    Multiple,
    Tree,
    fit,
    follow,
    follow_or_stop,
    learn,
    regrets,
)

RECOVERY = 3  # of most heroes
ALL_DAMAGES = (*DAMAGES, DEADLY)
FULL_DAMAGES = (1, 2, 3, 5)
FULL_STRATEGIES = (2, 3)  # of Etherfields' heroes
RULE_DAMAGES = (0, 1, 3, 5)  # of the fights that rules are measured on
OTHER_DAMAGES = (1, 3)  # ... at the other Recovery
LEAVES = (8, 32)
TWO_ENEMIES = (Enemy(5, 2), Enemy(5, 1))
OTHER_DICE = {
    "a little more for each colour (the sheet's): 1, 2, 3, 4, 5": OBJECTIVE.ready,
    "in proportion to their mean damage: 1.5, 2, 2.5, 3, 3.5": (1.5, 2.0, 2.5, 3.0, 3.5),
    "all alike: 2.5 each": (2.5, 2.5, 2.5, 2.5, 2.5),
}

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Content:
    """What the sheet is written from."""

    cells: list[Cell]
    figures: dict[str, Any]


def compute(report: Tell) -> Content:
    """Everything, in about ten minutes on one core; ``report`` is told what is being done."""
    report("Tanglewoods, Recovery 3")
    books = {damage: Book(duel(TANGLEWOODS, damage, RECOVERY)) for damage in ALL_DAMAGES}
    cells = [cell for book in books.values() for cell in book.cells(POOLS)]
    report("Tanglewoods, Recovery 4")
    others = {damage: Book(duel(TANGLEWOODS, damage, RECOVERY + 1)) for damage in ALL_DAMAGES}
    cells += [cell for book in others.values() for cell in book.cells([START])]
    report("Etherfields, eight dice")
    for damage in ALL_DAMAGES:
        cells += Book(duel(ETHERFIELDS, damage, RECOVERY, ready=DEPLETED.ready)).cells([DEPLETED])
    report("rules of thumb")
    by_damage = {damage: books[damage].ledger for damage in RULE_DAMAGES}
    figures = order_figures(by_damage, report)
    more = rule_figures(by_damage, books[DEADLY].ledger, {damage: others[damage].ledger for damage in OTHER_DAMAGES}, report)
    figures = more | {"orders": figures["orders"], "rules": figures["rules"] + more["rules"]}
    report("hits left unapplied, other objectives, two enemies")
    ledgers = [books[damage].ledger for damage in DAMAGES]
    figures |= hold_figures(ledgers, cells)
    figures |= objective_figures(ledgers)
    figures |= two_enemy_figures(figures["simple"])
    report("Etherfields, seventeen dice")
    for damage in FULL_DAMAGES:
        cells += large_cells(FULL, duel(ETHERFIELDS, damage, RECOVERY, passes=max(FULL_STRATEGIES)), FULL_STRATEGIES)
    figures |= commit_figures(cells)
    figures |= stake_figures(books[DEADLY].ledger)
    return Content(cells, figures)


def stake_figures(deadly: Ledger) -> dict[str, Any]:
    """What the first commits of the column "deadly" lose to a hero who has all the Health to lose that the other columns give."""
    whole = Ledger(replace(deadly.fight, enemies=(Enemy(deadly.fight.enemies[0].health, SAFE_HEALTH),), health=SAFE_HEALTH), OBJECTIVE)
    lost = []
    for pool, passes in product(POOLS, range(1, MAX_PASSES + 1)):
        for health in HEALTHS:
            chosen, resolve = deadly.commits(pool.ready, passes, (health,)), deadly.stops[deadly.row(pool.ready), deadly.board((health,))]
            values = {commit.dice: commit.value for commit in whole.commits(pool.ready, passes, (health,))}
            lost.append(max(values.values()) - values[best_two(chosen, float(resolve))[0].dice])
    return {"stake": {"fights": len(lost), "change": int((np.array(lost) > 1e-6).sum()), "worst": float(max(lost))}}


def in_charts(cells: Sequence[Cell], strategy: int) -> list[Cell]:
    """The fights that rules are measured on: Tanglewoods, Recovery 3, Damage 0 to 5; those that are fought."""
    return [
        cell
        for cell in cells
        if cell.game == START.game and cell.recovery == RECOVERY and cell.damage != "deadly" and cell.strategy == strategy and cell.dice
    ]


def commit_figures(cells: Sequence[Cell]) -> dict[str, Any]:
    """How first commits look, by Strategy: dice, those added later, damage, colours; how sharp the best one is."""
    rows = []
    for strategy in range(1, MAX_PASSES + 1):
        fought = in_charts(cells, strategy)
        dealt = [cell for cell in fought if cell.defeat >= 0.5]
        rows.append(
            {
                "strategy": strategy,
                "fights": len(fought),
                "first": float(np.mean([cell.dice for cell in fought])),
                "in all": float(np.mean([cell.exhausts for cell in fought])),
                "damage for each Health": float(np.mean([cell.mean_damage / cell.health for cell in dealt])),
                "defeat": float(np.mean([cell.defeat for cell in fought])),
                "second": float(np.median([cell.second_loss for cell in fought])),
                **{letter: _share(fought, letter) for letter in LETTERS[:4]},
            }
        )
    return {"commits": rows, "cells": len(cells)}


def _share(cells: Sequence[Cell], letter: str) -> float:
    """The share of the ready dice of a colour that first commits take."""
    return sum(dice_of(cell.commit).get(letter, 0) for cell in cells) / sum(dice_of(cell.ready).get(letter, 0) for cell in cells)


def measured(name: str, ledgers: Mapping[int, Ledger], plays: Sequence[Play], pools: Sequence[Pool] = POOLS) -> dict[str, Any]:
    """What plays lose: a line of the table of rules. ``ledgers`` by the enemy's Damage."""
    lost, gained = regrets(list(ledgers.values()), plays, pools)
    damage, passes, pool, health = (int(i) for i in np.unravel_index(lost.argmax(), lost.shape))
    return {
        "rule": name,
        "regret": float(lost.mean()),
        "share": float(lost.sum() / gained.sum()),
        "within": float((lost <= 0.05).mean()),
        "worst": float(lost.max()),
        "where": f"{spell(pools[pool].ready)}, Strategy {passes + 1}, Health {health + 1}, Damage {list(ledgers)[damage]}",
        "by strategy": lost.mean(axis=(0, 2, 3)).tolist(),
    }


def order_figures(ledgers: Mapping[int, Ledger], report: Tell) -> dict[str, Any]:
    """Everything at once, and the orders in which dice may go, by those who know when to stop."""
    rows, times = [], {}

    def measure(name: str, heuristic: Heuristic, way: Callable[[Ledger, Any], Play]) -> None:
        report(name)
        rows.append(measured(name, ledgers, [way(ledger, heuristic) for ledger in ledgers.values()]))

    measure("everything at once, always", All(), follow)
    measure("everything at once, or nothing where that is better", All(), follow_or_stop)
    for order in (STRONGEST, WEAKEST, FREE, CHEAPEST):
        heuristic = fit(list(ledgers.values()), POOLS, order, gives_up=False)
        times[order] = heuristic.times
        measure(f"k times Health, {order}; stops where that is better", heuristic, follow_or_stop)
    return {"rules": rows, "orders": times}


def rule_figures(ledgers: Mapping[int, Ledger], deadly: Ledger, other: Mapping[int, Ledger], report: Tell) -> dict[str, Any]:
    """The rule of thumb and the trees over it."""
    rows: list[dict[str, Any]] = []

    def measure(
        name: str, heuristic: Heuristic, here: Mapping[int, Ledger] = ledgers, pools: Sequence[Pool] = POOLS, *, all_hits: bool = False
    ) -> None:
        report(name)
        rows.append(measured(name, here, [follow(ledger, heuristic, all_hits=all_hits) for ledger in here.values()], pools))

    simple = fit(list(ledgers.values()), POOLS, FREE, gives_up=True)
    measure("the rule of thumb", simple)
    measure("the rule of thumb, every hit applied", simple, all_hits=True)
    rows.append(chart_figures(ledgers, simple))
    trees = learn(list(ledgers.values()), POOLS, simple, LEAVES)
    for tree in trees:
        measure(f"tree of {tree.model.get_n_leaves()} leaves over it", tree)
    measure("the rule of thumb at Recovery 4, starting pool", simple, other, [START])
    report("best commits, every hit applied")
    rows.append(measured("best commits, every hit applied", ledgers, [ledger.best_with_all_hits for ledger in ledgers.values()]))
    lost, gained = regrets([deadly], [follow(deadly, simple)], POOLS)
    return {
        "rules": rows,
        "simple": {"times": simple.times, "price": simple.price, "least": simple.least},
        "tree": branches(trees[0]),
        "deadly": {"regret": float(lost.mean()), "share": float(lost.sum() / gained.sum()), "worst": float(lost.max())},
        "fights": int(lost.size * len(ledgers)),
    }


def chart_figures(ledgers: Mapping[int, Ledger], simple: Multiple) -> dict[str, Any]:
    """One who commits first as the charts say, and then by the rule of thumb."""

    def charts_first(ledger: Ledger) -> Play:
        play = follow(ledger, simple)
        values = [ledger.value_of(choices, rolled) for choices, rolled in zip(ledger.best.choices, play.rolled, strict=True)]
        return replace(play, values=np.array(values))

    return measured("the charts first, then the rule of thumb", ledgers, [charts_first(ledger) for ledger in ledgers.values()])


def branches(tree: Tree) -> list[dict[str, Any]]:
    """A tree's leaves as rules: when, and what share of the simple rule's target to reach. Branches that agree are one."""
    nodes = tree.model.tree_

    def walk(node: int, when: dict[str, tuple[float, float]]) -> list[dict[str, Any]]:
        words = ", ".join(_between(name, low, high) for name, (low, high) in when.items())
        if nodes.children_left[node] < 0:
            return [{"when": words, "share": OPTIONS[int(np.argmin(nodes.value[node][:, 0]))]}]
        name, cut = FEATURES[nodes.feature[node]], float(nodes.threshold[node])
        low, high = when.get(name, (-np.inf, np.inf))
        found = [
            *walk(nodes.children_left[node], {**when, name: (low, min(high, cut))}),
            *walk(nodes.children_right[node], {**when, name: (max(low, cut), high)}),
        ]
        return found if len({leaf["share"] for leaf in found}) > 1 else [{"when": words, "share": found[0]["share"]}]

    return walk(0, {})


def _between(name: str, low: float, high: float) -> str:
    if name in ("passes left", "Health left", "free dice"):  # whole numbers
        least, most = np.floor(low) + 1, np.floor(high)
        if least == most:
            return f"{name} {least:.0f}"
        return (
            f"{name} {least:.0f} or more"
            if np.isinf(high)
            else f"{name} up to {most:.0f}"
            if np.isinf(low)
            else f"{name} {least:.0f} to {most:.0f}"
        )
    return (
        f"{name} above {low:.2f}" if np.isinf(high) else f"{name} up to {high:.2f}" if np.isinf(low) else f"{name} {low:.2f} to {high:.2f}"
    )


def hold_figures(ledgers: Sequence[Ledger], cells: Sequence[Cell]) -> dict[str, Any]:
    """How often hits are left unapplied, and a smallest case of it."""
    rows = []
    at = [ledgers[0].row(pool.ready) for pool in POOLS]
    for strategy in range(2, MAX_PASSES + 1):
        fought = in_charts(cells, strategy)
        held = [cell.held for cell in fought]
        lost = [ledger.best.values[strategy, at, 1:] - ledger.best_with_all_hits.values[strategy, at, 1:] for ledger in ledgers]
        rows.append(
            {
                "strategy": strategy,
                "fights": len(fought),
                "with": float(np.mean([n > 0 for n in held])),
                "held": float(np.mean(held)),
                "lost": float(np.mean(lost)),
                "worst": float(np.max(lost)),
            }
        )
    defeat = Objective(health=0, gold=0, items=0, ready=(0, 0, 0, 0, 0), fallen=1, lost=0)
    small = Ledger(Fight((1, 1, 1, 1, 1), (Enemy(2, 0),), strategy=1), defeat)
    nobody = np.zeros(5, int)
    example = {}
    for c, letter in enumerate(LETTERS):
        hand = np.eye(5, dtype=int)[0]
        apply = small.best.rolled[1, small.row(nobody, hand), 1]
        if letter != "y":
            keep = small.best.rolled[1, small.row(nobody, hand + np.eye(5, dtype=int)[c]), 2]
            example[letter] = [float(apply), float(keep)]
    return {"holds": rows, "example": example}


def objective_figures(ledgers: Sequence[Ledger]) -> dict[str, Any]:
    """How the best commit changes with the objective, and what it costs to use the sheet for another one."""
    base, passes, row = ledgers[2], 3, ledgers[2].row(START.ready)
    columns: dict[str, list[str]] = {}

    def best(ledger: Ledger) -> list[str]:
        found = []
        for health in range(1, 11):
            going = ledger.best.values[passes, row, health] > ledger.stops[row, health]
            found.append(
                next(spell(commit.dice) for commit in ledger.commits(START.ready, passes, (health,)) if sum(commit.dice) or not going)
            )
        return found

    def blind(ledger: Ledger) -> dict[str, float]:
        play = ledger.play(lambda left, rolled: base.best.choices[left])
        lost, gained = regrets([ledger], [play], POOLS)
        return {"regret": float(lost.mean()), "share": float(lost.sum() / gained.sum()), "worst": float(lost.max())}

    wrong = {}
    for name, ledger in (("3", ledgers[1]), ("6", base), ("12", ledgers[4])):
        columns[f"Health {name}"] = best(ledger)
        if ledger is not base:
            wrong[f"Health is worth {name}"] = blind(ledger)
    for name, ready in OTHER_DICE.items():
        if ready != OBJECTIVE.ready:
            ledger = Ledger(base.fight, replace(OBJECTIVE, ready=ready))
            columns[name] = best(ledger)
            wrong[f"dice are worth {name}"] = blind(ledger)
    return {"objectives": columns, "wrong": wrong}


def two_enemy_figures(simple: dict[str, Any]) -> dict[str, Any]:
    """Two enemies: the rule of thumb with their Health together, and hits left unapplied."""
    ledger = Ledger(Fight(TANGLEWOODS, TWO_ENEMIES, health=6, strategy=3, recovery=RECOVERY), OBJECTIVE)
    heuristic = Multiple(FREE, simple["times"], price=simple["price"], least=simple["least"])
    row = ledger.row(START.ready)
    both = np.flatnonzero((ledger.left > 0).all(axis=1))
    rows = []
    play, traced = follow(ledger, heuristic), ledger.trace(ledger.best)
    all_hits = ledger.best_with_all_hits
    for passes in (1, 2, 3):
        best = ledger.best.values[passes, row, both]
        gained = best - ledger.stops[row, both]
        lost = best - play.values[passes, row, both]
        rows.append(
            {
                "strategy": passes,
                "regret": float(lost.mean()),
                "share": float(lost.sum() / gained.sum()),
                "worst": float(lost.max()),
                "with": float((traced[passes, 0, row, both] > 0).mean()),
                "held": float(traced[passes, 0, row, both].mean()),
                "first": float((best - all_hits.values[passes, row, both]).mean()),
            }
        )
    return {"two": rows, "two fights": len(both)}
