"""``search``: before it chooses, an agent plays the game on to its end, many times, on copies of the position.

It is the game's expert who plays on from there, in every seat; where a game has none, random choices do. Each legal action is tried a few
times, all in the same imagined futures (common random numbers). The better half of them, as far as they came to more than the expert's own
choice, are tried twice as often, and so on (sequential halving: Karnin, Koren and Somekh, 2013), until none is left or the budget is spent.
What is left is played if its lead is more than noise, else the expert's choice: a policy that is rolled out in this way gets better
(Tesauro and Galperin, 1996), but only as far as one can tell actions apart. Each seat looks to its own payoff.

Nobody looks into the future here. A position holds no hidden order, and what chance brings in thought is drawn by the exact weights of
``chance`` from streams of the agent's own, made from its seed and the content of the position. So the same position gets the same answer
in whatever batch it stands, and the dice of the game itself are as unknown to the agent as to anybody.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from deckwood.core.cache import sources_digest
from deckwood.core.jit import rule
from deckwood.core.loop import bind, first_legal
from deckwood.core.spec import GameSpec, LoadedDeck, Node
from deckwood.core.stream import below, draw, seed_stream
from deckwood_agents.players import scripted

DECISION, CHANCE, END = int(Node.DECISION), int(Node.CHANCE), int(Node.END)

BUDGET = 32
"""Tries of a decision where none are asked for."""

LOOK = 4
"""Tries of each action before any is dropped."""

MIN_LEAD = 1.5
"""In standard errors: an action that leads the expert's by less is taken for no better."""

MAX_BUDGET = 1_000_000
"""The largest budget."""


class Scratch(NamedTuple):
    """Working memory of one search."""

    position: Any  # (1,) the record on which a game is played on
    mask: NDArray[np.int8]  # (A,)
    weights: NDArray[np.int32]  # (max_outcomes,)
    stream: NDArray[np.int64]  # (4,)
    arms: NDArray[np.int64]  # (A,) the actions still in question, the expert's own first
    totals: NDArray[np.float64]  # (A,) each action's summed returns
    values: NDArray[np.float64]  # (A, tries) its return in each simulation
    played: NDArray[np.int64]  # (2,) decisions searched, decisions played in simulation


# Placeholders for a game's rules and for the policy of the simulations; bind_search() replaces them.
legal: Any = None
apply: Any = None
chance: Any = None
apply_chance: Any = None
policy: Any = None
player: Any = None
play_on: Any = None
allows: Any = None
try_out: Any = None


def _by_policy(s, deck, mask, stream):  # type: ignore[no-untyped-def]
    return policy(s, deck, mask)


@rule
def _at_random(s: Any, deck: Any, mask: NDArray[np.int8], stream: NDArray[np.int64]) -> int:
    """A uniform legal action."""
    allowed = 0
    for action in range(len(mask)):
        allowed += mask[action] != 0
    rest = below(stream, allowed)
    for action in range(len(mask)):
        rest -= mask[action] != 0
        if rest < 0:
            return action
    return -1


def _play_on(s, deck, seat, longest, scratch):  # type: ignore[no-untyped-def]
    """Play ``s`` to its end and return what it pays to ``seat``. It is cut where the driver would cut it."""
    while s.node != END:
        if s.node == CHANCE:
            outcomes = chance(s, deck, scratch.weights)
            if outcomes < 1:
                break
            apply_chance(s, deck, draw(scratch.stream, scratch.weights, outcomes))
            continue
        if s.decisions >= longest:
            break
        if legal(s, deck, scratch.mask) > 1:
            action = player(s, deck, scratch.mask, scratch.stream)
            scratch.played[1] += 1
        else:
            action = first_legal(scratch.mask)
            if action < 0:
                break
        apply(s, deck, action)
        s.decisions += 1
    return float(s.payoff[seat])


def _allows(s, deck, mask, room):  # type: ignore[no-untyped-def]
    """Whether the rules allow all that ``mask`` does, and that is something. ``room`` (A,) is written on."""
    if s.node != DECISION:
        return False
    legal(s, deck, room)
    anything = False
    for action in range(len(mask)):
        anything |= mask[action] != 0
        if mask[action] != 0 and room[action] == 0:
            return False
    return anything


def _try_out(positions, i, action, key, first, last, deck, longest, scratch):  # type: ignore[no-untyped-def]
    """Tries ``first`` to ``last`` - 1 of an action. Every action's try of the same number starts with the same luck."""
    s = scratch.position[0]
    seat = int(positions[i].mover)
    for number in range(first, last):
        scratch.position[0] = positions[i]
        seed_stream(scratch.stream, key, int(key[3]) + number)
        apply(s, deck, action)
        s.decisions += 1
        value = play_on(s, deck, seat, longest, scratch)
        scratch.values[action, number] = value
        scratch.totals[action] += value


def _try_all(positions, masks, keys, deck, longest, tries, scratch, out):  # type: ignore[no-untyped-def]
    """``out`` (n, A, tries): what the tries of each legal action came to."""
    for i in range(len(positions)):
        if not allows(positions[i], deck, masks[i], scratch.mask):
            return i
        for action in range(masks.shape[1]):
            if masks[i, action] != 0:
                try_out(positions, i, action, keys[i], 0, tries, deck, longest, scratch)
                for number in range(tries):
                    out[i, action, number] = scratch.values[action, number]
    return -1


@rule
def _lay_out(mask: NDArray[np.int8], own: int, scratch: Scratch) -> int:
    """Put the legal actions into ``arms``, ``own`` before the others; returns how many there are."""
    scratch.arms[0] = own
    n = 1
    for action in range(len(mask)):
        scratch.totals[action] = 0.0
        if mask[action] != 0 and action != own:
            scratch.arms[n] = action
            n += 1
    return n


@rule
def _keep(n: int, min_lead: float, scratch: Scratch) -> int:
    """Sort the first ``n`` arms but the expert's, best first. Kept beside it is the better half, as far as it must lead and does."""
    for i in range(2, n):
        arm = scratch.arms[i]
        j = i
        while j > 1 and scratch.totals[scratch.arms[j - 1]] < scratch.totals[arm]:
            scratch.arms[j] = scratch.arms[j - 1]
            j -= 1
        scratch.arms[j] = arm
    left = 1
    while left < 1 + n // 2 and (min_lead == 0.0 or scratch.totals[scratch.arms[left]] > scratch.totals[scratch.arms[0]]):
        left += 1
    return left


@rule
def _leads(action: int, own: int, tries: int, min_lead: float, scratch: Scratch) -> bool:
    """Whether ``action`` came to more than ``own`` by over ``min_lead`` standard errors of the mean difference, try by try.

    Two more tries are imagined that differ by the most that was seen, one either way: a few tries that happen to agree prove nothing.
    """
    total, squares, most = 0.0, 0.0, 0.0
    for number in range(tries):
        difference = scratch.values[action, number] - scratch.values[own, number]
        total += difference
        squares += difference * difference
        most = max(most, abs(difference))
    mean = total / (tries + 2)
    variance = (squares + 2 * most * most) / (tries + 2) - mean * mean
    return mean > 0.0 and mean * mean * (tries + 2) > min_lead * min_lead * variance


def _search(positions, masks, keys, deck, longest, budget, min_lead, scratch, out):  # type: ignore[no-untyped-def]
    """Fill ``out`` (n,) with a choice for each of ``positions``; see :class:`SearchAgent`."""
    for i in range(len(out)):
        if not allows(positions[i], deck, masks[i], scratch.mask):
            return i
        key = keys[i]
        seed_stream(scratch.stream, key, int(key[3]) - 1)
        for action in range(len(scratch.mask)):
            scratch.mask[action] = masks[i, action]
        own = player(positions[i], deck, scratch.mask, scratch.stream)
        left = _lay_out(masks[i], own, scratch)
        out[i] = own
        if left == 1:
            continue
        scratch.played[0] += 1
        tries, more, spent = 0, max(1, min(LOOK, budget // left)), 0
        while left > 1 and (tries == 0 or spent + left * more <= budget):
            for arm in range(left):
                try_out(positions, i, scratch.arms[arm], key, tries, tries + more, deck, longest, scratch)
            spent += left * more
            tries += more
            more = tries
            left = _keep(left, min_lead, scratch)
        if left > 1 and _leads(scratch.arms[1], own, tries, min_lead, scratch):
            out[i] = scratch.arms[1]
    return -1


def bind_search(spec: GameSpec) -> Callable[..., int]:
    """``(positions, masks, keys, tables, longest, budget, min_lead, scratch, out)``, compiled for a game and its expert, if it has one."""
    return _bound(_search, spec.rules, scripted.find_policy("expert", spec))


def bind_tries(spec: GameSpec) -> Callable[..., int]:
    """``(positions, masks, keys, tables, longest, tries, scratch, out)``, compiled likewise."""
    return _bound(_try_all, spec.rules, scripted.find_policy("expert", spec))


@cache
def _bound(kernel: FunctionType, rules: ModuleType, expert: Callable[..., int] | None) -> Callable[..., int]:
    """It is kept on disk with the game's rules, under a name that changes with this file and any source of the scripted agents."""
    player = bind(_by_policy, rules, policy=expert) if expert else _at_random  # type: ignore[arg-type]
    play_on = _part(_play_on, rules, player=player)
    template = FunctionType(kernel.__code__, kernel.__globals__)
    template.__module__ = __name__
    own = blake2b(Path(__file__).read_bytes() + sources_digest(scripted.FOLDER).encode(), digest_size=8).hexdigest()
    template.__qualname__ = f"{kernel.__name__.lstrip('_')}_{own}"
    parts = {"try_out": _part(_try_out, rules, play_on=play_on), "allows": _part(_allows, rules)}
    return bind(template, rules, player=player, **parts)


def _part(template: Any, rules: ModuleType, **names: Any) -> Callable[..., Any]:
    """A part of the kernel, bound. It is kept on disk with the whole, so it needs no name that tells everything it was bound to."""
    part: Any = bind(template, rules, **names)
    part.__qualname__ = template.__name__
    return part  # type: ignore[no-any-return]


class SearchAgent:
    """Simulates each legal action: ``budget`` simulations per decision in total, or one of each action where that is more.

    ``expert`` plays on. Its own choice is played unless another leads it by more than ``min_lead`` standard errors (0 where the game has no
    expert: any lead counts). Deterministic: an answer depends on the seed of :meth:`reset` and on the position, and on nothing else.
    """

    def __init__(self, spec: GameSpec, deck: LoadedDeck, budget: int = BUDGET, min_lead: float = MIN_LEAD) -> None:
        """ValueError for a budget that is not from 1 to :data:`MAX_BUDGET`."""
        if not 1 <= budget <= MAX_BUDGET:
            raise ValueError(f"a search needs a budget of 1 to {MAX_BUDGET} tries a decision, not {budget}")
        self.name = "search" if budget == BUDGET else f"search:{budget}"
        self._spec = spec
        self._search = bind_search(spec)
        self._kept = max(budget // 2, LOOK)  # tries of an action
        own_choice = scripted.find_policy("expert", spec) is not None
        self._rest = (deck.tables, spec.longest_game, budget, min_lead if own_choice else 0.0)
        self._content = _content(spec.dtype)
        self.reset(0)

    def _scratch(self) -> Scratch:
        """One for each call: other threads may be asking too."""
        spec, actions = self._spec, len(self._spec.actions)
        return Scratch(
            position=np.zeros(1, spec.dtype).view(np.recarray),
            mask=np.zeros(actions, np.int8),
            weights=np.zeros(spec.max_outcomes, np.int32),
            stream=np.zeros(4, np.int64),
            arms=np.zeros(actions, np.int64),
            totals=np.zeros(actions, np.float64),
            values=np.zeros((actions, self._kept), np.float64),
            played=np.zeros(2, np.int64),
        )

    def reset(self, seed: int) -> None:
        """Restart from a seed, any whole number from 0 to 2**256 - 1."""
        self._seed = int(seed).to_bytes(32, "little")

    def act(self, obs: NDArray[np.float32], mask: NDArray[np.int8], positions: Any) -> NDArray[np.int64]:
        """Legal actions (n,) int64; the positions are copied and stay as they are. Any number of threads may ask at once.

        ValueError for a mask that allows nothing, or more than the rules do.
        """
        self._check(mask, positions)
        actions = np.empty(len(mask), np.int64)
        self._refuse(self._search(positions, mask, self.keys(positions), *self._rest, self._scratch(), actions))
        return actions

    def tries(self, mask: NDArray[np.int8], positions: Any, number: int) -> NDArray[np.float64]:
        """What so many tries of every legal action came to, for the mover, float64 (n, A, number), not a number where an action is illegal.
        Tries of the same number have the same luck. ValueError for more than half of the budget, or four of a small one, and as in act."""
        if not 0 <= number <= self._kept:
            raise ValueError(f"a search with a budget of {self._rest[2]} keeps {self._kept} tries of an action, not {number}")
        self._check(mask, positions)
        out = np.full((*mask.shape, number), np.nan)
        deck, longest = self._rest[:2]
        self._refuse(bind_tries(self._spec)(positions, mask, self.keys(positions), deck, longest, number, self._scratch(), out))
        return out

    def _check(self, mask: NDArray[np.int8], positions: Any) -> None:
        if positions.dtype != self._spec.dtype:
            raise TypeError(f"positions must be records of {self._spec.env_id}, not {positions.dtype}")
        if mask.shape != (len(positions), len(self._spec.actions)):
            raise ValueError(f"{len(positions)} positions have masks of shape {len(positions), len(self._spec.actions)}, not {mask.shape}")

    def _refuse(self, row: int) -> None:
        if row >= 0:
            raise ValueError(f"the mask in row {row} allows no action, or one that the rules forbid there")

    def keys(self, positions: Any) -> NDArray[np.int64]:
        """int64 (n, 4): where the streams of each position's tries begin, three words of a key and the number of the first try."""
        rows = np.ascontiguousarray(positions).view(np.ndarray).view(np.uint8).reshape(len(positions), -1)[:, self._content]
        digests = [blake2b(row.tobytes(), key=self._seed, digest_size=16).digest() for row in rows]
        return np.frombuffer(b"".join(digests), "<u4").reshape(-1, 4).astype(np.int64)


def _content(dtype: np.dtype[Any]) -> NDArray[np.int64]:
    """The bytes of a record that belong to its fields. What lies between them may be anything."""
    used = np.zeros(dtype.itemsize, np.bool_)
    for kind, offset, *_ in (dtype.fields or {}).values():
        used[offset : offset + kind.itemsize] = True
    return np.flatnonzero(used)
