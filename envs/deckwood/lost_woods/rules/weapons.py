"""Weapons, magic and potions in combat, against enemies and among those who tie."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import allow
from deckwood.lost_woods import actions as act
from deckwood.lost_woods.rules.inventory import fights, holds, use_spell
from deckwood.lost_woods.state import AMOUNT, D20, DICE, EIGHTH, FIRST_SPELL, NUM_DICE, NUM_SPELLS, POTION


@rule
def allow_weapons(s, deck, seat, mask):
    """One weapon or magic spell."""
    n = 0
    for die in range(NUM_DICE):
        if s.carried[seat, die] > 0:
            n += allow(mask, act.FIGHT_WITH + die)
    for spell in range(NUM_SPELLS):
        if holds(s, seat, spell) == 1 and fights(deck, spell):
            n += allow(mask, act.CAST + spell)
    return n


@rule
def use_weapon(s, deck, action):
    """The item that is fought with; magic returns to its well."""
    if action >= act.FIGHT_WITH:
        return action - act.FIGHT_WITH
    use_spell(s, deck, action - act.CAST)
    return FIRST_SPELL + action - act.CAST


@rule
def die_of(deck, item):
    """A weapon is a die of its own number; magic for combat rolls a D20, or what the eighth spell says."""
    if item < NUM_DICE:
        return int(item)
    return int(deck.eighth[AMOUNT]) if item == FIRST_SPELL + EIGHTH else D20


@rule
def die_weights(die, weights):
    for face in range(DICE[die]):
        weights[face] = 1
    return DICE[die]


@rule
def spend_potion(s, seat):
    """Discard after the die roll."""
    s.carried[seat, POTION] -= 1
