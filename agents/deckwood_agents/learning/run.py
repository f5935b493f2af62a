"""A training run: from its configuration to a self-describing checkpoint."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch as th
from rich.console import Console
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from deckwood.core.batch import Batch
from deckwood.core.errors import DeckwoodError
from deckwood.core.game import Game
from deckwood.core.golden import stored_hash
from deckwood_agents.games import find_game
from deckwood_agents.learning.bar import Bar
from deckwood_agents.learning.config import ConfigError, TrainConfig
from deckwood_agents.learning.evaluators import Evaluator, SoloEvaluator
from deckwood_agents.learning.folders import deck_of
from deckwood_agents.learning.imitation import ImitationPPO, Lesson
from deckwood_agents.learning.logs import make_logger
from deckwood_agents.learning.rollouts import RolloutBuffer
from deckwood_agents.learning.sb3 import BatchVecEnv, GamesVecEnv, NonFinite
from deckwood_agents.learning.schedule import LearningRate
from deckwood_agents.learning.state import restore_state
from deckwood_agents.learning.stop import Stop, Stopped
from deckwood_agents.learning.store import Store
from deckwood_agents.measuring.evaluation import Interrupted
from deckwood_agents.players.advice import AdviceInput
from deckwood_agents.players.checkpoints import CheckpointError, check_manifest, read_manifest
from deckwood_agents.players.network import NetworkAgent
from deckwood_agents.players.policy import MaskedPolicy, policy_arguments
from deckwood_agents.players.protocol import Agent
from deckwood_agents.players.roster import make_agent, quick
from deckwood_agents.seeds import Seeds


class Run(BaseCallback):
    """One process's share of a run. Stable-Baselines3 calls back before each rollout; everything else happens there, between updates."""

    store: Store  # where it is kept, from begin() on

    def __init__(self, config: TrainConfig, checkpoint: Path | None, console: Console, stop: Stop) -> None:
        super().__init__()
        self.config, self.console, self.stop = config, console, stop
        self.spec = find_game(config.game)
        self.game = Game(self.spec, deck=deck_of(config, checkpoint), **config.options)
        th.set_num_threads(
            config.threads or len(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1))
        )
        self.evaluator = self._make_evaluator([make_agent(name, self.spec, self.game.deck) for name in self._opponents()])
        self.lesson = self._lesson()
        self.venv = self._make_venv(Batch(self.game, config.num_envs, seed=Seeds.TRAINING(config.seed)))
        self.agent, self.evaluated = self._new() if checkpoint is None else self._load(checkpoint)
        self.bar = Bar(console, config.total_steps, self.agent.num_timesteps, shown=config.progress)

    def _make_venv(self, batch: Batch) -> GamesVecEnv:
        if self.config.self_play is not None:
            raise ConfigError(f"self_play: {self.spec.name} is played alone; this section is for multiplayer games")
        return BatchVecEnv(batch, self._advice_input())

    def _make_evaluator(self, opponents: Sequence[Agent]) -> Evaluator:
        return SoloEvaluator(self.game, opponents, self.config.evaluation)

    def _rollout_buffer(self) -> dict[str, Any]:
        """The rollout buffer class of MaskablePPO."""
        return {"rollout_buffer_class": RolloutBuffer}

    def _advice_input(self) -> AdviceInput | None:
        """The source of the network's advice, if it takes any."""
        if not (name := self.config.network.advice):
            return None
        try:
            return AdviceInput(name, self.spec, self.game.deck)
        except DeckwoodError as error:
            raise ConfigError(f"network.advice: {error}") from None

    def _lesson(self) -> Lesson | None:
        """The teacher of the run's first stage, if it has one."""
        if (imitation := self.config.imitation) is None:
            return None
        try:
            teacher = make_agent(imitation.teacher, self.spec, self.game.deck, device=self.config.device)
        except DeckwoodError as error:
            raise ConfigError(f"imitation.teacher: {error}") from None
        if imitation.loss_coef and not hasattr(teacher, "losses"):
            raise ConfigError(
                f"imitation.loss_coef: {imitation.teacher!r} does not know what actions lose, so it must be 0, or the teacher optimum"
            )
        return Lesson(teacher, imitation, self.config.seed)

    def _algorithm(self) -> type[MaskablePPO]:
        return MaskablePPO if self.lesson is None else ImitationPPO

    def _taught(self, agent: MaskablePPO) -> MaskablePPO:
        """``agent``, with its teacher attached."""
        if isinstance(agent, ImitationPPO) and self.lesson is not None:
            agent.lesson = self.lesson
        return agent

    def _opponents(self) -> list[str]:
        """The configured opponents that the game has; a game without scripted agents can be trained too."""
        return [name for name in self.config.evaluation.opponents if name not in ("greedy", "expert") or name in quick(self.spec)]

    def _new(self) -> tuple[MaskablePPO, int]:
        config, ppo = self.config, self.config.ppo
        chosen = (
            "n_steps",
            "batch_size",
            "n_epochs",
            "gamma",
            "gae_lambda",
            "clip_range",
            "ent_coef",
            "vf_coef",
            "max_grad_norm",
            "target_kl",
        )
        agent = self._algorithm()(
            MaskedPolicy,
            self.venv,
            learning_rate=LearningRate.of(ppo),
            policy_kwargs=policy_arguments(**config.network.model_dump()),
            stats_window_size=max(100, 2 * config.num_envs),
            seed=config.seed,
            device=config.device,
            **self._rollout_buffer(),
            **{name: getattr(ppo, name) for name in chosen},
        )
        return self._taught(agent), 0

    def _load(self, checkpoint: Path) -> tuple[MaskablePPO, int]:
        manifest = read_manifest(checkpoint)
        check_manifest(checkpoint, manifest, self.spec, stored_hash(self.spec))
        if manifest.deck_digest != self.game.deck.digest:
            raise CheckpointError(f"{checkpoint}: the deck file {self.game.deck.source} has changed since this run began")
        agent, _ = self._new()
        return agent, restore_state(checkpoint, self.venv, agent)

    def begin(self, folder: Path, command: str) -> None:
        """Keep the run in ``folder``."""
        self.store = Store(folder, self.config, self.game, command, self.agent.num_timesteps)

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        self.between_updates(finished=False)

    def between_updates(self, finished: bool) -> None:
        """After each update, before the first, and after the last: check, log, evaluate, save, and stop if that was asked for."""
        steps = self.agent.num_timesteps
        trained = steps > self.agent._num_timesteps_at_start
        if trained:
            self._check_losses()
        self.bar.update(steps, self._episode_text)
        every = self.config.evaluation.every
        if not self.stop and not finished and every and steps // every > self.evaluated // every:
            self._validate(steps)
        if trained:
            self.agent.dump_logs(steps // (self.config.num_envs * self.config.ppo.n_steps))
        if self.stop or finished or self.store.is_due(steps):
            self.store.save(self.agent, self.venv, self.evaluated)
        if self.stop and not finished:
            raise Stopped

    def _check_losses(self) -> None:
        values = self.agent.logger.name_to_value
        for name in ("train/loss", "train/policy_gradient_loss", "train/value_loss", "train/entropy_loss"):
            if not math.isfinite(value := values.get(name, 0.0)):
                raise NonFinite(f"{name.removeprefix('train/')} is {value}")
        for name, parameter in self.agent.policy.named_parameters():
            if not bool(th.isfinite(parameter).all()):
                raise NonFinite(f"the network's {name} is no longer finite")

    def _episode_text(self) -> str:
        finished = self.agent.ep_info_buffer
        if not finished:
            return "training"
        wins = self.agent.ep_success_buffer or [False]
        return f"return {np.mean([e['r'] for e in finished]):.2f}  wins {100 * np.mean(wins):.1f}%"

    def _network(self) -> NetworkAgent:
        """The current network as an agent."""
        self.agent.policy.set_training_mode(False)
        return NetworkAgent("ppo", self.agent.policy, sample=self.config.evaluation.sample, advice_input=self.venv.advice_input)

    def _validate(self, steps: int) -> None:
        """The network on the validation games, for the log and a line on the console."""
        try:
            found = self.evaluator.validate(self._network(), lambda: bool(self.stop))
        except Interrupted:
            return  # the resumed run will do it
        self.evaluated = steps
        for name, value in found.numbers.items():
            self.agent.logger.record(f"validation/{name}", value)
        self.console.print(f"{steps:>12,} steps: {found.text}", markup=False)

    def learn(self) -> None:
        """Train to ``total_steps``. Stopped after a signal; NonFinite if a number is infinite or NaN."""
        logger = make_logger(self.config, self.store.folder, self.store.record["created"], self.agent.num_timesteps)
        self.agent.set_logger(logger)
        done = self.agent.num_timesteps
        try:
            with self.bar:
                if done < self.config.total_steps:
                    self.agent.learn(self.config.total_steps - done, callback=self, log_interval=None, reset_num_timesteps=done == 0)  # type: ignore[arg-type]
                    self.between_updates(finished=True)
        finally:
            logger.close()

    def compare(self) -> dict[str, Any]:
        """Print the agent and its opponents on the evaluation games, and store the comparison in result.json and result.png."""
        with self.console.status("") as status:
            result = self.evaluator.compare(self._network(), status.update)
        self.store.write_result(result)
        self.evaluator.show(result, self.store.folder / "result.png", self.console)
        return result
