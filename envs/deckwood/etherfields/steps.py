"""Etherfields' own steps of the agenda."""

from __future__ import annotations

from deckwood.strong.steps import FIRST_DECK_STEP, HOOKS, SYSTEM_STEPS

(
    CHOOSE_BOSS,
    CHOOSE_HERO,
    LAY_OUT,
    BANISH_RANDOM,  # how many cards of the Influence Deck
    REVEAL,  # deck
    ROUND,
    WINDOW,  # which one
    DISCARD_CARDS,  # how many at least, first place still allowed, 1: more are allowed
    REFILL,
    DRAW_CARDS,  # how many
    PENALTY,
    ACTIVATE_ENEMIES,  # how many
    BOSS_ACTIVATION,
    ENGAGEMENT,
    AIM_ASSAULT,
    CHOOSE_COST,  # what for, its face
    PAYING,  # what for, its slot or face, first place still allowed
    PAID,  # what for, its slot or face
    MOVING,  # spaces left
    EXPLORING,  # x, y
    TAKE_RANDOM,  # how many
    DRAW_AN_ITEM,
    FLIPPING,
    LOSE_MAP_CARD,
    RESOLVED,  # card, how it leaves
    CLEANUP,
    END_ROUND,
    GAME_OVER,  # the ending
) = range(FIRST_DECK_STEP, FIRST_DECK_STEP + 28)

# Windows of a round at which actions may be taken, besides the Commit Dice and Apply Dice steps.
DAWN, BEFORE_OPPOSITION, BEFORE_BOSS, BEFORE_CLEANUP = range(4)

# What a payment is for.
MOVEMENT, ASSAULT, EXPLORATION, UNIQUE_ACTION, INSTANT_CARD, ONGOING_CARD = range(6)

NUMBERS = (*SYSTEM_STEPS, *HOOKS, *range(FIRST_DECK_STEP, GAME_OVER + 1))
