"""The games, by environment id. A new game is one line of :data:`GAMES`; nothing is imported before it is used."""

from __future__ import annotations

import importlib

from deckwood.core.errors import OptionError
from deckwood.core.spec import GameSpec

GAMES: dict[str, str] = {
    "deckwood/Tanglewoods-v1": "deckwood.tanglewoods.spec:SPEC",
    "deckwood/Etherfields-v1": "deckwood.etherfields.spec:SPEC",
    "deckwood/LostWoods-v1": "deckwood.lost_woods.spec:SPEC",
    "deckwood/DiceCommit-v1": "deckwood.dice_commit.spec:SPEC",
}


def games() -> tuple[str, ...]:
    """The environment ids of all games."""
    return tuple(GAMES)


def spec(game: str) -> GameSpec:
    """What the game with this id declares. OptionError for an unknown id."""
    if game not in GAMES:
        raise OptionError(f"no game {game!r}; the games are {', '.join(GAMES)}")
    module, name = GAMES[game].split(":")
    found: GameSpec = getattr(importlib.import_module(module), name)
    return found
