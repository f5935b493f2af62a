"""What every agent is: something that chooses actions for many positions at once, always by the mask."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deckwood.core.batch import Batch
from deckwood.core.errors import DeckwoodError
from deckwood.core.indices import indices

Actions = NDArray[np.int64]


class UnknownAgent(DeckwoodError, ValueError):
    """An agent that the game does not have; the message lists what can be asked for."""


class Agent(Protocol):
    """Chooses actions for n positions at once.

    An agent belongs to one thread, unless it says otherwise: it may write on scratch of its own while it thinks.
    """

    name: str

    def reset(self, seed: int) -> None:
        """Restart: after the same seed, the same calls return the same actions."""

    def act(self, obs: NDArray[np.float32], mask: NDArray[np.int8], positions: Any) -> Actions:
        """Legal actions (n,) int64 for observations (n, F), masks (n, A) and position records (n,); changes none of them."""

    # Beside these, ``pure`` may be True where an action is a function of the row alone, and ``chances``, with the arguments of ``act``, may
    # give the chance of each action, float64 (n, A), where it is drawn: whoever has either can be evaluated exactly.


def ask(agent: Agent, batch: Batch, slots: ArrayLike | None) -> Actions:
    """What ``agent`` does in some of a batch's games, (k,) int64; ``slots`` and what is raised for others as in ``Batch.step``."""
    chosen = indices(slots, batch.num_envs, "slots")
    if len(chosen) == batch.num_envs and (chosen[1:] > chosen[:-1]).all():
        return agent.act(batch.obs, batch.mask, batch.positions)
    # As bytes: NumPy copies rows of a record array field by field, ten times slower.
    positions = batch.positions.view(np.ndarray).view(np.uint8).reshape(batch.num_envs, -1)[chosen]
    return agent.act(batch.obs[chosen], batch.mask[chosen], positions.reshape(-1).view(batch.positions.dtype).view(np.recarray))
