"""The counting solver's rules beyond plain fights: limits on commits, fixed misses, a further die recovered, chances of odds."""

from itertools import product

import numpy as np
import pytest

from deckwood.solver import Enemy, Fight, counts
from deckwood.solver.fights import fill, first_rows, plain_rules
from deckwood.strong.objective import Objective
from tests.solver.brute import BruteForce
from tests.solver.some_fights import some_fight, some_values

LIMITS = {
    "limit": ({"limit": 1}, lambda more, ready, committed: len(more) <= 1),
    "total": ({"total": 2}, lambda more, ready, committed: committed + len(more) <= 2),
    "banned": ({"banned": 1 << 3 | 1 << 0}, lambda more, ready, committed: 3 not in more and 0 not in more),
    "one_each": ({"one_each": True}, lambda more, ready, committed: len(set(more)) == len(more)),
    "whole": ({"whole": True}, lambda more, ready, committed: all(more.count(colour) == ready.count(colour) for colour in more)),
}


def value(rules):
    """Of the best first commit that is allowed."""
    tables, start = fill(rules, 1, len(rules.value) - 1), len(rules.value) - 1
    size, none = rules.size, np.zeros(5, np.int64)
    return counts.best_commit(rules, tables.first, tables.rolled[0], size, none, start, 0, 0, np.zeros(5, np.int64))


def filled(rules, changes):
    """The rules with each change made on all boards."""
    boards = len(rules.value)
    return rules._replace(free=False, **{name: np.full(boards, new, getattr(rules, name).dtype) for name, new in changes.items()})


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("seed", range(4))
def test_limits_on_commits(name, seed):
    rng = np.random.default_rng([seed, len(name)])
    changes, may_commit = LIMITS[name]
    fight, objective = some_fight(rng, 3), some_values(rng, signs=False)
    assert value(filled(plain_rules(fight, objective), changes)) == pytest.approx(
        BruteForce(fight, objective, may_commit).value(), abs=1e-9
    )


def test_a_colour_committed_as_a_whole_is_cut_by_limits_only():
    rules = filled(plain_rules(Fight((3, 0, 0, 2, 0), (Enemy(3, 1),)), Objective()), {"whole": True, "limit": 4, "total": 4})
    ready, may = np.array([3, 0, 0, 2, 0]), counts.may_commit

    def allowed(rules, ready):
        return {
            k
            for k in product(range(4), repeat=2)
            if may(rules, 0, ready, np.array([k[0], 0, 0, k[1], 0]), sum(k), 0) and k[0] <= ready[0] and k[1] <= ready[3]
        }

    assert allowed(rules, ready) == {(0, 0), (3, 0), (0, 2), (3, 1), (2, 2)}
    # Three are committed already: one more, of either colour.
    assert allowed(filled(rules, {"whole": True, "total": 4, "limit": 4}), np.array([0, 0, 0, 2, 0])) == {(0, 0), (0, 1)}
    # Dice already committed in this step count for its limit.
    assert not may(rules, 0, ready, np.array([3, 0, 0, 0, 0]), 3, 2)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("weakest_first", [False, True])
def test_misses_that_may_not_be_rerolled(seed, weakest_first):
    rng = np.random.default_rng(seed)
    fight, objective = some_fight(rng, 3), some_values(rng, signs=seed % 2 == 1)
    rules = plain_rules(fight, objective)._replace(fixed_misses=True, weakest_first=weakest_first)
    assert value(rules) == pytest.approx(BruteForce(fight, objective, fixed_misses=True).value(), abs=1e-9)


@pytest.mark.parametrize("seed", range(8))
def test_a_further_die_of_a_colour_is_recovered(seed):
    """Only where Recovery is 1 or more, which is why these fights have it."""
    rng = np.random.default_rng(seed)
    fight, objective = some_fight(rng, 3), some_values(rng, signs=seed % 2 == 1)
    if fight.recovery == 0:
        fight = Fight(fight.ready, fight.enemies, fight.exhausted, fight.health, fight.strategy, 1)
    bonus = int(rng.integers(5))
    rules = plain_rules(fight, objective)._replace(bonus=bonus)
    assert value(rules) == pytest.approx(BruteForce(fight, objective, bonus=bonus).value(), abs=1e-9)


def test_recovered_dice_by_hand():
    """Ready 1 green; exhausted 2 yellow and 1 red, both yellows before the fight. A reward gives one of those, Recovery one of the rest."""
    rules = plain_rules(Fight((0, 1, 0, 0, 1), (Enemy(1, 0, recover=1),), (2, 0, 0, 0, 0), recovery=1), Objective(ready=(1, 2, 3, 4, 5)))
    out = np.zeros(5, np.int64)
    ready, exhausted = np.array([0, 1, 0, 0, 0]), np.array([2, 0, 0, 0, 1])
    counts.recovered(rules, 0, ready, exhausted, out)  # board 0: the enemy has fallen
    assert out.tolist() == [1, 1, 0, 0, 1]
    counts.recovered(rules, 1, ready, exhausted, out)
    assert out.tolist() == [0, 1, 0, 0, 1]
    more = rules._replace(bonus=0, prize=np.array([2, 0], np.int16))  # both yellow dice by the reward: none is left to be a further one
    counts.recovered(more, 0, ready, exhausted, out)
    assert out.tolist() == [2, 1, 0, 0, 1]
    worthless = rules._replace(ready_value=np.array([0.0, 0, 0, 0, -1]))
    counts.recovered(worthless, 0, ready, exhausted, out)
    assert out.tolist() == [0, 1, 0, 0, 0]


def test_odds_become_a_chance():
    """A yellow die against Health 1: a sum of 2 where it falls, -1 where it does not; 1/3 and 2/3 of the chances that these are odds of."""
    fight = Fight((1, 0, 0, 0, 0), (Enemy(1, 1, gold=3),), health=3, strategy=1, recovery=0)
    rules = plain_rules(fight, Objective(health=0, gold=1, items=0, ready=(0, 0, 0, 0, 0)))._replace(logistic=True)
    rules = rules._replace(value=rules.value - 1)

    def chance(odds):
        return 1 / (1 + np.exp(-odds))

    assert value(rules) == pytest.approx(chance(2) / 3 + chance(-1) * 2 / 3)
    dead = rules._replace(final=np.array([False, True]), value=np.array([2.0, 0.0]))  # what is final is a value already
    assert value(dead) == pytest.approx(chance(2) / 3)


@pytest.mark.parametrize("most", [(1, 0, 0, 0, 0), (0, 2, 1, 0, 1), (2, 1, 0, 2, 1)])
def test_means_colour_by_colour_are_means_over_all_outcomes(most):
    rng, boards, size = np.random.default_rng(1), 3, np.array(most)
    n = [int(counts.UP_TO[m]) for m in most]
    rules = plain_rules(Fight(most, (Enemy(2, 1),)), Objective())
    cells = rng.normal(size=(n[0] * n[1] * n[2], boards, n[3] * n[4]))
    rows = list(product(*(range(m + 1) for m in most)))
    out, spare = np.zeros((len(rows), boards)), np.zeros(cells.size)
    by_hand = np.zeros((len(rows), boards))
    for row, dice in enumerate(rows):
        for faces in product(*([i for i in range(n[c]) if counts.DICE[i] == dice[c]] for c in range(5))):
            chance = np.prod([rules.chances[c, face] for c, face in enumerate(faces)])
            block, place = (faces[0] * n[1] + faces[1]) * n[2] + faces[2], faces[3] * n[4] + faces[4]
            by_hand[row] += chance * cells[block, :, place]
    counts.expect(rules, size, cells.ravel().copy(), spare, out)
    assert out == pytest.approx(by_hand, abs=1e-12)


@pytest.mark.parametrize("size", [(2, 0, 0, 0, 0), (1, 2, 0, 1, 1), (0, 1, 3, 0, 1)])
def test_commits_colour_by_colour_are_the_best_of_all_commits(size):
    """Any random values: the best over all k up to r, by looking at each."""
    size, boards = np.array(size), 2
    rules = plain_rules(Fight(tuple(size.tolist()), (Enemy(1, 1),)), Objective())
    first, rows = first_rows(size)
    rolled, out = np.random.default_rng(3).normal(size=(rows, boards)), np.empty((rows, boards))
    by_hand = np.empty((rows, boards))
    for r in product(*(range(n + 1) for n in size)):
        for h in product(*(range(n - k + 1) for n, k in zip(size, r, strict=True))):
            commits = [np.array(k) for k in product(*(range(n + 1) for n in r))]
            there = [counts.row_of(size, first, r - k, h + k) for k in commits]
            by_hand[counts.row_of(size, first, np.array(r), np.array(h))] = rolled[there].max(axis=0)
    assert rules.free
    counts.fill_commits(rules, first, rolled, out)
    assert np.array_equal(out, by_hand)


@pytest.mark.parametrize("limit", [(1, 2), (0, 5), (3, 20)])
def test_commits_with_a_limit_die_by_die_are_the_best_of_those_allowed(limit):
    """Any random values, and a limit of its own for each board."""
    size = np.array((1, 2, 0, 1, 1))
    plain = plain_rules(Fight(tuple(size.tolist()), (Enemy(1, 1),)), Objective())
    rules = plain._replace(free=False, limit=np.array(limit, np.int16))
    first, rows = first_rows(size)
    rolled, out = np.random.default_rng(4).normal(size=(rows, 2)), np.empty((rows, 2))
    by_hand = np.empty((rows, 2))
    for r in product(*(range(n + 1) for n in size)):
        for h in product(*(range(n - k + 1) for n, k in zip(size, r, strict=True))):
            for b in range(2):
                commits = [np.array(k) for k in product(*(range(n + 1) for n in r)) if sum(k) <= limit[b]]
                there = [counts.row_of(size, first, r - k, h + k) for k in commits]
                by_hand[counts.row_of(size, first, np.array(r), np.array(h)), b] = rolled[there, b].max()
    assert counts.limited_alone(rules)
    counts.fill_commits(rules, first, rolled, out)
    assert np.array_equal(out, by_hand)
    # The general way, which a colour that may not be committed leads to, says the same of it where there is none of that colour.
    banned = rules._replace(banned=np.full(2, 1 << 2, np.int16))
    assert not counts.limited_alone(banned)
    counts.fill_commits(banned, first, rolled, out)
    assert np.array_equal(out, by_hand)


def test_rows_are_counted_without_gaps():
    size = np.array([1, 2, 0, 1, 1])
    first = np.zeros(2 * 3 * 1 * 2 * 2, np.int64)
    rows = counts.first_rows(size, first)
    seen = [
        counts.row_of(size, first, np.array(r), np.array(h))
        for r in product(*(range(n + 1) for n in size))
        for h in product(*(range(n - k + 1) for n, k in zip(size, r, strict=True)))
    ]
    assert seen == list(range(rows))
    assert rows == 3 * 6 * 1 * 3 * 3
