"""Stopping a run by a signal, with everything saved."""

from __future__ import annotations

import signal
import sys
from typing import Any


class Stop:
    """Turns the first SIGINT or SIGTERM into a flag; the second acts as it would have without this."""

    def __init__(self) -> None:
        self.signal: signal.Signals | None = None
        self._before: dict[signal.Signals, Any] = {}

    def __bool__(self) -> bool:
        return self.signal is not None

    def _note(self, number: int, frame: Any) -> None:
        self.signal = signal.Signals(number)
        print(f"\n{self.signal.name}: saving after this update; once more to give up without saving", file=sys.stderr, flush=True)
        self._restore()

    def _restore(self) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._before.clear()

    def __enter__(self) -> Stop:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *exception: object) -> None:
        self._restore()


class Stopped(Exception):
    """Leaves ``learn`` between two updates, with everything saved."""
