"""Pieces of a picture that any 20 Strong deck uses: dice and stats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import TypeAlias

from deckwood.core.drawing import BLOOD, GOLD, INK, PAPER, Box, Canvas, Colour, Point, star, text_width
from deckwood.strong.terms import COLOURS, CRIT, HIT, MISS

DICE: tuple[Colour, ...] = ((240, 200, 66), (62, 148, 78), (58, 112, 200), (136, 78, 176), (204, 56, 52))
SHOWING = 1.6  # how much wider than high a die is that shows something
SMALLEST = 13  # a die; where more are to be shown, those that are alike are counted
GAP = 6

Die: TypeAlias = tuple[int, int | None]
"""Colour, and what it shows (None: nothing)."""


def die_width(size: float, face: int | None) -> float:
    return size if face is None else size * SHOWING


def draw_die(canvas: Canvas, place: Point, size: float, colour: int, face: int | None = None, picked: bool = False) -> None:
    """A die by its top left corner: the first letter of its colour and, where it lies rolled, beside it what it shows.

    A die that may be picked has a golden frame.
    """
    ink = INK if colour == 0 else PAPER
    left, top = place
    width = die_width(size, face)
    if picked:
        canvas.rect((left - 2, top - 2, width + 4, size + 4), INK, None, size / 4)
        canvas.rect((left - 1.5, top - 1.5, width + 3, size + 3), GOLD, None, size / 4)
    canvas.rect((left, top, width, size), DICE[colour], INK, size / 5, 1)
    letter = COLOURS[colour][0].upper()
    if face is None:
        canvas.centred((left + width / 2, top + size / 2), letter, round(size * 0.75), ink)
        return
    canvas.centred((left + size * 0.45, top + size / 2), letter, round(size * 0.8), ink)
    draw_shown(canvas, (left + size * 1.12, top + size / 2), size, face, ink)


def draw_shown(canvas: Canvas, centre: Point, size: float, face: int, ink: Colour) -> None:
    """What a die shows: a stroke for a miss, a dot for a hit, a star for a crit."""
    x, y = centre
    if face == MISS:
        canvas.line((x - size * 0.18, y), (x + size * 0.18, y), ink, size / 9)
    elif face == HIT:
        canvas.circle(centre, size * 0.19, ink)
    elif face == CRIT:
        canvas.polygon(star(centre, size * 0.36, 5, 0.45), ink)


def arrange(box: Box, size: float, widths: Sequence[float]) -> list[Point] | None:
    """Places in rows for things of a height and these widths, from the top left; None where they do not fit."""
    left, top, width, height = box
    x, y, found = left, top, []
    for wide in widths:
        if x > left and x + wide > left + width:
            x, y = left, y + size + GAP
        if y + size > top + height or x + wide > left + width:
            return None
        found.append((x, y))
        x += wide + GAP
    return found


def lay_out(box: Box, size: int, dice: Sequence[Die]) -> tuple[int, list[tuple[Die, int, Point]]]:
    """Dice in rows, as large as they fit: their size, and each with how many it stands for and its place.

    Where even small ones would not fit one by one, those that are alike are shown once, with their number.
    """
    for shown, smallest in (([(die, 1) for die in dice], SMALLEST), (list(Counter(dice).items()), 1)):
        for z in range(size, smallest - 1, -1):
            places = arrange(box, z, [die_width(z, die[1]) + number_width(z, n) for die, n in shown])
            if places is not None:
                return z, [(die, n, place) for (die, n), place in zip(shown, places, strict=True)]
    return 1, []


def number_width(size: int, number: int) -> float:
    """The room for how many a die stands for."""
    return 0 if number == 1 else text_width(f"x{number}", round(size * 0.8)) + 3


def draw_dice(canvas: Canvas, box: Box, size: int, dice: Sequence[Die], picked: Collection[Die] = ()) -> None:
    """Dice in rows, from the top left."""
    size, placed = lay_out(box, size, dice)
    for die, number, place in placed:
        draw_die(canvas, place, size, *die, die in picked)
        if number > 1:
            x = place[0] + die_width(size, die[1]) + 2
            canvas.text((x, place[1] + size * 0.25), f"x{number}", round(size * 0.8))


def draw_stat(canvas: Canvas, box: Box, name: str, value: int, counts: int, colour: Colour) -> None:
    """A stat die with its name, and in a corner what it counts for where that differs."""
    left, top, width, height = box
    size = height - 18
    die = left + (width - size) / 2, top, size, size
    canvas.rect(die, colour, INK, size / 6)
    canvas.centred((left + width / 2, top + size / 2), str(value), round(size * 0.85), PAPER)
    canvas.text((left + width / 2, top + size + 4), name, 18, INK, 0.5)
    if counts != value:
        badge = die[0] + size, top + 4
        canvas.circle(badge, 11, PAPER, INK)
        canvas.centred(badge, str(counts), 19, BLOOD)
