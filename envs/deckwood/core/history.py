"""The decisions in the games of a batch, so that they can be replayed.

There is one list for all slots, in order of play: appending a row costs a thousandth of a step, a list per slot would cost a tenth.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

UNKNOWN = -1
BRANCH, BRANCH_LENGTH = -1, 5
"""Among the actions of a game: its chance begins to come from elsewhere. The three words of the key and the number of the stream that it
came from until then follow."""


class History:
    """The actions of each slot's current game, forced ones left out."""

    def __init__(self, slots: int) -> None:
        self._slots = np.zeros(4 * slots + 60, np.int32)
        self._actions = np.zeros(len(self._slots), np.int64)
        self._count = 0
        self._began = np.zeros(slots, np.int64)  # a slot's game is its entries from here on; UNKNOWN where nobody knows how it began

    def begin(self, slots: NDArray[np.int64] | NDArray[np.bool_] | int) -> None:
        """New games begin in ``slots``."""
        self._began[slots] = self._count

    def forget(self, slots: NDArray[np.int64] | NDArray[np.bool_] | int) -> None:
        """The games in ``slots`` came from elsewhere."""
        self._began[slots] = UNKNOWN

    def note(self, slots: NDArray[np.int64] | NDArray[np.bool_] | int, actions: Sequence[int] | NDArray[Any]) -> None:
        """One action (k,) was taken in each of ``slots`` (k,) or a slot."""
        end = self._count + len(actions)
        if end > len(self._slots):
            self._make_room(len(actions))
            end = self._count + len(actions)
        self._slots[self._count : end] = slots
        self._actions[self._count : end] = actions
        self._count = end

    def branch(self, slot: int, key: NDArray[np.int64], episode: int) -> None:
        """The chance of the game in ``slot`` came from this key (3,) and number until now."""
        self.note(slot, [BRANCH, *key.tolist(), episode])

    def follow(self, source: NDArray[np.int64], target: NDArray[np.int64]) -> None:
        """The games of ``target`` (k,) are from now on those of ``source`` (k,)."""
        pasts = self.pasts() if (self._began[source] != UNKNOWN).any() else [None] * len(self._began)
        for one, other in zip(source.tolist(), target.tolist(), strict=True):
            self.begin(other)
            if (past := pasts[one]) is None:
                self.forget(other)
            else:
                self.note(other, past)

    def pasts(self) -> list[NDArray[np.int64] | None]:
        """For each slot the actions and branches of its game; None if unknown."""
        self._make_room(0)
        order = np.argsort(self._slots[: self._count], kind="stable")
        ends = np.cumsum(np.bincount(self._slots[: self._count], minlength=len(self._began)))[:-1]
        parts = np.split(self._actions[order], ends)
        return [None if began == UNKNOWN else part for part, began in zip(parts, self._began, strict=True)]

    def copy(self) -> History:
        """An independent copy."""
        twin = object.__new__(History)
        twin._slots, twin._actions, twin._began = self._slots.copy(), self._actions.copy(), self._began.copy()
        twin._count = self._count
        return twin

    def _make_room(self, entries: int) -> None:
        """Drop finished games, and make room for ``more`` entries and for as many again as there are."""
        began = self._began[self._slots[: self._count]]
        live = np.flatnonzero((began != UNKNOWN) & (began <= np.arange(self._count)))
        room = max(len(self._slots), 2 * (len(live) + entries))
        for name in ("_slots", "_actions"):
            old = getattr(self, name)
            new = np.zeros(room, old.dtype)
            new[: len(live)] = old[live]
            setattr(self, name, new)
        self._count = len(live)
        # What is left of a slot is its game, but for those that have only begun.
        self._began[self._began != UNKNOWN] = 0
