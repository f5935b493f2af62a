"""The agenda: what remains to be done, as steps. The top one is being done; a step pops itself and may push others.

The steps below this module's ``FIRST_DECK_STEP`` are carried out by this package, the hooks by the deck (which knows where its cards go).

The agenda's last place holds no step but a guard: how many steps were pushed since the last decision, and, once there is no room or that
number is too large, whose effects did it. A game that overruns its agenda is over: cut, at an END node with ``ended`` 0.
"""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.strong.terms import MAX_AGENDA, NONE

(
    EFFECTS,  # a run of a card's effects: next row, end row, source
    STRATEGY_PHASE,
    COMMIT,
    KEEP,
    GATHER,
    ROLL,
    HERO_ANSWERS_ROLL,
    ROLLED_EFFECTS,
    APPLY,
    TARGET,  # colour, face
    SUFFER_DAMAGE,
    AFTER_EFFECTS,
    EXHAUST_DICE,
    RECOVER_DICE,  # 1 once the step has begun
    RECOVERING,  # how many, weakest colour still allowed, 1 + the colour that one of them must have (0: none must)
    EXHAUSTING,  # how many
    BANISHING,  # how many, first place still allowed
    BANISHING_APPLIED,  # how many, slot
    RESTORING,  # how many, weakest colour still allowed
    RAISING,  # how many
    LOWERING,  # how many
    TURNING_MISS,  # how many, weakest colour still allowed
    TURNING_HIT,  # how many, weakest colour still allowed
    REROLLING,  # how many
    REROLLING_HITS,  # how many
    EXHAUSTING_HITS,  # how many
    SWAPPING,  # the die picked first, or NONE
    RETURNING,  # how many
    AIMING,  # op, amount
    TAKE_REWARD,  # slot, face
    TAKE_ITEM,  # face
    LOSING_ITEM,  # how many
    UPGRADING,  # how many, first item still allowed
    OFFERED,
    CHOOSING,  # rows of the first option
    TESTING,  # colour, rows on a hit
    RECOVERY_ROLL,
    HALT,  # the end of an engagement that is looked at by itself
) = SYSTEM_STEPS = range(38)

# Hooks: what the system asks of the deck.
(
    STRATEGY_ROSE,
    ACTIVATE_MORE,  # how many
    DRAW_ITEM,
    CARD_LEAVES,  # face, how it leaves, whether it was defeated
    ITEM_GONE,  # face
    BESIDE_GONE,  # face
) = HOOKS = range(40, 46)
FIRST_HOOK = STRATEGY_ROSE
FIRST_DECK_STEP = 48

# How a card leaves the active area before Cleanup.
FLED, SHUFFLED_BACK = range(2)

STEP, A, B, C = range(4)

GUARD = MAX_AGENDA - 1
"""The agenda's last place, with three columns of its own."""
PUSHED, OVERRUN, CULPRIT = range(3)  # steps since the last decision, 1: the game is cut, the row after the effect that did it (0: none)
MAX_PUSHED = 1_000
"""As many steps may follow one another without a decision."""

DECIDING, DRAWING, OVER, RUNNING = range(4)
"""Values of ``node``: the first three are :class:`deckwood.core.spec.Node`; the last one only ever within a call."""


@rule
def push(s, step, a=0, b=0, c=0):
    """Puts a step on the agenda; one that overruns it cuts the game instead."""
    if s.depth >= GUARD or s.agenda[GUARD, PUSHED] >= MAX_PUSHED:
        overrun(s)
        return
    s.agenda[GUARD, PUSHED] += 1
    s.agenda[s.depth, STEP] = step
    s.agenda[s.depth, A] = a
    s.agenda[s.depth, B] = b
    s.agenda[s.depth, C] = c
    s.depth += 1


@rule
def overrun(s):
    """Marks the game as cut, by the uppermost effects on the agenda."""
    s.agenda[GUARD, OVERRUN] = 1
    for place in range(s.depth):
        if s.agenda[place, STEP] == EFFECTS:
            s.agenda[GUARD, CULPRIT] = s.agenda[place, B]


@rule
def goes_on(s):
    """True while there is a step to carry out: no decision, no chance event, no end."""
    return s.node == RUNNING and not s.agenda[GUARD, OVERRUN]


@rule
def come_to_rest(s):
    """Ends a game that has overrun its agenda, and counts steps from the next decision on afresh."""
    if s.agenda[GUARD, OVERRUN] and s.node != OVER:
        s.node = OVER
    if s.node != DRAWING:
        s.agenda[GUARD, PUSHED] = 0


@rule
def pop(s):
    s.depth -= 1
    for column in range(4):
        s.agenda[s.depth, column] = 0


@rule
def find(s, step, first=0):
    """The lowest place of the agenda, from ``first`` on, where a step is: being done, interrupted or still to come. NONE without one."""
    for place in range(first, int(s.depth)):
        if s.agenda[place, STEP] == step:
            return place
    return NONE


@rule
def raise_step(s, place):
    """Does the step at a place of the agenda before those above it."""
    for column in range(4):
        raised = int(s.agenda[place, column])
        for i in range(place, s.depth - 1):
            s.agenda[i, column] = s.agenda[i + 1, column]
        s.agenda[s.depth - 1, column] = raised


@rule
def top(s, column):
    """A column of the step that is being done."""
    return int(s.agenda[s.depth - 1, column])


@rule
def set_top(s, column, value):
    s.agenda[s.depth - 1, column] = value
