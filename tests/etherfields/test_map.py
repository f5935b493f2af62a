"""The Map: moving, borders and walls, spaces that activate enemies, exploring, cards that flip or leave underfoot; The Ether."""

from typing import Any

import pytest

from deckwood.etherfields.state import ZONES
from tests.etherfields.scenario import Scenario, enemy, instant, item, space

GRID: dict[str, Any] = {"layout": ["abc", "def", "ghi"], "space": {}}
"""Nine spaces, a space for each cell."""
SUMMON = space({"op": "summon"}, name="S")
NORTH, EAST = {1: (0, 1)}, {1: (1, 0)}


def moving(s: Scenario, spaces: int = 1) -> Scenario:
    """The hero has Cunning for so many spaces, paid with yellow dice."""
    s.lay_dice(ready={"yellow": 9}).do("move", *["exhaust_yellow"] * spaces, "done")
    assert s.phase == "Move"
    return s


def goes(s: Scenario) -> list[str]:
    """The moves that are legal."""
    return [name for name in s.legal if name.startswith("go_")]


def grid(**fields: Any) -> dict[str, Any]:
    """A map card with nine spaces."""
    return {**GRID, **fields}


# Borders and walls


def test_spaces_across_a_border() -> None:
    """The Map: spaces are separated by borders, which can be moved across; only neighbours are one space away."""
    s = moving(Scenario(maps=[grid(entrance="e", space={"e": SUMMON})], at="0e"), 2)
    assert goes(s) == ["go_to_2", "go_to_4", "go_to_6", "go_to_8"]
    s.do("go_to_2")
    assert s.at == "0b"
    assert goes(s) == ["go_to_1", "go_to_3", "go_to_5"]


def test_a_space_of_several_cells() -> None:
    """A space borders on all that touch it."""
    s = moving(Scenario(at="0a"))
    assert goes(s) == ["go_to_2", "go_to_3", "go_to_4"]


def test_walls_within_a_card() -> None:
    """Movement: you cannot cross walls."""
    s = moving(Scenario(maps=[{"walls": ["ac", "cb"]}], at="0c"))
    assert goes(s) == ["go_to_4", "go_to_5"]
    s = moving(Scenario(maps=[{"walls": ["ac", "cb"]}], at="0a"))
    assert goes(s) == ["go_to_2", "go_to_4"], "from the other side neither"


def test_a_space_behind_walls() -> None:
    """With nowhere to go there is no movement."""
    s = Scenario(maps=[{"walls": ["ab", "bc", "be"]}], at="0b")
    assert not s.may("move")
    s.p["map_zone"][1], s.p["map_x"][1] = ZONES.index("play"), -1
    assert s.may("move"), "but over the edge of the card"


def test_over_the_edge() -> None:
    """The Map: unless the edge of a map card shows a wall, the boundary between two adjacent map cards is also a border."""
    s = moving(Scenario(at="0a", placed=NORTH), 2)
    assert goes(s) == ["go_to_2", "go_to_3", "go_to_4", "go_north_west"]
    s.do("go_north_west")
    assert s.at == "1e"
    assert goes(s) == ["go_to_2", "go_to_3", "go_to_4", "go_south_west"]


@pytest.mark.parametrize(
    ("where", "name", "at", "far"),
    [((0, 1), "north", "0a", "1e"), ((1, 0), "east", "0d", "1b"), ((0, -1), "south", "0e", "1a"), ((-1, 0), "west", "0b", "1d")],
)
def test_all_four_directions(where: tuple[int, int], name: str, at: str, far: str) -> None:
    s = moving(Scenario(at=at, placed={1: where}))
    across = [move for move in goes(s) if name in move]
    assert len(across) == 1
    assert s.do(across[0]).at == far


def test_no_diagonals_and_no_gaps() -> None:
    s = moving(Scenario(at="0a", placed={1: (1, 1), 2: (0, 2)}))
    assert goes(s) == ["go_to_2", "go_to_3", "go_to_4"]


def test_parts_of_an_edge_lead_to_different_spaces() -> None:
    """Over each part of the edge lies the space that touches it there."""
    s = moving(Scenario(maps=[{}, grid()], at="0a", placed=NORTH), 3)
    assert goes(s)[3:] == ["go_north_west", "go_north_middle", "go_north_east"]
    s.do("go_north_middle")
    assert s.at == "1h"
    assert goes(s) == ["go_to_5", "go_to_7", "go_to_9", "go_south_middle"]


@pytest.mark.parametrize(
    ("ours", "theirs", "open_parts"),
    [
        (["north"], [], []),
        ([], ["south"], []),
        (["north west"], [], ["middle", "east"]),
        ([], ["south west"], ["middle", "east"]),
        (["north west"], ["south east"], ["middle"]),
        (["north middle"], ["south middle"], ["west", "east"]),
        (["east", "south", "west"], ["north", "east", "west"], ["west", "middle", "east"]),
    ],
)
def test_walls_of_either_card(ours: list[str], theirs: list[str], open_parts: list[str]) -> None:
    """Unless the edge of a map card shows a wall: of either of the two."""
    s = Scenario(maps=[{"closed": ours}, grid(closed=theirs)], at="0a", placed=NORTH)
    assert goes(moving(s))[3:] == [f"go_north_{part}" for part in open_parts]


def test_a_wall_counts_in_both_ways() -> None:
    s = Scenario(maps=[{"closed": ["north west"]}, grid()], at="1g", placed=NORTH)
    assert "go_south_west" not in goes(moving(s))
    assert "go_south_middle" in goes(moving(Scenario(maps=[{"closed": ["north west"]}, grid()], at="1h", placed=NORTH)))


def test_the_first_open_part_names_the_way() -> None:
    """One spelling: a space that lies across several parts is entered over the first."""
    s = moving(Scenario(maps=[{"closed": ["north west"]}], at="0a", placed=NORTH))
    assert goes(s)[3:] == ["go_north_middle"]
    assert s.do("go_north_middle").at == "1e"


def test_sides_of_map_cards_differ() -> None:
    """What counts is the side that faces up."""
    s = Scenario(maps=[{"a": {}, "b": {"closed": ["north"]}}], at="0a", placed=NORTH)
    assert "go_north_west" in goes(moving(s))
    s = Scenario(maps=[{"a": {}, "b": {"closed": ["north"]}}], placed=NORTH)
    s.p["side"][60] = 1
    assert "go_north_west" not in goes(moving(s.stand("0a")))


# Spaces that activate enemies

SKULL: dict[str, Any] = {"space": {"a": {"skulls": 1}, "c": SUMMON, "b": {"skulls": 2}}}


def test_a_skull_space() -> None:
    """Movement: if you enter a space with an activate-enemy icon, immediately activate an enemy. Then, you may continue moving."""
    s = moving(Scenario(maps=[SKULL]), 2).do("go_to_1")
    assert list(s.active) == ["Enemy 0"]
    assert s.phase == "Move"
    s.do("go_to_3")
    assert s.at == "0c"
    assert list(s.active) == ["Enemy 0"]


def test_activated_before_moving_on() -> None:
    """Immediately: the movement is interrupted."""
    cruel = enemy(effects=[{"op": "lose_stat", "stat": "health", "count": 4, "when": "activated"}])
    s = moving(Scenario(maps=[SKULL], enemies=[cruel]), 2).do("go_to_1")
    assert s.ending == "died"


def test_enemies_that_bring_more_on_the_way() -> None:
    """Movement: if any new enemies have their own icons, activate additional enemies for those as well."""
    more = enemy(effects=[{"op": "activate", "count": 1, "when": "activated"}])
    s = moving(Scenario(maps=[SKULL], enemies=[more]), 2).do("go_to_1")
    assert list(s.active) == ["Enemy 0", "Enemy 1"]
    assert s.phase == "Move"


def test_two_skulls_and_the_last_step() -> None:
    s = moving(Scenario(maps=[SKULL])).do("go_to_2")
    assert list(s.active) == ["Enemy 0", "Enemy 1"]
    assert s.phase == "Take actions"


def test_entering_again_activates_again() -> None:
    s = moving(Scenario(maps=[SKULL]), 3).do("go_to_1", "go_to_3", "go_to_1")
    assert list(s.active) == ["Enemy 0", "Enemy 1"]


def test_standing_there_activates_nobody() -> None:
    s = Scenario(maps=[SKULL], at="0a", dice={"green": 1})
    s.next_round()
    assert s.active == {}


def test_entering_over_the_edge() -> None:
    s = moving(Scenario(maps=[{}, {"space": {"e": {"skulls": 1}}}], at="0a", placed=NORTH)).do("go_north_west")
    assert list(s.active) == ["Enemy 0"]


def test_movement_in_the_engagement() -> None:
    """Map spaces: you may face numerous enemies in an Engagement because of this. They come while dice are committed or applied, too."""
    s = Scenario(maps=[SKULL], dice={"yellow": 1, "blue": 1}, enemies=[enemy(health=9)] * 2).fight().commit("blue").roll("hit")
    s.do("move", "exhaust_yellow", "go_to_1")
    assert list(s.active) == ["Enemy 0", "Enemy 1"]
    assert s.do("pick_blue_hit").legal == ["target_1", "target_2"]


# Exploring


@pytest.mark.parametrize(("at", "place"), [("0a", (0, 1)), ("0b", (-1, 0)), ("0d", (1, 0)), ("0e", (0, -1))])
def test_explore(at: str, place: tuple[int, int]) -> None:
    """Explore: draw the top card of the Map Deck and place it adjacent to your current card in the direction the arrow points."""
    s = Scenario(at=at, dice={"green": 2}).do("explore", "exhaust_green")
    assert s.map == {"Map 0": (0, 0), "Map 1": place}
    assert s.at == at, "the hero stays"
    assert s.top("map") == "Map 2"
    assert not s.may("explore"), "if a map card is already there, you cannot explore from that space"


def test_the_top_card_is_drawn() -> None:
    s = Scenario(at="0a", dice={"green": 1})
    s.p["top_card"][3] = 7
    s.do("explore", "exhaust_green")
    assert "Map 7" in s.map


def test_explore_from_another_card() -> None:
    """... adjacent to your current card."""
    s = Scenario(at="1d", dice={"green": 1}, placed={1: (0, 1)}).do("explore", "exhaust_green")
    assert s.map["Map 2"] == (1, 1)
    s = Scenario(at="1d", dice={"green": 1}, placed={1: (0, 1), 2: (1, 1)})
    assert not s.may("explore")


def test_a_space_without_an_arrow() -> None:
    assert not Scenario(dice={"green": 4}).may("explore"), "the centre has none"


def test_the_arrow_need_not_be_at_its_edge() -> None:
    """In the direction the arrow points: from the middle of the card too, and over walls."""
    far = {"space": {"c": {"explore": {"to": "west", "awareness": 1}}, "a": SUMMON}, "closed": ["west"]}
    s = Scenario(maps=[far], dice={"green": 1}).do("explore", "exhaust_green")
    assert s.map["Map 1"] == (-1, 0)


def test_explored_cards_keep_their_side() -> None:
    """A map card is placed with the side that faces up."""
    s = Scenario(at="0a", dice={"green": 1})
    s.p["side"][61] = 1
    s.do("explore", "exhaust_green")
    assert list(s.map) == ["Map 0", "Map 1, turned"]


def test_the_map_deck_is_reshuffled() -> None:
    """Reshuffling: a card must be drawn from an empty deck; its discard forms a new one. Without either you cannot explore."""
    s = Scenario(at="0a", dice={"green": 1})
    s.p["map_zone"][1:] = ZONES.index("banished")
    s.p["top_card"][3] = -1
    assert not s.may("explore")
    s.p["map_zone"][5] = ZONES.index("discard")
    s.do("explore", "exhaust_green")
    assert s.map == {"Map 0": (0, 0), "Map 5": (0, 1)}


def test_who_answers_to_exploring() -> None:
    s = Scenario(at="0a", dice={"green": 1}, flip="explored").do("explore", "exhaust_green")
    assert s.hero == "Hero 0, lucid"


# Cards that flip or leave underfoot


def use_card(*effects: dict[str, Any], **fields: Any) -> Scenario:
    return Scenario(influence=[instant(*effects)], hand=["Influence 0"], **fields).do("play_card_1")


def test_flipped_underfoot() -> None:
    """The Map: if your Health die is on a map card when that card is flipped, return the die to the Dream Entrance."""
    s = use_card({"op": "flip_map"}, at="3a", placed={3: (0, 1)})
    assert s.map == {"Map 0": (0, 0), "Map 3, turned": (0, 1)}
    assert s.at == "0c"


def test_the_entrance_flipped_underfoot() -> None:
    """The Dream Entrance is on both sides of its card."""
    s = use_card({"op": "flip_map"}, at="0a", maps=[{"a": {}, "b": {"entrance": "e"}}])
    assert s.map == {"Map 0, turned": (0, 0)}
    assert s.at == "0e"


def test_an_entrance_that_turns_away() -> None:
    """If the Dream Entrance is not part of the map at that moment, you lose: its card shows the side without it."""
    one_side = {"a": {"entrance": "c"}, "b": {"entrance": None}}
    assert use_card({"op": "flip_map"}, at="0a", maps=[one_side]).ending == "lost_in_dream"
    s = Scenario(influence=[instant({"op": "flip_map"})], hand=["Influence 0"], at="3a", placed={3: (0, 1)}, maps=[one_side])
    s.p["side"][60] = 1
    assert s.do("play_card_1").ending == "lost_in_dream"


def test_discarded_underfoot() -> None:
    s = use_card({"op": "discard_map"}, at="3a", placed={3: (0, 1)})
    assert s.chances == {"Map 0": 1, "Map 3": 1}
    s.draw("Map 3")
    assert s.map == {"Map 0": (0, 0)}
    assert s.at == "0c"
    assert s.pile("map", "discard") == ["Map 3"]


def test_discarded_elsewhere() -> None:
    s = use_card({"op": "discard_map"}, at="0a", placed={3: (0, 1)}).draw("Map 3")
    assert s.at == "0a"


def test_lost_in_the_dream() -> None:
    """If the Dream Entrance is not part of the map at that moment, you lose the game."""
    s = use_card({"op": "discard_map"}, at="0a", placed={3: (0, 1)}).draw("Map 0")
    assert s.ending == "lost_in_dream"
    for effect in ({"op": "flip_map"}, {"op": "discard_map"}):
        s = Scenario(influence=[instant(effect)], hand=["Influence 0"], at="3a", placed={3: (0, 1)})
        s.p["map_zone"][0] = ZONES.index("discard")
        s.do("play_card_1")
        if effect["op"] == "discard_map":
            s.draw("Map 3")
        assert s.ending == "lost_in_dream"


def test_the_entrance_discarded_elsewhere() -> None:
    """At that moment: without the Dream Entrance the dream goes on until then, and it may be explored again."""
    s = use_card({"op": "discard_map"}, at="3b", placed={3: (0, 1)}, dice={"green": 1}).draw("Map 0")
    assert s.ending is None
    assert s.at == "3b"
    s.p["top_card"][3] = -1
    s.p["map_zone"][s.p["map_zone"] == ZONES.index("deck")] = ZONES.index("banished")
    s.do("explore", "exhaust_green")
    assert s.map == {"Map 0": (-1, 1), "Map 3": (0, 1)}


def test_a_hole_in_the_map() -> None:
    """A place that has become free can be explored again."""
    s = use_card({"op": "discard_map"}, at="0a", placed={3: (0, 1)}, dice={"green": 1}).draw("Map 3")
    assert s.may("explore")


# The ether


@pytest.mark.parametrize(
    ("before", "after"), [("yellow", "green"), ("green", "blue"), ("blue", "purple"), ("purple", "red"), ("red", "yellow")]
)
def test_advancing_the_ether(before: str, after: str) -> None:
    """The Ether: some unique map actions let you change the ether."""
    assert Scenario(here=space({"op": "advance_ether"}), ether=before).do("unique_1").ether == after


def test_the_ether_stays_between_rounds() -> None:
    s = Scenario(here=space({"op": "set_ether", "colour": "blue"})).do("unique_1").next_round()
    assert s.ether == "blue"


def test_effects_that_depend_on_the_ether() -> None:
    """Some effects work differently depending on the ether."""
    effects = [
        {"op": "if_ether", "colour": "blue", "count": 1},
        {"op": "gain_stat", "stat": "strategy", "count": 1},
        {"op": "gain_stat", "stat": "recovery", "count": 1},
    ]
    s = use_card(*effects, ether="blue")
    assert (s.strategy, s.recovery) == (4, 3)
    s = use_card(*effects, ether="red")
    assert (s.strategy, s.recovery) == (3, 4)


def test_an_item_that_answers_to_the_ether() -> None:
    watch = item({"op": "gain_stat", "stat": "recovery", "count": 1, "when": "ether_changed"}, uses="ongoing")
    s = Scenario(items=[watch], held=["Item 0"], here=space({"op": "set_ether", "colour": "blue"})).do("unique_1")
    assert s.recovery == 4
    s.next_round().do("unique_1")
    assert s.recovery == 4, "it was blue before"
