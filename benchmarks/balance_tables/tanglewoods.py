"""Tanglewoods: all agents at the default options, and the expert by difficulty, hero, boss and purchase."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from balance_tables import Request, Row, line
from deckwood.core.batch import Batch
from deckwood.core.spec import LoadedDeck
from deckwood.tanglewoods.actions import ACTIONS
from deckwood.tanglewoods.state import HERO_FACE, NUM_HEROES
from deckwood.tanglewoods.steps import MERCHANT_VISIT
from deckwood_agents.measuring.evaluation import SLOTS
from deckwood_agents.players.roster import make_agent
from deckwood_agents.seeds import Seeds

REACHED = "reached the Cabin %", ("died_in_forest",)
"""The column that says how far games came, and the endings that come before."""


def tables(request: Request) -> Iterator[tuple[str, list[Row]]]:
    """Titles and rows."""
    deck = request.game().deck
    yield "Agents, difficulty 5", [request.measure(agent, agent, *REACHED) for agent in ("random", "greedy", "expert")]
    yield "Expert by difficulty", [request.measure("expert", str(level), *REACHED, difficulty=level) for level in range(11)]
    yield "Expert by hero", [request.measure("expert", f"{hero}, {side}", *REACHED, hero=hero, side=side) for hero, side in sides(deck)]
    yield "Expert by boss", [request.measure("expert", boss, *REACHED, boss=boss) for boss in ("big_bad_wolf", "bigger_badder_wolf")]
    yield "Expert by purchase (in games with at least one)", purchases(request)


def sides(deck: LoadedDeck) -> Iterator[tuple[str, str]]:
    """Every hero with each side that it may start on."""
    for number, hero in enumerate(deck.names["heroes"]):
        faces = deck.tables.cards[HERO_FACE + 2 * number : HERO_FACE + 2 * number + 2]
        free = number < NUM_HEROES and not faces["forced"].any()
        for side in ("front", "back") if free else ("printed",):
            yield hero, side


def purchases(request: Request) -> list[Row]:
    """What the expert pays the merchant for, and how the games went in which it did."""
    game, episodes = request.game(), request.episodes
    expert = make_agent("expert", game.spec, game.deck)
    batch = Batch(game, min(SLOTS, episodes), seed=Seeds.EVALUATION(request.seed))
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
        {**line(what, sum(won), len(won)), "a game": f"{times[what] / played:.2f}", "games": str(len(won))}
        for what, won in sorted(games.items(), key=lambda entry: -times[entry[0]])
    ]


def _purchase(deck: LoadedDeck, position: Any, action: int) -> str | None:
    name = ACTIONS[action].name
    kind, _, rest = name.rpartition("_")
    if kind == "buy":
        return str(deck.names["faces"][position["shop"][int(rest) - 1]])
    return {"upgrade_item": "upgrade", "choose": f"raise {rest}", "recover": "recover a die"}.get(kind)
