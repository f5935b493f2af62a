"""Refusing concurrent use of objects that own arrays."""

from __future__ import annotations

import threading


class OneThread:
    """A guard that one thread at a time may hold; RuntimeError for a second one. A copy is independent."""

    def __init__(self, what: str) -> None:
        """``what`` names the guarded object in the message."""
        self._what = what
        self._lock = threading.RLock()  # whose owner an interrupt between two statements does not shut out

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise RuntimeError(f"two threads use one {self._what} at the same time: give each its own")

    def __exit__(self, *error: object) -> None:
        self._lock.release()

    def __reduce__(self) -> tuple[type[OneThread], tuple[str]]:
        return OneThread, (self._what,)
