"""The exact value of a policy, against hand, value iteration and the optimum."""

from dataclasses import replace

import numpy as np
import pytest

from deckwood.core.errors import IllegalAction
from deckwood.core.jit import COMPILED
from deckwood.solver import NeverEnds, TooLarge, explore, policy_value
from tests.games import coin, pig
from tests.solver.test_graph import chances_to_win_pig, new, payoff
from tests.solver.tree import choose, end, tree
from tests.solver.walk import value_by_walking

FLIP, STOP = 0, 1
TARGET = 15 if COMPILED else 8


def always(action):
    return lambda obs, mask, positions: np.full(len(mask), action)


def evenly(obs, mask, positions):
    return mask / mask.sum(axis=1, keepdims=True)


def optimal(graph):
    def choose(obs, mask, positions):
        return np.array([graph.action(positions[i : i + 1]) for i in range(len(positions))])

    return choose


def test_the_coin_stopped_at_once():
    """The free flip pays 1 three times in four."""
    game, start = new(coin.SPEC)
    found = policy_value(game, start, always(STOP))
    assert found.values == pytest.approx([3 / 4])
    assert found.states == 2


def test_the_coin_flipped_until_it_is_full():
    """Ten heads: nine more after a free one, or ten after a free tails."""
    game, start = new(coin.SPEC)
    assert policy_value(game, start, always(FLIP)).values == pytest.approx([10 * (3 / 4) ** 10 * (1 + 1 / 4)])


def test_the_coin_left_to_chance():
    """R(h) = h / 2 + 1/2 * 3/4 R(h + 1), R(10) = 10."""
    game, start = new(coin.SPEC)
    value = 10.0
    for heads in range(9, 0, -1):
        value = heads / 2 + 3 / 8 * value
    mean = 3 / 4 * value + 1 / 4 * (3 / 8 * value)
    assert policy_value(game, start, evenly).values == pytest.approx([mean])
    walked = value_by_walking(game, start, payoff, policy=lambda position, moves: np.full(len(moves), 1 / len(moves)))
    assert walked == pytest.approx(mean)


def test_the_optimal_policy_has_the_optimal_value():
    for game, start in (new(coin.SPEC), new(pig.SPEC, target=TARGET)):
        graph = explore(game, start)
        assert policy_value(game, start, optimal(graph)).values == pytest.approx(graph.values[0], abs=1e-9)


def test_both_seats_of_pig_left_to_chance():
    game, start = new(pig.SPEC, target=TARGET)
    chance = chances_to_win_pig(TARGET, roll_always=0.5)[0, 0, 0]
    values = policy_value(game, start, evenly).values
    assert values == pytest.approx([2 * chance - 1, 1 - 2 * chance], abs=1e-9)


def test_what_a_policy_is_shown():
    game, start = new(coin.SPEC)
    game.apply_chance(start, 0)

    def choose(obs, mask, positions):
        assert obs.dtype == np.float32
        assert mask.dtype == np.int8
        assert obs.shape == (len(positions), 1)
        assert mask.tolist() == [[1, 1]] * len(positions)
        assert obs[:, 0] == pytest.approx(positions.heads / 10)
        return np.where(positions.heads < 3, FLIP, STOP)

    assert policy_value(game, start, choose).values == pytest.approx([27 / 16])


def test_forced_moves_are_not_asked_for():
    game, start = new(pig.SPEC, target=4)
    asked = []

    def choose(obs, mask, positions):
        asked.append(mask.sum(axis=1).min())
        return np.argmax(mask, axis=1)

    policy_value(game, start, choose)
    assert min(asked) == 2


@pytest.mark.parametrize(
    "choose",
    [
        lambda obs, mask, positions: np.full(len(mask), 2),
        lambda obs, mask, positions: np.full(len(mask), -1),
        lambda obs, mask, positions: np.full(len(mask), 3),
        lambda obs, mask, positions: np.full((len(mask), 3), [1.5, -0.5, 0.0]),
        lambda obs, mask, positions: np.full((len(mask), 3), 1 / 3),
        lambda obs, mask, positions: np.full((len(mask), 3), [0.5, 0.4, 0.0]),
    ],
    ids=["an action", "none", "an unknown one", "a negative chance", "a chance", "a sum"],
)
def test_what_the_mask_forbids_is_refused(choose):
    spec = replace(coin.SPEC, actions=(*coin.SPEC.actions, replace(coin.SPEC.actions[0], name="cheat")))
    game, start = new(spec)
    with pytest.raises(IllegalAction, match="test/Coin-v0: the policy"):
        policy_value(game, start, choose)


def test_a_policy_that_never_comes_to_an_end():
    game, start = tree(choose(0, 0, 1), end(1, 0))
    assert policy_value(game, start, always(1)).values.tolist() == [1, 0]
    with pytest.raises(NeverEnds, match=r"test/Tree-v0: after [0-9]+ moves 1 of the games are still going on"):
        policy_value(game, start, always(0))


def test_too_many_positions_for_a_policy():
    game, start = new(pig.SPEC, target=30)
    with pytest.raises(TooLarge, match="50 positions and more"):
        policy_value(game, start, evenly, max_positions=50)


def test_a_finished_game_is_value_its_payoff():
    game, start = new(coin.SPEC)
    game.apply_chance(start, 0)
    game.apply(start, STOP)
    assert policy_value(game, start, always(FLIP)).values == pytest.approx([1.0])
