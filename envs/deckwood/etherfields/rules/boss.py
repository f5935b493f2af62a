"""The boss: its endgame condition, how it is activated, and the end of a game."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.etherfields.rules.dream import maps_in_play
from deckwood.etherfields.state import (
    BOSS_FACE,
    BOSS_SIDE,
    CARDS_HELD,
    CONDITIONS,
    DIED,
    DIED_FACING_BOSS,
    ETHER_IS,
    HERO_FACE,
    HERO_SIDE,
    MAPS_OUT,
    MOST_REQUIRED,
    NUM_BOSSES,
    NUM_CARDS,
    NUM_HEROES,
    OPTION_REWARD,
)
from deckwood.strong.cards import announce, damage_to, health_of, is_boss, is_standing, place_card, trigger
from deckwood.strong.effects import put_away_first, room_for_boss
from deckwood.strong.pool import item_count
from deckwood.strong.terms import ACTIVATED, ACTIVATION, CANCELLED, DEFEATED, ENDGAME, NONE, SLOTS

SUMMON_SHARE = 1 / 8
"""What meeting the boss adds to a game's payoff under ``reward="progress"``."""
BOSS_SHARE = 1 / 4
"""What all of the boss's Health is worth there to a hero who dies facing it; winning pays the rest of 1."""


@rule
def boss_face(s, boss):
    """The side of a boss card that faces up."""
    return BOSS_FACE + 2 * boss + int(s.side[BOSS_SIDE + boss])


@rule
def may_face(s, deck, boss):
    """True if the cards that a boss needs show the right sides."""
    row = boss_face(s, boss) - BOSS_FACE
    for i in range(MOST_REQUIRED):
        face = int(deck.requires[row, i])
        if face != NONE and s.side[face % NUM_CARDS] != face // NUM_CARDS:
            return False
    return True


@rule
def any_to_face(s, deck):
    """True if some boss may be faced."""
    for boss in range(NUM_BOSSES):
        if may_face(s, deck, boss):
            return True
    return False


@rule
def enemies_beaten(s, deck):
    """Enemies defeated in this game: those put away, and those that still lie in the active area."""
    n = int(s.beaten)
    for slot in range(SLOTS):
        if s.marks[slot] & DEFEATED and not is_boss(s, deck, slot):
            n += 1
    return n


@rule
def is_met(s, deck, condition):
    """True if one part of the boss's endgame condition holds."""
    wanted = int(deck.conditions[s.boss - BOSS_FACE, condition])
    if wanted == NONE:
        return True
    if condition == ETHER_IS:
        return s.ether == wanted
    if condition == MAPS_OUT:
        return maps_in_play(s) >= wanted
    if condition == CARDS_HELD:
        return item_count(s) >= wanted
    return enemies_beaten(s, deck) >= wanted


@rule
def can_summon(s, deck):
    """True while the boss's endgame condition is met and it is not there yet."""
    if s.facing:
        return False
    for condition in range(len(CONDITIONS)):
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
    if s.options[OPTION_REWARD]:
        s.earned += SUMMON_SHARE
    announce(s, deck, ENDGAME)
    trigger(s, deck, int(s.boss), ENDGAME, slot)
    trigger(s, deck, int(s.boss), ACTIVATED, slot)
    put_away_first(s, below)


@rule
def boss_slot(s):
    """Where the boss lies, or NONE before the endgame."""
    for slot in range(SLOTS):
        if s.slot[slot] == s.boss:
            return slot
    return NONE


@rule
def boss_activation(s, deck):
    """The boss's Activation effect, at the end of every Activation of the game, before what answers to it."""
    announce(s, deck, ACTIVATION)
    slot = boss_slot(s)
    if slot == NONE or not s.marks[slot] & CANCELLED:
        trigger(s, deck, int(s.boss), ACTIVATION, slot)


@rule
def boss_is_defeated(s):
    slot = boss_slot(s)
    return slot != NONE and s.marks[slot] & DEFEATED != 0


@rule
def boss_damage_share(s, deck):
    """How much of the boss's Health is gone, 0 to 1."""
    slot = boss_slot(s)
    if slot == NONE:
        return 0.0
    if not is_standing(s, deck, slot):
        return 1.0
    return min(1.0, damage_to(s, deck, slot) / health_of(s, deck, slot))


@rule
def ending_of_death(s):
    return DIED_FACING_BOSS if s.facing else DIED


@rule
def remember(s, won):
    """What outlasts the game: the hero's side, and the boss that was beaten flips."""
    hero = (int(s.hero) - HERO_FACE) // 2
    if hero < NUM_HEROES:
        s.side[HERO_SIDE + hero] = (int(s.hero) - HERO_FACE) % 2
    if won:
        boss = (int(s.boss) - BOSS_FACE) // 2
        s.side[BOSS_SIDE + boss] = 1 - s.side[BOSS_SIDE + boss]
