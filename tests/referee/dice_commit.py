"""DiceCommit's referee: one engagement of the system, with nothing round it."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from typing import Any

from tests.referee.match import Chance, Decision, Fields, Result
from tests.referee.strong import COLOURS, STATS, Active, Card, Lost, Rules, Table, by_colour, effects_of, strong_facts

LETTERS = {colour[0]: colour for colour in COLOURS}


def fights_of(file: Mapping[str, Any], tier: str, effects: bool) -> list[dict[str, Any]]:
    """The fights of a tier, in the order of their lists' product."""
    found = []
    for lists in next(entry for entry in file["tier"] if entry["name"] == tier).get("with_effects" if effects else "plain", []):
        names = ("enemies", "dice", "exhausted", "banished", "strategy", "recovery", "health", "gold")
        absent = {"exhausted": [""], "banished": [""], "gold": [0]}
        for values in itertools.product(*(lists.get(name, absent.get(name)) for name in names)):
            found.append(dict(zip(names, values, strict=True)))
    return found


def dice_of(text: str) -> Counter[str]:
    """ "2y1r" as dice by colour."""
    dice: Counter[str] = Counter()
    number = ""
    for letter in text.replace(" ", ""):
        if letter.isdigit():
            number += letter
        else:
            dice[LETTERS[letter]] += int(number)
            number = ""
    return dice


class Fight(Table):
    """One engagement of a deck file (parsed TOML) with these options."""

    def __init__(self, file: Mapping[str, Any], tier: str, effects: bool = False, fight: int = 0, names: Sequence[str] = ()) -> None:
        """``names`` are those of the tier's fights, in order."""
        super().__init__(Card("No hero", "hero", []))
        self.worths = {"strategy": 0, "recovery": 0, "gold": 0, "fallen": 0, "won": 0, **file["worths"]}
        self.cards = {
            card["name"]: Card(
                card["name"],
                "enemy",
                effects_of(card.get("effects", []), "", "during") + effects_of(card.get("reward", []), "reward"),
                card["health"],
                card["damage"],
            )
            for card in file["enemy"]
        }
        self.fights = fights_of(file, tier, effects)
        self.names = names
        self.chosen = fight
        self.fled = 0
        self.start = 0.0
        self.ready.clear()

    def play(self) -> Generator[Decision | Chance, str, Result]:
        yield from self.set_up()
        try:
            yield from self.fight()
        except Lost:
            return Result("lost", (self.worths["lost"] - self.start,))
        standing = self.standing_enemies()
        worth = self.worth() + (0 if standing else self.worths["won"])
        return Result("survived" if standing else "defeated_all", (worth - self.start,))

    def set_up(self) -> Rules:
        number = self.chosen - 1
        if not self.chosen:
            name = yield Chance(dict.fromkeys(self.names, 1))
            number = list(self.names).index(name)
        fight = self.fights[number]
        self.ready, self.exhausted, self.banished = (dice_of(fight[area]) for area in ("dice", "exhausted", "banished"))
        self.stats = {stat: fight[stat] for stat in STATS}
        self.gold = fight["gold"]
        for name in fight["enemies"]:
            self.place_active(self.cards[name])
        self.start = self.worth()

    def fight(self) -> Rules:
        self.begin_engagement()
        for active in list(self.active):
            if active:
                yield from self.follow(active.card.at("activated"), active)
        yield from self.settle()
        if self.standing_enemies():
            yield from self.strategy_phase()
            yield from self.resolve_phase()

    def worth(self) -> float:
        """What the position is worth, by the deck's objective."""
        stats = sum(self.stats[stat] * self.worths[stat] for stat in STATS)
        dice = sum(n * worth for n, worth in zip(by_colour(self.ready), self.worths["ready"], strict=True))
        fallen = sum(bool(active and active.defeated) for active in self.active)
        return stats + self.gold * self.worths["gold"] + dice + fallen * self.worths["fallen"]

    def card_leaves(self, active: Active, how: str) -> Rules:
        self.fled += 1
        yield from ()

    def facts(self) -> dict[str, Any]:
        return self.strong_facts()


def facts(faces: Sequence[str]) -> Any:
    """The facts of a position of DiceCommit, for these names of faces."""

    def read(s: Fields) -> dict[str, Any]:
        return strong_facts(s, faces)

    return read
