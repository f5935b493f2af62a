"""Replays, golden games, atomic files, the registry, and the conformance checks themselves."""

import dataclasses
import json

import numpy as np
import pytest

import deckwood
from deckwood.core.batch import Batch
from deckwood.core.conformance import ConformanceError, check_game
from deckwood.core.errors import OptionError, SnapshotError
from deckwood.core.files import write_atomically
from deckwood.core.game import Game
from deckwood.core.golden import golden_hash, golden_text
from deckwood.core.replay import final_position, play, read_replay, replay, write_replay
from tests.games import coin, pig


@pytest.fixture
def recorded():
    batch = Batch(pig.SPEC, 1, seed=2, autoreset=False, log=5000, target=12)
    while not batch.terminated[0]:
        batch.step(batch.random_actions())
    return batch


def test_a_replay_reproduces_the_end_without_a_generator(recorded, tmp_path):
    write_replay(tmp_path / "game.json", replay(recorded.game, recorded.events()))
    content = read_replay(tmp_path / "game.json")
    final = final_position(Game(pig.SPEC, target=12), content)
    assert final.tobytes() == recorded.positions.tobytes()
    assert len(list(play(recorded.game, content))) == len(content["events"]) + 1


@pytest.mark.parametrize(
    ("index", "event", "reason"),
    [
        (0, [0, 1, -1], r"event 0 \[0, 1, -1\].*action 1 \(hold\) is illegal"),
        (0, [1, 0, -1], "event 0.*seat 1 acts, but it is the turn of seat 0"),
        (1, [-1, -1, 6], "event 1.*outcome 6 cannot happen"),
        (1, [0, 0, -1], "event 1.*nothing to decide"),
        (1, ["x"], "event 1"),
    ],
)
def test_a_wrong_replay_is_refused_with_the_event_and_the_reason(recorded, index, event, reason):
    content = replay(recorded.game, recorded.events())
    content["events"][index] = event
    with pytest.raises(SnapshotError, match=reason):
        final_position(recorded.game, content)


def test_a_foreign_replay_is_refused(recorded, tmp_path):
    content = replay(recorded.game, recorded.events())
    with pytest.raises(SnapshotError, match="options"):
        final_position(Game(pig.SPEC, target=13), content)
    with pytest.raises(SnapshotError, match="env_id"):
        final_position(Game(coin.SPEC), content)
    (tmp_path / "no.json").write_text("{")
    (tmp_path / "other.json").write_text(json.dumps({"format": 99}))
    for name in ("no.json", "other.json"):
        with pytest.raises(SnapshotError, match="not a replay"):
            read_replay(tmp_path / name)


def test_atomic_writing_leaves_the_old_file_on_failure(tmp_path, monkeypatch):
    path = tmp_path / "file"
    write_atomically(path, "old")
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError("disk")))
    with pytest.raises(OSError, match="disk"):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_golden_hash_changes_with_the_rules():
    assert golden_hash(Game(coin.SPEC), 5) == golden_hash(Game(coin.SPEC), 5)
    assert golden_hash(Game(pig.SPEC, target=20), 5) != golden_hash(Game(pig.SPEC, target=21), 5)
    text = golden_text(Game(pig.SPEC, target=10))
    assert "rolled" in text
    assert "end: target_reached" in text


@pytest.mark.parametrize("spec", [coin.SPEC, pig.SPEC], ids=lambda spec: spec.name)
def test_the_test_games_conform(spec):
    report = check_game(spec, games=15)
    assert report.games == sum(report.endings.values()) == 15


@pytest.mark.parametrize(
    ("change", "promise"),
    [
        ({"payoff_range": (0, 0.5)}, "payoff"),
        ({"features": (dataclasses.replace(coin.SPEC.features[0], high=0.05),)}, r"observation entry 0 \(heads\)"),
        ({"endings": coin.SPEC.endings[1:2]}, "ended is"),
        ({"actions": (coin.SPEC.actions[0],) * 2}, "share a name"),
        ({"draw": lambda s, deck: np.zeros((2, 2))}, "draw must give"),
    ],
)
def test_a_game_that_breaks_a_promise_is_found(change, promise):
    with pytest.raises(ConformanceError, match=promise):
        check_game(dataclasses.replace(coin.SPEC, **change), games=20)


def test_registry():
    assert all(env_id.startswith("deckwood/") for env_id in deckwood.games())
    with pytest.raises(OptionError, match="the games are"):
        deckwood.spec("deckwood/Nothing-v0")
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = deckwood.Nothing
    assert "Batch" in dir(deckwood)
    assert deckwood.Batch is Batch
