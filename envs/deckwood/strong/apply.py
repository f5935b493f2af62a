"""Apply Dice: which dice may go where, and whether the Strategy phase may be repeated."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import allow
from deckwood.strong import actions as act
from deckwood.strong import steps as at
from deckwood.strong import terms
from deckwood.strong import vocabulary as ops
from deckwood.strong.cards import can_apply, has_effects, is_answered, is_beaten, is_standing, run_of, standing_enemies, trigger
from deckwood.strong.effects import check_falls, reset_order
from deckwood.strong.pool import strategy_of, total, unapplied, unapplied_hits
from deckwood.strong.roll import acts_on_roll
from deckwood.strong.steps import DECIDING, A, B, pop, push, top


@rule
def counts_dice(deck, face):
    """True if a card has an After effect that depends on what committed dice show or where they lie."""
    if not has_effects(deck, face, terms.AFTER):
        return False
    row, end = run_of(deck, face, terms.AFTER)
    for r in range(row, end):
        per, op = int(deck.effects[r, terms.PER]), int(deck.effects[r, terms.OP])
        if (
            per == terms.PER_MISS
            or per == terms.PER_HIT
            or per == terms.PER_COMMITTED
            or op == ops.BANISH_MISSES
            or op == ops.BANISH_APPLIED
        ):
            return True
    return False


@rule
def dice_matter(s, deck):
    """True while dice may still bring something about: an enemy stands, or a card answers rolls or counts dice in the Resolve phase."""
    if standing_enemies(s, deck) > 0 or is_answered(s, deck, terms.HERO_ROLLED):
        return True
    for slot in range(terms.SLOTS):
        if (
            s.slot[slot] != terms.NONE
            and not s.marks[slot] & terms.CANCELLED
            and (acts_on_roll(s, deck, slot) or counts_dice(deck, int(s.slot[slot])))
        ):
            return True
    return False


@rule
def may_repeat(s, deck):
    """True if the Strategy phase may be repeated and there would be something to roll, and a reason to."""
    if s.passes >= strategy_of(s) + int(s.extra_passes) or not dice_matter(s, deck):
        return False
    rerollable = unapplied_hits(s)
    if not s.modifiers[ops.FIX_MISSES]:
        rerollable += unapplied(s, terms.MISS)
    return rerollable > 0 or total(s.ready) > 0


@rule
def answers_crits(s, deck, slot):
    """True if a crit that is applied to this enemy has an effect."""
    return not s.marks[slot] & terms.CANCELLED and has_effects(deck, int(s.slot[slot]), terms.CRIT_APPLIED)


@rule
def is_event(s, deck, slot, colour, face):
    """True if applying this die brings more about than damage: the enemy falls by it, or answers a crit."""
    if not is_standing(s, deck, slot):
        return False
    if face == terms.CRIT and answers_crits(s, deck, slot):
        return True
    if s.falls >= s.modifiers[ops.FALL_LIMIT]:
        return False
    s.applied[slot, colour, face] += 1
    falls = is_beaten(s, deck, slot)
    s.applied[slot, colour, face] -= 1
    return falls


@rule
def may_target(s, deck, slot, colour, face):
    """True if the die in hand may go to this card now.

    Between two events the order of applications makes no difference, so they are spelt one way: weaker dice first, dice that show the
    same from left to right. An event may come at any time (architecture: Apply Dice).
    """
    if not can_apply(s, deck, slot, colour, face):
        return False
    die = 3 * colour + face
    if die > s.last_die or (die == s.last_die and slot >= s.last_target):
        return True
    return is_event(s, deck, slot, colour, face)


@rule
def any_target(s, deck, colour, face):
    """True if a die showing this may be applied now."""
    for slot in range(terms.SLOTS):
        if may_target(s, deck, slot, colour, face):
            return True
    return False


@rule
def apply_die(s, deck, slot, colour, face):
    s.rolled[colour, face] -= 1
    s.applied[slot, colour, face] += 1
    s.applied_now[slot] += 1
    s.last_die = 3 * colour + face
    s.last_target = slot
    if face == terms.CRIT and is_standing(s, deck, slot) and answers_crits(s, deck, slot):
        reset_order(s)
        trigger(s, deck, int(s.slot[slot]), terms.CRIT_APPLIED, slot)


@rule
def perform_apply(s, deck):
    if not check_falls(s, deck):  # the effect of a crit comes before its enemy's fall
        s.node = DECIDING


@rule
def legal_apply(s, deck, mask):
    n = allow(mask, act.RESOLVE)
    applied_now = 0
    for slot in range(terms.SLOTS):
        applied_now += int(s.applied_now[slot])
    if applied_now < s.modifiers[ops.APPLY_LIMIT_ALL] and dice_matter(s, deck):
        for colour in range(5):
            for face in range(terms.HIT, terms.CRIT + 1):
                if s.rolled[colour, face] > 0 and any_target(s, deck, colour, face):
                    n += allow(mask, act.PICK_DIE + 3 * colour + face)
    if may_repeat(s, deck):
        n += allow(mask, act.AGAIN)
    return n


@rule
def play_apply(s, action):
    if action == act.AGAIN:
        pop(s)
        push(s, at.STRATEGY_PHASE)
    elif action == act.RESOLVE:
        pop(s)
    else:
        die = action - act.PICK_DIE
        push(s, at.TARGET, die // 3, die % 3)


@rule
def legal_target(s, deck, mask):
    n = 0
    for slot in range(terms.SLOTS):
        if may_target(s, deck, slot, top(s, A), top(s, B)):
            n += allow(mask, act.TARGET_CARD + slot)
    return n


@rule
def play_target(s, deck, action):
    colour, face = top(s, A), top(s, B)
    pop(s)
    apply_die(s, deck, action - act.TARGET_CARD, colour, face)
