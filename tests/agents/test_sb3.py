import copy
import dataclasses
import pickle
import warnings

import gymnasium
import numpy as np
import pytest
import torch as th
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy as masked_evaluate_policy
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.vec_env import VecMonitor

from deckwood.core.batch import Batch
from deckwood.core.errors import IllegalAction
from deckwood_agents.learning.config import SelfPlayConfig
from deckwood_agents.learning.sb3 import BatchVecEnv, NonFinite
from deckwood_agents.learning.selfplay import SelfPlayVecEnv
from deckwood_agents.players.advice import AdviceInput
from deckwood_agents.players.policy import Features, MaskedCategorical, MaskedPolicy, batch_spaces, policy_arguments
from deckwood_agents.players.roster import make_agent
from tests.agents import ladder
from tests.games import pig


def make(spec=ladder.SPEC, n=8, seed=1, **keywords):
    return BatchVecEnv(Batch(spec, n, seed=seed, **keywords))


def ppo(venv, policy=MaskedPolicy, **keywords):
    arguments = policy_arguments([8], [8], "relu") if policy is MaskedPolicy else None
    return MaskablePPO(policy, venv, n_steps=16, batch_size=64, policy_kwargs=arguments, device="cpu", seed=1, **keywords)


def test_it_is_the_batch():
    venv, batch = make(), Batch(ladder.SPEC, 8, seed=1)
    assert np.array_equal(venv.reset(), batch.reset(None))
    ended = 0
    for _ in range(60):
        assert np.array_equal(venv.masks, batch.mask)
        assert np.array_equal(np.stack(venv.env_method("action_masks")), batch.mask)
        actions = batch.random_actions()
        obs, rewards, dones, infos = venv.step(actions)
        batch.step(actions)
        done = batch.terminated | batch.truncated
        assert np.array_equal(obs, batch.obs)
        assert obs.dtype == np.float32
        assert np.array_equal(rewards, batch.reward.astype(np.float32))
        assert np.array_equal(dones, done)
        for slot, info in enumerate(infos):
            assert bool(info) == done[slot]  # only those that ended, and nothing left over from the step before
            if info:
                ended += 1
                assert np.array_equal(info["terminal_observation"], batch.final_obs[slot])
                assert info["episode"]["r"] == batch.episode_return[slot]
                assert info["episode"]["l"] == batch.episode_length[slot]
                assert info["is_success"] == (batch.ended[slot] == 1)
                assert not info["TimeLimit.truncated"]
    assert ended > 20


def test_observations_are_not_rewritten_by_later_steps():
    venv = make()
    first = venv.reset()
    kept = first.copy()
    venv.step(venv.batch.random_actions())
    assert np.array_equal(first, kept)


def test_one_seed_serves_all_slots_and_takes_effect_at_reset():
    venv = make(seed=5)
    fresh = venv.batch.obs.copy()
    venv.step(venv.batch.random_actions())
    venv.seed(5)
    assert np.array_equal(venv.reset(), fresh)
    assert not np.array_equal(venv.reset(), fresh)  # the next games, not the same again


def test_attributes():
    venv = make(n=3)
    assert venv.has_attr("action_masks")
    assert [mask().tolist() for mask in venv.get_attr("action_masks")] == venv.masks.tolist()
    assert venv.get_attr("render_mode") == [None] * 3
    assert venv.get_attr("spec", indices=[1]) == [ladder.SPEC]
    assert not venv.has_attr("no_such_thing")
    with pytest.raises(AttributeError, match="no method 'fly'"):
        venv.env_method("fly")
    with pytest.raises(AttributeError, match="share their settings"):
        venv.set_attr("wind", 1)


@pytest.mark.parametrize(
    ("indices", "error"), [([-1], IndexError), (8, IndexError), ([0, 0], ValueError), ([0.0], TypeError), ("0", ValueError)]
)
def test_games_are_named_by_their_numbers(indices, error):
    venv = make()
    calls = (lambda: venv.get_attr("spec", indices), lambda: venv.env_method("action_masks", indices=indices))
    for call in (*calls, lambda: venv.get_attr("action_masks", indices), lambda: venv.env_is_wrapped(VecMonitor, indices)):
        with pytest.raises(error):
            call()


def test_infos_are_a_steps_own():
    """A list that was kept lost its terminal observations in the next step."""
    venv = make()
    venv.reset()
    kept = []
    for _ in range(30):
        *_, infos = venv.step(venv.batch.random_actions())
        kept.append((infos, [dict(info) for info in infos]))
    assert len({id(info) for infos, _ in kept for info in infos}) == 30 * 8
    assert any("terminal_observation" in info for infos, _ in kept for info in infos)
    for infos, then in kept:
        assert all(info.keys() == was.keys() for info, was in zip(infos, then, strict=True))


def with_advice():
    batch = Batch("test/Ladder-v0", 4, seed=1)
    return BatchVecEnv(batch, AdviceInput("expert", batch.spec, batch.deck))


def of_several_seats():
    batch = Batch("test/Hill-v0", 4, seed=1)
    shares = SelfPlayConfig(current=0.5, past=0.0, scripted={"expert": 0.5})
    return SelfPlayVecEnv(batch, shares, [make_agent("expert", batch.spec, batch.deck)], seed=0)


@pytest.mark.parametrize("made", [lambda: BatchVecEnv(Batch("test/Ladder-v0", 4, seed=1)), with_advice, of_several_seats])
def test_it_can_be_copied_in_the_middle_of_its_games(made):
    venv = made()
    venv.reset()
    venv.step(venv.batch.random_actions())
    twins = copy.deepcopy(venv), pickle.loads(pickle.dumps(venv))
    for _ in range(20):
        actions = venv.batch.random_actions()
        seen = venv.step(actions)
        for twin in twins:
            assert np.array_equal(twin.batch.random_actions(), actions)
            assert all(np.array_equal(one, other) for one, other in zip(seen[:3], twin.step(actions)[:3], strict=True))


def test_games_of_several_seats_are_refused():
    with pytest.raises(ValueError, match="test/Pig-v0 has 2 seats"):
        make(pig.SPEC)


def test_stock_maskable_ppo_and_its_tools_work():
    venv = make()
    agent = ppo(venv, "MlpPolicy").learn(256)
    mean, _ = masked_evaluate_policy(agent, venv, n_eval_episodes=20)
    assert 0 <= mean <= 19 / 15
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ppo(VecMonitor(make()), "MlpPolicy").learn(128)


def test_evaluation_without_masks_is_an_error_and_does_not_hang():
    venv = make()
    with pytest.raises(ValueError, match="without its mask"):
        evaluate_policy(ppo(venv), venv, n_eval_episodes=5)
    with pytest.raises(IllegalAction, match="legal: 0 climb_0"):
        evaluate_policy(ppo(venv, "MlpPolicy"), venv, n_eval_episodes=50, deterministic=False)


def test_a_saved_agent_is_read_by_the_stock_class(tmp_path):
    agent = ppo(make())
    agent.learn(128)
    agent.save(tmp_path / "agent")
    again = MaskablePPO.load(tmp_path / "agent", device="cpu")
    obs, masks = agent.env.reset(), agent.env.masks
    assert np.array_equal(
        agent.predict(obs, action_masks=masks, deterministic=True)[0], again.predict(obs, action_masks=masks, deterministic=True)[0]
    )


@pytest.mark.parametrize(("faces", "longest", "bootstrapped"), [("0 1 0 0 0 0", 3, True), ("0 0 0 0 0 1", 8, False)])
def test_only_truncated_games_are_bootstrapped(tmp_path, monkeypatch, faces, longest, bootstrapped):
    """A cut game's last reward takes in the value of its own last observation, an ended one's does not (Pardo et al. 2018)."""
    (tmp_path / "die").write_text(faces)
    venv = make(dataclasses.replace(ladder.SPEC, longest_game=longest), deck=tmp_path / "die")
    agent = ppo(venv, gamma=0.9)
    seen = []

    def values(self, obs):
        seen.append(obs[:, 2].clone())
        return 100 + obs[:, 2:3]

    monkeypatch.setattr(MaskedPolicy, "predict_values", values)
    if not bootstrapped:  # always the most rungs, so that every game reaches the top
        monkeypatch.setattr(MaskedCategorical, "sample", lambda self: th.where(self.logits > -1e7, th.arange(6), -1).argmax(1))
    _, callback = agent._setup_learn(128)
    agent.collect_rollouts(venv, callback, agent.rollout_buffer, 6)
    rewards = agent.rollout_buffer.rewards[:6]
    if bootstrapped:
        assert np.array_equal(rewards > 50, np.tile([[False], [False], [True]] * 2, 8))
        assert np.all(rewards[2] >= 0.9 * 103)  # three turns taken in the game that was cut, none in the new one
        assert all(turns.item() == 3 for turns in seen[:-1])
    else:
        assert rewards.max() < 2
        assert len(seen) == 1  # the value after the last step alone


def test_features_are_scaled_by_their_range():
    space, _ = batch_spaces(ladder.SPEC)
    out = Features(space)(th.tensor([[20.0, 5.0, 4.0], [0.0, 0.0, 8.0]]))
    assert out.tolist() == [[1, 1, 0.5], [0, 0, 1]]


@pytest.mark.parametrize("what", ["obs", "reward"])
def test_numbers_that_are_not_finite_are_named(what, monkeypatch):
    venv = make()
    plain = Batch.step

    def poisoned(self, actions):
        plain(self, actions)
        getattr(self, what)[3] = np.nan

    monkeypatch.setattr(Batch, "step", poisoned)
    with pytest.raises(NonFinite, match="observation height is nan in slot 3" if what == "obs" else "reward is nan in slot 3") as error:
        venv.step(venv.batch.random_actions())
    assert error.value.slots == [3]


# Masked distributions: the cases on which others broke -----------------------------------------------------------------------------------


def masked(logits, mask):
    distribution = MaskedCategorical(logits.shape[1]).proba_distribution(logits)
    distribution.apply_masking(mask)
    return distribution


def test_992_logits_of_which_one_stays():
    """sb3-contrib issue 322: all logits at -17 but one, probabilities read, then everything masked but the first."""
    logits = th.full((1, 992), -17.0)
    logits[0, 400] = 0
    masked(logits, np.ones((1, 992))).logits.exp()
    mask = np.zeros((1, 992), bool)
    mask[0, 0] = True
    distribution = masked(logits, mask)
    assert distribution.sample().item() == distribution.mode().item() == 0
    assert distribution.log_prob(th.tensor([0])).item() == 0
    assert distribution.entropy().item() == 0


def test_wide_action_spaces_over_many_draws():
    """sb3-contrib issue 81: 64 x 1600 float32 probabilities drift from a sum of one."""
    rng, generator = np.random.default_rng(1), th.Generator().manual_seed(1)
    for _ in range(200):
        logits = 20 * th.randn(64, 1600, generator=generator)
        mask = rng.random((64, 1600)) < 0.01
        mask[:, rng.integers(1600)] = True
        distribution = masked(logits, mask)
        for actions in (distribution.sample(), distribution.mode()):
            assert mask[np.arange(64), actions.numpy()].all()
            assert th.isfinite(distribution.log_prob(actions)).all()
        assert (distribution.entropy() >= -1e-5).all()


@pytest.mark.parametrize("size", [7, 666, 1400, 7830])
def test_gradients_are_those_of_the_legal_actions_alone(size):
    generator = th.Generator().manual_seed(size)
    logits = th.randn(4, size, generator=generator, dtype=th.float64, requires_grad=True)
    mask = th.rand(4, size, generator=generator) < 0.3
    mask[:, 2] = True
    distribution = masked(logits, mask)
    (distribution.log_prob(th.full((4,), 2)).sum() + distribution.entropy().sum()).backward()
    gradient = logits.grad.clone()
    assert not gradient[~mask].any()
    logits.grad = None
    for row in range(4):
        plain = th.distributions.Categorical(logits=logits[row][mask[row]], validate_args=False)
        place = int(mask[row][:2].sum())
        (plain.log_prob(th.tensor(place)) + plain.entropy()).backward()
    assert th.allclose(gradient, logits.grad)


def test_samples_follow_the_probabilities():
    th.manual_seed(0)
    logits = th.tensor([[0.0, 1.0, 2.0, 3.0]]).repeat(40_000, 1)
    counts = masked(logits, np.tile([1, 1, 0, 1], (40_000, 1))).sample().bincount(minlength=4).numpy()
    expected = np.exp([0, 1, -np.inf, 3])
    expected *= 40_000 / expected.sum()
    assert counts[2] == 0
    assert np.all(np.abs(counts - expected) <= 5 * np.sqrt(expected))


def test_masks_are_required_and_may_not_be_empty():
    distribution = MaskedCategorical(3).proba_distribution(th.zeros(2, 3))
    for use in (distribution.sample, distribution.mode, distribution.entropy, lambda: distribution.log_prob(th.zeros(2))):
        with pytest.raises(ValueError, match="without its mask"):
            use()
    with pytest.raises(ValueError, match="row 1 allows no action"):
        distribution.apply_masking(np.array([[0, 1, 0], [0, 0, 0]]))


@pytest.mark.parametrize("env_id", ["deckwood/Tanglewoods-v1"])
def test_stable_baselines_own_checker_is_content(env_id):
    """With ``illegal="replace"``, since the checker plays illegal actions."""
    from stable_baselines3.common.env_checker import check_env

    check_env(gymnasium.make(env_id, illegal="replace"))
