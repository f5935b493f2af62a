"""Fights of one's own: a deck file of plain numbers, and the game on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from deckwood.core.game import Game
from deckwood.core.spec import Positions
from deckwood.strong.terms import COLOURS, FACES

OBJECTIVE = {"health": 6, "ready": [1, 2, 3, 4, 5], "lost": -30}
ENV_ID = "deckwood/DiceCommit-v1"


def toml(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{name} = {toml(inner)}" for name, inner in value.items()) + " }"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(toml, value)) + "]"
    return str(value).lower()


def enemy(health: int, damage: int, *effects: Mapping[str, Any], reward: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
    return {"health": health, "damage": damage, "effects": list(effects), "reward": list(reward)}


def is_special(cards: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether an enemy is more than Health, Damage and a plain reward."""
    rewards = [effect for card in cards.values() for effect in card["reward"]]
    return any(card["effects"] for card in cards.values()) or any(effect.get("stat", "health") != "health" for effect in rewards)


def write_deck(path: Path, cards: Mapping[str, Mapping[str, Any]], objective: Mapping[str, Any] = OBJECTIVE, **fights: Any) -> Path:
    """A deck with these enemies, by name, and one tier "mine" with the fights of ``fights``: all enemies together, dice, strategy ..."""
    lines = ['title = "A test"', "[worths]", *(f"{name} = {toml(value)}" for name, value in objective.items())]
    for name, card in cards.items():
        lines += ["[[enemy]]", f"name = {toml(name)}", *(f"{field} = {toml(value)}" for field, value in card.items())]
    lines += ["[[tier]]", 'name = "mine"', f"[[tier.{'with_effects' if is_special(cards) else 'plain'}]]"]
    given = {"enemies": [list(cards)], "dice": ["1y"], "strategy": [1], "recovery": [1], "health": [2], **fights}
    lines += [f"{name} = {toml(value)}" for name, value in given.items()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def a_game(folder: Path, cards: Mapping[str, Mapping[str, Any]], objective: Mapping[str, Any] = OBJECTIVE, **fights: Any) -> Game:
    """The game on such a deck, which draws one of its fights."""
    return Game(ENV_ID, deck=write_deck(folder / "deck.toml", cards, objective, **fights), effects=is_special(cards))


class Fight:
    """A fight that is played by the names of actions and dice faces; where only one action is legal it is played already."""

    def __init__(self, game: Game, number: int = 1) -> None:
        self.game = game
        self.position: Positions = game.new()
        if self.position["fight"][0] < 0:
            game.apply_chance(self.position, number - 1)
        self.p = self.position[0]
        self.settle()

    def settle(self) -> None:
        while len(legal := np.flatnonzero(self.game.legal(self.position))) == 1:
            self.game.apply(self.position, int(legal[0]))

    @property
    def legal(self) -> list[str]:
        return [self.game.spec.actions[i].name for i in np.flatnonzero(self.game.legal(self.position))]

    def do(self, *names: str) -> Fight:
        for name in names:
            self.game.apply(self.position, self.game.spec.action_index[name])
            self.settle()
        return self

    def roll(self, *faces: str) -> Fight:
        for face in faces:
            self.game.apply_chance(self.position, FACES.index(face))
            self.settle()
        return self

    def commit(self, *colours: str) -> Fight:
        self.do(*(f"commit_{colour}" for colour in colours))
        return self.do("roll") if self.phase == "Commit Dice" else self

    @property
    def phase(self) -> str:
        return self.game.phase(self.position)

    @property
    def ending(self) -> str | None:
        return self.game.spec.endings[self.p["ended"] - 1].name if self.p["ended"] else None

    @property
    def payoff(self) -> float:
        return float(self.p["payoff"][0])

    @property
    def ready(self) -> dict[str, int]:
        return {colour: int(n) for colour, n in zip(COLOURS, self.p["ready"], strict=True) if n}
