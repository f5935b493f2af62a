"""Recorded games: every way to end has one, it still plays back to that end, and it still reads the same."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import deckwood
from deckwood.core.game import Game
from deckwood.core.golden import golden_hash, stored_hash
from deckwood.core.replay import final_position, read_replay
from tests.golden.record import folder, text_of

ENDINGS = [(env_id, index + 1, ending.name) for env_id in deckwood.games() for index, ending in enumerate(deckwood.spec(env_id).endings)]
ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(("env_id", "ended", "name"), ENDINGS)
def test_every_ending_has_a_recorded_game_that_plays_back(env_id, ended, name):
    game = Game(env_id, **deckwood.spec(env_id).endings[ended - 1].options)
    content = read_replay(folder(env_id) / f"{name}.json")
    final = final_position(game, content)
    assert final.ended[0] == ended
    if game.spec.seats[1] > 1:
        assert (final.payoff[0] == 1).sum() == 1  # one winner
    elif not game.user_options:  # with options a payoff may mean something else
        if game.spec.payoff_range == (0, 1):
            assert (final.payoff[0] == 1) == game.spec.endings[ended - 1].won
    assert text_of(game, content) == (folder(env_id) / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("env_id", deckwood.games())
def test_seeded_games_play_as_they_did(env_id):
    """When this fails, games play differently: bump the version in the environment id, then run ``python -m deckwood.golden --write``."""
    assert golden_hash(Game(env_id)) == stored_hash(deckwood.spec(env_id))


HASH = """
import sys
from deckwood.core.game import Game
from deckwood.core.golden import golden_hash
for env_id in sys.argv[1:]:
    print(golden_hash(Game(env_id), games=8))
"""


@pytest.mark.parametrize("setting", [{"NUMBA_DISABLE_JIT": "1", "PYTHONHASHSEED": "1"}, {"NUMBA_BOUNDSCHECK": "1", "PYTHONHASHSEED": "2"}])
def test_every_game_plays_the_same_uncompiled_and_with_bounds_checks(setting):
    """In processes of their own, each with another hash seed."""
    env = {**os.environ, "PYTHONPATH": str(ROOT / "envs"), **setting}
    games = deckwood.games()
    found = subprocess.run([sys.executable, "-c", HASH, *games], env=env, capture_output=True, text=True, check=True).stdout.split()
    assert found == [golden_hash(Game(env_id), games=8) for env_id in games]
