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

from deckwood.adapters.one_game import (
    FOR_THE_MASKLESS,
    ILLEGAL,
    OBSERVATIONS,
    masked_space,
    never_empty,
    next_legal,
    observation_space,
    one_of,
    require_solo,
)
from deckwood.core.batch import Batch
from deckwood.core.errors import IllegalAction, OptionError
from deckwood.core.game import Game
from deckwood.core.indices import mask, whole
from deckwood.core.spec import GameSpec
from deckwood.core.stream import fresh_seed

Flags = NDArray[np.bool_]
MODES = tuple(mode.value for mode in AutoresetMode)


class DeckwoodVectorEnv(VectorEnv[Any, Any, Any]):
    """``gymnasium.make_vec("deckwood/Tanglewoods-v1", num_envs=1024, **options)``.

    A finished game is replaced within the same step (``AutoresetMode.SAME_STEP``, the default): ``obs`` and ``info["action_mask"]`` are
    the new game's, and where ``info["_final_obs"]`` is True, ``info["final_obs"]`` and ``info["final_info"]`` hold the old game's last
    observation and what a single environment's last info says of it: ``action_mask``, ``ended``, ``reason``, ``won`` and the metrics that
    games report (``spec.metrics``, such as ``optimal_value``). With ``NEXT_STEP`` it is replaced by the next step, which ignores
    the slot's action and pays 0; with ``DISABLED`` by ``reset(options={"reset_mask": ...})``. Masks of games that are over are all ones.

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
        max_episode_steps: int | None = None,
        copy: bool = True,
        observation: str = "vector",
        illegal: str = "raise",
        penalty: float = 1.0,
        **options: Any,
    ) -> None:
        """``max_episode_steps`` truncates a game after so many steps, as Gymnasium's TimeLimit does. ``observation``, ``illegal`` and
        ``penalty`` are those of :class:`~deckwood.adapters.gymnasium_env.DeckwoodEnv`. ``copy=False`` returns the driver's own arrays,
        which the next step overwrites. OptionError, DeckError as for :class:`Game`."""
        require_solo(game)
        given = autoreset_mode.value if isinstance(autoreset_mode, AutoresetMode) else autoreset_mode
        self.autoreset_mode = AutoresetMode(one_of("autoreset_mode", given, MODES))
        if render_mode is not None:
            one_of("render_mode", render_mode, self.metadata["render_modes"])
        self._masked = one_of("observation", observation, OBSERVATIONS) == "dict"
        self._illegal, self._penalty = one_of("illegal", illegal, ILLEGAL), float(penalty)
        self._longest = None if max_episode_steps is None else whole(max_episode_steps, "max_episode_steps", low=1)
        self.batch = Batch(game, num_envs, deck=deck, autoreset=False, **options)
        self.num_envs, self.render_mode, self.copy = self.batch.num_envs, render_mode, copy
        self.single_observation_space = (masked_space if self._masked else observation_space)(self.game_spec)
        self.single_action_space = spaces.Discrete(len(self.game_spec.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.metadata = {**type(self).metadata, "autoreset_mode": self.autoreset_mode}
        self._names = np.array(["truncated", *(ending.name for ending in self.game_spec.endings)], dtype=object)
        self._metrics: dict[str, NDArray[np.float64]] = {}  # of the games being played
        self._everywhere = np.ones(num_envs, np.bool_)
        self._steps = np.zeros(num_envs, np.int64)  # of each game
        self._over = np.zeros(num_envs, np.bool_)  # games that are over and not replaced yet
        self._ended = np.zeros(num_envs, np.bool_)  # those of them that ended by their rules
        self._no_words = np.full(num_envs, "", object)
        self._started = False

    @property
    def game(self) -> Game:
        """The game with its deck and options."""
        return self.batch.game

    @property
    def game_spec(self) -> GameSpec:
        """What the game declares."""
        return self.batch.spec

    def reset(self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """New games everywhere, or where ``options["reset_mask"]`` is True.

        TypeError where that is no bool mask, ValueError unless its shape is (n,); the same for seeds that are no whole numbers, below 0 or
        not one for each slot.
        """
        chosen = None if options is None else options.get("reset_mask")
        where = None if chosen is None else mask(chosen, self.num_envs, "reset_mask")
        if unknown := sorted(set(options or ()) - {"reset_mask"}):
            single = "; a campaign is played with a single environment, gymnasium.make" if "campaign" in unknown else ""
            raise OptionError(f"{self.game_spec.env_id}: reset has no option {unknown[0]!r}, only reset_mask{single}")
        if seed is not None and not np.ndim(seed):
            seed = whole(seed, "seed")
        if not self._started and (seed is None or where is not None):
            self.batch.reset(fresh_seed())  # or copies of this environment would all play the same games
        if seed is not None or where is not None or self._started:
            self.batch.reset(seed, where)
        super().reset(seed=seed if isinstance(seed, int) else None)
        self._started = True
        self._begin(self._everywhere if where is None else where)
        return self._seen(), self._info()

    def _begin(self, new: Flags) -> None:
        """Games have been set up where ``new``."""
        self._steps[new] = 0
        self._over, self._ended = self._over & ~new, self._ended & ~new
        if new.all() or not self._metrics:
            self._metrics = self.batch.metrics()
        else:
            self._metrics = {name: values.copy() for name, values in self._metrics.items()}
            for name, values in self.batch.metrics(new).items():
                self._metrics[name][new] = values

    def step(self, actions: ArrayLike) -> tuple[Any, NDArray[np.float64], Flags, Flags, dict[str, Any]]:
        """One action a slot. IllegalAction, with nothing changed anywhere, names the slot and its legal actions."""
        batch, given, waiting = self.batch, np.asarray(actions), self._over
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise ValueError(f"actions must be {self.num_envs} integers, not {given.dtype} of shape {given.shape}")
        if waiting.any() and self.autoreset_mode is AutoresetMode.DISABLED:
            raise IllegalAction(
                f"{self.game_spec.env_id} (slot {int(waiting.argmax())}): the game is over; call reset(options={{'reset_mask': ...}})"
            )
        refused = self._refused(given, ~waiting)
        self._play(given, ~waiting, refused)
        if waiting.any():
            batch.reset(None, waiting)
            self._begin(waiting)
        self._over = batch.terminated | batch.truncated
        info = self._info(refused)
        if self.autoreset_mode is AutoresetMode.SAME_STEP and self._over.any():
            info = self._replaced(info)
        return self._seen(), self._out(batch.reward), self._out(batch.terminated), self._out(batch.truncated), info

    def _refused(self, actions: NDArray[Any], playing: Flags) -> Flags:
        """Where an action is illegal and ``illegal`` says what to do instead of raising."""
        if self._illegal == "raise":
            return np.zeros(self.num_envs, np.bool_)
        masks = self.batch.mask
        known = (actions >= 0) & (actions < masks.shape[1])
        legal: Flags = known & (masks[np.arange(self.num_envs), np.where(known, actions, 0)] != 0)
        return playing & ~legal

    def _play(self, actions: NDArray[Any], playing: Flags, refused: Flags) -> None:
        """Step the games where ``playing``; where their action was ``refused``, do what ``illegal`` says."""
        batch, stepped = self.batch, playing
        if self._illegal == "replace":
            actions = actions.copy()
            for slot in np.flatnonzero(refused):
                actions[slot] = next_legal(batch.mask[slot], int(actions[slot]))
        else:
            stepped = playing & ~refused
        try:
            batch.step(*((actions,) if stepped.all() else (actions[stepped], stepped)))
        except IllegalAction as error:
            raise IllegalAction(f"{error}; {FOR_THE_MASKLESS}") from None
        self._ended = stepped & (batch.terminated | batch.truncated)
        idle = playing & ~stepped
        batch.reward[idle], batch.terminated[idle], batch.truncated[idle] = -self._penalty, self._illegal == "terminate", False
        self._steps[playing] += 1
        if self._longest is not None:
            batch.truncated |= self._steps >= self._longest

    def _replaced(self, last: dict[str, Any]) -> dict[str, Any]:
        """The info where games that are over gave way to new ones; ``last`` is what it would be without."""
        batch, over = self.batch, self._over
        final = {name: np.zeros_like(values) for name, values in last.items() if not name.startswith("_")}
        for name, values in final.items():
            values[:] = None if values.dtype == object else 0
            values[over] = last[name][over]
        seen = np.full(self.num_envs, None, object)
        for slot in np.flatnonzero(over):
            view = batch.obs[slot].copy()
            seen[slot] = {"observation": view, "action_mask": final["action_mask"][slot].copy()} if self._masked else view
        results = [(array, array[over]) for array in (batch.reward, batch.terminated, batch.truncated, batch.ended)]
        batch.reset(None, over)
        for array, values in results:
            array[over] = values
        self._begin(over)
        info = self._info()
        if "illegal_action" in last:
            info["illegal_action"] = last["illegal_action"] & ~over
        info |= {"final_obs": seen, "_final_obs": over.copy(), "_final_info": over}
        return info | {"final_info": {**final, **{f"_{name}": over.copy() for name in final}}}

    def _out(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self.copy else array

    def _seen(self) -> Any:
        seen = self._out(self.batch.obs)
        return {"observation": seen, "action_mask": self._masks()} if self._masked else seen

    def _masks(self) -> NDArray[np.int8]:
        if not self._over.any():
            return self._out(self.batch.mask)
        masks = self.batch.mask.copy()
        masks[self._over] = never_empty(masks[self._over])
        return masks

    def _info(self, refused: Flags | None = None) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self._masks()}
        info |= {name: self._out(values) for name, values in self._metrics.items()}
        info |= self._endings()
        if self._illegal != "raise":
            info["illegal_action"] = np.zeros(self.num_envs, np.bool_) if refused is None else refused
        return info | {f"_{name}": self._everywhere.copy() for name in info}

    def _endings(self) -> dict[str, Any]:
        batch, ended = self.batch, self._ended
        names, reasons, won = self._no_words.copy(), self._no_words.copy(), np.zeros(self.num_envs, np.bool_)
        if self._over.any():
            stopped = self._over & ~ended & batch.terminated
            names[self._over] = np.where(stopped, "illegal_action", self._names[np.where(ended, batch.ended, 0)])[self._over]
            won[ended] = self.game_spec.won(batch.ended[ended], batch.episode_return[ended])
            for slot in np.flatnonzero(ended & (batch.ended == 0)):
                reasons[slot] = self.game_spec.why_cut(batch.positions[slot], self.game.deck)
        return {"ended": names, "reason": reasons, "won": won}

    def action_masks(self) -> NDArray[np.int8]:
        """int8 (n, A): the same as ``info["action_mask"]``."""
        return self._masks().copy()

    def random_actions(self) -> NDArray[np.int64]:
        """int64 (n,): a uniform legal action for each slot, from streams that the games do not use."""
        return self.batch.random_actions()

    def render(self) -> tuple[Any, ...] | None:
        """One text or image per slot."""
        if self.render_mode is None:
            return None
        show = self.game_spec.describe if self.render_mode == "ansi" else self.game_spec.draw
        return tuple(show(position, self.game.deck) for position in self.batch.positions)
