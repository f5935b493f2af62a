"""DiceCommit's own steps of the agenda."""

from __future__ import annotations

from deckwood.strong.steps import FIRST_DECK_STEP, LOSING_ITEM, PHASES, RECOVERY_ROLL, ROLL, TAKE_ITEM, TESTING, UPGRADING

(
    DRAW_FIGHT,  # the first one of the family, how many there are
    ENGAGEMENT,
    END_FIGHT,
) = range(FIRST_DECK_STEP, FIRST_DECK_STEP + 3)

DICE_COMMIT_PHASES: dict[int, str] = {**PHASES, DRAW_FIGHT: "Draw a fight"}
"""The steps at which a position of DiceCommit can rest, with their names."""

CHANCE_STEPS: tuple[int, ...] = (DRAW_FIGHT, ROLL, RECOVERY_ROLL, TESTING)
ITEM_STEPS: tuple[int, ...] = (TAKE_ITEM, LOSING_ITEM, UPGRADING)
DECISION_STEPS: tuple[int, ...] = tuple(step for step in DICE_COMMIT_PHASES if step not in CHANCE_STEPS + ITEM_STEPS)
"""Steps at which the player decides, in the order of the observation's one-hot."""
