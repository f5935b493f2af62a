"""Replays: every event of a game as JSON, played back without any generator."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from deckwood.core.errors import IllegalAction, OptionError, SnapshotError
from deckwood.core.files import write_atomically
from deckwood.core.game import Game
from deckwood.core.snapshot import identity
from deckwood.core.spec import CHANCE_ACTOR, Positions

FORMAT = 1


def replay(game: Game, events: Any, remembered: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A replay of ``events`` ((k, 3) integers: actor, action, outcome, as :meth:`Batch.events` gives them), ready for JSON.

    ``remembered`` is what the game started from, as :meth:`Batch.memory` gives it.
    """
    kept = [[int(number) for number in event] for event in events]
    deck = {} if game.deck.digest == game.spec.load_deck(None).digest else {"deck_file": str(game.deck.source)}
    memory = game.spec.encode_memory(remembered)
    start = {"remembered": {name: array.tolist() for name, array in memory.items()}} if any(map(np.any, memory.values())) else {}
    return {"format": FORMAT, **identity(game), "made_with": game.given, **deck, **start, "events": kept}


def write_replay(path: Path | str, content: dict[str, Any]) -> None:
    """Write a replay as JSON, whole or not at all."""
    write_atomically(path, json.dumps(content))


def read_replay(path: Path | str) -> dict[str, Any]:
    """The replay in a file. SnapshotError where it is not one."""
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise SnapshotError(f"{path} is not a replay: {error}") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT or not isinstance(content.get("events"), list):
        raise SnapshotError(f"{path} is not a replay of format {FORMAT}")
    return content


def play(game: Game, content: dict[str, Any]) -> Iterator[Positions]:
    """The positions of a replay: the fresh one, then one after each event (the same array: copy what you keep).

    SnapshotError for a replay of another game, deck or options, for a start that the game does not allow, and for an event that cannot
    happen, naming its index and the reason.
    """
    for key, own in identity(game).items():
        if content.get(key) != own:
            raise SnapshotError(f"the replay has {key} {content.get(key)!r}, but this {game.spec.env_id} has {own!r}")
    try:
        position = game.new(content.get("remembered"))
    except OptionError as error:
        raise SnapshotError(f"the replay's start: {error}") from error
    yield position
    for index, event in enumerate(content["events"]):
        try:
            actor, action, outcome = (int(number) for number in event)
            if actor == CHANCE_ACTOR:
                game.apply_chance(position, outcome)
            elif actor != position.mover[0]:
                raise ValueError(f"seat {actor} acts, but it is the turn of seat {position.mover[0]}")
            else:
                game.apply(position, action)
        except (IllegalAction, ValueError, TypeError) as error:
            raise SnapshotError(f"event {index} {event}: {error}") from error
        yield position


def final_position(game: Game, content: dict[str, Any]) -> Positions:
    """Where a replay ends; errors as for :func:`play`."""
    position = game.new()
    for position in play(game, content):  # noqa: B007
        pass
    return position
