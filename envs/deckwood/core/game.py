"""One game, as functions from position to position."""

from __future__ import annotations

import operator
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.core.errors import IllegalAction, OptionError, SnapshotError
from deckwood.core.indices import index
from deckwood.core.loop import ADVANCE, APPLY, CHANCE, DECISION, LEGAL, OBSERVE, OUTCOME, SETUP, WEIGHTS, allocate, entry_point, kernel_of
from deckwood.core.registry import games
from deckwood.core.registry import spec as spec_of
from deckwood.core.spec import GameSpec, LoadedDeck, Memory, Positions
from deckwood.core.stream import new_stream


class _Scratch(threading.local):
    """Scratch memory for calls of the kernel, one per thread."""

    def __init__(self, spec: GameSpec, deck: LoadedDeck, options: NDArray[np.int32]) -> None:
        self.buffers = allocate(spec, 1, 0)
        self.slot = np.zeros(1, np.int64)
        self.argument = np.zeros(1, np.int64)
        self.rest = (spec.longest_game, False, deck.tables, options, self.buffers)


class Game:
    """One game with its deck and options: functions from position to position, for searches, solvers, replays and tests.

    A position is a record array of one element (``np.recarray``, shape (1,), dtype ``spec.dtype``); ``position.copy()`` copies it.
    Nothing here holds randomness: chance nodes are played by the caller, or by :meth:`advance` from a stream.

    Any number of threads may share a Game, each with positions of its own. Positions are trusted: they come from this game's methods or
    from a batch of it. Actions, outcomes and seats are checked.

    >>> game = Game("deckwood/Tanglewoods-v1", hero="piper")
    >>> position, stream = game.new(), new_stream(seed=1)
    >>> game.advance(position, stream)
    >>> np.flatnonzero(game.legal(position))
    """

    def __init__(self, game: str | GameSpec, *, deck: str | Path | None = None, **options: Any) -> None:
        """OptionError for an unknown option or value, DeckError for a wrong deck file."""
        self.spec = spec_of(game) if isinstance(game, str) else game
        self.deck: LoadedDeck = self.spec.load_deck(None if deck is None else Path(deck))
        self.options = self.spec.encode_options(options, self.deck)
        self.user_options = dict(options)
        self.kernel = kernel_of(self.spec.rules)
        self._scratch = _Scratch(self.spec, self.deck, self.options)
        self._entry: Callable[..., int] | None = None

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        registered = self.spec.env_id in games()
        deck = None if self.deck.digest == self.spec.load_deck(None).digest else self.deck.source
        return _remake, (self.spec.env_id if registered else self.spec, deck, self.deck.digest, self.user_options)

    def _check(self, position: Positions) -> None:
        if not isinstance(position, np.ndarray) or position.dtype != self.spec.dtype or position.shape != (1,):
            found = f"{position.dtype} of shape {position.shape}" if isinstance(position, np.ndarray) else repr(position)
            raise TypeError(f"a position of {self.spec.env_id} is a record array of one element, not {found}")

    def _stands_at(self, node: int, position: Positions) -> bool:
        self._check(position)
        return bool(position["node"][0] == node)

    def _call(self, task: int, position: Positions, argument: int = 0) -> int:
        self._check(position)
        if type(position) is not np.recarray or not position.flags.behaved:
            if not position.flags.behaved:
                if task in (SETUP, APPLY, OUTCOME, ADVANCE):
                    raise ValueError("the position is read-only, or lies across words of memory: copy it first")
                position = position.copy()
            position = position.view(np.recarray)
        scratch = self._scratch
        scratch.argument[0] = argument
        arguments = (task, position, scratch.slot, scratch.argument, *scratch.rest)
        if self._entry is None:
            self._entry = entry_point(self.kernel, arguments)
        return self._entry(*arguments)

    def memory(self, remembered: Mapping[str, Any] | None) -> Memory:
        """``remembered`` (None: a fresh deck's) as arrays. OptionError if it is not one of this game's, or if no game can start from it."""
        found = self.spec.encode_memory(remembered)
        if self.spec.impossible and (reason := self.spec.impossible(self.deck, found)):
            raise OptionError(f"{self.spec.env_id}: {reason}")
        if self.spec.objection and (reason := self.spec.objection(self.options, self.deck, found)):
            raise OptionError(f"{self.spec.env_id} with {self.user_options}: {reason}")
        return found

    def new(self, remembered: Mapping[str, Any] | None = None) -> Positions:
        """A new position at its first node, which may be a chance event; OptionError as for :meth:`memory`."""
        for name, value in self.memory(remembered).items():
            self._scratch.buffers.blank[name][0] = value
        position = np.zeros(1, self.spec.dtype).view(np.recarray)
        self._call(SETUP, position)
        return position

    def legal(self, position: Positions) -> NDArray[np.int8]:
        """int8 (A,): 1 for each legal action; all 0 if nobody decides."""
        if not self._stands_at(DECISION, position):
            return np.zeros(len(self.spec.actions), np.int8)
        self._call(LEGAL, position)
        mask: NDArray[np.int8] = self._scratch.buffers.legal[0].copy()
        return mask

    def apply(self, position: Positions, action: int) -> None:
        """Play ``action`` in place and run on to the next node. IllegalAction, with nothing changed, if the mask forbids it."""
        chosen, mask = operator.index(action), self.legal(position)
        if not 0 <= chosen < len(mask) or not mask[chosen]:
            raise illegal_action(self, position, chosen, mask, "")
        self._call(APPLY, position, chosen)

    def chance(self, position: Positions) -> NDArray[np.int32]:
        """int32 (n,): the weights of the outcomes of the pending chance event. ValueError at any other node."""
        if not self._stands_at(CHANCE, position):
            raise ValueError(f"no chance event is pending: {self.phase(position)}")
        return self._scratch.buffers.weights[: self._call(WEIGHTS, position)].copy()

    def apply_chance(self, position: Positions, outcome: int) -> None:
        """Apply ``outcome`` in place and run on to the next node. ValueError for an outcome of weight 0."""
        happens, weights = operator.index(outcome), self.chance(position)
        if not 0 <= happens < len(weights) or weights[happens] <= 0:
            raise ValueError(f"outcome {happens} cannot happen: {self.phase(position)}")
        self._call(OUTCOME, position, happens)

    def observe(self, position: Positions, seat: int | None = None) -> NDArray[np.float32]:
        """float32 (F,): what the mover sees, or ``seat`` if it were its turn. IndexError for an empty seat."""
        self._check(position)
        if seat is not None and index(seat, self.spec.players(self.options), "seat") != position["mover"][0]:
            position = position.copy()
            position["mover"][0] = seat
        self._call(OBSERVE, position)
        obs: NDArray[np.float32] = self._scratch.buffers.obs[0].copy()
        return obs

    def advance(self, position: Positions, stream: NDArray[np.int64]) -> None:
        """Run, in place, through chance events (drawn from ``stream``) and forced moves to a real decision or the end.

        TypeError unless ``stream`` is an int64 array (4,), as :meth:`stream` returns.
        """
        if not isinstance(stream, np.ndarray) or stream.dtype != np.int64 or stream.shape != (4,):
            raise TypeError(f"a stream is an int64 array of shape (4,), not {stream!r}")
        self._scratch.buffers.streams[0] = stream
        self._call(ADVANCE, position)
        stream[:] = self._scratch.buffers.streams[0]

    def phase(self, position: Positions) -> str:
        """What is being decided or drawn, in words."""
        self._check(position)
        return self.spec.phase_name(position.view(np.recarray)[0])

    def stream(self, seed: int | None = None, episode: int = 0) -> NDArray[np.int64]:
        """The stream that game ``episode`` of a single environment reset with ``seed`` is played from."""
        return new_stream(seed, episode)


def _remake(game: str | GameSpec, deck: Path | None, digest: str, options: dict[str, Any]) -> Game:
    made = Game(game, deck=deck, **options)
    if made.deck.digest != digest:
        raise SnapshotError(f"{made.spec.env_id}: the deck file {made.deck.source} has changed since this was pickled")
    return made


def illegal_action(game: Game, position: Positions, action: int, mask: NDArray[np.int8], where: str) -> IllegalAction:
    """The error for ``action`` at ``position``: what is being decided and which actions are legal, by name."""
    names = [entry.name for entry in game.spec.actions]
    found = f"{game.spec.env_id}{where}: action {action} ({names[action] if 0 <= action < len(names) else 'no such action'})"
    if not mask.any():
        return IllegalAction(f"{found}, but there is nothing to decide: {game.phase(position)}")
    choices = ", ".join(f"{index} {names[index]}" for index in np.flatnonzero(mask))
    return IllegalAction(f"{found} is illegal at {game.phase(position)}; legal: {choices}")
