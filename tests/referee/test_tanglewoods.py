"""Tanglewoods against its referee: every difficulty, hero, side, boss and option, on the deck that ships and on random ones."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from deckwood.core.game import Game
from deckwood.tanglewoods.deck import SHIPPED
from deckwood.tanglewoods.spec import SPEC
from tests.referee.decks import random_deck, shipped, tanglewoods_deck
from tests.referee.match import Disagreement, Rules, Tally, match
from tests.referee.strong import Table
from tests.referee.tanglewoods import Box, Tanglewoods, facts

HEROES = SPEC.load_deck(None).names["heroes"]
SETTINGS = [
    {
        "hero": HEROES[(3 * difficulty + k) % len(HEROES)],
        "side": ("printed", "front", "back")[(difficulty + k) % 3],
        "difficulty": difficulty,
        "boss": ("big_bad_wolf", "bigger_badder_wolf")[(difficulty + k) % 2],
        "undefeated_wolves": ("discard", "deck")[k % 2],
        "reward": ("win", "progress")[(difficulty // 2 + k) % 2],
    }
    for difficulty in range(11)
    for k in range(3)
]
"""Each hero, side, boss and option several times, each difficulty three times."""


@cache
def box() -> Box:
    return Box(shipped(SHIPPED))


def play(
    options: dict[str, Any], players: list[str], *, seed: int, decisions: int, referee: type[Tanglewoods] = Tanglewoods, **how: Any
) -> Tally:
    """A match on the deck that ships."""
    game = Game(SPEC, **options)
    return match(game, lambda: referee(box(), **options), facts(game.deck.names), seed=seed, decisions=decisions, players=players, **how)


@pytest.mark.slow
@pytest.mark.parametrize("options", SETTINGS, ids=lambda options: f"{options['difficulty']}-{options['hero']}-{options['boss']}")
def test_the_deck_that_ships(options: dict[str, Any]) -> None:
    """Half at random; experts with few slips get to the Cabin."""
    play(options, ["random"], seed=1, decisions=1_000)
    play(options, ["expert", "greedy"], seed=2, decisions=1_000, slips=0.05, abreast=3)


@pytest.mark.slow
def test_the_battle_at_the_cabin() -> None:
    """Games are won and lost there, in agreement."""
    options = {"hero": "goose_girl", "difficulty": 0, "undefeated_wolves": "deck", "reward": "progress"}
    tally = sum((play({**options, "boss": boss}, ["expert"], seed=3, decisions=3_000, slips=0.01, abreast=2) for boss in BOSSES), Tally())
    assert {"won", "died_at_cabin"} <= set(tally.endings)


BOSSES = ("big_bad_wolf", "bigger_badder_wolf")


@pytest.mark.slow
def test_the_network_that_ships() -> None:
    play({"difficulty": 0}, ["ppo"], seed=4, decisions=3_000, slips=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
def test_random_decks(seed: int) -> None:
    """Whatever stands on the cards."""
    spec, file = random_deck(SPEC, tanglewoods_deck, seed)
    options = {**SETTINGS[seed % len(SETTINGS)], "hero": HEROES[seed % len(HEROES)]}
    game, cards = Game(spec, **options), Box(file)
    match(
        game,
        lambda: Tanglewoods(cards, **options),
        facts(game.deck.names),
        seed=seed,
        decisions=1_000,
        players=["random", "expert"],
        slips=0.1,
        abreast=3,
        tend=heal,
    )


def heal(position: Any, table: Tanglewoods) -> None:
    """Games on decks without measure are to get to the Cabin."""
    position["stats"][0, 0] = table.stats["health"] = max(5, table.stats["health"])


class FreeTolls(Tanglewoods):
    """A rule is wrong: tolls are not paid."""

    def toll(self) -> Rules:
        yield from ()


class GenerousStrategy(Tanglewoods):
    """... the Strategy phase may be repeated once too often."""

    def strategy(self) -> int:
        return super().strategy() + 1


class LateRefill(Tanglewoods):
    """... the scouting line is never refilled."""

    def scout(self) -> Rules:
        if not self.path[1:]:
            yield from super().scout()


class LightCrits(Tanglewoods):
    """... a crit deals 1 damage."""

    def die_damage(self, die: Any, table: Any, own: Any) -> int:
        return min(1, super().die_damage(die, table, own))


class DarkTraps(Tanglewoods):
    """... a trap's miss turns nothing."""

    def turn(self, card: Any, side: str) -> bool:  # type: ignore[override]
        return False


class LastingShields(Tanglewoods):
    """... once-a-round abilities renew at no time."""

    def new_round(self) -> None:
        pass


class SilentFalls(Tanglewoods):
    """... nobody is told that an enemy fell."""

    def answer(self, cards: Any, when: str) -> Rules:
        yield from () if when in ("enemy_fell", "boss_fell") else super().answer(cards, when)


@pytest.mark.slow
@pytest.mark.parametrize("wrong", [FreeTolls, GenerousStrategy, LateRefill, LightCrits, DarkTraps, LastingShields, SilentFalls])
def test_wrong_rules_are_noticed(wrong: type[Tanglewoods]) -> None:
    """Were one rule of the two sides another, a match would say so."""
    assert issubclass(wrong, Table)
    with pytest.raises(Disagreement):
        play(
            {"hero": "mirror_twin", "side": "front", "difficulty": 1},
            ["expert", "random"],
            seed=5,
            decisions=6_000,
            referee=wrong,
            abreast=4,
        )
