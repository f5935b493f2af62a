"""Battles of several rounds, in which dice stay on undefeated enemies."""

from fractions import Fraction

import numpy as np
import pytest

from deckwood.solver import Enemy, Fight
from deckwood.solver.battle import Battle
from deckwood.solver.fights import plain_rules
from deckwood.strong.worths import Worths

PURPLE = (0, 0, 0, 1, 0)


def battle(ready, enemy, strategy=1, recovery=1):
    rules = plain_rules(Fight(ready, (enemy,), strategy=strategy, recovery=recovery), Worths())
    won = np.arange(len(rules.worth)) == 0  # board b: Health b left
    rules = rules._replace(worth=won.astype(np.float64), final=won, prize=np.zeros(len(won), np.int16))
    return Battle(rules, np.where(won, 0, enemy.damage))


def chance(of, ready, health):
    """The chance to win when a round begins with all dice ready and the enemy unhurt."""
    tables = of.round(health, np.zeros(5, np.int64))
    return max(tables.rolled[0][tables.row(np.subtract(ready, k), k), -1] for k in ((0, 0, 0, n, 0) for n in range(ready[3] + 1)))


@pytest.mark.parametrize(
    ("health", "expected"),
    [
        (1, Fraction(1, 6)),  # only a crit fells Health 2 in this round, the last
        (2, 1 - Fraction(5, 6) ** 2),  # a hit that is applied stays there with the die: it is held, recovered and rolled again
        (3, 1 - Fraction(5, 6) ** 3),
    ],
)
def test_one_die_waits_for_its_crit(health, expected):
    assert chance(battle(PURPLE, Enemy(2, 1)), PURPLE, health) == pytest.approx(float(expected), abs=1e-12)


def test_without_recovery_there_is_one_try():
    assert chance(battle(PURPLE, Enemy(2, 1), recovery=0), PURPLE, 6) == pytest.approx(1 / 6, abs=1e-12)


def test_damage_stays_from_round_to_round():
    """Two purple dice against Health 2, two rounds, one die recovered a round: by hand, state by state."""
    ready = (0, 0, 0, 2, 0)
    hit, crit = Fraction(4, 6), Fraction(1, 6)
    falls = {1: hit + crit, 2: crit}  # one die against so much Health
    both = 1 - (1 - crit) ** 2 + hit**2  # two dice against Health 2: a crit, or two hits
    last = {(n, need): 1 - (1 - falls[need]) ** n for n in (0, 1, 2) for need in (1, 2)} | {(2, 2): both}
    # First round, both committed: felled at once; one hit applied, whose die stays, and the other recovered; or two misses, one recovered.
    one_hit = 2 * hit * (1 - hit - crit)
    neither = (1 - hit - crit) ** 2
    two = both + one_hit * max(last[1, 1], last[1, 2]) + neither * last[1, 2]
    # ... or one committed: the other is ready in any case.
    one = crit + hit * max(last[1, 1], last[2, 2]) + (1 - hit - crit) * last[2, 2]
    assert chance(battle(ready, Enemy(2, 1)), ready, 2) == pytest.approx(float(max(one, two)), abs=1e-12)


def test_an_enemy_that_does_not_strike_falls_in_the_end():
    assert chance(battle(PURPLE, Enemy(2, 0)), PURPLE, 1) == pytest.approx(1.0)
