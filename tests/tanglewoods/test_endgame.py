"""Endgame: Grandma's Cabin, the Big Bad Wolf and the power-ups; how games end."""

from typing import Any

import pytest
from pydantic import ValidationError

from deckwood.tanglewoods.spec import ENDINGS
from deckwood.tanglewoods.state import IN_DECK, IN_DISCARD, OUT
from tests.tanglewoods.scenario import Scenario, enemy, one_node


def boss(**fields: Any) -> dict[str, Any]:
    return {"boss": {"health": 3, "damage": 1, **fields}}


def test_the_wolf_emerges_with_the_power_ups_of_undefeated_wolves() -> None:
    """The Wolf Emerges; Power-Ups: of the wolves remaining in the Wolf Pack Deck; the discard is ignored."""
    s = Scenario()
    s.p["wolves"] = [IN_DECK, IN_DISCARD, IN_DECK, OUT, IN_DISCARD]
    s.battle()
    assert list(s.active) == ["boss", "Power-up 0", "Power-up 2"]
    assert s.phase == "Commit Dice", "no Bribery phase"
    assert not (s.p["wolves"] == IN_DECK).any(), "the cards have left their deck"


def test_bigger_badder_wolf() -> None:
    """The Wolf Emerges: or, for a tougher challenge, the Bigger, Badder Wolf."""
    assert "bigger_boss" in Scenario(boss="bigger_badder_wolf").battle().active


def test_wolves_may_return_to_play() -> None:
    """Power-Ups: facing the Bigger, Badder Wolf, wolves of the discard may return to play."""
    returns = {"bigger_boss": {"health": 1, "damage": 0, "effects": [{"op": "wolf_returns", "when": "endgame"}]}}
    s = Scenario(boss="bigger_badder_wolf", cards=returns, wolves=[{}, {"health": 1}], dice={"red": 2})
    s.p["wolves"][1] = IN_DISCARD
    s.battle().draw("Wolf 1")
    assert list(s.active) == ["bigger_boss", "Power-up 0", "Power-up 2", "Power-up 3", "Power-up 4", "Wolf 1"]
    s.commit("red", "red").roll("hit", "hit").hit("red_hit").hit("red_hit", slot=6).do("resolve", "done")
    assert s.ending == "won"
    none = Scenario(boss="bigger_badder_wolf", cards=returns).battle()
    assert none.phase == "Commit Dice", "no wolf was defeated"


def test_power_ups_are_rules_not_enemies() -> None:
    """Power-Ups: additional rules and restrictions for the whole battle."""
    limit = [
        {"power_up": {"effects": [{"op": "commit_limit", "count": 1}]}},
        {"power_up": {"effects": [{"op": "enemy_health", "count": 2}]}},
    ]
    s = Scenario(wolves=limit, cards=boss(), dice={"red": 2}).battle().do("commit_red")
    assert s.legal == ["roll"]
    s.do("roll").roll("crit").do("pick_red_crit")
    assert s.legal == ["target_1"]
    s.do("target_1").do("again", "commit_red", "roll").roll("crit").hit("red_crit")
    assert s.active["boss"] == "standing", "4 of 3 + 2"


def test_power_ups_act_in_the_after_effects_step() -> None:
    scorch = [{"power_up": {"effects": [{"op": "exhaust_best", "count": 1, "when": "after"}]}}]
    s = Scenario(wolves=scorch, cards=boss(), dice={"red": 1, "yellow": 1}, recovery=1).battle().do("roll", "resolve", "done")
    assert s.exhausted == {"red": 1}


def test_rounds_without_activation_and_dice_that_stay() -> None:
    """Battle!: dice applied to undefeated enemies are not exhausted; over as many endgame rounds as it takes."""
    s = Scenario(cards=boss(), dice={"blue": 3}, exhausted={}, recovery=1, health=6).battle()
    s.commit("blue", "blue").roll("hit", "miss").hit("blue_hit").do("resolve")
    assert s.dice_on(1) == {"blue": 1}
    assert s.exhausted == {"blue": 1}
    s.do("done")
    assert (s.phase, s.health) == ("Commit Dice", 5)
    s.commit("blue").roll("crit").hit("blue_crit")
    assert s.active["boss"] == "defeated", "1 + 2"
    s.do("resolve")
    assert s.exhausted == {"blue": 3}, "those on a defeated enemy are"
    s.do("done")
    assert s.ending == "won"


def test_all_active_enemies_must_be_defeated() -> None:
    """Battle!: the conflict continues until all active enemies are defeated."""
    calls = boss(effects=[{"op": "activate", "count": 1, "when": "endgame"}])
    s = Scenario(cards=calls, enemies=[enemy(health=1)], dice={"red": 3}, recovery=3).scouted(0, 1, 2).battle().no_bribe()
    assert "Minion 0" in s.active
    s.commit("red", "red").roll("crit", "crit").hit("red_crit", "red_crit").do("resolve", *["recover_red"] * 2)
    assert s.ending is None
    assert "boss" not in s.active
    assert s.active["Minion 0"] == "standing"
    slot = list(s.active).index("Minion 0") + 2
    s.commit("red").roll("hit")
    s.hit("red_hit", slot=slot).do("resolve", "done")
    assert s.ending == "won"


def test_win_only_at_the_end_of_the_resolve_phase() -> None:
    """Winning & Losing: the Big Bad Wolf is defeated, yet its After effect, or Damage of another, may still lose the game."""
    for loss, ending in ((2, "won"), (3, "died_at_cabin")):
        last = boss(effects=[{"op": "lose_stat", "stat": "health", "count": loss, "when": "after"}])
        s = Scenario(cards=last, dice={"red": 2}, health=3).battle().commit("red", "red").roll("crit", "hit").hit("red_hit", "red_crit")
        assert s.ending is None
        s.do("resolve")
        assert (s.do("done") if s.ending is None else s).ending == ending


@pytest.mark.parametrize("op", [{"op": "flee", "face": "miss", "count": 1, "when": "rolled"}, {"op": "return_to_deck", "when": "after"}])
def test_the_boss_cannot_leave_the_battle(op: dict[str, Any]) -> None:
    """Winning & Losing: the Big Bad Wolf must be defeated; a deck in which it could go away is refused."""
    with pytest.raises(ValidationError, match="no way out of the battle"):
        Scenario(cards=boss(effects=[op]))


def test_recovery_before_the_win() -> None:
    s = Scenario(cards=boss(), dice={"red": 2}).battle().commit("red", "red").roll("crit", "hit").hit("red_hit", "red_crit").do("resolve")
    assert s.phase == "Recover dice"
    assert s.ending is None
    s.do("done")
    assert s.ending == "won"
    assert s.p["payoff"][0] == 1


@pytest.mark.parametrize("where", ["forest", "cabin"])
def test_loss(where: str) -> None:
    """Winning & Losing: Health below 1 loses, in the forest as at the Cabin."""
    s = Scenario(enemies=[enemy(damage=4)], cards=boss(damage=4), dice={})
    s = s.battle() if where == "cabin" else s.fight()
    s.do("roll", "resolve")
    assert s.ending == f"died_{'at_cabin' if where == 'cabin' else 'in_forest'}"
    assert s.p["payoff"][0] == 0
    assert s.phase == "The game is over"


def test_every_ending_is_reached_here() -> None:
    assert {ending.name for ending in ENDINGS} == {"won", "died_at_cabin", "died_in_forest"}


def test_the_battle_begins_in_the_round_of_arriving() -> None:
    """Round Structure: a round is Activation and Engagement, and a home is none of the nodes that skip the Engagement. So what was used in
    the Activation is used up, what shields in that round still does, and no other round starts before the battle."""
    shield = [{"op": "shield", "count": 1}]
    starts = {"uses": "ongoing", "effects": [{"op": "gain_gold", "count": 1, "when": "round_starts"}]}
    s = Scenario(ability=shield, items=[starts], held=["Item 0"], cards=boss(health=9, damage=2), dice={}, health=6, gold=0)
    s.p["path"][1], s.p["path_length"] = 2 * 16, 2
    s.next_round().do("done")
    assert s.gold == 1
    s.do("travel_left", "travel_a")
    assert (s.phase, s.gold) == ("Commit Dice", 1)
    assert s.may("use_hero")
    tired = Scenario(ability=[{"op": "gain_gold", "count": 1}], cards=boss(health=9, damage=2), dice={}, health=6, gold=0)
    tired.p["path"][1], tired.p["path_length"] = 2 * 16, 2
    tired.next_round().do("use_hero", "done", "travel_left", "travel_a")
    assert not tired.may("use_hero")
    assert tired.do("roll", "resolve").may("use_hero"), "the second round of the battle"


def test_enemies_met_on_the_way_home_may_be_bribed() -> None:
    """Bribery Phase: if the Travel phase ends with any enemies in the active area; the boss takes no bribe."""
    calls = {"effects": [{"op": "activate", "count": 1}]}
    s = Scenario(items=[calls], held=["Item 0"], cards=boss(health=9), gold=3).scouted(0, 1, 2)
    s.p["path"][1], s.p["path_length"] = 2 * 16, 2
    s.next_round().do("use_item_1", "done", "travel_left", "travel_a")
    assert (s.phase, s.legal) == ("Bribery", ["target_1", "done"])
    assert next(iter(s.do("target_1").active)) == "boss"


def test_items_and_abilities_begin_afresh_each_endgame_round() -> None:
    shield = [{"op": "shield", "count": 1}]
    s = Scenario(ability=shield, cards=boss(health=9, damage=2), dice={}, health=6).battle()
    assert s.do("use_hero", "roll", "resolve").health == 5
    assert s.do("use_hero", "roll", "resolve").health == 4
    assert s.do("roll", "resolve").health == 2


def test_fables_beside_the_hero_count_endgame_rounds() -> None:
    keep = [{"op": "keep_card", "count": 3}, {"op": "shield_always", "count": 1}]
    s = Scenario(fables=[keep], cards=boss(health=9), dice={}, health=3).tell().battle()
    s.do("roll", "resolve")
    assert s.beside == ["Fable 0"], "two of its rounds are over: that of the fable, and that of arriving with its Engagement"
    s.do("roll", "resolve")
    assert (s.health, s.beside) == (3, [])
    assert s.zone("minions", 0) == IN_DISCARD
    assert s.do("roll", "resolve").health == 2


def test_kept_fable_waits_for_the_endgame() -> None:
    promise = [{"op": "keep_card", "count": 0}, {"op": "wound", "count": 2, "when": "endgame"}]
    s = Scenario(fables=[promise], cards=boss(), dice={"red": 1}).tell().battle().do("target_1").commit("red").roll("hit").hit("red_hit")
    assert s.active["boss"] == "defeated"


def test_effects_under_way_end_before_the_battle() -> None:
    """A fable turns its card, the hero skips a wolf node and comes home: the fable is discarded all the same."""
    home = {"nodes": {"a": "wolf", "b": "home"}, "paths": {"left": "a", "middle": "a", "right": "a", "a": "b"}}
    away = {"nodes": {"a": "fable", "b": "home"}, "paths": {"left": "a", "middle": "a", "right": "a", "a": "b"}}
    flips = [{"op": "flip_forest", "side": "day"}, {"op": "gain_gold", "count": 5}]
    s = Scenario(fables=[flips], cards={"cabin": {"day": home, "night": away}}, gold=0)
    s.p["wolves"] = IN_DISCARD
    s.p["path"][1], s.p["path_length"] = 2 * 16 + 1, 2
    s.scouted(1, 2, 3).next_round().do("done", "travel_left", "travel_a").draw("Fable 0")
    assert s.phase == "Travel"
    s.do("travel_b")
    assert s.gold == 5
    assert s.zone("minions", 0) == IN_DISCARD
    assert list(s.active) == ["boss"]
    assert s.phase == "Commit Dice"


def test_blighted_home() -> None:
    """Blighted: enemies have +2 Health and +1 Damage, the boss too."""
    cabin = {"cabin": {side: one_node("home/blighted", "") for side in ("day", "night")}}
    s = Scenario(cards={**boss(damage=0), **cabin}, dice={}, health=5).battle().do("roll", "resolve")
    assert s.health == 4


def test_nothing_turns_the_cabin_under_the_battle() -> None:
    """A card that turns the forest card the hero is on starts no second battle."""
    s = Scenario(ability=[{"op": "flip_forest", "side": "night"}], cards=boss()).battle()
    before = s.p["slot"].copy()
    s.do("use_hero")
    assert (s.p["slot"] == before).all()
    assert s.phase == "Commit Dice"


def test_a_full_active_area_makes_room_for_the_boss() -> None:
    """Our limit of eight cards: effects that activate enemies on the way could fill it."""
    calls = {"effects": [{"op": "activate", "count": 3}]}
    s = Scenario(items=[calls, calls, calls], held=["Item 0", "Item 1", "Item 2"], strategy=6)
    s.p["path"][1], s.p["path_length"] = 2 * 16, 2
    s.next_round().do("use_item_1", "use_item_1", "use_item_1")
    enemies = [int(face) for face in s.p["slot"]]
    assert len(s.active) == 8
    s.do("done", "travel_left", "travel_a")
    assert list(s.active)[7] == "boss"
    assert s.zone("minions", enemies[7]) == IN_DISCARD
    assert s.no_bribe().phase == "Commit Dice"


def test_progress_reward() -> None:
    """Option reward="progress": 1/44 for each card of the path entered, and the rest of 1 for winning."""
    s = Scenario(reward="progress", cards=boss(), dice={"red": 2}).battle()
    assert s.p["payoff"][0] == pytest.approx(1 / 44)
    s.commit("red", "red").roll("crit", "hit").hit("red_hit", "red_crit").do("resolve", "done")
    assert s.p["payoff"][0] == 1


def test_progress_reward_of_a_lost_battle() -> None:
    """Option reward="progress": a quarter times the share of the boss's Health that is gone."""
    s = Scenario(reward="progress", cards=boss(health=8, damage=6), dice={"red": 2}).battle()
    s.commit("red", "red").roll("crit", "hit").hit("red_hit", "red_crit").do("resolve")
    assert s.p["stats"][0] == 0
    assert s.p["payoff"][0] == pytest.approx(1 / 44 + 3 / 8 / 4)
