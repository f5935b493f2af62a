"""``python -m deckwood.show``: a replay, looked at."""

from pathlib import Path

import pytest

from deckwood import lost_woods_v1
from deckwood.core.replay import write_replay
from deckwood.show import main

WON = Path(__file__).parent / "golden/tanglewoods/won.json"


def test_the_end_is_shown_unless_told_otherwise(capsys):
    assert main([str(WON)]) == 0
    assert "Won: the wolf is defeated" in capsys.readouterr().out
    assert main([str(WON), "--event", "0"]) == 0
    assert "Won" not in capsys.readouterr().out


def test_a_picture_is_written(tmp_path):
    pytest.importorskip("pygame")
    assert main([str(WON), "--png", str(tmp_path / "end.png")]) == 0
    assert (tmp_path / "end.png").read_bytes().startswith(b"\x89PNG")


def test_a_game_of_several_seats_is_shown(tmp_path, capsys):
    env = lost_woods_v1.env(num_players=3, turn_limit=2, record=True)
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        env.step(None if terminated or truncated else env.action_space(agent).sample(observation["action_mask"]))
    write_replay(tmp_path / "cut.json", env.unwrapped.replay())
    assert main([str(tmp_path / "cut.json"), "--event", "1"]) == 0
    assert "turn 1 of at most 6: player" in capsys.readouterr().out
    assert main([str(tmp_path / "cut.json")]) == 0
    assert "Cut after 2 turns each" in capsys.readouterr().out


def test_what_cannot_be_shown_is_said(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main([str(WON), "--event", "99999"])
    assert "events" in capsys.readouterr().err
    (tmp_path / "no.json").write_text("{")
    assert main([str(tmp_path / "no.json")]) == 2
    assert "not a replay" in capsys.readouterr().err
