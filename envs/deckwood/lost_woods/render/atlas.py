"""The map as a drawing: cards on their grid, scaled to the room there is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from deckwood.core.drawing import INK, PAPER, Box, Canvas, Colour, Point, shortened, text_width
from deckwood.lost_woods.render.icons import (
    ENEMY,
    TARGET,
    WEAPON,
    draw_arrowhead,
    draw_count,
    draw_guardian,
    draw_pawn,
    draw_pieces,
    draw_potion,
    draw_ring,
    draw_spell,
    draw_tent,
    draw_tile_die,
    draw_tree,
    draw_well,
)
from deckwood.lost_woods.render.view import BOTH_WAYS, CLOSED, ONE_WAY, OPEN, WAY_OUT, Foe, Space
from deckwood.lost_woods.state import FIRST_SPELL, GOLD, LETTERS, NONE, NUM_DIRECTIONS, POTION, STEP_X, STEP_Y

FOREST: Colour = (44, 66, 48)
FIRS: tuple[Colour, ...] = ((38, 58, 42), (50, 76, 54), (40, 62, 48))
GROUNDS: tuple[Colour, ...] = ((190, 206, 216), (230, 216, 158), (216, 178, 138), (178, 196, 146))
"""A card's ground, by its deck."""
CAMP: Colour = (226, 200, 168)
CLEARING: Colour = (196, 162, 124)
PATH: Colour = (246, 232, 196)
BANK: Colour = (150, 118, 74)
HEDGE: Colour = (46, 74, 42)
ONLY_OUT: Colour = (214, 74, 30)
UNKNOWN: Colour = (214, 206, 170)
EXIT: Colour = (255, 214, 60)
HERE: Colour = (255, 206, 52)
NEW: Colour = (255, 255, 255)

LARGEST = 196.0, 156.0  # a space of the map
STRETCH = 1.4  # by how much it may be wider than tall, or taller than wide
NAMED = 66  # with this width on, spaces have their names
MIN_LETTERS = 10
CROWDED = 17.0  # things that would be smaller than this are drawn once, with how many there are

Icon: TypeAlias = Callable[[Canvas, Point, float], None]


@dataclass(frozen=True)
class Mark:
    """A thing in a space: how it is drawn, and how wide for its height."""

    draw: Icon
    width: float = 1.0
    middle: float = 0.5  # where its middle is, from the left


def draw_map(canvas: Canvas, area: Box, spaces: Sequence[Space], spells: Sequence[str]) -> None:
    """What has been explored of the woods; ``spells`` are the names of all spells."""
    boxes = places(area, spaces)
    draw_camp(canvas, [box for space, box in zip(spaces, boxes, strict=True) if space.deck == NONE])
    for space, box in zip(spaces, boxes, strict=True):
        draw_ground(canvas, box, space)
    for space, box in zip(spaces, boxes, strict=True):
        draw_ways(canvas, box, space)
    for space, box in zip(spaces, boxes, strict=True):
        draw_contents(canvas, box, space, spells)


def draw_woods(canvas: Canvas, area: Box) -> None:
    """Trees all over the area, always the same ones."""
    left, top, width, height = area
    canvas.rect(area, FOREST, None, 8)
    for row in range(int(height / 36)):
        for column in range(int(width / 44)):
            wild = (row * 7919 + column * 104729 + row * column * 31) % 97
            x = left + 26 + 44 * column + wild % 17 - 8
            y = top + 34 + 36 * row + wild % 13 - 6
            draw_tree(canvas, (x, y), 15 + wild % 8, FIRS[wild % 3])


def draw_camp(canvas: Canvas, boxes: Sequence[Box]) -> None:
    """The one card under the three spaces of the camp."""
    half = unit(boxes[0]) * 0.07
    arms = [over(boxes[1], box) for box in (boxes[0], boxes[2])]
    for grow, colour in ((half * 1.6, HEDGE), (half, CLEARING)):
        for left, top, width, height in arms:
            canvas.rect((left - grow, top - grow, width + 2 * grow, height + 2 * grow), colour, None, half * 2)


def over(one: Box, other: Box) -> Box:
    """The box around two boxes."""
    left, top = min(one[0], other[0]), min(one[1], other[1])
    return left, top, max(one[0] + one[2], other[0] + other[2]) - left, max(one[1] + one[3], other[1] + other[3]) - top


def places(area: Box, spaces: Sequence[Space]) -> list[Box]:
    """Where each space lies: as large as they all can be, in the middle of the area; half a space is left around for open ways."""
    left, top, width, height = area
    west, north = min(space.x for space in spaces), max(space.y for space in spaces)
    columns = max(space.x for space in spaces) - west + 1
    rows = north - min(space.y for space in spaces) + 1
    wide, tall = min(LARGEST[0], width / (columns + 0.6)), min(LARGEST[1], height / (rows + 0.6))
    wide, tall = min(wide, tall * STRETCH), min(tall, wide * STRETCH)
    x0, y0 = left + (width - wide * columns) / 2, top + (height - tall * rows) / 2
    gap = gap_of(wide, tall)
    return [(x0 + (space.x - west) * wide + gap / 2, y0 + (north - space.y) * tall + gap / 2, wide - gap, tall - gap) for space in spaces]


def gap_of(wide: float, tall: float) -> float:
    """Between two cards, for the ways."""
    return max(7.0, 0.17 * min(wide, tall))


def unit(box: Box) -> float:
    """What the strokes of a card are measured in."""
    return min(box[2], box[3])


def draw_ground(canvas: Canvas, box: Box, space: Space) -> None:
    left, top, width, height = box
    size = unit(box)
    ring = max(2.0, size * 0.045)
    colours = [(3 * ring, HERE)] * space.here + [(2 * ring, TARGET)] * space.target + [(2 * ring, NEW)] * space.new
    for grow, colour in colours:
        half = grow / 2
        canvas.rect((left - half, top - half, width + grow, height + grow), colour, None, size * 0.14)
    canvas.rect(box, CAMP if space.deck == NONE else GROUNDS[space.deck], HEDGE, size * 0.1, ring)


def draw_ways(canvas: Canvas, box: Box, space: Space) -> None:
    """From the middle of the card to its edges, and beyond them: both ways a path, one way an arrow, open a path that fades."""
    left, top, width, height = box
    size = unit(box)
    middle = left + width / 2, top + height / 2
    gap = gap_of(width + size * 0.2, height + size * 0.2)
    for bank in (True, False):
        for direction in range(NUM_DIRECTIONS):
            if space.edges[direction] != CLOSED:
                edge = toward(box, direction)
                stroke(canvas, middle, edge, size * (0.26 if bank else 0.19), BANK if bank else PATH)
        canvas.circle(middle, size * (0.13 if bank else 0.095), BANK if bank else PATH)
    for direction in range(NUM_DIRECTIONS):
        draw_crossing(canvas, toward(box, direction), gap, size, direction, space.edges[direction], space.explorable[direction])


def draw_crossing(canvas: Canvas, edge: Point, gap: float, size: float, direction: int, kind: str, target: bool = False) -> None:
    """What lies between a card and what is beyond it; green where the decision can go on there."""
    step = dx, dy = STEP_X[direction], -STEP_Y[direction]

    def at(far: float) -> Point:
        return edge[0] + dx * far, edge[1] + dy * far

    wide = size * 0.19
    if kind == BOTH_WAYS:
        stroke(canvas, at(-1), at(gap / 2 + 1), wide * 1.37, BANK)
        stroke(canvas, at(-wide * 0.5), at(gap / 2 + 1), wide, PATH)
    elif kind == ONE_WAY:
        stroke(canvas, at(-wide * 0.5), at(gap * 0.3), wide, PATH)
        draw_arrowhead(canvas, at(gap * 1.3), gap * 1.3, step, INK)
        draw_arrowhead(canvas, at(gap * 1.15), gap * 0.98, step, ONLY_OUT)
    elif kind == OPEN:
        stroke(canvas, at(-wide * 0.5), at(gap * 0.2), wide, PATH)
        for spot in range(3):
            radius = max(1.4, wide * (0.36 - 0.07 * spot))
            if target:
                draw_ring(canvas, at(gap * (0.5 + 0.6 * spot)), radius)
            canvas.circle(at(gap * (0.5 + 0.6 * spot) if target else gap * (0.45 + 0.42 * spot)), radius, UNKNOWN)
    elif kind == WAY_OUT:
        stroke(canvas, at(-wide * 0.5), at(gap * 0.7), wide * 1.1, EXIT)
        draw_arrowhead(canvas, at(gap * (2.2 if target else 1.95)), gap * (1.8 if target else 1.4), step, TARGET if target else INK)
        draw_arrowhead(canvas, at(gap * 1.75), gap * 1.05, step, EXIT)


def toward(box: Box, direction: int) -> Point:
    """The middle of a card's edge."""
    left, top, width, height = box
    return left + width / 2 * (1 + STEP_X[direction]), top + height / 2 * (1 - STEP_Y[direction])


def stroke(canvas: Canvas, start: Point, end: Point, width: float, colour: Colour) -> None:
    """A straight strip along a row or column, with square ends."""
    (x0, y0), (x1, y1) = start, end
    half = width / 2
    if y0 == y1:
        canvas.rect((min(x0, x1), y0 - half, abs(x1 - x0), width), colour)
    else:
        canvas.rect((x0 - half, min(y0, y1), width, abs(y1 - y0)), colour)


# What is on a card ---------------------------------------------------------------------------------------------------------------------


def draw_contents(canvas: Canvas, box: Box, space: Space, spells: Sequence[str]) -> None:
    """The name at the foot where there is room for one, above it enemies, what lies there and adventurers; a guardian at the corner, large
    however crowded the room is."""
    left, top, width, height = box
    size = unit(box)
    inset = size * 0.07
    foot = 0.0
    if width >= NAMED:
        letters = max(11, min(17, round(height * 0.13)))
        letters = next((size for size in range(letters, MIN_LETTERS, -1) if text_width(space.name, size) <= width - 8), MIN_LETTERS)
        name = shortened(space.name, letters, width - 8)
        wide = text_width(name, letters) + 8
        foot = letters * 0.72 + 3
        plate = left + (width - wide) / 2, top + height - foot - 2, wide, foot
        canvas.rect(plate, HERE if space.here else (70, 58, 44), None, 3)
        canvas.text((plate[0] + 4, plate[1] + 2), name, letters, INK if space.here else PAPER)
    if space.deck == NONE and not space.foes:
        draw_tent(canvas, (left + size * 0.17, top + size * 0.17), size * 0.12)
    guardian = next((foe for foe in space.foes if foe.guardian != NONE), None)
    radius = max(11.0, size * 0.17)
    below = inset if guardian is None else max(inset, radius * 0.8)
    draw_marks(canvas, (left + inset, top + below, width - 2 * inset, height - foot - inset - below), space, spells, size)
    if guardian is not None:
        foe_mark(guardian).draw(canvas, (left + radius * 0.3, top + radius * 0.2), radius)


def marks_of(space: Space, spells: Sequence[str], together: bool) -> list[list[Mark]]:
    """Rows of things: common enemies, then what lies there, then adventurers; equal things ``together`` or one by one."""
    foes = counted_marks(((foe.kind, foe_mark(foe)) for foe in space.foes if foe.guardian == NONE), together)
    goods = space.goods
    things: list[tuple[int, Mark]] = []
    for die in goods.dice:
        things.append((die, Mark(lambda canvas, centre, r, die=die: draw_tile_die(canvas, centre, r, die, WEAPON))))  # type: ignore[misc]
    things += [(POTION, Mark(draw_potion, 0.8, 0.4))] * goods.potions
    if goods.gold:
        things.append((GOLD, Mark(lambda canvas, centre, r: draw_pieces(canvas, centre, r, goods.gold))))
    for spell in goods.spells:
        if spell != space.well:
            mark = Mark(lambda canvas, centre, r, name=spells[spell]: draw_spell(canvas, centre, r, name))  # type: ignore[misc]
            things.append((FIRST_SPELL + spell, mark))
    if space.well != NONE:
        full = space.well in goods.spells
        mark = Mark(lambda canvas, centre, r: draw_well(canvas, centre, r * 1.08, spells[space.well], full), 1.1, 0.55)
        things.insert(0, (FIRST_SPELL + space.well, mark))
    lying = counted_marks(((item, ringed(mark) if item in space.takable else mark) for item, mark in things), together)
    pawns = [
        Mark(lambda canvas, centre, r, seat=seat: draw_pawn(canvas, centre, r, seat), 0.86, 0.43)  # type: ignore[misc]
        for seat in space.pawns
    ]
    return [row for row in (foes, lying, pawns) if row]


def counted_marks(things: Iterable[tuple[int, Mark]], together: bool) -> list[Mark]:
    """Marks of things by kind: one for each thing, or one for each kind, with how many there are."""
    things = list(things)
    if not together:
        return [mark for _, mark in things]
    counts = Counter(kind for kind, _ in things)
    return [with_count(mark, counts[kind]) for kind, mark in dict(things).items()]


def with_count(mark: Mark, count: int) -> Mark:
    def draw(canvas: Canvas, centre: Point, r: float) -> None:
        mark.draw(canvas, centre, r)
        draw_count(canvas, centre, r, count)

    return replace(mark, draw=draw) if count > 1 else mark


def ringed(mark: Mark) -> Mark:
    """A thing that the decision can choose."""

    def draw(canvas: Canvas, centre: Point, r: float) -> None:
        draw_ring(canvas, centre, r * 0.92)
        mark.draw(canvas, centre, r)

    return replace(mark, draw=draw)


def draw_foe(canvas: Canvas, centre: Point, radius: float, foe: Foe) -> None:
    """An enemy's tile, or a guardian's."""
    if foe.guardian != NONE:
        draw_guardian(canvas, centre, radius, LETTERS[foe.guardian])
    else:
        draw_tile_die(canvas, centre, radius, foe.dice[0], ENEMY)


def foe_mark(foe: Foe) -> Mark:
    """An enemy with the gold for defeating it in its corner."""

    def draw(canvas: Canvas, centre: Point, r: float) -> None:
        draw_foe(canvas, centre, r, foe)
        if r >= 6:
            draw_pieces(canvas, (centre[0] + r * 0.86, centre[1] + r * 0.62), r * 0.52, foe.gold)

    mark = Mark(draw, 1.24, 0.52)
    return ringed(mark) if foe.target else mark


def draw_marks(canvas: Canvas, box: Box, space: Space, spells: Sequence[str], size: float) -> None:
    """Things in rows around the middle of a box, as large as all can be: each kind in rows of its own, where that costs little room."""
    groups = marks_of(space, spells, False)
    if not groups:
        return
    left, top, width, height = box
    apart, rows = largest(groups, size * 0.36, width, height)
    if apart < CROWDED:
        groups = marks_of(space, spells, True)
        apart, rows = largest(groups, size * 0.36, width, height)
    mixed, together = largest([[mark for group in groups for mark in group]], size * 0.36, width, height)
    if mixed > 1.15 * apart:
        rows = together
    step = max(apart, mixed if rows is together else 0) * 1.06
    y = top + (height - step * len(rows)) / 2 + step / 2
    for row in rows:
        x = left + (width - sum(mark.width for mark in row) * step) / 2
        for mark in row:
            mark.draw(canvas, (x + step * mark.middle, y), step / 2.12)
            x += mark.width * step
        y += step


def largest(groups: Sequence[Sequence[Mark]], tall: float, width: float, height: float) -> tuple[float, list[list[Mark]]]:
    """The largest size, from ``tall`` down, at which the groups have room, and their rows then."""
    while True:
        rows = [row for group in groups for row in flow(group, tall, width)]
        if len(rows) * tall * 1.06 <= height or tall < 5:
            return tall, rows
        tall *= 0.94


def flow(marks: Sequence[Mark], tall: float, width: float) -> list[list[Mark]]:
    """Marks in rows that are no wider than the room."""
    rows: list[list[Mark]] = [[]]
    used = 0.0
    for mark in marks:
        wide = mark.width * tall * 1.06
        if rows[-1] and used + wide > width:
            rows.append([])
            used = 0.0
        rows[-1].append(mark)
        used += wide
    return rows
