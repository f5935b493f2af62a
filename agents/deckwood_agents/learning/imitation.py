"""Learning from a teacher, as the first stage of a run that continues with PPO.

The network learns what a teacher would do at the positions that come up, and the value of playing as is played there. At first the teacher
plays a share of the decisions; the share falls to 0, so that in the end the positions are those that the network itself leads to (DAgger:
Ross, Gordon and Bagnell, 2011), and the value is that of its own play, which is where PPO begins.

From a teacher that knows what each action loses one can learn to be careful where care is worth something (AggreVaTe: Ross and Bagnell,
2014). That an action is preferred to the best one costs what it loses: its loss times softplus(its logit - the best one's), which is
convex, so a choice that is wrong is put right however sure the network is of it.

A rollout of this stage is one of PPO's, in the same buffer, but for two things: :class:`Lesson` writes down what the teacher wants, and
:class:`ImitationPPO` then puts it into the buffer where the actions are and fits them in place of PPO's update.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch as th
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.utils import explained_variance, update_learning_rate
from torch.nn import functional

from deckwood.core.batch import Batch
from deckwood_agents.learning.config import ImitationConfig
from deckwood_agents.learning.rollouts import RolloutBuffer
from deckwood_agents.players.protocol import Agent


class Lesson:
    """A teacher beside the learner: ``wanted`` holds its choices (n,) int64, an array for each step of the rollout, and ``losses`` what
    each action loses by its values (n, A) float32, 0 where it is illegal, if that is to be learnt.

    All that is drawn in a rollout, by the teacher too, comes from the run's seed and the step at which the rollout begins, so a resumed run
    needs no state of it.
    """

    def __init__(self, teacher: Agent, config: ImitationConfig, seed: int) -> None:
        self.teacher, self.config, self.seed = teacher, config, seed
        self.share = 0.0
        self.wanted: list[NDArray[np.int64]] = []
        self.losses: list[NDArray[np.float32]] = []

    def lasts(self, step: int) -> bool:
        """Whether a rollout that begins at ``step`` belongs to this stage."""
        return step < self.config.steps

    def begin(self, step: int) -> None:
        """A rollout begins at ``step``."""
        self.rng = np.random.default_rng([self.seed, 0x7EAC, step])
        self.teacher.reset(int(self.rng.integers(2**63)))
        self.share = self.config.share(step)
        self.wanted, self.losses = [], []

    def attend(self, batch: Batch, actions: NDArray[Any]) -> NDArray[Any]:
        """Record the teacher's choice at each position; returns the actions to play, the teacher's or the learner's (n,)."""
        seen = batch.obs, batch.mask, batch.positions
        if self.config.loss_coef:
            losses = self.teacher.losses(*seen)  # type: ignore[attr-defined]
            wanted = np.nanargmin(losses, axis=1)
            self.losses.append(np.nan_to_num(losses).astype(np.float32))
        else:
            wanted = self.teacher.act(*seen)
        self.wanted.append(wanted)
        return np.where(self.rng.random(len(wanted)) < self.share, wanted, actions)


class ImitationPPO(MaskablePPO):
    """``MaskablePPO`` that imitates while its ``lesson`` lasts. What it saves is loaded by ``MaskablePPO.load``."""

    lesson: Lesson
    rollout_buffer: RolloutBuffer
    imitating: bool = False  # whether the rollout in the buffer is one of imitation

    def _excluded_save_params(self) -> list[str]:
        return [*super()._excluded_save_params(), "lesson", "imitating"]

    def _update_current_progress_remaining(self, num_timesteps: int, total_timesteps: int) -> None:
        """The schedules are PPO's own: they begin where imitation ends."""
        taught = self.lesson.config.steps
        super()._update_current_progress_remaining(max(0, num_timesteps - taught), max(1, total_timesteps - taught))

    def collect_rollouts(self, env: Any, callback: Any, rollout_buffer: Any, *arguments: Any, **keywords: Any) -> bool:
        self.imitating = self.lesson.lasts(self.num_timesteps)
        if not self.imitating:
            return super().collect_rollouts(env, callback, rollout_buffer, *arguments, **keywords)
        self.lesson.begin(self.num_timesteps)
        env.lesson = self.lesson
        try:
            going_on = super().collect_rollouts(env, callback, rollout_buffer, *arguments, **keywords)
        finally:
            env.lesson = None
        rollout_buffer.actions[:] = np.stack(self.lesson.wanted)[:, :, None]
        return going_on

    def train(self) -> None:
        if self.imitating:
            self.imitate()
            if not self.lesson.lasts(self.num_timesteps):
                self.policy.optimizer.state.clear()  # PPO's gradients are of another size than those averaged here
        else:
            super().train()

    def imitate(self) -> None:
        """One update: cross-entropy to the teacher's choices, the cost of preferring actions that lose by its values, squared error of the
        values to the returns; each as far as it has a weight."""
        config, buffer = self.lesson.config, self.rollout_buffer
        lost = th.as_tensor(np.stack(self.lesson.losses)).flatten(0, 1) if config.loss_coef else None
        self.policy.set_training_mode(True)
        rate = config.rate(self.num_timesteps)
        update_learning_rate(self.policy.optimizer, rate)
        losses, agreed = [], []
        for _ in range(config.n_epochs):
            for rows in buffer.parts(config.batch_size):
                sample = buffer.samples(rows)
                distribution, values = self._judge(sample)
                wanted = sample.actions.long().flatten()
                cross_entropy = -distribution.log_prob(wanted).mean()
                value_loss = functional.mse_loss(values.flatten(), sample.returns)
                loss = config.policy_coef * cross_entropy + config.vf_coef * value_loss
                regret = th.zeros(())
                if lost is not None:
                    cost = lost.index_select(0, rows).to(self.device)
                    regret = (distribution.probabilities() * cost).sum(dim=1).mean()
                    ahead = distribution.logits - distribution.logits.gather(1, wanted[:, None])
                    loss = loss + config.loss_coef * (cost * functional.softplus(ahead)).sum(dim=1).mean()
                self.policy.optimizer.zero_grad()
                loss.backward()
                th.nn.utils.clip_grad_norm_(self.policy.parameters(), self.max_grad_norm)
                self.policy.optimizer.step()
                losses.append((cross_entropy.item(), value_loss.item(), regret.item(), loss.item()))
                agreed.append((distribution.mode() == wanted).float().mean().item())
            self._n_updates += 1
        cross_entropy_mean, value_mean, regret_mean, _ = np.mean(losses, axis=0)
        self.logger.record("imitation/cross_entropy", cross_entropy_mean)
        if lost is not None:
            self.logger.record("imitation/loss", regret_mean)
        self.logger.record("imitation/agreement", np.mean(agreed))
        self.logger.record("imitation/teacher_share", self.lesson.share)
        self.logger.record("train/value_loss", value_mean)
        self.logger.record("train/loss", losses[-1][-1])
        self.logger.record("train/learning_rate", rate)
        self.logger.record("train/explained_variance", explained_variance(buffer.values.flatten(), buffer.returns.flatten()))
        self.logger.record("train/n_updates", self._n_updates, exclude="tensorboard")

    def _judge(self, sample: Any) -> tuple[Any, th.Tensor]:
        """The distribution over actions, and the values (n, 1), of a minibatch in one pass through the shared layers."""
        policy = self.policy
        latent_pi, latent_vf = policy.mlp_extractor(policy.extract_features(sample.observations))
        distribution = policy._get_action_dist_from_latent(latent_pi)
        distribution.apply_masking(sample.action_masks)
        return distribution, policy.value_net(latent_vf)
