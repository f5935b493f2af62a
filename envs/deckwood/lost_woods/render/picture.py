"""``render_mode="rgb_array"`` and ``"human"``: the table as a picture."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.core.spec import LoadedDeck


def draw(s: Any, deck: LoadedDeck) -> NDArray[np.uint8]:
    """The position as uint8 (height, width, 3)."""
    return np.zeros((64, 64, 3), np.uint8)
