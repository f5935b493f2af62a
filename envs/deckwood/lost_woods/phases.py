"""What a position can be waiting for: a decision, or a chance event."""

from __future__ import annotations

DECISION_PHASES = (
    "move",
    "explore",
    "drop_beyond_limit",
    "richest",
    "poorest",
    "well",
    "third_spell",
    "magnet_item",
    "magnet_space",
    "teleport",
    "attack",
    "choose_weapon",
    "after_the_roll",
    "battle_lost",
    "revived",
    "tie_weapon",
    "tie_rolled",
)
(
    MOVING,
    EXPLORING,
    OVER_LIMIT,
    RICHEST,
    POOREST,
    AT_WELL,
    THIRD_SPELL,
    MAGNET_ITEM,
    MAGNET_SPACE,
    TELEPORTING,
    ATTACKING,
    CHOOSING_WEAPON,
    ROLLED,
    BATTLE_LOST,
    REVIVED,
    TIE_WEAPON,
    TIE_ROLLED,
) = range(len(DECISION_PHASES))

FIRST_CHANCE = len(DECISION_PHASES)
(
    STARTER,
    DRAW_CARD,
    DRAW_TILE,
    OWN_DIE,
    FOE_DIE,
    TIE_DIE,
    TIE_LOTS,
) = range(FIRST_CHANCE, FIRST_CHANCE + 7)
CHANCES = 7
