"""Decks and discards. A face-down deck is the set of cards it still holds; drawing from it is a chance event."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.strong.terms import NONE, STRATEGY
from deckwood.tanglewoods import state as own


@rule
def count_in(zones, zone):
    """How many cards of a kind lie in a zone."""
    n = 0
    for i in range(len(zones)):
        if zones[i] == zone:
            n += 1
    return n


@rule
def reshuffle(zones):
    """The discard forms a new deck."""
    for i in range(len(zones)):
        if zones[i] == own.IN_DISCARD:
            zones[i] = own.IN_DECK


@rule
def ready_to_draw(zones):
    """True if the deck has a card to draw, after reshuffling its discard where it is empty."""
    if count_in(zones, own.IN_DECK) == 0:
        reshuffle(zones)
    return count_in(zones, own.IN_DECK) > 0


@rule
def zone_weights(zones, zone, weights):
    """Every card of a zone is equally likely; outcome i is card i."""
    for i in range(len(zones)):
        weights[i] = 1 if zones[i] == zone else 0
    return len(zones)


@rule
def item_index(face):
    return (face - own.ITEM_FACE) % own.NUM_ITEMS


@rule
def wants_scouting(s):
    """True if the scouting line shows fewer cards than Strategy allows and there is one to add."""
    return s.line_length < min(int(s.stats[STRATEGY]), own.MAX_LINE) and ready_to_draw(s.minions)


@rule
def add_to_line(s, card):
    s.minions[card] = own.IN_LINE
    s.line[s.line_length] = card
    s.line_length += 1


@rule
def take_from_line(s, place):
    """Takes a scouted card out of the line; those behind it move up."""
    card = int(s.line[place])
    for i in range(place, int(s.line_length) - 1):
        s.line[i] = s.line[i + 1]
    s.line_length -= 1
    s.line[s.line_length] = 0
    return card


@rule
def insert_in_line(s, place, card):
    """Puts a card into the line at a place; those behind it move back."""
    for i in range(int(s.line_length), place, -1):
        s.line[i] = s.line[i - 1]
    s.line[place] = card
    s.minions[card] = own.IN_LINE
    s.line_length += 1


@rule
def shuffle_back(s, place):
    """A scouted card is shuffled into the Minion Deck, whose visible top card is thereby unknown again.

    The chosen card's place waits for its replacement; the top card, last in the line, is drawn anew when the line is refilled.
    """
    last = int(s.line_length) - 1
    s.minions[take_from_line(s, last)] = own.IN_DECK
    if place < last:
        s.minions[take_from_line(s, place)] = own.IN_DECK
    return min(place, int(s.line_length))


@rule
def draw_minion(s):
    """Begins a draw from the bottom of the Minion Deck: NUM_ENEMIES where it is left to chance, else the one card there is, or NONE.

    The top card lies in the deck too, though it counts as scouted: a deck of that card alone is not empty.
    """
    if count_in(s.minions, own.IN_DECK) == 0 and s.line_length > 0:
        return take_from_line(s, int(s.line_length) - 1)
    return own.NUM_ENEMIES if ready_to_draw(s.minions) else NONE
