"""Universal heroes: those of one deck that may be played in another."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from deckwood.core.errors import DeckError
from deckwood.strong.deck import EVENTS, HeroSide, Words

BOXES = Path(__file__).parents[1]
SIDES = ("front", "back", "lucid")


@dataclass(frozen=True)
class Guest:
    """A universal hero with its sides, the front first."""

    key: str
    sides: tuple[HeroSide, ...]


@cache
def guests_of_other_decks(own: str, most: int) -> tuple[Guest, ...]:
    """The universal heroes in the deck files that ship, but for those of the game in the folder ``own``, which has room for ``most``.

    They are written in the system's own words, which every deck knows; a moment that the host lacks never comes.
    """
    found = []
    for path in sorted(BOXES.glob("*/deck.toml")):
        if path.parent.name != own:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
            found += [guest_of(hero) for hero in data.get("hero", []) if hero.get("universal")]
            found += [guest_of(hero) for hero in data.get("universal_hero", [])]
    if len(found) > most:
        raise DeckError(f"{own}: {len(found)} universal heroes in the other decks that ship; allowed: at most {most}")
    return tuple(found)


def guest_of(hero: Mapping[str, Any]) -> Guest:
    """A hero's entry in its deck file, of two sides or of one, as a guest."""
    halves = [hero[side] for side in SIDES if side in hero] or [{name: value for name, value in hero.items() if name != "key"}]
    return Guest(hero["key"], tuple(HeroSide.model_validate(half, context=Words(events=EVENTS)) for half in halves))
