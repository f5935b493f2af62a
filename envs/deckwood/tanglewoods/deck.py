"""A deck file of Tanglewoods: its models, the checks of its forest, and the tables that the rules read.

``deck.toml`` beside this file is the deck that ships.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, ValidationInfo, model_validator
from pydantic_core import InitErrorDetails

from deckwood.core.decks import Name, Note, Part, load, one_of, problem, refuse
from deckwood.core.spec import LoadedDeck
from deckwood.strong import deck as strong
from deckwood.strong.chains import Answers, Turning, endless
from deckwood.strong.deck import (
    FOREST_SIDES,
    MAX_EFFECTS,
    BossCard,
    Effect,
    EnemyCard,
    FableEffect,
    Face,
    Hero,
    HeroFace,
    ItemFace,
    PowerUpEffect,
    Small,
    UniversalHero,
    Words,
    check_blocks,
    check_keys,
    check_names,
    compile_faces,
    hero_face,
    item_face,
)
from deckwood.strong.guests import Guest, guests_of_other_decks
from deckwood.strong.terms import BOSS, COLOURS, ENEMY, FABLE, HERO, NONE, POWER_UP, STATS
from deckwood.strong.traits import face_view
from deckwood.strong.vocabulary import OPS
from deckwood.tanglewoods.state import (
    BIG_BAD_FACE,
    BIGGER_BADDER_FACE,
    DAY,
    DECK_OPS,
    ENEMY_FACE,
    FABLE_FACE,
    FLIP_FOREST,
    GRIMM_FACE,
    HERO_FACE,
    HOME,
    ITEM_FACE,
    MAX_GUESTS,
    MAX_ROWS,
    MAX_UNIVERSAL,
    NIGHT,
    NODE_TYPES,
    NUM_ENEMIES,
    NUM_FOREST,
    NUM_HEROES,
    NUM_ITEMS,
    NUM_SIDES,
    NUM_WOLVES,
    NUMBERS,
    OUTLINES,
    PLACE_NAMES,
    PLACES,
    POWER_UP_FACE,
    START,
    TABLES,
    THRESHOLD_NAMES,
    THRESHOLDS,
    UNIVERSAL_FACE,
    UPGRADED_FACE,
    WOLF_FACE,
)
from deckwood.tanglewoods.views import node_view, route_view

SHIPPED = Path(__file__).with_name("deck.toml")
EVENTS = ("explored_crit", "night_entered", "trap_sprung", "camped", "bribed", "bought")
"""Moments that only this deck has."""
WORDS = Words((*OPS, *DECK_OPS), EVENTS)
"""The vocabulary of this deck."""

MAX_MOBS = 4


Colour = Literal["yellow", "green", "blue", "purple", "red"]
Colours = Annotated[list[Colour], Field(min_length=1)]


class Numbers(Part):
    """Printed values, and those that the rulebook leaves open."""

    gold_less_stats: Small
    blight_health: Small
    blight_damage: Small
    toll_gold: Small
    camp_health: Small
    camp_strategy: Small
    camp_recovery: Small
    trap_die: Colour
    trap_recovers: Small
    explore_dice: Annotated[int, Field(ge=1, le=3)]
    explore_colours: Colours
    explore_gold: Small
    upgrade_cost: Small
    recover_cost: Small
    stat_cost: Small
    weary_stat: Literal["strategy", "recovery"]
    weary_less: Small
    rich_start: Small
    poor_start: Small
    level_3_colours: Colours

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        fields = {"explore_colours": self.explore_colours, "level_3_colours": self.level_3_colours}
        refuse([problem([name], colours, "each colour once") for name, colours in fields.items() if len(set(colours)) < len(colours)])
        return self

    def table(self) -> NDArray[np.int16]:
        """In the order of ``NUMBERS``."""
        values = {
            **self.model_dump(),
            "trap_die": COLOURS.index(self.trap_die),
            "weary_stat": STATS.index(self.weary_stat),
            "explore_colours": _bits(self.explore_colours),
            "level_3_colours": _bits(self.level_3_colours),
        }
        return np.array([values[name] for name in NUMBERS], np.int16)


def _bits(colours: Sequence[str]) -> int:
    return sum(1 << COLOURS.index(colour) for colour in colours)


class Fable(Part):
    """The fable side of an enemy card."""

    name: Name
    effects: Annotated[list[FableEffect], Field(min_length=1), MAX_EFFECTS]

    @model_validator(mode="after")
    def _blocks(self, info: ValidationInfo) -> Self:
        check_blocks(self.effects, info)
        lasting = [i for i, effect in enumerate(self.effects) if WORDS[effect.op].is_modifier or effect.when not in (None, "told")]
        if lasting and not any(effect.op == "keep_card" for effect in self.effects):
            found = self.effects[lasting[0]].op
            refuse([problem(["effects", lasting[0], "op"], found, 'a lasting effect only on a fable that has "keep_card"')])
        return self


class Enemy(EnemyCard):
    """An enemy card, with its fable."""

    bribe: Small
    fable: Fable


class PowerUp(Part):
    """The back of a wolf card: a rule of the endgame."""

    name: Name
    effects: Annotated[list[PowerUpEffect], Field(min_length=1), MAX_EFFECTS]

    @model_validator(mode="after")
    def _blocks(self, info: ValidationInfo) -> Self:
        check_blocks(self.effects, info)
        return self


class Wolf(EnemyCard):
    """A wolf pack card."""

    power_up: PowerUp


class Item(ItemFace):
    """An item card: the ordinary side, and the upgraded one."""

    cost: Small
    upgraded: ItemFace


class ForestSide(Part):
    """A side of a card of the path: ``type[/outline[:mobs]]`` at places a to d, and lines from places and lower thresholds to places
    and upper (``>``) thresholds. Forest cards are entered by all three lower thresholds and have neither start nor home."""

    entries: ClassVar[tuple[str, ...]] = THRESHOLD_NAMES  # lower thresholds that the card has
    special: ClassVar[str | None] = None  # start or home, of which it then has one
    leads_on: ClassVar[bool] = True  # it has upper thresholds

    nodes: Annotated[dict[str, str], Field(min_length=1)]
    paths: dict[str, str]

    @model_validator(mode="after")
    def _check(self) -> Self:
        found = [problem(["nodes", place], place, one_of(place, PLACE_NAMES)) for place in self.nodes if place not in PLACE_NAMES]
        for place, text in self.nodes.items():
            found += self._check_node(place, text)
        specials = sum(node.split("/")[0] in ("start", "home") for node in self.nodes.values())
        if self.special and specials != 1:
            found.append(problem(["nodes"], f"{specials} nodes start or home", f"exactly one {self.special} node"))
        refuse(found or self._check_lines() or self._check_graph())
        return self

    def _check_node(self, place: str, text: str) -> list[InitErrorDetails]:
        node, _, rest = text.partition("/")
        outline, _, mobs = rest.partition(":")
        types = [name for name in NODE_TYPES[1:] if name not in ("start", "home") or name == self.special]
        where = ["nodes", place]
        if node not in types:
            return [problem(where, text, f"type[/outline[:mobs]], where type is {one_of(node, types)}")]
        if "/" in text and outline not in OUTLINES:
            return [problem(where, text, f"type[/outline[:mobs]], where outline is {one_of(outline, OUTLINES)}")]
        if outline == "mob" and node not in ("minion", "wolf"):
            return [problem(where, text, "the outline mob on minion and wolf nodes only")]
        if outline == "mob" and not (mobs.isdecimal() and 1 <= int(mobs) <= MAX_MOBS):
            return [problem(where, text, f'"{node}/mob:" and a number from 1 to {MAX_MOBS}')]
        if outline != "mob" and ":" in text:
            return [problem(where, text, "a number after the outline mob only")]
        return []

    def _check_lines(self) -> list[InitErrorDetails]:
        found = []
        sources = (*self.entries, *(place for place in PLACE_NAMES if place in self.nodes))
        targets = [place for place in PLACE_NAMES if place in self.nodes] + [f">{name}" for name in THRESHOLD_NAMES if self.leads_on]
        for source, text in self.paths.items():
            if source not in sources:
                found.append(problem(["paths", source], source, f"lines from {one_of(source, sources)}"))
            found += [problem(["paths", source], word, f"lines to {one_of(word, targets)}") for word in text.split() if word not in targets]
            if source in THRESHOLD_NAMES and ">" in text:
                found.append(problem(["paths", source], text, "lines from a lower threshold to places only"))
        for source in sources:
            if self.nodes.get(source, "").startswith("home"):
                if self.paths.get(source):
                    found.append(problem(["paths", source], self.paths[source], "no line from home"))
            elif not self.paths.get(source, "").strip():
                found.append(problem(["paths", source], "no line", "at least one line from here: no dead ends"))
        return found

    def _check_graph(self) -> list[InitErrorDetails]:
        """Every node can be reached, and no line leads back."""
        lines = {source: [word for word in text.split() if word in self.nodes] for source, text in self.paths.items()}
        starts = self.entries or tuple(place for place, node in self.nodes.items() if node.startswith("start"))
        reached = set(starts)
        while more := {target for source in reached for target in lines.get(source, [])} - reached:
            reached |= more
        found = [problem(["nodes", p], "a node that no line reaches", "nodes on the way only") for p in self.nodes if p not in reached]
        left = {place: set(lines.get(place, [])) for place in self.nodes}
        while ended := [place for place, targets in left.items() if not targets & left.keys()]:
            for place in ended:
                del left[place]
        if left:
            found.append(problem(["paths", min(left)], " ".join(lines[min(left)]), f"no way back (found a circle before {max(left)})"))
        if any(place in targets for targets in lines.values() for place in starts):
            found.append(problem(["paths"], "a line to the start", "no line that leads back"))
        return found

    def node_rows(self) -> list[tuple[int, int, int]]:
        """TYPE, OUTLINE, MOBS of each place."""
        rows = []
        for place in PLACE_NAMES:
            node, _, rest = self.nodes.get(place, "none").partition("/")
            outline, _, mobs = (rest or "standard").partition(":")
            rows.append((NODE_TYPES.index(node), OUTLINES.index(outline), int(mobs or 0)))
        return rows

    def path_bits(self) -> list[int]:
        """The bits of where the lines from each place and lower threshold lead."""
        bit = {name: 1 << i for i, name in enumerate((*PLACE_NAMES, *(f">{name}" for name in THRESHOLD_NAMES)))}
        return [sum({bit[word] for word in self.paths.get(source, "").split()}) for source in (*PLACE_NAMES, *THRESHOLD_NAMES)]


class TrailheadSide(ForestSide):
    """A side of the Trailhead: no lower thresholds, but a start."""

    entries = ()
    special = NODE_TYPES[START]


class CabinSide(ForestSide):
    """A side of Grandma's Cabin: no upper thresholds, but home."""

    special = NODE_TYPES[HOME]
    leads_on = False


class _TwoSided(Part):
    name: Name

    @model_validator(mode="after")
    def _same_places(self) -> Self:
        day, night = self.sides
        if set(day.nodes) != set(night.nodes):
            refuse([problem(["night", "nodes"], sorted(night.nodes), f"the places of the day side, {', '.join(sorted(day.nodes))}")])
        for place, node in day.nodes.items():
            other = night.nodes[place]
            if node != other and {node, other} & {"start", "home"}:
                refuse([problem(["night", "nodes", place], other, f"{node} and home or start at the same place on both sides")])
        return self

    @property
    def sides(self) -> tuple[ForestSide, ForestSide]:
        return self.day, self.night  # type: ignore[attr-defined]


class ForestCard(_TwoSided):
    """A forest card."""

    day: ForestSide
    night: ForestSide


class Trailhead(_TwoSided):
    """The card on which the hero starts."""

    day: TrailheadSide
    night: TrailheadSide


class Cabin(_TwoSided):
    """The card on which the hero meets the Big Bad Wolf."""

    day: CabinSide
    night: CabinSide


class DeckFile(Part):
    """The whole file."""

    title: Name
    note: Note = ""
    numbers: Numbers
    hero: Annotated[list[Hero], Field(min_length=NUM_HEROES, max_length=NUM_HEROES)]
    grimm: HeroFace
    universal_hero: list[UniversalHero] = Field(default=[], max_length=MAX_UNIVERSAL)
    enemy: Annotated[list[Enemy], Field(min_length=NUM_ENEMIES, max_length=NUM_ENEMIES)]
    wolf: Annotated[list[Wolf], Field(min_length=NUM_WOLVES, max_length=NUM_WOLVES)]
    item: Annotated[list[Item], Field(min_length=NUM_ITEMS, max_length=NUM_ITEMS)]
    boss: BossCard
    bigger_boss: BossCard
    trailhead: Trailhead
    cabin: Cabin
    forest: Annotated[list[ForestCard], Field(min_length=NUM_FOREST, max_length=NUM_FOREST)]

    @model_validator(mode="after")
    def _unique(self) -> Self:
        check_names(self)
        refuse(endless(self._worlds(), self._forest(), WORDS))
        return self

    def _forest(self) -> Turning:
        """The sides of the card underfoot; where there are traps, turning to the day may turn back to the night at once."""
        sides = [card.sides[DAY] for card in (self.trailhead, self.cabin, *self.forest)]
        trapped = any(node.split("/")[1:] == ["trap"] for side in sides for node in side.nodes.values())

        def turns(effect: Effect) -> list[tuple[int, int]]:
            if WORDS[effect.op].code != FLIP_FOREST:
                return []
            return [(DAY, NIGHT)] if effect.side == FOREST_SIDES[NIGHT] else [(NIGHT, DAY), *[(NIGHT, NIGHT)] * trapped]

        return Turning(FOREST_SIDES, turns)

    def _worlds(self) -> Iterator[list[Answers]]:
        """The cards that can answer a moment together: items, fables that are kept, and the sides of a hero."""
        lasting = [
            Answers(("item", i, *side, "effects"), face.name, face.effects)
            for i, item in enumerate(self.item)
            for side, face in (((), item), (("upgraded",), item.upgraded))
            if face.uses == "ongoing"
        ]
        lasting += [Answers(("enemy", i, "fable", "effects"), card.fable.name, card.fable.effects) for i, card in enumerate(self.enemy)]
        grimm = Answers(("grimm", "effects"), self.grimm.name, self.grimm.effects)
        yield [*lasting, grimm]
        for i, hero in enumerate(self.hero):
            sides = (("front", hero.front), ("back", hero.back))
            yield [*lasting, *(Answers(("hero", i, side, "effects"), half.name, half.effects) for side, half in sides)]
        for i, universal in enumerate(self.universal_hero):
            yield [*lasting, grimm, Answers(("universal_hero", i, "effects"), universal.name, universal.effects)]

    def faces(self, guests: Sequence[Guest] = ()) -> list[Face]:
        """Every face at its place in the ``cards`` table."""
        faces: dict[int, Face] = {}
        for i, enemy in enumerate(self.enemy):
            numbers = {"health": enemy.health, "damage": enemy.damage, "bribe": enemy.bribe, "other_side": FABLE_FACE + i}
            faces[ENEMY_FACE + i] = Face(enemy.name, ENEMY, enemy.all_effects, numbers)
            faces[FABLE_FACE + i] = Face(enemy.fable.name, FABLE, enemy.fable.effects, {"other_side": ENEMY_FACE + i})
        for i, wolf in enumerate(self.wolf):
            numbers = {"health": wolf.health, "damage": wolf.damage, "other_side": POWER_UP_FACE + i}
            faces[WOLF_FACE + i] = Face(wolf.name, BOSS, wolf.all_effects, numbers)
            faces[POWER_UP_FACE + i] = Face(wolf.power_up.name, POWER_UP, wolf.power_up.effects, {"other_side": WOLF_FACE + i})
        for i, item in enumerate(self.item):
            # An item is only ever turned from its ordinary to its upgraded side.
            for face, side, back in ((ITEM_FACE + i, item, UPGRADED_FACE + i), (UPGRADED_FACE + i, item.upgraded, NONE)):
                faces[face] = item_face(side, cost=item.cost, other_side=back)
        for face, boss, back in ((BIG_BAD_FACE, self.boss, BIGGER_BADDER_FACE), (BIGGER_BADDER_FACE, self.bigger_boss, BIG_BAD_FACE)):
            faces[face] = Face(boss.name, BOSS, boss.effects, {"health": boss.health, "damage": boss.damage, "other_side": back})
        for i, hero in enumerate(self.hero):
            front = HERO_FACE + 2 * i
            for place, half, name, other in ((front, hero.front, "front", front + 1), (front + 1, hero.back, "back", front)):
                faces[place] = hero_face(half, other, universal=hero.universal, forced=hero.forced_side == name)
        faces[GRIMM_FACE] = Face(self.grimm.name, HERO, self.grimm.all_effects)
        for i, universal in enumerate(self.universal_hero):
            faces[UNIVERSAL_FACE + i] = hero_face(universal, GRIMM_FACE, universal=True)
        front = UNIVERSAL_FACE + len(self.universal_hero)
        for i, guest in enumerate(guests):
            back = front + len(guests) + i if len(guest.sides) == 2 else GRIMM_FACE
            for place, half, other in zip((front + i, back), guest.sides, (back, front + i), strict=False):
                faces[place] = hero_face(half, other, universal=True)
        return [faces[place] for place in range(len(faces))]

    def compile(self, guests: Sequence[Guest] = ()) -> tuple[np.record, Mapping[str, tuple[str, ...]]]:
        """The tables that the rules read, and the names that people read: ``faces`` and ``forest`` by place, and the ``heroes`` that can
        be chosen (universal ones last)."""
        faces = self.faces(guests)
        cards, effects = compile_faces(faces, WORDS, MAX_ROWS)
        nodes = np.zeros((NUM_SIDES, PLACES, 3), np.int16)
        paths = np.zeros((NUM_SIDES, PLACES + THRESHOLDS), np.int16)
        forest = [*self.forest, self.trailhead, self.cabin]
        for i, side in enumerate(side for card in forest for side in card.sides):
            nodes[i], paths[i] = side.node_rows(), side.path_bits()
        tables = np.zeros(1, TABLES).view(np.recarray)
        tables["cards"][0, : len(cards)] = cards
        tables["effects"][0, : len(effects)] = effects
        tables["nodes"][0], tables["paths"][0], tables["numbers"][0] = nodes, paths, self.numbers.table()
        tables["face_view"][0, : len(cards)] = face_view(cards, effects, cards["bribe"])
        tables["node_view"][0], tables["route_view"][0] = node_view(nodes), route_view(paths)
        tables.flags.writeable = False
        heroes = [(hero.key, hero.name) for hero in self.hero]
        heroes += [(hero.key, hero.name) for hero in self.universal_hero]
        heroes += [(guest.key, guest.sides[0].name) for guest in guests]
        check_keys([key for key, _ in heroes])
        names = {
            "faces": tuple(face.name for face in faces),
            "heroes": tuple(key for key, _ in heroes),
            "hero_names": tuple(name for _, name in heroes),
            "forest": tuple(card.name for card in forest),
            "deck": (self.title, self.note),
        }
        return tables[0], names


def load_deck(path: Path | str | None = None) -> LoadedDeck:
    """The deck of a file, or the one that ships. DeckError says what is wrong with a file, where, and what is allowed."""
    return _shipped() if path is None else _load(Path(path))


@lru_cache(maxsize=1)
def _shipped() -> LoadedDeck:
    return _load(SHIPPED)


def _load(path: Path) -> LoadedDeck:
    return load(path, DeckFile, lambda file: file.compile(guests_of_other_decks(SHIPPED.parent.name, MAX_GUESTS)), WORDS)


def card_text(tables: np.record, face: int) -> str:
    """The English text of a face's effects, made from its rows; a line for each moment."""
    return strong.card_text(tables, face, WORDS)
