"""DiceCommit's own steps of the agenda."""

from __future__ import annotations

from deckwood.strong.steps import FIRST_DECK_STEP, HOOKS, SYSTEM_STEPS

(
    DRAW_FIGHT,  # the first one of the family, how many there are
    ENGAGEMENT,
    END_FIGHT,
) = range(FIRST_DECK_STEP, FIRST_DECK_STEP + 3)

NUMBERS = (*SYSTEM_STEPS, *HOOKS, DRAW_FIGHT, ENGAGEMENT, END_FIGHT)
