"""Lost Woods against its referee: every number of players and option, the deck that ships and random ones, all kinds of players."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import pytest

from deckwood.core.game import Game
from deckwood.core.spec import LoadedDeck
from deckwood.lost_woods.deck import SHIPPED
from deckwood.lost_woods.spec import SPEC
from deckwood_agents.players.roster import make_agent
from tests.referee.lost_woods import SPELLS, Adventurer, Foe, LostWoods, Space, facts, read
from tests.referee.lost_woods_decks import random_deck
from tests.referee.match import Chance, Decision, Disagreement, Tally, match

PLAYERS = ("random", "expert", "eager", "greedy", "random", "eager")
REWARDS = ("win", "gold", "progress")


def play(
    deck: Path, *, seed: int, decisions: int, players: Sequence[str] = PLAYERS, referee: type[LostWoods] = LostWoods, **options: Any
) -> Tally:
    game, file = Game(SPEC, deck=deck, **options), read(deck)
    own = {"eager": Eager(game.deck)} if "eager" in players else {}
    return match(game, lambda: referee(file, **options), facts, seed=seed, decisions=decisions, players=players, own=own, abreast=6)


class Eager:
    """An expert who hoards potions and spells, attacks guardians first, never gives up, and plays a tie out: whatever is rare happens."""

    name = "eager"
    first = ("again", "cast_revive", "attack_guardian", "take_revive", "take_potion", *(f"take_{spell}" for spell in SPELLS))
    in_a_tie = tuple(f"reroll_chair_{chair}" for chair in reversed(range(6)))

    def __init__(self, deck: LoadedDeck) -> None:
        self.expert = make_agent("expert", SPEC, deck)

    def reset(self, seed: int) -> None: ...

    def act(self, obs: Any, mask: Any, positions: Any) -> Any:
        actions = self.expert.act(obs, mask, positions)
        for row, (legal, s) in enumerate(zip(mask, positions, strict=True)):
            wanted = self.in_a_tie if s["ending"] else self.first
            actions[row] = next((SPEC.action_index[name] for name in wanted if legal[SPEC.action_index[name]]), actions[row])
        return actions


@pytest.mark.slow
@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("num_players", range(2, 7))
def test_the_deck_that_ships(num_players: int, reward: str) -> None:
    limit = {"win": 24, "gold": 32, "progress": 50}[reward]  # random games are hardly longer than others then
    tally = play(SHIPPED, seed=num_players, decisions=4_000, num_players=num_players, turn_limit=limit, reward=reward)
    assert tally.games > 0


@pytest.mark.slow
def test_the_network_that_ships() -> None:
    assert play(SHIPPED, seed=1, decisions=2_000, players=["ppo"]).games > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(15))
def test_random_decks(seed: int, tmp_path: Path) -> None:
    deck = random_deck(tmp_path / "deck.toml", seed)
    play(deck, seed=seed, decisions=3_000, num_players=2 + seed % 5, turn_limit=(60, 40, 25)[seed % 3], reward=REWARDS[seed % 3])


def test_random_decks_say_all_that_a_file_can(tmp_path: Path) -> None:
    files = [read(random_deck(tmp_path / f"{seed}.toml", seed)) for seed in range(15)]
    assert {file["eighth"]["effect"]["type"] for file in files} == {"stride", "strike"}
    assert len({frozenset(file["camp"]) for file in files}) == 6  # every shape of the camp
    assert {ways for file in files for ways in (card["ways"] for card in file["cards"])} == set(filter(None, subsets("NESW")))
    assert {die for file in files for guardian in file["guardians"] for die in guardian["dice"]} == {4, 6, 8, 12, 20}
    for table in ("weapons", "tiles"):
        for name in files[0][table]:
            assert len({file[table][name] for file in files}) > 4


def subsets(letters: str) -> list[str]:
    return [""] if not letters else [rest for part in subsets(letters[1:]) for rest in (part, letters[0] + part)]


def test_a_game_is_cut_at_its_turn_limit() -> None:
    tally = play(SHIPPED, seed=1, decisions=300, players=["random"], num_players=2, turn_limit=1)
    assert set(tally.endings) == {None}
    assert tally.games > 20


# The match notices a referee with a fault.


class FourItems(LostWoods):
    """Four weapons or potions may be picked up."""

    def may_pick_up(self, who: Adventurer, item: str) -> bool:
        return super().may_pick_up(who, item) or (item == "d6" and who.held() == 3)


class GoldAmongEnemies(LostWoods):
    """Gold may be picked up beside an enemy."""

    def may_pick_up(self, who: Adventurer, item: str) -> bool:
        return item == "gold" or super().may_pick_up(who, item)


class UnguardedDecks(LostWoods):
    """The card that summons the guardian lies anywhere in its deck."""

    def draw_map_card(self, direction: str) -> Generator[Chance, str, Space]:
        last = [card.summons for card in self.decks[direction]]
        for card in self.decks[direction]:
            card.summons = None
        drawn = yield from super().draw_map_card(direction)
        drawn.summons = last[-1]
        return drawn


class DrawsAreLost(LostWoods):
    """Who rolls the same as the enemy goes back to camp."""

    def roll_both(self, who: Adventurer, own_die: int, their_die: int) -> Generator[Decision | Chance, str, tuple[int, int]]:
        own, theirs = yield from super().roll_both(who, own_die, their_die)
        return own, theirs + (own == theirs)


class MagicTwice(LostWoods):
    """A spell that was used may be picked up again in the same turn."""

    def use(self, who: Adventurer, spell: str) -> None:
        super().use(who, spell)
        self.used.clear()


class CampIsEast(LostWoods):
    """Who has lost goes back to the eastern space of the camp."""

    def lose(self, who: Adventurer, weapon: str) -> Generator[Decision, str, bool]:
        again = yield from super().lose(who, weapon)
        if who.at is self.centre:
            who.at = self.camp[2]
        return again


class EnemiesLetYouGo(LostWoods):
    """One may explore from a room with enemies."""

    def explore(self, who: Adventurer) -> Generator[Decision | Chance, str, None]:
        foes, who.at.foes = who.at.foes, []
        here = who.at
        yield from super().explore(who)
        here.foes += foes


class TheRichestIsTheFirst(LostWoods):
    """Of those who tie for the gnome the first is taken."""

    def choose_adventurer(self, who: Adventurer, among: list[Adventurer]) -> Generator[Decision, str, Adventurer]:
        return (yield from super().choose_adventurer(who, among[:1]))


class ReviveGoesOn(LostWoods):
    """With Revive only the roll that was lost is made again."""

    def beat_all_dice(self, who: Adventurer, foe: Foe) -> Generator[Decision | Chance, str, bool]:
        for die in foe.dice:
            if not (yield from super().beat_all_dice(who, Foe(foe.name, (die,), foe.gold))):
                return False
        return True


class HalfForTheSecond(LostWoods):
    """The losers lose half as much."""

    def payoffs(self) -> list[float]:
        return [max(payoff, payoff / 2) for payoff in super().payoffs()]


FAULTS = (
    FourItems,
    GoldAmongEnemies,
    UnguardedDecks,
    DrawsAreLost,
    MagicTwice,
    CampIsEast,
    EnemiesLetYouGo,
    TheRichestIsTheFirst,
    ReviveGoesOn,
    HalfForTheSecond,
)


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_fault_is_noticed(fault: type[LostWoods]) -> None:
    with pytest.raises(Disagreement):
        play(SHIPPED, seed=3, decisions=20_000, players=["expert", "eager"], referee=fault, num_players=4)
