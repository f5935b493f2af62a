"""A thousand random decks of all games, loaded and played with every index of every rule checked, those below 0 as well."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckwood.core.spec import GameSpec, LoadedDeck, Node
from deckwood.core.uncompiled import uncompiled
from deckwood.dice_commit.spec import SPEC as DICE_COMMIT
from deckwood.etherfields import deck as etherfields
from deckwood.etherfields.spec import SPEC as ETHERFIELDS
from deckwood.lost_woods.deck import load_deck as load_lost_woods
from deckwood.lost_woods.spec import SPEC as LOST_WOODS
from deckwood.strong.steps import GUARD
from deckwood.tanglewoods.spec import SPEC as TANGLEWOODS
from tests.referee import etherfields_decks, lost_woods_decks
from tests.referee.decks import dice_commit_deck, random_deck, tanglewoods_deck

SHIPPED = tomllib.loads(etherfields.SHIPPED.read_text(encoding="utf-8"))
CHUNK = 25
"""Decks of one test."""


class Guarded:
    """An array that raises IndexError where compiled rules would read or write outside it, or count from its end."""

    __slots__ = ("array",)

    def __init__(self, array: Any) -> None:
        self.array = array

    def _checked(self, key: Any) -> Any:
        for one in key if type(key) is tuple else (key,):
            if not isinstance(one, slice) and one < 0:
                raise IndexError(f"index {key} of an array of shape {self.array.shape}")
        return key

    def __getitem__(self, key: Any) -> Any:
        found = self.array[self._checked(key)]
        return Guarded(found) if isinstance(found, np.ndarray) else found

    def __setitem__(self, key: Any, value: Any) -> None:
        self.array[self._checked(key)] = value

    def __len__(self) -> int:
        return len(self.array)

    @property
    def shape(self) -> Any:
        return self.array.shape


class Table:
    """A record whose arrays are guarded."""

    def __init__(self, record: Any) -> None:
        arrays = {name: Guarded(getattr(record, name)) for name, (kind, *_) in record.dtype.fields.items() if kind.shape}
        self.__dict__.update(arrays, record=record)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.record, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.record, name, value)


def dream(rng: np.random.Generator) -> dict[str, Any]:
    return etherfields_decks.random_file(SHIPPED, int(rng.integers(2**31)))


def deck_of(spec: GameSpec, seed: int, folder: Path) -> LoadedDeck:
    """A random deck that the loader accepts, of Lost Woods from a file."""
    if spec is LOST_WOODS:
        return load_lost_woods(lost_woods_decks.random_deck(folder / "random.toml", seed))
    draw = {TANGLEWOODS.name: tanglewoods_deck, ETHERFIELDS.name: dream, DICE_COMMIT.name: dice_commit_deck}[spec.name]
    return random_deck(spec, draw, seed)[0].load_deck(None)


def options_of(spec: GameSpec, deck: LoadedDeck, rng: np.random.Generator) -> Any:
    """Any value of every option."""
    given: dict[str, Any] = {}
    for option in spec.options:
        if names := option.names(deck):
            given[option.name] = names[int(rng.integers(len(names)))]
        elif isinstance(option.default, bool):
            given[option.name] = bool(rng.integers(2))
        else:
            given[option.name] = int(rng.integers(option.low, option.high + 1))
    return given


def play(spec: GameSpec, deck: LoadedDeck, seed: int, events: int) -> int:
    """So many events of a random game; how many there were."""
    rng = np.random.default_rng(seed)
    setup, legal, apply, chance, apply_chance, observe = (
        uncompiled(getattr(spec.rules, name)) for name in ("setup", "legal", "apply", "chance", "apply_chance", "observe")
    )
    position = np.zeros(1, spec.dtype).view(np.recarray)[0]
    s, tables = Table(position), Table(deck.tables)
    mask, weights = np.zeros(len(spec.actions), np.int8), np.zeros(spec.max_outcomes, np.int32)
    obs = np.zeros(spec.observation_size, np.float32)
    lows = np.concatenate([np.full(feature.size, feature.low, np.float32) for feature in spec.features])
    highs = np.concatenate([np.full(feature.size, feature.high, np.float32) for feature in spec.features])
    setup(s, tables, Guarded(spec.encode_options(options_of(spec, deck, rng), deck)))
    for event in range(events):
        assert position.node in set(Node)
        if hasattr(position, "depth"):
            assert 0 <= position.depth <= GUARD
        if position.node == Node.END:
            return event
        if position.node == Node.CHANCE:
            n = chance(s, tables, Guarded(weights))
            assert (weights[:n] >= 0).all()
            apply_chance(s, tables, int(rng.choice(n, p=weights[:n] / weights[:n].sum())))
        else:
            observe(s, tables, Guarded(obs))
            assert ((lows <= obs) & (obs <= highs)).all()
            assert legal(s, tables, Guarded(mask)) == mask.sum() > 0
            apply(s, tables, int(rng.choice(np.flatnonzero(mask))))
            position.decisions += 1
    return events


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "chunk"),
    [
        (spec, chunk)
        for spec, chunks in ((TANGLEWOODS, 12), (ETHERFIELDS, 6), (DICE_COMMIT, 16), (LOST_WOODS, 6))
        for chunk in range(chunks)
    ],
    ids=lambda value: str(getattr(value, "name", value)),
)  # fmt: skip
def test_random_decks(spec: GameSpec, chunk: int, tmp_path: Path) -> None:
    """40 chunks of 25: all games are played, those with more to do for fewer decks."""
    for seed in range(CHUNK * chunk, CHUNK * (chunk + 1)):
        play(spec, deck_of(spec, seed, tmp_path), seed, events=50)


def test_a_wrong_index_is_noticed() -> None:
    """What compiled rules would do in silence."""
    position = Table(np.zeros(1, TANGLEWOODS.dtype).view(np.recarray)[0])
    with pytest.raises(IndexError):
        position.agenda[-1, 0]
    with pytest.raises(IndexError):
        position.agenda[0, 4] = 1
