"""How well Tanglewoods' shipped deck is balanced, as tables: ``python benchmarks/balance.py --episodes 10000 [--json FILE]``.

Scripted players over common seeds: all agents at the default options, and the expert by difficulty, hero, boss and purchase.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table

from deckwood.core.driver import Batch, Game
from deckwood.core.files import write_atomically
from deckwood.core.spec import LoadedDeck
from deckwood.tanglewoods.actions import ACTIONS
from deckwood.tanglewoods.state import HERO_FACE, NUM_HEROES
from deckwood.tanglewoods.steps import MERCHANT_VISIT
from deckwood_agents.agent import make_agent
from deckwood_agents.evaluation import SLOTS, make_console, play
from deckwood_agents.seeds import Seeds
from deckwood_agents.statistics import wilson

ENV_ID = "deckwood/Tanglewoods-v0"
Row = dict[str, Any]


def measure(agent: str, episodes: int, seed: int, deck: Path | None, label: str, **options: Any) -> Row:
    """The wins of one agent under some options."""
    game = Game(ENV_ID, deck=deck, **options)
    games = play(make_agent(agent, game.spec, game.deck), game, episodes=episodes, seed=Seeds.EVALUATION(seed))
    wins = int(games.won.sum())
    forest = next(i for i, ending in enumerate(game.spec.endings, 1) if ending.name == "died_in_forest")
    return {
        "name": label,
        "agent": agent,
        "options": options,
        "episodes": episodes,
        "wins": wins,
        "win_rate": wins / episodes,
        "win_rate_ci": list(wilson(wins, episodes)),
        "reached_the_cabin": float((games.ended != forest).mean()),
        "decisions": float(games.lengths.mean()),
    }


def sides(deck: LoadedDeck) -> Iterator[tuple[str, str]]:
    """Every hero with each side that it may start on."""
    for number, hero in enumerate(deck.names["heroes"]):
        faces = deck.tables.cards[HERO_FACE + 2 * number : HERO_FACE + 2 * number + 2]
        free = number < NUM_HEROES and not faces["forced"].any()
        for side in ("front", "back") if free else ("printed",):
            yield hero, side


def purchases(episodes: int, seed: int, deck: Path | None) -> list[Row]:
    """What the expert pays the merchant for, and how the games went in which it did."""
    game = Game(ENV_ID, deck=deck)
    expert = make_agent("expert", game.spec, game.deck)
    batch = Batch(game, min(SLOTS, episodes), seed=Seeds.EVALUATION(seed))
    bought: list[set[str]] = [set() for _ in range(batch.num_envs)]
    times: dict[str, int] = {}
    games: dict[str, list[bool]] = {}
    played = 0
    while played < episodes:
        actions = expert.act(batch.obs, batch.mask, batch.positions)
        positions = batch.positions
        at_merchant = positions["agenda"][np.arange(batch.num_envs), positions["depth"] - 1, 0] == MERCHANT_VISIT
        for i in np.flatnonzero(at_merchant):
            if what := _purchase(game.deck, positions[i], int(actions[i])):
                bought[i].add(what)
                times[what] = times.get(what, 0) + 1
        batch.step(actions)
        for i in np.flatnonzero(batch.terminated | batch.truncated):
            for what in bought[i]:
                games.setdefault(what, []).append(bool(batch.reward[i] > 0))
            bought[i].clear()
            played += 1
    return [
        {
            "name": what,
            "a_game": times[what] / played,
            "episodes": len(won),
            "wins": sum(won),
            "win_rate": sum(won) / len(won),
            "win_rate_ci": list(wilson(sum(won), len(won))),
        }
        for what, won in sorted(games.items(), key=lambda entry: -times[entry[0]])
    ]


def _purchase(deck: LoadedDeck, position: Any, action: int) -> str | None:
    name = ACTIONS[action].name
    kind, _, rest = name.rpartition("_")
    if kind == "buy":
        return str(deck.names["faces"][position["shop"][int(rest) - 1]])
    return {"upgrade_item": "upgrade", "choose": f"raise {rest}", "recover": "recover a die"}.get(kind)


def cells(row: Row) -> list[str]:
    """A row as text, in the order of :func:`columns`."""
    low, high = row["win_rate_ci"]
    out = [row["name"], f"{100 * row['win_rate']:.1f}", f"{100 * low:.1f} to {100 * high:.1f}"]
    if "reached_the_cabin" in row:
        out += [f"{100 * row['reached_the_cabin']:.1f}", f"{row['decisions']:.0f}"]
    if "a_game" in row:
        out += [f"{row['a_game']:.2f}", str(row["episodes"])]
    return out


def columns(row: Row) -> list[str]:
    more = ["reached the Cabin %", "decisions"] if "reached_the_cabin" in row else ["a game", "games"] if "a_game" in row else []
    return ["", "wins %", "95% interval", *more]


def rich_table(title: str, content: dict[str, Any]) -> Table:
    out = Table(*content["columns"], title=title)
    for row in content["rows"]:
        out.add_row(*row)
    return out


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("balance.py", description="Measure the balance of Tanglewoods' deck with the scripted players.")
    parser.add_argument("--episodes", type=int, default=10_000, help="games for each line (default %(default)s)")
    parser.add_argument("--seed", type=int, default=7, help="of the games (default %(default)s)")
    parser.add_argument("--deck", type=Path, help="a deck file (default: the deck that ships)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the tables, as docs/data/balance.json has them")
    asked = parser.parse_args(given)
    console = make_console()
    common = (asked.episodes, asked.seed, asked.deck)
    deck = Game(ENV_ID, deck=asked.deck).deck
    tables: list[dict[str, Any]] = []

    def add(title: str, rows: list[Row]) -> None:
        tables.append({"title": title, "columns": columns(rows[0]), "rows": [cells(row) for row in rows]})
        console.print(rich_table(title, tables[-1]))

    add("Agents, difficulty 5", [measure(agent, *common, agent) for agent in ("random", "greedy", "expert")])
    add("Expert by difficulty", [measure("expert", *common, str(level), difficulty=level) for level in range(11)])
    add("Expert by hero", [measure("expert", *common, f"{hero}, {side}", hero=hero, side=side) for hero, side in sides(deck)])
    add("Expert by boss", [measure("expert", *common, boss, boss=boss) for boss in ("big_bad_wolf", "bigger_badder_wolf")])
    add("Expert by purchase (in games with at least one)", purchases(*common))
    if asked.json:
        command = f"python benchmarks/balance.py --episodes {asked.episodes} --seed {asked.seed}"
        note = f"{asked.episodes:,} games a line, seed {asked.seed}: `{command}`."
        write_atomically(asked.json, json.dumps({ENV_ID: {"note": note, "tables": tables}}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
