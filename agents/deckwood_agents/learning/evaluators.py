"""How a run's network is evaluated: on validation games during training, and against its opponents at the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from rich.console import Console

from deckwood.core.game import Game
from deckwood_agents.learning.config import EvaluationConfig
from deckwood_agents.learning.verdict import verdict, verdict_among
from deckwood_agents.measuring import evaluation, tournament
from deckwood_agents.measuring.evaluation import evaluate, per_cent
from deckwood_agents.measuring.statistics import bootstrap_generator
from deckwood_agents.measuring.tournament import cross_play
from deckwood_agents.players.protocol import Agent
from deckwood_agents.seeds import Seeds


class Validation(NamedTuple):
    """Numbers for the log, without the prefix ``validation/``, and a sentence for the console."""

    numbers: Mapping[str, float]
    text: str


class Evaluator(Protocol):
    def validate(self, network: Agent, should_stop: Callable[[], bool]) -> Validation:
        """The network on the validation games; Interrupted if ``should_stop`` returns True."""

    def compare(self, network: Agent, report: Callable[[str], None]) -> dict[str, Any]:
        """The network and its opponents on the evaluation games, in the shape of the JSON."""

    def show(self, result: Mapping[str, Any], picture: Path, console: Console) -> None:
        """Print a comparison, and draw it."""

    def verdict(self, result: Mapping[str, Any]) -> str:
        """One sentence on the agent and random play."""


class SoloEvaluator:
    """For a solo game."""

    def __init__(self, game: Game, opponents: Sequence[Agent], settings: EvaluationConfig) -> None:
        self.game, self.opponents, self.settings = game, opponents, settings
        self._rows: dict[str, Any] = {}  # of the opponents, who play the validation games once

    def validate(self, network: Agent, should_stop: Callable[[], bool]) -> Validation:
        agents = [network] if self._rows else [*self.opponents, network]
        result = evaluate(
            self.game,
            agents,
            episodes=max(2, self.settings.episodes),
            seed=self.settings.seed,
            space=Seeds.VALIDATION,
            should_stop=should_stop,
        )
        rows = {games.name: result.summary(games) for games in result.games}
        own = rows.pop(network.name)
        self._rows |= rows
        numbers = {
            f"{name}_{key}": row[key] for name, row in {network.name: own, **self._rows}.items() for key in ("win_rate", "mean_return")
        }
        others = ", ".join(f"{name} {row['mean_return']:.3f} ({100 * row['win_rate']:.1f}%)" for name, row in self._rows.items())
        low, high = own["mean_return_ci"]
        text = f"return {own['mean_return']:.3f} [{low:.3f}, {high:.3f}], wins {100 * own['win_rate']:.1f}%; {others}"
        return Validation({**numbers, "mean_length": own["mean_length"]}, text)

    def compare(self, network: Agent, report: Callable[[str], None]) -> dict[str, Any]:
        agents = [*self.opponents, network]
        return evaluate(self.game, agents, episodes=self.settings.final_episodes, seed=self.settings.seed, report=report).to_json()

    def show(self, result: Mapping[str, Any], picture: Path, console: Console) -> None:
        evaluation.plot(result, picture)
        evaluation.print_tables(result, console)

    def verdict(self, result: Mapping[str, Any]) -> str:
        return verdict(result)


class TableEvaluator:
    """For a multiplayer game: the network alone among each opponent in turn."""

    def __init__(self, game: Game, opponents: Sequence[Agent], settings: EvaluationConfig) -> None:
        self.game, self.opponents, self.settings = game, opponents, settings

    def validate(self, network: Agent, should_stop: Callable[[], bool]) -> Validation:
        agents, episodes, seed = [network, *self.opponents], self.settings.episodes, self.settings.seed
        rows = [
            cross_play(agents, 0, column, self.game, episodes=episodes, seed=seed, space=Seeds.VALIDATION, should_stop=should_stop).summary(
                bootstrap_generator(seed)
            )
            for column in range(1, len(agents))
        ]
        shares = ", ".join(
            f"{per_cent(row['win_rate'])}% [{per_cent(row['win_rate_ci'][0])}, {per_cent(row['win_rate_ci'][1])}] among {row['against']}"
            for row in rows
        )
        numbers = {f"win_share_vs_{row['against']}": row["win_rate"] for row in rows}
        numbers |= {f"mean_return_vs_{row['against']}": row["mean_return"] for row in rows}
        return Validation(numbers, f"wins {shares} (fair share {per_cent(1 / self.game.spec.players(self.game.options))}%)")

    def compare(self, network: Agent, report: Callable[[str], None]) -> dict[str, Any]:
        agents = [*self.opponents, network]
        found = tournament.tournament(self.game, agents, episodes=self.settings.final_episodes, seed=self.settings.seed, report=report)
        return found.to_json()

    def show(self, result: Mapping[str, Any], picture: Path, console: Console) -> None:
        tournament.plot(result, picture)
        tournament.print_tables(result, console)

    def verdict(self, result: Mapping[str, Any]) -> str:
        return verdict_among(result)
