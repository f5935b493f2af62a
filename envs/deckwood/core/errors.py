"""The errors that users can meet. Each message says what was wrong, where, and what is allowed."""

from __future__ import annotations


class DeckwoodError(Exception):
    """The base of all of them."""


class OptionError(DeckwoodError, ValueError):
    """An unknown option, or a value that it does not accept."""


class UnknownOption(OptionError, TypeError):
    """A name that is no option: as for any function that does not know a keyword, also a TypeError."""


class DeckError(DeckwoodError, ValueError):
    """A deck file that is wrong: names the file, the card, the field, what was found and what is allowed."""


class CampaignError(DeckwoodError, ValueError):
    """A campaign that is damaged, or of another game or deck, or a game that it cannot take in; the campaign and its file are unchanged."""


class IllegalAction(DeckwoodError, ValueError):
    """An action that the mask forbids; the position is left as it was."""


class SnapshotError(DeckwoodError, ValueError):
    """Bytes or a replay that do not belong to this game, version or deck; nothing was changed."""
