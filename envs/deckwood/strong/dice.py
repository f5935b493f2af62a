"""What effects do with dice of the player's choice, one at a time: recover, exhaust, banish, restore, turn, reroll, swap, return."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import allow
from deckwood.strong import actions as act
from deckwood.strong import steps as at
from deckwood.strong import terms
from deckwood.strong.cards import dice_on
from deckwood.strong.effects import any_swap, may_swap, reset_order
from deckwood.strong.pool import total, unapplied, unapplied_hits
from deckwood.strong.steps import DECIDING, A, B, C, pop, push, set_top, top


@rule
def count_down(s):
    set_top(s, A, top(s, A) - 1)


@rule
def choose_or_pass(s, something):
    """A step that asks for one thing at a time, as often as its first argument says, rests while there is something to choose."""
    if top(s, A) > 0 and something:
        s.node = DECIDING
    else:
        pop(s)


@rule
def allow_dice(area, first, lowest, mask):
    """Marks an action for each colour with a die in ``area``, from colour ``lowest`` on."""
    n = 0
    for colour in range(lowest, 5):
        if area[colour] > 0:
            n += allow(mask, first + colour)
    return n


@rule
def allow_all_of(area, first, lowest, wanted, mask):
    """As ``allow_dice``, where ``wanted`` dice must be chosen in all: those passed over must not be needed."""
    n = 0
    left = 0
    for colour in range(lowest, 5):
        left += int(area[colour])
    wanted = min(wanted, left)
    for colour in range(lowest, 5):
        if area[colour] > 0 and left >= wanted:
            n += allow(mask, first + colour)
        left -= int(area[colour])
    return n


@rule
def allow_hits(area, lowest, wanted, mask):
    """Marks the hits of an area by colour and face of which ``wanted`` must be chosen, weakest first."""
    n = 0
    left = 0
    for die in range(lowest, 15):
        if die % 3 != terms.MISS:
            left += int(area[die // 3, die % 3])
    wanted = min(wanted, left)
    for die in range(lowest, 15):
        if die % 3 != terms.MISS:
            if area[die // 3, die % 3] > 0 and left >= wanted:
                n += allow(mask, act.PICK_DIE + die)
            left -= int(area[die // 3, die % 3])
    return n


@rule
def allow_shown(s, lowest_face, highest_face, first_colour, mask):
    """Marks every kind of unapplied die that shows one of these faces."""
    n = 0
    for colour in range(first_colour, 5):
        for face in range(lowest_face, highest_face + 1):
            if s.rolled[colour, face] > 0:
                n += allow(mask, act.PICK_DIE + 3 * colour + face)
    return n


@rule
def may_recover(s, colour, number, bonus):
    """True if a die of this colour may be recovered, of ``number`` in all, one of which must be of colour ``bonus`` - 1 (0: none must)."""
    return s.exhausted[colour] > 0 and (bonus == 0 or number > 1 or colour == bonus - 1)


@rule
def any_to_recover(s, number, bonus):
    for colour in range(5):
        if may_recover(s, colour, number, bonus):
            return True
    return False


@rule
def perform_recovering(s):
    choose_or_pass(s, any_to_recover(s, top(s, A), top(s, C)))


@rule
def legal_recovering(s, mask):
    n = allow(mask, act.DONE)
    for colour in range(top(s, B), 5):
        if may_recover(s, colour, top(s, A), top(s, C)):
            n += allow(mask, act.RECOVER_DIE + colour)
    return n


@rule
def play_recovering(s, action):
    if action == act.DONE:
        pop(s)
        return
    count_down(s)
    colour = action - act.RECOVER_DIE
    s.exhausted[colour] -= 1
    s.ready[colour] += 1
    set_top(s, B, colour)
    if top(s, C) > 0 and colour >= top(s, C) - 1:
        if colour > top(s, C) - 1:
            count_down(s)  # the additional die has been passed over
        set_top(s, C, 0)


@rule
def perform_exhausting(s):
    choose_or_pass(s, total(s.ready) > 0)


@rule
def legal_exhausting(s, mask):
    return allow_all_of(s.ready, act.EXHAUST_DIE, top(s, B), top(s, A), mask)


@rule
def play_exhausting(s, action):
    count_down(s)
    colour = action - act.EXHAUST_DIE
    s.ready[colour] -= 1
    s.exhausted[colour] += 1
    set_top(s, B, colour)


READY_PLACES, EXHAUSTED_PLACES, UNAPPLIED_PLACES, CARD_PLACES = 0, 5, 10, 25
BANISH_PLACES = CARD_PLACES + terms.SLOTS
"""Where a die can be banished from, in the order in which it is spelt: ready and exhausted dice by colour, unapplied ones by colour and
face, and the cards of the active area."""


@rule
def banishable(s, place):
    """Dice at one of these places."""
    if place < EXHAUSTED_PLACES:
        return int(s.ready[place - READY_PLACES])
    if place < UNAPPLIED_PLACES:
        return int(s.exhausted[place - EXHAUSTED_PLACES])
    if place < CARD_PLACES:
        die = place - UNAPPLIED_PLACES
        return int(s.rolled[die // 3, die % 3])
    return dice_on(s, place - CARD_PLACES)


@rule
def banishable_from(s, lowest):
    """Dice at these places from ``lowest`` on."""
    n = 0
    for place in range(lowest, BANISH_PLACES):
        n += banishable(s, place)
    return n


@rule
def banish_action(place):
    """The action that banishes a die from one of these places; of a card it chooses the card."""
    if place < UNAPPLIED_PLACES:
        return act.BANISH_READY + place
    return act.PICK_DIE + place - UNAPPLIED_PLACES if place < CARD_PLACES else act.TARGET_CARD + place - CARD_PLACES


@rule
def allow_banished(s, lowest, wanted, mask):
    """Marks the dice of which ``wanted`` are to be banished, in the order of their places."""
    n = 0
    left = banishable_from(s, lowest)
    wanted = min(wanted, left)
    for place in range(lowest, BANISH_PLACES):
        if banishable(s, place) > 0 and left >= wanted:
            n += allow(mask, banish_action(place))
        left -= banishable(s, place)
    return n


@rule
def perform_banishing(s):
    choose_or_pass(s, banishable_from(s, 0) > 0)


@rule
def legal_banishing(s, mask):
    return allow_banished(s, top(s, B), top(s, A), mask)


@rule
def play_banishing(s, action):
    """Banishes the chosen die, or goes on to choose one of the chosen card's."""
    count_down(s)
    if action >= act.TARGET_CARD:
        slot = action - act.TARGET_CARD
        set_top(s, B, CARD_PLACES + slot)
        push(s, at.BANISHING_APPLIED, 1, slot)
    elif action >= act.PICK_DIE:
        die = action - act.PICK_DIE
        set_top(s, B, UNAPPLIED_PLACES + die)
        s.rolled[die // 3, die % 3] -= 1
        s.banished[die // 3] += 1
    else:
        place = action - act.BANISH_READY
        set_top(s, B, place)
        if place < EXHAUSTED_PLACES:
            s.ready[place - READY_PLACES] -= 1
        else:
            s.exhausted[place - EXHAUSTED_PLACES] -= 1
        s.banished[place % 5] += 1


@rule
def any_hit_on(s, slot):
    for colour in range(5):
        if s.applied[slot, colour, terms.HIT] + s.applied[slot, colour, terms.CRIT] > 0:
            return True
    return False


@rule
def perform_banishing_applied(s):
    choose_or_pass(s, any_hit_on(s, top(s, B)))


@rule
def legal_banishing_applied(s, mask):
    return allow_hits(s.applied[top(s, B)], top(s, C), top(s, A), mask)


@rule
def play_banishing_applied(s, action):
    count_down(s)
    die = action - act.PICK_DIE
    s.applied[top(s, B), die // 3, die % 3] -= 1
    s.banished[die // 3] += 1
    set_top(s, C, die)


@rule
def perform_restoring(s):
    choose_or_pass(s, total(s.banished) > 0)


@rule
def legal_restoring(s, mask):
    return allow_dice(s.banished, act.RESTORE_DIE, top(s, B), mask) + allow(mask, act.DONE)


@rule
def play_restoring(s, action):
    if action == act.DONE:
        pop(s)
        return
    count_down(s)
    colour = action - act.RESTORE_DIE
    s.banished[colour] -= 1
    s.ready[colour] += 1
    set_top(s, B, colour)


@rule
def perform_turning_miss(s):
    choose_or_pass(s, unapplied(s, terms.MISS) > 0)


@rule
def legal_turning_miss(s, mask):
    return allow_shown(s, terms.MISS, terms.MISS, top(s, B), mask) + allow(mask, act.DONE)


@rule
def perform_turning_hit(s):
    choose_or_pass(s, unapplied(s, terms.HIT) > 0)


@rule
def legal_turning_hit(s, mask):
    return allow_shown(s, terms.HIT, terms.HIT, top(s, B), mask) + allow(mask, act.DONE)


@rule
def play_turning(s, action):
    """A miss becomes a hit, a hit a crit."""
    if action == act.DONE:
        pop(s)
        return
    count_down(s)
    colour, face = (action - act.PICK_DIE) // 3, (action - act.PICK_DIE) % 3
    s.rolled[colour, face] -= 1
    s.rolled[colour, face + 1] += 1
    set_top(s, B, colour)
    reset_order(s)


@rule
def perform_of_unapplied(s):
    choose_or_pass(s, unapplied(s, terms.MISS) + unapplied_hits(s) > 0)


@rule
def legal_rerolling(s, mask):
    return allow_shown(s, terms.MISS, terms.CRIT, 0, mask) + allow(mask, act.DONE)


@rule
def perform_of_hits(s):
    choose_or_pass(s, unapplied_hits(s) > 0)


@rule
def legal_rerolling_hits(s, mask):
    return allow_shown(s, terms.HIT, terms.CRIT, 0, mask)


@rule
def play_rerolling(s, action):
    if action == act.DONE:
        pop(s)
        return
    count_down(s)
    die = action - act.PICK_DIE
    s.rolled[die // 3, die % 3] -= 1
    s.unrolled[die // 3] += 1
    push(s, at.ROLL)
    reset_order(s)


@rule
def legal_exhausting_hits(s, mask):
    return allow_hits(s.rolled, top(s, B), top(s, A), mask)


@rule
def play_exhausting_hits(s, action):
    count_down(s)
    die = action - act.PICK_DIE
    s.rolled[die // 3, die % 3] -= 1
    s.exhausted[die // 3] += 1
    set_top(s, B, die)


@rule
def legal_returning(s, mask):
    n = allow(mask, act.DONE)
    for die in range(top(s, B), 15):
        if s.rolled[die // 3, die % 3] > 0:
            n += allow(mask, act.PICK_DIE + die)
    return n


@rule
def play_returning(s, action):
    if action == act.DONE:
        pop(s)
        return
    count_down(s)
    die = action - act.PICK_DIE
    s.rolled[die // 3, die % 3] -= 1
    s.ready[die // 3] += 1
    set_top(s, B, die)


@rule
def perform_swapping(s):
    if any_swap(s):
        s.node = DECIDING
    else:
        pop(s)


@rule
def legal_swapping(s, mask):
    n = 0
    if top(s, A) == terms.NONE:
        n += allow(mask, act.DONE)
        for colour in range(5):
            if may_swap(s, colour):
                n += allow(mask, act.PICK_DIE + 3 * colour + terms.MISS)
    else:
        for colour in range(5):
            for face in range(terms.HIT, terms.CRIT + 1):
                if colour != top(s, A) and s.rolled[colour, face] > 0:
                    n += allow(mask, act.PICK_DIE + 3 * colour + face)
    return n


@rule
def swap_with_miss(s, miss_colour, colour, face):
    """A die showing a miss and one showing a hit exchange what they show."""
    s.rolled[miss_colour, terms.MISS] -= 1
    s.rolled[colour, face] -= 1
    s.rolled[miss_colour, face] += 1
    s.rolled[colour, terms.MISS] += 1
    reset_order(s)


@rule
def play_swapping(s, action):
    if action == act.DONE:
        pop(s)
        return
    colour, face = (action - act.PICK_DIE) // 3, (action - act.PICK_DIE) % 3
    if top(s, A) == terms.NONE:
        set_top(s, A, colour)
    else:
        swap_with_miss(s, top(s, A), colour, face)
        pop(s)
