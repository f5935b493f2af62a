"""What a run goes on from: the agent's weights, and arrays for everything else that its next update depends on.

Nothing is unpickled, the games are played again by the rules, and every array is checked before it is used: a checkpoint may be anybody's.
"""

from __future__ import annotations

import io
import pickle
import zipfile
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch as th
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO

from deckwood.core.errors import SnapshotError
from deckwood_agents.learning.sb3 import GamesVecEnv
from deckwood_agents.players.checkpoints import CheckpointError, entry

COUNTERS = ("num_timesteps", "_n_updates", "_episode_num")


def run_state(agent: MaskablePPO, venv: GamesVecEnv, evaluated: int) -> dict[str, NDArray[Any]]:
    """Everything beside the weights: counters, generators, games, and what was done when."""
    kind, keys, place, has_gauss, cached = np.random.get_state()  # noqa: NPY002 - Stable-Baselines3 shuffles minibatches with it
    assert isinstance(kind, str)
    recent = [[game["r"], game["l"]] for game in agent.ep_info_buffer or ()]
    state: dict[str, NDArray[Any]] = {
        "counters": np.array([getattr(agent, name) for name in COUNTERS], np.int64),
        "starts": np.asarray(agent._last_episode_starts, np.bool_),
        "recent": np.array(recent, np.float64).reshape(-1, 2),
        "recent_wins": np.array(agent.ep_success_buffer or [], np.bool_),
        "numpy_keys": np.asarray(keys, np.uint32),
        "numpy_rest": np.array([place, has_gauss, cached], np.float64),
        "torch": th.get_rng_state().numpy(),
        "batch": np.frombuffer(venv.batch.save(), np.uint8),
        "evaluated": np.array(evaluated, np.int64),
        **venv.state(),
    }
    if th.cuda.is_available():
        state["cuda"] = th.cuda.get_rng_state().numpy()
    return state


def restore_run(path: Path, agent: MaskablePPO, venv: GamesVecEnv, state: Mapping[str, NDArray[Any]]) -> int:
    """Put :func:`run_state` and the weights in the checkpoint ``path`` back; returns the step of the last evaluation.

    ``agent`` is a new one of the same configuration. CheckpointError, naming the entry, for what cannot have come from a run of it.
    """
    load_weights(path, agent)
    counters = entry(path, state, "counters", np.int64, (len(COUNTERS),), low=0)
    for name, value in zip(COUNTERS, counters.tolist(), strict=True):
        setattr(agent, name, value)
    agent._last_episode_starts = entry(path, state, "starts", np.bool_, (venv.num_envs,))
    recent, size = entry(path, state, "recent", np.float64, (None, 2)), agent._stats_window_size
    agent.ep_info_buffer = deque(({"r": value, "l": int(length), "t": 0.0} for value, length in recent.tolist()), maxlen=size)
    agent.ep_success_buffer = deque(entry(path, state, "recent_wins", np.bool_, (None,)).tolist(), maxlen=size)
    try:
        venv.batch.load(entry(path, state, "batch", np.uint8, (None,)).tobytes())
    except SnapshotError as error:
        raise CheckpointError(f"{path}: its games cannot be played on: {error}") from None
    venv.restore(state, path)
    agent._last_obs = venv.observations()
    evaluated = entry(path, state, "evaluated", np.int64, (), low=0)
    _restore_generators(path, state)
    return int(evaluated)


def _restore_generators(path: Path, state: Mapping[str, NDArray[Any]]) -> None:
    keys = entry(path, state, "numpy_keys", np.uint32, (624,))
    place, has_gauss, cached = entry(path, state, "numpy_rest", np.float64, (3,)).tolist()
    if place not in range(625) or has_gauss not in (0, 1):
        raise CheckpointError(f"{path}: found numpy_rest {place:g}, {has_gauss:g}; allowed: 0 to 624, 0 or 1")
    try:
        np.random.set_state(("MT19937", keys, int(place), int(has_gauss), cached))  # noqa: NPY002
        th.set_rng_state(th.as_tensor(entry(path, state, "torch", np.uint8, th.get_rng_state().shape)))
        if "cuda" in state and th.cuda.is_available():
            th.cuda.set_rng_state(th.as_tensor(entry(path, state, "cuda", np.uint8, th.cuda.get_rng_state().shape)))
    except RuntimeError as error:
        raise CheckpointError(f"{path}: its state of torch's generator is none ({error})") from None


def load_weights(path: Path, agent: MaskablePPO) -> None:
    """The network's weights and the optimizer's moments; CheckpointError where they are not those of such a network."""
    weights, optimizer = (_tensors(path, name, agent.device) for name in ("policy.pth", "policy.optimizer.pth"))
    try:
        _check_optimizer(optimizer, agent.policy)
        agent.set_parameters({"policy": weights, "policy.optimizer": optimizer}, exact_match=True, device=agent.device)
    except (AttributeError, IndexError, KeyError, RuntimeError, TypeError, ValueError) as error:
        raise CheckpointError(f"{path}: its weights do not fit the network that config.yaml declares ({error})") from None


def _tensors(path: Path, name: str, device: th.device) -> Any:
    try:
        with zipfile.ZipFile(path) as archive:
            return th.load(io.BytesIO(archive.read(name)), map_location=device, weights_only=True)
    except pickle.UnpicklingError:
        raise CheckpointError(f"{path}: its {name} holds something else than weights, and was not loaded: that could run code") from None
    except KeyError:
        raise CheckpointError(f"{path}: holds no {name}") from None
    except (OSError, RuntimeError, EOFError, ValueError, zipfile.BadZipFile) as error:
        raise CheckpointError(f"{path}: its {name} is damaged ({error})") from None


def _check_optimizer(found: Any, policy: Any) -> None:
    """ValueError unless the moments in ``found`` are those of this policy's parameters; torch looks at none of this."""
    own, parameters = policy.optimizer.state_dict(), list(policy.parameters())
    if set(found) != {"state", "param_groups"} or len(found["param_groups"]) != len(own["param_groups"]):
        raise ValueError("no state of such an optimizer")
    for mine, group in zip(own["param_groups"], found["param_groups"], strict=True):
        if {**group, "lr": None} != {**mine, "lr": None} or not 0 <= float(group["lr"]) < 1e3:
            raise ValueError("an optimizer with other settings")
    for number, moments in found["state"].items():
        if type(number) is not int or not 0 <= number < len(parameters):
            raise ValueError(f"moments of parameter {number!r}, of {len(parameters)}")
        for name, tensor in moments.items():
            shape = () if name == "step" else parameters[number].shape
            if name not in ("step", "exp_avg", "exp_avg_sq") or tensor.shape != shape or tensor.dtype != th.float32:
                raise ValueError(f"{name} of parameter {number} has another shape or type")
            if not bool(th.isfinite(tensor).all()):
                raise ValueError(f"{name} of parameter {number} is not finite")
