"""The map as a drawing: cards on their grid, scaled to the room there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from deckwood.core.drawing import BLOOD, GOLD, INK, PAPER, Box, Canvas, Colour, Point, fitted, line_height, text_width, wrapped
from deckwood.etherfields.render.icons import (
    DARK,
    draw_arrow,
    draw_entrance,
    draw_resources,
    draw_skull,
    draw_star,
    resources_width,
)
from deckwood.etherfields.render.view import MapCard, Space, UniqueAction
from deckwood.etherfields.state import AWARENESS, EAST, NORTH, RESOURCES, SOUTH, WEST

GROUND: Colour = (190, 181, 216)
UNDERFOOT: Colour = (226, 220, 242)
NEXT: Colour = (248, 206, 92)
REACHED: Colour = (250, 232, 176)
BORDER: Colour = (252, 250, 255)
FAINT: Colour = (92, 80, 108)
PURPLE: Colour = (116, 102, 152)

LARGEST = 330.0, 250.0  # a map card
SIDES = (NORTH, EAST, SOUTH, WEST)


def draw_map(canvas: Canvas, area: Box, cards: Sequence[MapCard], health: int, legend: bool = False) -> None:
    """The map cards in play. Walls come last, so that a wall of one card closes its neighbour's edge too.

    With a ``legend``, unique actions that have no room for their names in their space are told by name below the map.
    """
    if not cards:
        return
    area, lines = with_legend(area, cards) if legend else (area, [])
    boxes = [(card, box) for card, box in zip(cards, places(area, cards), strict=True)]
    for card, box in boxes:
        draw_ground(canvas, box, card)
    for walls in (False, True):
        for card, box in boxes:
            draw_dividers(canvas, box, card, walls)
    numbered = are_numbered(cards, [box for _, box in boxes]) and bool(lines)
    for i, (card, box) in enumerate(boxes, 1):
        draw_contents(canvas, box, card, health, i if numbered else 0)
    for text, place, size in lines:
        canvas.text(place, text, size)


LEGEND_COLUMN = 250.0
"""The width of a column of the legend."""


def with_legend(area: Box, cards: Sequence[MapCard]) -> tuple[Box, list[tuple[str, Point, int]]]:
    """The room that the map has beside its legend, and the lines of the legend with their places and type.

    The legend lies below the map or to its right, wherever that leaves larger map cards.
    """
    left, top, width, height = area
    options = []
    for columns in (1, 2):
        options.append(((left, top, width - columns * LEGEND_COLUMN, height), columns, True))
    options.append((area, int(width / LEGEND_COLUMN), False))
    best: tuple[float, Box, list[tuple[str, Point, int]]] | None = None
    for inside, columns, beside in options:
        found = legend_lines(area, inside, columns, beside, cards)
        if found is not None and (best is None or places(found[0], cards)[0][2] >= best[0]):
            best = places(found[0], cards)[0][2], *found
    return best[1:] if best else (area, [])


def legend_lines(
    area: Box, inside: Box, columns: int, beside: bool, cards: Sequence[MapCard]
) -> tuple[Box, list[tuple[str, Point, int]]] | None:
    """The map's room, of ``inside``, and the lines of its legend; None where a legend ``beside`` it has no room."""
    left, top, width, height = inside
    column = LEGEND_COLUMN if beside else width / columns
    size, taken, rows, entries = 14, 0.0, 0, entries_of(inside, cards)
    for _ in range(3 if not beside else 0):  # a smaller map may have room for fewer names
        rows = -(-len(entries) // columns)
        needed = rows * line_height(size) + 6 if entries else 0.0
        if needed <= taken:
            break
        taken = needed
        entries = entries_of((left, top, width, height - taken), cards)
    if beside:
        rows = int(height / line_height(size))
        if len(entries) > rows * columns:
            return None
    x, y = (left + width + 8, top) if beside else (left, top + height - taken + 5)
    lines = []
    for i, entry in enumerate(entries):
        place = x + i // rows * column, y + i % rows * line_height(size)
        lines.append((entry, place, fitted(entry, size, column - 10, 9)))
    return (left, top, width, height - taken), lines


def entries_of(area: Box, cards: Sequence[MapCard]) -> list[str]:
    """What the legend tells: cards whose names have no room, and the unique actions whose names have none in their space."""
    found = []
    boxes = places(area, cards)
    numbered = are_numbered(cards, boxes)
    for i, (card, box) in enumerate(zip(cards, boxes, strict=True), 1):
        found += [f"{i}  {title(card)}"] if numbered else []
        for at, space in enumerate(card.spaces):
            inside = room(box, space.cells, 0 if numbered else name_strip(box))
            if space.actions and not plan(inside, space, card.here == at, i * numbered).named:
                found += [f"{i if numbered else title(card)} {space.letter}: {action.label}" for action in space.actions]
    return found


def title(card: MapCard) -> str:
    """A map card's name and side."""
    return f"{card.name} {card.side[:1]}"


def are_numbered(cards: Sequence[MapCard], boxes: Sequence[Box]) -> bool:
    """True where the map cards are too small for their names."""
    return any(text_width(title(card), 11) > box[2] - 14 for card, box in zip(cards, boxes, strict=True))


def places(area: Box, cards: Sequence[MapCard]) -> list[Box]:
    """Where each card lies: as large as they all can be, in the middle of the area."""
    left, top, width, height = area
    west, south = min(card.x for card in cards), min(card.y for card in cards)
    columns, rows = max(card.x for card in cards) - west + 1, max(card.y for card in cards) - south + 1
    wide, tall = min(LARGEST[0], width / columns), min(LARGEST[1], height / rows)
    wide, tall = min(wide, tall * 1.5), min(tall, wide * 1.5)
    x0, y0 = left + (width - wide * columns) / 2, top + (height - tall * rows) / 2
    return [(x0 + (card.x - west) * wide, y0 + (rows - 1 - card.y + south) * tall, wide, tall) for card in cards]


def cell_box(box: Box, cell: int) -> Box:
    left, top, width, height = box
    return left + cell % 3 * width / 3, top + cell // 3 * height / 3, width / 3, height / 3


def draw_ground(canvas: Canvas, box: Box, card: MapCard) -> None:
    for cell, at in enumerate(card.space_at):
        steps = card.spaces[at].steps
        here = card.here == at
        left, top, width, height = cell_box(box, cell)
        colour = UNDERFOOT if here else GROUND if steps is None else NEXT if steps == 1 else REACHED
        canvas.rect((left, top, width + 0.5, height + 0.5), colour)


def draw_dividers(canvas: Canvas, box: Box, card: MapCard, walls: bool) -> None:
    """Borders as light double lines, or walls as bold ones."""
    thick = max(3.0, box[2] * 0.022)
    for cell in range(len(card.space_at)):
        left, top, width, height = cell_box(box, cell)
        for side in SIDES:
            found = card.divider(cell, side)
            if found is None or found != walls:
                continue
            x, y = left + width * (side == EAST), top + height * (side == SOUTH)
            across = side in (NORTH, SOUTH)
            if walls:
                canvas.line((x, y), (x + width * across, y + height * (not across)), DARK, thick)
                continue
            for offset in (-1.8, 1.8):
                dx, dy = offset * (not across), offset * across
                canvas.line((x + dx, y + dy), (x + dx + width * across, y + dy + height * (not across)), BORDER, 1.4)


def draw_contents(canvas: Canvas, box: Box, card: MapCard, health: int, number: int) -> None:
    """What is in the spaces, and the card's name at its foot, or its number in the legend in its first space."""
    strip = 0 if number else name_strip(box)
    for at, space in enumerate(card.spaces):
        own = number if at == card.space_at[0] else 0
        draw_space(canvas, room(box, space.cells, strip), space, health if card.here == at else None, own)
    if number:
        return
    name = title(card)
    size = fitted(name, name_size(box), box[2] - 14, 7)
    width = text_width(name, size) + 8
    foot = box[0] + (box[2] - width) / 2, box[1] + box[3] - strip - 3, width, strip + 1
    canvas.rect(foot, GOLD if card.here is not None else PURPLE, None, 4)
    canvas.text((foot[0] + 4, foot[1] + 1.5), name, size, INK if card.here is not None else PAPER)


def name_size(box: Box) -> int:
    """The type of a map card's name."""
    return max(12, min(17, round(box[3] * 0.105)))


def name_strip(box: Box) -> float:
    """The height of a map card's name."""
    return line_height(name_size(box)) - 1


@lru_cache(maxsize=512)
def largest(cells: tuple[int, ...]) -> tuple[int, int, int, int]:
    """The largest rectangle of cells in a space: first column, first row, columns, rows. Wide ones are better to write in."""
    found = [
        (x, y, w, h)
        for y in range(3)
        for x in range(3)
        for h in range(1, 4 - y)
        for w in range(1, 4 - x)
        if all(3 * (y + j) + x + i in cells for j in range(h) for i in range(w))
    ]
    return max(found, key=lambda r: (r[2] * r[3], r[2]))


def room(box: Box, cells: tuple[int, ...], strip: float) -> Box:
    """The part of a space that is written in; the foot of the card is its name's."""
    x, y, columns, rows = largest(cells)
    left, top, width, height = box
    inside = left + x * width / 3 + 5, top + y * height / 3 + 5, columns * width / 3 - 10, rows * height / 3 - 9
    return (*inside[:3], inside[3] - (max(0, strip - 1) if y + rows == 3 else 0))


@dataclass(frozen=True)
class Plan:
    """How what is in a space lies: type and icons, the box for its actions' names or None where there is no room for them, the size of
    the Health die or of the number of steps."""

    size: int
    letter: int
    marks: list[tuple[Mark, Point]]
    actions: Box | None
    die: float

    @property
    def named(self) -> bool:
        return self.actions is not None


def plan(box: Box, space: Space, here: bool, number: int = 0) -> Plan:
    """Letter and icons in rows, actions below by name where all fit; elsewhere a star stands for each. A ``number`` of the card comes
    first."""
    left, top, width, height = box
    die = min(34.0, height * 0.72, width * 0.45) if here else min(15.0, height * 0.4, width * 0.3) if space.steps else 0.0
    end = left + width - (die + 3 if die else 0)
    largest_size = max(7, round(min(20.0, height * 0.42, width * 0.34)))
    found = None
    for size in range(largest_size, 6, -1):
        letter = max(11, round(size * 0.95))
        start = left + text_width(space.letter, letter) + 4, top
        y, placed = flow(icons(space, size, False, number), size, start, left, end)
        under = left, y + size + 3, end - left, top + height - y - size - 3
        if size >= 10 and names_fit(under, space.actions):
            return Plan(size, letter, placed, under if space.actions else None, die)
        y, placed = flow(icons(space, size, True, number), size, start, left, end)
        if found is None and y + size <= top + height:
            found = Plan(size, letter, placed, None, die)
    return found or Plan(7, 11, placed, None, die)


def names_fit(box: Box, actions: Sequence[UniqueAction]) -> bool:
    """True if the unique actions can be told by name in a box, uncut."""
    if not actions:
        return True
    tall = box[3] / len(actions)
    letters = action_type(box, actions)
    return tall >= 11 and all(action_lines(action, letters, box[2], tall) is not None for action in actions)


def draw_space(canvas: Canvas, box: Box, space: Space, health: int | None, number: int) -> None:
    """What is in a space."""
    left, top, width, _ = box
    planned = plan(box, space, health is not None, number)
    if health is not None:
        draw_health(canvas, left + width - planned.die, top, planned.die, health)
    elif space.steps:
        canvas.circle((left + width - planned.die / 2, top + planned.die / 2), planned.die / 2, PAPER, INK, 1)
        canvas.centred((left + width - planned.die / 2, top + planned.die / 2), str(space.steps), round(planned.die), INK)
    canvas.text((left, top), space.letter, planned.letter, FAINT)
    for (mark, _), place in planned.marks:
        draw_icon(canvas, place, planned.size, space, mark, number)
    if planned.actions is not None:
        draw_actions(canvas, planned.actions, space.actions)


Mark: TypeAlias = tuple[str, float]
"""What is drawn in a space, and how wide."""


def icons(space: Space, size: float, starred: bool, number: int) -> list[Mark]:
    """The icons of a space; unique actions are ``starred`` where there is no room to name them."""
    marks: list[Mark] = [("number", text_width(str(number), round(size * 1.1)) + 6)] * bool(number)
    marks += [("entrance", size)] * space.entrance + [("skull", size)] * space.skulls
    if space.arrow is not None:
        marks += [("arrow", size), ("awareness", resources_width(size, awareness_of(space)))]
    if starred:
        marks += [(f"action {k}", size) for k in range(len(space.actions))]
    return marks


def flow(marks: Sequence[Mark], size: float, start: Point, left: float, end: float) -> tuple[float, list[tuple[Mark, Point]]]:
    """Marks in rows: the top of the last row, and each with its place."""
    (x, y), placed = start, []
    for mark in marks:
        if x + mark[1] > end + 1 and x > left:
            x, y = left, y + size + 2
        placed.append((mark, (x, y)))
        x += mark[1] + 2
    return y, placed


def draw_icon(canvas: Canvas, place: Point, size: float, space: Space, mark: str, number: int) -> None:
    middle = place[0] + size / 2, place[1] + size / 2
    if mark == "number":
        letters = round(size * 1.1)
        canvas.rect((*place, text_width(str(number), letters) + 6, size), PURPLE, None, 3)
        canvas.text((place[0] + 3, middle[1] - 0.31 * letters), str(number), letters, PAPER)
        return
    if mark == "entrance":
        draw_entrance(canvas, middle, size / 2)
    elif mark == "skull":
        draw_skull(canvas, middle, size / 2)
    elif mark == "arrow" and space.arrow is not None:
        draw_arrow(canvas, middle, size / 2, space.arrow)
    elif mark == "awareness":
        draw_resources(canvas, *place, size, awareness_of(space))
    else:
        draw_star(canvas, middle, size / 2, space.actions[int(mark.split()[1])].used)


def awareness_of(space: Space) -> list[int]:
    """What exploring from a space costs."""
    return [space.awareness if resource == AWARENESS else 0 for resource in range(len(RESOURCES))]


def draw_health(canvas: Canvas, left: float, top: float, size: float, health: int) -> None:
    """The hero: the Health die."""
    canvas.rect((left - 2, top - 2, size + 4, size + 4), GOLD, INK, size / 5, 1)
    canvas.rect((left, top, size, size), BLOOD, INK, size / 6, 1)
    canvas.centred((left + size / 2, top + size / 2), str(health), round(size * 0.9), PAPER)


def action_type(box: Box, actions: Sequence[UniqueAction]) -> int:
    """The type of actions' names in a box."""
    return max(12, min(16, int(box[3] / len(actions) * 0.8)))


def draw_actions(canvas: Canvas, box: Box, actions: Sequence[UniqueAction]) -> None:
    """The unique actions of a space, each with its cost and its name, struck out where it has been used this round."""
    left, top, width, height = box
    tall = height / len(actions)
    letters = action_type(box, actions)
    for k, action in enumerate(actions):
        y = top + k * tall
        x = draw_costs(canvas, (left, y), action, letters)
        for i, line in enumerate(action_lines(action, letters, width, tall) or ()):
            place = (x if i == 0 else left), y + i * line_height(letters)
            canvas.text(place, line, letters, FAINT if action.used else INK)
            if action.used and line:
                middle = place[1] + letters * 0.32
                canvas.line((place[0], middle), (place[0] + text_width(line, letters), middle), FAINT, 1)


def draw_costs(canvas: Canvas, place: Point, action: UniqueAction, letters: int) -> float:
    """The costs of an action, and where its name begins."""
    x, top = place
    costs = costs_of(action)
    for i, amounts in enumerate(costs):
        if i:
            canvas.text((x, top + 1), "/", letters, INK)
            x += 7
        x = draw_resources(canvas, x, top - 1.5, letters * PIPS, amounts)
    return x + (3 if costs else 0)


PIPS = 0.88  # the height of a cost, as a part of that of the type


def costs_of(action: UniqueAction) -> list[Sequence[int]]:
    return [amounts for amounts in action.costs if any(amounts)]


def costs_width(action: UniqueAction, letters: int) -> float:
    costs = costs_of(action)
    return sum(resources_width(letters * PIPS, amounts) for amounts in costs) + 7 * (len(costs) - 1) + 3 if costs else 0.0


def action_lines(action: UniqueAction, letters: int, width: float, height: float) -> list[str] | None:
    """An action's name in lines, the first one beside its costs; None where it does not fit."""
    first = width - costs_width(action, letters)
    if first < 0:
        return None
    words = action.name.split()
    taken = 0
    while taken < len(words) and text_width(" ".join(words[: taken + 1]), letters) <= first:
        taken += 1
    rest = wrapped(" ".join(words[taken:]), letters, width) if taken < len(words) else []
    if any(text_width(line, letters) > width for line in rest) or (1 + len(rest)) * line_height(letters) > height + 1:
        return None
    return [" ".join(words[:taken]), *rest]
