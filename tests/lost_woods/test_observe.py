"""The observation: each feature worked out by hand on a table laid by hand, from two chairs; the same from every seat."""

from typing import Any

import numpy as np
import pytest

from deckwood.lost_woods.spec import SPEC
from tests.lost_woods.scenario import SPACES, Table, deck_file, load

SPACE_NAMES = ("camp_1", "camp_2", "camp_3", *(f"{d}_{n}" for d in ("north", "east", "south", "west") for n in range(1, 13)))
ON_MAP = {"west", "centre", "east", "n1", "n5", "e3", "s12", "s2"}


def seen(t: Table, seat: int | None = None) -> dict[str, dict[str, float]]:
    """Each feature, with what is not zero by its label."""
    obs = t.game.observe(t.position, seat)
    out: dict[str, dict[str, float]] = {}
    for feature in SPEC.features:
        values = obs[SPEC.slices[feature.name]]
        labels = feature.labels or tuple(map(str, range(feature.size)))
        out[feature.name] = {label: float(value) for label, value in zip(labels, values, strict=True) if value}
    return out


def near(**expected: float) -> Any:
    return pytest.approx(expected, abs=1e-6)


def places(**expected: float) -> Any:
    """By space, in the words of scenarios."""
    return pytest.approx({SPACE_NAMES[SPACES.index(name)]: value for name, value in expected.items()}, abs=1e-6)


def table(turn: int = 1, players: int = 4) -> Table:
    """Eight spaces; seat 1 stands in n1, seat 3 in the east of the camp, the others in its centre.

    n1 (0, 1), n5 (0, 2), e3 (1, 1); s12 (0, -1) with its guardian; s2 (0, -2). All have four markers, the middle of the camp north and
    south, its ends also outwards.
    """
    t = Table(players, turn=turn).place(n1=(0, 1), n5=(0, 2), e3=(1, 1), s12=(0, -1), s2=(0, -2))
    t.stand(1, "n1").stand(3, "east").decks(south=0, north=10, east=11)
    t.enemies("n1", goblin=2, ogre=1).enemies("s12", guardian="south", dragon=1).enemies("n5", goblin=1)
    t.owns(0, d6=1, gold=1).owns(1, d4=1, d12=1, potion=1, gold=12, bolt=1).owns(2).owns(3, d20=2, gold=3, revive=1)
    t.lay("n1", d8=1, gold=2, potion=1).lay("e3", d4=1, d12=2, gold=6).lay("centre", potion=2, revive=0)
    t.s.turns = 10
    return t.bag(d6=3, goblin=12, plus_two=10, gnome=1)


def test_phase_and_time() -> None:
    features = seen(table())
    assert features["phase"] == {"move": 1}
    assert features["turn"] == {"chair_0": 1}
    assert features["time"] == near(**{"0": 10 / 400})
    assert features["moves"] == {"0": 0.5}
    assert features["lead"] == near(**{"0": 0.9})
    for name in ("explored", "to_draw", "tied", "tie_dice", "tie_rolls", "giver", "magnet", "fight"):
        assert features[name] == {}, name


@pytest.mark.parametrize(("seat", "chair"), [(0, 1), (1, 0), (2, 3), (3, 2)])
def test_whose_turn_it_is(seat: int, chair: int) -> None:
    assert seen(table(), seat)["turn"] == {f"chair_{chair}": 1}


def test_moves_left() -> None:
    t = table().do("move_north")
    assert seen(t)["moves"] == near(**{"0": 2 / 6})


def test_supply_decks_and_guardians() -> None:
    features = seen(table())
    assert features["supply"] == near(**{"0": (50 - 1 - 12 - 3 - 2 - 6) / 50})
    assert features["decks"] == near(north=10 / 12, east=11 / 12, west=1)
    assert features["guardians"] == {"south.come": 1}


def test_a_guardian_defeated() -> None:
    t = table()
    t.s.guardian_at[2] = -2
    assert seen(t)["guardians"] == {"south.come": 1, "south.defeated": 1}


def test_bag() -> None:
    """Over ten, at most one."""
    assert seen(table())["bag"] == near(d6=0.3, enemy_1=1, plus_two=1, gnome=0.1)


def test_wells() -> None:
    """Bolt and Revive have been taken; nothing else is discovered."""
    assert seen(table())["spells"] == {}
    t = table().owns(1, d4=1).owns(3)
    assert seen(t)["spells"] == near(**{"bolt.lies": 1, "bolt.nearness": 1, "revive.lies": 1, "revive.nearness": 1 / 4})
    assert seen(t, 0)["spells"] == near(**{"bolt.lies": 1, "bolt.nearness": 1 / 2, "revive.lies": 1, "revive.nearness": 1 / 3})
    t = table().lay("e3", bolt=1)
    assert seen(t, 0)["spells"] == near(**{"bolt.lies": 1, "bolt.nearness": 1 / 3})


def test_this_room() -> None:
    features = seen(table())
    assert features["foes_here"] == near(enemy_1=2 / 3, enemy_2=1 / 3)
    assert features["goods_here"] == near(d8=1 / 3, gold=2 / 5, potion=1 / 3)
    features = seen(table(), 0)
    assert features["foes_here"] == {}
    assert features["goods_here"] == near(potion=2 / 3)


def test_the_guardian_and_a_spell_in_this_room() -> None:
    assert seen(table().stand(1, "s12"))["foes_here"] == near(enemy_3=1 / 3, guardian=1)
    assert seen(table().owns(3).stand(1, "s2"))["goods_here"] == {"revive": 1}


def test_more_than_can_be_told() -> None:
    t = table().lay("n1", gold=30, potion=4).enemies("n1", goblin=12)
    features = seen(t)
    assert features["goods_here"] == {"gold": 1, "potion": 1}
    assert features["foes_here"]["enemy_1"] == features["foe_gold"]["north_1"] == 1
    assert features["gold_there"]["north_1"] == features["potions_there"]["north_1"] == 1


@pytest.mark.parametrize(("own", "others", "expected"), [(3, (5, 2), -0.2), (5, (5, 0), 0), (20, (3, 3), 1), (0, (1, 30), -1)])
def test_the_lead(own: int, others: tuple[int, int], expected: float) -> None:
    """The gold one holds less the most that another holds, over ten."""
    t = Table(3, turn=1).owns(1, gold=own).owns(2, gold=others[0]).owns(0, gold=others[1])
    assert t.game.observe(t.position)[SPEC.slices["lead"]] == pytest.approx(expected)


def chairs(features: dict[str, dict[str, float]], chair: int) -> dict[str, float]:
    start = f"chair_{chair}."
    return {label.removeprefix(start): value for label, value in features["adventurers"].items() if label.startswith(start)}


def test_adventurers_from_the_chair_of_the_mover() -> None:
    """n1 is a move from the centre of the camp; to its east, by e3 as well as by the centre, it is two."""
    features = seen(table())
    assert chairs(features, 0) == near(present=1, d4=0.25, d12=0.25, potion=0.25, gold=0.24, bolt=1, nearness=1, from_there=1)
    assert chairs(features, 1) == near(present=1, in_camp=1, nearness=1 / 2, from_there=1 / 2)
    assert chairs(features, 2) == near(present=1, d20=0.5, gold=0.06, revive=1, in_camp=1, nearness=1 / 3, from_there=1 / 3)
    assert chairs(features, 3) == near(present=1, d6=0.25, gold=0.02, in_camp=1, nearness=1 / 2, from_there=1 / 2)
    assert chairs(features, 4) == chairs(features, 5) == {}


def test_adventurers_from_another_chair() -> None:
    features = seen(table(), 3)
    assert chairs(features, 0) == near(present=1, d20=0.5, gold=0.06, revive=1, in_camp=1, nearness=1, from_there=1)
    assert chairs(features, 2) == near(present=1, d4=0.25, d12=0.25, potion=0.25, gold=0.24, bolt=1, nearness=1 / 3, from_there=1 / 3)


def test_there_and_back_may_differ() -> None:
    """From n5 the card e5 beside it cannot be entered; from e5 one comes to n5."""
    deck = load(deck_file(ways={"n5": "NSW"}))
    t = Table(2, deck=deck).place(n1=(0, 1), n5=(0, 2), e3=(1, 1), e5=(1, 2)).stand(0, "n5").stand(1, "e5")
    assert chairs(seen(t), 1) == near(present=1, d6=0.25, gold=0.02, nearness=1 / 4, from_there=1 / 2)


def test_how_near_each_space_is() -> None:
    features = seen(table())
    assert features["nearness"] == places(n1=1, n5=1 / 2, e3=1 / 2, centre=1 / 2, west=1 / 3, east=1 / 3, s12=1 / 3, s2=1 / 4)


def test_paths_to_what_is_wanted() -> None:
    """Seat 1 in n1, among enemies, with a D12: no space without enemies has gold but e3; the way out is in the camp; s12 rolls a D20."""
    t = table()
    t.lay("s2", d20=1)
    paths = seen(t)["paths"]
    here = {"open_way": 1 / 2, "way_out": 1 / 3, "gold": 1 / 2, "foe": 1, "even_foe": 1, "larger_weapon": 1 / 4}
    north = {"open_way": 1 / 3, "way_out": 1 / 4, "gold": 1 / 3, "foe": 1, "even_foe": 1, "larger_weapon": 1 / 5}
    east = {"open_way": 1, "way_out": 1 / 2, "gold": 1, "foe": 1 / 2, "even_foe": 1 / 2, "larger_weapon": 1 / 5}
    south = {"open_way": 1 / 2, "way_out": 1 / 2, "gold": 1 / 3, "foe": 1 / 2, "even_foe": 1 / 2, "larger_weapon": 1 / 3}
    expected = {
        f"{start}.{target}": value
        for start, row in (("here", here), ("north", north), ("east", east), ("south", south))
        for target, value in row.items()
    }
    assert paths == near(**expected)


def test_paths_of_another_seat() -> None:
    """Seat 0 in the centre of the camp, with a D6: the goblin in n5 is its equal, the ogre's D8 in n1 is not; a D8 lies in n1."""
    paths = seen(table(), 0)["paths"]
    here = {label.removeprefix("here."): value for label, value in paths.items() if label.startswith("here.")}
    assert here == near(open_way=1 / 2, way_out=1 / 2, gold=1 / 3, foe=1 / 2, even_foe=1 / 3, larger_weapon=1 / 2)


def test_paths_to_magic_and_without_a_weapon() -> None:
    t = Table(2).place(n1=(0, 1)).owns(0).lay("centre", bolt=1).lay("east", d4=1).enemies("west", goblin=1)
    paths = seen(t, 0)["paths"]
    assert paths["here.magic"] == 1
    assert paths["here.larger_weapon"] == 1 / 2
    assert "here.even_foe" not in paths


def test_foes_of_each_space() -> None:
    """The strongest die over twenty, and all the gold over ten: s12 holds a D20 of five and a guardian (D20, D12, D8) of five."""
    features = seen(table())
    assert features["foe_die"] == places(n1=8 / 20, n5=4 / 20, s12=1)
    assert features["foe_gold"] == places(n1=0.4, n5=0.1, s12=1.0)


def test_the_guardians_strongest_die() -> None:
    t = Table(2).place(n12=(0, 1), w12=(-2, 0)).enemies("n12", guardian="north").enemies("w12", guardian="west", goblin=1)
    features = seen(t)
    assert features["foe_die"] == places(n12=8 / 20, w12=4 / 20)
    assert features["foe_gold"] == places(n12=0.3, w12=0.2)


def test_what_lies_on_each_space() -> None:
    features = seen(table())
    assert features["gold_there"] == places(n1=2 / 5, e3=1)
    assert features["weapon_there"] == places(n1=8 / 20, e3=12 / 20)
    assert features["potions_there"] == places(n1=1 / 3, centre=2 / 3)
    assert features["magic_there"] == {}
    assert seen(table().owns(1).owns(3).lay("n1", bolt=1, revive=1))["magic_there"] == places(n1=1)


def test_ways_into_the_unknown() -> None:
    """South leads out, for that deck is empty: from the west and the east of the camp, from s2, and nowhere else."""
    features = seen(table())
    assert features["open_ways"] == places(west=1, east=2 / 3, n1=1 / 3, n5=1, e3=2 / 3, s12=2 / 3, s2=1)
    assert features["ways_out"] == places(west=1 / 3, east=1 / 3, s2=1 / 3)


def test_spaces_that_are_not_on_the_table_are_all_zero() -> None:
    features = seen(table())
    names = [feature.name for feature in SPEC.features if feature.size == len(SPACES) and feature.labels == SPACE_NAMES]
    assert len(names) == 9
    known = {SPACE_NAMES[SPACES.index(name)] for name in ON_MAP}
    for name in names:
        assert set(features[name]) <= known


def test_while_tiles_are_drawn_the_new_room_is_this_room() -> None:
    t = table(0).stand(0, "west").do("done", "explore_west").draw("w5").bag(plus_two=1, ogre=1, d8=1, gnome=1)
    t.draw("plus_two", "ogre", "gnome")
    features = seen(t)
    assert features["phase"] == {"richest": 1}
    assert features["explored"] == {"0": 1}
    assert features["to_draw"] == {}
    assert features["foes_here"] == near(enemy_2=1 / 3)
    t.do("chair_1")
    features = seen(t)
    assert features["phase"] == {"poorest": 1}
    assert features["giver"] == {"chair_1": 1}
    assert seen(t, 3)["giver"] == {"chair_2": 1}


def test_tiles_still_to_be_drawn() -> None:
    t = table(0).owns(0, d4=3).stand(0, "west").do("done", "explore_west").draw("w5").bag(plus_two=1, d8=2).draw("plus_two", "d8")
    assert seen(t)["to_draw"] == near(**{"0": 1 / 3})
    assert seen(t)["phase"] == {"drop_beyond_limit": 1}


def test_what_the_magnet_is_to_draw() -> None:
    t = Table(2).place(s1=(0, -1)).owns(0, magnet=1).lay("east", d8=1, gold=2).do("done", "cast_magnet")
    assert seen(t)["magnet"] == {}
    t.do("take_gold")
    assert seen(t)["magnet"] == {"gold": 1}
    assert seen(t)["phase"] == {"magnet_space": 1}


def test_a_fight() -> None:
    t = table().do("done", "done", "attack_2")
    assert seen(t)["fight"] == near(foe_die=8 / 20)
    t.do("fight_with_d12").roll(9, 7)
    assert seen(t)["phase"] == {"after_the_roll": 1}
    assert seen(t)["fight"] == near(own_die=12 / 20, foe_die=8 / 20, own_roll=9 / 20, foe_roll=7 / 20)


def test_a_fight_against_the_guardian() -> None:
    """Its second die is a D12."""
    t = table().stand(1, "s12").do("done", "done", "attack_guardian", "fight_with_d12").roll(9, 7).do("done")
    assert seen(t)["fight"] == near(foe_die=12 / 20, wins=1 / 3, own_die=12 / 20, own_roll=9 / 20, foe_roll=7 / 20)
    t.do("fight_with_d4").roll(3, 11)
    assert seen(t)["fight"] == near(own_die=4 / 20, foe_die=12 / 20, own_roll=3 / 20, foe_roll=11 / 20, wins=1 / 3)


def test_magic_in_a_fight_is_a_d20() -> None:
    t = table().do("done", "done", "attack_2", "cast_bolt").roll(9, 7)
    assert seen(t)["fight"]["own_die"] == 1


def test_a_fight_for_a_tie() -> None:
    t = Table(4, turn=2).decks(north=0).owns(0, gold=2, d8=1).owns(2, gold=2, d6=1).owns(3, gold=2, d12=1, potion=1)
    t.do("done", "explore_north", "fight_with_d6")
    features = seen(t)  # seat 3 chooses
    assert features["turn"] == {"chair_3": 1}
    assert features["tied"] == {"chair_0": 1, "chair_1": 1, "chair_3": 1}
    assert features["tie_dice"] == near(chair_3=6 / 20)
    assert features["tie_rolls"] == {}
    t.do("fight_with_d12", "fight_with_d8").roll(5, 10, 3)
    features = seen(t)
    assert features["phase"] == {"tie_rolled": 1}
    assert features["tie_dice"] == near(chair_0=12 / 20, chair_1=8 / 20, chair_3=6 / 20)
    assert features["tie_rolls"] == near(chair_0=10 / 20, chair_1=3 / 20, chair_3=5 / 20)


def test_when_the_game_is_over_no_phase_is_told() -> None:
    t = Table(2).decks(north=0).owns(0, gold=3).do("done", "explore_north")
    assert seen(t)["phase"] == {}


@pytest.mark.parametrize("players", range(2, 7))
def test_the_same_features_for_any_number_of_players(players: int) -> None:
    """Empty chairs are all zero."""
    t = Table(players)
    obs = t.game.observe(t.position)
    assert obs.shape == (SPEC.observation_size,)
    features = seen(t)
    for chair in range(6):
        expected = near(present=1, d6=0.25, gold=0.02, in_camp=1, nearness=1, from_there=1) if chair < players else {}
        assert chairs(features, chair) == expected


def rotated(t: Table, by: int) -> Table:
    """The same table with every adventurer so many seats further to the left."""
    n = t.players
    other = Table(n, deck=t.deck)
    other.position[:] = t.position
    s, old = other.s, t.s
    for seat in range(n):
        for field in ("at", "carried", "tied", "duel_item", "duel_roll", "payoff"):
            s[field][(seat + by) % n] = old[field][seat]
    for field in ("turn", "mover", "giver"):
        if old[field] >= 0:
            s[field] = (int(old[field]) + by) % n
    for spell, at in enumerate(old.spell_at):
        if at >= len(SPACES):
            s.spell_at[spell] = len(SPACES) + (int(at) - len(SPACES) + by) % n
    return other


@pytest.mark.parametrize("by", range(1, 4))
@pytest.mark.parametrize("seat", range(4))
def test_what_a_seat_sees_does_not_depend_on_its_number(by: int, seat: int) -> None:
    positions = [table(), table().do("done", "done", "attack_2", "fight_with_d12").roll(9, 7)]
    positions.append(table(0).stand(0, "west").do("done", "explore_west").draw("w5").bag(gnome=1).draw("gnome").do("chair_1"))
    tie = Table(4, turn=2).decks(north=0).owns(0, gold=2, d8=1).owns(2, gold=2, d6=1).owns(3, gold=2, d12=1, potion=1)
    positions.append(tie.do("done", "explore_north", "fight_with_d6", "fight_with_d12", "fight_with_d8").roll(5, 10, 3))
    for t in positions:
        other = rotated(t, by)
        own = t.game.observe(t.position, seat)
        assert np.array_equal(own, other.game.observe(other.position, (seat + by) % 4))
        assert t.legal == other.legal


def test_watching_does_not_change_the_position() -> None:
    t = table()
    t.mark()
    t.game.observe(t.position)
    t.game.observe(t.position, 2)
    assert t.changes == {}
