"""Instructions that only Tanglewoods has."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.strong.engagement import perform_effects as perform_system_effects
from deckwood.strong.steps import A, B, pop, push, set_top, top
from deckwood.strong.terms import COUNT, OP, WHAT
from deckwood.strong.vocabulary import FIRST_DECK_OP
from deckwood.tanglewoods import state as own
from deckwood.tanglewoods import steps as at
from deckwood.tanglewoods.rules.forest import flip_here, turn_next


@rule
def perform_effects(s, deck):
    """Carries out the next of a run of effects, the system's or one of our own."""
    if top(s, A) < top(s, B) and deck.effects[top(s, A), OP] >= FIRST_DECK_OP:
        perform_effect(s, deck)
    else:
        perform_system_effects(s, deck)


@rule
def perform_effect(s, deck):
    """Carries out an instruction that only Tanglewoods has."""
    row = top(s, A)
    set_top(s, A, row + 1)
    op = int(deck.effects[row, OP])
    what = int(deck.effects[row, WHAT])
    count = int(deck.effects[row, COUNT])
    if op == own.ACTIVATE_WOLF:
        push(s, at.DRAW_WOLF)
    elif op == own.ACTIVATE_NEXT:
        s.next_mobs += count
    elif op == own.DISCARD_SCOUTED:
        push(s, at.DISCARD_FROM_LINE, count)
    elif op == own.PLACE_FOREST:
        push(s, at.PLACE_CARD, what)
    elif op == own.FLIP_FOREST:
        push(s, at.NODE)
        if s.endgame or not flip_here(s, what):
            pop(s)
    elif op == own.TURN_NEXT:
        turn_next(s, what)
    elif op == own.MERCHANT:
        push(s, at.STOCK_SHOP, count)
    elif op == own.WOLF_RETURNS:
        push(s, at.WOLF_BACK)
