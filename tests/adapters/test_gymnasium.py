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
from deckwood.adapters.pettingzoo_env import DeckwoodAECEnv
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
    check_env(gymnasium.make(COIN, illegal="replace").unwrapped, skip_render_check=True)
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
            assert info["action_mask"].all()
            assert env.legal_actions() == {}
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


def test_illegal_actions():
    with pytest.raises(OptionError, match="choose one of raise, replace, penalty, terminate"):
        DeckwoodEnv(coin.SPEC, illegal="ignore")
    with pytest.raises(IllegalAction, match="illegal='replace'"):
        start(DeckwoodEnv(coin.SPEC)).step(2)
    for mode, terminated in (("replace", None), ("penalty", False), ("terminate", True)):
        env = DeckwoodEnv(coin.SPEC, illegal=mode, penalty=2.0)
        assert env.reset(seed=1)[1]["illegal_action"] is False
        with pytest.raises(TypeError):
            env.step(0.0)
        result = env.step(2**70)
        assert result[4]["illegal_action"]
        if terminated is not None:
            assert result[1] == -2.0
            assert result[2] is terminated
    assert result[4]["ended"] == "illegal_action"
    with pytest.raises(IllegalAction, match="call reset"):
        env.step(STOP)
    env.reset()
    assert env.step(STOP)[4]["ended"] == "stopped"


def start(env):
    env.reset(seed=1)
    return env


def test_an_unknown_option_is_an_unknown_keyword():
    """TorchRL asks whether an environment knows `frameskip` by passing it, and looks for Python's words in the TypeError."""
    for make in (DeckwoodEnv, DeckwoodVectorEnv):
        with pytest.raises(TypeError, match="got an unexpected keyword argument 'frameskip'") as caught:
            make(coin.SPEC, frameskip=1)
        assert isinstance(caught.value, OptionError)


def test_every_info_has_the_same_keys():
    env = DeckwoodEnv(coin.SPEC)
    _, first = env.reset(seed=1)
    assert (first["ended"], first["reason"], first["won"]) == ("", "", False)
    *_, later = env.step(FLIP)
    env.reset(seed=2)
    *_, last = env.step(STOP)
    assert [*first] == [*later] == [*last]
    assert [type(value) for value in first.values()] == [type(value) for value in last.values()]


@pytest.mark.parametrize("vector", [False, True])
def test_observation_and_mask_in_one_dict(vector):
    env = (DeckwoodVectorEnv if vector else DeckwoodEnv)(coin.SPEC, observation="dict")
    plain = (DeckwoodVectorEnv if vector else DeckwoodEnv)(coin.SPEC)
    (seen, info), (alone, _) = env.reset(seed=1), plain.reset(seed=1)
    for action in (FLIP, STOP):
        assert env.observation_space.contains(seen)
        assert np.array_equal(seen["observation"], alone)
        assert np.array_equal(seen["action_mask"], info["action_mask"])
        actions = np.array([action]) if vector else action
        seen, *_, info = env.step(actions)
        alone = plain.step(actions)[0]
    last = info["final_obs"][0] if vector else seen
    assert last["action_mask"].tolist() == [1, 1]
    with pytest.raises(OptionError, match="choose one of vector, dict"):
        DeckwoodEnv(coin.SPEC, observation="text")


SEEDS = [(np.int64(3), None), (np.uint8(3), None), (True, TypeError), (1.5, TypeError), ("12", TypeError), (-1, ValueError)]


@pytest.mark.parametrize(("seed", "error"), SEEDS, ids=repr)
@pytest.mark.parametrize("make", [DeckwoodEnv, DeckwoodVectorEnv, lambda spec: DeckwoodAECEnv(pig.SPEC)], ids=["single", "vector", "aec"])
def test_one_rule_for_seeds(make, seed, error):
    env, same = make(coin.SPEC), make(coin.SPEC)
    if error is None:
        env.reset(seed=seed)
        same.reset(seed=int(seed))
        assert env.save() == same.save() if hasattr(env, "save") else env.batch.save() == same.batch.save()
        return
    env.reset(seed=1)
    before = env.batch.save()
    with pytest.raises(error, match="seed="):
        env.reset(seed=seed)
    assert env.batch.save() == before


def test_seeds_of_slots():
    for seeds in ([1.7, 2.2], ["1", "2"], [True, False]):
        with pytest.raises(TypeError, match="seed="):
            DeckwoodVectorEnv(coin.SPEC, 2).reset(seed=seeds)
    with pytest.raises(ValueError, match="3 entries for 2 slots"):
        DeckwoodVectorEnv(coin.SPEC, 2).reset(seed=[1, 2, 3])


@pytest.mark.parametrize("make", [gymnasium.make, gymnasium.make_vec])
def test_a_game_for_several_says_what_plays_it(make):
    with pytest.raises(OptionError, match=r"deckwood\.lost_woods_v1\.env\(\)"):
        make("deckwood/LostWoods-v1")


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
    assert info["final_info"]["action_mask"].tolist() == [[1, 1], [0, 0], [0, 0], [1, 1]]
    assert np.array_equal(info["final_info"]["_ended"], terminated)
    assert env.observation_space.contains(obs2)
    live = DeckwoodVectorEnv(coin.SPEC, 4, copy=False)
    assert live.reset(seed=1)[0] is live.batch.obs


@pytest.mark.parametrize("illegal", ["raise", "replace", "penalty", "terminate"])
@pytest.mark.parametrize("mode", AutoresetMode, ids=str)
def test_vector_plays_what_gymnasiums_own_plays(mode, illegal):
    """Our batch against Gymnasium's SyncVectorEnv of single environments, step by step, infos too."""
    ours = DeckwoodVectorEnv(coin.SPEC, 3, autoreset_mode=mode, illegal=illegal)
    theirs = gymnasium.vector.SyncVectorEnv([lambda: DeckwoodEnv(coin.SPEC, illegal=illegal)] * 3, autoreset_mode=mode)
    seeds = [5, 6, 7]
    one, two = ours.reset(seed=seeds), theirs.reset(seed=seeds)
    assert np.array_equal(one[0], two[0])
    over = np.zeros(3, bool)
    for step in range(60):
        if mode is AutoresetMode.DISABLED and over.any():
            seen = [envs.reset(options={"reset_mask": over.copy()})[0] for envs in (ours, theirs)]
            assert np.array_equal(*seen)
        actions = ours.random_actions()
        if illegal != "raise":
            actions[step % 3] += 5 * (step % 4 == 0)
        one, two = ours.step(actions), theirs.step(actions)
        for ours_part, theirs_part in zip(one[:4], two[:4], strict=True):
            assert np.array_equal(ours_part, theirs_part)
        over = one[2] | one[3]
        assert set(one[4]) == set(two[4])
        for key in one[4].keys() - {"final_info", "final_obs"}:
            assert np.array_equal(one[4][key], two[4][key]), key
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
    with pytest.raises(OptionError, match="choose one of NextStep, SameStep, Disabled"):
        DeckwoodVectorEnv(coin.SPEC, 2, autoreset_mode="Next")
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


@pytest.mark.parametrize("mode", AutoresetMode, ids=str)
def test_a_limit_of_steps(registered, mode):
    envs = gymnasium.make_vec(COIN, num_envs=2, max_episode_steps=3, autoreset_mode=mode)
    assert envs.unwrapped.autoreset_mode is envs.metadata["autoreset_mode"] is mode
    theirs = gymnasium.make_vec(COIN, num_envs=2, max_episode_steps=3, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode})
    one, two = envs.reset(seed=[1, 3]), theirs.reset(seed=[1, 3])
    cut = 0
    for _ in range(40):
        assert np.array_equal(one[0], two[0])
        actions = np.full(2, FLIP)
        one, two = envs.step(actions), theirs.step(actions)
        for ours_part, theirs_part in zip(one[1:4], two[1:4], strict=True):
            assert np.array_equal(ours_part, theirs_part)
        over, info = one[2] | one[3], one[4]
        last = info.get("final_info", info)
        cut += int((one[3] & ~one[2]).sum())
        assert all(last["ended"][slot] == "truncated" and not last["won"][slot] for slot in np.flatnonzero(one[3] & ~one[2]))
        if mode is AutoresetMode.DISABLED and over.any():
            with pytest.raises(IllegalAction, match="reset_mask"):
                envs.step(actions)
            one, two = (each.reset(options={"reset_mask": over.copy()}) for each in (envs, theirs))
    assert cut > 2


WRAPPERS = {"NormalizeObservation": (), "FlattenObservation": (), "DtypeObservation": (np.float32,), "RescaleObservation": (0, 1)}


@pytest.mark.parametrize("name", WRAPPERS)
def test_gymnasiums_vector_wrappers(name):
    """They take environments that reset with the next step."""
    arguments = [np.float32(a) if isinstance(a, int) else a for a in WRAPPERS[name]]
    envs = getattr(gymnasium.wrappers.vector, name)(DeckwoodVectorEnv(coin.SPEC, 3, autoreset_mode="NextStep"), *arguments)
    envs.reset(seed=1)
    for _ in range(20):
        assert np.isfinite(envs.step(np.full(3, FLIP))[0]).all()
