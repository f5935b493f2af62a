"""The table as plain text, at most WIDTH columns wide. Each part is lines; a deck puts them in order, its own between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from deckwood.strong.render.view import Dice, Face, Fighter, Pile, Table
from deckwood.strong.terms import COLOURS, FACES, STATS

WIDTH = 100
LABEL = 12  # columns of the labels at the left
ZONE, COLUMN = 18, 10  # columns of the labels of dice, and of a colour


def page(parts: Iterable[Iterable[str]]) -> str:
    """The whole text."""
    return "\n".join(line.rstrip() for part in parts for line in part) + "\n"


def head(table: Table, about: str) -> Iterator[str]:
    """The phase with what it asks for; ``about`` stands at the right."""
    yield "=" * WIDTH
    if len(table.phase) + len(about) < WIDTH:
        yield f"{table.phase:<{WIDTH - len(about)}}{about}"
    else:
        yield from (table.phase, f"{about:>{WIDTH}}")
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
    """A row for each zone of dice and for each thing that they show; then those that may be chosen now."""
    yield columns("Dice", [*COLOURS, "all"])
    zones = {**table.zones, "on cards": [die for card in table.active if isinstance(card, Fighter) for die in card.dice]}
    for name, shown in zones.items():
        faces = sorted({face for _, face in shown}, key=lambda face: -1 if face is None else face) or [None] * (name in ALWAYS)
        for face in faces:
            alike = [colour for colour, other in shown if other == face]
            label = name if face is None else f"{name}: {FACES[face]}"
            yield columns(f"  {label}", [str(alike.count(c) or ".") for c in range(len(COLOURS))] + [str(len(alike))])
    if table.pick:
        found = sorted(table.pick, key=lambda die: (die[0], die[1], -1 if die[2] is None else die[2]))
        names = (f"{zone} {COLOURS[c]}" if f is None else f"{COLOURS[c]} {FACES[f]}" for zone, c, f in found)
        yield from block("  choose", ", ".join(names))


ALWAYS = ("ready", "exhausted", "banished")
"""Zones of dice that are told of even where they are empty."""


def columns(label: str, cells: Sequence[str]) -> str:
    return f"{label:<{ZONE}}" + "".join(f"{cell:<{COLUMN}}" for cell in cells)


def dice_in_words(dice: Dice) -> str:
    """Dice by what they are and show, with how many there are of each."""
    kinds = Counter(f"{COLOURS[c]} {FACES[f]}" for c, f in dice if f is not None)
    return ", ".join(kind if n == 1 else f"{n} {kind}{'es' if kind.endswith('s') else 's'}" for kind, n in kinds.items())


def active(table: Table) -> Iterator[str]:
    for i, found in enumerate(table.active):
        label = "" if i else "Active"
        yield from fighter(label, found) if isinstance(found, Fighter) else card(label, found)


def fighter(label: str, enemy: Fighter) -> Iterator[str]:
    """An enemy of the active area."""
    state = "defeated" if enemy.defeated else f"Health {enemy.left} left of {enemy.health}, Damage {enemy.damage}"
    rest = [remark for remark in enemy.face.remarks if remark != "defeated"]
    kind = ", ".join([enemy.face.kind, *[enemy.face.side] * bool(enemy.face.side)])
    yield from block(
        label, f"{enemy.place}. {enemy.face.name} ({kind}): " + ", ".join([state, *badges(enemy), *rest]) + choices(enemy.face)
    )
    if enemy.counts:
        yield from paragraphs(", ".join(enemy.counts), LABEL + 3)
    if enemy.dice:
        picked = dice_in_words([die for die in dict.fromkeys(enemy.dice) if die in enemy.pick])
        yield from paragraphs(f"dice on it: {dice_in_words(enemy.dice)}" + (f"; choose {picked}" if picked else ""), LABEL + 3)
    yield from texts(enemy.face)


def printed_fighter(label: str, number: str, enemy: Fighter, remark: str = "") -> Iterator[str]:
    """An enemy elsewhere."""
    figures = ", ".join([f"Health {enemy.health}", f"Damage {enemy.damage}", *badges(enemy)])
    side = f" ({enemy.face.side})" if enemy.face.side else ""
    yield from block(label, f"{number}{enemy.face.name}{side}: {figures}{remark}{choices(enemy.face)}")
    yield from texts(enemy.face)


def choices(face: Face) -> str:
    """What may be done with a card now."""
    return f" [{', '.join(face.choices)}]" if face.choices else ""


def texts(face: Face) -> Iterator[str]:
    """A card's text, and what is on its back."""
    yield from paragraphs(face.text, LABEL + 3)
    if face.back:
        back = face.back
        about = ", ".join([*[back.side] * bool(back.side), back.kind, *back.remarks])
        yield from paragraphs(f"back: {back.name} ({about})" + (f": {back.text}" if back.text else "").replace("\n", " "), LABEL + 3)


def piles(found: Sequence[Pile]) -> Iterator[str]:
    """Cards out of play."""
    for i, pile in enumerate(found):
        yield from block("" if i else "Out of play", f"{pile.name} ({len(pile.cards)}): {', '.join(pile.cards)}")


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
    remarks += [face.side] if face.side else []
    remarks += face.remarks
    yield from block(label, number + face.name + (f" ({', '.join(remarks)})" if remarks else "") + choices(face))
    yield from texts(face)


def row(label: str, text: str) -> str:
    return f"{label:<{LABEL}}{text}"


def block(label: str, text: str) -> Iterator[str]:
    for i, part in enumerate(wrap(text, WIDTH - LABEL)):
        yield row("" if i else label, part)


def paragraphs(text: str, indent: int = 0) -> Iterator[str]:
    for paragraph in text.splitlines():
        yield from (" " * indent + part for part in wrap(paragraph, WIDTH - indent))
