"""A deck file of Etherfields: its models and their checks, and the tables that the rules read.

``deck.toml`` beside this file is the deck that ships.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
from pydantic import Field, ValidationInfo, model_validator
from pydantic_core import InitErrorDetails

from deckwood.core.decks import Name, Note, Part, load, one_of, problem, refuse
from deckwood.core.spec import LoadedDeck
from deckwood.core.uncompiled import uncompiled
from deckwood.etherfields.actions import SEGMENTS
from deckwood.etherfields.rules import dream
from deckwood.etherfields.state import (
    ACTION_FACE,
    ADVANCE_ETHER,
    ARROW,
    BANISH_CARD,
    BOSS_FACE,
    CELLS,
    CONDITIONS,
    DECK_OPS,
    DECKS,
    DIRECTIONS,
    EDGES,
    ETHER_IS,
    FLIP_AND_TAKE,
    FLIP_CARD,
    HERO_FACE,
    IF_ETHER,
    MAX_ACTIONS,
    MAX_FACES,
    MAX_GUESTS,
    MAX_HAND,
    MAX_REQUIRED,
    MAX_ROWS,
    NUM_BOSSES,
    NUM_CARDS,
    NUM_ENEMIES,
    NUM_HEROES,
    NUM_INFLUENCE,
    NUM_ITEMS,
    NUM_MAPS,
    NUMBERS,
    RESOURCES,
    SET_ETHER,
    SPACE_ACTIONS,
    TABLES,
    TIMINGS,
    UNIVERSAL_FACE,
)
from deckwood.etherfields.views import card_view, space_view
from deckwood.strong import deck as strong
from deckwood.strong.chains import Answers, Turning, endless
from deckwood.strong.deck import (
    MAX_EFFECTS,
    BossCard,
    Effect,
    EnemyCard,
    Face,
    ItemFace,
    Key,
    Small,
    UsedEffect,
    Words,
    check_blocks,
    check_keys,
    check_names,
    compile_faces,
    hero_face,
    item_face,
)
from deckwood.strong.guests import Guest, guests_of_other_decks
from deckwood.strong.terms import BOSS, COLOURS, ENEMY, INFLUENCE, MAP_ACTION, MAX_ITEMS, NONE, ONGOING, SINGLE_USE
from deckwood.strong.traits import face_view
from deckwood.strong.vocabulary import OPS

edge_cell = uncompiled(dream.edge_cell)

SHIPPED = Path(__file__).with_name("deck.toml")
EVENTS = ("activation", "explored", "ether_changed")
"""Moments that only this deck has."""
WORDS = Words((*OPS, *DECK_OPS), EVENTS)
"""The vocabulary of this deck."""

Amount = Annotated[int, Field(ge=1, le=9)]
Colour = Literal["yellow", "green", "blue", "purple", "red"]
CHOOSE = "choose"
"""The option by which hero or boss is the player's decision."""

ON_MAP = ("summon",)
"""Ops that only unique actions of the map may have."""
THIS_CARD = ("flip_card", "flip_and_take", "banish_card")
"""Ops about the card that carries them."""
assert {WORDS[name].code for name in THIS_CARD} == {FLIP_CARD, FLIP_AND_TAKE, BANISH_CARD}


class Numbers(Part):
    """Printed values."""

    hand_size: Annotated[int, Field(ge=1, le=MAX_HAND)]
    reshuffle_health: Small
    reshuffle_cards: Small
    first_ether: Colour

    def table(self) -> np.ndarray[Any, np.dtype[np.int16]]:
        """In the order of ``NUMBERS``."""
        values = {**self.model_dump(), "first_ether": COLOURS.index(self.first_ether)}
        return np.array([values[name] for name in NUMBERS], np.int16)


class Resources(Part):
    """An amount of each resource."""

    awareness: Amount | None = None
    cunning: Amount | None = None
    wrath: Amount | None = None

    def row(self) -> list[int]:
        """In the order of ``RESOURCES``."""
        return [getattr(self, name) or 0 for name in RESOURCES]


def refuse_ops(effects: Sequence[Effect], forbidden: Sequence[str], why: str, name: str = "effects") -> None:
    """Refuses effects of these ops, with what is allowed."""
    refuse([problem([name, i, "op"], effect.op, why) for i, effect in enumerate(effects) if effect.op in forbidden])


def refuse_lasting(effects: Sequence[Effect]) -> None:
    """Refuses all but instructions that are followed at once."""
    lasting = [i for i, effect in enumerate(effects) if WORDS[effect.op].is_modifier or effect.when not in (None, "use")]
    refuse([problem(["effects", i, "op"], effects[i].op, "an instruction that is followed at once") for i in lasting])


def _ether_turns(effect: Effect) -> list[tuple[int, int]]:
    """From which colour to which an effect turns the ether."""
    code = WORDS[effect.op].code
    if code == ADVANCE_ETHER:
        return [(colour, (colour + 1) % len(COLOURS)) for colour in range(len(COLOURS))]
    if code == SET_ETHER and effect.colour:
        target = COLOURS.index(effect.colour)
        return [(colour, target) for colour in range(len(COLOURS)) if colour != target]
    return []


def _ether_is(effect: Effect) -> tuple[int, ...] | None:
    """The colour of the ether at which ``if_ether`` takes the first of its branches."""
    return (COLOURS.index(effect.colour),) if WORDS[effect.op].code == IF_ETHER and effect.colour else None


ETHER = Turning(COLOURS, _ether_turns, _ether_is)


class EnemySide(EnemyCard):
    """A side that is an enemy."""

    type: Literal["enemy"] = "enemy"

    @model_validator(mode="after")
    def _ops(self) -> Self:
        refuse_ops(self.effects, ON_MAP, "this op on the map only")
        refuse_ops(self.reward, ON_MAP, "this op on the map only", "reward")
        return self

    def face(self) -> Face:
        return Face(self.name, ENEMY, self.all_effects, {"health": self.health, "damage": self.damage})

    @property
    def prices(self) -> tuple[list[int], list[list[int]], int]:
        """What spending the card gives, what playing it costs, when it may be played."""
        return [0, 0, 0], [], 0


class InfluenceSide(Part):
    """A side that is an influence card: resources, and an action."""

    type: Literal["influence"] = "influence"
    name: Name
    gives: Resources
    action: Literal["instant", "ongoing"]
    cost: Resources = Resources()
    timing: Literal["any", "activation", "engagement", "apply"] = "any"
    effects: Annotated[list[UsedEffect], Field(min_length=1), MAX_EFFECTS]

    @model_validator(mode="after")
    def _blocks(self, info: ValidationInfo) -> Self:
        check_blocks(self.effects, info)
        refuse_ops(self.effects, ON_MAP, "this op on the map only")
        if self.action == "instant":
            refuse_lasting(self.effects)
        elif self.timing != "any":
            refuse([problem(["timing"], self.timing, '"any" for an ongoing card')])
        return self

    def face(self) -> Face:
        return Face(self.name, INFLUENCE, self.effects, {"uses": SINGLE_USE if self.action == "instant" else ONGOING})

    @property
    def prices(self) -> tuple[list[int], list[list[int]], int]:
        return self.gives.row(), [self.cost.row()], TIMINGS.index(self.timing)


class ItemSide(ItemFace):
    """A side that is an item, which may be spent for its resources too."""

    type: Literal["item"] = "item"
    gives: Resources = Resources()

    @model_validator(mode="after")
    def _ops(self) -> Self:
        refuse_ops(self.effects, ON_MAP, "this op on the map only")
        return self

    def face(self) -> Face:
        return item_face(self)

    @property
    def prices(self) -> tuple[list[int], list[list[int]], int]:
        return self.gives.row(), [], 0


Side = EnemySide | InfluenceSide | ItemSide
OtherSide = Annotated[Side, Field(discriminator="type")]


class Enemy(Part):
    """An enemy card; its B side may be of another type."""

    a: EnemySide
    b: OtherSide


class Influence(Part):
    """An influence card; its B side may be of another type."""

    a: InfluenceSide
    b: OtherSide


class Item(Part):
    """An item card; its B side may be of another type."""

    a: ItemSide
    b: OtherSide


class Condition(Part):
    """What must hold for the boss to be activated; what is left out need not."""

    ether: Colour | None = None
    maps: Annotated[int, Field(ge=1, le=NUM_MAPS)] | None = None
    items: Annotated[int, Field(ge=1, le=MAX_ITEMS)] | None = None
    defeated: Annotated[int, Field(ge=1, le=20)] | None = None

    def row(self) -> list[int]:
        """In the order of ``CONDITIONS``."""
        values = {name: getattr(self, name) for name in CONDITIONS}
        values[CONDITIONS[ETHER_IS]] = None if self.ether is None else COLOURS.index(self.ether)
        return [NONE if values[name] is None else values[name] for name in CONDITIONS]


class BossSide(BossCard):
    """A side of a boss card."""

    endgame: Condition
    requires: Annotated[list[str], Field(max_length=MAX_REQUIRED)] = Field(default=[])

    @model_validator(mode="after")
    def _ops(self) -> Self:
        refuse_ops(self.effects, (*THIS_CARD, *ON_MAP), "no op that flips, banishes or summons, on a boss")
        return self


class Boss(Part):
    """A boss card; the side that was beaten flips."""

    key: Key
    a: BossSide
    b: BossSide


class HeroSide(strong.HeroSide):
    """A side of a hero card."""

    @model_validator(mode="after")
    def _ops(self) -> Self:
        refuse_ops(self.effects, (*THIS_CARD, *ON_MAP), "no op that flips, banishes or summons, on a hero")
        return self


class Hero(Part):
    """A hero card: the non-lucid side, and the lucid one, on which it stays once flipped."""

    name: Name
    key: Key
    universal: bool = False
    front: HeroSide
    lucid: HeroSide


class Explore(Part):
    """An arrow, and what following it costs."""

    to: Literal["north", "east", "south", "west"]
    awareness: Amount


class UniqueAction(Part):
    """A map action: its cost, or two to choose from, and its effects."""

    name: Name
    cost: Annotated[list[Resources], Field(max_length=2)] = Field(default=[])
    effects: Annotated[list[UsedEffect], Field(min_length=1), MAX_EFFECTS]

    @model_validator(mode="after")
    def _blocks(self, info: ValidationInfo) -> Self:
        check_blocks(self.effects, info)
        refuse_ops(self.effects, THIS_CARD, "no op about this card, on the map")
        refuse_lasting(self.effects)
        return self


class Space(Part):
    """A space of the map."""

    skulls: Annotated[int, Field(ge=0, le=3)] = 0
    explore: Explore | None = None
    action: Annotated[list[UniqueAction], Field(max_length=SPACE_ACTIONS)] = Field(default=[])


class MapSide(Part):
    """A side of a map card: three rows of three cells, where cells with the same letter are one space.

    Spaces that touch are divided by a border, or by a wall where ``walls`` names the two. ``closed`` names the edges of the card that
    show a wall: a direction, or a part of it such as ``"north west"``.
    """

    edge_names: ClassVar[tuple[str, ...]] = (*DIRECTIONS, *(f"{d} {part}" for d in DIRECTIONS for part in SEGMENTS[d]))

    name: Name
    layout: Annotated[list[Annotated[str, Field(pattern=r"^[a-i]{3}$")]], Field(min_length=3, max_length=3)]
    walls: list[str] = Field(default=[])
    closed: list[str] = Field(default=[])
    entrance: str | None = None
    space: dict[str, Space]

    @model_validator(mode="after")
    def _check(self) -> Self:
        letters = self.letters
        found = [
            problem(["layout"], f"space {letter} in pieces", "spaces that hang together") for letter in letters if not self._whole(letter)
        ]
        found += [problem(["space", key], key, one_of(key, letters)) for key in self.space if key not in letters]
        if self.entrance is not None and self.entrance not in letters:
            found.append(problem(["entrance"], self.entrance, one_of(self.entrance, letters)))
        touching = {"".join(sorted(pair)) for pair in self._touching()}
        for wall in self.walls:
            if "".join(sorted(wall)) not in touching:
                found.append(problem(["walls"], wall, f"two letters of spaces that touch: {', '.join(sorted(touching))}"))
        found += [problem(["closed"], edge, one_of(edge, self.edge_names)) for edge in self.closed if edge not in self.edge_names]
        refuse(found or self._unreachable())
        return self

    @property
    def cells(self) -> str:
        """The letters of all cells, row after row."""
        return "".join(self.layout)

    @property
    def letters(self) -> tuple[str, ...]:
        """The spaces in the order of their numbers."""
        return tuple(dict.fromkeys(self.cells))

    def _whole(self, letter: str) -> bool:
        cells = {(i // 3, i % 3) for i in range(CELLS) if self.cells[i] == letter}
        reached = {min(cells)}
        while more := {(r + dr, c + dc) for r, c in reached for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))} & cells - reached:
            reached |= more
        return reached == cells

    def _touching(self) -> Iterator[tuple[str, str]]:
        for row in range(3):
            for column in range(3):
                here = self.cells[3 * row + column]
                for cell in ((row, column + 1), (row + 1, column)):
                    if max(cell) < 3 and self.cells[3 * cell[0] + cell[1]] != here:
                        yield here, self.cells[3 * cell[0] + cell[1]]

    def _unreachable(self) -> list[InitErrorDetails]:
        """Every space can be entered from another one or over an open edge."""
        found = []
        edges = self.edge_row()
        doors = self.door_rows()
        for number, letter in enumerate(self.letters):
            outside = any(edges[e] and self.cells[edge_cell(*divmod(e, 3))] == letter for e in range(EDGES))
            if not doors[number] and not outside:
                found.append(problem(["walls"], f"space {letter} behind walls on all sides", "a way into every space"))
        return found

    def door_rows(self) -> list[int]:
        """Bits of the spaces across a border, for each space."""
        walls = {frozenset(wall) for wall in self.walls}
        number = {letter: i for i, letter in enumerate(self.letters)}
        bits = [0] * CELLS
        for one, other in self._touching():
            if frozenset((one, other)) not in walls:
                bits[number[one]] |= 1 << number[other]
                bits[number[other]] |= 1 << number[one]
        return bits

    def edge_row(self) -> list[int]:
        """1 for each open part of an edge."""
        return [
            int(direction not in self.closed and f"{direction} {part}" not in self.closed)
            for direction in DIRECTIONS
            for part in SEGMENTS[direction]
        ]


class MapCard(Part):
    """A map card."""

    a: MapSide
    b: MapSide


class DeckFile(Part):
    """The whole file."""

    title: Name
    note: Note = ""
    numbers: Numbers
    hero: Annotated[list[Hero], Field(min_length=NUM_HEROES, max_length=NUM_HEROES)]
    boss: Annotated[list[Boss], Field(min_length=NUM_BOSSES, max_length=NUM_BOSSES)]
    enemy: Annotated[list[Enemy], Field(min_length=NUM_ENEMIES, max_length=NUM_ENEMIES)]
    influence: Annotated[list[Influence], Field(min_length=NUM_INFLUENCE, max_length=NUM_INFLUENCE)]
    item: Annotated[list[Item], Field(min_length=NUM_ITEMS, max_length=NUM_ITEMS)]
    map: Annotated[list[MapCard], Field(min_length=NUM_MAPS, max_length=NUM_MAPS)]

    @model_validator(mode="after")
    def _check(self) -> Self:
        check_names(self)
        refuse([*self._boss_and_hero_problems(), *self._map_problems()] or endless(self._worlds(), ETHER, WORDS))
        return self

    def _boss_and_hero_problems(self) -> Iterator[InitErrorDetails]:
        names = list(self.card_faces())
        keys = [("hero", i, hero.key) for i, hero in enumerate(self.hero)] + [("boss", i, boss.key) for i, boss in enumerate(self.boss)]
        for kind, i, key in keys:
            if key == CHOOSE:
                yield problem([kind, i, "key"], key, f'any other key: "{CHOOSE}" leaves the choice to the player')
        for i, boss in enumerate(self.boss):
            for side, face in (("a", boss.a), ("b", boss.b)):
                for j, name in enumerate(face.requires):
                    if name not in names:
                        yield problem(["boss", i, side, "requires", j], name, one_of(name, names))
        fresh = {side.name for side in self.sides()[:NUM_CARDS]}
        if not any(fresh.issuperset(boss.a.requires) for boss in self.boss):
            yield problem(["boss"], "bosses that all wait for flipped cards", "an A side that can be faced with a fresh deck")

    def _map_problems(self) -> Iterator[InitErrorDetails]:
        homes = sum(1 for card in self.map if card.a.entrance or card.b.entrance)
        if homes != 1:
            allowed = "exactly one card with the Dream Entrance, on one of its sides or on both"
            yield problem(["map"], f"{homes} cards with an entrance", allowed)
        if not any(_summons(side) for card in self.map for side in (card.a, card.b)):
            yield problem(["map"], "no such card", 'a card with a unique action "summon": the boss can be activated somewhere')
        number = sum(len(_actions(side)) for card in self.map for side in (card.a, card.b))
        if number > MAX_ACTIONS:
            yield problem(["map"], f"{number} unique actions", f"at most {MAX_ACTIONS}")

    def _worlds(self) -> Iterator[list[Answers]]:
        """The cards that can answer a moment together: what may lie in the inventory, and the sides of a hero."""
        lasting = [
            Answers((kind, i, side, "effects"), face.name, face.effects)
            for kind in ("enemy", "influence", "item")
            for i, card in enumerate(getattr(self, kind))
            for side, face in (("a", card.a), ("b", card.b))
            if not isinstance(face, EnemySide) and face.face().numbers["uses"] == ONGOING
        ]
        for i, hero in enumerate(self.hero):
            sides = (("front", hero.front), ("lucid", hero.lucid))
            yield [*lasting, *(Answers(("hero", i, side, "effects"), half.name, half.effects) for side, half in sides)]

    def sides(self) -> list[Side]:
        """The sides of the cards whose type may change, as the faces lie: all A sides, then all B sides."""
        cards: list[Enemy | Influence | Item] = [*self.enemy, *self.influence, *self.item]
        return [*(card.a for card in cards), *(card.b for card in cards)]

    def card_faces(self) -> dict[str, int]:
        """The face of each of these sides by name."""
        return {side.name: face for face, side in enumerate(self.sides())}

    def compile(self, guests: Sequence[Guest]) -> tuple[Any, Mapping[str, tuple[str, ...]]]:
        """The tables that the rules read, read-only, and the names that people read: ``faces``, ``maps`` and the ``letters`` of their
        spaces by place, and the ``heroes`` and ``bosses`` that can be chosen (guests last, then CHOOSE)."""
        tables = np.zeros(1, TABLES).view(np.recarray)
        t = tables[0]
        t["costs"][:, 1] = NONE
        faces = [Face("", MAP_ACTION)] * MAX_FACES
        for face, side in enumerate(self.sides()):
            faces[face] = side.face()
            t["deck_of"][face] = DECKS.index(side.type)
            self._prices(t, face, *side.prices)
        names = self.card_faces()
        for row, half in enumerate(side for boss in self.boss for side in (boss.a, boss.b)):
            faces[BOSS_FACE + row] = Face(half.name, BOSS, half.effects, {"health": half.health, "damage": half.damage})
            t["requires"][row] = [*(names[name] for name in half.requires), *[NONE] * MAX_REQUIRED][:MAX_REQUIRED]
            t["conditions"][row] = half.endgame.row()
        for h, hero in enumerate(self.hero):
            front = HERO_FACE + 2 * h
            for face, part, back in ((front, hero.front, front + 1), (front + 1, hero.lucid, NONE)):
                faces[face] = hero_face(part, back, universal=hero.universal)
        for g, guest in enumerate(guests):
            for k, guest_side in enumerate(guest.sides):
                back = UNIVERSAL_FACE + 2 * g + 1 - k if len(guest.sides) == 2 else NONE
                faces[UNIVERSAL_FACE + 2 * g + k] = hero_face(guest_side, back, universal=True)
        self._compile_map(t, faces)
        cards, effects = compile_faces(faces, WORDS, MAX_ROWS)
        t["cards"][:] = cards
        t["effects"][: len(effects)] = effects
        t["numbers"] = self.numbers.table()
        t["face_view"] = face_view(cards, effects, cards["bribe"])
        t["card_view"], t["space_view"] = card_view(t), space_view(t)
        tables.flags.writeable = False
        heroes = (*(hero.key for hero in self.hero), *(guest.key for guest in guests))
        check_keys(heroes)
        return tables[0], {
            "faces": tuple(face.name for face in faces),
            "maps": tuple(side.name for card in self.map for side in (card.a, card.b)),
            "letters": tuple("".join(side.letters) for card in self.map for side in (card.a, card.b)),
            "heroes": (*heroes, CHOOSE),
            "bosses": (*(boss.key for boss in self.boss), CHOOSE),
            "deck": (self.title, self.note),
        }

    @staticmethod
    def _prices(tables: Any, face: int, gives: list[int], costs: list[list[int]], timing: int) -> None:
        tables["yields"][face], tables["timing"][face] = gives, timing
        for option, cost in enumerate(costs):
            tables["costs"][face, option] = cost

    def _compile_map(self, t: Any, faces: list[Face]) -> None:
        t["explore"][..., ARROW], t["unique"], t["entrance"] = NONE, NONE, NONE
        face = ACTION_FACE
        for row, side in enumerate(side for card in self.map for side in (card.a, card.b)):
            letters = side.letters
            t["space_at"][row] = [letters.index(letter) for letter in side.cells]
            t["doors"][row], t["edges"][row] = side.door_rows(), side.edge_row()
            if side.entrance:
                t["entrance"][row] = letters.index(side.entrance)
            for letter, space in side.space.items():
                at = letters.index(letter)
                t["skulls"][row, at] = space.skulls
                if space.explore:
                    t["explore"][row, at] = DIRECTIONS.index(space.explore.to), space.explore.awareness
                for k, action in enumerate(space.action):
                    faces[face] = Face(action.name, MAP_ACTION, action.effects)
                    self._prices(t, face, [0, 0, 0], [cost.row() for cost in action.cost], 0)
                    t["unique"][row, at, k] = face
                    face += 1


def _actions(side: MapSide) -> list[UniqueAction]:
    return [action for space in side.space.values() for action in space.action]


def _summons(side: MapSide) -> bool:
    return any(effect.op == "summon" for action in _actions(side) for effect in action.effects)


def load_deck(path: Path | str | None = None) -> LoadedDeck:
    """The deck of a file, or the one that ships. DeckError says what is wrong with a file, where, and what is allowed."""
    return _shipped() if path is None else _load(Path(path))


@lru_cache(maxsize=1)
def _shipped() -> LoadedDeck:
    return _load(SHIPPED)


def _load(path: Path) -> LoadedDeck:
    return load(path, DeckFile, lambda file: file.compile(guests_of_other_decks(SHIPPED.parent.name, MAX_GUESTS)), WORDS)
