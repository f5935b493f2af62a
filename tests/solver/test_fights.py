"""Plain fights: against brute force, by hand, and played with dice."""

from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest

from deckwood.solver import Commit, Enemy, Fight, FightError, TooLarge, counts, expected_damage, solve_fight
from deckwood.solver.fights import bytes_of, fill, plain_rules, states_of
from deckwood.strong.objective import Objective
from deckwood.strong.terms import COLOURS, CRIT, SIDES, UNIT_DICE
from tests.solver.brute import SIDES as RULEBOOK
from tests.solver.brute import BruteForce, dice_of
from tests.solver.some_fights import some_fight, some_values

NOTHING = Objective(health=0, gold=0, items=0, ready=(0, 0, 0, 0, 0), lost=0)
"""Nothing has a value; tests say what does."""
KILLS = replace(NOTHING, fallen=1.0)
GOLD = replace(NOTHING, gold=1.0)
MISSES = (4, 3, 2, 1, 0)  # sides of each colour


def dice(**colours):
    return tuple(colours.get(colour, 0) for colour in COLOURS)


# Against brute force ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("signs", [False, True], ids=["falls are good", "worths of both signs"])
@pytest.mark.parametrize("seed", range(15))
def test_brute_force_finds_the_same_values(seed, signs):
    rng = np.random.default_rng([seed, signs])
    fight, objective = some_fight(rng, 3), some_values(rng, signs)
    solution, slow = solve_fight(fight, objective), BruteForce(fight, objective)
    assert solution.value == pytest.approx(slow.value(), abs=1e-9), (fight, objective)
    for commit in solution.commits:
        assert commit.value == pytest.approx(slow.value_of(commit.dice), abs=1e-9), (fight, objective, commit)


def test_brute_force_finds_the_same_value_with_four_dice_and_three_enemies():
    fight = Fight(
        dice(yellow=2, purple=2), (Enemy(1, 1, gold=1), Enemy(2, 2, gain_strategy=1), Enemy(3, 1)), health=3, strategy=2, recovery=2
    )
    assert solve_fight(fight).value == pytest.approx(BruteForce(fight, Objective()).value(), abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_shortcuts_and_the_long_way_agree(seed):
    """Weakest first, with the first and the last pass counted in ways of their own, and with every choice of a die tried in all passes."""
    rng = np.random.default_rng(seed)
    fight, objective = some_fight(rng, 5, 3), some_values(rng, signs=seed % 2 == 1)
    rules = plain_rules(fight, objective)
    start = len(rules.value) - 1
    short, long = (fill(rules._replace(weakest_first=first), 1, start) for first in (True, False))
    known = short.rolled[0] > counts.NEVER  # the first pass looks at nothing but what can be
    assert known.any()
    assert short.rolled[0][known] == pytest.approx(long.rolled[0][known], abs=1e-9)
    assert short.rolled[1:] == pytest.approx(long.rolled[1:], abs=1e-9)
    assert short.after == pytest.approx(long.after, abs=1e-9)


def test_weakest_first_rests_on_dice_that_crit_alike():
    """A stronger die shows a crit with the same luck as a weaker one and a hit at least where that does: docs/solver.md."""
    assert tuple(map(tuple, SIDES)) == RULEBOOK
    assert {crit for _, _, crit in SIDES} == {1}
    assert [miss for miss, _, _ in SIDES] == sorted((miss for miss, _, _ in SIDES), reverse=True)


# Known facts -----------------------------------------------------------------------------------------------------------------------------


def test_mean_damage_of_dice_and_pools():
    means = (1 / 2, 2 / 3, 5 / 6, 1, 7 / 6)
    for colour, mean in enumerate(means):
        assert expected_damage(tuple(np.eye(5, dtype=int)[colour])) == pytest.approx(mean)
    assert expected_damage((3, 3, 3, 3, 0)) == pytest.approx(9.0)
    assert expected_damage(UNIT_DICE) == pytest.approx(79 / 6)


def totals_of(*pool):
    rules = plain_rules(Fight(pool, (Enemy(1, 0),)), KILLS)
    totals = np.zeros((len(list(product(*(range(n + 1) for n in pool)))), sum(pool) + 1, sum(pool) + 1))
    counts.fill_totals(rules, totals)
    return totals[-1]


@pytest.mark.parametrize("pool", [(1, 0, 0, 0, 0), (0, 0, 0, 4, 1), (3, 3, 3, 3, 0), UNIT_DICE])
def test_the_numbers_of_hits_and_crits_of_a_roll(pool):
    totals = totals_of(*pool)
    hits, crits = np.indices(totals.shape)
    assert totals.sum() == pytest.approx(1.0)
    assert (totals * (hits + 2 * crits)).sum() == pytest.approx(expected_damage(pool))
    assert totals[:, 1:].sum() == pytest.approx(1 - (5 / 6) ** sum(pool))  # at least one crit
    no_hit = np.prod([(miss / 6) ** n for miss, n in zip(MISSES, pool, strict=True)])
    assert totals[0, 0] == pytest.approx(no_hit, abs=1e-15)


@pytest.mark.parametrize("colour", range(5))
@pytest.mark.parametrize("n", [1, 4])
def test_one_roll_of_dice_against_health_one(colour, n):
    n = min(n, UNIT_DICE[colour])
    pool = tuple(n if c == colour else 0 for c in range(5))
    solution = solve_fight(Fight(pool, (Enemy(1, 1),), strategy=1), KILLS)
    values = {sum(commit.dice): commit.value for commit in solution.commits}
    assert values == pytest.approx({k: 1 - (MISSES[colour] / 6) ** k for k in range(n + 1)})


@pytest.mark.parametrize("strategy", range(1, 7))
def test_one_die_is_rolled_as_often_as_strategy_says(strategy):
    for colour in range(5):
        pool = tuple(int(c == colour) for c in range(5))
        assert solve_fight(Fight(pool, (Enemy(1, 1),), strategy=strategy), KILLS).value == pytest.approx(
            1 - (MISSES[colour] / 6) ** strategy
        )
    red = Fight(dice(red=1), (Enemy(2, 1),), strategy=strategy)  # a hit does not do, and need not be applied
    assert solve_fight(red, KILLS).value == pytest.approx(1 - (5 / 6) ** strategy)


def test_a_green_die_against_health_two_may_keep_its_hit_or_roll_on():
    """Health 2 takes a crit, or two hits; a single die is applied once. So only crits count: 1/6 twice."""
    fight = Fight(dice(green=1), (Enemy(2, 1),), strategy=2)
    assert solve_fight(fight, KILLS).value == pytest.approx(1 - (5 / 6) ** 2)
    # Two green dice, one roll: two that hit (1/2 each), or one crit alone (the other misses).
    two = Fight(dice(green=2), (Enemy(2, 1),), strategy=1)
    assert solve_fight(two, KILLS).value == pytest.approx(1 / 4 + 2 * (1 / 6) * (1 / 2))


def test_the_held_crit():
    """A crit could fell the weak enemy at once. To hold it back and roll both dice again is worth more.

    Whatever the red die shows then, it fells the weak one (1); with the yellow die it deals 3 to the strong one (2) when one of
    the two shows a crit and the other any hit: 5/6 * 1/6 + 1/6 * 2/6 = 7/36. So 29/36 * 1 + 7/36 * 2 = 43/36.
    """
    fight = Fight(dice(yellow=1, red=1), (Enemy(1, 1, gold=1), Enemy(3, 1, gold=2)), strategy=2)
    solution = solve_fight(fight, GOLD)
    shown = [[1, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 1]]
    recommendation = solution.after_roll(dice(), shown)
    assert recommendation.value == pytest.approx(43 / 36)
    assert recommendation.apply == ()
    assert recommendation.again
    assert recommendation.commit == dice()
    assert solution.after_roll(dice(), shown, passes=2).value == pytest.approx(1)  # no further roll
    assert solution.after_roll(dice(), shown, passes=2).apply == ((4, CRIT, 0),)


# Values ----------------------------------------------------------------------------------------------------------------------------------


def test_dice_are_kept_where_they_are_value_more_than_the_enemy():
    """One yellow die, worth 1 while ready and not recovered, against an enemy worth 2: it falls one time in three, so 2/3 < 1."""
    fight = Fight(dice(yellow=1), (Enemy(1, 0, gold=2),), strategy=1, recovery=0)
    solution = solve_fight(fight, replace(GOLD, ready=(1, 1, 1, 1, 1)))
    assert solution.commits == (Commit(dice(), 1.0), Commit(dice(yellow=1), pytest.approx(2 / 3)))
    # Recovered, it costs nothing.
    assert solve_fight(replace(fight, recovery=1), replace(GOLD, ready=(1, 1, 1, 1, 1))).value == pytest.approx(1 + 2 / 3)


def test_death_is_value_what_is_lost_and_nothing_else():
    fight = Fight(dice(yellow=1), (Enemy(1, 3, gold=5),), health=3, gold=2, strategy=1)
    objective = replace(GOLD, health=1.0, lost=-9.0)
    assert solve_fight(fight, objective).value == pytest.approx(1 / 3 * (3 + 2 + 5) + 2 / 3 * -9)
    assert solve_fight(replace(fight, shield=1), objective).value == pytest.approx(1 / 3 * (3 + 2 + 5) + 2 / 3 * (1 + 2))


def test_stats_and_gold_stop_at_their_ends():
    fight = Fight(
        dice(red=1), (Enemy(1, 0, gold=9, gain_health=3, gain_strategy=3, gain_recovery=3),), health=5, strategy=5, recovery=5, gold=18
    )
    assert solve_fight(fight, Objective(1, 10, 100, 1000, 0, (0, 0, 0, 0, 0))).value == pytest.approx(6 + 60 + 600 + 20_000)


def test_a_reward_recovers_what_was_exhausted_before():
    """The red die that felled the enemy is recovered neither by the reward nor (Recovery 0) after it; two of three greens are."""
    fight = Fight(dice(red=1), (Enemy(1, 0, recover=2),), exhausted=dice(green=3), strategy=1, recovery=0)
    objective = replace(NOTHING, ready=(1, 2, 3, 4, 50))
    assert [commit.value for commit in solve_fight(fight, objective).commits] == [50, 4]
    assert solve_fight(replace(fight, recovery=1), replace(objective, fallen=100)).value == 100 + 4 + 50


# What comes of it ------------------------------------------------------------------------------------------------------------------------

DUEL = Fight(
    dice(yellow=2, blue=2, purple=1), (Enemy(3, 2, gold=1, gain_strategy=1), Enemy(2, 1, gain_health=1)),
    exhausted=dice(green=2), health=3, strategy=2, recovery=2,
)  # fmt: skip


def test_the_outlook_adds_up_to_the_value():
    objective = Objective(lost=-12.0)
    solution = solve_fight(DUEL, objective)
    for commit in solution.commits[:: len(solution.commits) // 8]:
        outlook = solution.outlook(commit.dice)
        assert outlook.value == commit.value
        assert 0 <= outlook.defeat_all <= min(outlook.defeat) <= 1
        assert sum(commit.dice) - 1e-9 <= outlook.exhausted <= 5
        assert 0 <= outlook.death <= 1 - outlook.defeat_all + 1e-12
    # Where the parts of an objective are told apart, the value is their sum.
    parts = replace(NOTHING, fallen=1.0, ready=(0.01,) * 5)
    solution = solve_fight(replace(DUEL, health=6), parts)  # nobody can die
    for commit in solution.commits:
        outlook = solution.outlook(commit.dice)
        assert outlook.death == 0
        assert commit.value == pytest.approx(sum(outlook.defeat) + 0.01 * outlook.ready_after, abs=1e-9)


def test_outlooks_after_the_first_roll_have_the_mean_of_the_outlook_before():
    solution = solve_fight(Fight(dice(yellow=1, green=1, purple=1), (Enemy(2, 1), Enemy(2, 2)), strategy=3, recovery=1), Objective())
    commit = dice(yellow=1, purple=1)
    ready, seen = np.subtract(solution.fight.ready, commit), np.zeros(8)
    for yellow, purple in product(range(3), repeat=2):
        shown = np.zeros((5, 3), int)
        shown[0, yellow], shown[3, purple] = 1, 1
        chance = RULEBOOK[0][yellow] * RULEBOOK[3][purple] / 36
        recommendation, left, hand = solution.after_roll(ready, shown), [2, 2], np.array(commit)
        for colour, face, enemy in recommendation.apply:
            left[enemy], hand[colour] = max(0, left[enemy] - face), hand[colour] - 1
        if not recommendation.again:
            fallen = [float(n == 0) for n in left]
            damage = (left[0] > 0) * 1 + (left[1] > 0) * 2
            after = np.array([recommendation.value, *fallen, min(fallen), damage >= 3, damage, 2, ready.sum() + 1])
        else:
            then = solution.outlook(recommendation.commit, ready=ready, hand=hand, left=left, passes=1)
            assert then.value == pytest.approx(recommendation.value, abs=1e-9)
            after = figures_of(then)
        seen += chance * after
    assert seen == pytest.approx(figures_of(solution.outlook(commit)), abs=1e-9)


def figures_of(outlook):
    return np.array(
        [outlook.value, *outlook.defeat, outlook.defeat_all, outlook.death, outlook.damage, outlook.exhausted, outlook.ready_after]
    )


def test_the_outlook_of_a_single_die():
    solution = solve_fight(Fight(dice(yellow=2), (Enemy(1, 2),), exhausted=dice(red=1), health=3, strategy=1, recovery=1), Objective())
    outlook = solution.outlook(dice(yellow=1))
    assert outlook.defeat == pytest.approx((1 / 3,))
    assert outlook.defeat_all == pytest.approx(1 / 3)
    assert outlook.damage == pytest.approx(2 / 3 * 2)
    assert (outlook.death, outlook.exhausted, outlook.ready_after) == pytest.approx((0, 1, 2))
    assert solution.outlook(dice()).damage == 2
    deadly = solve_fight(Fight(dice(yellow=2), (Enemy(1, 5),), health=3, strategy=1), Objective()).outlook(dice(yellow=1))
    assert deadly.death == pytest.approx(2 / 3)
    assert deadly.damage == pytest.approx(2 / 3 * 3)  # no more than there is


def test_mass_is_neither_made_nor_lost():
    solution = solve_fight(DUEL, Objective())
    tables, rules = solution.tables, solution.tables.rules
    mass, ended = np.zeros_like(tables.stops), np.zeros_like(tables.stops)
    mass[tables.row((1, 0, 1, 0, 0), (1, 0, 1, 1, 0)), solution.start] = 1.0
    room = np.empty(np.prod([counts.UP_TO[n] for n in rules.size]) * len(rules.value))
    counts.carry(rules, tables.first, tables.stops, 1, tables.rolled, tables.after, mass, ended, room, counts.no_shown())
    assert ended.min() >= 0
    assert ended.sum() == pytest.approx(1.0, abs=1e-12)
    assert (ended * tables.stops).sum() == pytest.approx(solution.outlook((1, 0, 1, 1, 0)).value, abs=1e-9)


def player(solution, rng):
    """Plays a fight by the solution's advice, with dice: who fell, how many dice were committed, what it was worth."""
    fight = solution.fight
    advise = cache(solution.after_roll)  # many games come to the same roll
    resolving = BruteForce(fight, solution.objective).resolving

    def play(commit):
        ready, hand, left, rolls = np.array(fight.ready), np.zeros(5, int), [enemy.health for enemy in fight.enemies], 0
        while True:
            ready, hand, rolls = ready - commit, hand + commit, rolls + 1
            shown = np.array([rng.multinomial(n, np.array(sides) / 6) for n, sides in zip(hand, RULEBOOK, strict=True)])
            recommendation = advise(tuple(ready.tolist()), tuple(map(tuple, shown.tolist())), tuple(left), rolls)
            for colour, face, enemy in recommendation.apply:
                assert left[enemy] > 0
                left[enemy] = max(0, left[enemy] - face)
                shown[colour, face] -= 1
                hand[colour] -= 1
            assert shown.min() >= 0
            if not recommendation.again:
                return [n == 0 for n in left], sum(fight.ready) - ready.sum(), resolving(dice_of(ready), tuple(left))
            commit = np.array(recommendation.commit)

    return play


@pytest.mark.parametrize("place", [0, 3, -1], ids=["the best commit", "another", "the worst"])
def test_dice_bear_out_the_value_and_the_chances(place):
    solution = solve_fight(DUEL, Objective(lost=-12.0))
    commit = solution.commits[place]
    outlook, play = solution.outlook(commit.dice), player(solution, np.random.default_rng(5))
    games = [play(np.array(commit.dice)) for _ in range(6000)]
    figures = {
        "value": ([value for *_, value in games], commit.value),
        "first": ([fallen[0] for fallen, *_ in games], outlook.defeat[0]),
        "second": ([fallen[1] for fallen, *_ in games], outlook.defeat[1]),
        "all": ([min(fallen) for fallen, *_ in games], outlook.defeat_all),
        "exhausted": ([n for _, n, _ in games], outlook.exhausted),
    }
    for what, (seen, exact) in figures.items():
        interval = 3.29 * np.std(seen) / np.sqrt(len(seen))  # 99.9%
        assert abs(np.mean(seen) - exact) <= interval + 1e-9, what


def test_the_advice_after_a_roll_is_what_the_commit_was_valued_by():
    """The mean of the advised values over all that the dice may show is the value of the commit."""
    solution = solve_fight(DUEL, Objective())
    for commit in (dice(yellow=1, blue=1), dice(blue=2, purple=1), dice()):
        ready = np.subtract(DUEL.ready, commit)
        mean = 0.0
        for faces in product(range(3), repeat=sum(commit)):
            shown, chance = np.zeros((5, 3), int), 1.0
            for colour, face in zip(np.repeat(range(5), commit), faces, strict=True):
                shown[colour, face] += 1
                chance *= RULEBOOK[colour][face] / 6
            mean += chance * solution.after_roll(ready, shown).value
        assert mean == pytest.approx({c.dice: c.value for c in solution.commits}[commit], abs=1e-9)


def test_equal_commits_are_told_with_the_fewest_dice_first():
    solution = solve_fight(Fight(dice(red=1, yellow=2), (Enemy(1, 1),), strategy=1), KILLS)
    assert solution.value == 1
    assert [commit.dice for commit in solution.commits[:3]] == [dice(red=1), dice(red=1, yellow=1), dice(red=1, yellow=2)]


# Errors and limits -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"ready": (1, 2, 3, 4)}, "five counts"),
        ({"ready": (1, 0, 0, 0, -1)}, "five counts"),
        ({"ready": (5, 0, 0, 0, 0)}, "5 yellow dice.*the box has 4"),
        ({"ready": (3, 0, 0, 0, 0), "exhausted": (2, 0, 0, 0, 0)}, "5 yellow dice"),
        ({"enemies": ()}, "0 enemies: from 1 to 8"),
        ({"enemies": (Enemy(0, 1),)}, "enemy 1, 0/1"),
        ({"enemies": (Enemy(1, 1), Enemy(1, 21))}, "enemy 2, 1/21"),
        ({"enemies": (Enemy(1, 1), Enemy(1, 1, recover=1))}, "enemy 2 gives dice"),
        ({"enemies": (Enemy(1, 1, gain_health=-1),)}, "enemy 1, reward gain_health -1"),
        ({"health": 0}, "health 0: must be from 1 to 6"),
        ({"strategy": 7}, "strategy 7: must be from 1 to 6"),
        ({"recovery": -1}, "recovery -1: must be from 0 to 6"),
        ({"gold": 21}, "gold 21: must be from 0 to 20"),
        ({"shield": -1}, "shield -1"),
    ],
)
def test_fights_that_cannot_be_are_refused(changes, named):
    with pytest.raises(FightError, match=named):
        replace(DUEL, **changes)


def test_what_is_asked_of_a_solution_is_checked():
    solution = solve_fight(Fight(dice(yellow=2), (Enemy(2, 1),), strategy=2), KILLS)
    nothing = np.zeros((5, 3), int)
    one_hit = np.array([[0, 1, 0], *[[0, 0, 0]] * 4])
    for ask, named in [
        (lambda: solution.outlook(dice(yellow=3)), "there are"),
        (lambda: solution.outlook((1, 1)), "there are"),
        (lambda: solution.after_roll(dice(yellow=2), one_hit), "are more"),
        (lambda: solution.after_roll(dice(), -one_hit), "are more"),
        (lambda: solution.after_roll(dice(), nothing[:4]), "are more"),
        (lambda: solution.after_roll(dice(), nothing, left=(3,)), "Health left"),
        (lambda: solution.after_roll(dice(), nothing, left=(1, 1)), "Health left"),
        (lambda: solution.after_roll((-1, 0, 0, 0, 0), nothing), "are more"),
        (lambda: solution.after_roll((0, 0), nothing), "are more"),
        (lambda: solution.outlook(dice(yellow=1), ready=dice(), hand=dice(yellow=1), passes=1), "there are"),
        (lambda: solution.outlook(dice(), ready=dice(yellow=2), hand=dice(yellow=1), passes=1), "are more"),
        (lambda: solution.outlook(dice(), ready=dice(yellow=2), passes=2), "can be played 2 times"),
        (lambda: solution.outlook(dice(), left=(1,)), "before the first roll"),
        (lambda: solution.after_roll(dice(), nothing, passes=0), "from 1 to 2"),
        (lambda: solution.after_roll(dice(), nothing, passes=3), "from 1 to 2"),
    ]:
        with pytest.raises(FightError, match=named):
            ask()


def test_a_fight_that_is_too_large_says_so_with_its_size_and_bounds():
    fight = Fight(UNIT_DICE, (Enemy(9, 1), Enemy(9, 1)), strategy=3)
    with pytest.raises(TooLarge, match="the fight: 45,562,500 positions and more") as refused:
        solve_fight(fight, KILLS, max_bytes=1 << 20)
    assert refused.value.states == 15**4 * 3 * 100 * 3
    assert refused.value.lower <= 0
    assert refused.value.upper >= 2


def test_more_boards_than_can_be_told_apart_are_refused_at_once():
    with pytest.raises(TooLarge, match="the fight"):
        solve_fight(Fight((1, 0, 0, 0, 0), (Enemy(20, 1),) * 8, strategy=1))
    with pytest.raises(TooLarge, match="the fight"):
        solve_fight(Fight((1, 0, 0, 0, 0), (Enemy(13, 1),) * 4, strategy=1))  # 38,416


def test_states_and_bytes_by_hand():
    """Of n dice of a colour r are ready and h in hand, r + h <= n: (n + 1)(n + 2) / 2 ways."""
    assert states_of((1, 0, 0, 0, 0), 2) == 3 * 2
    assert states_of((3, 3, 3, 3, 0), 11) == 10**4 * 11
    assert bytes_of((3, 3, 3, 3, 0), 11, 2) == 8 * 10**4 * 11 * 5
    solution = solve_fight(Fight((1, 1, 0, 0, 0), (Enemy(2, 1),), strategy=2), KILLS)
    assert solution.states == 2 * 2 * 9 * 3  # before and after the roll, twice, nine ways to have two dice, Health 0 to 2
    assert solution.seconds > 0


def test_four_dice_that_must_all_crit():
    fight = Fight((1, 1, 1, 1, 0), (Enemy(8, 1),), strategy=1)
    assert solve_fight(fight, KILLS).value == pytest.approx((1 / 6) ** 4)
