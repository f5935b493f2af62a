"""``render_mode="ansi"``: the table as plain text, at most 100 columns wide."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Any

from deckwood.core.spec import LoadedDeck
from deckwood.etherfields.render.view import Card, Deck, MapCard, View, read_view
from deckwood.etherfields.state import EAST, NORTH, SOUTH, WEST
from deckwood.strong.render import text
from deckwood.strong.render.text import LABEL, WIDTH, block, card, cards, paragraphs, printed_fighter, row
from deckwood.strong.render.view import Fighter
from deckwood.strong.terms import COLOURS
from deckwood.strong.words import counted

KEY = (
    "letters: spaces, @ you, ^ > v < explore, a number: enemies that entering activates, O Dream Entrance, ! unique action, "
    "* can be reached; # wall, : and . border"
)
ARROWS = "^>v<"
WIDEST = 7  # characters in a row of a cell of the map, at most


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
            cards("Hand", [held.annotated for held in view.hand]),
            inventory(view),
            map_drawing(view),
            map_lists(view),
            here(view),
            decks(view),
            text.piles(view.piles),
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
    yield from block("", f"   Endgame condition: {', '.join(parts) or 'none'}")
    yield from block("", f"   {counted(view.beaten, 'enemy', 'enemies')} defeated so far" * view.laid_out)


def inventory(view: View) -> Iterator[str]:
    yield row("Inventory", f"{len(view.inventory)} of at most {view.table.strategy}")
    yield from cards("", [held.annotated for held in view.inventory])


# The map -------------------------------------------------------------------------------------------------------------------------------


def map_drawing(view: View) -> Iterator[str]:
    """The map as characters: three by three cells to a card, with what divides them, as wide as there is room for."""
    if not view.map:
        return
    west, east = min(card.x for card in view.map), max(card.x for card in view.map)
    south, north = min(card.y for card in view.map), max(card.y for card in view.map)
    columns, rows = 3 * (east - west + 1), 3 * (north - south + 1)
    most = max(len(marks(card, cell)) for card in view.map for cell in range(9))
    wide = max(1, min(WIDEST, most, (WIDTH - LABEL - 1) // columns - 1))
    tall = -(-most // wide)
    drawing = [[" "] * ((wide + 1) * columns + 1) for _ in range((tall + 1) * rows + 1)]
    for walls in (False, True):
        for shown in view.map:
            place = 3 * (wide + 1) * (shown.x - west), 3 * (tall + 1) * (north - shown.y)
            draw_card(drawing, shown, *place, wide, tall, walls)
    yield from block("Map", KEY)
    yield from (row("", "".join(line)) for line in drawing)


def draw_card(drawing: list[list[str]], shown: MapCard, left: int, top: int, wide: int, tall: int, walls: bool) -> None:
    """A map card's cells and borders, or its walls, which are drawn last: one card's wall closes its neighbour's edge too."""
    for cell in range(len(shown.space_at)):
        y, x = top + (tall + 1) * (cell // 3), left + (wide + 1) * (cell % 3)
        if not walls:
            for i, part in enumerate(wrap(marks(shown, cell), wide)):
                write(drawing, y + 1 + i, x + 1, part)
        for direction in (NORTH, EAST, SOUTH, WEST):
            divider = shown.divider(cell, direction)
            if divider is None or divider != walls:
                continue
            if direction in (NORTH, SOUTH):
                write(drawing, y + (tall + 1) * (direction == SOUTH), x + 1, ("#" if walls else ".") * wide)
            else:
                for i in range(tall):
                    write(drawing, y + 1 + i, x + (wide + 1) * (direction == EAST), "#" if walls else ":")
    if walls:
        for y in range(0, 3 * (tall + 1) + 1, tall + 1):
            for x in range(0, 3 * (wide + 1) + 1, wide + 1):
                write(drawing, top + y, left + x, "+")


def marks(shown: MapCard, cell: int) -> str:
    """What is written in a cell: the letter of its space, and in the first cell of a space what is in it."""
    at = shown.space_at[cell]
    space = shown.spaces[at]
    reached = "*" * (space.steps is not None)
    if cell != space.cells[0]:
        return space.letter + reached
    return "".join(
        (
            space.letter,
            "@" * (shown.here == at),
            ARROWS[space.arrow] if space.arrow is not None else "",
            str(space.skulls) if space.skulls else "",
            "O" * space.entrance,
            "!" * len(space.actions),
            reached,
        )
    )


def write(drawing: list[list[str]], y: int, x: int, characters: str) -> None:
    drawing[y][x : x + len(characters)] = characters


def map_lists(view: View) -> Iterator[str]:
    for shown in view.map:
        place = way(shown.x, shown.y) or "where the game began"
        yield row(">>" if shown.here is not None else "", f"{shown.name} ({shown.side}, {place})")
        yield from spaces(shown)


def spaces(shown: MapCard) -> Iterator[str]:
    for space in shown.spaces:
        found = [*space.features, *[f"{space.steps} away"] * (space.steps is not None)]
        found += [f"{action.label}: {action.text}" for action in space.actions]
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
    yield row("You are", f"in space {space.letter} of {shown.name}" + f" [{', '.join(view.offers)}]" * bool(view.offers))
    for feature in (*space.features, *(f"{action.label}: {action.text}" for action in space.actions)):
        yield from paragraphs(feature, LABEL + 3)


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
        yield from card("", top.annotated, "  ")
    elif isinstance(top, MapCard):
        yield row(label, f"{name}; on top: {top.name} ({top.side})")
        yield from spaces(top)
    else:
        yield row(label, name)
