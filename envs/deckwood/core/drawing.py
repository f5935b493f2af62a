"""Parts of pictures that every game uses: a canvas, coins, hearts and blades, the frames of cards."""

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

LAST_SIZE = 9
"""The smallest type, for texts that would have to be cut off otherwise."""
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
    """The lines of a text, wrapped at ``width`` (a longer word overflows)."""
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


def fitted(text: str, size: int, width: float, smallest: int = 11) -> int:
    """The largest size, up to ``size``, in which a line of text is no wider than ``width``; else ``smallest``."""
    return next((z for z in range(size, smallest, -1) if text_width(text, z) <= width), smallest)


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
        """Wrapped text in the largest size that fits; returns its height. See :meth:`paragraphs`."""
        return self.paragraphs(box, [(text, colour)], largest, smallest, middle)

    def paragraphs(self, box: Box, parts: Sequence[tuple[str, Colour]], largest: int, smallest: int, middle: bool = False) -> float:
        """Wrapped texts, one below the other, in the largest size in which all fit; returns their height.

        Where not even ``smallest`` fits, the type becomes as small as LAST_SIZE; only what does not fit then is cut off with dots.
        """
        left, top, width, height = box
        parts = [(text, colour) for text, colour in parts if text]
        size = next((z for z in range(largest, smallest, -1) if texts_height(parts, z, width) <= height), smallest)
        if size == smallest:
            size = next((z for z in range(smallest, LAST_SIZE, -1) if texts_height(parts, z, width) <= height), LAST_SIZE)
        lines = [(line, colour) for text, colour in parts for line in wrapped(text, size, width)]
        room = max(1, int(height / line_height(size)))
        if len(lines) > room:
            rest = shortened(" ".join(line for line, _ in lines[room - 1 :]), size, width)
            lines = [*lines[: room - 1], (rest, lines[room - 1][1])]
        top += (height - len(lines) * line_height(size)) / 2 if middle else 0
        for i, (line, colour) in enumerate(lines):
            self.text((left, top + i * line_height(size)), shortened(line, size, width), size, colour)
        return len(lines) * line_height(size)


def texts_height(parts: Sequence[tuple[str, Colour]], size: int, width: float) -> float:
    """How high wrapped texts are, one below the other; without end where a word is wider than ``width``."""
    lines = [line for text, _ in parts for line in wrapped(text, size, width)]
    return math.inf if any(text_width(line, size) > width for line in lines) else len(lines) * line_height(size)


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


def draw_card(canvas: Canvas, box: Box, title: str, header: Colour, size: int = 20, aside: str = "", choices: Sequence[str] = ()) -> Box:
    """The frame and title of a card; returns the box that is left for the rest.

    A short remark stands at the right. A card about which there is something to choose has a golden frame, and a tag that says what.
    """
    left, top, width, height = box
    bar = line_height(size) + 5
    if choices:
        canvas.rect((left - 3, top - 3, width + 6, height + 6), GOLD, INK, 8, 1)
    canvas.rect(box, PAPER, header, 6, 2)
    canvas.rect((left, top, width, bar), header, None, 6)
    canvas.rect((left, top + bar - 6, width, 6), header)
    room = width - 12
    if choices:
        room -= draw_tag(canvas, left + width - 3, top + 2, bar - 4, ", ".join(choices)) + 6
    if aside:
        small = fitted(aside, size - 2, room * 0.5)
        middle(canvas, (left + 6 + room - text_width(aside, small), top + bar / 2), aside, small, PAPER)
        room -= text_width(aside, small) + 6
    title_size = fitted(title, size, room, LAST_SIZE)
    middle(canvas, (left + 6, top + bar / 2), shortened(title, title_size, room), title_size, PAPER)
    return left + 6, top + bar + 4, width - 12, height - bar - 8


def middle(canvas: Canvas, place: Point, text: str, size: int, colour: Colour) -> None:
    """Text that starts at a point, around its height."""
    canvas.text((place[0], place[1] - 0.31 * size), text, size, colour)


def draw_tag(canvas: Canvas, right: float, top: float, height: float, text: str) -> float:
    """A golden tag that ends at ``right``; returns its width."""
    size = round(height * 0.88)
    width = text_width(text, size) + 10
    canvas.rect((right - width, top, width, height), GOLD, INK, 5, 1)
    middle(canvas, (right - width + 5, top + height / 2), text, size, INK)
    return width
