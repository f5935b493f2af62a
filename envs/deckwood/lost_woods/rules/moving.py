"""Move: up to three spaces, picking up and dropping on the way."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import allow
from deckwood.lost_woods import actions as act
from deckwood.lost_woods.phases import EXPLORING, MOVING, TELEPORTING, THIRD_SPELL
from deckwood.lost_woods.rules.attacking import begin_attack
from deckwood.lost_woods.rules.inventory import (
    carries,
    has_room_for,
    has_third_spell,
    holds,
    lay_down,
    lies,
    pick_up,
    return_to_well,
    use_spell,
    was_cast,
)
from deckwood.lost_woods.rules.turn import begin_visit, wait_for
from deckwood.lost_woods.rules.woods import neighbour
from deckwood.lost_woods.state import (
    AMOUNT,
    EFFECT,
    EIGHTH,
    FIRST_SPELL,
    GOLD,
    NONE,
    NUM_DIRECTIONS,
    NUM_ITEMS,
    NUM_SPACES,
    NUM_SPELLS,
    STRIDE,
    TELEPORT,
)

AFTER_TAKES = act.TAKE + NUM_ITEMS  # what ``handled`` counts from when spells are dropped after takes


@rule
def may_drop(s, seat, item):
    """On one visit to a space drops come before takes, each in the order of items, so that exchanges end. Once a third spell has gone
    back to its well, those still held can be dropped after all."""
    if carries(s, seat, item) == 0:
        return False
    return s.handled <= act.DROP + item or (item >= FIRST_SPELL and s.put_back == 1 and s.handled <= AFTER_TAKES + item)


@rule
def may_take(s, seat, space, item):
    """You can't pick up gold in rooms with an enemy, nor magic that you used this turn."""
    if lies(s, space, item) == 0 or s.handled > act.TAKE + item or (s.dropped >> item) & 1:
        return False
    if item == GOLD:
        return s.foes[space] == 0
    if item >= FIRST_SPELL and was_cast(s, item - FIRST_SPELL):
        return False
    return has_room_for(s, seat, item)


@rule
def may_stride(s, deck, seat):
    return holds(s, seat, EIGHTH) == 1 and deck.eighth[EFFECT] == STRIDE and not was_cast(s, TELEPORT)


@rule
def may_go_to(s, space):
    """Teleport: to any explored space that holds no enemy."""
    return s.placed[space] == 1 and s.foes[space] == 0


@rule
def legal_move(s, deck, mask):
    seat, here = int(s.turn), int(s.at[s.turn])
    n = allow(mask, act.DONE)
    for item in range(NUM_ITEMS):
        if may_drop(s, seat, item):
            n += allow(mask, act.DROP + item)
        if may_take(s, seat, here, item):
            n += allow(mask, act.TAKE + item)
    if s.moves > 0:
        for direction in range(NUM_DIRECTIONS):
            if neighbour(s, deck, here, direction) != NONE:
                n += allow(mask, act.MOVE + direction)
    if holds(s, seat, TELEPORT) == 1 and s.moved == 0:
        n += allow(mask, act.CAST + TELEPORT)
    if may_stride(s, deck, seat):
        n += allow(mask, act.CAST + EIGHTH)
    return n


@rule
def play_move(s, deck, action):
    seat, here = int(s.turn), int(s.at[s.turn])
    if action == act.DONE:
        wait_for(s, EXPLORING)
    elif action == act.CAST + TELEPORT:
        use_spell(s, deck, TELEPORT)
        wait_for(s, TELEPORTING)
    elif action == act.CAST + EIGHTH:
        use_spell(s, deck, EIGHTH)
        s.moves += deck.eighth[AMOUNT]
    elif action < act.DROP:
        arrive(s, seat, neighbour(s, deck, here, action - act.MOVE))
        s.moves -= 1
        s.moved += 1
    elif action < act.TAKE:
        lay_down(s, seat, here, action - act.DROP)
        s.dropped |= 1 << (action - act.DROP)
        s.handled = action if s.handled <= action else AFTER_TAKES + action - act.DROP
    else:
        pick_up(s, seat, here, action - act.TAKE)
        s.handled = action
        if has_third_spell(s, seat):
            wait_for(s, THIRD_SPELL)


@rule
def arrive(s, seat, space):
    s.at[seat] = space
    begin_visit(s)


@rule
def legal_third_spell(s, mask):
    n = 0
    for spell in range(NUM_SPELLS):
        if holds(s, int(s.turn), spell) == 1:
            n += allow(mask, act.DROP + FIRST_SPELL + spell)
    return n


@rule
def play_third_spell(s, deck, action):
    return_to_well(s, deck, action - act.DROP - FIRST_SPELL)
    s.dropped |= 1 << (action - act.DROP)
    s.put_back = 1
    if s.way == NONE:
        wait_for(s, MOVING)
    else:
        begin_attack(s, deck)


@rule
def legal_teleport(s, mask):
    n = 0
    for space in range(NUM_SPACES):
        if may_go_to(s, space):
            n += allow(mask, act.SPACE + space)
    return n


@rule
def play_teleport(s, action):
    """It takes the place of moving."""
    arrive(s, int(s.turn), action - act.SPACE)
    s.moves = 0
    wait_for(s, MOVING)
