"""A training run: from its configuration to a self-describing checkpoint, resumable after Ctrl-C."""

from __future__ import annotations

import shlex
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import torch as th
from rich.console import Console

from deckwood.core.program import program
from deckwood.core.untrusted import shown
from deckwood_agents.games import find_game, slug
from deckwood_agents.learning.config import RESUMABLE, ConfigError, TrainConfig, build, command_line, lasting, read_yaml
from deckwood_agents.learning.folders import find_run, new_folder, read_record, sole_user
from deckwood_agents.learning.logs import read_metrics
from deckwood_agents.learning.run import Run
from deckwood_agents.learning.sb3 import NonFinite
from deckwood_agents.learning.stop import Stop, Stopped
from deckwood_agents.learning.table_run import SelfPlayRun
from deckwood_agents.measuring.evaluation import make_console
from deckwood_agents.players.checkpoints import read_manifest


def make_run(config: TrainConfig, checkpoint: Path | None, console: Console, stop: Stop) -> Run:
    """The run that the game asks for: alone or at a table."""
    kind = Run if find_game(config.game).seats[1] == 1 else SelfPlayRun
    return kind(config, checkpoint, console, stop)


class Request(NamedTuple):
    """What the command line asks for: a new run from ``file``, or the run in ``folder`` from ``checkpoint`` on."""

    config: TrainConfig
    command: str
    file: Path | None = None
    folder: Path | None = None
    checkpoint: Path | None = None


def read_request(argv: Sequence[str] | None) -> Request:
    """ConfigError, with the reason, if it is invalid."""
    command = shlex.join(["python", "train.py", *(sys.argv[1:] if argv is None else argv)])
    file, resume, overrides = command_line(argv)
    if file is not None:
        return Request(build(read_yaml(file), overrides, str(file)), command, file=file)
    assert resume is not None
    folder, checkpoint = find_run(resume)
    if fixed := [name for name in overrides if name.split(".")[0] not in RESUMABLE]:
        raise ConfigError(
            f"--{fixed[0].replace('_', '-')}: a resumed run keeps what it began with; what may change: {', '.join(RESUMABLE)}"
        )
    kept = folder / "config.yaml"
    config = build(read_yaml(kept), overrides, str(kept))
    check_unchanged(config, kept, checkpoint)
    read_record(folder)
    if (metrics := folder / "metrics.jsonl").exists():
        read_metrics(metrics)
    return Request(config, command, folder=folder, checkpoint=checkpoint)


def check_unchanged(config: TrainConfig, kept: Path, checkpoint: Path) -> None:
    """ConfigError where ``kept`` was edited since ``checkpoint`` was saved, in what a run cannot change."""
    trained = lasting(build(read_manifest(checkpoint).run.get("config", {}), {}, f"{checkpoint}: its configuration"))
    for name, value in lasting(config).items():
        if value != trained[name]:
            raise ConfigError(
                f"{kept}: {name} is {shown(value)}, but {checkpoint} was trained with {shown(trained[name])}: "
                f"a resumed run keeps what it began with; what may change: {', '.join(RESUMABLE)}"
            )


@program
def main(argv: Sequence[str] | None = None) -> int:
    """``train.py``. 0: trained; 2: a request that cannot be fulfilled; 3: a number was not finite; 128 + signal: stopped and saved."""
    console = make_console()
    request = read_request(argv)
    with ExitStack() as held:
        if request.folder:
            held.enter_context(sole_user(request.folder))
        with Stop() as stop:
            run = make_run(request.config, request.checkpoint, console, stop)
            folder = request.folder or new_folder(request.config, request.file or Path("run.yaml"))
            if not request.folder:
                held.enter_context(sole_user(folder))
            run.begin(folder, request.command)
            status = train(run)
        if status == 0:
            compare(run)
    return status


def train(run: Run) -> int:
    """Take ``run`` to its end, or to where it is stopped; returns the exit status."""
    config, folder, console, stop = run.config, run.store.folder, run.console, run.stop
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
        kept = run.store.save_failure(failure, run.venv.batch, run.agent.num_timesteps)
        good = f"last good state: {model}" if (model := folder / "model.zip").is_file() else "nothing was saved before it"
        print(f"error: {failure} at {run.agent.num_timesteps:,} steps; the games are in {kept}; {good}", file=sys.stderr)
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
        command = f"python evaluate.py {game} --agents {names} ppo:{run.store.folder}"
        run.console.print(f"training is complete; compare with: {command}", markup=False)
        return
    run.store.record["result"] = result["agents"]
    run.store.write_record()
    run.console.print(run.evaluator.verdict(result), markup=False)
