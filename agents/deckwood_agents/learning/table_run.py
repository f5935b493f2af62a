"""A training run of a multiplayer game."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from sb3_contrib import MaskablePPO

from deckwood.core.batch import Batch
from deckwood_agents.games import find_game
from deckwood_agents.learning.config import ConfigError, SelfPlayConfig, TrainConfig
from deckwood_agents.learning.evaluators import TableEvaluator
from deckwood_agents.learning.run import Run
from deckwood_agents.learning.selfplay import SelfPlayBuffer, SelfPlayVecEnv
from deckwood_agents.learning.stop import Stop
from deckwood_agents.players.checkpoints import CheckpointError, read_resume
from deckwood_agents.players.protocol import Agent
from deckwood_agents.players.roster import make_agent, quick


class SelfPlayRun(Run):
    """A run of a multiplayer game: the network learns from games against itself and others, and is measured among others."""

    venv: SelfPlayVecEnv

    def __init__(self, config: TrainConfig, checkpoint: Path | None, console: Console, stop: Stop) -> None:
        known = [name for name in quick(find_game(config.game)) if name != "ppo"]
        self.settings = (config.self_play or SelfPlayConfig.model_validate({})).suited(known)
        if unknown := [name for name in self.settings.scripted if name not in known]:
            raise ConfigError(f"self_play.scripted: {config.game} has no scripted agent {unknown[0]!r} (it has: {', '.join(known)})")
        super().__init__(config.model_copy(update={"self_play": self.settings}), checkpoint, console, stop)

    def _make_venv(self, batch: Batch) -> SelfPlayVecEnv:
        scripted = [make_agent(name, self.spec, self.game.deck) for name in self.settings.scripted]
        return SelfPlayVecEnv(batch, self.settings, scripted, self.config.seed, self._advice_input())

    def _make_evaluator(self, opponents: Sequence[Agent]) -> TableEvaluator:
        return TableEvaluator(self.game, opponents, self.config.evaluation)

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
