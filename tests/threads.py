"""What tests do with threads."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from deckwood.core.one_thread import OneThread


@contextmanager
def held_elsewhere(door: OneThread) -> Iterator[None]:
    """While another thread is behind the door."""
    with ThreadPoolExecutor(1) as other:
        other.submit(door.__enter__).result()
        try:
            yield
        finally:
            other.submit(door.__exit__).result()
