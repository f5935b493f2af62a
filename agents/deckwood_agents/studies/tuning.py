"""Fits the weights of Lost Woods' expert to win: ``python -m deckwood_agents.studies.tuning``.

Games of four are played by one player alone among experts, who decides by the expert's rules with weights that are drawn anew for each
game: every one as it stands, or its spread more or less. Whether a game is won is then regressed on what was drawn for it, so that each
game tells about all weights at once (a screening experiment; Box, Hunter and Hunter, Statistics for Experimenters). Weights whose effect
is plainly seen are moved, and another round is played. What comes of it is the agent ``tuned``.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import deckwood.lost_woods.spec
from deckwood.core.batch import Batch
from deckwood.core.errors import DeckwoodError
from deckwood.core.files import write_atomically
from deckwood.core.game import Game
from deckwood.core.jit import rule
from deckwood.core.program import output, program, whole
from deckwood_agents.games import winner
from deckwood_agents.measuring.play import play_out
from deckwood_agents.measuring.statistics import wilson
from deckwood_agents.players.scripted.lost_woods import tuned
from deckwood_agents.players.scripted.lost_woods.policy import decide
from deckwood_agents.players.scripted.lost_woods.tuned import TUNED
from deckwood_agents.players.scripted.lost_woods.weights import DTYPE, EXPERT, WEIGHTS
from deckwood_agents.seeds import Seeds

START, SPREAD, SIGNED = (np.array([getattr(weight, part) for weight in WEIGHTS.values()]) for part in ("expert", "spread", "signed"))
"""(weights,) each: see :class:`~deckwood_agents.players.scripted.lost_woods.weights.Weight`."""

Map = Callable[..., Iterable[Any]]
"""The built-in, or that of a pool of processes."""

PLAYERS = 4
SLOTS = 2000
"""Games side by side."""

MIN_GAMES = 1000
"""Games of a round: fewer cannot tell the weights apart."""


class WorkerDied(DeckwoodError, RuntimeError):
    """A process of the pool ended, killed or out of memory."""


STEP = 1.5
"""In spreads: how far a weight is moved at most in one round."""

SEEN = 2.0
"""In standard errors: an effect that is not larger is taken for none."""


def _choose(positions, deck, masks, weights, seats, games, out):  # type: ignore[no-untyped-def]
    """Fill ``out`` (n,) with what is done in ``games`` (n,): in the seat that ``seats`` names by its own weights, else by the expert's."""
    for i in range(len(games)):
        game = games[i]
        s = positions[game]
        w = weights[game] if s.mover == seats[game] else EXPERT[0]
        out[i] = decide(s, deck, w, masks[game])  # type: ignore[no-untyped-call]


choose: Any = rule(_choose)


@cache
def table() -> Game:
    """The game that is tuned for."""
    return Game(deckwood.lost_woods.spec.SPEC, num_players=PLAYERS)


def play(weights: NDArray[Any], seed: int) -> NDArray[np.bool_]:
    """Whether each of n games was won by the player with ``weights`` (n,), of the expert's weights' dtype, alone among experts in the next
    seat in each game: bool (n,)."""
    game, n = table(), len(weights)
    batch, seats, victory = Batch(game, n, seed=seed), np.arange(n) % PLAYERS, np.zeros(n, np.bool_)

    def act(slots: NDArray[np.int64]) -> NDArray[np.int64]:
        actions = np.empty(slots.size, np.int64)
        choose(batch.positions, game.deck.tables, batch.mask, weights, seats, slots, actions)
        return actions

    for ended in play_out(batch, np.ones(n, np.int64), act):
        victory[ended] = winner(batch.ended[ended], batch.episode_return[ended], PLAYERS) == seats[ended]
    return victory


class Effects(NamedTuple):
    """What one spread more of each weight does to the share of games won, and its standard error, (weights,) each."""

    mean: NDArray[np.float64]
    error: NDArray[np.float64]


def effects(drawn: NDArray[np.float64], victory: NDArray[np.bool_]) -> Effects:
    """By least squares from what was ``drawn`` (n, weights), in spreads, and whether the games were won (n,)."""
    design = np.column_stack([np.ones(len(drawn)), drawn])
    found = np.linalg.lstsq(design, victory.astype(np.float64), rcond=None)[0]
    inverse = np.linalg.pinv(design.T @ design)
    variance = np.mean((victory - design @ found) ** 2)
    return Effects(found[1:], np.sqrt(variance * np.maximum(0.0, np.diag(inverse)))[1:])


def moves(found: Effects) -> NDArray[np.float64]:
    """How far each weight is moved, in spreads: not at all while its effect may be noise, by nearly :data:`STEP` where it is plain."""
    certainty = np.maximum(0.0, 1 - (SEEN * found.error / np.maximum(np.abs(found.mean), 1e-12)) ** 2)
    return STEP * certainty * np.sign(found.mean)


def bounded(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights (weights,) that can be drawn around: what is not to change its sign stays a spread and a half from 0."""
    return np.where(SIGNED, values, np.maximum(values, 1.5 * SPREAD))


def play_parts(values: NDArray[np.float64], seed: int, run: Map = map) -> NDArray[np.bool_]:
    """:func:`play` for ``values`` (n, weights), in parts, each with a seed of its own; ``run`` may be a pool's."""
    rows = np.ascontiguousarray(values).view(DTYPE)[:, 0].view(np.recarray)
    begins = range(0, len(rows), SLOTS)
    return np.concatenate(list(run(play, (rows[at : at + SLOTS] for at in begins), (seed + at for at in begins))))


def screen(values: NDArray[np.float64], games: int, seed: int, run: Map = map) -> tuple[Effects, float]:
    """The effects of all weights around ``values`` (weights,) over ``games`` games, and the share of those won."""
    drawn = np.random.default_rng(seed).integers(-1, 2, (games, len(values))).astype(np.float64)
    victory = play_parts(values + SPREAD * drawn, seed, run)
    return effects(drawn, victory), float(victory.mean())


def document(values: NDArray[np.float64], told: str) -> str:
    """The module that keeps the fitted weights."""
    lines = [f'    "{name}": {value:.3g},\n' for name, value in zip(WEIGHTS, values, strict=True)]
    return f'"""Written by ``python -m deckwood_agents.studies.tuning``: {told}."""\n\nTUNED: dict[str, float] = {{\n{"".join(lines)}}}\n'


def tune(args: argparse.Namespace, run: Map) -> None:
    """The rounds, written after each."""
    begun = Seeds.TRAINING(args.seed)
    values = bounded(np.array([TUNED[name] for name in WEIGHTS])) if args.resume else START
    told = f"of {args.games:,} games, seed {args.seed}" + (", from the weights it had before" if args.resume else "")
    for number in range(args.rounds):
        found, won = screen(values, args.games, begun + number * args.games, run)
        step = moves(found)
        moved = [f"{name} {move:+.2f}" for name, move in zip(WEIGHTS, step, strict=True) if move]
        print(f"round {number + 1}: {won:.2%} won while they vary; moved, in spreads: {', '.join(moved) or 'none'}", flush=True)
        values = bounded(values + SPREAD * step)
        write_atomically(args.out, document(values, f"{number + 1} rounds {told}"))
    wins = int(play_parts(np.tile(values, (args.confirm, 1)), Seeds.VALIDATION(args.seed), run).sum())
    low, high = wilson(wins, args.confirm)
    print(f"alone among experts: {wins / args.confirm:.2%} ({low:.2%} to {high:.2%}) of {args.confirm:,} games")


@program
def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        "python -m deckwood_agents.studies.tuning", description="Fit the weights of Lost Woods' expert to win."
    )
    parser.add_argument("--rounds", type=whole(1, 10_000), default=3, help="number of weight updates (default %(default)s)")
    parser.add_argument("--games", type=whole(MIN_GAMES, 10**9), default=150_000, help="games per round (default %(default)s)")
    parser.add_argument("--resume", action="store_true", help="start from the weights of tuned, not of expert")
    parser.add_argument("--seed", type=whole(0, 2**32), default=1, help="default %(default)s")
    parser.add_argument("--confirm", type=whole(1, 10**9), default=20_000, help="games to confirm the result (default %(default)s)")
    parser.add_argument("--workers", type=whole(1, 1024), default=os.cpu_count(), help="number of worker processes (default: one per core)")
    home = Path(tuned.__file__)
    parser.add_argument("--out", type=output, default=home, help="output file (default: the input file)")
    args = parser.parse_args(argv)
    pool = ProcessPoolExecutor(args.workers, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN))
    try:
        tune(args, pool.map)
    except BrokenExecutor as error:
        raise WorkerDied(f"a process that played has died ({error}); weights of the last whole round, if any, are in {args.out}") from None
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"the weights of the last whole round, if there was one, are in {args.out}") from None
    finally:
        pool.shutdown(cancel_futures=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
