"""What a run goes on from, beside Stable-Baselines3's file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch as th
from numpy.typing import NDArray

from deckwood_agents.learning.sb3 import GamesVecEnv

# What a run goes on from ---------------------------------------------------------------------------------------------------------------


def run_state(venv: GamesVecEnv, evaluated: int) -> dict[str, NDArray[np.generic]]:
    """Everything that the next update depends on and Stable-Baselines3's file lacks: generators, games, and what was done when."""
    kind, keys, place, has_gauss, cached = np.random.get_state()  # noqa: NPY002 - Stable-Baselines3 shuffles minibatches with it
    assert isinstance(kind, str)
    state: dict[str, NDArray[Any]] = {
        "numpy_keys": np.asarray(keys),
        "numpy_rest": np.array([place, has_gauss, cached], np.float64),
        "torch": th.get_rng_state().numpy(),
        "batch": np.frombuffer(venv.batch.save(), np.uint8),
        "evaluated": np.array(evaluated),
        **venv.state(),
    }
    if th.cuda.is_available():
        state["cuda"] = th.cuda.get_rng_state().numpy()
    return state


def restore_state(state: Mapping[str, NDArray[Any]], venv: GamesVecEnv) -> int:
    """Put :func:`run_state` back; returns the step of the last evaluation. SnapshotError when the games have changed since."""
    place, has_gauss, cached = state["numpy_rest"]
    np.random.set_state(("MT19937", state["numpy_keys"], int(place), int(has_gauss), cached))  # noqa: NPY002
    th.set_rng_state(th.as_tensor(state["torch"]))
    if "cuda" in state and th.cuda.is_available():
        th.cuda.set_rng_state(th.as_tensor(state["cuda"]))
    venv.batch.load(state["batch"].tobytes())
    venv.restore(state)
    return int(state["evaluated"])
