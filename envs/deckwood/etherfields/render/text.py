"""``render_mode="ansi"``: the table as plain text, at most 100 columns wide."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from deckwood.core.spec import LoadedDeck
from deckwood.etherfields.render.view import Card, Deck, MapCard, Space, View, read_view
from deckwood.etherfields.state import EAST, NORTH, SOUTH, WEST
from deckwood.strong.render import text
from deckwood.strong.render.text import LABEL, WIDTH, block, card, cards, paragraphs, printed_fighter, row
from deckwood.strong.render.view import Fighter
from deckwood.strong.terms import COLOURS

KEY = "@ you, letters: spaces, # wall, : and . border; * can be reached"


def describe(s: Any, deck: LoadedDeck) -> str:
    """The position as a table of text."""
    view = read_view(s, deck)
    table = view.table
    if not view.laid_out:
        return text.page((text.head(table, view.about), boss(view), choices(view)))
    return text.page(
        (
            text.head(table, view.about),
            text.hero(table, f"Ether {COLOURS[view.ether]}"),
            boss(view),
            text.dice(table),
            text.active(table),
            cards("Hand", [held.told for held in view.hand]),
            inventory(view),
            map_drawing(view),
            map_lists(view),
            here(view),
            decks(view),
        )
    )


def choices(view: View) -> Iterator[str]:
    for found in view.choices:
        if isinstance(found, Fighter):
            yield from printed_fighter("", f"{found.place}. ", found, f" ({', '.join(found.face.remarks)})" if found.face.remarks else "")
        else:
            yield from card("", found)


def boss(view: View) -> Iterator[str]:
    if view.boss is None:
        return
    yield from printed_fighter("Boss", "", view.boss.card, f" ({view.boss.state})")
    parts = (f"[{'x' if met else ' '}] {part}" for part, met in view.boss.parts)
    yield from block("", "   Endgame condition: " + (", ".join(parts) or "none"))


def inventory(view: View) -> Iterator[str]:
    yield row("Inventory", f"{len(view.inventory)} of at most {view.table.strategy}")
    yield from cards("", [held.told for held in view.inventory])


# The map -------------------------------------------------------------------------------------------------------------------------------


def map_drawing(view: View) -> Iterator[str]:
    """The map as characters: three by three cells to a card, with what divides them."""
    if not view.map:
        return
    west, east = min(card.x for card in view.map), max(card.x for card in view.map)
    south, north = min(card.y for card in view.map), max(card.y for card in view.map)
    wide = 4 if (east - west + 1) * 12 < WIDTH - LABEL else 2
    drawing = [[" "] * (3 * wide * (east - west + 1) + 1) for _ in range(6 * (north - south + 1) + 1)]
    for walls in (False, True):
        for shown in view.map:
            draw_card(drawing, shown, 3 * wide * (shown.x - west), 6 * (north - shown.y), wide, walls)
    yield from block("Map", KEY)
    yield from (row("", "".join(line)) for line in drawing)


def draw_card(drawing: list[list[str]], shown: MapCard, left: int, top: int, wide: int, walls: bool) -> None:
    """A map card's cells and borders, or its walls, which are drawn last: one card's wall closes its neighbour's edge too."""
    for cell, at in enumerate(shown.space_at):
        y, x = top + 2 * (cell // 3), left + wide * (cell % 3)
        if not walls:
            write(drawing, y + 1, x + wide // 2, mark(shown.spaces[at], cell, shown.here == at, wide))
        for direction in (NORTH, EAST, SOUTH, WEST):
            divider = shown.divider(cell, direction)
            if divider is None or divider != walls:
                continue
            if direction in (NORTH, SOUTH):
                write(drawing, y + 2 * (direction == SOUTH), x + 1, ("#" if walls else ".") * (wide - 1))
            else:
                write(drawing, y + 1, x + wide * (direction == EAST), "#" if walls else ":")
    if walls:
        for y in range(0, 7, 2):
            for x in range(0, 3 * wide + 1, wide):
                write(drawing, top + y, left + x, "+")


def mark(space: Space, cell: int, here: bool, wide: int) -> str:
    """What is written in a cell: there is room for a star only on a wide map."""
    if here and cell == space.cells[0]:
        return "@"
    return space.letter + "*" * (space.steps is not None and wide > 2)


def write(drawing: list[list[str]], y: int, x: int, characters: str) -> None:
    drawing[y][x : x + len(characters)] = characters


def map_lists(view: View) -> Iterator[str]:
    for shown in view.map:
        place = way(shown.x, shown.y) or "where the game began"
        yield row(">>" if shown.here is not None else "", f"{shown.name} ({place})")
        yield from spaces(shown)


def spaces(shown: MapCard) -> Iterator[str]:
    for space in shown.spaces:
        found = [*space.facts, *[f"{space.steps} away"] * (space.steps is not None)]
        if found:
            yield from paragraphs(f"{space.letter}: {'; '.join(found)}", LABEL + 3)


def way(x: int, y: int) -> str:
    """A place of the grid, from where the game began; empty for that place itself."""
    found = [f"{abs(y)} {'north' if y > 0 else 'south'}"] * bool(y) + [f"{abs(x)} {'east' if x > 0 else 'west'}"] * bool(x)
    return " ".join(found)


def here(view: View) -> Iterator[str]:
    """The hero's space, with the whole text of its actions."""
    if view.here is None:
        return
    shown, space = view.here
    yield row("You are", f"in space {space.letter} of {shown.name}")
    for action in space.actions:
        yield from paragraphs(f"{action.told}: {action.text}", LABEL + 3)


def decks(view: View) -> Iterator[str]:
    for i, deck in enumerate(view.decks):
        yield from top_card("" if i else "Decks", deck)


def top_card(label: str, deck: Deck) -> Iterator[str]:
    name = f"{deck.name}, {deck.remark}"
    top = deck.top
    if isinstance(top, Fighter):
        yield row(label, name + "; on top:")
        yield from printed_fighter("", "  ", top)
    elif isinstance(top, Card):
        yield row(label, name + "; on top:")
        yield from card("", top.told, "  ")
    elif isinstance(top, MapCard):
        yield row(label, f"{name}; on top: {top.name}")
        yield from spaces(top)
    else:
        yield row(label, name)
