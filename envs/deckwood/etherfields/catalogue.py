"""What the documentation lists of this game besides its spec: the cards of a deck, the deck's own ops and the fields of a deck file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from deckwood.core.spec import LoadedDeck
from deckwood.etherfields.actions import SEGMENTS
from deckwood.etherfields.deck import WORDS, DeckFile
from deckwood.etherfields.render import view
from deckwood.etherfields.render.view import MapCard
from deckwood.etherfields.state import (
    BOSS_FACE,
    DIRECTIONS,
    EAST,
    FIRST_ETHER,
    HERO_FACE,
    INFLUENCE_CARD,
    ITEM_CARD,
    MAP_SIDE,
    NUM_BOSSES,
    NUM_CARDS,
    NUM_HEROES,
    NUM_MAPS,
    NUMBERS,
    POSITION,
    SOUTH,
    UNIVERSAL_FACE,
)
from deckwood.etherfields.state import DECK_OPS as OWN_OPS
from deckwood.etherfields.words import required
from deckwood.strong.deck import card_text
from deckwood.strong.terms import COLOURS, ENEMY

__all__ = ["FILE", "OWN_OPS", "card_tables"]

FILE = DeckFile
"""The model of a deck file."""

Table = tuple[str, tuple[str, ...], Sequence[Sequence[Any]]]
SIDES = "AB"


def card_tables(deck: LoadedDeck) -> Iterator[Table]:
    """Title, columns and rows of a table for each kind of card."""
    s = np.zeros(1, POSITION).view(np.recarray)[0]
    yield "Heroes", ("side", "`hero=`", "Health / Strategy / Recovery", "ability, and when it flips"), list(_heroes(deck))
    of_boss = ("boss", "`boss=`", "side", "Health", "Damage", "endgame condition", "needs in play", "effects")
    yield "Bosses", of_boss, list(_bosses(s, deck))
    columns = ("card", "side", "kind", "figures", "effects")
    yield "Enemy cards", columns, list(_cards(s, deck, 0, INFLUENCE_CARD))
    yield "Influence cards", columns, list(_cards(s, deck, INFLUENCE_CARD, ITEM_CARD))
    yield "Item cards", columns, list(_cards(s, deck, ITEM_CARD, NUM_CARDS))
    yield "Map cards", ("card", "side", "layout", "spaces"), list(_maps(s, deck))
    values = deck.tables.numbers.tolist()
    numbers = [
        (f"`{name}`", COLOURS[value] if name == NUMBERS[FIRST_ETHER] else value) for name, value in zip(NUMBERS, values, strict=True)
    ]
    yield "Values", ("number", "value"), numbers


def _heroes(deck: LoadedDeck) -> Iterator[Sequence[Any]]:
    cards, names = deck.tables.cards, deck.names["faces"]
    for hero, key in enumerate(deck.names["heroes"][:-1]):
        guest = hero >= NUM_HEROES
        first = UNIVERSAL_FACE + 2 * (hero - NUM_HEROES) if guest else HERO_FACE + 2 * hero
        for face in (first, first + 1):
            if names[face]:
                stats = " / ".join(str(value) for value in cards[face]["stats"])
                yield names[face], f"`{key}`" + ", universal" * bool(cards[face]["universal"]), stats, card_text(deck.tables, face, WORDS)


def _bosses(s: Any, deck: LoadedDeck) -> Iterator[Sequence[Any]]:
    names = deck.names["faces"]
    for row in range(2 * NUM_BOSSES):
        face = BOSS_FACE + row
        card = deck.tables.cards[face]
        parts = ", ".join(text for text, _ in view.condition(s, deck, face)) or "none"
        needed = ", ".join(names[other] for other in required(deck, face))
        key = f"`{deck.names['bosses'][row // 2]}`"
        yield names[face], key, SIDES[row % 2], card["health"], card["damage"], parts, needed, card_text(deck.tables, face, WORDS)


def _cards(s: Any, deck: LoadedDeck, first: int, end: int) -> Iterator[Sequence[Any]]:
    """Both sides of the cards, one below the other."""
    for number in range(first, end):
        for side in range(2):
            face = NUM_CARDS * side + number
            row, shown = deck.tables.cards[face], view.card(s, deck, face)
            figures = f"Health {row['health']}, Damage {row['damage']}" if row["kind"] == ENEMY else ", ".join(shown.figures)
            yield shown.face.name, SIDES[side], shown.face.kind, figures, shown.face.text


def _maps(s: Any, deck: LoadedDeck) -> Iterator[Sequence[Any]]:
    for number in range(NUM_MAPS):
        for side in range(2):
            s.side[MAP_SIDE + number] = side
            card = view.map_card(s, deck, number, {})
            yield card.name, SIDES[side], "\n".join(_layout(card)), "\n".join(_spaces(card))


def _layout(card: MapCard) -> Iterator[str]:
    """The cells, the walls within and the edges that are closed."""
    letters = "".join(card.spaces[at].letter for at in card.space_at)
    yield from (f"`{letters[3 * row : 3 * row + 3]}`" for row in range(3))
    walls = []
    for cell in range(len(letters)):
        for side, beyond in ((EAST, cell + 1), (SOUTH, cell + 3)):
            if card.divider(cell, side) and not (cell % 3 == 2 if side == EAST else cell >= 6):
                walls.append("-".join(sorted((letters[cell], letters[beyond]))))
    if walls:
        yield "walls " + ", ".join(dict.fromkeys(walls))
    closed = []
    for d, direction in enumerate(DIRECTIONS):
        shut = [part for k, part in enumerate(SEGMENTS[direction]) if not card.edges[3 * d + k]]
        closed += [direction] if len(shut) == len(SEGMENTS[direction]) else [f"{direction} {part}" for part in shut]
    if closed:
        yield "closed " + ", ".join(closed)


def _spaces(card: MapCard) -> Iterator[str]:
    for space in card.spaces:
        facts = [*space.features, *(f"{action.label}: {action.text}" for action in space.actions)]
        yield f"{space.letter} " + ("; ".join(facts) or "nothing")
