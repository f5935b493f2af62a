"""A deck file of DiceCommit: enemies, what the outcome of a fight is worth, and the tiers of fights.

``deck.toml`` beside this file is the deck that ships.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import prod
from pathlib import Path
from typing import Annotated, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, ValidationInfo, model_validator
from pydantic_core import InitErrorDetails

from deckwood.core.decks import Name, Note, Part, load, one_of, problem, refuse
from deckwood.core.spec import LoadedDeck
from deckwood.dice_commit.state import (
    FIGHT,
    MAX_ENEMIES,
    MAX_FAMILY,
    MAX_FIGHTS,
    MAX_ROWS,
    MAX_TIERS,
    PLAIN,
    TABLES,
    WITH_EFFECTS,
)
from deckwood.strong import deck as strong
from deckwood.strong.deck import Effect, EnemyCard, Face, Key, Words, check_names, compile_faces
from deckwood.strong.notation import dice_counts, dice_text
from deckwood.strong.objective import Objective
from deckwood.strong.terms import ENEMY, GOLD_MAX, HERO, NONE, SLOTS, STAT_MAX, STATS, UNIT_DICE
from deckwood.strong.traits import face_view

SHIPPED = Path(__file__).with_name("deck.toml")
WORDS = Words()
"""The vocabulary of this deck."""

_DECK, _ITEMS, _MERCHANT, _HERO = "a deck to draw from", "items", "a merchant", "a hero's card to keep or turn"
NEEDS: Mapping[str, str] = {
    "activate": _DECK, "return_to_deck": _DECK, "gain_item": _DECK,
    "lose_item": _ITEMS, "upgrade_item": _ITEMS, "no_items": _ITEMS,
    "bribe_change": _MERCHANT, "no_bribes": _MERCHANT, "price_change": _MERCHANT,
    "flip_hero": _HERO, "keep_card": _HERO,
}  # fmt: skip
"""What a single fight lacks that an op of the vocabulary is about."""

PLAIN_REWARDS = ("gain_gold", "gain_stat", "recover")
"""Ops of the rewards that an enemy without effects may have in a plain fight, one of each at most and Health the only stat."""

HEALTH_VALUE, STAT_VALUE, GOLD_VALUE, DIE_VALUE, FALL_VALUE, WIN_VALUE, LOSS = 20.0, 20.0, 5.0, 10.0, 20.0, 50.0, -100.0
"""The most that a part of the objective may be worth; LOSS is the least that a lost fight may."""

Stats = Annotated[list[Annotated[int, Field(ge=1, le=STAT_MAX)]], Field(min_length=1)]


class ObjectiveTable(Part):
    """What a position is worth, as :class:`deckwood.strong.objective.Objective` adds it up. There are no items in a fight."""

    health: Annotated[float, Field(ge=0, le=HEALTH_VALUE)]
    strategy: Annotated[float, Field(ge=0, le=STAT_VALUE)] = 0.0
    recovery: Annotated[float, Field(ge=0, le=STAT_VALUE)] = 0.0
    gold: Annotated[float, Field(ge=0, le=GOLD_VALUE)] = 0.0
    ready: Annotated[list[Annotated[float, Field(ge=0, le=DIE_VALUE)]], Field(min_length=5, max_length=5)]
    fallen: Annotated[float, Field(ge=0, le=FALL_VALUE)] = 0.0
    won: Annotated[float, Field(ge=0, le=WIN_VALUE)] = 0.0
    lost: Annotated[float, Field(ge=LOSS, le=0)]

    @property
    def objective(self) -> Objective:
        parts = self.model_dump(exclude={"ready"})
        yellow, green, blue, purple, red = self.ready
        return Objective(ready=(yellow, green, blue, purple, red), items=0.0, **parts)


def payoff_bounds(objective: Objective) -> tuple[float, float]:
    """The least and the most that any fight can pay under an objective none of whose parts but ``lost`` is below 0."""
    stats = (objective.health, objective.strategy, objective.recovery)
    dice = sum(count * value for count, value in zip(UNIT_DICE, objective.ready, strict=True))
    max_held = STAT_MAX * sum(stats) + GOLD_MAX * objective.gold + dice
    max_gained = max_held - sum(stats) + SLOTS * objective.fallen + objective.won  # every stat was at least 1
    return min(objective.lost, 0.0) - max_held, max_gained


WIDEST = payoff_bounds(Objective(HEALTH_VALUE, STAT_VALUE, STAT_VALUE, GOLD_VALUE, 0.0, (DIE_VALUE,) * 5, FALL_VALUE, WIN_VALUE, LOSS))
"""What no fight of any deck file can fall short of or exceed."""


class Enemy(EnemyCard):
    """An enemy."""

    @model_validator(mode="after")
    def _possible(self) -> Self:
        found = []
        for name, effects in (("effects", self.effects), ("reward", self.reward)):
            for i, effect in enumerate(effects):
                if effect.op in NEEDS:
                    allowed = f"what a single fight has; this op is about {NEEDS[effect.op]}"
                    found.append(problem([name, i, "op"], effect.op, allowed))
        refuse(found)
        return self

    @property
    def plain(self) -> bool:
        """Whether the enemy is Health, Damage and at most a plain reward."""
        ops = [effect.op for effect in self.reward]
        plain = all(e.op in PLAIN_REWARDS and e.per is None and e.stat in (None, "health") for e in self.reward)
        return not self.effects and plain and len(set(ops)) == len(ops)


class Fights(Part):
    """The product of some lists: a fight for every choice of one entry from each, the last list changing fastest."""

    enemies: Annotated[list[Annotated[list[str], Field(min_length=1, max_length=SLOTS)]], Field(min_length=1)]
    dice: Annotated[list[str], Field(min_length=1)]
    exhausted: Annotated[list[str], Field(min_length=1)] = Field(default=[""])
    banished: Annotated[list[str], Field(min_length=1)] = Field(default=[""])
    strategy: Stats
    recovery: Stats
    health: Stats
    gold: Annotated[list[Annotated[int, Field(ge=0, le=GOLD_MAX)]], Field(min_length=1)] = Field(default=[0])

    @model_validator(mode="after")
    def _dice(self) -> Self:
        found = []
        for name in ("dice", "exhausted", "banished"):
            for i, text in enumerate(getattr(self, name)):
                try:
                    dice_counts(text)
                except ValueError as error:
                    found.append(problem([name, i], text, str(error)))
        refuse(found or self._too_many())
        for pools in product(self.dice, self.exhausted, self.banished):
            try:
                dice_counts("".join(pools))
            except ValueError as error:
                refuse([problem(["dice"], " + ".join(filter(None, pools)), str(error))])
        return self

    @property
    def number(self) -> int:
        """How many fights these are."""
        return prod(len(value) for _, value in self)

    def _too_many(self) -> list[InitErrorDetails]:
        return [problem((), f"lists of {self.number} fights", f"at most {MAX_FAMILY} fights")] if self.number > MAX_FAMILY else []

    def rows(self, faces: Mapping[str, int]) -> Iterator[tuple[object, ...]]:
        """The fights as rows of dtype FIGHT; ``faces`` are the enemies' by name."""
        for enemies, ready, exhausted, banished, strategy, recovery, health, gold in product(
            self.enemies, self.dice, self.exhausted, self.banished, self.strategy, self.recovery, self.health, self.gold
        ):
            dice = (dice_counts(text) for text in (ready, exhausted, banished))
            slots = [faces[name] for name in enemies] + [NONE] * (SLOTS - len(enemies))
            yield *dice, (health, strategy, recovery), gold, slots


class Tier(Part):
    """Fights of about one size, of which an episode draws one: plain ones, and ones with effects."""

    name: Key
    plain: list[Fights] = Field(default=[])
    with_effects: list[Fights] = Field(default=[])

    @property
    def families(self) -> tuple[list[Fights], list[Fights]]:
        """In the order of PLAIN, WITH_EFFECTS."""
        return self.plain, self.with_effects


class DeckFile(Part):
    """The whole file."""

    title: Name
    note: Note = ""
    worths: ObjectiveTable
    enemy: Annotated[list[Enemy], Field(min_length=1, max_length=MAX_ENEMIES)]
    tier: Annotated[list[Tier], Field(min_length=1, max_length=MAX_TIERS)]

    @model_validator(mode="after")
    def _check(self, info: ValidationInfo) -> Self:
        check_names(self)
        enemies = {enemy.name: enemy for enemy in self.enemy}
        found: list[InitErrorDetails] = []
        for t, tier in enumerate(self.tier):
            for name, lists in zip(("plain", "with_effects"), tier.families, strict=True):
                number = sum(fights.number for fights in lists)
                if number > MAX_FAMILY:
                    refuse([problem(["tier", t, name], f"lists of {number} fights", f"at most {MAX_FAMILY} fights")])
                for f, fights in enumerate(lists):
                    for g, group in enumerate(fights.enemies):
                        found += _group_problems(("tier", t, name, f, "enemies", g), group, enemies, plain=name == "plain")
            if not any(tier.families):
                refuse([problem(["tier", t], "no fights", "some plain fights, some with_effects, or both")])
        refuse(found)
        number = sum(fights.number for tier in self.tier for lists in tier.families for fights in lists)
        if number > MAX_FIGHTS:
            refuse([problem(["tier"], f"{number} fights", f"at most {MAX_FIGHTS} in all")])
        return self

    def fights(self) -> list[tuple[list[tuple[object, ...]], ...]]:
        """Of each tier, the fights of its two families as rows of dtype FIGHT."""
        faces = {enemy.name: 1 + i for i, enemy in enumerate(self.enemy)}
        return [tuple([row for part in family for row in part.rows(faces)] for family in tier.families) for tier in self.tier]

    def faces(self) -> list[Face]:
        """Every face at its place in the ``cards`` table."""
        hero = Face("No hero", HERO)
        enemies = [Face(e.name, ENEMY, e.all_effects, {"health": e.health, "damage": e.damage}) for e in self.enemy]
        return [hero, *enemies]

    def compile(self) -> tuple[np.record, Mapping[str, tuple[str, ...]]]:
        """The tables that the rules read, and the names that people read: ``faces`` and ``fights`` by place, and the ``tiers``."""
        faces = self.faces()
        cards, effects = compile_faces(faces, WORDS, MAX_ROWS)
        prizes = np.array([0.0, *(prize(enemy, self.worths.objective) for enemy in self.enemy)], np.float32)
        tables = np.zeros(1, TABLES).view(np.recarray)
        tables["cards"][0, : len(cards)] = cards
        tables["effects"][0, : len(effects)] = effects
        tables["objective"][0] = self.worths.objective.record()
        tables["prizes"][0, : len(prizes)] = prizes
        tables["face_view"][0, : len(cards)] = face_view(cards, effects, prizes)
        fights: list[tuple[object, ...]] = []
        for t, families in enumerate(self.fights()):
            for family in (PLAIN, WITH_EFFECTS):
                tables["families"][0, t, family] = len(fights), len(families[family])
                fights += families[family]
        tables["fights"][0, : len(fights)] = np.array(fights, FIGHT)
        tables.flags.writeable = False
        names = tuple(face.name for face in faces)
        return tables[0], {
            "faces": names,
            "fights": tuple(fight_text(fight, names) for fight in np.array(fights, FIGHT)),
            "tiers": tuple(tier.name for tier in self.tier),
            "deck": (self.title, self.note),
        }


def _group_problems(
    where: Sequence[str | int], group: Sequence[str], enemies: Mapping[str, Enemy], *, plain: bool
) -> list[InitErrorDetails]:
    """What is wrong with the enemies of a fight."""
    if unknown := [name for name in group if name not in enemies]:
        return [problem(where, name, f"names of enemies, {one_of(name, enemies)}") for name in unknown]
    if twice := [name for i, name in enumerate(group) if name in group[:i]]:
        return [problem(where, twice[0], "each enemy once: there is one card of it")]
    special = [name for name in group if not enemies[name].plain]
    if plain and special:
        return [problem(where, special[0], "enemies without effects, their rewards gold, Health or dice to recover, once each")]
    if not plain and not special:
        return [problem(where, list(group), "one or more enemies with effects; fights without any belong to plain")]
    return []


def prize(enemy: Enemy, objective: Objective) -> float:
    """What an enemy's fall is worth beside the damage that it would deal, its recovered dice reckoned as average ones."""
    prize = objective.fallen
    for effect in enemy.reward:
        prize += (effect.count or 0) * _value_of_one(effect, objective)
    return prize


def _value_of_one(effect: Effect, objective: Objective) -> float:
    if effect.op == "gain_stat":
        return (objective.health, objective.strategy, objective.recovery)[STATS.index(effect.stat or "health")]
    return {"gain_gold": objective.gold, "recover": sum(objective.ready) / len(objective.ready)}.get(effect.op, 0.0)


def fight_text(fight: np.void, faces: Sequence[str]) -> str:
    """A fight in words."""
    health, strategy, recovery = (int(value) for value in fight["stats"])
    dice = [dice_text(fight["ready"]) or "no dice"]
    dice += [f"{dice_text(fight[area])} {area}" for area in ("exhausted", "banished") if fight[area].any()]
    stats = f"Health {health}, Strategy {strategy}, Recovery {recovery}" + (f", gold {fight['gold']}" if fight["gold"] else "")
    return f"{' and '.join(faces[face] for face in fight['enemies'] if face != NONE)}: {', '.join(dice)}; {stats}"


def family(deck: LoadedDeck, options: NDArray[np.int32]) -> tuple[int, int]:
    """The first fight of the family that these encoded options name, and how many it has."""
    first, number = deck.tables.families[options[0], options[1]]
    return int(first), int(number)


def load_deck(path: Path | str | None = None) -> LoadedDeck:
    """The deck of a file, or the one that ships. DeckError says what is wrong with a file, where, and what is allowed."""
    return _shipped() if path is None else _load(Path(path))


@lru_cache(maxsize=1)
def _shipped() -> LoadedDeck:
    return _load(SHIPPED)


def _load(path: Path) -> LoadedDeck:
    return load(path, DeckFile, DeckFile.compile, WORDS)


def card_text(tables: np.record, face: int) -> str:
    """The English text of a face's effects, made from its rows; a line for each moment."""
    return strong.card_text(tables, face, WORDS)
