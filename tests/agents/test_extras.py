"""An install without extras says which one is missing."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("package", "missing"),
    [("measuring.evaluation", "yaml"), ("learning.training", "torch"), ("results", "rich"), ("studies.tuning", "choix")],
)
def test_the_error_names_the_extra(package, missing):
    code = f"import sys; sys.modules[{missing!r}] = None; import deckwood_agents.{package}"
    error = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False).stderr
    assert f'needs {missing}: pip install "deckwood[train]"' in error.splitlines()[-1]


def test_videos_have_an_extra():
    """RecordVideo writes with MoviePy."""
    extras = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert any(entry.startswith("moviepy") for entry in extras["video"])
