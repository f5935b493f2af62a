"""The forest as an observation shows it: tables made once a deck, so that observing is copying."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from deckwood.strong.traits import face_labels
from deckwood.tanglewoods.state import (
    FROM_THRESHOLD,
    MOBS,
    NODE_TYPES,
    NODE_VIEW,
    OUTLINE,
    OUTLINES,
    PLACE_NAMES,
    PLACES,
    THRESHOLD_NAMES,
    THRESHOLDS,
    TYPE,
)

FACE_LABELS = face_labels("bribe")
NODE_LABELS = tuple(f"{place} {label}" for place in PLACE_NAMES for label in (*NODE_TYPES[1:], *OUTLINES[1:], "mobs"))
ROUTE_LABELS = (
    *(f"{place} to {target}" for place in PLACE_NAMES for target in PLACE_NAMES + THRESHOLD_NAMES),
    *(f"{threshold} to {place}" for threshold in THRESHOLD_NAMES for place in PLACE_NAMES),
)


def node_view(nodes: NDArray[np.int16]) -> NDArray[np.float32]:
    """The ``nodes`` table as floats, (sides, PLACES * NODE_VIEW) in the order of NODE_LABELS; an empty place is all zero."""
    view = np.zeros((*nodes.shape[:2], NODE_VIEW), np.float32)
    for kind in range(1, len(NODE_TYPES)):
        view[..., kind - 1] = nodes[..., TYPE] == kind
    for outline in range(1, len(OUTLINES)):
        view[..., len(NODE_TYPES) - 2 + outline] = nodes[..., OUTLINE] == outline
    view[..., -1] = np.minimum(nodes[..., MOBS], 20)
    return view.reshape(len(nodes), -1)


def route_view(paths: NDArray[np.int16]) -> NDArray[np.float32]:
    """The ``paths`` table as floats, (sides, ROUTE_VIEW) in the order of ROUTE_LABELS: 1 where a line leads there."""
    lines = (paths[:, :, None] >> np.arange(PLACES + THRESHOLDS)) & 1
    from_places = lines[:, :FROM_THRESHOLD].reshape(len(paths), -1)
    from_thresholds = lines[:, FROM_THRESHOLD:, :PLACES].reshape(len(paths), -1)
    return np.concatenate([from_places, from_thresholds], axis=1).astype(np.float32)
