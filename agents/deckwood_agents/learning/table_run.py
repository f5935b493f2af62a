"""A training run of a game of several seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from sb3_contrib import MaskablePPO

from deckwood.core.batch import Batch
from deckwood_agents.games import find_game
from deckwood_agents.learning.config import ConfigError, SelfPlayConfig, TrainConfig
from deckwood_agents.learning.run import Run
from deckwood_agents.learning.selfplay import SelfPlayBuffer, SelfPlayVecEnv
from deckwood_agents.learning.stop import Stop
from deckwood_agents.learning.verdict import verdict_among
from deckwood_agents.measuring.evaluation import Interrupted, per_cent
from deckwood_agents.measuring.statistics import bootstrap_generator
from deckwood_agents.measuring.tournament import cross_play, tournament
from deckwood_agents.measuring.tournament import plot as plot_tournament
from deckwood_agents.measuring.tournament import print_tables as print_tournament
from deckwood_agents.players.checkpoints import CheckpointError, read_resume
from deckwood_agents.players.protocol import Agent
from deckwood_agents.players.roster import make_agent, quick
from deckwood_agents.seeds import Seeds


class SelfPlayRun(Run):
    """A run of a game of several seats: the network learns from games against itself and others, and is measured among others."""

    venv: SelfPlayVecEnv

    def __init__(self, config: TrainConfig, checkpoint: Path | None, console: Console, stop: Stop) -> None:
        known = [name for name in quick(find_game(config.game)) if name != "ppo"]
        self.settings = (config.self_play or SelfPlayConfig.model_validate({})).suited(known)
        if unknown := [name for name in self.settings.scripted if name not in known]:
            raise ConfigError(f"self_play.scripted: {config.game} has no scripted agent {unknown[0]!r} (it has: {', '.join(known)})")
        super().__init__(config.model_copy(update={"self_play": self.settings}), checkpoint, console, stop)

    def _make_venv(self, batch: Batch) -> SelfPlayVecEnv:
        scripted = [make_agent(name, self.spec, self.game.deck) for name in self.settings.scripted]
        return SelfPlayVecEnv(batch, self.settings, scripted, self.config.seed, self._adviser())

    def _rollout_buffer(self) -> dict[str, Any]:
        return {"rollout_buffer_class": SelfPlayBuffer, "rollout_buffer_kwargs": {"seats": self.spec.seats[1]}}

    def _new(self) -> tuple[MaskablePPO, int]:
        agent, evaluated = super()._new()
        agent.rollout_buffer.watch(self.venv)  # type: ignore[attr-defined]
        return agent, evaluated

    def _load(self, checkpoint: Path) -> tuple[MaskablePPO, int]:
        agent, evaluated = super()._load(checkpoint)
        try:
            self.venv.restore_snapshots(read_resume(checkpoint), agent.policy)  # type: ignore[arg-type]
        except ValueError as error:
            raise CheckpointError(f"{checkpoint}: its earlier selves do not fit the network ({error})") from None
        return agent, evaluated

    def _on_rollout_start(self) -> None:
        super()._on_rollout_start()
        if self.agent.num_timesteps // self.settings.snapshot_every > self.venv.snapshot_step // self.settings.snapshot_every:
            self.venv.snapshot(self.agent.policy, self.agent.num_timesteps)  # type: ignore[arg-type]
        self.venv.choose_past()

    def _evaluate(self, steps: int) -> None:
        """The network alone among each opponent in turn, on the validation games."""
        settings = self.config.evaluation
        agents = [self._network(), *self.opponents]
        rows = []
        try:
            for column in range(1, len(agents)):
                cell = cross_play(
                    agents,
                    0,
                    column,
                    self.game,
                    episodes=settings.episodes,
                    seed=settings.seed,
                    space=Seeds.VALIDATION,
                    should_stop=lambda: bool(self.stop),
                )
                rows.append(cell.summary(bootstrap_generator(settings.seed)))
        except Interrupted:
            return  # the resumed run will do it
        self.evaluated = steps
        for row in rows:
            self.agent.logger.record(f"validation/win_share_vs_{row['against']}", row["win_rate"])
            self.agent.logger.record(f"validation/mean_return_vs_{row['against']}", row["mean_return"])
        shares = ", ".join(
            f"{per_cent(row['win_rate'])}% [{per_cent(row['win_rate_ci'][0])}, {per_cent(row['win_rate_ci'][1])}] among {row['against']}"
            for row in rows
        )
        fair = per_cent(1 / self.game.spec.players(self.game.options))
        self.console.print(f"{steps:>12,} steps: wins {shares} (fair share {fair}%)", markup=False)

    def _measure(self, agents: Sequence[Agent], **how: Any) -> dict[str, Any]:
        return tournament(self.game, agents, **how).to_json()

    def _show(self, result: Mapping[str, Any]) -> None:
        plot_tournament(result, self.folder / "result.png")
        print_tournament(result, self.console)

    def verdict(self, result: Mapping[str, Any]) -> str:
        return verdict_among(result)
