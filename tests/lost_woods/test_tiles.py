"""Tiles: what is drawn from the bag, item by item, and the limit of three items."""

import pytest

from tests.lost_woods.scenario import PLAIN, SPACES, TILES, Table

LEFT_TILES = {
    "d4": 4, "d6": 9 - 4, "d8": 5, "d12": 6 - 2, "goblin": 10, "ogre": 6, "dragon": 4, "potion": 6, "gold": 6, "plus_two": 6, "gnome": 4,
}  # fmt: skip


def drawing(players: int = 4, turn: int = 0, **options: object) -> Table:
    """A card, n5, has been explored from the centre of the camp; its tile is to be drawn."""
    return Table(players, turn=turn, **options).do("done", "explore_north").draw("n5").mark()  # type: ignore[arg-type]


def redraw(t: Table) -> Table:
    """The same once the table has been laid anew."""
    return t.do("done", "explore_north").draw("n5").mark()


def test_a_tile_is_drawn_from_the_bag() -> None:
    """Each tile in it is as likely."""
    t = drawing()
    assert t.chances == LEFT_TILES
    assert sum(t.chances.values()) == 60


def test_a_tile_drawn_is_not_in_the_bag_any_more() -> None:
    t = redraw(Table().bag(d8=2, gold=1))
    t.draw("d8").do("done", "explore_south").draw("s5")
    assert t.chances == {"d8": 1, "gold": 1}


@pytest.mark.parametrize("die", ["d4", "d6", "d8", "d12"])
def test_weapon_goes_into_your_inventory(die: str) -> None:
    t = redraw(Table().owns(0, gold=1))
    bag = int(t.s.bag[TILES.index(die)])
    t.draw(die)
    assert t.changes == {
        f"bag.{die}": bag - 1, f"carried.0.{die}": 1, "at.0": "n5", "room": None, "to_draw": 0, "node": 0, "phase": "move", "turn": 1,
        "mover": 1, "turns": 2, "way": None,
    }  # fmt: skip


def test_potion_goes_into_your_inventory() -> None:
    t = drawing().draw("potion")
    assert t.carries(0) == {"d6": 1, "potion": 1, "gold": 1}
    assert t.lies("n5") == {}


@pytest.mark.parametrize("kind", ["goblin", "ogre", "dragon"])
def test_enemy_goes_onto_the_map_in_the_explored_space(kind: str) -> None:
    t = drawing().draw(kind)
    assert t.s.enemies[SPACES.index("n5")].tolist() == [int(kind == name) for name in ("goblin", "ogre", "dragon")] + [0] * 9
    assert t.s.foes.sum() == t.s.foes[SPACES.index("n5")] == 1
    assert t.phase == "attack"


def test_gold_takes_one_piece_from_the_supply() -> None:
    t = drawing().draw("gold")
    assert t.gold == [2, 1, 1, 1]
    assert t.s.supply == 45


def test_gold_when_the_supply_has_run_out() -> None:
    t = redraw(Table().supply(0)).draw("gold")
    assert t.gold == [1, 1, 1, 1]
    assert t.s.supply == 0


def test_plus_two_draws_two_more_tiles() -> None:
    t = drawing().draw("plus_two")
    assert (t.phase, t.s.to_draw) == ("draw_tile", 2)
    assert t.chances == {**LEFT_TILES, "plus_two": 5}
    t.draw("goblin")
    assert (t.phase, t.s.to_draw) == ("draw_tile", 1)
    t.draw("ogre")
    assert t.phase == "attack"
    assert t.s.foes[SPACES.index("n5")] == 2
    assert t.legal == {"done", "attack_1", "attack_2"}


def test_plus_two_after_plus_two() -> None:
    """One tile, and each Plus Two brings two more: five tiles in all."""
    t = drawing().draw("plus_two", "gold", "plus_two", "gold", "gold")
    assert (t.s.turn, t.gold) == (1, [4, 1, 1, 1])


def test_the_adventurer_moves_after_all_tiles_are_drawn() -> None:
    t = drawing().draw("plus_two", "gold")
    assert t.where[0] == "centre"
    t.draw("gold")
    assert t.where[0] == "n5"


def test_when_the_bag_is_empty_nothing_is_drawn() -> None:
    t = Table().bag().do("done", "explore_north").draw("n5")
    assert (t.where[0], t.phase, t.s.turn, t.s.to_draw) == ("n5", "move", 1, 0)


@pytest.mark.parametrize("tile", ["gold", "goblin", "potion"])
def test_plus_two_when_only_one_more_tile_is_there(tile: str) -> None:
    t = redraw(Table().bag(plus_two=1, **{tile: 1}))
    t.draw("plus_two", tile)
    assert (t.where[0], t.s.to_draw) == ("n5", 0)
    assert t.phase == ("attack" if tile == "goblin" else "move")


def test_plus_two_as_the_last_tile() -> None:
    t = redraw(Table().bag(plus_two=1)).draw("plus_two")
    assert (t.where[0], t.s.turn, t.s.to_draw) == ("n5", 1, 0)


# More than three items


def test_if_you_get_more_than_three_choose_any_one_and_drop_it_in_the_new_map_card() -> None:
    t = redraw(Table().owns(0, d4=1, d6=1, potion=1, gold=2))
    t.draw("d12")
    assert t.phase == "drop_beyond_limit"
    assert t.where[0] == "centre"
    assert t.legal == {"drop_d4", "drop_d6", "drop_d12", "drop_potion"}
    t.do("drop_d4")
    assert t.lies("n5") == {"d4": 1}
    assert t.lies("centre") == {}
    assert t.carries(0) == {"d6": 1, "d12": 1, "potion": 1, "gold": 2}
    assert (t.where[0], t.s.turn) == ("n5", 1)


def test_the_new_item_may_be_the_one_that_is_dropped() -> None:
    t = redraw(Table().owns(0, d6=3)).draw("potion")
    assert t.legal == {"drop_d6", "drop_potion"}
    t.do("drop_potion")
    assert t.lies("n5") == {"potion": 1}
    assert t.carries(0) == {"d6": 3}


def test_three_items_are_not_too_many() -> None:
    t = redraw(Table().owns(0, d6=1, potion=1)).draw("d8")
    assert t.phase == "move"
    assert t.carries(0) == {"d6": 1, "d8": 1, "potion": 1}


def test_magic_and_gold_do_not_count() -> None:
    t = redraw(Table().place(s1=(0, -1), s2=(0, -2)).owns(0, d6=2, gold=7, magnet=1, revive=1)).draw("d8")
    assert t.phase == "move"
    assert t.carries(0) == {"d6": 2, "d8": 1, "gold": 7, "magnet": 1, "revive": 1}


def test_after_dropping_the_other_tiles_are_drawn() -> None:
    t = redraw(Table().owns(0, d6=3)).draw("plus_two", "d12").do("drop_d6")
    assert (t.phase, t.s.to_draw) == ("draw_tile", 1)
    t.draw("potion").do("drop_d6")
    assert t.lies("n5") == {"d6": 2}
    assert t.carries(0) == {"d6": 1, "d12": 1, "potion": 1}
    assert t.s.turn == 1


# Gnomes


def richest_and_poorest(t: Table) -> tuple[set[str], set[str]]:
    """Who may be chosen; the first of the richest is."""
    richest = t.legal
    assert t.phase == "richest"
    t.do(sorted(richest)[0])
    assert t.phase == "poorest"
    return richest, t.legal


def test_gnome_takes_from_the_richest_and_gives_to_the_poorest() -> None:
    t = redraw(Table().owns(0, gold=3).owns(1, gold=5).owns(2, gold=2).owns(3, gold=4)).draw("gnome")
    assert t.legal == {"chair_1"}
    t.do("chair_1")
    assert t.legal == {"chair_2"}
    t.do("chair_2")
    assert t.gold == [3, 4, 3, 4]
    assert t.s.supply == 50 - 14
    assert (t.where[0], t.s.turn, t.s.giver) == ("n5", 1, -1)


def test_chairs_are_counted_from_the_explorer() -> None:
    t = redraw(Table(turn=2).owns(0, gold=3).owns(1, gold=5).owns(2, gold=2).owns(3, gold=4)).draw("gnome")
    assert t.legal == {"chair_3"}
    t.do("chair_3")
    assert t.legal == {"chair_0"}
    t.do("chair_0")
    assert t.gold == [3, 4, 3, 4]


def test_gnome_may_take_from_the_explorer() -> None:
    t = redraw(Table(3).owns(0, gold=6).owns(1, gold=1).owns(2, gold=2)).draw("gnome").do("chair_0", "chair_1")
    assert t.gold == [5, 2, 2]


def test_you_decide_ties() -> None:
    t = redraw(Table(5).owns(0, gold=3).owns(1, gold=5).owns(2, gold=2).owns(3, gold=5).owns(4, gold=2)).draw("gnome")
    assert t.legal == {"chair_1", "chair_3"}
    t.do("chair_3")
    assert t.legal == {"chair_2", "chair_4"}
    t.do("chair_4")
    assert t.gold == [3, 5, 2, 4, 3]


def test_gnome_when_everyone_has_the_same() -> None:
    """A reading: the explorer names both; they are two different adventurers."""
    t = drawing(3).draw("gnome")
    assert t.legal == {"chair_0", "chair_1", "chair_2"}
    t.do("chair_1")
    assert t.legal == {"chair_0", "chair_2"}
    t.do("chair_0")
    assert t.gold == [2, 0, 1]


def test_gnome_with_two_players() -> None:
    t = redraw(Table(2).owns(0, gold=4).owns(1, gold=2)).draw("gnome")
    richest, poorest = richest_and_poorest(t)
    assert (richest, poorest) == ({"chair_0"}, {"chair_1"})


def test_gnome_when_all_but_the_richest_have_the_same() -> None:
    t = redraw(Table(4).owns(0, gold=2).owns(1, gold=2).owns(2, gold=3).owns(3, gold=2)).draw("gnome")
    assert richest_and_poorest(t) == ({"chair_2"}, {"chair_0", "chair_1", "chair_3"})


def test_gnome_when_nobody_has_gold() -> None:
    t = redraw(Table(3).owns(0).owns(1).owns(2)).draw("gnome")
    assert (t.gold, t.s.turn, t.phase) == ([0, 0, 0], 1, "move")


def test_gnome_with_the_only_piece_of_gold() -> None:
    t = redraw(Table(3).owns(0).owns(1, gold=1).owns(2)).draw("gnome")
    assert richest_and_poorest(t) == ({"chair_1"}, {"chair_0", "chair_2"})


def test_empty_chairs_are_not_the_poorest() -> None:
    t = redraw(Table(2).owns(0, gold=1).owns(1, gold=3)).draw("gnome")
    assert richest_and_poorest(t) == ({"chair_1"}, {"chair_0"})


def test_after_the_gnome_the_other_tiles_are_drawn() -> None:
    t = drawing().draw("plus_two", "gnome").do("chair_0", "chair_1")
    assert (t.phase, t.s.to_draw) == ("draw_tile", 1)
    t.draw("gnome")
    assert t.legal == {"chair_1"}


def test_the_gnome_takes_the_gold_that_was_just_drawn_into_account() -> None:
    t = drawing(2).draw("plus_two", "gold", "gnome")
    assert t.legal == {"chair_0"}


def test_gold_that_lies_does_not_make_rich() -> None:
    t = redraw(Table(2).owns(0, gold=2).owns(1, gold=1).lay("east", gold=9)).draw("gnome")
    assert t.legal == {"chair_0"}


def test_a_discarded_tile_is_gone() -> None:
    """Gold, Plus Two and gnomes go to the discard pile, and not back into the bag."""
    t = redraw(Table().bag(gold=1, plus_two=1, gnome=1, d4=1))
    t.draw("plus_two", "gold", "gnome").do("chair_0", "chair_1")
    assert t.s.bag.sum() == 1
    assert t.chances if t.phase == "draw_tile" else t.s.bag[0] == 1


def test_kinds_of_enemy_that_the_deck_lacks_do_not_come() -> None:
    assert PLAIN.tables.tiles[5 + 3 : 5 + 12].tolist() == [0] * 9
