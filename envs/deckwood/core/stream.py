"""Streams of random numbers: Doty-Humphrey's sfc32, in integer arithmetic that is the same compiled and uncompiled.

A stream is an int64 array of four 32-bit words. Game *e* of a slot is played from the stream made of the slot's key and *e*.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from deckwood.core.indices import whole
from deckwood.core.jit import rule

MASK = 0xFFFFFFFF


@rule
def next_word(stream: NDArray[np.int64]) -> int:
    """The next 32-bit word."""
    a, b, c, counter = int(stream[0]), int(stream[1]), int(stream[2]), int(stream[3])
    word = (a + b + counter) & MASK
    stream[0] = b ^ (b >> 9)
    stream[1] = (c + (c << 3)) & MASK
    stream[2] = (((c << 21) & MASK | (c >> 11)) + word) & MASK
    stream[3] = (counter + 1) & MASK
    return word


@rule
def seed_stream(stream: NDArray[np.int64], key: NDArray[np.int64], episode: int) -> None:
    """Start ``stream`` for game number ``episode`` of the slot that has this ``key`` (three words)."""
    stream[0] = key[0]
    stream[1] = key[1]
    stream[2] = key[2]
    stream[3] = episode & MASK
    for _ in range(15):
        next_word(stream)


@rule
def below(stream: NDArray[np.int64], bound: int) -> int:
    """A whole number from 0 to ``bound`` - 1, all equally likely (Lemire's multiply-shift with rejection); bound < 2**31."""
    product = next_word(stream) * bound
    if product & MASK < bound:
        threshold = (MASK + 1 - bound) % bound
        while product & MASK < threshold:
            product = next_word(stream) * bound
    return product >> 32


@rule
def draw(stream: NDArray[np.int64], weights: NDArray[np.int32], n: int) -> int:
    """An outcome from 0 to ``n`` - 1, each as likely as its share of the integer ``weights``."""
    total = 0
    for outcome in range(n):
        total += int(weights[outcome])
    rest = below(stream, total)
    for outcome in range(n):
        rest -= int(weights[outcome])
        if rest < 0:
            return outcome
    return n - 1


def fresh_seed() -> int:
    """A seed from the operating system's entropy."""
    return whole(np.random.SeedSequence().entropy, "entropy")


def slot_keys(seed: int | Sequence[int] | None, slots: int) -> NDArray[np.int64]:
    """int64 (slots, 6): each slot's key for its games, then its key for random actions.

    One integer gives slot *i* the words of ``SeedSequence(seed, spawn_key=(i,))``; a sequence gives it those of
    ``SeedSequence(seed[i], spawn_key=(0,))``; None takes entropy from the operating system.

    TypeError for a seed that is not a whole number, ValueError for a negative one and for a wrong number of seeds.
    """
    if isinstance(seed, Sequence | np.ndarray) and not isinstance(seed, str | bytes) and np.ndim(seed):
        if len(seed) != slots:
            raise ValueError(f"seed has {len(seed)} entries for {slots} slots")
        sources = [(whole(one, "seed"), 0) for one in seed]
    else:
        entropy = fresh_seed() if seed is None else whole(seed, "seed")
        sources = [(entropy, slot) for slot in range(slots)]
    words = [np.random.SeedSequence(entropy, spawn_key=(slot,)).generate_state(6) for entropy, slot in sources]
    return np.array(words, np.int64).reshape(slots, 6)


def new_stream(seed: int | None = None, episode: int = 0) -> NDArray[np.int64]:
    """The stream of game ``episode`` of a single environment that was reset with ``seed``."""
    stream = np.zeros(4, np.int64)
    seed_stream(stream, slot_keys(seed, 1)[0, :3], whole(episode, "episode") & MASK)
    return stream
