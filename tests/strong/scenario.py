"""What scenarios of every 20 Strong deck are made of: a game played by the names of actions, dice faces and cards.

A deck's ``Scenario`` makes a deck file of plain cards, loads it and adds what is its own to set up. Nothing is left to chance: each roll
and each draw is named by the scenario.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import numpy as np

from deckwood.core.game import Game
from deckwood.core.spec import GameSpec, LoadedDeck
from deckwood.strong.terms import COLOURS, FACES, MAX_ITEMS, MAX_KEPT, NONE, SLOTS, STATS

Effects = Sequence[Mapping[str, Any]]
NOTHING: Effects = [{"op": "shield_always", "count": 0}]
"""For cards that must have an effect."""


def enemy(**fields: Any) -> dict[str, Any]:
    """An enemy of Health 3 and Damage 1 without effects, unless said otherwise."""
    return {"health": 3, "damage": 1, **fields}


def merge(target: dict[str, Any], changes: Mapping[str, Any], whole: Sequence[str] = ()) -> None:
    """Changes a part of a deck file, field by field, but fields named in ``whole`` as a whole."""
    for name, value in changes.items():
        if isinstance(value, Mapping) and isinstance(target.get(name), dict) and name not in whole:
            merge(target[name], value, whole)
        else:
            target[name] = value


class Played:
    """A game at its first decision, on the deck of these tables and names."""

    def __init__(self, spec: GameSpec, deck: LoadedDeck, **options: Any) -> None:
        self.spec = spec
        self.game = Game(dataclasses.replace(spec, load_deck=lambda path: deck), **options)
        self.names = deck.names
        self.position = self.game.new()
        self.p = self.position[0]
        self.settle()

    def settle(self) -> None:
        """Lets happen what a deck's scenarios do not name; called after all that is played."""

    # What lies on the table

    def lay_dice(self, **areas: Mapping[str, int] | None) -> Self:
        """The dice of each area named, by colour; areas that are None stay as they are."""
        for area, given in areas.items():
            if given is not None:
                self.p[area] = [given.get(colour, 0) for colour in COLOURS]
        return self

    def set_stats(self, *values: int | None) -> Self:
        """Health, Strategy and Recovery; those that are None stay as they are."""
        for stat, value in zip(range(len(STATS)), values, strict=True):
            if value is not None:
                self.p["stats"][stat] = value
        return self

    def schedule(self, *todo: int | tuple[int, ...]) -> Self:
        """Puts these steps on the agenda instead of what is there, the last one first. The game goes on with the next action."""
        agenda = self.p["agenda"]
        agenda[:] = 0
        for place, step in enumerate(todo):
            row = step if isinstance(step, tuple) else (step,)
            agenda[place, : len(row)] = row
        self.p["depth"] = len(todo)
        self.p["node"] = 0
        return self

    # Playing

    def do(self, *names: str) -> Self:
        """Plays actions by name."""
        for name in names:
            self.game.apply(self.position, self.spec.action_index[name])
            self.settle()
        return self

    def roll(self, *outcomes: str) -> Self:
        """Lets chance decide as told: die faces, or names of cards."""
        for name in outcomes:
            weights = self.game.chance(self.position)
            possible = {self.spec.outcome_name(self.p, self.game.deck, int(i)): int(i) for i in np.flatnonzero(weights)}
            assert name in possible, f"{name} is not among {sorted(possible)} at {self.phase}"
            self.game.apply_chance(self.position, possible[name])
            self.settle()
        return self

    draw = roll

    def commit(self, *colours: str) -> Self:
        """Commits dice and rolls."""
        return self.do(*(f"commit_{colour}" for colour in colours), "roll")

    def hit(self, *dice: str, slot: int = 1) -> Self:
        """Applies dice, each as colour_face, to an active card."""
        for die in dice:
            self.do(f"pick_{die}")
            if self.phase == "Choose where the die goes":
                self.do(f"target_{slot}")
        return self

    # Reading

    @property
    def phase(self) -> str:
        return self.game.phase(self.position)

    @property
    def legal(self) -> list[str]:
        return [self.spec.actions[i].name for i in np.flatnonzero(self.game.legal(self.position))]

    def may(self, name: str) -> bool:
        return name in self.legal

    @property
    def chances(self) -> dict[str, int]:
        """The outcomes that are possible, with their weights."""
        weights = self.game.chance(self.position)
        return {self.spec.outcome_name(self.p, self.game.deck, int(i)): int(weights[i]) for i in np.flatnonzero(weights)}

    @property
    def ending(self) -> str | None:
        return self.spec.endings[self.p["ended"] - 1].name if self.p["ended"] else None

    @property
    def health(self) -> int:
        return int(self.p["stats"][0])

    @property
    def strategy(self) -> int:
        return int(self.p["stats"][1])

    @property
    def recovery(self) -> int:
        return int(self.p["stats"][2])

    def _dice(self, area: Any) -> dict[str, int]:
        return {colour: int(n) for colour, n in zip(COLOURS, area, strict=True) if n}

    @property
    def ready(self) -> dict[str, int]:
        return self._dice(self.p["ready"])

    @property
    def exhausted(self) -> dict[str, int]:
        return self._dice(self.p["exhausted"])

    @property
    def banished(self) -> dict[str, int]:
        return self._dice(self.p["banished"])

    @property
    def shown(self) -> dict[str, int]:
        """Unapplied dice by colour_face."""
        rolled = self.p["rolled"]
        return {f"{c}_{f}": int(rolled[i, j]) for i, c in enumerate(COLOURS) for j, f in enumerate(FACES) if rolled[i, j]}

    def dice_on(self, slot: int) -> dict[str, int]:
        return self._dice(self.p["applied"][slot - 1].sum(axis=1))

    @property
    def active(self) -> dict[str, str]:
        """The cards in the active area, with how they stand."""
        faces = [(int(self.p["slot"][slot]), slot) for slot in range(SLOTS)]
        return {self.names["faces"][f]: "defeated" if self.p["marks"][slot] & 1 else "standing" for f, slot in faces if f != NONE}

    @property
    def hero(self) -> str:
        return self.names["faces"][self.p["hero"]]

    @property
    def items(self) -> list[str]:
        return [self.names["faces"][face] for face in self.p["items"][:MAX_ITEMS] if face != NONE]

    @property
    def beside(self) -> list[str]:
        return [self.names["faces"][face] for face in self.p["beside"][:MAX_KEPT] if face != NONE]

    def zone(self, kind: str, card: int) -> int:
        """Where a card is, by the field of the position that says so of its kind."""
        return int(self.p[kind][card])


class Covered:
    """Which ops a file of scenarios covers: ``@covers("wound")`` above a test."""

    def __init__(self) -> None:
        self.ops: set[str] = set()

    def __call__(self, *ops: str) -> Callable[[Any], Any]:
        self.ops.update(ops)
        return lambda test: test
