"""Adds a finished run's agent to the shipped ones: ``python -m deckwood_agents.learning.ship runs/NAME``.

It writes ``checkpoints/<game>.zip``, the weights without what only a run needs, and ``checkpoints/<game>.md``, a card that says how the
agent was trained and what it reaches.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict
from sb3_contrib import MaskablePPO

from deckwood.core.files import write_atomically
from deckwood.core.golden import stored_hash
from deckwood.core.program import program
from deckwood.core.untrusted import Line, parse_json, read_bytes, validated
from deckwood_agents.games import find_game, slug
from deckwood_agents.learning.folders import find_run, read_record
from deckwood_agents.learning.logs import read_metrics
from deckwood_agents.measuring.evaluation import per_cent
from deckwood_agents.players.checkpoints import CheckpointError, Manifest, check_manifest, read_manifest, save_checkpoint
from deckwood_agents.players.roster import SHIPPED


def strip(model: MaskablePPO) -> MaskablePPO:
    """``model`` without the optimizer's moments, the last observations and the last games: ``MaskablePPO.load`` reads it all the same."""
    model.policy.optimizer.state.clear()
    model._last_obs = model._last_original_obs = model._last_episode_starts = None
    model.ep_info_buffer = model.ep_success_buffer = None
    return model


def trained_seconds(metrics: Path) -> float:
    """The time that a run spent, from its ``metrics.jsonl``: every process of it counts from 0."""
    total = last = 0.0
    for _, line in read_metrics(metrics):
        elapsed = json.loads(line).get("time/time_elapsed", last)
        total += elapsed - last if elapsed >= last else elapsed
        last = elapsed
    return total


def _interval(row: Mapping[str, Any], key: str, form: str) -> str:
    scale = 100 if form == "%" else 1
    digits = 2 if form == "%" else 3
    low, high = row[f"{key}_ci"]
    return f"{scale * row[key]:.{digits}f} ({scale * low:.{digits}f} to {scale * high:.{digits}f})"


def tables(result: Mapping[str, Any]) -> Iterator[str]:
    """The closing tables of a run in Markdown, one of a game alone or of a tournament."""
    games = f"{result['episodes']:,} games, seed {result['seed']}, 95% intervals"
    if "cross_play" not in result:
        yield f"Over the same {games}:\n"
    else:
        yield f"In a field of all these ({games}; fair share {per_cent(result['fair_share'])}%):\n"
    yield "| agent | wins % | mean return |\n| --- | --- | --- |"
    for name, row in result["agents"].items():
        yield f"| {name} | {_interval(row, 'win_rate', '%')} | {_interval(row, 'mean_return', '')} |"
    if own := [cell for cell in result.get("cross_play", []) if cell["agent"] == "ppo"]:
        yield "\nAlone among copies of another:\n"
        yield "| among | games | wins % | mean return |\n| --- | --- | --- | --- |"
        for cell in own:
            yield f"| {cell['against']} | {cell['games']:,} | {_interval(cell, 'win_rate', '%')} | {_interval(cell, 'mean_return', '')} |"


def card(name: str, manifest: Manifest, record: Mapping[str, Any], seconds: float, result: Mapping[str, Any]) -> str:
    """The model card of a checkpoint, in Markdown."""
    game, last, config = slug(manifest.env_id), record["processes"][-1], manifest.run["config"]
    options = ", ".join(f"{option}={value}" for option, value in manifest.options.items())
    changed = f", with changes in {', '.join(line.split()[-1] for line in last['changed_files'])}" if last["changed_files"] else ""
    agent = "ppo" if name == game else f"ppo:{name}"
    advice_input = manifest.network.get("advice")
    advice = [f"- **Advised** by `{advice_input}`: it asks that agent at every decision, and plays nowhere without it."]
    taught = config["imitation"]
    supervised = [f"- **Supervised** by `{taught['teacher']}` for all of its decisions: there was no step of PPO."] if taught else []
    chooses = " --sample" if config["evaluation"]["sample"] else ""
    head = [
        f"# {name}.zip",
        "",
        f"A masked PPO network that plays `{manifest.env_id}`, written by `python -m deckwood_agents.learning.ship`.",
        "",
        f"    python evaluate.py {game} --agents {agent}{chooses}",
        "",
        f"- **Made for** golden hash `{manifest.golden_hash or 'none'}`, deck `{manifest.deck_digest}`; other versions refuse it.",
        *(supervised if taught and taught["steps"] >= config["total_steps"] else []),
        *(advice if advice_input else []),
        f"- **Trained with** {options}",
        f"- **Length** {manifest.steps:,} decisions, seed {manifest.seed}, {seconds / 60:,.0f} minutes, {last['machine']}",
        f"- **Commit** {last['commit'] or 'unknown'}{changed}",
        "- **Commands** " + "; ".join(f"`{process['command']}`" for process in record["processes"]),
        "- It holds weights and no optimizer: it can be played, evaluated and read by `MaskablePPO.load`, not resumed.",
        "",
        "## Results",
        "",
        "Of the last checkpoint, on games that training never saw"
        + ("; it draws its actions from its distribution." if chooses else "; it plays its likeliest action."),
        "",
    ]
    settings = yaml.safe_dump(config, sort_keys=False)
    return "\n".join([*head, *tables(result), "", "## Configuration", "", "```yaml", settings + "```", ""])


class Row(BaseModel):
    """An entry of ``result.json``: an agent, or the network among copies of one."""

    model_config = ConfigDict(extra="allow")
    win_rate: float
    win_rate_ci: tuple[float, float]
    mean_return: float
    mean_return_ci: tuple[float, float]


class Cell(Row):
    agent: Line
    against: Line
    games: int


class Result(BaseModel):
    """``result.json``, as far as a card shows it."""

    model_config = ConfigDict(extra="allow")
    episodes: int
    seed: int
    agents: dict[Line, Row]
    cross_play: list[Cell] = []
    fair_share: float = 1.0


def read_result(file: Path) -> dict[str, Any]:
    """What ``result.json`` says; CheckpointError, OSError where it is none that a run wrote."""
    data = read_bytes(file)
    validated(Result, data, str(file), CheckpointError)
    result: dict[str, Any] = parse_json(data)
    return result


def ship(run: Path, name: str = "") -> Path:
    """Writes the zip and its card, and returns the zip; CheckpointError if the run is not finished or is of another version."""
    home, checkpoint = find_run(run)
    manifest = read_manifest(checkpoint)
    spec = find_game(manifest.env_id)
    check_manifest(checkpoint, manifest, spec, stored_hash(spec))
    name = name or slug(spec.env_id)
    if not re.fullmatch(r"\w[\w.+-]{0,199}", name):
        raise CheckpointError(f"--name {name!r}: use letters, digits, '-', '_', '+' and '.'")
    if not (home / "result.json").is_file():
        raise CheckpointError(f"{home}: no result.json, so this run was not finished and compared: python train.py --resume {home}")
    result, record = read_result(home / "result.json"), read_record(home)
    path, text = SHIPPED / f"{name}.zip", card(name, manifest, record, trained_seconds(home / "metrics.jsonl"), result)
    save_checkpoint(path, strip(MaskablePPO.load(checkpoint, device="cpu")), manifest)
    write_atomically(path.with_suffix(".md"), text)
    return path


@program
def main(argv: Sequence[str] | None = None) -> int:
    """0, or 2 for a request that cannot be fulfilled."""
    parser = argparse.ArgumentParser(
        "python -m deckwood_agents.learning.ship", description="Put a finished run's agent among those that ship."
    )
    parser.add_argument(
        "run", type=Path, help="a run's folder, such as runs/tanglewoods-seed1, or one of its checkpoints; only runs that you trust"
    )
    parser.add_argument("--name", default="", help="its NAME in ppo:NAME (default: the game's name, so that it becomes ppo)")
    args = parser.parse_args(argv)
    path = ship(args.run, args.name)
    print(f"{path} ({path.stat().st_size / 1e6:.1f} MB) and its card {path.with_suffix('.md').name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
