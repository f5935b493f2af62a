"""An Ever-Changing Deck: cards that flip, are banished, discarded, reshuffled; items."""

from typing import Any

import pytest

from tests.etherfields.scenario import Scenario, enemy, instant, item, ongoing, space

FLIP = {"op": "flip_card"}
DRAW = {"op": "draw_influence", "count": 1}
AS_INFLUENCE = instant(DRAW)


# Flipping


def test_a_flipped_card_goes_to_the_pile_of_its_new_type() -> None:
    """Discarding Flipped Cards: always discard a card to the pile that matches its type after the flip occurs."""
    for turned, pile in ((AS_INFLUENCE, "influence"), (item(), "item"), ({"type": "enemy", "health": 3, "damage": 1}, "enemy")):
        s = Scenario(influence=[instant(FLIP)], turned={"Influence 0": turned}, hand=["Influence 0"]).do("play_card_1")
        assert s.where("Influence 0") == f"{pile} discard"
        assert s.pile(pile, "discard") == ["Influence 0, turned"]
        assert s.hand == []


def test_an_enemy_that_turns_into_an_influence_card() -> None:
    """For example, an enemy might flip to become an influence card. It leaves the active area, and its dice are exhausted."""
    changing = enemy(effects=[{**FLIP, "when": "after_standing"}], damage=0)
    s = Scenario(enemies=[changing], turned={"Enemy 0": AS_INFLUENCE}, dice={"blue": 1}, recovery=1).fight()
    s.commit("blue").roll("hit").hit("blue_hit").do("resolve")
    assert s.active == {}
    assert s.where("Enemy 0") == "influence discard"
    assert s.exhausted == {"blue": 1}


def test_an_undefeated_enemy_that_is_an_enemy_still() -> None:
    """It stays in the active area (undefeated enemies do), as what it is now."""
    changing = enemy(effects=[{**FLIP, "when": "after_standing"}], damage=0)
    s = Scenario(enemies=[changing], turned={"Enemy 0": {"health": 6, "damage": 2}}).fight().do("roll", "resolve")
    assert s.active == {"Enemy 0, turned": "standing"}
    assert s.where("Enemy 0") == "enemy play"
    s.do("done")
    assert s.active == {"Enemy 0, turned": "standing"}


def test_two_sides_do_not_turn_each_other_for_ever() -> None:
    """One After effect of a card in a round."""
    changing = {"effects": [{**FLIP, "when": "after_standing"}], "damage": 0}
    s = Scenario(enemies=[enemy(**changing)], turned={"Enemy 0": changing}).fight().do("roll", "resolve")
    assert s.active == {"Enemy 0, turned": "standing"}
    s.do("done")
    s.fight(0).do("roll", "resolve")
    assert s.active == {"Enemy 0": "standing"}


def test_a_defeated_enemy_that_flips() -> None:
    """A defeated enemy is discarded, to the pile of its new type."""
    for when in ("falls", "after"):
        changing = enemy(health=1, effects=[{**FLIP, "when": when}])
        s = Scenario(enemies=[changing], turned={"Enemy 0": item()}, dice={"blue": 1}).fight().commit("blue").roll("hit").hit("blue_hit")
        s.do("resolve")
        assert s.active == {}
        assert s.where("Enemy 0") == "item discard"


def test_a_defeated_enemy_that_is_an_enemy_still() -> None:
    """It was defeated: the other side does not stand up in its place."""
    for when in ("falls", "after"):
        changing = enemy(health=1, effects=[{**FLIP, "when": when}])
        s = Scenario(enemies=[changing], turned={"Enemy 0": {"health": 2, "damage": 3}}, dice={"blue": 1}).fight()
        s.commit("blue").roll("hit").hit("blue_hit").do("resolve")
        assert s.active == {}
        assert s.pile("enemy", "discard") == ["Enemy 0, turned"]
        assert s.health == 4


def test_a_flipped_enemy_shows_its_new_effects_at_once() -> None:
    """During effects of the new side stand, those of the old one do not."""
    turned = {"effects": [{"op": "strategy_change", "count": -2}]}
    s = Scenario(
        influence=[instant({"op": "flip_enemy"})], hand=["Influence 0"], enemies=[enemy()], turned={"Enemy 0": turned}, dice={"blue": 2}
    ).meet()
    s.do("play_card_1", "target_1", "done").commit("blue").roll("miss")
    assert not s.may("again")


REWARD = [{"op": "flip_and_take"}]


def defeat(turned: dict[str, Any], **fields: Any) -> Scenario:
    s = Scenario(enemies=[enemy(health=1, reward=REWARD)], turned={"Enemy 0": turned}, dice={"blue": 1}, **fields).fight()
    return s.commit("blue").roll("hit").hit("blue_hit")


def test_a_reward_that_turns_into_an_influence_card() -> None:
    """Creatures shapeshift into items, influence becomes action: a defeated enemy flips and is taken into the hand."""
    s = defeat(AS_INFLUENCE).do("accept")
    assert s.hand == ["Enemy 0, turned"]
    assert s.where("Enemy 0") == "influence hand"
    assert s.active == {}
    assert s.exhausted == {"blue": 1}, "the die on it"
    assert s.may("play_card_1")


def test_a_reward_that_turns_into_an_item() -> None:
    s = defeat(item(gives={"wrath": 1})).do("accept")
    assert s.phase == "Take the item?"
    s.do("accept")
    assert s.items == ["Enemy 0, turned"]
    assert s.where("Enemy 0") == "item inventory"
    assert s.may("use_item_1") == bool(s.exhausted)
    declined = defeat(item()).do("accept", "decline")
    assert declined.where("Enemy 0") == "item discard"


def test_a_reward_that_is_refused() -> None:
    """Gaining the reward is optional: the card does not flip and is discarded as an enemy."""
    s = defeat(AS_INFLUENCE).do("decline", "resolve", "done", "done")
    assert s.where("Enemy 0") == "enemy discard"


def test_cards_of_the_new_type_are_drawn() -> None:
    """A card that has become an influence card is in the new Influence Deck when the discard is shuffled."""
    s = Scenario(turned={"Enemy 3": AS_INFLUENCE}, hand=["Influence 0"])
    s.only("influence").put(4, "Enemy 3, turned", "Influence 7")
    s.do("done", "spend_card_1")
    assert s.phase == "The Influence Deck is reshuffled"
    s.do("first")
    assert s.hand == ["Influence 0", "Influence 7", "Enemy 3, turned"]


# Reshuffling


def reshuffling(**fields: Any) -> Scenario:
    """Two cards in the Influence Deck, four in its discard, and an Influence step that draws five."""
    s = Scenario(**fields)
    s.only("influence", "Influence 0", "Influence 1").put(4, *(f"Influence {i}" for i in range(10, 14)))
    return s


def test_the_price_of_reshuffling_is_asked_when_it_is_needed() -> None:
    """Reshuffling: if you ever need to draw from an empty deck. Whenever you reshuffle the Influence Deck this way, you must also either
    suffer -2 Health or banish two random cards from that deck."""
    s = reshuffling().do("done")
    assert s.phase == "The Influence Deck is reshuffled"
    assert s.hand == ["Influence 0", "Influence 1"], "two were drawn before"
    assert s.legal == ["first", "second"]
    assert s.pile("influence") == [f"Influence {i}" for i in range(10, 14)]
    assert s.pile("influence", "discard") == []


def test_suffering_for_it() -> None:
    s = reshuffling(health=3).do("done", "first")
    assert s.health == 1
    assert s.hand == ["Influence 0", "Influence 1", "Influence 10", "Influence 11", "Influence 12"]


def test_banishing_for_it() -> None:
    """... two random cards from that deck: any of the new deck, before its top card is seen."""
    s = reshuffling().do("done", "second")
    assert s.phase == "Banish an influence card"
    assert s.chances == {f"Influence {i}": 1 for i in range(10, 14)}
    s.draw("Influence 11")
    assert s.chances == {f"Influence {i}": 1 for i in (10, 12, 13)}
    s.draw("Influence 12")
    assert s.health == 4
    assert s.hand == ["Influence 0", "Influence 1", "Influence 10", "Influence 13"], "and no more are left"
    assert s.pile("influence", "banished") == [
        *(f"Influence {i}" for i in range(2, 10)),
        "Influence 11",
        "Influence 12",
        *(f"Influence {i}" for i in range(14, 21)),
    ]
    assert s.phase == "Take actions"


def test_dying_of_it() -> None:
    """Health below 1 loses, whatever brought it there."""
    s = reshuffling(health=2).do("done", "first")
    assert s.ending == "died"


def test_no_price_for_an_empty_deck_that_is_not_needed() -> None:
    """The last card is drawn: no new deck until the next draw."""
    s = Scenario(hand=[f"Influence {i}" for i in range(10, 14)])
    s.only("influence", "Influence 0", "Influence 1").put(4, "Influence 15")
    s.do("done", "spend_card_1", "done")
    assert s.phase == "Take actions"
    assert len(s.hand) == 5
    assert s.top("influence") is None
    assert s.pile("influence", "discard") == ["Influence 10", "Influence 15"]


def test_no_price_without_a_discard() -> None:
    """With nothing to shuffle there is no reshuffling."""
    s = Scenario()
    s.only("influence", "Influence 0")
    s.do("done")
    assert s.hand == ["Influence 0"]
    assert (s.phase, s.health) == ("Take actions", 4)


def test_the_price_comes_with_every_reshuffle() -> None:
    s = Scenario(influence=[instant({"op": "draw_influence", "count": 2})], hand=["Influence 0"], health=5)
    s.only("influence").put(4, "Influence 10")
    s.do("play_card_1")
    assert s.phase == "The Influence Deck is reshuffled"
    s.do("first")
    assert s.health == 3
    assert s.hand == ["Influence 10"], "the card that was played resolves still: there is nothing else to draw"
    s.do("done", "spend_card_1")
    assert s.phase == "The Influence Deck is reshuffled"


def test_the_price_may_leave_nothing_to_draw() -> None:
    s = Scenario()
    s.only("influence").put(4, "Influence 5")
    s.do("done", "second").draw("Influence 5")
    assert s.hand == []
    assert s.phase == "Take actions"


def test_other_decks_have_no_price() -> None:
    s = Scenario(influence=[instant({"op": "gain_item", "count": 1})], hand=["Influence 0"])
    s.only("item").put(4, "Item 3")
    s.do("play_card_1")
    assert (s.phase, s.health) == ("Take the item?", 4)
    s.do("accept")
    assert s.items == ["Item 3"]


def test_reshuffled_cards_keep_their_side() -> None:
    """Remember not to flip the deck or any of its cards while shuffling."""
    s = Scenario()
    s.only("influence").put(4, "Influence 4, turned", "Influence 5")
    s.do("done", "first")
    assert s.hand == ["Influence 5", "Influence 4, turned"]


def test_numbers_of_the_deck_file() -> None:
    s = reshuffling(cards={"numbers": {"reshuffle_health": 1, "reshuffle_cards": 3, "hand_size": 4}}).do("done", "second")
    s.draw("Influence 10", "Influence 11", "Influence 12")
    assert s.hand == ["Influence 0", "Influence 1", "Influence 13"]
    assert reshuffling(cards={"numbers": {"reshuffle_health": 1}}).do("done", "first").health == 3


# Banishing


def test_banished_cards_are_gone() -> None:
    """Banishing: removed from the game; they are not shuffled into a new deck."""
    s = Scenario(influence=[instant({"op": "banish_card"}, DRAW)], hand=["Influence 0"])
    s.only("influence").put(4, "Influence 3")
    s.do("play_card_1")
    assert s.where("Influence 0") == "influence banished"
    s.do("first")
    assert s.hand == ["Influence 3"]


def test_dice_on_a_banished_card_are_exhausted() -> None:
    """Applied Dice: exhausted when the cards they are applied to are discarded, banished, or otherwise removed."""
    gone = enemy(health=1, effects=[{"op": "banish_card", "when": "falls"}])
    s = Scenario(enemies=[gone], dice={"blue": 1}).fight().commit("blue").roll("hit").hit("blue_hit")
    assert s.active == {}
    assert s.exhausted == {"blue": 1}
    assert s.where("Enemy 0") == "enemy banished"


def test_banished_dice() -> None:
    """Dice States: banished dice cannot be recovered. Banishing: they can be taken from any area; an effect may return them."""
    s = Scenario(influence=[instant({"op": "banish", "count": 1}, DRAW)], hand=["Influence 0"], dice={"blue": 1}, exhausted={"red": 1})
    s.do("play_card_1")
    assert s.legal == ["banish_ready_blue", "banish_exhausted_red"]
    s.do("banish_exhausted_red")
    assert s.banished == {"red": 1}
    s = Scenario(dice={}, banished={"red": 1}, ether="red", enemies=[enemy(damage=0)]).fight().do("roll", "resolve")
    assert s.phase == "Take actions"
    s = Scenario(influence=[instant({"op": "restore", "count": 1})], hand=["Influence 0"], banished={"red": 1}, dice={}).do(
        "play_card_1", "restore_red"
    )
    assert s.ready == {"red": 1}


# Discarding


def test_drawing_and_discarding_mean_influence_cards() -> None:
    """Influence: if an effect instructs you to draw or discard cards, it is referring to influence cards."""
    s = Scenario(influence=[instant({"op": "discard_influence", "count": 2}, DRAW)], hand=[f"Influence {i}" for i in range(5)]).do(
        "play_card_1"
    )
    assert s.phase == "Discard influence cards"
    assert s.legal == ["spend_card_1", "spend_card_2", "spend_card_3"], "the fourth would leave none to follow it"
    s.do("spend_card_2")
    assert s.legal == ["spend_card_2", "spend_card_3"]
    s.do("spend_card_3")
    assert s.hand == ["Influence 1", "Influence 3", "Influence 5"]


def test_discarding_more_than_there_are() -> None:
    s = Scenario(influence=[instant({"op": "discard_influence", "count": 5}, {"op": "advance_ether"})], hand=["Influence 0", "Influence 1"])
    s.do("play_card_1", "spend_card_1")
    assert s.hand == []
    assert s.ether == "green"


def test_the_hand_holds_eight() -> None:
    """Our reading: there is room for eight cards in hand; no more are drawn."""
    s = Scenario(influence=[instant({"op": "draw_influence", "count": 5})], hand=[f"Influence {i}" for i in range(7)]).do("play_card_1")
    assert len(s.hand) == 8
    assert s.top("influence") == "Influence 9"


# Items


def test_items_are_gained_one_at_a_time() -> None:
    """Items are gained one at a time; a random item comes from the top of the Item Deck; it may be refused."""
    s = Scenario(influence=[instant({"op": "gain_item", "count": 2})], hand=["Influence 0"]).do("play_card_1")
    assert s.phase == "Take the item?"
    assert s.legal == ["accept", "decline"]
    s.do("decline", "accept")
    assert s.items == ["Item 1"]
    assert s.where("Item 0") == "item discard"
    assert s.top("item") == "Item 2"


def test_no_more_items_than_strategy() -> None:
    """Items: you cannot gain an item if you do not have room; you may use or discard items you already have to make room."""
    s = Scenario(influence=[instant({"op": "gain_item", "count": 1})], hand=["Influence 0"], held=["Item 0", "Item 1"], strategy=2)
    s.do("play_card_1")
    assert set(s.legal) == {"decline", "discard_item_1", "discard_item_2", "use_item_1", "use_item_2"}
    s.do("discard_item_2")
    assert s.legal == ["use_item_1", "accept", "decline"]
    s.do("accept")
    assert s.items == ["Item 0", "Item 2"]
    assert s.where("Item 1") == "item discard"


def test_using_an_item_to_make_room() -> None:
    """... and you cannot use items you have yet to gain."""
    s = Scenario(
        influence=[instant({"op": "gain_item", "count": 1})],
        hand=["Influence 0"],
        held=["Item 0"],
        strategy=1,
        exhausted={"red": 1},
        dice={},
    )
    s.do("play_card_1")
    assert set(s.legal) == {"use_item_1", "decline", "discard_item_1"}
    s.do("use_item_1", "recover_red", "accept")
    assert s.items == ["Item 1"]
    assert s.ready == {"red": 1}


def test_single_use_items() -> None:
    """Items: single-use items can be used once and are then discarded."""
    s = Scenario(held=["Item 0"], exhausted={"red": 2}, dice={}).do("use_item_1", "recover_red")
    assert s.items == []
    assert s.where("Item 0") == "item discard"


def test_ongoing_items_last() -> None:
    """Items: an ongoing item has a persistent effect until the item is discarded."""
    heavy = item({"op": "strategy_change", "count": -2}, uses="ongoing", gives={"wrath": 1})
    s = Scenario(
        items=[heavy],
        held=["Item 0"],
        dice={"blue": 1},
        enemies=[enemy(damage=0)] * 9,
        here=space({"op": "advance_ether"}, cost=[{"wrath": 1}]),
    )
    for _ in range(2):
        s.fight(1).commit("blue").roll("miss")
        assert not s.may("again")
        s.do("resolve", "recover_blue", "done")
    s.do("unique_1", "discard_item_1").fight(1).commit("blue").roll("miss")
    assert s.may("again"), "until it is discarded"


def test_an_item_that_flips_itself() -> None:
    """Discarding Flipped Cards, for an item."""
    for uses in ("single", "ongoing"):
        s = Scenario(items=[item(DRAW, FLIP, uses=uses)], turned={"Item 0": AS_INFLUENCE}, held=["Item 0"]).do("use_item_1")
        assert s.items == []
        assert s.where("Item 0") == "influence discard"
        assert s.hand == ["Influence 0"]


def test_an_item_that_banishes_itself() -> None:
    for uses in ("single", "ongoing"):
        s = Scenario(items=[item(DRAW, {"op": "banish_card"}, uses=uses)], held=["Item 0"]).do("use_item_1")
        assert s.items == []
        assert s.where("Item 0") == "item banished"


def test_an_ongoing_influence_card_that_is_discarded() -> None:
    """An ongoing influence card is an item in the inventory, and an influence card again in the discard."""
    s = Scenario(influence=[ongoing(), instant({"op": "gain_item", "count": 1})], held=["Influence 0"], hand=["Influence 1"], strategy=1)
    s.do("play_card_1", "discard_item_1", "accept")
    assert s.where("Influence 0") == "influence discard"
    assert s.items == ["Item 0"]


@pytest.mark.parametrize("held", [1, 3, 6])
def test_the_inventory_holds_as_many_as_strategy(held: int) -> None:
    s = Scenario(
        influence=[instant({"op": "gain_item", "count": 1})], hand=["Influence 0"], held=[f"Item {i}" for i in range(held)], strategy=held
    )
    s.do("play_card_1")
    assert not s.may("accept")
    s.p["stats"][1] = min(6, held + 1)
    assert s.may("accept") == (held < 6)


# Applied dice


def test_changed_damage_counts_for_dice_already_applied() -> None:
    """Applied Dice: effects that change the damage a die deals also impact dice already applied."""
    s = Scenario(
        enemies=[enemy(health=2)],
        influence=[ongoing({"op": "hit_bonus", "colours": "all", "count": 1})],
        hand=["Influence 0"],
        dice={"blue": 1},
    ).fight()
    s.commit("blue").roll("hit").hit("blue_hit")
    assert s.active == {"Enemy 0": "standing"}
    s.do("play_card_1")
    assert s.active == {"Enemy 0": "defeated"}


def test_the_defeated_remain_defeated() -> None:
    """Defeated enemies remain defeated regardless of changing damage effects."""
    bonus = item({"op": "hit_bonus", "colours": "all", "count": 1}, uses="ongoing", gives={"cunning": 1})
    s = Scenario(enemies=[enemy(health=2), enemy(health=9)], items=[bonus], held=["Item 0"], dice={"blue": 1}).fight(2)
    s.commit("blue").roll("hit").hit("blue_hit")
    assert s.active["Enemy 0"] == "defeated"
    s.do("move", "discard_item_1")
    assert s.items == []
    assert s.active["Enemy 0"] == "defeated"
