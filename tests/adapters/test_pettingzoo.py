"""The AEC environment, with PettingZoo's own tests and what they do not look at."""

import copy

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from deckwood.adapters.pettingzoo_env import DeckwoodAECEnv
from deckwood.core.errors import IllegalAction, OptionError, SnapshotError
from deckwood.core.replay import final_position
from tests.games import pig


def env(**options):
    return DeckwoodAECEnv(pig.SPEC, **{"target": 15, **options})


def play(game, rng, steps=10_000):
    for agent in game.agent_iter(steps):
        observation, reward, terminated, truncated, _ = game.last()
        yield agent, observation, reward, terminated or truncated
        mask = observation["action_mask"]
        game.step(None if terminated or truncated else int(rng.choice(np.flatnonzero(mask))))


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_pettingzoos_own_tests():
    api_test(env(), num_cycles=300)
    seed_test(env, num_cycles=50)


def test_masks_and_payoffs():
    game = env()
    for seed in range(10):
        game.reset(seed=seed)
        total, done = {"player_0": 0.0, "player_1": 0.0}, set()
        for agent, observation, reward, over in play(game, np.random.default_rng(seed)):
            total[agent] += reward
            if over:
                done.add(agent)
                assert not observation["action_mask"].any()
                assert game.infos[agent]["ended"] == "target_reached"
            else:
                assert observation["action_mask"].any()
                assert np.array_equal(observation["action_mask"], game.action_masks())
                assert np.array_equal(observation["action_mask"], game.infos[agent]["action_mask"])
                other = next(name for name in game.agents if name != agent)
                assert not game.observe(other)["action_mask"].any()
            assert game.observation_space(agent).contains(observation)
        assert done == {"player_0", "player_1"}
        assert sorted(total.values()) == [-1.0, 1.0]
        assert game.agents == []


def test_a_copy_is_in_the_middle_of_the_same_game():
    game = env(record=True)
    game.reset(seed=3)
    for _ in range(6):
        game.step(int(np.flatnonzero(game.action_masks())[0]))
    saved, twin, loaded = game.save(), copy.deepcopy(game), env(record=True)
    loaded.load(saved)
    own = game.clone(1)
    assert own.batch.positions.tobytes() == game.batch.positions.tobytes()
    for other in (twin, loaded):
        assert other.agent_selection == game.agent_selection
        rng = np.random.default_rng(0)
        list(play(other, rng))
    list(play(game, np.random.default_rng(0)))
    assert twin.batch.positions.tobytes() == loaded.batch.positions.tobytes() == game.batch.positions.tobytes()
    assert final_position(game.game, loaded.replay()).tobytes() == game.batch.positions.tobytes()
    own.step(0)


def test_refusals_change_nothing():
    game = env()
    game.reset(seed=1)
    before = game.save()
    for action in (7, None):
        with pytest.raises(IllegalAction):
            game.step(action)
    with pytest.raises(SnapshotError):
        game.load(b"")
    assert game.save() == before
    assert game.metadata["is_parallelizable"] is False
    assert game.observation_space("player_0") is game.observation_space("player_0")


def test_words():
    game = env(render_mode="ansi")
    game.reset(seed=1)
    assert "turn" in game.render()
    assert game.legal_actions()[0] == "Roll the die"
    assert set(game.explain(game.observe("player_1")["observation"])) == {"own_score", "other_score", "turn"}


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_mask_in_the_info():
    """For wrappers that refuse a dict."""
    api_test(env(mask_in="info"), num_cycles=100)
    game, other = env(mask_in="info"), env()
    game.reset(seed=1)
    other.reset(seed=1)
    agent = game.agent_selection
    assert game.observation_space(agent).contains(game.observe(agent))
    assert np.array_equal(game.observe(agent), other.observe(agent)["observation"])
    assert np.array_equal(game.last()[4]["action_mask"], other.observe(agent)["action_mask"])
    assert {*game.infos[agent]} == {"action_mask", "ended", "reason"}
    with pytest.raises(OptionError, match="mask_in='nowhere': choose one of observation, info"):
        env(mask_in="nowhere")
