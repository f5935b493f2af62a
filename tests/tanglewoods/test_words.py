"""The texts of actions: what will really be done, and what it costs now."""

import numpy as np
import pytest

from deckwood.core.batch import Batch
from deckwood.core.game import Game
from deckwood.tanglewoods.spec import SPEC
from tests.tanglewoods.scenario import Scenario, enemy


def texts(s: Scenario) -> dict[str, str]:
    """The text of every legal action, by its name."""
    return {SPEC.actions[i].name: SPEC.action_text(s.p, s.game.deck, int(i)) for i in np.flatnonzero(s.game.legal(s.position))}


CHANGES = [{"op": "price_change", "count": 1}, {"op": "bribe_change", "count": -2}]


def test_merchant_actions_tell_their_price_as_it_is_now() -> None:
    s = Scenario(items=[{"cost": 2}], ability=CHANGES, held=["Item 4"], dice={"yellow": 1}, exhausted={"red": 1}, gold=19, health=3)
    s.next_round().explore("yellow_hit", cards=[0], shop=[0])
    gold = s.gold
    assert texts(s) == {
        "use_item_1": "Use Item 4 once and for all: Gain 1 gold.",
        "upgrade_item_1": "Upgrade Item 4 to Item 4, upgraded for 4 gold: Use: Gain 2 gold.",
        "recover_yellow": "Recover a yellow die for 2 gold",
        "recover_red": "Recover a red die for 2 gold",
        "choose_health": "Raise Health from 3 to 4 for 6 gold",
        "choose_strategy": "Raise Strategy from 3 to 4 for 6 gold",
        "choose_recovery": "Raise Recovery from 3 to 4 for 6 gold",
        "buy_1": "Buy Item 0 for 3 gold: Use: Gain 1 gold.",
        "done": "Leave the merchant",
    }
    assert s.do("buy_1").gold == gold - 3
    assert s.do("recover_red").gold == gold - 5
    assert s.do("choose_health").gold == gold - 11
    assert s.do("upgrade_item_2").gold == gold - 15


def test_room_for_an_item() -> None:
    s = Scenario(held=["Item 7"], strategy=1, dice={"yellow": 1}, gold=20).next_round().explore("yellow_hit", cards=[0], shop=[0])
    assert texts(s)["discard_item_1"] == "Discard Item 7 to make room for another item"


def test_bribes_tell_their_price_as_it_is_now() -> None:
    s = Scenario(enemies=[enemy(bribe=5), enemy(bribe=1)], ability=CHANGES, gold=4).fight(2, bribe=True)
    assert texts(s) == {
        "target_1": "Bribe Minion 0 for 3 gold",
        "target_2": "Bribe Minion 1 for 0 gold",
        "done": "Bribe no more: 2 enemies to fight",
    }
    assert s.do("target_1").gold == 1
    assert texts(s)["done"] == "Bribe no more: 1 enemy to fight"


def test_toll() -> None:
    s = Scenario(at="campfire/toll", cards={"numbers": {"toll_gold": 4}}, dice={"blue": 1}, exhausted={"red": 1}, gold=9).arrive()
    assert texts(s) == {
        "banish_ready_blue": "Banish a ready blue die as toll",
        "banish_exhausted_red": "Banish an exhausted red die as toll",
        "pay_toll": "Pay the toll of 4 gold",
    }
    assert s.do("pay_toll").gold == 5


def test_campfire() -> None:
    s = Scenario(at="campfire", health=2, strategy=5, recovery=6).arrive()
    assert texts(s) == {
        "choose_health": "Raise Health from 2 to 3",
        "choose_strategy": "Raise Strategy from 5 to 6",
        "choose_recovery": "Choose Recovery, which stays at 6",
    }


def test_exploring() -> None:
    s = Scenario(dice={"yellow": 1, "red": 1}).next_round()
    assert texts(s) == {
        "done": "Do not explore",
        "explore_yellow": "Choose a yellow die to explore with: a card by day on 2 sides of 6, else by night",
        "explore_red": "Choose a red die to explore with: a card by day",
    }
    s.do("explore_yellow")
    assert texts(s)["done"] == "Roll 1 chosen die; then the merchant comes"
    assert texts(s.do("explore_red"))["done"] == "Roll 2 chosen dice; then the merchant comes"
    last = Scenario(dice={"red": 1}).path(*range(10), 16).next_round()
    assert texts(last)["explore_red"] == "Choose a red die to explore with: no card is left to be added"


def test_ways() -> None:
    s = (
        Scenario(at="minion/mob:2", forest=[{}, {"night": {"nodes": {"a": "fable/toll"}}}], dice={})
        .path(0, night=[0])
        .next_round()
        .do("done")
    )
    assert texts(s)["travel_left"] == "Travel through the left upper threshold onto Forest 0, by night"
    s.do("travel_left")
    assert texts(s) == {"travel_a": "Travel to node a (mob +2 minion)"}
    s.do("travel_a").no_bribe().do("roll", "resolve", "done")
    assert texts(s)["travel_left"] == "Travel through the left upper threshold; a forest card is added by night"
    late = Scenario(difficulty=10).path(*range(10))
    late.p["at_card"], late.p["at_place"] = 10, 0
    late.next_round().do("done")
    assert texts(late)["travel_left"] == "Travel through the left upper threshold onto Grandma's Cabin, by night"


def test_setup() -> None:
    assert texts(Scenario(difficulty=2))["choose_recovery"] == "Raise Recovery from 3 to 4"
    five = Scenario(difficulty=5).scouted(4, 5)
    assert texts(five) == {
        "done": "Leave the scouting line as it is",
        "scouted_1": "Shuffle Minion 4 back into the Minion Deck; another enemy takes its place",
        "scouted_2": "Shuffle Minion 5 back into the Minion Deck; another enemy takes its place",
    }
    assert texts(Scenario(difficulty=6)) == {
        "first": "Add a forest card to the path by night",
        "second": "Banish two dice of your choice",
    }
    nine = Scenario(difficulty=9)
    assert texts(nine)["choose_health"] == "Lower Health from 4 to 3"
    nine.do("choose_health")
    assert texts(nine) == {
        "modifier_6": "Apply the modifier of difficulty 6: add a forest card to the path by night, or banish two dice",
        "modifier_7": "Apply the modifier of difficulty 7: reduce your gold to 5 and add a forest card to the path by night",
        "modifier_8": "Apply the modifier of difficulty 8: lose 1 in a stat of your choice",
    }


def test_scouted_cards() -> None:
    s = Scenario(fables=[[{"op": "discard_scouted", "count": 2}]]).scouted(4, 5, 6).tell()
    assert texts(s)["scouted_1"] == "Discard Minion 4 from the scouting line"
    assert texts(s)["done"] == "Discard no more scouted cards"


def test_options_say_what_they_do() -> None:
    """In the words of this deck, too."""
    fork = [{"op": "choose", "count": 1}, {"op": "place_forest", "side": "day"}, {"op": "activate_wolf"}]
    assert texts(Scenario(fables=[fork]).tell()) == {
        "first": "Add a day forest card to the end of the path.",
        "second": "Activate a wolf from the bottom of the Wolf Pack Deck.",
    }


@pytest.mark.parametrize("hero", ["piper", "insomniac"])
def test_every_action_of_random_games_has_a_text_of_its_own(hero: str) -> None:
    """Two actions of one decision never read alike."""
    batch = Batch(Game(SPEC, hero=hero, difficulty=9), 3, seed=3)
    for _ in range(60):
        for position, mask in zip(batch.positions, batch.mask, strict=True):
            found = [SPEC.action_text(position, batch.game.deck, int(action)) for action in np.flatnonzero(mask)]
            assert len(set(found)) == len(found), found
        batch.step(batch.random_actions())
