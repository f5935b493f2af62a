"""Taking Actions: payments, standard actions, influence actions, map actions."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from deckwood.etherfields import steps
from deckwood.strong.vocabulary import ENEMY_HEALTH
from tests.etherfields.scenario import Scenario, enemy, instant, item, ongoing, space

CUNNING_2 = instant(gives={"cunning": 2})
WRATH_1, WRATH_2 = instant(gives={"wrath": 1}), instant(gives={"wrath": 2})
NO_DICE: dict[str, int] = {}

# Paying


@pytest.mark.parametrize(
    ("colour", "resource"), [("green", "awareness"), ("yellow", "cunning"), ("red", "wrath"), ("blue", None), ("purple", None)]
)
def test_dice_for_resources(colour: str, resource: str | None) -> None:
    """Taking Actions: exhaust a ready die: green for 1 Awareness, yellow for 1 Cunning, red for 1 Wrath."""
    for wanted in ("awareness", "cunning", "wrath"):
        s = Scenario(dice={colour: 1}, here=space({"op": "set_ether", "colour": "red"}, cost=[{wanted: 1}]))
        assert s.may("unique_1") == (resource == wanted)
        if resource == wanted:
            s.do("unique_1")
            assert s.legal == [f"exhaust_{colour}"]
            s.do(f"exhaust_{colour}")
            assert s.exhausted == {colour: 1}
            assert s.ready == {}
            assert s.ether == "red"


def test_dice_that_are_not_ready_do_not_pay() -> None:
    s = Scenario(dice=NO_DICE, exhausted={"yellow": 4}, here=space({"op": "set_ether", "colour": "red"}, cost=[{"cunning": 1}]))
    assert not s.may("unique_1")


def test_cards_of_the_hand() -> None:
    """Taking Actions: discard an influence card with the desired resource from your hand."""
    s = Scenario(
        influence=[CUNNING_2, WRATH_1],
        hand=["Influence 0", "Influence 1"],
        dice=NO_DICE,
        here=space({"op": "advance_ether"}, cost=[{"cunning": 2}]),
    )
    s.do("unique_1")
    assert s.legal == ["spend_card_1"], "the other card gives nothing of it"
    s.do("spend_card_1")
    assert s.where("Influence 0") == "influence discard"
    assert s.hand == ["Influence 1"]
    assert s.ether == "green"


def test_cards_of_the_inventory() -> None:
    """Taking Actions: discard an influence or item card with the desired resource from your inventory."""
    s = Scenario(
        influence=[ongoing(gives={"wrath": 1})],
        items=[item(gives={"wrath": 1})],
        held=["Influence 0", "Item 0"],
        dice=NO_DICE,
        here=space({"op": "advance_ether"}, cost=[{"wrath": 2}]),
    )
    s.do("unique_1")
    assert s.legal == ["discard_item_1"], "both are needed"
    s.do("discard_item_1", "discard_item_1")
    assert s.items == []
    assert s.where("Influence 0") == "influence discard"
    assert s.where("Item 0") == "item discard"
    assert s.ether == "green"


def test_spending_is_not_using() -> None:
    """Where items cannot be used they can be spent: that is another thing than their effect."""
    s = Scenario(
        enemies=[enemy(effects=[{"op": "no_items"}])],
        items=[item({"op": "advance_ether"}, gives={"wrath": 1})],
        held=["Item 0"],
        dice=NO_DICE,
        here=space({"op": "set_ether", "colour": "red"}, cost=[{"wrath": 1}]),
    ).meet()
    assert not s.may("use_item_1")
    s.do("unique_1", "discard_item_1")
    assert (s.ether, s.items) == ("red", [])


def test_items_on_the_table_only() -> None:
    """An item that is not held pays nothing."""
    s = Scenario(items=[item(gives={"wrath": 5})], dice=NO_DICE, here=space({"op": "advance_ether"}, cost=[{"wrath": 1}]))
    assert not s.may("unique_1")


def test_cards_and_dice_together() -> None:
    """You can discard any number of cards and exhaust any number of dice at once."""
    s = Scenario(
        influence=[WRATH_1],
        hand=["Influence 0"],
        items=[item(gives={"wrath": 1})],
        held=["Item 0"],
        dice={"red": 1, "yellow": 1},
        here=space({"op": "advance_ether"}, cost=[{"wrath": 3, "cunning": 1}]),
    ).do("unique_1", "spend_card_1", "discard_item_1")
    assert s.legal == ["exhaust_yellow"], "cunning comes before wrath"
    s.do("exhaust_yellow")
    assert s.legal == ["exhaust_red"]
    s.do("exhaust_red")
    assert (s.ready, s.hand, s.items, s.ether) == ({}, [], [], "green")


def test_one_card_pays_for_several_resources() -> None:
    """A card that gives two resources gives both to the action."""
    both = instant(gives={"wrath": 1, "cunning": 1})
    s = Scenario(
        influence=[both], hand=["Influence 0"], dice=NO_DICE, here=space({"op": "advance_ether"}, cost=[{"wrath": 1, "cunning": 1}])
    )
    s.do("unique_1", "spend_card_1")
    assert s.ether == "green"


def test_what_is_not_needed_is_lost() -> None:
    """Extra resources not needed for the current action are lost; resources cannot be split across several actions."""
    two = {"op": "set_ether", "colour": "red"}
    s = Scenario(influence=[instant(gives={"cunning": 3})], hand=["Influence 0"], dice=NO_DICE, here=space(two, cost=[{"cunning": 1}]))
    s.do("unique_1", "spend_card_1")
    assert s.ether == "red"
    assert not s.may("move")
    assert s.p["due"].tolist() == [0, 0, 0]


def test_an_action_that_cannot_be_paid_is_not_offered() -> None:
    """You may take as many actions as you are able to."""
    act = space({"op": "advance_ether"}, cost=[{"wrath": 2, "awareness": 1}])
    assert not Scenario(dice={"red": 1, "green": 1}, here=act).may("unique_1")
    assert not Scenario(influence=[WRATH_2], hand=["Influence 0"], dice={"red": 1}, here=act).may("unique_1")
    assert Scenario(influence=[WRATH_2], hand=["Influence 0"], dice={"green": 1}, here=act).may("unique_1")


def test_a_payment_never_falls_short() -> None:
    """What was passed over is not needed: places are paid upward, and those that would leave too little are not offered."""
    act = space({"op": "advance_ether"}, cost=[{"wrath": 3}])
    s = Scenario(influence=[WRATH_1, WRATH_1, WRATH_2], hand=[f"Influence {i}" for i in range(3)], dice=NO_DICE, here=act).do("unique_1")
    assert s.legal == ["spend_card_1", "spend_card_2"]
    s.do("spend_card_2")
    assert s.legal == ["spend_card_2"], "the third card has moved up"
    s.do("spend_card_2")
    assert s.hand == ["Influence 0"]


def payments(s: Scenario) -> list[tuple[bytes, tuple[str, ...]]]:
    """Every way to make the payment that is being made, with the position it leads to."""
    found = []
    before = s.position.copy()
    for name in s.legal:
        s.do(name)
        more = payments(s) if s.phase == "Spend resources" else [(key(s), ())]
        found += [(end, (name, *rest)) for end, rest in more]
        s.position[:] = before
        s.p = s.position[0]
    assert s.legal, "never a dead end"
    return found


def key(s: Scenario) -> bytes:
    """The position, but for how many decisions led to it."""
    position = s.position.copy()
    position["decisions"] = 0
    return bytes(position.tobytes())


MIXED: Sequence[dict[str, Any]] = [
    instant(gives={"wrath": 1}),
    instant(gives={"wrath": 1, "cunning": 1}),
    instant(gives={"cunning": 2}),
    instant(gives={"awareness": 1, "wrath": 2}),
]


@pytest.mark.parametrize("cost", [{"wrath": 2}, {"wrath": 3, "cunning": 1}, {"cunning": 3}, {"awareness": 2, "wrath": 1}])
def test_each_payment_has_one_spelling(cost: dict[str, int]) -> None:
    """Every choice of cards and dice that pays, without anything that was not needed when it was spent, is there exactly once; and every
    smallest choice is."""
    s = Scenario(
        influence=MIXED,
        hand=[f"Influence {i}" for i in range(4)],
        items=[item(gives={"wrath": 1}), item(gives={"awareness": 1, "cunning": 1})],
        held=["Item 0", "Item 1"],
        dice={"yellow": 2, "green": 2, "blue": 1, "red": 1},
        here=space({"op": "advance_ether"}, cost=[cost]),
    ).do("unique_1")
    found = payments(s)
    ends = Counter(end for end, _ in found)
    assert set(ends.values()) == {1}
    spent = {spending(s, names) for _, names in found}
    assert minimal_payments(cost) <= spent


GIVES = {
    "I0": (0, 0, 1), "I1": (0, 1, 1), "I2": (0, 2, 0), "I3": (1, 0, 2), "T0": (0, 0, 1), "T1": (1, 1, 0),
    "yellow1": (0, 1, 0), "yellow2": (0, 1, 0), "green1": (1, 0, 0), "green2": (1, 0, 0), "red1": (0, 0, 1),
}  # fmt: skip


def minimal_payments(cost: dict[str, int]) -> set[tuple[str, ...]]:
    """Sets of the cards and dice above that pay, none of which could be left out; of two dice of a colour the first is spent first."""
    due = [cost.get(name, 0) for name in ("awareness", "cunning", "wrath")]

    def pays(chosen: Sequence[str]) -> bool:
        return all(sum(GIVES[name][r] for name in chosen) >= due[r] for r in range(3))

    names = list(GIVES)
    found = set()
    for bits in range(1 << len(names)):
        chosen = [name for i, name in enumerate(names) if bits >> i & 1]
        if any(colour + "2" in chosen and colour + "1" not in chosen for colour in ("yellow", "green")):
            continue
        if pays(chosen) and not any(pays([other for other in chosen if other != name]) for name in chosen):
            found.add(tuple(sorted(chosen)))
    return found


def spending(s: Scenario, names: Sequence[str]) -> tuple[str, ...]:
    """The cards and dice that these actions spend."""
    hand, items = [f"I{i}" for i in range(4)], ["T0", "T1"]
    spent = []
    for name in names:
        if name.startswith("spend_card"):
            spent.append(hand.pop(int(name[-1]) - 1))
        elif name.startswith("discard_item"):
            spent.append(items.pop(int(name[-1]) - 1))
        else:
            colour = name.removeprefix("exhaust_")
            spent.append(f"{colour}{1 + sum(other.startswith(colour) for other in spent)}")
    return tuple(sorted(spent))


def test_each_payment_of_a_movement_has_one_spelling() -> None:
    """Spend any amount of Cunning: all of them, each once."""
    s = Scenario(influence=MIXED, hand=[f"Influence {i}" for i in range(4)], dice={"yellow": 3, "green": 1}).do("move")
    found = payments(s)
    assert set(Counter(end for end, _ in found).values()) == {1}
    assert {spending(s, [name for name in names if name != "done"]) for _, names in found} == {
        tuple(sorted((*cards, *(f"yellow{i + 1}" for i in range(dice)))))
        for cards in ((), ("I1",), ("I2",), ("I1", "I2"))
        for dice in range(4)
        if cards or dice
    }


# Standard actions: movement


def test_one_space_for_each_cunning() -> None:
    """Movement: spend any amount of Cunning to move one space for each."""
    s = Scenario(dice={"yellow": 3}).do("move", "exhaust_yellow")
    assert s.legal == ["exhaust_yellow", "done"]
    s.do("exhaust_yellow", "done")
    assert (s.phase, s.at) == ("Move", "0c")
    assert s.ready == {"yellow": 1}
    s.do("go_to_1", "go_to_2")
    assert s.at == "0b"
    assert s.phase == "Take actions"


def test_movement_by_a_card() -> None:
    """All the Cunning of a card counts; you need not use it."""
    s = Scenario(influence=[instant(gives={"cunning": 3})], hand=["Influence 0"], dice=NO_DICE).do("move", "spend_card_1")
    s.do("go_to_1", "done")
    assert s.at == "0a"
    assert s.phase == "Take actions"
    assert not s.may("move")


def test_movement_needs_cunning() -> None:
    assert not Scenario(dice={"green": 4, "red": 1}, influence=[WRATH_1], hand=["Influence 0"]).may("move")


# Standard actions: assault


def test_assault() -> None:
    """Assault: spend any amount of Wrath to deal 1 damage for each to a non-boss enemy in the active area; it must be defeated by it."""
    s = Scenario(
        enemies=[enemy(health=2), enemy(health=1), enemy(health=4)],
        influence=[WRATH_1, WRATH_2],
        hand=["Influence 0", "Influence 1"],
        dice=NO_DICE,
    )
    s.meet(3).do("assault")
    assert s.legal == ["target_1", "target_2"], "3 Wrath do not defeat the third"
    s.do("target_1")
    assert s.legal == ["spend_card_1", "spend_card_2"]
    s.do("spend_card_2")
    assert s.active == {"Enemy 0": "defeated", "Enemy 1": "standing", "Enemy 2": "standing"}
    assert s.hand == ["Influence 0"]
    s.do("assault")
    assert s.legal == ["target_2"]


def test_no_assault_without_an_enemy_to_fell() -> None:
    s = Scenario(enemies=[enemy(health=2)], dice={"red": 1})
    assert not s.may("assault")
    assert not s.meet().may("assault")
    assert Scenario(enemies=[enemy(health=1)], dice={"red": 1}).meet().may("assault")


def test_assault_counts_the_damage_already_dealt() -> None:
    s = Scenario(enemies=[enemy(health=3)], dice={"blue": 2, "red": 1}).fight().commit("blue", "blue").roll("hit", "hit").hit("blue_hit")
    assert not s.may("assault")
    s.hit("blue_hit").do("assault", "target_1", "exhaust_red")
    assert s.active == {"Enemy 0": "defeated"}


def test_assault_gives_the_reward() -> None:
    """Instant rewards are gained immediately when the enemy is defeated, however that comes about; the enemy stays until Cleanup."""
    rich = enemy(health=1, reward=[{"op": "gain_stat", "stat": "health", "count": 1}])
    s = Scenario(enemies=[rich], dice={"red": 1}, flip="enemy_fell").meet().do("assault", "target_1", "exhaust_red")
    assert s.phase == "Take the reward?"
    s.do("accept")
    assert s.health == 5
    assert s.hero == "Hero 0, lucid"
    assert s.where("Enemy 0") == "enemy play"


def test_never_a_boss() -> None:
    """Assault: a non-boss enemy."""
    s = Scenario(bosses=[{"a": {"health": 1}}], dice={"red": 1}, influence=[WRATH_2, WRATH_2], hand=["Influence 0", "Influence 1"])
    s.do("unique_1")
    assert s.active == {"Boss 0": "standing"}
    assert not s.may("assault")


@pytest.mark.parametrize(
    "effect", [{"op": "protected"}, {"op": "colours_needed", "count": 2}, {"op": "damage_cap", "count": 1}], ids=lambda effect: effect["op"]
)
def test_an_enemy_that_damage_alone_does_not_fell(effect: dict[str, Any]) -> None:
    """The enemy must be defeated by this damage."""
    s = Scenario(enemies=[enemy(health=2, effects=[effect]), enemy(health=9)], influence=[WRATH_2], hand=["Influence 0"], dice=NO_DICE)
    assert not s.meet(2).may("assault")


def test_assault_before_cleanup() -> None:
    """Actions can be taken at any time: an enemy that was not defeated by dice may be assaulted before Cleanup."""
    s = Scenario(enemies=[enemy(health=1)], dice={"red": 1}).fight().do("roll", "resolve")
    assert s.phase == "Take actions"
    s.do("assault", "target_1", "exhaust_red", "done")
    assert s.where("Enemy 0") == "enemy discard"


# Influence actions


def test_instant() -> None:
    """Instant: discard an influence card to immediately resolve its effect."""
    s = Scenario(influence=[instant({"op": "set_ether", "colour": "purple"})], hand=["Influence 0"]).do("play_card_1")
    assert s.where("Influence 0") == "influence discard"
    assert (s.ether, s.hand) == ("purple", [])


def test_a_played_card_does_not_pay_for_itself() -> None:
    """If the action requires spending any resources, those cannot come from the card you are using for the action."""
    card = instant({"op": "advance_ether"}, gives={"wrath": 2}, cost={"wrath": 1})
    s = Scenario(influence=[card, WRATH_1], hand=["Influence 0"], dice=NO_DICE)
    assert not s.may("play_card_1")
    s.take("Influence 0", "Influence 1").do("play_card_1")
    assert s.legal == ["spend_card_1"]
    s.do("spend_card_1")
    assert s.pile("influence", "discard") == ["Influence 0", "Influence 1"]
    assert s.ether == "green"


def test_two_such_cards_pay_for_each_other() -> None:
    card = instant({"op": "advance_ether"}, gives={"wrath": 1}, cost={"wrath": 1})
    s = Scenario(influence=[card, card], hand=["Influence 0", "Influence 1"], dice=NO_DICE).do("play_card_2", "spend_card_1")
    assert s.hand == []
    assert s.ether == "green"


def test_ongoing() -> None:
    """Ongoing: after spending the required resources, place the card in your inventory. Once placed it is an Ongoing item."""
    card = ongoing({"op": "recovery_change", "count": 2}, cost={"wrath": 1})
    s = Scenario(influence=[card, WRATH_1], hand=["Influence 0", "Influence 1"], dice={"yellow": 5}, recovery=1, ether="red").do(
        "play_card_1", "spend_card_1"
    )
    assert s.items == ["Influence 0"]
    assert s.where("Influence 0") == "influence inventory"
    s.fight().commit(*["yellow"] * 5).roll(*["miss"] * 5).do("resolve", "recover_yellow", "recover_yellow", "recover_yellow")
    assert s.ready == {"yellow": 3}
    assert s.phase == "Take actions"


def test_an_ongoing_card_is_used_like_an_item() -> None:
    card = ongoing({"op": "advance_ether"})
    s = Scenario(influence=[card], hand=["Influence 0"]).do("play_card_1", "use_item_1")
    assert s.ether == "green"
    assert s.items == ["Influence 0"]
    assert not s.may("use_item_1")


def test_an_ongoing_card_needs_room() -> None:
    """Items: your Strategy indicates how many items you can have; you may discard items to make room."""
    s = Scenario(influence=[ongoing({"op": "advance_ether"})], hand=["Influence 0"], held=["Item 0", "Item 1"], strategy=2)
    s.do("play_card_1")
    assert s.phase == "Take the item?"
    assert set(s.legal) == {"decline", "discard_item_1", "discard_item_2", "use_item_1", "use_item_2"}
    s.do("discard_item_1", "accept")
    assert s.items == ["Influence 0", "Item 1"]
    assert s.where("Item 0") == "item discard"


def test_an_item_that_pays_makes_room() -> None:
    """After spending the required resources, place the card: what was spent is gone by then."""
    card = ongoing(cost={"wrath": 1})
    s = Scenario(influence=[card], hand=["Influence 0"], items=[item(gives={"wrath": 1})], held=["Item 0"], strategy=1, dice=NO_DICE)
    assert s.may("play_card_1")
    s.do("play_card_1", "discard_item_1")
    assert s.items == ["Influence 0"]
    assert s.where("Item 0") == "item discard"


def test_a_card_that_would_do_nothing() -> None:
    """You may take as many actions as you are able to: whether one helps is the player's affair. Here it makes room for a draw."""
    s = Scenario(influence=[instant({"op": "recover", "count": 2})], hand=["Influence 0"]).do("play_card_1")
    assert s.hand == []
    assert s.where("Influence 0") == "influence discard"


def test_an_item_and_a_unique_action_that_would_do_nothing() -> None:
    """Items can be used at any time; a unique action asks for its cost and no more. Once a round all the same."""
    nothing = {"op": "recover", "count": 2}
    s = Scenario(items=[item(nothing), item(nothing, uses="ongoing")], held=["Item 0", "Item 1"], here=space(nothing), ability=[nothing])
    s.do("use_item_2", "use_hero", "unique_1")
    assert not {"use_item_2", "use_hero", "unique_1"} & set(s.legal)
    s.do("use_item_1")
    assert s.items == ["Item 1"]


def test_a_cost_that_is_value_paying() -> None:
    """Nothing to recover, but a card that can be discarded for it, and a die that is to be exhausted."""
    s = Scenario(influence=[WRATH_1], hand=["Influence 0"], here=space({"op": "recover", "count": 1}, cost=[{"wrath": 1}]), dice=NO_DICE)
    s.do("unique_1", "spend_card_1")
    assert s.pile("influence", "discard") == ["Influence 0"]
    s = Scenario(items=[item({"op": "pay_dice", "count": 1}, {"op": "turn_hit", "count": 1})], held=["Item 0"], dice={"yellow": 1})
    assert s.do("use_item_1", "exhaust_yellow").exhausted == {"yellow": 1}
    assert not Scenario(items=[item({"op": "pay_dice", "count": 1}, {"op": "turn_hit", "count": 1})], held=["Item 0"], dice={}).may(
        "use_item_1"
    )


def test_an_instruction_at_a_cost() -> None:
    """A cost among the instructions must be affordable, like any cost."""
    card = instant({"op": "pay_stat", "stat": "health", "count": 2}, {"op": "advance_ether"})
    assert not Scenario(influence=[card], hand=["Influence 0"], health=2).may("play_card_1")
    s = Scenario(influence=[card], hand=["Influence 0"], health=3).do("play_card_1")
    assert (s.health, s.ether) == (1, "green")


# Map actions


def test_unique_actions_once_a_round() -> None:
    """Unique: you cannot resolve the same unique action more than once in the same round."""
    s = Scenario(dice={"yellow": 2}, here=space({"op": "advance_ether"}, cost=[{"cunning": 1}])).do("unique_1", "exhaust_yellow")
    assert not s.may("unique_1")
    s.next_round()
    s.do("unique_1", "exhaust_yellow")
    assert s.ether == "blue"


def test_two_actions_of_one_space() -> None:
    """Most map spaces have one or more map actions; each counts for itself."""
    two = [{"name": name, "cost": [], "effects": [{"op": "set_ether", "colour": name.lower()}]} for name in ("Red", "Blue")]
    s = Scenario(here={"action": two}).do("unique_2")
    assert s.ether == "blue"
    assert not s.may("unique_2")
    assert s.do("unique_1").ether == "red"


def test_the_same_card_flipped_and_flipped_back() -> None:
    """... in the same round: flipping the map card does not make its actions new."""
    turn = {"space": {"c": space({"op": "flip_map"}, name="Turn"), "a": space({"op": "summon"}, name="S")}, "entrance": "c"}
    back = {"space": {"c": space({"op": "flip_map"}, name="Turn back"), "a": space({"op": "summon"}, name="S b")}, "entrance": "c"}
    s = Scenario(maps=[{"a": turn, "b": back}]).do("unique_1")
    assert s.map == {"Map 0, turned": (0, 0)}
    s.do("unique_1")
    assert s.map == {"Map 0": (0, 0)}
    assert not s.may("unique_1")
    s.next_round()
    assert s.may("unique_1")


def test_a_card_discarded_and_explored_again() -> None:
    """... nor does discarding it and placing it again."""
    act = {"space": {"a": space({"op": "discard_map"}, name="Away")}}
    s = Scenario(maps=[{}, act], placed={1: (0, 1)}, at="1a", dice={"green": 1, "yellow": 2})
    s.do("unique_1").draw("Map 1")
    assert s.at == "0c"
    s.p["map_zone"][2:] = 5
    s.p["top_card"][3] = -1
    s.do("move", "exhaust_yellow", "done", "go_to_1", "explore", "exhaust_green")
    assert s.map == {"Map 0": (0, 0), "Map 1": (0, 1)}
    s.stand("1a")
    assert not s.may("unique_1")


def test_either_cost() -> None:
    """Unique: if an action lists different costs separated by a slash, you must choose one of them."""
    either = space({"op": "advance_ether"}, cost=[{"cunning": 1}, {"wrath": 1}])
    s = Scenario(dice={"yellow": 1, "red": 1}, here=either).do("unique_1")
    assert (s.phase, s.legal) == ("Choose what to pay", ["first", "second"])
    assert s.do("second").legal == ["exhaust_red"]
    s.do("exhaust_red")
    assert (s.ready, s.ether) == ({"yellow": 1}, "green")
    only = Scenario(dice={"red": 1}, here=either).do("unique_1")
    assert only.legal == ["exhaust_red"], "the other cannot be paid"
    only = Scenario(dice={"yellow": 1}, here=either).do("unique_1")
    assert only.legal == ["exhaust_yellow"]
    assert not Scenario(dice={"blue": 4}, here=either).may("unique_1")


def test_costs_are_not_mixed() -> None:
    either = space({"op": "advance_ether"}, cost=[{"cunning": 2}, {"wrath": 2}])
    assert not Scenario(dice={"yellow": 1, "red": 1}, here=either).may("unique_1")


def test_an_action_without_a_cost() -> None:
    assert Scenario(dice=NO_DICE, here=space({"op": "advance_ether"})).do("unique_1").ether == "green"


def test_you_must_be_in_that_space() -> None:
    """Map Actions: to use a map action, you must be in that space and not currently resolving movement."""
    s = Scenario(here=space({"op": "advance_ether"}), dice={"yellow": 2}, at="0a")
    assert not s.may("unique_1")
    s.do("move", "exhaust_yellow", "exhaust_yellow", "go_to_3" if s.may("go_to_3") else "go_to_2")
    assert s.phase == "Move"
    s.stand("0c")
    assert [name for name in s.legal if not name.startswith("go")] == ["done"], "still moving"
    assert s.do("done").may("unique_1")


# Between two spaces of a movement


def walking(**fields: Any) -> Scenario:
    """The hero has one space left of a movement of two, with whatever else the table holds."""
    s = Scenario(**{"dice": {"yellow": 2, "green": 2, "red": 4}, **fields}).do("move", "exhaust_yellow", "exhaust_yellow", "go_to_1")
    assert s.phase == "Move"
    return s


def test_map_actions_wait_for_the_end_of_a_movement() -> None:
    """Map Actions: you must be in that space and not currently resolving movement. Exploring is one, too."""
    s = walking()
    assert not s.may("explore")
    assert s.do("done").may("explore")


def test_influence_actions_between_two_spaces() -> None:
    """Actions can be taken at any time in a round; only map actions are barred by movement."""
    s = walking(influence=[instant({"op": "set_ether", "colour": "red"}), ongoing()], hand=["Influence 0", "Influence 1"])
    s.do("play_card_1")
    assert (s.phase, s.ether, s.at) == ("Move", "red", "0a")
    s.do("play_card_1")
    assert s.items == ["Influence 1"]
    assert s.do("go_to_3").at == "0c"
    assert s.phase == "Take actions"


def test_assault_between_two_spaces() -> None:
    """An enemy met on the way is struck down before the hero goes on."""
    trap = {"space": {"a": {"skulls": 1}, "c": space({"op": "summon"}, name="S")}}
    s = walking(maps=[trap], enemies=[enemy(health=1)]).do("assault", "target_1", "exhaust_red")
    assert (s.active, s.phase) == ({"Enemy 0": "defeated"}, "Move")
    assert s.do("go_to_3").at == "0c"


def test_items_between_two_spaces() -> None:
    """Items can be used, and discarded, at any time."""
    s = walking(items=[item({"op": "advance_ether"}), item()], held=["Item 0", "Item 1"]).do("use_item_1", "discard_item_1")
    assert (s.items, s.ether, s.phase) == ([], "green", "Move")


def test_the_hero_between_two_spaces() -> None:
    s = walking(ability=[{"op": "advance_ether"}]).do("use_hero")
    assert (s.ether, s.phase) == ("green", "Move")


def test_more_movement_between_two_spaces() -> None:
    """Another movement action adds its spaces: here before the next space brings an enemy that forbids it."""
    trap = {"space": {"b": {"skulls": 1}, "c": space({"op": "summon"}, name="S")}}
    s = walking(maps=[trap], enemies=[enemy(effects=[{"op": "no_moves"}])]).lay_dice(ready={"yellow": 1})
    s.do("move", "exhaust_yellow", "go_to_2")
    assert (s.phase, list(s.active)) == ("Move", ["Enemy 0"])
    assert not s.may("move")
    assert s.do("go_to_3").at == "0c"
    assert s.phase == "Take actions"


@pytest.mark.parametrize("timing", ["any", "activation", "engagement", "apply"])
def test_timings_while_moving(timing: str) -> None:
    """Some cards have specific timing: it is that of the step in which the hero moves."""
    card = instant({"op": "advance_ether"}, timing=timing)
    table: dict[str, Any] = {"influence": [card], "hand": ["Influence 0"], "dice": {"yellow": 2, "blue": 1}}

    def move(s: Scenario) -> Scenario:
        return s.do("move", "exhaust_yellow", "exhaust_yellow", "go_to_1")

    steps_of_the_round = {
        "activation": move(Scenario(**table)),
        "commit": move(Scenario(**table).fight()),
        "apply": move(Scenario(**table).fight().commit("blue").roll("miss")),
        "cleanup": move(Scenario(**table).window(steps.BEFORE_CLEANUP)),
    }
    assert {name for name, s in steps_of_the_round.items() if s.may("play_card_1")} == {
        "any": set(steps_of_the_round),
        "activation": {"activation"},
        "engagement": {"commit", "apply", "cleanup"},
        "apply": {"apply"},
    }[timing]


def test_a_movement_by_an_effect_is_one_too() -> None:
    """Whatever moves the hero: here a reward, in the Apply Dice step."""
    rich = enemy(health=1, reward=[{"op": "move", "count": 2}])
    s = Scenario(enemies=[rich, enemy()], influence=[instant({"op": "advance_ether"})], hand=["Influence 0"], dice={"blue": 1}).fight(2)
    s.commit("blue").roll("hit").hit("blue_hit").do("accept", "go_to_1", "play_card_1", "go_to_3")
    assert (s.at, s.ether, s.phase) == ("0c", "green", "Apply Dice")


# Discarding items at any time


def test_items_may_be_discarded_at_any_time() -> None:
    """Items: you may discard items at any time. What they did ends with them."""
    burden = item({"op": "strategy_change", "count": -2}, uses="ongoing")
    table: dict[str, Any] = {"items": [burden], "held": ["Item 0"], "enemies": [enemy(health=9)], "dice": {"blue": 2}}
    s = Scenario(**table).fight().commit("blue").roll("miss")
    assert not s.may("again")
    s.do("discard_item_1")
    assert (s.items, s.phase) == ([], "Apply Dice")
    assert s.may("again")
    assert Scenario(**table).do("discard_item_1").where("Item 0") == "item discard"
    assert Scenario(**table).fight().do("discard_item_1").phase == "Commit Dice"


def test_explore_needs_awareness() -> None:
    """Explore: spend the Awareness cost shown."""
    far = {"space": {"c": {"explore": {"to": "north", "awareness": 3}}, "e": space({"op": "summon"}, name="S")}}
    assert not Scenario(maps=[far], dice={"green": 2}).may("explore")
    s = Scenario(maps=[far], dice={"green": 3}).do("explore", "exhaust_green", "exhaust_green", "exhaust_green")
    assert s.map == {"Map 0": (0, 0), "Map 1": (0, 1)}
    assert s.exhausted == {"green": 3}


def test_several_actions_in_a_row() -> None:
    """You may take as many actions as you wish."""
    s = Scenario(dice={"yellow": 2, "green": 1}).do("move", "exhaust_yellow", "done", "go_to_1", "explore", "exhaust_green")
    s.do("move", "exhaust_yellow", "go_north_west")
    assert s.at == "1e"


def test_spending_changes_what_stands() -> None:
    """A card that is spent from the inventory stops to count at once."""
    s = Scenario(
        items=[
            item({"op": "enemy_health", "count": -1}, uses="ongoing", gives={"wrath": 1}),
            item({"op": "strategy_change", "count": -2}, uses="ongoing"),
        ],
        held=["Item 0", "Item 1"],
        enemies=[enemy(health=9)],
        dice={"yellow": 1},
        here=space({"op": "advance_ether"}, cost=[{"wrath": 1}]),
    )  # fmt: skip
    assert s.p["modifiers"][ENEMY_HEALTH] == -1
    s.do("unique_1", "discard_item_1")
    assert s.p["modifiers"][ENEMY_HEALTH] == 0
    assert s.items == ["Item 1"]


@pytest.mark.parametrize("change", [1, -2])
def test_changed_costs(change: int) -> None:
    """Costs that an effect changes: exploring, unique and influence actions, never below 1; movement and assault are not meant."""
    costly = item({"op": "cost_change", "count": change}, uses="ongoing")
    s = Scenario(items=[costly], held=["Item 0"], dice={"red": 4}, here=space({"op": "advance_ether"}, cost=[{"wrath": 2}]))
    s.do("unique_1", *["exhaust_red"] * (3 if change == 1 else 1))
    assert s.ether == "green"
    free = Scenario(items=[costly], held=["Item 0"], dice=NO_DICE, here=space({"op": "advance_ether"}))
    assert free.do("unique_1").ether == "green"
