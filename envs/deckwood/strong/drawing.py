"""Pieces of a picture that any 20 Strong deck uses: dice and stats."""

from __future__ import annotations

from collections.abc import Sequence

from deckwood.core.drawing import BLOOD, INK, PAPER, Box, Canvas, Colour, Point, star
from deckwood.strong.terms import COLOURS, CRIT, HIT, MISS

DICE: tuple[Colour, ...] = ((240, 200, 66), (62, 148, 78), (58, 112, 200), (136, 78, 176), (204, 56, 52))


def draw_die(canvas: Canvas, place: Point, size: float, colour: int, face: int | None = None, mark: str | None = None) -> None:
    """A die by its top left corner: what it shows, else ``mark`` or the first letter of its colour."""
    ink = INK if colour == 0 else PAPER
    left, top = place
    centre = left + size / 2, top + size / 2
    canvas.rect((left, top, size, size), DICE[colour], INK, size / 5, 1)
    if face == MISS:
        canvas.line((left + size * 0.32, centre[1]), (left + size * 0.68, centre[1]), ink, size / 10)
    elif face == HIT:
        canvas.circle(centre, size * 0.19, ink)
    elif face == CRIT:
        canvas.polygon(star(centre, size * 0.40, 5, 0.45), ink)
    else:
        canvas.centred(centre, mark or COLOURS[colour][0].upper(), round(size * 0.75), ink)


def draw_dice(canvas: Canvas, box: Box, size: float, dice: Sequence[tuple[int, int | None]], mark: str | None = None) -> None:
    """Dice in rows, from the top left; they move closer together where there are many."""
    left, top, width, height = box
    columns = max(1, int((width + 3) // (size + 3)))
    rows = -(-len(dice) // columns)
    step = size + 3
    if rows * step - 3 > height:
        step = (height - size) / (rows - 1) if rows > 1 else step
    for i, (colour, face) in enumerate(dice):
        draw_die(canvas, (left + i % columns * (size + 3), top + i // columns * step), size, colour, face, mark)


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
