"""What is measured of each game's balance: a module for each, with ``tables(request)``, which yields titles and rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deckwood.core.game import Game
from deckwood.core.spec import GameSpec
from deckwood_agents.measuring.evaluation import play
from deckwood_agents.measuring.statistics import wilson
from deckwood_agents.players.roster import make_agent
from deckwood_agents.seeds import Seeds

Row = dict[str, str]
"""The cells of a line by the titles of their columns; all rows of a table have the same."""


@dataclass(frozen=True)
class Request:
    """What the command was asked for."""

    spec: GameSpec
    episodes: int
    seed: int
    deck: Path | None

    def game(self, **options: Any) -> Game:
        """The game under some options, with the deck that was asked for."""
        return Game(self.spec, deck=self.deck, **options)

    def measure(
        self, agent: str, label: str, reached: str, early: Sequence[str], *, remembered: Mapping[str, Any] | None = None, **options: Any
    ) -> Row:
        """The wins of one agent under some options, and in how many games it ``reached`` what the ``early`` endings come before."""
        game, seed = self.game(**options), Seeds.EVALUATION(self.seed)
        games = play(make_agent(agent, game.spec, game.deck), game, episodes=self.episodes, seed=seed, remembered=remembered)
        before = [i for i, ending in enumerate(game.spec.endings, 1) if ending.name in early]
        return {
            **line(label, int(games.won.sum()), self.episodes),
            reached: f"{100 * sum(ended not in before for ended in games.ended) / self.episodes:.1f}",
            "decisions": f"{games.lengths.mean():.0f}",
        }


def line(label: str, wins: int, episodes: int) -> Row:
    """The row of one measurement, as text."""
    low, high = wilson(wins, episodes)
    return {"": label, "wins %": f"{100 * wins / episodes:.1f}", "95% interval": f"{100 * low:.1f} to {100 * high:.1f}"}
