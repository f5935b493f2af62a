"""What the documentation lists of this game besides its spec: the cards of a deck and the fields of a deck file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from deckwood.core.spec import LoadedDeck
from deckwood.core.uncompiled import uncompiled
from deckwood.lost_woods.deck import DeckFile
from deckwood.lost_woods.rules import weapons
from deckwood.lost_woods.state import (
    BOTTOM,
    BOX_TILES,
    CAMP_SPACES,
    CARDS_PER_DECK,
    DICE,
    DIRECTIONS,
    EIGHTH,
    FIRST_SPELL,
    FOE_GOLD,
    LETTERS,
    MAGNET,
    NONE,
    NUM_SPACES,
    NUM_TILES,
    REVIVE,
    STRIDE,
    TELEPORT,
)
from deckwood.lost_woods.words import dice_of, tile_text

die_of = uncompiled(weapons.die_of)

__all__ = ["FILE", "card_tables"]

FILE = DeckFile
"""The model of a deck file."""

Table = tuple[str, tuple[str, ...], Sequence[Sequence[Any]]]

OTHER_SPELLS = {
    MAGNET: ("instead of exploring", "Take any one magic, weapon or gold from the map."),
    REVIVE: ("when a battle is lost", "Nothing is dropped; end the turn there, or attack the same enemy again."),
    TELEPORT: ("instead of moving", "Go to any explored space that holds no enemy."),
}
"""Those that are not fought with: when they are used, and what for."""


def card_tables(deck: LoadedDeck) -> Iterator[Table]:
    """Title, columns and rows of a table for each kind of component."""
    names, tables = deck.names, deck.tables
    cards = [
        (
            names["spaces"][space],
            place_of(space),
            " ".join(letter for letter, way in zip(LETTERS, tables.ways[space], strict=True) if way),
            names["spells"][tables.well[space]] if tables.well[space] != NONE else "",
        )
        for space in range(NUM_SPACES)
    ]
    yield "Map cards", ("card", "deck", "ways", "magic well"), cards
    tiles = [(tile_text(deck, tile), int(tables.tiles[tile])) for tile in range(NUM_TILES) if tables.tiles[tile]]
    yield f"The {BOX_TILES} tiles", ("tile", "how many"), tiles
    enemies = [(name, dice(row), row[FOE_GOLD]) for name, row in zip(names["enemies"], tables.enemies, strict=False)]
    yield "Enemies", ("enemy", "die", "gold"), enemies
    guardians = [
        (name, direction, dice(row), row[FOE_GOLD])
        for name, direction, row in zip(names["guardians"], DIRECTIONS, tables.guardians, strict=True)
    ]
    yield "Guardians", ("guardian", "deck", "dice", "gold"), guardians
    spells = [(name, names["spaces"][tables.well_space[spell]], *spell_text(deck, spell)) for spell, name in enumerate(names["spells"])]
    yield "Spells", ("spell", "magic well", "used", "effect"), spells


def place_of(space: int) -> str:
    """The deck of a map card."""
    if space < CAMP_SPACES:
        return "starting card"
    deck, card = divmod(space - CAMP_SPACES, CARDS_PER_DECK)
    return DIRECTIONS[deck] + (", bottom" if card == BOTTOM else "")


def dice(row: Any) -> str:
    """The dice that an enemy rolls, in order."""
    return ", ".join(f"D{DICE[die]}" for die in dice_of(row))


def spell_text(deck: LoadedDeck, spell: int) -> tuple[str, str]:
    """When a spell is used, and what it does."""
    if spell in OTHER_SPELLS:
        return OTHER_SPELLS[spell]
    kind, amount = (int(value) for value in deck.tables.eighth)
    if spell == EIGHTH and kind == STRIDE:
        return "while moving", f"Move up to {amount} more spaces."
    return "in combat", f"Roll a D{DICE[die_of(deck.tables, FIRST_SPELL + spell)]}."
