"""Instructions that only Etherfields has."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.etherfields import state as own
from deckwood.etherfields import steps as at
from deckwood.etherfields.rules.boss import summon
from deckwood.etherfields.rules.cards import banish, face_with_row, flip, take_flipped
from deckwood.etherfields.rules.dream import flip_map_card, return_home
from deckwood.strong import terms
from deckwood.strong.cards import announce
from deckwood.strong.effects import multiplier
from deckwood.strong.engagement import perform_effects as perform_system_effects
from deckwood.strong.roll import choose_branch
from deckwood.strong.steps import A, B, C, push, set_top, top
from deckwood.strong.vocabulary import BANISH_APPLIED, FIRST_DECK_OP, FLEE, RETURN_TO_DECK


@rule
def perform_effects(s, deck):
    """Carries out the next of a run of effects, the system's or one of our own."""
    if top(s, A) < top(s, B) and deck.effects[top(s, A), terms.OP] >= FIRST_DECK_OP:
        perform_effect(s, deck)
    elif misses_its_enemy(s, deck):
        set_top(s, A, top(s, A) + 1)
    else:
        perform_system_effects(s, deck)


@rule
def misses_its_enemy(s, deck):
    """True if the next instruction is about its enemy, and another one, or none, has taken its place since."""
    row, slot = top(s, A), top(s, C)
    if row >= top(s, B) or slot < 0 or slot >= terms.SLOTS:
        return False
    op = int(deck.effects[row, terms.OP])
    if op != FLEE and op != RETURN_TO_DECK and op != BANISH_APPLIED:
        return False
    face, there = face_with_row(deck, row), int(s.slot[slot])
    return there != face and there != (face + own.NUM_CARDS) % (2 * own.NUM_CARDS)


@rule
def perform_effect(s, deck):
    """Carries out an instruction that only Etherfields has."""
    row = top(s, A)
    set_top(s, A, row + 1)
    op = int(deck.effects[row, terms.OP])
    what = int(deck.effects[row, terms.WHAT])
    count = int(deck.effects[row, terms.COUNT]) * multiplier(s, deck, int(deck.effects[row, terms.PER]))
    if op == own.DRAW_INFLUENCE:
        push(s, at.DRAW_CARDS, count)
    elif op == own.DISCARD_INFLUENCE:
        push(s, at.DISCARD_CARDS, count)
    elif op == own.RECALL:
        push(s, at.TAKE_RANDOM, count)
    elif op == own.BANISH_INFLUENCE:
        push(s, at.BANISH_RANDOM, count)
    elif op == own.SET_ETHER:
        change_ether(s, deck, what)
    elif op == own.ADVANCE_ETHER:
        change_ether(s, deck, (int(s.ether) + 1) % terms.NUM_COLOURS)
    elif op == own.IF_ETHER:
        choose_branch(s, s.ether == what, count)
    elif op == own.FLIP_CARD:
        flip(s, deck, face_with_row(deck, row))
    elif op == own.FLIP_AND_TAKE:
        take_flipped(s, deck, face_with_row(deck, row))
    elif op == own.BANISH_CARD:
        banish(s, deck, face_with_row(deck, row))
    elif op == own.FLIP_ENEMY:
        push(s, at.FLIPPING)
    elif op == own.FLIP_MAP:
        flip_map_card(s, deck)
    elif op == own.DISCARD_MAP:
        push(s, at.LOSE_MAP_CARD)
    elif op == own.MOVE:
        push(s, at.MOVING, count)
    elif op == own.RETURN_HOME:
        return_home(s, deck)
    elif op == own.SUMMON:
        summon(s, deck)


@rule
def change_ether(s, deck, colour):
    """Sets the ether."""
    if s.ether != colour:
        s.ether = colour
        announce(s, deck, terms.ETHER_CHANGED)
