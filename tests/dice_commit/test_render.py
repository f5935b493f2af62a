"""What people see of a fight."""

import numpy as np

from deckwood.core.game import Game
from deckwood.core.uncompiled import uncompiled
from deckwood.dice_commit.deck import WORDS
from deckwood.dice_commit.render import describe, draw, picture
from deckwood.dice_commit.render.view import read_view
from deckwood.dice_commit.spec import SPEC
from deckwood.dice_commit.state import ENEMY_FACE
from deckwood.strong import cards as in_play
from deckwood.strong.steps import APPLY, COMMIT
from deckwood.strong.terms import CRIT, HIT, MISS
from tests.dice_commit.scenario import ENV_ID, Fight, a_game, enemy
from tests.strong.tables import at_step, longest, new, see

__all__ = ["see"]

DECK = SPEC.load_deck(None)


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
    assert all(image.dtype == np.uint8 and image.shape == (picture.HEIGHT, picture.WIDTH, 3) for image in pictures)
    assert not np.array_equal(pictures[0][:40, :40], pictures[1][:40, :40])


def crowded():
    """Eight enemies with long texts and all that can lie on them, and every die of the box committed and rolled."""
    s = new(SPEC, DECK, fight=1)
    known = range(ENEMY_FACE, max(face for face, name in enumerate(DECK.names["faces"]) if name) + 1)
    for slot, face in enumerate(longest(DECK, WORDS, known, 8)):
        s.slot[slot] = face
        s.applied[slot, slot % 5, HIT], s.applied[slot, (slot + 2) % 5, CRIT], s.applied[slot, (slot + 3) % 5, HIT] = 2, 1, 1
    s.rolled[:, MISS], s.rolled[:, HIT], s.rolled[:, CRIT], s.gold, s.passes = 2, 1, 1, 20, 1
    s.kept[:, HIT], s.unrolled[:], s.banished[:] = 1, 1, (4, 4, 4, 4, 1)
    uncompiled(in_play.refresh)(s, DECK.tables)
    return at_step(s, APPLY)


def everything_ready():
    """All dice of the box ready, and none of them anywhere else."""
    s = new(SPEC, DECK, fight=1)
    s.ready[:], s.exhausted[:], s.banished[:] = (4, 4, 4, 4, 1), 0, 0
    return at_step(s, COMMIT)


def test_a_full_table_can_be_read(see):
    for s in (crowded(), everything_ready()):
        seen = see(SPEC, s, DECK)
        assert (seen.cut, seen.overlapping(), seen.colliding(), seen.covered()) == ([], [], [], [])
        assert max(map(len, describe(s, DECK).splitlines())) <= 100


def test_dice_to_choose_are_told():
    assert {(zone, face) for zone, _, face in read_view(crowded(), DECK).table.pick} == {("rolled", HIT), ("rolled", CRIT)}
    assert {(zone, colour) for zone, colour, _ in read_view(everything_ready(), DECK).table.pick} == {("ready", c) for c in range(5)}
    text = words(describe(everything_ready(), DECK))
    assert "choose ready yellow, ready green, ready blue, ready purple, ready red" in text


def test_columns_of_dice_do_not_run_together():
    """A row for each thing that dice show: a colour's misses, hits and crits stand one below the other."""
    rows = [line.split() for line in describe(crowded(), DECK).splitlines() if line.startswith("  rolled:")]
    assert rows == [
        ["rolled:", face, *"22222", "10"] if face == "miss" else ["rolled:", face, *"11111", "5"] for face in ("miss", "hit", "crit")
    ]
