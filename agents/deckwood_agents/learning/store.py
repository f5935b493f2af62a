"""The folder of a run: its configuration, its provenance, and its checkpoints."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch as th
import yaml
from sb3_contrib import MaskablePPO

from deckwood.core.batch import Batch
from deckwood.core.files import write_atomically
from deckwood.core.game import Game
from deckwood.core.golden import stored_hash
from deckwood_agents.learning.config import TrainConfig
from deckwood_agents.learning.folders import read_record
from deckwood_agents.learning.provenance import provenance
from deckwood_agents.learning.sb3 import GamesVecEnv, NonFinite
from deckwood_agents.learning.state import run_state
from deckwood_agents.measuring.evaluation import all_options
from deckwood_agents.players.checkpoints import Manifest, layout_digest, save_checkpoint
from deckwood_agents.seeds import Seeds


class Store:
    """``record`` is the content of run.json."""

    def __init__(self, folder: Path, config: TrainConfig, game: Game, command: str, from_step: int) -> None:
        """Write config.yaml, run.json and a copy of the deck, beside which the model will lie."""
        self.folder, self.config, self.game, self.saved = folder, config, game, from_step
        file = folder / "run.json"
        self.record: dict[str, Any] = (
            read_record(folder) if file.exists() else {"created": time.strftime("%Y-%m-%dT%H:%M:%S%z"), "processes": []}
        )
        seeds = {Seeds.TRAINING: config.seed, Seeds.VALIDATION: config.evaluation.seed, Seeds.EVALUATION: config.evaluation.seed}
        self.record |= {
            "env_id": game.spec.env_id,
            "golden_hash": stored_hash(game.spec),
            "deck_digest": game.deck.digest,
            "options": all_options(game),
            "seeds": {space.name.lower(): str(space(seed)) for space, seed in seeds.items()},
        }
        self.record["processes"].append({"command": command, "from_step": from_step, "threads": th.get_num_threads(), **provenance()})
        self.write_record()
        source, copy = game.deck.source, folder / f"deck{game.deck.source.suffix}"
        if source.is_file() and not copy.exists():
            shutil.copyfile(source, copy)
        write_atomically(folder / "config.yaml", yaml.safe_dump(config.model_dump(mode="json"), sort_keys=False))

    def write_record(self) -> None:
        write_atomically(self.folder / "run.json", json.dumps(self.record, indent=1) + "\n")

    def write_result(self, result: Mapping[str, Any]) -> None:
        write_atomically(self.folder / "result.json", json.dumps(result, indent=1) + "\n")

    def is_due(self, steps: int) -> bool:
        """Whether a checkpoint is due."""
        every = self.config.checkpoints.every
        return bool(every) and steps // every > self.saved // every

    def save(self, agent: MaskablePPO, venv: GamesVecEnv, evaluated: int) -> None:
        """model.zip, and a numbered copy if one is due."""
        spec, steps = self.game.spec, agent.num_timesteps
        self.record["steps"] = self._stages(steps)
        manifest = Manifest(
            env_id=spec.env_id,
            golden_hash=stored_hash(spec),
            layout=layout_digest(spec),
            observation_size=spec.observation_size,
            actions=len(spec.actions),
            options=all_options(self.game),
            deck_digest=self.game.deck.digest,
            network=self.config.network.model_dump(mode="json"),
            steps=steps,
            seed=self.config.seed,
            run={"config": self.config.model_dump(mode="json"), **self.record},
        )
        save_checkpoint(self.folder / "model.zip", agent, manifest, run_state(venv, agent, evaluated))
        if self.is_due(steps):
            copy = self.folder / "checkpoints" / f"{steps:012d}.zip"
            copy.parent.mkdir(exist_ok=True)
            write_atomically(copy, (self.folder / "model.zip").read_bytes())
            if keep := self.config.checkpoints.keep:
                for old in sorted(copy.parent.glob("*.zip"))[:-keep]:
                    old.unlink()
        self.saved = steps

    def _stages(self, steps: int) -> dict[str, int]:
        """The steps of each stage so far; a stage ends with a rollout."""
        rollout = self.config.num_envs * self.config.ppo.n_steps
        taught = 0 if self.config.imitation is None else -(-self.config.imitation.steps // rollout) * rollout
        return {"imitation": min(steps, taught), "ppo": max(0, steps - taught)}

    def save_failure(self, failure: NonFinite, batch: Batch, steps: int) -> Path:
        """The positions, observations and masks of the games that went wrong (of all, where that is not known)."""
        slots = failure.slots or list(range(batch.num_envs))
        folder = self.folder / f"failure-{steps}"
        folder.mkdir(exist_ok=True)
        np.savez_compressed(
            folder / "games.npz",
            slots=np.array(slots),
            positions=batch.positions[slots].view(np.ndarray),
            **{name: getattr(batch, name)[slots] for name in ("obs", "mask", "reward", "final_obs")},
        )
        games = [batch.spec.describe(batch.positions[slot], self.game.deck) for slot in slots[:5]]
        content = {"error": str(failure), "steps": steps, "slots": slots, "first_games": games}
        write_atomically(folder / "failure.json", json.dumps(content, indent=1) + "\n")
        return folder
