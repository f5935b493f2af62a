"""Where an expert can be improved on: ``python benchmarks/deviations.py lost_woods --num-players 4 --positions 400 --tries 200``.

Experts play; at positions drawn from their games every legal action is tried out many times in the same imagined futures, the expert
playing on from there. What the best action gains over the expert's own is told without the luck of having been chosen: it is chosen by
one half of the tries and measured by the other, both ways round. So a gain of 0 says that no single choice differs enough to be seen.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.progress import track
from rich.table import Table

from deckwood.core.batch import Batch
from deckwood.core.files import write_atomically
from deckwood.core.game import Game
from deckwood.core.program import MAX_SEED, output, program, whole
from deckwood_agents.games import find_game
from deckwood_agents.measuring.command import own_options
from deckwood_agents.measuring.evaluation import make_console
from deckwood_agents.measuring.statistics import bootstrap_generator, bootstrap_mean
from deckwood_agents.players.roster import make_agent
from deckwood_agents.players.search import SearchAgent

SLOTS = 64
SHARE = 0.02
"""Of the positions with a choice that are looked at: few of one game, so that they are nearly independent."""


def gains(values: NDArray[np.float64], own: int) -> tuple[float, float]:
    """What the best of some actions gains over the one with index ``own``, by ``values`` (actions, tries), and what the others come to
    less than it on average."""
    over = values - values[own]
    halves = np.array_split(over, 2, axis=1)
    chosen = [int(half.mean(axis=1).argmax()) for half in halves]
    gain = float(np.mean([halves[1][chosen[0]].mean(), halves[0][chosen[1]].mean()]))
    return gain, float(-np.delete(over, own, axis=0).mean())


def look(game: Game, number: int, tries: int, seed: int) -> list[dict[str, Any]]:
    """``number`` positions of experts' games: the phase, how many actions are legal, what the best gains, what the others lose."""
    expert = make_agent("expert", game.spec, game.deck)
    searcher = SearchAgent(game.spec, game.deck, 2 * tries)
    searcher.reset(seed)
    batch, rng = Batch(game, SLOTS, seed=seed), np.random.default_rng(seed)
    found: list[dict[str, Any]] = []
    for _ in track(range(number), description=f"{number} positions", transient=True):
        while True:
            choices = expert.act(batch.obs, batch.mask, batch.positions)
            drawn = np.flatnonzero((batch.mask.sum(axis=1) > 1) & (rng.random(SLOTS) < SHARE))[:1]
            if drawn.size:
                break
            batch.step(choices)
        mask, position = batch.mask[drawn], batch.positions[drawn].view(np.recarray)
        legal = np.flatnonzero(mask[0])
        values = searcher.tries(mask, position, tries)[0, legal]
        gain, loss = gains(values, int(np.searchsorted(legal, choices[drawn[0]])))
        found.append({"phase": game.phase(position), "actions": len(legal), "gain": gain, "loss": loss})
        batch.step(choices)
    return found


def summary(found: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """A line for each phase, the most frequent first, and one for all."""
    phases = sorted({row["phase"] for row in found}, key=lambda phase: -sum(row["phase"] == phase for row in found))
    lines = []
    for name, rows in [(phase, [row for row in found if row["phase"] == phase]) for phase in phases] + [("all", list(found))]:
        gain = np.array([row["gain"] for row in rows])
        interval = list(bootstrap_mean(gain, bootstrap_generator(1))) if len(rows) > 1 else None
        means = {key: float(np.mean([row[key] for row in rows])) for key in ("actions", "loss")}
        lines.append({"phase": name, "positions": len(rows), "gain": float(gain.mean()), "gain_ci": interval, **means})
    return lines


def table(lines: Sequence[dict[str, Any]], title: str) -> Table:
    out = Table("phase", "positions", "actions", "the best gains", "95% interval", "others lose", title=title, title_justify="left")
    for row in lines:
        interval = "{:+.4f} to {:+.4f}".format(*row["gain_ci"]) if row["gain_ci"] else "-"
        out.add_row(row["phase"], f"{row['positions']}", f"{row['actions']:.1f}", f"{row['gain']:+.4f}", interval, f"{row['loss']:.4f}")
    return out


@program
def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("deviations.py", description="Measure what leaving the expert's choice once can gain.")
    parser.add_argument("game", type=find_game, help="a game, such as tanglewoods")
    parser.add_argument("--positions", type=whole(1, 10**6), default=400, help="number of positions (default %(default)s)")
    parser.add_argument("--tries", type=whole(2, 10**6), default=200, help="simulations per action (default %(default)s)")
    parser.add_argument("--seed", type=whole(0, MAX_SEED), default=7, help="seed of the games and the simulations (default %(default)s)")
    parser.add_argument("--json", type=output, metavar="FILE", help="also write the rows to this file")
    args, own = parser.parse_known_args(argv)  # the game's own options too, such as --difficulty 5
    game = Game(args.game, **own_options(args.game, own))
    lines = summary(look(game, args.positions, args.tries, args.seed))
    make_console().print(table(lines, f"{game.spec.env_id}: {args.tries} tries of each action, in payoff"))
    if args.json:
        write_atomically(args.json, json.dumps(lines, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
