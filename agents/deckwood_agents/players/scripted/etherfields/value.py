"""What cards, effects and the ether are worth in Etherfields, in the points of ``strong.value``."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.etherfields.rules.boss import enemies_beaten
from deckwood.etherfields.rules.cards import hand_count
from deckwood.etherfields.rules.dream import entrance_card, map_row, maps_in_play
from deckwood.etherfields.rules.rounds import may_flip
from deckwood.etherfields.state import (
    ADVANCE_ETHER,
    BANISH_CARD,
    BANISH_INFLUENCE,
    BOSS_FACE,
    CARDS_HELD,
    COST_CHANGE,
    DISCARD_INFLUENCE,
    DISCARD_MAP,
    DRAW_INFLUENCE,
    ETHER_IS,
    FLIP_AND_TAKE,
    FLIP_CARD,
    FLIP_ENEMY,
    FLIP_MAP,
    HAND_CHANGE,
    IF_ETHER,
    MAPS_OUT,
    MAX_HAND,
    MOVE,
    NO_CARDS,
    NO_MOVES,
    NUM_CARDS,
    RECALL,
    SET_ETHER,
    SUMMON,
)
from deckwood.strong.cards import damage_of, has_effects
from deckwood.strong.effects import multiplier
from deckwood.strong.pool import has_room, item_count
from deckwood.strong.terms import (
    COUNT,
    ENEMY,
    ETHER_CHANGED,
    ITEM,
    MISS,
    NONE,
    NUM_COLOURS,
    ONCE,
    ONGOING,
    OP,
    PER,
    PER_STANDING,
    SIDES,
    SLOTS,
    USE,
    WHAT,
    WHEN,
)
from deckwood.strong.vocabulary import CHOOSE, FIRST_DECK_MODIFIER, FIRST_DECK_OP, FIRST_SLOT_OP, GAIN_ITEM, TEST
from deckwood_agents.players.scripted.etherfields.map import map_does, side_does
from deckwood_agents.players.scripted.strong.value import DIE_VALUE, ONGOING_USES, effect_value

GONE = -150.0  # the game is lost
ETHER_VALUE = 12.0  # of the ether that the boss asks for
ETHER_STEP_VALUE = 2.0  # of being one colour nearer to it
CARD_VALUE = 1.2  # of an influence card in hand
TAKEN_VALUE = 6.0  # of a card that is flipped and taken
ITEM_GOAL_VALUE = 10.0  # of a card in the inventory that the boss asks for
BEATEN_VALUE = 5.0  # of a defeat that the boss asks for
STAYING_VALUE = 5.0  # of a Damage that an undefeated enemy goes on dealing in later rounds
HAMPERING_VALUE = 1.5  # of an enemy's During effect
CROWDED_SHARE = 0.3  # of an item for which another one must go
MAP_VALUE = 10.0  # of a map card that the boss asks for
WAY_BACK_VALUE = 3.0  # of the way from the Dream Entrance to where the hero is
SUMMON_PLACE_VALUE = 12.0  # of the only place on the map where the boss can be activated


@rule
def wanted(s, deck, condition):
    """What a part of the boss's endgame condition asks for, or NONE."""
    return int(deck.conditions[s.boss - BOSS_FACE, condition])


@rule
def lacking(s, deck, condition):
    """How much is missing for a part of the endgame condition; none is once the boss is there."""
    required = wanted(s, deck, condition)
    if required == NONE or s.facing:
        return 0
    if condition == ETHER_IS:
        return 1 if s.ether != required else 0
    if condition == MAPS_OUT:
        return max(0, required - maps_in_play(s))
    if condition == CARDS_HELD:
        return max(0, required - item_count(s))
    return max(0, required - enemies_beaten(s, deck))


@rule
def ether_value(s, deck, colour):
    """What it is worth that the ether is of a colour: the boss's, or on the way to it; else its dice come back."""
    required = wanted(s, deck, ETHER_IS)
    value = 0.4 * DIE_VALUE[colour] if s.exhausted[colour] > 0 else 0.0
    if required == NONE or s.facing:
        return value
    if colour == required:
        return value + ETHER_VALUE
    return value + ETHER_STEP_VALUE * (4 - (required - colour) % NUM_COLOURS)


@rule
def flip_gain(s, deck, slot):
    """What it is worth that an enemy turns over: it leaves, or becomes another one."""
    face = int(s.slot[slot])
    other = (face + NUM_CARDS) % (2 * NUM_CARDS)
    before = 3.0 * damage_of(s, deck, slot) + 1.5 * int(deck.cards[face].health)
    if deck.cards[other].kind != ENEMY:
        return before
    return before - 3.0 * int(deck.cards[other].damage) - 1.5 * int(deck.cards[other].health)


@rule
def best_flip(s, deck):
    """The enemy to turn over, and what that is worth; NONE where there is none."""
    best, best_value = NONE, 0.0
    for slot in range(SLOTS):
        if may_flip(s, deck, slot):
            value = flip_gain(s, deck, slot)
            if best == NONE or value > best_value:
                best, best_value = slot, value
    return best, best_value


@rule
def lost_map_value(s, deck):
    """What the loss of a random map card is worth; with the entrance gone there is no way back from a card that vanishes."""
    maps = max(1, maps_in_play(s))
    home = entrance_card(s, deck)
    value = -4.0 - MAP_VALUE * (1 if wanted(s, deck, MAPS_OUT) >= maps and not s.facing else 0)
    if home == NONE or home == s.at_card:
        return value + GONE / maps
    return value


@rule
def turned_map_value(s, deck):
    """What it is worth to turn the map card underfoot: the way back, the place of the boss lost or found; without a way back, the game."""
    card, home = int(s.at_card), entrance_card(s, deck)
    row = map_row(s, card)
    other = 4 * card + 1 - row
    if home == NONE or (home == card and deck.entrance[other] == NONE):
        return GONE
    value = 0.0 if home == card else -WAY_BACK_VALUE
    if not s.facing and not map_does(s, deck, SUMMON, card):
        value += SUMMON_PLACE_VALUE * (1 if side_does(deck, other, SUMMON) else 0)
        value -= SUMMON_PLACE_VALUE * (1 if side_does(deck, row, SUMMON) else 0)
    return value


@rule
def own_value(s, deck, face, op, what, count):
    """What an instruction or modifier that only Etherfields has is worth."""
    if op == HAND_CHANGE:
        return 1.5 * count
    if op == COST_CHANGE:
        return -2.5 * count
    if op == NO_MOVES or op == NO_CARDS:
        return -3.0
    if op == DRAW_INFLUENCE or op == RECALL:
        return CARD_VALUE * min(count, MAX_HAND - hand_count(s))
    if op == DISCARD_INFLUENCE:
        return -CARD_VALUE * min(count, hand_count(s))
    if op == BANISH_INFLUENCE:
        return -0.8 * count
    if op == SET_ETHER:
        return ether_value(s, deck, what) - ether_value(s, deck, int(s.ether))
    if op == ADVANCE_ETHER:
        return ether_value(s, deck, (int(s.ether) + 1) % NUM_COLOURS) - ether_value(s, deck, int(s.ether))
    if op == FLIP_AND_TAKE:
        other = (face + NUM_CARDS) % (2 * NUM_CARDS)
        if face >= 2 * NUM_CARDS or deck.cards[other].kind == ENEMY:
            return 0.0
        return TAKEN_VALUE + (ITEM_GOAL_VALUE if deck.cards[other].kind == ITEM and lacking(s, deck, CARDS_HELD) > 0 else 0.0)
    if op == BANISH_CARD:
        return -0.5
    if op == FLIP_ENEMY:
        _, value = best_flip(s, deck)
        return value
    if op == FLIP_MAP:
        return turned_map_value(s, deck)
    if op == DISCARD_MAP:
        return lost_map_value(s, deck)
    if op == MOVE:
        return 1.0 * count
    return 0.0


@rule
def one_row_value(s, deck, face, row):
    """What one instruction or modifier is worth."""
    op, what, count = int(deck.effects[row, OP]), int(deck.effects[row, WHAT]), int(deck.effects[row, COUNT])
    per = int(deck.effects[row, PER])
    if per == PER_STANDING:
        count *= 2
    elif per != ONCE:
        count *= max(2, multiplier(s, deck, per))
    if op >= FIRST_DECK_OP or FIRST_DECK_MODIFIER <= op < FIRST_SLOT_OP:
        return own_value(s, deck, face, op, what, count)
    value = effect_value(s, op, what, count)
    if op == GAIN_ITEM and not has_room(s):
        return CROWDED_SHARE * value
    if op == GAIN_ITEM and lacking(s, deck, CARDS_HELD) > 0:
        value += ITEM_GOAL_VALUE * min(count, lacking(s, deck, CARDS_HELD))
    return value


@rule
def run_value(s, deck, face, first, end):
    """What a run of instructions is worth, its choices made well, its tests weighed and the ether as it is."""
    value = 0.0
    for row in range(first, end):
        op = int(deck.effects[row, OP])
        if op != CHOOSE and op != TEST and op != IF_ETHER:
            value += one_row_value(s, deck, face, row)
            continue
        middle = min(end, row + 1 + int(deck.effects[row, COUNT]))
        one, other = 0.0, 0.0
        for r in range(row + 1, middle):
            one += one_row_value(s, deck, face, r)
        for r in range(middle, end):
            other += one_row_value(s, deck, face, r)
        if op == CHOOSE:
            return value + max(one, other)
        if op == IF_ETHER:
            return value + (one if s.ether == deck.effects[row, WHAT] else other)
        missing = SIDES[int(deck.effects[row, WHAT])][MISS] / 6.0
        return value + (1.0 - missing) * one + missing * other
    return value


@rule
def moment_value(s, deck, face, when):
    """What a card's effects of one moment are worth."""
    if not has_effects(deck, face, when):
        return 0.0
    start, end = 0, 0
    first = int(deck.cards[face].first)
    for row in range(first, first + int(deck.cards[face].count)):
        if deck.effects[row, WHEN] == when:
            if end == 0:
                start = row
            end = row + 1
    return run_value(s, deck, face, start, end)


@rule
def lasting_value(s, deck, face):
    """What a card is worth that stays: all that it does, as often as that will be."""
    value = 0.0
    for when in range(ETHER_CHANGED + 1):
        if has_effects(deck, face, when):
            once = when == USE and turns_when_used(deck, face)
            value += max(-6.0, moment_value(s, deck, face, when)) * (1.0 if once else ONGOING_USES)
    return value


@rule
def turns_when_used(deck, face):
    """True for a card that is flipped or banished by its own use."""
    first = int(deck.cards[face].first)
    for row in range(first, first + int(deck.cards[face].count)):
        op = int(deck.effects[row, OP])
        if deck.effects[row, WHEN] == USE and (op == FLIP_CARD or op == FLIP_AND_TAKE or op == BANISH_CARD):
            return True
    return False


@rule
def held_value(s, deck, face):
    """What a card of the inventory is worth."""
    value = lasting_value(s, deck, face) if deck.cards[face].uses == ONGOING else moment_value(s, deck, face, USE)
    return max(0.0, value)
