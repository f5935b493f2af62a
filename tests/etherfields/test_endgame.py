"""Endgame: activating the boss, its effects, winning and losing; what a game pays."""

from typing import Any

import pytest

from tests.etherfields.scenario import Scenario, enemy, instant, item, space

WEAK = {"health": 2, "damage": 1}
"""A boss that a crit defeats."""


def boss(**fields: Any) -> list[dict[str, Any]]:
    """The first boss, changed."""
    return [{"a": fields}]


# Activating the boss


def test_the_unique_action_activates_the_boss() -> None:
    """Endgame: use the unique action that allows you to activate the boss while the endgame condition is met. It enters the active area."""
    s = Scenario(bosses=boss()).do("unique_1")
    assert s.active == {"Boss 0": "standing"}
    assert s.p["facing"] == 1
    assert not s.may("unique_1")
    s.next_round()
    assert not s.may("unique_1"), "it is there already"


@pytest.mark.parametrize("colour", ["green", "red"])
def test_a_condition_of_the_ether(colour: str) -> None:
    """The Ether: certain bosses require a particular ether to activate them."""
    for ether in ("yellow", "green", "blue", "purple", "red"):
        assert Scenario(bosses=boss(endgame={"ether": colour}), ether=ether).may("unique_1") == (ether == colour)


def test_a_condition_of_the_map() -> None:
    s = Scenario(bosses=boss(endgame={"maps": 3}), placed={4: (1, 0)})
    assert not s.may("unique_1")
    assert Scenario(bosses=boss(endgame={"maps": 3}), placed={4: (1, 0), 5: (2, 0)}).may("unique_1")


def test_a_condition_of_the_inventory() -> None:
    assert not Scenario(bosses=boss(endgame={"items": 2}), held=["Item 0"]).may("unique_1")
    assert Scenario(bosses=boss(endgame={"items": 2}), held=["Item 0", "Influence 3"]).may("unique_1")


def test_a_condition_of_defeated_enemies() -> None:
    s = Scenario(bosses=boss(endgame={"defeated": 2}), enemies=[enemy(health=1)] * 2, dice={"red": 1, "blue": 1}).fight(2)
    s.commit("blue").roll("hit").hit("blue_hit").do("assault", "target_2", "exhaust_red")
    s.do("resolve", "done", "done")
    assert s.pile("enemy", "discard") == ["Enemy 0", "Enemy 1"]
    assert s.may("unique_1")


def test_defeated_enemies_count_at_once() -> None:
    """An enemy counts as defeated when it is defeated, not only once it is discarded."""
    s = Scenario(bosses=boss(endgame={"defeated": 1}), enemies=[enemy(health=1)], dice={"red": 1}).meet()
    assert not s.may("unique_1")
    s.do("assault", "target_1", "exhaust_red")
    assert s.may("unique_1")


def test_all_parts_of_a_condition() -> None:
    both = {"ether": "red", "maps": 2}
    assert not Scenario(bosses=boss(endgame=both), ether="red").may("unique_1")
    assert not Scenario(bosses=boss(endgame=both), placed={1: (0, 1)}).may("unique_1")
    assert Scenario(bosses=boss(endgame=both), placed={1: (0, 1)}, ether="red").may("unique_1")


def test_the_condition_need_not_hold_on() -> None:
    """... while the condition is met: once the boss is there it stays."""
    s = Scenario(bosses=boss(endgame={"ether": "yellow"}), influence=[instant({"op": "advance_ether"})], hand=["Influence 0"])
    s.do("unique_1", "play_card_1")
    assert s.active == {"Boss 0": "standing"}


def test_summoning_for_a_price() -> None:
    s = Scenario(here=space({"op": "summon"}, cost=[{"wrath": 1}]), dice={"red": 1}).do("unique_1", "exhaust_red")
    assert s.active == {"Boss 0": "standing"}


def test_a_full_active_area_makes_room() -> None:
    """Our reading: where eight enemies lie in the active area, the last one leaves it for the boss."""
    s = Scenario(enemies=[enemy(damage=0)] * 8).meet(8).do("unique_1")
    assert len(s.active) == 8
    assert s.active["Boss 0"] == "standing"
    assert s.where("Enemy 7") == "enemy discard"


# Its effects


def test_the_effects_of_the_boss_apply_from_now_on() -> None:
    """Bosses: the standard enemy effects on a boss card apply in the endgame."""
    effects = [
        {"op": "strategy_change", "count": -2},
        {"op": "lose_stat", "stat": "recovery", "count": 1, "when": "activated"},
        {"op": "lose_stat", "stat": "strategy", "count": 1, "when": "endgame"},
        {"op": "lose_stat", "stat": "health", "count": 1, "when": "after"},
    ]
    s = Scenario(bosses=boss(effects=effects, damage=0), dice={"blue": 1}).window().do("unique_1")
    assert (s.strategy, s.recovery) == (2, 2)
    s.do("done").commit("blue").roll("miss")
    assert not s.may("again")
    assert s.do("resolve").health == 3


def test_the_boss_deals_damage() -> None:
    s = Scenario(bosses=boss(damage=3)).window().do("unique_1", "done", "roll", "resolve")
    assert s.health == 1


def test_activations_continue() -> None:
    """Endgame: Activations continue, including resolving the boss's Activation effect. In the endgame, rounds continue as before."""
    drain = {"op": "lose_stat", "stat": "health", "count": 1, "when": "activation"}
    s = Scenario(bosses=boss(effects=[drain], damage=0), enemies=[enemy(damage=0)] * 9, health=6)
    s.do("unique_1", "done", "done", "done")
    assert s.health == 5
    assert list(s.active) == ["Boss 0", "Enemy 0"]
    s.do("roll", "resolve", "done").do("done", "spend_card_1", "done", "done", "done")
    assert s.health == 4
    assert list(s.active) == ["Boss 0", "Enemy 0", "Enemy 1"]


def test_cancelled_effects_do_not_resolve() -> None:
    """Bosses can be affected by other effects: one whose effects are cancelled has no Activation effect either."""
    drain = {"op": "lose_stat", "stat": "health", "count": 1, "when": "activation"}
    cancel = instant({"op": "cancel"})
    s = Scenario(bosses=boss(effects=[drain]), influence=[cancel], hand=["Influence 0"]).do("unique_1", "play_card_1", "target_1")
    s.do("done", "done", "done")
    assert s.health == 4
    plain = Scenario(bosses=boss(effects=[drain])).do("unique_1", "done", "done", "done")
    assert plain.health == 3


def test_a_boss_is_an_enemy_for_other_effects() -> None:
    """Bosses are enemies in 20 Strong: they can be affected by enemy effects and items."""
    s = Scenario(bosses=boss(health=3), items=[item({"op": "wound", "count": 3})], held=["Item 0"]).do("unique_1", "use_item_1", "target_1")
    assert s.active == {"Boss 0": "defeated"}


def test_what_is_for_non_boss_enemies() -> None:
    for effect in ({"op": "flip_enemy"}, {"op": "defeat"}):
        s = Scenario(influence=[instant({"op": "advance_ether"}, effect)], hand=["Influence 0"], dice={}).do("unique_1", "play_card_1")
        assert s.phase == "Take actions", "the boss cannot be chosen"
        assert s.active == {"Boss 0": "standing"}


# Winning and losing


def victory(**fields: Any) -> Scenario:
    """The boss is defeated by dice; the rest of the round is to come."""
    s = Scenario(**{"bosses": boss(**WEAK), "dice": {"red": 1}, **fields}).window().do("unique_1", "done")
    return s.commit("red").roll("crit").hit("red_crit")


def test_winning() -> None:
    """You win if you defeat the boss and survive until the end of that round."""
    s = victory()
    assert s.active == {"Boss 0": "defeated"}
    assert s.ending is None
    s.do("resolve", "done")
    assert s.phase == "Take actions"
    assert s.ending is None, "not before the end of the round"
    s.do("done")
    assert s.ending == "won"
    assert s.p["payoff"][0] == 1


def test_the_boss_card_flips() -> None:
    """After winning, flip the boss card."""
    s = victory().do("resolve", "done", "done")
    assert s.p["side"][-5:].tolist() == [1, 0, 0, 0, 0]
    back = victory(boss="boss2", bosses=[{}, {}, {"a": WEAK}]).do("resolve", "done", "done")
    assert back.p["side"][-5:].tolist() == [0, 0, 1, 0, 0]


def test_no_flip_without_a_victory() -> None:
    s = Scenario(bosses=boss(damage=6)).window().do("unique_1", "done", "roll", "resolve")
    assert s.ending == "died_facing_boss"
    assert not s.p["side"].any()


def test_dying_in_the_round_of_the_victory() -> None:
    """... and survive until the end of that round: undefeated enemies still deal their Damage, After effects still resolve."""
    s = Scenario(bosses=boss(**WEAK), dice={"red": 1}, enemies=[enemy(damage=4)]).meet().do("unique_1", "done")
    s.commit("red").roll("crit").do("pick_red_crit", "target_2", "resolve")
    assert s.ending == "died_facing_boss"
    after = victory(bosses=boss(effects=[{"op": "lose_stat", "stat": "health", "count": 4, "when": "after"}], **WEAK)).do("resolve")
    assert after.ending == "died_facing_boss"


def test_the_boss_defeated_before_the_engagement() -> None:
    """The round goes on all the same, its enemies and the boss's Activation effect too."""
    drain = {"op": "lose_stat", "stat": "health", "count": 1, "when": "activation"}
    s = Scenario(bosses=boss(health=2, effects=[drain]), items=[item({"op": "wound", "count": 3})], held=["Item 0"])
    s.do("unique_1", "use_item_1", "target_1", "done", "done", "done")
    assert s.health == 3
    assert s.phase == "Commit Dice"
    s.do("roll", "resolve", "done")
    assert s.ending == "won"


def test_a_defeated_boss_stays_until_the_end() -> None:
    """An undefeated boss stays, too, and its Health is whole again in the next round."""
    s = Scenario(bosses=boss(health=3, damage=0), dice={"red": 1}, enemies=[enemy(damage=0)] * 3, ether="red")
    s.do("unique_1", "done", "done", "done").commit("red").roll("crit").do("pick_red_crit", "target_1", "resolve", "recover_red", "done")
    s.do("done", "spend_card_1", "done", "done", "done").commit("red").roll("hit").do("pick_red_hit", "target_1")
    assert s.active["Boss 0"] == "standing"


def test_losing_before_the_endgame() -> None:
    s = Scenario(enemies=[enemy(damage=4)]).fight().do("roll", "resolve")
    assert s.ending == "died"
    assert s.p["payoff"][0] == 0


# What a game pays


def test_progress() -> None:
    """reward="progress": 1/72 for each map card explored, 1/8 for activating the boss, up to 1/4 for damage dealt to it."""
    s = Scenario(reward="progress", bosses=boss(health=4, damage=6), dice={"green": 1, "red": 1}, at="0a")
    s.do("explore", "exhaust_green")
    assert s.p["payoff"][0] == pytest.approx(1 / 72)
    s.stand("0c").window().do("unique_1")
    assert s.p["payoff"][0] == pytest.approx(1 / 72 + 1 / 8)
    s.do("done").commit("red").roll("hit").hit("red_hit").do("resolve")
    assert s.ending == "died_facing_boss"
    assert s.p["payoff"][0] == pytest.approx(1 / 72 + 1 / 8 + 1 / 4 / 4)


def test_progress_ends_at_1() -> None:
    s = victory(reward="progress").do("resolve", "done")
    assert s.p["payoff"][0] == pytest.approx(1 / 8)
    assert s.do("done").p["payoff"][0] == 1


def test_nine_explored_cards_count() -> None:
    """Cards that were discarded and explored again count, up to nine in all."""
    s = Scenario(reward="progress", at="0a", dice={"green": 12})
    for _ in range(12):
        s.do("explore", "exhaust_green")
        card = next(c for c in range(1, 10) if s.p["map_zone"][c] == 3)
        s.p["map_zone"][card] = 4
    assert s.p["payoff"][0] == pytest.approx(1 / 8)


def test_only_winning_counts_by_default() -> None:
    s = Scenario(bosses=boss(damage=6), dice={"green": 1}, at="0a").do("explore", "exhaust_green")
    s.stand("0c").window().do("unique_1")
    assert s.p["payoff"][0] == 0
