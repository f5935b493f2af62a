"""Pieces of a picture that any game uses: a canvas, coins, hearts and blades, the frames of cards."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from deckwood.core.errors import DeckwoodError

Colour: TypeAlias = tuple[int, int, int]
Point: TypeAlias = tuple[float, float]
Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, width, height."""

INK: Colour = (40, 34, 30)
PAPER: Colour = (248, 243, 230)
GOLD: Colour = (226, 170, 40)
BLOOD: Colour = (178, 40, 44)
FADED: Colour = (128, 120, 110)

SHARPNESS = 2
"""Everything is drawn this many times larger, then scaled down: smooth edges, the same on every machine."""


@cache
def load_pygame() -> Any:
    """pygame, on first use."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame
    except ImportError as error:
        raise DeckwoodError('pictures need pygame: pip install "deckwood[render]"') from error
    pygame.font.init()
    return pygame


@cache
def font(size: int) -> Any:
    return load_pygame().font.Font(None, size * SHARPNESS)


def text_width(text: str, size: int) -> float:
    return float(font(size).size(text)[0]) / SHARPNESS


def line_height(size: int) -> float:
    return float(font(size).get_linesize()) / SHARPNESS


def wrapped(text: str, size: int, width: float) -> list[str]:
    """The lines of a text, none wider than ``width`` as long as its words are not."""
    lines: list[str] = []
    for paragraph in text.splitlines():
        line = ""
        for word in paragraph.split():
            longer = f"{line} {word}" if line else word
            if line and text_width(longer, size) > width:
                lines.append(line)
                line = word
            else:
                line = longer
        lines.append(line)
    return lines


def shortened(text: str, size: int, width: float) -> str:
    """The text, cut off with dots where it is too wide."""
    if text_width(text, size) <= width:
        return text
    while text and text_width(text + "...", size) > width:
        text = text[:-1]
    return text.rstrip() + "..."


class Canvas:
    """A surface without a window, measured in the pixels of the finished picture."""

    def __init__(self, width: int, height: int, background: Colour) -> None:
        self._pygame = load_pygame()
        self._size = width, height
        self._surface = self._pygame.Surface((width * SHARPNESS, height * SHARPNESS), 0, 32)
        self._surface.fill(background)

    def copy(self) -> Canvas:
        """Another canvas with the same drawing, for what is drawn once and goes under every picture."""
        twin = object.__new__(Canvas)
        twin._pygame, twin._size, twin._surface = self._pygame, self._size, self._surface.copy()
        return twin

    def pixels(self) -> NDArray[np.uint8]:
        """uint8 (height, width, 3)."""
        small = self._pygame.transform.smoothscale(self._surface, self._size)
        width, height = self._size
        return np.frombuffer(self._pygame.image.tobytes(small, "RGB"), np.uint8).reshape(height, width, 3).copy()

    def rect(self, box: Box, fill: Colour, border: Colour | None = None, radius: float = 0, width: float = 1.5) -> None:
        scaled = self._pygame.Rect(*(round(value * SHARPNESS) for value in box))
        corner = round(radius * SHARPNESS)
        self._pygame.draw.rect(self._surface, fill, scaled, border_radius=corner)
        if border:
            self._pygame.draw.rect(self._surface, border, scaled, round(width * SHARPNESS), border_radius=corner)

    def circle(self, centre: Point, radius: float, fill: Colour, border: Colour | None = None, width: float = 1.5) -> None:
        place = round(centre[0] * SHARPNESS), round(centre[1] * SHARPNESS)
        if border:
            self._pygame.draw.circle(self._surface, border, place, round(radius * SHARPNESS))
            radius -= width
        self._pygame.draw.circle(self._surface, fill, place, round(radius * SHARPNESS))

    def polygon(self, points: Sequence[Point], fill: Colour) -> None:
        self._pygame.draw.polygon(self._surface, fill, [(x * SHARPNESS, y * SHARPNESS) for x, y in points])

    def line(self, start: Point, end: Point, colour: Colour, width: float) -> None:
        """A line with round ends."""
        (x0, y0), (x1, y1) = start, end
        length = math.hypot(x1 - x0, y1 - y0) or 1.0
        dx, dy = (y1 - y0) / length * width / 2, (x0 - x1) / length * width / 2
        self.polygon([(x0 + dx, y0 + dy), (x1 + dx, y1 + dy), (x1 - dx, y1 - dy), (x0 - dx, y0 - dy)], colour)
        for point in (start, end):
            self.circle(point, width / 2, colour)

    def text(self, place: Point, text: str, size: int, colour: Colour = INK, align: float = 0) -> None:
        """Text whose top is at ``place``; ``align`` is 0 where it starts there, 0.5 centred, 1 where it ends there."""
        drawn = font(size).render(text, True, colour)
        left = place[0] * SHARPNESS - align * drawn.get_width()
        self._surface.blit(drawn, (round(left), round(place[1] * SHARPNESS)))

    def centred(self, centre: Point, text: str, size: int, colour: Colour = INK) -> None:
        """Text around a point; capitals and figures look centred there."""
        self.text((centre[0], centre[1] - 0.31 * size), text, size, colour, 0.5)

    def paragraph(self, box: Box, text: str, largest: int, smallest: int, colour: Colour = INK, middle: bool = False) -> float:
        """Wrapped text in the largest size that fits; returns its height. What does not fit at all is cut off with dots."""
        left, top, width, height = box
        size = next((z for z in range(largest, smallest, -1) if len(wrapped(text, z, width)) * line_height(z) <= height), smallest)
        lines, room = wrapped(text, size, width), max(1, int(height / line_height(size)))
        if len(lines) > room:
            lines = [*lines[: room - 1], shortened(" ".join(lines[room - 1 :]), size, width)]
        top += (height - len(lines) * line_height(size)) / 2 if middle else 0
        for i, line in enumerate(lines):
            self.text((left, top + i * line_height(size)), shortened(line, size, width), size, colour)
        return len(lines) * line_height(size)


def star(centre: Point, radius: float, points: int, inner: float) -> list[Point]:
    """The corners of a star."""
    corners = []
    for i in range(2 * points):
        r = radius * (inner if i % 2 else 1)
        angle = math.pi * i / points
        corners.append((centre[0] + r * math.sin(angle), centre[1] - r * math.cos(angle)))
    return corners


def draw_coin(canvas: Canvas, centre: Point, radius: float, text: str = "") -> None:
    canvas.circle(centre, radius, GOLD, (128, 88, 10), max(1, radius / 9))
    if text:
        canvas.centred(centre, text, round(radius * 1.35), (70, 44, 0))


def draw_heart(canvas: Canvas, centre: Point, radius: float, colour: Colour = BLOOD) -> None:
    x, y = centre
    for side in (-1, 1):
        canvas.circle((x + side * radius * 0.46, y - radius * 0.3), radius * 0.52, colour)
    canvas.polygon([(x - radius * 0.93, y - radius * 0.08), (x + radius * 0.93, y - radius * 0.08), (x, y + radius)], colour)


def draw_blade(canvas: Canvas, centre: Point, radius: float, colour: Colour = INK) -> None:
    """A sword that points to the upper right."""
    x, y, r = *centre, radius
    canvas.line((x - r * 0.35, y + r * 0.35), (x + r * 0.85, y - r * 0.85), colour, r * 0.32)
    canvas.line((x - r * 0.75, y - r * 0.02), (x + r * 0.02, y + r * 0.75), colour, r * 0.24)
    canvas.line((x - r * 0.35, y + r * 0.35), (x - r * 0.85, y + r * 0.85), colour, r * 0.3)


def draw_card(canvas: Canvas, box: Box, title: str, header: Colour, size: int = 20, paper: Colour = PAPER, aside: str = "") -> Box:
    """The frame and title of a card, with a short remark at the right; returns the box that is left for the rest."""
    left, top, width, height = box
    bar = line_height(size) + 5
    canvas.rect(box, paper, header, 6, 2)
    canvas.rect((left, top, width, bar), header, None, 6)
    canvas.rect((left, top + bar - 6, width, 6), header)
    room = width - 12
    if aside:
        canvas.text((left + width - 6, top + 3), aside, size, PAPER, 1)
        room -= text_width(aside, size) + 6
    canvas.text((left + 6, top + 3), shortened(title, size, room), size, PAPER)
    return left + 6, top + bar + 4, width - 12, height - bar - 8
