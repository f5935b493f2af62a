"""Standing modifiers: a scenario for each. What a word means is its text in ``deckwood.strong.vocabulary``; where it touches a rule of
the game, the test names the rulebook's section."""

from typing import Any

import pytest

from deckwood.strong.vocabulary import OPS
from tests.strong.scenario import Covered
from tests.tanglewoods.scenario import Scenario, enemy

covers = Covered()
POOL = {"yellow": 2, "green": 2, "blue": 2, "purple": 2}


def against(*effects: dict[str, Any], health: int = 8, enemies: int = 1, **more: Any) -> Scenario:
    """In the Commit Dice step against an enemy with these effects (and plain ones beside it)."""
    scenario = Scenario(enemies=[enemy(health=health, effects=list(effects))], **{"dice": POOL, "gold": 0, **more})
    return scenario.fight(enemies)


def can_commit(scenario: Scenario) -> list[str]:
    return [name.removeprefix("commit_") for name in scenario.legal if name.startswith("commit_")]


def targets(scenario: Scenario, die: str) -> list[str]:
    """The cards that a die may be applied to."""
    if not scenario.may(f"pick_{die}"):
        return []
    scenario.do(f"pick_{die}")
    return scenario.legal


# Commit Dice


@covers("commit_limit")
def test_commit_limit_counts_each_commit_dice_step() -> None:
    s = against({"op": "commit_limit", "count": 2}).do("commit_yellow", "commit_green")
    assert s.legal == ["roll"]
    s.do("roll").roll("miss", "miss").do("again")
    assert can_commit(s) == ["yellow", "green", "blue", "purple"]


@covers("commit_total")
def test_commit_total_counts_the_engagement() -> None:
    s = against({"op": "commit_total", "count": 3}).commit("yellow", "green").roll("miss", "miss").do("again", "commit_blue")
    assert s.legal == ["roll"]


@covers("commit_ban")
def test_commit_ban() -> None:
    assert can_commit(against({"op": "commit_ban", "colours": ["green", "purple"]})) == ["yellow", "blue"]


@covers("commit_one_each")
def test_commit_one_each_counts_each_commit_dice_step() -> None:
    s = against({"op": "commit_one_each"}).do("commit_yellow")
    assert can_commit(s) == ["green", "blue", "purple"]
    s.do("roll").roll("miss").do("again")
    assert can_commit(s) == ["yellow", "green", "blue", "purple"]


@covers("commit_whole_colour")
def test_commit_whole_colour() -> None:
    s = against({"op": "commit_whole_colour"}).do("commit_green")
    assert s.ready == {"yellow": 2, "blue": 2, "purple": 2}
    assert can_commit(s) == ["blue", "purple"]
    limited = against({"op": "commit_whole_colour"}, {"op": "commit_limit", "count": 3}).do("commit_green", "commit_blue")
    assert limited.ready == {"yellow": 2, "blue": 1, "purple": 2}, "a limit beats it"


# Strategy and Recovery


@covers("strategy_change")
def test_strategy_change_counts_passes_and_leaves_the_die() -> None:
    """Strategy Phase: at most Strategy times through, the first included."""
    s = against({"op": "strategy_change", "count": -1}, strategy=2).commit("yellow").roll("miss")
    assert s.strategy == 2
    assert s.legal == ["resolve"]
    assert against({"op": "strategy_change", "count": -5}).commit("yellow").roll("miss").legal == ["resolve"], "never below 1"
    more = against({"op": "strategy_change", "count": 1}, strategy=1).commit("yellow").roll("miss").do("again", "roll").roll("miss")
    assert more.legal == ["resolve"]


@covers("recovery_change")
@pytest.mark.parametrize(("change", "recovered"), [(-1, 1), (1, 3), (-5, 0)])
def test_recovery_change(change: int, recovered: int) -> None:
    s = against({"op": "recovery_change", "count": change}, dice={"yellow": 4}, recovery=2)
    s.commit(*["yellow"] * 4).roll(*["miss"] * 4).do("resolve")
    for _ in range(recovered):
        s.do("recover_yellow")
    assert s.phase == "Explore: choose dice"
    assert s.recovery == 2


@covers("no_recovery")
def test_no_recovery_stops_all_recovery_in_its_step() -> None:
    """An enemy's effect beats a hero's ability: no answer to the Recover Dice step recovers dice either."""
    bonus = [{"when": "recovering", "op": "recover_colour", "colour": "yellow", "count": 1}]
    s = against({"op": "no_recovery"}, dice={"yellow": 2}, ability=bonus).commit("yellow", "yellow").roll("miss", "miss").do("resolve")
    assert s.phase == "Explore: choose dice"
    assert s.exhausted == {"yellow": 2}
    free = against(dice={"yellow": 2}, ability=bonus, recovery=1).commit("yellow", "yellow").roll("miss", "miss").do("resolve")
    assert free.phase == "Recover dice"
    assert free.ready == {"yellow": 1}


# What dice deal


def falls(scenario: Scenario, *dice: str) -> bool:
    """Whether the first enemy falls to these dice; the one before the last must not be enough."""
    *first, last = dice
    scenario.hit(*first)
    assert scenario.active["Minion 0"] == "standing"
    scenario.hit(last)
    return scenario.active["Minion 0"] == "defeated"


@covers("hit_bonus")
def test_hit_bonus_of_a_colour() -> None:
    bonus = {"op": "hit_bonus", "colours": ["yellow"], "count": 1}
    s = against(bonus, health=3, dice={"yellow": 1, "green": 1}).commit("yellow", "green").roll("hit", "hit")
    assert falls(s, "yellow_hit", "green_hit"), "2 + 1"
    s = against(bonus, health=4, dice={"yellow": 1, "green": 1}).commit("yellow", "green").roll("crit", "hit")
    assert falls(s, "yellow_crit", "green_hit"), "3 + 1"
    less = {"op": "hit_bonus", "colours": ["yellow"], "count": -2}
    s = against(less, health=1, dice={"yellow": 1, "green": 1}).commit("yellow", "green").roll("hit", "hit")
    assert falls(s, "yellow_hit", "green_hit"), "0 + 1: never below 0"


@covers("crit_bonus")
def test_crit_bonus() -> None:
    s = against({"op": "crit_bonus", "count": 2}, health=5, dice={"blue": 2}).commit("blue", "blue").roll("hit", "crit")
    assert falls(s, "blue_hit", "blue_crit"), "1 + 4"


@covers("crits_void")
def test_crits_void_for_everyone() -> None:
    s = against({"op": "crits_void"}, health=9, enemies=2, dice={"blue": 2}).commit("blue", "blue").roll("crit", "crit")
    s.hit("blue_crit", "blue_crit", slot=2)
    assert s.active["Minion 1"] == "standing"


@covers("hits_void")
def test_hits_void_takes_crits_too() -> None:
    """A crit is a hit, worth 2 damage."""
    s = against({"op": "hits_void", "colours": ["blue"]}, health=1, dice={"blue": 2, "purple": 1}).commit("blue", "blue", "purple")
    s.roll("hit", "crit", "hit")
    assert falls(s, "blue_hit", "blue_crit", "purple_hit")


@covers("swap_hits")
def test_swap_hits() -> None:
    s = against({"op": "swap_hits"}).commit("yellow", "green", "blue").roll("miss", "hit", "crit")
    assert s.shown == {"yellow_hit": 1, "green_miss": 1, "blue_miss": 1}


@covers("hits_void_here")
def test_hits_void_here() -> None:
    s = against({"op": "hits_void_here", "colours": ["green"]}, health=2, enemies=2, dice={"green": 3, "blue": 1})
    s.commit("green", "green", "green", "blue").roll("crit", "crit", "crit", "crit")
    s.hit("green_crit")
    assert s.active["Minion 0"] == "standing"
    s.hit("green_crit", "green_crit", slot=2)
    assert s.active["Minion 1"] == "defeated", "elsewhere they count"
    s.hit("blue_crit")
    assert s.active["Minion 0"] == "defeated"


@covers("crits_void_here")
def test_crits_void_here() -> None:
    s = against({"op": "crits_void_here"}, health=1, dice={"green": 2}).commit("green", "green").roll("hit", "crit")
    s.hit("green_crit")
    assert s.active["Minion 0"] == "standing"


@covers("hit_bonus_here")
def test_hit_bonus_here() -> None:
    s = against({"op": "hit_bonus_here", "count": 1}, health=5, dice={"green": 2}).commit("green", "green").roll("hit", "crit")
    assert falls(s, "green_hit", "green_crit"), "2 + 3"
    s = against({"op": "hit_bonus_here", "count": -1}, health=1, dice={"green": 2}).commit("green", "green").roll("hit", "crit")
    assert falls(s, "green_hit", "green_crit"), "0 + 1"


@covers("pairs_only")
def test_pairs_only() -> None:
    s = against({"op": "pairs_only"}, health=2, dice={"green": 2, "blue": 2}).commit("green", "green", "blue").roll("hit", "hit", "crit")
    s.hit("green_hit", "blue_crit")
    assert s.active["Minion 0"] == "standing", "a single green and a single blue"
    s = against({"op": "pairs_only"}, health=2, dice={"green": 2}).commit("green", "green").roll("hit", "hit")
    assert falls(s, "green_hit", "green_hit")


@covers("colours_needed")
def test_colours_needed() -> None:
    s = against({"op": "colours_needed", "count": 3}, health=2, dice={"yellow": 2, "green": 1, "blue": 1})
    s.commit("yellow", "yellow", "green", "blue").roll("crit", "crit", "hit", "hit")
    s.hit("yellow_crit", "yellow_crit", "green_hit")
    assert s.active["Minion 0"] == "standing", "5 damage, but two colours"
    s.hit("blue_hit")
    assert s.active["Minion 0"] == "defeated"


@covers("damage_cap")
def test_damage_cap_lasts_a_round() -> None:
    """Endgame: dice on undefeated enemies stay; what they dealt beyond the cap of their round is lost."""
    s = Scenario(cards={"boss": {"health": 5, "damage": 0, "effects": [{"op": "damage_cap", "count": 3}]}}, dice={"blue": 4}, recovery=1)
    s.battle().commit("blue", "blue").roll("crit", "crit")
    s.hit("blue_crit", "blue_crit")
    assert s.active["boss"] == "standing", "3 of 4"
    s.do("resolve").commit("blue").roll("hit").hit("blue_hit")
    assert s.active["boss"] == "standing", "3 + 1: the first round's lost damage does not come back"
    s.do("again", "commit_blue", "roll").roll("hit").hit("blue_hit")
    assert s.active["boss"] == "defeated"


@covers("protected")
def test_protected_until_alone() -> None:
    s = against({"op": "protected"}, health=1, enemies=2, dice={"green": 1, "blue": 2}).commit("green", "blue", "blue")
    s.roll("hit", "crit", "crit")
    s.hit("green_hit")
    assert s.active["Minion 0"] == "standing"
    s.hit("blue_crit", "blue_crit", slot=2)
    assert s.active == {"Minion 0": "defeated", "Minion 1": "defeated"}, "the die counts once nothing protects it"


# Where dice may go


@covers("apply_limit")
def test_apply_limit_ends_with_its_enemy() -> None:
    """Enemy Effects: a During effect ends when its enemy is defeated; hits may go onto defeated enemies (Apply Dice)."""
    s = against({"op": "apply_limit", "count": 1}, health=1, enemies=2, dice={"green": 3}).commit("green", "green", "green")
    s.roll("hit", "hit", "hit").do("pick_green_hit")
    assert s.legal == ["target_1", "target_2"]
    s.do("target_1")
    assert s.active["Minion 0"] == "defeated"
    s.do("pick_green_hit")
    assert s.legal == ["target_1", "target_2"]
    standing = against({"op": "apply_limit", "count": 1}, enemies=2, dice={"green": 3}).commit("green", "green").roll("hit", "hit")
    standing.do("pick_green_hit", "target_1", "pick_green_hit")
    assert standing.legal == ["target_2"]


@covers("apply_per_roll")
def test_apply_per_roll() -> None:
    s = against({"op": "apply_per_roll", "count": 1}, dice={"green": 2}).commit("green", "green").roll("hit", "hit").hit("green_hit")
    assert s.legal == ["again", "resolve"]
    s.do("again", "roll").roll("hit")
    assert s.may("pick_green_hit")


@covers("apply_ban")
def test_apply_ban() -> None:
    s = against({"op": "apply_ban", "colours": ["green"]}, enemies=2, dice={"green": 1, "blue": 1}).commit("green", "blue")
    s.roll("hit", "hit")
    assert targets(s, "green_hit") == ["target_2"]


@covers("apply_one_each")
def test_apply_one_each() -> None:
    s = against({"op": "apply_one_each"}, dice={"green": 2, "blue": 1}).commit("green", "green", "blue").roll("hit", "crit", "hit")
    s.hit("green_hit")
    assert [name for name in s.legal if name.startswith("pick")] == ["pick_blue_hit"]


@covers("apply_one_colour")
def test_apply_one_colour() -> None:
    s = against({"op": "apply_one_colour"}, dice={"green": 2, "blue": 1}).commit("green", "green", "blue").roll("hit", "crit", "hit")
    s.hit("green_hit")
    assert [name for name in s.legal if name.startswith("pick")] == ["pick_green_crit"]


@covers("crits_only")
def test_crits_only() -> None:
    s = against({"op": "crits_only"}, dice={"green": 2}).commit("green", "green").roll("hit", "crit")
    assert [name for name in s.legal if name.startswith("pick")] == ["pick_green_crit"]


@covers("no_crits")
def test_no_crits() -> None:
    s = against({"op": "no_crits"}, dice={"green": 2}).commit("green", "green").roll("hit", "crit")
    assert [name for name in s.legal if name.startswith("pick")] == ["pick_green_hit"]


@covers("apply_limit_all")
def test_apply_limit_all_counts_each_roll() -> None:
    s = against({"op": "apply_limit_all", "count": 1}, enemies=2, dice={"green": 3}).commit("green", "green").roll("hit", "hit")
    s.hit("green_hit", slot=2)
    assert s.legal == ["again", "resolve"]
    s.do("again", "roll").roll("hit")
    assert s.may("pick_green_hit")


@covers("fall_limit")
def test_fall_limit_counts_each_apply_dice_step() -> None:
    s = Scenario(enemies=[enemy(health=9, effects=[{"op": "fall_limit", "count": 1}]), enemy(health=1), enemy(health=1)], dice={"red": 2})
    s.fight(3).commit("red", "red").roll("hit", "hit")
    s.hit("red_hit", slot=2)
    s.hit("red_hit", slot=3)
    assert s.active == {"Minion 0": "standing", "Minion 1": "defeated", "Minion 2": "standing"}
    s.p["ready"][0] = 1
    s.do("again", "roll")
    assert s.active["Minion 2"] == "defeated", "the damage counts in the next step"


@covers("fall_limit")
def test_fall_limit_does_not_reach_beyond_its_step() -> None:
    """A defeat of the last engagement is no defeat of this one's Apply Dice step."""
    strike = [{"when": "engaged", "op": "wound", "count": 1}]
    first = enemy(health=1, effects=[{"op": "fall_limit", "count": 1}])
    s = Scenario(enemies=[first], ability=strike, dice={}).fight()
    assert s.active == {"Minion 0": "standing"}
    s.do("target_1")
    assert s.active == {"Minion 0": "defeated"}
    s.do("roll", "resolve")
    assert s.phase == "Explore: choose dice"
    s.fight()
    s.do("target_1")
    assert s.active == {"Minion 0": "defeated"}
    dagger = {"effects": [{"op": "defeat"}]}
    s = Scenario(enemies=[first], ability=strike, items=[dagger], held=["Item 0"], dice={}, gold=20).fight(2, bribe=True)
    s.do("use_item_1", "target_2", "done", "target_1")
    assert s.active == {"Minion 0": "defeated", "Minion 1": "defeated"}, "a defeat in the Bribery phase is none either"


# Rerolls


@covers("keep_hits")
def test_keep_hits_sets_hits_aside() -> None:
    """Strategy Phase: a repeat rolls every unapplied die, hits too, but for this."""
    s = against({"op": "keep_hits"}, dice={"green": 2, "blue": 1}).commit("green", "green", "blue").roll("hit", "miss", "crit")
    s.do("again", "roll")
    assert s.phase == "Set hits aside"
    assert s.legal == ["pick_green_hit", "pick_blue_crit", "done"]
    s.do("pick_blue_crit", "done").roll("miss", "miss")
    assert s.shown == {"green_miss": 2, "blue_crit": 1}
    plain = against(dice={"green": 1, "blue": 1}).commit("green", "blue").roll("hit", "crit").do("again", "roll").roll("miss", "miss")
    assert plain.shown == {"green_miss": 1, "blue_miss": 1}


@covers("fix_misses")
def test_fix_misses() -> None:
    s = against({"op": "fix_misses"}, dice={"green": 2}).commit("green", "green").roll("hit", "miss").do("again", "roll").roll("crit")
    assert s.shown == {"green_miss": 1, "green_crit": 1}
    assert against({"op": "fix_misses"}, dice={"green": 1}).commit("green").roll("miss").legal == ["resolve"], "nothing left to roll"


# Enemies, gold, items


@covers("enemy_health")
def test_enemy_health() -> None:
    s = against({"op": "enemy_health", "count": 2}, health=9, enemies=2, dice={"blue": 3}).commit("blue", "blue", "blue")
    s.roll("crit", "crit", "crit").hit("blue_crit", "blue_crit", slot=2)
    assert s.active["Minion 1"] == "standing", "4 of 4 + 2"
    s.hit("blue_crit", slot=2)
    assert s.active["Minion 1"] == "defeated"


@covers("enemy_damage")
def test_enemy_damage() -> None:
    """Suffer Damage Step: the Damage of all undefeated enemies."""
    s = Scenario(enemies=[enemy(effects=[{"op": "enemy_damage", "count": 1}])], dice={}, health=5).fight(2).do("roll", "resolve")
    assert s.health == 1, "5 - 2 - 2"
    s = Scenario(enemies=[enemy(effects=[{"op": "enemy_damage", "count": -3}])], dice={}, health=5).fight(2).do("roll", "resolve")
    assert s.health == 5


@covers("shield_always")
def test_shield_always() -> None:
    s = Scenario(ability=[{"op": "shield_always", "count": 2}], dice={}).fight(3).do("roll", "resolve")
    assert s.health == 3, "4 - (3 - 2)"
    worse = Scenario(ability=[{"op": "shield_always", "count": -1}], dice={}).fight().do("roll", "resolve")
    assert worse.health == 2, "4 - (1 + 1)"


@covers("bribe_change")
@pytest.mark.parametrize(("change", "cost"), [(2, 5), (-1, 2), (-10, 0)])
def test_bribe_change(change: int, cost: int) -> None:
    s = Scenario(ability=[{"op": "bribe_change", "count": change}], gold=6).fight(bribe=True).do("target_1")
    assert s.gold == 6 - cost
    assert s.active == {}


@covers("no_bribes")
def test_no_bribes() -> None:
    s = Scenario(enemies=[enemy(effects=[{"op": "no_bribes"}])], gold=20).fight(2, bribe=True)
    assert s.phase == "Commit Dice"


@covers("price_change")
def test_price_change() -> None:
    s = Scenario(ability=[{"op": "price_change", "count": 1}], dice={"yellow": 1}, gold=4).next_round()
    s.explore("yellow_hit", cards=[0], shop=[0])
    assert s.legal == ["recover_yellow", "done", "buy_1"], "1 + 1, 3 + 1; raising a stat would be 5 + 1"
    s.do("buy_1")
    assert s.gold == 0
    assert s.items == ["Item 0"]


@covers("no_items")
def test_no_items() -> None:
    item = {"effects": [{"op": "gain_stat", "stat": "health", "count": 1}]}
    assert not against({"op": "no_items"}, items=[item], held=["Item 0"]).may("use_item_1")
    assert against(items=[item], held=["Item 0"]).may("use_item_1")


def test_every_modifier_has_a_scenario() -> None:
    assert {op.name for op in OPS if op.is_modifier} == covers.ops
