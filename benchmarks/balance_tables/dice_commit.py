"""DiceCommit: how large the fights are, and what the scripted players lose against the optimum."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from balance_tables import Request, Row
from deckwood.core.errors import OptionError
from deckwood.core.game import Game
from deckwood.core.spec import Positions
from deckwood.dice_commit.deck import family
from deckwood.dice_commit.optimum import count, start_of
from deckwood.solver import TooLarge, explore
from deckwood_agents.measuring.evaluation import evaluate
from deckwood_agents.players.optimum import MAX_POSITIONS
from deckwood_agents.players.roster import make_agent

AGENTS = ("random", "greedy", "expert")


def tables(request: Request) -> Iterator[tuple[str, list[Row]]]:
    """Titles and rows."""
    games = {label: game for label, game in families(request) if game is not None}
    yield "How large the fights are", [size_row(label, game) for label, game in games.items()]
    yield (
        "What the scripted players lose against the optimum on average; exact but where an interval (95%) is given",
        [regret_row(label, game, request) for label, game in games.items()],
    )


def families(request: Request) -> Iterator[tuple[str, Game | None]]:
    """The fights of each tier, plain and with effects; None where it has none."""
    for tier in request.game().deck.names["tiers"]:
        for effects, label in enumerate((f"{tier}, plain", f"{tier}, with effects")):
            game = request.game(tier=tier, effects=bool(effects))
            try:
                game.new()
            except OptionError:
                yield label, None
            else:
                yield label, game


def size_row(label: str, game: Game) -> Row:
    """Positions that walking a fight meets, and how many of the fights can be counted; the longest time that either takes, compiled."""
    first, number = family(game.deck, game.options)
    starts = [start_of(game, fight) for fight in range(first, first + number)]
    counted = [seconds for value, seconds in (timed(count, game, start) for start in starts) if value is not None]
    row = {"": label, "fights": str(number), "positions, median": "-", "largest": "-", "slowest walk": "-"}
    try:
        walked = [timed(partial(explore, max_positions=MAX_POSITIONS), game, start) for start in starts]
    except TooLarge:
        pass
    else:
        states = [graph.states for graph, _ in walked]
        seconds = longest([seconds for _, seconds in walked])
        row |= {"positions, median": f"{np.median(states):,.0f}", "largest": f"{max(states):,}", "slowest walk": seconds}
    return row | {"counted": str(len(counted)), "slowest count": longest(counted)}


def timed(work: Callable[..., Any], game: Game, start: Positions) -> tuple[Any, float]:
    """What some work on a start answers, and the seconds it took."""
    begun = time.perf_counter()
    return work(game, start), time.perf_counter() - begun


def longest(seconds: Sequence[float]) -> str:
    """The longest time; the first one holds the compilation and is left out where there are others."""
    return f"{max(seconds[1:] or seconds):.2f} s" if seconds else "-"


def regret_row(label: str, game: Game, request: Request) -> Row:
    agents = [make_agent(name, game.spec, game.deck) for name in AGENTS]
    result = evaluate(game, agents, episodes=request.episodes, seed=request.seed, exact=True).to_json()
    optimum = result["optimum"]
    row = {"": label, "optimum": f"{optimum['mean']:.3f}", "from, to": f"{optimum['lowest']:.2f}, {optimum['highest']:.2f}"}
    for name in AGENTS:
        regret = result["agents"][name]["regret"]
        low, high = regret["sampled_ci"]
        row[name] = f"{regret['sampled']:.2f} ({low:.2f} to {high:.2f})" if regret["exact"] is None else f"{regret['exact']:.3f}"
        row[f"{name}, % of the range"] = "-" if regret["exact"] is None else f"{100 * regret['share_of_range']:.1f}"
    return row
