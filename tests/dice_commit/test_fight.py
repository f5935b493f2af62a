"""A fight: how it is laid out, how it ends, and what it pays."""

import numpy as np
import pytest

import deckwood
from deckwood.core.batch import Batch
from deckwood.core.errors import OptionError
from deckwood.core.game import Game
from deckwood.dice_commit.deck import payoff_bounds
from deckwood.strong.objective import own_objective
from deckwood.strong.terms import SLOTS
from tests.dice_commit.scenario import ENV_ID, Fight, a_game, enemy, write_deck

SCARECROW = {"Scarecrow": enemy(1, 1)}


def test_one_chance_event_draws_each_fight_alike(tmp_path):
    game = a_game(tmp_path, SCARECROW, dice=["1y", "2y", "1b"], strategy=[1, 2])
    position = game.new()
    assert game.phase(position) == "Draw a fight"
    assert game.chance(position).tolist() == [1] * 6
    names = [game.spec.outcome_name(position[0], game.deck, i) for i in range(6)]
    assert names[0] == "Scarecrow: 1y; Health 2, Strategy 1, Recovery 1"
    assert names[3] == "Scarecrow: 2y; Health 2, Strategy 2, Recovery 1"
    game.apply_chance(position, 3)
    assert (position["ready"][0].tolist(), position["stats"][0].tolist()) == ([2, 0, 0, 0, 0], [2, 2, 1])
    assert game.phase(position) == "Commit Dice"


def test_the_option_names_a_fight(tmp_path):
    drawn = a_game(tmp_path, SCARECROW, dice=["1y", "2y", "1b"])
    fixed = Game(ENV_ID, deck=drawn.deck.source, fight=3)
    assert fixed.new()[0] == Fight(drawn, 3).p


def test_a_fight_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(OptionError, match=r"there is no fight 41: tier 'small' has 40 plain fights \(fight=1 to 40"):
        Batch(ENV_ID, 1, fight=41)
    with pytest.raises(OptionError, match=r"there is no fight 19: tier 'full' has 18 fights with effects \(fight=1 to 18"):
        Batch(ENV_ID, 1, tier="full", effects=True, fight=19)
    drawn = write_deck(tmp_path / "deck.toml", SCARECROW, dice=["1y", "2y"])
    with pytest.raises(OptionError, match="tier 'mine' has no fights with effects, only 2 plain fights"):
        Batch(ENV_ID, 1, deck=drawn, effects=True)
    with pytest.raises(OptionError, match="choose one of small, medium, full"):
        Batch(ENV_ID, 1, tier="tiny")


def test_what_is_left_is_weighed_against_the_start(tmp_path):
    game = a_game(tmp_path, SCARECROW, dice=["1y1b"], recovery=[1])
    left_alone = Fight(game).do("roll")
    assert (left_alone.ending, left_alone.payoff) == ("survived", -6)
    missed = Fight(game).commit("yellow", "blue").roll("miss", "miss").do("recover_blue")
    assert (missed.ending, missed.payoff) == ("survived", -6 - 1)
    beaten = Fight(game).commit("blue").roll("hit").do("pick_blue_hit", "recover_blue")
    assert (beaten.ending, beaten.payoff, beaten.ready) == ("defeated_all", 0, {"yellow": 1, "blue": 1})


def test_no_health_left_is_value_lost_and_nothing_else(tmp_path):
    game = a_game(tmp_path, {"Ogre": enemy(9, 3)}, dice=["1p"], health=[2])
    s = Fight(game).do("roll")
    assert (s.ending, s.payoff, s.ready) == ("lost", -30 - (2 * 6 + 4), {"purple": 1})


def test_rewards_are_paid_in_the_objective(tmp_path):
    reward = [{"op": "gain_gold", "count": 2}, {"op": "gain_stat", "stat": "strategy", "count": 1}]
    objective = {"health": 6, "strategy": 5, "gold": 1.5, "ready": [1, 2, 3, 4, 5], "fallen": 7, "won": 11, "lost": -30}
    game = a_game(tmp_path, {"Miser": enemy(1, 1, reward=reward)}, objective, dice=["1y"])
    # Strategy is more than a plain reward gives: the loader calls that a fight with effects.
    s = Fight(game).commit("yellow").roll("hit").do("pick_yellow_hit", "accept", "done")
    assert s.payoff == 2 * 1.5 + 5 - 1 + 7 + 11


def test_activation_comes_before_the_engagement(tmp_path):
    herald = enemy(1, 1, {"when": "activated", "op": "exhaust", "count": 1})
    s = Fight(a_game(tmp_path, {"Herald": herald}, dice=["1y1p"]))
    assert (s.phase, s.legal) == ("Exhaust dice", ["exhaust_yellow", "exhaust_purple"])
    s.do("exhaust_yellow")
    assert (s.phase, s.ready) == ("Commit Dice", {"purple": 1})
    assert s.do("roll", "recover_yellow").payoff == -6


def test_an_enemy_that_fled_is_not_left(tmp_path):
    hare = enemy(3, 2, {"when": "rolled", "op": "flee", "face": "miss", "count": 1})
    s = Fight(a_game(tmp_path, {"Hare": hare}, dice=["1y"])).commit("yellow").roll("miss")
    assert s.do("recover_yellow").ending == "defeated_all"
    assert s.payoff == 0


@pytest.mark.parametrize(("tier", "effects"), [("small", False), ("small", True), ("medium", True), ("full", False)])
def test_dice_are_neither_lost_nor_made_and_payoffs_keep_their_bounds(tier, effects):
    batch = Batch(ENV_ID, 8, seed=3, tier=tier, effects=effects, solve=False)
    low, high = payoff_bounds(own_objective(batch.deck.tables))
    wide = deckwood.spec(ENV_ID).payoff_range
    assert wide[0] <= low < high <= wide[1]
    fights, finished = batch.deck.tables.fights, 0
    for _ in range(60):
        batch.step(batch.random_actions())
        p = batch.positions
        dice = p.ready + p.exhausted + p.banished + p.unrolled + p.to_recover
        dice = dice + p.rolled.sum(axis=2) + p.kept.sum(axis=2) + p.applied.sum(axis=(1, 3))
        start = fights[p.fight]
        assert (dice == start["ready"] + start["exhausted"] + start["banished"]).all()
        over = batch.terminated
        finished += int(over.sum())
        assert ((batch.episode_return[over] >= low) & (batch.episode_return[over] <= high)).all()
        assert not batch.truncated.any()
    assert finished > 8


def test_every_fight_of_the_deck_begins_as_its_text_says():
    deck = deckwood.spec(ENV_ID).load_deck(None)
    fights = deck.tables.fights[: len(deck.names["fights"])]
    families = deck.tables.families[: len(deck.names["tiers"])]
    assert families[..., 1].sum() == len(fights)
    assert [tuple(counts) for counts in families[..., 1].tolist()] == [(40, 30), (28, 24), (13, 18)]
    for fight, text in zip(fights, deck.names["fights"], strict=True):
        for face in fight["enemies"][fight["enemies"] >= 0]:
            assert deck.names["faces"][face] in text
        assert np.count_nonzero(fight["enemies"] >= 0) <= SLOTS
