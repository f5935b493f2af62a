"""The disk cache, and agreement of compiled and uncompiled code and of processes. Each case runs in a process of its own."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from deckwood.core.jit import TESTED

ROOT = Path(__file__).parents[2]
PLAY = """
import hashlib, sys
import numpy as np
from deckwood.core.batch import Batch
from deckwood.core.jit import COMPILED
from tests.games import coin, pig
digest = hashlib.sha256()
for spec in (coin.SPEC, pig.SPEC):
    batch = Batch(spec, 3, seed=5, log=1000)
    for _ in range(300):
        batch.step(batch.random_actions())
        for name in ("obs", "mask", "reward", "terminated", "actor", "final_obs", "ended", "episode_return", "episode_length"):
            digest.update(np.ascontiguousarray(getattr(batch, name)).tobytes())
        digest.update(batch.positions.tobytes())
print(COMPILED, digest.hexdigest())
"""


def python(code: str, root: Path = ROOT, **environment: str) -> tuple[str, str]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root / "envs"), str(root)]), "NUMBA_DISABLE_JIT": "0", **environment}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True, cwd=root)
    return done.stdout, done.stderr


@pytest.fixture(scope="module")
def compiled() -> str:
    return python(PLAY)[0]


def test_uncompiled_code_plays_the_same_games(compiled):
    assert python(PLAY, NUMBA_DISABLE_JIT="1")[0].split() == ["False", compiled.split()[1]]


@pytest.mark.parametrize("seed", ["0", "1"])
def test_processes_agree_under_hash_randomisation(compiled, seed):
    assert python(PLAY, PYTHONHASHSEED=seed)[0] == compiled


def test_bounds_checked_code_plays_the_same_games(compiled):
    assert python(PLAY, NUMBA_BOUNDSCHECK="1")[0] == compiled


COIN = """
from deckwood.core.batch import Batch
from tests.games import coin
Batch(coin.SPEC, 1, seed=1)
"""


WORDS = "from deckwood.core.stream import new_stream; new_stream(1)"  # little to compile


@pytest.fixture
def checkout(tmp_path, monkeypatch) -> Path:
    """A copy of the machinery with a cache of its own."""
    monkeypatch.setenv("DECKWOOD_CACHE_DIR", str(tmp_path / "cache"))
    for part in ("envs/deckwood/core", "envs/deckwood/adapters", "tests/games"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    for part in ("envs/deckwood/__init__.py", "tests/__init__.py"):
        shutil.copy(ROOT / part, tmp_path / part)
    return tmp_path


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))


def test_the_first_start_says_so_and_the_second_hits_the_cache(checkout):
    assert python(COIN, checkout)[1].count("compiling the rules") == 1
    assert python(COIN, checkout)[1] == ""


def test_only_what_reaches_the_machine_code_recompiles(checkout):
    python(COIN, checkout)
    # A loader, another game, a comment and a function that no rule calls.
    for part in ("envs/deckwood/core/errors.py", "tests/games/pig_rules.py", "tests/games/coin_rules.py", "envs/deckwood/core/stream.py"):
        file = checkout / part
        file.write_text(f"# A comment\n{file.read_text()}\ndef unused():\n    return 7\n")
    assert python(COIN, checkout)[1] == ""
    # The kernel's own file stays as it was; a constant that a called rule reads does not.
    change(checkout / "tests/games/coin_rules.py", "DECISION, CHANCE, END = 0, 1, 2", "DECISION, CHANCE, END = 0, 1, 2\nEND += 0")
    assert python(COIN, checkout)[1] == ""
    change(checkout / "envs/deckwood/core/jit.py", "COMPILED =", "# how rules are compiled\nCOMPILED =")
    assert "compiling" in python(COIN, checkout)[1]


CALLER = """
import numpy as np
import {name}
print({name}.caller(np.zeros(3, np.int64)))
"""
RULES = """
from enum import IntEnum
from typing import NamedTuple
import numpy as np
from deckwood.core.jit import rule
import {name}_words as words

class Colour(IntEnum):
    RED = 1

class Pair(NamedTuple):
    left: int
    right: int

TABLE = np.array([10, 20])
BOTH = Pair(3, 4)
NAMES = ("a", "b")

@rule
def called(x, more=100):
    return x + Colour.RED + 5 + more + words.BASE + TABLE[1] + BOTH.left + len(NAMES[0])

@rule
def caller(row):
    return called(row[0])
"""


def test_a_change_of_whatever_a_called_rule_reads_recompiles(checkout):
    """A constant in the code, a default, a global, a module's attribute, an array, an enumeration, a tuple's fields and a called rule."""
    rules, words = checkout / "fresh.py", checkout / "fresh_words.py"
    rules.write_text(RULES.format(name="fresh"))
    words.write_text("BASE = 1000\n")
    code = CALLER.format(name="fresh")
    total = 0 + 6 + 100 + 1000 + 20 + 3 + 1
    assert int(python(code, checkout)[0]) == total
    changes = [
        (rules, "RED = 1", "RED = 2", 1),
        (rules, "Colour.RED + 5", "Colour.RED + 6", 1),
        (rules, "more=100", "more=200", 100),
        (words, "1000", "2000", 1000),
        (rules, "[10, 20]", "[10, 30]", 10),
        (rules, "    left: int\n    right: int", "    right: int\n    left: int", 1),
        (rules, '("a", "b")', '("aa", "b")', 1),
        (rules, "called(row[0])", "called(row[0]) + 1", 1),
    ]
    for file, old, new, difference in changes:
        change(file, old, new)
        total += difference
        out, told = python(code, checkout)
        assert (int(out), "compiling" in told) == (total, True), new
    assert python(code, checkout) == (f"{total}\n", "")


def test_arguments_of_another_meaning_are_no_hit(checkout):
    """Numba's name of a named tuple leaves out its fields."""
    code = """
from collections import namedtuple
import fields
print(fields.left(namedtuple("Pair", "{} {}")(1, 2)))
"""
    (checkout / "fields.py").write_text("from deckwood.core.jit import rule\n@rule\ndef left(pair):\n    return pair.left\n")
    assert python(code.format("left", "right"), checkout)[0] == "1\n"
    assert python(code.format("right", "left"), checkout)[0] == "2\n"


def test_what_cannot_be_told_is_not_kept(checkout):
    (checkout / "odd.py").write_text(
        "import numba\nfrom numba.extending import overload\nfrom deckwood.core.jit import rule\n"
        "def step(x): pass\n@overload(step)\ndef _(x): return lambda x: x + 1\n@rule\ndef play(x):\n    return step(x)\n"
    )
    code = "import odd; print(odd.play(1))"
    for _ in range(2):
        out, told = python(code, checkout)
        assert (out, "compiling" in told) == ("2\n", True)
    assert not list((checkout / "cache").rglob("*.bin"))


@pytest.mark.parametrize("seed", ["0", "1"])
def test_every_kernel_is_kept_and_its_digest_is_the_same_everywhere(seed):
    code = """
from deckwood.core.fingerprint import fingerprint
from deckwood.core.game import Game
from deckwood.core.registry import GAMES
print([fingerprint(Game(env_id).kernel.py_func, ()) for env_id in GAMES])
"""
    assert python(code)[0] == python(code, PYTHONHASHSEED=seed)[0]


def test_a_flipped_bit_is_only_a_miss(checkout):
    python(WORDS, checkout)
    (file,) = (checkout / "cache").rglob("*.bin")
    whole = file.read_bytes()
    for place in (0, 31, 32, 40, len(whole) // 2, len(whole) - 1):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 16]) + whole[place + 1 :])
        assert "compiling" in python(WORDS, checkout)[1], place
    for damage in (b"", b"junk", whole[:-1]):
        file.write_bytes(damage)
        assert "compiling" in python(WORDS, checkout)[1], damage
    assert python(WORDS, checkout)[1] == ""


def test_numba_of_another_release_compiles_plainly_and_says_so(checkout):
    change(checkout / "envs/deckwood/core/jit.py", "TESTED = (0, 68), (0, 69)", "TESTED = (0, 60), (0, 61)")
    told = python(WORDS, checkout)[1]
    assert told.count("does not fit Numba") == 1
    assert "tested with Numba 0.60 and newer, below 0.61" in told
    assert not list((checkout / "cache").rglob("*.bin"))
    assert python(WORDS, checkout, DECKWOOD_ANY_NUMBA="1")[1].count("compiling the rules") == 1


def test_numba_without_the_internals_compiles_plainly_and_says_so(checkout):
    change(checkout / "envs/deckwood/core/linking.py", "import JITCodeLibrary", "import GoneCodeLibrary as JITCodeLibrary")
    assert python(WORDS, checkout)[1].count("GoneCodeLibrary") >= 1


def test_the_package_asks_for_a_numba_that_was_tested():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert f"numba>={TESTED[0][0]}.{TESTED[0][1]}" in project["dependencies"]


def test_processes_may_compile_at_once(checkout):
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(checkout / "envs"), str(checkout)]), "NUMBA_DISABLE_JIT": "0"}
    running = [subprocess.Popen([sys.executable, "-c", WORDS], env=env, cwd=checkout, stderr=subprocess.DEVNULL) for _ in range(4)]
    assert [process.wait() for process in running] == [0] * 4
    assert python(WORDS, checkout)[1] == ""


def test_importing_deckwood_loads_no_compiler_and_no_game():
    out, _ = python(
        "import sys, deckwood, gymnasium; gymnasium.spec('deckwood/Tanglewoods-v1');"
        "print('numba' in sys.modules, any(name.startswith('deckwood.tanglewoods') for name in sys.modules))"
    )
    assert out.split() == ["False", "False"]


def test_a_users_own_compiled_function_may_call_rules():
    code = """
import numba
import numpy as np
from deckwood.core.stream import below, draw, new_stream
@numba.njit
def total(stream, weights):
    out = 0
    for _ in range(1000):
        out += draw(stream, weights, 3) + below(stream, 7)
    return out
print(total(new_stream(1), np.array([1, 2, 3], np.int32)), total.py_func(new_stream(1), np.array([1, 2, 3], np.int32)))
"""
    one, other = python(code)[0].split()
    assert one == other
