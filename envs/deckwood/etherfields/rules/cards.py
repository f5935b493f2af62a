"""Decks, discards, hand and the two sides of cards.

A deck is the set of cards it still holds; only its visible top card is known. A card's type is that of the side which faces up, so a
card that flips belongs to another deck.
"""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.etherfields import state as own
from deckwood.etherfields.steps import PENALTY, RESOLVED, REVEAL
from deckwood.strong.cards import place_card, refresh, remove_card
from deckwood.strong.pool import remove_item
from deckwood.strong.steps import DRAWING, EFFECTS, FLED, SHUFFLED_BACK, STEP, TAKE_ITEM, A, B, C, find, pop, push, top
from deckwood.strong.terms import AFTER_DONE, DEFEATED, MAX_ITEMS, NONE, SLOTS

WAITING = -2
"""No card yet: chance, or what a reshuffle brings, comes first."""
FIRST_BOTTOM_RANK = (4, 2, 3, 5)
"""The difficulty rank from which each deck, in the order of ``DECKS``, is drawn from the bottom."""


@rule
def face_of(s, card):
    """The side of a card that faces up."""
    return int(s.side[card]) * own.NUM_CARDS + card


@rule
def deck_size(which):
    """How many cards could lie in a deck."""
    return own.NUM_MAPS if which == own.MAP_DECK else own.NUM_CARDS


@rule
def lies_in(s, deck, which, card, zone):
    """True if a card of this deck's type lies in a zone."""
    if which == own.MAP_DECK:
        return s.map_zone[card] == zone
    return s.zone[card] == zone and deck_of(s, deck, card) == which


@rule
def deck_of(s, deck, card):
    """The deck that a card belongs to with this side up."""
    return int(deck.deck_of[face_of(s, card)])


@rule
def any_in(s, deck, which, zone):
    for card in range(deck_size(which)):
        if lies_in(s, deck, which, card, zone):
            return True
    return False


@rule
def count_in(s, deck, which, zone):
    n = 0
    for card in range(deck_size(which)):
        if lies_in(s, deck, which, card, zone):
            n += 1
    return n


@rule
def zone_weights(s, deck, which, zone, weights):
    """Every card of a zone is equally likely; outcome i is card i."""
    n = deck_size(which)
    for card in range(n):
        weights[card] = 1 if lies_in(s, deck, which, card, zone) else 0
    return n


@rule
def draws_from_bottom(s, which):
    return s.options[own.OPTION_RANK] >= FIRST_BOTTOM_RANK[which]


@rule
def draw_weights(s, deck, which, weights):
    """A draw from the bottom: any card of the deck but the visible top one."""
    n = zone_weights(s, deck, which, own.IN_DECK, weights)
    if s.top_card[which] != NONE:
        weights[s.top_card[which]] = 0
    return n


@rule
def can_draw(s, deck, which):
    """True if the deck has a card or a discard to make a new deck of."""
    return s.top_card[which] != NONE or any_in(s, deck, which, own.IN_DISCARD)


@rule
def begin_draw(s, deck, which):
    """The card drawn from a deck; NONE where there is none, WAITING where chance or a reshuffle comes first."""
    if s.top_card[which] == NONE:
        if not reshuffle(s, deck, which):
            return NONE
        return WAITING
    if draws_from_bottom(s, which) and count_in(s, deck, which, own.IN_DECK) > 1:
        s.node = DRAWING
        return WAITING
    return int(s.top_card[which])


@rule
def reshuffle(s, deck, which):
    """The discard forms a new deck, if there is one. Reshuffling the Influence Deck has its price."""
    found = False
    for card in range(deck_size(which)):
        if lies_in(s, deck, which, card, own.IN_DISCARD):
            found = True
            if which == own.MAP_DECK:
                s.map_zone[card] = own.IN_DECK
            else:
                s.zone[card] = own.IN_DECK
    if found:
        push(s, REVEAL, which)
        if which == own.INFLUENCE_DECK:
            push(s, PENALTY)
    return found


@rule
def uncover(s, which, card):
    """A card has left its deck; the next one is turned up if it was the top."""
    if s.top_card[which] == card:
        s.top_card[which] = NONE
        push(s, REVEAL, which)


@rule
def shuffle_in(s, deck, card):
    """A card is shuffled back into its deck, whose top card is thereby unknown again."""
    which = deck_of(s, deck, card)
    s.zone[card] = own.IN_DECK
    s.top_card[which] = NONE
    push(s, REVEAL, which)


@rule
def hand_count(s):
    n = 0
    while n < own.MAX_HAND and s.hand[n] != NONE:
        n += 1
    return n


@rule
def take_in_hand(s, deck, card):
    """Adds an influence card to the hand, which lies in the order of its faces. With no room left it is discarded."""
    face = face_of(s, card)
    place = hand_count(s)
    if place == own.MAX_HAND:
        put_away(s, deck, card, FLED)
        return
    s.zone[card] = own.IN_HAND
    while place > 0 and s.hand[place - 1] > face:
        s.hand[place] = s.hand[place - 1]
        place -= 1
    s.hand[place] = face


@rule
def leave_hand(s, place, zone):
    """Takes a card out of hand, closes the gap and returns its face."""
    face = int(s.hand[place])
    for i in range(place, own.MAX_HAND - 1):
        s.hand[i] = s.hand[i + 1]
    s.hand[own.MAX_HAND - 1] = NONE
    s.zone[face % own.NUM_CARDS] = zone
    return face


@rule
def slot_of(s, face):
    """Where a face lies in the active area, or NONE."""
    for slot in range(SLOTS):
        if s.slot[slot] == face:
            return slot
    return NONE


@rule
def item_place(s, face):
    """Where a face lies in the inventory, or NONE."""
    for i in range(MAX_ITEMS):
        if s.items[i] == face:
            return i
    return NONE


@rule
def face_with_row(deck, row):
    """The face that an effect is printed on."""
    face = 0
    while not deck.cards[face].first <= row < deck.cards[face].first + deck.cards[face].count:
        face += 1
    return face


@rule
def first_run(s, deck, card):
    """The lowest step of the agenda at which effects of a card, on either side, are being carried out, or NONE."""
    place = find(s, EFFECTS)
    while place != NONE:
        for face in (card, card + own.NUM_CARDS):
            first = int(deck.cards[face].first)
            if first < s.agenda[place, B] <= first + int(deck.cards[face].count):
                return place
        place = find(s, EFFECTS, place + 1)
    return NONE


@rule
def push_below(s, place, step, a, b):
    """Puts a step under the one at a place of the agenda."""
    push(s, step, a, b)
    for i in range(int(s.depth) - 1, place, -1):
        for column in range(4):
            s.agenda[i, column] = s.agenda[i - 1, column]
    s.agenda[place, STEP] = step
    s.agenda[place, A] = a
    s.agenda[place, B] = b
    s.agenda[place, C] = 0


@rule
def put_away(s, deck, card, how):
    """A card goes to the pile of the side that faces up, or back into its deck: once nothing of what it says is left to do."""
    run = first_run(s, deck, card)
    if run != NONE:
        s.zone[card] = own.RESOLVING
        push_below(s, run, RESOLVED, card, how)
    elif how == SHUFFLED_BACK:
        shuffle_in(s, deck, card)
    else:
        s.zone[card] = own.IN_DISCARD


@rule
def resolved(s, deck, card, how):
    """All that a card says is done. It is put away, unless it has been taken or banished meanwhile."""
    if s.zone[card] == own.RESOLVING:
        put_away(s, deck, card, how)


@rule
def is_at_hand(s, face):
    """True if a card can flip or be banished by what it says: on the table with this side up, or resolving; in no pile."""
    if face >= 2 * own.NUM_CARDS or face_of(s, face % own.NUM_CARDS) != face:
        return False
    zone = int(s.zone[face % own.NUM_CARDS])
    return zone == own.IN_HAND or zone == own.IN_INVENTORY or zone == own.IN_PLAY or zone == own.RESOLVING


@rule
def remove_from_table(s, deck, face):
    """A card leaves active area, inventory or hand, wherever it lies."""
    slot = slot_of(s, face)
    if slot != NONE:
        if s.marks[slot] & DEFEATED:
            s.beaten += 1
        remove_card(s, deck, slot)
    place = item_place(s, face)
    if place != NONE:
        remove_item(s, place)
        refresh(s, deck)
    for i in range(hand_count(s)):
        if s.hand[i] == face:
            leave_hand(s, i, own.RESOLVING)
            break


@rule
def flip(s, deck, face):
    """Turns a card over. An undefeated enemy that is an enemy still stays in play; else it is discarded to the pile of its new type,
    at once or when it has resolved."""
    if not is_at_hand(s, face):
        return
    card = face % own.NUM_CARDS
    if s.zone[card] == own.RESOLVING:
        s.side[card] = 1 - s.side[card]
        return
    slot = slot_of(s, face)
    other = (face + own.NUM_CARDS) % (2 * own.NUM_CARDS)
    stays = slot != NONE and not s.marks[slot] & DEFEATED and deck.deck_of[other] == own.ENEMY_DECK
    after_done = int(s.marks[slot]) & AFTER_DONE if slot != NONE else 0
    remove_from_table(s, deck, face)
    s.side[card] = 1 - s.side[card]
    if stays:
        place_card(s, deck, slot, other)
        s.marks[slot] |= after_done  # one After effect of a card in a round, or two sides could turn each other for ever
    else:
        put_away(s, deck, card, FLED)


@rule
def take_flipped(s, deck, face):
    """Flips a card and takes what it has become; an enemy cannot be taken."""
    if not is_at_hand(s, face):
        return
    card = face % own.NUM_CARDS
    flip(s, deck, face)
    becomes = deck_of(s, deck, card)
    if becomes == own.INFLUENCE_DECK:
        take_in_hand(s, deck, card)
    elif becomes == own.ITEM_DECK:
        s.zone[card] = own.RESOLVING
        push(s, TAKE_ITEM, face_of(s, card))


@rule
def banish(s, deck, face):
    """Removes a card from the game."""
    if is_at_hand(s, face):
        remove_from_table(s, deck, face)
        s.zone[face % own.NUM_CARDS] = own.OUT


@rule
def item_gone(s, deck, face):
    """A card that was used, discarded or refused is put away, unless it has been taken or banished meanwhile."""
    card = face % own.NUM_CARDS
    if s.zone[card] == own.IN_INVENTORY and item_place(s, face_of(s, card)) == NONE:
        s.zone[card] = own.RESOLVING
    resolved(s, deck, card, FLED)


@rule
def perform_reveal(s, deck):
    """A deck without a visible card turns one up, if it has any."""
    which = top(s, A)
    if s.top_card[which] == NONE and any_in(s, deck, which, own.IN_DECK):
        s.node = DRAWING
    else:
        pop(s)


@rule
def reveal_weights(s, deck, weights):
    return zone_weights(s, deck, top(s, A), own.IN_DECK, weights)


@rule
def reveal(s, card):
    which = top(s, A)
    pop(s)
    s.top_card[which] = card


@rule
def perform_item_gone(s, deck):
    face = top(s, A)
    pop(s)
    item_gone(s, deck, face)


@rule
def perform_card_leaves(s, deck):
    face, how, defeated = top(s, A), top(s, B), top(s, C)
    pop(s)
    s.beaten += defeated
    put_away(s, deck, face % own.NUM_CARDS, how)


@rule
def perform_resolved(s, deck):
    card, how = top(s, A), top(s, B)
    pop(s)
    resolved(s, deck, card, how)
