"""``search``: every choice is tried out in thought, on copies of the position, with chance drawn from a generator of the agent's own."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from deckwood.core.driver import RULES
from deckwood.core.jit import rule
from deckwood.core.spec import GameSpec, LoadedDeck, Node
from deckwood.core.stream import below, draw, seed_stream
from deckwood_agents import scripted

DECISION, CHANCE, END = int(Node.DECISION), int(Node.CHANCE), int(Node.END)

# Stand-ins for a game's rules and for the player that games are played on with; bind_search() replaces them.
setup: Any = None
legal: Any = None
apply: Any = None
chance: Any = None
apply_chance: Any = None
observe: Any = None
policy: Any = None


class Scratch(NamedTuple):
    """What a search writes to."""

    position: Any  # (2,) records: the position as it is played on, and as it is after an action
    mask: NDArray[np.int8]  # (A,)
    weights: NDArray[np.int32]  # (max_outcomes,)
    obs: NDArray[np.float32]  # (F,)
    stream: NDArray[np.int64]  # (4,)
    values: NDArray[np.float64]  # (A, budget): what came of each action's tries
    arms: NDArray[np.int64]  # (A,)
    hidden: NDArray[np.float32]  # (H,)
    hidden2: NDArray[np.float32]  # (H2,)
    simulated: NDArray[np.int64]


class Net(NamedTuple):
    w1: NDArray[np.float32]
    b1: NDArray[np.float32]
    w2: NDArray[np.float32]
    b2: NDArray[np.float32]
    w3: NDArray[np.float32]
    b3: NDArray[np.float32]  # (3,) bias, low, high


@rule
def random_choice(mask, stream):
    n = 0
    for action in range(len(mask)):
        n += mask[action] != 0
    rest = below(stream, n)
    for action in range(len(mask)):
        if mask[action] != 0:
            if rest == 0:
                return action
            rest -= 1
    return 0


@rule
def estimate(x, net, hidden, hidden2):
    for j in range(len(hidden)):
        hidden[j] = net.b1[j]
    for f in range(len(x)):
        v = x[f]
        if v != 0:
            for j in range(len(hidden)):
                hidden[j] += v * net.w1[f, j]
    for j in range(len(hidden2)):
        hidden2[j] = net.b2[j]
    for f in range(len(hidden)):
        v = hidden[f]
        if v > 0:
            for j in range(len(hidden2)):
                hidden2[j] += v * net.w2[f, j]
    z = float(net.b3[0])
    for j in range(len(hidden2)):
        if hidden2[j] > 0:
            z += hidden2[j] * net.w3[j]
    return net.b3[1] + (net.b3[2] - net.b3[1]) / (1.0 + np.exp(-z))


def _play_on(s, deck, seat, horizon, longest, net, w):
    left = horizon
    while s.node != END:
        if s.node == CHANCE:
            n = chance(s, deck, w.weights)
            apply_chance(s, deck, draw(w.stream, w.weights, n))
            continue
        n = legal(s, deck, w.mask)
        if s.decisions >= longest:
            break
        if n == 1:
            action = 0
            while w.mask[action] == 0:
                action += 1
        else:
            if left <= 0 and s.mover == seat:
                observe(s, deck, w.obs)
                return estimate(w.obs, net, w.hidden, w.hidden2)
            left -= 1
            w.simulated[0] += 1
            action = policy(s, deck, w.mask, w.stream)
        apply(s, deck, action)
        s.decisions += 1
    return float(s.payoff[seat])


def _search(positions, masks, keys, deck, budget, horizon, longest, least, net, w, out):
    for i in range(len(out)):
        k = 0
        for action in range(masks.shape[1]):
            if masks[i, action] != 0:
                w.arms[k] = action
                k += 1
        out[i] = w.arms[0]
        if k == 1:
            continue
        seed_stream(w.stream, keys[i], 0)
        for action in range(masks.shape[1]):
            w.mask[action] = masks[i, action]
        own = policy(positions[i], deck, w.mask, w.stream)
        seat = int(positions[i].mover)
        # the player's own choice leads the list and stays there
        for j in range(k):
            if w.arms[j] == own:
                w.arms[j] = w.arms[0]
                w.arms[0] = own
        rounds = 0
        while (1 << rounds) < k:
            rounds += 1
        tries = 0
        while k > 1:
            more = max(1, budget // (k * rounds))
            more = min(more, w.values.shape[1] - tries)
            for j in range(k):
                action = w.arms[j]
                for r in range(tries, tries + more):
                    seed_stream(w.stream, keys[i], r + 1)
                    w.position[0] = positions[i]
                    apply(w.position[0], deck, action)
                    w.position[0].decisions += 1
                    w.values[action, r] = play_on(w.position[0], deck, seat, horizon, longest, net, w)
            tries += more
            # order the others by their sums
            for j in range(1, k):
                for l in range(j, 1, -1):
                    a, b = w.arms[l], w.arms[l - 1]
                    sa, sb = 0.0, 0.0
                    for r in range(tries):
                        sa += w.values[a, r]
                        sb += w.values[b, r]
                    if sa > sb:
                        w.arms[l], w.arms[l - 1] = b, a
                    else:
                        break
            if k == 2:
                break
            k = (k + 1) // 2
            if k < 2:
                k = 2
            if tries >= w.values.shape[1]:
                break
        best = w.arms[1]
        mean, square = 0.0, 0.0
        for r in range(tries):
            d = w.values[best, r] - w.values[own, r]
            mean += d
            square += d * d
        mean /= tries
        variance = max(0.0, square / tries - mean * mean) / max(1, tries - 1)
        out[i] = best if mean > 0 and mean * mean > least * least * variance else own


play_on: Any = None


def _follow(s, deck, mask, stream):
    return policy(s, deck, mask)


def _wander(s, deck, mask, stream):
    return random_choice(mask, stream)


def _bound(template, name, home, **names):
    function = FunctionType(template.__code__, {**template.__globals__, **names}, name)
    function.__module__ = __name__
    function.__qualname__ = name
    return rule(function, home=home)


def bind_search(spec: GameSpec, player: str = "expert"):
    return _bind(spec.rules, scripted.find_policy(player, spec), player)


@cache
def _bind(rules, own, player):
    home = Path(__file__)
    names = {name: getattr(rules, name) for name in RULES}
    tag = rules.__name__.replace(".", "_") + "_" + player
    choose = _bound(_follow, f"follow_{tag}", home, policy=own) if own else _bound(_wander, f"wander_{tag}", home)
    names["policy"] = choose
    names["play_on"] = _bound(_play_on, f"play_on_{tag}", home, **names)
    return _bound(_search, f"search_{tag}", home, **names)


class SearchAgent:
    def __init__(self, spec: GameSpec, deck: LoadedDeck, budget: int = 64, horizon: int = 10**9, least: float = 1.0, net=None, player="expert"):
        self.name = f"search:{budget}"
        self.spec, self.tables, self.budget, self.horizon, self.least = spec, deck.tables, budget, horizon, least
        F, A = spec.observation_size, len(spec.actions)
        self.net = net or Net(
            np.zeros((F, 1), np.float32), np.zeros(1, np.float32), np.zeros((1, 1), np.float32), np.zeros(1, np.float32),
            np.zeros(1, np.float32), np.zeros(3, np.float32))
        H, H2 = self.net.w2.shape
        self.scratch = Scratch(
            np.zeros(2, spec.dtype).view(np.recarray), np.zeros(A, np.int8), np.zeros(spec.max_outcomes, np.int32), np.zeros(F, np.float32),
            np.zeros(4, np.int64), np.zeros((A, max(1, budget))), np.zeros(A, np.int64), np.zeros(H, np.float32), np.zeros(H2, np.float32), np.zeros(1, np.int64))
        self._search = bind_search(spec, player)
        self.reset(0)

    def reset(self, seed: int) -> None:
        self.key = int(seed).to_bytes(32, "little")

    def keys(self, positions):
        rows = np.ascontiguousarray(positions).view(np.ndarray).view(np.uint8).reshape(len(positions), -1)
        words = [np.frombuffer(blake2b(row.tobytes(), digest_size=12, key=self.key).digest(), "<u4") for row in rows]
        return np.array(words, np.int64).reshape(len(positions), 3)

    def act(self, obs, mask, positions):
        out = np.empty(len(mask), np.int64)
        self._search(positions, mask, self.keys(positions), self.tables, self.budget, self.horizon, self.spec.longest_game, self.least, self.net, self.scratch, out)
        return out
