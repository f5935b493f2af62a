"""No bad input of the table ends in a traceback, and none changes a file."""

import hashlib
import importlib
import importlib.util
import shlex
import shutil
import signal
import sys
from functools import cache
from pathlib import Path

import pytest

from deckwood_agents.learning import ship
from tests.programs.bad_inputs import PROGRAMS, ROWS

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@cache
def main_of(program):
    where = PROGRAMS[program]
    if not where.endswith(".py"):
        return importlib.import_module(where).main
    spec = importlib.util.spec_from_file_location(f"program_{Path(where).stem}", BENCHMARKS.parent / where)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module.main


@pytest.fixture(scope="module")
def finished_run(tmp_path_factory):
    """Made by the first test that needs it."""
    return tmp_path_factory.mktemp("finished") / "run"


def place(finished_run):
    """Put a finished run of Ladder at runs/run; the first time it is trained."""
    if not finished_run.exists():
        assert main_of("train")(["tiny.yaml", "--name", "run", "--checkpoints.every", "0", "--evaluation.every", "0"]) == 0
        shutil.copytree("runs/run", finished_run)
    shutil.copytree(finished_run, "runs/run", dirs_exist_ok=True)


def contents(folder):
    """Each file below ``folder`` with a digest."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


class TooLong(BaseException):
    pass


def give_up(number, frame):
    raise TooLong


def answer(main, words):
    """The exit status; what is not refused must not begin to play or to train."""
    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(20)
    try:
        return main(words)
    except SystemExit as ended:
        return ended.code
    finally:
        signal.alarm(0)


def test_the_table_is_large():
    assert len(ROWS) >= 300
    assert set(PROGRAMS) == {row.program for row in ROWS}


def test_what_is_not_damaged_is_taken(workplace, finished_run):
    place(finished_run)
    assert main_of("evaluate")(["ladder", "--agents", "ppo:runs/run", "--episodes", "4", "--json", "x.json", "--csv", "x.csv"]) == 0
    assert main_of("train")(["--resume", "runs/run", "--total-steps", "1152"]) == 0


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.program} {row.line} {row.message}"[:90].encode("unicode_escape").decode())
def test_it_is_refused(row, workplace, finished_run, capsys, monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    monkeypatch.setattr(ship, "SHIPPED", workplace / "shipped")
    if row.run:
        place(finished_run)
    row.make(workplace)
    before = contents(workplace)
    capsys.readouterr()
    status = answer(main_of(row.program), shlex.split(row.line))
    out, err = capsys.readouterr()
    assert status in (1, 2), (status, out, err)
    assert row.message in err
    assert 0 < len(err.strip()) < 3000
    assert "Traceback" not in err
    assert contents(workplace) == before
