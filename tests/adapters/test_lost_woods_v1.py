"""Lost Woods through PettingZoo: its own tests, and those that read the masks."""

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.test.state_test import test_state as state_test
from pettingzoo.test.state_test import test_state_space as state_space_test

from deckwood import lost_woods_v1
from deckwood.core.batch import Batch
from deckwood.core.errors import IllegalAction, OptionError
from deckwood.core.replay import final_position, replay


def play(env, seed, agent_steps=10_000_000, eager=()):
    """A random game, in which ``eager`` groups of actions are preferred; yields what each ``last()`` gives to whom."""
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for agent in env.agent_iter(agent_steps):
        observation, reward, terminated, truncated, info = env.last()
        yield agent, observation, reward, terminated, truncated, info
        legal = np.flatnonzero(observation["action_mask"])
        wanted = [action for action in legal if env.unwrapped.game_spec.actions[action].group in eager]
        legal = wanted or legal
        env.step(None if terminated or truncated else int(rng.choice(legal)))


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("num_players", [2, 4, 6])
def test_pettingzoos_own_tests(num_players):
    api_test(lost_woods_v1.env(num_players=num_players, turn_limit=6), num_cycles=400)
    seed_test(lambda: lost_woods_v1.env(num_players=num_players, turn_limit=6), num_cycles=100)


def test_pettingzoos_render_test():
    render_test(lambda render_mode: lost_woods_v1.env(render_mode=render_mode, turn_limit=2), {"ansi": lambda text: isinstance(text, str)})


@pytest.mark.parametrize("num_players", [2, 3, 6])
def test_max_cycles_are_turns(num_players):
    """PettingZoo's max_cycles_test wants a parallel form. Its promise, here: as many turns for each, then everyone is truncated."""
    env = lost_woods_v1.env(num_players=num_players, max_cycles=4)
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
    env = lost_woods_v1.env(num_players=num_players, turn_limit=8)
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
    env = lost_woods_v1.env()
    env.reset(seed=1)
    kept = {name: array.copy() for name, array in env.last()[0].items()}
    for array in env.last()[0].values():
        array[:] = 0
    assert all(np.array_equal(env.last()[0][name], array) for name, array in kept.items())
    env.step(int(np.flatnonzero(kept["action_mask"])[-1]))


@pytest.mark.parametrize("num_players", [2, 3, 5])
def test_every_seat_is_paid_at_the_end(num_players):
    """The winner gets 1, each other -1/(n - 1), each in its own last(); before the end nobody gets anything."""
    env = lost_woods_v1.env(num_players=num_players, turn_limit=400)
    seed, paid = 0, {}
    while not paid:
        for agent, _, reward, terminated, _, _ in play(env, seed, eager=("explore", "attack")):
            if terminated:
                paid[agent] = reward
            else:
                assert reward == 0 or env.truncations[agent]
        seed += 1
    assert set(paid) == set(env.possible_agents)
    assert sorted(paid.values()) == pytest.approx([-1 / (num_players - 1)] * (num_players - 1) + [1])


def test_gold_rewards_sum_to_the_lead():
    """reward="gold": a seat's rewards sum to its gold less the mean of the others', over 51 (here nobody has won: the game was cut)."""
    env = lost_woods_v1.env(num_players=3, reward="gold", turn_limit=5)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent, _, reward, *_ in play(env, 3):
        total[agent] += reward
    gold = env.unwrapped.batch.positions.carried[0, :3, 6]
    for seat, agent in enumerate(env.possible_agents):
        assert total[agent] == pytest.approx((gold[seat] - (gold.sum() - gold[seat]) / 2) / 51)
    assert len(set(gold.tolist())) > 1


def test_a_saved_game_goes_on_alike():
    env = lost_woods_v1.raw_env(num_players=3, turn_limit=10)
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
        lost_woods_v1.env(num_players=7)
    with pytest.raises(OptionError, match="no option 'players'"):
        lost_woods_v1.env(players=3)
    with pytest.raises(OptionError, match="turn_limit=0"):
        lost_woods_v1.env(max_cycles=0)
    with pytest.raises(OptionError, match="max_cycles=5 and turn_limit=9 are the same option; give one of them"):
        lost_woods_v1.env(max_cycles=5, turn_limit=9)


@pytest.mark.parametrize("num_players", [2, 5])
def test_the_state_is_the_whole_table(num_players):
    """Every seat's view in the order of seats, then who decides; it goes on when agents step, and is the same whoever asks."""
    env = lost_woods_v1.env(num_players=num_players, turn_limit=3)
    raw, size = env.unwrapped, 758
    assert env.state_space.shape == (num_players * size + num_players,)
    for agent, observation, _, terminated, truncated, _ in play(env, 4):
        state = env.state()
        assert env.state_space.contains(state)
        views = state[: num_players * size].reshape(num_players, size)
        assert all(np.array_equal(views[seat], raw.observe(name)["observation"]) for seat, name in enumerate(raw.possible_agents))
        assert np.array_equal(views[raw.possible_agents.index(agent)], observation["observation"])
        over = terminated or truncated
        assert state[num_players * size :].tolist() == [float(name == agent and not over) for name in raw.possible_agents]


def test_pettingzoos_state_test():
    """With masks, which its sampling of actions does not read."""
    env = lost_woods_v1.env(turn_limit=3)
    for agent in env.possible_agents:
        sample = env.action_space(agent).sample
        env.action_space(agent).sample = lambda sample=sample: sample(env.unwrapped.action_masks())
    state_space_test(env)
    state_test(env, 100)


@pytest.mark.parametrize("given", [47_990, 48_000])
def test_a_very_long_game_is_cut_between_turns(given):
    """Batch, environment, text and replay agree: it is over, truncated, and nobody has a choice."""
    env = lost_woods_v1.env(num_players=2, render_mode="ansi", record=True, turn_limit=1000)
    env.reset(seed=3)
    raw = env.unwrapped
    raw.batch.positions.decisions[0] = given
    rng = np.random.default_rng(1)
    while not raw.batch.terminated[0] and not raw.batch.truncated[0]:
        env.step(int(rng.choice(np.flatnonzero(raw.action_masks()))))
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    assert all(info["ended"] == "truncated" and not info["action_mask"].any() for info in env.infos.values())
    assert not raw.batch.mask.any()
    assert not raw.batch.final_mask.any()
    assert raw.batch.actor[0] == -1
    assert raw.batch.positions.decisions[0] < 50_000
    assert "Cut after 48," in env.render()
    assert "Choices" not in env.render()


@pytest.mark.slow
def test_a_game_of_48000_decisions_is_played_back():
    """Six who stroll about, drop things and take them up: cut between two turns, and its replay ends at the same position."""
    batch = Batch("deckwood/LostWoods-v1", 1, seed=1, num_players=6, turn_limit=1000, autoreset=False, log=60_000)
    strolling = np.array([action.group in ("move", "drop", "take") for action in batch.spec.actions])
    rng = np.random.default_rng(1)
    while not batch.truncated[0]:
        legal = np.flatnonzero(batch.mask[0] & strolling)
        batch.step(np.array([rng.choice(legal) if legal.size else 0]))
    assert not batch.terminated[0]
    assert 48_000 <= batch.positions.decisions[0] < 50_000
    assert batch.positions.turns[0] < 6000
    assert not batch.final_mask.any()
    played = final_position(batch.game, replay(batch.game, batch.events(), batch.memory()))
    assert played.tobytes() == batch.positions.tobytes()
    assert not batch.game.legal(played).any()


def test_it_says_that_it_has_no_parallel_form():
    assert lost_woods_v1.env().metadata["is_parallelizable"] is False
    assert not hasattr(lost_woods_v1, "parallel_env")


def test_a_game_begins_with_reset():
    env = lost_woods_v1.env()
    for call in (lambda: env.step(0), lambda: env.observe("player_0")):
        with pytest.raises(ResetNeeded, match="there is no game yet"):
            call()
