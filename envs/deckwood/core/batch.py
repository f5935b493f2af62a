"""Many games side by side."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deckwood.core.errors import IllegalAction, OptionError, SnapshotError
from deckwood.core.game import Game, illegal_action
from deckwood.core.history import History
from deckwood.core.indices import index, indices, whole
from deckwood.core.loop import DEAD, END, REFRESH, RESET, STEP, allocate, entry_point, pick
from deckwood.core.one_thread import OneThread
from deckwood.core.saved import Slot, Stretch, memory_entry, pack, require_identity, stretches_of, unpack
from deckwood.core.spec import GameSpec, Memory, Positions
from deckwood.core.stream import seed_stream, slot_keys


class Batch:
    """``num_envs`` games side by side, stepped by one compiled call.

    Arrays, one row per slot. All are preallocated and rewritten by every ``reset`` and ``step``: copy what you keep.

    ====================  ======================  ===============================================================================
    ``obs``               float32 (n, F)          the mover's observation, of the new game where one has ended
    ``mask``              int8 (n, A)             1 for each legal action
    ``reward``            float64 (n,)            change of payoff, in the first step since setup; (n, seats) for several players
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

    A finished game is replaced by the slot's next one within the same step (``autoreset=True``) or stands until ``reset``. In a game
    that remembers, the next one starts from the same memory as the last: passing on what a game leaves behind is up to the caller.
    Chance events and decisions with a single legal action are played by the driver.

    ``slots`` are None (all), unique whole numbers from 0 to n - 1, or a bool mask (n,). TypeError for another kind, ValueError for a mask
    of another length or a slot named twice, IndexError for a slot that does not exist; nothing has changed then.

    A batch belongs to one thread at a time (RuntimeError if two step it at once); different batches of one Game may be stepped by
    different threads.
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
        """``log`` is the number of events kept of each slot's current game (see :meth:`events`); ``seed`` and ``remembered`` are those of
        :meth:`reset`. OptionError, DeckError as for :class:`Game` and where no game can start from what is remembered."""
        if isinstance(game, Game) and (deck is not None or options):
            raise OptionError("a Game already has its deck and options")
        num_envs, log = whole(num_envs, "num_envs", low=1), whole(log, "log")
        self._allocate(game if isinstance(game, Game) else Game(game, deck=deck, **options), num_envs, bool(autoreset), log)
        self.reset(seed, remembered=remembered)

    def _allocate(self, game: Game, num_envs: int, autoreset: bool, log: int) -> None:
        self.game, self.num_envs, self.autoreset, self.log = game, num_envs, autoreset, log
        self.spec, self.deck, self.options = game.spec, game.deck, game.options
        self.positions = np.zeros(num_envs, self.spec.dtype).view(np.recarray)
        self._b = b = allocate(self.spec, num_envs, log)
        self._one_thread = OneThread("Batch")
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
        self._history = History(num_envs)

    def __getstate__(self) -> dict[str, Any]:
        made = (self.game, self.num_envs, self.autoreset, self.log)
        state = {"positions": self.positions, "pickers": self._pickers, **self._state()}
        state["log"] = state["log"][:, : int(state["logged"].max())]
        return {"made": made, "history": self._history.copy(), **state}

    def _state(self) -> dict[str, NDArray[Any]]:
        """The buffers that decide how the games continue, one row per slot."""
        scratch = ("weights",) if self.spec.remembered else ("weights", "blank")
        return {name: array for name, array in self._b._asdict().items() if name not in scratch}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._allocate(*state["made"])
        self._restore(state)

    def _restore(self, state: dict[str, Any]) -> None:
        """Copy another batch's state into this one."""
        with self._one_thread:
            self._history = state["history"].copy()
            self.positions[:] = state["positions"]
            self._pickers[:] = state["pickers"]
            for name, array in self._state().items():
                if name == "log":
                    width = min(array.shape[1], state[name].shape[1])
                    array[:, :width] = state[name][:, :width]
                else:
                    array[:] = state[name]

    def save(self) -> bytes:
        """The current games as bytes that may be sent to others: how each began and its decisions, but no position.

        :meth:`load` replays them, which takes about as long as playing them did. SnapshotError for a slot whose position was set from
        outside: its history is unknown. (Copies and pickles keep such positions too; load pickles of your own only.)
        """
        with self._one_thread:
            slots = [self._saved(slot, past) for slot, past in enumerate(self._history.pasts())]
        again = replayed(self.game, slots)
        same = again._b.streams == self._b.streams
        for slot in range(self.num_envs):
            fields = self.spec.dtype.names or ()
            if not same[slot].all() or any(not np.array_equal(again.positions[name][slot], self.positions[name][slot]) for name in fields):
                raise self._unsaveable(slot)
        return pack(self.game, slots)

    def _saved(self, slot: int, past: NDArray[np.int64] | None) -> Slot:
        if past is None:
            raise self._unsaveable(slot)
        b, (before, actions) = self._b, stretches_of(past.tolist())
        return Slot(
            key=b.keys[slot].tolist(),
            episode=int(b.episodes[slot]),
            picker=self._pickers[slot].tolist(),
            remembered=memory_entry(self.game, self.memory(slot)),
            before=before,
            actions=actions,
        )

    def _unsaveable(self, slot: int) -> SnapshotError:
        return SnapshotError(
            f"{self.spec.env_id} (slot {slot}): the position was put there from outside (set_positions, or a change to `positions`), so "
            "how the game came to it is not known, and only games played by the rules from their beginning can be saved; copy() and pickle "
            "keep any position"
        )

    def load(self, data: bytes) -> None:
        """Continue exactly as the batch that returned these bytes from :meth:`save`. The bytes may come from anyone: the rules replay the
        games.

        Afterwards ``reward``, ``terminated`` and so on are those of each game's last decision; what a slot played before is unknown.
        SnapshotError, with nothing changed, for bytes of another game, version, deck, options or number of slots, and for what cannot have
        happened.
        """
        content = unpack(data)
        require_identity("the saved game", content.model_dump(exclude={"slots"}), self.game)
        if len(content.slots) != self.num_envs:
            raise SnapshotError(f"the saved batch has {len(content.slots)} slots, but this one has {self.num_envs}")
        self._restore(replayed(self.game, content.slots, self.log).__getstate__())

    def copy(self) -> Batch:
        """An independent batch in the same state, streams included: it continues exactly as this one would."""
        twin = object.__new__(Batch)
        with self._one_thread:
            twin.__setstate__(self.__getstate__())
        return twin

    def __repr__(self) -> str:
        return f"Batch({self.spec.env_id!r}, {self.num_envs}, deck={str(self.deck.source)!r}, {self.game.user_options})"

    def _call(self, task: int, slots: NDArray[np.int64]) -> int:
        arguments = (task, self.positions, slots, self._actions, *self._rest)
        if self._kernel is None:
            self._kernel = entry_point(self.game.kernel, arguments)
        result = self._kernel(*arguments)
        if result == DEAD:
            reasons = (self.spec.why_cut(self.positions[slot], self.deck) for slot in slots if self.positions["node"][slot] == END)
            because = next(filter(None, reasons), "")
            game = f"{self.spec.env_id} with {self.game.user_options}"
            raise RuntimeError(f"{game}: the game was over before its first decision{because and f' ({because})'}")
        return result

    def _indices(self, slots: ArrayLike | None, what: str = "slots", *, unique: bool = True) -> NDArray[np.int64]:
        return self._slots if slots is None else indices(slots, self.num_envs, what, unique=unique)

    def reset(
        self,
        seed: int | Sequence[int] | None = None,
        slots: ArrayLike | None = None,
        remembered: Mapping[str, Any] | None = None,
    ) -> NDArray[np.float32]:
        """Set up a new game in every slot (or in ``slots``: indices or a bool mask); returns ``obs``.

        With a seed every slot gets a new key and starts at its game 0: slot *i* from (seed, i), or from ``seed[i]`` alone for a sequence,
        which has one entry per slot. Without a seed each slot moves on to its next game; the first time, keys come from the operating
        system's entropy.

        The games, and those that follow them by autoreset, start from what a deck ``remembered``, or from a fresh deck. OptionError,
        with nothing changed, as for :meth:`Game.memory`.
        """
        chosen, b, memory = self._indices(slots), self._b, self.game.memory(remembered)
        keys = slot_keys(seed, self.num_envs) if seed is not None or not b.keys.any() else None
        with self._one_thread:
            if keys is None:
                b.episodes[chosen] += 1
            else:
                fresh = chosen if seed is not None else self._slots
                b.keys[fresh] = keys[fresh]
                b.episodes[fresh] = 0
                for slot in fresh:
                    seed_stream(self._pickers[slot], b.keys[slot, 3:], 0)
            for name, value in memory.items():
                b.blank[name][chosen] = value
            self._call(RESET, chosen)
            self._history.begin(chosen)
        return self.obs

    def step(self, actions: ArrayLike, slots: ArrayLike | None = None) -> NDArray[np.float32]:
        """Play one action in each slot (n,), any integer dtype; returns ``obs``, with the other arrays filled too.

        With ``slots`` (indices or a bool mask) only those games are stepped, by one action each; the rows of the others stay as they are.

        All actions are checked first: IllegalAction, with nothing changed, names the slot, the action, the decision and the legal ones.
        """
        given, chosen = np.asarray(actions), self._indices(slots)
        if given.shape != chosen.shape or given.dtype.kind not in "iu":
            raise ValueError(f"actions must be {len(chosen)} integers, not {given.dtype} of shape {given.shape}")
        with self._one_thread:
            self._actions[chosen] = given
            refused = self._call(STEP, chosen)
            if refused < 0:
                self._history.note(chosen, given)
                if self.autoreset:
                    over = self.terminated | self.truncated
                    self._history.begin(over if slots is None else chosen[over[chosen]])
        if refused >= 0:
            self._refuse(refused, int(self._actions[refused]))
        return self.obs

    def step_one(self, action: int) -> None:
        """:meth:`step` for a batch of one, without the array."""
        chosen = operator.index(action)
        if self.num_envs != 1:
            raise ValueError(f"this batch has {self.num_envs} slots: use step")
        if not 0 <= chosen < len(self.spec.actions):  # before it meets a number of 64 bits
            self._refuse(0, chosen)
        with self._one_thread:
            self._actions[0] = chosen
            refused = self._call(STEP, self._slots)
            if refused < 0:
                self._history.note(0, (chosen,))
                if self.autoreset and (self.terminated[0] or self.truncated[0]):
                    self._history.begin(0)
        if refused >= 0:
            self._refuse(0, chosen)

    def reseed(self, seed: int | Sequence[int]) -> None:
        """Give each slot a new key, as ``reset(seed)`` would, but continue the current games: only the future changes."""
        keys = slot_keys(seed, self.num_envs)
        with self._one_thread:
            for slot, key in enumerate(keys):
                self._branch(slot, key[:3], 0)
                self._b.keys[slot, 3:] = key[3:]
                seed_stream(self._pickers[slot], key[3:], 0)

    def _branch(self, slot: int, key: NDArray[np.int64], episode: int) -> None:
        """From now on the chance of the slot's game comes from this key (3,) and number."""
        b = self._b
        self._history.branch(slot, b.keys[slot, :3], int(b.episodes[slot]))
        b.keys[slot, :3], b.episodes[slot] = key, episode
        seed_stream(b.streams[slot], b.keys[slot, :3], episode)

    def _refuse(self, slot: int, action: int) -> NoReturn:
        where = f" (slot {slot})" if self.num_envs > 1 else ""
        if self._b.over[slot]:
            raise IllegalAction(f"{self.spec.env_id}{where}: action {action}, but the game is over; call reset()")
        raise illegal_action(self.game, self.positions[slot : slot + 1].view(np.recarray), action, self._b.legal[slot], where)

    def random_actions(self) -> NDArray[np.int64]:
        """int64 (n,): a uniformly drawn legal action for each slot, from a stream that the games do not use."""
        out = np.empty(self.num_envs, np.int64)
        with self._one_thread:
            pick(self._b.legal, self._pickers, out)
        return out

    def set_positions(self, positions: Positions, slots: ArrayLike | None = None) -> None:
        """Put ``positions`` (k,) into all slots or the given k; each runs on to its next real decision from the slot's own stream.

        ``batch.positions[slots].copy()`` reads them back. Rewards are zero; ``obs``, ``mask`` and ``actor`` are updated.
        """
        chosen = self._indices(slots)
        if not isinstance(positions, np.ndarray) or positions.dtype != self.spec.dtype:
            found = positions.dtype if isinstance(positions, np.ndarray) else repr(positions)
            raise TypeError(f"positions must be records of {self.spec.env_id}, not {found}")
        if positions.shape != chosen.shape:
            raise ValueError(f"positions must be {len(chosen)} records of {self.spec.env_id}, not of shape {positions.shape}")
        with self._one_thread:
            self.positions[chosen] = positions
            self._b.logged[chosen] = 0
            self._history.forget(chosen)
            self._call(REFRESH, chosen)

    def copy_slots(self, source: ArrayLike, target: ArrayLike) -> None:
        """Make each ``target`` slot an exact continuation of ``source``: game, stream, key and all arrays.

        One source may have several targets. ValueError unless there are as many targets as sources.
        """
        a, z = self._indices(source, "source", unique=False), self._indices(target, "target")
        if len(a) != len(z):
            raise ValueError(f"{len(a)} source slots for {len(z)} target slots: name one for each")
        with self._one_thread:
            self.positions[z] = self.positions[a]
            self._pickers[z] = self._pickers[a]
            self._history.follow(a, z)
            for array in self._state().values():
                array[z] = array[a]

    def memory(self, slot: int = 0) -> Memory:
        """The memory that the slot's current game started from; ``spec.memory(batch.positions[slot])`` is the current one."""
        return self.spec.memory(self._b.blank[index(slot, self.num_envs, "slot")])

    def metrics(self, slots: ArrayLike | None = None) -> dict[str, NDArray[np.float64]]:
        """The metrics of the current games: for each name in ``spec.metrics``, float64 (n,), or (k,) for k ``slots``."""
        if self.spec.compute_metrics is None:
            return {}
        positions = self.positions if slots is None else self.positions[self._indices(slots)].view(np.recarray)
        return dict(self.spec.compute_metrics(self.game, positions))

    def events(self, slot: int = 0) -> NDArray[np.int32]:
        """int32 (k, 3): every event of the slot's current game as (actor, action, outcome), forced moves included; needs ``log``.

        A decision is (seat, action, -1), a chance event (-1, -1, outcome). RuntimeError when there were more than ``log``.
        """
        slot = index(slot, self.num_envs, "slot")
        count = int(self._b.logged[slot])
        if count > self._b.log.shape[1]:
            raise RuntimeError(f"{count} events, but room was made for {self._b.log.shape[1]}: pass a larger log= to Batch")
        return self._b.log[slot, :count].copy()


def replayed(game: Game, slots: Sequence[Slot], log: int = 0) -> Batch:
    """A batch without autoreset in which the saved games have been replayed. SnapshotError if they are impossible: a wrong memory, an
    action that the mask forbids, more actions than the game has."""
    batch = object.__new__(Batch)
    batch._allocate(game, len(slots), False, log)
    b, games = batch._b, [slot.stretches for slot in slots]
    try:
        for row, (slot, (first, *_)) in enumerate(zip(slots, games, strict=True)):
            b.keys[row, :3], b.episodes[row] = first.key, first.episode
            for name, value in game.memory(slot.remembered).items():
                b.blank[name][row] = value
        batch._call(RESET, batch._slots)
    except (OptionError, RuntimeError) as error:
        raise SnapshotError(f"the saved game's start: {error}") from None
    actions = [[action for stretch in stretches for action in stretch.actions] for stretches in games]
    branches = _branches(games)
    rows = list(range(len(slots)))
    for number in range(max(map(len, actions)) + 1):
        for row, key, episode in branches.get(number, ()):
            batch._branch(row, key, episode)
        if not (rows := [row for row in rows if len(actions[row]) > number]):
            continue
        try:
            batch.step(np.array([actions[row][number] for row in rows], np.int64), np.array(rows, np.int64))
        except IllegalAction as error:
            raise SnapshotError(f"the saved game, decision {number + 1}: {error}") from None
    for row, slot in enumerate(slots):
        batch._b.keys[row], batch._pickers[row] = slot.key, slot.picker
    return batch


def _branches(games: Sequence[Sequence[Stretch]]) -> dict[int, list[tuple[int, NDArray[np.int64], int]]]:
    """The branches of each game: after how many actions its chance comes from another key and number."""
    out: dict[int, list[tuple[int, NDArray[np.int64], int]]] = {}
    for row, stretches in enumerate(games):
        number = 0
        for before, stretch in pairwise(stretches):
            number += len(before.actions)
            out.setdefault(number, []).append((row, np.array(stretch.key, np.int64), stretch.episode))
    return out
