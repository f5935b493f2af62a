"""The table as plain text, at most WIDTH columns wide. Each part is lines; a deck puts them in order, its own between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from deckwood.strong.render.view import Dice, Face, Fighter, Table
from deckwood.strong.terms import COLOURS, FACES, STATS

WIDTH = 100
LABEL = 12  # columns of the labels at the left


def page(parts: Iterable[Iterable[str]]) -> str:
    """The whole text."""
    return "\n".join(line.rstrip() for part in parts for line in part) + "\n"


def head(table: Table, about: str) -> Iterator[str]:
    """The phase with what it asks for; ``about`` stands at the right."""
    yield "=" * WIDTH
    yield f"{table.phase:<{WIDTH - len(about)}}{about}"
    yield from paragraphs(table.hint)
    yield "=" * WIDTH


def hero(table: Table, *own: str) -> Iterator[str]:
    """The hero's card, the stats with the deck's ``own`` ones, and what counts for now."""
    yield from card("Hero", table.hero)
    stats = [f"{name.capitalize()} {value}" for name, value in zip(STATS, table.stats, strict=True)]
    for i, counts in ((1, table.strategy), (2, table.recovery)):
        if counts != table.stats[i]:
            stats[i] += f" (counts {counts})"
    yield row("Stats", "   ".join([*stats, *own, f"Damage due {table.damage_due}"]))
    if table.conditions:
        yield from block("Now", "; ".join(table.conditions))


def dice(table: Table) -> Iterator[str]:
    yield row("Dice", columns([*COLOURS, "all"]))
    zones = {**table.zones, "on cards": [die for card in table.active if isinstance(card, Fighter) for die in card.dice]}
    for name, shown in zones.items():
        if shown or name in ("ready", "exhausted", "banished"):
            yield row(f"  {name}", columns([*(dice_of(shown, c) for c in range(len(COLOURS))), str(len(shown))]))


def columns(cells: Sequence[str]) -> str:
    return "".join(f"{cell:<16}" for cell in cells)


def dice_of(shown: Dice, colour: int) -> str:
    """The dice of one colour: their number, or what they show."""
    faces = Counter(face for c, face in shown if c == colour)
    if not faces:
        return "."
    return " ".join(f"{n}" if face is None else f"{n} {FACES[face]}" for face, n in sorted(faces.items(), key=lambda f: f[0] or 0))


def active(table: Table) -> Iterator[str]:
    for i, found in enumerate(table.active):
        label = "" if i else "Active"
        yield from fighter(label, found) if isinstance(found, Fighter) else card(label, found)


def fighter(label: str, enemy: Fighter) -> Iterator[str]:
    """An enemy of the active area."""
    state = "defeated" if enemy.defeated else f"Health {enemy.left} left of {enemy.health}, Damage {enemy.damage}"
    rest = [remark for remark in enemy.face.remarks if remark != "defeated"]
    yield row(label, f"{enemy.place}. {enemy.face.name} ({enemy.face.kind}): " + ", ".join([state, *badges(enemy), *rest]))
    if enemy.dice:
        yield row("", "   dice on it: " + ", ".join(f"{COLOURS[c]} {FACES[f]}" for c, f in enemy.dice if f is not None))
    yield from paragraphs(enemy.face.text, LABEL + 3)


def printed_fighter(label: str, number: str, enemy: Fighter, remark: str = "") -> Iterator[str]:
    """An enemy elsewhere."""
    figures = ", ".join([f"Health {enemy.health}", f"Damage {enemy.damage}", *badges(enemy)])
    yield row(label, f"{number}{enemy.face.name}: {figures}{remark}")
    yield from paragraphs(enemy.face.text, LABEL + 3)


def badges(enemy: Fighter) -> list[str]:
    return [f"{badge.name} {badge.value}" for badge in enemy.badges]


def belongings(table: Table) -> Iterator[str]:
    yield from cards("Items", table.items)
    yield from cards("Beside", table.beside)


def cards(label: str, faces: Sequence[Face]) -> Iterator[str]:
    for i, face in enumerate(faces):
        yield from card("" if i else label, face, f"{i + 1}. ")


def card(label: str, face: Face, number: str = "") -> Iterator[str]:
    remarks = [face.kind] if face.kind == "power-up" else []
    remarks += [f"{face.cost} gold"] if face.cost is not None else []
    remarks += face.remarks
    yield row(label, number + face.name + (f" ({', '.join(remarks)})" if remarks else ""))
    yield from paragraphs(face.text, LABEL + 3)


def row(label: str, text: str) -> str:
    return f"{label:<{LABEL}}{text}"


def block(label: str, text: str) -> Iterator[str]:
    for i, part in enumerate(wrap(text, WIDTH - LABEL)):
        yield row("" if i else label, part)


def paragraphs(text: str, indent: int = 0) -> Iterator[str]:
    for paragraph in text.splitlines():
        yield from (" " * indent + part for part in wrap(paragraph, WIDTH - indent))
