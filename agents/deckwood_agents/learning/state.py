"""The state of a run, apart from Stable-Baselines3's file."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch as th
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO

from deckwood.core.errors import SnapshotError
from deckwood.core.untrusted import printable
from deckwood_agents.learning.sb3 import GamesVecEnv, require
from deckwood_agents.players.checkpoints import OPTIMIZER, RESUME, WEIGHTS, CheckpointError, read_resume, read_tensors

EPISODE = ("r", "l")
"""Of a game that ended, as Stable-Baselines3 keeps it: return, decisions, seconds."""


def run_state(venv: GamesVecEnv, agent: MaskablePPO, evaluated: int) -> dict[str, NDArray[Any]]:
    """Everything that the next update depends on, apart from the weights and the optimizer: generators, games, and what was done when."""
    kind, keys, place, has_gauss, cached = np.random.get_state()  # noqa: NPY002 - Stable-Baselines3 shuffles minibatches with it
    assert isinstance(kind, str)
    episodes = list(agent.ep_info_buffer or ())
    state: dict[str, NDArray[Any]] = {
        "numpy_keys": np.asarray(keys),
        "numpy_rest": np.array([place, has_gauss, cached], np.float64),
        "torch": th.get_rng_state().numpy(),
        "batch": np.frombuffer(venv.batch.save(), np.uint8),
        "counts": np.array([agent.num_timesteps, agent._n_updates, agent._episode_num, evaluated]),
        "observations": np.asarray(agent._last_obs, np.float32),
        "starts": np.asarray(agent._last_episode_starts, np.bool_),
        "episodes": np.array([[episode[name] for name in EPISODE] for episode in episodes]).reshape(-1, len(EPISODE)),
        "successes": np.array(list(agent.ep_success_buffer or ()), np.bool_),
        **venv.state(),
    }
    if th.cuda.is_available():
        state["cuda"] = th.cuda.get_rng_state().numpy()
    return state


def restore_state(path: Path, venv: GamesVecEnv, agent: MaskablePPO) -> int:
    """Put weights, optimizer and :func:`run_state` of the checkpoint ``path`` into a fresh ``agent``; returns the step of the last
    evaluation. CheckpointError or SnapshotError if something is missing, damaged, or of another shape. No pickled code is run.
    """
    state = read_resume(path)
    _restore_network(path, agent)
    try:
        _check(state, agent, venv)
        venv.restore(state)
        place, has_gauss, cached = state["numpy_rest"]
        np.random.set_state(("MT19937", state["numpy_keys"], int(place), int(has_gauss), float(cached)))  # noqa: NPY002
        th.set_rng_state(th.as_tensor(state["torch"]))
        if "cuda" in state and th.cuda.is_available():
            th.cuda.set_rng_state(th.as_tensor(state["cuda"]))
    except (KeyError, ValueError, TypeError, RuntimeError, OverflowError) as error:
        reason = f"there is no {error}" if isinstance(error, KeyError) else str(error)
        raise CheckpointError(f"{path}: its {RESUME} cannot be gone on from ({printable(reason)})") from None
    try:
        venv.batch.load(state["batch"].tobytes())
    except SnapshotError as error:
        raise CheckpointError(f"{path}: its games cannot be played on: {error}") from None
    agent._last_obs, agent._last_episode_starts = state["observations"], state["starts"]
    episodes = [{"r": float(r), "l": int(length), "t": 0.0} for r, length in state["episodes"]]
    agent.ep_info_buffer = deque(episodes, maxlen=agent._stats_window_size)
    agent.ep_success_buffer = deque(state["successes"].tolist(), maxlen=agent._stats_window_size)
    agent.num_timesteps, agent._n_updates, agent._episode_num, evaluated = state["counts"].tolist()
    return int(evaluated)


def _check(state: Mapping[str, NDArray[Any]], agent: MaskablePPO, venv: GamesVecEnv) -> None:
    """KeyError, ValueError unless all arrays are there, of the shapes that a fresh run's have, with values that can be."""
    fresh: dict[str, NDArray[Any]] = {
        "numpy_keys": np.zeros(624, np.uint32),
        "numpy_rest": np.zeros(3),
        "torch": th.get_rng_state().numpy(),
        "counts": np.zeros(4, np.int64),
        "observations": venv.observations(),
        "starts": np.zeros(venv.num_envs, np.bool_),
    }
    for name, like in fresh.items():
        require(state, name, like.dtype, like.shape)
    require(state, "batch", np.dtype(np.uint8), (None,))
    require(state, "episodes", np.dtype(np.float64), (None, len(EPISODE)))
    require(state, "successes", np.dtype(np.bool_), (None,))
    place, has_gauss, cached = state["numpy_rest"]
    if not (0 <= place <= 624 and has_gauss in (0, 1) and np.isfinite(cached)):
        raise ValueError("numpy_rest holds no state of a generator")
    if (state["counts"] < 0).any() or not all(np.isfinite(state[name]).all() for name in ("observations", "episodes")):
        raise ValueError("counts, observations or episodes hold a number that cannot be")


def _restore_network(path: Path, agent: MaskablePPO) -> None:
    """Weights and the optimizer's moments; how it steps is the configuration's."""
    weights, moments = (read_tensors(path, name, str(agent.device)) for name in (WEIGHTS, OPTIMIZER))
    optimizer = agent.policy.optimizer
    try:
        agent.policy.load_state_dict(weights)
        kept, own = moments["state"], list(agent.policy.parameters())
        if kept and sorted(kept) != list(range(len(own))):
            raise ValueError(f"moments of {len(kept)} of {len(own)} parameters")
        for number, moment in kept.items():
            shapes = {name: tuple(moment[name].shape) for name in ("exp_avg", "exp_avg_sq")}
            if set(moment) != {"step", *shapes} or set(shapes.values()) != {tuple(own[number].shape)} or moment["step"].numel() != 1:
                raise ValueError(f"moments of the shapes {shapes}")
        optimizer.load_state_dict({"state": kept, "param_groups": optimizer.state_dict()["param_groups"]})
    except (LookupError, ValueError, TypeError, AttributeError, RuntimeError) as error:
        raise CheckpointError(f"{path}: its weights do not fit the network of config.yaml ({printable(str(error))})") from None
