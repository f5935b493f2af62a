"""The way through the Dreamworld: sets of spaces, the steps between them, and what lies in them.

A set of spaces is two numbers, nine bits a map card: the first five cards, then the others.
"""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.etherfields import actions as act
from deckwood.etherfields.rules.cards import can_draw
from deckwood.etherfields.rules.dream import card_beside, map_row, over_edge
from deckwood.etherfields.state import ARROW, CELLS, EDGES, IN_PLAY, MAP_DECK, MAX_SPACES, NUM_MAPS, SPACE_ACTIONS
from deckwood.strong.terms import NONE, OP

HALF = 5  # map cards in the first number of a set
FAR = 12  # spaces; farther ones are not looked at
WHOLE_CARD = (1 << CELLS) - 1


@rule
def has_space(low, high, card, space):
    return ((low >> (CELLS * card + space)) & 1 if card < HALF else (high >> (CELLS * (card - HALF) + space)) & 1) != 0


@rule
def only(card, space):
    """The set of a single space."""
    if card < HALF:
        return 1 << (CELLS * card + space), 0
    return 0, 1 << (CELLS * (card - HALF) + space)


@rule
def neighbours(s, deck, low, high):
    """The spaces that border on those of a set."""
    near_low, near_high = 0, 0
    for card in range(NUM_MAPS):
        spaces = (low >> (CELLS * card) if card < HALF else high >> (CELLS * (card - HALF))) & WHOLE_CARD
        if spaces == 0:
            continue
        doors = 0
        for space in range(MAX_SPACES):
            if (spaces >> space) & 1:
                doors |= int(deck.doors[map_row(s, card), space])
        if card < HALF:
            near_low |= doors << (CELLS * card)
        else:
            near_high |= doors << (CELLS * (card - HALF))
        for direction in range(4):
            other = card_beside(s, card, direction)
            if other == NONE:
                continue
            for space in range(MAX_SPACES):
                if not (spaces >> space) & 1:
                    continue
                for segment in range(3):
                    found = over_edge(s, deck, card, space, other, direction, segment)
                    if found != NONE:
                        one_low, one_high = only(other, found)
                        near_low |= one_low
                        near_high |= one_high
    return near_low, near_high


@rule
def skull_spaces(s, deck):
    """The spaces of the map that activate enemies."""
    low, high = 0, 0
    for card in range(NUM_MAPS):
        if s.map_zone[card] == IN_PLAY:
            row = map_row(s, card)
            for space in range(MAX_SPACES):
                if deck.skulls[row, space] > 0:
                    one_low, one_high = only(card, space)
                    low |= one_low
                    high |= one_high
    return low, high


@rule
def skulls_at(s, deck, card, space):
    return int(deck.skulls[map_row(s, card), space])


@rule
def step_towards(s, deck, mask, card, space, bold):
    """The move that brings the hero nearer to a space, over calm spaces only unless ``bold``; NONE where there is none."""
    skull_low, skull_high = (0, 0) if bold else skull_spaces(s, deck)
    low, high = only(card, space)
    reached_low, reached_high = low, high
    for _ in range(FAR + 1):
        near_low, near_high = neighbours(s, deck, low, high)
        if has_space(near_low, near_high, int(s.at_card), int(s.at_space)):
            return step_into(s, deck, mask, low, high)
        low, high = near_low & ~reached_low & ~skull_low, near_high & ~reached_high & ~skull_high
        reached_low |= low
        reached_high |= high
        if low == 0 and high == 0:
            break
    return NONE


@rule
def step_into(s, deck, mask, low, high):
    """A legal move into a space of a set, or NONE."""
    for space in range(MAX_SPACES):
        if mask[act.GO_TO_SPACE + space] and has_space(low, high, int(s.at_card), space):
            return act.GO_TO_SPACE + space
    for edge in range(EDGES):
        if mask[act.GO_ACROSS + edge]:
            other = card_beside(s, int(s.at_card), edge // 3)
            found = over_edge(s, deck, int(s.at_card), int(s.at_space), other, edge // 3, edge % 3)
            if found != NONE and has_space(low, high, other, found):
                return act.GO_ACROSS + edge
    return NONE


@rule
def open_arrow(s, deck, card, space):
    """True if the arrow of a space points to where no map card lies."""
    arrow = int(deck.explore[map_row(s, card), space, ARROW])
    return arrow != NONE and card_beside(s, card, arrow) == NONE and can_draw(s, deck, MAP_DECK)


@rule
def does(deck, face, op):
    """True if one of a face's instructions is of this kind."""
    first = int(deck.cards[face].first)
    for row in range(first, first + int(deck.cards[face].count)):
        if deck.effects[row, OP] == op:
            return True
    return False


@rule
def side_does(deck, row, op):
    """True if a unique action on a side of a map card does this; ``row`` is that side's in the map tables."""
    for space in range(MAX_SPACES):
        for k in range(SPACE_ACTIONS):
            face = int(deck.unique[row, space, k])
            if face != NONE and does(deck, face, op):
                return True
    return False


@rule
def map_does(s, deck, op, but):
    """True if a unique action of the map does this, on another map card than ``but``."""
    for card in range(NUM_MAPS):
        if card != but and s.map_zone[card] == IN_PLAY and side_does(deck, map_row(s, card), op):
            return True
    return False
