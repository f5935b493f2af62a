"""All fights within one, against the solver of single fights and against values worked out by hand."""

from itertools import product

import numpy as np
import pytest

from deckwood.solver import Enemy, Fight, FightError, solve_fight
from deckwood.solver.ledger import RESOLVE, Ledger
from deckwood.strong.objective import Objective

DEFEAT = Objective(health=0, gold=0, items=0, ready=(0, 0, 0, 0, 0), fallen=1, lost=0)
NONE = (0, 0, 0, 0, 0)


def test_the_chance_of_one_yellow_die_is_a_third_for_each_pass():
    ledger = Ledger(Fight((1, 0, 0, 0, 0), (Enemy(1, 0),), strategy=3), DEFEAT)
    row = ledger.row((1, 0, 0, 0, 0))
    assert ledger.best.values[:, row, 1] == pytest.approx([0, 1 / 3, 5 / 9, 19 / 27])


@pytest.mark.parametrize(
    "fight",
    [
        Fight((1, 1, 0, 1, 0), (Enemy(3, 2),), strategy=3, recovery=1),
        Fight((1, 0, 0, 1, 1), (Enemy(2, 1), Enemy(1, 2)), strategy=2, recovery=2, health=2),
    ],
)
def test_every_fight_within_is_what_it_is_when_solved_alone(fight):
    """Dice that are not ready are exhausted; Health that an enemy has not is gone."""
    objective = Objective(fallen=3)
    ledger = Ledger(fight, objective)
    counts = ledger.trace(ledger.best)
    for passes, needs, less in product((1, fight.strategy), ledger.left[(ledger.left > 0).all(axis=1)].tolist(), (NONE, (1, 0, 0, 0, 0))):
        ready = tuple(n - k for n, k in zip(fight.ready, less, strict=True))
        enemies = tuple(Enemy(need, enemy.damage) for need, enemy in zip(needs, fight.enemies, strict=True))
        alone = solve_fight(Fight(ready, enemies, less, fight.health, passes, fight.recovery), objective)
        facts = ledger.facts(counts, ledger.best, ready, passes, needs)
        outlook = alone.outlook(alone.commits[0].dice)
        assert facts.value == pytest.approx(alone.value)
        commits = ledger.commits(ready, passes, needs)
        assert commits[0].dice == alone.commits[0].dice
        assert {commit.dice: commit.value for commit in commits} == pytest.approx({commit.dice: commit.value for commit in alone.commits})
        assert facts.defeat == pytest.approx(outlook.defeat)
        assert facts.committed == pytest.approx(outlook.exhausted)


def test_a_hit_is_kept_where_a_crit_is_needed():
    """One purple die against Health 2, two passes. A hit that is applied leaves 1 and no die: 1/6 + 1/6 * 1/6. Kept, any but a crit is
    rolled again: 1/6 + 5/6 * 1/6; it is kept with chance 4/6."""
    ledger = Ledger(Fight((0, 0, 0, 1, 0), (Enemy(2, 0),), strategy=2), DEFEAT)
    purple, start = (0, 0, 0, 1, 0), ledger.board((2,))
    assert ledger.best_with_all_hits.values[2, ledger.row(purple), start] == pytest.approx(7 / 36)
    facts = ledger.facts(ledger.trace(ledger.best), ledger.best, purple, 2, (2,))
    assert facts.value == pytest.approx(11 / 36)
    assert facts.held == pytest.approx(4 / 6)
    all_hits = ledger.facts(ledger.trace(ledger.best_with_all_hits), ledger.best_with_all_hits, purple, 2, (2,))
    assert (all_hits.value, all_hits.held) == (pytest.approx(7 / 36), 0)


def test_a_rule_is_followed_in_every_pass():
    """One die a pass, the yellow one first, against Health 1: 1/3, then with both dice 1 - 2/3 * 1/6."""

    def one_die(passes, left, ready, hand):
        out = np.zeros_like(ready)
        out[:, 0] = ready[:, 0] > 0
        out[:, 3] = (ready[:, 0] == 0) & (ready[:, 3] > 0)
        return out

    ledger = Ledger(Fight((1, 0, 0, 1, 0), (Enemy(1, 0),), strategy=2), DEFEAT)
    row = ledger.row((1, 0, 0, 1, 0))
    for all_hits in (False, True):
        play = ledger.follow(one_die, all_hits=all_hits)
        assert play.values[1, row, 1] == pytest.approx(1 / 3)
        assert play.values[2, row, 1] == pytest.approx(1 / 3 + 2 / 3 * (1 - 2 / 3 * 1 / 6))


def test_best_play_followed_as_a_rule_loses_nothing_and_resolving_gains_nothing():
    ledger = Ledger(Fight((1, 1, 0, 1, 0), (Enemy(3, 2),), strategy=2, recovery=1))
    best = ledger.play(lambda left, rolled: ledger.best.choices[left])
    assert best.values == pytest.approx(ledger.best.values)
    idle = ledger.follow(lambda passes, left, ready, hand: np.full_like(ready, RESOLVE))
    assert (idle.values == ledger.stops).all()


def test_what_is_not_there_is_refused():
    ledger = Ledger(Fight((1, 0, 0, 0, 0), (Enemy(1, 0),), strategy=1), DEFEAT)
    with pytest.raises(FightError, match=r"the rule commits \[1, 1, 0, 0, 0\] of \[0, 0, 0, 0, 0\] ready dice"):
        ledger.follow(lambda passes, left, ready, hand: ready * 0 + [1, 1, 0, 0, 0])
    with pytest.raises(FightError, match="the fight began with"):
        ledger.row((0, 1, 0, 0, 0))
    with pytest.raises(FightError, match="the enemies have"):
        ledger.board((2,))
