"""The way through the forest: what nodes are worth, and which line to follow."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.strong.pool import total
from deckwood.strong.terms import HEALTH, MISS, NONE, RECOVERY, SIDES, STRATEGY
from deckwood.strong.vocabulary import RECOVER
from deckwood.tanglewoods.rules.draws import count_in
from deckwood.tanglewoods.state import (
    BLIGHTED_NODE,
    CAMP_HEALTH,
    CAMP_RECOVERY,
    CAMP_STRATEGY,
    CAMPFIRE,
    FABLE_NODE,
    FROM_THRESHOLD,
    IN_DECK,
    MINION,
    MOB,
    MOBS,
    NIGHT,
    OPTION_WOLVES,
    OUTLINE,
    PLACES,
    THRESHOLDS,
    TOLL,
    TRAP,
    TRAP_DIE,
    TRAP_RECOVERS,
    TYPE,
    WEARY,
    WOLF,
)
from deckwood_agents.players.scripted.strong.value import defeat_value, effect_value, stat_change

NOWHERE = -1e6
UNKNOWN_CARD = -8.0  # what a card that is not placed yet is worth: it comes by night
MINION_VALUE = -4.0
WOLF_VALUE = -10.0
FACED_VALUE = 24.0  # of a wolf that is discarded once it has been faced, and brings no power-up to the battle
FABLE_VALUE = 2.0
MOB_VALUE = -9.0
BLIGHT_VALUE = -14.0
WEARY_VALUE = -1.5
TOLL_VALUE = -4.0


@rule
def camp_stat(s, deck):
    """The stat to build at a campfire."""
    best, best_value = HEALTH, stat_change(s, HEALTH, int(deck.numbers[CAMP_HEALTH]))
    for stat in range(STRATEGY, RECOVERY + 1):
        value = stat_change(s, stat, int(deck.numbers[CAMP_STRATEGY if stat == STRATEGY else CAMP_RECOVERY]))
        if value > best_value:
            best, best_value = stat, value
    return best


@rule
def camp_value(s, deck):
    stat = camp_stat(s, deck)
    if stat == HEALTH:
        return stat_change(s, stat, int(deck.numbers[CAMP_HEALTH]))
    return stat_change(s, stat, int(deck.numbers[CAMP_STRATEGY if stat == STRATEGY else CAMP_RECOVERY]))


@rule
def danger_of(s, deck, face):
    """What meeting an enemy costs, its reward counted half."""
    card = deck.cards[face]
    return 1.2 * int(card.health) + 3.0 * int(card.damage) - 0.5 * defeat_value(s, deck, face)


@rule
def node_value(s, deck, side, place):
    """What arriving at a node is worth. A trap turns a card over, or else recovers dice."""
    value = plain_value(s, deck, side, place)
    if deck.nodes[side, place, OUTLINE] != TRAP:
        return value
    missing = SIDES[int(deck.numbers[TRAP_DIE])][MISS] / 6.0
    turned = plain_value(s, deck, side - side % 2 + NIGHT, place)
    return missing * turned + (1.0 - missing) * (value + effect_value(s, RECOVER, NONE, int(deck.numbers[TRAP_RECOVERS])))


@rule
def plain_value(s, deck, side, place):
    """What a node is worth by its type and outline, but for what its trap does."""
    kind = int(deck.nodes[side, place, TYPE])
    outline = int(deck.nodes[side, place, OUTLINE])
    weak = 1.0 + max(0, 6 - total(s.ready)) / 4.0  # with few dice ready, enemies cost more
    value = 0.0
    if kind == MINION:
        value = MINION_VALUE * weak
    elif kind == WOLF and count_in(s.wolves, IN_DECK) > 0:
        value = WOLF_VALUE * weak + (FACED_VALUE if s.options[OPTION_WOLVES] else 0.0)
    elif kind == FABLE_NODE:
        value = FABLE_VALUE
    elif kind == CAMPFIRE:
        value = camp_value(s, deck)
    if outline == MOB:
        value += MOB_VALUE * weak * int(deck.nodes[side, place, MOBS])
    elif outline == BLIGHTED_NODE and (kind == MINION or kind == WOLF):
        value += BLIGHT_VALUE * weak
    elif outline == WEARY and (kind == MINION or kind == WOLF):
        value += WEARY_VALUE
    elif outline == TOLL:
        value += TOLL_VALUE
    return value


@rule
def best_line(lines, places, exits):
    """The best of what lines (bits of places and upper thresholds) lead to."""
    best = NOWHERE
    for place in range(PLACES):
        if (lines >> place) & 1:
            best = max(best, places[place])
    for threshold in range(THRESHOLDS):
        if (lines >> (PLACES + threshold)) & 1:
            best = max(best, exits[threshold])
    return best


@rule
def place_value(s, deck, side, place, places, exits):
    """What a node and the best way on from it are worth."""
    lines = int(deck.paths[side, place])
    onward = best_line(lines, places, exits) if lines else 0.0
    return node_value(s, deck, side, place) + onward


@rule
def places_of(s, deck, side, exits):
    """What each place of a card is worth, the way on included. Lines never lead in a circle, so as many sweeps as places settle it."""
    places = (0.0, 0.0, 0.0, 0.0)
    for _ in range(PLACES):
        places = (
            place_value(s, deck, side, 0, places, exits),
            place_value(s, deck, side, 1, places, exits),
            place_value(s, deck, side, 2, places, exits),
            place_value(s, deck, side, 3, places, exits),
        )
    return places


@rule
def exits_of(s, deck):
    """What the upper thresholds of the hero's card are worth."""
    exits = (UNKNOWN_CARD, UNKNOWN_CARD, UNKNOWN_CARD)
    for card in range(int(s.path_length) - 1, int(s.at_card), -1):
        side = int(s.path[card])
        places = places_of(s, deck, side, exits)
        exits = (
            best_line(int(deck.paths[side, FROM_THRESHOLD]), places, exits),
            best_line(int(deck.paths[side, FROM_THRESHOLD + 1]), places, exits),
            best_line(int(deck.paths[side, FROM_THRESHOLD + 2]), places, exits),
        )
    return exits


@rule
def best_way(s, deck, mask, first_place):
    """The travel action with the most worth; thresholds follow the places. NONE if there is none."""
    exits = exits_of(s, deck)
    places = places_of(s, deck, int(s.path[s.at_card]), exits)
    best, best_value = NONE, NOWHERE
    for i in range(PLACES + THRESHOLDS):
        if mask[first_place + i]:
            value = places[i] if i < PLACES else exits[i - PLACES]
            if best == NONE or value > best_value:
                best, best_value = first_place + i, value
    return best


@rule
def cards_ahead(s):
    return int(s.path_length) - 1 - int(s.at_card)
