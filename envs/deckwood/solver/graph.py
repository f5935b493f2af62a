"""The general solver: every position that can follow from one, merged by content, with its value under best play.

It walks a game's own decision and chance nodes, so every rule and card effect counts as it does in play.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from deckwood.core.errors import DeckwoodError
from deckwood.core.game import Game
from deckwood.core.jit import rule
from deckwood.core.loop import CHANCE, DECISION, END, bind, copy_row
from deckwood.core.spec import Positions

MASK = 0xFFFFFFFF
LANES = ((0x5BD1E995, 15), (0x2C1B3C6D, 13), (0x297A2D39, 16), (0x45D9F3B5, 14))
WORDS = len(LANES) // 2  # int64 words of a fingerprint
CONVERGED = 1e-13
MAX_SWEEPS = 100_000

DONE, FULL, MORE_ROOM = range(3)


class TooLarge(DeckwoodError, MemoryError):
    """More positions than were allowed. ``states`` were reached; the root's value lies within ``lower`` and ``upper``."""

    def __init__(self, states: int, lower: float, upper: float, what: str) -> None:
        super().__init__(
            f"{what}: {states:,} positions and more, beyond the limit given; the value lies between {lower:.4g} and {upper:.4g}"
        )
        self.states, self.lower, self.upper = states, lower, upper


@rule
def payoff_of(s, deck, objective, out):
    """The value of a finished game: its payoff, seat by seat."""
    copy_row(s.payoff, out)


# Placeholders; bind() replaces them.
legal: Any = None
apply: Any = None
chance: Any = None
apply_chance: Any = None
settle: Any = None


@rule
def fingerprint(words, out):
    """128 bits of a position's content. ``words`` are its 32-bit words; zeros, the majority, are skipped."""
    a, b, c, d = 0, 0, 0, 0
    for i in range(len(words)):
        word = int(words[i])
        if word != 0:
            word = (word ^ ((i + 1) * 0x1E3779B1)) & MASK
            a = ((a ^ word) * LANES[0][0]) & MASK
            b = ((b ^ word) * LANES[1][0]) & MASK
            c = ((c ^ word) * LANES[2][0]) & MASK
            d = ((d ^ word) * LANES[3][0]) & MASK
            a ^= a >> LANES[0][1]
            b ^= b >> LANES[1][1]
            c ^= c >> LANES[2][1]
            d ^= d >> LANES[3][1]
    out[0] = (a << 31) ^ b
    out[1] = (c << 31) ^ d


@rule
def look_up(table, keys, key):
    """The slot of ``table`` that holds the node with this key, or the empty one where it belongs; a slot holds 1 + a node."""
    at = (key[0] ^ (key[0] >> 29)) & (len(table) - 1)
    while table[at] != 0:
        node = table[at] - 1
        if keys[node, 0] == key[0] and keys[node, 1] == key[1]:
            break
        at = (at + 1) & (len(table) - 1)
    return at


@rule
def rehash(table, keys, nodes):
    """Enters all nodes into an empty table."""
    for node in range(nodes):
        table[look_up(table, keys, keys[node])] = node + 1


class Nodes(NamedTuple):
    """The data of each node; allocated beyond the number of nodes."""

    kinds: NDArray[np.int8]  # Node
    movers: NDArray[np.int8]  # the seat that decides
    first: NDArray[np.int64]  # (nodes, 2) its edges are first[0] .. first[1] - 1
    keys: NDArray[np.int64]  # (nodes, WORDS) its fingerprint
    values: NDArray[np.float64]  # (nodes, seats)


class Edges(NamedTuple):
    """The moves from node to node; allocated beyond the number of edges."""

    targets: NDArray[np.int32]  # the node that it leads to
    weights: NDArray[np.float64]  # of a chance event's outcome
    moves: NDArray[np.int16]  # the action or outcome


def _walk(stack, words, ids, scratch, counts, nodes_known, edges_known, table, room, deck, objective, limit):
    """Expands what lies on the stack, depth first, until nothing is left or an array is full.

    ``counts``: positions on the stack, nodes, edges. The stack's top is scratch space: a known child is left there.
    """
    kinds, movers, first, keys, values = nodes_known
    targets, weights, moves = edges_known
    mask, outcomes, key = room
    top, nodes, edges = int(counts[0]), int(counts[1]), int(counts[2])
    room_needed = len(mask) if len(mask) > len(outcomes) else len(outcomes)
    answer = DONE
    while top > 0:
        if nodes > limit:
            answer = FULL
            break
        if (
            top + room_needed >= len(stack)
            or nodes + room_needed > len(kinds)
            or edges + room_needed > len(targets)
            or 2 * (nodes + room_needed) > len(table)
        ):
            answer = MORE_ROOM
            break
        top -= 1
        node = int(ids[top])
        scratch[0] = stack[top]
        s = scratch[0]
        first[node, 0] = edges
        n = legal(s, deck, mask) if s.node == DECISION else chance(s, deck, outcomes)
        for move in range(len(mask) if s.node == DECISION else n):
            if s.node == DECISION:
                if mask[move] == 0:
                    continue
            elif outcomes[move] <= 0:
                continue
            stack[top] = scratch[0]
            child = stack[top]
            if s.node == DECISION:
                apply(child, deck, move)
            else:
                apply_chance(child, deck, move)
            fingerprint(words[top], key)
            at = look_up(table, keys, key)
            if table[at] == 0:
                keys[nodes, 0] = key[0]
                keys[nodes, 1] = key[1]
                table[at] = nodes + 1
                kinds[nodes] = child.node
                movers[nodes] = child.mover
                if child.node == END:
                    settle(child, deck, objective, values[nodes])
                else:
                    ids[top] = nodes
                    top += 1
                nodes += 1
            targets[edges] = table[at] - 1
            weights[edges] = outcomes[move] if s.node == CHANCE else 0
            moves[edges] = move
            edges += 1
        first[node, 1] = edges
    counts[0], counts[1], counts[2] = top, nodes, edges
    return answer


@rule
def components(first, targets, order, ends):
    """Strongly connected components (Tarjan 1972, with a stack of its own): the positions of each cycle together, what follows before
    what leads to it. ``order`` takes the nodes, ``ends`` where each component ends in it; returns how many there are.
    """
    nodes = len(first)
    index = np.zeros(nodes, np.int64)  # 1 + when a node was met; 0: not yet
    low = np.zeros(nodes, np.int64)  # the earliest node that is known to be reachable and open
    open_nodes = np.empty(nodes, np.int64)
    path = np.empty(nodes, np.int64)
    at_edge = first[:, 0].copy()
    met, opened, placed, found = 0, 0, 0, 0
    for root in range(nodes):
        if index[root] != 0:
            continue
        depth = 0
        path[0] = root
        while depth >= 0:
            node = path[depth]
            if index[node] == 0:
                met += 1
                index[node] = met
                low[node] = met
                open_nodes[opened] = node
                opened += 1
            if at_edge[node] < first[node, 1]:
                target = targets[at_edge[node]]
                at_edge[node] += 1
                if index[target] == 0:
                    depth += 1
                    path[depth] = target
                elif index[target] > 0:
                    low[node] = min(low[node], index[target])
                continue
            depth -= 1
            if depth >= 0:
                low[path[depth]] = min(low[path[depth]], low[node])
            if low[node] == index[node]:
                while True:
                    opened -= 1
                    member = open_nodes[opened]
                    index[member] = -1  # closed
                    order[placed] = member
                    placed += 1
                    if member == node:
                        break
                ends[found] = placed
                found += 1
    return found


@rule
def back_up(node, kinds, movers, first, targets, weights, values, best):
    """Takes a node's values from those it leads to; returns by how much the mover's changed. ``best`` is the edge that is played."""
    start, end = first[node, 0], first[node, 1]
    mover = int(movers[node])
    old = values[node, mover]
    if kinds[node] == DECISION:
        chosen = start
        for edge in range(start + 1, end):
            if values[targets[edge], mover] > values[targets[chosen], mover]:
                chosen = edge
        best[node] = chosen
        copy_row(values[targets[chosen]], values[node])
    else:
        total = 0.0
        for edge in range(start, end):
            total += weights[edge]
        for seat in range(values.shape[1]):
            mean = 0.0
            for edge in range(start, end):
                mean += weights[edge] * values[targets[edge], seat]
            values[node, seat] = mean / total
    return abs(values[node, mover] - old)


@rule
def solve(order, ends, parts, kinds, movers, first, targets, weights, values, best):
    """Values of all nodes, component by component, each swept until nothing changes; returns False if one does not converge."""
    start = 0
    for part in range(parts):
        for _ in range(MAX_SWEEPS):
            change = 0.0
            for i in range(start, ends[part]):
                node = order[i]
                if first[node, 1] > first[node, 0]:
                    change = max(change, back_up(node, kinds, movers, first, targets, weights, values, best))
            if change <= CONVERGED or ends[part] - start == 1:
                break
        else:
            return False
        start = ends[part]
    return True


@cache
def _walker(rules: ModuleType, settle: Callable[..., None]) -> Callable[..., int]:
    return bind(_walk, rules, settle=settle)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Graph:
    """All positions that can follow from a root, node 0, solved: every mover plays for the highest mean of its own seat's payoff."""

    game: Game
    nodes: Nodes
    edges: Edges
    best: NDArray[np.int64]  # (nodes,) the edge that the mover plays, at decisions
    table: NDArray[np.int32]

    @property
    def values(self) -> NDArray[np.float64]:
        """float64 (nodes, seats): the value of each position to each seat."""
        return self.nodes.values

    @property
    def states(self) -> int:
        return len(self.best)

    @property
    def value(self) -> float:
        """The root's value to its mover; to seat 0 at a chance event."""
        return float(self.values[0, self.nodes.movers[0] if self.nodes.kinds[0] == DECISION else 0])

    def find(self, position: Positions) -> int:
        """The node of a position, -1 if it cannot follow from the root."""
        key = np.zeros(WORDS, np.int64)
        fingerprint(words_of(canonical(position))[0], key)
        return int(self.table[look_up(self.table, self.nodes.keys, key)]) - 1

    def action(self, position: Positions) -> int:
        """The best action. ValueError unless the position is one of the graph's decisions."""
        node = self.find(position)
        if node < 0 or self.nodes.kinds[node] != DECISION:
            raise ValueError(f"this is not a decision that can follow from the solved position: {self.game.phase(position)}")
        return int(self.edges.moves[self.best[node]])

    def action_values(self, position: Positions) -> dict[int, float]:
        """The value to the mover of each legal action at a decision of the graph; ValueError as for :meth:`action`."""
        self.action(position)
        node = self.find(position)
        edges = slice(*self.nodes.first[node])
        values = self.values[self.edges.targets[edges], self.nodes.movers[node]]
        return dict(zip(self.edges.moves[edges].tolist(), values.tolist(), strict=True))


def canonical(positions: Positions) -> Positions:
    """A copy without counters of the path, and with zeros in the padding between fields, which copies need not preserve."""
    out = np.zeros(len(positions), positions.dtype)
    out[:] = positions
    out["decisions"] = 0
    return out.view(np.recarray)


def words_of(positions: Positions) -> NDArray[np.uint32]:
    """The 32-bit words of n positions (n, words), a view."""
    return positions.view(np.ndarray).view(np.uint8).reshape(len(positions), -1).view(np.uint32)


def _longer(array: Any) -> Any:
    """The array with twice the room; what is new is zero."""
    out = np.zeros((2 * len(array), *array.shape[1:]), array.dtype)
    out[: len(array)] = array
    return out.view(np.recarray) if isinstance(array, np.recarray) else out


def _first_of(n: int) -> Callable[[Any], Any]:
    return lambda array: array[:n]


def explore(
    game: Game,
    position: Positions,
    *,
    max_positions: int = 4_000_000,
    settle: Callable[..., None] = payoff_of,
    objective: Any = 0.0,
    bounds: tuple[float, float] | None = None,
) -> Graph:
    """Solve ``position`` (a record array of one) by exploring everything that can follow from it.

    ``settle(s, deck, objective, out)``, a rule, writes the value of an END position to each seat; by default its payoff.
    A game with cycles is solved by sweeping until no value changes by more than 1e-13. Two positions count as one when 128 bits of
    their content agree. TooLarge after ``max_positions`` positions; ``bounds`` (the spec's payoff range) are what no END can exceed, from
    which its bounds on the value are made. Memory: about 60 bytes per position and 16 per edge.
    """
    spec, tables = game.spec, game.deck.tables
    walk = _walker(spec.rules, settle)
    root = canonical(position)
    need = len(spec.actions) + spec.max_outcomes
    stack = np.zeros(16 * need, spec.dtype).view(np.recarray)
    ids = np.zeros(len(stack), np.int64)
    size = max(1 << 14, need)
    kinds, movers, first = np.zeros(size, np.int8), np.zeros(size, np.int8), np.zeros((size, 2), np.int64)
    nodes = Nodes(kinds, movers, first, np.zeros((size, WORDS), np.int64), np.zeros((size, spec.seats[1])))
    edges = Edges(np.zeros(4 * size, np.int32), np.zeros(4 * size), np.zeros(4 * size, np.int16))
    table = np.zeros(1 << (4 * size).bit_length(), np.int32)
    room = (np.zeros(len(spec.actions), np.int8), np.zeros(spec.max_outcomes, np.int32), np.zeros(WORDS, np.int64))
    scratch = np.zeros(1, spec.dtype).view(np.recarray)
    stack[0] = root[0]
    kinds[0], movers[0] = root["node"][0], root["mover"][0]
    fingerprint(words_of(root)[0], nodes.keys[0])
    rehash(table, nodes.keys, 1)
    counts = np.array([1, 1, 0], np.int64)
    if kinds[0] == END:
        counts[0] = 0
        settle(root[0], tables, objective, nodes.values[0])
    while walk(stack, words_of(stack), ids, scratch, counts, nodes, edges, table, room, tables, objective, max_positions) == MORE_ROOM:
        if counts[0] + need >= len(stack):
            stack, ids = _longer(stack), _longer(ids)
        if counts[1] + need > len(nodes.kinds):
            nodes = Nodes(*map(_longer, nodes))
        if counts[2] + need > len(edges.moves):
            edges = Edges(*map(_longer, edges))
        if 2 * (counts[1] + need) > len(table):
            table = np.zeros(2 * len(table), np.int32)
            rehash(table, nodes.keys, int(counts[1]))
    nodes = Nodes(*map(_first_of(counts[1]), nodes))
    edges = Edges(*map(_first_of(counts[2]), edges))
    best = np.full(len(nodes.kinds), -1, np.int64)
    order, ends = np.empty(len(best), np.int64), np.empty(len(best), np.int64)
    parts = components(nodes.first, edges.targets, order, ends)

    def settle_values() -> None:
        if not solve(order, ends, parts, nodes.kinds, nodes.movers, nodes.first, edges.targets, edges.weights, nodes.values, best):
            raise DeckwoodError(f"{spec.env_id}: values still change after {MAX_SWEEPS:,} sweeps over a cycle of positions")

    if counts[0] > 0:  # not all have been expanded
        lowest, highest = bounds or spec.payoff_range
        if spec.seats[1] == 1:
            found = []
            for bound in (lowest, highest):
                nodes.values[ids[: counts[0]]] = bound
                settle_values()
                found.append(float(nodes.values[0, 0]))
            lowest, highest = found
        raise TooLarge(int(counts[1]), lowest, highest, f"{spec.env_id} at {game.phase(position)}")
    settle_values()
    return Graph(game, nodes, edges, best, table)
