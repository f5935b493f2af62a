"""Many games side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deckwood.core.errors import IllegalAction, OptionError
from deckwood.core.game import Game, illegal_action
from deckwood.core.loop import DEAD, REFRESH, RESET, STEP, allocate, entry_point, pick
from deckwood.core.snapshot import pack, unpack
from deckwood.core.spec import GameSpec, Memory, Positions
from deckwood.core.stream import seed_stream, slot_keys


class Batch:
    """``num_envs`` games side by side, stepped by one compiled call.

    Arrays, one row a slot. All are preallocated and rewritten by every ``reset`` and ``step``: copy what you keep.

    ====================  ======================  ===============================================================================
    ``obs``               float32 (n, F)          the mover's observation, of the new game where one has ended
    ``mask``              int8 (n, A)             1 for each legal action
    ``reward``            float64 (n,)            change of payoff, in the first step since setup; (n, seats) in a game for several
    ``terminated``        bool (n,)               the game has ended in this step
    ``truncated``         bool (n,)               ... or was cut: by its rules' own limit, or at ``spec.longest_game`` decisions
    ``actor``             int64 (n,)              the seat that decides; -1 when the game is over
    ``final_obs``         float32 (n, F)          where a game is over: its last observation
    ``final_mask``        int8 (n, A)             ... its last mask (all zero at an end, the true one where cut at ``longest_game``)
    ``ended``             int64 (n,)              ... 1 + index into ``spec.endings``; 0 if truncated, or not over
    ``episode_return``    float64 like reward     ... its total payoff
    ``episode_length``    int64 (n,)              ... how many steps were taken in it
    ``positions``         recarray (n,)           the games themselves
    ====================  ======================  ===============================================================================

    A finished game is followed by the slot's next one within the same step (``autoreset=True``) or stands until ``reset``. In a game
    that remembers, the next one starts from the same memory as the last: what a game leaves behind is its player's to pass on.
    Chance events and decisions with a single legal action are played by the driver.
    """

    def __init__(
        self,
        game: str | GameSpec | Game,
        num_envs: int,
        *,
        seed: int | Sequence[int] | None = None,
        deck: str | Path | None = None,
        autoreset: bool = True,
        log: int = 0,
        remembered: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        """``log`` keeps that many events of each slot's current game (see :meth:`events`); ``seed`` and ``remembered`` are those of
        :meth:`reset`. OptionError, DeckError as for :class:`Game` and where no game can start from what is remembered."""
        if isinstance(game, Game) and (deck is not None or options):
            raise OptionError("a Game already has its deck and options")
        if num_envs < 1:
            raise ValueError(f"num_envs={num_envs}: must be at least 1")
        self._allocate(game if isinstance(game, Game) else Game(game, deck=deck, **options), num_envs, autoreset, log)
        self.reset(seed, remembered=remembered)

    def _allocate(self, game: Game, num_envs: int, autoreset: bool, log: int) -> None:
        self.game, self.num_envs, self.autoreset, self.log = game, num_envs, autoreset, log
        self.spec, self.deck, self.options = game.spec, game.deck, game.options
        self.positions = np.zeros(num_envs, self.spec.dtype).view(np.recarray)
        self._b = b = allocate(self.spec, num_envs, log)
        self._pickers = np.zeros((num_envs, 4), np.int64)
        self._slots = np.arange(num_envs)
        self._actions = np.zeros(num_envs, np.int64)
        self._rest = (self.spec.longest_game, autoreset, self.deck.tables, self.options, b)
        solo = self.spec.seats[1] == 1
        self.obs, self.mask, self.terminated, self.truncated, self.actor = b.obs, b.mask, b.terminated, b.truncated, b.actor
        self.reward = b.reward.reshape(-1) if solo else b.reward
        self.final_obs, self.final_mask, self.ended = b.final_obs, b.final_mask, b.ended
        self.episode_return = b.episode_return.reshape(-1) if solo else b.episode_return
        self.episode_length = b.episode_length
        self._kernel: Callable[..., int] | None = None

    def __getstate__(self) -> dict[str, Any]:
        made = (self.game, self.num_envs, self.autoreset, self.log)
        return {"made": made, **self._arrays()}

    def _arrays(self) -> dict[str, NDArray[Any]]:
        """All that decides how the games go on, one row a slot."""
        return {"positions": self.positions, "pickers": self._pickers, **self._state()}

    def _state(self) -> dict[str, NDArray[Any]]:
        """The buffers that decide how the games go on, one row a slot."""
        scratch = ("weights",) if self.spec.remembered else ("weights", "blank")
        return {name: array for name, array in self._b._asdict().items() if name not in scratch}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._allocate(*state["made"])
        self.restore(state)

    def restore(self, state: dict[str, Any]) -> None:
        """Put the arrays of another batch's state into this one's."""
        self.positions[:] = state["positions"]
        self._pickers[:] = state["pickers"]
        for name, array in self._state().items():
            if name in state:
                array[:] = state[name]

    def save(self) -> bytes:
        """The whole state, streams included, as bytes."""
        return pack(self.game, self._arrays())

    def load(self, data: bytes) -> None:
        """Go back to a state from :meth:`save`. SnapshotError, with nothing changed, for one of another game, deck, options or size."""
        self.restore(unpack(self.game, self._arrays(), data))

    def copy(self) -> Batch:
        """An independent batch in the same state, streams included: it goes on exactly as this one would."""
        twin = object.__new__(Batch)
        twin.__setstate__(self.__getstate__())
        return twin

    def __repr__(self) -> str:
        return f"Batch({self.spec.env_id!r}, {self.num_envs}, deck={str(self.deck.source)!r}, {self.game.given})"

    def _call(self, task: int, slots: NDArray[np.int64]) -> int:
        arguments = (task, self.positions, slots, self._actions, *self._rest)
        if self._kernel is None:
            self._kernel = entry_point(self.game.kernel, arguments)
        result = self._kernel(*arguments)
        if result == DEAD:
            raise RuntimeError(f"{self.spec.env_id} with {self.game.given}: the game was over before its first decision")
        return result

    def _indices(self, slots: ArrayLike | None) -> NDArray[np.int64]:
        if slots is None:
            return self._slots
        chosen = np.asarray(slots)
        return np.ascontiguousarray(np.flatnonzero(chosen) if chosen.dtype == np.bool_ else chosen.reshape(-1), np.int64)

    def reset(
        self,
        seed: int | Sequence[int] | None = None,
        slots: ArrayLike | None = None,
        remembered: Mapping[str, Any] | None = None,
    ) -> NDArray[np.float32]:
        """Set up a new game in every slot (or in ``slots``: indices or a bool mask); returns ``obs``.

        With a seed every slot gets a new key and begins at its game 0: slot *i* from (seed, i), or from ``seed[i]`` alone where a
        sequence is given, one entry a slot. Without one each slot goes on to its next game; the first time, keys come from the
        operating system's entropy.

        The games, and those that follow them by autoreset, start from what a deck ``remembered``, or from a fresh deck. OptionError,
        with nothing changed, as for :meth:`Game.memory`.
        """
        chosen, b, memory = self._indices(slots), self._b, self.game.memory(remembered)
        if seed is not None or not b.keys.any():
            fresh = chosen if seed is not None else self._slots
            b.keys[fresh] = slot_keys(seed, self.num_envs)[fresh]
            b.episodes[fresh] = 0
            for slot in fresh:
                seed_stream(self._pickers[slot], b.keys[slot, 3:], 0)
        else:
            b.episodes[chosen] += 1
        for name, value in memory.items():
            b.blank[name][chosen] = value
        self._call(RESET, chosen)
        return self.obs

    def step(self, actions: ArrayLike, slots: ArrayLike | None = None) -> NDArray[np.float32]:
        """Play one action in each slot (n,), any integer dtype; returns ``obs``, with the other arrays filled too.

        With ``slots`` (indices or a bool mask) only those games are stepped, by one action each; the rows of the others stay as they are.

        All actions are checked first: IllegalAction, with nothing changed, names the slot, the action, the decision and the legal ones.
        """
        given, chosen = np.asarray(actions), self._indices(slots)
        if given.shape != chosen.shape or given.dtype.kind not in "iu":
            raise ValueError(f"actions must be {len(chosen)} integers, not {given.dtype} of shape {given.shape}")
        self._actions[chosen] = given
        refused = self._call(STEP, chosen)
        if refused >= 0:
            self._refuse(refused)
        return self.obs

    def step_one(self, action: int) -> None:
        """:meth:`step` for a batch of one, without the array."""
        self._actions[0] = action
        if self._call(STEP, self._slots) >= 0:
            self._refuse(0)

    def reseed(self, seed: int | Sequence[int]) -> None:
        """Give each slot a new key, as ``reset(seed)`` would, but go on with the games as they stand: only the future changes."""
        self._b.keys[:] = slot_keys(seed, self.num_envs)
        self._b.episodes[:] = 0
        for slot in range(self.num_envs):
            seed_stream(self._b.streams[slot], self._b.keys[slot, :3], 0)
            seed_stream(self._pickers[slot], self._b.keys[slot, 3:], 0)

    def _refuse(self, slot: int) -> None:
        where = f" (slot {slot})" if self.num_envs > 1 else ""
        if self._b.over[slot]:
            raise IllegalAction(f"{self.spec.env_id}{where}: action {self._actions[slot]}, but the game is over; call reset()")
        raise illegal_action(
            self.game, self.positions[slot : slot + 1].view(np.recarray), int(self._actions[slot]), self._b.legal[slot], where
        )

    def random_actions(self) -> NDArray[np.int64]:
        """int64 (n,): a uniformly drawn legal action for each slot, from a stream that the games do not use."""
        out = np.empty(self.num_envs, np.int64)
        pick(self._b.legal, self._pickers, out)
        return out

    def set_positions(self, positions: Positions, slots: ArrayLike | None = None) -> None:
        """Put ``positions`` (k,) into all slots or the given k; each runs on to its next real decision from the slot's own stream.

        ``batch.positions[slots].copy()`` is the matching way out. Rewards are zero; ``obs``, ``mask`` and ``actor`` are brought up to date.
        """
        chosen = self._indices(slots)
        if positions.dtype != self.spec.dtype or len(positions) != len(chosen):
            raise ValueError(f"positions must be {len(chosen)} records of {self.spec.env_id}")
        self.positions[chosen] = positions
        self._b.logged[chosen] = 0
        self._call(REFRESH, chosen)

    def copy_slots(self, source: ArrayLike, target: ArrayLike) -> None:
        """Make each ``target`` slot an exact continuation of ``source``: game, stream, key and all arrays."""
        a, z = self._indices(source), self._indices(target)
        self.positions[z] = self.positions[a]
        self._pickers[z] = self._pickers[a]
        for array in self._state().values():
            array[z] = array[a]

    def memory(self, slot: int = 0) -> Memory:
        """What the slot's current game started from; ``spec.memory(batch.positions[slot])`` is what it has come to."""
        return self.spec.memory(self._b.blank[slot])

    def told(self, slots: ArrayLike | None = None) -> dict[str, NDArray[np.float64]]:
        """What the current games tell of themselves: float64 (n,), or (k,) for k ``slots``, for each name of ``spec.told``."""
        if self.spec.tell is None:
            return {}
        positions = self.positions if slots is None else self.positions[self._indices(slots)].view(np.recarray)
        return dict(self.spec.tell(self.game, positions))

    def events(self, slot: int = 0) -> NDArray[np.int32]:
        """int32 (k, 3): every event of the slot's current game as (actor, action, outcome), forced moves included; needs ``log``.

        A decision is (seat, action, -1), a chance event (-1, -1, outcome). RuntimeError when there were more than ``log``.
        """
        count = int(self._b.logged[slot])
        if count > self._b.log.shape[1]:
            raise RuntimeError(f"{count} events, but room was made for {self._b.log.shape[1]}: pass a larger log= to Batch")
        return self._b.log[slot, :count].copy()
