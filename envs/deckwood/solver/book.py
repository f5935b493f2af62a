"""The best actions of solved positions, looked up for many positions at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from deckwood.core.driver import DECISION, Positions
from deckwood.core.jit import rule
from deckwood.solver.graph import WORDS, Graph, canonical, fingerprint, look_up, rehash, words_of

UNKNOWN = -1


@rule
def read(words, table, keys, actions, out):
    """``out`` (n,): the action at each position of ``words`` (n, words), UNKNOWN where it is not in the book."""
    key = np.zeros(keys.shape[1], np.int64)
    for i in range(len(out)):
        fingerprint(words[i], key)
        node = table[look_up(table, keys, key)] - 1
        out[i] = actions[node] if node >= 0 else UNKNOWN


class Book:
    """What to play at each decision of some graphs of one game: 30 bytes a decision."""

    def __init__(self) -> None:
        self.keys = np.zeros((0, WORDS), np.int64)
        self.best = np.zeros(0, np.int16)
        self.table = np.zeros(1, np.int32)

    def __len__(self) -> int:
        return len(self.best)

    def add(self, graph: Graph) -> None:
        """Take in every decision of a graph."""
        decisions = np.flatnonzero(graph.nodes.kinds == DECISION)
        self.keys = np.concatenate([self.keys, graph.nodes.keys[decisions]])
        self.best = np.concatenate([self.best, graph.edges.moves[graph.best[decisions]]])
        self.table = np.zeros(1 << (2 * len(self)).bit_length(), np.int32)
        rehash(self.table, self.keys, len(self))

    def actions(self, positions: Positions) -> NDArray[np.int64]:
        """The best action at each of n positions, int64 (n,); -1 where the book does not hold it."""
        out = np.empty(len(positions), np.int64)
        read(words_of(canonical(positions)), self.table, self.keys, self.best, out)
        return out
