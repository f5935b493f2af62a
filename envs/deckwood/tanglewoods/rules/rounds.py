"""The round, and where cards go that the system is done with."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import allow
from deckwood.strong.cards import pass_rounds_beside
from deckwood.strong.steps import DECIDING, DRAWING, TAKE_ITEM, A, B, C, pop, push, set_top, top
from deckwood.tanglewoods import actions as act
from deckwood.tanglewoods import state as own
from deckwood.tanglewoods import steps as at
from deckwood.tanglewoods.rules.draws import add_to_line, item_index, ready_to_draw, take_from_line, wants_scouting, zone_weights
from deckwood.tanglewoods.rules.encounter import put_away
from deckwood.tanglewoods.rules.endgame import new_round


@rule
def perform_round(s, deck):
    pop(s)
    push(s, at.END_ROUND)
    push(s, at.CLEANUP)
    push(s, at.ENCOUNTER)
    push(s, at.NODE)
    push(s, at.ARRIVE)
    push(s, at.TRAVEL)
    push(s, at.EXPLORE)
    new_round(s, deck)
    push(s, at.SCOUT)


@rule
def perform_endgame_round(s, deck):
    """Endgame rounds have no Activation."""
    pop(s)
    push(s, at.END_ROUND)
    push(s, at.CLEANUP)
    push(s, at.ENGAGEMENT)
    new_round(s, deck)


@rule
def perform_end_round(s, deck):
    pop(s)
    push(s, at.ENDGAME_ROUND if s.endgame else at.ROUND)
    pass_rounds_beside(s, deck)


@rule
def perform_scout(s):
    """Fills the scouting line up to Strategy."""
    if wants_scouting(s):
        s.node = DRAWING
    else:
        pop(s)


@rule
def minion_weights(s, weights):
    return zone_weights(s.minions, own.IN_DECK, weights)


@rule
def scout(s, card):
    add_to_line(s, card)


@rule
def perform_discard_from_line(s):
    if top(s, A) > 0 and s.line_length > 0:
        s.node = DECIDING
    else:
        pop(s)
        push(s, at.SCOUT)


@rule
def legal_discard_from_line(s, mask):
    n = allow(mask, act.DONE)
    for place in range(top(s, B), int(s.line_length)):
        n += allow(mask, act.SCOUTED + place)
    return n


@rule
def play_discard_from_line(s, action):
    """Discards a scouted card of the player's choice."""
    if action == act.DONE:
        set_top(s, A, 0)
    else:
        set_top(s, A, top(s, A) - 1)
        set_top(s, B, action - act.SCOUTED)
        s.minions[take_from_line(s, action - act.SCOUTED)] = own.IN_DISCARD


@rule
def perform_draw_item(s):
    if ready_to_draw(s.item_cards):
        s.node = DRAWING
    else:
        pop(s)


@rule
def item_weights(s, weights):
    return zone_weights(s.item_cards, own.IN_DECK, weights)


@rule
def draw_item(s, item):
    pop(s)
    s.item_cards[item] = own.IN_HAND
    push(s, TAKE_ITEM, own.ITEM_FACE + item)


@rule
def perform_item_gone(s):
    s.item_cards[item_index(top(s, A))] = own.IN_DISCARD
    pop(s)


@rule
def perform_card_leaves(s):
    face, how, defeated = top(s, A), top(s, B), top(s, C)
    pop(s)
    put_away(s, face, how, defeated)


@rule
def perform_beside_gone(s):
    s.minions[top(s, A) - own.FABLE_FACE] = own.IN_DISCARD
    pop(s)
