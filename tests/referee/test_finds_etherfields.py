"""What the referee of Etherfields has found in the compiled rules: each as a scenario of what the rulebook asks for."""

from typing import Any

import pytest

from tests.etherfields.scenario import Scenario, enemy, instant, item


def test_a_crit_that_defeats() -> None:
    """Our reading: what a crit brings about comes before its enemy's fall, as an enemy's effect goes before a reward."""
    effects = [{"op": "lose_any_stat", "count": 1, "when": "crit_applied"}]
    rich = enemy(health=2, effects=effects, reward=[{"op": "gain_stat", "stat": "recovery", "count": 1}])
    s = Scenario(enemies=[rich, enemy()], dice={"blue": 1}).fight(2).commit("blue").roll("crit").do("pick_blue_crit", "target_1")
    assert s.phase == "Lower a stat"
    s.do("choose_strategy")
    assert s.phase == "Take the reward?"


def test_recovery_as_it_is_when_dice_are_recovered() -> None:
    """Recover Dice Step: up to the current Recovery, and one die that matches the current ether."""
    ability = [{"op": "advance_ether", "when": "recovering"}, {"op": "gain_stat", "stat": "recovery", "count": 1, "when": "recovering"}]
    s = Scenario(ability=ability, dice={}, exhausted={"yellow": 2, "green": 2}, recovery=1, enemies=[enemy(damage=0)]).fight()
    s.do("roll", "resolve")
    assert (s.ether, s.recovery) == ("green", 2)
    s.do("recover_yellow", "recover_yellow", "recover_green")
    assert s.ready == {"yellow": 2, "green": 1}


def test_who_makes_room_for_the_boss_is_discarded_at_once() -> None:
    """Our reading of a full active area: the boss pushes out the last card, which is discarded. Then the boss's effects come."""
    arrives = [{"op": "lose_any_stat", "count": 1, "when": "endgame"}]
    s = Scenario(bosses=[{"a": {"effects": arrives}}], enemies=[enemy(damage=0)] * 8).meet(8).do("unique_1")
    assert s.phase == "Lower a stat"
    assert s.where("Enemy 7") == "enemy discard"


def test_a_cost_in_one_of_two_branches() -> None:
    """Of two options the second can be chosen, whatever the first one costs: the item can be used."""
    either: list[dict[str, Any]] = [{"op": "choose", "count": 2}, {"op": "pay_dice", "count": 5}, {"op": "advance_ether"}]
    s = Scenario(items=[item(*either, {"op": "recover", "count": 1})], held=["Item 0"], dice={"yellow": 1}, exhausted={"red": 1})
    assert s.may("use_item_1")


def test_gold_of_the_last_game() -> None:
    """The next game of a campaign begins with nothing of the last one but the sides of the cards."""
    s = Scenario(influence=[instant({"op": "gain_gold", "count": 3})], hand=["Influence 0"], enemies=[enemy(damage=4)], games=2)
    s.do("play_card_1").fight().do("roll", "resolve")
    assert s.p["games"] == 1
    assert s.p["gold"] == 0


def test_special_limits_outlast_the_defeat() -> None:
    """Enemy Effects: a Special effect is active the entire time the enemy is in the active area; only During effects end."""
    wall = enemy(health=1, effects=[{"op": "apply_limit", "count": 1, "when": "always"}])
    s = Scenario(enemies=[wall, enemy(health=9)], dice={"blue": 2}).fight(2).commit("blue", "blue").roll("hit", "hit").hit("blue_hit")
    assert s.active == {"Enemy 0": "defeated", "Enemy 1": "standing"}
    s.do("pick_blue_hit")
    assert s.legal == ["target_2"]


def test_an_ongoing_item_is_not_gained_by_itself() -> None:
    """What resolves lies in no pile until that is done, a card that leaves in the middle of what it says as well."""
    bringer = item({"op": "gain_item", "count": 2}, uses="ongoing")
    s = Scenario(items=[bringer], held=["Item 0"], strategy=1)
    s.only("item", "Item 5").do("use_item_1", "discard_item_1")
    assert s.phase == "Take the item?"
    assert s.where("Item 0") == "item resolving"


def test_an_answer_that_answers_to_itself() -> None:
    """The loader refuses a card that would never come to an end: here advancing the ether whenever the ether changes."""
    with pytest.raises(ValueError, match="ether_changed"):
        Scenario(ability=[{"op": "advance_ether", "when": "ether_changed"}])


def test_the_whole_effect_of_a_crit_comes_first() -> None:
    """Our reading: what a crit brings about comes before its enemy's fall. All of it: here two items."""
    effects = [{"op": "gain_item", "count": 2, "when": "crit_applied"}]
    rich = enemy(health=2, effects=effects, reward=[{"op": "gain_stat", "stat": "recovery", "count": 1}])
    s = Scenario(enemies=[rich, enemy()], dice={"blue": 1}).fight(2).commit("blue").roll("crit").do("pick_blue_crit", "target_1")
    assert s.phase == "Take the item?"
    s.do("accept")
    assert s.phase == "Take the item?"
