"""A game's declaration. Spaces, docs, replay names and tests are derived from it.

A game's folder holds one :class:`GameSpec` named ``SPEC``; nothing outside that folder may branch on the game's name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deckwood.core.errors import OptionError, UnknownOption

Positions: TypeAlias = np.recarray[Any, np.dtype[Any]]
"""A record array of positions, dtype ``GameSpec.dtype``; a single position has shape (1,)."""


class Node(IntEnum):
    """The three kinds of node that a position can stand at."""

    DECISION = 0
    CHANCE = 1
    END = 2


PLAYERS_OPTION = "num_players"
"""The option that says how many sit at the table, in a game that lets one choose."""

CHANCE_ACTOR = -1
"""The actor of a chance event in replays."""

OPTIMAL_VALUE = "optimal_value"
"""The metric that holds the mean payoff of the best policy."""

Memory: TypeAlias = Mapping[str, NDArray[Any]]
"""What a deck remembers from game to game: an array for each name in ``GameSpec.remembered``, of that field's dtype and shape."""

HEADER: list[tuple[Any, ...]] = [
    ("node", np.int8),  # Node
    ("mover", np.int8),  # the seat that decides; 0 in a solo game
    ("ended", np.int8),  # 0 while the game runs, else 1 + the index into GameSpec.endings; at an END node 0 says that a limit cut the game
    ("decisions", np.int32),  # actions applied so far, forced ones included
]
"""The fields that every position dtype begins with; ``payoff`` (float64, one per seat) follows, see :func:`position_dtype`."""


def position_dtype(fields: Sequence[tuple[Any, ...]], seats: int = 1) -> np.dtype[Any]:
    """The dtype of a position: the common header, the running payoff of each seat, then the game's own fields."""
    if taken := [name for name, *_ in fields if hasattr(np.record, name)]:
        raise ValueError(f"position fields {taken} would be hidden by attributes of numpy.record; rename them")
    return np.dtype([*HEADER, ("payoff", np.float64, (seats,)), *fields], align=True)


@dataclass(frozen=True)
class Action:
    """One entry of the action table; its index is its place there."""

    name: str  # snake_case, unique: "commit_yellow"
    group: str  # the family it belongs to: "commit"
    text: str  # for people: "Commit a yellow die"


@dataclass(frozen=True)
class Feature:
    """A named slice of the observation vector."""

    name: str
    size: int
    low: float
    high: float
    meaning: str
    labels: tuple[str, ...] = ()  # one name per entry, where entries differ in meaning


@dataclass(frozen=True)
class Option:
    """A keyword argument of a game. ``default`` has the type of the values a user passes."""

    name: str
    default: Any
    meaning: str
    choices: tuple[str, ...] = ()  # for a named choice: its int value is the place in this tuple
    choices_from: str = ""  # ... or the deck's list of that name (LoadedDeck.names)
    low: int = 0  # for an int
    high: int = 0

    def names(self, deck: LoadedDeck) -> tuple[str, ...]:
        return deck.names[self.choices_from] if self.choices_from else self.choices

    def default_in(self, deck: LoadedDeck) -> Any:
        """The default, or the first name of a deck that lacks it."""
        names = deck.names[self.choices_from] if self.choices_from else ()
        return names[0] if names and self.default not in names else self.default

    def encode(self, value: Any, deck: LoadedDeck) -> int:
        """The integer that the rules read; OptionError names what was found and what is allowed."""
        if names := self.names(deck):
            if isinstance(value, str) and value in names:
                return names.index(value)
            raise OptionError(f"option {self.name}={value!r}: choose one of {', '.join(names)}")
        if isinstance(self.default, bool):
            if isinstance(value, bool | np.bool_):
                return int(value)
            raise OptionError(f"option {self.name}={value!r}: must be True or False")
        if isinstance(value, int | np.integer) and not isinstance(value, bool) and self.low <= value <= self.high:
            return int(value)
        raise OptionError(f"option {self.name}={value!r}: must be a whole number from {self.low} to {self.high}")

    def decode(self, code: Any, deck: LoadedDeck) -> Any:
        """The value that a user passes, of an integer that the rules see; OptionError for one that :meth:`encode` never returns."""
        names = self.names(deck)
        low, high = (0, len(names) - 1) if names else (0, 1) if isinstance(self.default, bool) else (self.low, self.high)
        if type(code) is not int or not low <= code <= high:
            raise OptionError(f"option {self.name}: found {ascii(code)[:100]} for its value; allowed: a whole number from {low} to {high}")
        return names[code] if names else bool(code) if isinstance(self.default, bool) else code


@dataclass(frozen=True)
class Ending:
    """A way in which a game ends."""

    name: str
    meaning: str
    won: bool = False  # the players beat the game; see GameSpec.won
    options: Mapping[str, Any] = field(default_factory=dict)  # with which it can happen, where it cannot by default


@dataclass(frozen=True)
class Reading:
    """How we read a rule that is unclear, damaged or at odds with another sentence."""

    where: str  # the rulebook's section
    text: str  # what is printed, in our words
    reading: str  # what we do


@dataclass(frozen=True)
class LoadedDeck:
    """A validated deck: the tables of numbers that the rules read and the names that people read."""

    tables: Any  # one np.record (or a NamedTuple of arrays), passed to every rule
    names: Mapping[str, tuple[str, ...]]
    source: Path  # absolute
    digest: str  # of what the file says: deckwood.core.decks.digest_of


@dataclass(frozen=True, repr=False)
class GameSpec:
    """Everything that is not rules. One per game, named ``SPEC`` in the game's package."""

    name: str  # "Tanglewoods"
    env_id: str  # "deckwood/Tanglewoods-v1"
    summary: str
    seats: tuple[int, int]  # fewest and most
    dtype: np.dtype[Any]  # of a position, from position_dtype
    actions: tuple[Action, ...]
    features: tuple[Feature, ...]
    options: tuple[Option, ...]
    endings: tuple[Ending, ...]
    readings: tuple[Reading, ...]
    payoff_range: tuple[float, float]  # of one seat's total over a game
    longest_game: int  # decisions, forced ones included; a longer game is truncated
    max_outcomes: int  # the most outcomes a chance event can have
    rules: ModuleType  # setup, legal, apply, chance, apply_chance, observe
    load_deck: Callable[[Path | None], LoadedDeck]  # None: the deck that ships
    phase_name: Callable[[Any], str]  # position -> what is being decided or drawn, in words
    outcome_name: Callable[[Any, LoadedDeck, int], str]  # position at a chance node, deck, outcome -> words
    action_text: Callable[[Any, LoadedDeck, int], str]  # position, deck, action -> words that name the cards involved
    describe: Callable[[Any, LoadedDeck], str]  # render_mode="ansi"
    draw: Callable[[Any, LoadedDeck], NDArray[np.uint8]]  # render_mode="rgb_array", (height, width, 3)
    why_cut: Callable[[Any, LoadedDeck], str] = lambda position, deck: ""  # at an END that a limit brought: which, and what led to it
    remembered: tuple[str, ...] = ()  # integer fields that outlast a game: setup finds them in the position, the end leaves the next ones
    changes: Callable[[LoadedDeck, Memory, Memory], list[str]] | None = None  # deck, before, after -> what differs, in words
    # Deck, memory -> why no game, whatever its options, can have left it: somebody has edited it. This guards the rules, which check no
    # bounds.
    impossible: Callable[[LoadedDeck, Memory], str | None] | None = None
    # Encoded options, deck, a memory that is possible -> why no game can start so: options that do not fit each other, or the memory.
    objection: Callable[[NDArray[np.int32], LoadedDeck, Memory], str | None] | None = None
    metrics: Mapping[str, str] = field(default_factory=dict)  # the numbers that a solo game reports about itself, with their meanings
    # Game, positions (n,) at any stage -> for each name in ``metrics``, a number for the game of each position, float64 (n,).
    compute_metrics: Callable[[Any, Positions], Mapping[str, NDArray[np.float64]]] | None = None
    game_file: str = ""  # folder of the game, for deck.toml, manifest and docs
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"GameSpec({self.env_id!r}: {len(self.actions)} actions, {self.observation_size} features, seats {self.seats})"

    @cached_property
    def action_index(self) -> dict[str, int]:
        return {action.name: index for index, action in enumerate(self.actions)}

    @cached_property
    def slices(self) -> dict[str, slice]:
        """Where each feature lies in the observation."""
        out, start = {}, 0
        for feature in self.features:
            out[feature.name] = slice(start, start + feature.size)
            start += feature.size
        return out

    @cached_property
    def observation_size(self) -> int:
        return sum(feature.size for feature in self.features)

    def players(self, options: NDArray[np.int32]) -> int:
        """The number of players with these encoded options: ``num_players`` if the game has it, else all seats."""
        names = [option.name for option in self.options]
        return int(options[names.index(PLAYERS_OPTION)]) if PLAYERS_OPTION in names else self.seats[1]

    def won(self, ended: ArrayLike, payoff: ArrayLike) -> NDArray[np.bool_]:
        """Which games were won, bool (n,), by ``ended`` (n,) and one seat's total ``payoff`` (n,) of each: the one definition of winning.

        A game is won when it ended in one of the ways that :attr:`Ending.won` marks, so never when it was cut. If none is marked, it is won
        when the payoff has reached ``payoff_range[1]``.
        """
        wins = self._wins
        found: NDArray[np.bool_] = np.asarray(payoff) >= self.payoff_range[1] if wins is None else wins[np.asarray(ended, np.int64)]
        return found

    @cached_property
    def _wins(self) -> NDArray[np.bool_] | None:
        """Whether each ``ended`` is a win, bool (1 + endings,), where endings say so."""
        marks = np.array([False, *(ending.won for ending in self.endings)])
        return marks if marks.any() else None

    def encode_memory(self, memory: Mapping[str, Any] | None) -> Memory:
        """A memory as read-only arrays; None is a fresh deck's, all zero. OptionError for a wrong name, shape or number."""
        if memory is None:
            memory = {name: np.zeros(self.dtype[name].shape, np.int8) for name in self.remembered}
        elif not isinstance(memory, Mapping) or set(memory) != set(self.remembered):
            found = ", ".join(map(str, memory)) if isinstance(memory, Mapping) else repr(memory)
            own = ", ".join(self.remembered) or "nothing"
            raise OptionError(f"{self.env_id} remembers {own} from game to game, no more and no less; found {found or 'nothing'}")
        return {name: self._encode_field(name, memory[name]) for name in self.remembered}

    def _encode_field(self, name: str, value: Any) -> NDArray[Any]:
        """One remembered field, read-only."""
        kind = self.dtype[name]
        limits = np.iinfo(kind.base)
        try:
            found = np.asarray(value)
        except ValueError:  # lists of different lengths
            found = np.empty((), object)
        if found.dtype.kind not in "iu" or found.shape != kind.shape:
            form = f"whole numbers of shape {kind.shape}" if kind.shape else "a whole number"
            raise OptionError(f"{self.env_id}: remembered {name} must be {form}, not {found.dtype} of shape {found.shape}")
        if not isinstance(value, np.ndarray) and any(isinstance(entry, bool | np.bool_) for entry in np.asarray(value, object).flat):
            raise OptionError(f"{self.env_id}: remembered {name} must be whole numbers, not truth values")
        if found.size and not limits.min <= int(found.min()) <= int(found.max()) <= limits.max:
            raise OptionError(
                f"{self.env_id}: remembered {name} has numbers from {found.min()} to {found.max()}; allowed: {limits.min} to {limits.max}"
            )
        out = found.astype(kind.base)
        out.flags.writeable = False
        return out

    def memory(self, position: NDArray[Any] | np.record) -> Memory:
        """What ``position``, a record or an array of one, remembers."""
        record = np.asarray(position).reshape(1)
        return self.encode_memory({name: record[name][0] for name in self.remembered})

    def encode_options(self, options: Mapping[str, Any], deck: LoadedDeck) -> NDArray[np.int32]:
        """Options as the int32 vector that ``setup`` reads, in the order of ``options``; OptionError for an unknown name or value."""
        known = {option.name for option in self.options}
        if unknown := sorted(set(options) - known):
            raise UnknownOption(
                f"{self.env_id} has no option {unknown[0]!r}; it has {', '.join(sorted(known))} (and deck=FILE)"
                f"; got an unexpected keyword argument {unknown[0]!r}"  # Python's own words, which libraries look for
            )
        return np.array([o.encode(options.get(o.name, o.default_in(deck)), deck) for o in self.options], np.int32)
