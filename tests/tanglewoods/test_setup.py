"""Setup and Difficulty Scaling."""

from typing import Any

import pytest

from deckwood.tanglewoods.state import IN_DECK, IN_LINE, OUT
from tests.tanglewoods.scenario import Scenario

LEFT = {"health": 3, "strategy": 2, "recovery": 4, "effects": [{"op": "recover", "count": 1}]}
RIGHT = {"health": 5, "strategy": 4, "recovery": 1, "effects": [{"op": "recover", "count": 2}]}
HERO = {"front": LEFT, "back": RIGHT}


def setting_up(difficulty: int, **more: Any) -> Scenario:
    return Scenario(heroes=[HERO], difficulty=difficulty, **more)


def stats(s: Scenario) -> tuple[int, int, int]:
    return s.health, s.strategy, s.recovery


@pytest.mark.parametrize(("side", "expected"), [("printed", (3, 2, 4)), ("front", (3, 2, 4)), ("back", (5, 4, 1))])
def test_stats_and_gold(side: str, expected: tuple[int, int, int]) -> None:
    """Choose a Hero; Stats & Gold: the chip is set to 20 minus the sum of the three starting stats."""
    s = setting_up(10, side=side)
    assert stats(s) == expected
    assert s.gold == 20 - sum(expected)


@pytest.mark.parametrize("side", ["printed", "front", "back"])
@pytest.mark.parametrize("forced", ["front", "back"])
def test_forced_side(side: str, forced: str) -> None:
    """Choose a Hero: some require you to begin on one side or the other."""
    assert Scenario(heroes=[{**HERO, "forced_side": forced}], side=side).hero == f"Hero 0, {forced}"


@pytest.mark.parametrize("hero", range(5))
def test_each_hero(hero: int) -> None:
    assert Scenario(hero=f"hero_{hero}").hero == f"Hero {hero}, front"


def test_dice() -> None:
    """Unit Dice: one of each colour is banished, the rest form the pool."""
    s = setting_up(10)
    assert s.ready == {"yellow": 3, "green": 3, "blue": 3, "purple": 3}
    assert s.banished == {"yellow": 1, "green": 1, "blue": 1, "purple": 1, "red": 1}
    assert s.exhausted == {}


def test_dice_of_a_hero_who_says_otherwise() -> None:
    red = [{"op": "restore_colour", "colour": "red", "when": "set_up"}]
    s = Scenario(difficulty=10, heroes=[{"front": {"effects": red}}])
    assert s.ready["red"] == 1
    assert "red" not in s.banished


def test_decks() -> None:
    """Stock the Shop, Cultivate the Forest, Cry Wolf, Prepare the Minions: everything is in its deck, the hero on the Trailhead's house."""
    s = setting_up(10)
    for kind, count in (("wolves", 5), ("item_cards", 15), ("forest", 15)):
        assert (s.p[kind] == IN_DECK).sum() == count
    assert s.trail == ["Trailhead, night"]
    assert s.place == (0, "a")
    assert (s.items, s.beside, s.active) == ([], [], {})


def test_ten_of_fifteen_forest_cards_are_dealt() -> None:
    """Cultivate the Forest: five at random are returned to the box. Which is open until the tenth has been drawn."""
    s = setting_up(10)
    s.path(*range(9)).next_round().explore("yellow_hit")
    assert len(s.chances) == 6
    s.draw("Forest 9", "Item 0").do("done", "travel_left", "travel_a")
    assert s.trail[-1] == "Forest 9, day"
    s.next_round().explore("green_miss")
    assert s.trail[-2:] == ["Forest 9, day", "Grandma's Cabin, night"], "difficulty 10 has the Cabin by night"


def test_scout() -> None:
    """Scout: as many minions can be seen as Strategy says, the top of the deck among them."""
    s = setting_up(10, scout=False)
    assert s.phase == "Scout"
    assert len(s.chances) == 40
    s.draw("Minion 8")
    assert len(s.chances) == 39
    s.draw("Minion 3")
    assert s.line == ["Minion 8", "Minion 3"]
    assert s.phase == "Explore: choose dice"
    assert (s.p["minions"] == IN_LINE).sum() == 2


# Difficulty Scaling


def test_level_0() -> None:
    """+1 to any two stats and remove one random Wolf Pack card."""
    s = setting_up(0)
    assert s.legal == ["choose_health", "choose_strategy"], "two different ones, in order"
    s.do("choose_health")
    assert s.legal == ["choose_strategy", "choose_recovery"]
    s.do("choose_recovery")
    assert stats(s) == (4, 2, 5)
    assert s.chances == {f"Wolf {i}": 1 for i in range(5)}
    s.draw("Wolf 3")
    assert s.zone("wolves", 3) == OUT
    assert s.phase == "Explore: choose dice"
    assert s.gold == 20 - 9, "the gold is that of the printed stats"


def test_level_1() -> None:
    """+1 to any two stats; raised Strategy scouts at once."""
    s = setting_up(1, scout=False).draw("Minion 1", "Minion 2").do("choose_strategy")
    s.draw("Minion 5").do("choose_recovery")
    assert stats(s) == (3, 3, 5)
    assert s.line == ["Minion 1", "Minion 2", "Minion 5"]
    assert s.phase == "Explore: choose dice"


def test_level_2() -> None:
    """+1 to any stat and start with 20 gold."""
    s = setting_up(2)
    assert s.legal == ["choose_health", "choose_strategy", "choose_recovery"]
    s.do("choose_recovery")
    assert (stats(s), s.gold, s.phase) == ((3, 2, 5), 20, "Explore: choose dice")


def test_level_3() -> None:
    """Recover two banished dice (our reading: green and blue) and gain one random item."""
    s = setting_up(3).draw("Item 4").do("accept")
    assert s.ready == {"yellow": 3, "green": 4, "blue": 4, "purple": 3}
    assert s.banished == {"yellow": 1, "purple": 1, "red": 1}
    assert s.items == ["Item 4"]


def test_level_3_with_other_colours() -> None:
    """Two icons are lost; which dice return is a value of the deck."""
    s = Scenario(heroes=[HERO], difficulty=3, cards={"numbers": {"level_3_colours": ["yellow", "red"]}}).draw("Item 4").do("accept")
    assert s.ready == {"yellow": 4, "green": 3, "blue": 3, "purple": 3, "red": 1}
    assert s.banished == {"green": 1, "blue": 1, "purple": 1}


def test_level_4() -> None:
    """Start with 20 gold and one random item."""
    s = setting_up(4).draw("Item 9").do("accept")
    assert (s.gold, s.items, stats(s)) == (20, ["Item 9"], (3, 2, 4))


def test_level_5_may_swap_a_scouted_enemy() -> None:
    """After setup, you may shuffle one scouted enemy back, replacing it with the new card from the top of the deck."""
    s = setting_up(5, scout=False).draw("Minion 1", "Minion 2")
    assert s.legal == ["done", "scouted_1", "scouted_2"]
    s.do("scouted_1")
    assert len(s.chances) == 40, "the visible top card is shuffled with the rest"
    s.draw("Minion 30")
    assert s.line == ["Minion 30"]
    s.draw("Minion 1")
    assert s.line == ["Minion 30", "Minion 1"]
    assert s.phase == "Explore: choose dice"
    kept = setting_up(5).do("done")
    assert kept.phase == "Explore: choose dice"


def test_level_5_the_top_card() -> None:
    s = setting_up(5, scout=False).draw("Minion 1", "Minion 2").do("scouted_2")
    assert len(s.chances) == 39
    s.draw("Minion 7")
    assert s.line == ["Minion 1", "Minion 7"]
    assert s.phase == "Explore: choose dice"


def test_level_6() -> None:
    """Add one nighttime forest card to your path or banish two dice."""
    s = setting_up(6).do("first").draw("Forest 6")
    assert s.trail == ["Trailhead, day", "Forest 6, night"]
    s = setting_up(6).do("second", "banish_ready_yellow", "banish_ready_purple")
    assert s.ready == {"yellow": 2, "green": 3, "blue": 3, "purple": 2}
    assert s.trail == ["Trailhead, day"]


def test_level_7() -> None:
    """Reduce starting gold to 5 and add one nighttime forest card."""
    s = setting_up(7).draw("Forest 2")
    assert s.gold == 5
    assert s.trail == ["Trailhead, day", "Forest 2, night"]
    rich = {"health": 6, "strategy": 6, "recovery": 6}
    assert Scenario(heroes=[{"front": rich}], difficulty=7).gold == 2, "no gain for who has less"


def test_level_8() -> None:
    """-1 to any stat."""
    s = setting_up(8).do("choose_recovery")
    assert (stats(s), s.phase, s.gold) == ((3, 2, 3), "Explore: choose dice", 11)


@pytest.mark.parametrize("modifier", [6, 7, 8])
def test_level_9(modifier: int) -> None:
    """-1 to any stat and also one of 6, 7 and 8."""
    s = setting_up(9).do("choose_health")
    assert s.legal == ["modifier_6", "modifier_7", "modifier_8"]
    s.do(f"modifier_{modifier}")
    if modifier == 6:
        s.do("second", "banish_ready_yellow", "banish_ready_yellow")
        assert s.ready["yellow"] == 1
    elif modifier == 7:
        s.draw("Forest 0")
        assert s.gold == 5
    else:
        s.do("choose_health")
    assert stats(s) == (1 if modifier == 8 else 2, 2, 4)
    assert s.phase == "Explore: choose dice"


def test_level_10() -> None:
    """Trailhead and Cabin are nighttime and cannot be flipped back."""
    s = setting_up(10, fables=[[{"op": "turn_next", "side": "day"}]])
    assert s.trail == ["Trailhead, night"]
    s.path(*range(9)).next_round().explore("yellow_hit", "yellow_hit", cards=[9], shop=[0, 1]).do("done")
    assert s.trail[-1] == "Grandma's Cabin, night"
    s.p["at_card"] = 10
    s.tell()
    assert s.trail[-1] == "Grandma's Cabin, night"
    easier = setting_up(9).do("choose_health", "modifier_8", "choose_health")
    assert easier.trail == ["Trailhead, day"]


def test_level_10_flipping_where_one_stands() -> None:
    s = setting_up(10, fables=[[{"op": "flip_forest", "side": "day"}]]).tell()
    assert s.trail == ["Trailhead, night"]


@pytest.mark.parametrize("level", range(11))
def test_only_the_levels_line_counts(level: int) -> None:
    """Levels do not add up: what a line does not name is as printed."""
    s = setting_up(level)
    unchanged = {"gold": s.gold == 11, "dice": sum(s.ready.values()) == 12, "day": s.trail[0] == "Trailhead, day"}
    expected = {"gold": level not in (2, 4, 7), "dice": level != 3, "day": level != 10}
    assert unchanged == expected


def test_weak_hero_may_die_of_it() -> None:
    """Winning & Losing: if your Health is ever reduced below 1, you lose."""
    s = Scenario(heroes=[{"front": {"health": 1}}], difficulty=8).do("choose_health")
    assert s.ending == "died_in_forest"


def test_universal_hero() -> None:
    """Universal Heroes: where the hero would flip, the Brothers Grimm replace it, for good."""
    s = Scenario(hero="guest_0", difficulty=10, at="campfire")
    assert s.hero == "Guest 0"
    assert stats(s) == (4, 3, 3)
    s.arrive().do("choose_health")
    assert s.hero == "Brothers Grimm"
    s.path(1).do("done", "travel_left", "travel_a").no_bribe().do("roll", "resolve")
    assert s.hero == "Brothers Grimm"
