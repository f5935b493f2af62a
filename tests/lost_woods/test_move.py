"""Move, and what may be picked up and dropped on the way."""

import pytest

from tests.lost_woods.scenario import Table, deck_file, load


def take_all(legal: set[str]) -> set[str]:
    return {name for name in legal if name.startswith("take_")}


def drop_all(legal: set[str]) -> set[str]:
    return {name for name in legal if name.startswith("drop_")}


def moves(legal: set[str]) -> set[str]:
    return {name for name in legal if name.startswith("move_")}


def test_you_can_move_up_to_three_spaces() -> None:
    t = Table().place(n3=(0, 1), n4=(0, 2), n5=(0, 3), n6=(0, 4))
    t.do("move_north")
    assert t.changes == {"at.0": "n3", "moves": 2, "moved": 1}
    t.do("move_north")
    assert t.where[0] == "n4"
    t.do("move_north")
    assert t.where[0] == "n5"
    assert not moves(t.legal)
    t.do("done")
    assert t.phase == "explore"


@pytest.mark.parametrize("count", range(4))
def test_you_can_move_0_1_2_or_3_spaces(count: int) -> None:
    t = Table().place(n3=(0, 1), n4=(0, 2), n5=(0, 3), n6=(0, 4))
    t.do(*["move_north"] * count, "done")
    assert t.where == [["centre", "n3", "n4", "n5"][count], "centre", "centre", "centre"]
    assert t.phase == "explore"


def test_the_camp_represents_three_separate_spaces() -> None:
    """From one end to the other takes two moves."""
    t = Table().stand(0, "west")
    assert moves(t.legal) == {"move_east"}
    t.do("move_east")
    assert moves(t.legal) == {"move_east", "move_west"}
    t.do("move_east")
    assert t.where[0] == "east"
    assert t.s.moves == 1
    assert moves(t.legal) == {"move_west"}


def test_you_can_only_move_where_a_card_lies() -> None:
    assert moves(Table().legal) == {"move_west", "move_east"}


def test_from_each_space_you_can_go_the_directions_indicated() -> None:
    """A card with the markers South and East has no way North and West, though cards lie there."""
    deck = load(deck_file(ways={"n3": "ES"}))
    t = Table(deck=deck).place(n3=(0, 1), n4=(0, 2), e3=(1, 1), w3=(-1, 1)).stand(0, "n3")
    assert moves(t.legal) == {"move_east", "move_south"}


def test_a_one_way_movement() -> None:
    """Into a card that has no marker facing back, one can go; back, one can't."""
    deck = load(deck_file(ways={"n3": "NES", "e3": "NSW", "n4": "S"}))
    t = Table(deck=deck).place(n3=(0, 1), n4=(1, 1)).stand(0, "n3")
    t.do("move_east")
    assert t.where[0] == "n4"
    assert moves(t.legal) == {"move_south"}
    t.do("move_south")
    assert t.where[0] == "east"


def test_enemies_do_not_stop_a_move() -> None:
    """A reading: they guard the way out, which is the unexplored one."""
    t = Table().place(n3=(0, 1), n4=(0, 2)).enemies("n3", dragon=1).enemies("centre", ogre=1)
    t.do("move_north", "move_north")
    assert t.where[0] == "n4"


def test_you_may_pick_up_dropped_items_in_spaces_that_you_move_through() -> None:
    t = Table().place(n3=(0, 1), n4=(0, 2)).lay("n3", d8=1, potion=1, gold=2).stand(0, "centre")
    t.do("move_north")
    assert take_all(t.legal) == {"take_d8", "take_potion", "take_gold"}
    t.mark().do("take_d8", "take_potion", "take_gold", "take_gold")
    assert t.carries(0) == {"d6": 1, "d8": 1, "potion": 1, "gold": 3}
    assert t.lies("n3") == {}
    assert {key for key in t.changes if key != "handled"} == {
        "carried.0.d8", "carried.0.potion", "carried.0.gold", "lying.d8.n3", "lying.potion.n3", "lying.gold.n3",
    }  # fmt: skip
    t.do("move_north", "done")
    assert (t.where[0], t.phase) == ("n4", "explore")


def test_items_lie_on_each_of_the_three_spaces_of_the_camp() -> None:
    t = Table().lay("west", d4=1).lay("east", d12=1)
    assert take_all(t.legal) == set()
    t.do("move_west")
    assert take_all(t.legal) == {"take_d4"}
    t.do("move_east", "move_east")
    assert take_all(t.legal) == {"take_d12"}


def test_where_the_turn_begins_items_can_be_picked_up() -> None:
    t = Table().lay("centre", d20=1)
    assert take_all(t.legal) == {"take_d20"}


def test_after_the_third_move_items_can_still_be_picked_up() -> None:
    t = Table().place(n3=(0, 1), n4=(0, 2), n5=(0, 3)).lay("n5", gold=1)
    t.do("move_north", "move_north", "move_north")
    assert t.legal == {"done", "drop_d6", "drop_gold", "take_gold"}


def test_you_cant_pick_up_gold_in_rooms_with_an_enemy() -> None:
    t = Table().lay("centre", gold=1, d8=1, potion=1).enemies("centre", goblin=1)
    assert take_all(t.legal) == {"take_d8", "take_potion"}


def test_nor_with_a_guardian() -> None:
    t = Table().place(n12=(0, 1)).enemies("n12", guardian="north").lay("n12", gold=1, d4=1).stand(0, "n12")
    assert take_all(t.legal) == {"take_d4"}


def test_magic_can_be_picked_up_in_rooms_with_an_enemy() -> None:
    t = Table().place(n1=(0, 1)).enemies("n1", ogre=2).stand(0, "n1")
    assert take_all(t.legal) == {"take_bolt"}


def test_gold_in_a_room_beside_an_enemy_can_be_picked_up() -> None:
    t = Table().place(n3=(0, 1)).enemies("n3", dragon=1).lay("centre", gold=3)
    t.do("take_gold", "take_gold", "take_gold")
    assert t.gold[0] == 4


def test_what_you_do_not_have_cannot_be_dropped() -> None:
    t = Table().owns(0, d12=1, potion=1, gold=0)
    assert drop_all(t.legal) == {"drop_d12", "drop_potion"}


def test_dropping() -> None:
    """Weapons, potions, gold and magic."""
    t = Table().place(n1=(0, 1)).owns(0, d6=1, potion=1, gold=2, bolt=1)
    assert drop_all(t.legal) == {"drop_d6", "drop_potion", "drop_gold", "drop_bolt"}
    t.do("drop_d6", "drop_potion", "drop_gold", "drop_bolt")
    assert t.carries(0) == {"gold": 1}
    assert t.lies("centre") == {"d6": 1, "potion": 1, "gold": 1, "bolt": 1}
    assert t.lies("n1") == {}
    assert t.s.supply == 50 - 5


def test_others_can_pick_up_what_was_dropped() -> None:
    t = Table().place(n1=(0, 1)).owns(0, gold=1, bolt=1)
    t.do("drop_gold", "drop_bolt", "done", "done")
    assert take_all(t.legal) == {"take_gold", "take_bolt"}
    t.do("take_gold", "take_bolt")
    assert t.carries(1) == {"d6": 1, "gold": 2, "bolt": 1}


@pytest.mark.parametrize("items", [{"d6": 3}, {"d4": 1, "d6": 1, "potion": 1}, {"potion": 3}, {"d20": 2, "potion": 1}])
def test_three_weapons_or_potions_are_the_limit(items: dict[str, int]) -> None:
    t = Table().lay("centre", d8=1, potion=1, gold=1).owns(0, **items)
    assert take_all(t.legal) == {"take_gold"}


@pytest.mark.parametrize("items", [{"d6": 2}, {"d4": 1, "potion": 1}, {"potion": 2}])
def test_a_third_item_can_be_picked_up(items: dict[str, int]) -> None:
    t = Table().lay("centre", d8=2, potion=1).owns(0, **items)
    assert take_all(t.legal) == {"take_d8", "take_potion"}
    t.do("take_d8")
    assert take_all(t.legal) == set()


def test_gold_and_magic_do_not_count_against_the_three() -> None:
    t = Table().place(n1=(0, 1), n2=(0, 2)).owns(0, d6=2, gold=9, bolt=1, fire=1).lay("centre", d8=1)
    assert take_all(t.legal) == {"take_d8"}


def test_with_three_items_gold_and_magic_can_still_be_picked_up() -> None:
    t = Table().place(n1=(0, 1)).stand(0, "n1").owns(0, d6=3).lay("n1", gold=1, d4=1)
    assert take_all(t.legal) == {"take_gold", "take_bolt"}


def test_with_three_items_one_is_dropped_first() -> None:
    t = Table().lay("centre", d8=1).owns(0, d4=1, d6=2)
    t.do("drop_d4")
    assert take_all(t.legal) == {"take_d8"}
    t.do("take_d8")
    assert t.carries(0) == {"d6": 2, "d8": 1}
    assert t.lies("centre") == {"d4": 1}


def test_an_exchange_can_be_done_in_one_way() -> None:
    """A reading: at each visit drops come first, then takes, each in the order of items."""
    t = Table().lay("centre", d4=1, d8=2, gold=1).owns(0, d6=1, d12=1, gold=2)
    t.do("drop_d12")
    assert drop_all(t.legal) == {"drop_gold"}
    assert take_all(t.legal) == {"take_d4", "take_d8", "take_gold"}
    t.do("take_d8")
    assert drop_all(t.legal) == set()
    assert take_all(t.legal) == {"take_d8", "take_gold"}


def test_nothing_is_taken_up_that_was_dropped_on_that_visit() -> None:
    t = Table().lay("centre", gold=1, d6=1).owns(0, d6=1, gold=2)
    t.do("drop_d6", "drop_gold")
    assert take_all(t.legal) == set()


def test_the_same_item_can_be_dropped_more_than_once() -> None:
    t = Table().owns(0, gold=3)
    t.do("drop_gold", "drop_gold", "drop_gold")
    assert t.gold[0] == 0
    assert t.lies("centre") == {"gold": 3}


def test_at_the_next_space_all_is_open_again() -> None:
    t = Table().lay("west", d4=1).owns(0, d6=1, d12=1, gold=1)
    t.do("drop_gold", "move_west")
    assert drop_all(t.legal) == {"drop_d6", "drop_d12"}
    assert take_all(t.legal) == {"take_d4"}
    t.do("take_d4", "move_east")
    assert take_all(t.legal) == {"take_gold"}
    assert drop_all(t.legal) == {"drop_d4", "drop_d6", "drop_d12"}


def test_at_the_next_turn_all_is_open_again() -> None:
    t = Table(2).owns(0, d6=1, gold=1)
    t.do("drop_gold", "done", "done", "done", "done")
    assert t.s.turn == 0
    assert take_all(t.legal) == {"take_gold"}
    assert drop_all(t.legal) == {"drop_d6"}


def test_picking_up_and_dropping_belong_to_the_move_step() -> None:
    t = Table().lay("centre", gold=1)
    t.do("done")
    assert t.legal == {"done", "explore_north", "explore_south"}


def test_you_can_move_past_other_adventurers_and_stand_beside_them() -> None:
    t = Table(6).stand(3, "east").stand(4, "east")
    t.do("move_east")
    assert t.where == ["east", "centre", "centre", "east", "east", "centre"]


def test_moving_there_and_back_takes_two_moves() -> None:
    t = Table()
    t.do("move_east", "move_west")
    assert t.where[0] == "centre"
    assert (t.s.moves, t.s.moved) == (1, 2)


def test_distances_follow_one_way_edges() -> None:
    """From e3 one goes down to the camp; up into it there is no way but round by n3."""
    deck = load(deck_file(ways={"n3": "ES", "n4": "S"}, camp={"east": "ES"}))
    t = Table(deck=deck).place(n3=(0, 1)).stand(0, "n3")
    t.do("done", "explore_east").draw("e3").draw("gold")
    s = t.s
    names = ("west", "centre", "east", "n3", "e3")
    index = [0, 1, 2, 3 + 2, 3 + 12 + 2]
    expected = {
        "west": [0, 1, 2, 2, 3],
        "centre": [1, 0, 1, 1, 2],
        "east": [2, 1, 0, 2, 3],
        "n3": [2, 1, 2, 0, 1],
        "e3": [3, 2, 1, 1, 0],
    }
    assert {name: [int(s.distance[i, j]) for j in index] for name, i in zip(names, index, strict=True)} == expected
