"""A training run: from its configuration to a checkpoint that says all about itself."""

from __future__ import annotations

import json
import math
import os
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch as th
import yaml
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import KVWriter, Logger, TensorBoardOutputFormat

from deckwood.core.batch import Batch
from deckwood.core.errors import DeckwoodError
from deckwood.core.files import write_atomically
from deckwood.core.game import Game
from deckwood.core.golden import stored_hash
from deckwood_agents.games import find_game
from deckwood_agents.learning.config import ConfigError, TrainConfig
from deckwood_agents.learning.folders import deck_of, read_record
from deckwood_agents.learning.imitation import ImitationPPO, Lesson
from deckwood_agents.learning.logs import JsonLines, Wandb
from deckwood_agents.learning.provenance import provenance
from deckwood_agents.learning.rollouts import RolloutBuffer
from deckwood_agents.learning.sb3 import BatchVecEnv, GamesVecEnv, NonFinite
from deckwood_agents.learning.schedule import LearningRate
from deckwood_agents.learning.state import restore_state, run_state
from deckwood_agents.learning.stop import Stop, Stopped
from deckwood_agents.learning.verdict import verdict
from deckwood_agents.measuring.evaluation import Interrupted, all_options, evaluate, plot, print_tables
from deckwood_agents.players.advice import Adviser
from deckwood_agents.players.checkpoints import (
    CheckpointError,
    Manifest,
    check_manifest,
    layout_digest,
    read_manifest,
    save_checkpoint,
)
from deckwood_agents.players.network import NetworkAgent
from deckwood_agents.players.policy import MaskedPolicy, policy_arguments
from deckwood_agents.players.protocol import Agent
from deckwood_agents.players.roster import make_agent, quick
from deckwood_agents.seeds import Seeds


class Run(BaseCallback):
    """One process's share of a run. Stable-Baselines3 calls back before each rollout; everything else happens there, between updates."""

    folder: Path  # where it is kept, from begin() on

    def __init__(self, config: TrainConfig, checkpoint: Path | None, console: Console, stop: Stop) -> None:
        super().__init__()
        self.config, self.console, self.stop = config, console, stop
        self.spec = find_game(config.game)
        self.game = Game(self.spec, deck=deck_of(config, checkpoint), **config.options)
        th.set_num_threads(
            config.threads or len(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1))
        )
        self.opponents = [make_agent(name, self.spec, self.game.deck) for name in self._opponents()]
        self.opponent_results: dict[str, Any] = {}
        self.lesson = self._lesson()
        self.venv = self._make_venv(Batch(self.game, config.num_envs, seed=Seeds.TRAINING(config.seed)))
        self.agent, self.evaluated = self._new() if checkpoint is None else self._load(checkpoint)
        self.saved = self.agent.num_timesteps
        self.bar: Progress | None = None
        self.record: dict[str, Any] = {}

    def _make_venv(self, batch: Batch) -> GamesVecEnv:
        if self.config.self_play is not None:
            raise ConfigError(f"self_play: {self.spec.name} is played alone; this section is for games of several seats")
        return BatchVecEnv(batch, self._adviser())

    def _rollout_buffer(self) -> dict[str, Any]:
        """What MaskablePPO is told to keep its rollouts in."""
        return {"rollout_buffer_class": RolloutBuffer}

    def _adviser(self) -> Adviser | None:
        """Whoever tells the network what to do, if anybody does."""
        if not (name := self.config.network.advice):
            return None
        try:
            return Adviser(name, self.spec, self.game.deck)
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
        """``agent``, with its teacher beside it."""
        if isinstance(agent, ImitationPPO) and self.lesson is not None:
            agent.lesson = self.lesson
        return agent

    def _opponents(self) -> list[str]:
        """Those of the configuration that the game has; a game without scripted agents can be trained too."""
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

    # Files ---------------------------------------------------------------------------------------------------------------------------

    def begin(self, folder: Path, command: str) -> None:
        """Keep the run in ``folder``: write config.yaml, run.json and a copy of the deck, beside which the model will lie."""
        self.folder = folder
        file = folder / "run.json"
        self.record = read_record(folder) if file.exists() else {"created": time.strftime("%Y-%m-%dT%H:%M:%S%z"), "processes": []}
        self.record |= {
            "env_id": self.spec.env_id,
            "golden_hash": stored_hash(self.spec),
            "deck_digest": self.game.deck.digest,
            "options": all_options(self.game),
            "seeds": {space.name.lower(): str(space(seed)) for space, seed in self._seeds().items()},
        }
        process = {"command": command, "from_step": self.agent.num_timesteps, "threads": th.get_num_threads(), **provenance()}
        self.record["processes"].append(process)
        self.write_record()
        source, copy = self.game.deck.source, self.folder / f"deck{self.game.deck.source.suffix}"
        if source.is_file() and not copy.exists():
            shutil.copyfile(source, copy)
        write_atomically(self.folder / "config.yaml", yaml.safe_dump(self.config.model_dump(mode="json"), sort_keys=False))

    def write_record(self) -> None:
        write_atomically(self.folder / "run.json", json.dumps(self.record, indent=1) + "\n")

    def _seeds(self) -> dict[Seeds, int]:
        return {
            Seeds.TRAINING: self.config.seed,
            Seeds.VALIDATION: self.config.evaluation.seed,
            Seeds.EVALUATION: self.config.evaluation.seed,
        }

    def save(self) -> None:
        """model.zip, and a numbered copy where one is due."""
        steps, every = self.agent.num_timesteps, self.config.checkpoints.every
        self.record["steps"] = self._stages()
        manifest = Manifest(
            env_id=self.spec.env_id,
            golden_hash=stored_hash(self.spec),
            layout=layout_digest(self.spec),
            observation_size=self.spec.observation_size,
            actions=len(self.spec.actions),
            options=all_options(self.game),
            deck_digest=self.game.deck.digest,
            network=self.config.network.model_dump(mode="json"),
            steps=steps,
            seed=self.config.seed,
            run={"config": self.config.model_dump(mode="json"), **self.record},
        )
        save_checkpoint(self.folder / "model.zip", self.agent, manifest, run_state(self.venv, self.agent, self.evaluated))
        if every and steps // every > self.saved // every:
            copy = self.folder / "checkpoints" / f"{steps:012d}.zip"
            copy.parent.mkdir(exist_ok=True)
            write_atomically(copy, (self.folder / "model.zip").read_bytes())
            if keep := self.config.checkpoints.keep:
                for old in sorted(copy.parent.glob("*.zip"))[:-keep]:
                    old.unlink()
        self.saved = steps

    def _stages(self) -> dict[str, int]:
        """The steps of each stage so far; a stage ends with a rollout."""
        steps, rollout = self.agent.num_timesteps, self.config.num_envs * self.config.ppo.n_steps
        taught = 0 if self.lesson is None else -(-self.lesson.config.steps // rollout) * rollout
        return {"imitation": min(steps, taught), "ppo": max(0, steps - taught)}

    def save_failure(self, failure: NonFinite) -> Path:
        """The positions, observations and masks of the games that went wrong (of all, where that is not known)."""
        batch = self.venv.batch
        slots = failure.slots or list(range(batch.num_envs))
        folder = self.folder / f"failure-{self.agent.num_timesteps}"
        folder.mkdir(exist_ok=True)
        np.savez_compressed(
            folder / "games.npz",
            slots=np.array(slots),
            positions=batch.positions[slots].view(np.ndarray),
            **{name: getattr(batch, name)[slots] for name in ("obs", "mask", "reward", "final_obs")},
        )
        games = [self.spec.describe(batch.positions[slot], self.game.deck) for slot in slots[:5]]
        content = {"error": str(failure), "steps": self.agent.num_timesteps, "slots": slots, "first_games": games}
        write_atomically(folder / "failure.json", json.dumps(content, indent=1) + "\n")
        return folder

    # Between updates -----------------------------------------------------------------------------------------------------------------

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
        if self.bar:
            self.bar.update(self.bar.task_ids[0], completed=min(steps, self.config.total_steps), description=self._episode_text())
        every = self.config.evaluation.every
        if not self.stop and not finished and every and steps // every > self.evaluated // every:
            self._evaluate(steps)
        if trained:
            self.agent.dump_logs(steps // (self.config.num_envs * self.config.ppo.n_steps))
        due = self.config.checkpoints.every and steps // self.config.checkpoints.every > self.saved // self.config.checkpoints.every
        if self.stop or finished or due:
            self.save()
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
        """The network as it is, as one that plays."""
        self.agent.policy.set_training_mode(False)
        return NetworkAgent("ppo", self.agent.policy, sample=self.config.evaluation.sample, adviser=self.venv.adviser)

    def _evaluate(self, steps: int) -> None:
        """The network and, the first time, its opponents, on the validation games."""
        network = self._network()
        settings = self.config.evaluation
        agents = [network] if self.opponent_results else [*self.opponents, network]
        try:
            result = evaluate(
                self.game,
                agents,
                episodes=max(2, settings.episodes),
                seed=settings.seed,
                space=Seeds.VALIDATION,
                should_stop=lambda: bool(self.stop),
            )
        except Interrupted:
            return  # the resumed run will do it
        rows = {games.name: result.summary(games) for games in result.games}
        own = rows.pop("ppo")
        self.opponent_results |= rows
        self.evaluated = steps
        for name, row in {"ppo": own, **self.opponent_results}.items():
            self.agent.logger.record(f"validation/{name}_win_rate", row["win_rate"])
            self.agent.logger.record(f"validation/{name}_mean_return", row["mean_return"])
        self.agent.logger.record("validation/mean_length", own["mean_length"])
        others = ", ".join(f"{name} {row['mean_return']:.3f} ({100 * row['win_rate']:.1f}%)" for name, row in self.opponent_results.items())
        low, high = own["mean_return_ci"]
        self.console.print(
            f"{steps:>12,} steps: return {own['mean_return']:.3f} [{low:.3f}, {high:.3f}], wins {100 * own['win_rate']:.1f}%; {others}",
            markup=False,
        )

    def learn(self) -> None:
        """Train to ``total_steps``. Stopped after a signal; NonFinite when a number is not one."""
        writers: list[KVWriter] = [JsonLines(self.folder / "metrics.jsonl", self.agent.num_timesteps)]
        if self.config.tensorboard:
            writers.append(TensorBoardOutputFormat(str(self.folder / "tensorboard")))
        if self.config.wandb != "disabled":
            writers.append(Wandb(self.config, self.folder.name, self.record["created"]))
        logger = Logger(str(self.folder), writers)
        self.agent.set_logger(logger)
        done = self.agent.num_timesteps
        try:
            with self._progress():
                if done < self.config.total_steps:
                    self.agent.learn(self.config.total_steps - done, callback=self, log_interval=None, reset_num_timesteps=done == 0)  # type: ignore[arg-type]
                    self.between_updates(finished=True)
        finally:
            logger.close()

    @contextmanager
    def _progress(self) -> Iterator[None]:
        if not (self.config.progress and self.console.is_terminal):
            yield
            return
        columns = (
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.description}"),
            TextColumn("{task.fields[speed]}"),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=self.console, refresh_per_second=2) as self.bar:
            self.bar.add_task("training", total=self.config.total_steps, completed=self.agent.num_timesteps, speed="")
            yield
        self.bar = None

    def compare(self) -> dict[str, Any]:
        """Print the agent beside its opponents on the evaluation games, and keep it in result.json and result.png."""
        settings = self.config.evaluation
        agents = [*self.opponents, self._network()]
        with self.console.status("") as status:
            result = self._measure(agents, episodes=settings.final_episodes, seed=settings.seed, report=status.update)
        write_atomically(self.folder / "result.json", json.dumps(result, indent=1) + "\n")
        self._show(result)
        return result

    def _measure(self, agents: Sequence[Agent], **how: Any) -> dict[str, Any]:
        return evaluate(self.game, agents, **how).to_json()

    def _show(self, result: Mapping[str, Any]) -> None:
        plot(result, self.folder / "result.png")
        print_tables(result, self.console)

    def verdict(self, result: Mapping[str, Any]) -> str:
        """One sentence on the agent and random play."""
        return verdict(result)
