"""Fitting the weights of Lost Woods' expert: what is seen in the games, and what is made of it."""

import numpy as np
import pytest

from deckwood.lost_woods.spec import SPEC
from deckwood_agents.players.roster import make_agent
from deckwood_agents.players.scripted.lost_woods.weights import EXPERT, FITTED, WEIGHTS, weights
from deckwood_agents.results.raw import play_round
from deckwood_agents.studies import tuning
from deckwood_agents.studies.tuning import Effects, bounded, effects, moves

INDEX = {name: place for place, name in enumerate(WEIGHTS)}


def test_weights_by_name():
    ours = weights({"game": 20.0})
    assert (ours[0].game, ours[0].explore, ours[0].last_behind) == (20.0, 0.0, -4.0)
    assert EXPERT[0].game == 14.0
    with pytest.raises(KeyError, match="luck"):
        weights({"luck": 1.0})


def test_effects_are_least_squares():
    """Four games of two weights: the first decides alone, so a spread of it is worth half the games, the other nothing."""
    drawn = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
    found = effects(drawn, np.array([True, True, False, False]))
    assert found.mean == pytest.approx([0.5, 0.0])
    assert found.error == pytest.approx([0.0, 0.0])
    # One more won: means of 3/4 among the first two and the last two, (1 + 1 - 1 - 0) / 4; the rest of a quarter squared is left over.
    found = effects(drawn, np.array([True, True, True, False]))
    assert found.mean == pytest.approx([0.25, 0.25])
    assert found.error == pytest.approx([0.125, 0.125])


def test_only_what_is_plainly_seen_is_moved():
    found = Effects(np.array([0.001, -0.004, 0.02, 0.0]), np.array([0.001, 0.001, 0.001, 0.0]))
    assert moves(found) == pytest.approx([0.0, -1.5 * (1 - 0.25), 1.5 * (1 - 0.01), 0.0])


def test_no_draw_changes_the_sign_of_a_price():
    low = bounded(np.full(len(WEIGHTS), -9.0))
    assert low[INDEX["last_behind"]] == -9.0
    assert low[INDEX["potion"]] == pytest.approx(0.375)
    for name, place in INDEX.items():
        assert WEIGHTS[name].signed or low[place] - WEIGHTS[name].spread > 0


def test_one_plays_by_her_own_weights_among_experts():
    """The same games as a player of the name plays among experts, seat by seat; so with the expert's own weights those of experts."""
    game = tuning.table()
    for name, own in (("expert", EXPERT), ("tuned", FITTED)):
        there = play_round(game, make_agent(name, SPEC, game.deck), make_agent("expert", SPEC, game.deck), number=0, games=24, seed=5)
        assert tuning.play(np.repeat(own, 24).view(np.recarray), 5).tolist() == there.won.tolist()


def test_a_player_who_never_explores_does_not_win():
    """It would rather lose the game than turn a card, and leaves the gold to others."""
    homely = weights({"explore": -1000.0})
    assert tuning.play(np.repeat(homely, 40).view(np.recarray), 3).sum() <= 2
    drawn, share = tuning.screen(np.array([homely[0][name] for name in WEIGHTS]), 16, 3)
    assert share <= 2 / 16
    assert drawn.mean.shape == (len(WEIGHTS),)


def test_the_module_that_is_written(tmp_path, capsys):
    out = tmp_path / "tuned.py"
    assert tuning.main(["--rounds", "1", "--games", "1000", "--workers", "2", "--out", str(out), "--confirm", "40"]) == 0
    assert "of 40 games" in capsys.readouterr().out
    found: dict[str, dict[str, float]] = {}
    exec(out.read_text(), found)
    assert list(found["TUNED"]) == list(WEIGHTS)
    assert all(abs(value - weights({})[0][name]) <= 1.5 * WEIGHTS[name].spread + 0.01 for name, value in found["TUNED"].items())


def test_a_round_of_few_games_is_refused(capsys):
    with pytest.raises(SystemExit):
        tuning.main(["--games", "20"])
    assert "argument --games: found '20'; allowed is a whole number from 1,000" in capsys.readouterr().err
