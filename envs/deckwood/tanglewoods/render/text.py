"""``render_mode="ansi"``: the table as plain text, at most 100 columns wide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from textwrap import wrap
from typing import Any

from deckwood.core.spec import LoadedDeck
from deckwood.strong.terms import COLOURS, FACES, STATS
from deckwood.tanglewoods.render.view import Dice, Face, Fighter, PathCard, Spot, View, view
from deckwood.tanglewoods.state import PLACE_NAMES, PLACES, THRESHOLD_NAMES

WIDTH = 100
LABEL = 12  # columns of the labels at the left
LETTERS = {"minion": "E", "wolf": "W", "fable": "F", "campfire": "C", "home": "H", "start": "S"}
MARKS = {"standard": "", "weary": "~", "blighted": "!", "mob": "+", "toll": "$", "trap": "%"}
KEY = "E enemy, W wolf, F fable, C campfire, H home, S start; ~ weary, ! blighted, + mob, $ toll, % trap"


def describe(s: Any, deck: LoadedDeck) -> str:
    """The position as a table of text."""
    table = view(s, deck)
    return "\n".join(line.rstrip() for part in PARTS for line in part(table)) + "\n"


def head(table: View) -> Iterator[str]:
    yield "=" * WIDTH
    number = f"difficulty {table.difficulty}, decision {table.decisions}"
    yield f"{table.phase:<{WIDTH - len(number)}}{number}"
    yield from paragraphs(table.hint)
    yield "=" * WIDTH


def hero(table: View) -> Iterator[str]:
    yield from card("Hero", table.hero)
    stats = [f"{name.capitalize()} {value}" for name, value in zip(STATS, table.stats, strict=True)]
    for i, counts in ((1, table.strategy), (2, table.recovery)):
        if counts != table.stats[i]:
            stats[i] += f" (counts {counts})"
    yield row("Stats", "   ".join([*stats, f"Gold {table.gold}", f"Damage due {table.damage_due}"]))
    if table.conditions:
        yield from block("Now", "; ".join(table.conditions))


def dice(table: View) -> Iterator[str]:
    yield row("Dice", columns([*COLOURS, "all"]))
    zones = {**table.zones, "on cards": [die for card in table.active if isinstance(card, Fighter) for die in card.dice]}
    for name, shown in zones.items():
        if shown or name in ("ready", "exhausted", "banished"):
            yield row(f"  {name}", columns([*(dice_of(shown, c) for c in range(len(COLOURS))), str(len(shown))]))


def columns(cells: list[str]) -> str:
    return "".join(f"{cell:<16}" for cell in cells)


def dice_of(shown: Dice, colour: int) -> str:
    """The dice of one colour: their number, or what they show."""
    faces = Counter(face for c, face in shown if c == colour)
    if not faces:
        return "."
    return " ".join(f"{n}" if face is None else f"{n} {FACES[face]}" for face, n in sorted(faces.items(), key=lambda f: f[0] or 0))


def active(table: View) -> Iterator[str]:
    if table.told:
        yield from card("Fable", table.told)
    for i, found in enumerate(table.active):
        label = "" if i else "Active"
        yield from fighter(label, found) if isinstance(found, Fighter) else card(label, found)


def fighter(label: str, enemy: Fighter) -> Iterator[str]:
    state = "defeated" if enemy.defeated else f"Health {enemy.left} left of {enemy.health}, Damage {enemy.damage}"
    if enemy.bribe is not None:
        state += f", bribe {enemy.bribe}"
    rest = [remark for remark in enemy.face.remarks if remark != "defeated"]
    yield row(label, f"{enemy.place}. {enemy.face.name} ({enemy.face.kind}): " + ", ".join([state, *rest]))
    if enemy.dice:
        yield row("", "   dice on it: " + ", ".join(f"{COLOURS[c]} {FACES[f]}" for c, f in enemy.dice if f is not None))
    yield from paragraphs(enemy.face.text, LABEL + 3)


def line(table: View) -> Iterator[str]:
    for i, enemy in enumerate(table.line):
        bribe = "" if enemy.bribe is None else f", bribe {enemy.bribe}"
        top = " (top of the deck)" if i == len(table.line) - 1 else ""
        yield row("" if i else "Scouted", f"{i + 1}. {enemy.face.name}: Health {enemy.health}, Damage {enemy.damage}{bribe}{top}")
        yield from paragraphs(enemy.face.text, LABEL + 3)


def belongings(table: View) -> Iterator[str]:
    if table.shop:
        yield from cards("Shop", table.shop)
        yield row("", f"also: {table.prices}")
    yield from cards("Items", table.items)
    yield from cards("Beside", table.beside)


def path(table: View) -> Iterator[str]:
    yield from block("Path", KEY)
    for i in reversed(range(len(table.path))):
        yield from path_card(table.path[i], i, table.at_card)
    yield row("You are", f"at {table.where}")
    if table.routes and not table.over:
        yield row("lines to", ", ".join(end_name(table.path[table.at_card], end) for end in table.routes))


def path_card(card: PathCard, i: int, here: int) -> Iterator[str]:
    """A card's nodes and, unless it lies behind, its lines."""
    nodes = "  ".join(f"{PLACE_NAMES[place]}={letters(spot)}" for place, spot in card.spots.items())
    yield row(f"{'>>' if i == here else '  '} {i:>2} {'night' if card.night else 'day'}", f"{card.name}: {nodes}")
    if i < here:
        return
    sources: dict[int, list[str]] = {}
    for source, end in card.lines:
        sources.setdefault(source, []).append(PLACE_NAMES[end] if end < PLACES else f"^{THRESHOLD_NAMES[end - PLACES]}")
    names = (*PLACE_NAMES, *THRESHOLD_NAMES)
    lines = (f"{names[source]}-{','.join(ends)}" for source, ends in sorted(sources.items(), key=below))
    yield from block("", "   ".join(lines))


def below(source: tuple[int, list[str]]) -> int:
    """Lower thresholds come first."""
    return (source[0] - PLACES) % (2 * PLACES)


def letters(spot: Spot) -> str:
    return LETTERS[spot.kind] + MARKS[spot.outline] + (str(spot.mobs) if spot.mobs else "")


def end_name(card: PathCard, end: int) -> str:
    """Where a line ends, in words."""
    if end >= PLACES:
        return f"the {THRESHOLD_NAMES[end - PLACES]} upper threshold"
    return f"node {PLACE_NAMES[end]} ({card.spots[end].name})"


def decks(table: View) -> Iterator[str]:
    yield from block("Wolves", ", ".join(f"{name} ({zone})" for name, zone in table.wolves))
    counts = f"{table.forest_left} forest cards, {table.minions_left} minions, {table.items_left} items"
    yield row("Decks", f"{counts} left; {table.minions_discarded} minions discarded")


def cards(label: str, faces: tuple[Face, ...]) -> Iterator[str]:
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


PARTS = (head, hero, dice, active, line, belongings, path, decks)
