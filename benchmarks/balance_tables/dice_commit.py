"""DiceCommit: how large the fights are, and what the scripted players lose against the optimum."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from balance_tables import Asked, Row
from deckwood.core.driver import Game
from deckwood.core.errors import OptionError
from deckwood.dice_commit.deck import family
from deckwood.dice_commit.optimum import plain_fight, start_of, worths_of
from deckwood.solver import explore, solve_fight
from deckwood_agents.agent import make_agent
from deckwood_agents.evaluation import evaluate
from deckwood_agents.regret import MOST_POSITIONS

AGENTS = ("random", "greedy", "expert")


def tables(asked: Asked) -> Iterator[tuple[str, list[Row]]]:
    """Titles and rows."""
    games = {label: game for label, game in families(asked) if game is not None}
    yield "How large the fights are", [size_row(label, game) for label, game in games.items()]
    yield (
        "What the scripted players lose against the optimum on average; exact but where an interval (95%) is given",
        [regret_row(label, game, asked) for label, game in games.items()],
    )


def families(asked: Asked) -> Iterator[tuple[str, Game | None]]:
    """The fights of each tier, plain and with effects; None where it has none."""
    for tier in asked.game().deck.names["tiers"]:
        for effects, label in enumerate((f"{tier}, plain", f"{tier}, with effects")):
            game = asked.game(tier=tier, effects=bool(effects))
            try:
                game.new()
            except OptionError:
                yield label, None
            else:
                yield label, game


def size_row(label: str, game: Game) -> Row:
    """Positions as the general solver walks them, and values that the counting one works out; how long either takes, compiled."""
    first, number = family(game.deck, game.options)
    fights = range(first, first + number)
    plain = [fight for fight in (plain_fight(game.deck, fight) for fight in fights) if fight is not None]
    row = {"": label, "fights": str(number), "positions, median": "-", "largest": "-", "slowest": "-"}
    if len(plain) < number or all(sum(fight.ready) < 8 for fight in plain):
        found = [timed(lambda fight=fight: explore(game, start_of(game, fight), most=MOST_POSITIONS).states) for fight in fights]
        states = [states for states, _ in found]
        row |= {"positions, median": f"{np.median(states):,.0f}", "largest": f"{max(states):,}", "slowest": seconds_of(found)}
    counted = [timed(lambda fight=fight: solve_fight(fight, worths_of(game.deck)).states) for fight in plain]
    row |= {"counted": str(len(plain)), "values, largest": f"{max(n for n, _ in counted):,}" if counted else "-"}
    return row | {"slowest to count": seconds_of(counted) if counted else "-"}


def timed(work: Any) -> tuple[int, float]:
    """What some work answers, and the seconds it took."""
    begun = time.perf_counter()
    return work(), time.perf_counter() - begun


def seconds_of(found: list[tuple[int, float]]) -> str:
    """The longest time; the first one holds the compilation and is left out where there are others."""
    return f"{max(seconds for _, seconds in found[1:] or found):.2f} s"


def regret_row(label: str, game: Game, asked: Asked) -> Row:
    agents = [make_agent(name, game.spec, game.deck) for name in AGENTS]
    result = evaluate(game, agents, episodes=asked.episodes, seed=asked.seed, exact=True).to_json()
    optimum = result["optimum"]
    row = {"": label, "optimum": f"{optimum['mean']:.3f}", "from, to": f"{optimum['lowest']:.2f}, {optimum['highest']:.2f}"}
    for name in AGENTS:
        regret = result["agents"][name]["regret"]
        low, high = regret["sampled_ci"]
        row[name] = f"{regret['sampled']:.2f} ({low:.2f} to {high:.2f})" if regret["exact"] is None else f"{regret['exact']:.3f}"
        row[f"{name}, % of the range"] = "-" if regret["exact"] is None else f"{100 * regret['share_of_range']:.1f}"
    return row
