"""The table of fights, and the record that a position is."""

from __future__ import annotations

import numpy as np

from deckwood.core.spec import position_dtype
from deckwood.strong.objective import OBJECTIVE_DTYPE
from deckwood.strong.terms import CARD, SLOTS, STRONG_FIELDS
from deckwood.strong.traits import FACE_VIEW

# Faces: places in the deck's ``cards`` table.
HERO_FACE = 0  # a hero without an ability
ENEMY_FACE = 1
MAX_ENEMIES = 64
MAX_FACES = ENEMY_FACE + MAX_ENEMIES
MAX_ROWS = 512

MAX_TIERS = 16
MAX_FIGHTS = 1024  # in a deck
MAX_FAMILY = 256  # fights of one tier, plain or with effects

PLAIN, WITH_EFFECTS = range(2)
"""The two families of a tier, as the option ``effects`` counts them."""

OPTION_TIER, OPTION_EFFECTS, OPTION_FIGHT, OPTION_SOLVE = range(4)

# How a fight ends: places in the spec's endings.
DEFEATED_ALL, SURVIVED, LOST = range(3)

FIGHT = np.dtype(
    [
        ("ready", np.int16, (5,)),
        ("exhausted", np.int16, (5,)),
        ("banished", np.int16, (5,)),
        ("stats", np.int16, (3,)),
        ("gold", np.int16),
        ("enemies", np.int16, (SLOTS,)),  # faces; NONE: no further one
    ],
    align=True,
)
"""How a fight begins."""

TABLES = np.dtype(
    [
        ("cards", CARD, (MAX_FACES,)),
        ("effects", np.int16, (MAX_ROWS, 5)),  # WHEN, OP, WHAT, COUNT, PER
        ("fights", FIGHT, (MAX_FIGHTS,)),
        ("families", np.int16, (MAX_TIERS, 2, 2)),  # of each tier, plain and with effects: its first fight, and how many
        ("objective", OBJECTIVE_DTYPE),
        ("prizes", np.float32, (MAX_FACES,)),  # what an enemy's fall is worth by its reward
        ("face_view", np.float32, (MAX_FACES, FACE_VIEW)),  # for observations to copy
    ],
    align=True,
)
"""The deck as the rules see it: one record of a size that does not depend on the deck file."""

POSITION = position_dtype(
    [
        *STRONG_FIELDS,
        ("fight", np.int16),  # its place in ``fights``
        ("start", np.float64),  # what the position was worth when the fight began
    ]
)
"""A position of DiceCommit."""
