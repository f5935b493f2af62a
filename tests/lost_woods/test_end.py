"""End of the Game: escape, the fully explored woods, and the fight of those who tie."""

import pytest

from tests.lost_woods.scenario import SPACES, Table, deck_file, load

ESCAPED, FULLY_EXPLORED = 1, 2
WIN, LOSS = 1.0, {n: -1 / (n - 1) for n in range(2, 7)}


def leaving(players: int = 4, turn: int = 0, **options: object) -> Table:
    """The deck of the north is empty, and all stand in the centre of the camp."""
    return Table(players, turn=turn, **options).decks(north=0)  # type: ignore[arg-type]


def won_by(t: Table) -> int:
    """The seat that has won; the game must be over."""
    assert t.phase == "end"
    winner = t.payoffs.index(WIN)
    assert t.payoffs == [WIN if seat == winner else LOSS[t.players] for seat in range(t.players)]
    assert not t.s.payoff[t.players :].any()
    return winner


# Escape


def test_the_game_immediately_ends_when_someone_tries_to_explore_and_there_are_no_more_cards() -> None:
    t = leaving().owns(2, gold=5).do("done")
    assert t.legal == {"done", "explore_north", "explore_south"}
    t.mark().do("explore_north")
    assert t.s.ended == ESCAPED
    assert won_by(t) == 2
    assert t.legal == set()
    assert not [key for key in t.changes if key.startswith(("placed", "bag", "at", "carried", "left"))]


def test_the_winner_is_the_player_with_the_most_gold_and_not_the_one_who_escapes() -> None:
    t = leaving(3).owns(0, gold=2, d6=1).owns(1, gold=3).owns(2, gold=1).do("done", "explore_north")
    assert won_by(t) == 1


def test_the_one_who_escapes_may_win() -> None:
    t = leaving(3, turn=2).owns(2, gold=4).do("done", "explore_north")
    assert won_by(t) == 2


def test_gold_that_lies_on_the_map_does_not_count() -> None:
    t = leaving(2).owns(0, gold=1).owns(1, gold=2).lay("centre", gold=7).do("done", "explore_north")
    assert won_by(t) == 1


def test_another_direction_is_explored_as_ever() -> None:
    t = leaving().do("done", "explore_south")
    assert (t.phase, t.s.ended) == ("draw_card", 0)


def test_you_cant_escape_from_a_room_with_an_enemy() -> None:
    t = leaving().enemies("centre", goblin=1).do("done")
    assert t.legal == {"done"}


def test_you_cant_escape_where_a_card_lies() -> None:
    t = leaving().place(e3=(0, 1)).decks(north=0).do("done")
    assert t.legal == {"done", "explore_south"}


def test_escape_from_beside_a_guardian_that_still_stands() -> None:
    """A reading: from any space without enemies, whether the guardian was defeated or not."""
    t = leaving(2).place(n12=(5, 5)).decks(north=0).enemies("n12", guardian="north").owns(0, gold=3).do("done", "explore_north")
    assert won_by(t) == 0


def test_escape_past_the_defeated_guardian() -> None:
    t = Table(2).place(n12=(0, 1)).decks(north=0).enemies("n12", guardian="north").stand(0, "n12").owns(0, d6=1, gold=1)
    t.do("done", "done", "attack_guardian")
    for _ in range(3):
        t.do("fight_with_d6").roll(6, 1)
    assert t.s.ended == 0
    t.do("done", "done", "done", "explore_north")
    assert t.s.ended == ESCAPED
    assert won_by(t) == 0


def test_the_last_card_of_a_deck_is_no_escape() -> None:
    t = Table().decks(north=1)
    for n in range(1, 12):
        t.s.placed[SPACES.index(f"n{n}")] = 1
        t.s.x[SPACES.index(f"n{n}")], t.s.y[SPACES.index(f"n{n}")] = 100, 3 * n
    t.do("done", "explore_north")
    assert t.s.ended == 0
    assert t.chances == {"n12": 1}


# Fully Explored


def closed(**markers: str) -> Table:
    """A camp with one way out, to the north of the centre; cards without further ways unless said otherwise."""
    deck = load(deck_file(camp={"west": "", "centre": "N", "east": ""}, ways={"n5": "S", **markers}))
    return Table(deck=deck)


def test_when_none_of_the_spaces_leads_to_an_unexplored_one_and_no_enemy_is_left() -> None:
    t = closed().owns(3, gold=5).do("done", "explore_north").draw("n5").draw("potion")
    assert t.s.ended == FULLY_EXPLORED
    assert won_by(t) == 3


def test_it_ends_as_soon_as_the_last_enemy_is_defeated() -> None:
    t = closed().owns(3, gold=5).do("done", "explore_north").draw("n5").draw("goblin")
    assert (t.phase, t.s.ended) == ("attack", 0)
    t.do("attack_1", "fight_with_d6").roll(2, 1)
    assert t.s.ended == FULLY_EXPLORED
    assert t.gold == [2, 1, 1, 5]
    assert won_by(t) == 3


def test_it_does_not_end_while_an_enemy_stands_elsewhere() -> None:
    t = closed().enemies("east", ogre=1).do("done", "explore_north").draw("n5").draw("gold")
    assert (t.phase, t.s.ended, t.s.turn) == ("move", 0, 1)
    t.do("move_east", "done", "done", "attack_2", "fight_with_d6").roll(3, 2)
    assert t.s.ended == FULLY_EXPLORED
    assert t.gold == [2, 3, 1, 1]
    assert won_by(t) == 1


def test_it_does_not_end_with_the_last_but_one_enemy() -> None:
    t = closed().enemies("east", ogre=1).do("done", "explore_north").draw("n5").draw("goblin")
    t.do("attack_1", "fight_with_d6").roll(3, 2)
    assert t.s.ended == 0


def test_a_guardian_is_an_enemy_on_the_board_too() -> None:
    t = closed(n12="S").place(n12=(1, 1)).enemies("n12", guardian="north").owns(3, d6=1, gold=9)
    t.do("done", "explore_north").draw("n5").draw("gold")
    assert (t.phase, t.s.ended) == ("move", 0)
    t.stand(1, "n12").do("done", "done", "attack_guardian")
    for _ in range(3):
        t.do("fight_with_d6").roll(6, 1)
    assert t.s.ended == FULLY_EXPLORED
    assert won_by(t) == 3


def test_guardians_that_have_not_come_do_not_matter() -> None:
    t = closed().owns(1, gold=5).do("done", "explore_north").draw("n5").draw("potion")
    assert t.s.guardian_at.tolist() == [-1] * 4
    assert t.s.ended == FULLY_EXPLORED


def test_the_well_of_the_last_card_can_still_be_used() -> None:
    t = closed(n1="S").owns(1, gold=5).do("done", "explore_north").draw("n1").draw("gold")
    assert (t.phase, t.s.ended) == ("well", 0)
    t.do("take_bolt")
    assert t.s.ended == FULLY_EXPLORED


def test_and_when_it_is_a_third_spell() -> None:
    t = closed(n1="S").owns(1, gold=5).owns(0, fire=1, magnet=1).do("done", "explore_north").draw("n1").draw("gold")
    t.do("take_bolt")
    assert (t.phase, t.s.ended) == ("third_spell", 0)
    t.do("drop_bolt")
    assert t.s.ended == FULLY_EXPLORED


def test_all_tiles_of_the_last_card_are_drawn() -> None:
    t = closed().owns(1, gold=5).do("done", "explore_north").draw("n5").draw("plus_two", "gold")
    assert (t.phase, t.s.ended) == ("draw_tile", 0)
    t.draw("goblin")
    assert (t.phase, t.s.ended) == ("attack", 0)


def test_an_open_direction_with_an_empty_deck_is_a_way_out() -> None:
    """A reading: the woods are not fully explored as long as someone can escape."""
    t = closed(n5="ES").decks(east=0).do("done", "explore_north").draw("n5").draw("potion")
    assert (t.phase, t.s.ended) == ("move", 0)


def test_a_marker_towards_a_card_that_lies_there_leads_to_no_unexplored_space() -> None:
    t = closed(n5="SW", n4="S").place(n4=(-1, 1)).owns(1, gold=3).do("done", "explore_north").draw("n5").draw("potion")
    assert t.s.ended == FULLY_EXPLORED


# The fight for a tie


def tie(players: int = 4, turn: int = 0, **gold: int) -> Table:
    """Seats s0, s1, ... with so much gold and a D6 each; the seat whose turn it is escapes."""
    t = leaving(players, turn)
    for seat in range(players):
        t.owns(seat, d6=1, gold=gold.get(f"s{seat}", 0))
    return t


def escape(t: Table) -> Table:
    return t.do("done", "explore_north")


def test_the_tied_adventurers_fight_each_other() -> None:
    t = escape(tie(s0=3, s1=1, s2=3, s3=2))
    assert (t.phase, t.s.mover, t.s.ending, t.s.ended) == ("tie_weapon", 0, ESCAPED, 0)
    assert t.s.tied.tolist() == [1, 0, 1, 0, 0, 0]
    assert t.payoffs == [0.0] * 4
    t.do("fight_with_d6")
    assert (t.phase, t.s.mover) == ("tie_weapon", 2)
    t.do("fight_with_d6")
    assert t.phase == "tie_die"
    assert t.chances == dict.fromkeys(range(1, 7), 1)
    t.roll(2, 5)
    assert won_by(t) == 2
    assert t.s.ended == ESCAPED


def test_they_choose_from_the_one_whose_turn_it_is_to_the_left() -> None:
    t = escape(tie(4, 2, s0=3, s1=3, s2=1, s3=3))
    order = []
    while t.phase == "tie_weapon":
        order.append(int(t.s.mover))
        t.do("fight_with_d6")
    assert order == [3, 0, 1]
    t.roll(6, 5, 4)
    assert won_by(t) == 3


def test_their_weapons_or_magic() -> None:
    t = tie(2, s0=2, s1=2).place(e1=(2, 0), s1=(0, -1)).owns(0, d4=1, d12=1, meteor=1, gold=2).owns(1, d8=1, magnet=1, gold=2)
    escape(t)
    assert t.legal == {"fight_with_d4", "fight_with_d12", "cast_meteor"}
    t.do("cast_meteor")
    assert t.lies("e1") == {"meteor": 1}
    assert t.legal == {"fight_with_d8"}
    t.do("fight_with_d8")
    assert t.chances == dict.fromkeys(range(1, 21), 1)
    t.roll(7)
    assert t.chances == dict.fromkeys(range(1, 9), 1)
    t.roll(8)
    assert won_by(t) == 1


def test_they_roll_until_someone_rolls_higher() -> None:
    """With the same weapons: they were chosen once for the whole fight."""
    t = tie(2, s0=2, s1=2).owns(0, d4=1, d12=1, gold=2)
    escape(t).do("fight_with_d4", "fight_with_d6").roll(3, 3)
    assert (t.phase, t.s.duel_roll.tolist()) == ("tie_die", [0] * 6)
    assert t.chances == dict.fromkeys(range(1, 5), 1)
    t.roll(1, 1, 4, 3)
    assert won_by(t) == 0


def test_one_spell_serves_for_all_rolls_of_a_tie() -> None:
    """A reading: the choice comes before the rolls, which go on until someone rolls higher."""
    t = tie(2, s0=2, s1=2).place(e1=(2, 0), s1=(0, -1)).owns(0, meteor=1, gold=2).owns(1, d12=1, gold=2)
    escape(t).do("cast_meteor", "fight_with_d12")
    for _ in range(3):
        assert t.chances == dict.fromkeys(range(1, 21), 1)
        t.roll(9)
        assert t.chances == dict.fromkeys(range(1, 13), 1)
        t.roll(9)
    t.roll(20, 12)
    assert won_by(t) == 0


def test_those_who_share_the_highest_roll_roll_again() -> None:
    t = escape(tie(3, s0=1, s1=1, s2=1)).do("fight_with_d6", "fight_with_d6", "fight_with_d6").roll(5, 4, 5)
    assert t.s.tied.tolist() == [1, 0, 1, 0, 0, 0]
    assert t.phase == "tie_die"
    t.roll(1, 2)
    assert won_by(t) == 2


def test_three_with_the_same_roll_all_roll_again() -> None:
    t = escape(tie(3, s0=1, s1=1, s2=1)).do("fight_with_d6", "fight_with_d6", "fight_with_d6").roll(5, 5, 5)
    assert t.s.tied.tolist() == [1, 1, 1, 0, 0, 0]
    t.roll(1, 6, 2)
    assert won_by(t) == 1


def test_six_tied() -> None:
    t = escape(tie(6, 3, **{f"s{seat}": 2 for seat in range(6)}))
    t.do(*["fight_with_d6"] * 6).roll(1, 2, 3, 4, 5, 6)  # seats 3, 4, 5, 0, 1, 2
    assert won_by(t) == 2


def test_who_cannot_fight_is_beaten_by_those_who_can() -> None:
    t = tie(3, s0=2, s1=2, s2=2).owns(0, gold=2, potion=2)
    escape(t)
    assert t.s.tied.tolist() == [0, 1, 1, 0, 0, 0]
    assert t.s.mover == 1


def test_of_two_the_one_who_can_fight_wins() -> None:
    t = tie(2, s0=2, s1=2).owns(0, gold=2, potion=1)
    assert won_by(escape(t)) == 1


def test_the_only_one_who_can_fight_wins() -> None:
    t = tie(3, s0=2, s1=2, s2=2).owns(0, gold=2).owns(2, gold=2, magnet=1)
    escape(t)
    assert won_by(t) == 1


def test_magic_for_combat_is_enough() -> None:
    t = tie(2, s0=2, s1=2).place(n1=(0, 5)).decks(north=0).owns(1, gold=2, bolt=1)
    escape(t).do("fight_with_d6")
    assert t.legal == {"cast_bolt"}


def test_when_none_can_fight_each_is_as_likely_to_win() -> None:
    """A reading."""
    t = tie(4, s0=2, s1=2, s3=2).owns(0, gold=2).owns(1, gold=2).owns(3, gold=2)
    escape(t)
    assert t.phase == "tie_lots"
    assert t.chances == {0: 1, 1: 1, 3: 1}
    t.happen(3)
    assert won_by(t) == 3


def test_a_rich_one_without_a_weapon_does_not_fight() -> None:
    t = tie(2, s0=2, s1=1).owns(0, gold=2)
    assert won_by(escape(t)) == 0


def test_nobody_has_gold() -> None:
    """All are tied."""
    t = escape(tie(3))
    assert t.s.tied.tolist() == [1, 1, 1, 0, 0, 0]


def test_potions_may_re_roll_any_of_the_dice() -> None:
    t = tie(3, s0=2, s1=2, s2=2).owns(1, d6=1, potion=2, gold=2)
    escape(t).do("fight_with_d6", "fight_with_d6", "fight_with_d6").roll(4, 2, 5)
    assert (t.phase, t.s.mover) == ("tie_rolled", 1)
    assert t.legal == {"done", "reroll_chair_0", "reroll_chair_1", "reroll_chair_2"}
    t.do("reroll_chair_1")  # the next to the left: seat 2
    assert t.s.duel_roll.tolist()[:3] == [4, 2, 0]
    t.roll(1)
    assert (t.phase, t.s.mover) == ("tie_rolled", 1)
    t.do("reroll_chair_0").roll(5)
    assert won_by(t) == 1
    assert t.carries(1) == {"d6": 1, "gold": 2}


def test_potions_in_the_order_of_seats() -> None:
    t = tie(2, 1, s0=2, s1=2).owns(0, d6=1, potion=1, gold=2).owns(1, d6=1, potion=1, gold=2)
    escape(t).do("fight_with_d6", "fight_with_d6").roll(3, 4)
    assert t.s.mover == 1
    t.do("done")
    assert t.s.mover == 0
    t.do("done")
    assert won_by(t) == 0


def test_who_has_let_the_dice_stand_is_not_asked_again() -> None:
    t = tie(2, s0=2, s1=2).owns(0, d6=1, potion=1, gold=2).owns(1, d6=1, potion=1, gold=2)
    escape(t).do("fight_with_d6", "fight_with_d6").roll(4, 3).do("done")
    assert t.s.mover == 1
    t.do("reroll_chair_0").roll(5)
    assert won_by(t) == 1
    assert t.carries(0) == {"d6": 1, "potion": 1, "gold": 2}


def test_only_the_dice_of_those_still_tied_can_be_re_rolled() -> None:
    t = tie(3, s0=2, s1=2, s2=2).owns(2, d6=1, potion=1, gold=2)
    escape(t).do("fight_with_d6", "fight_with_d6", "fight_with_d6").roll(5, 1, 5).do("done").roll(3, 2)
    assert (t.phase, t.s.mover) == ("tie_rolled", 2)
    assert t.legal == {"done", "reroll_chair_0", "reroll_chair_1"}  # seats 2 and 0


def test_potions_again_when_they_roll_again() -> None:
    t = tie(2, s0=2, s1=2).owns(0, d6=1, potion=1, gold=2)
    escape(t).do("fight_with_d6", "fight_with_d6").roll(3, 3).do("done").roll(2, 3)
    assert (t.phase, t.s.mover) == ("tie_rolled", 0)


def test_the_potions_of_those_who_are_not_tied_do_not_count() -> None:
    t = tie(3, s0=2, s1=2, s2=0).owns(2, d6=1, potion=3)
    escape(t).do("fight_with_d6", "fight_with_d6").roll(3, 4)
    assert won_by(t) == 1


def test_nobody_loses_anything_in_the_fight_for_a_tie() -> None:
    t = escape(tie(2, s0=2, s1=2)).do("fight_with_d6", "fight_with_d6").roll(3, 4)
    assert t.carries(0) == t.carries(1) == {"d6": 1, "gold": 2}


def test_a_tie_in_the_fully_explored_woods() -> None:
    t = closed().owns(2, d6=1, gold=2).do("done", "explore_north").draw("n5").draw("goblin")
    t.do("attack_1", "fight_with_d6").roll(2, 1)
    assert (t.phase, t.s.mover, t.s.ending, t.s.ended) == ("tie_weapon", 0, FULLY_EXPLORED, 0)
    assert t.s.tied.tolist() == [1, 0, 1, 0, 0, 0]


# The limit


@pytest.mark.parametrize("players", range(2, 7))
def test_a_game_is_cut_after_so_many_turns_for_each(players: int) -> None:
    t = Table(players, turn_limit=2)
    t.do(*["done", "done"] * (2 * players - 1))
    assert (t.phase, t.s.turns) == ("move", 2 * players)
    t.do("done", "done")
    assert (t.phase, t.s.ended, t.s.node) == ("end", 0, 2)
    assert t.payoffs == [0.0] * players
    assert t.legal == set()


@pytest.mark.parametrize(("decisions", "phase"), [(47_999, "move"), (48_000, "end")])
def test_a_game_is_cut_between_two_turns_before_its_decisions_run_out(decisions: int, phase: str) -> None:
    """No turn has 2,000 decisions: at 50,000, where any game is cut, this one is over already."""
    t = Table(3)
    t.do("done")
    t.s.decisions = decisions
    t.do("done")
    assert (t.phase, t.s.ended) == (phase, 0)
    assert t.payoffs == [0.0] * 3
    assert (t.legal == set()) == (phase == "end")


def test_a_tie_without_end_is_cut() -> None:
    t = escape(tie(2, s0=2, s1=2)).do("fight_with_d6", "fight_with_d6")
    t.s.decisions = 49_950
    t.roll(3, 3)
    assert (t.phase, t.s.ended) == ("end", 0)


def test_an_escape_in_the_last_turn_counts() -> None:
    t = leaving(2, turn_limit=1).owns(1, gold=3).do("done", "done", "done", "explore_north")
    assert won_by(t) == 1
    assert t.s.ended == ESCAPED
