"""Choices among what a mask allows, for the scripted players of any game."""

from __future__ import annotations

from deckwood.core.jit import rule

NONE = -1


@rule
def first_allowed(mask, start, stop):
    """The first legal action in a range, or NONE."""
    for action in range(start, stop):
        if mask[action]:
            return action
    return NONE


@rule
def last_allowed(mask, start, stop):
    """The last legal action in a range, or NONE."""
    for action in range(stop - 1, start - 1, -1):
        if mask[action]:
            return action
    return NONE


@rule
def any_action(mask):
    return first_allowed(mask, 0, len(mask))
