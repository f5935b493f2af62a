"""Dice as people write them: ``3y3g3b3p`` is three yellow, three green, three blue and three purple dice."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deckwood.strong.terms import COLOURS, UNIT_DICE

DICE_FORM = "numbers and first letters of colours, as in 3y3g3b3p"
_PART = re.compile(r"(\d*)([ygbpr])")


def dice_counts(text: str) -> tuple[int, ...]:
    """The dice of ``text`` by colour; "" has none. ValueError says what is wrong: another form, or more dice than the box holds."""
    if not re.fullmatch(rf"({_PART.pattern})*", text):
        raise ValueError(DICE_FORM)
    counts = [0] * len(COLOURS)
    letters = [colour[0] for colour in COLOURS]
    for number, letter in _PART.findall(text):
        counts[letters.index(letter)] += int(number or 1)
    if any(count > most for count, most in zip(counts, UNIT_DICE, strict=True)):
        raise ValueError(f"at most {dice_text(UNIT_DICE)}, the dice of the box")
    return tuple(counts)


def dice_text(counts: Sequence[int]) -> str:
    """Dice by colour as :func:`dice_counts` reads them."""
    return "".join(f"{count}{colour[0]}" for count, colour in zip(counts, COLOURS, strict=True) if count)
