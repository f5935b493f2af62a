"""The compiled loop: it takes positions of any game from decision to decision.

:func:`_run` is written once. Its globals name the six functions of a game's rules, and :func:`bind` makes a function object of the
same code whose globals hold a particular game's. (A closure over compiled functions would miss Numba's disk cache at every start.)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from deckwood.core.jit import COMPILED, rule
from deckwood.core.spec import CHANCE_ACTOR, GameSpec, Node, Positions
from deckwood.core.stream import below, draw, seed_stream

DECISION, CHANCE, END = int(Node.DECISION), int(Node.CHANCE), int(Node.END)
RULES = ("setup", "legal", "apply", "chance", "apply_chance", "observe")

# What a call of the kernel does to each slot.
RESET, STEP, REFRESH, SETUP, LEGAL, APPLY, WEIGHTS, OUTCOME, OBSERVE, ADVANCE = range(10)
DEAD = -2  # the kernel's answer when a game is over before its first decision; otherwise the first slot with an illegal action, or -1


class Buffers(NamedTuple):
    """The arrays of a batch, one row per slot; see :class:`~deckwood.core.batch.Batch` for the public ones."""

    keys: NDArray[np.int64]  # (n, 6)
    streams: NDArray[np.int64]  # (n, 4)
    episodes: NDArray[np.int64]  # (n,) the number of the game being played
    steps: NDArray[np.int64]  # (n,) real decisions taken in it
    legal: NDArray[np.int8]  # (n, A) what the kernel checks; ``mask`` is the copy that users may write to
    paid: NDArray[np.float64]  # (n, seats) payoff that has been given out as reward
    over: NDArray[np.bool_]  # (n,) ended and not set up again
    obs: NDArray[np.float32]
    mask: NDArray[np.int8]
    reward: NDArray[np.float64]  # (n, seats)
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    actor: NDArray[np.int64]
    final_obs: NDArray[np.float32]
    final_mask: NDArray[np.int8]
    ended: NDArray[np.int64]
    episode_return: NDArray[np.float64]  # (n, seats)
    episode_length: NDArray[np.int64]
    weights: NDArray[np.int32]  # (max_outcomes,) scratch
    blank: Positions  # (n,) what setup finds: zero bytes but for the remembered fields
    log: NDArray[np.int32]  # (n, capacity, 3): actor, action, outcome
    logged: NDArray[np.int64]  # (n,) events so far; more than the capacity when some were lost


def allocate(spec: GameSpec, n: int, log: int) -> Buffers:
    features, actions, seats = spec.observation_size, len(spec.actions), spec.seats[1]
    return Buffers(
        keys=np.zeros((n, 6), np.int64),
        streams=np.zeros((n, 4), np.int64),
        episodes=np.zeros(n, np.int64),
        steps=np.zeros(n, np.int64),
        legal=np.zeros((n, actions), np.int8),
        paid=np.zeros((n, seats), np.float64),
        over=np.ones(n, np.bool_),
        obs=np.zeros((n, features), np.float32),
        mask=np.zeros((n, actions), np.int8),
        reward=np.zeros((n, seats), np.float64),
        terminated=np.zeros(n, np.bool_),
        truncated=np.zeros(n, np.bool_),
        actor=np.zeros(n, np.int64),
        final_obs=np.zeros((n, features), np.float32),
        final_mask=np.zeros((n, actions), np.int8),
        ended=np.zeros(n, np.int64),
        episode_return=np.zeros((n, seats), np.float64),
        episode_length=np.zeros(n, np.int64),
        weights=np.zeros(spec.max_outcomes, np.int32),
        blank=np.zeros(n, spec.dtype).view(np.recarray),
        log=np.zeros((n, log, 3), np.int32),
        logged=np.zeros(n, np.int64),
    )


# Placeholders for a game's rules; bind() replaces them.
setup: Any = None
legal: Any = None
apply: Any = None
chance: Any = None
apply_chance: Any = None
observe: Any = None


@rule
def copy_row(source: NDArray[Any], target: NDArray[Any]) -> None:
    """``target[:] = source``, which Numba compiles in a hundredth of the time."""
    for column in range(len(target)):
        target[column] = source[column]


@rule
def first_legal(mask: NDArray[np.int8]) -> int:
    """The first action that ``mask`` allows; -1 where it allows none."""
    for action in range(len(mask)):
        if mask[action] != 0:
            return action
    return -1


@rule
def give_up(s: Any) -> None:
    """End a game that its rules have left without anything that can happen: it counts as truncated."""
    s.node = END
    s.ended = 0


def _run(task, positions, slots, actions, longest, autoreset, deck, options, b):  # type: ignore[no-untyped-def]
    """Do ``task`` to the positions of ``slots``. ``actions`` has one entry a position: an action, or an outcome for OUTCOME.

    Returns what LEGAL and WEIGHTS count; else DEAD, the first slot whose action was refused, or -1.
    """
    if task == STEP:
        for i in slots:
            action = actions[i]
            if b.over[i] or action < 0 or action >= b.legal.shape[1] or b.legal[i, action] == 0:
                return i

    for i in slots:
        s = positions[i]
        if task == SETUP:
            positions[i] = b.blank[i]
            setup(s, deck, options)
        elif task == LEGAL:
            return legal(s, deck, b.legal[i])
        elif task == WEIGHTS:
            return chance(s, deck, b.weights)
        elif task == OUTCOME:
            apply_chance(s, deck, actions[i])
        elif task == OBSERVE:
            observe(s, deck, b.obs[i])
        elif task == APPLY:
            apply(s, deck, actions[i])
            s.decisions += 1
        else:
            fresh = task == RESET
            action = int(actions[i]) if task == STEP else -1
            b.reward[i, :] = 0.0
            b.terminated[i] = False
            b.truncated[i] = False
            b.ended[i] = 0
            b.steps[i] += task == STEP

            while True:
                if fresh:
                    b.steps[i] = 0
                    b.paid[i, :] = 0.0
                    b.logged[i] = 0
                    seed_stream(b.streams[i], b.keys[i], b.episodes[i])
                    positions[i] = b.blank[i]
                    setup(s, deck, options)

                while s.node != END:
                    if s.node == CHANCE:
                        n = chance(s, deck, b.weights)
                        if n < 1:
                            give_up(s)
                            continue
                        outcome = draw(b.streams[i], b.weights, n)
                        if b.logged[i] < b.log.shape[1]:
                            b.log[i, b.logged[i], 0] = CHANCE_ACTOR
                            b.log[i, b.logged[i], 1] = -1
                            b.log[i, b.logged[i], 2] = outcome
                        b.logged[i] += 1
                        apply_chance(s, deck, outcome)
                        continue
                    if action < 0:
                        n = legal(s, deck, b.legal[i])
                        if n > 1 or s.decisions >= longest:
                            break
                        action = first_legal(b.legal[i])
                        if action < 0:
                            give_up(s)
                            continue
                    if b.logged[i] < b.log.shape[1]:
                        b.log[i, b.logged[i], 0] = s.mover
                        b.log[i, b.logged[i], 1] = action
                        b.log[i, b.logged[i], 2] = -1
                    b.logged[i] += 1
                    apply(s, deck, action)
                    s.decisions += 1
                    action = -1

                if task == ADVANCE:
                    break
                ended = s.node == END
                if ended:
                    b.legal[i, :] = 0
                observe(s, deck, b.obs[i])
                b.over[i] = ended or s.decisions >= longest
                if fresh and ended:
                    return DEAD
                cut = not ended or s.ended == 0
                if task == REFRESH:
                    copy_row(s.payoff, b.paid[i])
                if fresh or task == REFRESH:
                    break
                for seat in range(b.reward.shape[1]):
                    b.reward[i, seat] = s.payoff[seat] - b.paid[i, seat]
                copy_row(s.payoff, b.paid[i])
                if not b.over[i]:
                    break
                b.terminated[i] = not cut
                b.truncated[i] = cut
                b.ended[i] = s.ended
                copy_row(b.obs[i], b.final_obs[i])
                copy_row(b.legal[i], b.final_mask[i])
                copy_row(s.payoff, b.episode_return[i])
                b.episode_length[i] = b.steps[i]
                if not autoreset:
                    break
                b.episodes[i] += 1
                fresh = True

            if task != ADVANCE:
                copy_row(b.legal[i], b.mask[i])
                b.actor[i] = -1 if s.node == END else s.mover
    return -1


@rule
def pick(legal: NDArray[np.int8], streams: NDArray[np.int64], out: NDArray[np.int64]) -> None:
    """A uniform legal action for each slot, each from its own stream; 0 where there is none."""
    for i in range(out.shape[0]):
        n = 0
        for action in range(legal.shape[1]):
            n += legal[i, action] != 0
        out[i] = 0
        if n == 0:
            continue
        rest = below(streams[i], n)
        for action in range(legal.shape[1]):
            if legal[i, action] != 0:
                if rest == 0:
                    out[i] = action
                    break
                rest -= 1


def bind(template: FunctionType, rules: ModuleType, **names: Any) -> Callable[..., Any]:
    """``template`` compiled with ``setup``, ``legal``, ``apply``, ``chance``, ``apply_chance`` and ``observe`` being those of ``rules``.

    The template is a plain module-level function that uses those names as globals; ``names`` adds or replaces further globals. Each
    (template, rules) pair compiles once and is kept on disk. Compiled searches and solvers are made with this too.
    """
    own = {**template.__globals__, **{name: getattr(rules, name) for name in RULES}, **names}
    function = FunctionType(template.__code__, own, template.__name__, template.__defaults__)
    function.__module__ = rules.__name__  # Numba imports it when it loads the function from disk
    others = "".join(f"-{value.__module__}.{value.__qualname__}" for value in names.values())
    function.__qualname__ = f"{template.__module__}.{template.__qualname__}{others}"
    return rule(function)


@cache
def kernel_of(rules: ModuleType) -> Callable[..., int]:
    return bind(_run, rules)  # type: ignore[arg-type]


def entry_point(kernel: Any, arguments: tuple[Any, ...]) -> Callable[..., Any]:
    """The machine code of ``kernel`` for the types of ``arguments``, for callers whose types never change: no dispatch at each call."""
    if not COMPILED:
        return kernel  # type: ignore[no-any-return]
    key = (kernel, *map(_kind, arguments))
    if key not in _entry_points:
        signature = tuple(map(numba.typeof, arguments))
        kernel.compile(signature)
        _entry_points[key] = kernel.overloads[signature].entry_point
    return _entry_points[key]


_entry_points: dict[tuple[Any, ...], Callable[..., Any]] = {}


def _kind(value: Any) -> Any:
    """What Numba's type of ``value`` follows from; ``typeof`` takes milliseconds where there are records."""
    if isinstance(value, np.ndarray):
        return type(value), value.dtype, value.ndim, value.flags.num
    if isinstance(value, tuple):
        return type(value), *map(_kind, value)
    return value.dtype if isinstance(value, np.void) else type(value)
