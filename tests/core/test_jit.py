"""The disk cache, and agreement of compiled and uncompiled code and of processes. Each case runs in a process of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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


def test_the_first_start_says_so_and_the_second_hits_the_cache(checkout):
    assert python(COIN, checkout)[1].count("compiling the rules") == 1
    assert python(COIN, checkout)[1] == ""
    # A game from outside the package: the kernel's own file stays as it was, what it calls does not.
    rules = checkout / "tests/games/coin_rules.py"
    rules.write_text(rules.read_text() + "\n")
    assert "compiling" in python(COIN, checkout)[1]


def test_a_change_in_any_source_of_the_package_recompiles(checkout):
    python(WORDS, checkout)
    assert python(WORDS, checkout)[1] == ""
    changed = checkout / "envs/deckwood/core/errors.py"
    changed.write_text(changed.read_text() + "\n")
    assert "compiling" in python(WORDS, checkout)[1]


def test_a_damaged_cache_file_is_only_a_miss(checkout):
    python(WORDS, checkout)
    for file in checkout.rglob("*.bin"):
        file.write_bytes(b"junk")
    assert "compiling" in python(WORDS, checkout)[1]
    assert python(WORDS, checkout)[1] == ""


def test_processes_may_compile_at_once(checkout):
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(checkout / "envs"), str(checkout)]), "NUMBA_DISABLE_JIT": "0"}
    running = [subprocess.Popen([sys.executable, "-c", WORDS], env=env, cwd=checkout, stderr=subprocess.DEVNULL) for _ in range(4)]
    assert [process.wait() for process in running] == [0] * 4
    assert python(WORDS, checkout)[1] == ""


def test_a_place_that_cannot_be_written_is_no_obstacle(checkout):
    (checkout / "file").write_text("")
    python(WORDS, checkout, DECKWOOD_CACHE_DIR=str(checkout / "file"), TMPDIR=str(checkout))


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
