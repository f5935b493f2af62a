"""The folders of runs."""

from __future__ import annotations

import re
from pathlib import Path

from deckwood_agents.learning.config import ConfigError, TrainConfig

RUNS = Path("runs")


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


def deck_of(config: TrainConfig, checkpoint: Path | None) -> Path | None:
    """The deck file of a configuration; where a run goes on, the copy that it keeps beside its checkpoint."""
    if config.deck is None or checkpoint is None:
        return config.deck
    copy = checkpoint.parent / f"deck{config.deck.suffix}"
    return copy if copy.exists() else config.deck
