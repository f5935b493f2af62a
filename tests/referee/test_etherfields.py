"""The compiled rules of Etherfields against the referee: every rank, hero, boss and option, the deck that ships and random ones."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from deckwood.core.driver import Game
from deckwood.core.spec import LoadedDeck
from deckwood.etherfields.deck import SHIPPED
from deckwood.etherfields.state import DECKS, MAX_HAND, NUM_CARDS, NUM_MAPS, ZONES
from deckwood.strong.terms import CANCELLED, COLOURS, DEFEATED, FACES, NONE, SLOTS
from tests.referee.etherfields import Etherfields, guests_in
from tests.referee.match import Fields

GAME = "deckwood/Etherfields-v0"
TANGLEWOODS = SHIPPED.parents[1] / "tanglewoods" / "deck.toml"


@cache
def content(path: Path) -> Mapping[str, Any]:
    """A deck file as it is written."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def referee(game: Game, **start: Any) -> Callable[[], Etherfields]:
    """Sets up a referee for games of this deck with these options."""
    file, guests = content(game.deck.source), guests_in(content(TANGLEWOODS))
    remembered = start.get("remembered") or {"side": ()}
    return lambda: Etherfields(file, guests, remembered=list(remembered["side"]), **game.given)


def facts(deck: LoadedDeck) -> Callable[[Fields], dict[str, Any]]:
    """Reads a position in the words of the referee."""
    faces, maps, letters = deck.names["faces"], deck.names["maps"], deck.names["letters"]
    deck_of = deck.tables["deck_of"].tolist()

    def name(face: int) -> str | None:
        return None if face == NONE else faces[face]

    def dice(row: Any) -> dict[str, int]:
        return {colour: int(n) for colour, n in zip(COLOURS, row, strict=True) if n}

    def shown(rows: Any) -> dict[str, int]:
        return {f"{c} {f}": int(rows[i][j]) for i, c in enumerate(COLOURS) for j, f in enumerate(FACES) if rows[i][j]}

    def read(s: Fields) -> dict[str, Any]:
        side, zone, map_zone = s["side"].tolist(), s["zone"].tolist(), s["map_zone"].tolist()
        face_up = [NUM_CARDS * side[i] + i for i in range(NUM_CARDS)]
        map_up = [maps[2 * i + side[NUM_CARDS + i]] for i in range(NUM_MAPS)]
        found: dict[str, Any] = {}
        for which, deck_name in enumerate(DECKS):
            for place in ("deck", "discard", "banished"):
                at = ZONES.index(place)
                if deck_name == "map":
                    cards = [map_up[i] for i in range(NUM_MAPS) if map_zone[i] == at]
                else:
                    cards = [faces[face_up[i]] for i in range(NUM_CARDS) if zone[i] == at and deck_of[face_up[i]] == which]
                found[f"{deck_name} {place}"] = sorted(cards)
        tops = s["top_card"].tolist()
        at_card = int(s["at_card"])
        chosen = s["hero"] != NONE
        return {
            **found,
            "stats": s["stats"].tolist(),
            "ready": dice(s["ready"]),
            "exhausted": dice(s["exhausted"]),
            "banished": dice(s["banished"]),
            "shown": shown(s["rolled"]),
            "hero": name(int(s["hero"])),
            "boss": name(int(s["boss"])),
            "top": {
                deck_name: None if top == NONE else map_up[top] if deck_name == "map" else faces[face_up[top]]
                for deck_name, top in zip(DECKS, tops, strict=True)
            },
            "hand": [faces[face] for face in s["hand"].tolist()[:MAX_HAND] if face != NONE],
            "items": [faces[face] for face in s["items"].tolist() if face != NONE],
            "active": [
                (
                    faces[s["slot"][j]],
                    bool(s["marks"][j] & DEFEATED),
                    bool(s["marks"][j] & CANCELLED),
                    shown(s["applied"][j]),
                    int(s["wounds"][j]),
                )
                for j in range(SLOTS)
                if s["slot"][j] != NONE
            ],
            "map": {map_up[i]: (int(s["map_x"][i]), int(s["map_y"][i])) for i in range(NUM_MAPS) if map_zone[i] == ZONES.index("play")},
            "at": (map_up[at_card], letters[2 * at_card + side[NUM_CARDS + at_card]][s["at_space"]]) if chosen else None,
            "ether": COLOURS[s["ether"]] if chosen else None,
            "facing": bool(s["facing"]),
            "gold": int(s["gold"]),
        }

    return read
