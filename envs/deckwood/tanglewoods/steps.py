"""Tanglewoods' own steps of the agenda."""

from __future__ import annotations

from deckwood.strong.steps import FIRST_DECK_STEP, HOOKS, SYSTEM_STEPS

(
    SETUP_RAISE,  # how many stats, first stat still allowed
    DROP_WOLF,
    SWAP_SCOUTED,
    REPLACE_SCOUTED,  # place in the line
    NIGHT_OR_DICE,
    CHOOSE_MODIFIER,
    SCOUT,
    ROUND,
    EXPLORE,  # weakest colour still allowed
    ROLL_EXPLORE,
    EXPLORE_ROLL,  # colour
    PLACE_CARD,  # side
    CROSS,
    STOCK_SHOP,  # how many items
    MERCHANT_VISIT,  # (unused), weakest colour still to be recovered
    TRAVEL,
    ARRIVE,
    PAY_OR_BANISH,
    TRAP_ROLL,
    NODE,
    ACTIVATE_ENEMIES,  # how many, slots filled so far (bits)
    DRAW_WOLF,
    DRAW_FABLE,
    FABLE_TOLD,  # the card
    CAMP,
    ENCOUNTER,
    BRIBERY,
    ENGAGEMENT,
    CLEANUP,
    END_ROUND,
    ENDGAME_ROUND,
    DISCARD_FROM_LINE,  # how many
    WOLF_BACK,
) = range(FIRST_DECK_STEP, FIRST_DECK_STEP + 33)

NUMBERS = (*SYSTEM_STEPS, *HOOKS, *range(FIRST_DECK_STEP, WOLF_BACK + 1))
