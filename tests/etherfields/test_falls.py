"""Defeats at any time of the round: whatever changes damage, Health or what stands, enemies whose Health is met fall at once."""

from typing import Any

import pytest

from deckwood.etherfields import steps
from tests.etherfields.scenario import Scenario, enemy, instant, item, space

WOUND: dict[str, Any] = {"op": "wound", "count": 4}
HEALTH_UP: dict[str, Any] = {"op": "enemy_health", "count": 2}
CLEANUP = (steps.ROUND, steps.CLEANUP, (steps.WINDOW, steps.BEFORE_CLEANUP))
"""The end of a round, and the next one."""


def before_cleanup(number: int, **fields: Any) -> Scenario:
    """So many enemies before Cleanup."""
    return Scenario(**fields).go_on(*CLEANUP, (steps.ACTIVATE_ENEMIES, number))


def test_an_assault_ends_what_kept_another_standing() -> None:
    """Any During effects on an enemy end immediately when it is defeated: the other one has 4 damage and Health 4 again."""
    s = before_cleanup(
        2,
        enemies=[enemy(health=1, effects=[HEALTH_UP]), enemy(health=4)],
        influence=[instant(WOUND, gives={"wrath": 1}), instant(gives={"wrath": 3})],
        hand=["Influence 0", "Influence 1"],
        dice={"blue": 1},
    )
    s.do("play_card_1", "target_2")
    assert s.active == {"Enemy 0": "standing", "Enemy 1": "standing"}
    s.do("assault", "target_1", "spend_card_1")
    assert s.active == {"Enemy 0": "defeated", "Enemy 1": "defeated"}
    assert s.do("done").active == {}


def test_wounds_outside_apply_dice() -> None:
    """A limit of defeats in one Apply Dice step says nothing of other steps: both enemies fall."""
    s = before_cleanup(
        3,
        enemies=[enemy(health=9, effects=[{"op": "fall_limit", "count": 1}]), enemy(health=3), enemy(health=3)],
        influence=[instant(WOUND), instant(WOUND)],
        hand=["Influence 0", "Influence 1"],
    )
    s.do("play_card_1", "target_2", "play_card_1", "target_3")
    assert s.active == {"Enemy 0": "standing", "Enemy 1": "defeated", "Enemy 2": "defeated"}


@pytest.mark.parametrize("effect", ["map action", "item", "hero"])
def test_wounds_by_whatever(effect: str) -> None:
    """The reward is gained at once, as in Apply Dice."""
    rich = enemy(health=4, reward=[{"op": "gain_stat", "stat": "health", "count": 1}])
    table: dict[str, dict[str, Any]] = {
        "map action": {"here": space(WOUND)},
        "item": {"items": [item(WOUND)], "held": ["Item 0"]},
        "hero": {"ability": [WOUND]},
    }
    s = Scenario(enemies=[rich], **table[effect]).meet()
    s.do({"map action": "unique_1", "item": "use_item_1", "hero": "use_hero"}[effect], "target_1")
    assert s.phase == "Take the reward?"
    s.do("accept")
    assert (s.health, s.active) == (5, {"Enemy 0": "defeated"})


def bulwark(**fields: Any) -> Scenario:
    """An item that gives enemies 2 more Health, and an enemy of Health 3 with 4 damage."""
    burden = item({**HEALTH_UP, "when": "always"}, {"op": "flip_card"}, uses="ongoing", gives={"wrath": 1})
    table: dict[str, Any] = {
        "items": [burden],
        "held": ["Item 0"],
        "enemies": [enemy()],
        "influence": [instant(WOUND)],
        "hand": ["Influence 0"],
    }
    s = Scenario(**table, **fields).meet().do("play_card_1", "target_1")
    assert s.active == {"Enemy 0": "standing"}
    return s


def test_a_card_that_leaves() -> None:
    """Discarded, flipped or spent: what it said of enemies no longer counts."""
    assert bulwark().do("discard_item_1").active == {"Enemy 0": "defeated"}
    assert bulwark().do("use_item_1").active == {"Enemy 0": "defeated"}
    paid = bulwark(here=space({"op": "set_ether", "colour": "blue"}, cost=[{"wrath": 2}]), dice={"red": 1}).do("unique_1", "discard_item_1")
    assert (paid.phase, paid.active) == ("Spend resources", {"Enemy 0": "standing"}), "cards and dice are spent at once"
    paid.do("exhaust_red")
    assert (paid.ether, paid.active) == ("blue", {"Enemy 0": "defeated"})


def test_a_payment_is_not_interrupted() -> None:
    """The enemy that falls by what is spent for an assault on another one takes dice: not those that pay."""
    greedy = enemy(effects=[{"op": "exhaust", "count": 1, "when": "falls"}])
    s = Scenario(
        items=[item({**HEALTH_UP, "when": "always"}, {"op": "flip_card"}, uses="ongoing", gives={"wrath": 1})],
        held=["Item 0"],
        enemies=[greedy, enemy(health=1)],
        influence=[instant(WOUND)],
        hand=["Influence 0"],
        dice={"red": 2, "blue": 1},
    ).meet(2)
    s.do("play_card_1", "target_1", "assault", "target_2", "discard_item_1", "exhaust_red", "exhaust_red")
    assert s.legal == ["exhaust_blue"]
    s.do("exhaust_blue")
    assert s.active == {"Enemy 0": "defeated", "Enemy 1": "defeated"}


def test_an_enemy_falls_once() -> None:
    """What is spent on an assault fells its target by itself: one defeat, one reward."""
    rich = enemy(reward=[{"op": "gain_stat", "stat": "recovery", "count": 1}])
    s = Scenario(
        items=[item({**HEALTH_UP, "when": "always"}, {"op": "flip_card"}, uses="ongoing", gives={"wrath": 2})],
        held=["Item 0"],
        enemies=[rich],
        influence=[instant(WOUND)],
        hand=["Influence 0"],
        dice={"blue": 1},
    ).meet()
    s.do("play_card_1", "target_1", "assault", "target_1", "discard_item_1")
    assert s.phase == "Take the reward?"
    s.do("accept")
    assert (s.phase, s.recovery, s.active) == ("Take actions", 4, {"Enemy 0": "defeated"})


def test_assaults_count_in_the_apply_dice_step() -> None:
    """At most so many may be defeated in one Apply Dice step, in whatever way; before and after it an assault is free."""
    limit = enemy(health=9, effects=[{"op": "fall_limit", "count": 1}])
    table: dict[str, Any] = {"enemies": [limit, enemy(health=1), enemy(health=1)], "dice": {"red": 3, "blue": 1}}
    s = Scenario(**table).fight(3).commit("blue").roll("hit").do("assault", "target_2", "exhaust_red")
    assert not s.may("assault")
    s.hit("blue_hit", slot=3)
    assert s.active == {"Enemy 0": "standing", "Enemy 1": "defeated", "Enemy 2": "standing"}
    s = Scenario(**table).meet(3).do("assault", "target_2", "exhaust_red", "assault", "target_3", "exhaust_red")
    assert s.active == {"Enemy 0": "standing", "Enemy 1": "defeated", "Enemy 2": "defeated"}


def test_a_card_that_leaves_is_put_away_first() -> None:
    """An enemy that gave others more Health flees; while the reward of the one that falls by it is offered, it is on its way to the discard."""
    coward = enemy(health=9, effects=[HEALTH_UP, {"op": "flee", "face": "miss", "count": 1, "when": "rolled"}])
    rich = enemy(health=4, reward=[{"op": "gain_stat", "stat": "health", "count": 1}])
    s = Scenario(enemies=[coward, rich], influence=[instant(WOUND)], hand=["Influence 0"], dice={"blue": 1}).fight(2)
    s.do("play_card_1", "target_2").commit("blue").roll("miss")
    assert s.phase == "Take the reward?"
    assert (s.where("Enemy 0"), s.active) == ("enemy resolving", {"Enemy 1": "defeated"})
    assert s.do("accept").where("Enemy 0") == "enemy discard"
