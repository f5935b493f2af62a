"""Deck files of Etherfields with random cards: every word of the vocabulary on every kind of card, random maps, prices and conditions."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from deckwood.core.errors import DeckError
from deckwood.etherfields.deck import WORDS, load_deck
from deckwood.strong.deck import ARGUMENTS
from deckwood.strong.terms import PERS
from deckwood.strong.vocabulary import COLOUR_SET

COLOURS = ("yellow", "green", "blue", "purple", "red")
RESOURCES = ("awareness", "cunning", "wrath")
COUNTS = {"enemy": 27, "influence": 21, "item": 12}
EVENTS = (
    "round_starts", "engaged", "hero_rolled", "enemy_fell", "boss_fell", "suffered", "recovering", "endgame", "activation", "explored",
    "ether_changed",
)  # fmt: skip
OF_ENEMIES = ("activated", "rolled", "crit_applied", "falls", "after", "after_standing")
MOMENTS: Mapping[str, Sequence[str]] = {
    "enemy": OF_ENEMIES,
    "boss": (*OF_ENEMIES, "endgame", "activation"),
    "reward": ("reward",),
    "lasting": ("use", "use", *EVENTS),
    "single": ("use",),
    "hero": ("use", "use", "set_up", *EVENTS),
    "instant": ("use",),
    "space": ("use",),
}
"""What each kind of card can wait for."""
LASTING = {"enemy": ("during", "always"), "boss": ("during", "always"), "lasting": ("always",), "hero": ("always",)}
"""The kinds that can have standing modifiers, and when those stand."""
THIS_CARD = {"flip_card", "flip_and_take", "banish_card"}
ON_ENEMIES = {"flee", "return_to_deck", "banish_applied"}
BRANCHES = {"choose", "test", "if_ether", "offer"}
COSTS = {"pay_stat", "pay_dice", "pay_gold"}
NOT_HERE = BRANCHES | {"keep_card", "summon"}
ETHER = {"set_ether", "advance_ether"}
"""Not as an answer to a change of the ether: that would go on for ever."""
FEW = {"activate", "banish", "banish_best", "banish_misses", "banish_applied", "lose_stat", "lose_any_stat", "return_to_deck"}
"""Words that would end a game soon, or empty its dice: less often."""


T = TypeVar("T")


class Lots:
    """Draws of numbers and things."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def random(self) -> float:
        return float(self.rng.random())

    def randint(self, low: int, high: int) -> int:
        return int(self.rng.integers(low, high + 1))

    def choice(self, things: Sequence[T]) -> T:
        return things[int(self.rng.integers(len(things)))]

    def sample(self, things: Sequence[T], count: int) -> list[T]:
        return [things[i] for i in self.rng.permutation(len(things))[:count]]


def random_file(shipped: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """The content of a deck file: names and heroes' keys of the deck that ships, all else at random."""
    return Cards(Lots(seed)).file(shipped)


def write_random_deck(shipped: Mapping[str, Any], seed: int, folder: Path) -> Path:
    """A deck file that the loader takes; where it refuses one, the next is drawn."""
    path = folder / f"random_{seed}.toml"
    for attempt in range(20):
        path.write_text(toml(random_file(shipped, 1000 * attempt + seed)), encoding="utf-8")
        try:
            load_deck(path)
        except DeckError:
            continue
        return path
    raise AssertionError("the loader refuses every deck")


class Cards:
    """Draws cards."""

    def __init__(self, rng: Lots) -> None:
        self.rng = rng

    def file(self, shipped: Mapping[str, Any]) -> dict[str, Any]:
        file: dict[str, Any] = copy.deepcopy(dict(shipped))
        rng = self.rng
        file["numbers"] = {
            "hand_size": rng.randint(3, 7),
            "reshuffle_health": rng.randint(0, 3),
            "reshuffle_cards": rng.randint(0, 3),
            "first_ether": rng.choice(COLOURS),
        }
        for kind in COUNTS:
            for card in file[kind]:
                names = card["a"]["name"], card["b"]["name"]
                card["a"], card["b"] = self.side(kind, names[0]), self.side(rng.choice((kind, *COUNTS)), names[1])
                card["a"].pop("type")
        for hero in file["hero"]:
            for side in ("front", "lucid"):
                hero[side] = self.hero(hero[side]["name"])
        for i, boss in enumerate(file["boss"]):
            for side in ("a", "b"):
                boss[side] = self.boss(boss[side]["name"], [card["b"]["name"] for card in file["enemy"]] if i else [])
        for i, card in enumerate(file["map"]):
            homes = ("a", "b") if rng.random() < 0.6 else rng.choice((("a",), ("b",)))
            for side in ("a", "b"):
                card[side] = self.map(card[side]["name"], home=i == 0 and side in homes)
        return file

    # Effects

    def effect(self, op: str) -> dict[str, Any]:
        rng, word = self.rng, WORDS[op]
        effect: dict[str, Any] = {"op": op}
        if word.what in ARGUMENTS:
            argument, words = ARGUMENTS[word.what]
            if word.what == COLOUR_SET:
                effect[argument] = "all" if rng.random() < 0.1 else rng.sample(words, rng.randint(1, 3))
            else:
                effect[argument] = rng.choice(words)
        if word.count:
            low, high = word.count
            effect["count"] = rng.randint(low, min(high, low + 4))
        if word.per and rng.random() < 0.25:
            effect["per"] = rng.choice(PERS)
        return effect

    def instruction(self, kind: str, without: set[str]) -> dict[str, Any]:
        while True:
            op = self.rng.choice([name for name, word in WORDS.items() if not word.is_modifier and name not in NOT_HERE])
            if op in without or (op in ON_ENEMIES and kind not in ("enemy", "boss")) or (op in FEW and self.rng.random() < 0.6):
                continue
            if kind == "boss" and op in ("flee", "return_to_deck"):
                continue
            return self.effect(op)

    def block(self, kind: str, without: set[str], depth: int = 0) -> list[dict[str, Any]]:
        """Instructions of one moment, with branches."""
        rng = self.rng
        if depth < 2 and rng.random() < 0.25:
            op = rng.choice(sorted(BRANCHES))
            if op == "offer":
                return [{"op": op}, *self.block(kind, without, depth + 1)]
            if op != "choose":
                without = without | COSTS
            first = self.block(kind, without, depth + 1)[:4]
            second = self.block(kind, without, depth + 1) if op == "choose" or rng.random() < 0.7 else []
            if op == "choose":
                return [{"op": op, "count": len(first)}, *first, *second]
            if rng.random() < 0.2:
                first = []
                second = second or self.block(kind, without, 2)
            return [{"op": op, "colour": rng.choice(COLOURS), "count": len(first)}, *first, *second]
        return [self.instruction(kind, without) for _ in range(rng.choice((1, 1, 2)))]

    def effects(self, kind: str, without: set[str] | None = None, *, least: int = 1) -> list[dict[str, Any]]:
        """Effects of a card: a few moments, and modifiers if it is of a kind that has them."""
        rng, without = self.rng, without or set()
        moments = rng.sample(MOMENTS[kind], min(len(MOMENTS[kind]), rng.choice((least, least, least + 1))))
        if kind == "single" or (kind == "lasting" and rng.random() < 0.5):
            moments[:1] = ["use"]
        found: list[dict[str, Any]] = []
        for when in dict.fromkeys(moments):
            found += [{**effect, "when": when} for effect in self.block(kind, without | (ETHER if when == "ether_changed" else set()))]
        if kind in LASTING and rng.random() < 0.5:
            names = [name for name, word in WORDS.items() if word.is_modifier and (not word.here or kind in ("enemy", "boss"))]
            effect = self.effect(rng.choice(names))
            found.append({**effect, "when": "during" if WORDS[effect["op"]].here else rng.choice(LASTING[kind])})
        return found

    # Cards

    def resources(self, least: int, most: int) -> dict[str, int]:
        return {name: self.rng.randint(1, 2) for name in self.rng.sample(RESOURCES, self.rng.randint(least, most))}

    def side(self, kind: str, name: str) -> dict[str, Any]:
        rng = self.rng
        if kind == "enemy":
            return {
                "type": kind,
                "name": name,
                "health": rng.randint(1, 6),
                "damage": rng.choice((0, 0, 1, 1, 2)),
                "effects": self.effects("enemy", least=rng.randint(0, 1)),
                "reward": self.effects("reward") if rng.random() < 0.7 else [],
            }
        if kind == "item":
            uses = rng.choice(("single", "ongoing"))
            effects = self.effects("single" if uses == "single" else "lasting")
            return {"type": kind, "name": name, "uses": uses, "gives": self.resources(0, 2), "effects": effects}
        action = rng.choice(("instant", "instant", "ongoing"))
        timing = rng.choice(("any", "any", "activation", "engagement", "apply")) if action == "instant" else "any"
        return {
            "type": kind,
            "name": name,
            "gives": self.resources(1, 3),
            "action": action,
            "cost": self.resources(0, 1),
            "timing": timing,
            "effects": self.effects("instant" if action == "instant" else "lasting"),
        }

    def hero(self, name: str) -> dict[str, Any]:
        rng = self.rng
        side = {"name": name, "health": rng.randint(4, 6), "strategy": rng.randint(1, 4), "recovery": rng.randint(1, 4)}
        flip = {"flip": rng.choice(("set_up", *EVENTS))} if rng.random() < 0.5 else {}
        return {**side, "effects": self.effects("hero", THIS_CARD), **flip}

    def boss(self, name: str, names: Sequence[str]) -> dict[str, Any]:
        rng = self.rng
        wanted = {"ether": rng.choice(COLOURS), "maps": rng.randint(1, 3), "items": rng.randint(1, 2), "defeated": rng.randint(1, 2)}
        return {
            "name": name,
            "health": rng.randint(2, 9),
            "damage": rng.randint(0, 2),
            "effects": self.effects("boss", THIS_CARD),
            "endgame": {part: wanted[part] for part in rng.sample(sorted(wanted), rng.choice((0, 1, 1, 2)))},
            "requires": [rng.choice(names)] if names and rng.random() < 0.2 else [],
        }

    # The map

    def layout(self) -> list[str]:
        """Cells that grow together at random."""
        cells = list(range(9))
        for a, b in self.rng.sample([(i, i + 1) for i in range(9) if i % 3 < 2] + [(i, i + 3) for i in range(6)], self.rng.randint(2, 7)):
            cells = [cells[a] if cell == cells[b] else cell for cell in cells]
        letters = {cell: "abcdefghi"[i] for i, cell in enumerate(dict.fromkeys(cells))}
        return ["".join(letters[cell] for cell in cells[row : row + 3]) for row in (0, 3, 6)]

    def map(self, name: str, *, home: bool) -> dict[str, Any]:
        rng, layout = self.rng, self.layout()
        letters = list(dict.fromkeys("".join(layout)))
        touching = {
            frozenset((layout[y][x], layout[y + dy][x + dx]))
            for y in range(3)
            for x in range(3)
            for dx, dy in ((1, 0), (0, 1))
            if x + dx < 3 and y + dy < 3
        }
        pairs = sorted("".join(sorted(pair)) for pair in touching if len(pair) == 2)
        walls = rng.sample(pairs, min(len(pairs) // 3, rng.randint(0, 2)))
        edges = [f"{d} {part}" for d in ("north", "south") for part in ("west", "middle", "east")]
        edges += [f"{d} {part}" for d in ("east", "west") for part in ("north", "middle", "south")]
        closed = rng.sample(["north", "east", "south", "west", *edges], rng.randint(0, 2))
        spaces = {letter: self.space() for letter in letters}
        summons = {"name": f"Summon, {name}", "cost": [self.resources(0, 1)], "effects": [{"op": "summon"}]}
        if home or rng.random() < 0.3:
            spaces[letters[0]]["action"] = [summons]
        for k, action in enumerate(action for letter in letters for action in spaces[letter]["action"]):
            action["name"] = f"{name}, {k + 1}"
        side = {"name": name, "layout": layout, "walls": walls, "closed": closed, "space": spaces}
        return {**side, "entrance": rng.choice(letters)} if home else side

    def space(self) -> dict[str, Any]:
        rng = self.rng
        actions: list[dict[str, Any]] = [
            {
                "name": "",
                "cost": [self.resources(1, 1) for _ in range(rng.choice((0, 1, 1, 2)))],
                "effects": self.effects("space", THIS_CARD),
            }
            for _ in range(rng.choice((0, 0, 1, 1, 2)))
        ]
        space: dict[str, Any] = {"skulls": rng.choice((0, 0, 0, 1, 2)), "action": actions}
        if rng.random() < 0.5:
            space["explore"] = {"to": rng.choice(("north", "east", "south", "west")), "awareness": rng.randint(1, 2)}
        return space


def toml(file: Mapping[str, Any]) -> str:
    """A deck file as text."""
    lines = [f"{name} = {value(part)}" for name, part in file.items() if isinstance(part, str)]
    for name, part in file.items():
        if isinstance(part, dict):
            lines += ["", f"[{name}]", *(f"{key} = {value(one)}" for key, one in part.items())]
        elif isinstance(part, list):
            for card in part:
                lines += ["", f"[[{name}]]", *(f"{key} = {value(one)}" for key, one in card.items())]
    return "\n".join(lines) + "\n"


def value(one: Any) -> str:
    """A TOML value."""
    if isinstance(one, dict):
        return "{ " + ", ".join(f"{key} = {value(part)}" for key, part in one.items()) + " }"
    if isinstance(one, list | tuple):
        return "[" + ", ".join(value(part) for part in one) + "]"
    return json.dumps(one)
