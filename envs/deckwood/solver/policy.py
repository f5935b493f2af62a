"""The exact value of a policy: its probability is carried forward to the ends of the game, not sampled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.core.errors import DeckwoodError, IllegalAction
from deckwood.core.game import Game
from deckwood.core.loop import CHANCE, DECISION, END, bind, copy_row
from deckwood.core.spec import Positions
from deckwood.solver.graph import WORDS, TooLarge, canonical, fingerprint, look_up, payoff_of, rehash

Choose = Callable[[NDArray[np.float32], NDArray[np.int8], Positions], NDArray[Any]]
"""``choose(obs (n, F), mask (n, A), positions (n,))`` gives an action for each row, int (n,), or the chance of each, float (n, A)."""


CHANCES_EACH = 64  # chance events that may lie between two decisions
NEGLIGIBLE = 1e-15  # the share of games still going on that is no longer followed, where a game can go round in circles


class NeverEnds(DeckwoodError, RuntimeError):
    """A policy under which the game can last longer than its spec allows."""


@dataclass(frozen=True)
class PolicyValue:
    """The value of a policy from a position."""

    values: NDArray[np.float64]  # (seats,) the mean of each seat's payoff
    states: int  # decisions of the policy that were asked for, each position once for each number of moves that lead to it


# Placeholders; bind() replaces them.
legal: Any = None
apply: Any = None
chance: Any = None
apply_chance: Any = None
observe: Any = None
settle: Any = None


def _look(positions, rows, deck, obs, mask):
    """What is seen and allowed at the positions of ``rows``."""
    for i in range(len(rows)):
        observe(positions[rows[i]], deck, obs[i])
        legal(positions[rows[i]], deck, mask[i])


def _spread(positions, masses, chances, following, words, weights, keys, table, counts, total, room, deck, objective):
    """Lets each position's mass flow one move on, merging what is the same; stops before a position that might not find room.

    ``counts``: positions done, positions in ``following``. ``chances`` are the probabilities of actions, one row per position.
    """
    outcomes, key, payoff = room
    done, found = int(counts[0]), int(counts[1])
    while done < len(positions) and found + chances.shape[1] + len(outcomes) < len(following):
        s = positions[done]
        whole = 1.0
        moves = chances.shape[1]
        if s.node == CHANCE:
            moves = chance(s, deck, outcomes)
            whole = 0.0
            for move in range(moves):
                whole += outcomes[move]
        for move in range(moves):
            share = outcomes[move] / whole if s.node == CHANCE else chances[done, move]
            if share <= 0.0:
                continue
            following[found] = positions[done]
            child = following[found]
            if s.node == CHANCE:
                apply_chance(child, deck, move)
            else:
                apply(child, deck, move)
            mass = masses[done] * share
            if child.node == END:
                settle(child, deck, objective, payoff)
                for seat in range(len(total)):
                    total[seat] += mass * payoff[seat]
                continue
            fingerprint(words[found], key)
            at = look_up(table, keys, key)
            if table[at] == 0:
                copy_row(key, keys[found])
                weights[found] = mass
                found += 1
                table[at] = found
            else:
                weights[table[at] - 1] += mass
        done += 1
    counts[0], counts[1] = done, found


@cache
def _kernels(rules: ModuleType, settle: Callable[..., None]) -> tuple[Callable[..., None], Callable[..., None]]:
    return bind(_look, rules), bind(_spread, rules, settle=settle)  # type: ignore[arg-type]


def _chances(game: Game, positions: Positions, rows: NDArray[np.int64], choose: Choose, look: Callable[..., None]) -> NDArray[np.float64]:
    """The probability of each action at each position, zero if nobody decides."""
    actions = len(game.spec.actions)
    chances = np.zeros((len(positions), actions))
    if len(rows) == 0:
        return chances
    obs = np.zeros((len(rows), game.spec.observation_size), np.float32)
    mask = np.zeros((len(rows), actions), np.int8)
    look(positions, rows, game.deck.tables, obs, mask)
    forced = mask.sum(axis=1) == 1
    chances[rows[forced]] = mask[forced]
    queried = ~forced
    if not queried.any():
        return chances
    chosen = np.asarray(choose(obs[queried], mask[queried], positions[rows[queried]].view(np.recarray)))
    at = rows[queried]
    if chosen.ndim == 1:
        known = (chosen >= 0) & (chosen < actions)
        allowed = known & (mask[queried][np.arange(len(at)), np.where(known, chosen, 0)] != 0)
        if not allowed.all():
            raise IllegalAction(f"{game.spec.env_id}: the policy plays action {chosen[np.argmin(allowed)]}, which its mask forbids")
        chances[at, chosen] = 1.0
    else:
        if (chosen < 0).any() or (chosen[mask[queried] == 0] != 0).any() or not np.allclose(chosen.sum(axis=1), 1.0):
            raise IllegalAction(f"{game.spec.env_id}: the policy's chances must be 0 or more, 0 where the mask is, and add up to 1")
        chances[at] = chosen
    return chances


def policy_value(
    game: Game,
    position: Positions,
    choose: Choose,
    *,
    max_positions: int = 4_000_000,
    settle: Callable[..., None] = payoff_of,
    objective: Any = 0.0,
) -> PolicyValue:
    """The exact value of ``choose`` from ``position``, every seat playing by it. Forced moves are played without asking.

    IllegalAction for a choice that the mask forbids, NeverEnds if the game can outlast ``spec.longest_game`` decisions, TooLarge if the
    policy would be queried at more than ``max_positions`` positions or that many stood one move on. The value of a finished game is as for
    :func:`deckwood.solver.explore`.
    """
    spec = game.spec
    look, spread = _kernels(spec.rules, settle)
    total = np.zeros(spec.seats[1])
    room = (np.zeros(spec.max_outcomes, np.int32), np.zeros(WORDS, np.int64), np.zeros(len(total)))
    positions = canonical(position)
    masses = np.ones(1)
    queried, moves = 0, 0
    if positions["node"][0] == END:
        settle(positions[0], game.deck.tables, objective, total)
        return PolicyValue(total, 0)
    while masses.sum() > NEGLIGIBLE:
        moves += 1
        if moves > CHANCES_EACH * spec.longest_game:
            raise NeverEnds(f"{spec.env_id}: after {moves:,} moves {masses.sum():.3g} of the games are still going on")
        rows = np.flatnonzero(positions["node"] == DECISION)
        chances = _chances(game, positions, rows, choose, look)
        queried += len(rows)
        following = (
            None if queried > max_positions else _step(game, positions, masses, chances, total, room, spread, objective, max_positions)
        )
        if following is None:
            low, high = spec.payoff_range
            raise TooLarge(max_positions, low, high, f"{spec.env_id}: the policy from {game.phase(position)}")
        positions, masses = following
    return PolicyValue(total, queried)


def _step(game, positions, masses, chances, total, room, spread, objective, max_positions):
    """The distinct positions one move on, and their masses; None for more than ``max_positions``. Finished games are added to ``total``."""
    size = max(2 * len(positions), 4096)
    counts = np.zeros(2, np.int64)
    following, weights, keys = np.zeros(size, positions.dtype), np.zeros(size), np.zeros((size, WORDS), np.int64)
    while True:
        table = np.zeros(1 << (2 * size - 1).bit_length(), np.int32)
        rehash(table, keys, int(counts[1]))
        spread(
            positions, masses, chances, following.view(np.recarray), following.view(np.uint8).reshape(size, -1).view(np.uint32),
            weights, keys, table, counts, total, room, game.deck.tables, objective,
        )  # fmt: skip
        if counts[0] == len(positions):
            found = int(counts[1])
            return following[:found].view(np.recarray), weights[:found]
        if counts[1] > max_positions:
            return None
        grown = np.zeros(2 * size, positions.dtype)
        grown[:size] = following
        following, weights = grown, np.concatenate([weights, np.zeros(size)])
        keys = np.concatenate([keys, np.zeros((size, WORDS), np.int64)])
        size *= 2
