"""Replays: every event of a game as JSON, played back without a random generator."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from deckwood.core.errors import IllegalAction, OptionError, SnapshotError
from deckwood.core.files import write_atomically
from deckwood.core.game import Game
from deckwood.core.saved import game_of, identity, memory_entry, require_identity
from deckwood.core.spec import CHANCE_ACTOR, Positions
from deckwood.core.untrusted import parse_json, printable, read_bytes, shown

FORMAT = 1


def replay(game: Game, events: Any, remembered: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A replay of ``events`` ((k, 3) integers: actor, action, outcome, as :meth:`Batch.events` gives them), ready for JSON.

    ``remembered`` is what the game started from, as :meth:`Batch.memory` gives it.
    """
    kept = [[int(number) for number in event] for event in events]
    deck = {} if game.deck.digest == game.spec.load_deck(None).digest else {"deck_file": str(game.deck.source)}
    start = {} if (memory := memory_entry(game, remembered)) is None else {"remembered": memory}
    return {"format": FORMAT, **identity(game), "made_with": game.user_options, **deck, **start, "events": kept}


def write_replay(path: Path | str, content: dict[str, Any]) -> None:
    """Write a replay as JSON, whole or not at all."""
    write_atomically(path, json.dumps(content))


def read_replay(path: Path | str) -> dict[str, Any]:
    """The replay in a file, which may come from anyone: :func:`play` checks its content. SnapshotError if it is not one; OSError as from
    ``open``."""
    try:
        content: dict[str, Any] = parse_json(read_bytes(Path(path)))
    except ValueError as error:
        raise SnapshotError(f"{path} is not a replay: {printable(str(error))}") from None
    kind = type(content.get("format")) if isinstance(content, dict) else None
    if kind is not int or content["format"] != FORMAT or not isinstance(content.get("events"), list):
        raise SnapshotError(f"{path} is not a replay of format {FORMAT}")
    return dict(content)


def game_of_replay(content: Mapping[str, Any], deck: Path | None = None) -> Game:
    """The game that a replay belongs to; pass ``deck`` if its deck file has moved. SnapshotError or DeckError if there is none."""
    return game_of("the replay", content, deck)


def play(game: Game, content: Mapping[str, Any]) -> Iterator[Positions]:
    """The positions of a replay: the fresh one, then one after each event (the same array: copy what you keep).

    SnapshotError for a replay of another game, deck or options, for a start that the game does not allow, and for an event that cannot
    happen, naming its index and the reason.
    """
    require_identity("the replay", content, game)
    try:
        position = game.new(content.get("remembered"))
    except OptionError as error:
        raise SnapshotError(f"the replay's start: {printable(str(error))}") from None
    yield position
    for index, event in enumerate(content["events"]):
        try:
            _happen(game, position, event)
        except (IllegalAction, ValueError) as error:
            raise SnapshotError(f"event {index} {shown(event)}: {printable(str(error))}") from None
        yield position


def _happen(game: Game, position: Positions, event: Any) -> None:
    """One event of a replay, in place. ValueError if it is impossible."""
    if not isinstance(event, list) or len(event) != 3 or any(type(number) is not int for number in event):
        raise ValueError("allowed: a list of three whole numbers")
    actor, action, outcome = event
    if actor == CHANCE_ACTOR:
        game.apply_chance(position, outcome)
    elif actor != position.mover[0]:
        raise ValueError(f"seat {actor} acts, but it is the turn of seat {position.mover[0]}")
    elif position.decisions[0] >= game.spec.longest_game:
        raise ValueError(f"a game is cut after {game.spec.longest_game} decisions")
    else:
        game.apply(position, action)


def final_position(game: Game, content: Mapping[str, Any]) -> Positions:
    """Where a replay ends; errors as for :func:`play`."""
    position = game.new()
    for position in play(game, content):  # noqa: B007
        pass
    return position
