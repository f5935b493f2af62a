"""What every game's ``legal`` needs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from deckwood.core.jit import rule


@rule
def clear(mask: NDArray[np.int8]) -> None:
    """Forbids every action."""
    for action in range(len(mask)):
        mask[action] = 0


@rule
def allow(mask: NDArray[np.int8], action: int) -> int:
    """Marks an action; returns 1, for counting."""
    mask[action] = 1
    return 1
