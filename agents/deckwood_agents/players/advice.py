"""Advice for a network: the choice of a scripted agent, one-hot, appended to the observation.

A network that starts by following good advice plays well from the first game, and only has to learn where to deviate (residual policy
learning: Silver, Allen, Tenenbaum and Kaelbling, 2018). It needs the scripted agent wherever it plays.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.core.spec import GameSpec, LoadedDeck
from deckwood_agents.players import scripted
from deckwood_agents.players.protocol import UnknownAgent
from deckwood_agents.players.scripted.agent import ScriptedAgent


class AdviceInput:
    """A scripted agent, queried at every position."""

    def __init__(self, name: str, spec: GameSpec, deck: LoadedDeck) -> None:
        """UnknownAgent unless ``name`` is a scripted agent of the game: it is queried too often for a slow or a random one."""
        policy = scripted.find_policy(name, spec) if name in scripted.NAMES else None
        if policy is None:
            has = ", ".join(scripted.names(spec)) or "none"
            raise UnknownAgent(f"{name!r} is not a scripted agent of {spec.name} (it has: {has})")
        self.agent = ScriptedAgent(name, policy, deck)
        self.actions = len(spec.actions)

    def beside(self, obs: NDArray[np.float32], mask: NDArray[np.int8], positions: Any) -> NDArray[np.float32]:
        """(n, F + A) float32: observations (n, F), and a 1 at the advised action."""
        seen = np.zeros((len(obs), obs.shape[1] + self.actions), np.float32)
        seen[:, : obs.shape[1]] = obs
        seen[np.arange(len(obs)), obs.shape[1] + self.agent.act(obs, mask, positions)] = 1
        return seen

    def without(self, obs: NDArray[np.float32]) -> NDArray[np.float32]:
        """Observations (..., F) of finished games, where there is no advice: (..., F + A) float32."""
        return np.concatenate([obs, np.zeros((*obs.shape[:-1], self.actions), np.float32)], axis=-1)
