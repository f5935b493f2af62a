"""Random valid deck files: any words of the vocabulary on any kind of card that may have them.

A deck is the parsed TOML of a file, drawn from a seed. One that the loader refuses is drawn again.
"""

from __future__ import annotations

import copy
import dataclasses
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from deckwood.core.spec import GameSpec, LoadedDeck
from deckwood.strong.deck import ARGUMENTS, EVENTS, Words
from deckwood.strong.terms import PERS
from deckwood.strong.vocabulary import COLOUR_SET

COSTS = ("pay_gold", "pay_stat", "pay_dice")
BLOCKS = ("offer", "choose", "test")
ON_ENEMIES = ("flee", "return_to_deck", "banish_applied")
ENEMY_MOMENTS = ("activated", "rolled", "crit_applied", "falls", "after", "after_standing")
MAX_COUNT = {"activate": 2, "gain_item": 2, "pay_gold": 4, "lose_stat": 1, "lose_any_stat": 1, "banish": 1, "banish_best": 1}
"""Counts that keep a game playable; others go up to :data:`HIGH`."""
HIGH = 5

Effect = dict[str, Any]


class Cards:
    """Effects at random, in a deck's words."""

    def __init__(self, rng: np.random.Generator, words: Words) -> None:
        self.rng, self.words = rng, words
        self.modifiers = sorted(name for name, op in words.items() if op.is_modifier and not op.here)
        self.of_enemies = sorted(name for name, op in words.items() if op.here)
        self.instructions = sorted(
            name for name, op in words.items() if not op.is_modifier and not op.branches and name not in (*COSTS, *BLOCKS, "keep_card")
        )
        self.events = tuple(event for event in EVENTS if event not in words.absent)

    def pick(self, values: Sequence[Any]) -> Any:
        return values[int(self.rng.integers(len(values)))]

    def chance(self, share: float) -> bool:
        return bool(self.rng.random() < share)

    def effect(self, name: str, when: str | None) -> Effect:
        """An op with arguments at random."""
        op, effect = self.words[name], {"op": name}
        if when is not None:
            effect["when"] = when
        if op.what in ARGUMENTS:
            argument, values = ARGUMENTS[op.what]
            some = sorted({self.pick(values), self.pick(values)})
            effect[argument] = ("all" if self.chance(0.2) else some) if op.what == COLOUR_SET else self.pick(values)
        if op.count:
            low, high = op.count
            effect["count"] = int(self.rng.integers(low, min(high, MAX_COUNT.get(name, HIGH)) + 1))
        if op.per and self.chance(0.3):
            effect["per"] = self.pick(PERS)
        return effect

    def instruction(self, when: str | None, *, on_enemy: bool = False, leaves: bool = True) -> Effect:
        while True:
            name = self.pick(COSTS if self.chance(0.05) else self.instructions)
            if name not in ON_ENEMIES or (on_enemy and (leaves or name == "banish_applied")):
                return self.effect(name, when)

    def block(self, when: str | None, **kind: bool) -> list[Effect]:
        """A run of instructions at one moment: plain ones, or an offer, a cost, a choice or a test and what it governs."""
        found: list[Effect] = []
        if self.chance(0.25):
            found.append(self.effect("offer", when))
        if self.chance(0.25):
            found.append(self.effect(self.pick(COSTS), when))
        if self.chance(0.3):
            branch = self.pick(sorted(name for name, op in self.words.items() if op.branches or name == "choose"))
            block = self.effect(branch, when)
            block["count"] = int(self.rng.integers(1, 3))
            found.append(block)
            found += [self.instruction(when, **kind) for _ in range(block["count"] + int(self.rng.integers(1, 3)))]
        else:
            found += [self.instruction(when, **kind) for _ in range(int(self.rng.integers(1, 3)))]
        return found

    def fighter(self, moments: Sequence[str] = ENEMY_MOMENTS, *, leaves: bool = True) -> list[Effect]:
        """An enemy's effects."""
        found: list[Effect] = []
        for _ in range(int(self.rng.integers(0, 3))):
            if self.chance(0.5):
                name = self.pick(self.of_enemies if self.chance(0.6) else self.modifiers)
                found.append(self.effect(name, "always" if self.chance(0.25) else None))
            else:
                found += self.block(self.pick(moments), on_enemy=True, leaves=leaves)
        return found

    def reward(self) -> list[Effect]:
        return self.block(None) if self.chance(0.7) else []

    def lasting(self) -> list[Effect]:
        """A modifier, or instructions that wait for a moment."""
        return [self.effect(self.pick(self.modifiers), None)] if self.chance(0.5) else self.block(self.pick(self.events))

    def used(self, *, single: bool = False) -> list[Effect]:
        """What a player's card does: used, or lasting."""
        if single or self.chance(0.5):
            return self.block(None)
        return [*self.lasting(), *(self.block(None) if self.chance(0.3) else [])]

    def power_up(self) -> list[Effect]:
        return [self.effect(self.pick(self.modifiers), None)] if self.chance(0.5) else self.block(self.pick(("rolled", "after", "endgame")))

    def item(self, side: dict[str, Any]) -> None:
        """Another use and other effects for a side of an item."""
        side["uses"] = self.pick(("single", "ongoing"))
        side["effects"] = self.used(single=side["uses"] == "single")

    def hero(self, side: dict[str, Any]) -> None:
        """Another ability and moment to flip for a side of a hero."""
        side["effects"] = self.used()
        side.pop("flip", None)
        if self.chance(0.8):
            side["flip"] = self.pick(self.events)

    def combatant(self, card: dict[str, Any], health: int, damage: int) -> None:
        """Other numbers and effects for an enemy, up to this Health and Damage."""
        card.update(health=int(self.rng.integers(1, health + 1)), damage=int(self.rng.integers(0, damage + 1)))
        card["effects"], card["reward"] = self.fighter(), self.reward()


@cache
def shipped(path: Path) -> Mapping[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def tanglewoods_deck(rng: np.random.Generator) -> dict[str, Any]:
    """The forest of the deck that ships with other nodes, and any effects on all other cards."""
    from deckwood.tanglewoods.deck import SHIPPED, WORDS

    file, cards = copy.deepcopy(dict(shipped(SHIPPED))), Cards(rng, WORDS)
    numbers = file["numbers"]
    for name in ("blight_health", "blight_damage", "toll_gold", "camp_health", "camp_strategy", "camp_recovery", "trap_recovers"):
        numbers[name] = int(rng.integers(0, 4))
    for name in ("explore_gold", "upgrade_cost", "recover_cost", "stat_cost", "weary_less", "poor_start"):
        numbers[name] = int(rng.integers(1, 9))
    numbers["trap_die"] = cards.pick(("yellow", "green", "blue", "purple", "red"))
    numbers["explore_dice"] = int(rng.integers(1, 4))
    numbers["weary_stat"] = cards.pick(("strategy", "recovery"))
    for card in file["enemy"]:
        cards.combatant(card, 6, 2)
        card["bribe"] = int(rng.integers(0, 7))
        card["fable"]["effects"] = cards.block(None)
        if cards.chance(0.3):
            card["fable"]["effects"] = [cards.effect("keep_card", None), *cards.lasting()]
    for card in file["wolf"]:
        cards.combatant(card, 7, 3)
        card["power_up"]["effects"] = cards.power_up()
    for card in file["item"]:
        card["cost"] = int(rng.integers(0, 7))
        cards.item(card)
        cards.item(card["upgraded"])
    for card in file["hero"]:
        card["forced_side"] = cards.pick((None, None, "front", "back"))
        for side in ("front", "back"):
            cards.hero(card[side])
    cards.hero(file["grimm"])
    for card in file["universal_hero"]:
        cards.hero(card)
    for name in ("boss", "bigger_boss"):
        file[name].update(health=int(rng.integers(4, 15)), effects=cards.fighter((*ENEMY_MOMENTS, "endgame"), leaves=False))
    for card in file["forest"]:
        for side in ("day", "night"):
            card[side]["nodes"] = {place: _node(cards) for place in card[side]["nodes"]}
    return file


def _node(cards: Cards) -> str:
    kind = cards.pick(("minion", "minion", "minion", "wolf", "wolf", "fable", "fable", "campfire"))
    outline = cards.pick(("standard", "weary", "blighted", "mob", "mob", "toll", "trap"))
    if outline == "mob":
        return f"{kind}/mob:{int(cards.rng.integers(1, 4))}" if kind in ("minion", "wolf") else str(kind)
    return f"{kind}/{outline}"


def dice_commit_deck(rng: np.random.Generator) -> dict[str, Any]:
    """A tier of fights against any enemies."""
    from deckwood.dice_commit.deck import NEEDS, WORDS

    words = Words(op for name, op in WORDS.items() if name not in NEEDS)
    cards = Cards(rng, words)
    enemies = []
    for i in range(12):
        enemy: dict[str, Any] = {"name": f"Enemy {i}"}
        cards.combatant(enemy, 5, 2)
        if not enemy["effects"]:
            enemy["effects"] = [cards.effect("hit_bonus_here", None)]
        enemies.append(enemy)
    order = rng.permutation(12).tolist()
    groups = [[f"Enemy {i}" for i in order[:1]], [f"Enemy {i}" for i in order[1:3]], [f"Enemy {i}" for i in order[3:7]]]
    fights = {
        "enemies": groups,
        "dice": ["3y2g2b1p", "2y3g2b3p1r", "4y4g4b4p1r"][:2],
        "exhausted": ["1y1g", ""],
        "banished": ["1b", ""],
        "strategy": [int(rng.integers(1, 5))],
        "recovery": [int(rng.integers(1, 5))],
        "health": [int(rng.integers(3, 7))],
        "gold": [int(rng.integers(0, 6))],
    }
    worths = {"health": 6, "strategy": 2, "recovery": 2, "gold": 1, "ready": [1, 2, 3, 4, 5], "fallen": 1, "won": 3, "lost": -30}
    return {"title": "Random", "worths": worths, "enemy": enemies, "tier": [{"name": "random", "with_effects": [fights]}]}


def random_deck(spec: GameSpec, draw: Callable[[np.random.Generator], dict[str, Any]], seed: int) -> tuple[GameSpec, dict[str, Any]]:
    """A deck that the game's loader accepts: the game with it, and the parsed file."""
    module = import_module(f"deckwood.{Path(spec.game_file).parent.name}.deck")
    rng = np.random.default_rng(seed)
    while True:
        file = draw(rng)
        try:
            tables, names = module.DeckFile.model_validate(file, context=module.WORDS).compile(*_guests(module))
        except ValidationError:
            continue
        loaded = LoadedDeck(tables, names, Path(f"random deck {seed}"), f"random deck {seed}")
        return dataclasses.replace(spec, load_deck=partial(_same, loaded)), file


def _same(deck: LoadedDeck, path: Path | None) -> LoadedDeck:
    return deck


def _guests(module: Any) -> tuple[Any, ...]:
    """The universal heroes of other boxes, where a deck takes any."""
    if not hasattr(module, "guests_of_other_decks"):
        return ()
    return (module.guests_of_other_decks(module.SHIPPED.parent.name, module.MAX_GUESTS),)
