"""One game: functions from position to position."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.core.errors import IllegalAction, OptionError, SnapshotError
from deckwood.core.loop import ADVANCE, APPLY, CHANCE, DECISION, LEGAL, OBSERVE, OUTCOME, SETUP, WEIGHTS, allocate, entry_point, kernel_of
from deckwood.core.registry import games
from deckwood.core.registry import spec as spec_of
from deckwood.core.spec import GameSpec, LoadedDeck, Memory, Positions
from deckwood.core.stream import new_stream


class Game:
    """One game with its deck and options: functions from position to position, for searches, solvers, replays and tests.

    A position is a record array of one element (``np.recarray``, shape (1,), dtype ``spec.dtype``); ``position.copy()`` copies it.
    Nothing here holds randomness: chance nodes are played by the caller, or by :meth:`advance` from a stream.

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
        self.given = dict(options)
        self.kernel = kernel_of(self.spec.rules)
        self._buffers = allocate(self.spec, 1, 0)
        self._one = np.zeros(1, np.int64)
        self._argument = np.zeros(1, np.int64)
        self._rest = (self.spec.longest_game, False, self.deck.tables, self.options, self._buffers)
        self._entry: Callable[..., int] | None = None

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        registered = self.spec.env_id in games()
        deck = None if self.deck.digest == self.spec.load_deck(None).digest else self.deck.source
        return _remake, (self.spec.env_id if registered else self.spec, deck, self.deck.digest, self.given)

    def _call(self, task: int, position: Positions, argument: int = 0) -> int:
        if position.dtype != self.spec.dtype or position.shape != (1,):
            raise TypeError(
                f"a position of {self.spec.env_id} is a record array of one element, not {position.dtype} of shape {position.shape}"
            )
        if type(position) is not np.recarray or not position.flags.writeable:
            if not position.flags.writeable and task in (SETUP, APPLY, OUTCOME, ADVANCE):
                raise ValueError("the position is read-only: copy it first")
            position = (position if position.flags.writeable else position.copy()).view(np.recarray)
        self._argument[0] = argument
        arguments = (task, position, self._one, self._argument, *self._rest)
        if self._entry is None:
            self._entry = entry_point(self.kernel, arguments)
        return self._entry(*arguments)

    def memory(self, remembered: Mapping[str, Any] | None) -> Memory:
        """``remembered`` (None: a fresh deck's) as arrays. OptionError where it is none of this game's, or no game can start from it."""
        found = self.spec.encode_memory(remembered)
        if self.spec.impossible and (reason := self.spec.impossible(self.deck, found)):
            raise OptionError(f"{self.spec.env_id}: {reason}")
        if self.spec.objection and (reason := self.spec.objection(self.options, self.deck, found)):
            raise OptionError(f"{self.spec.env_id} with {self.given}: {reason}")
        return found

    def new(self, remembered: Mapping[str, Any] | None = None) -> Positions:
        """A new position at its first node, which may be a chance event; OptionError as for :meth:`memory`."""
        for name, value in self.memory(remembered).items():
            self._buffers.blank[name][0] = value
        position = np.zeros(1, self.spec.dtype).view(np.recarray)
        self._call(SETUP, position)
        return position

    def legal(self, position: Positions) -> NDArray[np.int8]:
        """int8 (A,): 1 for each legal action; all 0 where nobody decides."""
        if position["node"][0] != DECISION:
            return np.zeros(len(self.spec.actions), np.int8)
        self._call(LEGAL, position)
        mask: NDArray[np.int8] = self._buffers.legal[0].copy()
        return mask

    def apply(self, position: Positions, action: int) -> None:
        """Play ``action`` in place and run on to the next node. IllegalAction, with nothing changed, where the mask forbids it."""
        mask = self.legal(position)
        if not 0 <= action < len(mask) or not mask[action]:
            raise illegal_action(self, position, int(action), mask, "")
        self._call(APPLY, position, int(action))

    def chance(self, position: Positions) -> NDArray[np.int32]:
        """int32 (n,): the weights of the outcomes of the pending chance event. ValueError at any other node."""
        if position["node"][0] != CHANCE:
            raise ValueError(f"no chance event is pending: {self.phase(position)}")
        return self._buffers.weights[: self._call(WEIGHTS, position)].copy()

    def apply_chance(self, position: Positions, outcome: int) -> None:
        """Let ``outcome`` happen, in place, and run on to the next node. ValueError for an outcome of no weight."""
        weights = self.chance(position)
        if not 0 <= outcome < len(weights) or weights[outcome] <= 0:
            raise ValueError(f"outcome {outcome} cannot happen: {self.phase(position)}")
        self._call(OUTCOME, position, int(outcome))

    def observe(self, position: Positions, seat: int | None = None) -> NDArray[np.float32]:
        """float32 (F,): what the mover sees, or ``seat`` if it were its turn."""
        if seat is not None and seat != position["mover"][0]:
            position = position.copy()
            position["mover"][0] = seat
        self._call(OBSERVE, position)
        obs: NDArray[np.float32] = self._buffers.obs[0].copy()
        return obs

    def advance(self, position: Positions, stream: NDArray[np.int64]) -> None:
        """Run, in place, through chance events (drawn from ``stream``) and forced moves to a real decision or the end."""
        self._buffers.streams[0] = stream
        self._call(ADVANCE, position)
        stream[:] = self._buffers.streams[0]

    def phase(self, position: Positions) -> str:
        """What is being decided or drawn, in words."""
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
