"""Tanglewoods' steps in one table."""

from __future__ import annotations

from deckwood.core.step_table import Step, StepTable
from deckwood.strong import engagement
from deckwood.strong import steps as hook
from deckwood.strong.engagement import decide, draw
from deckwood.tanglewoods import steps as at
from deckwood.tanglewoods.rules import effects, encounter, endgame, forest, merchant, rounds, setup

SCOUT = Step("Scout", rounds.perform_scout, outcome_weights=rounds.minion_weights, apply_outcome=rounds.scout)

STEPS = StepTable(
    __name__,
    at.NUMBERS,
    {
        **engagement.ROWS,
        hook.EFFECTS: Step(perform=effects.perform_effects),
        hook.OFFERED: engagement.ROWS[hook.OFFERED]._replace(window=True),
        hook.CHOOSING: engagement.ROWS[hook.CHOOSING]._replace(window=True),
        at.SETUP_RAISE: engagement.counted("Setup: raise a stat", decide, setup.legal_raise, setup.play_raise),
        at.DROP_WOLF: Step("Setup: remove a wolf", draw, outcome_weights=encounter.wolf_weights, apply_outcome=setup.drop_wolf),
        at.SWAP_SCOUTED: Step("Setup: shuffle a scouted enemy back?", decide, setup.legal_swap, setup.play_swap),
        at.REPLACE_SCOUTED: Step(
            "Setup: replace the scouted enemy", draw, outcome_weights=rounds.minion_weights, apply_outcome=setup.replace_scouted
        ),
        at.NIGHT_OR_DICE: Step("Setup: a night card or two dice", decide, setup.legal_night_or_dice, setup.play_night_or_dice),
        at.CHOOSE_MODIFIER: Step("Setup: choose a difficulty modifier", decide, setup.legal_modifier, setup.play_modifier),
        at.SCOUT: SCOUT,
        at.ROUND: Step(perform=rounds.perform_round),
        at.EXPLORE: Step(
            "Explore: choose dice",
            decide,
            forest.legal_explore,
            forest.play_explore,
            window=True,
            hint="Up to {explore_dice} dice: a miss adds a card by night, a hit one by day, a crit also {explore_gold} gold.",
        ),
        at.ROLL_EXPLORE: Step(
            "Explore: choose the next die",
            forest.perform_roll_explore,
            forest.legal_roll_explore,
            forest.play_roll_explore,
            hint="Each die is rolled alone: a miss adds a card by night, a hit one by day, a crit also {explore_gold} gold.",
        ),
        at.EXPLORE_ROLL: Step("Explore: roll", draw, outcome_weights=forest.explore_roll_weights, apply_outcome=forest.roll_to_explore),
        at.PLACE_CARD: Step(
            "Add a forest card to the path",
            forest.perform_place_card,
            outcome_weights=forest.forest_weights,
            apply_outcome=forest.place_card,
        ),
        at.CROSS: Step(perform=forest.perform_cross),
        at.STOCK_SHOP: Step("Stock the shop", merchant.perform_stock, outcome_weights=rounds.item_weights, apply_outcome=merchant.stock),
        at.MERCHANT_VISIT: Step("Visit the merchant", decide, merchant.legal_merchant, merchant.play_merchant, window=True),
        at.TRAVEL: Step(
            "Travel",
            decide,
            forest.legal_travel,
            forest.play_travel,
            window=True,
            hint="Follow a line upward from where the hero stands.",
        ),
        at.ARRIVE: Step(perform=forest.perform_arrive),
        at.PAY_OR_BANISH: Step(
            "Toll", forest.perform_toll, forest.legal_toll, forest.play_toll, window=True, hint="Pay {toll_gold} gold or banish a die."
        ),
        at.TRAP_ROLL: Step("Trap", draw, outcome_weights=forest.trap_weights, apply_outcome=forest.spring_trap),
        at.NODE: Step(perform=encounter.perform_node),
        at.ACTIVATE_ENEMIES: Step(
            "Activate an enemy", encounter.perform_activate, outcome_weights=rounds.minion_weights, apply_outcome=encounter.activate_minion
        ),
        at.DRAW_WOLF: Step(
            "Activate a wolf", encounter.perform_draw_wolf, outcome_weights=encounter.wolf_weights, apply_outcome=encounter.draw_wolf
        ),
        at.DRAW_FABLE: Step(
            "Draw a fable", encounter.perform_draw_fable, outcome_weights=rounds.minion_weights, apply_outcome=encounter.draw_fable
        ),
        at.FABLE_TOLD: Step(perform=encounter.perform_fable_told),
        at.CAMP: Step(
            "Campfire",
            decide,
            encounter.legal_camp,
            encounter.play_camp,
            window=True,
            hint="Health +{camp_health}, Strategy +{camp_strategy} or Recovery +{camp_recovery}.",
        ),
        at.ENCOUNTER: Step(perform=encounter.perform_encounter),
        at.BRIBERY: Step("Bribery", encounter.perform_bribery, encounter.legal_bribery, encounter.play_bribery, window=True),
        at.ENGAGEMENT: Step(perform=encounter.perform_engagement),
        at.CLEANUP: Step(perform=encounter.perform_cleanup),
        at.END_ROUND: Step(perform=rounds.perform_end_round),
        at.ENDGAME_ROUND: Step(perform=rounds.perform_endgame_round),
        at.DISCARD_FROM_LINE: engagement.counted(
            "Discard a scouted card", rounds.perform_discard_from_line, rounds.legal_discard_from_line, rounds.play_discard_from_line
        ),
        at.WOLF_BACK: Step(
            "A wolf returns", endgame.perform_wolf_back, outcome_weights=endgame.lost_wolf_weights, apply_outcome=endgame.return_wolf
        ),
        hook.STRATEGY_ROSE: SCOUT,
        hook.ACTIVATE_MORE: Step(perform=encounter.perform_activate_more),
        hook.DRAW_ITEM: Step("Draw an item", rounds.perform_draw_item, outcome_weights=rounds.item_weights, apply_outcome=rounds.draw_item),
        hook.CARD_LEAVES: Step(perform=rounds.perform_card_leaves),
        hook.ITEM_GONE: Step(perform=rounds.perform_item_gone),
        hook.BESIDE_GONE: Step(perform=rounds.perform_beside_gone),
    },
)
