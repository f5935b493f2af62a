import copy
import inspect

import numpy as np
import pytest

from deckwood.core.batch import Batch
from deckwood.core.errors import IllegalAction
from deckwood.core.game import Game
from deckwood_agents.players.network import NetworkAgent
from deckwood_agents.players.policy import MaskedPolicy, batch_spaces, policy_arguments
from deckwood_agents.players.protocol import UnknownAgent, ask
from deckwood_agents.players.roster import available, make_agent
from deckwood_agents.players.scripted.agent import ScriptedAgent
from deckwood_agents.players.uniform import RandomAgent
from tests.agents import ladder
from tests.threads import held_elsewhere


def network(spec=ladder.SPEC):
    return MaskedPolicy(*batch_spaces(spec), lambda _: 1e-3, **policy_arguments([8], [8], "relu"))


@pytest.mark.parametrize("agent", [RandomAgent, ScriptedAgent, NetworkAgent])
def test_the_mask_is_required(agent):
    assert inspect.signature(agent.act).parameters["mask"].default is inspect.Parameter.empty


def test_every_agent_plays_only_legal_actions():
    game = Game(ladder.SPEC)
    agents = [make_agent(name, game.spec, game.deck) for name in available(game.spec)]
    agents += [NetworkAgent("likeliest", network()), NetworkAgent("sampled", network(), sample=True)]
    assert [agent.name for agent in agents] == ["random", "greedy", "expert", "search", "likeliest", "sampled"]
    for agent in agents:
        batch = Batch(game, 64, seed=3)
        for _ in range(100):  # the batch raises for an illegal one
            batch.step(agent.act(batch.obs, batch.mask, batch.positions))


def test_asking_in_some_games_names_them_as_a_step_does():
    game = Game(ladder.SPEC)
    batch, agent = Batch(game, 6, seed=3), make_agent("expert", game.spec, game.deck)
    for _ in range(3):
        batch.step(batch.random_actions())
    everywhere = agent.act(batch.obs, batch.mask, batch.positions)
    assert len(set(everywhere.tolist())) > 1
    for slots in ([5, 0, 3, 1, 2, 4], [4, 1], everywhere == everywhere[0], None, []):
        chosen = np.arange(6) if slots is None else np.arange(6)[slots] if len(slots) else slots
        assert np.array_equal(ask(agent, batch, slots), everywhere[chosen])
    for slots, error in (([6], IndexError), ([-1], IndexError), ([1, 1], ValueError), ([0.0], TypeError), ([True], ValueError)):
        with pytest.raises(error, match="slots"):
            ask(agent, batch, slots)


def test_a_network_answers_one_thread_at_a_time():
    """It keeps its distribution in itself: two threads that asked at once had each other's answers."""
    batch, agent = Batch(ladder.SPEC, 4, seed=3), NetworkAgent("likeliest", network())
    twin = copy.deepcopy(agent)
    wanted = agent.act(batch.obs, batch.mask)
    with held_elsewhere(agent._one_thread):
        with pytest.raises(RuntimeError, match="two threads use one network at the same time"):
            agent.act(batch.obs, batch.mask)
        assert np.array_equal(twin.act(batch.obs, batch.mask), wanted)
    assert np.array_equal(agent.act(batch.obs, batch.mask), wanted)


def test_a_script_is_given_a_mask_for_every_position():
    game = Game(ladder.SPEC)
    batch, agent = Batch(game, 4, seed=3), make_agent("expert", game.spec, game.deck)
    for mask, positions in ((batch.mask, batch.positions[:3]), (batch.mask[0], batch.positions), (batch.mask[:2], batch.positions)):
        with pytest.raises(ValueError, match="does not match"):
            agent.act(batch.obs, mask, positions)


def test_random_is_uniform_over_the_legal_actions():
    mask = np.zeros((20_000, 7), np.int8)
    mask[:, [1, 4, 6]] = 1
    counts = np.bincount(RandomAgent().act(np.empty((20_000, 0), np.float32), mask), minlength=7)
    assert set(np.flatnonzero(counts)) == {1, 4, 6}
    assert np.abs(counts[[1, 4, 6]] - 20_000 / 3).max() < 5 * np.sqrt(20_000 * 2 / 9)


@pytest.mark.parametrize("agent", [RandomAgent(), NetworkAgent("ppo", network())])
def test_a_mask_that_allows_nothing_is_an_error(agent):
    obs, mask = np.zeros((3, 3), np.float32), np.ones((3, 6), np.int8)
    mask[1] = 0
    with pytest.raises(ValueError, match="row 1 allows no action"):
        agent.act(obs, mask)


@pytest.mark.parametrize("agent", [RandomAgent(), NetworkAgent("ppo", network(), sample=True)])
def test_the_same_seed_gives_the_same_choices(agent):
    obs, mask = np.zeros((50, 3), np.float32), np.ones((50, 6), np.int8)

    def choices(seed):
        agent.reset(seed)
        return [agent.act(obs, mask).tolist() for _ in range(3)]

    assert choices(1) == choices(1) != choices(2)


def test_agents_are_asked_for_some_of_the_games():
    game = Game(ladder.SPEC)
    agent = make_agent("expert", game.spec, game.deck)
    batch = Batch(game, 9, seed=3)
    everywhere = agent.act(batch.obs, batch.mask, batch.positions)
    for slots in (np.arange(9), np.array([1, 4, 8]), np.array([0])):
        assert ask(agent, batch, slots).tolist() == everywhere[slots].tolist()


def test_scripted_agents_see_each_position():
    game = Game(ladder.SPEC)
    batch = Batch(game, 32, seed=1)
    assert make_agent("expert", game.spec, game.deck).act(batch.obs, batch.mask, batch.positions).tolist() == batch.positions.die.tolist()
    assert make_agent("greedy", game.spec, game.deck).act(batch.obs, batch.mask, batch.positions).max() == 1


def test_unknown_agents_are_named_with_the_known_ones(tmp_path):
    game = Game(ladder.SPEC)
    for text, message in {
        "exprt": "unknown agent 'exprt' .*random, greedy, expert",
        "ppo": "no trained agent ships for Ladder",
        "ppo:nowhere": "no checkpoint 'nowhere'",
    }.items():
        with pytest.raises(UnknownAgent, match=message):
            make_agent(text, game.spec, game.deck)


def test_a_game_without_scripted_agents():
    from tests.games import coin

    assert available(coin.SPEC) == ["random", "search"]
    with pytest.raises(UnknownAgent, match="Coin has no scripted agent 'expert'"):
        make_agent("expert", coin.SPEC, Game(coin.SPEC).deck)


def test_an_illegal_choice_of_a_scripted_agent_is_refused_by_the_game():
    from tests.agents.conftest import rule

    @rule
    def leap(s, deck, mask):
        return 5

    game = Game(ladder.SPEC)
    batch = Batch(game, 32, seed=1)
    with pytest.raises(IllegalAction, match="climb_5"):
        batch.step(ScriptedAgent("leap", leap, game.deck).act(batch.obs, batch.mask, batch.positions))
