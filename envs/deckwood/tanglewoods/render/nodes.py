"""Nodes and cards of the path as drawings."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import combinations, product

from deckwood.core.drawing import GOLD, INK, PAPER, Box, Canvas, Colour, Point, draw_blade, draw_coin, star
from deckwood.tanglewoods.render.view import PathCard, Spot
from deckwood.tanglewoods.state import PLACE_NAMES, PLACES, THRESHOLDS

DISCS: dict[str, Colour] = {
    "minion": (246, 226, 196), "wolf": (196, 200, 210), "fable": (196, 222, 244), "campfire": (255, 232, 178),
    "home": (250, 250, 240), "start": (250, 250, 240),
}  # fmt: skip
DAY: Colour = (172, 208, 142)
NIGHT: Colour = (108, 88, 152)
DAY_LINE: Colour = (92, 116, 66)
NIGHT_LINE: Colour = (206, 196, 232)
BLIGHT: Colour = (120, 30, 110)
STEEL: Colour = (70, 76, 84)
WEARY: Colour = (150, 214, 226)

COLUMNS = (0.14, 0.32, 0.5, 0.68, 0.86)  # of a card's width, where nodes may lie
GATES = (0.17, 0.5, 0.83)  # and where its thresholds are


def draw_node(canvas: Canvas, centre: Point, radius: float, spot: Spot, toll: int) -> None:
    """A node: the outline first, then the disc with the icon of its type."""
    draw_outline(canvas, centre, radius, spot)
    canvas.circle(centre, radius, DISCS[spot.kind], INK, 1.5)
    ICONS[spot.kind](canvas, centre, radius * 0.66)
    if spot.outline == "toll":
        draw_coin(canvas, (centre[0] + radius * 0.9, centre[1] + radius * 0.75), max(8.5, radius * 0.55), str(toll))


def draw_outline(canvas: Canvas, centre: Point, radius: float, spot: Spot) -> None:
    if spot.outline == "blighted":
        canvas.polygon(star(centre, radius * 1.55, 12, 0.72), BLIGHT)
    elif spot.outline == "weary":
        for i in range(9):
            angle = 2 * math.pi * i / 9
            place = centre[0] + radius * 1.27 * math.cos(angle), centre[1] + radius * 1.27 * math.sin(angle)
            canvas.circle(place, radius * 0.22, WEARY, INK, 1)
    elif spot.outline == "trap":
        canvas.circle(centre, radius * 1.42, STEEL)
        canvas.polygon(star(centre, radius * 1.36, 10, 0.72), PAPER)
    elif spot.mobs:
        for ring in range(spot.mobs, 0, -1):
            canvas.circle(centre, radius + 4 * ring, (160, 52, 36))
            canvas.circle(centre, radius + 4 * ring - 2, PAPER)
        draw_mobs(canvas, centre, radius, spot.mobs)
    elif spot.outline == "toll":
        canvas.circle(centre, radius * 1.24, GOLD, INK, 1)


def draw_mobs(canvas: Canvas, centre: Point, radius: float, mobs: int) -> None:
    """A dot for each enemy that a mob adds, on the outermost border."""
    for i in range(mobs):
        angle = math.radians(-90 + 34 * (i - (mobs - 1) / 2))
        far = radius + 4 * mobs
        canvas.circle((centre[0] + far * math.cos(angle), centre[1] + far * math.sin(angle)), 4, (160, 52, 36), PAPER, 1)


def draw_swords(canvas: Canvas, centre: Point, r: float) -> None:
    """Two swords crossed."""
    x, y = centre
    draw_blade(canvas, centre, r)
    canvas.line((x + r * 0.35, y + r * 0.35), (x - r * 0.85, y - r * 0.85), INK, r * 0.32)
    canvas.line((x + r * 0.75, y - r * 0.02), (x - r * 0.02, y + r * 0.75), INK, r * 0.24)
    canvas.line((x + r * 0.35, y + r * 0.35), (x + r * 0.85, y + r * 0.85), INK, r * 0.3)


def draw_wolf(canvas: Canvas, centre: Point, r: float) -> None:
    """A wolf's head from the front."""
    x, y = centre
    half = [(0.0, -0.45), (0.35, -0.55), (0.75, -1.05), (0.95, -0.2), (0.85, 0.25), (0.4, 0.55), (0.22, 1.0), (0.0, 1.1)]
    canvas.polygon([(x + a * r, y + b * r) for a, b in half] + [(x - a * r, y + b * r) for a, b in reversed(half)], STEEL)
    for side in (-1, 1):
        canvas.polygon([(x + side * r * 0.2, y + r * 0.1), (x + side * r * 0.62, y - r * 0.2), (x + side * r * 0.5, y + r * 0.14)], GOLD)
    canvas.circle((x, y + r * 0.88), r * 0.2, INK)


def draw_book(canvas: Canvas, centre: Point, r: float) -> None:
    """An open book."""
    x, y = centre
    for side in (-1, 1):
        cover = [(0.0, -0.5), (1.05, -0.75), (1.05, 0.62), (0.0, 0.9)]
        page = [(0.06, -0.36), (0.9, -0.56), (0.9, 0.44), (0.06, 0.68)]
        canvas.polygon([(x + side * a * r, y + b * r) for a, b in cover], (52, 74, 120))
        canvas.polygon([(x + side * a * r, y + b * r) for a, b in page], PAPER)
        for row in (-0.16, 0.08, 0.32):
            canvas.line((x + side * r * 0.24, y + row * r), (x + side * r * 0.74, y + (row - 0.12) * r), (52, 74, 120), r * 0.1)


def draw_fire(canvas: Canvas, centre: Point, r: float) -> None:
    """Flames on two logs."""
    x, y = centre
    flame = [(0.0, -1.15), (0.3, -0.55), (0.5, -0.75), (0.72, 0.0), (0.45, 0.55), (-0.45, 0.55), (-0.72, 0.0), (-0.42, -0.45), (-0.2, -0.3)]
    core = [(0.05, -0.4), (0.34, 0.15), (0.2, 0.52), (-0.22, 0.52), (-0.32, 0.15)]
    canvas.line((x - r * 0.85, y + r * 0.9), (x + r * 0.85, y + r * 0.55), (104, 62, 30), r * 0.28)
    canvas.line((x - r * 0.85, y + r * 0.55), (x + r * 0.85, y + r * 0.9), (104, 62, 30), r * 0.28)
    canvas.polygon([(x + a * r, y + b * r) for a, b in flame], (214, 76, 28))
    canvas.polygon([(x + a * r, y + b * r) for a, b in core], (250, 190, 50))


def draw_house(canvas: Canvas, centre: Point, r: float) -> None:
    """Home, where the path starts and ends."""
    x, y = centre
    canvas.rect((x - r * 0.68, y - r * 0.15, r * 1.36, r * 1.05), (176, 122, 74))
    canvas.rect((x + r * 0.36, y - r * 0.95, r * 0.28, r * 0.6), (150, 44, 36))
    canvas.polygon([(x - r * 1.05, y), (x, y - r * 1.05), (x + r * 1.05, y)], (150, 44, 36))
    canvas.rect((x - r * 0.2, y + r * 0.28, r * 0.4, r * 0.62), INK)


ICONS = {"minion": draw_swords, "wolf": draw_wolf, "fable": draw_book, "campfire": draw_fire, "home": draw_house, "start": draw_house}


def draw_pawn(canvas: Canvas, foot: Point, size: float) -> None:
    """The hero's pawn, standing on a point."""
    x, y = foot
    for grow, colour in ((1.6, INK), (0.0, GOLD)):
        canvas.polygon([(x - size * 0.42 - grow, y + grow), (x, y - size * 0.95 - grow), (x + size * 0.42 + grow, y + grow)], colour)
        canvas.circle((x, y - size * 0.86), size * 0.26 + grow, colour)


def draw_lines(canvas: Canvas, box: Box, card: PathCard, marked: tuple[int, frozenset[int]]) -> None:
    """A card's lines; those from the hero's place to where the hero may go are golden."""
    source, ends = marked
    colour = NIGHT_LINE if card.night else DAY_LINE
    spots = layout(tuple(card.spots), card.lines, box[2] / box[3])
    for line in sorted(card.lines, key=lambda line: line[0] == source and line[1] in ends):
        start, end = (at(box, place) for place in ends_of(line, spots))
        golden = line[0] == source and line[1] in ends
        if golden:
            canvas.line(start, end, INK, 7)
        canvas.line(start, end, GOLD if golden else colour, 5 if golden else 3)


def draw_nodes(canvas: Canvas, box: Box, card: PathCard, radius: float, toll: int) -> None:
    """A card's thresholds and nodes, with the letters of their places."""
    colour = NIGHT_LINE if card.night else DAY_LINE
    for gate in {end for line in card.lines for end in line_gates(line)}:
        canvas.circle(at(box, gate), 4, colour)
    for place, (x, y) in layout(tuple(card.spots), card.lines, box[2] / box[3]).items():
        centre = at(box, (x, y))
        draw_node(canvas, centre, radius, card.spots[place], toll)
        badge = centre[0] - radius * 1.05, centre[1] + radius * 0.95
        canvas.circle(badge, 7, INK)
        canvas.centred((badge[0], badge[1] - 1), PLACE_NAMES[place], 16, PAPER)


def line_gates(line: tuple[int, int]) -> list[Point]:
    return [(GATES[end - PLACES], float(upper)) for end, upper in ((line[0], 0), (line[1], 1)) if end >= PLACES]


def ends_of(line: tuple[int, int], spots: dict[int, Point]) -> tuple[Point, Point]:
    """Both ends of a line, as shares of the card's width and height (from the bottom)."""
    source, end = line
    start = spots[source] if source < PLACES else (GATES[source - PLACES], 0.0)
    return start, spots[end] if end < PLACES else (GATES[end - PLACES], 1.0)


def at(box: Box, place: Point) -> Point:
    """The pixel of a place on a card."""
    return box[0] + place[0] * box[2], box[1] + (1 - place[1]) * box[3]


def spot_place(card: PathCard, box: Box, place: int) -> Point:
    return at(box, layout(tuple(card.spots), card.lines, box[2] / box[3])[place])


@lru_cache(maxsize=256)
def layout(places: tuple[int, ...], lines: tuple[tuple[int, int], ...], aspect: float) -> dict[int, Point]:
    """Where to draw the nodes of a card: in rows by their distance from the lower edge, placed so that lines cross and touch least."""
    rank = dict.fromkeys(places, 1)
    for _ in places:
        for source, end in lines:
            if end < PLACES and source < PLACES:
                rank[end] = max(rank[end], rank[source] + 1)
    rows = max(rank.values()) + 1
    options = [{p: (x, rank[p] / rows) for p, x in zip(places, xs, strict=True)} for xs in product(COLUMNS, repeat=len(places))]
    return min(options, key=lambda spots: untidiness(spots, lines, aspect))


def untidiness(spots: dict[int, Point], lines: tuple[tuple[int, int], ...], aspect: float) -> float:
    """How hard a layout is to read; lengths are in shares of the card's height."""

    def scaled(place: Point) -> Point:
        return place[0] * aspect, place[1]

    drawn = [tuple(map(scaled, ends_of(line, spots))) for line in lines]
    total = sum(math.dist(start, end) ** 2 for start, end in drawn)
    for one, other in combinations(spots.values(), 2):
        total += 20 * max(0.0, 0.55 - math.dist(scaled(one), scaled(other)))
    for line, (start, end) in zip(lines, drawn, strict=True):
        for place, spot in spots.items():
            if place not in line:
                total += 20 * max(0.0, 0.3 - distance(scaled(spot), start, end))
    return total + 2 * sum(crosses(one, other) for one, other in combinations(drawn, 2))


def distance(point: Point, start: Point, end: Point) -> float:
    """From a point to a stretch of line."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    along = ((point[0] - start[0]) * dx + (point[1] - start[1]) * dy) / (dx * dx + dy * dy or 1.0)
    along = min(1.0, max(0.0, along))
    return math.dist(point, (start[0] + along * dx, start[1] + along * dy))


def crosses(one: tuple[Point, ...], other: tuple[Point, ...]) -> bool:
    """True where two stretches of line cross away from their ends."""

    def side(a: Point, b: Point, c: Point) -> float:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    (a, b), (c, d) = one, other
    return side(a, b, c) * side(a, b, d) < -1e-9 and side(c, d, a) * side(c, d, b) < -1e-9


assert len(GATES) == THRESHOLDS
