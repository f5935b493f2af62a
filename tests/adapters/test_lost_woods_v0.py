"""Lost Woods through PettingZoo: its own tests, and those that read the masks."""

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from pettingzoo.test import api_test, render_test, seed_test

from deckwood import lost_woods_v0
from deckwood.core.errors import IllegalAction, OptionError


def play(env, seed, agent_steps=10_000_000):
    """A random game; yields what each ``last()`` gives to whom."""
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for agent in env.agent_iter(agent_steps):
        observation, reward, terminated, truncated, info = env.last()
        yield agent, observation, reward, terminated, truncated, info
        legal = np.flatnonzero(observation["action_mask"])
        env.step(None if terminated or truncated else int(rng.choice(legal)))


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("num_players", [2, 4, 6])
def test_pettingzoos_own_tests(num_players):
    api_test(lost_woods_v0.env(num_players=num_players, turn_limit=6), num_cycles=400)
    seed_test(lambda: lost_woods_v0.env(num_players=num_players, turn_limit=6), num_cycles=100)


def test_pettingzoos_render_test():
    render_test(lambda render_mode: lost_woods_v0.env(render_mode=render_mode, turn_limit=2), {"ansi": lambda text: isinstance(text, str)})


@pytest.mark.parametrize("num_players", [2, 3, 6])
def test_max_cycles_are_turns(num_players):
    """PettingZoo's max_cycles_test wants a parallel form. Its promise, here: as many turns for each, then everyone is truncated."""
    env = lost_woods_v0.env(num_players=num_players, max_cycles=4)
    turns = dict.fromkeys(env.possible_agents, 0)
    last = None
    for agent, _, reward, terminated, truncated, info in play(env, 5):
        if truncated:
            assert (reward, terminated, info["ended"]) == (0.0, False, "truncated")
        elif (begun := int(env.unwrapped.batch.positions.turns[0])) != last:
            turns[agent] += 1
            last = begun
    assert set(turns.values()) == {4}
    assert env.agents == []


@pytest.mark.parametrize("num_players", [2, 3, 4, 5, 6])
def test_masks_are_read(num_players):
    """The mover's mask is the rules' own, nobody else has a legal action, and every masked action raises and changes nothing."""
    env = lost_woods_v0.env(num_players=num_players, turn_limit=8)
    raw = env.unwrapped
    for count, (agent, observation, _, terminated, truncated, info) in enumerate(play(env, num_players)):
        mask = observation["action_mask"]
        assert raw.observation_space(agent).contains(observation)
        assert np.array_equal(mask, info["action_mask"])
        if terminated or truncated:
            assert not mask.any()
            continue
        assert mask.dtype == np.int8
        assert np.array_equal(mask, raw.game.legal(raw.batch.positions))
        assert mask.sum() >= 2
        for other in env.agents:
            assert other == agent or not raw.observe(other)["action_mask"].any()
        if count % 25 == 0:
            before = raw.save()
            for action in np.flatnonzero(mask == 0):
                with pytest.raises(IllegalAction):
                    raw.step(int(action))
            assert raw.save() == before


def test_masks_and_observations_are_copies():
    env = lost_woods_v0.env()
    env.reset(seed=1)
    kept = {name: array.copy() for name, array in env.last()[0].items()}
    for array in env.last()[0].values():
        array[:] = 0
    assert all(np.array_equal(env.last()[0][name], array) for name, array in kept.items())
    env.step(int(np.flatnonzero(kept["action_mask"])[-1]))


@pytest.mark.parametrize("num_players", [2, 3, 5])
def test_every_seat_is_paid_at_the_end(num_players):
    """The winner gets 1, each other -1/(n - 1), each in its own last(); before the end nobody gets anything."""
    env = lost_woods_v0.env(num_players=num_players, turn_limit=400)
    seed, paid = 0, {}
    while not paid:
        for agent, _, reward, terminated, _, _ in play(env, seed):
            if terminated:
                paid[agent] = reward
            else:
                assert reward == 0 or env.truncations[agent]
        seed += 1
    assert set(paid) == set(env.possible_agents)
    assert sorted(paid.values()) == pytest.approx([-1 / (num_players - 1)] * (num_players - 1) + [1])


def test_gold_rewards_sum_to_the_lead():
    """reward="gold": a seat's rewards sum to its gold less the mean of the others', over 51 (here nobody has won: the game was cut)."""
    env = lost_woods_v0.env(num_players=3, reward="gold", turn_limit=5)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent, _, reward, *_ in play(env, 3):
        total[agent] += reward
    gold = env.unwrapped.batch.positions.carried[0, :3, 6]
    for seat, agent in enumerate(env.possible_agents):
        assert total[agent] == pytest.approx((gold[seat] - (gold.sum() - gold[seat]) / 2) / 51)
    assert len(set(gold.tolist())) > 1


def test_a_saved_game_goes_on_alike():
    env = lost_woods_v0.raw_env(num_players=3, turn_limit=10)
    env.reset(seed=8)
    rng = np.random.default_rng(0)
    for _ in range(60):
        env.step(int(rng.choice(np.flatnonzero(env.action_masks()))))
    saved, twin = env.save(), env.clone(4)
    assert twin.batch.positions.tobytes() == env.batch.positions.tobytes()
    ends = []
    for _ in range(2):
        env.load(saved)
        rng = np.random.default_rng(1)
        while not any(env.truncations.values()) and not any(env.terminations.values()):
            env.step(int(rng.choice(np.flatnonzero(env.action_masks()))))
        ends.append(env.batch.positions.tobytes())
    assert ends[0] == ends[1]


def test_wrong_arguments():
    with pytest.raises(OptionError, match="num_players=7: must be a whole number from 2 to 6"):
        lost_woods_v0.env(num_players=7)
    with pytest.raises(OptionError, match="no option 'players'"):
        lost_woods_v0.env(players=3)
    with pytest.raises(OptionError, match="turn_limit=0"):
        lost_woods_v0.env(max_cycles=0)


def test_it_says_that_it_has_no_parallel_form():
    assert lost_woods_v0.env().metadata["is_parallelizable"] is False
    assert not hasattr(lost_woods_v0, "parallel_env")


def test_a_game_begins_with_reset():
    env = lost_woods_v0.env()
    for call in (lambda: env.step(0), lambda: env.observe("player_0")):
        with pytest.raises(ResetNeeded, match="there is no game yet"):
            call()
