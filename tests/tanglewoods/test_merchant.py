"""Visiting the Merchant, Gold, and Items."""

import pytest

from deckwood.tanglewoods.state import IN_DISCARD, IN_HAND
from tests.tanglewoods.scenario import Scenario


def visit(shop: tuple[int, ...] = (0,), **more: object) -> Scenario:
    """Explored with as many yellow dice as the shop has items."""
    s = Scenario(**{"dice": {"yellow": 3}, "exhausted": {}, **more}).next_round()
    return s.explore(*["yellow_hit"] * len(shop), cards=range(len(shop)), shop=shop)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_as_many_items_as_dice(count: int) -> None:
    """Stock the Shop: one, two, or three items, according to the number of dice rolled while exploring."""
    s = visit(tuple(range(count)), gold=20)
    assert s.phase == "Visit the merchant"
    assert [name for name in s.legal if name.startswith("buy")] == [f"buy_{i + 1}" for i in range(count)]


def test_items_come_from_their_whole_deck() -> None:
    s = Scenario(dice={"yellow": 1}, held=["Item 3"]).next_round().explore("yellow_hit", cards=[0])
    assert set(s.chances) == {f"Item {i}" for i in range(15)} - {"Item 3"}


def test_buy() -> None:
    """Pay Gold: buy as many times as there are items that you can afford; in any order."""
    s = visit((0, 1, 2), gold=7, items=[{"cost": 4}, {"cost": 3}, {"cost": 1}]).do("buy_1")
    assert (s.gold, s.items) == (3, ["Item 0"])
    assert s.zone("item_cards", 0) == IN_HAND
    s.do("buy_1")
    assert (s.gold, s.items) == (0, ["Item 0", "Item 1"])
    assert not s.may("buy_1"), "Item 2 costs 1"


def test_upgrade() -> None:
    s = visit(gold=5, held=["Item 7", "Item 8, upgraded"])
    assert s.may("upgrade_item_1")
    assert not s.may("upgrade_item_2")
    s.do("upgrade_item_1")
    assert (s.gold, s.items) == (2, ["Item 7, upgraded", "Item 8, upgraded"])


def test_recover_dice() -> None:
    s = visit(gold=2, exhausted={"blue": 1})
    assert s.exhausted == {"yellow": 1, "blue": 1}
    s.do("recover_yellow", "recover_blue")
    assert (s.gold, s.ready) == (0, {"yellow": 3, "blue": 1})
    assert s.legal == ["done"]


def test_what_is_used_or_bought_lets_weaker_dice_be_recovered_after_stronger_ones() -> None:
    """Pay Gold: merchant actions in any order. Weakest first is only how a choice of dice is spelt, until something else happens."""
    purse = {"effects": [{"op": "gain_gold", "count": 1}], "cost": 1}
    s = visit(gold=1, exhausted={"blue": 1}, items=[{"cost": 1}, purse], held=["Item 1"]).do("recover_blue")
    assert s.legal == ["use_item_1", "done"]
    s.do("use_item_1")
    assert s.may("recover_yellow")
    paid = visit(gold=2, exhausted={"blue": 1}, items=[{"cost": 1}], ability=[{"op": "gain_gold", "count": 1, "when": "bought"}])
    assert paid.do("recover_blue", "buy_1").may("recover_yellow")


def test_raise_a_stat() -> None:
    """The same action as many times as you wish and can afford; a stat ends at 6."""
    s = visit(gold=20, health=5, strategy=3).do("choose_health")
    assert (s.gold, s.health) == (15, 6)
    assert not s.may("choose_health")
    s.do("choose_strategy", "choose_strategy")
    assert (s.gold, s.strategy, len(s.line)) == (5, 5, 5)


def test_only_what_you_can_afford() -> None:
    assert visit(gold=0, held=["Item 7"]).legal == ["use_item_1", "done"]
    assert visit(gold=2).legal == ["recover_yellow", "done"]


def test_tidy_up() -> None:
    """Tidy Up: what was not bought goes to the item discard pile."""
    s = visit((0, 1), gold=3).do("buy_2", "done")
    assert s.phase == "Travel"
    assert (s.zone("item_cards", 0), s.zone("item_cards", 1)) == (IN_DISCARD, IN_HAND)
    assert (s.p["shop"] == -1).all()


def test_empty_item_deck_is_reshuffled() -> None:
    """Stock the Shop: if the Item Deck is empty when you would draw, reshuffle the discard."""
    s = Scenario(dice={"yellow": 2})
    s.p["item_cards"] = IN_DISCARD
    s.p["item_cards"][4] = 0
    s.next_round().explore("yellow_hit", "yellow_hit", cards=[0, 1])
    assert s.chances == {"Item 4": 1}
    s.draw("Item 4")
    assert len(s.chances) == 14


def test_no_more_items_than_strategy() -> None:
    """Items: Strategy limits them; one may be discarded to make room."""
    s = visit(gold=3, strategy=1, held=["Item 7"])
    assert not s.may("buy_1")
    s.do("discard_item_1", "buy_1")
    assert s.items == ["Item 0"]
    assert s.zone("item_cards", 7) == IN_DISCARD


def test_six_items_are_the_most() -> None:
    """Strategy 6 and an effect that adds to it make no seventh place."""
    longer = [{"op": "strategy_change", "count": 1}]
    s = visit(gold=20, strategy=6, ability=longer, held=[f"Item {i}" for i in range(1, 7)])
    assert not s.may("buy_1")


def test_weary_hero_holds_one_item_fewer() -> None:
    s = Scenario(at="campfire/weary", strategy=2, health=3, gold=20, dice={"yellow": 1}, held=["Item 7"]).arrive().do("choose_health")
    s.explore("yellow_hit", cards=[1], shop=[0])
    assert not s.may("buy_1")


def test_items_are_used_in_any_phase() -> None:
    """Items: single-use ones at any time except in a roll."""
    heal = {"effects": [{"op": "gain_stat", "stat": "health", "count": 1}]}
    s = Scenario(items=[heal] * 6, held=["Item 0", "Item 1", "Item 2", "Item 3"], dice={"yellow": 2}, health=1, gold=0, at="minion/toll")
    s.p["gold"] = 2
    s.path(0).next_round().do("explore_yellow", "use_item_1", "done", "explore_roll_yellow").roll("hit").draw("Forest 1", "Item 9")
    s.do("use_item_1", "done", "use_item_1", "travel_left", "travel_a")
    assert s.phase == "Toll"
    assert s.do("use_item_1").health == 5


def test_upgraded_items_are_discarded_ordinary_side_up() -> None:
    """Discarding & Reshuffling Summary: items go to the discard with their ordinary sides face-up."""
    s = Scenario(held=["Item 3, upgraded"], gold=0, fables=[[{"op": "gain_item", "count": 1}]]).next_round().do("use_item_1")
    assert s.gold == 2
    s.p["item_cards"][s.p["item_cards"] == 0] = IN_HAND
    s.tell()
    assert s.chances == {"Item 3": 1}


def test_items_held_stay_when_strategy_falls() -> None:
    """Items (our reading): you cannot gain an item without room, but those you have stay."""
    s = Scenario(fables=[[{"op": "lose_stat", "stat": "strategy", "count": 2}]], strategy=3, held=["Item 1", "Item 2"]).tell()
    assert s.strategy == 1
    assert s.items == ["Item 1", "Item 2"]
