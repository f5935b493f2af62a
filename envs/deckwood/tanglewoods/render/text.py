"""``render_mode="ansi"``: the table as plain text, at most 100 columns wide."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from deckwood.core.spec import LoadedDeck
from deckwood.strong.render import text
from deckwood.strong.render.text import block, card, cards, row
from deckwood.tanglewoods.render.view import PathCard, Spot, View, read_view
from deckwood.tanglewoods.state import PLACE_NAMES, PLACES, THRESHOLD_NAMES

LETTERS = {"minion": "E", "wolf": "W", "fable": "F", "campfire": "C", "home": "H", "start": "S"}
MARKS = {"standard": "", "weary": "~", "blighted": "!", "mob": "+", "toll": "$", "trap": "%"}
KEY = "E enemy, W wolf, F fable, C campfire, H home, S start; ~ weary, ! blighted, + mob, $ toll, % trap; @ you, * may be travelled to"


def describe(s: Any, deck: LoadedDeck) -> str:
    """The position as a table of text."""
    view = read_view(s, deck)
    table = view.table
    return text.page(
        (
            text.head(table, f"difficulty {view.difficulty}, decision {table.decisions}"),
            text.hero(table, f"Gold {view.gold}"),
            text.dice(table),
            card("Fable", view.fable) if view.fable else (),
            text.active(table),
            line(view),
            shop(view),
            text.belongings(table),
            path(view),
            decks(view),
            text.piles(view.piles),
        )
    )


def line(view: View) -> Iterator[str]:
    for i, enemy in enumerate(view.line):
        top = " (top of the deck)" if i == len(view.line) - 1 else ""
        yield from text.printed_fighter("" if i else "Scouted", f"{i + 1}. ", enemy, top)


def shop(view: View) -> Iterator[str]:
    if view.shop:
        yield from cards("Shop", view.shop)
        yield row("", f"also: {view.prices}")


def path(view: View) -> Iterator[str]:
    yield from block("Path", KEY)
    for i in reversed(range(len(view.path))):
        yield from path_card(view, i)
    yield row("You are", f"at {view.where}")
    if view.routes and not view.table.over:
        card = view.path[view.at_card]
        yield from block("lines to", ", ".join(end_name(card, end) + " *" * (end in view.may_travel) for end in view.routes))


def path_card(view: View, i: int) -> Iterator[str]:
    """A card's nodes and, unless it lies behind, its lines: where each leads, upward."""
    card, here = view.path[i], i == view.at_card
    nodes = "  ".join(f"{PLACE_NAMES[place]}={letters(spot)}{mark(view, place) if here else ''}" for place, spot in card.spots.items())
    yield row(f"{'>>' if here else '  '} {i:>2} {'night' if card.night else 'day'}", f"{card.name}: {nodes}")
    if i < view.at_card:
        return
    sources: dict[int, list[str]] = {}
    for source, end in card.lines:
        sources.setdefault(source, []).append(PLACE_NAMES[end] if end < PLACES else f"^{THRESHOLD_NAMES[end - PLACES]}")
    names = (*PLACE_NAMES, *THRESHOLD_NAMES)
    lines = (f"{names[source]}->{','.join(ends)}" for source, ends in sorted(sources.items(), key=below))
    yield from block("", "   ".join(lines))


def mark(view: View, place: int) -> str:
    """Whether the hero stands at a node of the hero's card, or may travel to it."""
    return "@" if place == view.at_place else "*" if place in view.may_travel else ""


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


def decks(view: View) -> Iterator[str]:
    yield from block("Wolves", ", ".join(f"{name} ({zone})" for name, zone in view.wolves))
    counts = f"{view.forest_left} forest cards, {view.minions_left} minions, {view.items_left} items"
    yield row("Decks", f"{counts} left; {view.minions_discarded} minions discarded")
