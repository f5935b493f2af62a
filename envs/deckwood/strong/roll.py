"""Dice are rolled, one at a time: committed dice, those of a test, exhausted ones that may recover by it. And what answers a roll."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import allow
from deckwood.strong import actions as act
from deckwood.strong import terms
from deckwood.strong import vocabulary as ops
from deckwood.strong.cards import announce, has_effects, is_power_up, is_standing, trigger
from deckwood.strong.effects import begin_applying
from deckwood.strong.pool import total, waiting_to_roll
from deckwood.strong.steps import DECIDING, DRAWING, A, B, pop, set_top, top


@rule
def perform_gather(s):
    """Dice are taken up to be rolled."""
    pop(s)
    for colour in range(5):
        s.committed_now[colour] = 0
        for face in range(3):
            if face != terms.MISS or not s.modifiers[ops.FIX_MISSES]:
                s.unrolled[colour] += s.rolled[colour, face]
                s.rolled[colour, face] = 0


@rule
def first_to_roll(s):
    """The weakest colour with a die that is being rolled, or NONE."""
    for colour in range(5):
        if waiting_to_roll(s, colour) > 0:
            return colour
    return terms.NONE


@rule
def die_weights(colour, weights):
    """Sides of a die that show a miss, a basic hit, a crit."""
    for face in range(3):
        weights[face] = terms.SIDES[colour][face]
    return 3


@rule
def perform_roll(s):
    if first_to_roll(s) != terms.NONE:
        s.node = DRAWING
        return
    pop(s)
    for colour in range(5):
        for face in range(3):
            s.rolled[colour, face] += s.kept[colour, face]
            s.kept[colour, face] = 0


@rule
def roll_weights(s, weights):
    return die_weights(first_to_roll(s), weights)


@rule
def roll(s, outcome):
    colour = first_to_roll(s)
    face = outcome
    if s.modifiers[ops.SWAP_HITS]:
        face = terms.HIT if outcome == terms.MISS else terms.MISS
    s.unrolled[colour] -= 1
    s.rolled[colour, face] += 1


@rule
def acts_on_roll(s, deck, slot):
    """True if this card has an effect of the roll, which an undefeated enemy or a power-up carries out unless it is cancelled."""
    if s.marks[slot] & terms.CANCELLED or not (is_standing(s, deck, slot) or is_power_up(s, deck, slot)):
        return False
    return has_effects(deck, int(s.slot[slot]), terms.ROLLED)


@rule
def note_roll(s, deck):
    """Cards that are in play now will answer this roll; those that come later will not."""
    for slot in range(terms.SLOTS):
        if acts_on_roll(s, deck, slot):
            s.marks[slot] |= terms.ROLL_SEEN
        else:
            s.marks[slot] &= ~terms.ROLL_SEEN


@rule
def perform_hero_answers_roll(s, deck):
    pop(s)
    note_roll(s, deck)
    announce(s, deck, terms.HERO_ROLLED)


@rule
def has_roll_effect(s, deck, slot):
    """True if this card's effect of the roll is still to be resolved."""
    return s.marks[slot] & terms.ROLL_SEEN != 0 and acts_on_roll(s, deck, slot)


@rule
def resolve_roll_effect(s, deck, slot):
    s.marks[slot] &= ~terms.ROLL_SEEN
    trigger(s, deck, int(s.slot[slot]), terms.ROLLED, slot)


@rule
def perform_rolled_effects(s, deck):
    """Cards' effects of the roll are resolved one at a time; where several wait, in the order of the player's choice."""
    waiting = 0
    first = terms.NONE
    for slot in range(terms.SLOTS):
        if has_roll_effect(s, deck, slot):
            waiting += 1
            if first == terms.NONE:
                first = slot
    if waiting > 1:
        s.node = DECIDING
    elif waiting == 0:
        pop(s)
        begin_applying(s)
    else:
        resolve_roll_effect(s, deck, first)


@rule
def legal_rolled_effects(s, deck, mask):
    n = 0
    for slot in range(terms.SLOTS):
        if has_roll_effect(s, deck, slot):
            n += allow(mask, act.TARGET_CARD + slot)
    return n


@rule
def play_rolled_effects(s, deck, action):
    resolve_roll_effect(s, deck, action - act.TARGET_CARD)


@rule
def choose_branch(s, first, first_rows):
    """Goes on with one of the two options of the run of effects on top: its next rows, or those after them."""
    if first:
        set_top(s, B, top(s, A) + first_rows)
    else:
        set_top(s, A, top(s, A) + first_rows)


@rule
def test_roll_weights(s, weights):
    return die_weights(top(s, A), weights)


@rule
def roll_test(s, outcome):
    rows_on_hit = top(s, B)
    pop(s)
    choose_branch(s, outcome != terms.MISS, rows_on_hit)


@rule
def first_colour(area):
    """The weakest colour with a die in an area by colour; there must be one."""
    colour = 0
    while area[colour] == 0:
        colour += 1
    return colour


@rule
def perform_recovery_roll(s):
    if total(s.to_recover) > 0:
        s.node = DRAWING
    else:
        pop(s)


@rule
def recovery_roll_weights(s, weights):
    return die_weights(first_colour(s.to_recover), weights)


@rule
def roll_to_recover(s, outcome):
    colour = first_colour(s.to_recover)
    s.to_recover[colour] -= 1
    if outcome == terms.MISS:
        s.exhausted[colour] += 1
    else:
        s.ready[colour] += 1
