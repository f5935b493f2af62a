"""``python -m deckwood.show``: a replay, looked at."""

from pathlib import Path

import pytest

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


def test_what_cannot_be_shown_is_said(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main([str(WON), "--event", "99999"])
    assert "events" in capsys.readouterr().err
    (tmp_path / "no.json").write_text("{")
    assert main([str(tmp_path / "no.json")]) == 2
    assert "not a replay" in capsys.readouterr().err
