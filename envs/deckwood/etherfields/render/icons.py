"""Small drawings: resources, what lies in a space of the map, the parts of a map card."""

from __future__ import annotations

import math
from collections.abc import Sequence

from deckwood.core.drawing import INK, PAPER, Canvas, Colour, Point, text_width
from deckwood.etherfields.state import RESOURCE_DICE, RESOURCES, STEP_X, STEP_Y, WRATH
from deckwood.strong.drawing import DICE
from deckwood.strong.render.picture import ICONS

ENTRANCE: Colour = (70, 52, 130)
BONE: Colour = (250, 246, 236)
DARK: Colour = (44, 24, 62)


def draw_resource(canvas: Canvas, centre: Point, radius: float, resource: int) -> None:
    """A disc in the colour of the die that gives the resource, with its letter."""
    colour = RESOURCE_DICE[resource]
    canvas.circle(centre, radius, DICE[colour], INK, max(1, radius / 8))
    canvas.centred(centre, RESOURCES[resource][0].upper(), max(11, round(radius * 1.6)), INK if colour == 0 else PAPER)


def draw_wrath(canvas: Canvas, centre: Point, radius: float) -> None:
    draw_resource(canvas, centre, radius, WRATH)


ICONS["wrath"] = (draw_wrath, 0.42)


def resources_width(size: float, amounts: Sequence[int]) -> float:
    """How wide :func:`draw_resources` draws."""
    return sum(_widths(size, amount) for amount in amounts if amount > 0)


def _widths(size: float, amount: int) -> float:
    return amount * (size + 1) if amount <= 3 else size + 3 + text_width(str(amount), round(size))


def draw_resources(canvas: Canvas, left: float, top: float, size: float, amounts: Sequence[int]) -> float:
    """Amounts as discs, a number before them where there are many; returns where the next thing goes."""
    x = left
    for resource, amount in enumerate(amounts):
        if amount > 3:
            canvas.text((x, top + size * 0.2), str(amount), round(size))
            x += text_width(str(amount), round(size)) + 2
        for _ in range(amount if amount <= 3 else 1):
            draw_resource(canvas, (x + size / 2, top + size / 2), size / 2, resource)
            x += size + 1
    return x


def draw_skull(canvas: Canvas, centre: Point, radius: float) -> None:
    """An enemy that entering activates."""
    x, y = centre
    r = radius
    canvas.circle((x, y - r * 0.15), r * 0.8, BONE, DARK, max(1, r / 7))
    canvas.rect((x - r * 0.42, y + r * 0.35, r * 0.84, r * 0.55), BONE, DARK, r * 0.12, max(1, r / 7))
    for side in (-1, 1):
        canvas.circle((x + side * r * 0.32, y - r * 0.1), r * 0.22, DARK)
    for k in (-0.15, 0.15):
        canvas.line((x + k * r, y + r * 0.5), (x + k * r, y + r * 0.8), DARK, max(1, r / 9))


def draw_entrance(canvas: Canvas, centre: Point, radius: float) -> None:
    """The Dream Entrance: a spiral."""
    x, y = centre
    canvas.circle(centre, radius, BONE, ENTRANCE, max(1, radius / 8))
    last = centre
    for i in range(1, 31):
        angle, far = i * 0.42, radius * 0.78 * i / 30
        point = x + far * math.cos(angle), y + far * math.sin(angle)
        canvas.line(last, point, ENTRANCE, max(1, radius / 6))
        last = point


def draw_arrow(canvas: Canvas, centre: Point, radius: float, direction: int) -> None:
    """An arrow in a direction of the map."""
    x, y = centre
    dx, dy = STEP_X[direction], -STEP_Y[direction]
    r = radius

    def at(along: float, across: float) -> Point:
        return x + r * (along * dx - across * dy), y + r * (along * dy + across * dx)

    canvas.line(at(-0.85, 0), at(0.15, 0), DARK, r * 0.42)
    canvas.polygon([at(1.0, 0), at(-0.05, 0.8), at(-0.05, -0.8)], DARK)


def draw_star(canvas: Canvas, centre: Point, radius: float, used: bool) -> None:
    """A unique action for which there is no room to write."""
    x, y = centre
    corners = [(0.0, -1.0), (0.28, -0.28), (1.0, 0.0), (0.28, 0.28), (0.0, 1.0), (-0.28, 0.28), (-1.0, 0.0), (-0.28, -0.28)]
    canvas.polygon([(x + radius * a, y + radius * b) for a, b in corners], (140, 130, 150) if used else ENTRANCE)
