"""The loggers of a run."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
from stable_baselines3.common.logger import KVWriter, Logger, TensorBoardOutputFormat

from deckwood.core.files import write_atomically
from deckwood.core.untrusted import parse_json, printable
from deckwood_agents.learning.config import ConfigError, TrainConfig


def read_metrics(path: Path) -> list[tuple[int, str]]:
    """The lines of ``metrics.jsonl`` with their steps. A truncated last line is ignored; ConfigError for any other malformed line."""
    found = []
    try:
        lines = path.read_text(encoding="utf-8").split("\n")[:-1]  # a whole line ends; what follows the last end is half of one
        for number, line in enumerate(lines, 1):
            row = parse_json(line.encode())
            if not isinstance(row, dict) or type(row.get("steps")) is not int:
                raise ValueError(f"line {number} has no steps")
            found.append((row["steps"], line))
    except ValueError as error:
        raise ConfigError(f"{path}: {printable(str(error))}: not what a run writes; remove it to go on without what it says") from None
    return found


class JsonLines(KVWriter):
    """``metrics.jsonl``: a line of numbers per update. Lines of steps that a resumed run will repeat are dropped."""

    def __init__(self, path: Path, steps: int) -> None:
        kept = [line for step, line in read_metrics(path) if step <= steps] if path.exists() else []
        write_atomically(path, "".join(line + "\n" for line in kept))
        self._file = path.open("ab", buffering=0)

    def write(self, key_values: dict[str, Any], key_excluded: dict[str, tuple[str, ...]], step: int = 0) -> None:
        """The line is written whole or, on a full disk, not at all."""
        values = {key: float(value) for key, value in key_values.items() if isinstance(value, int | float | np.number)}
        line = (json.dumps({"steps": step, **values}) + "\n").encode()
        begin = self._file.seek(0, os.SEEK_END)
        try:
            while line:
                line = line[self._file.write(line) :]
        except OSError:
            self._file.truncate(begin)
            raise

    def close(self) -> None:
        self._file.close()


class Wandb(KVWriter):
    """The same numbers for Weights & Biases, in ``wandb/`` of the working directory.

    wandb's own callback for Stable-Baselines3 logs none of them: it relies on patching TensorBoard, which would then have to be on.
    """

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


def make_logger(config: TrainConfig, folder: Path, created: str, steps: int) -> Logger:
    """All loggers that a configuration requests, and metrics.jsonl; ``created`` distinguishes a run from others of its name, from ``steps``
    on."""
    writers: list[KVWriter] = [JsonLines(folder / "metrics.jsonl", steps)]
    if config.tensorboard:
        writers.append(TensorBoardOutputFormat(str(folder / "tensorboard")))
    if config.wandb != "disabled":
        writers.append(Wandb(config, folder.name, created))
    return Logger(str(folder), writers)
