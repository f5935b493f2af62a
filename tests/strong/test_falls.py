"""Who falls is asked after every change, at any time of the round; and the player orders what cards do after a roll."""

from __future__ import annotations

from tests.strong.scenario import enemy
from tests.tanglewoods.scenario import Scenario


def strike(count: int) -> dict[str, object]:
    return {"when": "engaged", "op": "wound", "count": count}


def test_an_enemy_falls_when_what_strengthened_it_ends() -> None:
    """The first enemy gives every enemy +2 Health. When a wound defeats it, another with 4 damage on Health 4 falls with it."""
    s = Scenario(enemies=[enemy(health=1, effects=[{"op": "enemy_health", "count": 2}]), enemy(health=4)], ability=[strike(4), strike(3)])
    s.fight(2).do("target_2")
    assert s.active == {"Minion 0": "standing", "Minion 1": "standing"}, "4 damage of 6 Health"
    s.do("target_1")
    assert s.active == {"Minion 0": "defeated", "Minion 1": "defeated"}


def test_a_limit_of_the_apply_dice_step_does_not_hold_wounds() -> None:
    s = Scenario(
        enemies=[enemy(health=9, effects=[{"op": "fall_limit", "count": 1}]), enemy(health=1), enemy(health=1)],
        ability=[strike(1), strike(1)],
    )
    s.fight(3).do("target_2", "target_3")
    assert s.active == {"Minion 0": "standing", "Minion 1": "defeated", "Minion 2": "defeated"}


def held_back(**table: object) -> Scenario:
    """Two enemies of Health 1 have a hit each; the third's limit has held the second of them back."""
    s = Scenario(
        enemies=[enemy(health=9, damage=0, effects=[{"op": "fall_limit", "count": 1}]), enemy(health=1), enemy(health=1)],
        dice={"red": 1, "purple": 1},
        **table,
    )
    s.fight(3).commit("purple", "red").roll("hit", "hit").hit("purple_hit", slot=2).hit("red_hit", slot=3)
    assert s.active == {"Minion 0": "standing", "Minion 1": "defeated", "Minion 2": "standing"}
    return s


def test_an_enemy_that_the_limit_holds_back_deals_its_damage() -> None:
    s = held_back(health=4)
    s.do("resolve")
    assert s.health == 3


def test_an_enemy_that_the_limit_held_back_falls_to_a_wound_outside_the_step() -> None:
    s = held_back(items=[{"uses": "single", "effects": [{"op": "wound", "count": 1}]}], held=["Item 0"])
    s.p["ready"][0] = 1
    s.do("again")
    assert s.phase == "Commit Dice"
    assert s.active["Minion 2"] == "standing"
    s.do("use_item_1", "target_3")
    assert s.active["Minion 2"] == "defeated"


FLEES = {"when": "rolled", "op": "flee", "face": "hit", "count": 2}
REROLLS = {"when": "rolled", "op": "reroll_hits", "count": 1}


def two_answers() -> Scenario:
    s = Scenario(enemies=[enemy(effects=[FLEES]), enemy(effects=[REROLLS])], dice={"blue": 2}).fight(2)
    s.commit("blue", "blue").roll("hit", "hit")
    assert s.phase == "Effects of the roll"
    assert s.legal == ["target_1", "target_2"]
    return s


def test_the_player_orders_effects_of_a_roll() -> None:
    """One enemy flees at two hits, another rerolls a hit: which comes first decides."""
    s = two_answers().do("target_1")
    assert s.active == {"Minion 1": "standing"}, "it has fled, and the other goes on by itself"
    assert s.phase == "Reroll hits"
    s = two_answers().do("target_2")
    assert s.phase == "Reroll hits"
    s.do("pick_blue_hit").roll("miss")
    assert s.active == {"Minion 0": "standing", "Minion 1": "standing"}
    assert s.phase == "Apply Dice"


def test_a_card_that_comes_after_the_roll_does_not_answer_it() -> None:
    caller = enemy(effects=[{"when": "rolled", "op": "activate", "count": 1}])
    leech = enemy(effects=[{"when": "rolled", "op": "lose_stat", "stat": "health", "count": 1}])
    s = Scenario(enemies=[caller, leech], dice={"blue": 1}, health=4).fight()
    s.p["minions"][1] = 0
    s.scouted(1)
    s.commit("blue").roll("miss")
    assert s.active == {"Minion 0": "standing", "Minion 1": "standing"}
    assert s.health == 4
    s.do("again", "roll").roll("miss")
    assert s.phase == "Effects of the roll"
    s.do("target_2")
    assert s.health == 3


def test_a_cancelled_card_does_not_answer_a_roll() -> None:
    leech = enemy(effects=[{"when": "rolled", "op": "lose_stat", "stat": "health", "count": 1}])
    s = Scenario(enemies=[leech], ability=[{"when": "hero_rolled", "op": "cancel"}], dice={"blue": 1}, health=4).fight()
    s.commit("blue").roll("miss").do("target_1")
    assert s.health == 4, "the hero's answer comes first"
