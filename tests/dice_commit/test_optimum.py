"""Optimal values: by hand, by a second way, kept on disk."""

import json
import math

import numpy as np
import pytest

import deckwood
from deckwood.core.batch import Batch
from deckwood.core.game import Game
from deckwood.core.spec import OPTIMAL_VALUE, Node
from deckwood.dice_commit import optimum
from deckwood.dice_commit.deck import family
from deckwood.dice_commit.optimum import count, kept_values, optimal_value, start_of
from deckwood.solver import TooLarge, explore
from deckwood.strong.terms import NONE, STRATEGY
from tests.dice_commit.scenario import ENV_ID, Fight, a_game, enemy

SCARECROW = {"Scarecrow": enemy(1, 1)}
SHIPPED = deckwood.spec(ENV_ID).load_deck(None)


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """A cache folder and a memory of values of its own for each test."""
    monkeypatch.setattr(optimum, "_values", {})
    folder = tmp_path / "cache"
    monkeypatch.setenv("DECKWOOD_CACHE_DIR", str(folder))
    optimum.kept_values.cache_clear()
    yield folder
    optimum.kept_values.cache_clear()


def made(folder):
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def best(game, position, any_order=False):
    """The value of a position by expectimax: written here, over the game's own moves, with a memory of positions.

    With ``any_order`` the mask is not asked in which order dice are applied.
    """
    known = {}

    def value(position):
        if position["node"][0] == Node.END:
            return float(position["payoff"][0, 0])
        if any_order:
            position["last_die"] = position["last_target"] = 0
        plain = position.copy()
        plain["decisions"] = 0
        key = plain.tobytes()
        if key not in known:
            if position["node"][0] == Node.CHANCE:
                weights = game.chance(position)
                known[key] = sum(int(w) * value(after(position, game.apply_chance, i)) for i, w in enumerate(weights) if w) / weights.sum()
            else:
                known[key] = max(value(after(position, game.apply, int(a))) for a in np.flatnonzero(game.legal(position)))
        return known[key]

    return value(position.copy())


def after(position, move, which):
    position = position.copy()
    move(position, which)
    return position


def optimal(game, number=1):
    return optimal_value(game, int(Fight(game, number).p["fight"]))


def test_one_yellow_die_against_one_health(tmp_path):
    """It hits on 2 sides of 6 and is recovered anyway: 4/6 of a point of Health are lost. Twice, and it is 4/9."""
    assert optimal(a_game(tmp_path, SCARECROW)) == pytest.approx(-6 * 4 / 6, abs=1e-12)
    assert optimal(a_game(tmp_path, SCARECROW, strategy=[2])) == pytest.approx(-6 * 4 / 9, abs=1e-12)


def test_a_die_that_is_not_recovered_has_its_price(tmp_path):
    """Blue hits on 4 of 6, which saves 4 of 6. It costs 3: of two exhausted dice one recovers, and purple is worth more."""
    game = a_game(tmp_path, SCARECROW, dice=["1b"], exhausted=["1p"])
    assert optimal(game) == pytest.approx(4 - 3 - 6 * 2 / 6, abs=1e-12)  # purple is recovered either way
    dear = a_game(tmp_path, SCARECROW, dice=["1b"], exhausted=["1p"], objective={"health": 4, "ready": [1, 2, 3, 4, 5], "lost": -30})
    assert optimal(dear) == pytest.approx(4 - 4, abs=1e-12)  # 4 * 4/6 saved for 3: better left


def test_hits_of_two_dice_against_two_health(tmp_path):
    """Two purple dice, one roll: two hits (4/6)^2, or a crit and whatever 1 - (5/6)^2."""
    falls = (4 / 6) ** 2 + 1 - (5 / 6) ** 2
    game = a_game(tmp_path, {"Footpad": enemy(2, 2)}, dice=["2p"], recovery=[2], health=[3])
    assert optimal(game) == pytest.approx(-12 * (1 - falls), abs=1e-12)


def lose_health(when, **more):
    return {"when": when, "op": "lose_stat", "stat": "health", "count": 1, **more}


def rewarded(**reward):
    return enemy(2, 1, reward=[reward])


TWO_ROLLS = {"dice": ["1y1b"], "strategy": [2], "health": [3]}
GAMBLE = ({"when": "after_standing", "op": "test", "colour": "blue", "count": 1}, {"when": "after_standing", "op": "gain_gold", "count": 2})
CASES = {
    "two enemies": ({"Rat": enemy(1, 1), "Dog": enemy(2, 2)}, TWO_ROLLS),
    "a reward of dice": ({"Cook": rewarded(op="recover", count=1)}, {"dice": ["1g1b"], "exhausted": ["1p"], "strategy": [2]}),
    "gold at its limit": ({"Miser": rewarded(op="gain_gold", count=3)}, {"dice": ["1b"], "gold": [18]}),
    "it may kill": ({"Ogre": enemy(2, 3)}, {"dice": ["1b1p"], "strategy": [2], "health": [2]}),
    "limits": ({"Gate": enemy(2, 2, {"op": "commit_limit", "count": 1})}, TWO_ROLLS),
    "void hits": ({"Hex": enemy(2, 2, {"op": "hits_void", "colours": ["blue"]})}, TWO_ROLLS),
    "a cost a roll": ({"Nest": enemy(2, 2, lose_health("rolled", per="miss"))}, {**TWO_ROLLS, "dice": ["2b"]}),
    "if undefeated": ({"Thief": enemy(2, 1, {"when": "after_standing", "op": "banish_best", "count": 1})}, {**TWO_ROLLS, "dice": ["1b1p"]}),
    "a test": ({"Gambler": enemy(2, 1, *GAMBLE, lose_health("after_standing"))}, {"dice": ["1p"]}),
}


@pytest.mark.parametrize("case", CASES)
def test_values_are_those_of_expectimax(tmp_path, case):
    cards, fights = CASES[case]
    game = a_game(tmp_path, cards, {"health": 6, "gold": 1, "ready": [1, 2, 3, 4, 5], "lost": -30}, **fights)
    assert optimal(game) == pytest.approx(best(game, start_of(game, 0)), abs=1e-9)


COUNTED = {
    "nothing": enemy(2, 2),
    "a limit": enemy(2, 2, {"op": "commit_limit", "count": 1}),
    "gold": enemy(2, 2, reward=[{"op": "gain_gold", "count": 2}]),
    "Health when it falls": enemy(2, 2, lose_health("falls")),
    "Health if undefeated": enemy(2, 1, lose_health("after_standing")),
}
WALKED = {
    "something at each roll": enemy(2, 2, lose_health("rolled", per="miss")),
    "set aside hits": enemy(2, 2, {"op": "keep_hits"}),
    "dice as a reward": enemy(2, 2, reward=[{"op": "recover", "count": 1}]),
    "something before the first commit": enemy(2, 2, {"when": "activated", "op": "exhaust", "count": 1}),
}


@pytest.mark.parametrize("name", [*COUNTED, *WALKED])
def test_counting_is_for_fights_that_it_solves_exactly(tmp_path, name):
    game = a_game(tmp_path, {"Wolf": {**COUNTED, **WALKED}[name]}, dice=["1y1b"], strategy=[2], health=[3])
    start = start_of(game, 0)
    if name in WALKED:
        assert count(game, start) is None
    else:
        assert count(game, start) == pytest.approx(explore(game, start).value, abs=1e-9)


@pytest.mark.parametrize("op", ["fix_misses", "swap_hits"])
def test_how_dice_are_rolled_may_change_when_an_enemy_falls(tmp_path, op):
    """With Strategy 3 it is worth felling the pit first, to roll the misses again: alone it can be counted, beside another it is walked."""
    pit = enemy(1, 1, {"op": op})
    both = a_game(tmp_path, {"Pit": pit, "Rat": enemy(2, 2)}, dice=["1y1b1p"], strategy=[3], health=[5])
    start = start_of(both, 0)
    assert count(both, start) is None
    assert optimal(both) == pytest.approx(best(both, start), abs=1e-9)
    alone = a_game(tmp_path, {"Pit": pit}, dice=["1y1b1p"], strategy=[3], health=[5])
    assert count(alone, start_of(alone, 0)) == pytest.approx(explore(alone, start_of(alone, 0)).value, abs=1e-9)


@pytest.mark.slow
def test_fights_of_the_full_tier_with_few_dice_are_value_what_walking_says():
    """They are too large to be walked as they are, so the same enemies are met with four dice."""
    game = Game(ENV_ID, tier="full", effects=True)
    first, number = family(SHIPPED, game.options)
    assert number == 18
    for fight in range(first, first + number):
        start = start_of(game, fight)
        start["ready"], start["stats"][0, STRATEGY] = [1, 1, 1, 1, 0], 2
        assert count(game, start) == pytest.approx(explore(game, start).value, abs=1e-9), SHIPPED.names["fights"][fight]


def test_many_dice_are_counted_few_are_not(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(optimum, "count", lambda game, start: asked.append(int(start["ready"].sum())) or -1.25)
    game = a_game(tmp_path, SCARECROW, dice=["1y", "3y4p"])
    assert optimal(game, 1) == pytest.approx(-4)
    assert optimal(game, 2) == -1.25
    assert asked == [7]


@pytest.mark.slow
@pytest.mark.parametrize("effects", [False, True])
def test_both_solvers_agree_on_all_small_fights_against_one_enemy(effects):
    game = Game(ENV_ID, tier="small", effects=effects)
    first, number = family(SHIPPED, game.options)
    counted = 0
    for fight in range(first, first + number):
        start = start_of(game, fight)
        value = count(game, start)
        if value is not None and start["slot"][0, 1] == NONE:
            counted += 1
            assert value == pytest.approx(explore(game, start).value, abs=1e-9), SHIPPED.names["fights"][fight]
    assert counted > number / 2


def count_solving(monkeypatch):
    solved = []
    solve = optimum.solve

    def counted(game, fight):
        solved.append(fight)
        return solve(game, fight)

    monkeypatch.setattr(optimum, "solve", counted)
    return solved


def test_a_batch_solves_each_fight_once(tmp_path, monkeypatch):
    game = a_game(tmp_path, SCARECROW, strategy=[1, 2], dice=["1y", "2y"])
    solved = count_solving(monkeypatch)
    batch = Batch(game, 64, seed=1)
    values = batch.metrics()[OPTIMAL_VALUE]
    assert sorted(solved) == [0, 1, 2, 3]
    assert values.shape == (64,)
    assert values[batch.positions.fight == 0] == pytest.approx(-4)
    for _ in range(6):
        batch.step(batch.random_actions())
        batch.metrics()
    assert len(solved) == 4


def test_values_outlast_the_process_and_damage(tmp_path, monkeypatch):
    game = a_game(tmp_path, SCARECROW)
    solved = count_solving(monkeypatch)
    assert optimal(game) == pytest.approx(-4)
    kept = kept_values(game.deck.digest)
    assert json.loads(kept.read("0.json")) == {OPTIMAL_VALUE: pytest.approx(-4)}
    optimum._values.clear()  # another process
    assert optimal(game) == pytest.approx(-4)
    assert solved == [0]
    for damage in (b"", b"{", b"[]", b'{"optimal_value": "four"}', b'{"optimal_value": NaN}', b'{"value": 1}'):
        kept.write("0.json", damage)
        optimum._values.clear()
        assert optimal(game) == pytest.approx(-4)
        assert json.loads(kept.read("0.json")) == {OPTIMAL_VALUE: pytest.approx(-4)}
    assert solved == [0] * 7


def test_a_changed_digit_of_a_kept_value_is_found_out(tmp_path, cache):
    game = a_game(tmp_path, SCARECROW)
    assert optimal(game) == pytest.approx(-4)
    (file,) = cache.rglob("0.json")
    file.write_bytes(file.read_bytes().replace(b"-4", b"-5"))
    optimum._values.clear()
    assert optimal(game) == pytest.approx(-4)


def test_another_deck_or_other_sources_have_another_place(tmp_path, monkeypatch):
    game, other = a_game(tmp_path, SCARECROW), a_game(made(tmp_path / "other"), SCARECROW, health=[3])
    before = kept_values(game.deck.digest).folders
    assert kept_values(other.deck.digest).folders != before
    kept_values.cache_clear()
    monkeypatch.setattr(optimum, "sources_digest", lambda folder: "changed")
    assert kept_values(game.deck.digest).folders != before


def test_without_a_place_to_keep_it_a_value_is_found_all_the_same(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError("read-only")

    monkeypatch.setattr("deckwood.core.cache.write_atomically", refuse)
    assert optimal(a_game(tmp_path, SCARECROW)) == pytest.approx(-4)


def test_solving_can_be_switched_off(tmp_path, monkeypatch):
    game = a_game(tmp_path, SCARECROW)
    solved = count_solving(monkeypatch)
    off = Game(ENV_ID, deck=game.deck.source, solve=False)
    assert np.isnan(Batch(off, 3, seed=1).metrics()[OPTIMAL_VALUE]).all()
    assert solved == []


def test_a_fight_that_is_too_large_says_so(tmp_path, monkeypatch):
    game = a_game(tmp_path, {"Hex": enemy(2, 2, {"op": "crits_void"})}, dice=["1y"])

    def refuse(*_, **__):
        raise TooLarge(1000, -5.0, 3.0, "a fight")

    monkeypatch.setattr("deckwood.solver.explore", refuse)
    with pytest.warns(UserWarning, match=r"no optimal value of the fight 'Hex: 1y; .*1,000 positions and more.*between -5 and 3"):
        assert math.isnan(optimal(game))
    assert math.isnan(optimal(game))
    optimum._values.clear()
    assert math.isnan(optimal(game))  # it is kept, too


@pytest.mark.parametrize(
    ("dice", "strategy", "health", "value"), [("1y1p", 1, 3, -34 / 3), ("1y1g1p", 1, 4, -12.0), ("1y1b1p", 2, 4, -205 / 18)]
)
def test_the_optimum_knows_every_order_of_applying(tmp_path, dice, strategy, health, value):
    """A wall exhausts a hit when a crit is applied to it. A mask that let only weaker dice go first made the first value -12."""
    wall = enemy(health, 2, {"when": "crit_applied", "op": "exhaust_hits", "count": 1})
    game = a_game(tmp_path, {"Wall": wall}, dice=[dice], strategy=[strategy], health=[3], recovery=[1])
    assert best(game, Fight(game).position, any_order=True) == pytest.approx(value, abs=1e-12)
    assert optimal_value(game, 0) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize(("health", "counted"), [(6, False), (4, True), (1, False)])
def test_gains_and_losses_whose_order_matters_are_not_counted(tmp_path, health, counted):
    """A gain at full Health is lost, and a loss at Health 1 is the end: the player chooses who falls first."""
    gift = enemy(1, 1, reward=[{"op": "gain_stat", "stat": "health", "count": 1}])
    keg = enemy(1, 1, {"when": "falls", "op": "lose_stat", "stat": "health", "count": 1})
    game = a_game(tmp_path, {"Gift": gift, "Keg": keg}, dice=["1p1r"], strategy=[1], health=[health], recovery=[1])
    start = start_of(game, 0)
    assert (count(game, start) is not None) == counted
    assert optimal_value(game, 0) == pytest.approx(best(game, Fight(game).position, any_order=True), abs=1e-9)
