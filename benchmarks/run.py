"""How fast every registered game runs: ``python benchmarks/run.py [--json FILE] [--quick] [--compile] [--train]``.

Rates count real decisions (those with a choice, one action each) of random legal play, with observations and masks written, on one core.
Each figure is the median of several repeats, with the lowest and the highest.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from rich.console import Console
from rich.table import Table

import deckwood
from deckwood.core.batch import Batch
from deckwood.core.files import write_atomically
from deckwood.core.loop import ADVANCE, APPLY, OBSERVE
from deckwood.core.program import output, program, whole

PACKAGES = ("deckwood", "numpy", "numba", "gymnasium", "stable-baselines3", "sb3-contrib", "torch")
CHUNK = 64
"""At least as many decisions are played between two looks at the clock."""
SETTLED = 300
"""Steps that a batch plays before it is measured, by when its games stand at all stages."""
AIMS = {
    "deckwood.Batch, 1024 games": 1_000_000,
    "gymnasium.make": 40_000,
    "second start": 1.5,
    "first start, compiling": 60,
}
"""What this project set out to reach on two cores of a common server; a game may have aims of its own (``spec.metadata["aims"]``)."""

START = """
import time
import gymnasium
import deckwood
print(flush=True)
env = gymnasium.make({env_id!r})
print(flush=True)
env.reset(seed=0)
print(flush=True)
"""


@dataclass(frozen=True)
class Row:
    """A line of the results. ``aim`` is the least that a rate, or the most that a time should be; None where there is none."""

    what: str
    unit: str
    median: float
    low: float
    high: float
    repeats: int
    aim: float | None = None


@dataclass(frozen=True)
class Effort:
    """How long to measure."""

    repeats: int
    seconds: float  # of each repeat
    starts: int
    batches: tuple[int, ...]


def row(what: str, unit: str, values: Sequence[float]) -> Row:
    return Row(what, unit, statistics.median(values), min(values), max(values), len(values), AIMS.get(what))


def rate(what: str, play: Callable[[], int], effort: Effort) -> Row:
    """Decisions per second of ``play``, which plays some and says how many."""
    play()
    values = []
    for _ in range(effort.repeats):
        played, start, now = 0, time.perf_counter(), 0.0
        while now < effort.seconds:
            played += play()
            now = time.perf_counter() - start
        values.append(played / now)
    return row(what, "decisions/s", values)


@contextmanager
def one_core() -> Iterator[bool]:
    """Keep this process on one core; yields whether the system can."""
    if not hasattr(os, "sched_setaffinity"):
        yield False
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield True
    finally:
        os.sched_setaffinity(0, allowed)


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# What is measured ----------------------------------------------------------------------------------------------------------------------


def settled(env_id: str, games: int, effort: Effort) -> Batch:
    """A batch whose games stand at all stages."""
    batch, until = Batch(env_id, games, seed=1), time.perf_counter() + 4 * effort.seconds
    for _ in range(SETTLED):
        batch.step(batch.random_actions())
        if time.perf_counter() > until:
            break
    return batch


def batch_rate(env_id: str, games: int, effort: Effort) -> Row:
    batch = settled(env_id, games, effort)
    steps = max(1, CHUNK // games)

    def play() -> int:
        for _ in range(steps):
            batch.step(batch.random_actions())
        return steps * games

    return rate(f"deckwood.Batch, {games} {'game' if games == 1 else 'games'}", play, effort)


def single_rate(env_id: str, effort: Effort) -> Row:
    """Gymnasium's loop as users write it; choosing among the legal actions is part of it."""
    env, rng = gymnasium.make(env_id), np.random.default_rng(1)
    _, info = env.reset(seed=1)
    mask = info["action_mask"]

    def play() -> int:
        nonlocal mask
        for draw in rng.random(CHUNK):
            legal = mask.nonzero()[0]
            _, _, terminated, truncated, info = env.step(legal[int(draw * len(legal))])
            if terminated or truncated:
                _, info = env.reset()
            mask = info["action_mask"]
        return CHUNK

    return rate("gymnasium.make", play, effort)


def vector_rate(env_id: str, games: int, effort: Effort) -> Row:
    envs: Any = gymnasium.make_vec(env_id, num_envs=games)
    envs.reset(seed=1)

    def play() -> int:
        envs.step(envs.unwrapped.random_actions())
        return games

    return rate(f"gymnasium.make_vec, {games} games", play, effort)


def aec_rate(env_id: str, effort: Effort) -> Row:
    """The PettingZoo environment, by the loop of its documentation."""
    from deckwood.adapters.pettingzoo_env import DeckwoodAECEnv

    env, rng = DeckwoodAECEnv(env_id), np.random.default_rng(1)
    env.reset(seed=1)

    def play() -> int:
        for draw in rng.random(CHUNK):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
            else:
                legal = observation["action_mask"].nonzero()[0]
                env.step(legal[int(draw * len(legal))])
        return CHUNK

    return rate("PettingZoo AEC", play, effort)


def sb3_rate(env_id: str, games: int, effort: Effort) -> Row:
    from deckwood_agents.learning.sb3 import BatchVecEnv

    envs = BatchVecEnv(Batch(env_id, games, seed=1))
    envs.reset()

    def play() -> int:
        envs.step(envs.batch.random_actions())
        return games

    return rate(f"Stable-Baselines3 VecEnv, {games} games", play, effort)


def parts(env_id: str, games: int, effort: Effort) -> list[Row]:
    """Where the time of a batch's step goes: each part is timed alone, on a copy of positions of the same play."""
    batch = settled(env_id, games, effort)
    twin = batch.copy()
    every = np.arange(games)
    names = ("draw a random action", "apply the action", "chance events and forced moves", "legal actions", "observe", "the whole step")
    taken: dict[str, list[float]] = {name: [] for name in (*names, "the rest of the step")}
    chance: list[float] = []
    forced: list[float] = []
    start = time.perf_counter()
    while time.perf_counter() - start < effort.repeats * effort.seconds or len(chance) < 3:
        round_: dict[str, float] = {}

        def timed(name: str, call: Callable[..., Any], *arguments: Any, into: dict[str, float] = round_) -> Any:
            begun = time.perf_counter_ns()
            result = call(*arguments)
            into[name] = (time.perf_counter_ns() - begun) / games
            return result

        actions = timed("draw a random action", batch.random_actions)
        twin.positions[:] = batch.positions
        timed("legal actions", twin._call, ADVANCE, every)  # at a decision there is nothing else to do
        twin._actions[:] = actions
        timed("apply the action", twin._call, APPLY, every)
        timed("chance events and forced moves", twin._call, ADVANCE, every)
        timed("observe", twin._call, OBSERVE, every)
        timed("the whole step", batch.step, actions)
        round_["chance events and forced moves"] -= round_["legal actions"]
        own = ("apply the action", "chance events and forced moves", "legal actions", "observe")
        round_["the rest of the step"] = round_["the whole step"] - sum(round_[name] for name in own)
        for name, value in round_.items():
            taken[name].append(value)
        state = batch._b
        decided, played, happened = state.steps.sum(), batch.positions.decisions.sum(), state.logged.sum()
        chance.append(float((happened - played) / max(1, decided)))
        forced.append(float((played - decided) / max(1, decided)))
    found = [_middle(name, "ns", values) for name, values in taken.items()]
    return [*found, _middle("chance events", "a decision", chance), _middle("forced moves", "a decision", forced)]


def _middle(what: str, unit: str, values: Sequence[float]) -> Row:
    """As :func:`row`, with the tenth and ninetieth percentile for the ends: these are many short measurements."""
    low, median, high = np.percentile(values, [10, 50, 90])
    return Row(what, unit, float(median), float(low), float(high), len(values))


def start(env_id: str, environment: dict[str, str]) -> list[float]:
    """Seconds from starting Python to the end of the imports, of ``gymnasium.make`` and of the first reset."""
    begun = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-c", START.format(env_id=env_id)], stdout=subprocess.PIPE, env={**os.environ, **environment}
    ) as process:
        assert process.stdout is not None
        seen = []
        for _ in range(3):
            process.stdout.readline()
            seen.append(time.perf_counter() - begun)
    if process.returncode:
        raise RuntimeError(f"{env_id} did not start: exit status {process.returncode}")
    return seen


def starts(env_id: str, effort: Effort, compiling: bool) -> list[Row]:
    """From starting Python to the first observation, with and without compiled rules on disk."""
    rows = []
    if compiling:
        with tempfile.TemporaryDirectory() as empty:
            rows.append(row("first start, compiling", "s", [start(env_id, {"DECKWOOD_CACHE_DIR": empty})[-1]]))
    start(env_id, {})
    found = [start(env_id, {}) for _ in range(effort.starts)]
    rows.append(row("second start", "s", [seen[-1] for seen in found]))
    rows.append(row("of which imports", "s", [seen[0] for seen in found]))
    rows.append(row("of which gymnasium.make", "s", [seen[1] - seen[0] for seen in found]))
    return rows


def training_rate(env_id: str, effort: Effort, device: str) -> Row:
    """MaskablePPO with the network and settings of a quick run, on all cores; rollouts and updates together."""
    import torch
    from sb3_contrib import MaskablePPO

    from deckwood_agents.learning.sb3 import BatchVecEnv
    from deckwood_agents.players.policy import MaskedPolicy, policy_arguments

    torch.set_num_threads(cores())
    envs = BatchVecEnv(Batch(env_id, 64, seed=1))
    network = policy_arguments([256], [128], "relu")
    agent = MaskablePPO(MaskedPolicy, envs, n_steps=128, batch_size=1024, n_epochs=4, policy_kwargs=network, device=device, seed=1)
    agent.learn(64 * 128)

    def learn() -> float:
        begun = time.perf_counter()
        agent.learn(64 * 128, reset_num_timesteps=False)
        return 64 * 128 / (time.perf_counter() - begun)

    return row(f"MaskablePPO, 64 games, {device}", "steps/s", [learn() for _ in range(effort.repeats)])


# Putting it together -------------------------------------------------------------------------------------------------------------------


def measure(env_id: str, effort: Effort, compiling: bool, device: str | None) -> list[Row]:
    """Everything about one game, in the order of the table."""
    spec = deckwood.spec(env_id)
    many = min(1024, max(effort.batches))
    rows = starts(env_id, effort, compiling) if spec.seats[1] == 1 else []
    with one_core():
        rows += [batch_rate(env_id, games, effort) for games in effort.batches]
        if spec.seats[1] == 1:
            rows += [single_rate(env_id, effort), vector_rate(env_id, many, effort)]
            if importlib.util.find_spec("stable_baselines3"):
                rows.append(sb3_rate(env_id, many, effort))
        else:
            rows.append(aec_rate(env_id, effort))
        rows += parts(env_id, many, effort)
    if device:
        rows.append(training_rate(env_id, effort, device))
    aims = spec.metadata.get("aims", {})
    return [replace(line, aim=aims.get(line.what, line.aim)) for line in rows]


def machine() -> dict[str, Any]:
    versions = {"Python": platform.python_version()}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            if package == "deckwood":
                versions[package] = deckwood.__version__
    return {"cpu": processor(), "cores": cores(), "system": f"{platform.system()} {platform.machine()}", "versions": versions}


def processor() -> str:
    """The model of the processor, as the system calls it."""
    listing = Path("/proc/cpuinfo")
    if listing.exists() and (found := re.search(r"^model name\s*:\s*(.+)$", listing.read_text(), re.MULTILINE)):
        return found[1]
    return platform.processor() or platform.machine()


def show(console: Console, env_id: str, rows: Sequence[Row]) -> None:
    table = Table("", title=env_id, title_justify="left")
    for name in ("median", "lowest to highest"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    table.add_column("aim", justify="right", no_wrap=True)
    for line in rows:
        aim = "" if line.aim is None else _amount(line.aim)
        table.add_row(line.what, _amount(line.median), f"{_amount(line.low)} to {_amount(line.high)}", line.unit, aim)
    console.print(table)


def _amount(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


@program
def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", default=list(deckwood.games()), metavar="ID", help="environment ids (default: all)")
    parser.add_argument("--json", type=output, metavar="FILE", help="also write the results to this file")
    parser.add_argument("--quick", action="store_true", help="short repeats, as a smoke test")
    parser.add_argument("--batches", nargs="+", type=whole(1, 10**6), default=[1, 64, 1024, 4096], metavar="N", help="batch sizes")
    parser.add_argument("--starts", type=whole(1, 1000), default=5, metavar="N", help="number of Python starts")
    parser.add_argument("--compile", action="store_true", help="also measure the first start, which compiles the rules")
    parser.add_argument("--train", nargs="?", const="cpu", metavar="DEVICE", help="also measure training, on this device (cpu)")
    args = parser.parse_args(argv)
    effort = Effort(3 if args.quick else 7, 0.05 if args.quick else 0.6, args.starts, tuple(args.batches))

    for env_id in args.games:
        deckwood.spec(env_id)  # an unknown one is refused before anything is measured
    console = Console()
    if not console.is_terminal:
        console = Console(width=100)
    results: dict[str, Any] = {"machine": machine(), "quick": args.quick, "games": {}}
    console.print(f"{results['machine']['cpu']}, {results['machine']['cores']} cores; rates on one of them", highlight=False)
    for env_id in args.games:
        rows = measure(env_id, effort, args.compile, args.train)
        show(console, env_id, rows)
        results["games"][env_id] = [asdict(line) for line in rows]
    if args.json:
        write_atomically(args.json, json.dumps(results, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
