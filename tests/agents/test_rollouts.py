import numpy as np
import pytest
import torch as th
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from stable_baselines3.common.logger import Logger

from deckwood.core.batch import Batch
from deckwood_agents.learning.rollouts import RolloutBuffer
from deckwood_agents.learning.sb3 import BatchVecEnv
from deckwood_agents.players.policy import Features, MaskedPolicy, batch_spaces, policy_arguments
from tests.agents import ladder

ARRAYS = ("observations", "actions", "values", "log_probs", "advantages", "returns", "action_masks", "rewards", "episode_starts")


def learner(policy, buffer, **arguments):
    agent = MaskablePPO(
        policy,
        BatchVecEnv(Batch(ladder.SPEC, 8, seed=1)),
        n_steps=32,
        batch_size=64,
        n_epochs=3,
        learning_rate=1e-2,
        ent_coef=0.05,
        policy_kwargs={**policy_arguments([16], [8], "tanh"), **arguments},
        rollout_buffer_class=buffer,
        device="cpu",
        seed=1,
    )
    agent.set_logger(Logger(None, []))
    return agent


@pytest.fixture
def pair():
    """Our agent after a rollout, and a stock one with the same weights and the same rollout."""
    ours = learner(MaskedPolicy, RolloutBuffer)
    stock = learner("MlpPolicy", MaskableRolloutBuffer, optimizer_kwargs={"eps": 1e-5})
    _, callback = ours._setup_learn(10_000)
    for _ in range(2):  # the second finds the first one's numbers in its arrays
        ours.collect_rollouts(ours.env, callback, ours.rollout_buffer, 32)
    stock.policy.load_state_dict(ours.policy.state_dict())
    for name in ARRAYS:
        array = getattr(ours.rollout_buffer, name)
        getattr(stock.rollout_buffer, name)[:] = array.reshape(getattr(stock.rollout_buffer, name).shape)
    stock.rollout_buffer.full = True
    return ours, stock


def test_an_update_is_stocks(pair):
    before = [parameter.clone() for parameter in pair[0].policy.parameters()]
    for agent in pair:
        np.random.seed(3)  # noqa: NPY002 - of the minibatches
        agent.train()
    for start, own, theirs in zip(before, *(agent.policy.parameters() for agent in pair), strict=True):
        assert th.allclose(own, theirs, rtol=0, atol=2e-5)
        assert (own - start).abs().max() > 1e-2  # hundreds of times as far
    own, theirs = (agent.logger.name_to_value for agent in pair)
    for name in ("train/loss", "train/entropy_loss", "train/approx_kl", "train/clip_fraction", "train/explained_variance"):
        assert own[name] == pytest.approx(theirs[name], abs=1e-4)


def test_minibatches_are_stocks_in_the_same_order(pair):
    batches = []
    for agent in pair:
        np.random.seed(4)  # noqa: NPY002
        batches.append(list(agent.rollout_buffer.get(64)) + list(agent.rollout_buffer.get(128)))
    assert [len(batch.returns) for batch in batches[0]] == [64] * 4 + [128] * 2
    for own, theirs in zip(*batches, strict=True):
        for name, array in own._asdict().items():
            assert np.array_equal(array, getattr(theirs, name)), name


def test_arrays_are_reserved_once():
    agent = learner(MaskedPolicy, RolloutBuffer)
    _, callback = agent._setup_learn(10_000)
    kept = agent.rollout_buffer.observations
    agent.collect_rollouts(agent.env, callback, agent.rollout_buffer, 32)
    list(agent.rollout_buffer.get(64))
    agent.rollout_buffer.reset()
    assert agent.rollout_buffer.observations is kept
    assert agent.rollout_buffer.pos == 0
    assert not agent.rollout_buffer.full


@pytest.mark.parametrize("trunk", [(), (3,), (3, 2)])
def test_few_and_many_observations_are_scaled_alike(trunk):
    """Many are multiplied by scaled weights, few are scaled themselves."""
    th.manual_seed(1)
    features = Features(batch_spaces(ladder.SPEC)[0], trunk, "tanh")
    observations = th.rand(50, 3) * th.tensor([20.0, 5.0, 8.0])
    one_by_one = th.cat([features(row[None]) for row in observations])
    assert th.allclose(features(observations), one_by_one, atol=1e-6)
    assert th.allclose(features(observations), features.trunk(observations / th.tensor([20.0, 5.0, 8.0])), atol=1e-6)
