"""The Strategy phase up to the roll: Commit Dice, and hits that are set aside."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import allow
from deckwood.strong import actions as act
from deckwood.strong import steps as at
from deckwood.strong import terms
from deckwood.strong import vocabulary as ops
from deckwood.strong.effects import reset_order
from deckwood.strong.pool import total, unapplied_hits
from deckwood.strong.steps import pop, push


@rule
def perform_strategy(s):
    pop(s)
    s.passes += 1
    for colour in range(5):
        s.committed_now[colour] = 0
    for slot in range(terms.SLOTS):
        s.applied_now[slot] = 0
    reset_order(s)
    push(s, at.COMMIT)


@rule
def room_to_commit(s):
    """How many more dice may be committed in this step."""
    return min(int(s.modifiers[ops.COMMIT_LIMIT]) - total(s.committed_now), int(s.modifiers[ops.COMMIT_TOTAL]) - int(s.committed))


@rule
def may_commit(s, colour):
    """True if a ready die of this colour may be committed next.

    Within a step weakest colours go first. Where whole colours go and not all have room, the last one is cut: then their order matters.
    """
    room = room_to_commit(s)
    if s.ready[colour] == 0 or room <= 0 or (int(s.modifiers[ops.COMMIT_BAN]) >> colour) & 1:
        return False
    if s.modifiers[ops.COMMIT_ONE_EACH] and s.committed_now[colour] > 0:
        return False
    return colour >= s.last_die or (s.modifiers[ops.COMMIT_WHOLE_COLOUR] != 0 and room < total(s.ready))


@rule
def commit(s, colour):
    whole = s.modifiers[ops.COMMIT_WHOLE_COLOUR] and not s.modifiers[ops.COMMIT_ONE_EACH]
    dice = min(int(s.ready[colour]), room_to_commit(s)) if whole else 1
    s.ready[colour] -= dice
    s.unrolled[colour] += dice
    s.committed_now[colour] += dice
    s.committed += dice
    s.last_die = colour


@rule
def legal_commit(s, mask):
    n = allow(mask, act.ROLL_DICE)
    for colour in range(5):
        if may_commit(s, colour):
            n += allow(mask, act.COMMIT_DIE + colour)
    return n


@rule
def play_commit(s, action):
    if action != act.ROLL_DICE:
        commit(s, action - act.COMMIT_DIE)
        return
    pop(s)
    push(s, at.APPLY)
    push(s, at.ROLLED_EFFECTS)
    push(s, at.HERO_ANSWERS_ROLL)
    push(s, at.ROLL)
    push(s, at.GATHER)
    reset_order(s)
    if s.modifiers[ops.KEEP_HITS] and unapplied_hits(s) > 0:
        push(s, at.KEEP)


@rule
def legal_keep(s, mask):
    n = allow(mask, act.DONE)
    for colour in range(5):
        for face in range(terms.HIT, terms.CRIT + 1):
            if s.rolled[colour, face] > 0 and 3 * colour + face >= s.last_die:
                n += allow(mask, act.PICK_DIE + 3 * colour + face)
    return n


@rule
def play_keep(s, action):
    if action == act.DONE:
        pop(s)
        reset_order(s)
        return
    die = action - act.PICK_DIE
    s.rolled[die // 3, die % 3] -= 1
    s.kept[die // 3, die % 3] += 1
    s.last_die = die
