"""Battles of several rounds: against the same enemies until one side has fallen."""

from fractions import Fraction

import numpy as np
import pytest

from deckwood.core.game import Game
from deckwood.solver import Enemy, Fight
from deckwood.solver.battle import Battle, kept_back, off_enemies, only
from deckwood.solver.boards import KEY, find_boards, no_boards
from deckwood.solver.fights import plain_rules
from deckwood.strong.objective import Objective
from deckwood.strong.terms import NONE
from deckwood.tanglewoods.state import BIG_BAD_FACE

PURPLE = (0, 0, 0, 1, 0)
HIT, CRIT = Fraction(4, 6), Fraction(1, 6)  # of a purple die


def battle(ready, enemy, strategy=1, recovery=1, cap=None, lasts=True):
    """Against one enemy; a board is what it has left, and with a ``cap`` of damage a round what it had left when the round began."""
    plain = plain_rules(Fight(ready, (enemy,), strategy=strategy, recovery=recovery), Objective())
    health = enemy.health
    if cap is None:
        boards = [(left, 0) for left in range(health + 1)]
    else:
        boards = [(left, before) for before in range(health + 1) for left in range(max(0, before - cap), before + 1)]
    number = {board: i for i, board in enumerate(boards)}
    to = np.full((1, 5, 2, len(boards)), -1, np.int16)
    for (left, before), i in number.items():
        for damage in (1, 2):
            there = max(0, left - damage) if cap is None else max(0, before - cap, left - damage)
            to[0, :, damage - 1, i] = number[there, before] if left else -1
    left = np.array([left for left, _ in boards])
    won = left == 0
    each = {name: np.full(len(boards), getattr(plain, name)[-1]) for name in ("limit", "total", "banned", "one_each", "whole", "regain")}
    rules = plain._replace(
        **each, to=to, fresh=np.arange(len(boards), dtype=np.int16), passes=np.where(won, 0, strategy).astype(np.int16),
        value=np.zeros(len(boards)), final=won, prize=np.zeros(len(boards), np.int16),
    )  # fmt: skip
    if not lasts:
        next_round = np.full(len(boards), number[health, 0])
    else:
        next_round = np.array([number[(n, 0 if cap is None else n)] for n in left])
    dice_on = np.rint(0.7 * (health - left)).astype(np.int64) if lasts else np.zeros(len(boards), np.int64)
    of = Battle(rules, np.where(won, 0, enemy.damage), next_round, dice_on)
    return of, number[(health, 0 if cap is None else health)]


def chance(of, ready, health, **details):
    """The chance to win when a round begins with all dice ready and the enemy unhurt."""
    of, start = of
    tables, boards = of.round(health, np.array(ready), np.zeros(5, np.int64), start, **details)
    begin = int(np.searchsorted(boards, start))
    return max(tables.rolled[0][tables.row(np.subtract(ready, k), k), begin] for k in ((0, 0, 0, n, 0) for n in range(ready[3] + 1)))


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
    falls = {1: HIT + CRIT, 2: CRIT}  # one die against so much Health
    both = 1 - (1 - CRIT) ** 2 + HIT**2  # two dice against Health 2: a crit, or two hits
    last = {(n, need): 1 - (1 - falls[need]) ** n for n in (0, 1, 2) for need in (1, 2)} | {(2, 2): both}
    # First round, both committed: felled at once; one hit applied, whose die stays, and the other recovered; or two misses, one recovered.
    one_hit = 2 * HIT * (1 - HIT - CRIT)
    neither = (1 - HIT - CRIT) ** 2
    two = both + one_hit * max(last[1, 1], last[1, 2]) + neither * last[1, 2]
    # ... or one committed: the other is ready in any case.
    one = CRIT + HIT * max(last[1, 1], last[2, 2]) + (1 - HIT - CRIT) * last[2, 2]
    assert chance(battle(ready, Enemy(2, 1)), ready, 2) == pytest.approx(float(max(one, two)), abs=1e-12)


def test_with_a_limit_of_damage_a_round_it_takes_two():
    """Health 2, at most 1 a round: one hit or crit in each of two rounds. Dice that do it stay there; one is recovered a round."""
    ready = (0, 0, 0, 2, 0)
    falls = HIT + CRIT
    of = battle(ready, Enemy(2, 1), cap=1)
    assert chance(of, ready, 1) == 0
    # One die a round is best: the other is ready for the second. Both in the first, in the hope of one, leaves one that is recovered too.
    one = falls * falls
    both = (1 - (1 - falls) ** 2) * falls
    assert chance(of, ready, 2) == pytest.approx(float(max(one, both)), abs=1e-12)


def test_a_shield_buys_a_round():
    of = battle(PURPLE, Enemy(2, 1), cap=1, recovery=1)
    twice = battle((0, 0, 0, 2, 0), Enemy(2, 1), cap=1)
    assert chance(of, PURPLE, 1, shield=1) == 0  # its only die lies on the enemy after the first hit
    assert chance(twice, (0, 0, 0, 2, 0), 1, shield=1) == pytest.approx(chance(twice, (0, 0, 0, 2, 0), 2), abs=1e-12)


def test_where_damage_does_not_stay_each_round_tries_anew():
    """Two purple dice against Health 2, one recovered a round, two rounds, by hand."""
    ready = (0, 0, 0, 2, 0)
    one, both = CRIT, 1 - (1 - CRIT) ** 2 + HIT**2
    last = {0: Fraction(0), 1: one, 2: both}
    # Commit both now, and one next round; or one, whose die is recovered, and both next round; or none.
    expected = max(both + (1 - both) * last[1], one + (1 - one) * last[2], last[2])
    assert chance(battle(ready, Enemy(2, 1), lasts=False), ready, 2) == pytest.approx(float(expected), abs=1e-12)


@pytest.mark.parametrize(("lasts", "expected"), [(False, CRIT), (True, 0)])
def test_dice_that_were_applied_in_vain(lasts, expected):
    """The only die has hit Health 2: it is recovered and tried again where nothing stays; where dice stay there is none left to roll."""
    of, start = battle(PURPLE, Enemy(2, 1), lasts=lasts)
    tables, boards = of.round(2, np.array(PURPLE), np.zeros(5, np.int64), start)
    none = np.zeros(5, np.int64)
    hurt = int(np.searchsorted(boards, start - 1))
    assert tables.stops[tables.row(none, none), hurt] == pytest.approx(float(expected), abs=1e-12)


def test_an_enemy_that_does_not_strike_falls_in_the_end():
    assert chance(battle(PURPLE, Enemy(2, 0)), PURPLE, 1) == pytest.approx(1.0)


def test_the_weakest_dice_are_thought_to_lie_on_enemies():
    of, _ = battle((2, 1, 0, 2, 0), Enemy(3, 1))
    out = np.zeros(5, np.int64)
    off_enemies(of.rules.size, np.array([0, 1, 0, 1, 0]), 1, out)
    assert out.tolist() == [1, 0, 0, 1, 0]
    off_enemies(of.rules.size, np.zeros(5, np.int64), 4, out)
    assert out.tolist() == [0, 0, 0, 1, 0]


def test_some_of_the_boards():
    of, start = battle(PURPLE, Enemy(4, 1), cap=2)
    boards = of.within_round([start])
    rules = only(of.rules, boards)
    assert len(boards) == 3  # unhurt, 1, and 2 that the limit allows
    assert rules.to[0, 3].tolist() == [[0, 0, 1], [0, 0, 0]]  # by what is left: 2, 3, 4
    assert rules.fresh.tolist() == [0, 1, 2]


def at_the_cabin(*items):
    game = Game("deckwood/Tanglewoods-v1")
    s = game.new()[0]
    s.slot[:] = NONE
    s.slot[0], s.endgame = BIG_BAD_FACE, 1
    for i, name in enumerate(items):
        s.items[i] = game.deck.names["faces"].index(name)
    return game, s


def test_boards_of_all_rounds_against_the_big_bad_wolf():
    """Health 12, at most 6 a round: from each damage at a round's start, that and up to six more, and those after his fall."""
    from deckwood.strong.cards import refresh

    game, s = at_the_cabin()
    refresh(s, game.deck.tables)
    boards, key = no_boards(game.spec.dtype), np.zeros(KEY, np.int64)
    one = int(find_boards(s, game.deck.tables, np.array([3, 3, 3, 3, 0]), False, boards, key))
    assert one == 7  # 0 to 6
    n = int(find_boards(s, game.deck.tables, np.array([3, 3, 3, 3, 0]), True, boards, key))
    assert n == sum(min(6, 11 - before) + 1 for before in range(12)) + 1
    fallen = boards.passes[:n] == 0
    assert fallen.sum() == 1
    assert sorted(set(boards.damage[boards.next_round[:n]][~fallen])) == list(range(12))


@pytest.mark.parametrize(
    ("items", "expected"),
    [((), 0), (("Pot Lid",), 1), (("Pot Lid", "Heel of Bread"), 2), (("Cauldron Lid", "Bread and Honey", "Hazel Staff"), 4)],
)
def test_what_items_can_still_make_up_for(items, expected):
    game, s = at_the_cabin(*items)
    assert kept_back(s, game.deck.tables) == expected
