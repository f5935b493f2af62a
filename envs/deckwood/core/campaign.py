"""A campaign: a deck played game after game, with its memory and the history of its games.

``python -m deckwood.campaign FILE [--reset]``
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, StringConstraints

from deckwood.core.decks import Part
from deckwood.core.errors import CampaignError, DeckError, OptionError
from deckwood.core.files import refuse_other_than_file, sole_writer, write_atomically
from deckwood.core.game import Game
from deckwood.core.program import input_file, program
from deckwood.core.spec import GameSpec, LoadedDeck, Memory, Node
from deckwood.core.untrusted import WHOLE, Line, printable, read_bytes, shown, validated


class Played(Part):
    """A game of a campaign."""

    ended: Line  # a name of spec.endings
    won: bool
    options: Annotated[dict[Line, bool | int | Line], Field(max_length=100)]  # all of them, by name
    changes: Annotated[list[Line], Field(max_length=10_000)]  # what the game changed in the deck, in words


class File(Part):
    """The content of a campaign's file."""

    format: Annotated[Literal[1], WHOLE]
    env_id: Line
    deck: Line  # LoadedDeck.digest
    deck_file: Annotated[str, StringConstraints(pattern=r"^[^\x00]+$")] | None = None  # where it is not the deck that ships
    remembered: Any
    history: Annotated[list[Played], Field(max_length=100_000)]


class Campaign:
    """The memory of one deck over many games.

    ``remembered`` holds an array for each name of ``spec.remembered``, ``history`` a :class:`Played` for each game. A campaign with a
    ``path`` is saved at once whenever it changes; if the file cannot be written (OSError) or another campaign has written to it since
    (CampaignError), file and campaign stay as they are.

    >>> campaign = Campaign(game, path="evening.json")  # continues an existing file, or starts a new one
    >>> env.reset(options={"campaign": campaign})  # the game's end is recorded by env.step
    """

    def __init__(self, game: str | GameSpec | Game, *, deck: str | Path | None = None, path: str | Path | None = None) -> None:
        """A Game supplies the deck and, for :meth:`record`, the options.

        OptionError, DeckError as for a Game; OptionError for one that remembers nothing, CampaignError for a file that is damaged, or of
        another game or deck.
        """
        if isinstance(game, Game) and deck is not None:
            raise OptionError("a Game already has its deck")
        self.game = game if isinstance(game, Game) else Game(game, deck=deck)
        if not self.spec.remembered:
            raise OptionError(f"{self.spec.env_id} remembers nothing from game to game, so there is no campaign of it")
        self.path = None if path is None else Path(path)
        self.remembered: Memory = self.spec.encode_memory(None)
        self.history: list[Played] = []
        self._known: bytes | None = None  # what the file held when it was last read or written here
        if self.path is not None and self.path.exists():
            self._known = _bytes(self.path)
            self._open(self.path, _parsed(self.path, self._known))

    @classmethod
    def load(cls, path: str | Path, *, deck: str | Path | None = None) -> Campaign:
        """The campaign in a file, for any game; pass ``deck`` if its deck file has moved. CampaignError if there is none."""
        content = _parsed(Path(path), _bytes(Path(path)))
        place = deck or content.deck_file
        try:
            if place is not None:
                refuse_other_than_file(Path(place))
            return cls(content.env_id, deck=place, path=path)
        except OSError as error:
            raise CampaignError(f"campaign file {path}: its deck file {shown(str(place))}: {error.strerror}") from error
        except (OptionError, DeckError) as error:
            raise CampaignError(f"campaign file {path}: {error}") from error

    def _open(self, path: Path, content: File) -> None:
        for what, found, own in (("game", content.env_id, self.spec.env_id), ("deck", content.deck, self.deck.digest)):
            if found != own:
                raise CampaignError(
                    f"campaign file {path}: found {what} {found!r}; allowed: {own!r} ({self.spec.name}, {self.deck.source})"
                )
        endings = {ending.name: ending.won for ending in self.spec.endings}
        for number, game in enumerate(content.history, 1):
            where = f"campaign file {path}, game {number}"
            if game.ended not in endings:
                raise CampaignError(f"{where}: found ended {game.ended!r}; allowed: one of {', '.join(endings)}")
            if any(endings.values()) and game.won != endings[game.ended]:
                raise CampaignError(f"{where}: found won {game.won}; allowed with {game.ended!r}: {endings[game.ended]}")
            try:
                self.spec.encode_options(game.options, self.deck)
            except OptionError as error:
                raise CampaignError(f"{where}: {error}") from error
            if missing := [option.name for option in self.spec.options if option.name not in game.options]:
                raise CampaignError(f"{where}: found no option {missing[0]!r}; allowed: all of them by name")
        try:
            remembered = self.spec.encode_memory(content.remembered or {})
        except OptionError as error:
            raise CampaignError(f"campaign file {path}: {printable(str(error))}") from error
        if self.spec.impossible and (reason := self.spec.impossible(self.deck, remembered)):
            raise CampaignError(f"campaign file {path}: {reason}")
        self.remembered, self.history = remembered, content.history

    @property
    def spec(self) -> GameSpec:
        """The game's spec."""
        return self.game.spec

    @property
    def deck(self) -> LoadedDeck:
        """The deck that it is played with."""
        return self.game.deck

    @property
    def games(self) -> int:
        """How many games were recorded."""
        return len(self.history)

    @property
    def wins(self) -> int:
        """How many of them were won."""
        return sum(game.won for game in self.history)

    def holds(self, memory: Mapping[str, Any]) -> bool:
        """Whether ``memory`` is what the campaign remembers."""
        return all(np.array_equal(array, self.remembered[name]) for name, array in self.spec.encode_memory(memory).items())

    def changes(self, before: Memory | None = None) -> list[str]:
        """How the deck differs from a fresh one, or from how it was ``before``, in words."""
        return self._changes(self.spec.encode_memory(before), self.remembered)

    def _changes(self, before: Memory, after: Memory) -> list[str]:
        return self.spec.changes(self.deck, before, after) if self.spec.changes else []

    def record(
        self, position: NDArray[Any] | np.record, *, options: Mapping[str, Any] | None = None, start: Mapping[str, Any] | None = None
    ) -> list[str]:
        """Record a finished game's memory; returns the changes in words.

        ``position``: its last one. ``options``: what it was made with. CampaignError, with nothing changed, where the game has not ended,
        or where ``start``, what the game started from, is not what the campaign holds: it would undo what was recorded in between.
        """
        if position.dtype != self.spec.dtype or position.size != 1:
            raise TypeError(f"a position of {self.spec.env_id} is one record of its dtype, not {position.dtype} of shape {position.shape}")
        last = position.reshape(1)[0]
        if last["node"] != Node.END:
            phase = self.spec.phase_name(position.reshape(1).view(np.recarray)[0])
            raise CampaignError(f"{self.spec.env_id}: the game has not ended ({phase}); only a finished game can be recorded")
        if not last["ended"]:
            raise CampaignError(f"{self.spec.env_id}: the game was cut by a limit; only a finished game can be recorded")
        if start is not None and not self.holds(start):
            raise CampaignError(f"{self.spec.env_id}: the campaign has changed since this game started; reset the game from it")
        options_used = self.game.user_options if options is None else options
        self.spec.encode_options(options_used, self.deck)
        ended, after = int(last["ended"]), self.spec.memory(position)
        game = Played(
            ended=self.spec.endings[ended - 1].name,
            won=bool(self.spec.won(ended, last["payoff"].min())),
            options={option.name: _plain(options_used.get(option.name, option.default_in(self.deck))) for option in self.spec.options},
            changes=self._changes(self.remembered, after),
        )
        self._become(after, [*self.history, game])
        return list(game.changes)

    def reset(self) -> None:
        """Start over with a fresh deck and no games."""
        self._become(self.spec.encode_memory(None), [])

    def save(self, path: str | Path | None = None) -> None:
        """Write the file, whole or not at all; the campaign belongs to ``path`` from now on.

        ValueError where it has none, CampaignError where another campaign is in that file.
        """
        if path is None and self.path is None:
            raise ValueError("this campaign has no path: pass one")
        self._become(self.remembered, self.history, path)

    def _become(self, remembered: Memory, history: list[Played], path: str | Path | None = None) -> None:
        """The file is written first: on an error the campaign still matches it."""
        place = self.path if path is None else Path(path)
        if place is not None:
            written = self._written(remembered, history)
            with sole_writer(place):
                self._refuse_what_others_wrote(place)
                write_atomically(place, written)
            self._known = written
        self.path, self.remembered, self.history = place, remembered, history

    def _written(self, remembered: Memory, history: list[Played]) -> bytes:
        shipped = self.deck.digest == self.spec.load_deck(None).digest
        content = File(
            format=1,
            env_id=self.spec.env_id,
            deck=self.deck.digest,
            deck_file=None if shipped else str(self.deck.source.absolute()),
            remembered={name: array.tolist() for name, array in remembered.items()},
            history=history,
        )
        return f"{content.model_dump_json(indent=1, exclude_none=True)}\n".encode()

    def _refuse_what_others_wrote(self, place: Path) -> None:
        """A deleted file is written again, with everything that the campaign knows."""
        own = self.path is not None and place.resolve() == self.path.resolve()
        found = _bytes(place) if place.exists() else None
        if found is None or (own and found == self._known):
            return
        if own:
            raise CampaignError(
                f"campaign file {place}: another campaign has written it since this one read it ({_games_in(place, found)} there, "
                f"{_games(self.history)} here), so nothing was written; open the file again to go on from there, or give this campaign a "
                "file of its own, save(path), and record the game in it"
            )
        raise CampaignError(
            f"campaign file {place}: found a file ({_games_in(place, found)}), so nothing was written; allowed: a name that is free. Open "
            "that file to go on from there, or move it away"
        )

    def __repr__(self) -> str:
        return (
            f"Campaign({self.spec.env_id!r}, path={None if self.path is None else str(self.path)!r}): {self.games} games, {self.wins} won"
        )


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _games(history: list[Played]) -> str:
    return "1 game" if len(history) == 1 else f"{len(history)} games"


def _games_in(path: Path, content: bytes) -> str:
    """The size of a file's content, in words."""
    try:
        return _games(_parsed(path, content).history)
    except CampaignError:
        return "no campaign"


def _bytes(path: Path) -> bytes:
    try:
        return read_bytes(path)
    except OSError as error:
        raise CampaignError(f"campaign file {path}: cannot be read ({error.strerror})") from error


def _parsed(path: Path, content: bytes) -> File:
    return validated(File, content, f"campaign file {path}", CampaignError)


@program
def main(argv: Sequence[str] | None = None) -> int:
    """The command; exit status 2 on failure."""
    import argparse

    parser = argparse.ArgumentParser("python -m deckwood.campaign", description="Show a campaign, or start it over.")
    parser.add_argument("file", type=input_file)
    parser.add_argument("--deck", type=Path, help="where the campaign's deck file is now")
    parser.add_argument("--reset", action="store_true", help="a fresh deck and no games")
    args = parser.parse_args(argv)
    campaign = Campaign.load(args.file, deck=args.deck)
    if args.reset:
        campaign.reset()
    print(f"{campaign.spec.env_id}: {campaign.games} games, {campaign.wins} won")
    for number, game in enumerate(campaign.history, 1):
        options = ", ".join(f"{name}={value}" for name, value in game.options.items())
        print(f"{number}. {game.ended}{' (won)' if game.won else ''}{f', {options}' if options else ''}")
        for change in game.changes:
            print(f"   {change}")
    print("against a fresh deck:")
    for change in campaign.changes() or ["nothing"]:
        print(f"   {change}")
    return 0
