"""The general solver on small games, against hand, value iteration and plain walking."""

import numpy as np
import pytest

from deckwood.core.game import Game
from deckwood.core.jit import COMPILED
from deckwood.core.spec import Node
from deckwood.solver import TooLarge, explore
from deckwood.solver.graph import WORDS, canonical, fingerprint
from tests.games import coin, pig
from tests.solver.tree import choose, end, roll, tree
from tests.solver.walk import child, value_by_walking

FLIP, STOP = 0, 1
ROLL, HOLD = 0, 1
TARGET = 30 if COMPILED else 10


def new(spec, **options):
    game = Game(spec, **options)
    return game, game.new()


def payoff(position):
    return float(position["payoff"][0, 0])


# A game without cycles -------------------------------------------------------------------------------------------------------------------


def test_the_coin_by_hand():
    """Heads come 3 times in 4. With h heads a flip is worth 3/4 (h + 1), so one flips up to 3 heads (where it makes no difference).

    V(3) = 3, V(2) = 9/4, V(1) = 27/16, V(0) = 81/64; the first flip is free: 3/4 V(1) + 1/4 V(0) = 405/256.
    """
    game, start = new(coin.SPEC)
    graph = explore(game, start)
    assert graph.value == pytest.approx(405 / 256, abs=1e-12)
    assert value_by_walking(game, start, payoff) == pytest.approx(405 / 256, abs=1e-12)
    position = child(game, start, 1)  # tails
    for value, best in [(81 / 64, FLIP), (27 / 16, FLIP), (9 / 4, FLIP), (3, None), (4, STOP), (5, STOP)]:
        values = graph.action_values(position)
        assert values[STOP] == position["heads"][0]
        assert max(values.values()) == pytest.approx(value, abs=1e-12)
        assert graph.values[graph.find(position), 0] == max(values.values())
        assert best in (graph.action(position), None)
        position = child(game, child(game, position, FLIP), 0)  # heads


def test_positions_are_found_by_what_they_hold():
    game, start = new(coin.SPEC)
    graph = explore(game, start)
    assert graph.find(start) == 0
    flipped = child(game, start, 0)
    game.apply(flipped, FLIP)  # counts a decision, which is not looked at
    game.apply_chance(flipped, 0)
    assert flipped["decisions"][0] == 1
    assert graph.values[graph.find(flipped), 0] == pytest.approx(9 / 4)
    flipped["heads"] = 11
    assert graph.find(flipped) == -1
    for nowhere in (start, flipped):  # a chance event, and what cannot be
        with pytest.raises(ValueError, match="not a decision that can follow"):
            graph.action(nowhere)
        with pytest.raises(ValueError, match="not a decision that can follow"):
            graph.action_values(nowhere)


def test_every_position_is_counted_once():
    """Decisions after f flips, the last f - 1 of them heads, the first heads or not: 10 + 9 with 1 to 9 or 0 to 9 heads, and so on."""
    game, start = new(coin.SPEC)
    seen, waiting = {}, [start]
    while waiting:
        position = waiting.pop()
        if seen.setdefault(position.tobytes(), len(seen)) != len(seen) - 1 or position["node"][0] == Node.END:
            continue
        moves = np.flatnonzero(game.legal(position)) if position["node"][0] == Node.DECISION else np.flatnonzero(game.chance(position))
        waiting += [child(game, position, move) for move in moves]
    assert explore(game, start).states == len(seen)


def test_the_end_and_a_decision_as_roots():
    game, position = new(coin.SPEC)
    game.apply_chance(position, 0)
    assert explore(game, position).value == pytest.approx(27 / 16)
    game.apply(position, STOP)
    graph = explore(game, position)
    assert (graph.states, graph.value, graph.best.tolist()) == (1, 1.0, [-1])


def test_bytes_between_fields_do_not_count():
    game, start = new(pig.SPEC, target=TARGET)
    covered = np.zeros(start.dtype.itemsize, bool)
    for kind, place, *_ in start.dtype.fields.values():
        covered[place : place + kind.itemsize] = True
    assert not covered.all()  # there are such bytes
    untidy = start.copy()
    untidy.view(np.uint8)[~covered] = 0xA5
    assert canonical(untidy).tobytes() == start.tobytes()
    tidy = explore(game, start)
    other = explore(game, untidy)
    assert (other.states, other.value) == (tidy.states, tidy.value)
    assert tidy.find(untidy) == 0


def test_fingerprints_tell_words_and_places_apart():
    rng, seen = np.random.default_rng(1), set()
    rows = rng.integers(0, 3, (20_000 if COMPILED else 2000, 12)).astype(np.uint32)
    for row in rows:
        key = np.zeros(WORDS, np.int64)
        fingerprint(row, key)
        seen.add(tuple(key.tolist()))
    assert len(seen) == len(np.unique(rows, axis=0))


def test_the_start_is_left_as_it_was():
    game, start = new(coin.SPEC)
    before = start.tobytes()
    explore(game, start)
    assert start.tobytes() == before


# Cycles and two seats --------------------------------------------------------------------------------------------------------------------


def chances_to_win_pig(target, roll_always=None):
    """P[i, j, k]: the mover's chance to win with i points banked, j of the other's and k in this turn, by value iteration.

    ``roll_always`` plays at random instead, with this chance to roll.
    """
    chance = np.zeros((target, target, target + 6))
    i, j, k = np.indices((target, target, target))
    enough = i + k >= target
    while True:
        banked = np.minimum(i + k, target - 1)
        hold = np.where(enough, 1.0, 1 - chance[j, banked, 0])
        roll = ((1 - chance[j, i, 0]) + sum(chance[i, j, k + face] for face in range(2, 7))) / 6
        either = np.maximum(hold, roll) if roll_always is None else roll_always * roll + (1 - roll_always) * hold
        new = np.where(enough, 1.0, np.where(k == 0, roll, either))
        change = np.abs(new - chance[..., :target]).max()
        chance[..., :target] = new
        chance[..., target:] = 1.0
        if change < 1e-14:
            return chance


def test_pig_by_value_iteration():
    game, start = new(pig.SPEC, target=TARGET)
    graph, chance = explore(game, start), chances_to_win_pig(TARGET)
    assert (1 + graph.value) / 2 == pytest.approx(chance[0, 0, 0], abs=1e-9)
    assert graph.values.sum(axis=1) == pytest.approx(0, abs=1e-9)
    position = start.copy()
    for mine, other, turn in [(0, 0, 5), (3, 7, 0), (7, 3, 2), (TARGET - 1, TARGET - 1, 0), (2, TARGET - 2, 6)]:
        for mover in (0, 1):
            position["scores"][0, mover], position["scores"][0, 1 - mover] = mine, other
            position["turn"], position["mover"], position["node"] = turn, mover, int(Node.DECISION)
            node = graph.find(position)
            if mine + turn < TARGET and node >= 0:
                assert (1 + graph.values[node, mover]) / 2 == pytest.approx(chance[mine, other, turn], abs=1e-9)


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="two million positions")
def test_pig_to_a_hundred():
    """Neller and Presser, Optimal Play of the Dice Game Pig (2004): the first mover wins with probability 0.530593."""
    game, start = new(pig.SPEC, target=100)
    assert (1 + explore(game, start).value) / 2 == pytest.approx(0.530593, abs=1e-6)


def test_each_seat_plays_for_itself():
    """The second seat turns down what would be best for the first, and for both together."""
    game, start = tree(choose(0, 1, 2), choose(1, 3, 4), end(2, 0), end(9, 1), roll({5: 1, 6: 3}), end(-4, 0), end(4, 2))
    graph = explore(game, start)
    assert graph.values[0].tolist() == [2, 1.5]  # not 9 and 1: the other seat would roll, for 1.5
    assert graph.action(start) == 0  # equally good moves: the first
    assert graph.action_values(start) == {0: 2, 1: 2}
    assert graph.values[graph.find(child(game, start, 0))].tolist() == [2, 1.5]


def test_a_cycle_is_left_when_that_is_best():
    """From node 0 one rolls: half the time it is back at 0, else 3; or one takes 2 at once. Rolling on is worth 3."""
    game, start = tree(choose(0, 1, 2), roll({0: 1, 3: 1}), end(2, 0), end(3, 0))
    assert explore(game, start).value == pytest.approx(3, abs=1e-12)
    # Where a roll can also fail, V = 1/4 V + 1/2 * 3 + 1/4 * 0 = 2, which is as much as at once.
    game, start = tree(choose(0, 1, 2), roll({0: 1, 3: 2, 4: 1}), end(1, 0), end(3, 0), end(0, 0))
    assert explore(game, start).value == pytest.approx(2, abs=1e-12)


# Limits ----------------------------------------------------------------------------------------------------------------------------------


def test_too_large_tells_the_limit_and_true_bounds():
    game, start = new(pig.SPEC, target=30)
    with pytest.raises(TooLarge, match=r"test/Pig-v0 at roll or hold: 9,00[0-9] positions and more") as refused:
        explore(game, start, max_positions=9_000)
    assert 9_000 < refused.value.states < 9_010
    assert -1 <= refused.value.lower <= 2 * chances_to_win_pig(30)[0, 0, 0] - 1 <= refused.value.upper <= 1


def test_bounds_may_be_given():
    game, start = new(pig.SPEC, target=30)
    with pytest.raises(TooLarge) as refused:
        explore(game, start, max_positions=1_000, bounds=(-5.0, 5.0))
    assert refused.value.lower < -1
    assert refused.value.upper > 1


def test_bounds_hold_against_a_rival():
    """The second seat may take the certain end, or go a way too long to be walked, at whose end it gets all. It will."""
    way = [roll({at + 1: 1}) for at in range(3, 20_003)]
    game, start = tree(choose(0, 1, 1), choose(1, 2, 3), end(0.9, -0.9), *way, end(-1, 1))
    assert explore(game, start).value == -1
    with pytest.raises(TooLarge) as refused:
        explore(game, start, max_positions=10_000)
    assert refused.value.lower <= -1
    assert refused.value.upper >= -1
