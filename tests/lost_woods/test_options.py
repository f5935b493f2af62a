"""Options: the number of players, the limit of turns, and what is paid."""

from fractions import Fraction

import numpy as np
import pytest

from deckwood.core.batch import Batch
from deckwood.core.errors import OptionError
from deckwood.core.game import Game
from deckwood.lost_woods.spec import SPEC
from tests.lost_woods.scenario import Table


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_players": 1}, "num_players=1: must be a whole number from 2 to 6"),
        ({"num_players": 7}, "num_players=7: must be a whole number from 2 to 6"),
        ({"num_players": "four"}, "num_players='four': must be a whole number from 2 to 6"),
        ({"turn_limit": 0}, "turn_limit=0: must be a whole number from 1 to 1000"),
        ({"turn_limit": 1001}, "turn_limit=1001: must be a whole number from 1 to 1000"),
        ({"reward": "silver"}, "reward='silver': choose one of win, gold, progress"),
        ({"players": 3}, "has no option 'players'; it has num_players, reward, turn_limit"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message.replace("(", r"\(")):
        Game(SPEC, **options)


def test_defaults() -> None:
    game = Game(SPEC)
    assert game.options.tolist() == [4, 100, 0]


def paid(own: int, *others: int) -> float:
    """A seat's gold less the mean of the others', over 51."""
    return float((own - Fraction(sum(others), len(others))) / 51)


def payoffs(*gold: float) -> list[float]:
    return [float(Fraction(own) - Fraction(sum(map(Fraction, gold)) - Fraction(own)) / (len(gold) - 1)) / 51 for own in gold]


def test_gold_begins_even() -> None:
    assert Table(3, reward="gold").payoffs == [0.0, 0.0, 0.0]


def test_gold_as_pieces_change_hands() -> None:
    t = Table(3, reward="gold").do("done", "explore_north").draw("n5").draw("gold")
    assert t.payoffs == pytest.approx([paid(2, 1, 1), paid(1, 2, 1), paid(1, 2, 1)])
    assert sum(t.payoffs) == pytest.approx(0)


def test_gold_for_an_enemy() -> None:
    t = Table(2, reward="gold").enemies("centre", dragon=1).do("done", "done", "attack_3", "fight_with_d6").roll(2, 1)
    assert t.payoffs == pytest.approx([paid(6, 1), paid(1, 6)])


def test_gold_dropped_and_picked_up() -> None:
    t = Table(2, reward="gold").do("drop_gold")
    assert t.payoffs == pytest.approx([paid(0, 1), paid(1, 0)])
    t.do("done", "done", "take_gold")
    assert t.payoffs == pytest.approx([paid(0, 2), paid(2, 0)])


def test_gold_lost_in_battle() -> None:
    t = Table(2, reward="gold").enemies("centre", ogre=1).do("done", "done", "attack_2", "fight_with_d6").roll(1, 2).do("drop_gold")
    assert t.payoffs == pytest.approx([paid(0, 1), paid(1, 0)])


def test_gold_of_a_gnome() -> None:
    t = Table(4, reward="gold").do("done", "explore_north").draw("n5").draw("gnome").do("chair_1", "chair_3")
    assert t.payoffs == pytest.approx(payoffs(1, 0, 1, 2))


def test_gold_drawn_by_the_magnet() -> None:
    t = Table(2, reward="gold").place(s1=(0, -1)).owns(0, magnet=1, gold=1).lay("east", gold=3)
    t.do("done", "cast_magnet", "take_gold", "space_camp_3")
    assert t.payoffs == pytest.approx(payoffs(2, 1))


def test_the_winner_counts_half_a_piece_more() -> None:
    t = Table(3, reward="gold").decks(north=0).owns(0, gold=4).owns(1, gold=6).owns(2, gold=1).do("done", "explore_north")
    assert t.phase == "end"
    assert t.payoffs == pytest.approx(payoffs(4, 6.5, 1))
    assert sum(t.payoffs) == pytest.approx(0)


def test_progress_pays_half_for_gold_and_half_for_winning() -> None:
    t = Table(3, reward="progress").decks(north=0).owns(0, gold=4).owns(1, gold=6).owns(2, gold=1).do("done")
    t.do("explore_north")
    leads = [(4 - 7 / 2) / 51, (6 - 5 / 2) / 51, (1 - 10 / 2) / 51]
    assert t.payoffs == pytest.approx([(lead + victory) / 2 for lead, victory in zip(leads, (-0.5, 1, -0.5), strict=True)])


def test_so_a_tie_that_was_fought_out_shows() -> None:
    t = Table(2, reward="gold").decks(north=0).do("done", "explore_north", "fight_with_d6", "fight_with_d6").roll(3, 5)
    assert t.payoffs == pytest.approx(payoffs(1, 1.5))


def test_a_cut_game_leaves_gold_as_it_stands() -> None:
    t = Table(2, reward="gold", turn_limit=1).do("done", "explore_north").draw("n5").draw("gold").do("done", "done")
    assert (t.phase, t.s.ended) == ("end", 0)
    assert t.payoffs == pytest.approx(payoffs(2, 1))


def test_progress_before_the_end_is_half_the_gold() -> None:
    t = Table(3, reward="progress").do("done", "explore_north").draw("n5").draw("gold")
    assert t.payoffs == pytest.approx([payoff / 2 for payoff in payoffs(2, 1, 1)])


def test_progress_of_a_cut_game() -> None:
    t = Table(2, reward="progress", turn_limit=1).do("done", "explore_north").draw("n5").draw("gold").do("done", "done")
    assert (t.phase, t.s.ended) == ("end", 0)
    assert t.payoffs == pytest.approx([payoff / 2 for payoff in payoffs(2, 1)])


@pytest.mark.parametrize("players", [2, 6])
def test_no_payoff_leaves_the_range(players: int) -> None:
    """One has all fifty pieces and wins."""
    t = Table(players, reward="gold").decks(north=0)
    for seat in range(players):
        t.owns(seat, gold=50 if seat == 1 else 0)
    t.do("done", "explore_north")
    assert t.payoffs == pytest.approx([50.5 / 51 if seat == 1 else -50.5 / 51 / (players - 1) for seat in range(players)])


@pytest.mark.parametrize("players", range(2, 7))
def test_win_pays_one_and_takes_it_from_the_others(players: int) -> None:
    t = Table(players).decks(north=0).owns(1, gold=9).do("done", "explore_north")
    assert t.payoffs == pytest.approx([1.0 if seat == 1 else -1 / (players - 1) for seat in range(players)])
    assert sum(t.payoffs) == pytest.approx(0)


@pytest.mark.parametrize("reward", ["win", "gold", "progress"])
def test_the_rewards_of_a_batch_add_up_to_the_payoff(reward: str) -> None:
    batch = Batch(SPEC, 4, seed=3, num_players=3, turn_limit=3, reward=reward, autoreset=False)
    rng = np.random.default_rng(1)
    total = np.zeros((4, 6))
    while (batch.actor >= 0).any():
        running = np.flatnonzero(batch.actor >= 0)
        batch.step([rng.choice(np.flatnonzero(batch.mask[slot])) for slot in running], running)
        total[running] += batch.reward[running]
    assert (batch.terminated | batch.truncated).all()
    assert total == pytest.approx(np.asarray(batch.positions.payoff))
    assert total.sum(axis=1) == pytest.approx(np.zeros(4))
