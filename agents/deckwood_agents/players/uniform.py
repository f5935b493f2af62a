"""``random``: plays any legal action."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood_agents.players.protocol import Actions


@dataclass
class RandomAgent:
    """Uniform over the legal actions, from a generator of its own. ValueError for a mask that allows nothing."""

    name: str = "random"

    def __post_init__(self) -> None:
        self.reset(0)

    def reset(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def act(self, obs: NDArray[np.float32], mask: NDArray[np.int8], positions: Any = None) -> Actions:
        order = np.cumsum(mask != 0, axis=1, dtype=np.int64)
        if not order[:, -1].all():
            raise ValueError(f"the mask in row {int(np.argmin(order[:, -1]))} allows no action: there is nothing to choose from")
        chosen = self.rng.integers(order[:, -1])
        actions: Actions = np.argmax(order > chosen[:, None], axis=1)
        return actions

    def chances(self, obs: NDArray[np.float32], mask: NDArray[np.int8], positions: Any = None) -> NDArray[np.float64]:
        """Each legal action is as likely."""
        legal = (mask != 0).astype(np.float64)
        shares: NDArray[np.float64] = legal / legal.sum(axis=1, keepdims=True)
        return shares
