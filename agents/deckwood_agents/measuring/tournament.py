"""Evaluating agents in multiplayer games: every agent in every seat, over the same games.

There are two parts. In the **field** all agents sit together; every line-up is played on the same seeds, and on each seed it moves round
the table until each agent has had each chair. In **cross-play** one agent sits alone among copies of another.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from deckwood.core.batch import Batch
from deckwood.core.game import Game
from deckwood.core.golden import stored_hash
from deckwood_agents.games import NOBODY, slug, winner
from deckwood_agents.measuring.evaluation import SLOTS, Interrupted, all_options, checkpoint_details, paired_table, per_cent, save_figure
from deckwood_agents.measuring.play import Timed, ask_each, play_out
from deckwood_agents.measuring.ratings import Outcomes, outcomes, ratings
from deckwood_agents.measuring.statistics import CONFIDENCE, Interval, bootstrap_generator, bootstrap_mean, wilson, wilson_clustered
from deckwood_agents.players.protocol import Actions, Agent
from deckwood_agents.seeds import Seeds


@dataclass(frozen=True)
class Tables:
    """g finished games of ``players`` seats."""

    seating: NDArray[np.int64]  # (g, players) the agent in each seat, by its place in the list of agents
    returns: NDArray[np.float64]  # (g, players)
    lengths: NDArray[np.int64]  # (g,) decisions of all seats, forced ones not counted
    ended: NDArray[np.int64]  # (g,) 0 truncated, else 1 + index into spec.endings
    winner: NDArray[np.int64]  # (g,) a seat, or NOBODY
    decisions: NDArray[np.int64]  # (agents,) of each agent, after its first call
    seconds: NDArray[np.float64]  # (agents,) they took it

    @property
    def won(self) -> NDArray[np.bool_]:
        """Which seat won, (g, players) bool."""
        won: NDArray[np.bool_] = self.winner[:, None] == np.arange(self.seating.shape[1])
        return won


def play(
    agents: Sequence[Agent],
    seating: NDArray[np.int64],
    game: Game,
    *,
    seed: int,
    num_envs: int = SLOTS,
    should_stop: Callable[[], bool] = lambda: False,
) -> Tables:
    """Play a game for each row of ``seating`` (g, players), from the batch seed ``seed``.

    Game *i* is number ``i // n`` of slot ``i % n``, with n = min(num_envs, g): which game it is does not depend on who plays it.
    """
    total, players = seating.shape
    n = min(num_envs, total)
    returns, lengths, ended = np.zeros((total, players)), np.zeros(total, np.int64), np.zeros(total, np.int64)
    batch = Batch(game, n, seed=seed)
    for agent in agents:
        agent.reset(seed)
    timed = [Timed(agent) for agent in agents]
    game_of = np.arange(n)  # the game that each slot plays

    def choose(slots: NDArray[np.int64]) -> Actions:
        if should_stop():
            raise Interrupted
        return ask_each(timed, seating[game_of[slots], batch.actor[slots]], batch, slots)

    for over in play_out(batch, np.full(n, total // n) + (np.arange(n) < total % n), choose):
        where = game_of[over]
        returns[where], lengths[where], ended[where] = batch.episode_return[over, :players], batch.episode_length[over], batch.ended[over]
        game_of[over] += n
    decisions, seconds = np.array([agent.decisions for agent in timed]), np.array([agent.seconds for agent in timed])
    return Tables(seating, returns, lengths, ended, winner(ended, returns, players), decisions, seconds)


# Who sits where --------------------------------------------------------------------------------------------------------------------------


def lineups(agents: int, players: int) -> list[tuple[int, ...]]:
    """The fewest sets of ``players`` agents, by number, in which all have equally many chairs.

    Each of the agents sits as often as all can, and every choice of them sits once more in what is left: with as many agents as players
    one line-up; with fewer, each has its turn at sitting twice; with more, every subset.
    """
    each, left = divmod(players, agents)
    return [tuple(range(agents)) * each + more for more in combinations(range(agents), left)]


def rotations(lineup: Sequence[int], seeds: int, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """A seating (seeds, players) for each player: on each seed a drawn order, and that order moved round the table chair by chair."""
    order = rng.permuted(np.tile(np.array(lineup, np.int64), (seeds, 1)), axis=1)
    for chairs in range(len(lineup)):
        yield np.roll(order, chairs, axis=1)


def alone(agent: int, others: int, games: int, players: int) -> NDArray[np.int64]:
    """A seating (games, players) of ``agent`` among copies of ``others``, in the next chair in each game."""
    seating = np.full((games, players), others, np.int64)
    seating[np.arange(games), np.arange(games) % players] = agent
    return seating


def whole_turns(games: int, turn: int) -> int:
    """The least multiple of ``turn`` that is ``games`` or more, and at least two turns: an interval needs two."""
    return turn * max(2, -(-games // turn))


# Results ---------------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cell:
    """One agent alone among copies of another. Every game has its own seed, so the games are independent."""

    agent: str
    against: str
    tables: Tables

    def summary(self, rng: np.random.Generator) -> dict[str, Any]:
        """The numbers, as in the JSON."""
        won, (games, players) = self.tables.won, self.tables.seating.shape
        mine = np.arange(games), np.arange(games) % players
        wins, returns = int(won[mine].sum()), self.tables.returns[mine]
        lead = won[mine] - (won.sum(axis=1) - won[mine]) / (players - 1)
        return {
            "agent": self.agent,
            "against": self.against,
            "games": games,
            "win_rate": wins / games,
            "win_rate_ci": list(wilson(wins, games)),
            "lead": float(lead.mean()),  # its wins less those of one of the others
            "lead_ci": list(bootstrap_mean(lead, rng)),
            "mean_return": float(returns.mean()),
            "mean_return_ci": list(bootstrap_mean(returns, rng)),
        }


@dataclass(frozen=True)
class Tournament:
    """Agents at the same tables."""

    game: Game
    seed: int
    names: tuple[str, ...]
    field: tuple[Tables, ...]  # a pass for each line-up and rotation, all over the same seeds
    cells: tuple[Cell, ...]
    details: Mapping[str, Mapping[str, Any]]  # of agents that were loaded from a file

    @property
    def players(self) -> int:
        return self.game.spec.players(self.game.options)

    @property
    def seating(self) -> NDArray[np.int64]:
        """(passes, seeds, players): who sat where in the field."""
        return np.stack([tables.seating for tables in self.field])

    def _interval(self, by_seed: NDArray[Any]) -> Interval:
        """Of a mean over seeds: the games of one seed are not independent, so they are averaged first and seeds are what is resampled."""
        return bootstrap_mean(by_seed, bootstrap_generator(self.seed))

    def by_seed(self, name: str, values: NDArray[Any]) -> NDArray[np.float64]:
        """(seeds,): the mean of ``values`` (passes, seeds, players) over the chairs that an agent had on each seed, equally many on all."""
        mine = self.seating == self.names.index(name)
        means: NDArray[np.float64] = (values * mine).sum(axis=(0, 2)) / mine.sum(axis=(0, 2))
        return means

    @property
    def won(self) -> NDArray[np.bool_]:
        return np.stack([tables.won for tables in self.field])

    @property
    def returns(self) -> NDArray[np.float64]:
        return np.stack([tables.returns for tables in self.field])

    @property
    def outcomes(self) -> Outcomes:
        return outcomes(self.seating, np.stack([tables.winner for tables in self.field]), len(self.names))

    def summary(self, name: str) -> dict[str, Any]:
        """The numbers of one agent in the field, as in the JSON."""
        wins, returns = self.by_seed(name, self.won), self.by_seed(name, self.returns)
        index = self.names.index(name)
        every = [*self.field, *(cell.tables for cell in self.cells)]
        decisions, seconds = sum(tables.decisions[index] for tables in every), sum(tables.seconds[index] for tables in every)
        return {
            "win_rate": float(wins.mean()),
            "win_rate_ci": list(wilson_clustered(wins)),
            "mean_return": float(returns.mean()),
            "mean_return_ci": list(self._interval(returns)),
            "chairs": int((self.seating == index).sum()),
            "decisions_per_second": float(decisions / seconds) if seconds else None,
            **self.details.get(name, {}),
        }

    def paired(self) -> list[dict[str, Any]]:
        """For every two agents: the second less the first, seed by seed."""
        rows = []
        for first, second in combinations(self.names, 2):
            row: dict[str, Any] = {"agent": second, "against": first}
            for key, values in (("win_rate", self.won), ("mean_return", self.returns)):
                difference = self.by_seed(second, values) - self.by_seed(first, values)
                row[f"{key}_difference"] = float(difference.mean())
                row[f"{key}_difference_ci"] = list(self._interval(difference))
            rows.append(row)
        return rows

    def seats(self) -> list[dict[str, Any]]:
        """For every seat: its share of wins in the field, whoever sat there."""
        shares = self.won.mean(axis=0).T
        return [
            {"seat": seat, "win_rate": float(own.mean()), "win_rate_ci": list(wilson_clustered(own))} for seat, own in enumerate(shares)
        ]

    def ratings(self) -> dict[str, dict[str, Any]]:
        """By agent, from the field: see :mod:`deckwood_agents.measuring.ratings`."""
        found, intervals = ratings(self.outcomes, bootstrap_generator(self.seed))
        return {
            name: {"rating": float(rating), "rating_ci": list(interval)}
            for name, rating, interval in zip(self.names, found, intervals, strict=True)
        }

    def to_json(self) -> dict[str, Any]:
        """The result as ``--json`` writes it; see docs/evaluation.md."""
        spec, deck = self.game.spec, self.game.deck
        ended = np.concatenate([tables.ended for tables in self.field])
        winners = np.concatenate([tables.winner for tables in self.field])
        counts = {"truncated": int((ended == 0).sum())} | {e.name: int((ended == i).sum()) for i, e in enumerate(spec.endings, 1)}
        seeds = self.seating.shape[1]
        return {
            "deck": slug(spec.env_id),
            "env_id": spec.env_id,
            "golden_hash": stored_hash(spec),
            "deck_digest": deck.digest,
            "options": all_options(self.game),
            "players": self.players,
            "episodes": len(winners),
            "game_seeds": seeds,
            "seed": self.seed,
            "batch_seed": str(Seeds.EVALUATION(self.seed)),
            "slots": min(SLOTS, seeds),
            "confidence": CONFIDENCE,
            "fair_share": 1 / self.players,
            "agents": {name: self.summary(name) for name in self.names},
            "paired": self.paired(),
            "ratings": self.ratings(),
            "seats": self.seats(),
            "cross_play": [cell.summary(bootstrap_generator(self.seed)) for cell in self.cells],
            "mean_length": float(np.concatenate([tables.lengths for tables in self.field]).mean()),
            "without_winner": int((winners == NOBODY).sum()),
            "endings": {name: count for name, count in counts.items() if count},
        }

    def to_csv(self) -> str:
        """A line per game."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        chairs = [f"seat_{seat}" for seat in range(self.players)]
        writer.writerow(["part", *chairs, "slot", "game", "winning_seat", "winner", "length", "ending"])
        for part, tables in [*(("field", tables) for tables in self.field), *(("cross_play", cell.tables) for cell in self.cells)]:
            self._write_games(writer, part, tables)
        return out.getvalue()

    def _write_games(self, writer: Any, part: str, tables: Tables) -> None:
        endings = ["truncated", *(ending.name for ending in self.game.spec.endings)]
        n = min(SLOTS, len(tables.winner))
        columns = (tables.seating.tolist(), tables.winner.tolist(), tables.lengths.tolist(), tables.ended.tolist())
        for i, (seating, seat, length, ended) in enumerate(zip(*columns, strict=True)):
            sitting = [self.names[agent] for agent in seating]
            won = ("", "") if seat == NOBODY else (seat, sitting[seat])
            writer.writerow([part, *sitting, i % n, i // n, *won, length, endings[ended]])


def tournament(
    game: Game,
    agents: Sequence[Agent],
    *,
    episodes: int,
    seed: int,
    space: Seeds = Seeds.EVALUATION,
    should_stop: Callable[[], bool] = lambda: False,
    report: Callable[[str], None] = lambda name: None,
) -> Tournament:
    """Play ``episodes`` games with everybody at the table, and for every agent as many alone among the others in turn.

    Both numbers are rounded up to whole rotations on two seeds or more. ``report`` receives progress messages.
    """
    players = game.spec.players(game.options)
    chosen = lineups(len(agents), players)
    passes = len(chosen) * players
    seeds = whole_turns(episodes, passes) // passes
    rng = np.random.default_rng([space(seed), 0x5EA7])
    report("all play together")
    field = [
        play(agents, seating, game, seed=space(seed), should_stop=should_stop)
        for lineup in chosen
        for seating in rotations(lineup, seeds, rng)
    ]
    each = -(-episodes // max(1, len(agents) - 1))
    cells = []
    for row, column in permutations(range(len(agents)), 2):
        report(f"{agents[row].name} plays alone among {agents[column].name}")
        cells.append(
            cross_play(agents, row, column, game, episodes=each, seed=seed, space=space, should_stop=should_stop),
        )
    details = {agent.name: checkpoint_details(agent) for agent in agents}
    return Tournament(game, seed, tuple(agent.name for agent in agents), tuple(field), tuple(cells), details)


def cross_play(
    agents: Sequence[Agent],
    row: int,
    column: int,
    game: Game,
    *,
    episodes: int,
    seed: int,
    space: Seeds = Seeds.EVALUATION,
    should_stop: Callable[[], bool] = lambda: False,
) -> Cell:
    """``agents[row]`` alone among copies of ``agents[column]``, in every chair equally often: ``episodes`` games or a few more."""
    players = game.spec.players(game.options)
    seating = alone(row, column, whole_turns(episodes, players), players)
    tables = play(agents, seating, game, seed=space(seed), should_stop=should_stop)
    return Cell(agents[row].name, agents[column].name, tables)


# For people ------------------------------------------------------------------------------------------------------------------------------


def _table(title: str, left: Sequence[str], right: Sequence[str]) -> Table:
    table = Table(title=title, title_justify="left")
    for heading in left:
        table.add_column(heading, no_wrap=True)
    for heading in right:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _range(interval: Sequence[float]) -> str:
    return f"{per_cent(interval[0])} to {per_cent(interval[1])}"


def print_tables(result: Mapping[str, Any], console: Console) -> None:
    """The tables of a result in the shape of its JSON."""
    options = ", ".join(f"{name}={value}" for name, value in result["options"].items())
    size = f"{result['episodes']:,} games of {result['players']}, fair share {per_cent(result['fair_share'])}%"
    title = f"{result['env_id']} ({options}): {size}, seed {result['seed']}"
    table = _table(title, ["agent"], ["wins %", "95% interval", "mean return", "95% interval", "rating", "95% interval", "decisions/s"])
    for name, row in result["agents"].items():
        low, high = row["mean_return_ci"]
        rating, (least, most) = result["ratings"][name]["rating"], result["ratings"][name]["rating_ci"]
        speed = f"{row['decisions_per_second']:,.0f}" if row["decisions_per_second"] else "-"
        returns = (f"{row['mean_return']:.3f}", f"{low:.3f} to {high:.3f}")
        table.add_row(
            name, per_cent(row["win_rate"]), _range(row["win_rate_ci"]), *returns, f"{rating:+.0f}", f"{least:+.0f} to {most:+.0f}", speed
        )
    console.print(table)
    if result["cross_play"]:
        console.print(_cross_table(result))
    seats = _table("Wins by seat, whoever sits there", ["seat"], ["wins %", "95% interval"])
    for row in result["seats"]:
        seats.add_row(str(row["seat"]), per_cent(row["win_rate"]), _range(row["win_rate_ci"]))
    console.print(seats)
    if result["paired"]:
        console.print(paired_table(result["paired"], "seeds"))
    ends = ", ".join(f"{name.replace('_', ' ')} {per_cent(count / result['episodes'])}%" for name, count in result["endings"].items())
    nobody = per_cent(result["without_winner"] / result["episodes"])
    console.print(f"Games took {result['mean_length']:.1f} decisions and ended: {ends}; without a winner: {nobody}%", markup=False)


def _cross_table(result: Mapping[str, Any]) -> Table:
    names = list(result["agents"])
    fair = per_cent(result["fair_share"])
    table = _table(f"Wins % of one agent alone among copies of another (fair share {fair}%), 95% intervals", ["alone"], names)
    cells = {(cell["agent"], cell["against"]): cell for cell in result["cross_play"]}
    for name in names:
        row = [cells.get((name, other)) for other in names]
        table.add_row(name, *(f"{per_cent(cell['win_rate'])} ({_range(cell['win_rate_ci'])})" if cell else "" for cell in row))
    return table


def plot(result: Mapping[str, Any], path: Path) -> None:
    """Win shares, ratings and the cross-play matrix as a picture; the suffix of ``path`` chooses its format."""
    from matplotlib.figure import Figure

    names = list(result["agents"])
    figure = Figure(figsize=(13, 2.2 + 0.6 * len(names)), layout="constrained")
    shares, scale, matrix = figure.subplots(1, 3)
    rows = result["agents"].values()
    _draw_intervals(shares, names, [100 * row["win_rate"] for row in rows], [[100 * x for x in row["win_rate_ci"]] for row in rows], ".1f")
    shares.axvline(100 * result["fair_share"], color="0.4", linestyle="--", linewidth=1)
    shares.set_xlabel("wins, % of chairs (95% interval; dashed: fair share)")
    rated = [result["ratings"][name] for name in names]
    _draw_intervals(scale, names, [row["rating"] for row in rated], [row["rating_ci"] for row in rated], "+.0f")
    scale.set_xlabel("rating (95% interval; mean 0)")
    _draw_matrix(matrix, names, result)
    figure.suptitle(f"{result['env_id']}, {result['players']} players, {result['episodes']:,} games, seed {result['seed']}")
    save_figure(figure, path)


def _draw_intervals(axis: Any, names: Sequence[str], values: Sequence[float], intervals: Sequence[Sequence[float]], form: str) -> None:
    for place, (value, (low, high)) in enumerate(zip(values, intervals, strict=True)):
        axis.plot([low, high], [place, place], color="C0", linewidth=3, alpha=0.4, solid_capstyle="butt")
        axis.plot([value], [place], "o", color="C0")
        axis.annotate(f"{value:{form}}", (value, place), textcoords="offset points", xytext=(0, 6), ha="center", fontsize=9)
    axis.set_yticks(range(len(names)), names)
    axis.set_ylim(len(names) - 0.5, -0.7)
    axis.grid(axis="x", alpha=0.3)
    axis.margins(x=0.12)


def _draw_matrix(axis: Any, names: Sequence[str], result: Mapping[str, Any]) -> None:
    shares = np.full((len(names), len(names)), np.nan)
    for cell in result["cross_play"]:
        shares[names.index(cell["agent"]), names.index(cell["against"])] = 100 * cell["win_rate"]
    fair = 100 * result["fair_share"]
    reach = max(fair, float(np.nanmax(np.abs(shares - fair)))) if result["cross_play"] else fair
    axis.imshow(shares, cmap="RdBu", vmin=fair - reach, vmax=fair + reach, aspect="auto")
    for (row, column), share in np.ndenumerate(shares):
        if np.isfinite(share):
            strong = abs(share - fair) > 0.6 * reach
            axis.text(column, row, f"{share:.1f}", ha="center", va="center", fontsize=9, color="white" if strong else "black")
    slanted = max(map(len, names)) > 10  # long names would overlap
    axis.set_xticks(range(len(names)), names, rotation=20 if slanted else 0, ha="right" if slanted else "center")
    axis.set_yticks(range(len(names)), names)
    axis.set_xlabel(f"wins, % of one alone (row)\namong copies of another (column); fair: {fair:.1f}")
