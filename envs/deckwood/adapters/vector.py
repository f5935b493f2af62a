"""Many games as a Gymnasium vector environment, on top of the batch driver."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from deckwood.adapters.one_game import observation_space
from deckwood.core.batch import Batch
from deckwood.core.errors import OptionError
from deckwood.core.game import Game
from deckwood.core.indices import mask
from deckwood.core.spec import GameSpec
from deckwood.core.stream import fresh_seed

Obs = NDArray[np.float32]
Flags = NDArray[np.bool_]


class DeckwoodVectorEnv(VectorEnv[Any, Any, Any]):
    """``gymnasium.make_vec("deckwood/Tanglewoods-v1", num_envs=1024, **options)``.

    A finished game is replaced within the same step (``AutoresetMode.SAME_STEP``, the only mode): ``obs`` and ``info["action_mask"]`` are
    the new game's, and where ``info["_final_obs"]`` is True, ``info["final_obs"]`` and ``info["final_info"]`` hold the old game's last
    observation, mask, ``ended`` (a name of ``spec.endings``, or ``"truncated"``) and ``won`` (``spec.won``). The metrics
    that games report (``spec.metrics``, such as ``optimal_value``) are in both, each of the game that it is about.

    Slot *i* after ``reset(seed=s)`` plays the games of (s, i), so different seeds share no games; ``reset(seed=[s0, s1, ...])`` makes
    each slot play what a single environment plays after ``reset(seed=s_i)``.
    """

    metadata = {"render_modes": ["rgb_array", "ansi"], "render_fps": 4, "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        game: str | GameSpec | Game,
        num_envs: int = 1,
        *,
        render_mode: str | None = None,
        deck: str | Path | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        copy: bool = True,
        **options: Any,
    ) -> None:
        """``copy=False`` returns the driver's own arrays, which the next step overwrites. OptionError, DeckError as for :class:`Game`."""
        if AutoresetMode(autoreset_mode) is not AutoresetMode.SAME_STEP:
            raise OptionError(f"autoreset_mode={autoreset_mode}: these games are reset within the step, use AutoresetMode.SAME_STEP")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise OptionError(f"render_mode={render_mode!r}: choose one of {', '.join(self.metadata['render_modes'])}")
        self.batch = Batch(game, num_envs, deck=deck, **options)
        if self.game_spec.seats[1] > 1:
            raise OptionError(
                f"{self.game_spec.env_id} is a game for several players; use deckwood.Batch, which has an actor for each slot"
            )
        self.num_envs, self.render_mode, self.copy = num_envs, render_mode, copy
        self.single_observation_space = observation_space(self.game_spec)
        self.single_action_space = spaces.Discrete(len(self.game_spec.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.metadata = dict(type(self).metadata)
        self._names = np.array(["truncated", *(ending.name for ending in self.game_spec.endings)], dtype=object)
        self._nothing = np.full(num_envs, None, object)
        self._metrics: dict[str, NDArray[np.float64]] = {}  # of the games being played
        self._everywhere = np.ones(num_envs, np.bool_)
        self._started = False

    @property
    def game(self) -> Game:
        """The game with its deck and options."""
        return self.batch.game

    @property
    def game_spec(self) -> GameSpec:
        """What the game declares."""
        return self.batch.spec

    def reset(self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None) -> tuple[Obs, dict[str, Any]]:
        """New games in every slot, or where ``options["reset_mask"]`` is True.

        TypeError unless that is a bool mask, ValueError unless its shape is (n,).
        """
        chosen = None if options is None else options.get("reset_mask")
        where = None if chosen is None else mask(chosen, self.num_envs, "reset_mask")
        if unknown := sorted(set(options or ()) - {"reset_mask"}):
            single = "; a campaign is played with a single environment, gymnasium.make" if "campaign" in unknown else ""
            raise OptionError(f"{self.game_spec.env_id}: reset has no option {unknown[0]!r}, only reset_mask{single}")
        super().reset(seed=seed if isinstance(seed, int) else None)
        if not self._started and (seed is None or where is not None):
            self.batch.reset(fresh_seed())  # or copies of this environment would all play the same games
        if seed is not None or where is not None or self._started:
            self.batch.reset(seed, where)
        self._started = True
        self._metrics = self.batch.metrics()
        return self._out(self.batch.obs), self._info()

    def step(self, actions: ArrayLike) -> tuple[Obs, NDArray[np.float64], Flags, Flags, dict[str, Any]]:
        """One action per slot. IllegalAction, with nothing changed anywhere, names the slot and its legal actions."""
        batch = self.batch
        batch.step(actions)
        over = batch.terminated | batch.truncated
        metrics = self._metrics
        if over.any() and metrics:
            self._metrics = {name: values.copy() for name, values in metrics.items()}
            for name, values in batch.metrics(over).items():
                self._metrics[name][over] = values
        info = self._info()
        if over.any():
            info["final_obs"] = np.full(self.num_envs, None, object)
            final: dict[str, Any] = {"action_mask": np.where(over[:, None], batch.final_mask, 0).astype(np.int8)}
            final["ended"] = np.where(over, self._names[batch.ended], self._nothing)
            final["won"] = over & self.game_spec.won(batch.ended, batch.episode_return)
            final |= {name: np.where(over, values, 0.0) for name, values in metrics.items()}
            for slot in np.flatnonzero(over):
                info["final_obs"][slot] = batch.final_obs[slot].copy()
            info["final_info"] = {**final, **{f"_{name}": over.copy() for name in final}}
            info["_final_obs"], info["_final_info"] = over.copy(), over
        return self._out(batch.obs), self._out(batch.reward), self._out(batch.terminated), self._out(batch.truncated), info

    def _out(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self.copy else array

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self._out(self.batch.mask)}
        info |= {name: self._out(values) for name, values in self._metrics.items()}
        return info | {f"_{name}": self._everywhere.copy() for name in info}

    def action_masks(self) -> NDArray[np.int8]:
        """int8 (n, A): the same as ``info["action_mask"]``."""
        return self.batch.mask.copy()

    def random_actions(self) -> NDArray[np.int64]:
        """int64 (n,): a uniform legal action for each slot, from streams that the games do not use."""
        return self.batch.random_actions()

    def render(self) -> tuple[Any, ...] | None:
        """One text or image per slot."""
        if self.render_mode is None:
            return None
        show = self.game_spec.describe if self.render_mode == "ansi" else self.game_spec.draw
        return tuple(show(position, self.game.deck) for position in self.batch.positions)
