"""Lost Woods: line-ups of the scripted players, the order of play, how games go and end, and what magic is used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from balance_tables import Request, Row, line
from deckwood.core.batch import Batch
from deckwood.lost_woods.actions import CAST
from deckwood.lost_woods.spec import ENDINGS
from deckwood.lost_woods.state import BOTTOM, CAMP_SPACES, CARDS_PER_DECK, DEFEATED, ESCAPED, GOLD, MAX_PLAYERS, NONE, NUM_SPELLS
from deckwood_agents.measuring.evaluation import SLOTS
from deckwood_agents.players.protocol import ask
from deckwood_agents.players.roster import make_agent
from deckwood_agents.seeds import Seeds

PLAYED = np.dtype(
    [
        ("winner", np.int64),  # its place in the line-up; NONE where the game was cut
        ("order", np.int64),  # its place in the order of play, from 0
        ("ended", np.int64),  # 0 cut, else 1 + index into the endings
        ("turns", np.float64),  # for each adventurer
        ("gold", np.int64),  # of the winner
        ("mean_gold", np.float64),  # of all
        ("leads", np.int64),  # how often another adventurer took the lead
        ("by_winner", np.bool_),  # ended in the winner's turn
        ("past_guardian", np.bool_),  # escaped in a direction whose guardian had fallen
        ("by_gate", np.bool_),  # escaped from the guardian's own card
        ("tied", np.bool_),  # decided by a fight for a tie
        ("supply_out", np.bool_),  # no gold left in the supply
        ("guardians", np.int64),  # defeated
        ("cards_left", np.int64),
        ("spells", np.int64, (NUM_SPELLS,)),  # times each was used
    ]
)
"""A game that was played."""

Games = NDArray[Any]

PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")


def tables(request: Request) -> Iterator[tuple[str, list[Row]]]:
    """Titles and rows."""
    alone = (("expert", "greedy"), ("expert", "random"), ("greedy", "random"))
    lineups = {(n, one, others): play(request, [one, *[others] * (n - 1)]) for one, others in alone for n in (2, 4)}
    yield (
        "One against others of another kind",
        [
            {**line(f"{one} against {n - 1} {others}", int((games["winner"] == 0).sum()), len(games)), "even share": f"{100 / n:.0f}"}
            for (n, one, others), games in lineups.items()
        ],
    )
    experts = {n: play(request, ["expert"] * n) for n in range(2, MAX_PLAYERS + 1)}
    yield "Experts: wins % by the order of play", [order_row(f"{n} adventurers", games) for n, games in experts.items()]
    same = {"4 random": play(request, ["random"] * 4), "4 greedy": play(request, ["greedy"] * 4)}
    same |= {f"{n} expert": games for n, games in experts.items()}
    yield "How games end", [ending_row(label, games) for label, games in same.items()]
    yield "How games go", [course_row(label, games) for label, games in same.items()]
    names = request.game().deck.names["spells"]
    yield (
        "Magic: uses a game, four of a kind",
        [
            {"": label, **{name: f"{uses:.2f}" for name, uses in zip(names, same[label]["spells"].mean(axis=0), strict=True)}}
            for label in ("4 random", "4 greedy", "4 expert")
        ],
    )


def order_row(label: str, games: Games) -> Row:
    players = int(label.split()[0])
    shares = [f"{100 * np.mean((games['order'] == place) & (games['ended'] > 0)):.1f}" for place in range(players)]
    shares += [""] * (MAX_PLAYERS - players)
    return {"": label, **dict(zip(PLACES, shares, strict=True)), "even share": f"{100 / players:.1f}"}


def ending_row(label: str, games: Games) -> Row:
    """Shares of all games, in percent; past a fallen guardian, from the card where it stood, and won: of those that were escaped."""
    escaped = games[games["ended"] == 1 + ESCAPED]
    return {
        "": label,
        **{ending.name.replace("_", " "): f"{100 * np.mean(games['ended'] == i):.2f}" for i, ending in enumerate(ENDINGS, 1)},
        "cut": f"{100 * np.mean(games['ended'] == 0):.2f}",
        **{
            label: f"{100 * escaped[field].mean():.1f}" if len(escaped) else "-"
            for label, field in (("past a guardian", "past_guardian"), ("from its card", "by_gate"), ("won by who escaped", "by_winner"))
        },
        "tie fought": f"{100 * games['tied'].mean():.1f}",
        "supply out": f"{100 * games['supply_out'].mean():.1f}",
    }


def course_row(label: str, games: Games) -> Row:
    """Means of a game."""
    low, middle, high = np.quantile(games["turns"], (0.05, 0.5, 0.95))
    over = games[games["ended"] > 0]
    return {
        "": label,
        "turns each": f"{games['turns'].mean():.1f}",
        "5%, 50%, 95%": f"{low:.0f}, {middle:.0f}, {high:.0f}",
        "winner's gold": f"{over['gold'].mean():.1f}" if len(over) else "-",
        "mean gold": f"{games['mean_gold'].mean():.1f}",
        "new leaders": f"{games['leads'].mean():.1f}",
        "guardians defeated": f"{games['guardians'].mean():.2f}",
        "map cards left": f"{games['cards_left'].mean():.1f}",
    }


def play(request: Request, lineup: Sequence[str]) -> Games:
    """Games of a line-up, whose seats move on by one from game to game. Each slot plays a quota: short games do not count more often."""
    players, episodes = len(lineup), request.episodes
    game = request.game(num_players=players)
    kinds = sorted(set(lineup))
    agents = [make_agent(kind, game.spec, game.deck) for kind in kinds]
    for agent in agents:
        agent.reset(request.seed)
    kind_of = np.array([kinds.index(kind) for kind in lineup])
    n = min(SLOTS, episodes)
    quota = np.full(n, episodes // n) + (np.arange(n) < episodes % n)
    done = np.zeros(n, np.int64)
    games = np.zeros(episodes, PLAYED)
    batch = Batch(game, n, seed=Seeds.EVALUATION(request.seed), autoreset=False)
    first, leader = batch.positions.turn.copy(), np.full(n, NONE)
    actions = np.zeros(n, np.int64)
    while len(live := np.flatnonzero(done < quota)):
        number = done[live] * n + live
        seated = (batch.actor[live] + number) % players
        for index, agent in enumerate(agents):
            rows = live[kind_of[seated] == index]
            if len(rows):
                actions[rows] = ask(agent, batch, rows)
        cast = (actions[live] >= CAST) & (actions[live] < CAST + NUM_SPELLS)
        games["spells"][number[cast], actions[live][cast] - CAST] += 1
        batch.step(actions[live], slots=live)
        games["leads"][number] += follow_lead(batch, live, leader, players)
        over = (batch.terminated | batch.truncated)[live]
        if over.any():
            rows = live[over]
            record(games, number[over], batch, rows, first, players)
            done[rows] += 1
            rows = rows[done[rows] < quota[rows]]
            if len(rows):
                batch.reset(slots=rows)
                first[rows], leader[rows] = batch.positions.turn[rows], NONE
    return games


def follow_lead(batch: Batch, rows: NDArray[np.int64], leader: NDArray[np.int64], players: int) -> NDArray[np.bool_]:
    """Where another adventurer than before has more gold than each of the others now."""
    gold = batch.positions.carried[rows, :players, GOLD]
    alone = (gold == gold.max(axis=1, keepdims=True)).sum(axis=1) == 1
    now = np.where(alone, gold.argmax(axis=1), leader[rows])
    changed: NDArray[np.bool_] = (now != leader[rows]) & (leader[rows] != NONE)
    leader[rows] = now
    return changed


def record(games: Games, numbers: NDArray[np.int64], batch: Batch, rows: NDArray[np.int64], first: NDArray[Any], players: int) -> None:
    """Keep what the final positions of some games tell."""
    s: Any = batch.positions[rows]
    ended = batch.ended[rows]
    winner = batch.episode_return[rows, :players].argmax(axis=1)
    places, way = np.arange(len(rows)), np.where(ended == 1 + ESCAPED, s.way, 0)
    games["ended"][numbers] = ended
    games["winner"][numbers] = np.where(ended > 0, (winner + numbers) % players, NONE)
    games["order"][numbers] = (winner - first[rows]) % players
    games["turns"][numbers] = s.turns / players
    games["gold"][numbers] = s.carried[places, winner, GOLD]
    games["mean_gold"][numbers] = s.carried[:, :players, GOLD].mean(axis=1)
    games["by_winner"][numbers] = winner == s.turn
    games["past_guardian"][numbers] = s.guardian_at[places, way] == DEFEATED
    games["by_gate"][numbers] = s.at[places, s.turn] == CAMP_SPACES + CARDS_PER_DECK * way + BOTTOM
    games["tied"][numbers] = (s.duel_item != NONE).any(axis=1)
    games["supply_out"][numbers] = s.supply == 0
    games["guardians"][numbers] = (s.guardian_at == DEFEATED).sum(axis=1)
    games["cards_left"][numbers] = s.left.sum(axis=1)
