"""Etherfields: all agents at the default options, and the expert by boss, rank and hero, and over a campaign."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from balance_tables import Request, Row, line
from deckwood.core.batch import Batch
from deckwood.etherfields.state import BOSS_FACE, BOSS_SIDE, NUM_CARDS, NUM_SIDES
from deckwood.strong.terms import NONE
from deckwood_agents.players.roster import make_agent
from deckwood_agents.seeds import Seeds

REACHED = "activated the boss %", ("died", "lost_in_dream")
"""The column that says how far games came, and the endings that come before."""
GAMES = 10  # of a campaign


def tables(request: Request) -> Iterator[tuple[str, list[Row]]]:
    """Titles and rows. The expert takes its time, so what is measured of other ranks, bosses and heroes is measured on fewer games."""
    deck = request.game().deck
    heroes, bosses = deck.names["heroes"][:-1], deck.names["bosses"][:-1]
    half, tenth = (replace(request, episodes=max(GAMES, request.episodes // part)) for part in (2, 10))
    yield "Agents, rank 1, the first boss", [request.measure(agent, agent, *REACHED) for agent in ("random", "greedy", "expert")]
    ranks = [half.measure("expert", str(rank), *REACHED, rank=rank) for rank in range(1, 6)]
    yield f"Expert by rank ({half.episodes:,} games a line)", ranks
    few = f"({tenth.episodes:,} games a line)"
    sides = [(number, side) for side in range(2) for number in range(len(bosses))]
    yield f"Expert by boss and side, with the cards that it needs in play {few}", [boss_line(tenth, *face) for face in sides]
    yield f"Expert by hero {few}", [tenth.measure("expert", hero, *REACHED, hero=hero) for hero in heroes]
    for agent in ("greedy", "expert"):
        campaigns = replace(tenth, episodes=2 * tenth.episodes)
        number = f"({campaigns.episodes // GAMES:,} of them)"
        yield f"{agent.capitalize()} over a campaign of {GAMES} games, the boss chosen by the player {number}", campaign(campaigns, agent)


def boss_line(request: Request, boss: int, side: int) -> Row:
    """The expert against one side of a boss card, on an otherwise fresh deck in which the cards that the boss requires have flipped."""
    deck = request.game().deck
    memory = np.zeros(NUM_SIDES, np.int16)
    memory[BOSS_SIDE + boss] = side
    for face in deck.tables.requires[2 * boss + side]:
        if face != NONE:
            memory[face % NUM_CARDS] = face // NUM_CARDS
    label = f"{deck.names['faces'][BOSS_FACE + 2 * boss + side]} ({'ab'[side]})"
    return request.measure("expert", label, *REACHED, remembered={"side": memory}, boss=deck.names["bosses"][boss])


def campaign(request: Request, agent: str) -> list[Row]:
    """An agent's wins of each game of a campaign, in order; every campaign that is begun counts."""
    game = request.game(boss="choose", games=GAMES)
    batch = Batch(game, max(1, request.episodes // GAMES), seed=Seeds.EVALUATION(request.seed))
    player = make_agent(agent, game.spec, game.deck)
    won, running = np.zeros(GAMES, np.int64), np.ones(batch.num_envs, np.bool_)
    while running.any():
        games, wins = batch.positions["games"].copy(), batch.positions["wins"].copy()
        batch.step(player.act(batch.obs, batch.mask, batch.positions))
        over = batch.terminated | batch.truncated
        now = np.where(over, np.round(batch.episode_return * GAMES), batch.positions["wins"]).astype(np.int64)
        np.add.at(won, games[running], now[running] - wins[running])
        running &= ~over
    return [line(f"game {number + 1}", int(won[number]), batch.num_envs) for number in range(GAMES)]
