"""Golden games: a hash over seeded random games that changes if and only if a game plays differently.

``python -m deckwood.golden [ENV_ID ...] [--write]`` prints each game's hash, or stores it with one game in words in the game's folder.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from deckwood.core import registry
from deckwood.core.files import write_atomically
from deckwood.core.game import Game
from deckwood.core.loop import CHANCE, END
from deckwood.core.program import program
from deckwood.core.spec import CHANCE_ACTOR, GameSpec, Positions
from deckwood.core.stream import below, draw, new_stream

GAMES = 64
SEED = 20_26
FILE = "golden.txt"


def golden_path(spec: GameSpec) -> Path | None:
    """Where the game's hash is stored; None for a game without a folder."""
    if not spec.game_file:
        return None
    place = Path(spec.game_file)
    return (place if place.is_dir() else place.parent) / FILE


@cache
def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8").split("\n", 1)[0].strip() if path.exists() else ""


def stored_hash(spec: GameSpec) -> str:
    """The hash that the game's folder holds; empty if there is none."""
    path = golden_path(spec)
    return _read(path) if path else ""


def fields(position: Any) -> Iterator[tuple[str, Any]]:
    """The named values of one position (a record array of one element), padding left out."""
    for name in position.dtype.names:
        yield name, position[name][0]


def random_game(game: Game, seed: int) -> tuple[Positions, list[tuple[Positions, int, int, int]]]:
    """One game of uniformly random actions, node by node: the final position, and before each event (position, actor, action, outcome).

    The dice are those of a single environment that was reset with ``seed``, the actions come from a stream of their own.
    """
    position, dice, choices = game.new(), new_stream(seed), new_stream(seed, episode=1)
    events = []
    while position.node[0] != END:
        before = position.copy()
        if position.node[0] == CHANCE:
            weights = game.chance(position)
            outcome = int(draw(dice, weights, len(weights)))
            events.append((before, CHANCE_ACTOR, -1, outcome))
            game.apply_chance(position, outcome)
        elif position.decisions[0] >= game.spec.longest_game:
            break
        else:
            legal = np.flatnonzero(game.legal(position))
            action = int(legal[int(below(choices, len(legal)))])
            events.append((before, int(position.mover[0]), action, -1))
            game.apply(position, action)
    return position, events


def golden_hash(game: Game, games: int = GAMES) -> str:
    """sha256 over every event, every decision's mask and observation, and the final fields of ``games`` seeded games."""
    digest = hashlib.sha256()
    for index in range(games):
        final, events = random_game(game, SEED + index)
        for position, actor, action, outcome in events:
            digest.update(np.array([actor, action, outcome], "<i4").tobytes())
            if actor >= 0:
                digest.update(game.legal(position).tobytes())
                digest.update(game.observe(position).astype("<f4").tobytes())
        for name, value in fields(final):
            digest.update(name.encode() + np.ascontiguousarray(value).astype(np.asarray(value).dtype.newbyteorder("<")).tobytes())
    return digest.hexdigest()


def golden_text(game: Game, seed: int = SEED) -> str:
    """One golden game in words, one line per event."""
    final, events = random_game(game, seed)
    return game_text(game, events, final)


def game_text(game: Game, events: Iterable[tuple[Positions, int, int, int]], final: Positions) -> str:
    """A game in words, one line per event: each with the position before it, the actor (-1 for chance), the action and the outcome."""
    spec, deck = game.spec, game.deck
    lines = []
    for position, actor, action, outcome in events:
        record = position[0]
        if actor < 0:
            lines.append(f"    {spec.outcome_name(record, deck, outcome)}")
        else:
            seat = f"seat {actor}: " if spec.seats[1] > 1 else ""
            lines.append(f"{seat}{spec.action_text(record, deck, action)}  [{spec.phase_name(record)}]")
    reason = spec.endings[final.ended[0] - 1].name if final.ended[0] else "cut at its limit"
    lines += [f"end: {reason}; payoff {' '.join(f'{value:g}' for value in np.atleast_1d(final.payoff[0]))}", ""]
    lines += [spec.describe(final[0], deck), ""]
    return "\n".join(lines)


@program
def main(argv: Sequence[str] | None = None) -> int:
    """The command; exit status 1 if a stored hash differs."""
    import argparse

    parser = argparse.ArgumentParser(prog="python -m deckwood.golden", description=__doc__)
    parser.add_argument("env_id", nargs="*", default=list(registry.games()))
    parser.add_argument("--write", action="store_true", help="store the hash and one game in words in the game's folder")
    args = parser.parse_args(argv)
    changed = 0
    for env_id in args.env_id:
        game = Game(env_id)
        found, path = golden_hash(game), golden_path(game.spec)
        if args.write and path:
            write_atomically(path, f"{found}\n\n{golden_text(game)}")
            _read.cache_clear()
        stored = stored_hash(game.spec)
        changed += stored != found
        print(f"{env_id} {found}{'' if stored == found else f'  (stored: {stored or None})'}")
    return int(changed > 0)
