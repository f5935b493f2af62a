"""Dice in the Lost Woods: the odds of one die against another, with the re-rolls that potions allow."""

from __future__ import annotations

from functools import cache

from deckwood.core.jit import rule
from deckwood.lost_woods.state import DICE, NUM_DICE

MAX_POTIONS = 2  # that the odds before a roll reckon with
DRAW_SHARE = 0.3  # how good a draw is, where a win is 1 and a loss 0, and ...
POTION_SHARE = 0.15  # ... what a potion must gain, for the habits of re-rolling that the tables below assume


@cache
def from_rolls(own_die: int, foe_die: int, own: int, foe: int, potions: int) -> tuple[float, float, float]:
    """The chances of a win and of a draw, and the potions used, when two dice of so many sides lie."""
    best = (float(own > foe), float(own == foe), 0.0)
    if potions:
        again = (
            [from_rolls(own_die, foe_die, face, foe, potions - 1) for face in range(1, 1 + own_die)],
            [from_rolls(own_die, foe_die, own, face, potions - 1) for face in range(1, 1 + foe_die)],
        )
        for after in again:
            win, draw, used = (sum(column) / len(after) for column in zip(*after, strict=True))
            if _share(win, draw, 1.0 + used) > _share(*best):
                best = (win, draw, 1.0 + used)
    return best


def _share(win: float, draw: float, used: float) -> float:
    return win + DRAW_SHARE * draw - POTION_SHARE * used


@cache
def before_rolls(own_die: int, foe_die: int, potions: int) -> tuple[float, float, float]:
    """The same before the dice are rolled."""
    faces = [from_rolls(own_die, foe_die, own, foe, potions) for own in range(1, 1 + own_die) for foe in range(1, 1 + foe_die)]
    win, draw, used = (sum(column) / len(faces) for column in zip(*faces, strict=True))
    return win, draw, used


_ODDS = tuple(before_rolls(own, foe, potions) for potions in range(1 + MAX_POTIONS) for own in DICE for foe in DICE)
WIN = tuple(odds[0] for odds in _ODDS)
DRAW = tuple(odds[1] for odds in _ODDS)
USED = tuple(odds[2] for odds in _ODDS)


@rule
def odds_index(own, foe, potions):
    """Where the odds of one die against another stand in the tables."""
    return (min(potions, MAX_POTIONS) * NUM_DICE + own) * NUM_DICE + foe


@rule
def win_chance(own, foe, potions):
    return WIN[odds_index(own, foe, potions)]


@rule
def loss_chance(own, foe, potions):
    place = odds_index(own, foe, potions)
    return 1.0 - WIN[place] - DRAW[place]


@rule
def potions_used(own, foe, potions):
    return USED[odds_index(own, foe, potions)]


@rule
def value_of_rolls(own, foe, win, draw, loss):
    """What two dice that lie are worth."""
    return win if own > foe else draw if own == foe else loss


@rule
def value_of_rolling_own(die, foe, win, draw, loss):
    """... if one's own die is rolled once more and then stands."""
    sides = DICE[die]
    lower = min(foe - 1, sides)
    same = 1 if foe <= sides else 0
    return (loss * lower + draw * same + win * (sides - lower - same)) / sides


@rule
def value_of_rolling_foe(die, own, win, draw, loss):
    """... if the enemy's is."""
    return value_of_rolling_own(die, own, loss, draw, win)


@rule
def value_with_one(own_die, foe_die, own, foe, win, draw, loss, price):
    """What two dice that lie are worth with one potion left, used or not."""
    best = value_of_rolls(own, foe, win, draw, loss)
    best = max(best, value_of_rolling_own(own_die, foe, win, draw, loss) - price)
    return max(best, value_of_rolling_foe(foe_die, own, win, draw, loss) - price)


@rule
def value_of_potion(own_die, foe_die, own, foe, whose, potions, win, draw, loss, price):
    """What re-rolling a die (``whose``: 0 one's own, 1 the enemy's) is worth, a second potion after it reckoned with."""
    sides = DICE[own_die] if whose == 0 else DICE[foe_die]
    total = 0.0
    for face in range(1, 1 + sides):
        a, b = (face, foe) if whose == 0 else (own, face)
        if potions > 1:
            total += value_with_one(own_die, foe_die, a, b, win, draw, loss, price)
        else:
            total += value_of_rolls(a, b, win, draw, loss)
    return total / sides - price
