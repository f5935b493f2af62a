"""Choices of effects that are not about dice: stats, enemies, rewards, offers."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import allow
from deckwood.strong import actions as act
from deckwood.strong import terms
from deckwood.strong import vocabulary as ops
from deckwood.strong.cards import is_boss, is_standing, refresh, trigger
from deckwood.strong.dice import choose_or_pass, count_down
from deckwood.strong.effects import costs_affordable, fall, stop_effects
from deckwood.strong.pool import gain_stat, lose_stat
from deckwood.strong.roll import choose_branch
from deckwood.strong.steps import DECIDING, A, B, pop, top


@rule
def perform_raising(s):
    choose_or_pass(s, s.stats[0] < terms.STAT_MAX or s.stats[1] < terms.STAT_MAX or s.stats[2] < terms.STAT_MAX)


@rule
def legal_raising(s, mask):
    n = 0
    for stat in range(3):
        if s.stats[stat] < terms.STAT_MAX:
            n += allow(mask, act.PICK_STAT + stat)
    return n


@rule
def play_raising(s, action):
    count_down(s)
    gain_stat(s, action - act.PICK_STAT, 1)


@rule
def perform_lowering(s):
    choose_or_pass(s, True)


@rule
def legal_lowering(s, mask):
    n = 0
    for stat in range(3):
        if stat == terms.HEALTH or s.stats[stat] > 1:
            n += allow(mask, act.PICK_STAT + stat)
    return n


@rule
def play_lowering(s, action):
    count_down(s)
    lose_stat(s, action - act.PICK_STAT, 1)


@rule
def may_aim(s, deck, slot, op):
    if not is_standing(s, deck, slot):
        return False
    if op == ops.DEFEAT:
        return not is_boss(s, deck, slot)
    if op == ops.CANCEL:
        return not s.marks[slot] & terms.CANCELLED
    return True


@rule
def aim(s, deck, slot, op, amount):
    """An instruction meets the enemy that was chosen for it."""
    if op == ops.DEFEAT:
        fall(s, deck, slot)
        return
    if op == ops.WOUND:
        s.wounds[slot] += amount
        s.marks[slot] &= ~terms.HELD
    elif op == ops.SET_HEALTH:
        s.marks[slot] = (int(s.marks[slot]) | terms.HEALTH_SET) & ~terms.HELD
        s.set_health[slot] = amount
    else:
        s.marks[slot] |= terms.CANCELLED
        refresh(s, deck)
    s.unsettled = 1


@rule
def perform_aiming(s, deck):
    for slot in range(terms.SLOTS):
        if may_aim(s, deck, slot, top(s, A)):
            s.node = DECIDING
            return
    pop(s)


@rule
def legal_aiming(s, deck, mask):
    n = 0
    for slot in range(terms.SLOTS):
        if may_aim(s, deck, slot, top(s, A)):
            n += allow(mask, act.TARGET_CARD + slot)
    return n


@rule
def play_aiming(s, deck, action):
    op, amount = top(s, A), top(s, B)
    pop(s)
    aim(s, deck, action - act.TARGET_CARD, op, amount)


@rule
def legal_take_reward(mask):
    return allow(mask, act.ACCEPT) + allow(mask, act.DECLINE)


@rule
def play_take_reward(s, deck, action):
    slot, face = top(s, A), top(s, B)
    pop(s)
    if action == act.ACCEPT:
        trigger(s, deck, face, terms.REWARD, slot)
        if s.doubled > 0:
            s.doubled -= 1
            trigger(s, deck, face, terms.REWARD, slot)


@rule
def legal_offered(s, deck, mask):
    n = allow(mask, act.DECLINE)
    if costs_affordable(s, deck, int(s.agenda[s.depth - 2, A]), int(s.agenda[s.depth - 2, B])):
        n += allow(mask, act.ACCEPT)
    return n


@rule
def play_offered(s, action):
    pop(s)
    if action == act.DECLINE:
        stop_effects(s)


@rule
def legal_choosing(mask):
    return allow(mask, act.FIRST) + allow(mask, act.SECOND)


@rule
def play_choosing(s, action):
    first_rows = top(s, A)
    pop(s)
    choose_branch(s, action == act.FIRST, first_rows)
