"""Advice on a plain fight, as plain data: the commits ranked, and what to do after a roll."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import product
from typing import Any

import numpy as np

from deckwood.solver import Fight, FightError, Outlook, Recommendation, Solution, counts
from deckwood.solver.fights import NONE_OF_THEM, Dice
from deckwood.strong.objective import Objective
from deckwood.strong.terms import COLOURS, FACES, STAT_MAX

Shown = Sequence[Sequence[int]]
"""(5, 3): dice by colour and by miss, hit and crit."""

Choice = tuple[float, Dice | None]
"""A value, and the dice to commit for it; None: the Resolve phase."""


def by_colour(dice: Sequence[int]) -> dict[str, int]:
    """Dice in the JSON format."""
    return {colour: int(n) for colour, n in zip(COLOURS, dice, strict=True)}


def faces_of(faces: Sequence[int]) -> dict[str, int]:
    """The faces of dice of a colour, in the JSON format."""
    return {face: int(n) for face, n in zip(FACES, faces, strict=True)}


def fight_report(fight: Fight) -> dict[str, Any]:
    """A fight in the JSON format."""
    return {**asdict(fight), "ready": by_colour(fight.ready), "exhausted": by_colour(fight.exhausted)}


def objective_report(objective: Objective) -> dict[str, Any]:
    """An objective in the JSON format."""
    return {**asdict(objective), "ready": dict(zip(COLOURS, objective.ready, strict=True))}


def solved_report(solution: Solution) -> dict[str, Any]:
    """The solved fight, its objective, and the cost of solving it."""
    return {
        "fight": fight_report(solution.fight),
        "objective": objective_report(solution.objective),
        "states": solution.states,
        "seconds": solution.seconds,
    }


def choice_row(rank: int, choice: Choice, best: float, outlook: Outlook) -> dict[str, Any]:
    """One line of a ranking."""
    value, dice = choice
    return {
        "rank": rank,
        "resolve": dice is None,
        "commit": None if dice is None else by_colour(dice),
        **asdict(outlook),
        "value": value,
        "worse_by": max(0.0, best - value),
    }


def shown_places(ranked: Sequence[Choice], top: int, extra: Sequence[Dice]) -> list[int]:
    """The places of the first ``top`` choices and of the ``extra`` ones. FightError for an extra one that is not among the choices."""
    places = {dice: place for place, (_, dice) in enumerate(ranked)}
    for dice in extra:
        if dice not in places:
            most = [max(n) for n in zip(*(commit for _, commit in ranked if commit), strict=True)] or NONE_OF_THEM
            raise FightError(f"the commit {in_letters(dice)} is not possible here: {in_letters(most)} is what may be committed at most")
    return sorted({*range(min(top, len(ranked))), *(places[dice] for dice in extra)})


def in_letters(dice: Sequence[int]) -> str:
    """ "3y1p", as a player types it."""
    return "".join(f"{n}{colour[0]}" for n, colour in zip(dice, COLOURS, strict=True) if n) or "0"


def first_commits(solution: Solution, top: int, extra: Sequence[Dice] = (), hand: Dice = NONE_OF_THEM) -> dict[str, Any]:
    """The commits of a fight about to begin: the ``top`` best and the ``extra`` ones, with the prospects of each.

    ``hand`` are dice that have been committed already; the commits come on top of them.
    """
    inside = [commit for commit in solution.commits if all(n >= m for n, m in zip(commit.dice, hand, strict=True))]
    ranked: list[Choice] = [(commit.value, less(commit.dice, hand)) for commit in inside]
    rows = [
        choice_row(place + 1, ranked[place], inside[0].value, solution.outlook(inside[place].dice))
        for place in shown_places(ranked, top, extra)
    ]
    value = inside[0].value
    return {"kind": "fight", **solved_report(solution), "value": value, "in_hand": by_colour(hand), "of": len(ranked), "choices": rows}


def more(dice: Sequence[int], others: Sequence[int]) -> Dice:
    """Dice and some others."""
    return tuple(int(n + m) for n, m in zip(dice, others, strict=True))  # type: ignore[return-value]


def less(dice: Sequence[int], others: Sequence[int]) -> Dice:
    """Dice without some of them."""
    return tuple(int(n - m) for n, m in zip(dice, others, strict=True))  # type: ignore[return-value]


def after_roll(
    solution: Solution, ready: Dice, shown: Shown, left: Sequence[int] | None, passes: int, top: int, extra: Sequence[Dice] = ()
) -> dict[str, Any]:
    """What to apply after a roll, and then the choices ranked: to resolve, or what to commit for the next one.

    Arguments and FightError as for :meth:`deckwood.solver.Solution.after_roll`.
    """
    before = tuple(enemy.health for enemy in solution.fight.enemies) if left is None else tuple(left)
    check_applied(solution.fight, ready, shown, before)
    recommendation = solution.after_roll(ready, shown, before, passes)
    hand, remaining = put_down(recommendation, shown, before)
    ranked = choices_after(solution, ready, hand, remaining, passes)
    rows = []
    for place in shown_places(ranked, top, extra):
        dice = ranked[place][1]
        outlook = (
            resolved(solution, ready, remaining)
            if dice is None
            else solution.outlook(dice, ready=ready, hand=hand, left=remaining, passes=passes)
        )
        rows.append(choice_row(place + 1, ranked[place], recommendation.value, outlook))
    return {
        "kind": "roll",
        **solved_report(solution),
        "roll": passes,
        "shown": [{"colour": colour, **faces_of(faces)} for colour, faces in zip(COLOURS, shown, strict=True)],
        "ready": by_colour(ready),
        "left": list(before),
        "apply": [{"colour": COLOURS[colour], "face": FACES[face], "enemy": target + 1} for colour, face, target in recommendation.apply],
        "left_then": list(remaining),
        "in_hand": by_colour(hand),
        "value": recommendation.value,
        "of": len(ranked),
        "choices": rows,
    }


def check_applied(fight: Fight, ready: Dice, shown: Shown, left: Sequence[int]) -> None:
    """FightError if the dice that are neither ready nor shown cannot have dealt the damage that the enemies have taken."""
    applied = sum(fight.ready) - sum(ready) - int(np.sum(shown))
    taken = sum(enemy.health for enemy in fight.enemies) - sum(left)
    if applied > 0 >= taken:
        raise FightError(f"{applied} dice are neither ready nor rolled, so they were applied, but the enemies have all their Health left")
    if applied >= 0 and taken > 2 * applied:
        raise FightError(
            f"{applied} dice are neither ready nor rolled, so they were applied and dealt at most {2 * applied} damage, "
            f"but the enemies have lost {taken} Health"
        )


def put_down(recommendation: Recommendation, shown: Shown, left: Sequence[int]) -> tuple[Dice, tuple[int, ...]]:
    """The dice in hand and the Health left of each enemy after the recommended dice have been applied."""
    hand, remaining = [sum(faces) for faces in shown], list(left)
    for colour, face, target in recommendation.apply:
        hand[colour] -= 1
        remaining[target] = max(0, remaining[target] - face)
    return tuple(map(int, hand)), tuple(map(int, remaining))  # type: ignore[return-value]


def choices_after(solution: Solution, ready: Dice, hand: Dice, left: Sequence[int], passes: int) -> list[Choice]:
    """Everything to do once dice have been applied, the best first; of equally good choices to resolve, then that with fewer dice."""
    tables, board = solution.tables, solution.board(left)
    found: list[Choice] = [(float(tables.stops[tables.row(ready, hand), board]), None)]
    if passes < min(len(tables.rolled), int(tables.rules.passes[board])):
        for dice in product(*(range(n + 1) for n in ready)):
            if any(dice) or any(hand):
                row = tables.row(np.subtract(ready, dice), np.add(hand, dice))
                found.append((float(tables.rolled[passes, row, board]), dice))  # type: ignore[arg-type]
    return sorted(found, key=lambda choice: (-round(choice[0], 9), choice[1] is not None, sum(choice[1] or ()), choice[1] or ()))


def resolved(solution: Solution, ready: Dice, left: Sequence[int]) -> Outlook:
    """The outcome of moving on to the Resolve phase, where nothing is uncertain any more."""
    fight, rules, board = solution.fight, solution.tables.rules, solution.board(left)
    exhausted, regained = np.zeros(5, np.int64), np.zeros(5, np.int64)
    value = counts.value_after(rules, board, np.array(ready), exhausted, regained)  # type: ignore[no-untyped-call]
    health = min(STAT_MAX, fight.health + sum(enemy.gain_health for enemy, n in zip(fight.enemies, left, strict=True) if n == 0))
    due = max(0, sum(enemy.damage for enemy, n in zip(fight.enemies, left, strict=True) if n > 0) - fight.shield)
    return Outlook(
        value=float(value),
        defeat=tuple(float(n == 0) for n in left),
        defeat_all=float(not any(left)),
        death=float(rules.final[board]),
        damage=float(min(due, health)),
        exhausted=float(sum(fight.ready) - sum(ready)),
        ready_after=float(regained.sum()),
    )
