"""Tanglewoods' own steps of the agenda."""

from __future__ import annotations

from deckwood.strong.steps import DRAW_ITEM, FIRST_DECK_STEP, PHASES, RECOVERY_ROLL, ROLL, STRATEGY_ROSE, TESTING

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

TANGLEWOODS_PHASES: dict[int, str] = {
    **PHASES,
    SETUP_RAISE: "Setup: raise a stat",
    DROP_WOLF: "Setup: remove a wolf",
    SWAP_SCOUTED: "Setup: shuffle a scouted enemy back?",
    REPLACE_SCOUTED: "Setup: replace the scouted enemy",
    NIGHT_OR_DICE: "Setup: a night card or two dice",
    CHOOSE_MODIFIER: "Setup: choose a difficulty modifier",
    SCOUT: "Scout",
    EXPLORE: "Explore: choose dice",
    ROLL_EXPLORE: "Explore: choose the next die",
    EXPLORE_ROLL: "Explore: roll",
    PLACE_CARD: "Add a forest card to the path",
    STOCK_SHOP: "Stock the shop",
    MERCHANT_VISIT: "Visit the merchant",
    TRAVEL: "Travel",
    PAY_OR_BANISH: "Toll",
    TRAP_ROLL: "Trap",
    ACTIVATE_ENEMIES: "Activate an enemy",
    DRAW_WOLF: "Activate a wolf",
    DRAW_FABLE: "Draw a fable",
    CAMP: "Campfire",
    BRIBERY: "Bribery",
    DISCARD_FROM_LINE: "Discard a scouted card",
    WOLF_BACK: "A wolf returns",
    DRAW_ITEM: "Draw an item",
    STRATEGY_ROSE: "Scout",
}
"""The steps at which a position of Tanglewoods can rest, with their names."""

CHANCE_STEPS: tuple[int, ...] = (
    ROLL, RECOVERY_ROLL, TESTING, DRAW_ITEM, DROP_WOLF, REPLACE_SCOUTED, SCOUT, EXPLORE_ROLL, PLACE_CARD, STOCK_SHOP, TRAP_ROLL,
    ACTIVATE_ENEMIES, DRAW_WOLF, DRAW_FABLE, WOLF_BACK, STRATEGY_ROSE,
)  # fmt: skip
"""Steps at which a position waits for chance."""
DECISION_STEPS: tuple[int, ...] = tuple(step for step in TANGLEWOODS_PHASES if step not in CHANCE_STEPS)
"""Steps at which the player decides, in the order of the observation's one-hot."""
