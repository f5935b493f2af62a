"""Games that remember: memories, the driver, replays, campaigns and their files, and what conformance asks of such a game."""

import copy
import dataclasses
import json
import os
import pickle
import signal
import stat
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import deckwood
from deckwood.core.batch import Batch
from deckwood.core.campaign import Campaign, main
from deckwood.core.conformance import ConformanceError, check_game
from deckwood.core.errors import CampaignError, OptionError, SnapshotError
from deckwood.core.files import write_atomically
from deckwood.core.game import Game
from deckwood.core.registry import GAMES
from deckwood.core.registry import spec as spec_of
from deckwood.core.replay import final_position, play, read_replay, replay, write_replay
from deckwood.core.untrusted import MAX_BYTES
from tests.games import coin, door

MOON, KEY, LEAVE = 0, 1, 2
CAUGHT, TURNED = 0, 1
POSIX = pytest.mark.skipif(os.name != "posix", reason="locks, signals, pipes and folders that can be synced")
USED = {"sides": [1, 0], "games": 7}
DOOR = door.SPEC.env_id


@pytest.fixture
def registered(monkeypatch):
    """The door among the games, as a deck would be."""
    monkeypatch.setitem(GAMES, DOOR, "tests.games.door:SPEC")


def finished(game, *cards, remembered=None):
    """A game in which the cards are turned, and then, unless the door is open, the player leaves."""
    position = game.new(remembered)
    for card in cards:
        game.apply(position, card)
        game.apply_chance(position, TURNED)
    if position.node[0] != 2:
        game.apply(position, LEAVE)
    return position


def plain(memory):
    return {name: array.tolist() for name, array in memory.items()}


# Memories.


def test_a_game_starts_from_what_it_is_given_and_a_fresh_one_from_nothing():
    game = Game(door.SPEC)
    used, fresh = game.new(USED), game.new()
    assert used.sides[0].tolist() == [1, 0]
    assert used.games[0] == 7
    assert not fresh.sides.any()
    assert fresh.games[0] == 0
    end = finished(game, MOON, KEY, remembered=USED)
    memory = door.SPEC.memory(end)
    assert plain(memory) == plain(door.SPEC.memory(end[0])) == {"sides": [0, 1], "games": 8}
    assert {name: (array.dtype, array.shape) for name, array in memory.items()} == {"sides": (np.int8, (2,)), "games": (np.int16, ())}
    with pytest.raises(ValueError, match="read-only"):
        memory["sides"][0] = 1


WRONG = {
    "another name": ({**USED, "doors": 1}, "remembers sides, games from game to game, no more and no less; found sides, games, doors"),
    "a name less": ({"sides": [1, 0]}, "found sides$"),
    "nothing at all": ({}, "found nothing"),
    "no mapping": (3, "found 3"),
    "another shape": ({**USED, "sides": [1, 0, 0]}, r"remembered sides must be whole numbers of shape \(2,\), not int64 of shape \(3,\)"),
    "ragged lists": ({**USED, "sides": [1, [0]]}, "remembered sides must be whole numbers"),
    "a list for a number": ({**USED, "games": [7]}, "remembered games must be a whole number, not int64"),
    "a fraction": ({**USED, "games": 7.0}, "remembered games must be a whole number, not float64"),
    "a truth value": ({**USED, "sides": [True, False]}, "not bool"),
    "a truth value among numbers": ({**USED, "sides": [True, 0]}, "remembered sides must be whole numbers, not truth values"),
    "a text": ({**USED, "games": "7"}, "remembered games"),
    "too large": ({**USED, "sides": [1, 128]}, "remembered sides has numbers from 1 to 128; allowed: -128 to 127"),
    "too small": ({**USED, "games": -40_000}, "from -40000 to -40000; allowed: -32768 to 32767"),
    "much too large": ({**USED, "games": 10**30}, "remembered games must be a whole number, not object"),
    "what no game leaves": ({**USED, "sides": [2, 0]}, r"the sides 0 and 1, found \[2, 0\]"),
}


@pytest.mark.parametrize(("remembered", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_memory_is_refused_before_anything_changes(remembered, message):
    batch = Batch(door.SPEC, 2, seed=1)
    batch.reset(remembered=USED)
    before = batch.save()
    for start in (batch.game.new, lambda memory: batch.reset(5, remembered=memory)):
        with pytest.raises(OptionError, match=message):
            start(remembered)
    assert batch.save() == before


def test_a_game_without_memory_takes_none():
    with pytest.raises(OptionError, match="test/Coin-v0 remembers nothing from game to game"):
        Batch(coin.SPEC, 1).reset(remembered=USED)
    with pytest.raises(OptionError, match="there is no campaign of it"):
        Campaign(coin.SPEC)
    assert coin.SPEC.memory(Game(coin.SPEC).new()) == {}


def test_an_objection_names_its_reason_and_is_asked_of_every_deck_that_a_game_starts_from():
    bert = Game(door.SPEC, hero="bert")
    bert.new(USED)
    with pytest.raises(OptionError, match="bert'}: bert stays at home while the key"):
        bert.new({"sides": [0, 1], "games": 1})
    shy = dataclasses.replace(door.SPEC, objection=lambda options, deck, memory: None if memory["games"] else "nobody dares")
    for start in (lambda: Game(shy).new(), lambda: Batch(shy, 1)):
        with pytest.raises(OptionError, match="nobody dares"):
            start()
    assert Batch(shy, 1, remembered=USED).memory()["games"] == 7


# The driver.


def test_games_that_follow_by_autoreset_start_from_the_same_memory():
    batch = Batch(door.SPEC, 3, seed=1)
    batch.reset(remembered=USED)
    ended = 0
    for _ in range(40):
        batch.step(batch.random_actions())
        over = batch.terminated
        ended += int(over.sum())
        assert (batch.positions.games == 7).all()
        assert (batch.positions.sides[over] == [1, 0]).all()
    assert ended > 20
    batch.reset()
    assert not batch.positions.games.any()


def test_slots_have_memories_of_their_own():
    batch = Batch(door.SPEC, 3, seed=1)
    batch.reset(slots=[1], remembered=USED)
    batch.step([LEAVE] * 3)
    assert batch.positions.games.tolist() == [0, 7, 0]
    assert plain(batch.memory(1)) == USED
    batch.copy_slots([1], [2])
    batch.step([LEAVE] * 3)
    assert batch.positions.games.tolist() == [0, 7, 7]
    batch.reset(slots=[1])
    assert batch.positions.games.tolist() == [0, 0, 7]


COPIES = {
    "copy": Batch.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda batch: pickle.loads(pickle.dumps(batch)),
    "save and load": lambda batch: loaded(batch.save()),
}


def loaded(data):
    other = Batch(DOOR, 3, seed=9)
    other.load(data)
    return other


@pytest.mark.parametrize("make", COPIES.values(), ids=COPIES)
def test_a_copy_goes_on_with_the_same_memory(make, registered):
    batch = Batch(DOOR, 3, seed=1)
    batch.reset(remembered=USED)
    batch.step([MOON] * 3)
    twin = make(batch)
    for _ in range(20):
        batch.step(batch.random_actions())
        twin.step(twin.random_actions())
        assert twin.positions.tobytes() == batch.positions.tobytes()
    assert plain(twin.memory(2)) == USED


def test_loading_a_game_from_a_fresh_deck_forgets_the_memory():
    fresh, batch = Batch(door.SPEC, 1, seed=1), Batch(door.SPEC, 1, seed=1)
    batch.reset(remembered=USED)
    batch.load(fresh.save())
    batch.step([LEAVE])
    assert batch.positions.games[0] == 0


# Replays.


@pytest.fixture
def recorded():
    batch = Batch(door.SPEC, 1, seed=3, autoreset=False, log=20)
    batch.reset(remembered=USED)
    while not batch.terminated[0]:
        batch.step(batch.random_actions())
    return batch


def test_a_replay_starts_from_the_memory(recorded, tmp_path):
    content = replay(recorded.game, recorded.events(), recorded.memory())
    assert content["remembered"] == USED
    write_replay(tmp_path / "game.json", content)
    content = read_replay(tmp_path / "game.json")
    assert final_position(Game(door.SPEC), content).tobytes() == recorded.positions.tobytes()
    del content["remembered"]  # as replays were before games remembered, and are of a fresh deck
    assert final_position(Game(door.SPEC), content).games[0] == 1
    assert replay(recorded.game, recorded.events(), Batch(door.SPEC, 1).memory()) == content


def test_a_replay_with_a_wrong_memory_is_refused(recorded):
    content = replay(recorded.game, recorded.events(), recorded.memory())
    for remembered, message in ((3, "found 3"), ({**USED, "games": "x"}, "remembered games"), ({**USED, "sides": [5, 0]}, "found")):
        with pytest.raises(SnapshotError, match=f"the replay's start: .*{message}"):
            next(play(recorded.game, {**content, "remembered": remembered}))


# Campaigns.


def test_a_campaign_takes_over_what_games_leave_behind():
    game, campaign = Game(door.SPEC, hero="bert"), deckwood.Campaign(door.SPEC)
    assert (campaign.games, campaign.wins, campaign.changes()) == (0, 0, [])
    assert campaign.record(finished(game, MOON), options=game.user_options) == ["the moon was turned to its back"]
    after_one = campaign.remembered
    assert campaign.record(finished(game, MOON, KEY, MOON, remembered=after_one)[0]) == ["the key was turned to its back"]
    assert plain(campaign.remembered) == {"sides": [1, 1], "games": 2}
    assert (campaign.games, campaign.wins) == (2, 1)
    assert [played.model_dump() for played in campaign.history] == [
        {"ended": "left", "won": False, "options": {"hero": "bert"}, "changes": ["the moon was turned to its back"]},
        {"ended": "opened", "won": True, "options": {"hero": "anna"}, "changes": ["the key was turned to its back"]},
    ]
    assert campaign.changes() == ["the moon was turned to its back", "the key was turned to its back"]
    assert campaign.changes(after_one) == ["the key was turned to its back"]
    assert repr(campaign) == "Campaign('test/Door-v0', path=None): 2 games, 1 won"
    campaign.reset()
    assert (campaign.games, campaign.changes()) == (0, [])
    with pytest.raises(ValueError, match="no path"):
        campaign.save()


def test_a_campaign_of_a_game_records_its_options():
    campaign = Campaign(Game(door.SPEC, hero="bert"))
    campaign.record(finished(campaign.game))
    assert campaign.history[0].options == {"hero": "bert"}
    with pytest.raises(OptionError, match="already has its deck"):
        Campaign(campaign.game, deck="other")


def test_where_nothing_is_marked_a_win_is_the_highest_payoff():
    endings = tuple(dataclasses.replace(ending, won=False) for ending in door.SPEC.endings)
    campaign = Campaign(dataclasses.replace(door.SPEC, endings=endings, changes=None))
    assert campaign.record(finished(campaign.game, MOON)) == []
    campaign.record(finished(campaign.game, MOON, MOON, MOON))
    assert [played.won for played in campaign.history] == [False, True]


def test_what_cannot_be_recorded_changes_nothing(tmp_path):
    campaign = Campaign(door.SPEC, path=tmp_path / "door.json")
    campaign.record(finished(campaign.game, KEY))
    before = campaign.path.read_bytes(), campaign.remembered
    game = campaign.game
    with pytest.raises(CampaignError, match=r"the game has not ended \(a card or home\)"):
        campaign.record(game.new())
    with pytest.raises(CampaignError, match="the campaign has changed since this game started"):
        campaign.record(finished(game, MOON), start=Batch(game, 1).memory())
    with pytest.raises(TypeError, match="one record"):
        campaign.record(Game(coin.SPEC).new())
    with pytest.raises(TypeError, match="one record"):
        campaign.record(np.zeros(2, door.SPEC.dtype))
    with pytest.raises(OptionError, match="hero='carl'"):
        campaign.record(finished(game), options={"hero": "carl"})
    assert (campaign.path.read_bytes(), campaign.remembered) == before
    assert campaign.games == 1


def test_a_campaign_with_a_path_is_saved_at_every_change(tmp_path, registered):
    path = tmp_path / "door.json"
    campaign = Campaign(DOOR, path=path)
    assert not path.exists()
    campaign.record(finished(campaign.game, MOON), options={"hero": "bert"})
    for again in (Campaign(DOOR, path=path), Campaign(door.SPEC, path=path), Campaign.load(path)):
        assert plain(again.remembered) == {"sides": [1, 0], "games": 1}
        assert again.history == campaign.history
        assert again.remembered["sides"].dtype == np.int8
    other = tmp_path / "copy.json"
    campaign.save(other)
    campaign.reset()
    assert Campaign.load(other).games == 0
    assert Campaign.load(path).games == 1
    assert "deck_file" not in json.loads(path.read_text())


def test_numbers_of_numpy_are_saved_as_numbers(tmp_path):
    spec = dataclasses.replace(door.SPEC, options=(*door.SPEC.options, deckwood.core.spec.Option("level", 0, "a number", high=5)))
    campaign = Campaign(spec, path=tmp_path / "door.json")
    campaign.record(finished(campaign.game), options={"level": np.int64(3)})
    assert Campaign(spec, path=campaign.path).history[0].options == {"hero": "anna", "level": 3}


def test_a_failing_write_leaves_file_and_campaign_as_they_were(tmp_path, monkeypatch):
    campaign = Campaign(door.SPEC, path=tmp_path / "door.json")
    campaign.record(finished(campaign.game, MOON))
    before = campaign.path.read_bytes(), campaign.remembered, campaign.history
    end = finished(campaign.game, KEY, remembered=campaign.remembered)
    with monkeypatch.context() as broken:
        broken.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError("disk")))
        for change in (lambda: campaign.record(end), campaign.reset):
            with pytest.raises(OSError, match="disk"):
                change()
            assert (campaign.path.read_bytes(), campaign.remembered, campaign.history) == before
    assert [path.name for path in tmp_path.iterdir()] == ["door.json"]
    campaign.record(end)
    assert Campaign(door.SPEC, path=campaign.path).games == 2


GAME = {"ended": "opened", "won": True, "options": {"hero": "anna"}, "changes": ["the moon was turned to its back"]}


def nested(depth):
    return [nested(depth - 1)] if depth else 0


def damaged(**changed):
    return lambda content: json.dumps({**content, **changed}).encode()


DAMAGED = {
    "empty": (lambda content: b"", "found no JSON"),
    "half": (lambda content: json.dumps(content).encode()[:-9], "found no JSON"),
    "not text": (lambda content: b"\xff\xfe\x00", "found no JSON"),
    "deep": (lambda content: b"[" * 100_000, "found no JSON"),
    "deep inside": (damaged(remembered={"sides": [0, 0], "games": nested(500)}), "remembered games must be a whole number"),
    "a name twice": (lambda content: json.dumps(content).encode()[:-1] + b', "deck": "0"}', "the name 'deck' is given twice"),
    "no number": (damaged(remembered={"sides": [0, 0], "games": float("nan")}), "found no JSON .*'NaN' is not finite"),
    "beyond all numbers": (lambda content: b'{"format": 1e999}', "the number '1e999' is not finite"),
    "more digits than can be read": (lambda content: b'{"format": %s}' % (b"9" * 5000), "found no JSON"),
    "much too large": (damaged(remembered={"sides": [0, 10**40], "games": 0}), "remembered sides must be"),
    "a format that only equals it": (damaged(format=1.0), "format: found 1.0; allowed: one of 1"),
    "a format that is true": (damaged(format=True), "format: found true; allowed: one of 1"),
    "a text that a terminal obeys": (
        damaged(history=[{**GAME, "changes": ["\x1b[2Jgone"]}]),
        r"history\.0\.changes\.0: found '\\x1b\[2Jgone'; allowed: up to 1000",
    ),
    "a name that a terminal obeys": (damaged(remembered={"\x1b[2J": 1}), r"found \\x1b\[2J$"),
    "a long text": (damaged(history=[{**GAME, "changes": ["a" * 10_000]}]), r"changes\.0: found 'a+\.\.\."),
    "an option left out": (damaged(history=[{**GAME, "options": {}}]), "game 1: found no option 'hero'; allowed: all of them"),
    "a list": (lambda content: b"[1]", "the whole file: found"),
    "a replay": (lambda content: json.dumps({"format": 1, "events": []}).encode(), "found nothing; allowed: a text"),
    "another format": (damaged(format=2), "format: found 2; allowed: one of 1"),
    "a key too many": (damaged(cards=3), 'found an unknown field "cards"'),
    "another game": (damaged(env_id="test/Coin-v0"), "found game 'test/Coin-v0'; allowed: 'test/Door-v0'"),
    "another deck": (damaged(deck="0"), "found deck '0'; allowed: "),
    "no memory": (damaged(remembered=None), "remembers sides, games .* found nothing"),
    "a wrong memory": (damaged(remembered=[1]), r"remembers sides, games .* found \[1\]"),
    "a name less": (damaged(remembered={"sides": [0, 0]}), "found sides"),
    "a shape": (damaged(remembered={"sides": [0], "games": 0}), "remembered sides must be"),
    "a fraction": (damaged(remembered={"sides": [0, 0.5], "games": 0}), "remembered sides must be"),
    "a range": (damaged(remembered={"sides": [0, 300], "games": 0}), "allowed: -128 to 127"),
    "a truth value": (damaged(remembered={"sides": [0, True], "games": 0}), "remembered sides must be whole numbers, not truth values"),
    "a text": (damaged(remembered={"sides": [0, "1"], "games": 0}), "remembered sides must be"),
    "an unknown name": (damaged(remembered={"sides": [0, 0], "games": 0, "hats": 1}), "found sides, games, hats"),
    "a side that no card has": (damaged(remembered={"sides": [2, 0], "games": 1}), r"the sides 0 and 1, found \[2, 0\]"),
    "fewer games than none": (damaged(remembered={"sides": [0, 0], "games": -1}), "found -1 games; allowed: none or more"),
    "no history": (damaged(history={}), "history: found"),
    "a game": (damaged(history=[GAME, 3]), r"history\.1: found 3; allowed: a table with the fields ended"),
    "an ending": (damaged(history=[GAME, {**GAME, "ended": "lost"}]), "game 2: found ended 'lost'; allowed: one of caught, left, opened"),
    "a win": (damaged(history=[{**GAME, "won": False}]), "game 1: found won False; allowed with 'opened': True"),
    "a kind of win": (damaged(history=[{**GAME, "won": 1}]), r"history\.0\.won: found 1; allowed: true or false"),
    "an option": (damaged(history=[{**GAME, "options": {"hat": 1}}]), "game 1: test/Door-v0 has no option 'hat'"),
    "its value": (damaged(history=[{**GAME, "options": {"hero": "carl"}}]), "game 1: option hero='carl'"),
    "its kind": (damaged(history=[{**GAME, "options": {"hero": None}}]), r"history\.0\.options\.hero"),
    "changes": (damaged(history=[{**GAME, "changes": "all"}]), r"history\.0\.changes: found"),
}


@pytest.mark.parametrize(("damage", "message"), DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_file_is_refused_and_untouched(damage, message, tmp_path):
    path = tmp_path / "door.json"
    Campaign(door.SPEC).save(path)
    content = json.loads(path.read_text())
    path.write_text(json.dumps({**content, "history": [GAME]}))
    assert Campaign(door.SPEC, path=path).wins == 1
    path.write_bytes(damage(content))
    before = path.read_bytes()
    with pytest.raises(CampaignError, match=message):
        Campaign(door.SPEC, path=path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["door.json"]


def test_a_campaign_belongs_to_its_deck(tmp_path, registered):
    deck, path = tmp_path / "lucky", tmp_path / "door.json"
    deck.write_text("0 1")
    campaign = Campaign(DOOR, deck=deck, path=path)
    campaign.record(finished(campaign.game, MOON))
    with pytest.raises(CampaignError, match=r"found deck .*; allowed: .* \(Door, door\)"):
        Campaign(DOOR, path=path)
    assert Campaign.load(path).games == 1
    moved = deck.rename(tmp_path / "moved")
    with pytest.raises((CampaignError, OSError)):
        Campaign.load(path)
    assert Campaign.load(path, deck=moved).games == 1
    moved.write_text("1 1")
    with pytest.raises(CampaignError, match="found deck"):
        Campaign.load(path, deck=moved)


def test_a_campaign_with_a_deck_file_that_is_no_file_is_refused(tmp_path, registered):
    path = tmp_path / "door.json"
    Campaign(DOOR).save(path)
    content = json.loads(path.read_text())
    for place in ("/dev/zero", str(tmp_path), "a\0b"):
        path.write_text(json.dumps({**content, "deck_file": place}))
        with pytest.raises(CampaignError, match=r"deck.?file"):
            Campaign.load(path)


def test_a_file_too_large_to_be_a_campaign_is_refused(tmp_path):
    path = tmp_path / "door.json"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(CampaignError, match=f"found more than {MAX_BYTES} bytes"):
        Campaign(door.SPEC, path=path)


def test_loading_what_is_no_campaign(tmp_path, registered):
    with pytest.raises(CampaignError, match="cannot be read"):
        Campaign.load(tmp_path / "none.json")
    with pytest.raises(CampaignError, match="cannot be read"):
        Campaign(DOOR, path=tmp_path)
    Campaign(DOOR).save(tmp_path / "door.json")
    content = json.loads((tmp_path / "door.json").read_text())
    (tmp_path / "door.json").write_text(json.dumps({**content, "env_id": "test/Gate-v0"}))
    with pytest.raises(CampaignError, match="no game 'test/Gate-v0'; the games are"):
        Campaign.load(tmp_path / "door.json")


@pytest.mark.parametrize("spec", [spec_of(game) for game in GAMES if spec_of(game).remembered] + [door.SPEC], ids=lambda spec: spec.name)
def test_every_game_that_remembers_refuses_numbers_that_no_game_leaves(spec, tmp_path):
    """Each remembered number in turn, with the least and the greatest that its type holds."""
    path = tmp_path / "campaign.json"
    campaign = Campaign(spec)
    campaign.save(path)
    content = json.loads(path.read_text())
    for name in spec.remembered:
        limits = np.iinfo(spec.dtype[name].base)
        for value in (limits.min, limits.max) if spec.dtype[name].shape else (limits.min,):
            for place in range(max(1, len(campaign.remembered[name].reshape(-1)))):
                numbers = np.array(campaign.remembered[name]).reshape(-1)
                numbers[place] = value
                edited = numbers.reshape(spec.dtype[name].shape).tolist()
                path.write_text(json.dumps({**content, "remembered": {**content["remembered"], name: edited}}))
                with pytest.raises(CampaignError, match=f"campaign file .*found.*{value}"):
                    Campaign(spec, path=path)


def test_options_do_not_keep_a_campaign_shut(tmp_path):
    """That bert cannot play with this deck is no fault of the file."""
    campaign = Campaign(door.SPEC, path=tmp_path / "door.json")
    campaign.record(finished(campaign.game, KEY))
    assert Campaign(Game(door.SPEC, hero="bert"), path=campaign.path).games == 1


# Two writers.


def test_a_campaign_that_has_fallen_behind_its_file_writes_nothing(tmp_path):
    path = tmp_path / "door.json"
    one, other = Campaign(door.SPEC, path=path), Campaign(door.SPEC, path=path)
    one.record(finished(one.game, MOON))
    written = path.read_bytes()
    end = finished(other.game, KEY)
    for change in (lambda: other.record(end), other.reset, other.save):
        with pytest.raises(
            CampaignError, match=r"another campaign has written it since .*\(1 game there, 0 games here\).* open the file again"
        ):
            change()
        assert path.read_bytes() == written
    assert (other.games, other.changes()) == (0, [])
    again = Campaign(door.SPEC, path=path)
    again.record(finished(again.game, KEY, remembered=again.remembered))
    with pytest.raises(CampaignError, match=r"\(2 games there, 1 game here\)"):
        one.reset()


def test_what_could_not_be_recorded_can_be_kept_in_a_file_of_its_own(tmp_path):
    """What the error advises."""
    path = tmp_path / "door.json"
    one, other = Campaign(door.SPEC, path=path), Campaign(door.SPEC, path=path)
    one.record(finished(one.game, MOON))
    end = finished(other.game, KEY)
    with pytest.raises(CampaignError, match=r"save\(path\)"):
        other.record(end)
    other.save(tmp_path / "other.json")
    other.record(end)
    assert Campaign(door.SPEC, path=tmp_path / "other.json").changes() == ["the key was turned to its back"]
    assert Campaign(door.SPEC, path=path).changes() == ["the moon was turned to its back"]


def test_a_file_that_somebody_edited_is_not_overwritten(tmp_path):
    campaign = Campaign(door.SPEC, path=tmp_path / "door.json")
    campaign.record(finished(campaign.game, MOON))
    campaign.path.write_text("my notes")
    with pytest.raises(CampaignError, match=r"\(no campaign there, 1 game here\)"):
        campaign.record(finished(campaign.game, KEY, remembered=campaign.remembered))
    assert campaign.path.read_text() == "my notes"


def test_saving_over_another_file_is_refused(tmp_path):
    campaign, other = Campaign(door.SPEC, path=tmp_path / "door.json"), Campaign(door.SPEC)
    campaign.record(finished(campaign.game, MOON))
    with pytest.raises(CampaignError, match=r"found a file \(1 game\).* allowed: a name that is free"):
        other.save(campaign.path)
    assert other.path is None
    assert Campaign(door.SPEC, path=campaign.path).games == 1


def test_a_file_that_is_gone_is_written_anew(tmp_path):
    campaign = Campaign(door.SPEC, path=tmp_path / "door.json")
    campaign.record(finished(campaign.game, MOON))
    campaign.path.unlink()
    campaign.record(finished(campaign.game, KEY, remembered=campaign.remembered))
    assert Campaign(door.SPEC, path=campaign.path).games == 2


@POSIX
def test_the_file_is_compared_and_written_in_one(tmp_path, monkeypatch):
    """Between the comparison of one writer and its writing no other gets in."""
    path = tmp_path / "door.json"
    campaigns = [Campaign(door.SPEC, path=path) for _ in range(4)]
    ends = [finished(campaign.game, MOON) for campaign in campaigns]
    ready = threading.Barrier(len(campaigns))
    monkeypatch.setattr("deckwood.core.campaign.write_atomically", lambda *what: (time.sleep(0.1), write_atomically(*what)))

    def write(campaign, end):
        ready.wait()
        try:
            return campaign.record(end)
        except CampaignError as error:
            return str(error)

    with ThreadPoolExecutor(len(campaigns)) as pool:
        answers = list(pool.map(write, campaigns, ends))
    assert sorted(isinstance(answer, str) for answer in answers) == [False, True, True, True]
    assert Campaign(door.SPEC, path=path).games == 1


def test_without_locks_writers_still_compare(tmp_path, monkeypatch):
    monkeypatch.setattr("deckwood.core.files.fcntl", None)
    path = tmp_path / "door.json"
    one, other = Campaign(door.SPEC, path=path), Campaign(door.SPEC, path=path)
    one.record(finished(one.game, MOON))
    with pytest.raises(CampaignError, match="another campaign has written it"):
        other.record(finished(other.game, MOON))


WRITER = """
import sys
from deckwood.core.campaign import Campaign
from deckwood.core.errors import CampaignError
from tests.games import door
LEAVE = 2
path, most = sys.argv[1], int(sys.argv[2])
print("ready", flush=True)
sys.stdin.readline()
campaign = Campaign(door.SPEC, path=path)
for _ in range(most):
    end = campaign.game.new(campaign.remembered)
    campaign.game.apply(end, LEAVE)
    while True:
        try:
            campaign.record(end)
            break
        except CampaignError as error:
            assert "another campaign has written it" in str(error), error
            campaign = Campaign(door.SPEC, path=path)
            end = campaign.game.new(campaign.remembered)
            campaign.game.apply(end, LEAVE)
    print(campaign.games, flush=True)
"""


@contextmanager
def writers(number, path, games):
    """Processes that play a campaign on, each that many games; they have started and wait for a line."""
    root = Path(__file__).parents[2]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root / "envs"), str(root)]), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", WRITER, str(path), str(games)]
    started = [
        subprocess.Popen(command, env=env, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(number)
    ]
    try:
        for process in started:
            assert process.stdout.readline() == "ready\n"
        yield started
    finally:
        for process in started:
            process.kill()
            process.communicate()


@pytest.mark.slow
def test_processes_that_play_one_campaign_lose_no_game(tmp_path):
    path, games = tmp_path / "door.json", 20
    with writers(3, path, games) as processes:
        counts = [process.communicate("go\n", timeout=60)[0].split() for process in processes]
        assert [process.returncode for process in processes] == [0, 0, 0]
    assert sorted(int(count) for own in counts for count in own) == list(range(1, 3 * games + 1))
    campaign = Campaign(door.SPEC, path=path)
    assert (campaign.games, campaign.remembered["games"]) == (3 * games, 3 * games)


@pytest.mark.slow
@POSIX
def test_a_writer_that_is_killed_leaves_the_old_file_or_the_new_one(tmp_path):
    path, rng, known = tmp_path / "door.json", np.random.default_rng(3), 0
    for _ in range(4):
        with writers(1, path, 10_000) as [process]:
            process.stdin.write("go\n")
            process.stdin.flush()
            for _ in range(int(rng.integers(1, 30))):
                known = int(process.stdout.readline())
            time.sleep(rng.random() / 100)
            process.send_signal(signal.SIGKILL)
            told = process.communicate()[0].split()
            assert process.returncode == -signal.SIGKILL
        known = int(told[-1]) if told else known
        campaign = Campaign(door.SPEC, path=path)
        assert campaign.games in (known, known + 1)
        assert campaign.remembered["games"] == campaign.games


# Files.


@POSIX
def test_a_file_is_on_the_disk_before_it_gets_its_name_and_its_name_is_afterwards(tmp_path, monkeypatch):
    events = []
    sync, replace = os.fsync, os.replace

    def synced(handle):
        events.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else f"file of {os.fstat(handle).st_size}")
        sync(handle)

    monkeypatch.setattr("os.fsync", synced)
    monkeypatch.setattr("os.replace", lambda *names: (events.append("name"), replace(*names)))
    write_atomically(tmp_path / "file", "whole")
    assert events == ["file of 5", "name", "folder"]


@POSIX
def test_only_files_are_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path, message in (
        (tmp_path, "found a folder; allowed: a file"),
        (tmp_path / "pipe", "found a pipe"),
        ("/dev/null", "found a device"),
    ):
        with pytest.raises(OSError, match=message):
            write_atomically(path, "x")
        with pytest.raises(CampaignError, match=f"cannot be read .{message}"):
            Campaign(door.SPEC, path=path)
        with pytest.raises((CampaignError, OSError), match=message):
            Campaign(door.SPEC).save(path)
    assert os.path.exists("/dev/null")
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


@POSIX
def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "here").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "here" / "file")
    for content in ("old", "new"):
        write_atomically(tmp_path / "link", content)
        assert (tmp_path / "here" / "file").read_text() == content
    assert (tmp_path / "link").is_symlink()


@pytest.mark.parametrize("make", [copy.deepcopy, lambda campaign: pickle.loads(pickle.dumps(campaign))], ids=["deepcopy", "pickle"])
def test_campaigns_can_be_copied(make, registered):
    campaign = Campaign(DOOR)
    campaign.record(finished(campaign.game, MOON))
    twin = make(campaign)
    twin.reset()
    assert campaign.games == 1


def test_the_command_shows_and_resets(tmp_path, registered, capsys):
    path = tmp_path / "door.json"
    campaign = Campaign(DOOR, path=path)
    campaign.record(finished(campaign.game, MOON, KEY, KEY))
    campaign.record(finished(campaign.game, MOON, KEY, remembered=campaign.remembered))
    assert main([str(path)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "test/Door-v0: 2 games, 1 won",
        "1. opened (won), hero=anna",
        "   the moon was turned to its back",
        "2. left, hero=anna",
        "   the moon was turned to its front",
        "   the key was turned to its back",
        "against a fresh deck:",
        "   the key was turned to its back",
    ]
    assert main([str(path), "--reset"]) == 0
    assert capsys.readouterr().out.splitlines() == ["test/Door-v0: 0 games, 0 won", "against a fresh deck:", "   nothing"]
    assert Campaign.load(path).games == 0
    path.write_text("{")
    assert main([str(path), "--reset"]) == 2
    assert "found no JSON" in capsys.readouterr().err
    assert path.read_text() == "{"


# Conformance.


def test_a_game_that_remembers_conforms():
    report = check_game(door.SPEC, games=16)
    assert report.games == sum(report.endings.values()) == 16
    assert check_game(door.SPEC, games=16, hero="bert").games == 16


def test_the_second_half_of_the_checked_games_is_a_campaign():
    seen = []
    check_game(dataclasses.replace(door.SPEC, changes=lambda deck, before, after: seen.append(int(before["games"])) or []), games=10)
    assert seen[::2] == [0, 0, 0, 0, 0, 1, 2, 3, 4, 5]


def words_of(result):
    return lambda *arguments: result


@pytest.mark.parametrize(
    ("change", "promise"),
    [
        ({"remembered": ("sides", "doors")}, "'doors' is not a field of the game's own"),
        ({"remembered": ("decisions",)}, "'decisions' is not a field of the game's own"),
        ({"remembered": ("payoff",)}, "'payoff' is not a field of the game's own"),
        ({"remembered": ("sides", "games", "games")}, "share a name"),
        ({"dtype": np.dtype([*door.SPEC.dtype.descr[:-1], ("games", np.float32)])}, "'games' is not a field of integers"),
        ({"changes": words_of(["x", 3])}, "changes must be a list of texts"),
        ({"changes": words_of("x")}, "changes must be a list of texts"),
        ({"changes": words_of(["always"])}, "changes between a memory and itself"),
        ({"objection": lambda options, deck, memory: "" if memory["games"] else None}, "objection must be None or a text"),
        ({"remembered": ()}, "changes are for a game that remembers"),
        ({"remembered": (), "changes": None}, "impossible memories are for a game that remembers"),
        ({"impossible": lambda deck, memory: "x" if memory["games"] else None}, "a game has left an impossible memory"),
        ({"features": (*door.SPEC.features[:2], dataclasses.replace(door.SPEC.features[2], high=0.035))}, r"\(games\) is 0.03999"),
    ],
)
def test_a_broken_promise_is_found(change, promise):
    with pytest.raises(ConformanceError, match=promise):
        check_game(dataclasses.replace(door.SPEC, **change), games=12)
