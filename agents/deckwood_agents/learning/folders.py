"""The folders of runs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from deckwood.core.files import fcntl
from deckwood.core.untrusted import Line, parse_json, read_bytes, shown, validated
from deckwood_agents.learning.config import ConfigError, TrainConfig

RUNS = Path("runs")
MAX_NAME = 200


class Process(BaseModel):
    """An entry of ``run.json``: one process of the run."""

    model_config = ConfigDict(extra="allow", strict=True)
    command: Line
    commit: Line
    changed_files: list[Line]
    machine: Line


class Record(BaseModel):
    """The part of ``run.json`` that anything depends on."""

    model_config = ConfigDict(extra="allow", strict=True)
    created: Line
    processes: list[Process]


def new_folder(config: TrainConfig, file: Path) -> Path:
    """Make runs/NAME. A requested name must be free; a generated one gets a number."""
    if config.name:
        if not re.fullmatch(r"[\w.+-]+", config.name) or config.name.startswith(".") or len(config.name) > MAX_NAME:
            raise ConfigError(f"name {shown(config.name)}: use letters, digits, '-', '_', '+' and '.', {MAX_NAME} at most")
        folder = RUNS / config.name
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            raise ConfigError(f"{folder} exists: go on with it by --resume {folder}, or choose another --name") from None
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


def deck_of(config: TrainConfig, checkpoint: Path | None) -> Path | None:
    """The deck file of a configuration; for a resumed run, the copy next to its checkpoint."""
    if config.deck is None or checkpoint is None:
        return config.deck
    copy = checkpoint.parent / f"deck{config.deck.suffix}"
    return copy if copy.exists() else config.deck


def read_record(folder: Path) -> dict[str, Any]:
    """The content of ``run.json``; ConfigError or OSError unless a run wrote it."""
    file = folder / "run.json"
    data = read_bytes(file)
    validated(Record, data, str(file), ConfigError)
    record: dict[str, Any] = parse_json(data)
    return record


@contextmanager
def sole_user(folder: Path) -> Iterator[None]:
    """Keep other runs out of ``folder``; ConfigError if one uses it. The system releases the lock when a process is killed."""
    if fcntl is None:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ConfigError(f"{folder}: another process is training here; wait for it, or stop it, or choose another --name") from None
        except OSError:  # a file system without locks
            pass
        yield
    finally:
        os.close(handle)
