"""Regret: an agent's loss against the optimum, in a game that reports its optimal value.

It is exact where an agent can be followed through every position that it may meet: nothing is sampled, and no interval is needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from deckwood.core.game import Game
from deckwood.core.spec import OPTIMAL_VALUE, Node, Positions
from deckwood_agents.players.optimum import MAX_POSITIONS
from deckwood_agents.players.protocol import Agent


@dataclass(frozen=True)
class Start:
    """A position that games begin with."""

    name: str
    share: float  # of all games
    position: Positions
    optimal_value: float


@dataclass(frozen=True)
class Exact:
    """The exact value of an agent from each of a game's starts."""

    values: NDArray[np.float64]  # (starts,)
    positions: int  # at which it was asked, all starts together


def starts_of(game: Game) -> list[Start]:
    """How games begin: by each outcome of the first chance event, or in one way if there is none. Empty unless the game reports an optimal
    value for every start."""
    if OPTIMAL_VALUE not in game.spec.metrics:
        return []
    root = game.new()
    weights = game.chance(root) if root["node"][0] == Node.CHANCE else np.ones(1, np.int32)
    starts = []
    for outcome in np.flatnonzero(weights):
        position, name = root.copy(), "the start"
        if root["node"][0] == Node.CHANCE:
            name = game.spec.outcome_name(root[0], game.deck, int(outcome))
            game.apply_chance(position, int(outcome))
        starts.append(Start(name, float(weights[outcome] / weights.sum(dtype=np.int64)), position, optimal_value_of(game, position)))
    return starts if all(np.isfinite(start.optimal_value) for start in starts) else []


def optimal_value_of(game: Game, position: Positions) -> float:
    """The optimal value that a game reports for a position's game."""
    assert game.spec.compute_metrics is not None
    return float(game.spec.compute_metrics(game, position)[OPTIMAL_VALUE][0])


def are_small(game: Game, starts: Sequence[Start], max_positions: int = MAX_POSITIONS) -> bool:
    """Whether no more than ``max_positions`` positions can come from any of the starts."""
    from deckwood.solver import TooLarge, explore

    try:
        return all(explore(game, start.position, max_positions=max_positions).states <= max_positions for start in starts)
    except TooLarge:
        return False


def exact_values(game: Game, agent: Agent, starts: Sequence[Start]) -> Exact | None:
    """The value of ``agent`` from each start, its probability carried forward to every end; time and memory grow with the reachable
    positions. None for an agent that is neither a function of the position nor reports its probabilities."""
    from deckwood.solver import policy_value

    choose = agent.act if getattr(agent, "pure", False) else getattr(agent, "chances", None)
    if choose is None:
        return None
    found = [policy_value(game, start.position, choose) for start in starts]
    return Exact(np.array([value.values[0] for value in found]), sum(value.states for value in found))


def summary(starts: Sequence[Start], exact: Exact) -> dict[str, Any]:
    """The regret of an agent, as in the JSON."""
    optima = np.array([start.optimal_value for start in starts])
    regret, span = optima - exact.values, float(np.ptp(optima))
    mean = float(np.array([start.share for start in starts]) @ regret)
    worst = int(regret.argmax())
    return {
        "exact": mean,
        "share_of_range": mean / span if span > 0 else None,
        "worst": float(regret[worst]),
        "worst_start": starts[worst].name,
        "positions": exact.positions,
    }


def optimum_summary(starts: Sequence[Start], exact: Mapping[str, Exact | None]) -> dict[str, Any]:
    """The optimum, and each agent's value from each start, as in the JSON."""
    optima = [start.optimal_value for start in starts]
    rows = [
        {
            "name": start.name,
            "share": start.share,
            "optimal_value": start.optimal_value,
            "values": {name: float(found.values[i]) for name, found in exact.items() if found is not None},
        }
        for i, start in enumerate(starts)
    ]
    mean = float(np.dot([start.share for start in starts], optima))
    return {"mean": mean, "lowest": min(optima), "highest": max(optima), "starts": rows}


def regret_table(result: Mapping[str, Any]) -> Table:
    """The regret of every agent, from a result in the shape of its JSON."""
    optimum = result["optimum"]
    number = len(optimum["starts"])
    title = f"Regret against the optimum, {optimum['mean']:.3f} on average over {number} start{'s'[: number > 1]}"
    table = Table(title=title, title_justify="left", caption_justify="left")
    for heading in ("agent", "exact regret", "% of the range", "worst", "sampled regret", "95% interval"):
        table.add_column(heading, justify="left" if heading == "agent" else "right", no_wrap=True)
    notes = []
    for name, row in result["agents"].items():
        regret = row["regret"]
        low, high = regret["sampled_ci"]
        exact = regret["exact"] is not None
        share = regret.get("share_of_range")
        table.add_row(
            name,
            f"{regret['exact']:z.4f}" if exact else "sampled only",
            f"{100 * share:z.2f}" if share is not None else "-",
            f"{regret['worst']:.3f}" if exact else "-",
            f"{regret['sampled']:.3f}",
            f"{low:.3f} to {high:.3f}",
        )
        if exact and number > 1:
            notes.append(f"{name} loses most in {regret['worst_start']}")
    table.caption = "\n".join(notes)
    return table
