"""The solver compiled, uncompiled and with its bounds checked: the same values, and not a warning. Each in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOLVE = """
import json
import numpy as np
from deckwood.core.game import Game
from deckwood.solver import explore, policy_value, solve_fight
from tests.games import coin, pig
from tests.solver.some_fights import some_fight, some_values
found = []
for seed in range(6):
    rng = np.random.default_rng(seed)
    fight, objective = some_fight(rng, 3), some_values(rng, signs=seed % 2 == 1)
    solution = solve_fight(fight, objective)
    found += [commit.value for commit in solution.commits]
    outlook = solution.outlook(solution.commits[-1].dice)
    found += [*outlook.defeat, outlook.death, outlook.damage, outlook.exhausted, outlook.ready_after]
    shown = np.zeros((5, 3), int)
    shown[:, 1] = fight.ready
    advice = solution.after_roll((0, 0, 0, 0, 0), shown)
    found += [advice.value, advice.again, *np.ravel(advice.apply), *advice.commit]
for spec, options in ((coin.SPEC, {}), (pig.SPEC, {"target": 6})):
    game = Game(spec, **options)
    graph = explore(game, game.new())
    values = policy_value(game, game.new(), lambda obs, mask, positions: mask / mask.sum(axis=1, keepdims=True)).values
    found += [graph.states, graph.value, *values]
print(json.dumps([float(number) for number in found]))
"""


def numbers(**environment: str) -> list[float]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "envs"), str(ROOT)]), "NUMBA_DISABLE_JIT": "0", **environment}
    done = subprocess.run([sys.executable, "-W", "error", "-c", SOLVE], env=env, capture_output=True, text=True, check=True, cwd=ROOT)
    return list(json.loads(done.stdout))


@pytest.fixture(scope="module")
def compiled() -> list[float]:
    return numbers()


def test_uncompiled(compiled):
    assert numbers(NUMBA_DISABLE_JIT="1") == pytest.approx(compiled, abs=1e-12)


def test_with_bounds_checked(compiled):
    assert numbers(NUMBA_BOUNDSCHECK="1") == pytest.approx(compiled, abs=1e-12)
