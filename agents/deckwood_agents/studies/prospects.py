"""Fits a game's prospects to simulated games: ``python -m deckwood_agents.studies.prospects tanglewoods``.

The first round is played by the expert, every further one by the solver with the model of the round before, until the solver's win
rate no longer changes by more than its interval.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from deckwood.core.batch import Batch
from deckwood.core.files import write_atomically
from deckwood.core.game import Game
from deckwood.core.golden import stored_hash
from deckwood.core.program import output, program, real, whole
from deckwood.core.spec import Node
from deckwood.strong.steps import COMMIT, FIRST_DECK_STEP, RECOVER_DICE, RECOVERING, STEP
from deckwood.strong.terms import GOLD_MAX, HEALTH, RECOVERY, STAT_MAX
from deckwood_agents.games import find_game, slug
from deckwood_agents.measuring.statistics import wilson
from deckwood_agents.players.prospects.model import Prospects, module_of, path_of
from deckwood_agents.players.prospects.strong import ABOVE, BANISHED, READY, READY_LATE, STAT
from deckwood_agents.players.protocol import Agent
from deckwood_agents.players.roster import make_agent
from deckwood_agents.players.solver import MAX_WORK, SolverAgent

EXPERT_SHARE = 25  # the expert is so much faster
MIN_DIE = 0.01  # no die is worth nothing, so that all that may be recovered are
CHANGED = 0.2  # the share of sampled positions that are changed
PENALTY = 1.0  # of a weight's square, against the logarithm of the samples' likelihood


def in_engagement(positions: Any) -> NDArray[np.bool_]:
    """Where an engagement is under way, (n,): one that has still to recover dice."""
    depth = positions["depth"]
    steps = positions["agenda"][:, :, STEP]
    under = np.arange(steps.shape[1]) < depth[:, None]
    top = steps[np.arange(len(steps)), np.maximum(depth - 1, 0)]
    return ((steps == RECOVER_DICE) & under).any(axis=1) | (top == RECOVERING)


def between_steps(positions: Any) -> NDArray[np.bool_]:
    """Where nothing is half done, (n,): the deck's own decisions, and an engagement's first commit."""
    top = positions["agenda"][np.arange(len(positions)), np.maximum(positions["depth"] - 1, 0), STEP]
    first: NDArray[np.bool_] = (top == COMMIT) & (positions["passes"] == 1) & (positions["committed"] == 0)
    return first | (top >= FIRST_DECK_STEP)


def change(positions: Any, rows: NDArray[np.int64], rng: np.random.Generator) -> Any:
    """Copies of some positions with other dice ready, and Health, Recovery and gold a little more or less."""
    out = np.zeros(len(rows), positions.dtype).view(np.recarray)
    for i, row in enumerate(rows):
        s = out[i]
        out[i] = positions[row]
        pool = s.ready + s.exhausted
        s.ready[:] = rng.binomial(pool, rng.random())
        s.exhausted[:] = pool - s.ready
        for stat in (HEALTH, RECOVERY):
            s.stats[stat] = np.clip(s.stats[stat] + rng.integers(-1, 2), 1, STAT_MAX)
        s.gold = np.clip(s.gold + rng.integers(-3, 4), 0, GOLD_MAX)
    return out


class Sampler:
    """The positions just after each engagement of games that are being played, with how the game ended."""

    def __init__(self, model: Prospects, tables: Any, slots: int, seed: int) -> None:
        self.model, self.tables = model, tables
        self.rng = np.random.default_rng(seed)
        self.fought = np.zeros(slots, np.bool_)
        self.passes = np.zeros(slots, np.int64)
        self.waiting: list[list[tuple[NDArray[np.float64], int]]] = [[] for _ in range(slots)]
        self.rows: list[NDArray[np.float64]] = []
        self.phases: list[int] = []
        self.won: list[bool] = []

    def watch(self, batch: Batch, over: NDArray[np.bool_], victories: NDArray[np.bool_], keep: NDArray[np.bool_]) -> None:
        """After each step: where games are ``over``, whether they were victories, and whether they are to be kept.

        A fifth of the positions that are sampled are changed first, at random, and played on from there: what a position holds would
        otherwise go together with how well it was come by, and dice with the fights that they were spared.
        """
        positions = batch.positions
        for slot in np.flatnonzero(over):
            if keep[slot]:
                for row, phase in self.waiting[slot]:
                    self.rows.append(row)
                    self.phases.append(phase)
                    self.won.append(bool(victories[slot]))
            self.waiting[slot] = []
        fighting = in_engagement(positions)
        new = self.fought & ~over & (~fighting | (positions["passes"] < self.passes))
        if new.any():
            changed = np.flatnonzero(new & between_steps(positions) & (self.rng.random(len(new)) < CHANGED))
            if len(changed):
                before = batch.positions[changed].copy()
                batch.set_positions(change(positions, changed, self.rng), changed)
                if (ended := batch.positions[changed]["node"] == Node.END).any():  # by what came before the next decision
                    batch.set_positions(before[ended], changed[ended])
            rows, phases = self.model.features(positions[new].view(np.recarray), self.tables)
            for slot, row, phase in zip(np.flatnonzero(new), rows, phases, strict=True):
                self.waiting[slot].append((row, int(phase)))
        self.fought = fighting
        self.passes = positions["passes"].astype(np.int64)


def simulate(game: Game, agent: Agent, games: int, seed: int, model: Prospects, slots: int) -> tuple[Sampler, int]:
    """Plays ``games`` games, a fixed number in each slot; returns what was sampled and how many were won."""
    slots = min(slots, games)
    quota = np.full(slots, games // slots) + (np.arange(slots) < games % slots)
    batch = Batch(game, slots, seed=seed)
    agent.reset(seed)
    sampler, played, victories = Sampler(model, game.deck.tables, slots, seed), np.zeros(slots, np.int64), 0
    while (played < quota).any():
        batch.step(agent.act(batch.obs, batch.mask, batch.positions))
        over = batch.terminated | batch.truncated
        good = over & game.spec.won(batch.ended, batch.episode_return)
        keep = played < quota
        sampler.watch(batch, over, good, keep)
        victories += int((good & keep).sum())
        played += over & keep
    return sampler, victories


def fit(rows: NDArray[np.float64], outcomes: NDArray[np.bool_], signs: NDArray[np.int64]) -> NDArray[np.float64]:
    """Logistic regression by maximum likelihood with a small quadratic penalty; (1 + F,), the constant first.

    A feature whose sign is 1 gets a weight of 0 or more, -1 of 0 or less. Features that never vary get none.
    """
    scale = rows.std(axis=0)
    used = np.flatnonzero(scale > 0)
    x = np.column_stack([np.ones(len(rows)), rows[:, used] / scale[used]])
    y = outcomes.astype(np.float64)

    def loss(w: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        odds = x @ w
        chance = 1.0 / (1.0 + np.exp(-odds))
        value = np.logaddexp(0.0, odds).sum() - y @ odds + 0.5 * PENALTY * (w[1:] ** 2).sum()
        return float(value), x.T @ (chance - y) + PENALTY * np.concatenate([[0.0], w[1:]])

    bounds = [(None, None), *((0.0 if signs[i] > 0 else None, 0.0 if signs[i] < 0 else None) for i in used)]
    found = minimize(loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 2000})
    out = np.zeros(1 + rows.shape[1])
    out[0] = found.x[0]
    out[1 + used] = found.x[1:] / scale[used]
    return out


def signs_of(names: Sequence[str]) -> NDArray[np.int64]:
    """Which way each feature must count: more of what the hero has is never worse, more that is left to beat never better."""
    place = np.arange(len(names))
    good = (place < ABOVE) | (place >= STAT) & (place < BANISHED) | (place == READY_LATE)
    bad = np.array([name == "banished dice" or name.endswith("left") or "left, " in name for name in names])
    return good.astype(np.int64) - bad


def fit_phases(samplers: Sequence[Sampler], game: str) -> NDArray[np.float64]:
    """The weights of every phase, (phases, 1 + F)."""
    module = module_of(game)
    rows, phases, outcomes = (np.array([x for one in samplers for x in getattr(one, name)]) for name in ("rows", "phases", "won"))
    signs = signs_of(module.NAMES)
    weights = np.zeros((len(module.PHASES), 1 + len(module.NAMES)))
    for phase in range(len(module.PHASES)):
        here = phases == phase
        if here.any():
            weights[phase] = fit(rows[here], outcomes[here], signs)
    dice = weights[:, 1 + READY : 1 + READY + 5]
    np.maximum(dice, MIN_DIE, out=dice)
    return weights


def document(game: Game, model: Prospects, history: Sequence[dict[str, Any]]) -> str:
    """The model's file."""
    module = module_of(slug(model.spec.env_id))
    phases = {
        phase: {"constant": round(float(w[0]), 6)} | {name: round(float(x), 6) for name, x in zip(module.NAMES, w[1:], strict=True)}
        for phase, w in zip(module.PHASES, model.weights, strict=True)
    }
    about = {"env_id": game.spec.env_id, "golden_hash": stored_hash(game.spec), "options": game.user_options, "rounds": list(history)}
    return json.dumps(about | {"phases": phases}, indent=2) + "\n"


@program
def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m deckwood_agents.studies.prospects", description=__doc__)
    parser.add_argument("game", help="tanglewoods or etherfields")
    parser.add_argument(
        "--games", type=whole(1, 10**7), default=1000, help="games per round (default 1000); 25 times as many in the expert's round"
    )
    parser.add_argument("--rounds", type=whole(1, 1000), default=5, help="maximum number of rounds, the expert's included (default 5)")
    parser.add_argument(
        "--seed", type=whole(0, 2**32), default=1_000_003, help="seed of the first round; each round has its own (default 1000003)"
    )
    parser.add_argument("--slots", type=whole(1, 4096), default=64, help="number of parallel games (default 64)")
    parser.add_argument("--budget", type=real(1, 1e12), default=MAX_WORK, help=f"budget of the solver (default {MAX_WORK:,})")
    parser.add_argument("--out", type=output, help="output file of the model (default: the file it is loaded from)")
    args = parser.parse_args(argv)
    run(args)
    return 0


def run(args: argparse.Namespace) -> None:
    game = Game(find_game(args.game))
    name = slug(game.spec.env_id)
    module = module_of(name)
    model = Prospects(game.spec, np.zeros((len(module.PHASES), 1 + len(module.NAMES))))
    history: list[dict[str, Any]] = []
    before: tuple[float, float] | None = None
    samplers: list[Sampler] = []
    for number in range(args.rounds):
        agent: Agent = make_agent("expert", game.spec, game.deck) if number == 0 else SolverAgent(game.spec, game.deck, model, args.budget)
        begun, games = time.perf_counter(), args.games if number else EXPERT_SHARE * args.games
        sampler, victories = simulate(game, agent, games, args.seed + number, model, args.slots)
        low, high = wilson(victories, games)
        samplers = [*samplers[-2:], sampler]
        model = Prospects(game.spec, fit_phases(samplers, name))
        history.append(
            {
                "player": agent.name,
                "games": games,
                "seed": args.seed + number,
                "won": victories,
                "positions": len(sampler.rows),
                "seconds": round(time.perf_counter() - begun),
            }
        )
        print(
            f"round {number}: {agent.name} won {victories} of {games} ({low:.1%} to {high:.1%}), {len(sampler.rows):,} positions, "
            f"{history[-1]['seconds']} s",
            flush=True,
        )
        write_atomically(args.out or path_of(name), document(game, model, history).encode())
        if number > 1 and before is not None and before[0] <= victories / games <= before[1]:
            print("the win rate is stable", flush=True)
            break
        before = low, high


if __name__ == "__main__":
    sys.exit(main())
