"""What the documentation lists of this game besides its spec: the cards of a deck, the deck's own ops and the fields of a deck file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from deckwood.core.spec import LoadedDeck
from deckwood.strong.terms import COLOURS, NONE, ONGOING, STATS
from deckwood.tanglewoods.deck import DeckFile, card_text
from deckwood.tanglewoods.state import (
    BIG_BAD_FACE,
    DAY,
    ENEMY_FACE,
    EXPLORE_COLOURS,
    FABLE_FACE,
    FROM_THRESHOLD,
    GRIMM_FACE,
    HERO_FACE,
    ITEM_FACE,
    LEVEL_3_COLOURS,
    NUM_ENEMIES,
    NUM_HEROES,
    NUM_ITEMS,
    NUM_SIDES,
    NUM_WOLVES,
    NUMBERS,
    PLACE_NAMES,
    PLACES,
    POWER_UP_FACE,
    THRESHOLD_NAMES,
    THRESHOLDS,
    TRAP_DIE,
    TYPE,
    UNIVERSAL_FACE,
    UPGRADED_FACE,
    WEARY_STAT,
    WOLF_FACE,
)
from deckwood.tanglewoods.state import DECK_OPS as OWN_OPS
from deckwood.tanglewoods.words import node_text

__all__ = ["FILE", "OWN_OPS", "card_tables"]

FILE = DeckFile
"""The model of a deck file."""

Table = tuple[str, tuple[str, ...], Sequence[Sequence[Any]]]


def card_tables(deck: LoadedDeck) -> Iterator[Table]:
    """Title, columns and rows of a table for each kind of card."""
    cards, names = deck.tables.cards, deck.names["faces"]

    def text(face: int) -> str:
        return card_text(deck.tables, face)

    def stats(face: int) -> str:
        return " / ".join(str(value) for value in cards[face]["stats"])

    heroes: list[Sequence[Any]] = []
    for hero, key in enumerate(deck.names["heroes"][:NUM_HEROES]):
        for face in (HERO_FACE + 2 * hero, HERO_FACE + 2 * hero + 1):
            heroes.append(
                (names[face], f"`{key}`", stats(face), text(face) + ("\nMust start on this side." if cards[face]["forced"] else ""))
            )
    for guest, key in enumerate(deck.names["heroes"][NUM_HEROES:]):
        front = UNIVERSAL_FACE + guest
        back = int(cards[front]["other_side"])
        for face in (front,) if back == GRIMM_FACE else (front, back):
            heroes.append((names[face], f"`{key}`, universal", stats(face), text(face)))
    heroes.append((names[GRIMM_FACE], "what a universal hero without a second side flips to", "", text(GRIMM_FACE)))
    yield "Heroes", ("side", "`hero=`", "Health / Strategy / Recovery", "ability, and when it flips"), heroes

    def fighters(first: int, count: int) -> Iterator[Sequence[Any]]:
        for face in range(first, first + count):
            card = cards[face]
            bribe = () if card["bribe"] == NONE else (card["bribe"],)
            yield names[face], card["health"], card["damage"], *bribe, text(face)

    yield "Enemies", ("enemy", "Health", "Damage", "bribe", "effects and reward"), list(fighters(ENEMY_FACE, NUM_ENEMIES))
    fables = [(names[FABLE_FACE + i], names[ENEMY_FACE + i], text(FABLE_FACE + i)) for i in range(NUM_ENEMIES)]
    yield "Fables", ("fable", "back of", "effect"), fables
    yield "Wolves", ("wolf", "Health", "Damage", "effects and reward"), list(fighters(WOLF_FACE, NUM_WOLVES))
    power_ups = [(names[POWER_UP_FACE + i], names[WOLF_FACE + i], text(POWER_UP_FACE + i)) for i in range(NUM_WOLVES)]
    yield "Power-ups", ("power-up", "back of", "rule of the endgame"), power_ups
    yield "Bosses", ("boss", "Health", "Damage", "effects"), list(fighters(BIG_BAD_FACE, 2))

    items: list[Sequence[Any]] = []
    for i in range(NUM_ITEMS):
        for face, cost in ((ITEM_FACE + i, cards[ITEM_FACE + i]["cost"]), (UPGRADED_FACE + i, "upgraded")):
            items.append((names[face], cost, "ongoing" if cards[face]["uses"] == ONGOING else "single use", text(face)))
    yield "Items", ("item", "cost", "use", "effect"), items

    forest = [
        (deck.names["forest"][side // 2], "day" if side % 2 == DAY else "night", _nodes(deck, side), _lines(deck, side))
        for side in range(NUM_SIDES)
    ]
    values = deck.tables.numbers.tolist()
    yield "Forest cards", ("card", "side", "nodes, from the bottom", "lines (↑: an upper threshold)"), forest
    numbers = [(f"`{name}`", _value(number, value)) for number, (name, value) in enumerate(zip(NUMBERS, values, strict=True))]
    yield "Values", ("number", "value"), numbers


def _value(number: int, value: int) -> Any:
    """A number of the deck as its file has it."""
    if number in (EXPLORE_COLOURS, LEVEL_3_COLOURS):
        return ", ".join(name for colour, name in enumerate(COLOURS) if value >> colour & 1)
    return COLOURS[value] if number == TRAP_DIE else STATS[value] if number == WEARY_STAT else value


def _nodes(deck: LoadedDeck, side: int) -> str:
    return "\n".join(f"{PLACE_NAMES[p]} {node_text(deck, side, p)}" for p in range(PLACES) if deck.tables.nodes[side, p, TYPE])


def _lines(deck: LoadedDeck, side: int) -> str:
    sources = [(FROM_THRESHOLD + t, name) for t, name in enumerate(THRESHOLD_NAMES)] + list(enumerate(PLACE_NAMES))
    targets = (*PLACE_NAMES, *(f"↑{THRESHOLD_NAMES[t]}" for t in range(THRESHOLDS)))
    lines = []
    for row, name in sources:
        bits = int(deck.tables.paths[side, row])
        if bits:
            lines.append(f"{name} to {', '.join(target for bit, target in enumerate(targets) if bits >> bit & 1)}")
    return "\n".join(lines)
