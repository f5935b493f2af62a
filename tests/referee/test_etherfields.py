"""Etherfields against its referee: every rank, hero, boss and option, the deck that ships and random ones, all kinds of players."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from deckwood.core.driver import Game
from deckwood.core.spec import LoadedDeck
from deckwood.etherfields.deck import SHIPPED
from deckwood.etherfields.spec import SPEC
from deckwood.etherfields.state import NUM_CARDS, NUM_MAPS, ZONES
from deckwood.strong.terms import CANCELLED, COLOURS, DEFEATED, FACES, NONE
from tests.referee.etherfields import Box, Card, Etherfields, Foe, guests_in
from tests.referee.etherfields_decks import write_random_deck
from tests.referee.match import Disagreement, Fields, Rules, Tally, match

TANGLEWOODS = SHIPPED.parents[1] / "tanglewoods" / "deck.toml"
PLAYERS = ("random", "expert", "random", "greedy")
DICE = list(product(COLOURS, FACES))
PLACES = ("deck", "hand", "inventory", "play", "discard", "banished", "limbo")
assert len(PLACES) == len(ZONES)


def content(path: Path) -> Mapping[str, Any]:
    """A deck file as it is written."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


@cache
def box(path: Path) -> Box:
    return Box(content(path), guests_in(content(TANGLEWOODS)))


def facts(deck: LoadedDeck) -> Callable[[Fields], dict[str, Any]]:
    """Reads a position in the words of the referee."""
    faces, maps, letters = deck.names["faces"], deck.names["maps"], deck.names["letters"]

    def named(numbers: Any) -> list[str | None]:
        return [None if face == NONE else faces[face] for face in numbers]

    def dice(row: Any) -> dict[str, int]:
        return {colour: n for colour, n in zip(COLOURS, row.tolist(), strict=True) if n}

    def shown(rows: Any) -> dict[tuple[str, str], int]:
        return {die: n for die, n in zip(DICE, rows.ravel().tolist(), strict=True) if n} if rows.any() else {}

    def read(s: Fields) -> dict[str, Any]:
        side = s["side"].tolist()
        up = [faces[NUM_CARDS * side[i] + i] for i in range(NUM_CARDS)]
        map_up = [maps[2 * i + side[NUM_CARDS + i]] for i in range(NUM_MAPS)]
        where = zip(map_up, s["map_zone"].tolist(), s["map_x"].tolist(), s["map_y"].tolist(), strict=True)
        chosen = s["hero"] != NONE
        at = int(s["at_card"])
        slots, marks, wounds = s["slot"].tolist(), s["marks"].tolist(), s["wounds"].tolist()
        tops = s["top_card"].tolist()
        return {
            "cards": dict(zip(up, (PLACES[zone] for zone in s["zone"].tolist()), strict=True)),
            "maps": {name: (x, y) if PLACES[zone] == "play" else PLACES[zone] for name, zone, x, y in where},
            "stats": s["stats"].tolist(),
            "ready": dice(s["ready"]),
            "exhausted": dice(s["exhausted"]),
            "banished": dice(s["banished"]),
            "shown": shown(s["rolled"]),
            "hero": named([s["hero"]])[0],
            "boss": named([s["boss"]])[0],
            "top": [None if top == NONE else (map_up if which == 3 else up)[top] for which, top in enumerate(tops)],
            "hand": [name for name in named(s["hand"].tolist()) if name],
            "items": [name for name in named(s["items"].tolist()) if name],
            "active": [
                None if face == NONE else (faces[face], bool(mark & DEFEATED), bool(mark & CANCELLED), shown(s["applied"][j]), wounds[j])
                for j, (face, mark) in enumerate(zip(slots, marks, strict=True))
            ],
            "at": (map_up[at], letters[2 * at + side[NUM_CARDS + at]][s["at_space"]]) if chosen else None,
            "ether": COLOURS[s["ether"]] if chosen else None,
            "facing": bool(s["facing"]),
        }

    return read


def play(
    deck: Path = SHIPPED,
    *,
    seed: int,
    decisions: int,
    players: Sequence[str] = PLAYERS,
    referee: type[Etherfields] = Etherfields,
    **options: Any,
) -> Tally:
    game = Game(SPEC, deck=deck, **options)
    return match(game, lambda: referee(box(deck), **options), facts(game.deck), seed=seed, decisions=decisions, players=players, abreast=8)
