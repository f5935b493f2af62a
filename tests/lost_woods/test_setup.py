"""Setup, Basics and The Turn."""

import numpy as np
import pytest

from deckwood.core.game import Game
from deckwood.lost_woods.spec import SPEC
from deckwood.lost_woods.state import NONE
from tests.lost_woods.scenario import OTHER_TILES, SPACES, TILES, Table, deck_file, load


@pytest.mark.parametrize("players", range(2, 7))
def test_each_player_takes_one_gold_piece_and_a_d6_weapon(players: int) -> None:
    t = Table(players)
    for seat in range(6):
        assert t.carries(seat) == ({"d6": 1, "gold": 1} if seat < players else {})
    assert t.s.supply == 50 - players
    assert t.s.players == players


@pytest.mark.parametrize(("players", "d12"), [(2, 2), (3, 3), (4, 4), (5, 5), (6, 6)])
def test_d12s_are_removed_depending_on_the_number_of_players(players: int, d12: int) -> None:
    """Six in the box: two players remove four of them, six use all. The D6's in the bag are those not handed out."""
    t = Table(players)
    bag = dict(zip(TILES, t.s.bag.tolist(), strict=True))
    assert bag == {
        "d4": 4, "d6": 9 - players, "d8": 5, "d12": d12, "d20": 0, "goblin": 10, "ogre": 6, "dragon": 4,
        **{f"kind_{n}": 0 for n in range(4, 13)}, **OTHER_TILES,
    }  # fmt: skip
    assert sum(bag.values()) == 60


@pytest.mark.parametrize("players", range(2, 7))
def test_each_sets_an_adventurer_in_the_center_of_camp(players: int) -> None:
    assert Table(players).where == ["centre"] * players


def test_the_camp_is_three_spaces_in_the_middle() -> None:
    t = Table()
    assert np.flatnonzero(t.s.placed).tolist() == [0, 1, 2]
    assert [(int(t.s.x[i]), int(t.s.y[i])) for i in range(3)] == [(-1, 0), (0, 0), (1, 0)]
    ways = {(SPACES[i], d): SPACES[t.s.beside[i, d]] for i in range(3) for d in range(4) if t.s.beside[i, d] != NONE}
    assert ways == {("west", 1): "centre", ("centre", 1): "east", ("centre", 3): "west", ("east", 3): "centre"}
    assert t.s.distance[:3, :3].tolist() == [[0, 1, 2], [1, 0, 1], [2, 1, 0]]


def test_twelve_cards_in_each_deck_and_nothing_on_the_map() -> None:
    t = Table()
    assert t.s.left.tolist() == [12, 12, 12, 12]
    assert not t.s.enemies.any()
    assert not t.s.foes.any()
    assert not t.s.lying.any()
    assert t.s.guardian_at.tolist() == [NONE] * 4
    assert t.s.spell_at.tolist() == [NONE] * 8


@pytest.mark.parametrize("players", range(2, 7))
def test_who_went_camping_the_most_recently_starts(players: int) -> None:
    """Each is as likely."""
    game = Game(SPEC, num_players=players)
    position = game.new()
    assert game.chance(position).tolist() == [1] * players
    for seat in range(players):
        after = position.copy()
        game.apply_chance(after, seat)
        s = after[0]
        assert (s.node, s.turn, s.mover, s.phase, s.turns, s.moves) == (0, seat, seat, 0, 1, 3)


@pytest.mark.parametrize("players", range(2, 7))
def test_play_goes_to_the_left(players: int) -> None:
    t = Table(players, turn=players - 1)
    for seat in range(players):
        t.do("done", "done")
        assert (t.s.turn, t.s.mover, t.phase, t.s.moves) == (seat, seat, "move", 3)
    assert t.s.turns == 1 + players


def test_a_turn_is_move_explore_attack() -> None:
    """Each turn must be completed in this order; each step can be skipped."""
    t = Table().enemies("centre", goblin=1)
    assert t.phase == "move"
    t.do("done")
    assert t.phase == "explore"
    t.do("done")
    assert t.phase == "attack"
    t.do("done")
    assert (t.phase, t.s.turn) == ("move", 1)


def test_once_you_have_moved_on_there_is_no_way_back() -> None:
    t = Table().place(n3=(0, 1)).lay("centre", d8=1).owns(0, d6=1, gold=1)
    assert {"move_north", "drop_gold", "take_d8"} < t.legal
    t.do("done")
    assert t.legal == {"done", "explore_south"}


def test_once_you_have_attacked_the_turn_is_over() -> None:
    t = Table().enemies("centre", goblin=3)
    t.do("done", "done", "attack_1", "fight_with_d6").roll(6, 1)
    assert (t.phase, t.s.turn) == ("move", 1)
    assert t.s.foes[1] == 2


def test_skipping_a_whole_turn_changes_nothing_else() -> None:
    t = Table()
    t.do("done", "done")
    assert t.changes == {"mover": 1, "turn": 1, "turns": 2}


def test_a_deck_with_more_of_a_tile() -> None:
    deck = load(deck_file(weapons={"d4": 2, "d6": 10, "d8": 5, "d12": 6, "d20": 1}))
    t = Table(3, deck=deck)
    assert t.s.bag[:5].tolist() == [2, 7, 5, 3, 1]
