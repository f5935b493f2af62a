"""What every game's ``legal`` needs."""

from __future__ import annotations

from deckwood.core.jit import rule


@rule
def clear(mask):
    """Forbids every action."""
    for action in range(len(mask)):
        mask[action] = 0


@rule
def allow(mask, action):
    """Marks an action; returns 1, for counting."""
    mask[action] = 1
    return 1
