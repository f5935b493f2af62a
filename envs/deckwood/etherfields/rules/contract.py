"""The six functions of the contract, which look up the step in the table."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import clear
from deckwood.etherfields import steps as at
from deckwood.etherfields.observe import observe
from deckwood.etherfields.rules.setup import begin, die, pay
from deckwood.etherfields.rules.table import STEPS
from deckwood.etherfields.rules.taking import (
    is_action_window,
    is_taking,
    legal_discards,
    legal_taking,
    legal_uses,
    play_taking,
    play_use,
)
from deckwood.strong.effects import check_falls
from deckwood.strong.items import is_use
from deckwood.strong.steps import CARD_LEAVES, ITEM_GONE, OVER, RUNNING, STEP, come_to_rest, goes_on, top
from deckwood.strong.terms import HEALTH, NONE

__all__ = ["apply", "apply_chance", "chance", "legal", "observe", "setup"]

perform, legal_here, play = STEPS.perform, STEPS.legal, STEPS.play
outcome_weights, apply_outcome, is_window = STEPS.outcome_weights, STEPS.apply_outcome, STEPS.is_window


@rule
def setup(s, deck, options):
    """A fresh position at its first node. ``s`` is zero but for what a campaign remembers: the sides of the cards."""
    begin(s, options)
    run(s, deck)


@rule
def run(s, deck):
    """Carries out the agenda until there is something to decide or to draw, or the game is over."""
    s.node = RUNNING
    while goes_on(s):
        step = top(s, STEP)
        if s.unsettled and may_settle(step) and check_falls(s, deck):
            continue
        perform(s, deck, step)
        if s.hero != NONE and s.stats[HEALTH] < 1 and s.node != OVER:
            die(s, deck)
    come_to_rest(s)
    pay(s)


@rule
def may_settle(step):
    """True if it may be asked who falls: what is spent is spent at once, and a card that leaves is put away first."""
    return step != at.PAYING and step != ITEM_GONE and step != CARD_LEAVES


@rule
def legal(s, deck, mask):
    """Marks the legal actions; returns how many."""
    clear(mask)
    step = top(s, STEP)
    n = legal_here(s, deck, step, mask)
    if is_action_window(step):
        n += legal_taking(s, deck, step, mask) + legal_discards(s, mask)
    if is_window(step):
        n += legal_uses(s, deck, mask)
    return n


@rule
def apply(s, deck, action):
    """Plays a legal action and runs on to the next node."""
    step = top(s, STEP)
    if is_use(action):
        play_use(s, deck, action)
    elif is_action_window(step) and is_taking(action):
        play_taking(s, deck, action)
    else:
        play(s, deck, step, action)
    run(s, deck)


@rule
def chance(s, deck, weights):
    """Writes the weights of the pending chance event's outcomes; returns how many there are. A card's outcome is its number."""
    return outcome_weights(s, deck, top(s, STEP), weights)


@rule
def apply_chance(s, deck, outcome):
    """Lets one outcome happen and runs on to the next node."""
    apply_outcome(s, deck, top(s, STEP), outcome)
    run(s, deck)
