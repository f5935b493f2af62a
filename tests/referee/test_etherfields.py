"""Etherfields against its referee: every rank, hero, boss and option, the deck that ships and random ones, all kinds of players."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckwood.core.game import Game
from deckwood.core.spec import LoadedDeck
from deckwood.etherfields.deck import SHIPPED
from deckwood.etherfields.spec import SPEC
from deckwood.etherfields.state import NUM_CARDS, NUM_MAPS, NUM_SIDES, ZONES
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
            "gold": int(s["gold"]),
        }

    return read


def play(
    deck: Path = SHIPPED,
    *,
    seed: int,
    decisions: int,
    players: Sequence[str] = PLAYERS,
    referee: type[Etherfields] = Etherfields,
    remembered: Sequence[int] = (),
    **options: Any,
) -> Tally:
    game = Game(SPEC, deck=deck, **options)
    start: dict[str, Any] = {"remembered": {"side": remembered}} if remembered else {}
    return match(
        game,
        lambda: referee(box(deck), remembered=remembered, **options),
        facts(game.deck),
        seed=seed,
        decisions=decisions,
        players=players,
        abreast=8,
        **start,
    )


@pytest.mark.slow
@pytest.mark.parametrize("reward", ["win", "progress"])
@pytest.mark.parametrize("rank", range(1, 6))
def test_the_deck_that_ships(rank: int, reward: str) -> None:
    """Campaigns of two games, hero and boss chosen."""
    assert play(seed=rank, decisions=3_000, hero="choose", boss="choose", rank=rank, reward=reward, games=2).games > 0


@pytest.mark.slow
@pytest.mark.parametrize("hero", box(SHIPPED).hero_keys)
def test_every_hero(hero: str) -> None:
    keys = box(SHIPPED).hero_keys
    bosses = [key for key, (front, _) in zip(box(SHIPPED).boss_keys, box(SHIPPED).bosses, strict=True) if not front.requires]
    number = keys.index(hero)
    assert play(seed=number, decisions=1_500, hero=hero, boss=bosses[number % len(bosses)], rank=1 + number % 5).games > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_a_deck_that_remembers(seed: int) -> None:
    """Any side of any card may face up when a game begins."""
    sides = np.random.default_rng(seed).integers(2, size=NUM_SIDES)
    assert play(seed=seed, decisions=2_000, hero="choose", boss="choose", rank=1 + seed, remembered=sides.tolist()).games > 0


@pytest.mark.slow
def test_the_network_that_ships() -> None:
    assert play(seed=1, decisions=2_000, players=["ppo"]).games > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_random_decks(seed: int, tmp_path: Path) -> None:
    deck = write_random_deck(content(SHIPPED), seed, tmp_path)
    play(deck, seed=seed, decisions=2_500, hero="choose", boss="choose", rank=1 + seed % 5, games=3, reward=("win", "progress")[seed % 2])


# The match notices a referee with a fault.


class SixInHand(Etherfields):
    """One draws up to six cards."""

    def max_in_hand(self) -> int:
        return super().max_in_hand() + 1


class NoSkulls(Etherfields):
    """Nobody waits on the way: enemies come in Opposition and by effects alone."""

    def walk(self, spaces: int) -> Rules:
        self.walking = True
        yield from super().walk(spaces)
        self.walking = False

    def activate(self, count: int) -> Rules:
        if not getattr(self, "walking", False):
            yield from super().activate(count)


class NoWalls(Etherfields):
    """Walls within a card can be crossed."""

    def ways(self) -> dict[str, tuple[Card, str]]:
        assert self.here is not None
        card, letter = self.here
        return {**{f"go_to_{i + 1}": (card, other) for i, other in enumerate(card.face.spaces) if other != letter}, **super().ways()}


class ColourlessEther(Etherfields):
    """No additional die of the ether's colour is recovered."""

    def recover(self, count: int, also: str | None = None) -> Rules:
        yield from super().recover(count)


class FreeReshuffle(Etherfields):
    """A new Influence Deck costs nothing."""

    def price_of_reshuffling(self) -> Rules:
        yield from ()


class OnceMore(Etherfields):
    """Unique actions may be resolved as often as one likes."""

    def map_actions(self) -> list[str]:
        self.acted.clear()
        return super().map_actions()


class LastingWounds(Etherfields):
    """Damage by effects stays for the next round."""

    def clean_up(self) -> Rules:
        wounds = {foe: foe.wounds for foe in self.foes}
        yield from super().clean_up()
        for foe in self.foes:
            foe.wounds = wounds[foe]


class FlippedAway(Etherfields):
    """An enemy that flips is always discarded."""

    def flip_foe(self, foe: Foe) -> None:
        foe.defeated = True
        super().flip_foe(foe)


class FromTheTop(Etherfields):
    """All decks are drawn from the top, at any rank."""

    def draw(self, name: str) -> Rules:
        rank, self.rank = self.rank, 1
        card = yield from super().draw(name)
        self.rank = rank
        return card


FAULTS = (SixInHand, NoSkulls, NoWalls, ColourlessEther, FreeReshuffle, OnceMore, LastingWounds, FlippedAway, FromTheTop)


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_fault_is_noticed(fault: type[Etherfields]) -> None:
    with pytest.raises(Disagreement):
        play(seed=3, decisions=20_000, players=["expert"], referee=fault, rank=2)
