"""Saved games as bytes: how each began and its decisions, so that the rules can replay it.

A line that names the format, a line with the sha256 of all that follows, then JSON (:class:`Content`). It holds no position: whatever these
bytes say, the result is a position that a game can reach. ``Batch.save`` writes them and ``Batch.load`` replays them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from deckwood.core import registry
from deckwood.core.decks import Part
from deckwood.core.errors import OptionError, SnapshotError
from deckwood.core.files import refuse_other_than_file
from deckwood.core.game import Game
from deckwood.core.golden import stored_hash
from deckwood.core.history import BRANCH, BRANCH_LENGTH
from deckwood.core.untrusted import WHOLE, shown, validated

FORMAT: Literal[2] = 2
MAGIC = b"deckwood game 2\n"
OLD = b"deckwood snapshot 1\n"
DIGEST = 64  # hexadecimal digits

Word = Annotated[int, Field(ge=0, le=(1 << 32) - 1)]
Episode = Annotated[int, Field(ge=0, le=(1 << 62) - 1)]
Action = Annotated[int, Field(ge=0, le=(1 << 31) - 1)]


class Stretch(Part):
    """A part of a game: the beginning of a stream, and the decisions that were taken while chance came from it, forced ones left out."""

    key: Annotated[list[Word], Field(min_length=3, max_length=3)]
    episode: Episode
    actions: list[Action]


class Slot(Part):
    """One slot of a batch and its game."""

    key: Annotated[list[Word], Field(min_length=6, max_length=6)]
    episode: Episode
    picker: Annotated[list[Word], Field(min_length=4, max_length=4)]  # the stream of Batch.random_actions
    remembered: Any = None  # what the game started from; None: a fresh deck
    before: list[Stretch]  # what was decided before Batch.reseed gave the game another future
    actions: list[Action]  # ... and since

    @property
    def stretches(self) -> list[Stretch]:
        """The game from its beginning."""
        return [*self.before, Stretch.model_construct(key=self.key[:3], episode=self.episode, actions=self.actions)]


class Content(Part):
    """What a saved game says; ``env_id`` to ``options`` are :func:`identity`."""

    format: Annotated[Literal[2], WHOLE]
    env_id: str
    golden_hash: str
    deck: str
    options: list[int]
    slots: Annotated[list[Slot], Field(min_length=1)]


def identity(game: Game) -> dict[str, Any]:
    """The identity of a game, which a saved game or a replay must match."""
    return {
        "env_id": game.spec.env_id,
        "golden_hash": stored_hash(game.spec),
        "deck": game.deck.digest,
        "options": game.options.tolist(),
    }


def memory_entry(game: Game, memory: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """A memory as JSON's lists and numbers; None for a fresh deck's. OptionError for a memory of another game."""
    arrays = game.spec.encode_memory(memory)
    return {name: array.tolist() for name, array in arrays.items()} if any(map(np.any, arrays.values())) else None


def stretches_of(noted: Sequence[int]) -> tuple[list[Stretch], list[int]]:
    """Noted actions and branches, taken apart: what was decided before the last branch, and the actions since."""
    before: list[Stretch] = []
    actions: list[int] = []
    place = 0
    while place < len(noted):
        if noted[place] == BRANCH:
            *key, episode = noted[place + 1 : place + BRANCH_LENGTH]
            before.append(Stretch(key=key, episode=episode, actions=actions))
            actions = []
            place += BRANCH_LENGTH
        else:
            actions.append(noted[place])
            place += 1
    return before, actions


def pack(game: Game, slots: Sequence[Slot]) -> bytes:
    """The games of ``slots`` as bytes."""
    body = Content(format=FORMAT, **identity(game), slots=list(slots)).model_dump_json(exclude_none=True).encode()
    return MAGIC + hashlib.sha256(body).hexdigest().encode() + b"\n" + body


def unpack(data: bytes) -> Content:
    """What :func:`pack` was given, every field within its range. SnapshotError for anything else."""
    if data.startswith(OLD):
        raise SnapshotError(
            "the game was saved in format 1, which held a raw position and is no longer read; this version reads format 2: save the game "
            "again with this version, or keep it as a replay"
        )
    if not data.startswith(MAGIC):
        raise SnapshotError(f"these bytes are not a saved game of format {FORMAT}")
    digest, end, body = data[len(MAGIC) : len(MAGIC) + DIGEST], data[len(MAGIC) + DIGEST :][:1], data[len(MAGIC) + DIGEST + 1 :]
    if end != b"\n" or digest != hashlib.sha256(body).hexdigest().encode():
        raise SnapshotError("the saved game is damaged: its digest does not match")
    return validated(Content, body, "the saved game", SnapshotError)


def require_identity(what: str, content: Any, game: Game) -> None:
    """SnapshotError unless ``content``, a mapping, is of this game, version, deck and options."""
    for key, own in identity(game).items():
        if (found := content.get(key)) != own:
            raise SnapshotError(f"{what} has {key} {shown(found)}, but this {game.spec.env_id} has {own!r}")


def game_of(what: str, content: Any, deck: Path | None) -> Game:
    """The game that ``content``, a mapping, says it belongs to: ``deck``, or the deck file it names, or the one that ships.

    SnapshotError if there is none, or if it has changed; DeckError for a wrong deck file.
    """
    env_id, place, values = content.get("env_id"), content.get("deck_file"), content.get("options")
    try:
        spec = registry.spec(env_id if isinstance(env_id, str) else shown(env_id))
    except OptionError as error:
        raise SnapshotError(f"{what}: {error}") from None
    if place is not None and (not isinstance(place, str) or "\0" in place):
        raise SnapshotError(f"{what}: found deck_file {shown(place)}; allowed: the path of a file")
    source = deck or (None if place is None else Path(place))
    if source is not None:
        try:
            refuse_other_than_file(source)
        except OSError as error:
            raise SnapshotError(f"{what}: its deck file {shown(str(source))}: {error.strerror}") from None
    loaded = spec.load_deck(source)
    if content.get("deck") != loaded.digest:
        raise SnapshotError(f"{what} was played with another deck than {loaded.source}; give that deck's file (--deck FILE)")
    if not isinstance(values, list) or len(values) != len(spec.options):
        raise SnapshotError(f"{what}: found options {shown(values)}; allowed: {len(spec.options)} numbers")
    try:
        options = {option.name: option.decode(value, loaded) for option, value in zip(spec.options, values, strict=True)}
        game = Game(spec, deck=source, **options)
    except OptionError as error:
        raise SnapshotError(f"{what}: {error}") from None
    require_identity(what, content, game)
    return game
