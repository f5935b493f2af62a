"""The single and the vector environment, with Gymnasium's own checker and wrappers."""

import copy
import dataclasses
import pickle
import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import deckwood
from deckwood.adapters.gymnasium_env import DeckwoodEnv
from deckwood.adapters.permissive import Permissive
from deckwood.adapters.vector import DeckwoodVectorEnv
from deckwood.core.batch import Batch
from deckwood.core.errors import DeckwoodError, IllegalAction, OptionError, SnapshotError
from deckwood.core.registry import GAMES
from deckwood.core.replay import final_position
from tests.games import coin, pig

FLIP, STOP = 0, 1
COIN = "test/Coin-v0"


@pytest.fixture
def registered(monkeypatch):
    """The coin among the games, as a deck would be."""
    monkeypatch.setitem(GAMES, COIN, "tests.games.coin:SPEC")
    deckwood.adapters.registration.register()
    yield
    gymnasium.registry.pop(COIN)


def random_step(env):
    return env.step(int(env.unwrapped.batch.random_actions()[0]))


@pytest.mark.filterwarnings("ignore:.*render.*", "ignore:.*unwrapped.*")
def test_make_and_check(registered):
    env = gymnasium.make(COIN, lamp=True)
    check_env(Permissive(env.unwrapped), skip_render_check=True)
    assert env.spec.id == COIN
    assert gymnasium.make_vec(COIN, num_envs=3).unwrapped.spec.kwargs["num_envs"] == 3
    with pytest.raises(OptionError, match="no option 'hero'; it has lamp"):
        gymnasium.make(COIN, hero="piper")


def test_masks_are_equal_everywhere_and_fresh():
    env = DeckwoodEnv(coin.SPEC)
    obs, info = env.reset(seed=1)
    kept = obs.copy(), info["action_mask"].copy()
    assert info["action_mask"].dtype == np.int8
    assert np.array_equal(info["action_mask"], env.action_masks())
    assert env.action_space.sample(info["action_mask"]) in (0, 1)
    seen = [(obs, info["action_mask"])]
    for _ in range(30):
        obs, reward, terminated, truncated, info = random_step(env)
        assert type(reward) is float
        assert type(terminated) is bool
        assert np.array_equal(info["action_mask"], env.action_masks())
        assert env.observation_space.contains(obs)
        seen.append((obs, info["action_mask"]))
        if terminated or truncated:
            assert not info["action_mask"].any()
            assert info["ended"] in {"stopped", "bust", "full"}
            env.reset()
    assert np.array_equal(seen[0][0], kept[0])
    assert len({id(obs) for obs, _ in seen}) == len(seen)
    env.action_masks()[:] = 0
    assert env.action_masks().any()


def test_plays_what_slot_0_of_a_batch_plays():
    env, batch = DeckwoodEnv(coin.SPEC), Batch(coin.SPEC, 2, seed=11)
    obs, _ = env.reset(seed=11)
    for _ in range(100):
        assert np.array_equal(obs, batch.obs[0])
        action = batch.random_actions()
        batch.step(action)
        obs, reward, terminated, truncated, _ = env.step(action[0])
        assert reward == batch.reward[0]
        if terminated or truncated:
            obs, _ = env.reset()


def test_rewards_sum_to_the_payoff():
    env = DeckwoodEnv(coin.SPEC)
    env.reset(seed=0)
    for _ in range(20):
        total, over = 0.0, False
        while not over:
            _, reward, terminated, truncated, _ = random_step(env)
            total, over = total + reward, terminated or truncated
        assert total == env.batch.positions.payoff[0, 0]
        env.reset()


@pytest.mark.parametrize("make", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["deepcopy", "pickle"])
def test_copies_are_in_the_same_state(registered, make):
    env = gymnasium.make(COIN).unwrapped
    env.reset(seed=1)
    env.step(FLIP)
    twin = make(env)
    assert twin.batch.positions.tobytes() == env.batch.positions.tobytes()
    assert twin.explain() == env.explain()
    for _ in range(20):
        one, other = random_step(env), random_step(twin)
        assert np.array_equal(one[0], other[0])
        assert one[1:4] == other[1:4]
        if one[2]:
            env.reset()
            twin.reset()


def test_a_clone_has_a_future_of_its_own():
    env = DeckwoodEnv(coin.SPEC)
    env.reset(seed=1)
    before = env.save()
    outcomes = {float(env.clone(seed).step(FLIP)[0][0]) for seed in range(40)}
    assert len(outcomes) == 1 or 0.0 not in outcomes
    terminated = {env.clone(seed).step(FLIP)[2] for seed in range(40)}
    assert terminated == {True, False}
    assert env.save() == before
    one, other = env.clone(np.random.default_rng(3)), env.clone(np.random.default_rng(3))
    assert np.array_equal(one.step(FLIP)[0], other.step(FLIP)[0])


def test_save_and_load_at_every_step():
    env, other = DeckwoodEnv(coin.SPEC, record=True), DeckwoodEnv(coin.SPEC, record=True)
    env.reset(seed=4)
    for _ in range(100):
        _, info = other.load(env.save())
        assert np.array_equal(info["action_mask"], env.action_masks())
        one, two = random_step(env), random_step(other)
        assert np.array_equal(one[0], two[0])
        assert one[1:4] == two[1:4]
        if one[2] or one[3]:
            assert final_position(env.game, other.replay()).tobytes() == env.batch.positions.tobytes()
            env.reset()


def test_refusals():
    env = DeckwoodEnv(coin.SPEC)
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match="test/Coin-v0: action 2"):
        env.step(2)
    with pytest.raises(TypeError):
        env.step(0.5)
    with pytest.raises(SnapshotError):
        env.load(b"nothing")
    with pytest.raises(SnapshotError, match="record=True"):
        env.replay()
    with pytest.raises(OptionError, match="reset takes no options"):
        env.reset(options={"hero": 1})
    with pytest.raises(OptionError, match="render_mode='text'"):
        DeckwoodEnv(coin.SPEC, render_mode="text")
    with pytest.raises(OptionError, match="several players"):
        DeckwoodEnv(pig.SPEC)
    env.step(STOP)
    with pytest.raises(IllegalAction, match="game is over"):
        env.step(STOP)


def test_names():
    labelled = dataclasses.replace(coin.SPEC.features[0], labels=("count",))
    env = DeckwoodEnv(dataclasses.replace(coin.SPEC, features=(labelled,)))
    obs, _ = env.reset(seed=1)
    assert env.explain(obs) == {"heads": {"count": float(obs[0])}}
    assert env.legal_actions() == {0: "Flip the coin", 1: "Stop"}
    with pytest.raises(ValueError, match="shape"):
        env.explain(np.zeros(3))


def test_rendering(monkeypatch):
    env = DeckwoodEnv(coin.SPEC, render_mode="ansi")
    env.reset(seed=1)
    assert env.render().endswith("heads")
    image = DeckwoodEnv(coin.SPEC, render_mode="rgb_array").render()
    assert image.dtype == np.uint8
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(DeckwoodError, match=r"pip install \"deckwood\[render\]\""):
        DeckwoodEnv(coin.SPEC, render_mode="human").reset()


def test_a_window(monkeypatch):
    pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    env = DeckwoodEnv(coin.SPEC, render_mode="human")
    env.reset(seed=1)
    env.step(STOP)
    env.close()
    env.close()


@pytest.mark.filterwarnings("ignore:.*unwrapped.*")
def test_wrappers():
    wrappers = gymnasium.wrappers
    env = wrappers.RecordEpisodeStatistics(DeckwoodEnv(coin.SPEC))
    env.reset(seed=1)
    *_, info = env.step(STOP)
    assert info["episode"]["l"] == 1
    assert info["episode"]["r"] == env.unwrapped.batch.episode_return[0]
    env = wrappers.TimeLimit(DeckwoodEnv(coin.SPEC), 1)
    env.reset(seed=0)
    assert env.step(STOP)[3]
    for wrap in (wrappers.FlattenObservation, wrappers.NormalizeObservation):
        env = wrap(DeckwoodEnv(coin.SPEC))
        env.reset(seed=0)
        assert np.isfinite(env.step(STOP)[0]).all()


def test_permissive_modes():
    with pytest.raises(OptionError, match="replace, penalty, terminate"):
        Permissive(DeckwoodEnv(coin.SPEC), "ignore")
    for mode, terminated in (("replace", None), ("penalty", False), ("terminate", True)):
        env = Permissive(DeckwoodEnv(coin.SPEC), mode, penalty=2.0)
        env.reset(seed=1)
        with pytest.raises(TypeError):
            env.step(0.0)
        result = env.step(2**70)
        assert result[4]["illegal_action"]
        if terminated is not None:
            assert result[1] == -2.0
            assert result[2] is terminated


# The vector environment.


def test_vector_layout():
    env = DeckwoodVectorEnv(coin.SPEC, 4)
    obs, info = env.reset(seed=1)
    assert env.observation_space.contains(obs)
    assert info["action_mask"].shape == (4, 2)
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    kept = obs.copy()
    obs2, reward, terminated, _, info = env.step(np.array([STOP, FLIP, FLIP, STOP]))
    assert np.array_equal(obs, kept)
    assert reward.dtype == np.float64
    assert terminated[0]
    assert terminated[3]
    assert np.array_equal(info["_final_obs"], terminated)
    assert info["final_obs"][0].shape == (1,)
    assert info["final_info"]["ended"][0] == "stopped"
    assert not info["final_info"]["action_mask"].any()
    assert np.array_equal(info["final_info"]["_ended"], terminated)
    assert env.observation_space.contains(obs2)
    live = DeckwoodVectorEnv(coin.SPEC, 4, copy=False)
    assert live.reset(seed=1)[0] is live.batch.obs


def test_vector_plays_what_gymnasiums_own_plays():
    """Our batch against Gymnasium's SyncVectorEnv of single environments, step by step, infos too."""
    ours = DeckwoodVectorEnv(coin.SPEC, 3)
    theirs = gymnasium.vector.SyncVectorEnv([lambda: DeckwoodEnv(coin.SPEC)] * 3, autoreset_mode=AutoresetMode.SAME_STEP)
    seeds = [5, 6, 7]
    one, two = ours.reset(seed=seeds), theirs.reset(seed=seeds)
    assert np.array_equal(one[0], two[0])
    for _ in range(60):
        actions = ours.random_actions()
        one, two = ours.step(actions), theirs.step(actions)
        for ours_part, theirs_part in zip(one[:4], two[:4], strict=True):
            assert np.array_equal(ours_part, theirs_part)
        assert set(one[4]) == set(two[4])
        assert np.array_equal(one[4]["action_mask"], two[4]["action_mask"])
        if "final_info" in one[4]:
            for key, value in two[4]["final_info"].items():
                assert np.array_equal(value, one[4]["final_info"][key]), key
            for mine, other in zip(one[4]["final_obs"], two[4]["final_obs"], strict=True):
                assert (mine is None) == (other is None)
                assert mine is None or np.array_equal(mine, other)


def test_vector_statistics():
    env = gymnasium.wrappers.vector.RecordEpisodeStatistics(DeckwoodVectorEnv(coin.SPEC, 5))
    env.reset(seed=0)
    returns = []
    for _ in range(40):
        *_, info = env.step(env.unwrapped.random_actions())
        if "episode" in info:
            done = info["_episode"]
            assert np.array_equal(info["episode"]["r"][done], env.unwrapped.batch.episode_return[done])
            assert np.array_equal(info["episode"]["l"][done], env.unwrapped.batch.episode_length[done])
            returns.extend(info["episode"]["r"][done])
    assert len(returns) > 20


def test_vector_refusals_and_partial_reset():
    for mode in (AutoresetMode.NEXT_STEP, "Disabled", AutoresetMode.DISABLED):
        with pytest.raises((OptionError, ValueError)):
            DeckwoodVectorEnv(coin.SPEC, 2, autoreset_mode=mode)
    with pytest.raises(OptionError, match="several players"):
        DeckwoodVectorEnv(pig.SPEC, 2)
    with pytest.raises(OptionError, match="render_mode"):
        DeckwoodVectorEnv(coin.SPEC, 2, render_mode="human")
    env = DeckwoodVectorEnv(coin.SPEC, 2, render_mode="ansi")
    env.reset(seed=1)
    with pytest.raises(OptionError, match="only reset_mask"):
        env.reset(options={"hero": 1})
    assert len(env.render()) == 2
    env.reset(options={"reset_mask": np.array([True, False])})
    assert env.batch._b.episodes.tolist() == [1, 0]
    assert "autoreset_mode" in DeckwoodVectorEnv.metadata
