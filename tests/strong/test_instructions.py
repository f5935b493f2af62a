"""Instructions: a scenario for each. What a word means is its text in ``deckwood.strong.vocabulary``; where it touches a rule of the
game, the test names the rulebook's section."""

from typing import Any

import pytest

from deckwood.strong.vocabulary import OPS
from tests.strong.scenario import Covered
from tests.tanglewoods.scenario import Scenario, enemy

covers = Covered()
TWO_EACH = {"yellow": 2, "green": 2, "blue": 2, "purple": 2}


def told(*effects: dict[str, Any], **more: Any) -> Scenario:
    """A fable with these effects has been drawn."""
    return Scenario(fables=[effects], **more).tell()


def using(*effects: dict[str, Any], dice: tuple[str, ...] = (), enemies: int = 1, **more: Any) -> Scenario:
    """The dice, each colour_face, have been rolled against enemies of Health 4, and the hero can use these effects."""
    s = Scenario(ability=effects, dice=TWO_EACH, gold=0, **more).fight(enemies)
    rolls = [die.split("_") for die in dice]
    return s.commit(*(colour for colour, _ in rolls)).roll(*(face for _, face in rolls))


def picks(s: Scenario) -> list[str]:
    return [name.removeprefix("pick_") for name in s.legal if name.startswith("pick_")]


# Stats: Stat Dice, from 1 (Health: 0, which loses) to 6


@covers("gain_stat")
@pytest.mark.parametrize(("before", "after"), [(3, 5), (5, 6), (6, 6)])
def test_gain_stat_ends_at_six(before: int, after: int) -> None:
    assert told({"op": "gain_stat", "stat": "recovery", "count": 2}, recovery=before).recovery == after


@covers("gain_stat")
def test_gained_strategy_scouts_at_once() -> None:
    """The Scouting Line: any time Strategy increases, immediately add more cards to the line."""
    s = Scenario(fables=[[{"op": "gain_stat", "stat": "strategy", "count": 2}]], strategy=3, scout=False)
    s.scouted(1, 2, 3).tell()
    assert s.phase == "Scout"
    s.draw("Minion 4", "Minion 9")
    assert s.line == ["Minion 1", "Minion 2", "Minion 3", "Minion 4", "Minion 9"]


@covers("lose_stat")
def test_lose_stat() -> None:
    assert told({"op": "lose_stat", "stat": "strategy", "count": 5}, strategy=3).strategy == 1
    assert told({"op": "lose_stat", "stat": "health", "count": 2}, health=3).health == 1
    assert told({"op": "lose_stat", "stat": "health", "count": 5}, health=3).ending == "died_in_forest"


@covers("lose_stat")
def test_lost_strategy_leaves_the_line() -> None:
    """The Scouting Line: make no changes if your Strategy decreases."""
    s = Scenario(fables=[[{"op": "lose_stat", "stat": "strategy", "count": 2}]], strategy=3).scouted(1, 2, 3).tell()
    assert s.line == ["Minion 1", "Minion 2", "Minion 3"]


@covers("gain_any_stat")
def test_gain_any_stat() -> None:
    s = told({"op": "gain_any_stat", "count": 2}, health=6, strategy=2, recovery=5)
    assert s.legal == ["choose_strategy", "choose_recovery"]
    s.do("choose_recovery")
    assert s.legal == ["choose_strategy"]
    s.do("choose_strategy")
    assert (s.health, s.strategy, s.recovery) == (6, 3, 6)
    assert told({"op": "gain_any_stat", "count": 1}, health=6, strategy=6, recovery=6).phase == "Explore: choose dice"


@covers("lose_any_stat")
def test_lose_any_stat() -> None:
    s = told({"op": "lose_any_stat", "count": 3}, health=2, strategy=1, recovery=2)
    assert s.legal == ["choose_health", "choose_recovery"]
    s.do("choose_recovery")
    assert s.legal == ["choose_health"]
    assert s.do("choose_health").health == 1
    assert s.do("choose_health").ending == "died_in_forest"


# Dice and their areas


@covers("recover")
def test_recover() -> None:
    s = told({"op": "recover", "count": 2}, dice={}, exhausted={"yellow": 1, "blue": 2})
    assert s.legal == ["recover_yellow", "recover_blue", "done"]
    s.do("recover_blue")
    assert s.legal == ["recover_blue", "done"], "weakest first: one spelling for each choice"
    s.do("recover_blue")
    assert (s.ready, s.exhausted) == ({"blue": 2}, {"yellow": 1})


@covers("recover_colour")
def test_recover_colour() -> None:
    s = told({"op": "recover_colour", "colour": "blue", "count": 3}, dice={}, exhausted={"yellow": 1, "blue": 2})
    assert (s.ready, s.exhausted) == ({"blue": 2}, {"yellow": 1})


@covers("recover_by_roll")
def test_recover_by_roll() -> None:
    s = told({"op": "recover_by_roll"}, dice={}, exhausted={"yellow": 1, "purple": 2})
    assert s.chances == {"miss": 4, "hit": 1, "crit": 1}
    s.roll("miss")
    assert s.chances == {"miss": 1, "hit": 4, "crit": 1}
    s.roll("hit", "crit")
    assert (s.ready, s.exhausted) == ({"purple": 2}, {"yellow": 1})


@covers("exhaust")
def test_exhaust_has_one_spelling() -> None:
    s = told({"op": "exhaust", "count": 2}, dice={"yellow": 1, "blue": 1, "red": 1}, exhausted={})
    assert s.legal == ["exhaust_yellow", "exhaust_blue"], "red first would leave nothing after it"
    s.do("exhaust_blue")
    assert s.legal == ["exhaust_red"]
    s.do("exhaust_red")
    assert (s.ready, s.exhausted) == ({"yellow": 1}, {"blue": 1, "red": 1})
    assert told({"op": "exhaust", "count": 2}, dice={"blue": 1}).do("exhaust_blue").ready == {}, "as many as there are"


@covers("exhaust_best")
def test_exhaust_best() -> None:
    s = told({"op": "exhaust_best", "count": 2}, dice={"yellow": 3, "purple": 1}, exhausted={})
    assert s.exhausted == {"yellow": 1, "purple": 1}


@covers("banish")
def test_banish_ready_or_exhausted_dice() -> None:
    s = told({"op": "banish", "count": 2}, dice={"green": 1}, exhausted={"yellow": 1, "red": 1}, banished={})
    assert s.legal == ["banish_ready_green", "banish_exhausted_yellow"]
    s.do("banish_exhausted_yellow")
    assert s.legal == ["banish_exhausted_red"]
    s.do("banish_exhausted_red")
    assert (s.ready, s.exhausted, s.banished) == ({"green": 1}, {}, {"yellow": 1, "red": 1})


@covers("banish")
def test_banish_from_any_area() -> None:
    """Banishing: dice can be taken from any area, so those in hand and those on cards too."""
    s = Scenario(
        enemies=[enemy(health=9, effects=[{"when": "after", "op": "banish", "count": 2}])], dice={"red": 1, "blue": 2}, banished={}
    )
    s.fight().commit("blue", "blue", "red").roll("miss", "hit", "hit").hit("blue_hit").hit("red_hit").do("resolve")
    assert s.legal == ["pick_blue_miss", "target_1"]
    s.do("target_1")
    assert s.legal == ["pick_blue_hit", "pick_red_hit"]
    s.do("pick_red_hit")
    assert s.legal == ["target_1"], "places go one after another, and one more die is due"
    s.do("target_1", "pick_blue_hit")
    assert s.banished == {"blue": 1, "red": 1}
    assert s.p["applied"].sum() == 0


@covers("banish_best")
def test_banish_best() -> None:
    assert told({"op": "banish_best", "count": 1}, dice={"green": 1, "blue": 2}, banished={}).banished == {"blue": 1}


@covers("banish_misses")
def test_banish_misses() -> None:
    after = [{"when": "after", "op": "banish_misses", "count": 2}]
    s = Scenario(enemies=[enemy(effects=after)], dice=TWO_EACH, banished={}).fight().commit("yellow", "green", "blue", "blue")
    s.roll("miss", "hit", "miss", "miss").do("resolve")
    assert s.banished == {"yellow": 1, "blue": 1}
    assert s.exhausted == {"green": 1, "blue": 1}


@covers("banish_applied")
def test_banish_applied_when_it_falls() -> None:
    falls = [{"when": "falls", "op": "banish_applied", "count": 1}]
    s = Scenario(enemies=[enemy(health=2, effects=falls)], dice=TWO_EACH, banished={}).fight().commit("yellow", "green").roll("hit", "hit")
    s.hit("yellow_hit", "green_hit")
    assert s.legal == ["pick_yellow_hit", "pick_green_hit"]
    s.do("pick_green_hit")
    assert s.banished == {"green": 1}
    assert s.active == {"Minion 0": "defeated"}


@covers("restore")
def test_restore() -> None:
    s = told({"op": "restore", "count": 2}, dice={}, banished={"yellow": 1, "red": 1})
    assert s.legal == ["restore_yellow", "restore_red", "done"]
    s.do("restore_red")
    assert s.legal == ["done"]
    assert (s.ready, s.banished) == ({"red": 1}, {"yellow": 1})


@covers("restore_colour")
def test_restore_colour() -> None:
    s = told({"op": "restore_colour", "colour": "red"}, dice={}, banished={"yellow": 1, "red": 1})
    assert (s.ready, s.banished) == ({"red": 1}, {"yellow": 1})


# Items: at most Strategy of them


@covers("gain_item")
def test_gain_item_needs_room() -> None:
    """Items: you cannot gain an item without room, but may use or discard items you have to make room."""
    s = told({"op": "gain_item", "count": 2}, strategy=1, gold=0)
    s.draw("Item 4").do("accept").draw("Item 5")
    assert s.legal == ["use_item_1", "discard_item_1", "decline"]
    refused = Scenario(fables=[[{"op": "gain_item", "count": 1}]], strategy=1, held=["Item 4"]).tell().draw("Item 5").do("decline")
    assert refused.items == ["Item 4"]
    s.do("discard_item_1")
    assert s.legal == ["accept", "decline"]
    s.do("accept")
    assert s.items == ["Item 5"]


@covers("gain_item")
def test_six_items_are_the_most() -> None:
    """Strategy 6 and an effect that adds to it make no seventh place."""
    s = told(
        {"op": "gain_item", "count": 1}, ability=[{"op": "strategy_change", "count": 1}], strategy=6, held=[f"Item {i}" for i in range(6)]
    )
    assert not s.draw("Item 6").may("accept")


@covers("gain_item")
def test_items_reshuffle() -> None:
    """Discarding & Reshuffling Summary: the item discard forms a new deck when it is empty."""
    s = Scenario(fables=[[{"op": "gain_item", "count": 1}]])
    s.p["item_cards"] = 4
    s.p["item_cards"][[2, 7]] = 3
    s.tell()
    assert s.chances == {"Item 2": 1, "Item 7": 1}


@covers("lose_item")
def test_lose_item() -> None:
    s = told({"op": "lose_item", "count": 2}, held=["Item 1", "Item 2", "Item 3"])
    assert s.legal == ["discard_item_1", "discard_item_2"]
    s.do("discard_item_2")
    assert s.legal == ["discard_item_2"]
    s.do("discard_item_2")
    assert s.items == ["Item 1"]
    assert s.zone("item_cards", 2) == s.zone("item_cards", 3) == 3


@covers("upgrade_item")
def test_upgrade_item() -> None:
    s = told({"op": "upgrade_item", "count": 2}, held=["Item 1", "Item 2, upgraded", "Item 3"])
    assert s.legal == ["upgrade_item_1", "upgrade_item_3", "done"]
    s.do("upgrade_item_3")
    assert s.phase == "Explore: choose dice", "nothing is left from there on"
    assert s.items == ["Item 1", "Item 2, upgraded", "Item 3, upgraded"]


def test_single_use_ongoing_and_ordinary_again() -> None:
    """Items: single-use ones are discarded, with their ordinary side; ongoing ones stay, and serve once a round."""
    stay = {"uses": "ongoing", "effects": [{"op": "gain_stat", "stat": "health", "count": 1}]}
    s = Scenario(items=[stay, {}], held=["Item 0", "Item 1, upgraded"], health=1, gold=0).next_round()
    s.do("use_item_1")
    assert (s.health, s.items) == (2, ["Item 0", "Item 1, upgraded"])
    assert not s.may("use_item_1")
    s.do("use_item_2")
    assert (s.gold, s.items) == (2, ["Item 0"])
    assert s.zone("item_cards", 1) == 3
    assert s.next_round().may("use_item_1")


# Enemies


@covers("activate")
def test_activate_when_activated() -> None:
    """The Scouting Line: from its left end; an effect comes after the line has been refilled."""
    first = enemy(effects=[{"when": "activated", "op": "activate", "count": 1}])
    s = Scenario(enemies=[first], strategy=2, scout=False).scouted(0, 1).arrive()
    assert (list(s.active), s.line) == (["Minion 0"], ["Minion 1"])
    s.draw("Minion 7")
    assert (list(s.active), s.line) == (["Minion 0", "Minion 1"], ["Minion 7"])
    s.draw("Minion 9")
    assert (list(s.active), s.line) == (["Minion 0", "Minion 1"], ["Minion 7", "Minion 9"])


@covers("flee")
def test_flee_on_misses() -> None:
    flee = [{"when": "rolled", "op": "flee", "face": "miss", "count": 2}]
    s = Scenario(enemies=[enemy(effects=flee)], dice={"green": 3}, health=4).fight().commit("green", "green").roll("miss", "hit")
    assert s.active == {"Minion 0": "standing"}
    s.hit("green_hit").do("again", "commit_green", "roll").roll("miss", "miss")
    assert s.active == {}
    assert s.zone("minions", 0) == 3
    assert s.exhausted == {"green": 1}, "dice on a card that leaves are exhausted (Applied Dice)"
    s.do("resolve")
    assert s.health == 4


@covers("flee")
def test_flee_on_hits_counts_applied_ones_and_crits() -> None:
    """A crit is one hit (Unit Dice)."""
    flee = [{"when": "rolled", "op": "flee", "face": "hit", "count": 2}]
    s = Scenario(enemies=[enemy(effects=flee, health=9)], dice={"green": 3}).fight().commit("green").roll("hit").hit("green_hit")
    s.do("again", "commit_green", "roll").roll("miss")
    assert s.active == {"Minion 0": "standing"}
    s.do("again", "roll").roll("crit")
    assert s.active == {}


@covers("return_to_deck")
def test_return_to_deck_shuffles_the_visible_top_card_too() -> None:
    back = [{"when": "after_standing", "op": "return_to_deck"}]
    s = Scenario(enemies=[enemy(effects=back)], dice={}, strategy=2, scout=False).fight().draw("Minion 5", "Minion 6")
    s.no_bribe().do("roll", "resolve")
    assert s.active == {}
    assert s.line == ["Minion 5"]
    assert {"Minion 0", "Minion 6"} <= set(s.chances)


@covers("defeat")
def test_defeat_spares_bosses_and_earns_the_reward() -> None:
    reward = [{"op": "gain_gold", "count": 5}]
    s = Scenario(enemies=[enemy(reward=reward)], ability=[{"op": "defeat"}], gold=0).fight().do("use_hero", "target_1", "accept")
    assert s.active == {"Minion 0": "defeated"}
    assert s.gold == 5
    assert not Scenario(ability=[{"op": "defeat"}]).fight_wolf().may("use_hero"), "wolves are boss enemies (Wolf Pack)"


@covers("wound")
def test_wound() -> None:
    s = using({"op": "wound", "count": 2}, enemies=2, dice=("blue_crit",)).do("use_hero")
    assert s.legal == ["target_1", "target_2"]
    s.do("target_2").hit("blue_crit", slot=2)
    assert s.active["Minion 1"] == "defeated", "2 + 2 of 4"


@covers("set_health")
def test_set_health() -> None:
    s = using({"op": "set_health", "count": 2}, dice=("blue_crit", "purple_hit")).do("use_hero", "target_1").hit("blue_crit")
    assert s.active["Minion 0"] == "defeated"


@covers("cancel")
def test_cancel_ends_an_enemys_effects_but_not_its_reward() -> None:
    effects = [{"op": "crits_only"}, {"when": "after", "op": "lose_stat", "stat": "health", "count": 1}]
    s = Scenario(enemies=[enemy(health=1, effects=effects, reward=[{"op": "gain_gold", "count": 1}])], ability=[{"op": "cancel"}], gold=0)
    s.fight().commit("green").roll("hit")
    assert picks(s) == []
    s.do("use_hero", "target_1").hit("green_hit").do("accept", "resolve")
    assert (s.health, s.gold) == (4, 1)
    assert not Scenario(ability=[{"op": "cancel"}]).next_round().may("use_hero")


@covers("double_reward")
def test_double_reward() -> None:
    """Apply Dice: gaining an Instant reward is optional."""
    wealth = enemy(health=1, reward=[{"op": "gain_gold", "count": 2}])
    s = Scenario(enemies=[wealth] * 3, ability=[{"op": "double_reward", "count": 1}], dice={"red": 3}, gold=0).fight(3)
    s.do("use_hero").commit("red", "red", "red").roll("hit", "hit", "hit")
    s.hit("red_hit").do("decline")
    s.hit("red_hit", slot=2).do("accept")
    assert s.gold == 4
    s.hit("red_hit", slot=3).do("accept")
    assert s.gold == 6


@covers("shield")
def test_shield_lasts_a_round() -> None:
    s = Scenario(ability=[{"op": "shield", "count": 2}], dice={}, health=6).fight(3).do("use_hero", "roll", "resolve")
    assert s.health == 5, "6 - (3 - 2)"
    assert s.fight(2).do("roll", "resolve").health == 3
    more = Scenario(ability=[{"op": "shield", "count": 9}], dice={}, health=6).fight(2).do("use_hero", "roll", "resolve")
    assert more.health == 6, "no damage is not a gain"


@covers("extra_pass")
def test_extra_pass_counts_in_this_engagement() -> None:
    s = using({"op": "extra_pass", "count": 1}, dice=("green_miss",), strategy=1)
    assert s.legal == ["use_hero", "resolve"]
    s.do("use_hero", "again", "roll").roll("miss")
    assert s.legal == ["resolve"]
    assert not Scenario(ability=[{"op": "extra_pass", "count": 1}], gold=9).fight(bribe=True).may("use_hero"), "no Strategy phase yet"


# Dice that have been rolled


@covers("turn_miss")
def test_turn_miss() -> None:
    s = using({"op": "turn_miss", "count": 2}, dice=("yellow_miss", "yellow_miss", "blue_miss", "blue_crit")).do("use_hero")
    assert picks(s) == ["yellow_miss", "blue_miss"]
    s.do("pick_yellow_miss", "pick_blue_miss")
    assert s.shown == {"yellow_miss": 1, "yellow_hit": 1, "blue_hit": 1, "blue_crit": 1}


@covers("turn_hit")
def test_turn_hit() -> None:
    s = using({"op": "turn_hit", "count": 2}, dice=("yellow_hit", "blue_miss")).do("use_hero")
    assert picks(s) == ["yellow_hit"]
    s.do("pick_yellow_hit")
    assert s.shown == {"yellow_crit": 1, "blue_miss": 1}


@covers("reroll")
def test_reroll_one_at_a_time() -> None:
    s = using({"op": "reroll", "count": 2}, dice=("yellow_miss", "blue_hit")).do("use_hero", "pick_yellow_miss").roll("hit")
    assert picks(s) == ["yellow_hit", "blue_hit"]
    s.do("pick_blue_hit").roll("miss")
    assert s.phase == "Apply Dice"
    assert s.shown == {"yellow_hit": 1, "blue_miss": 1}


@covers("reroll_misses")
def test_reroll_misses() -> None:
    s = using({"op": "reroll_misses"}, dice=("yellow_miss", "green_hit", "blue_miss")).do("use_hero").roll("crit", "miss")
    assert s.shown == {"yellow_crit": 1, "green_hit": 1, "blue_miss": 1}


@covers("reroll", "reroll_misses")
@pytest.mark.parametrize("op", [{"op": "reroll_misses"}, {"op": "reroll", "count": 1}])
def test_dice_just_committed_are_not_rerolled(op: dict[str, Any]) -> None:
    """Items may be used in the Commit Dice step; the dice committed in it are rolled at its end, not before."""
    s = using(op, dice=("yellow_miss",)).do("again", "commit_blue", "commit_purple", "use_hero")
    if s.phase == "Reroll dice":
        s.do("pick_yellow_miss")
    assert s.chances == {"miss": 4, "hit": 1, "crit": 1}
    s.roll("hit")
    assert s.phase == "Commit Dice"
    assert s.shown == {"yellow_hit": 1}
    s.do("roll").roll("miss", "hit", "crit")
    assert s.shown == {"yellow_miss": 1, "blue_hit": 1, "purple_crit": 1}


@covers("reroll_hits")
def test_reroll_hits_for_each_miss() -> None:
    effects = [{"when": "rolled", "op": "reroll_hits", "count": 1, "per": "miss"}]
    s = Scenario(enemies=[enemy(effects=effects)], dice=TWO_EACH).fight().commit("yellow", "green", "blue").roll("miss", "hit", "crit")
    assert s.phase == "Reroll hits"
    assert s.legal == ["pick_green_hit", "pick_blue_crit"]
    s.do("pick_blue_crit").roll("miss")
    assert s.phase == "Apply Dice"
    assert s.shown == {"yellow_miss": 1, "green_hit": 1, "blue_miss": 1}


@covers("exhaust_hits")
def test_exhaust_hits_when_a_crit_is_applied() -> None:
    effects = [{"when": "crit_applied", "op": "exhaust_hits", "count": 1}]
    s = Scenario(enemies=[enemy(effects=effects, health=9)], dice=TWO_EACH, exhausted={}).fight().commit("yellow", "green", "blue")
    s.roll("crit", "hit", "hit").hit("yellow_crit")
    assert s.legal == ["pick_green_hit", "pick_blue_hit"]
    s.do("pick_green_hit")
    assert s.exhausted == {"green": 1}
    s.hit("blue_hit")
    assert s.dice_on(1) == {"yellow": 1, "blue": 1}, "basic hits cost nothing"


@covers("swap_dice")
def test_swap_dice_of_two_colours() -> None:
    s = using({"op": "swap_dice"}, dice=("yellow_hit", "green_miss", "green_hit")).do("use_hero")
    assert picks(s) == ["green_miss"]
    s.do("pick_green_miss")
    assert s.legal == ["pick_yellow_hit"]
    s.do("pick_yellow_hit")
    assert s.shown == {"yellow_miss": 1, "green_hit": 2}
    assert not using({"op": "swap_dice"}, dice=("green_miss", "green_hit")).may("use_hero")


@covers("return_die")
def test_return_die() -> None:
    """Dice States: returned dice move from the active area to the dice pool."""
    s = using({"op": "return_die", "count": 2}, dice=("yellow_miss", "blue_hit", "blue_miss")).do("use_hero")
    assert picks(s) == ["yellow_miss", "blue_miss", "blue_hit"]
    s.do("pick_blue_miss")
    assert picks(s) == ["blue_hit"]
    s.do("done")
    assert s.ready == {"yellow": 1, "green": 2, "blue": 1, "purple": 2}
    assert s.shown == {"yellow_miss": 1, "blue_hit": 1}


# The hero's cards


@covers("flip_hero")
def test_flip_hero() -> None:
    s = told({"op": "flip_hero"})
    assert s.hero == "Hero 0, back"
    assert s.tell().hero == "Hero 0, front"


@covers("keep_card")
def test_keep_card_for_rounds() -> None:
    """Fable: cards placed next to your hero are no items, and are discarded when their time is over."""
    s = told({"op": "keep_card", "count": 2}, {"op": "recovery_change", "count": 1})
    assert s.beside == ["Fable 0"], "the first of its two rounds is over"
    assert s.items == []
    assert s.p["modifiers"].any()
    s.fight().do("roll", "resolve")
    assert s.beside == []
    assert s.zone("minions", 0) == 3
    assert not s.p["modifiers"][6]
    assert told({"op": "keep_card", "count": 0}).fight().do("roll", "resolve").beside == ["Fable 0"]


# Costs and branches


@covers("offer", "pay_gold")
def test_offer_and_pay_gold() -> None:
    """Gold: without enough you neither spend any nor receive the effect."""
    deal = [{"op": "offer"}, {"op": "pay_gold", "count": 3}, {"op": "gain_stat", "stat": "health", "count": 1}]
    s = told(*deal, gold=3, health=2)
    assert s.legal == ["accept", "decline"]
    assert (s.do("accept").gold, s.health) == (0, 3)
    assert told(*deal, gold=2).legal == ["decline"]
    declined = told(*deal, gold=5, health=2).do("decline")
    assert (declined.gold, declined.health) == (5, 2)


@covers("pay_gold")
def test_pay_gold_or_nothing() -> None:
    s = told({"op": "pay_gold", "count": 3}, {"op": "gain_stat", "stat": "health", "count": 1}, gold=2, health=2)
    assert (s.gold, s.health) == (2, 2)


@covers("pay_stat")
def test_pay_stat_must_stay_at_one() -> None:
    deal = [{"op": "offer"}, {"op": "pay_stat", "stat": "health", "count": 1}, {"op": "gain_gold", "count": 4}]
    assert told(*deal, health=1).legal == ["decline"]
    s = told(*deal, health=2, gold=0).do("accept")
    assert (s.health, s.gold) == (1, 4)


@covers("pay_dice")
def test_pay_dice() -> None:
    deal = [{"op": "offer"}, {"op": "pay_dice", "count": 2}, {"op": "gain_gold", "count": 4}]
    assert told(*deal, dice={"green": 1}).legal == ["decline"]
    s = told(*deal, dice={"green": 1, "blue": 2}, exhausted={}, gold=0).do("accept", "exhaust_green", "exhaust_blue")
    assert (s.exhausted, s.gold) == ({"green": 1, "blue": 1}, 4)


@covers("choose")
@pytest.mark.parametrize(("choice", "gold", "health"), [("first", 3, 2), ("second", 0, 4)])
def test_choose(choice: str, gold: int, health: int) -> None:
    one = {"op": "gain_stat", "stat": "health", "count": 1}
    s = told({"op": "choose", "count": 1}, {"op": "gain_gold", "count": 3}, one, one, gold=0, health=2).do(choice)
    assert (s.gold, s.health) == (gold, health)


@covers("test")
@pytest.mark.parametrize(("face", "gold"), [("miss", 1), ("hit", 5), ("crit", 5)])
def test_test(face: str, gold: int) -> None:
    s = told({"op": "test", "colour": "green", "count": 1}, {"op": "gain_gold", "count": 5}, {"op": "gain_gold", "count": 1}, gold=0)
    assert s.chances == {"miss": 3, "hit": 2, "crit": 1}
    assert s.roll(face).gold == gold


# Gold: 0 to 20


@covers("gain_gold")
def test_gain_gold_ends_at_twenty() -> None:
    assert told({"op": "gain_gold", "count": 5}, gold=17).gold == 20


@covers("lose_gold")
def test_lose_gold_as_much_as_possible() -> None:
    """Gold: required to lose gold, you must lose the amount stated or as much as possible."""
    assert told({"op": "lose_gold", "count": 5}, gold=7).gold == 2
    assert told({"op": "lose_gold", "count": 5}, gold=3).gold == 0


@pytest.mark.parametrize(("per", "gold"), [("miss", 2), ("hit", 1), ("standing_enemy", 2), ("committed_die", 4)])
def test_counts_for_each(per: str, gold: int) -> None:
    """What a count is multiplied by: unapplied misses, unapplied hits, undefeated enemies, committed dice (applied or not)."""
    after = [{"when": "after", "op": "gain_gold", "count": 1, "per": per}]
    s = Scenario(enemies=[enemy(effects=after, health=9)], dice={"yellow": 4}, gold=0).fight(2).commit(*["yellow"] * 4)
    s.roll("miss", "miss", "hit", "hit").hit("yellow_hit").do("resolve")
    assert s.gold == gold


def test_every_instruction_has_a_scenario() -> None:
    assert {op.name for op in OPS if not op.is_modifier} == covers.ops
