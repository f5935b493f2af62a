"""The Resolve phase after dice have been applied: Suffer Damage, After Effects, Exhaust Dice, Recover Dice."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import allow
from deckwood.strong import actions as act
from deckwood.strong import steps as at
from deckwood.strong import terms
from deckwood.strong import vocabulary as ops
from deckwood.strong.cards import announce, damage_of, has_effects, is_standing, trigger
from deckwood.strong.pool import exhaust_applied, exhaust_unapplied, lose_stat, recovery_of
from deckwood.strong.steps import DECIDING, A, pop, push, set_top, top


@rule
def damage_due(s, deck):
    """What the Suffer Damage step costs: the Damage of all undefeated enemies, less shields."""
    damage = 0
    for slot in range(terms.SLOTS):
        if is_standing(s, deck, slot):
            damage += damage_of(s, deck, slot)
    return max(0, damage - int(s.shield) - int(s.modifiers[ops.SHIELD_ALWAYS]))


@rule
def perform_suffer_damage(s, deck):
    pop(s)
    damage = damage_due(s, deck)
    if damage > 0:
        lose_stat(s, terms.HEALTH, damage)
        announce(s, deck, terms.SUFFERED)


@rule
def has_after(s, deck, slot):
    """True if this card has an After effect that is still to be resolved."""
    if s.slot[slot] == terms.NONE or s.marks[slot] & (terms.AFTER_DONE | terms.CANCELLED):
        return False
    face = int(s.slot[slot])
    if has_effects(deck, face, terms.AFTER):
        return True
    return has_effects(deck, face, terms.AFTER_STANDING) and not s.marks[slot] & terms.DEFEATED


@rule
def resolve_after(s, deck, slot):
    s.marks[slot] |= terms.AFTER_DONE
    face = int(s.slot[slot])
    if not s.marks[slot] & terms.DEFEATED:
        trigger(s, deck, face, terms.AFTER_STANDING, slot)
    trigger(s, deck, face, terms.AFTER, slot)


@rule
def perform_after_effects(s, deck):
    """Cards' After effects are resolved one at a time; where several wait, in the order of the player's choice."""
    waiting = 0
    first = terms.NONE
    for slot in range(terms.SLOTS):
        if has_after(s, deck, slot):
            waiting += 1
            if first == terms.NONE:
                first = slot
    if waiting > 1:
        s.node = DECIDING
    elif waiting == 0:
        pop(s)
    else:
        resolve_after(s, deck, first)


@rule
def legal_after_effects(s, deck, mask):
    n = 0
    for slot in range(terms.SLOTS):
        if has_after(s, deck, slot):
            n += allow(mask, act.TARGET_CARD + slot)
    return n


@rule
def play_after_effects(s, deck, action):
    resolve_after(s, deck, action - act.TARGET_CARD)


@rule
def perform_exhaust_dice(s, deck):
    pop(s)
    s.passes = 0
    exhaust_unapplied(s)
    for slot in range(terms.SLOTS):
        if not (s.endgame and is_standing(s, deck, slot)):
            exhaust_applied(s, slot)


@rule
def begin_recovery(s, deck):
    """The Recover Dice step begins with the answers to it. True when they have been given, and dice are to be recovered."""
    if top(s, A) == 0:
        set_top(s, A, 1)
        announce(s, deck, terms.RECOVERING)
        return False
    pop(s)
    return True


@rule
def perform_recover_dice(s, deck):
    if begin_recovery(s, deck):
        push(s, at.RECOVERING, recovery_of(s))
