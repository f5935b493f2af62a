"""Grandma's Cabin: the battle against the Big Bad Wolf."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.strong import terms
from deckwood.strong.cards import (
    announce,
    damage_to,
    empty_slot,
    health_of,
    is_standing,
    place_card,
    trigger,
)
from deckwood.strong.effects import put_away_first, room_for_boss
from deckwood.strong.steps import DRAWING, OVER, pop
from deckwood.tanglewoods import state as own
from deckwood.tanglewoods.rules.draws import count_in, zone_weights

BOSS_SHARE = 1 / 4
"""What all of the boss's Health is worth under ``reward="progress"`` to a hero who dies at the Cabin; winning pays the rest of 1."""


@rule
def blight(s, deck, slot):
    """What an enemy that comes into play at a blighted node has more."""
    if s.blighted:
        s.marks[slot] |= terms.UNBRIBABLE
        s.extra_health[slot] = deck.numbers[own.BLIGHT_HEALTH]
        s.extra_damage[slot] = deck.numbers[own.BLIGHT_DAMAGE]


@rule
def begin_endgame(s, deck):
    """The wolf emerges, with the power-ups of the wolves still in the Wolf Pack Deck. The Engagement of this round begins the battle."""
    s.endgame = 1
    below = int(s.depth)
    boss = room_for_boss(s, deck)
    place_card(s, deck, boss, own.BIG_BAD_FACE + int(s.options[own.OPTION_BOSS]))
    blight(s, deck, boss)
    for wolf in range(own.NUM_WOLVES):
        slot = empty_slot(s)
        if s.wolves[wolf] == own.IN_DECK and slot != terms.NONE:
            s.wolves[wolf] = own.IN_PLAY
            place_card(s, deck, slot, own.POWER_UP_FACE + wolf)
    announce(s, deck, terms.ENDGAME)
    for slot in range(terms.SLOTS - 1, -1, -1):
        if s.slot[slot] != terms.NONE:
            trigger(s, deck, int(s.slot[slot]), terms.ENDGAME, slot)
    put_away_first(s, below)


@rule
def new_round(s, deck):
    """What counts by the round begins afresh."""
    for i in range(terms.MAX_ITEMS + 1):
        s.used[i] = 0
    s.shield = 0
    s.doubled = 0
    s.explored = 0
    announce(s, deck, terms.ROUND_STARTS)


@rule
def win(s):
    s.payoff[0] = 1.0  # with reward="progress" the rest of it, the path having been paid already
    s.ended = 1 + own.WON
    s.node = OVER


@rule
def lose(s, deck):
    """Health fell below 1. Under ``reward="progress"`` damage dealt to the boss counts."""
    s.ended = 1 + (own.DIED_AT_CABIN if s.endgame else own.DIED_IN_FOREST)
    s.node = OVER
    if s.endgame and s.options[own.OPTION_REWARD]:
        s.payoff[0] += BOSS_SHARE * boss_damage_share(s, deck)


@rule
def boss_damage_share(s, deck):
    """How much of the boss's Health is gone, 0 to 1."""
    for slot in range(terms.SLOTS):
        if s.slot[slot] == own.BIG_BAD_FACE + s.options[own.OPTION_BOSS] and is_standing(s, deck, slot):
            return min(1.0, damage_to(s, deck, slot) / health_of(s, deck, slot))
    return 1.0


@rule
def perform_wolf_back(s):
    """With no wolf gone there is nothing to do."""
    if count_in(s.wolves, own.IN_DISCARD) > 0:
        s.node = DRAWING
    else:
        pop(s)


@rule
def lost_wolf_weights(s, weights):
    return zone_weights(s.wolves, own.IN_DISCARD, weights)


@rule
def return_wolf(s, deck, wolf):
    """A defeated wolf is back."""
    pop(s)
    slot = empty_slot(s)
    if slot != terms.NONE:
        s.wolves[wolf] = own.IN_PLAY
        place_card(s, deck, slot, own.WOLF_FACE + wolf)
        blight(s, deck, slot)
        trigger(s, deck, own.WOLF_FACE + wolf, terms.ACTIVATED, slot)
