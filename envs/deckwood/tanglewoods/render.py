"""Pictures of a position."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.core.spec import LoadedDeck


def describe(s: Any, deck: LoadedDeck) -> str:
    return ""


def draw(s: Any, deck: LoadedDeck) -> NDArray[np.uint8]:
    return np.zeros((8, 8, 3), np.uint8)
