"""Attack: one enemy, one weapon or spell, a roll each; potions; the battle lost."""

import pytest

from tests.lost_woods.scenario import Table, deck_file, load


def faces(n: int) -> dict[int, int]:
    return dict.fromkeys(range(1, n + 1), 1)


def beside_enemies(players: int = 4, deck: object = None, **kinds: int) -> Table:
    """Seat 0 on n3, with these enemies, in its Move step."""
    return Table(players, deck=deck).place(n3=(0, 1)).stand(0, "n3").enemies("n3", **kinds)  # type: ignore[arg-type]


def attack(t: Table, foe: str = "attack_1", weapon: str = "fight_with_d6") -> Table:
    return t.mark().do("done", "done", foe, weapon)


def test_in_the_same_room_as_an_enemy_you_may_choose_to_attack() -> None:
    t = beside_enemies(goblin=2, dragon=1).do("done", "done")
    assert (t.phase, t.legal) == ("attack", {"done", "attack_1", "attack_3"})
    t.do("done")
    assert (t.phase, t.s.turn) == ("move", 1)
    assert t.changes == {"mover": 1, "turn": 1, "turns": 2}


def test_an_enemy_in_another_room_cannot_be_attacked() -> None:
    t = beside_enemies(goblin=1).stand(0, "centre").do("done", "done")
    assert (t.phase, t.s.turn) == ("move", 1)


def test_you_cant_attack_other_adventurers() -> None:
    t = Table(6).do("done", "done")
    assert (t.phase, t.s.turn) == ("move", 1)


def test_if_you_dont_have_a_weapon_you_cant_fight() -> None:
    t = beside_enemies(goblin=1).owns(0, potion=3, gold=5).do("done", "done")
    assert (t.phase, t.s.turn) == ("move", 1)


@pytest.mark.parametrize("spell", ["magnet", "revive", "teleport", "eighth"])
def test_magic_for_other_times_is_no_weapon(spell: str) -> None:
    t = beside_enemies(goblin=1).place(s1=(0, -1), s2=(0, -2), w1=(-2, 0), w2=(-3, 0)).owns(0, **{spell: 1}).do("done", "done")
    assert (t.phase, t.s.turn) == ("move", 1)


def test_select_one_weapon_or_magic_spell() -> None:
    t = beside_enemies(goblin=1).place(n1=(0, 2), s1=(0, -1)).owns(0, d4=1, d12=2, bolt=1, magnet=1).do("done", "done", "attack_1")
    assert (t.phase, t.legal) == ("choose_weapon", {"fight_with_d4", "fight_with_d12", "cast_bolt"})


@pytest.mark.parametrize("die", [4, 6, 8, 12, 20])
def test_each_weapon_corresponds_to_a_die(die: int) -> None:
    t = attack(beside_enemies(goblin=1).owns(0, **{f"d{die}": 1}), weapon=f"fight_with_d{die}")
    assert t.phase == "own_die"
    assert t.chances == faces(die)


@pytest.mark.parametrize(("kind", "action", "die"), [("goblin", 1, 4), ("ogre", 2, 8), ("dragon", 3, 20)])
def test_each_enemy_corresponds_to_a_die(kind: str, action: int, die: int) -> None:
    t = attack(beside_enemies(**{kind: 1}), f"attack_{action}").roll(3)
    assert t.phase == "foe_die"
    assert t.chances == faces(die)


@pytest.mark.parametrize(("kind", "action", "gold"), [("goblin", 1, 1), ("ogre", 2, 2), ("dragon", 3, 5)])
def test_if_you_roll_higher_you_defeat_the_enemy(kind: str, action: int, gold: int) -> None:
    """The token goes to the discard pile, not back into the bag, and you take its gold; nothing else changes."""
    t = attack(beside_enemies(**{kind: 1}), f"attack_{action}").roll(4, 3)
    assert t.changes == {
        f"enemies.n3.{kind}": 0,
        "foes.n3": 0,
        "supply": 46 - gold,
        "carried.0.gold": 1 + gold,
        "mover": 1,
        "turn": 1,
        "turns": 2,
    }


def test_only_the_enemy_attacked_is_defeated() -> None:
    t = attack(beside_enemies(goblin=2, ogre=1)).roll(2, 1)
    assert {key: value for key, value in t.changes.items() if "n3" in key} == {"enemies.n3.goblin": 1, "foes.n3": 2}


def test_when_the_supply_runs_out_you_take_what_is_left() -> None:
    t = attack(beside_enemies(dragon=1).supply(3), "attack_3").roll(4, 3)
    assert (t.gold[0], t.s.supply) == (4, 0)


@pytest.mark.parametrize("face", [1, 4, 6])
def test_if_you_roll_the_same_number_nothing_happens(face: int) -> None:
    t = attack(beside_enemies(ogre=1), "attack_2").roll(face, face)
    assert t.changes == {"mover": 1, "turn": 1, "turns": 2}


def test_if_you_roll_lower_drop_either_one_gold_or_the_weapon() -> None:
    t = attack(beside_enemies(ogre=1).owns(0, d6=1, d12=1, gold=3), "attack_2").roll(1, 2)
    assert t.phase == "battle_lost"
    assert t.legal == {"drop_gold", "drop_d6"}


@pytest.mark.parametrize("item", ["gold", "d6"])
def test_what_is_dropped_lies_in_the_room_and_you_move_back_to_camp(item: str) -> None:
    t = attack(beside_enemies(ogre=1).owns(0, d6=2, d12=1, gold=3), "attack_2").roll(1, 2).do(f"drop_{item}")
    assert t.changes == {
        f"carried.0.{item}": {"gold": 2, "d6": 1}[item],
        f"lying.{item}.n3": 1,
        "at.0": "centre",
        "mover": 1,
        "turn": 1,
        "turns": 2,
    }


def test_without_gold_the_weapon_is_dropped() -> None:
    t = attack(beside_enemies(goblin=1).owns(0, d6=1, potion=0)).roll(1, 4)
    assert t.legal == {"drop_d6"}


def test_if_you_were_using_magic_you_must_drop_one_gold() -> None:
    t = beside_enemies(goblin=1).place(n1=(0, 2)).owns(0, d6=1, gold=2, bolt=1)
    attack(t, weapon="cast_bolt").roll(1, 2)
    assert t.legal == {"drop_gold"}
    t.do("drop_gold")
    assert t.carries(0) == {"d6": 1, "gold": 1}
    assert t.lies("n3") == {"gold": 1}
    assert t.lies("n1") == {"bolt": 1}
    assert t.where[0] == "centre"


def test_with_magic_and_no_gold_nothing_is_dropped() -> None:
    t = beside_enemies(goblin=1).place(n1=(0, 2)).owns(0, d6=1, bolt=1)
    attack(t, weapon="cast_bolt").roll(1, 2)
    assert t.legal == {"done"}
    t.do("done")
    assert t.carries(0) == {"d6": 1}
    assert t.lies("n3") == {}
    assert t.where[0] == "centre"


def test_the_enemy_stays_when_the_battle_is_lost() -> None:
    t = attack(beside_enemies(goblin=1, ogre=1), "attack_2").roll(1, 2).do("drop_gold")
    assert not [key for key in t.changes if key.startswith(("enemies", "foes"))]


def test_a_battle_lost_in_the_camp() -> None:
    t = Table().stand(0, "east").enemies("east", goblin=1)
    attack(t).roll(1, 2).do("drop_d6")
    assert t.where[0] == "centre"
    assert t.lies("east") == {"d6": 1}


def test_you_may_only_fight_one_enemy_per_turn() -> None:
    t = attack(beside_enemies(goblin=3)).roll(2, 1)
    assert t.s.turn == 1


def test_weapons_found_in_the_same_turn_can_be_used() -> None:
    t = Table().owns(0, gold=1).do("done", "explore_north").draw("n5").draw("plus_two", "ogre", "d12")
    assert t.phase == "attack"
    t.do("attack_2")
    assert t.legal == {"fight_with_d12"}


def test_weapons_picked_up_in_the_same_turn_can_be_used() -> None:
    t = beside_enemies(goblin=1).owns(0).lay("n3", d8=1).do("take_d8", "done", "done", "attack_1")
    assert t.legal == {"fight_with_d8"}


def test_a_weapon_stays_when_it_has_won() -> None:
    t = attack(beside_enemies(goblin=1).owns(0, d6=1)).roll(2, 1)
    assert t.carries(0) == {"d6": 1, "gold": 1}


def test_a_new_fight_begins_with_nothing_rolled() -> None:
    t = attack(beside_enemies(2, goblin=2)).roll(2, 2)
    t.do("done", "done", "done", "done", "attack_1", "fight_with_d6")
    assert (t.phase, t.s.own_roll, t.s.foe_roll) == ("own_die", 0, 0)


# Potions


def with_potions(count: int = 1, **kinds: int) -> Table:
    return beside_enemies(**(kinds or {"ogre": 1})).owns(0, d6=1, potion=count, gold=2)


def test_you_may_re_roll_any_die() -> None:
    t = attack(with_potions(), "attack_2").roll(3, 5)
    assert (t.phase, t.legal) == ("after_the_roll", {"done", "reroll_foe", "reroll_chair_0"})


def test_without_a_potion_nothing_is_asked() -> None:
    t = attack(with_potions(0), "attack_2").roll(3, 5)
    assert t.phase == "battle_lost"


def test_re_rolling_ones_own_die() -> None:
    t = attack(with_potions(), "attack_2").roll(3, 5).mark().do("reroll_chair_0")
    assert t.changes == {"node": 1, "phase": "own_die", "carried.0.potion": 0}
    assert t.chances == faces(6)
    t.roll(6)
    assert t.s.foes.sum() == 0
    assert t.gold[0] == 4


def test_re_rolling_the_enemys_die() -> None:
    t = attack(with_potions(), "attack_2").roll(3, 5).mark().do("reroll_foe")
    assert t.changes == {"node": 1, "phase": "foe_die", "carried.0.potion": 0}
    assert t.chances == faces(8)
    t.roll(2)
    assert t.s.foes.sum() == 0
    assert t.gold[0] == 4


def test_a_die_re_rolled_counts_as_it_lies() -> None:
    """Even if it has come out worse."""
    t = attack(with_potions(), "attack_2").roll(5, 5).do("reroll_chair_0").roll(1)
    assert t.phase == "battle_lost"
    t = attack(with_potions(), "attack_2").roll(5, 4).do("reroll_foe").roll(5)
    assert (t.phase, t.s.turn, t.s.foes.sum()) == ("move", 1, 1)


def test_letting_the_dice_stand_keeps_the_potion() -> None:
    t = attack(with_potions(), "attack_2").roll(6, 5).do("done")
    assert t.carries(0) == {"d6": 1, "potion": 1, "gold": 4}


def test_one_potion_after_the_other() -> None:
    t = attack(with_potions(2), "attack_2").roll(1, 8).do("reroll_chair_0").roll(2)
    assert t.phase == "after_the_roll"
    assert t.carries(0) == {"d6": 1, "potion": 1, "gold": 2}
    t.do("reroll_foe").roll(1)
    assert t.carries(0) == {"d6": 1, "gold": 4}


def test_the_potions_of_others_are_not_used() -> None:
    t = beside_enemies(ogre=1).owns(1, potion=3, d6=1)
    attack(t, "attack_2").roll(3, 5)
    assert (t.phase, t.s.mover) == ("battle_lost", 0)


def test_a_potion_is_discarded_and_does_not_lie_anywhere() -> None:
    t = attack(with_potions(), "attack_2").roll(3, 5).do("reroll_foe")
    assert not t.s.lying.any()
    assert t.s.bag.sum() == 60


def test_an_eighth_spell_that_strikes() -> None:
    deck = load(deck_file(eighth={"name": "Spark", "effect": {"type": "strike", "die": 12}}))
    t = beside_enemies(deck=deck, goblin=1).place(w2=(-2, 0)).owns(0, eighth=1)
    assert not t.may("cast_eighth")
    t.do("done", "done", "attack_1")
    assert t.legal == {"cast_eighth"}
    t.do("cast_eighth")
    assert t.chances == faces(12)
    assert t.lies("w2") == {"eighth": 1}
    t.roll(1, 2)
    assert t.legal == {"done"}
