"""The notebooks run, at a tiny budget, and are stored with their outputs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from deckwood.core.jit import COMPILED

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
TINY = {
    "first_game": {"NUM_ENVS": 4, "STEPS": 5},
    "train": {"STEPS": 128, "GAMES": 4, "NUM_ENVS": 16},
    "regret": {"GAMES": 4, "AGENTS": ("greedy", "optimum")},
    "self_play": {"STEPS": 128, "GAMES": 12, "NUM_ENVS": 8},
    "own_deck": {"GAMES": 2},
}


def cells(notebook):
    return [cell for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]


def with_parameters(cells, values):
    """The code of a notebook; after the cell tagged "parameters" stand ``values``, as Papermill does it."""
    for cell in cells:
        yield "".join(cell["source"])
        if "parameters" in cell["metadata"].get("tags", []):
            yield "\n".join(f"{name} = {value!r}" for name, value in values.items())


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_its_outputs_are_stored(notebook):
    found = cells(notebook)
    assert all(cell["execution_count"] for cell in found)
    assert not any(output["output_type"] == "error" for cell in found for output in cell["outputs"])


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="solving and training take long uncompiled")
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs(notebook, tmp_path):
    values = TINY[notebook.stem]
    code = "\n\n".join(with_parameters(cells(notebook), values))
    assert all(f"\n{name} = {value!r}" in code for name, value in values.items()), "no cell is tagged parameters"
    small = code.replace("batch_size: 512", "batch_size: 64").replace("n_steps: 32", "n_steps: 8").replace("n_steps: 64", "n_steps: 8")
    done = subprocess.run(
        [sys.executable, "-c", small], cwd=tmp_path, env={**os.environ, "TMPDIR": str(tmp_path)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
