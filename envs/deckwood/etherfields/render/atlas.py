"""The map as a drawing: cards on their grid, scaled to the room there is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from deckwood.core.drawing import BLOOD, GOLD, INK, PAPER, Box, Canvas, Colour, Point, line_height, shortened, text_width, wrapped
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

LARGEST = 330.0, 250.0  # a map card
SIDES = (NORTH, EAST, SOUTH, WEST)


def draw_map(canvas: Canvas, area: Box, cards: Sequence[MapCard], health: int) -> None:
    """The map cards in play. Walls come last, so that a wall of one card closes its neighbour's edge too."""
    if not cards:
        return
    boxes = [(card, box) for card, box in zip(cards, places(area, cards), strict=True)]
    for card, box in boxes:
        draw_ground(canvas, box, card)
    for walls in (False, True):
        for card, box in boxes:
            draw_dividers(canvas, box, card, walls)
    for card, box in boxes:
        draw_contents(canvas, box, card, health)


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


def draw_contents(canvas: Canvas, box: Box, card: MapCard, health: int) -> None:
    """What is in the spaces, and the card's name at its foot."""
    size = max(12, min(17, round(box[3] * 0.105)))
    strip = line_height(size) - 1
    for at, space in enumerate(card.spaces):
        draw_space(canvas, room(box, space.cells, strip), space, health if card.here == at else None)
    name = shortened(card.name, size, box[2] - 14)
    width = text_width(name, size) + 8
    foot = box[0] + (box[2] - width) / 2, box[1] + box[3] - strip - 3, width, strip + 1
    canvas.rect(foot, GOLD if card.here is not None else (116, 102, 152), None, 4)
    canvas.text((foot[0] + 4, foot[1] + 1.5), name, size, INK if card.here is not None else PAPER)


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
    return (*inside[:3], inside[3] - (strip - 1 if y + rows == 3 else 0))


def draw_space(canvas: Canvas, box: Box, space: Space, health: int | None) -> None:
    """Letter and icons in rows, actions below by name where they fit, and the Health die."""
    left, top, width, height = box
    end = left + width
    if health is not None:
        die = max(12.0, min(34.0, height * 0.72, width * 0.45))
        end -= die + 3
        draw_health(canvas, left + width - die, top, die, health)
    largest_size = max(7, round(min(20.0, height * 0.42, width * 0.34)))
    for size in range(largest_size, 6, -1):
        letter = max(11, round(size * 0.95))
        marks = icons(space, size, starred=False)
        y, placed = flow(marks, size, (left + text_width(space.letter, letter) + 4, top), left, end)
        under = y + size + 2
        if space.actions and (top + height - under) / len(space.actions) >= 11 and end - left >= 44:
            draw_actions(canvas, (left, under, end - left, top + height - under), space.actions)
            break
        y, placed = flow(icons(space, size, starred=True), size, (left + text_width(space.letter, letter) + 4, top), left, end)
        if not space.actions or y + size <= top + height:
            break
    canvas.text((left, top), space.letter, letter, FAINT)
    for (mark, _), place in placed:
        draw_icon(canvas, place, size, space, mark)


Mark: TypeAlias = tuple[str, float]
"""What is drawn in a space, and how wide."""


def icons(space: Space, size: float, starred: bool) -> list[Mark]:
    """The icons of a space; unique actions are ``starred`` where there is no room to name them."""
    marks: list[Mark] = [("entrance", size)] * space.entrance + [("skull", size)] * space.skulls
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


def draw_icon(canvas: Canvas, place: Point, size: float, space: Space, mark: str) -> None:
    middle = place[0] + size / 2, place[1] + size / 2
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


def draw_actions(canvas: Canvas, box: Box, actions: Sequence[UniqueAction]) -> None:
    """The unique actions of a space, each with its cost and as much of its name as there is room for."""
    left, top, width, height = box
    tall = height / len(actions)
    letters = max(11, min(16, int(tall * 0.8)))
    for k, action in enumerate(actions):
        draw_action(canvas, (left, top + k * tall, width, tall), action, letters, letters * 0.78)


def draw_action(canvas: Canvas, box: Box, action: UniqueAction, letters: int, pips: float) -> None:
    """A unique action: its costs, then its name, struck out where it has been used this round."""
    left, top, width, height = box
    costs = [amounts for amounts in action.costs if any(amounts)]
    wide = sum(resources_width(pips, amounts) for amounts in costs) + 7 * (len(costs) - 1)
    step = line_height(letters)
    x = left
    if costs and wide < width * (0.6 if height < 2 * step else 1):
        for i, amounts in enumerate(costs):
            if i:
                canvas.text((x, top + 1), "/", letters, INK)
                x += 7
            x = draw_resources(canvas, x, top, pips, amounts)
        x += 3
    lines = name_lines(action.name, letters, left + width - x, width, max(1, int(height / step)))
    for i, line in enumerate(lines):
        place = (x if i == 0 else left), top + i * step
        canvas.text(place, line, letters, FAINT if action.used else INK)
        if action.used:
            middle = place[1] + letters * 0.32
            canvas.line((place[0], middle), (place[0] + text_width(line, letters), middle), FAINT, 1)


def name_lines(name: str, size: int, first: float, rest: float, most: int) -> list[str]:
    """A name over at most so many lines, of which the first is shorter."""
    if most == 1 or text_width(name, size) <= first:
        return [shortened(name, size, first)]
    words = name.split()
    taken = 0
    while taken < len(words) and text_width(" ".join(words[: taken + 1]), size) <= first:
        taken += 1
    lines = wrapped(" ".join(words[taken:]), size, rest)
    if len(lines) > most - 1:
        lines = [*lines[: most - 2], shortened(" ".join(lines[most - 2 :]), size, rest)]
    return [" ".join(words[:taken]), *lines]
