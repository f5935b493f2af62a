"""The Guardian: three rolls in one turn."""

import pytest

from tests.lost_woods.scenario import SPACES, Table, deck_file, load

DIES = {"north": (4, 6, 8), "east": (6, 6, 6), "south": (20, 12, 8), "west": (4, 4, 4)}
GOLD = {"north": 3, "east": 2, "south": 5, "west": 1}


def faces(n: int) -> dict[int, int]:
    return dict.fromkeys(range(1, n + 1), 1)


def before_the_guardian(direction: str = "north", players: int = 4) -> Table:
    """Seat 0 in the room of a guardian, well armed."""
    card = f"{direction[0]}12"
    t = Table(players).place(**{card: (0, 1)}).enemies(card, guardian=direction).stand(0, card)
    return t.owns(0, d6=1, d12=1, gold=4)


def attack(t: Table) -> Table:
    return t.do("done", "done", "attack_guardian").mark()


@pytest.mark.parametrize("direction", ["north", "east", "south", "west"])
def test_the_bottom_card_summons_the_guardian_of_its_direction(direction: str) -> None:
    start = {"north": "centre", "south": "centre", "east": "east", "west": "west"}[direction]
    t = Table().decks(**{direction: 1})
    for n in range(1, 12):
        t.s.placed[SPACES.index(f"{direction[0]}{n}")] = 1  # somewhere far off
        t.s.x[SPACES.index(f"{direction[0]}{n}")], t.s.y[SPACES.index(f"{direction[0]}{n}")] = 100, 3 * n
    t.stand(0, start).do("done", f"explore_{direction}").draw(f"{direction[0]}12")
    card = SPACES.index(f"{direction[0]}12")
    assert [int(at) for at in t.s.guardian_at] == [card if d == direction else -1 for d in ("north", "east", "south", "west")]
    assert t.s.foes[card] == 1
    assert t.s.left[("north", "east", "south", "west").index(direction)] == 0
    t.draw("potion")
    assert (t.phase, t.legal) == ("attack", {"done", "attack_guardian"})


def test_a_common_card_summons_nobody() -> None:
    t = Table().do("done", "explore_north").draw("n11")
    assert t.s.guardian_at.tolist() == [-1] * 4
    assert not t.s.foes.any()


@pytest.mark.parametrize("direction", ["north", "east", "south", "west"])
def test_the_guardian_rolls_three_dice(direction: str) -> None:
    t = attack(before_the_guardian(direction))
    for roll, die in enumerate(DIES[direction]):
        assert (t.phase, t.legal, t.s.wins) == ("choose_weapon", {"fight_with_d6", "fight_with_d12"}, roll)
        t.do("fight_with_d12")
        assert t.chances == faces(12)
        t.roll(4)
        assert t.chances == faces(die)
        t.roll(3)
    assert t.s.foes.sum() == 0
    assert t.gold[0] == 4 + GOLD[direction]
    assert t.s.turn == 1


def test_once_defeated_it_is_placed_in_the_discard_pile() -> None:
    """And the game goes on: you still have to get out."""
    t = attack(before_the_guardian())
    t.mark()
    for _ in range(3):
        t.do("fight_with_d6").roll(6, 1)
    assert t.changes == {
        "guardian_at.north": "defeated", "foes.n12": 0, "supply": 50 - 7 - 3, "carried.0.gold": 7, "turn": 1, "mover": 1, "turns": 2,
        "phase": "move", "foe": None,
    }  # fmt: skip


def test_you_must_win_all_three_rolls() -> None:
    t = attack(before_the_guardian()).do("fight_with_d6").roll(6, 1).do("fight_with_d6").roll(6, 1)
    assert t.s.foes.sum() == 1
    assert t.gold[0] == 4
    assert t.phase == "choose_weapon"


def test_you_can_change_weapons_for_each_roll() -> None:
    t = attack(before_the_guardian()).do("fight_with_d6").roll(6, 1).do("fight_with_d12").roll(9, 1).do("fight_with_d6").roll(2, 1)
    assert t.s.foes.sum() == 0


@pytest.mark.parametrize("wins", range(3))
@pytest.mark.parametrize("item", ["gold", "d12"])
def test_if_you_lose_any_one_of_the_rolls(wins: int, item: str) -> None:
    """Drop the weapon you were using or one gold, and go back to camp."""
    t = attack(before_the_guardian())
    for _ in range(wins):
        t.do("fight_with_d6").roll(6, 1)
    t.do("fight_with_d12").roll(1, 2)
    assert (t.phase, t.legal) == ("battle_lost", {"drop_gold", "drop_d12"})
    t.do(f"drop_{item}")
    assert t.where[0] == "centre"
    assert t.lies("n12") == {item: 1}
    assert t.s.foes[SPACES.index("n12")] == 1
    assert (t.s.turn, t.s.wins) == (1, 0)


@pytest.mark.parametrize("wins", range(3))
def test_a_draw_ends_the_attack(wins: int) -> None:
    """A reading: nothing is dropped, and the next attack begins with the first roll again."""
    t = attack(before_the_guardian(players=2))
    for _ in range(wins):
        t.do("fight_with_d6").roll(6, 1)
    t.do("fight_with_d12").roll(2, 2)
    assert (t.s.turn, t.s.wins, t.where[0]) == (1, 0, "n12")
    assert t.carries(0) == {"d6": 1, "d12": 1, "gold": 4}
    t.do("done", "done", "done", "done", "attack_guardian", "fight_with_d6").roll(1)
    assert t.chances == faces(4)


def test_one_cannot_break_off_between_the_rolls() -> None:
    t = attack(before_the_guardian()).do("fight_with_d6").roll(6, 1)
    assert "done" not in t.legal


def test_magic_can_only_be_used_for_one_die_roll() -> None:
    t = before_the_guardian().place(n1=(0, 2), n2=(0, 3)).owns(0, d6=1, gold=1, bolt=1, fire=1)
    attack(t).do("cast_bolt").roll(20, 4)
    assert t.legal == {"fight_with_d6", "cast_fire"}
    t.do("cast_fire").roll(20, 4)
    assert t.legal == {"fight_with_d6"}
    assert t.lies("n1") == {"bolt": 1}
    assert t.lies("n2") == {"fire": 1}
    t.do("fight_with_d6").roll(6, 1)
    assert t.s.foes.sum() == 0


def test_magic_from_the_well_in_the_guardians_room_serves_one_roll() -> None:
    deck = load(deck_file(wells={"bolt": "n12"}))
    t = Table(deck=deck).place(n12=(0, 1)).enemies("n12", guardian="north").stand(0, "n12").owns(0, d6=1, bolt=1)
    attack(t).do("cast_bolt").roll(20, 1)
    assert t.legal == {"fight_with_d6"}


def test_with_nothing_left_to_fight_with_the_attack_is_over() -> None:
    """A reading."""
    t = before_the_guardian().place(n1=(0, 2)).owns(0, gold=1, bolt=1)
    attack(t).do("cast_bolt").roll(20, 1)
    assert (t.phase, t.s.turn, t.where[0]) == ("move", 1, "n12")
    assert t.s.foes.sum() == 1
    assert t.carries(0) == {"gold": 1}


def test_lost_with_magic_against_the_guardian() -> None:
    t = before_the_guardian().place(n1=(0, 2)).owns(0, d6=1, gold=1, bolt=1)
    attack(t).do("fight_with_d6").roll(6, 1).do("cast_bolt").roll(1, 2)
    assert t.legal == {"drop_gold"}


@pytest.mark.parametrize("wins", range(3))
def test_after_revive_all_three_rolls_are_made_afresh(wins: int) -> None:
    """A reading: attacking again is an attack of its own, and an attack on a guardian takes three rolls."""
    t = before_the_guardian().place(s2=(0, -1)).owns(0, d6=1, gold=1, revive=1)
    attack(t)
    for _ in range(wins):
        t.do("fight_with_d6").roll(6, 1)
    t.do("fight_with_d6").roll(1, 2)
    assert t.may("cast_revive")
    t.do("cast_revive", "again")
    for die in (4, 6, 8):  # of the north's guardian
        assert t.s.foes.sum() == 1
        t.do("fight_with_d6").roll(6)
        assert t.chances == faces(die)
        t.roll(1)
    assert t.s.foes.sum() == 0


def test_a_spell_used_before_revive_is_in_its_well() -> None:
    t = before_the_guardian().place(n1=(0, 2), s2=(0, -1)).owns(0, d6=1, gold=1, bolt=1, revive=1)
    attack(t).do("cast_bolt").roll(20, 1).do("fight_with_d6").roll(1, 2).do("cast_revive", "again")
    assert t.legal == {"fight_with_d6"}
    assert t.lies("n1") == {"bolt": 1}


def test_revive_and_end_the_turn_before_the_guardian() -> None:
    t = before_the_guardian(players=2).place(s2=(0, -1)).owns(0, d6=1, gold=1, revive=1)
    attack(t).do("fight_with_d6").roll(6, 1).do("fight_with_d6").roll(1, 2).do("cast_revive", "done")
    assert (t.where[0], t.s.turn) == ("n12", 1)
    t.do("done", "done", "done", "done", "attack_guardian", "fight_with_d6").roll(1)
    assert t.chances == faces(4)


def test_potions_in_each_of_the_rolls() -> None:
    t = before_the_guardian().owns(0, d6=1, potion=2, gold=1)
    attack(t).do("fight_with_d6").roll(1, 4).do("reroll_chair_0").roll(5)
    assert t.phase == "after_the_roll"
    t.do("done")
    assert (t.phase, t.s.wins) == ("choose_weapon", 1)
    t.do("fight_with_d6").roll(1, 4).do("reroll_foe")
    assert t.chances == faces(6)
    t.roll(1)
    assert (t.phase, t.s.turn) == ("move", 1)


def test_other_enemies_in_the_guardians_room_are_attacked_one_by_one() -> None:
    t = before_the_guardian().enemies("n12", guardian="north", goblin=1)
    attack(t)
    for _ in range(3):
        t.do("fight_with_d6").roll(6, 1)
    assert t.s.foes[SPACES.index("n12")] == 1
    assert t.s.enemies[SPACES.index("n12"), 0] == 1


def test_a_common_enemy_in_the_guardians_room_takes_one_roll() -> None:
    t = before_the_guardian().enemies("n12", guardian="north", goblin=1).do("done", "done")
    assert t.legal == {"done", "attack_1", "attack_guardian"}
    t.do("attack_1", "fight_with_d6").roll(6, 1)
    assert t.s.turn == 1
    assert t.s.guardian_at[0] == SPACES.index("n12")
    assert t.s.foes[SPACES.index("n12")] == 1


def test_the_guardian_of_another_direction_stays() -> None:
    t = before_the_guardian().place(e12=(2, 0)).enemies("e12", guardian="east")
    attack(t)
    for _ in range(3):
        t.do("fight_with_d6").roll(6, 1)
    assert t.s.guardian_at.tolist() == [-2, SPACES.index("e12"), -1, -1]


def test_after_the_guardian_one_may_explore() -> None:
    t = before_the_guardian(players=2)
    attack(t)
    for _ in range(3):
        t.do("fight_with_d6").roll(6, 1)
    t.do("done", "done", "done")
    assert {"explore_north", "explore_east", "explore_west"} < t.legal
