"""Etherfields' steps in one table."""

from __future__ import annotations

from deckwood.core.step_table import Step, StepTable
from deckwood.etherfields import steps as at
from deckwood.etherfields.rules import cards, dream, effects, payment, rounds, setup, taking
from deckwood.strong import engagement
from deckwood.strong import steps as hook
from deckwood.strong.engagement import decide, draw

STEPS = StepTable(
    __name__,
    at.NUMBERS,
    {
        **engagement.ROWS,
        hook.EFFECTS: Step(perform=effects.perform_effects),
        hook.AFTER_EFFECTS: engagement.ROWS[hook.AFTER_EFFECTS]._replace(perform=rounds.perform_after_effects, window=True),
        hook.RECOVER_DICE: Step(perform=rounds.perform_recover_dice),
        hook.TAKE_ITEM: engagement.ROWS[hook.TAKE_ITEM]._replace(play=taking.play_take_item),
        at.CHOOSE_BOSS: Step(
            "Setup: choose a boss",
            setup.perform_choose_boss,
            setup.legal_choose_boss,
            setup.play_choose_boss,
            hint="Some bosses can be faced only while certain cards show the right side.",
        ),
        at.CHOOSE_HERO: Step(
            "Setup: choose your hero",
            setup.perform_choose_hero,
            setup.legal_choose_hero,
            setup.play_choose_hero,
            hint="A hero starts on the side that faces up.",
        ),
        at.LAY_OUT: Step(perform=setup.lay_out),
        at.BANISH_RANDOM: Step(
            "Banish an influence card",
            rounds.perform_banish_random,
            outcome_weights=rounds.banish_random_weights,
            apply_outcome=rounds.banish_random,
            hint="{a} more, by chance.",
        ),
        at.REVEAL: Step(
            "Turn up the next card of a deck", cards.perform_reveal, outcome_weights=cards.reveal_weights, apply_outcome=cards.reveal
        ),
        at.ROUND: Step(perform=rounds.perform_round),
        at.WINDOW: Step("Take actions", decide, taking.legal_window, taking.play_window, window=True),
        at.DISCARD_CARDS: Step(
            "Discard influence cards", rounds.perform_discard_cards, rounds.legal_discard_cards, rounds.play_discard_cards
        ),
        at.REFILL: Step(perform=rounds.perform_refill),
        at.DRAW_CARDS: Step(
            "Draw an influence card",
            rounds.perform_draw_cards,
            outcome_weights=rounds.draw_card_weights,
            apply_outcome=rounds.draw_card,
            hint="{a} more.",
        ),
        at.PENALTY: Step(
            "The Influence Deck is reshuffled",
            decide,
            rounds.legal_penalty,
            rounds.play_penalty,
            hint="Suffer -{health} Health, or banish {cards} of it.",
        ),
        at.ACTIVATE_ENEMIES: Step(
            "Activate an enemy",
            rounds.perform_activate,
            outcome_weights=rounds.activation_weights,
            apply_outcome=rounds.activate,
            hint="{a} more.",
        ),
        at.BOSS_ACTIVATION: Step(perform=rounds.perform_boss_activation),
        at.ENGAGEMENT: Step(perform=rounds.perform_engagement),
        at.AIM_ASSAULT: Step(
            "Assault: choose an enemy",
            decide,
            taking.legal_aim_assault,
            taking.play_aim_assault,
            hint="It takes as much Wrath as the enemy has Health left.",
        ),
        at.CHOOSE_COST: Step("Choose what to pay", taking.perform_choose_cost, taking.legal_choose_cost, taking.play_choose_cost),
        at.PAYING: Step("Spend resources", payment.perform_paying, payment.legal_paying, payment.play_paying),
        at.PAID: Step(perform=taking.perform_paid),
        at.MOVING: Step("Move", taking.perform_moving, taking.legal_moving, dream.play_moving, window=True),
        at.EXPLORING: Step("Explore", dream.perform_exploring, outcome_weights=dream.exploring_weights, apply_outcome=dream.place_map_card),
        at.TAKE_RANDOM: Step(
            "Take a card of the influence discard",
            rounds.perform_take_random,
            outcome_weights=rounds.take_random_weights,
            apply_outcome=rounds.take_random,
            hint="{a} more.",
        ),
        at.DRAW_AN_ITEM: Step(
            "Draw an item", rounds.perform_draw_item, outcome_weights=rounds.item_weights, apply_outcome=rounds.draw_item
        ),
        at.FLIPPING: Step(
            "Choose an enemy to flip",
            rounds.perform_flipping,
            rounds.legal_flipping,
            rounds.play_flipping,
            hint="An undefeated enemy turns over.",
        ),
        at.LOSE_MAP_CARD: Step(
            "A map card is discarded",
            draw,
            outcome_weights=dream.map_weights,
            apply_outcome=dream.discard_map_card,
            hint="One of the map, by chance.",
        ),
        at.RESOLVED: Step(perform=cards.perform_resolved),
        at.CLEANUP: Step(perform=rounds.perform_cleanup),
        at.END_ROUND: Step(perform=rounds.perform_end_round),
        at.GAME_OVER: Step(perform=setup.perform_game_over),
        hook.STRATEGY_ROSE: Step(perform=rounds.pass_by),
        hook.ACTIVATE_MORE: Step(perform=rounds.perform_activate_more),
        hook.DRAW_ITEM: Step(perform=rounds.perform_draw_an_item),
        hook.CARD_LEAVES: Step(perform=cards.perform_card_leaves),
        hook.ITEM_GONE: Step(perform=cards.perform_item_gone),
        hook.BESIDE_GONE: Step(perform=rounds.pass_by),
    },
)
