"""Lost Woods' steps in one table."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.step_table import Step, StepTable
from deckwood.lost_woods import phases as at
from deckwood.lost_woods.rules import attacking, ending, exploring, moving, setup, weapons


@rule
def tie_die_weights(s, deck, weights):
    return weapons.die_weights(weapons.die_of(deck, int(s.duel_item[ending.rolling(s)])), weights)


@rule
def roll_die(s, deck, outcome):
    attacking.roll(s, deck, outcome + 1)


@rule
def roll_tie_die(s, outcome):
    ending.roll_for_tie(s, outcome + 1)


STEPS = StepTable(
    __name__,
    range(at.FIRST_CHANCE + at.CHANCES),
    {
        at.MOVING: Step("Move", legal=moving.legal_move, play=moving.play_move),
        at.EXPLORING: Step(
            "Explore", legal=exploring.legal_explore, play=exploring.play_explore, hint="Go on in an open direction, or stay."
        ),
        at.OVER_LIMIT: Step(
            "Explore: one item too many",
            legal=exploring.legal_over_limit,
            play=exploring.play_over_limit,
            hint="Three weapons and potions are the limit: drop one.",
        ),
        at.RICHEST: Step(
            "Gnome: the richest",
            legal=exploring.legal_gnome,
            play=exploring.play_gnome,
            hint="It takes 1 gold from the richest. Who is that?",
        ),
        at.POOREST: Step("Gnome: the poorest", legal=exploring.legal_gnome, play=exploring.play_gnome),
        at.AT_WELL: Step("Explore: a magic well", legal=exploring.legal_well, play=exploring.play_well, hint="Take the spell out of it?"),
        at.THIRD_SPELL: Step(
            "A third spell",
            legal=moving.legal_third_spell,
            play=moving.play_third_spell,
            hint="Two are the limit: one goes back to its well.",
        ),
        at.MAGNET_ITEM: Step(
            "Magnet: what to draw",
            legal=exploring.legal_magnet_item,
            play=exploring.play_magnet_item,
            hint="Magic, a weapon or gold, from anywhere on the map.",
        ),
        at.MAGNET_SPACE: Step("Magnet: from where", legal=exploring.legal_magnet_space, play=exploring.play_magnet_space),
        at.TELEPORTING: Step(
            "Teleport: where to",
            legal=moving.legal_teleport,
            play=moving.play_teleport,
            hint="To any explored space without an enemy.",
        ),
        at.ATTACKING: Step(
            "Attack", legal=attacking.legal_attack, play=attacking.play_attack, hint="Choose an enemy of this room, or none."
        ),
        at.CHOOSING_WEAPON: Step("Attack: weapon or magic", legal=attacking.legal_weapon, play=attacking.play_weapon),
        at.ROLLED: Step("Attack: after the roll", legal=attacking.legal_potion, play=attacking.play_potion),
        at.BATTLE_LOST: Step(
            "Attack: lost",
            legal=attacking.legal_lost,
            play=attacking.play_lost,
            hint="Drop what has to be dropped, then go back to camp.",
        ),
        at.REVIVED: Step("Revive: end the turn or attack again", legal=attacking.legal_revived, play=attacking.play_revived),
        at.TIE_WEAPON: Step(
            "Tie: weapon or magic",
            legal=ending.legal_tie_weapon,
            play=ending.play_tie_weapon,
            hint="Those with the most gold fight each other.",
        ),
        at.TIE_ROLLED: Step(
            "Tie: after the roll", legal=ending.legal_tie_potion, play=ending.play_tie_potion, hint="A potion re-rolls any die."
        ),
        at.STARTER: Step(
            "who starts", outcome_weights=setup.starter_weights, apply_outcome=setup.start, hint="Each adventurer is as likely."
        ),
        at.DRAW_CARD: Step("a map card", outcome_weights=exploring.card_weights, apply_outcome=exploring.place_card),
        at.DRAW_TILE: Step("a tile from the bag", outcome_weights=exploring.tile_weights, apply_outcome=exploring.draw_tile),
        at.OWN_DIE: Step("the adventurer's die", outcome_weights=attacking.roll_weights, apply_outcome=roll_die),
        at.FOE_DIE: Step("the enemy's die", outcome_weights=attacking.roll_weights, apply_outcome=roll_die),
        at.TIE_DIE: Step("the dice of the tied", outcome_weights=tie_die_weights, apply_outcome=roll_tie_die),
        at.TIE_LOTS: Step("lots among the tied", outcome_weights=ending.lot_weights, apply_outcome=ending.win),
    },
)
