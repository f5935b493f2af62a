"""Magic: wells, the limit of two spells, and what each spell does."""

import pytest

from tests.lost_woods.scenario import SPACES, Table, deck_file, load

COMBAT = ("bolt", "fire", "meteor", "tornado")


def takes(t: Table) -> set[str]:
    return {name for name in t.legal if name.startswith("take_")}


def drops(t: Table) -> set[str]:
    return {name for name in t.legal if name.startswith("drop_")}


def woods(players: int = 4, **options: object) -> Table:
    """All the wells round the camp, seat 0 in the centre."""
    t = Table(players, **options)  # type: ignore[arg-type]
    return t.place(n1=(0, 1), n2=(0, 2), e1=(2, 0), e2=(3, 0), s1=(0, -1), s2=(0, -2), w1=(-2, 0), w2=(-3, 0))


# Wells


def test_when_you_discover_a_magic_well_you_may_take_its_spell() -> None:
    t = Table().do("done", "explore_north").draw("n1").draw("gold")
    assert (t.phase, t.where[0]) == ("well", "n1")
    assert t.legal == {"done", "take_bolt"}
    assert t.lies("n1") == {"bolt": 1}
    t.do("take_bolt")
    assert t.carries(0) == {"d6": 1, "gold": 2, "bolt": 1}
    assert t.lies("n1") == {}
    assert t.s.turn == 1


def test_or_leave_it_in_its_well() -> None:
    t = Table().do("done", "explore_north").draw("n1").draw("gold").do("done")
    assert t.lies("n1") == {"bolt": 1}
    assert t.s.turn == 1


def test_magic_found_in_the_same_turn_can_be_used_in_the_attack() -> None:
    t = Table().owns(0).do("done", "explore_north").draw("n1").draw("goblin")
    assert t.phase == "well"
    t.do("take_bolt")
    assert t.phase == "attack"
    t.do("attack_1")
    assert t.legal == {"cast_bolt"}


def test_magic_left_in_its_well_cannot_be_used() -> None:
    t = Table().owns(0).do("done", "explore_north").draw("n1").draw("goblin").do("done")
    assert (t.phase, t.s.turn) == ("move", 1)


def test_a_well_that_is_not_discovered_holds_nothing() -> None:
    t = Table().place(n3=(0, 1))
    assert t.s.spell_at.tolist() == [-1] * 8


@pytest.mark.parametrize(
    ("spell", "well", "way"),
    [
        ("bolt", "n1", "north"),
        ("fire", "n2", "north"),
        ("meteor", "e1", "east"),
        ("tornado", "e2", "east"),
        ("magnet", "s1", "south"),
        ("revive", "s2", "south"),
        ("teleport", "w1", "west"),
        ("eighth", "w2", "west"),
    ],
)
def test_each_spell_draws_from_its_well(spell: str, well: str, way: str) -> None:
    t = Table().stand(0, {"east": "east", "west": "west"}.get(way, "centre")).do("done", f"explore_{way}").draw(well).draw("gold")
    assert t.legal == {"done", f"take_{spell}"}
    t.do(f"take_{spell}")
    assert t.carries(0)[spell] == 1


def test_magic_can_be_picked_up_during_your_move() -> None:
    t = woods().do("move_north")
    assert takes(t) == {"take_bolt"}
    t.mark().do("take_bolt")
    assert t.changes == {"spell_at.bolt": 0, "handled": 5 + 4 + 15 + 7}
    t.do("move_north")
    assert takes(t) == {"take_fire"}


def test_magic_dropped_lies_in_the_room_and_not_in_its_well() -> None:
    """Items may be dropped as one wishes; only a third spell and one that is used go back."""
    t = woods().owns(0, bolt=1, fire=1).do("drop_bolt", "drop_fire")
    assert t.lies("centre") == {"bolt": 1, "fire": 1}
    assert t.lies("n1") == {}
    assert takes(t) == set()


# Two at once


def test_two_spells_can_be_held() -> None:
    t = woods().owns(0, meteor=1).do("move_north", "take_bolt")
    assert t.phase == "move"
    assert t.carries(0) == {"bolt": 1, "meteor": 1}


def test_if_you_get_a_third_choose_one_and_put_it_back_in_its_well() -> None:
    t = woods().owns(0, meteor=1, magnet=1).do("move_north", "take_bolt")
    assert t.phase == "third_spell"
    assert t.legal == {"drop_bolt", "drop_meteor", "drop_magnet"}
    t.mark().do("drop_meteor")
    assert t.lies("e1") == {"meteor": 1}
    assert t.lies("n1") == {}
    assert t.carries(0) == {"bolt": 1, "magnet": 1}
    assert (t.phase, t.where[0], t.s.moves) == ("move", "n1", 2)


def test_the_third_itself_may_go_back() -> None:
    t = woods().owns(0, meteor=1, magnet=1).do("move_north", "take_bolt", "drop_bolt")
    assert t.lies("n1") == {"bolt": 1}
    assert t.carries(0) == {"meteor": 1, "magnet": 1}


def test_a_spell_put_back_is_not_taken_up_again_on_that_visit() -> None:
    """Otherwise a turn need never end."""
    t = woods().owns(0, meteor=1, magnet=1).do("move_north", "take_bolt", "drop_bolt")
    assert takes(t) == set()
    t.do("move_north", "move_south")
    assert takes(t) == {"take_bolt"}


def test_a_third_spell_that_lies_in_the_well_of_another() -> None:
    """Bolt lies on the well of the Magnet. Whatever goes back, the turn comes to an end."""
    t = woods().owns(0, fire=1, magnet=1).lay("s1", bolt=1).stand(0, "s1").do("take_bolt", "drop_magnet")
    assert t.lies("s1") == {"magnet": 1}
    assert takes(t) == set()
    t = woods().owns(0, fire=1, magnet=1).lay("s1", bolt=1).stand(0, "s1").do("take_bolt", "drop_bolt")
    assert t.lies("n1") == {"bolt": 1}
    assert takes(t) == set()


def test_a_third_spell_in_the_explore_step() -> None:
    t = Table().place(e1=(2, 0), s1=(0, -1)).owns(0, d6=1, meteor=1, magnet=1).do("done", "explore_north").draw("n1").draw("goblin")
    t.do("take_bolt")
    assert (t.phase, t.legal) == ("third_spell", {"drop_bolt", "drop_meteor", "drop_magnet"})
    t.do("drop_magnet")
    assert t.lies("s1") == {"magnet": 1}
    assert t.carries(0) == {"d6": 1, "bolt": 1, "meteor": 1}
    assert t.phase == "attack"


def test_a_third_spell_in_the_explore_step_without_an_enemy() -> None:
    t = Table().place(e1=(2, 0), s1=(0, -1)).owns(0, meteor=1, magnet=1).do("done", "explore_north").draw("n1").draw("gold")
    t.do("take_bolt", "drop_bolt")
    assert t.lies("n1") == {"bolt": 1}
    assert (t.phase, t.s.turn) == ("move", 1)


def test_only_the_mover_s_spells_can_go_back() -> None:
    t = woods().owns(0, meteor=1, magnet=1).owns(1, fire=1, revive=1).do("move_north", "take_bolt")
    assert t.legal == {"drop_bolt", "drop_meteor", "drop_magnet"}


# Spells for combat


@pytest.mark.parametrize("spell", COMBAT)
def test_use_during_combat_to_roll_a_d20(spell: str) -> None:
    t = woods().owns(0, d6=1, gold=1, **{spell: 1}).enemies("centre", ogre=1).do("done", "done", "attack_2")
    assert t.legal == {"fight_with_d6", f"cast_{spell}"}
    t.do(f"cast_{spell}")
    assert t.chances == dict.fromkeys(range(1, 21), 1)


@pytest.mark.parametrize(("own", "foe"), [(20, 8), (1, 8), (5, 5)])
@pytest.mark.parametrize("spell", COMBAT)
def test_win_or_lose_the_spell_is_returned_to_its_well(spell: str, own: int, foe: int) -> None:
    wells = {"bolt": "n1", "fire": "n2", "meteor": "e1", "tornado": "e2"}
    t = woods().owns(0, d6=1, gold=1, **{spell: 1}).enemies("centre", ogre=1)
    t.do("done", "done", "attack_2", f"cast_{spell}").roll(own, foe)
    assert t.lies(wells[spell]) == {spell: 1}
    assert spell not in t.carries(0)


def test_combat_magic_has_no_use_elsewhere() -> None:
    t = woods().owns(0, bolt=1, fire=1)
    assert not {name for name in t.legal if name.startswith("cast_")}
    t.do("done")
    assert not {name for name in t.legal if name.startswith("cast_")}


def test_when_you_use_magic_in_combat_you_cant_also_use_a_weapon() -> None:
    t = woods().owns(0, d12=1, gold=1, bolt=1).enemies("centre", ogre=1)
    t.do("done", "done", "attack_2", "cast_bolt").roll(3, 4)
    assert t.legal == {"drop_gold"}


def test_magic_used_in_the_space_of_its_well() -> None:
    """It's ok to use it there; it returns to the well, and won't be in your inventory at the end of the turn."""
    t = woods(2).stand(0, "n1").enemies("n1", ogre=2).owns(0).do("take_bolt", "done", "done", "attack_2", "cast_bolt").roll(9, 8)
    assert t.s.turn == 1
    assert t.carries(0) == {"gold": 2}
    assert t.lies("n1") == {"bolt": 1}
    t.do("done", "done")
    assert t.may("take_bolt")  # on a later turn, if it's still available


def test_other_adventurers_can_then_take_the_spell_from_the_well() -> None:
    t = woods(2).owns(0, bolt=1).enemies("centre", goblin=1).do("done", "done", "attack_1", "cast_bolt").roll(9, 1)
    t.do("move_north", "take_bolt")
    assert t.carries(1) == {"d6": 1, "gold": 1, "bolt": 1}


# Magnet


def magnet(t: Table, **items: int) -> Table:
    return t.owns(0, magnet=1, **items).do("done")


def test_magnet_is_used_instead_of_exploring() -> None:
    t = magnet(woods().lay("e2", gold=1))
    assert t.phase == "explore"
    assert t.may("cast_magnet")
    t.do("cast_magnet")
    assert t.phase == "magnet_item"
    t.do("take_gold", "space_east_2")
    assert (t.phase, t.s.turn) == ("move", 1)
    assert t.gold[0] == 1


def test_magnet_is_not_used_in_the_move_step() -> None:
    t = woods().owns(0, magnet=1).lay("e2", gold=1)
    assert not t.may("cast_magnet")


def test_magnet_takes_any_one_magic_weapon_or_gold_from_the_map() -> None:
    """Not a potion, not itself, and not what others carry."""
    t = magnet(woods().owns(1, d20=1, fire=1, gold=1).lay("e2", d4=1, potion=1).lay("w2", gold=3, d12=1)).do("cast_magnet")
    assert t.legal == {
        "take_d4",
        "take_d12",
        "take_gold",
        "take_bolt",
        "take_meteor",
        "take_tornado",
        "take_revive",
        "take_teleport",
        "take_eighth",
    }


def test_magnet_returns_to_its_well_before_the_item_is_taken() -> None:
    t = magnet(woods().lay("e2", gold=1)).do("cast_magnet")
    assert t.lies("s1") == {"magnet": 1}


def test_magnet_draws_from_any_space_that_has_the_item() -> None:
    t = magnet(woods().lay("e2", d8=1).lay("w2", d8=2).lay("centre", d8=1)).do("cast_magnet", "take_d8").mark()
    assert t.legal == {"space_east_2", "space_west_2", "space_camp_2"}
    t.do("space_west_2")
    assert t.lies("w2") == {"eighth": 1, "d8": 1}
    assert t.carries(0) == {"d8": 1}


def test_magnet_draws_magic_from_the_ground() -> None:
    t = magnet(woods().lay("e2", bolt=1)).do("cast_magnet", "take_bolt")
    assert t.legal == {"space_east_2"}
    t.do("space_east_2")
    assert t.carries(0) == {"bolt": 1}


def test_magnet_draws_gold_from_among_enemies() -> None:
    t = magnet(woods().lay("e2", gold=2).enemies("e2", dragon=1)).do("cast_magnet", "take_gold", "space_east_2")
    assert t.gold[0] == 1
    assert t.lies("e2") == {"tornado": 1, "gold": 1}


def test_magnet_makes_the_adventurer_drop_a_fourth_item() -> None:
    t = magnet(woods().lay("e2", d20=1), d4=1, potion=2).do("cast_magnet", "take_d20", "space_east_2")
    assert (t.phase, t.legal) == ("drop_beyond_limit", {"drop_d4", "drop_potion", "drop_d20"})
    t.do("drop_potion")
    assert t.lies("centre") == {"potion": 1}
    assert t.carries(0) == {"d4": 1, "d20": 1, "potion": 1}
    assert (t.phase, t.s.turn) == ("move", 1)


def test_magnet_with_gold_and_three_items() -> None:
    t = magnet(woods().lay("e2", gold=1), d4=3).do("cast_magnet", "take_gold", "space_east_2")
    assert (t.phase, t.s.turn) == ("move", 1)


def test_magnet_with_another_spell_in_hand() -> None:
    """One goes back, one comes: two are held."""
    t = magnet(woods(), bolt=1).do("cast_magnet", "take_fire", "space_north_2")
    assert t.carries(0) == {"bolt": 1, "fire": 1}
    assert t.s.turn == 1


def test_magnet_among_enemies() -> None:
    """One can't explore there, but this is no exploring; the attack follows, with what was drawn."""
    t = magnet(woods().enemies("centre", goblin=1))
    assert t.legal == {"done", "cast_magnet"}
    t.do("cast_magnet", "take_bolt", "space_north_1")
    assert t.phase == "attack"
    t.do("attack_1")
    assert t.legal == {"cast_bolt"}


def test_magnet_over_the_limit_among_enemies() -> None:
    t = magnet(woods().enemies("centre", goblin=1).lay("e2", d20=1), d4=3)
    t.do("cast_magnet", "take_d20", "space_east_2", "drop_d4")
    assert t.phase == "attack"
    t.do("attack_1")
    assert t.legal == {"fight_with_d4", "fight_with_d20"}


def test_magnet_with_nothing_to_draw() -> None:
    t = Table().place(s1=(0, -1)).owns(0, magnet=1).lay("centre", potion=1).do("done")
    assert t.legal == {"done", "explore_north"}


def test_magnet_does_not_explore() -> None:
    t = magnet(woods().lay("e2", gold=1)).mark().do("cast_magnet", "take_gold", "space_east_2")
    assert t.changes == {
        "spell_at.magnet": "s1", "lying.gold.e2": 0, "carried.0.gold": 1, "turn": 1, "mover": 1, "turns": 2, "phase": "move",
    }  # fmt: skip


@pytest.mark.parametrize("used", ["teleport", "eighth"])
def test_magnet_does_not_draw_a_spell_used_this_turn(used: str) -> None:
    """It won't be in your inventory at the end of your turn."""
    t = woods().owns(0, magnet=1, **{used: 1}).do(f"cast_{used}")
    t.do(*(["space_camp_2"] if used == "teleport" else []), "done", "cast_magnet")
    assert not t.may(f"take_{used}")
    assert t.may("take_bolt")


# Revive


def lost(t: Table, **items: int) -> Table:
    """The roll against an ogre in the camp is lost."""
    return t.owns(0, revive=1, **items).enemies("centre", ogre=1).do("done", "done", "attack_2", "fight_with_d6").roll(1, 2).mark()


def test_revive_when_a_battle_is_lost() -> None:
    t = lost(woods(), d6=1, gold=2)
    assert t.legal == {"drop_gold", "drop_d6", "cast_revive"}
    t.do("cast_revive")
    assert (t.phase, t.legal) == ("revived", {"done", "again"})
    assert t.lies("s2") == {"revive": 1}
    assert t.carries(0) == {"d6": 1, "gold": 2}


def test_revive_and_end_the_turn_where_you_are() -> None:
    t = lost(woods().stand(0, "centre"), d6=1, gold=2).do("cast_revive", "done")
    assert (t.phase, t.s.turn, t.where[0]) == ("move", 1, "centre")
    t = woods().stand(0, "n2").owns(0, d6=1, gold=2, revive=1).enemies("n2", ogre=1)
    t.do("done", "done", "attack_2", "fight_with_d6").roll(1, 2).do("cast_revive", "done")
    assert t.where[0] == "n2"
    assert t.carries(0) == {"d6": 1, "gold": 2}
    assert t.lies("n2") == {"fire": 1}


def test_revive_and_attack_the_same_enemy_again() -> None:
    t = lost(woods(), d6=1, d12=1, gold=2).do("cast_revive", "again")
    assert (t.phase, t.legal) == ("choose_weapon", {"fight_with_d6", "fight_with_d12"})
    t.do("fight_with_d12")
    assert t.chances == dict.fromkeys(range(1, 13), 1)
    t.roll(9)
    assert t.chances == dict.fromkeys(range(1, 9), 1)
    t.roll(8)
    assert t.gold[0] == 4
    assert t.s.foes[SPACES.index("centre")] == 0


def test_revive_is_single_use() -> None:
    t = lost(woods(), d6=1, gold=2).do("cast_revive", "again", "fight_with_d6").roll(1, 2)
    assert t.legal == {"drop_gold", "drop_d6"}


def test_revive_without_anything_left_to_fight_with() -> None:
    t = woods().owns(0, revive=1, bolt=1, gold=1).enemies("centre", ogre=1).do("done", "done", "attack_2", "cast_bolt").roll(1, 2)
    t.do("cast_revive")
    assert t.legal == {"done"}


def test_revive_and_another_spell() -> None:
    t = woods().owns(0, revive=1, bolt=1, d4=1, gold=1).enemies("centre", ogre=1).do("done", "done", "attack_2", "cast_bolt").roll(1, 2)
    t.do("cast_revive", "again")
    assert t.legal == {"fight_with_d4"}


def test_revive_is_for_a_lost_battle_only() -> None:
    t = woods().owns(0, revive=1, d6=1).enemies("centre", ogre=1)
    assert not t.may("cast_revive")
    t.do("done")
    assert not t.may("cast_revive")
    t.do("done")
    assert not t.may("cast_revive")
    t.do("attack_2")
    assert not t.may("cast_revive")
    t.do("fight_with_d6").roll(5, 5)
    assert (t.phase, t.s.turn, t.carries(0)["revive"]) == ("move", 1, 1)


def test_revive_of_another_adventurer_does_not_help() -> None:
    t = woods().owns(1, revive=1).owns(0, d6=1, gold=1).enemies("centre", ogre=1)
    t.do("done", "done", "attack_2", "fight_with_d6").roll(1, 2)
    assert t.legal == {"drop_gold", "drop_d6"}


# Teleport


def test_teleport_takes_the_place_of_moving() -> None:
    """To any explored space that holds no enemy; after that no space can be moved."""
    t = woods().owns(0, teleport=1, d6=1).enemies("e2", goblin=1).lay("s2", gold=1)
    assert t.may("cast_teleport")
    t.do("cast_teleport")
    assert t.phase == "teleport"
    spaces = {"north_1", "north_2", "east_1", "south_1", "south_2", "west_1", "west_2", "camp_1", "camp_2", "camp_3"}
    assert t.legal == {f"space_{space}" for space in spaces}
    t.do("space_south_2")
    assert t.where[0] == "s2"
    assert t.lies("w1") == {"teleport": 1}
    assert t.legal == {"done", "drop_d6", "take_gold", "take_revive"}


def test_teleport_cannot_follow_a_move() -> None:
    t = woods().owns(0, teleport=1).do("move_north")
    assert not t.may("cast_teleport")


def test_after_teleport_one_may_explore() -> None:
    t = woods().owns(0, teleport=1).do("cast_teleport", "space_north_2", "done")
    assert t.legal == {"done", "explore_north", "explore_east", "explore_west"}


def test_teleport_from_among_enemies() -> None:
    t = woods().owns(0, teleport=1).enemies("centre", dragon=1).do("cast_teleport")
    assert not t.may("space_camp_2")
    t.do("space_east_1")
    assert t.where[0] == "e1"


def test_teleport_to_its_own_well() -> None:
    """It is back there, and stays there this turn."""
    t = woods(2).owns(0, teleport=1).do("cast_teleport", "space_west_1")
    assert t.lies("w1") == {"teleport": 1}
    assert takes(t) == set()
    t.do("done", "done", "done", "done")
    assert takes(t) == {"take_teleport"}


def test_teleport_past_what_was_dropped() -> None:
    """At the new space the visit begins anew."""
    t = woods().owns(0, teleport=1, d4=1, d6=1).lay("s2", d4=1).do("drop_d6", "cast_teleport", "space_south_2")
    assert t.legal == {"done", "drop_d4", "take_d4", "take_revive"}


def test_teleport_does_not_lead_to_unexplored_spaces() -> None:
    t = Table().place(w1=(-2, 0)).owns(0, teleport=1).do("cast_teleport")
    assert t.legal == {"space_camp_1", "space_camp_2", "space_camp_3", "space_west_1"}


# The eighth


def test_stride_gives_three_more_spaces() -> None:
    t = woods().place(n3=(0, 3), n4=(0, 4), n5=(0, 5), n6=(0, 6), n7=(0, 7)).owns(0, eighth=1).mark().do("cast_eighth")
    assert t.changes == {"spell_at.eighth": "w2", "cast": 128, "moves": 6}
    t.do(*["move_north"] * 6)
    assert t.where[0] == "n6"
    assert not t.may("move_north")


def test_stride_after_moving() -> None:
    t = woods().owns(0, eighth=1).do("move_north", "move_north", "move_south", "cast_eighth")
    assert (t.s.moves, t.where[0]) == (3, "n1")
    assert t.may("move_south")


def test_stride_on_its_own_well_is_not_used_twice() -> None:
    t = woods().stand(0, "w2").do("take_eighth", "cast_eighth")
    assert not t.may("take_eighth")
    assert not t.may("cast_eighth")
    t.do("move_east", "move_west")
    assert not t.may("take_eighth")


def test_stride_cannot_follow_teleport() -> None:
    t = woods().owns(0, eighth=1, teleport=1).do("cast_teleport", "space_north_2")
    assert not t.may("cast_eighth")
    assert t.carries(0) == {"eighth": 1}


def test_a_stride_of_the_deck_file() -> None:
    deck = load(deck_file(eighth={"name": "Leap", "effect": {"type": "stride", "spaces": 1}}))
    t = woods(deck=deck).owns(0, eighth=1).do("cast_eighth")
    assert t.s.moves == 4


def test_what_was_used_this_turn_can_be_taken_in_the_next() -> None:
    t = woods(2).stand(0, "w2").do("take_eighth", "cast_eighth", "done", "done", "done", "done")
    assert t.may("take_eighth")


def test_a_spell_put_back_as_third_can_be_taken_elsewhere_in_the_same_turn() -> None:
    """It was not used."""
    t = woods().owns(0, fire=1, magnet=1).do("move_north", "take_bolt", "drop_fire", "move_north")
    assert takes(t) == {"take_fire"}
    assert drops(t) == {"drop_bolt", "drop_magnet"}
