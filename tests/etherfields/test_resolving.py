"""Cards that flip, leave or are banished while they resolve: until all that they say is done they lie in no deck and no discard."""

from typing import Any

import pytest

from tests.etherfields.scenario import Scenario, enemy, instant, item

DRAW = {"op": "draw_influence", "count": 1}
FLIP = {"op": "flip_card"}
TAKE = {"op": "flip_and_take"}
GAIN = {"op": "gain_item", "count": 1}
AS_ENEMY: dict[str, Any] = {"type": "enemy", "health": 4, "damage": 1, "effects": [], "reward": []}


def drawing(*effects: dict[str, Any], turned: dict[str, Any] = AS_ENEMY) -> Scenario:
    """An instant card is played that draws from an empty deck, with two cards in the discard; the price of reshuffling is due."""
    s = Scenario(influence=[instant(*effects)], turned={"Influence 0": turned}, hand=["Influence 0"], reveal=False)
    while s.phase == "Turn up the next card of a deck":
        s.roll(next(iter(s.chances)))
    s.take("Influence 0").only("influence").put(4, "Influence 1", "Influence 2").do("play_card_1")
    assert s.phase == "The Influence Deck is reshuffled"
    return s


def test_a_played_card_is_not_reshuffled_before_it_has_resolved() -> None:
    """Instant: the card resolves first. What it draws cannot be the card itself, and it flips where it lies."""
    s = drawing(DRAW, FLIP).do("first")
    assert s.chances == {"Influence 1": 1, "Influence 2": 1}
    s.roll("Influence 1", "Influence 2")
    assert s.hand == ["Influence 1"]
    assert (s.top("influence"), s.pile("influence")) == ("Influence 2", ["Influence 2"])
    assert s.pile("enemy", "discard") == ["Influence 0, turned"], "discarding flipped cards: to the pile of the type after the flip"


def test_it_lies_nowhere_until_then() -> None:
    s = drawing(DRAW, FLIP)
    assert s.where("Influence 0") == "influence resolving"
    assert s.pile("influence", "discard") == []


def test_it_is_not_banished_for_its_own_draw() -> None:
    """Reshuffling: two random cards from that deck. The played card is not in it, and is not brought back by its flip."""
    s = drawing(DRAW, FLIP).do("second")
    assert s.chances == {"Influence 1": 1, "Influence 2": 1}
    s.roll("Influence 1", "Influence 2")
    assert s.where("Influence 0") == "enemy discard"
    assert s.pile("influence", "banished")[:2] == ["Influence 1", "Influence 2"]


def test_a_card_that_flips_first_waits_too() -> None:
    """Flipped to an influence card, and resolving still: it is discarded at the end."""
    s = drawing(FLIP, DRAW, turned=instant(DRAW)).do("first")
    assert s.chances == {"Influence 1": 1, "Influence 2": 1}
    s.roll("Influence 2", "Influence 1")
    assert s.pile("influence", "discard") == ["Influence 0, turned"]


def test_a_card_that_takes_itself() -> None:
    """Flipped and taken in the middle of its effects, it stays in hand."""
    s = drawing(TAKE, DRAW, turned=instant(DRAW)).do("first").roll("Influence 2", "Influence 1")
    assert s.hand == ["Influence 2", "Influence 0, turned"]
    assert s.pile("influence", "discard") == []


def test_a_card_that_banishes_itself() -> None:
    s = drawing({"op": "banish_card"}, DRAW, FLIP).do("first").roll("Influence 2", "Influence 1")
    assert s.where("Influence 0") == "influence banished"


def test_recalling_does_not_recall_the_card_itself() -> None:
    s = Scenario(influence=[instant({"op": "recall", "count": 2})], hand=["Influence 0"]).put(4, "Influence 8").do("play_card_1")
    assert s.chances == {"Influence 8": 1}
    s.draw("Influence 8")
    assert (s.phase, s.hand) == ("Take actions", ["Influence 8"])
    assert s.where("Influence 0") == "influence discard"


def test_an_item_is_not_gained_by_itself() -> None:
    """A single-use item lies aside while it resolves."""
    s = Scenario(items=[item(GAIN, FLIP)], turned={"Item 0": AS_ENEMY}, held=["Item 0"])
    s.only("item").put(4, "Item 3").do("use_item_1")
    assert s.where("Item 0") == "item resolving"
    s.do("accept")
    assert s.items == ["Item 3"]
    assert s.where("Item 0") == "enemy discard"


@pytest.mark.parametrize("answer", [FLIP, {"op": "banish_card"}, TAKE], ids=lambda effect: effect["op"])
def test_an_item_discarded_before_its_answer(answer: dict[str, Any]) -> None:
    """Two items answer to the same event; for what the first brings the second makes room. It cannot be drawn before it has answered."""
    first = item({**GAIN, "count": 2, "when": "explored"}, uses="ongoing")
    second = item({**answer, "when": "explored"}, uses="ongoing")
    s = Scenario(items=[first, second], held=["Item 0", "Item 1"], strategy=2, at="0a", dice={"green": 1})
    s.only("item", "Item 5").do("explore", "exhaust_green")
    assert s.phase == "Take the item?"
    s.do("discard_item_2", "accept")
    where = {"flip_card": "item discard", "banish_card": "item banished"}.get(answer["op"])
    if answer is TAKE:
        assert s.phase == "Take the item?", "the item itself, turned"
        s.do("decline")
        where = "item discard"
    assert (s.phase, s.items) == ("Take actions", ["Item 0", "Item 5"])
    assert s.where("Item 1") == where
    assert s.pile("item", "discard") == ([] if answer["op"] == "banish_card" else ["Item 1, turned"])


def fleeing(*more: dict[str, Any]) -> Scenario:
    """An enemy flees after a roll, from an Enemy Deck that is empty."""
    effects = [{"op": "flee", "face": "miss", "count": 1, "when": "rolled"}, *({**effect, "when": "rolled"} for effect in more)]
    s = Scenario(enemies=[enemy(effects=effects)], turned={"Enemy 0": item()}, dice={"blue": 1}).fight()
    s.only("enemy").commit("blue").roll("miss")
    return s


def test_an_enemy_that_flees_does_not_come_back_by_its_own_effect() -> None:
    s = fleeing({"op": "activate", "count": 1})
    assert s.active == {}
    assert s.pile("enemy", "discard") == ["Enemy 0"]


def test_an_enemy_that_flees_and_flips() -> None:
    s = fleeing({"op": "activate", "count": 1}, FLIP)
    assert s.pile("item", "discard") == ["Enemy 0, turned"]
    assert s.top("enemy") is None


def test_an_enemy_that_is_shuffled_back_and_flips() -> None:
    """It goes into the deck of its type, after all that it says."""
    effects = [{"op": "return_to_deck", "when": "after"}, {**FLIP, "when": "after"}]
    s = Scenario(enemies=[enemy(effects=effects, damage=0)], turned={"Enemy 0": item()}).fight().do("roll", "resolve")
    assert "Enemy 0, turned" in s.pile("item")
    assert s.pile("item", "discard") == []
    assert s.top("item") == "Enemy 0, turned"


def test_a_card_that_has_left_does_not_flip() -> None:
    """An enemy that flipped away as it fell pays its reward; what the reward says of the card finds it gone."""
    changing = enemy(health=1, effects=[{**FLIP, "when": "falls"}], reward=[DRAW, TAKE])
    s = Scenario(enemies=[changing], turned={"Enemy 0": item()}, hand=[], dice={"blue": 1}).fight()
    s.commit("blue").roll("hit").hit("blue_hit").do("accept")
    assert s.hand == ["Influence 0"]
    assert s.where("Enemy 0") == "item discard"


@pytest.mark.parametrize("last", ["return_to_deck", "flee", "banish_applied"])
def test_another_enemy_in_its_place(last: str) -> None:
    """What an enemy says of itself is not done to the one that has taken its place since."""
    about_itself = {"return_to_deck": {}, "flee": {"face": "hit", "count": 1}, "banish_applied": {"count": 1}}[last]
    effects = [{**effect, "when": "rolled"} for effect in (FLIP, {"op": "activate", "count": 1}, {"op": last, **about_itself})]
    s = Scenario(enemies=[enemy(effects=effects), enemy(health=9)], turned={"Enemy 0": item()}, dice={"blue": 1}).fight()
    s.commit("blue").roll("hit")
    assert (s.phase, s.active) == ("Apply Dice", {"Enemy 1": "standing"})
    assert s.where("Enemy 0") == "item discard"
