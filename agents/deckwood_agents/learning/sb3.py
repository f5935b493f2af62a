"""Stable-Baselines3 on the batch driver: a VecEnv without a loop over environments."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecEnv

from deckwood.core.batch import Batch
from deckwood.core.errors import DeckwoodError
from deckwood.core.indices import indices as slots_of
from deckwood_agents.games import NotSolo
from deckwood_agents.players.advice import AdviceInput
from deckwood_agents.players.policy import batch_spaces

FloatArray: TypeAlias = NDArray[np.float32]


class NonFinite(DeckwoodError, ArithmeticError):
    """An observation, a reward or a loss that is infinite or NaN. ``slots`` names the games, if known."""

    def __init__(self, message: str, slots: Sequence[int] = ()) -> None:
        super().__init__(message)
        self.slots = list(slots)


class Attendant(Protocol):
    """An observer of a batch in play, such as :class:`deckwood_agents.learning.imitation.Lesson`."""

    def attend(self, batch: Batch, actions: NDArray[Any]) -> NDArray[Any]:
        """The actions to play (n,), given the learner's ``actions`` (n,)."""


def require(state: Mapping[str, NDArray[Any]], name: str, dtype: np.dtype[Any], shape: tuple[int | None, ...]) -> None:
    """KeyError, ValueError unless ``state`` holds such an array; None in ``shape``: any length."""
    found = state[name]
    fits = len(found.shape) == len(shape) and all(own in (None, length) for own, length in zip(shape, found.shape, strict=True))
    if found.dtype != dtype or not fits:
        raise ValueError(f"found {name} {found.dtype} {found.shape}")


class GamesVecEnv(VecEnv):
    """The base of VecEnvs over a ``deckwood.Batch``: everything but the step. ``masks`` (n, A) int8 belongs to the observations that the
    last step or reset returned; ``env_method("action_masks")`` gives the same rows to ``MaskablePPO``.
    """

    def __init__(self, batch: Batch, advice_input: AdviceInput | None = None) -> None:
        """With an ``advice_input`` observations are (n, F + A): the advice is appended."""
        self.batch = batch
        self.advice_input = advice_input
        self._actions: NDArray[Any] = np.zeros(batch.num_envs, np.int64)
        self._infos: list[dict[str, Any]] = []  # of the step being taken
        self._seed: int | None = None
        self._start = time.monotonic()
        self.lesson: Attendant | None = None  # who sees each position, and may play in the learner's place
        super().__init__(batch.num_envs, *batch_spaces(batch.spec, with_advice=advice_input is not None))

    @property
    def masks(self) -> NDArray[np.int8]:
        return self.batch.mask

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Takes effect at the next reset. One seed serves all slots: their streams are derived from it and the slot's number."""
        self._seed = seed
        return [seed] * self.num_envs

    def reset(self) -> FloatArray:
        self.batch.reset(self._seed)
        self._seed = None
        return self.observations()

    def observations(self) -> FloatArray:
        """The current observations, a copy."""
        batch = self.batch
        return self.advice_input.beside(batch.obs, batch.mask, batch.positions) if self.advice_input else batch.obs.copy()

    def last_observation(self, slot: int) -> FloatArray:
        """The last observation of the game that has just ended in ``slot``, a copy."""
        seen: FloatArray = self.batch.final_obs[slot]
        return self.advice_input.without(seen) if self.advice_input else seen.copy()

    def step_async(self, actions: NDArray[Any]) -> None:
        self._actions = self.lesson.attend(self.batch, actions) if self.lesson else actions

    def _check(self, rewards: FloatArray, finished: NDArray[np.intp]) -> None:
        """A sum is finite only if all of it is, and costs a fraction of looking at each; NonFinite names game and feature."""
        batch = self.batch
        if np.isfinite(rewards.sum() + batch.obs.sum() + batch.final_obs[finished].sum()):
            return
        for what, array, rows in (("observation", batch.obs, np.arange(self.num_envs)), ("final observation", batch.final_obs, finished)):
            bad = np.argwhere(~np.isfinite(array[rows]))
            if bad.size:
                slots, column = rows[np.unique(bad[:, 0])], int(bad[0, 1])
                name, value = feature_name(batch.spec, column), array[slots[0], column]
                raise NonFinite(f"{what} {name} is {value} in slot {slots[0]}", slots.tolist())
        if (bad := np.argwhere(~np.isfinite(rewards))).size:
            raise NonFinite(f"reward is {rewards[tuple(bad[0])]} in slot {bad[0, 0]}", np.unique(bad[:, 0]).tolist())

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything that the next step depends on, apart from the batch and the global generators; a run stores it for :meth:`restore`."""
        return {}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Restore :meth:`state`; other entries are ignored. KeyError or ValueError for an invalid state."""

    def close(self) -> None:
        pass

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        slots = self._get_indices(indices)
        if attr_name == "render_mode":
            return [None for _ in slots]
        if attr_name == "action_masks":
            return [self._row(slot) for slot in slots]
        value = getattr(self.batch, attr_name)
        return [value for _ in slots]

    def _get_indices(self, indices: Any) -> NDArray[np.int64]:
        """One slot, or those that ``Batch.step`` would take; errors as there."""
        one = isinstance(indices, int | np.integer)
        return slots_of([indices] if one else indices, self.num_envs, "indices")

    def _row(self, slot: int) -> Callable[[], NDArray[np.int8]]:
        return lambda: self.batch.mask[slot].copy()

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError(f"the games of a batch share their settings; make a new one with another {attr_name!r}")

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        if method_name == "action_masks":
            return list(self.batch.mask[self._get_indices(indices)])
        raise AttributeError(f"the games of a batch have no method {method_name!r} of their own; use .batch")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """True for Monitor: its ``episode`` is in the infos."""
        return [wrapper_class is Monitor for _ in self._get_indices(indices)]


class BatchVecEnv(GamesVecEnv):
    """A solo game's ``deckwood.Batch`` as a Stable-Baselines3 VecEnv.

    Observations (n, F) float32, actions (n,) integers, rewards (n,) float32. Infos are empty but for the slots whose game just ended:
    ``terminal_observation``, ``TimeLimit.truncated``, ``is_success`` and Monitor's ``episode``.
    """

    def __init__(self, batch: Batch, advice_input: AdviceInput | None = None) -> None:
        """NotSolo for a multiplayer game: turns and opponents are the business of :class:`SelfPlayVecEnv`."""
        if batch.spec.seats[1] != 1:
            raise NotSolo(f"{batch.spec.env_id} has {batch.spec.seats[1]} seats; this VecEnv is for solo games")
        super().__init__(batch, advice_input)

    def step_wait(self) -> tuple[FloatArray, FloatArray, NDArray[np.bool_], list[dict[str, Any]]]:
        batch = self.batch
        batch.step(self._actions)
        done = batch.terminated | batch.truncated
        rewards = batch.reward.astype(np.float32)
        finished = np.flatnonzero(done)
        self._check(rewards, finished)
        self._infos = [{} for _ in range(self.num_envs)]
        victory = batch.spec.won(batch.ended[finished], batch.episode_return[finished])
        for slot, success in zip(finished.tolist(), victory.tolist(), strict=True):
            episode = {"r": float(batch.episode_return[slot]), "l": int(batch.episode_length[slot]), "t": time.monotonic() - self._start}
            self._infos[slot] = {
                "terminal_observation": self.last_observation(slot),
                "TimeLimit.truncated": bool(batch.truncated[slot] and not batch.terminated[slot]),
                "is_success": success,
                "episode": episode,
            }
        return self.observations(), rewards, done.astype(np.bool_), self._infos


def feature_name(spec: Any, column: int) -> str:
    """``gold``, or ``dice[3]`` for one of several, for an index into the observation."""
    name, where = next((n, s) for n, s in spec.slices.items() if s.start <= column < s.stop)
    return f"{name}[{column - where.start}]" if where.stop - where.start > 1 else name
