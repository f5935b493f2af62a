"""The data of training runs that the page of results needs, stored next to it, so that the page can be regenerated without them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from deckwood.core.files import write_atomically
from deckwood.core.game import Game
from deckwood_agents.games import find_game, slug
from deckwood_agents.learning.config import ConfigError
from deckwood_agents.learning.folders import find_run, read_record
from deckwood_agents.learning.logs import read_metrics
from deckwood_agents.learning.ship import trained_seconds
from deckwood_agents.players.checkpoints import CheckpointError, read_manifest
from deckwood_agents.players.roster import make_agent
from deckwood_agents.results.plan import Deck
from deckwood_agents.results.raw import Player, version

FILE, CURVES = "runs.json", "curves"


@dataclass(frozen=True)
class TrainingRun:
    """A finished run of the page. ``version`` is that of its final network, as :func:`deckwood_agents.results.raw.version` tells it."""

    name: str
    game: str
    version: str
    golden_hash: str
    seed: int
    steps: int
    minutes: float
    commit: str
    config: str  # the configuration's file, as it was asked for

    @property
    def agent(self) -> str:
        return f"ppo:{self.name}"


def read(folder: Path) -> list[TrainingRun]:
    file = folder / FILE
    return [TrainingRun(**entry) for entry in json.loads(file.read_text())] if file.exists() else []


def take_in(folder: Path, run: Path, deck: Deck, game: Game) -> tuple[TrainingRun, Player]:
    """Keep what the page needs of ``run``; returns it and its final network. CheckpointError where it is unfinished or does not fit."""
    home, checkpoint = find_run(run)
    if checkpoint.name != "model.zip" or not (home / "result.json").is_file():
        raise CheckpointError(f"{run}: only the final network of a finished run is reported: python train.py --resume {home}")
    agent = make_agent(f"ppo:{checkpoint}", game.spec, game.deck)
    manifest, record = read_manifest(checkpoint), read_record(home)
    first = record["processes"][0]
    words = [word for word in first["command"].split() if word.endswith((".yaml", ".yml"))]
    entry = TrainingRun(
        name=home.name,
        game=deck.game,
        version=version(agent, game.spec),
        golden_hash=manifest.golden_hash,
        seed=manifest.seed,
        steps=manifest.steps,
        minutes=round(trained_seconds(home / "metrics.jsonl") / 60, 1),
        commit=record["processes"][-1]["commit"],
        config=words[0] if words else "",
    )
    agent.name = entry.agent
    others = [kept for kept in read(folder) if (kept.game, kept.name) != (entry.game, entry.name)]
    entries = sorted([*others, entry], key=lambda kept: (kept.game, kept.name))
    curve = folder / CURVES / f"{deck.game}-{entry.name}.csv"
    curve.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(curve, _curve(home / "metrics.jsonl", deck.curve))
    write_atomically(folder / FILE, json.dumps([asdict(kept) for kept in entries], indent=1) + "\n")
    return entry, Player(agent, entry.version)


def _curve(metrics: Path, name: str) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["steps", name])
    for line in (json.loads(text) for _, text in read_metrics(metrics)):
        if name in line:
            writer.writerow([line["steps"], line[name]])
    return out.getvalue()


def curve(folder: Path, run: TrainingRun) -> tuple[list[int], list[float]]:
    """Steps and values of a run's learning curve."""
    file = folder / CURVES / f"{run.game}-{run.name}.csv"
    lines = list(csv.reader(file.read_text().splitlines()))[1:] if file.exists() else []
    return [int(steps) for steps, _ in lines], [float(value) for _, value in lines]


def game_of(run: Path) -> str:
    """The game that a run is of, as it is typed."""
    return slug(find_game(read_manifest(find_run(run)[1]).env_id).env_id)


def check(runs: Sequence[Path], known: Sequence[str]) -> dict[Path, str]:
    """The game of each run; CheckpointError, ConfigError where one is no run, or of a game that the page does not have."""
    games = {run: game_of(run) for run in runs}
    for run, game in games.items():
        if game not in known:
            raise ConfigError(f"{run} is of {game}, which this page does not have ({', '.join(known)})")
    return games
