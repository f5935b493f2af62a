"""A training run: from its configuration to a checkpoint that says all about itself, through Ctrl-C and back."""

from __future__ import annotations

import json
import math
import os
import platform
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch as th
import yaml
from numpy.typing import NDArray
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
from deckwood_agents.games import find_game, slug
from deckwood_agents.learning.config import RESUMABLE, ConfigError, PPOConfig, SelfPlayConfig, TrainConfig, build, command_line, read_yaml
from deckwood_agents.learning.imitation import ImitationPPO, Lesson
from deckwood_agents.learning.rollouts import RolloutBuffer
from deckwood_agents.learning.sb3 import BatchVecEnv, GamesVecEnv, NonFinite
from deckwood_agents.learning.selfplay import SelfPlayBuffer, SelfPlayVecEnv
from deckwood_agents.measuring.evaluation import Interrupted, all_options, evaluate, make_console, per_cent, plot, print_tables
from deckwood_agents.measuring.statistics import Interval, bootstrap_generator
from deckwood_agents.measuring.tournament import cross_play, tournament
from deckwood_agents.measuring.tournament import plot as plot_tournament
from deckwood_agents.measuring.tournament import print_tables as print_tournament
from deckwood_agents.players.advice import Adviser
from deckwood_agents.players.checkpoints import (
    CheckpointError,
    Manifest,
    check_manifest,
    layout_digest,
    read_manifest,
    read_resume,
    save_checkpoint,
)
from deckwood_agents.players.network import NetworkAgent
from deckwood_agents.players.policy import MaskedPolicy, policy_arguments
from deckwood_agents.players.protocol import Agent
from deckwood_agents.players.roster import make_agent, quick
from deckwood_agents.seeds import Seeds

RUNS = Path("runs")


@dataclass(frozen=True)
class LearningRate:
    """The learning rate at the share of the run that remains, which falls from 1 to 0."""

    schedule: str
    start: float
    end: float

    @classmethod
    def of(cls, ppo: PPOConfig) -> LearningRate:
        return cls(ppo.learning_rate_schedule, ppo.learning_rate, ppo.learning_rate_end)

    def __call__(self, remaining: float) -> float:
        remaining = min(1.0, max(0.0, remaining))  # the last update may reach past total_steps
        share = {"constant": 1.0, "linear": remaining, "cosine": 0.5 - 0.5 * math.cos(math.pi * remaining)}[self.schedule]
        return self.end + share * (self.start - self.end)


class Stop:
    """Turns the first SIGINT or SIGTERM into a flag; the second acts as it would have without this."""

    def __init__(self) -> None:
        self.signal: signal.Signals | None = None
        self._before: dict[signal.Signals, Any] = {}

    def __bool__(self) -> bool:
        return self.signal is not None

    def _note(self, number: int, frame: Any) -> None:
        self.signal = signal.Signals(number)
        print(f"\n{self.signal.name}: saving after this update; once more to give up without saving", file=sys.stderr, flush=True)
        self._restore()

    def _restore(self) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._before.clear()

    def __enter__(self) -> Stop:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *exception: object) -> None:
        self._restore()


class Stopped(Exception):
    """Leaves ``learn`` between two updates, with everything saved."""


class JsonLines(KVWriter):
    """``metrics.jsonl``: a line of numbers per update. Lines of steps that a resumed run will repeat are dropped."""

    def __init__(self, path: Path, steps: int) -> None:
        kept = [line for line in path.read_text().splitlines() if json.loads(line)["steps"] <= steps] if path.exists() else []
        write_atomically(path, "".join(line + "\n" for line in kept))
        self._file = path.open("a")

    def write(self, key_values: dict[str, Any], key_excluded: dict[str, tuple[str, ...]], step: int = 0) -> None:
        values = {key: float(value) for key, value in key_values.items() if isinstance(value, int | float | np.number)}
        self._file.write(json.dumps({"steps": step, **values}) + "\n")
        self._file.flush()

    def close(self) -> None:
        self._file.close()


class Wandb(KVWriter):
    """The same numbers for Weights & Biases, in ``wandb/`` of the working directory."""

    def __init__(self, config: TrainConfig, name: str, created: str) -> None:
        try:
            import wandb
        except ImportError:
            raise ConfigError("wandb is not installed: pip install 'deckwood[train]', or say --wandb disabled") from None
        self._run = wandb.init(
            project="deckwood",
            name=name,
            id=re.sub(r"[^A-Za-z0-9_-]", "-", f"{name}-{created}"),  # the same when resumed
            resume="allow",
            mode=config.wandb,
            dir=".",
            config=config.model_dump(mode="json"),
            settings=wandb.Settings(silent=config.wandb != "online", console="off", x_disable_stats=True, disable_git=True),
        )

    def write(self, key_values: dict[str, Any], key_excluded: dict[str, tuple[str, ...]], step: int = 0) -> None:
        self._run.log({key: float(value) for key, value in key_values.items() if isinstance(value, int | float | np.number)}, step=step)

    def close(self) -> None:
        self._run.finish()


# What a run goes on from ---------------------------------------------------------------------------------------------------------------


def run_state(venv: GamesVecEnv, evaluated: int) -> dict[str, NDArray[np.generic]]:
    """Everything that the next update depends on and Stable-Baselines3's file lacks: generators, games, and what was done when."""
    kind, keys, place, has_gauss, cached = np.random.get_state()  # noqa: NPY002 - Stable-Baselines3 shuffles minibatches with it
    assert isinstance(kind, str)
    state: dict[str, NDArray[Any]] = {
        "numpy_keys": np.asarray(keys),
        "numpy_rest": np.array([place, has_gauss, cached], np.float64),
        "torch": th.get_rng_state().numpy(),
        "batch": np.frombuffer(venv.batch.save(), np.uint8),
        "evaluated": np.array(evaluated),
        **venv.state(),
    }
    if th.cuda.is_available():
        state["cuda"] = th.cuda.get_rng_state().numpy()
    return state


def restore_state(state: Mapping[str, NDArray[Any]], venv: GamesVecEnv) -> int:
    """Put :func:`run_state` back; returns the step of the last evaluation. SnapshotError when the games have changed since."""
    place, has_gauss, cached = state["numpy_rest"]
    np.random.set_state(("MT19937", state["numpy_keys"], int(place), int(has_gauss), cached))  # noqa: NPY002
    th.set_rng_state(th.as_tensor(state["torch"]))
    if "cuda" in state and th.cuda.is_available():
        th.cuda.set_rng_state(th.as_tensor(state["cuda"]))
    venv.batch.load(state["batch"].tobytes())
    venv.restore(state)
    return int(state["evaluated"])


def provenance() -> dict[str, Any]:
    """Versions, commit and machine. A commit only where git tracks this very file: other repositories may enclose an installed package."""

    def installed(package: str) -> str:
        try:
            return version(package)
        except PackageNotFoundError:
            return "not installed"

    def git(*arguments: str) -> str:
        try:
            return subprocess.run(
                ["git", *arguments], cwd=Path(__file__).parent, capture_output=True, text=True, check=True, timeout=20
            ).stdout.strip()
        except (OSError, subprocess.SubprocessError):
            return ""

    packages = ("deckwood", "numpy", "numba", "gymnasium", "torch", "stable-baselines3", "sb3-contrib")
    tracked = bool(git("ls-files", "--error-unmatch", "--", __file__))
    return {
        "versions": {"python": platform.python_version()} | {package: installed(package) for package in packages},
        "commit": git("rev-parse", "HEAD") if tracked else "",
        "changed_files": git("status", "--porcelain", "--untracked-files=no").splitlines() if tracked else [],
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
    }


def deck_of(config: TrainConfig, checkpoint: Path | None) -> Path | None:
    """The deck file of a configuration; where a run goes on, the copy that it keeps beside its checkpoint."""
    if config.deck is None or checkpoint is None:
        return config.deck
    copy = checkpoint.parent / f"deck{config.deck.suffix}"
    return copy if copy.exists() else config.deck


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
        state = read_resume(checkpoint)
        agent = self._algorithm().load(checkpoint, env=self.venv, device=self.config.device, force_reset=False)
        return self._taught(agent), restore_state(state, self.venv)

    # Files ---------------------------------------------------------------------------------------------------------------------------

    def begin(self, folder: Path, command: str) -> None:
        """Keep the run in ``folder``: write config.yaml, run.json and a copy of the deck, beside which the model will lie."""
        self.folder = folder
        file = folder / "run.json"
        self.record = json.loads(file.read_text()) if file.exists() else {"created": time.strftime("%Y-%m-%dT%H:%M:%S%z"), "processes": []}
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
        save_checkpoint(self.folder / "model.zip", self.agent, manifest, run_state(self.venv, self.evaluated))
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


class SelfPlayRun(Run):
    """A run of a game of several seats: the network learns from games against itself and others, and is measured among others."""

    venv: SelfPlayVecEnv

    def __init__(self, config: TrainConfig, checkpoint: Path | None, console: Console, stop: Stop) -> None:
        known = [name for name in quick(find_game(config.game)) if name != "ppo"]
        self.settings = (config.self_play or SelfPlayConfig.model_validate({})).suited(known)
        if unknown := [name for name in self.settings.scripted if name not in known]:
            raise ConfigError(f"self_play.scripted: {config.game} has no scripted agent {unknown[0]!r} (it has: {', '.join(known)})")
        super().__init__(config.model_copy(update={"self_play": self.settings}), checkpoint, console, stop)

    def _make_venv(self, batch: Batch) -> SelfPlayVecEnv:
        scripted = [make_agent(name, self.spec, self.game.deck) for name in self.settings.scripted]
        return SelfPlayVecEnv(batch, self.settings, scripted, self.config.seed, self._adviser())

    def _rollout_buffer(self) -> dict[str, Any]:
        return {"rollout_buffer_class": SelfPlayBuffer, "rollout_buffer_kwargs": {"seats": self.spec.seats[1]}}

    def _new(self) -> tuple[MaskablePPO, int]:
        agent, evaluated = super()._new()
        agent.rollout_buffer.watch(self.venv)  # type: ignore[attr-defined]
        return agent, evaluated

    def _load(self, checkpoint: Path) -> tuple[MaskablePPO, int]:
        agent, evaluated = super()._load(checkpoint)
        agent.rollout_buffer.watch(self.venv)  # type: ignore[attr-defined]
        self.venv.restore_snapshots(read_resume(checkpoint), agent.policy)  # type: ignore[arg-type]
        return agent, evaluated

    def _on_rollout_start(self) -> None:
        super()._on_rollout_start()
        if self.agent.num_timesteps // self.settings.snapshot_every > self.venv.snapshot_step // self.settings.snapshot_every:
            self.venv.snapshot(self.agent.policy, self.agent.num_timesteps)  # type: ignore[arg-type]
        self.venv.choose_past()

    def _evaluate(self, steps: int) -> None:
        """The network alone among each opponent in turn, on the validation games."""
        settings = self.config.evaluation
        agents = [self._network(), *self.opponents]
        rows = []
        try:
            for column in range(1, len(agents)):
                cell = cross_play(
                    agents,
                    0,
                    column,
                    self.game,
                    episodes=settings.episodes,
                    seed=settings.seed,
                    space=Seeds.VALIDATION,
                    should_stop=lambda: bool(self.stop),
                )
                rows.append(cell.summary(bootstrap_generator(settings.seed)))
        except Interrupted:
            return  # the resumed run will do it
        self.evaluated = steps
        for row in rows:
            self.agent.logger.record(f"validation/win_share_vs_{row['against']}", row["win_rate"])
            self.agent.logger.record(f"validation/mean_return_vs_{row['against']}", row["mean_return"])
        shares = ", ".join(
            f"{per_cent(row['win_rate'])}% [{per_cent(row['win_rate_ci'][0])}, {per_cent(row['win_rate_ci'][1])}] among {row['against']}"
            for row in rows
        )
        fair = per_cent(1 / self.game.spec.players(self.game.options))
        self.console.print(f"{steps:>12,} steps: wins {shares} (fair share {fair}%)", markup=False)

    def _measure(self, agents: Sequence[Agent], **how: Any) -> dict[str, Any]:
        return tournament(self.game, agents, **how).to_json()

    def _show(self, result: Mapping[str, Any]) -> None:
        plot_tournament(result, self.folder / "result.png")
        print_tournament(result, self.console)

    def verdict(self, result: Mapping[str, Any]) -> str:
        return verdict_among(result)


def make_run(config: TrainConfig, checkpoint: Path | None, console: Console, stop: Stop) -> Run:
    """The run that the game asks for: alone or at a table."""
    kind = Run if find_game(config.game).seats[1] == 1 else SelfPlayRun
    return kind(config, checkpoint, console, stop)


def beats(result: Mapping[str, Any], agent: str, other: str) -> bool | None:
    """Whether the intervals of the mean return are apart and ``agent``'s is the higher; None where one of them did not play."""
    if agent not in result["agents"] or other not in result["agents"]:
        return None
    a, b = (result["agents"][name] for name in (agent, other))
    return Interval(*a["mean_return_ci"]).apart(Interval(*b["mean_return_ci"])) and bool(a["mean_return"] > b["mean_return"])


def verdict(result: Mapping[str, Any]) -> str:
    """One sentence on the agent and random play."""
    if (beaten := beats(result, "ppo", "random")) is None:
        return "Random play was not among the opponents."
    own, other = (result["agents"][name] for name in ("ppo", "random"))
    words = "beats random play: its interval lies above" if beaten else "does NOT beat random play: its interval does not lie above"
    (a, b), (c, d) = own["mean_return_ci"], other["mean_return_ci"]
    wins = f"wins {100 * own['win_rate']:.2f}% of the games against {100 * other['win_rate']:.2f}%"
    return f"The agent {words} random's (mean return {a:.3f} to {b:.3f} against {c:.3f} to {d:.3f}; {wins})."


def verdict_among(result: Mapping[str, Any]) -> str:
    """One sentence on the agent alone among random players, by the cross-play of a tournament's result."""
    cell = next((cell for cell in result["cross_play"] if (cell["agent"], cell["against"]) == ("ppo", "random")), None)
    if cell is None:
        return "Random play was not among the opponents."
    beaten = cell["lead_ci"][0] > 0
    words = "beats random play: its lead lies above 0" if beaten else "does NOT beat random play: its lead does not lie above 0"
    low, high = (per_cent(bound) for bound in cell["win_rate_ci"])
    return (
        f"The agent {words} (alone among random players it wins {per_cent(cell['win_rate'])}% of the games, {low} to {high}, "
        f"each of them {per_cent(cell['win_rate'] - cell['lead'])}%; a game that is cut has no winner)."
    )


def new_folder(config: TrainConfig, file: Path) -> Path:
    """Make runs/NAME. A name that was asked for must be free; one that was made up gets a number."""
    if config.name:
        if not re.fullmatch(r"[\w.+-]+", config.name) or config.name.startswith("."):
            raise ConfigError(f"name {config.name!r}: use letters, digits, '-', '_', '+' and '.'")
        folder = RUNS / config.name
        if folder.exists():
            raise ConfigError(f"{folder} exists: go on with it by --resume {folder}, or choose another --name")
        folder.mkdir(parents=True)
        return folder
    stem = f"{file.stem}-seed{config.seed}"
    for number in range(1, 10_000):
        folder = RUNS / (stem if number == 1 else f"{stem}-{number}")
        try:
            folder.mkdir(parents=True)
            return folder
        except FileExistsError:
            continue
    raise ConfigError(f"{RUNS} holds too many runs named {stem}: choose a --name")


def find_run(where: Path) -> tuple[Path, Path]:
    """(folder, checkpoint) of a run's folder or of one of its checkpoints; ConfigError when there is none."""
    if where.is_file():
        folder = where.parent.parent if where.parent.name == "checkpoints" else where.parent
        checkpoint = where
    else:
        folder, checkpoint = where, where / "model.zip"
    if not checkpoint.is_file() or not (folder / "config.yaml").is_file():
        runs = sorted(path.parent.as_posix() for path in RUNS.glob("*/model.zip"))
        raise ConfigError(f"{where}: no run to resume here" + (f"; there are {', '.join(runs)}" if runs else ""))
    return folder, checkpoint


class Request(NamedTuple):
    """What the command line asks for: a new run from ``file``, or the run in ``folder`` from ``checkpoint`` on."""

    config: TrainConfig
    command: str
    file: Path | None = None
    folder: Path | None = None
    checkpoint: Path | None = None


def read_request(given: Sequence[str] | None) -> Request:
    """ConfigError, with the reason, where it makes no sense."""
    command = shlex.join(["python", "train.py", *(sys.argv[1:] if given is None else given)])
    file, resume, overrides = command_line(given)
    if file is not None:
        return Request(build(read_yaml(file), overrides, str(file)), command, file=file)
    assert resume is not None
    folder, checkpoint = find_run(resume)
    if fixed := [name for name in overrides if name.split(".")[0] not in RESUMABLE]:
        raise ConfigError(
            f"--{fixed[0].replace('_', '-')}: a resumed run keeps what it began with; what may change: {', '.join(RESUMABLE)}"
        )
    kept = folder / "config.yaml"
    return Request(build(read_yaml(kept), overrides, str(kept)), command, folder=folder, checkpoint=checkpoint)


def main(given: Sequence[str] | None = None) -> int:
    """``train.py``. 0: trained; 2: asked for something it cannot do; 3: a number was not finite; 128 + signal: stopped and saved."""
    console = make_console()
    try:
        request = read_request(given)
        with Stop() as stop:
            run = make_run(request.config, request.checkpoint, console, stop)
            run.begin(request.folder or new_folder(request.config, request.file or Path("run.yaml")), request.command)
            status = train(run)
        if status == 0:
            compare(run)
        return status
    except DeckwoodError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def train(run: Run) -> int:
    """Take ``run`` to its end, or to where it is stopped; returns the exit status."""
    config, folder, console, stop = run.config, run.folder, run.console, run.stop
    go_on = f"python train.py --resume {folder}"
    start, began = time.perf_counter(), run.agent.num_timesteps
    console.print(
        f"{run.spec.env_id}: {run.spec.observation_size} features, {len(run.spec.actions)} actions; {config.num_envs} games side by side, "
        f"{th.get_num_threads()} threads; steps {began:,} to {config.total_steps:,}; files in {folder}",
        markup=False,
    )
    try:
        run.learn()
    except Stopped:
        console.print(
            f"stopped by {stop.signal.name if stop.signal else '?'} at {run.agent.num_timesteps:,} steps; go on with: {go_on}", markup=False
        )
        return 128 + int(stop.signal or signal.SIGINT)
    except NonFinite as failure:
        kept = run.save_failure(failure)
        print(
            f"error: {failure} at {run.agent.num_timesteps:,} steps; the games are in {kept}; last good state: {folder / 'model.zip'}",
            file=sys.stderr,
        )
        return 3
    seconds = time.perf_counter() - start
    if trained := run.agent.num_timesteps - began:
        console.print(
            f"trained {trained:,} steps in {seconds:.0f} s ({trained / seconds:,.0f} a second); saved {folder / 'model.zip'}", markup=False
        )
    return 0


def compare(run: Run) -> None:
    """The closing table. The model is saved by now, so Ctrl-C here loses nothing."""
    try:
        result = run.compare()
    except KeyboardInterrupt:
        names = " ".join(run.config.evaluation.opponents)
        options = "".join(f" --option {name}={value}" for name, value in run.config.options.items())
        game = f"{slug(run.spec.env_id)}{options}{f' --deck {run.config.deck}' if run.config.deck else ''}"
        run.console.print(f"training is complete; compare with: python evaluate.py {game} --agents {names} ppo:{run.folder}", markup=False)
        return
    run.record["result"] = result["agents"]
    run.write_record()
    run.console.print(run.verdict(result), markup=False)
