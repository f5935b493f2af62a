"""Campaigns through the environments: who records, who does not, and what is refused."""

import copy
import dataclasses
import pickle

import gymnasium
import numpy as np
import pytest

import deckwood
from deckwood.adapters.gymnasium_env import DeckwoodEnv
from deckwood.adapters.pettingzoo_env import DeckwoodAECEnv
from deckwood.adapters.vector import DeckwoodVectorEnv
from deckwood.core.campaign import Campaign
from deckwood.core.errors import CampaignError, OptionError
from deckwood.core.registry import GAMES
from deckwood.core.replay import final_position
from tests.games import coin, door, pig

MOON, KEY, LEAVE = 0, 1, 2
DOOR = door.SPEC.env_id


@pytest.fixture
def lucky(tmp_path):
    """A deck with which nobody is caught."""
    path = tmp_path / "lucky"
    path.write_text("0 1")
    return path


@pytest.fixture
def registered(monkeypatch):
    """The door among the games, as a deck would be."""
    monkeypatch.setitem(GAMES, DOOR, "tests.games.door:SPEC")
    deckwood.adapters.registration.register()
    yield
    gymnasium.registry.pop(DOOR)


@pytest.fixture
def env(lucky):
    return DeckwoodEnv(door.SPEC, deck=lucky, record=True)


@pytest.fixture
def campaign(lucky, tmp_path):
    return Campaign(door.SPEC, deck=lucky, path=tmp_path / "door.json")


def begin(env, campaign, seed=None):
    return env.reset(seed=seed, options={"campaign": campaign})


def play(env, *actions):
    """The info of the last of ``actions``, which ends the game."""
    for action in actions:
        *_, terminated, truncated, info = env.step(action)
    assert terminated
    assert not truncated
    return info


def test_the_end_of_a_game_is_recorded(env, campaign, lucky):
    begin(env, campaign, seed=1)
    env.step(MOON)
    assert campaign.games == 0
    assert play(env, LEAVE)["changes"] == ["the moon was turned to its back"]
    assert (campaign.games, campaign.history[0].options) == (1, {"hero": "anna"})
    obs, _ = begin(env, campaign)
    assert env.explain(obs)["sides"] == {"moon": 1.0, "key": 0.0}
    info = play(env, MOON, KEY, KEY)
    assert info["changes"] == ["the moon was turned to its front"]
    assert info["ended"] == "opened"
    assert info["won"]
    again = Campaign(door.SPEC, deck=lucky, path=campaign.path)
    assert (again.games, again.wins, again.remembered["games"]) == (2, 1, 2)


def test_the_first_reset_without_a_seed_starts_from_the_campaign(env, campaign):
    begin(env, campaign, seed=1)
    play(env, KEY, LEAVE)
    begun = DeckwoodEnv(env.game)
    obs, _ = begin(begun, campaign)
    assert begun.explain(obs)["sides"] == {"moon": 0.0, "key": 1.0}


def test_a_reset_without_the_campaign_plays_a_fresh_deck(env, campaign):
    begin(env, campaign, seed=1)
    play(env, KEY, LEAVE)
    begin(env, campaign)
    obs, _ = env.reset()
    assert not obs.any()
    assert play(env, KEY, LEAVE)["changes"] is None
    assert campaign.games == 1


def test_through_gymnasium(registered):
    env, campaign = gymnasium.make(DOOR, hero="bert"), Campaign(DOOR)
    for number in range(5):
        begin(env, campaign, seed=number)
        info = play(env, LEAVE)
        assert info["changes"] == []
    assert campaign.history[4].options == {"hero": "bert"}


COPIES = {
    "clone": lambda env: env.clone(1),
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}


@pytest.mark.parametrize("make", COPIES.values(), ids=COPIES)
def test_a_copy_leaves_no_trace(make, registered, tmp_path):
    campaign = Campaign(DOOR, path=tmp_path / "door.json")
    env = DeckwoodEnv(DOOR)
    begin(env, campaign, seed=1)
    twin = make(env)
    assert play(twin, LEAVE)["changes"] is None
    assert campaign.games == 0
    assert not campaign.path.exists()
    assert play(env, LEAVE)["changes"] == []
    assert campaign.games == 1


def test_save_and_load_in_the_middle_of_a_campaigns_game(env, campaign, lucky):
    begin(env, campaign, seed=1)
    play(env, MOON, LEAVE)
    begin(env, campaign)
    env.step(KEY)
    saved = env.save()
    other = DeckwoodEnv(door.SPEC, deck=lucky, record=True)
    begin(other, campaign)
    obs, _ = other.load(saved)
    assert other.explain(obs)["sides"] == {"moon": 1.0, "key": 1.0}
    assert final_position(other.game, other.replay()).tobytes() == other.batch.positions.tobytes()
    assert play(other, LEAVE)["changes"] == ["the key was turned to its back"]
    assert campaign.games == 2
    with pytest.raises(CampaignError, match="the campaign has changed since this game started"):
        play(env, LEAVE)
    env.load(saved)  # what the game started from is no longer what the campaign holds
    assert play(env, LEAVE)["changes"] is None
    assert campaign.games == 2


def test_a_game_is_recorded_once_though_it_changed_nothing():
    spec = dataclasses.replace(door.SPEC, remembered=("sides",), impossible=None)
    env, campaign = DeckwoodEnv(spec), Campaign(spec)
    begin(env, campaign, seed=1)
    saved = env.save()
    play(env, LEAVE)
    env.load(saved)
    assert play(env, LEAVE)["changes"] is None
    assert campaign.games == 1


def test_loading_a_game_of_another_memory_leaves_the_campaign(env, campaign):
    env.reset(seed=1)
    saved = env.save()
    begin(env, campaign)
    play(env, MOON, LEAVE)
    begin(env, campaign)
    env.load(saved)
    assert play(env, KEY, LEAVE)["changes"] is None
    assert campaign.games == 1


def test_a_campaigns_game_has_a_replay(env, campaign):
    for seed in range(2):
        begin(env, campaign, seed=seed)
        play(env, MOON, KEY, LEAVE)
    content = env.replay()
    assert content["remembered"] == {"sides": [1, 1], "games": 1}
    assert final_position(env.game, content).tobytes() == env.batch.positions.tobytes()
    env.reset()
    assert "remembered" not in env.replay()


def test_a_truncated_game_leaves_no_trace(campaign, lucky):
    env = DeckwoodEnv(dataclasses.replace(door.SPEC, longest_game=1), deck=lucky)
    begin(env, campaign, seed=1)
    *_, truncated, info = env.step(MOON)
    assert truncated
    assert info["changes"] is None
    assert campaign.games == 0


def test_a_failing_write_can_be_made_good(env, campaign, monkeypatch):
    begin(env, campaign, seed=1)
    with monkeypatch.context() as broken:
        broken.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError("disk")))
        with pytest.raises(OSError, match="disk"):
            play(env, LEAVE)
    assert campaign.games == 0
    campaign.record(env.batch.positions, options=env.game.user_options, start=env.batch.memory())
    assert campaign.games == 1


def test_a_game_that_another_campaign_overtook_can_be_kept(env, campaign, lucky, tmp_path):
    other = Campaign(door.SPEC, deck=lucky, path=campaign.path)
    begin(env, campaign, seed=1)
    env.step(MOON)
    other.record(begun_and_left(env, other), options={"hero": "anna"})
    with pytest.raises(CampaignError, match=r"another campaign has written it .*\(1 game there, 0 games here\)"):
        play(env, LEAVE)
    assert (campaign.games, Campaign(door.SPEC, deck=lucky, path=campaign.path).games) == (0, 1)
    campaign.save(tmp_path / "mine.json")
    campaign.record(env.batch.positions, options=env.game.user_options, start=env.batch.memory())
    assert Campaign(door.SPEC, deck=lucky, path=tmp_path / "mine.json").changes() == ["the moon was turned to its back"]


def begun_and_left(env, campaign):
    """The end of a game that another environment played."""
    position = env.game.new(campaign.remembered)
    env.game.apply(position, LEAVE)
    return position


def test_refusals_change_nothing(env, campaign, lucky):
    begin(env, campaign, seed=1)
    env.step(MOON)
    before, state = env.save(), env.np_random.bit_generator.state
    turned = Campaign(door.SPEC, deck=lucky)
    turned.remembered = door.SPEC.encode_memory({"sides": [0, 2], "games": 1})
    for options, error, message in (
        ({"hero": "bert"}, OptionError, r"no options but campaign \(found hero\)"),
        ({"campaign": campaign, "hero": "bert"}, OptionError, r"found hero\)"),
        ({"campaign": "door.json"}, OptionError, "found campaign 'door.json'; allowed: a deckwood.Campaign"),
        ({"campaign": None}, OptionError, "found campaign None"),
        ({"campaign": Campaign(door.SPEC)}, CampaignError, "the campaign is of test/Door-v0 with the deck door; allowed: .*lucky"),
        ({"campaign": turned}, OptionError, "a card has the sides 0 and 1"),
    ):
        with pytest.raises(error, match=message):
            env.reset(seed=2, options=options)
        assert env.save() == before
        assert env.np_random.bit_generator.state == state
    assert play(env, LEAVE)["changes"] == ["the moon was turned to its back"]


def test_an_objection_is_raised_at_reset(lucky, campaign):
    env = DeckwoodEnv(door.SPEC, deck=lucky, hero="bert")
    begin(env, campaign, seed=1)
    play(env, KEY, LEAVE)
    with pytest.raises(OptionError, match="bert stays at home"):
        begin(env, campaign)
    env.reset()


def test_who_takes_no_campaign(campaign):
    with pytest.raises(OptionError, match="test/Coin-v0 remembers nothing from game to game"):
        begin(DeckwoodEnv(coin.SPEC), campaign)
    with pytest.raises(OptionError, match="a campaign is played with a single environment"):
        begin(DeckwoodVectorEnv(door.SPEC, 2), campaign)
    with pytest.raises(OptionError, match="a campaign is for games of one player"):
        begin(DeckwoodAECEnv(pig.SPEC), campaign)


def test_the_vector_environment_plays_fresh_decks():
    envs = DeckwoodVectorEnv(door.SPEC, 3)
    envs.reset(seed=1)
    for _ in range(20):
        obs, *_ = envs.step(np.full(3, LEAVE))
        assert not obs.any()
