"""A lookup table of action values at solved positions, for many positions at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from deckwood.core.jit import rule
from deckwood.core.loop import DECISION
from deckwood.core.spec import Positions
from deckwood.solver.graph import WORDS, Graph, canonical, fingerprint, look_up, rehash, words_of

UNKNOWN = -1


@rule
def find_all(words, table, keys, out):
    """``out`` (n,): the place of each position of ``words`` (n, words), UNKNOWN where it is not in the book."""
    key = np.zeros(keys.shape[1], np.int64)
    for i in range(len(out)):
        fingerprint(words[i], key)
        out[i] = int(table[look_up(table, keys, key)]) - 1


@rule
def enter_all(graph_first, targets, values, movers, chosen, first, moves, graph_moves, losses):
    """``losses`` (edges,) and ``moves`` (edges,) of the ``chosen`` decisions of a graph, those of each from ``first`` on."""
    for i in range(len(chosen)):
        node = chosen[i]
        mover = int(movers[node])
        best = values[node, mover]
        at = first[i]
        for edge in range(graph_first[node, 0], graph_first[node, 1]):
            moves[at] = graph_moves[edge]
            losses[at] = best - values[targets[edge], mover]
            at += 1


class Book:
    """The decisions of some graphs of one game, with the loss of each action against the best: about 40 bytes per decision and 10 per
    action."""

    def __init__(self) -> None:
        self.keys = np.zeros((0, WORDS), np.int64)
        self.best = np.zeros(0, np.int16)
        self.first = np.zeros(1, np.int64)  # the edges of decision i are first[i] .. first[i + 1] - 1
        self.moves = np.zeros(0, np.int16)
        self.lost = np.zeros(0)
        self.table = np.zeros(1, np.int32)

    def __len__(self) -> int:
        return len(self.best)

    def add(self, graph: Graph) -> None:
        """Add every decision of a graph."""
        nodes, edges = graph.nodes, graph.edges
        chosen = np.flatnonzero(nodes.kinds == DECISION)
        first = np.concatenate([[0], np.cumsum(nodes.first[chosen, 1] - nodes.first[chosen, 0])])
        moves, lost = np.empty(first[-1], np.int16), np.empty(first[-1])
        enter_all(nodes.first, edges.targets, nodes.values, nodes.movers, chosen, first, moves, edges.moves, lost)
        self.keys = np.concatenate([self.keys, nodes.keys[chosen]])
        self.best = np.concatenate([self.best, edges.moves[graph.best[chosen]]])
        self.first = np.concatenate([self.first, self.first[-1] + first[1:]])
        self.moves = np.concatenate([self.moves, moves])
        self.lost = np.concatenate([self.lost, lost])
        self.table = np.zeros(1 << (2 * len(self)).bit_length(), np.int32)
        rehash(self.table, self.keys, len(self))

    def find(self, positions: Positions) -> NDArray[np.int64]:
        """The place of each of n positions in the book, int64 (n,); -1 where it does not hold it."""
        out = np.empty(len(positions), np.int64)
        find_all(words_of(canonical(positions)), self.table, self.keys, out)
        return out

    def actions(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """The best action at each of these places, int64 (n,), the first in the action space if there are several."""
        return self.best[places].astype(np.int64)

    def losses(self, places: NDArray[np.int64], actions: int) -> NDArray[np.float64]:
        """The loss of each action against the best, float64 (n, actions), NaN for illegal actions."""
        out = np.full((len(places), actions), np.nan)
        for row, place in enumerate(places):
            edges = slice(self.first[place], self.first[place + 1])
            out[row, self.moves[edges]] = self.lost[edges]
        return out
