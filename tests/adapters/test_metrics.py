"""Numbers that a game tells of itself, in every adapter: a coin game that tells a new number whenever it is asked."""

import copy
import dataclasses

import numpy as np
import pytest

from deckwood.adapters.gymnasium_env import DeckwoodEnv
from deckwood.adapters.vector import DeckwoodVectorEnv
from deckwood.core.batch import Batch
from deckwood.core.conformance import ConformanceError, check_game
from tests.games import coin, pig

asked = []


def compute_metrics(game, positions):
    """100 for the first question, 200 for the second; one more for each further position of a question."""
    asked.append(len(positions))
    return {"luck": np.arange(len(positions), dtype=np.float64) + 100 * len(asked)}


LUCKY = dataclasses.replace(coin.SPEC, metrics={"luck": "a number"}, compute_metrics=compute_metrics)


@pytest.fixture(autouse=True)
def _fresh():
    asked.clear()


def test_a_single_environment_tells_in_every_info():
    env = DeckwoodEnv(LUCKY)
    _, info = env.reset(seed=1)
    assert (info["luck"], asked) == (100.0, [1])
    over = False
    while not over:
        _, _, terminated, truncated, info = env.step(int(env.batch.random_actions()[0]))
        over = terminated or truncated
        assert info["luck"] == 100.0
    _, info = env.reset()
    assert info["luck"] == 200.0
    saved = env.save()
    assert copy.deepcopy(env).step(int(env.batch.random_actions()[0]))[4]["luck"] == 200.0
    assert env.load(saved)[1]["luck"] == 300.0


def test_a_vector_environment_tells_of_the_game_that_each_info_is_about():
    envs = DeckwoodVectorEnv(LUCKY, 4)
    _, info = envs.reset(seed=1)
    playing = info["luck"]
    assert playing.tolist() == [100, 101, 102, 103]
    assert info["_luck"].all()
    finished = 0
    for _ in range(40):
        *_, terminated, truncated, info = envs.step(envs.random_actions())
        over = terminated | truncated
        if not over.any():
            assert np.array_equal(info["luck"], playing)
            continue
        final = info["final_info"]
        assert np.array_equal(final["_luck"], over)
        assert np.array_equal(final["luck"][over], playing[over])  # of the games that ended
        assert asked[-1] == over.sum()  # only those that begin are asked for
        new = 100 * len(asked) + np.arange(over.sum())
        assert np.array_equal(info["luck"][over], new)
        assert np.array_equal(info["luck"][~over], playing[~over])
        playing, finished = info["luck"], finished + int(over.sum())
    assert finished > 8


def test_a_batch_tells_when_asked():
    batch = Batch(LUCKY, 3, seed=1)
    assert asked == []
    assert batch.metrics()["luck"].tolist() == [100, 101, 102]
    assert batch.metrics([2])["luck"].tolist() == [200]
    assert batch.metrics(np.array([True, False, True]))["luck"].tolist() == [300, 301]
    assert Batch(coin.SPEC, 3, seed=1).metrics() == {}


def test_games_that_tell_nothing_have_no_such_info():
    assert set(DeckwoodEnv(coin.SPEC).reset(seed=1)[1]) == {"action_mask", "ended", "reason", "won"}
    names = {"action_mask", "ended", "reason", "won"}
    assert set(DeckwoodVectorEnv(coin.SPEC, 2).reset(seed=1)[1]) == {*names, *(f"_{name}" for name in names)}


def test_conformance_checks_the_metrics():
    assert check_game(LUCKY, games=2).games == 2
    with pytest.raises(ConformanceError, match="metrics and compute_metrics go together"):
        check_game(dataclasses.replace(coin.SPEC, metrics={"luck": "a number"}))
    with pytest.raises(ConformanceError, match="only a solo game"):
        check_game(dataclasses.replace(pig.SPEC, metrics={"luck": "a number"}, compute_metrics=compute_metrics))
