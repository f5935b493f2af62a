"""``render_mode="ansi"``: the table as plain text. The map is as wide as it has to be, all else at most WIDTH columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import Any

from deckwood.core.spec import LoadedDeck
from deckwood.lost_woods.render.view import (
    BOTH_WAYS,
    CLOSED,
    ONE_WAY,
    OPEN,
    WAY_OUT,
    Adventurer,
    Fight,
    Space,
    View,
    counted,
    goods_text,
    grouped,
    read_view,
    well_text,
)
from deckwood.lost_woods.state import DICE, DIRECTIONS, EAST, NONE, NORTH, SOUTH, WEST

WIDTH = 100
LABEL = 12  # columns of the labels at the left
CELLS = 6, 3  # columns within a space of the map: that many where they fit, else the least
KEY = (
    "numbers: spaces; 0 to 5 below: adventurers; e enemy, G guardian, w weapon, p potion, $ gold, * spell, o well; "
    "[ ] whose turn it is stands there, ( ) can be gone to or chosen; ways: gap both ways, arrow one way, ? open, ! the way out"
)
UNBROKEN = "\xa0"  # a blank at which no line ends
ARROWS = {NORTH: "^", EAST: ">", SOUTH: "v", WEST: "<"}


def describe(s: Any, deck: LoadedDeck) -> str:
    """The position as a table of text."""
    view = read_view(s, deck)
    parts = (head(view), fight(view), adventurers(view, deck), map_drawing(view), map_list(view, deck), decks(view))
    return "\n".join(line.rstrip() for part in parts for line in part) + "\n"


def head(view: View) -> Iterator[str]:
    """What is being decided, what counts for it and what can be chosen."""
    yield "=" * WIDTH
    yield f"{view.phase:<{WIDTH - len(view.about)}}{view.about}"
    yield from wrap(view.hint, WIDTH)
    yield "=" * WIDTH
    yield from block("This turn", "; ".join(view.facts))
    yield from listed("Choices", view.choices)


def fight(view: View) -> Iterator[str]:
    """The dice on the table."""
    if view.fight is not None:
        yield from block("Fight", battle(view.fight, view.turn))
    if view.tie:
        for found in view.adventurers:
            if found.tied or found.duel_item:
                yield from block(f"Tie: {found.seat}", duel(found))


def battle(found: Fight, seat: int) -> str:
    dice = "+".join(f"D{DICE[die]}" for die in found.foe.dice)
    won = f", {found.wins} of {len(found.foe.dice)} rolls won" if len(found.foe.dice) > 1 else ""
    own = f"player {seat} with {found.weapon}{rolled(found.roll)}" if found.weapon else f"player {seat}"
    return f"{own} against {found.foe.name}, {dice}{rolled(found.foe_roll)}{won}"


def duel(found: Adventurer) -> str:
    chosen = f"{found.duel_item}{rolled(found.duel_roll)}" if found.duel_item else "no weapon or magic chosen"
    return chosen + ("" if found.tied else ", beaten") + (", wins" if found.won else "")


def rolled(roll: int) -> str:
    return f" (rolled {roll})" if roll else ""


def adventurers(view: View, deck: LoadedDeck) -> Iterator[str]:
    for found in view.adventurers:
        marks = [name for mark, name in ((found.turn, "turn"), (found.decides, "decides"), (found.won, "has won")) if mark]
        carried = goods_text(found.goods, deck, gold=False) or "nothing"
        told = f"{found.goods.gold:>2} gold, {carried}; at {found.where}" + (f" ({', '.join(marks)})" if marks else "")
        yield from block(f"Player {found.seat}", told)


# The map -------------------------------------------------------------------------------------------------------------------------------


def map_drawing(view: View) -> Iterator[str]:
    """Boxes on a grid that share their borders; what is at an edge stands in the middle of it."""
    yield from block("Map", KEY)
    west, east = min(space.x for space in view.spaces), max(space.x for space in view.spaces)
    south, north = min(space.y for space in view.spaces), max(space.y for space in view.spaces)
    columns, rows = east - west + 1, north - south + 1
    wide = next((cells for cells in CELLS if columns * (cells + 1) < WIDTH), CELLS[-1])
    canvas = [[" "] * (columns * (wide + 1) + 1) for _ in range(4 * rows + 1)]
    for space in sorted(view.spaces, key=lambda space: (space.here, space.target)):  # whose brackets no neighbour's border covers
        draw_space(canvas, 4 * (north - space.y), (space.x - west) * (wide + 1), wide, space)
    for space in view.spaces:
        draw_edges(canvas, 4 * (north - space.y), (space.x - west) * (wide + 1), wide, space)
    yield from ("".join(line) for line in canvas)


def draw_space(canvas: list[list[str]], top: int, left: int, wide: int, space: Space) -> None:
    """The box with its three lines: number and enemies, what lies there, and adventurers."""
    sides = "[]" if space.here else "()" if space.target else "||"
    for line in (top, top + 4):
        put(canvas, line, left, "+" + "-" * wide + "+")
    for line, text in enumerate(lines_of(space, wide), start=top + 1):
        put(canvas, line, left, f"{sides[0]}{text:<{wide}}{sides[1]}")


def lines_of(space: Space, wide: int) -> tuple[str, str, str]:
    foes = "".join("e" if foe.guardian == NONE else "G" for foe in space.foes)
    marks = "*" * len(space.goods.spells) + "$" * bool(space.goods.gold) + "w" * bool(space.goods.dice)
    marks += "p" * bool(space.goods.potions) + "o" * (space.well != NONE)
    pawns = "".join(map(str, space.pawns))
    gap = " " * (wide > 3)
    first = f"{space.number:<2}{gap}{foes}"
    return first[:wide] if first[2:3] == "G" else fitted(first, wide), fitted(marks, wide), fitted(pawns, wide)


def fitted(text: str, wide: int) -> str:
    """The text, with a + at its end where there is more."""
    return text if len(text) <= wide else text[: wide - 1] + "+"


def draw_edges(canvas: list[list[str]], top: int, left: int, wide: int, space: Space) -> None:
    """The ways out of a space, each on the border that it crosses."""
    middle, signs = left + 1 + (wide - 1) // 2, 2 - wide % 2
    places = {NORTH: (top, middle), SOUTH: (top + 4, middle), WEST: (top + 2, left), EAST: (top + 2, left + wide + 1)}
    for direction, (line, column) in places.items():
        kind = space.edges[direction]
        if kind == CLOSED:
            continue
        mark = {BOTH_WAYS: " ", ONE_WAY: ARROWS[direction], OPEN: "?", WAY_OUT: "!"}[kind]
        put(canvas, line, column, mark * (signs if direction in (NORTH, SOUTH) else 1))


def put(canvas: list[list[str]], line: int, column: int, text: str) -> None:
    canvas[line][column : column + len(text)] = text


def map_list(view: View, deck: LoadedDeck) -> Iterator[str]:
    """Spaces where something is, then the names of the others."""
    plain = []
    for space in view.spaces:
        found = contents(space, deck)
        if found:
            yield from block(f"{space.number:>4}", f"{space.name}: {'; '.join(found)}")
        else:
            plain.append(f"{space.number} {space.name}")
    yield from listed("Empty", plain)


def contents(space: Space, deck: LoadedDeck) -> list[str]:
    found = ["being explored"] * space.new
    found += grouped(foe.text for foe in space.foes)
    found += [goods_text(space.goods, deck)] * bool(space.goods)
    found += [well_text(space, deck)] * (space.well != NONE)
    found += [f"player {seat}" for seat in space.pawns]
    return found


# Beside the map ------------------------------------------------------------------------------------------------------------------------


def decks(view: View) -> Iterator[str]:
    for direction, found in enumerate(view.guardians):
        cards = counted(found.left, "card")
        yield from block("" if direction else "Decks", f"{DIRECTIONS[direction]}: {cards}; {found.foe.text}, {found.state}")
    for number, spell in enumerate(view.spells):
        yield from block("" if number else "Spells", f"{spell.name}: {spell.state}")
    yield from listed("Bag", [f"{count} x {name}" for name, count in view.bag] or ["empty"])
    yield row("Supply", f"{view.supply} gold")


def row(label: str, text: str) -> str:
    return f"{label:<{LABEL}}{text}"


def block(label: str, text: str) -> Iterator[str]:
    """A labelled text over as many lines as it takes; nothing where there is none."""
    for line, part in enumerate(wrap(text, WIDTH - LABEL)):
        yield row("" if line else label, part.replace(UNBROKEN, " "))


def listed(label: str, entries: Iterable[str]) -> Iterator[str]:
    """Entries in a row, none of them broken between two lines."""
    yield from block(label, "; ".join(entry.replace(" ", UNBROKEN) for entry in entries))
