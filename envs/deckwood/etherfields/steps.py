"""Etherfields' own steps of the agenda."""

from __future__ import annotations

from deckwood.strong.steps import FIRST_DECK_STEP, PHASES, RECOVERY_ROLL, ROLL, TESTING

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

ETHERFIELDS_PHASES: dict[int, str] = {
    **PHASES,
    CHOOSE_BOSS: "Setup: choose a boss",
    CHOOSE_HERO: "Setup: choose your hero",
    BANISH_RANDOM: "Banish an influence card",
    REVEAL: "Turn up the next card of a deck",
    WINDOW: "Take actions",
    DISCARD_CARDS: "Discard influence cards",
    DRAW_CARDS: "Draw an influence card",
    PENALTY: "The Influence Deck is reshuffled",
    ACTIVATE_ENEMIES: "Activate an enemy",
    AIM_ASSAULT: "Assault: choose an enemy",
    CHOOSE_COST: "Choose what to pay",
    PAYING: "Spend resources",
    MOVING: "Move",
    EXPLORING: "Explore",
    TAKE_RANDOM: "Take a card of the influence discard",
    DRAW_AN_ITEM: "Draw an item",
    FLIPPING: "Choose an enemy to flip",
    LOSE_MAP_CARD: "A map card is discarded",
}
"""The steps at which a position of Etherfields can rest, with their names."""

CHANCE_STEPS: tuple[int, ...] = (
    ROLL, RECOVERY_ROLL, TESTING, BANISH_RANDOM, REVEAL, DRAW_CARDS, ACTIVATE_ENEMIES, EXPLORING, TAKE_RANDOM, DRAW_AN_ITEM,
    LOSE_MAP_CARD,
)  # fmt: skip
"""Steps at which a position waits for chance."""
DECISION_STEPS: tuple[int, ...] = tuple(step for step in ETHERFIELDS_PHASES if step not in CHANCE_STEPS)
"""Steps at which the player decides, in the order of the observation's one-hot."""
