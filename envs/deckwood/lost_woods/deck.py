"""A deck file of Lost Woods: its models and their checks, and the tables that the rules read.

``deck.toml`` beside this file is the deck that ships.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from deckwood.core.decks import Name, Part, load, problem, refuse
from deckwood.core.spec import LoadedDeck
from deckwood.core.uncompiled import uncompiled
from deckwood.lost_woods.rules import woods
from deckwood.lost_woods.state import (
    BOX_TILES,
    CARDS_PER_DECK,
    DICE,
    DIRECTIONS,
    EIGHTH_EFFECTS,
    ENEMY_TILE,
    FOE_DICE,
    GNOME_TILE,
    GOLD_TILE,
    LETTERS,
    MAX_ENEMIES,
    MAX_PLAYERS,
    NONE,
    NUM_DIRECTIONS,
    PLUS_TWO_TILE,
    POTION_TILE,
    SPELLS,
    STEP_X,
    STEP_Y,
    TABLES,
    UNREACHED,
)

opposite = uncompiled(woods.opposite)

SHIPPED = Path(__file__).with_name("deck.toml")

NUM_CARDS = NUM_DIRECTIONS * CARDS_PER_DECK

Die = Literal[4, 6, 8, 12, 20]
Direction = Literal["north", "east", "south", "west"]
Ways = Annotated[str, Field(pattern="^N?E?S?W?$", description="the markers: the ways one may leave, of N, E, S and W in this order")]


class Camp(Part):
    """The three spaces of the camp and the ways that lead out of them: its centre and two spaces next to it, in a row or around a corner.
    Between them one can always go."""

    centre: Ways
    north: Ways | None = Field(None, description="markers of the space north of the centre, if there is one")
    east: Ways | None = Field(None, description="... east of it")
    south: Ways | None = Field(None, description="... south of it")
    west: Ways | None = Field(None, description="... west of it")

    @property
    def arms(self) -> list[str]:
        """The directions in which the other two spaces lie, west before east and north before south."""
        return [direction for direction in ("west", "north", "south", "east") if getattr(self, direction) is not None]

    @model_validator(mode="after")
    def _three_spaces_and_a_way_out(self) -> Self:
        arms = self.arms
        if len(arms) != 2:
            refuse([problem((), ", ".join(arms) or "none", "exactly 2 of north, east, south and west: the camp has three spaces")])
        inner = {"centre": arms, **{arm: [DIRECTIONS[opposite(DIRECTIONS.index(arm))]] for arm in arms}}
        refuse(
            [
                problem((name,), getattr(self, name), f"ways without {letter}: between the spaces of the camp one can always go")
                for name, directions in inner.items()
                for letter in (LETTERS[DIRECTIONS.index(direction)] for direction in directions)
                if letter in getattr(self, name)
            ]
        )
        if not any(getattr(self, name) for name in inner):
            refuse([problem(("centre",), self.centre, "a marker on at least one of the three spaces: the camp has a way out")])
        return self

    def spaces(self) -> list[tuple[str, str, tuple[int, int]]]:
        """Name, ways and place of each: the centre is the second."""
        first, last = (DIRECTIONS.index(arm) for arm in self.arms)
        return [self._arm(first), ("centre", self.centre + LETTERS[first] + LETTERS[last], (0, 0)), self._arm(last)]

    def _arm(self, direction: int) -> tuple[str, str, tuple[int, int]]:
        name = DIRECTIONS[direction]
        return name, getattr(self, name) + LETTERS[opposite(direction)], (STEP_X[direction], STEP_Y[direction])


class MapCard(Part):
    """A map card."""

    name: Name = Field(description="its name")
    deck: Direction = Field(description="the deck it belongs to: the direction in which it is explored")
    ways: Ways
    well: Literal[SPELLS] | None = Field(None, description="the spell whose magic well it shows")  # type: ignore[valid-type]
    bottom: bool = Field(False, description='marked "Bottom of Deck": it summons the guardian')


class Weapons(Part):
    """How many weapon tiles there are of each die."""

    d4: Annotated[int, Field(ge=0)] = Field(description="D4 weapons")
    d6: Annotated[int, Field(ge=MAX_PLAYERS)] = Field(description="D6 weapons, those that adventurers start with counted")
    d8: Annotated[int, Field(ge=0)] = Field(description="D8 weapons")
    d12: Annotated[int, Field(ge=MAX_PLAYERS)] = Field(description="D12 weapons, those removed with fewer than six players counted")
    d20: Annotated[int, Field(ge=0)] = Field(0, description="D20 weapons")


class Tiles(Part):
    """How many tiles there are of each other kind."""

    potion: Annotated[int, Field(ge=0)] = Field(description="potions")
    gold: Annotated[int, Field(ge=0)] = Field(description="gold")
    plus_two: Annotated[int, Field(ge=0)] = Field(description="Plus Two")
    gnome: Annotated[int, Field(ge=0)] = Field(description="gnomes")


class Enemy(Part):
    """An enemy tile."""

    name: Name = Field(description="its name")
    die: Die = Field(description="the die it rolls")
    gold: Annotated[int, Field(ge=0, le=10)] = Field(description="pieces for defeating it")
    tiles: Annotated[int, Field(ge=1)] = Field(1, description="how many there are")


class Guardian(Part):
    """A guardian."""

    name: Name = Field(description="its name")
    deck: Direction = Field(description="the deck whose bottom card summons it")
    dice: Annotated[list[Die], Field(min_length=FOE_DICE, max_length=FOE_DICE)] = Field(description="the dice it rolls, in order")
    gold: Annotated[int, Field(ge=0, le=10)] = Field(description="pieces for defeating it")


class Stride(Part):
    """Use during your move: you may move more spaces."""

    type: Literal["stride"] = Field(description="what it does")
    spaces: Annotated[int, Field(ge=1, le=9)] = Field(description="how many more")


class Strike(Part):
    """Use during combat to roll a die."""

    type: Literal["strike"] = Field(description="what it does")
    die: Die = Field(description="the die")


class Eighth(Part):
    """The eighth spell, which the rulebook does not name."""

    name: Name = Field(description="its name")
    effect: Annotated[Stride | Strike, Field(discriminator="type")] = Field(description="when it is used, and what for")


class DeckFile(Part):
    """A whole deck file."""

    camp: Camp
    cards: Annotated[list[MapCard], Field(min_length=NUM_CARDS, max_length=NUM_CARDS)] = Field(description="twelve for each deck")
    weapons: Weapons
    tiles: Tiles
    enemies: Annotated[list[Enemy], Field(min_length=1, max_length=MAX_ENEMIES)] = Field(description="kinds of enemy tile")
    guardians: Annotated[list[Guardian], Field(min_length=NUM_DIRECTIONS, max_length=NUM_DIRECTIONS)] = Field(
        description="one for each deck"
    )
    eighth: Eighth

    @model_validator(mode="after")
    def _check(self) -> Self:
        problems = []
        for deck in DIRECTIONS:
            cards = [card for card in self.cards if card.deck == deck]
            if len(cards) != CARDS_PER_DECK:
                problems.append(problem(("cards",), len(cards), f'exactly {CARDS_PER_DECK} cards of the deck "{deck}"'))
            if (bottoms := sum(card.bottom for card in cards)) != 1:
                problems.append(problem(("cards",), bottoms, f'exactly 1 card of the deck "{deck}" with bottom = true'))
        for index, card in enumerate(self.cards):
            back = LETTERS[opposite(DIRECTIONS.index(card.deck))]
            if back not in card.ways:
                problems.append(
                    problem(("cards", index, "ways"), card.ways, f"ways with {back}, the way back: it is impossible to get stuck")
                )
        problems += self._repeated("cards", "name") + self._repeated("enemies", "name") + self._repeated("guardians", "deck")
        wells = Counter(card.well for card in self.cards if card.well)
        for spell in SPELLS:
            if wells[spell] != 1:
                problems.append(problem(("cards",), wells[spell], f'exactly 1 card with the well "{spell}"'))
        total = sum(self.weapons.model_dump().values()) + sum(self.tiles.model_dump().values()) + sum(enemy.tiles for enemy in self.enemies)
        if total != BOX_TILES:
            problems.append(problem(("tiles",), total, f"{BOX_TILES} tiles in all, weapons and enemies counted"))
        refuse(problems)
        return self

    def _repeated(self, table: str, field: str) -> list[Any]:
        values = [getattr(entry, field) for entry in getattr(self, table)]
        return [
            problem((table, index, field), value, "a value that no other entry has")
            for index, value in enumerate(values)
            if value in values[:index]
        ]

    def compile(self) -> tuple[Any, dict[str, tuple[str, ...]]]:
        """The tables that the rules read, and the names that people read."""
        tables = np.zeros(1, TABLES).view(np.recarray)[0]
        spaces: list[str] = []
        tables.well[:] = NONE
        for name, ways, place in self.camp.spaces():
            tables.camp[len(spaces)] = place
            tables.ways[len(spaces)] = [letter in ways for letter in LETTERS]
            spaces.append(f"camp, {name}")
        for deck in DIRECTIONS:
            cards = sorted((card for card in self.cards if card.deck == deck), key=lambda card: card.bottom)
            for card in cards:
                space = len(spaces)
                spaces.append(card.name)
                tables.ways[space] = [letter in card.ways for letter in LETTERS]
                if card.well:
                    tables.well[space] = SPELLS.index(card.well)
                    tables.well_space[SPELLS.index(card.well)] = space
        for die, count in enumerate(self.weapons.model_dump().values()):
            tables.tiles[die] = count
        tables.enemies[:] = NONE
        for kind, enemy in enumerate(self.enemies):
            tables.tiles[ENEMY_TILE + kind] = enemy.tiles
            tables.enemies[kind] = [DICE.index(enemy.die), NONE, NONE, enemy.gold]
        for tile, count in (
            (POTION_TILE, self.tiles.potion),
            (GOLD_TILE, self.tiles.gold),
            (PLUS_TWO_TILE, self.tiles.plus_two),
            (GNOME_TILE, self.tiles.gnome),
        ):
            tables.tiles[tile] = count
        guardians = sorted(self.guardians, key=lambda guardian: DIRECTIONS.index(guardian.deck))
        for direction, guardian in enumerate(guardians):
            tables.guardians[direction] = [*(DICE.index(die) for die in guardian.dice), guardian.gold]
        effect = self.eighth.effect
        amount = effect.spaces if isinstance(effect, Stride) else DICE.index(effect.die)
        tables.eighth[:] = [EIGHTH_EFFECTS.index(effect.type), amount]
        tables.nearness[:-1] = 1 / (1 + np.arange(UNREACHED))
        names = {
            "spaces": tuple(spaces),
            "enemies": tuple(enemy.name for enemy in self.enemies),
            "guardians": tuple(guardian.name for guardian in guardians),
            "spells": (*(spell.capitalize() for spell in SPELLS[:-1]), self.eighth.name),
        }
        return tables, names


def load_deck(path: Path | str | None = None) -> LoadedDeck:
    """The deck of a file, or the one that ships. DeckError says what is wrong with a file, where, and what is allowed."""
    return _shipped() if path is None else _load(Path(path))


@lru_cache(maxsize=1)
def _shipped() -> LoadedDeck:
    return _load(SHIPPED)


def _load(path: Path) -> LoadedDeck:
    return load(path, DeckFile, DeckFile.compile)
