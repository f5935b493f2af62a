"""Grandma's Cabin: the battle against the Big Bad Wolf."""

from __future__ import annotations

from deckwood.core.jit import rule
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
from deckwood.strong.terms import ACTIVATED, ENDGAME, MAX_ITEMS, NONE, ROUND_STARTS, SLOTS, UNBRIBABLE
from deckwood.tanglewoods.rules.draws import count_in, weigh_zone
from deckwood.tanglewoods.state import (
    BIG_BAD_FACE,
    BLIGHT_DAMAGE,
    BLIGHT_HEALTH,
    DIED_AT_CABIN,
    DIED_IN_FOREST,
    IN_DECK,
    IN_DISCARD,
    IN_PLAY,
    NUM_WOLVES,
    OPTION_BOSS,
    OPTION_REWARD,
    POWER_UP_FACE,
    WOLF_FACE,
    WON,
)

BOSS_SHARE = 1 / 4
"""What all of the boss's Health is worth under ``reward="progress"`` to a hero who dies at the Cabin; winning pays the rest of 1."""


@rule
def blight(s, deck, slot):
    """What an enemy that comes into play at a blighted node has more."""
    if s.blighted:
        s.marks[slot] |= UNBRIBABLE
        s.extra_health[slot] = deck.numbers[BLIGHT_HEALTH]
        s.extra_damage[slot] = deck.numbers[BLIGHT_DAMAGE]


@rule
def begin_endgame(s, deck):
    """The wolf emerges, with the power-ups of the wolves still in the Wolf Pack Deck. The Engagement of this round begins the battle."""
    s.endgame = 1
    below = int(s.depth)
    boss = room_for_boss(s, deck)
    place_card(s, deck, boss, BIG_BAD_FACE + int(s.options[OPTION_BOSS]))
    blight(s, deck, boss)
    for wolf in range(NUM_WOLVES):
        slot = empty_slot(s)
        if s.wolves[wolf] == IN_DECK and slot != NONE:
            s.wolves[wolf] = IN_PLAY
            place_card(s, deck, slot, POWER_UP_FACE + wolf)
    announce(s, deck, ENDGAME)
    for slot in range(SLOTS - 1, -1, -1):
        if s.slot[slot] != NONE:
            trigger(s, deck, int(s.slot[slot]), ENDGAME, slot)
    put_away_first(s, below)


@rule
def new_round(s, deck):
    """What counts by the round begins afresh."""
    for i in range(MAX_ITEMS + 1):
        s.used[i] = 0
    s.shield = 0
    s.doubled = 0
    s.explored = 0
    announce(s, deck, ROUND_STARTS)


@rule
def win(s):
    s.payoff[0] = 1.0  # with reward="progress" the rest of it, the path having been paid already
    s.ended = 1 + WON
    s.node = OVER


@rule
def lose(s, deck):
    """Health fell below 1. Under ``reward="progress"`` damage dealt to the boss counts."""
    s.ended = 1 + (DIED_AT_CABIN if s.endgame else DIED_IN_FOREST)
    s.node = OVER
    if s.endgame and s.options[OPTION_REWARD]:
        s.payoff[0] += BOSS_SHARE * boss_damage_share(s, deck)


@rule
def boss_damage_share(s, deck):
    """How much of the boss's Health is gone, 0 to 1."""
    for slot in range(SLOTS):
        if s.slot[slot] == BIG_BAD_FACE + s.options[OPTION_BOSS] and is_standing(s, deck, slot):
            return min(1.0, damage_to(s, deck, slot) / health_of(s, deck, slot))
    return 1.0


@rule
def perform_wolf_back(s):
    """With no wolf gone there is nothing to do."""
    if count_in(s.wolves, IN_DISCARD) > 0:
        s.node = DRAWING
    else:
        pop(s)


@rule
def weigh_lost_wolves(s, weights):
    return weigh_zone(s.wolves, IN_DISCARD, weights)


@rule
def return_wolf(s, deck, wolf):
    """A defeated wolf is back."""
    pop(s)
    slot = empty_slot(s)
    if slot != NONE:
        s.wolves[wolf] = IN_PLAY
        place_card(s, deck, slot, WOLF_FACE + wolf)
        blight(s, deck, slot)
        trigger(s, deck, WOLF_FACE + wolf, ACTIVATED, slot)
