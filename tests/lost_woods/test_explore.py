"""Explore: open directions, the card, and the bottom of the decks."""

import pytest

from tests.lost_woods.scenario import SPACES, Table, beside, deck_file, distances, load

FIRST_ELEVEN = {f"n{n}": 1 for n in range(1, 12)}


def explores(t: Table) -> set[str]:
    return {name for name in t.legal if name.startswith("explore_")}


def explorer(space: str = "centre", **options: object) -> Table:
    return Table(**options).stand(0, space).do("done").mark()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("space", "open_ways"),
    [("west", {"north", "south", "west"}), ("centre", {"north", "south"}), ("east", {"north", "east", "south"})],
)
def test_choose_an_open_direction_from_your_location(space: str, open_ways: set[str]) -> None:
    assert explorer(space).legal == {"done", *(f"explore_{way}" for way in open_ways)}


def test_where_a_card_lies_it_is_not_open() -> None:
    t = Table().place(n3=(0, 1)).do("done")
    assert explores(t) == {"explore_south"}


def test_where_a_card_lies_that_has_no_way_back_it_is_not_open_either() -> None:
    deck = load(deck_file(ways={"n4": "S"}))
    t = Table(deck=deck).place(n3=(0, 1), n4=(1, 1)).stand(0, "n3").do("done")
    assert explores(t) == {"explore_north", "explore_west"}


def test_without_a_marker_it_is_not_open() -> None:
    deck = load(deck_file(ways={"n3": "ES"}))
    t = Table(deck=deck).place(n3=(0, 1)).stand(0, "n3").do("done")
    assert explores(t) == {"explore_east"}


@pytest.mark.parametrize("foes", [{"goblin": 1}, {"dragon": 1, "ogre": 2}])
def test_you_cant_explore_from_a_room_that_contains_enemies(foes: dict[str, int]) -> None:
    t = Table().enemies("centre", **foes).do("done")
    assert t.legal == {"done"}


def test_the_guardian_guards_the_way_out_too() -> None:
    t = Table().place(n12=(0, 1)).enemies("n12", guardian="north").stand(0, "n12").do("done")
    assert t.legal == {"done"}


def test_you_must_defeat_all_of_them_before_exploring() -> None:
    t = Table(2).enemies("centre", goblin=2)
    t.do("done", "done", "attack_1", "fight_with_d6").roll(6, 1)
    t.do("done")
    assert explores(t) == set()
    t.do("done", "attack_1", "fight_with_d6").roll(6, 1)
    t.do("done")
    assert explores(t) == {"explore_north", "explore_south"}


def test_enemies_elsewhere_do_not_matter() -> None:
    t = Table().place(n3=(0, 1)).enemies("n3", dragon=1).enemies("east", ogre=1).do("done")
    assert explores(t) == {"explore_south"}


def test_draw_a_map_card_in_the_direction_you_want_to_go() -> None:
    """Any card but the one marked "Bottom of Deck" can come."""
    t = explorer()
    t.do("explore_north")
    assert t.changes == {"node": 1, "phase": "draw_card", "way": "north"}
    assert t.chances == FIRST_ELEVEN


@pytest.mark.parametrize(
    ("space", "way", "spot"),
    [("centre", "north", (0, 1)), ("east", "east", (2, 0)), ("west", "south", (-1, -1)), ("west", "west", (-2, 0))],
)
def test_place_it_in_the_open_spot(space: str, way: str, spot: tuple[int, int]) -> None:
    t = explorer(space)
    card = f"{way[0]}5"
    t.do(f"explore_{way}").draw(card)
    index = SPACES.index(card)
    assert (int(t.s.placed[index]), int(t.s.x[index]), int(t.s.y[index])) == (1, *spot)
    assert t.s.left.tolist() == [11 if d == way else 12 for d in ("north", "east", "south", "west")]


def test_the_whole_of_an_exploration() -> None:
    """A card is placed, a tile drawn, the adventurer moved, and the turn is over: nothing else changes."""
    t = explorer().bag(gold=2, gnome=1)
    t.do("explore_north").draw("n5")
    assert t.phase == "draw_tile"
    assert t.where[0] == "centre"
    t.draw("gold")
    changes = {key: value for key, value in t.changes.items() if not key.startswith("distance")}
    assert changes == {
        "placed.n5": 1,
        "y.n5": 1,
        "left.north": 11,
        "beside.centre.north": "n5",
        "beside.n5.south": "centre",
        "open_ways.centre": 1,
        "open_ways.n5": 3,
        "bag.gold": 1,
        "supply": 45,
        "at.0": "n5",
        "carried.0.gold": 2,
        "mover": 1,
        "turn": 1,
        "turns": 2,
        "phase": "move",
    }


def test_a_new_card_lies_next_to_all_that_lie_around_it() -> None:
    t = Table().place(n3=(-1, 1), e3=(1, 1), n4=(0, 2)).do("done").mark()
    t.do("explore_north").draw("n5")
    index = SPACES.index("n5")
    assert [SPACES[space] for space in t.s.beside[index]] == ["n4", "e3", "centre", "n3"]
    assert (t.s.beside == beside(t.s)).all()
    assert (t.s.distance == distances(t.s, t.deck)).all()


def test_a_new_card_shortens_ways() -> None:
    """Round by the north it took four moves from the east of n4 to n3; through n5 it takes two."""
    deck = load(deck_file(camp={"centre": "N", "west": "NSW", "east": "NES"}))
    t = Table(deck=deck).place(n3=(-1, 1), n4=(1, 1)).do("done")
    west, east = SPACES.index("n3"), SPACES.index("n4")
    assert (t.s.distance[west, east], t.s.distance[east, west]) == (4, 4)
    t.do("explore_north").draw("n5")
    assert (t.s.distance[west, east], t.s.distance[east, west]) == (2, 2)


def test_a_new_card_without_ways_shortens_nothing() -> None:
    deck = load(deck_file(ways={"n5": "S"}))
    t = Table(deck=deck).place(n3=(-1, 1), n4=(1, 1)).do("done")
    t.do("explore_north").draw("n5")
    west, east, new = (SPACES.index(name) for name in ("n3", "n4", "n5"))
    assert (t.s.distance[west, east], t.s.distance[west, new], t.s.distance[new, west]) == (4, 1, 3)


def test_cards_on_the_table_are_not_drawn_again() -> None:
    t = Table().place(n1=(0, 1), n2=(0, 2), n4=(0, 3)).stand(0, "n4").do("done")
    t.do("explore_north")
    assert t.chances == {f"n{n}": 1 for n in (3, 5, 6, 7, 8, 9, 10, 11)}


def eleven_cards() -> dict[str, tuple[int, int]]:
    return {f"n{n}": (n - 6, 1) for n in range(1, 12)}


def test_the_card_marked_bottom_of_deck_comes_last() -> None:
    t = Table().place(**eleven_cards()).stand(0, "n6").do("done")
    t.do("explore_north")
    assert t.chances == {"n12": 1}


def test_before_it_comes_the_last_of_the_others() -> None:
    cards = eleven_cards()
    del cards["n11"]
    t = Table().place(**cards).stand(0, "n6").do("done")
    t.do("explore_north")
    assert t.chances == {"n11": 1}


def test_the_bottom_card_draws_a_tile_too() -> None:
    """A reading: every placed card draws one."""
    t = Table().place(**eleven_cards()).stand(0, "n6").do("done").mark()
    t.do("explore_north").draw("n12")
    assert t.phase == "draw_tile"
    t.bag(ogre=1).draw("ogre")
    assert t.s.foes[SPACES.index("n12")] == 2
    assert t.where[0] == "n12"
    assert t.phase == "attack"
    assert t.legal == {"done", "attack_2", "attack_guardian"}


def test_each_direction_has_its_own_deck() -> None:
    t = Table().place(**eleven_cards()).stand(0, "east").do("done")
    t.do("explore_east")
    assert t.chances == {f"e{n}": 1 for n in range(1, 12)}


def test_only_one_card_is_explored_in_a_turn() -> None:
    t = explorer()
    t.do("explore_north").draw("n5").draw("gold")
    assert t.s.turn == 1


def test_with_an_enemy_in_the_new_room_the_attack_follows() -> None:
    t = explorer()
    t.do("explore_north").draw("n5").draw("goblin")
    assert (t.phase, t.where[0], t.s.turn) == ("attack", "n5", 0)
    assert t.legal == {"done", "attack_1"}


def test_explored_from_a_card_far_off() -> None:
    t = Table().place(e3=(2, 0), e4=(3, 0)).stand(0, "e4").do("done")
    t.do("explore_south").draw("s7").draw("gold")
    index = SPACES.index("s7")
    assert (int(t.s.x[index]), int(t.s.y[index])) == (3, -1)
    assert t.where[0] == "s7"


def test_a_new_card_beside_a_well_does_not_move_its_spell() -> None:
    t = Table().place(n1=(0, 1)).owns(1, d6=1, gold=1, bolt=1).stand(0, "n1").do("done")
    t.do("explore_north").draw("n5").draw("gold")
    assert t.carries(1) == {"d6": 1, "gold": 1, "bolt": 1}
