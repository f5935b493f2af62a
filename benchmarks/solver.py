"""How fast plain fights are solved: ``python benchmarks/solver.py [--repeats 5] [--quick] [--json FILE] [--page docs/solver.md]``.

Every fight is solved in a process of its own, on one core. Seconds are of processor time, compilation left out, the median of the
repeats with the lowest and the highest; memory is the most that the process held at once, Python and all.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from deckwood.core.files import write_atomically
from deckwood.core.program import Unreadable, input_file, output, program, whole
from deckwood.solver import Enemy, Fight, TooLarge, solve_fight

TANGLEWOODS = (3, 3, 3, 3, 0)
BOX = (4, 4, 4, 4, 1)
DAMAGE = 2
SLOW, MEMORY = 20.0, 6.0  # what this project set out to stay under: seconds where no other aim is named, GB
BEGIN, END = "<!-- measured -->\n", "<!-- /measured -->"


@dataclass(frozen=True)
class Case:
    ready: tuple[int, int, int, int, int]
    healths: tuple[int, ...]
    strategy: int = 3
    aim: float = SLOW  # seconds

    def fight(self) -> Fight:
        return Fight(self.ready, tuple(Enemy(health, DAMAGE) for health in self.healths), strategy=self.strategy)


CASES = (
    *(Case(TANGLEWOODS, (health,), aim=1.0) for health in range(1, 11)),
    *(Case(TANGLEWOODS, healths) for healths in ((3, 3), (5, 3), (5, 5), (7, 5), (8, 8), (10, 10))),
    *(Case(BOX, (health,)) for health in (5, 10)),
    Case(BOX, (3, 3)),
    Case(TANGLEWOODS, (3, 3, 3)),
    Case(TANGLEWOODS, (10,), 6),
)
QUICK = (Case(TANGLEWOODS, (3,), aim=1.0), Case((2, 2, 2, 2, 0), (2, 2)))


@dataclass(frozen=True)
class Result:
    """One line of the table. ``seconds`` are empty where the fight was refused as too large."""

    dice: int
    strategy: int
    enemies: str
    states: int
    seconds: tuple[float, ...]
    gigabytes: float
    aim: float

    @property
    def met(self) -> bool:
        return bool(self.seconds) and statistics.median(self.seconds) < self.aim and self.gigabytes < MEMORY


def solve(case: Case, repeats: int) -> None:
    """Prints states, seconds and peak memory as JSON: what the process of a case does."""
    import resource  # of POSIX systems only

    solve_fight(Fight((1, 1, 1, 1, 1), (Enemy(1, 1), Enemy(1, 1)), strategy=3))  # loads what is compiled, or compiles
    seconds: list[float] = []
    try:
        for _ in range(repeats):
            begun = time.process_time()
            states = solve_fight(case.fight()).states
            seconds.append(time.process_time() - begun)
    except TooLarge as refused:
        states = refused.states
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    print(json.dumps([states, seconds, peak / 1e9]))


def measure(case: Case, place: int, repeats: int, quick: bool) -> Result:
    command = [sys.executable, __file__, "--case", str(place), "--repeats", str(repeats), *(["--quick"] if quick else [])]
    states, seconds, gigabytes = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return Result(sum(case.ready), case.strategy, " ".join(map(str, case.healths)), states, tuple(seconds), gigabytes, case.aim)


HEAD = """\
| dice | Strategy | Health of the enemies | states | seconds | lowest to highest | GB | aim |
| --- | --- | --- | --- | --- | --- | --- | --- |"""


def line(result: Result) -> str:
    """A line of the table, in Markdown."""
    aim = f"under {result.aim:g} s: {'met' if result.met else 'not met'}"
    if result.seconds:
        took = f"{statistics.median(result.seconds):.3g} | {min(result.seconds):.3g} to {max(result.seconds):.3g}"
    else:
        took = "refused: too large | "
    return f"| {result.dice} | {result.strategy} | {result.enemies} | {result.states:,} | {took} | {result.gigabytes:.2f} | {aim} |"


def marked(text: str) -> Path:
    """A page with marks, which a table can be put between."""
    _halves(path := input_file(text))
    return path


def put_into(page: Path, text: str) -> None:
    """Writes ``text`` between the marks of a page."""
    before, after = _halves(page)
    write_atomically(page, f"{before}{BEGIN}\n{text}\n\n{END}{after}")


def _halves(page: Path) -> tuple[str, str]:
    before, begin, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise Unreadable(f"{page}: no place for the table; mark it by {BEGIN.strip()} and {END}")
    return before, after


@program
def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=whole(1, 10_000), default=5, metavar="N", help="number of times each fight is solved (5)")
    parser.add_argument("--quick", action="store_true", help="two small fights, as a smoke test")
    parser.add_argument("--json", type=output, metavar="FILE", help="also write the results to this file")
    parser.add_argument("--page", type=marked, metavar="FILE", help="insert the table into this page")
    parser.add_argument("--case", type=whole(0, max(len(QUICK), len(CASES)) - 1), help=argparse.SUPPRESS)
    args = parser.parse_args(argv)
    cases = QUICK if args.quick else CASES
    if args.case is not None:
        solve(cases[args.case], args.repeats)
        return 0
    print(HEAD)
    results = []
    for place, case in enumerate(cases):
        results.append(measure(case, place, args.repeats, args.quick))
        print(line(results[-1]), flush=True)
    if args.json:
        write_atomically(args.json, json.dumps([asdict(result) for result in results], indent=1) + "\n")
    if args.page:
        put_into(args.page, "\n".join([HEAD, *map(line, results)]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
