"""Sets of dice in one number, five bits a colour, so that a plan can be weighed without arrays."""

from __future__ import annotations

from deckwood.core.jit import rule
from deckwood.strong.terms import NONE, RED

BITS = 5


@rule
def one(colour):
    """The set of a single die."""
    return 1 << (BITS * colour)


@rule
def many(dice, colour):
    """How many dice of a colour a set has."""
    return (dice >> (BITS * colour)) & 31


@rule
def size(dice):
    n = 0
    for colour in range(5):
        n += many(dice, colour)
    return n


@rule
def pack(area):
    """The dice of an area by colour."""
    dice = 0
    for colour in range(5):
        dice += int(area[colour]) << (BITS * colour)
    return dice


@rule
def pack_shown(area, face):
    """The dice of an area by colour and face that show one face."""
    dice = 0
    for colour in range(5):
        dice += int(area[colour, face]) << (BITS * colour)
    return dice


@rule
def strongest(dice, most):
    """The strongest dice of a set, up to a limit."""
    kept = 0
    for colour in range(RED, -1, -1):
        n = min(most, many(dice, colour))
        kept += n << (BITS * colour)
        most -= n
    return kept


@rule
def weakest_colour(dice):
    """The weakest colour in a set, or NONE."""
    for colour in range(5):
        if many(dice, colour) > 0:
            return colour
    return NONE


@rule
def strongest_colour(dice):
    """The strongest colour in a set, or NONE."""
    for colour in range(RED, -1, -1):
        if many(dice, colour) > 0:
            return colour
    return NONE
