"""Small drawings: dice, potions, magic, wells, pawns, guardians. Borders have the colours of the rulebook's tiles."""

from __future__ import annotations

import math

from deckwood.core.drawing import GOLD, INK, Canvas, Colour, Point, star
from deckwood.lost_woods.state import D4, D6, D8, D12, DICE

WEAPON: Colour = (146, 92, 46)
ENEMY: Colour = (44, 78, 148)
BEAST: Colour = (120, 26, 34)
POTION: Colour = (52, 140, 70)
MAGIC: Colour = (122, 66, 170)
WATER: Colour = (112, 176, 214)
PALE: Colour = (252, 247, 236)
EMPTY: Colour = (206, 198, 180)
TARGET: Colour = (120, 232, 120)
"""Round what the decision can choose."""
CHOSEN_EDGE: Colour = (24, 120, 40)

LETTERED = 7.5
"""With this radius on, a spell has room for letters that can be read; smaller ones have none."""

PAWNS: tuple[Colour, ...] = ((206, 52, 48), (40, 98, 204), (236, 184, 36), (34, 142, 84), (146, 74, 178), (52, 52, 58))
"""The colours of the adventurers, by seat."""


def polygon(centre: Point, radius: float, corners: int, turned: float = 0.0) -> list[Point]:
    """A regular polygon with a corner at the top, or turned by a part of a corner's angle."""
    x, y = centre
    angles = [2 * math.pi * (i + turned) / corners for i in range(corners)]
    return [(x + radius * math.sin(angle), y - radius * math.cos(angle)) for angle in angles]


def outline(centre: Point, radius: float, die: int) -> list[Point]:
    """What a die looks like from above."""
    x, y = centre
    if die == D4:
        return polygon((x, y + radius * 0.18), radius * 1.14, 3)
    if die == D6:
        return polygon(centre, radius * 1.16, 4, 0.5)
    if die == D8:
        return polygon(centre, radius * 1.1, 4)
    return polygon(centre, radius * 1.04, 5 if die == D12 else 6)


def draw_die(canvas: Canvas, centre: Point, radius: float, die: int, colour: Colour, text: str | None = None) -> None:
    """A die in its shape; on it its sides, or a text."""
    canvas.polygon(outline(centre, radius, die), INK)
    canvas.polygon(outline(centre, radius - max(0.8, radius * 0.1), die), colour)
    lower = radius * 0.24 if die == D4 else 0
    canvas.centred((centre[0], centre[1] + lower), str(DICE[die]) if text is None else text, max(7, round(radius * 1.12)), PALE)


def draw_tile_die(canvas: Canvas, centre: Point, radius: float, die: int, colour: Colour) -> None:
    """A weapon or an enemy: a round tile with the border of its kind, and the die on it."""
    canvas.circle(centre, radius, colour, INK, max(0.6, radius * 0.06))
    canvas.polygon(outline(centre, radius * 0.72, die), PALE)
    lower = radius * 0.16 if die == D4 else 0
    canvas.centred((centre[0], centre[1] + lower), str(DICE[die]), max(7, round(radius * 0.98)), INK)


def draw_potion(canvas: Canvas, centre: Point, radius: float) -> None:
    """A flask."""
    x, y = centre
    r = radius
    canvas.rect((x - r * 0.26, y - r * 0.92, r * 0.52, r * 0.8), PALE, INK, r * 0.1, max(0.7, r / 11))
    canvas.circle((x, y + r * 0.26), r * 0.7, POTION, INK, max(0.8, r / 9))
    canvas.rect((x - r * 0.34, y - r * 1.0, r * 0.68, r * 0.24), WEAPON, INK, r * 0.08, max(0.6, r / 12))
    canvas.circle((x - r * 0.24, y + r * 0.08), r * 0.15, (190, 232, 190))


def draw_spell(canvas: Canvas, centre: Point, radius: float, name: str, faint: bool = False) -> None:
    """A spell: a purple hexagon with the first two letters of its name (Magnet and Meteor share one); faint where it is not there."""
    canvas.polygon(polygon(centre, radius * 1.05, 6), EMPTY if faint else INK)
    canvas.polygon(polygon(centre, radius * 0.93, 6), PALE if faint else MAGIC)
    if radius >= LETTERED:
        canvas.centred(centre, name[:2], max(12, round(radius * 0.92)), MAGIC if faint else PALE)


def draw_well(canvas: Canvas, centre: Point, radius: float, name: str, full: bool) -> None:
    """A magic well: a ring of stones around water, with its spell while it is there, else with the letters of the one that is away."""
    canvas.circle(centre, radius, (128, 126, 132), INK, max(0.7, radius / 11))
    canvas.circle(centre, radius * 0.8, WATER if full else PALE)
    if full:
        draw_spell(canvas, centre, radius * 0.74, name)
    elif radius >= LETTERED:
        canvas.centred(centre, name[:2], max(12, round(radius * 0.8)), (106, 92, 124))


def draw_pawn(canvas: Canvas, centre: Point, radius: float, seat: int, halo: bool = False) -> None:
    """An adventurer; with a halo the one whose turn it is."""
    x, y = centre
    r = radius
    dark = PALE if seat == 5 else INK
    if halo:
        canvas.circle(centre, r * 1.12, (255, 232, 130), (196, 140, 20), max(0.8, r / 10))
    for grow, colour in ((r * 0.11, dark), (0.0, PAWNS[seat])):
        canvas.polygon(
            [
                (x - r * 0.24 - grow, y - r * 0.2),
                (x + r * 0.24 + grow, y - r * 0.2),
                (x + r * 0.6 + grow, y + r * 0.78 + grow),
                (x - r * 0.6 - grow, y + r * 0.78 + grow),
            ],
            colour,
        )
        canvas.circle((x, y - r * 0.46), r * 0.4 + grow, colour)
    if r >= 7:
        canvas.centred((x, y + r * 0.34), str(seat), max(8, round(r * 0.92)), INK if seat == 2 else PALE)


def draw_guardian(canvas: Canvas, centre: Point, radius: float, letter: str, faint: bool = False) -> None:
    """A guardian: a jagged tile with the letter of its direction."""
    canvas.polygon(star(centre, radius * 1.16, 10, 0.84), (120, 112, 104) if faint else INK)
    canvas.polygon(star(centre, radius * 1.02, 10, 0.84), (168, 160, 150) if faint else BEAST)
    canvas.centred(centre, letter, max(8, round(radius * 1.25)), PALE)


def draw_ring(canvas: Canvas, centre: Point, radius: float) -> None:
    """Behind a thing of that radius: it can be chosen."""
    canvas.circle(centre, radius * 1.22 + 2, TARGET, CHOSEN_EDGE, max(0.8, radius / 10))


def draw_count(canvas: Canvas, centre: Point, radius: float, count: int) -> None:
    """How many of a thing there are, at its upper right."""
    place = centre[0] + radius * 0.78, centre[1] - radius * 0.7
    canvas.circle(place, max(5.5, radius * 0.5), INK, PALE, 1)
    canvas.centred(place, str(count), max(12, round(radius * 0.8)), PALE)


def draw_pieces(canvas: Canvas, centre: Point, radius: float, pieces: int) -> None:
    """A gold piece, with how many there are."""
    canvas.circle(centre, radius * 0.9, GOLD, (128, 88, 10), max(0.7, radius / 9))
    canvas.centred(centre, str(pieces), max(7, round(radius * (1.2 if pieces < 10 else 1.0))), (70, 44, 0))


def draw_tent(canvas: Canvas, centre: Point, radius: float) -> None:
    """The camp."""
    x, y = centre
    r = radius
    canvas.polygon([(x - r, y + r * 0.7), (x, y - r * 0.85), (x + r, y + r * 0.7)], (150, 84, 44))
    canvas.polygon([(x - r * 0.34, y + r * 0.7), (x, y - r * 0.2), (x + r * 0.34, y + r * 0.7)], (70, 40, 24))


def draw_tree(canvas: Canvas, foot: Point, height: float, colour: Colour) -> None:
    """A fir of the woods that nobody has seen yet."""
    x, y = foot
    canvas.polygon([(x - height * 0.34, y), (x, y - height), (x + height * 0.34, y)], colour)
    canvas.polygon([(x - height * 0.26, y - height * 0.42), (x, y - height * 1.25), (x + height * 0.26, y - height * 0.42)], colour)


def draw_arrowhead(canvas: Canvas, tip: Point, length: float, step: Point, colour: Colour) -> None:
    """A triangle that points along ``step``, in the picture's directions."""
    (x, y), (dx, dy) = tip, step
    back = x - length * dx, y - length * dy
    across = length * 0.62
    canvas.polygon([tip, (back[0] - across * dy, back[1] + across * dx), (back[0] + across * dy, back[1] - across * dx)], colour)
