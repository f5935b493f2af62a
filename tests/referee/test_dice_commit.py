"""DiceCommit against its referee: every tier, plain and with effects, on the deck that ships and on random ones."""

from __future__ import annotations

from typing import Any

import pytest

from deckwood.core.game import Game
from deckwood.dice_commit.deck import SHIPPED, family
from deckwood.dice_commit.spec import SPEC
from tests.referee.decks import dice_commit_deck, random_deck, shipped
from tests.referee.dice_commit import Fight, facts
from tests.referee.match import Disagreement, Tally, match
from tests.referee.strong import Die

TIERS = SPEC.load_deck(None).names["tiers"]
PLAYERS = ["random", "greedy", "expert"]


def play(
    game: Game, file: Any, players: list[str], *, seed: int, decisions: int, fight: int = 0, referee: type[Fight] = Fight, **how: Any
) -> Tally:
    first, number = family(game.deck, game.options)
    names = game.deck.names["fights"][first : first + number]
    tier, effects = game.user_options["tier"], game.user_options["effects"]
    return match(
        game,
        lambda: referee(file, tier, effects, fight, names),
        facts(game.deck.names["faces"]),
        seed=seed,
        decisions=decisions,
        players=players,
        **how,
    )


@pytest.mark.slow
@pytest.mark.parametrize("effects", [False, True], ids=["plain", "effects"])
@pytest.mark.parametrize("tier", TIERS)
def test_the_deck_that_ships(tier: str, effects: bool) -> None:
    game = Game(SPEC, tier=tier, effects=effects, solve=False)
    tally = play(game, shipped(SHIPPED), PLAYERS, seed=1, decisions=11_000)
    assert set(tally.endings) == {"defeated_all", "survived", "lost"}


@pytest.mark.slow
def test_the_network_that_ships() -> None:
    play(Game(SPEC, tier="medium", effects=False, solve=False), shipped(SHIPPED), ["ppo"], seed=4, decisions=3_000, slips=0.05)


def test_a_fight_by_its_number() -> None:
    game = Game(SPEC, tier="small", effects=True, fight=2, solve=False)
    play(game, shipped(SHIPPED), ["random"], seed=1, decisions=300, fight=2)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(24))
def test_random_decks(seed: int) -> None:
    """Whatever stands on the enemies."""
    spec, file = random_deck(SPEC, dice_commit_deck, seed)
    play(Game(spec, tier="random", effects=True, solve=False), file, PLAYERS, seed=seed, decisions=1_500, slips=0.1)


class AscendingOnly(Fight):
    """A rule is wrong: a die that is an event may not come before weaker ones."""

    def is_event(self, die: Die, active: Any, table: Any) -> bool:
        return False


class WeakRecovery(Fight):
    """... one die too few recovers."""

    def recovery(self) -> int:
        return super().recovery() - 1


@pytest.mark.slow
@pytest.mark.parametrize("wrong", [AscendingOnly, WeakRecovery])
def test_wrong_rules_are_noticed(wrong: type[Fight]) -> None:
    game = Game(SPEC, tier="medium", effects=True, solve=False)
    with pytest.raises(Disagreement):
        play(game, shipped(SHIPPED), PLAYERS, seed=2, decisions=5_000, referee=wrong)
