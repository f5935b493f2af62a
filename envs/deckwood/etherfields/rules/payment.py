"""Spending resources: influence cards in hand, cards in the inventory, ready dice.

What can be spent has a place: the cards of the hand, those of the inventory, then the dice of each resource. A payment goes from place
to place upward, so a set of cards and dice has one spelling; it ends as soon as nothing is due, and what is spent too much is lost.
"""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import allow
from deckwood.etherfields import actions as act
from deckwood.etherfields import state as own
from deckwood.etherfields.rules.cards import leave_hand
from deckwood.etherfields.steps import MOVEMENT, PAID, PAYING
from deckwood.strong.items import discard_item
from deckwood.strong.steps import DECIDING, A, B, C, pop, push, set_top, top
from deckwood.strong.terms import MAX_ITEMS, NONE

FIRST_ITEM = own.MAX_HAND
FIRST_DIE = own.MAX_HAND + MAX_ITEMS
NUM_PLACES = FIRST_DIE + 3


@rule
def at_place(s, place):
    """How many cards or dice lie at a place."""
    if place < FIRST_ITEM:
        return 1 if s.hand[place] != NONE else 0
    if place < FIRST_DIE:
        return 1 if s.items[place - FIRST_ITEM] != NONE else 0
    return int(s.ready[own.RESOURCE_DICE[place - FIRST_DIE]])


@rule
def gives(s, deck, place, resource):
    """How much of a resource spending one card or die of a place gives."""
    if place < FIRST_ITEM:
        return int(deck.yields[s.hand[place], resource])
    if place < FIRST_DIE:
        return int(deck.yields[s.items[place - FIRST_ITEM], resource])
    return 1 if place - FIRST_DIE == resource else 0


@rule
def means(s, deck, resource):
    """All of a resource that could be spent."""
    total = 0
    for i in range(own.MAX_HAND):
        if s.hand[i] == NONE:
            break
        total += int(deck.yields[s.hand[i], resource])
    for i in range(MAX_ITEMS):
        if s.items[i] == NONE:
            break
        total += int(deck.yields[s.items[i], resource])
    return total + int(s.ready[own.RESOURCE_DICE[resource]])


@rule
def all_means(s, deck):
    """The means of each resource."""
    return means(s, deck, own.AWARENESS), means(s, deck, own.CUNNING), means(s, deck, own.WRATH)


@rule
def cost_of(s, amount):
    """A printed cost as it counts now."""
    return max(1, amount + int(s.modifiers[own.COST_CHANGE])) if amount > 0 else 0


@rule
def has_alternative(deck, face):
    return deck.costs[face, 1, 0] != NONE


@rule
def affords(s, deck, face, option, means_now):
    """True if one of a face's costs can be paid; ``means_now`` are the means for each resource."""
    for resource in range(3):
        if cost_of(s, int(deck.costs[face, option, resource])) > means_now[resource]:
            return False
    return True


@rule
def affords_some(s, deck, face, means_now):
    return affords(s, deck, face, 0, means_now) or (has_alternative(deck, face) and affords(s, deck, face, 1, means_now))


@rule
def owe(s, resource, amount):
    """An amount of one resource is due, and nothing else."""
    for other in range(3):
        s.due[other] = amount if other == resource else 0


@rule
def owe_cost(s, deck, face, option):
    """One of a face's costs is due."""
    for resource in range(3):
        s.due[resource] = cost_of(s, int(deck.costs[face, option, resource]))


@rule
def is_due(s):
    return s.due[0] > 0 or s.due[1] > 0 or s.due[2] > 0


@rule
def last_start(s, deck, resource):
    """The last place such that what lies from there on covers what is due of a resource."""
    covered = 0
    for place in range(NUM_PLACES - 1, -1, -1):
        if at_place(s, place) > 0:
            covered += at_place(s, place) * gives(s, deck, place, resource)
            if covered >= s.due[resource]:
                return place
    return NONE


@rule
def helps(s, deck, place, movement):
    """True if a card or die of a place gives something that is due, or Cunning for more movement."""
    if at_place(s, place) == 0:
        return False
    for resource in range(3):
        if (s.due[resource] > 0 or (movement and resource == own.CUNNING)) and gives(s, deck, place, resource) > 0:
            return True
    return False


@rule
def any_help(s, deck):
    """True if a movement that is paid for could go further."""
    for place in range(top(s, C), NUM_PLACES):
        if helps(s, deck, place, True):
            return True
    return False


@rule
def last_payable(s, deck):
    """The last place at which a payment may go on without falling short."""
    last = NUM_PLACES - 1
    for resource in range(3):
        if s.due[resource] > 0:
            last = min(last, last_start(s, deck, resource))
    return last


@rule
def spend_action(place):
    """The action that spends a card or die of a place."""
    if place < FIRST_ITEM:
        return act.SPEND_CARD + place
    if place < FIRST_DIE:
        return act.DISCARD_ITEM + place - FIRST_ITEM
    return act.EXHAUST_DIE + own.RESOURCE_DICE[place - FIRST_DIE]


@rule
def perform_paying(s, deck):
    """A payment is complete when nothing is due; for movement more Cunning may follow."""
    if is_due(s) or (top(s, A) == MOVEMENT and any_help(s, deck)):
        s.node = DECIDING
    else:
        complete(s)


@rule
def complete(s):
    """What was paid for comes next."""
    purpose, what = top(s, A), top(s, B)
    pop(s)
    push(s, PAID, purpose, what)


@rule
def legal_paying(s, deck, mask):
    movement = top(s, A) == MOVEMENT
    n = 0
    for place in range(top(s, C), last_payable(s, deck) + 1):
        if helps(s, deck, place, movement):
            n += allow(mask, spend_action(place))
    if not is_due(s):
        n += allow(mask, act.DONE)
    return n


@rule
def play_paying(s, deck, action):
    if action == act.DONE:
        complete(s)
        return
    place = top(s, C)
    while spend_action(place) != action:
        place += 1
    set_top(s, C, place)
    for resource in range(3):
        s.due[resource] = max(0, int(s.due[resource]) - gives(s, deck, place, resource))
    s.paid += gives(s, deck, place, own.CUNNING)
    if place < FIRST_ITEM:
        leave_hand(s, place, own.IN_DISCARD)
    elif place < FIRST_DIE:
        discard_item(s, deck, place - FIRST_ITEM)
    else:
        colour = own.RESOURCE_DICE[place - FIRST_DIE]
        s.ready[colour] -= 1
        s.exhausted[colour] += 1


@rule
def begin_payment(s, purpose, what):
    """Asks for what is due, which has been set."""
    s.paid = 0
    push(s, PAYING, purpose, what)
