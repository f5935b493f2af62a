"""Runs a wandb sweep file without a server: ``python -m deckwood_agents.learning.sweep configs/sweep_tanglewoods.yaml --count 8``.

The file is wandb's: ``wandb sweep FILE`` and ``wandb agent`` run the same file with a connection. Here each draw of its
parameters is a run of its own program, one after the other, and the same command continues an interrupted sweep. Its results are in
``runs/NAME.csv``. The methods ``grid`` and ``random`` need only the file; ``bayes`` needs the server.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import math
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, product
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table

from deckwood.core.files import write_atomically
from deckwood.core.program import program, whole
from deckwood.core.untrusted import shown
from deckwood_agents.learning.config import ConfigError, build, lasting, read_yaml
from deckwood_agents.learning.folders import RUNS
from deckwood_agents.learning.logs import read_metrics
from deckwood_agents.learning.training import read_request
from deckwood_agents.measuring.evaluation import make_console

COMMAND = ["${env}", "${interpreter}", "${program}", "${args}"]  # wandb's own default
MAX_BOUND = 1e15
OWN = ("--wandb", "offline")  # what a run here is told beside: the last of two flags counts
DISTRIBUTIONS: dict[str, tuple[tuple[str, ...], Callable[..., Any]]] = {
    "uniform": (("min", "max"), lambda rng, low, high: float(rng.uniform(low, high))),
    "int_uniform": (("min", "max"), lambda rng, low, high: int(rng.integers(low, high + 1))),
    "q_uniform": (("min", "max", "q"), lambda rng, low, high, q: _round(rng.uniform(low, high), q)),
    "log_uniform_values": (("min", "max"), lambda rng, low, high: _log_uniform(rng, low, high)),
    "q_log_uniform_values": (("min", "max", "q"), lambda rng, low, high, q: _round(_log_uniform(rng, low, high), q)),
}
"""By wandb's name: the fields that it needs, and a draw of it."""


def _log_uniform(rng: np.random.Generator, low: float, high: float) -> float:
    return math.exp(rng.uniform(math.log(low), math.log(high)))


def _round(value: float, quantum: float) -> float:
    rounded = round(value / quantum) * quantum
    return int(rounded) if float(rounded).is_integer() and isinstance(quantum, int) else rounded


def _are_chances(found: Any, count: int) -> bool:
    return (
        isinstance(found, list)
        and len(found) == count
        and all(type(share) in (int, float) and 0 <= share <= 1 for share in found)
        and abs(sum(found) - 1) < 1e-6
    )


class Parameter:
    """One entry of ``parameters``: a value, one of several, or a distribution."""

    def __init__(self, name: str, entry: Any, source: str) -> None:
        """ConfigError if it is invalid, or uses features that this runner lacks."""
        where = f"{source}: parameters.{name}"
        if not isinstance(entry, Mapping):
            raise ConfigError(f"{where}: expected value:, values: or min: and max:, found {entry!r}")
        self.name = name
        values = entry.get("values", [entry["value"]] if "value" in entry else [])
        if not isinstance(values, list):
            raise ConfigError(f"{where}: values: expected a list, found {shown(values)}")
        self.values, self.chances = values, entry.get("probabilities")
        if self.chances is not None and not _are_chances(self.chances, len(values)):
            raise ConfigError(f"{where}: probabilities: expected {len(values)} shares that sum to 1, found {shown(self.chances)}")
        self.distribution = ""
        self.bounds: tuple[Any, ...] = ()
        if self.values:
            return
        whole = all(isinstance(entry.get(bound), int) for bound in ("min", "max"))
        self.distribution = str(entry.get("distribution", "int_uniform" if whole else "uniform"))
        if self.distribution not in DISTRIBUTIONS:
            known = ", ".join(DISTRIBUTIONS)
            raise ConfigError(f"{where}: distribution {self.distribution!r} is not known here (value, values, or one of: {known})")
        needed = DISTRIBUTIONS[self.distribution][0]
        numbers = {bound: number for bound, number in entry.items() if type(number) in (int, float) and abs(number) <= MAX_BOUND}
        if missing := [bound for bound in needed if bound not in numbers]:
            raise ConfigError(
                f"{where}: {self.distribution} needs {' and '.join(needed)} as numbers; {missing[0]} is {entry.get(missing[0])!r}"
            )
        self.bounds = tuple(entry[bound] for bound in needed)
        if self.bounds[0] > self.bounds[1] or ("log" in self.distribution and self.bounds[0] <= 0) or not all(self.bounds[2:]):
            raise ConfigError(f"{where}: {self.distribution} from {self.bounds[0]} to {self.bounds[1]} is not a valid range")

    def draw(self, rng: np.random.Generator) -> Any:
        if self.values:
            return self.values[int(rng.choice(len(self.values), p=self.chances))]
        return DISTRIBUTIONS[self.distribution][1](rng, *self.bounds)


class Sweep:
    """A sweep file, read and checked."""

    def __init__(self, file: Path) -> None:
        content = read_yaml(file)
        self.file, self.method = file, content.get("method")
        if self.method not in ("grid", "random"):
            hint = "; it learns from results on wandb's server: use wandb sweep and wandb agent" if self.method == "bayes" else ""
            raise ConfigError(f"{file}: method {self.method!r}{hint} (here: grid, random)")
        self.program = str(content.get("program", ""))
        if not Path(self.program).is_file():
            raise ConfigError(f"{file}: program {self.program!r}: no such file in {Path.cwd().name}/")
        metric = content.get("metric") or {}
        if not isinstance(metric, Mapping):
            raise ConfigError(f"{file}: metric needs a name and a goal, minimize or maximize; found {shown(metric)}")
        self.metric, self.goal = str(metric.get("name", "")), str(metric.get("goal", "minimize"))
        if not self.metric or self.goal not in ("minimize", "maximize"):
            raise ConfigError(f"{file}: metric needs a name and a goal, minimize or maximize; found {metric!r}")
        parameters = content.get("parameters")
        if not isinstance(parameters, Mapping) or not parameters:
            raise ConfigError(f"{file}: parameters: expected fields of train.py, found {parameters!r}")
        self.parameters = [Parameter(str(name), entry, str(file)) for name, entry in parameters.items()]
        if self.method == "grid" and (drawn := [p.name for p in self.parameters if not p.values]):
            raise ConfigError(f"{file}: parameters.{drawn[0]}: a grid needs value: or values:")
        self.command = content.get("command", COMMAND)
        if (
            not isinstance(self.command, list)
            or not all(isinstance(word, str) for word in self.command)
            or "${program}" not in self.command
        ):
            raise ConfigError(f"{file}: command: expected a list of words with ${{program}} among them, found {shown(self.command)}")

    def draws(self, seed: int) -> Iterator[dict[str, Any]]:
        """The parameters of each run in turn: the grid, or draw after draw without end. The n-th depends on the seed and n alone."""
        names = [parameter.name for parameter in self.parameters]
        if self.method == "grid":
            yield from (dict(zip(names, values, strict=True)) for values in product(*(p.values for p in self.parameters)))
            return
        for number in range(2**31):
            rng = np.random.default_rng([seed, number])
            yield {parameter.name: parameter.draw(rng) for parameter in self.parameters}

    def words(self, chosen: Mapping[str, Any], *more: str) -> list[str]:
        """The command line of a run, in wandb's form: ``--name=value``."""
        macros: dict[str, list[str]] = {
            "${env}": [],
            "${interpreter}": [sys.executable],
            "${program}": [self.program],
            "${args}": [f"--{name}={value}" for name, value in chosen.items()],
        }
        if unknown := [word for word in self.command if word.startswith("${") and word not in macros]:
            raise ConfigError(f"{self.file}: command: {unknown[0]} is not known here ({', '.join(macros)})")
        return [part for word in self.command for part in macros.get(word, [word])] + list(more)


def next_words(sweep: Sweep, name: str, chosen: Mapping[str, Any]) -> list[str] | None:
    """The command line for these parameters: a new run or a resumed one; None if it is done. ConfigError if the folder holds a run with
    other parameters, or if ``train.py`` does not accept them.
    """
    words = sweep.words(chosen, "--name", name, *OWN)
    config = read_request(words[words.index(sweep.program) + 1 :]).config
    folder = RUNS / name
    if not (folder / "model.zip").is_file():
        if folder.exists():
            shutil.rmtree(folder)  # it ended before its first checkpoint
        return words
    kept = folder / "config.yaml"
    if lasting(build(read_yaml(kept), {}, str(kept))) != lasting(config):
        raise ConfigError(f"{folder} was run with other parameters than {sweep.file} gives it now: choose another --seed, or remove it")
    if (folder / "result.json").is_file():
        return None
    return [sys.executable, sweep.program, "--resume", str(folder), *OWN]


def last_metric(folder: Path, name: str) -> float | None:
    """The last value of a metric in a run's ``metrics.jsonl``, as in wandb's summary; never the best one."""
    file = folder / "metrics.jsonl"
    lines = [json.loads(line) for _, line in read_metrics(file)] if file.exists() else []
    values = [line[name] for line in lines if name in line]
    return values[-1] if values else None


def results(sweep: Sweep, runs: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A row per run that was made, the best first."""
    rows = []
    for name, chosen in runs.items():
        folder = RUNS / name
        if folder.exists():
            state = "done" if (folder / "result.json").is_file() else "stopped"
            rows.append({"run": name, "state": state, sweep.metric: last_metric(folder, sweep.metric), **chosen})
    sign = -1 if sweep.goal == "maximize" else 1
    return sorted(rows, key=lambda row: math.inf if row[sweep.metric] is None else sign * row[sweep.metric])


def to_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def show(sweep: Sweep, rows: Sequence[Mapping[str, Any]]) -> None:
    varied = [parameter.name for parameter in sweep.parameters if len(parameter.values) != 1]
    table = Table(title=f"{sweep.file}: {sweep.metric}, {sweep.goal}", title_justify="left")
    columns = ["run", "state", sweep.metric, *varied]
    for column in columns:
        table.add_column(column)
    for row in rows:
        table.add_row(*(f"{row[column]:.4g}" if isinstance(row[column], float) else str(row[column]) for column in columns))
    make_console().print(table)


def run_all(sweep: Sweep, seed: int, count: int | None) -> int:
    """Run what is missing of the first ``count`` draws, and write the table after each; returns the exit status."""
    draws = list(islice(sweep.draws(seed), count))
    runs = {f"{sweep.file.stem}-{seed}-{number:03d}": chosen for number, chosen in enumerate(draws, 1)}
    for name, chosen in runs.items():
        next_words(sweep, name, chosen)  # anything wrong is said before anything is run
    status = 0
    for name, chosen in runs.items():
        words = next_words(sweep, name, chosen)
        if words is not None:
            print(f"{name}: " + ", ".join(f"{key}={value}" for key, value in chosen.items()), flush=True)
            status = _run(words)
        if rows := results(sweep, runs):
            write_atomically(RUNS / f"{sweep.file.stem}-{seed}.csv", to_csv(rows))
        if status > 128:
            print("stopped; the same command goes on", file=sys.stderr)
            break
    if rows := results(sweep, runs):
        show(sweep, rows)
    return status


def _run(words: Sequence[str]) -> int:
    with subprocess.Popen(words) as process:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:  # the run got it too, and saves
                continue


@program
def main(argv: Sequence[str] | None = None) -> int:
    """0; 2 for a request that cannot be fulfilled; else the status of the run that failed last, or was stopped."""
    parser = argparse.ArgumentParser("python -m deckwood_agents.learning.sweep", description="Run a wandb sweep file without a server.")
    parser.add_argument("file", type=Path, help="such as configs/sweep_tanglewoods.yaml")
    parser.add_argument("--count", type=whole(1, 10**6), help="number of runs (default: the whole grid; required for random)")
    parser.add_argument(
        "--seed", type=whole(0, 2**63), default=1, help="seed of the draws, and part of the runs' names (default %(default)s)"
    )
    args = parser.parse_args(argv)
    sweep = Sweep(args.file)
    if args.count is None and sweep.method == "random":
        raise ConfigError("--count: say how many runs, since random draws have no end")
    return run_all(sweep, args.seed, args.count)


if __name__ == "__main__":
    sys.exit(main())
