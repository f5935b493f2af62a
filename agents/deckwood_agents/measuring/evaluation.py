"""Evaluating agents: the same games for all of them, and intervals around every number. Solo games are evaluated here, multiplayer games in
:mod:`deckwood_agents.measuring.tournament`.
"""

from __future__ import annotations

import csv
import io
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from deckwood.core.batch import Batch
from deckwood.core.files import write_atomically
from deckwood.core.game import Game
from deckwood.core.golden import stored_hash
from deckwood.core.spec import OPTIMAL_VALUE
from deckwood_agents.games import NotSolo, slug
from deckwood_agents.measuring.play import play_out
from deckwood_agents.measuring.regret import Exact, Start, are_small, exact_values, optimum_summary, regret_table, starts_of
from deckwood_agents.measuring.regret import summary as exact_summary
from deckwood_agents.measuring.statistics import CONFIDENCE, Interval, bootstrap_generator, bootstrap_mean, wilson
from deckwood_agents.players.network import NetworkAgent
from deckwood_agents.players.protocol import Actions, Agent, ask
from deckwood_agents.seeds import Seeds

SLOTS = 512
"""Games side by side. Game *g* of ``episodes`` is number ``g // SLOTS`` of slot ``g % SLOTS``, whoever plays it."""


class Interrupted(Exception):
    """``should_stop`` returned True."""


@dataclass(frozen=True)
class Games:
    """One agent's results in each of n games, in the order common to all agents."""

    name: str
    returns: NDArray[np.float64]  # (n,)
    lengths: NDArray[np.int64]  # (n,) decisions, forced ones not counted
    ended: NDArray[np.int64]  # (n,) 0 truncated, else 1 + index into spec.endings
    won: NDArray[np.bool_]  # (n,)
    decisions: int  # played in all, but for the first of each slot
    seconds: float  # they took
    optimal: NDArray[np.float64] | None = None  # (n,) the best policy's mean payoff in that game, where the game tells it


def play(
    agent: Agent,
    game: Game,
    *,
    episodes: int,
    seed: int,
    num_envs: int = SLOTS,
    remembered: Mapping[str, Any] | None = None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Games:
    """Play ``episodes`` games from the batch seed ``seed`` (see :class:`Seeds`) and keep them all; each starts from what is ``remembered``.

    NotSolo for a multiplayer game.
    """
    spec = game.spec
    if spec.seats[1] != 1:
        raise NotSolo(f"{spec.env_id} has {spec.seats[1]} seats: this evaluation is for solo games")
    n = min(num_envs, episodes)
    quota = np.full(n, episodes // n) + (np.arange(n) < episodes % n)
    returns, lengths, ended = np.zeros(episodes), np.zeros(episodes, np.int64), np.zeros(episodes, np.int64)
    batch = Batch(game, n, seed=seed, remembered=remembered)
    current = batch.metrics().get(OPTIMAL_VALUE)
    optimal = None if current is None or not np.isfinite(current).all() else np.zeros(episodes)
    agent.reset(seed)
    game_of, start = np.arange(n), 0.0  # the game that each slot plays

    def choose(slots: NDArray[np.int64]) -> Actions:
        if should_stop():
            raise Interrupted
        return ask(agent, batch, slots)

    for finished in play_out(batch, quota, choose):
        start = start or time.perf_counter()  # what compiles on its first call has compiled now
        where = game_of[finished]
        returns[where], lengths[where], ended[where] = batch.episode_return[finished], batch.episode_length[finished], batch.ended[finished]
        if optimal is not None and current is not None:
            optimal[where] = current[finished]
            current[finished] = batch.metrics(finished)[OPTIMAL_VALUE]
        game_of[finished] += n
    seconds = time.perf_counter() - start
    return Games(agent.name, returns, lengths, ended, spec.won(ended, returns), int(lengths.sum()) - n, seconds, optimal)


@dataclass(frozen=True)
class Evaluation:
    """Several agents on the same games."""

    game: Game
    seed: int
    episodes: int
    games: tuple[Games, ...]
    details: Mapping[str, Mapping[str, Any]]  # of agents that were loaded from a file
    starts: Sequence[Start] = ()  # with their optimal values, where the game tells them
    exact: Mapping[str, Exact | None] = field(default_factory=dict)  # by agent; None where it could only be sampled

    def summary(self, games: Games) -> dict[str, Any]:
        """The numbers of one agent, as in the JSON."""
        wins = int(games.won.sum())
        endings = {"truncated": int((games.ended == 0).sum())} if (games.ended == 0).any() else {}
        endings |= {e.name: int((games.ended == i).sum()) for i, e in enumerate(self.game.spec.endings, 1) if (games.ended == i).any()}
        return {
            "win_rate": wins / self.episodes,
            "win_rate_ci": list(wilson(wins, self.episodes)),
            "mean_return": float(games.returns.mean()),
            "mean_return_ci": list(self._bootstrap(games.returns)),
            "mean_length": float(games.lengths.mean()),
            "endings": endings,
            "decisions_per_second": games.decisions / games.seconds if games.seconds else None,
            "games_per_second": self.episodes / games.seconds if games.seconds else None,
            **self.regret(games),
            **self.details.get(games.name, {}),
        }

    def regret(self, games: Games) -> dict[str, Any]:
        """An agent's regret against the optimum, if the game reports it: exact, and sampled in the games played."""
        if games.optimal is None:
            return {}
        lost = games.optimal - games.returns
        exact = self.exact.get(games.name)
        found = exact_summary(self.starts, exact) if exact else {"exact": None}
        return {"regret": {**found, "sampled": float(lost.mean()), "sampled_ci": list(self._bootstrap(lost))}}

    def _bootstrap(self, values: NDArray[Any]) -> Interval:
        return bootstrap_mean(values, bootstrap_generator(self.seed))

    def paired(self) -> list[dict[str, Any]]:
        """For every pair of agents: the second minus the first, game by game."""
        rows = []
        for first, second in combinations(self.games, 2):
            row: dict[str, Any] = {"agent": second.name, "against": first.name}
            for name, a, b in (("win_rate", first.won, second.won), ("mean_return", first.returns, second.returns)):
                difference = b.astype(np.float64) - a
                row[f"{name}_difference"] = float(difference.mean())
                row[f"{name}_difference_ci"] = list(self._bootstrap(difference))
            rows.append(row)
        return rows

    def to_json(self) -> dict[str, Any]:
        """The result as ``--json`` writes it; see docs/evaluation.md."""
        spec, deck = self.game.spec, self.game.deck
        return {
            "deck": slug(spec.env_id),
            "env_id": spec.env_id,
            "golden_hash": stored_hash(spec),
            "deck_digest": deck.digest,
            "options": all_options(self.game),
            "episodes": self.episodes,
            "seed": self.seed,
            "batch_seed": str(Seeds.EVALUATION(self.seed)),  # a string: it has more bits than a JSON number keeps everywhere
            "slots": min(SLOTS, self.episodes),
            "confidence": CONFIDENCE,
            "agents": {games.name: self.summary(games) for games in self.games},
            "paired": self.paired(),
            **({"optimum": optimum_summary(self.starts, self.exact)} if self.starts else {}),
        }

    def to_csv(self) -> str:
        """A line per agent and game."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        has_optimum = any(games.optimal is not None for games in self.games)
        writer.writerow(["agent", "slot", "game", "return", "won", "length", "ending", *[OPTIMAL_VALUE] * has_optimum])
        n = min(SLOTS, self.episodes)
        names = ["truncated", *(ending.name for ending in self.game.spec.endings)]
        for games in self.games:
            columns = (games.returns.tolist(), games.won.astype(int).tolist(), games.lengths.tolist(), games.ended.tolist())
            for i, (value, victory, length, ended) in enumerate(zip(*columns, strict=True)):
                optimal = [] if games.optimal is None else [games.optimal[i]]
                writer.writerow([games.name, i % n, i // n, value, victory, length, names[ended], *optimal])
        return out.getvalue()


def evaluate(
    game: Game,
    agents: Sequence[Agent],
    *,
    episodes: int,
    seed: int,
    space: Seeds = Seeds.EVALUATION,
    should_stop: Callable[[], bool] = lambda: False,
    report: Callable[[str], None] = lambda name: None,
    exact: bool = False,
) -> Evaluation:
    """Play the same ``episodes`` (2 or more) games with every agent; ``report`` receives progress messages.

    ``exact`` also evaluates them exactly, if the game reports its optimal value and is small enough (see
    :mod:`deckwood_agents.measuring.regret`).
    """
    if episodes < 2:
        raise ValueError(f"episodes={episodes}: an interval needs two games or more")
    results = []
    details = {}
    found: dict[str, Exact | None] = {}
    starts = starts_of(game) if exact else []
    small = are_small(game, starts)
    for agent in agents:
        report(f"{agent.name} plays {episodes:,} games")
        results.append(play(agent, game, episodes=episodes, seed=space(seed), should_stop=should_stop))
        details[agent.name] = checkpoint_details(agent)
        if starts:
            report(f"{agent.name} is evaluated exactly")
            found[agent.name] = exact_values(game, agent, starts) if small else None
    return Evaluation(game, seed, episodes, tuple(results), details, starts, found)


def checkpoint_details(agent: Agent) -> dict[str, Any]:
    """The JSON details of an agent that was loaded from a file; empty for others."""
    if not isinstance(agent, NetworkAgent) or agent.manifest is None:
        return {}
    trained = agent.manifest
    return {
        "checkpoint": {
            "steps": trained.steps,
            "seed": trained.seed,
            "options": dict(trained.options),
            "deck_digest": trained.deck_digest,
        },
        "chooses": "sampled" if agent.sample else "likeliest",
    }


def make_console() -> Console:
    """A console with the terminal's width, or wide enough for the tables if the output goes to a file."""
    return Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else 140)


def all_options(game: Game) -> dict[str, Any]:
    """Every option of a game with its value, given or default."""
    return {option.name: game.user_options.get(option.name, option.default_in(game.deck)) for option in game.spec.options}


def per_cent(value: float) -> str:
    """A share in per cent, without the sign."""
    return f"{100 * value:.2f}"


def print_tables(result: Mapping[str, Any], console: Console) -> None:
    """The tables of a result in the shape of its JSON."""
    options = ", ".join(f"{name}={value}" for name, value in result["options"].items())
    table = Table(title=f"{result['env_id']} ({options}): {result['episodes']:,} games each, seed {result['seed']}", title_justify="left")
    for heading in ("agent", "wins %", "95% interval", "mean return", "95% interval", "length", "decisions/s"):
        table.add_column(heading, justify="left" if heading == "agent" else "right", no_wrap=True)
    for name, row in result["agents"].items():
        wins, returns = row["win_rate_ci"], row["mean_return_ci"]
        table.add_row(
            name,
            per_cent(row["win_rate"]),
            f"{per_cent(wins[0])} to {per_cent(wins[1])}",
            f"{row['mean_return']:.3f}",
            f"{returns[0]:.3f} to {returns[1]:.3f}",
            f"{row['mean_length']:.1f}",
            f"{row['decisions_per_second']:,.0f}" if row["decisions_per_second"] else "-",
        )
    console.print(table)

    names = list(dict.fromkeys(name for row in result["agents"].values() for name in row["endings"]))
    ends = Table(title="How the games ended, % of games", title_justify="left")
    ends.add_column("agent", no_wrap=True)
    for name in names:
        ends.add_column(name.replace("_", " "), justify="right")
    for agent, row in result["agents"].items():
        ends.add_row(agent, *(per_cent(row["endings"].get(name, 0) / result["episodes"]) for name in names))
    console.print(ends)

    if result["paired"]:
        console.print(paired_table(result["paired"], "games"))
    if "optimum" in result:
        console.print(regret_table(result))


def paired_table(rows: Sequence[Mapping[str, Any]], over: str) -> Table:
    """The differences of every pair of agents, in the shape of the JSON's ``paired``, over the same ``over``."""
    table = Table(title=f"Paired differences over the same {over}, 95% intervals", title_justify="left")
    for heading in ("agent", "less", "wins, points", "interval", "mean return", "interval"):
        table.add_column(heading, justify="left" if heading in ("agent", "less") else "right", no_wrap=True)
    for row in rows:
        wins, returns = row["win_rate_difference_ci"], row["mean_return_difference_ci"]
        table.add_row(
            row["agent"],
            row["against"],
            f"{100 * row['win_rate_difference']:+.2f}",
            f"{100 * wins[0]:+.2f} to {100 * wins[1]:+.2f}",
            f"{row['mean_return_difference']:+.3f}",
            f"{returns[0]:+.3f} to {returns[1]:+.3f}",
        )
    return table


def plot(result: Mapping[str, Any], path: Path) -> None:
    """Win rates and mean returns with their intervals, as a picture; the suffix of ``path`` chooses its format."""
    from matplotlib.figure import Figure

    names = list(result["agents"])
    figure = Figure(figsize=(9, 1.4 + 0.5 * len(names)), layout="constrained")
    axes = figure.subplots(1, 2, sharey=True)
    for axis, key, scale, label in zip(axes, ("win_rate", "mean_return"), (100, 1), ("games won, %", "mean return"), strict=True):
        for place, name in enumerate(names):
            row = result["agents"][name]
            value, (low, high) = scale * row[key], (scale * bound for bound in row[f"{key}_ci"])
            axis.plot([low, high], [place, place], color="C0", linewidth=3, alpha=0.4, solid_capstyle="butt")
            axis.plot([value], [place], "o", color="C0")
            axis.annotate(f"{value:.2f}", (value, place), textcoords="offset points", xytext=(0, 6), ha="center", fontsize=9)
        axis.set_xlabel(f"{label} (95% interval)")
        axis.grid(axis="x", alpha=0.3)
        axis.margins(x=0.12)
    axes[0].set_yticks(range(len(names)), names)
    axes[0].set_ylim(len(names) - 0.5, -0.7)
    figure.suptitle(f"{result['env_id']}, {result['episodes']:,} games each, seed {result['seed']}")
    save_figure(figure, path)


def save_figure(figure: Any, path: Path) -> None:
    """Write a matplotlib figure, whole or not at all; the suffix of ``path`` chooses its format."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format=path.suffix.lstrip(".") or "png", dpi=150, metadata={"Software": None} if path.suffix == ".png" else None)
    write_atomically(path, buffer.getvalue())
