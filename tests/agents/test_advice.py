import json

import numpy as np
import pytest
import torch as th

from deckwood.core.batch import Batch
from deckwood_agents.learning.sb3 import BatchVecEnv
from deckwood_agents.learning.training import main
from deckwood_agents.players.advice import AdviceInput
from deckwood_agents.players.policy import MaskedPolicy, copy_policy, policy_arguments
from deckwood_agents.players.protocol import UnknownAgent
from deckwood_agents.players.roster import make_agent
from tests.agents import ladder

ADVISED = ["--network.advice", "expert"]


def games(n=4):
    batch = Batch("test/Ladder-v0", n, seed=1)
    return BatchVecEnv(batch, AdviceInput("expert", batch.spec, batch.deck))


def policy(env, weight=3.0, **more):
    arguments = policy_arguments(trunk=[8], heads=[8], activation="relu", advice="expert", advice_weight=weight)
    return MaskedPolicy(env.observation_space, env.action_space, lambda _: 0.0, **arguments, **more)


def test_what_the_adviser_would_do_stands_beside_the_observation():
    env = games()
    for step in range(3):
        seen = env.step(np.zeros(4, np.int64))[0] if step else env.reset()
        assert seen.shape == (4, 3 + 6)
        assert (seen[:, :3] == env.batch.obs).all()
        assert seen[:, 3:].argmax(axis=1).tolist() == seen[:, 1].tolist()  # the expert climbs as far as the die allows
        assert (seen[:, 3:].sum(axis=1) == 1).all()
        assert env.observation_space.contains(seen[0])


def test_a_game_that_is_over_has_no_advice():
    env = games()
    env.reset()
    done = np.zeros(4, np.bool_)
    while not done.any():
        _, _, done, infos = env.step(np.zeros(4, np.int64))
    last = infos[int(done.argmax())]["terminal_observation"]
    assert last[2] == 8
    assert last[3:].tolist() == [0] * 6


def test_the_advice_begins_with_its_weight_above_the_others():
    """By hand: among k legal actions at even odds otherwise it has e^3 / (e^3 + k - 1)."""
    env = games()
    seen, mask = env.reset(), env.masks.copy()
    network = policy(env)
    with th.no_grad():
        network.action_net.weight[:, :8] = 0
        chances = network.get_distribution(th.as_tensor(seen), mask).logits.exp().numpy()
    die = seen[:, 1].astype(int)
    assert chances[np.arange(4), die] == pytest.approx(np.exp(3) / (np.exp(3) + die))


def test_a_copy_follows_the_same_advice():
    env = games()
    network = policy(env, 2.0)
    with th.no_grad():
        network.action_net.weight[:, 8:] *= 1.5
    seen, mask = th.as_tensor(env.reset()), env.masks
    assert th.equal(copy_policy(network).get_distribution(seen, mask).logits, network.get_distribution(seen, mask).logits)


@pytest.mark.parametrize("adviser", ["expert", "greedy"])
def test_a_run_begins_as_its_adviser_and_its_checkpoint_brings_the_adviser_along(workplace, adviser):
    flags = ["--ppo.learning-rate", "1e-9", "--network.advice-weight", "9", "--total-steps", "128"]
    assert main(["tiny.yaml", "--name", "run", "--network.advice", adviser, *flags]) == 0
    result = json.loads((workplace / "runs/run/result.json").read_text())["agents"]
    assert result["ppo"]["mean_return"] == result[adviser]["mean_return"]
    assert result["expert"]["mean_return"] > result["greedy"]["mean_return"]
    batch = Batch("test/Ladder-v0", 4, seed=1)
    agent = make_agent("ppo:runs/run", ladder.SPEC, batch.deck)
    most = 1 if adviser == "greedy" else 5  # the expert climbs as far as the die allows, greedy one rung
    assert agent.act(batch.obs, batch.mask, batch.positions).tolist() == np.minimum(most, batch.positions.die).tolist()


def test_a_run_of_several_seats_is_advised_too(workplace):
    flags = ["--game", "hill", "--self-play.snapshot-every", "256", "--self-play.current", "0.5", "--self-play.past", "0.5"]
    more = ["--self-play.scripted", "{}", "--network.advice-weight", "9", "--ppo.learning-rate", "1e-9"]
    assert main(["tiny.yaml", "--name", "hill", *ADVISED, *flags, *more]) == 0
    cells = json.loads((workplace / "runs/hill/result.json").read_text())["cross_play"]
    won = {(cell["agent"], cell["against"]): cell["win_rate"] for cell in cells}
    assert won["ppo", "greedy"] == won["expert", "greedy"]


def test_advice_from_nobody_or_from_someone_slow_is_refused(workplace, capsys):
    assert main(["tiny.yaml", "--network.advice", "search"]) == 2
    assert capsys.readouterr().err == "error: network.advice: 'search' is not a scripted agent of Ladder (it has: greedy, expert)\n"
    with pytest.raises(UnknownAgent, match="'random' is not a scripted agent"):
        AdviceInput("random", ladder.SPEC, ladder.load_deck(None))
