"""What people see of a fight."""

import numpy as np

from deckwood.core.driver import Game
from deckwood.dice_commit.render import describe, draw
from tests.dice_commit.kit import ENV_ID, Fight, a_game, enemy


def words(text):
    return " ".join(text.split())


def test_text_tells_the_fight_and_what_it_has_brought(tmp_path):
    game = a_game(tmp_path, {"Iron Skin": enemy(2, 1, {"op": "crits_void"})}, dice=["1y1b"], exhausted=["1p"], strategy=[2], gold=[3])
    s = Fight(game).commit("blue").roll("hit").do("pick_blue_hit")
    text = words(describe(s.p, game.deck))
    for fact in (
        "Health 2 Strategy 2 Recovery 1 Gold 3 Damage due 1",
        "1. Iron Skin (enemy): Health 1 left of 2, Damage 1",
        "Crits deal no damage.",
        "dice on it: blue hit",
        "The fight Iron Skin: 1y1b, 1p exhausted; Health 2, Strategy 2, Recovery 1, gold 3",
        "Worth -3 since the start",
    ):
        assert fact in text
    assert max(map(len, describe(s.p, game.deck).splitlines())) <= 100


def test_before_a_fight_is_drawn_there_is_nothing():
    game = Game(ENV_ID)
    position = game.new()
    assert "Draw a fight" in describe(position[0], game.deck)
    assert "Worth +0" in words(describe(position[0], game.deck))


def test_the_end_is_told_in_words_and_colour(tmp_path):
    game = a_game(tmp_path, {"Scarecrow": enemy(1, 1)}, dice=["1b"])
    won, left = Fight(game).commit("blue").roll("hit").do("pick_blue_hit", "recover_blue"), Fight(game).do("roll")
    assert "Won: no enemy is left" in describe(won.p, game.deck)
    assert "Over: an enemy is left" in describe(left.p, game.deck)
    pictures = [draw(s.p, game.deck) for s in (won, left)]
    assert all(image.dtype == np.uint8 and image.shape == (528, 1000, 3) for image in pictures)
    assert not np.array_equal(pictures[0][:40, :40], pictures[1][:40, :40])
