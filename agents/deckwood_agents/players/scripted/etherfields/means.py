"""Paying in Etherfields: what cards and dice are worth keeping, and the cheapest way to pay."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.etherfields import actions as act
from deckwood.etherfields.rules.cards import hand_count
from deckwood.etherfields.rules.payment import FIRST_DIE, FIRST_ITEM, NUM_PLACES, at_place, cost_of, gives, has_alternative, spend_action
from deckwood.etherfields.state import AWARENESS, CARDS_HELD, CUNNING, RESOURCE_DICE, WRATH
from deckwood.etherfields.steps import DAWN, WINDOW
from deckwood.strong.pool import has_room, item_count
from deckwood.strong.steps import STEP, A, C, top
from deckwood.strong.terms import NONE, ONGOING
from deckwood_agents.players.scripted.etherfields.value import CROWDED_SHARE, ITEM_GOAL_VALUE, held_value, wanted
from deckwood_agents.players.scripted.strong.value import DIE_VALUE

DIE_PRICE = 0.6  # of a ready die that is exhausted to pay, as a share of DIE_VALUE: many come back
EARLY_SHARE = 2.0  # ... more before new cards are drawn
KEPT_SHARE = 0.35  # of an influence card's action, as it counts for keeping it in hand
POINT_VALUE = 0.5  # of a resource that a card in hand could be spent for
TOO_DEAR = 1000.0
MAX_PAID = 12  # cards and dice of a payment that is planned


@rule
def hand_value_of(s, deck, face):
    """What an influence card is worth in hand: its resources, or its action."""
    points = int(deck.yields[face, 0]) + int(deck.yields[face, 1]) + int(deck.yields[face, 2])
    action = held_value(s, deck, face)
    if deck.cards[face].uses == ONGOING and not has_room(s):
        action *= CROWDED_SHARE
    return POINT_VALUE * points + KEPT_SHARE * min(20.0, action)


@rule
def price_of(s, deck, place):
    """What a card or die of a place is worth to its owner."""
    if place < FIRST_ITEM:
        return 0.2 + hand_value_of(s, deck, int(s.hand[place]))
    if place < FIRST_DIE:
        value = 1.0 + held_value(s, deck, int(s.items[place - FIRST_ITEM]))
        required = wanted(s, deck, CARDS_HELD)
        return value + (ITEM_GOAL_VALUE if not s.facing and required >= item_count(s) else 0.0)
    price = DIE_PRICE * DIE_VALUE[RESOURCE_DICE[place - FIRST_DIE]]
    return EARLY_SHARE * price if top(s, STEP) == WINDOW and top(s, A) == DAWN else price


@rule
def cheapest(s, deck, awareness, cunning, wrath, first, barred):
    """The cheapest way to pay from a place on, found card by card: its price, and bits of the places it takes from.

    ``barred`` is a place that cannot pay, or NONE. TOO_DEAR: it cannot be paid.
    """
    price, places = 0.0, 0
    greens, yellows, reds = 0, 0, 0
    for _ in range(MAX_PAID):
        if awareness <= 0 and cunning <= 0 and wrath <= 0:
            return price, places
        best, best_ratio, best_price = NONE, 0.0, 0.0
        for place in range(first, NUM_PLACES):
            left = at_place(s, place)
            if place >= FIRST_DIE:
                left -= greens if place == FIRST_DIE else yellows if place == FIRST_DIE + 1 else reds
            elif (places >> place) & 1 or place == barred:
                continue
            if left <= 0:
                continue
            useful = min(max(0, awareness), gives(s, deck, place, AWARENESS))
            useful += min(max(0, cunning), gives(s, deck, place, CUNNING)) + min(max(0, wrath), gives(s, deck, place, WRATH))
            if useful > 0:
                cost = price_of(s, deck, place)
                if best == NONE or cost / useful < best_ratio:
                    best, best_ratio, best_price = place, cost / useful, cost
        if best == NONE:
            return TOO_DEAR, places
        price += best_price
        places |= 1 << best
        awareness -= gives(s, deck, best, AWARENESS)
        cunning -= gives(s, deck, best, CUNNING)
        wrath -= gives(s, deck, best, WRATH)
        if best == FIRST_DIE:
            greens += 1
        elif best == FIRST_DIE + 1:
            yellows += 1
        elif best == FIRST_DIE + 2:
            reds += 1
    return TOO_DEAR, places


@rule
def price_to_pay(s, deck, resource, amount):
    """The price of an amount of one resource."""
    price, _ = cheapest(
        s, deck, amount if resource == AWARENESS else 0, amount if resource == CUNNING else 0, amount if resource == WRATH else 0, 0, NONE
    )
    return price


@rule
def price_of_cost(s, deck, face, option, barred):
    """The price of a printed cost, as it counts now."""
    price, _ = cheapest(
        s,
        deck,
        cost_of(s, int(deck.costs[face, option, 0])),
        cost_of(s, int(deck.costs[face, option, 1])),
        cost_of(s, int(deck.costs[face, option, 2])),
        0,
        barred,
    )
    return price


@rule
def price_of_face(s, deck, face, barred):
    """The price of an influence action or a unique action, by the cheaper of its costs."""
    price = price_of_cost(s, deck, face, 0, barred)
    if has_alternative(deck, face):
        price = min(price, price_of_cost(s, deck, face, 1, barred))
    return price


@rule
def next_payment(s, deck, mask, more):
    """The next card or die to spend on what is due, and ``more`` Cunning, as an action; NONE where nothing suits."""
    _, places = cheapest(s, deck, int(s.due[AWARENESS]), max(int(s.due[CUNNING]), more), int(s.due[WRATH]), top(s, C), NONE)
    for place in range(top(s, C), NUM_PLACES):
        if (places >> place) & 1 and mask[spend_action(place)]:
            return spend_action(place)
    return NONE


@rule
def min_kept(s, deck, mask):
    """The card of the hand that is worth least among those that may be discarded, as an action."""
    best, least = NONE, 0.0
    for place in range(hand_count(s)):
        if mask[act.SPEND_CARD + place]:
            value = hand_value_of(s, deck, int(s.hand[place]))
            if best == NONE or value < least:
                best, least = act.SPEND_CARD + place, value
    return best
