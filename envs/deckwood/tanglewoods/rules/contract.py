"""The six functions of the contract, which look up the step in the table."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import clear
from deckwood.strong.effects import check_falls
from deckwood.strong.items import is_use, legal_uses, use
from deckwood.strong.steps import RUNNING, STEP, A, B, come_to_rest, goes_on, set_top, top
from deckwood.strong.terms import HEALTH
from deckwood.tanglewoods import steps as at
from deckwood.tanglewoods.observe import observe
from deckwood.tanglewoods.rules.endgame import lose
from deckwood.tanglewoods.rules.setup import lay_out
from deckwood.tanglewoods.rules.table import STEPS

__all__ = ["apply", "apply_chance", "chance", "legal", "observe", "setup"]

perform, legal_here, play = STEPS.perform, STEPS.legal, STEPS.play
outcome_weights, apply_outcome, is_window = STEPS.outcome_weights, STEPS.apply_outcome, STEPS.is_window


@rule
def setup(s, deck, options):
    """A fresh position at its first node. ``s`` is zero throughout."""
    lay_out(s, deck, options)
    run(s, deck)


@rule
def run(s, deck):
    """Carries out the agenda until there is something to decide or to draw, or the game is over."""
    s.node = RUNNING
    while goes_on(s):
        if s.unsettled and check_falls(s, deck):
            continue
        perform(s, deck, top(s, STEP))
        if s.stats[HEALTH] < 1:
            lose(s, deck)
    come_to_rest(s)


@rule
def legal(s, deck, mask):
    """Marks the legal actions; returns how many."""
    clear(mask)
    step = top(s, STEP)
    uses = legal_uses(s, deck, mask) if is_window(step) else 0
    return uses + legal_here(s, deck, step, mask)


@rule
def apply(s, deck, action):
    """Plays a legal action and runs on to the next node."""
    step = top(s, STEP)
    if is_use(action):
        begin_afresh(s, step)
        use(s, deck, action)
    else:
        play(s, deck, step, action)
    run(s, deck)


@rule
def begin_afresh(s, step):
    """What was used may bring weaker dice, which may then be chosen after stronger ones."""
    if step == at.EXPLORE:
        set_top(s, A, 0)
    elif step == at.MERCHANT_VISIT:
        set_top(s, B, 0)


@rule
def chance(s, deck, weights):
    """Writes the weights of the pending chance event's outcomes; returns how many there are. A card's outcome is its number."""
    return outcome_weights(s, deck, top(s, STEP), weights)


@rule
def apply_chance(s, deck, outcome):
    """Lets one outcome happen and runs on to the next node."""
    apply_outcome(s, deck, top(s, STEP), outcome)
    run(s, deck)
