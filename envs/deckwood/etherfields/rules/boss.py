"""The boss: its endgame condition, how it is activated, and the end of a game."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.etherfields import state as own
from deckwood.etherfields.rules.dream import maps_in_play
from deckwood.strong import terms
from deckwood.strong.cards import announce, damage_to, health_of, is_boss, is_standing, place_card, trigger
from deckwood.strong.effects import put_away_first, room_for_boss
from deckwood.strong.pool import item_count

SUMMON_SHARE = 1 / 8
"""What meeting the boss adds to a game's payoff under ``reward="progress"``."""
BOSS_SHARE = 1 / 4
"""What all of the boss's Health is worth there to a hero who dies facing it; winning pays the rest of 1."""


@rule
def boss_face(s, boss):
    """The side of a boss card that faces up."""
    return own.BOSS_FACE + 2 * boss + int(s.side[own.BOSS_SIDE + boss])


@rule
def may_face(s, deck, boss):
    """True if the cards that a boss needs show the right sides."""
    row = boss_face(s, boss) - own.BOSS_FACE
    for i in range(own.MAX_REQUIRED):
        face = int(deck.requires[row, i])
        if face != terms.NONE and s.side[face % own.NUM_CARDS] != face // own.NUM_CARDS:
            return False
    return True


@rule
def any_to_face(s, deck):
    """True if some boss may be faced."""
    for boss in range(own.NUM_BOSSES):
        if may_face(s, deck, boss):
            return True
    return False


@rule
def enemies_beaten(s, deck):
    """Enemies defeated in this game: those put away, and those that still lie in the active area."""
    n = int(s.beaten)
    for slot in range(terms.SLOTS):
        if s.marks[slot] & terms.DEFEATED and not is_boss(s, deck, slot):
            n += 1
    return n


@rule
def is_met(s, deck, condition):
    """True if one part of the boss's endgame condition holds."""
    wanted = int(deck.conditions[s.boss - own.BOSS_FACE, condition])
    if wanted == terms.NONE:
        return True
    if condition == own.ETHER_IS:
        return s.ether == wanted
    if condition == own.MAPS_OUT:
        return maps_in_play(s) >= wanted
    if condition == own.CARDS_HELD:
        return item_count(s) >= wanted
    return enemies_beaten(s, deck) >= wanted


@rule
def can_summon(s, deck):
    """True while the boss's endgame condition is met and it is not there yet."""
    if s.facing:
        return False
    for condition in range(len(own.CONDITIONS)):
        if not is_met(s, deck, condition):
            return False
    return True


@rule
def summon(s, deck):
    """The boss enters the active area: the endgame begins."""
    if not can_summon(s, deck):
        return
    below = int(s.depth)
    slot = room_for_boss(s, deck)
    place_card(s, deck, slot, int(s.boss))
    s.facing = 1
    if s.options[own.OPTION_REWARD]:
        s.earned += SUMMON_SHARE
    announce(s, deck, terms.ENDGAME)
    trigger(s, deck, int(s.boss), terms.ENDGAME, slot)
    trigger(s, deck, int(s.boss), terms.ACTIVATED, slot)
    put_away_first(s, below)


@rule
def boss_slot(s):
    """Where the boss lies, or NONE before the endgame."""
    for slot in range(terms.SLOTS):
        if s.slot[slot] == s.boss:
            return slot
    return terms.NONE


@rule
def boss_activation(s, deck):
    """The boss's Activation effect, at the end of every Activation of the game, before what answers to it."""
    announce(s, deck, terms.ACTIVATION)
    slot = boss_slot(s)
    if slot == terms.NONE or not s.marks[slot] & terms.CANCELLED:
        trigger(s, deck, int(s.boss), terms.ACTIVATION, slot)


@rule
def boss_is_defeated(s):
    slot = boss_slot(s)
    return slot != terms.NONE and s.marks[slot] & terms.DEFEATED != 0


@rule
def boss_damage_share(s, deck):
    """How much of the boss's Health is gone, 0 to 1."""
    slot = boss_slot(s)
    if slot == terms.NONE:
        return 0.0
    if not is_standing(s, deck, slot):
        return 1.0
    return min(1.0, damage_to(s, deck, slot) / health_of(s, deck, slot))


@rule
def ending_of_death(s):
    return own.DIED_FACING_BOSS if s.facing else own.DIED


@rule
def remember(s, won):
    """What outlasts the game: the hero's side, and the boss that was beaten flips."""
    hero = (int(s.hero) - own.HERO_FACE) // 2
    if hero < own.NUM_HEROES:
        s.side[own.HERO_SIDE + hero] = (int(s.hero) - own.HERO_FACE) % 2
    if won:
        boss = (int(s.boss) - own.BOSS_FACE) // 2
        s.side[own.BOSS_SIDE + boss] = 1 - s.side[own.BOSS_SIDE + boss]
