"""The six functions of the contract."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.core.masks import clear
from deckwood.lost_woods.observe import observe
from deckwood.lost_woods.rules.setup import setup
from deckwood.lost_woods.rules.table import STEPS

__all__ = ["apply", "apply_chance", "chance", "legal", "observe", "setup"]

legal_of_step, play_step, outcome_weights, apply_outcome = STEPS.legal, STEPS.play, STEPS.outcome_weights, STEPS.apply_outcome


@rule
def legal(s, deck, mask):
    """Marks the legal actions; returns how many."""
    clear(mask)
    return legal_of_step(s, deck, int(s.phase), mask)


@rule
def apply(s, deck, action):
    """Plays a legal action and runs on to the next node."""
    play_step(s, deck, int(s.phase), action)


@rule
def chance(s, deck, weights):
    """Writes the weights of the pending chance event's outcomes; returns how many there are."""
    return outcome_weights(s, deck, int(s.phase), weights)


@rule
def apply_chance(s, deck, outcome):
    """Lets an outcome happen and runs on to the next node."""
    apply_outcome(s, deck, int(s.phase), outcome)
