"""What the referees found that is not as the rulebook or the card's own text says. Each test is the right behaviour."""

from __future__ import annotations

from typing import Any

from tests.tanglewoods.scenario import NOTHING, Scenario, enemy


def test_the_strategy_phase_may_be_repeated_for_after_effects() -> None:
    """Strategy Phase: it may be repeated as often as Strategy says. After effects of the fallen may count the misses that are left."""
    s = Scenario(enemies=[enemy(health=1, effects=[{"op": "lose_gold", "count": 1, "per": "miss", "when": "after"}])], dice={"yellow": 3})
    s.fight().commit("yellow", "yellow", "yellow").roll("hit", "miss", "miss").hit("yellow_hit")
    assert s.may("again")


def test_special_limits_stay_with_the_card() -> None:
    """Special effects are active the entire time the enemy is in the active area, also when it is defeated."""
    limit = [{"op": "apply_limit", "count": 1, "when": "always"}]
    s = Scenario(enemies=[enemy(health=1, effects=limit), enemy(health=9, effects=[{"op": "crits_only"}])], dice={"yellow": 2})
    s.fight(2).commit("yellow", "yellow").roll("hit", "hit").hit("yellow_hit")
    assert not s.may("pick_yellow_hit")


def test_one_of_each_colour_cuts_a_whole_colour() -> None:
    """A limit is a limit: "only one die of each colour may be committed at once"."""
    effects = [{"op": "commit_whole_colour"}, {"op": "commit_one_each"}]
    s = Scenario(enemies=[enemy(effects=effects)], dice={"yellow": 3, "green": 1}).fight()
    s.do("commit_yellow")
    assert s.ready == {"yellow": 2, "green": 1}


def test_an_offer_with_a_free_choice_can_be_accepted() -> None:
    """A cost stops the rest of its own branch; the other one costs nothing."""
    told = [
        {"op": "offer"},
        {"op": "choose", "count": 2},
        {"op": "pay_gold", "count": 2},
        {"op": "recover", "count": 2},
        {"op": "gain_stat", "stat": "recovery", "count": 1},
    ]
    s = Scenario(fables=[told], gold=0).tell()
    assert s.may("accept")


def test_an_enemy_that_flees_from_hits_counts_crits() -> None:
    """A hit is a basic hit or a crit: "once 2 committed dice show a hit"."""
    s = Scenario(enemies=[enemy(effects=[{"when": "rolled", "op": "flee", "face": "hit", "count": 2}])], dice={"yellow": 2})
    s.fight().commit("yellow", "yellow").roll("hit", "crit")
    assert s.active == {}


def test_each_suffer_damage_step_costs_more() -> None:
    """The card says "each Suffer Damage step costs 2 more Health"."""
    s = Scenario(enemies=[enemy(damage=0)], ability=[{"op": "shield_always", "count": -2}], dice={"yellow": 1}, health=5)
    s.fight().do("roll", "resolve")
    assert s.health == 3


def test_the_recover_dice_step_begins_where_no_dice_are_recovered() -> None:
    """The card forbids recovering dice, not gaining gold when the step begins."""
    ability = [{"when": "recovering", "op": "gain_gold", "count": 1}]
    s = Scenario(enemies=[enemy(damage=0, effects=[{"op": "no_recovery"}])], ability=ability, dice={"yellow": 1}, gold=5)
    s.fight().do("roll", "resolve")
    assert s.gold == 6


def test_dice_recover_up_to_the_current_recovery() -> None:
    """Recover Dice: up to your current Recovery, which an answer to the step's beginning may have raised."""
    ability: list[dict[str, Any]] = [{"when": "recovering", "op": "gain_stat", "stat": "recovery", "count": 1}]
    s = Scenario(enemies=[enemy(damage=0)], ability=ability, dice={"yellow": 2}, exhausted={"green": 3}, recovery=1)
    s.fight().do("roll", "resolve", "recover_green")
    assert s.may("recover_green")


def test_a_shield_for_the_round_can_be_used_before_the_encounter() -> None:
    """Items can be used at any time but in a roll; the enemy to come may forbid items."""
    cards = [{"uses": "single", "effects": [{"op": "shield", "count": 2}]}]
    s = Scenario(items=cards, enemies=[enemy(effects=[{"op": "no_items"}])], held=["Item 0"], ability=NOTHING).next_round()
    assert s.may("use_item_1")


def test_boss_and_power_ups_act_from_left_to_right_when_the_endgame_begins() -> None:
    """How we read the rules: boss and power-ups act from left to right."""
    power_ups = [
        {"power_up": {"effects": [{"when": "endgame", "op": "gain_any_stat", "count": 1}]}},
        {"power_up": {"effects": [{"when": "endgame", "op": "lose_any_stat", "count": 1}]}},
    ]
    s = Scenario(wolves=power_ups, health=3, strategy=3, recovery=3).battle()
    assert s.phase == "Raise a stat"
