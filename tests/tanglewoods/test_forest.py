"""Traversing the Forest: exploring, travelling, nodes and outlines, and the end of the forest."""

from typing import Any

import pytest

from deckwood.tanglewoods.state import IN_DISCARD, IN_PLAY
from tests.tanglewoods.scenario import Scenario

# Exploration Phase


def test_exploring_is_optional() -> None:
    s = Scenario().next_round()
    assert s.phase == "Explore: choose dice"
    assert s.do("done").phase == "Travel"


def test_one_two_or_three_dice_weakest_first() -> None:
    """Choose one, two, or three ready dice."""
    s = Scenario(dice={"yellow": 1, "green": 2, "purple": 1}).next_round().do("explore_green")
    assert s.legal == ["done", "explore_green", "explore_purple"]
    s.do("explore_green", "explore_purple")
    assert s.legal == ["done"]


def test_a_die_recovered_while_choosing_may_explore_too() -> None:
    """Choose one, two, or three ready dice: one that an item has just made ready is among them, however weak."""
    kindling = {"effects": [{"op": "recover", "count": 1}]}
    s = Scenario(dice={"purple": 1}, exhausted={"yellow": 1}, items=[kindling], held=["Item 0"]).next_round()
    s.do("explore_purple", "use_item_1", "recover_yellow")
    assert s.legal == ["done", "explore_yellow"]


def test_colours_that_may_explore() -> None:
    """Exploration Phase: icons are lost; which dice may be chosen is a value of the deck."""
    some = {"numbers": {"explore_colours": ["green", "red"]}}
    s = Scenario(cards=some, dice={"yellow": 1, "green": 2, "red": 1}).next_round()
    assert s.legal == ["done", "explore_green", "explore_red"]
    assert s.do("explore_red").legal == ["done"]


def test_dice_are_rolled_in_any_order_one_at_a_time() -> None:
    """Roll them one at a time, in whatever order; each places its card before the next is rolled, and is exhausted."""
    s = (
        Scenario(dice={"yellow": 1, "blue": 2}, exhausted={}, gold=0)
        .next_round()
        .do("explore_yellow", "explore_blue", "explore_blue", "done")
    )
    assert s.legal == ["explore_roll_yellow", "explore_roll_blue"]
    s.do("explore_roll_blue")
    assert s.chances == {"miss": 2, "hit": 3, "crit": 1}
    s.roll("miss")
    assert len(s.chances) == 15
    s.draw("Forest 5")
    assert s.trail == ["Trailhead, day", "Forest 5, night"]
    assert s.exhausted == {"blue": 1}
    s.do("explore_roll_yellow")
    assert s.chances == {"miss": 4, "hit": 1, "crit": 1}
    s.roll("hit", "Forest 6").do("explore_roll_blue")
    assert s.gold == 0
    s.roll("crit", "Forest 7")
    assert s.trail[2:] == ["Forest 6, day", "Forest 7, day"]
    assert s.gold == 1, "a crit gains 1 gold"
    assert s.exhausted == {"yellow": 1, "blue": 2}
    assert s.phase == "Stock the shop"


def test_exploring_gold_ends_at_twenty() -> None:
    assert Scenario(dice={"yellow": 1}, gold=20).next_round().explore("yellow_crit", cards=[0], shop=[0]).gold == 20


def test_without_exploring_no_merchant() -> None:
    """Visiting the Merchant reveals as many items as dice were rolled: with none there is no visit."""
    assert Scenario(gold=20).next_round().do("done").phase == "Travel"


# Travel Phase

FORK = {
    side: {
        "nodes": {"a": "minion", "b": "campfire", "c": "fable", "d": "minion"},
        "paths": {"left": "a", "middle": "a b", "right": "b", "a": "c >left", "b": "c d", "c": ">middle", "d": ">right"},
    }
    for side in ("day", "night")
}


@pytest.mark.parametrize(("threshold", "nodes"), [("left", ["a"]), ("middle", ["a", "b"]), ("right", ["b"])])
def test_thresholds_match(threshold: str, nodes: list[str]) -> None:
    """Travel Phase: the lower thresholds of a card match the upper ones of the card before it; follow any line from there."""
    s = Scenario(forest=[FORK]).path(0).next_round().do("done")
    assert s.legal == ["travel_left", "travel_middle", "travel_right"]
    s.do(f"travel_{threshold}")
    assert s.place == (1, "threshold")
    assert s.legal == [f"travel_{node}" for node in nodes]


def test_only_forward_along_printed_lines() -> None:
    """You can only ever move forward, and only along the lines."""
    s = Scenario(forest=[FORK], health=3).path(0).next_round().do("done", "travel_middle", "travel_b")
    s.do("choose_health", "done")
    assert s.legal == ["travel_c", "travel_d"]
    s.do("travel_d")
    s.no_bribe().do("roll", "resolve", "done")
    assert s.legal == ["travel_right"]


def test_new_cards_at_the_open_end_are_nighttime() -> None:
    """With no other card above, draw one, turn it to its nighttime side, and go on along a line of your choice."""
    s = Scenario(forest=[{}, {}, {}, FORK]).next_round().do("done", "travel_middle")
    assert s.phase == "Add a forest card to the path"
    s.draw("Forest 3")
    assert s.trail == ["Trailhead, day", "Forest 3, night"]
    assert s.legal == ["travel_a", "travel_b"]


def test_an_explored_card_is_entered_as_it_lies() -> None:
    s = Scenario(dice={"yellow": 1}).next_round().explore("yellow_hit", cards=[4], shop=[0]).do("done", "travel_left")
    assert s.trail == ["Trailhead, day", "Forest 4, day"]
    assert s.place == (1, "threshold")


# Node types


def test_minion_comes_from_the_left_end_of_the_line() -> None:
    """Minion: by default one enemy, from the left end of the scouting line, which is refilled afterwards."""
    s = Scenario(at="minion", strategy=3, scout=False).scouted(4, 5, 6).arrive()
    assert list(s.active) == ["Minion 4"]
    assert s.line == ["Minion 5", "Minion 6"]
    s.draw("Minion 20")
    assert s.line == ["Minion 5", "Minion 6", "Minion 20"]
    assert s.phase == "Bribery"


def test_mob_refills_the_line_only_after_all() -> None:
    """Mob: +1 enemy for each icon; beyond the line they come directly from the deck; then the line is refilled."""
    s = Scenario(at="minion/mob:3", strategy=2, scout=False).scouted(4, 5).arrive()
    assert (list(s.active), s.line) == (["Minion 4", "Minion 5"], [])
    assert s.phase == "Activate an enemy"
    s.draw("Minion 30", "Minion 31")
    assert list(s.active) == ["Minion 4", "Minion 5", "Minion 30", "Minion 31"]
    assert s.phase == "Scout"
    s.draw("Minion 9", "Minion 8")
    assert s.line == ["Minion 9", "Minion 8"]


def test_wolf_with_a_mob() -> None:
    """Wolf Pack: one wolf from the bottom of its deck, and the mob's enemies as at a minion node."""
    s = Scenario(at="wolf/mob:2", strategy=2, scout=False).scouted(4, 5).arrive()
    assert s.chances == {f"Wolf {i}": 1 for i in range(5)}
    s.draw("Wolf 2")
    assert list(s.active) == ["Wolf 2", "Minion 4", "Minion 5"]
    assert s.zone("wolves", 2) == IN_PLAY


def test_effects_wait_until_all_have_been_activated() -> None:
    """The Scouting Line: it is not refilled before all that come at the same time have been drawn."""
    more = [{"when": "activated", "op": "activate", "count": 1}]
    s = Scenario(at="wolf/mob:2", wolves=[{"effects": more}], strategy=2, scout=False).scouted(4, 5).arrive().draw("Wolf 0")
    assert (list(s.active), s.line) == (["Wolf 0", "Minion 4", "Minion 5"], [])
    s.draw("Minion 10", "Minion 11")
    assert (list(s.active), s.line) == (["Wolf 0", "Minion 4", "Minion 5", "Minion 10"], ["Minion 11"])


def test_wolf_nodes_without_wolves_are_skipped() -> None:
    """Wolf Pack: with no wolves left, skip that node, its outline too, and move to the next node connected to it."""
    card = {
        "nodes": {"a": "wolf/toll", "b": "campfire", "c": "minion"},
        "paths": {"left": "a", "middle": "a", "right": "a", "a": "b c", "b": ">left", "c": ">left"},
    }
    s = Scenario(forest=[{"day": card, "night": card}], health=3)
    s.p["wolves"] = IN_DISCARD
    s.arrive()
    assert s.phase == "Travel"
    assert s.legal == ["travel_b", "travel_c"]
    s.do("travel_b", "choose_health")
    assert s.health == 4


def test_skipping_may_lead_onto_the_next_card() -> None:
    s = Scenario(at="wolf/mob:2")
    s.p["wolves"] = IN_DISCARD
    s.arrive()
    assert s.legal == ["travel_left", "travel_middle", "travel_right"]
    s.do("travel_middle").draw("Forest 7").do("travel_a")
    assert s.place == (2, "a")
    assert list(s.active) == ["Minion 0"]


@pytest.mark.parametrize("outline", ["weary", "blighted", "toll", "trap"])
def test_outlines_of_skipped_nodes_do_not_count(outline: str) -> None:
    s = Scenario(at=f"wolf/{outline}", gold=5)
    s.p["wolves"] = IN_DISCARD
    s.arrive()
    assert s.phase == "Travel"
    assert (s.p["weary"], s.p["blighted"]) == (0, 0)


@pytest.mark.parametrize(("choice", "gains"), [("health", (1, 0, 0)), ("strategy", (0, 2, 0)), ("recovery", (0, 0, 1))])
def test_campfire(choice: str, gains: tuple[int, int, int]) -> None:
    """Campfire (the card's values): +1 Health, +1 Recovery or +2 Strategy, then neither Bribery nor Engagement, not even recovery."""
    s = Scenario(at="campfire", dice={}, exhausted={"yellow": 5}, health=2, strategy=2, recovery=2).arrive().do(f"choose_{choice}")
    assert (s.health, s.strategy, s.recovery) == tuple(2 + gain for gain in gains)
    assert s.phase == "Explore: choose dice"
    assert s.exhausted == {"yellow": 5}


def test_a_turn_at_a_campfire_has_no_engagement_whoever_is_there() -> None:
    """Campfire: skip Bribery and Engagement; Notes About Cleanup: the active area is cleared after encountering such nodes."""
    calls = {"effects": [{"op": "activate", "count": 1}]}
    s = Scenario(at="campfire", items=[calls], held=["Item 0"], gold=9, dice={}, exhausted={"yellow": 2}).scouted(0, 1, 2).path(0)
    s.next_round().do("use_item_1", "done", "travel_left", "travel_a", "choose_recovery")
    assert (s.phase, s.active, s.exhausted) == ("Explore: choose dice", {}, {"yellow": 2})
    assert s.zone("minions", 0) == IN_DISCARD


def test_fable_from_the_bottom() -> None:
    """Fable: the bottom card of the Minion Deck; the scouting line is not affected; discarded enemy side up; no recovery after it."""
    s = Scenario(at="fable", dice={}, exhausted={"yellow": 2}, gold=0).scouted(4, 5, 6).arrive()
    assert len(s.chances) == 37
    s.draw("Fable 20")
    assert s.gold == 1
    assert s.line == ["Minion 4", "Minion 5", "Minion 6"]
    assert s.zone("minions", 20) == IN_DISCARD
    assert s.phase == "Explore: choose dice"
    assert s.exhausted == {"yellow": 2}


def test_fable_with_enemies_leads_to_the_bribery_phase() -> None:
    s = Scenario(at="fable", fables=[[{"op": "activate", "count": 1}]], gold=20).scouted(4, 5, 6).arrive().draw("Fable 0")
    assert s.phase == "Bribery"
    assert list(s.active) == ["Minion 4"]
    s.do("done", "roll", "resolve")
    assert s.phase == "Explore: choose dice"


def test_fable_of_a_deck_of_one_card() -> None:
    """The Scouting Line; Fable: the visible top card is also the bottom one when it is alone, and no reshuffle is due."""
    s = Scenario(at="fable", strategy=2, scout=False, gold=0).scouted(4, 5)
    s.p["minions"][s.p["minions"] == 0] = IN_DISCARD
    s.arrive()
    assert s.gold == 1
    assert s.line == ["Minion 4"]
    assert len(s.chances) == 39, "the deck is now empty, and formed anew from the discard, the fable among it"


def test_empty_minion_deck_is_reshuffled_at_once() -> None:
    """Discarding & Reshuffling Summary: also when more may be scouted than remain."""
    s = Scenario(at="minion", strategy=3, scout=False).scouted(4, 5, 6)
    s.p["minions"][s.p["minions"] == 0] = IN_DISCARD
    s.arrive()
    assert len(s.chances) == 37
    assert not (s.p["minions"] == IN_DISCARD).any()


# Outlines


def test_weary() -> None:
    """Weary: one fewer pass through the Strategy phase at that node, and one item fewer; the die stays."""
    s = Scenario(at="minion/weary", strategy=2, dice={"yellow": 1}).arrive().no_bribe().commit("yellow").roll("miss")
    assert s.legal == ["resolve"]
    assert s.strategy == 2
    s.do("resolve", "recover_yellow")
    s.path(1).do("done", "travel_left", "travel_a").no_bribe().commit("yellow").roll("miss")
    assert s.legal == ["again", "resolve"], "the next node is another matter"


def test_what_weary_lowers() -> None:
    """Weary: an icon is lost; which stat counts lower, and by how much, are values of the deck."""
    slow = {"numbers": {"weary_stat": "recovery", "weary_less": 2}}
    dice: dict[str, Any] = {"dice": {"blue": 1}, "exhausted": {"yellow": 3}}
    s = Scenario(at="minion/weary", cards=slow, recovery=3, strategy=2, **dice).arrive().no_bribe().commit("blue").roll("miss")
    assert s.legal == ["again", "resolve"], "Strategy is not lowered"
    s.do("resolve", "recover_yellow")
    assert (s.ready, s.recovery) == ({"yellow": 1}, 3), "3 - 2; the die stays"
    s.path(1).do("done", "travel_left", "travel_a").no_bribe().do("roll", "resolve")
    assert s.do("recover_yellow", "recover_yellow", "recover_blue").exhausted == {}, "the next node is another matter"
    none = Scenario(at="minion/weary", cards=slow, recovery=1, dice={}, exhausted={"blue": 1}).arrive().no_bribe().do("roll", "resolve")
    assert (none.phase, none.ready) == ("Explore: choose dice", {}), "never below 0"


def test_blighted() -> None:
    """Blighted: enemies have +2 Health, +1 Damage, and cannot be bribed."""
    s = Scenario(at="minion/blighted", gold=20, dice={"red": 1, "blue": 3}, health=4).arrive()
    assert s.phase == "Commit Dice"
    s.commit("blue", "blue", "blue", "red").roll("crit", "crit", "crit", "hit")
    s.hit("blue_crit", "blue_crit")
    assert s.active == {"Minion 0": "standing"}, "4 of 4 + 2"
    s.hit("red_hit").do("resolve")
    assert s.health == 2, "4 - (1 + 1)"
    s.fight(bribe=True)
    assert s.may("target_1") is False, "the hero is still at the node"


def test_blight_ends_with_the_node() -> None:
    s = Scenario(at="minion/blighted", gold=20, health=6).arrive().do("roll", "resolve").path(1)
    s.do("done", "travel_left", "travel_a")
    assert s.may("target_1")


def test_toll() -> None:
    """Toll: banish any die or pay 2 gold, before the node's type."""
    options: dict[str, Any] = {"at": "campfire/toll", "dice": {"blue": 1}, "exhausted": {"red": 1}, "banished": {}}
    s = Scenario(**options, gold=2).arrive()
    assert s.phase == "Toll"
    assert s.legal == ["banish_ready_blue", "banish_exhausted_red", "pay_toll"]
    assert s.do("pay_toll").gold == 0
    assert s.phase == "Campfire"
    poor = Scenario(**options, gold=1).arrive()
    assert poor.legal == ["banish_ready_blue", "banish_exhausted_red"]
    assert poor.do("banish_exhausted_red").banished == {"red": 1}
    assert Scenario(**{**options, "dice": {}, "exhausted": {}}, gold=1).arrive().phase == "Campfire", "nothing to pay with"


def test_a_toll_met_in_a_fight() -> None:
    """Banishing: dice can be taken from any area, so where an item turns the card in a fight also from the active area."""
    turns = {"effects": [{"op": "flip_forest", "side": "night"}]}
    s = Scenario(at="minion | campfire/toll", items=[turns], held=["Item 0"], dice={"blue": 2, "red": 1}, exhausted={}, banished={}, gold=0)
    s.arrive().no_bribe().commit("blue", "blue").roll("hit", "miss").hit("blue_hit").do("use_item_1")
    assert s.phase == "Toll"
    assert s.legal == ["banish_ready_red", "pick_blue_miss", "target_1"]
    s.do("target_1", "pick_blue_hit")
    assert (s.banished, s.dice_on(1)) == ({"blue": 1}, {})
    assert s.phase == "Campfire"


def test_trap_hit_recovers() -> None:
    """Trap: a (blue) die; on a hit, recover up to two dice."""
    s = Scenario(at="campfire/trap", dice={}, exhausted={"yellow": 3}).arrive()
    assert s.chances == {"miss": 2, "hit": 3, "crit": 1}
    s.roll("crit").do("recover_yellow", "recover_yellow")
    assert s.phase == "Campfire"
    assert s.ready == {"yellow": 2}


def test_trap_miss_turns_the_card() -> None:
    """Day and Night; Trap: on a miss the card turns, and outline and type of the new node are resolved instead."""
    s = Scenario(at="campfire/trap | fable/toll", gold=2).arrive().roll("miss")
    assert s.trail[1] == "Forest 0, night"
    assert s.phase == "Toll"
    assert s.do("pay_toll").phase == "Draw a fable"


def test_trap_on_a_night_card_turns_nothing() -> None:
    s = Scenario(at="minion | campfire/trap").arrive(night=True).roll("miss")
    assert s.trail[1] == "Forest 0, night"
    assert s.phase == "Campfire"


def test_trap_onto_a_trap() -> None:
    s = Scenario(at="campfire/trap | fable/trap").arrive().roll("miss")
    assert s.phase == "Trap"
    assert s.roll("miss").phase == "Draw a fable"


def test_standard_outline() -> None:
    assert Scenario(at="campfire").arrive().phase == "Campfire"


# When the Forest Runs Out


def test_the_cabin_ends_the_path() -> None:
    """When you'd place another forest card but the deck is gone, place Grandma's Cabin with its current side; nothing follows it."""
    s = Scenario(dice={"yellow": 3}, gold=0).path(*range(9)).next_round()
    s.explore("yellow_miss", "yellow_miss", "yellow_crit", cards=[9], shop=[0, 1, 2])
    assert s.trail[-2:] == ["Forest 9, night", "Grandma's Cabin, day"]
    assert len(s.trail) == 12
    assert s.gold == 1


def test_travelling_to_the_cabin() -> None:
    s = Scenario(health=6).path(*range(10))
    s.p["at_card"], s.p["at_place"] = 10, 0
    s.next_round().do("done", "travel_left")
    assert s.trail[-1] == "Grandma's Cabin, day"
    assert s.do("travel_a").phase == "Commit Dice"
    assert next(iter(s.active)) == "boss"
