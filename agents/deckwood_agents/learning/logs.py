"""Where the numbers of a run are written."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
from stable_baselines3.common.logger import JSONOutputFormat, KVWriter, Logger, TensorBoardOutputFormat

from deckwood.core.files import write_atomically
from deckwood_agents.learning.config import ConfigError, TrainConfig


class JsonLines(JSONOutputFormat):
    """``metrics.jsonl``: a line of numbers per update. Lines of steps that a resumed run will repeat are dropped."""

    def __init__(self, path: Path, steps: int) -> None:
        kept = [line for line in path.read_text().splitlines() if json.loads(line)["steps"] <= steps] if path.exists() else []
        write_atomically(path, "".join(line + "\n" for line in kept))
        self.file = path.open("a")

    def write(self, key_values: dict[str, Any], key_excluded: dict[str, tuple[str, ...]], step: int = 0) -> None:
        super().write({"steps": step, **key_values}, key_excluded, step)


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
    """All that a configuration asks for, beside metrics.jsonl; ``created`` tells a run from others of its name, from ``steps`` on."""
    writers: list[KVWriter] = [JsonLines(folder / "metrics.jsonl", steps)]
    if config.tensorboard:
        writers.append(TensorBoardOutputFormat(str(folder / "tensorboard")))
    if config.wandb != "disabled":
        writers.append(Wandb(config, folder.name, created))
    return Logger(str(folder), writers)
