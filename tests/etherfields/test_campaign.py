"""An Ever-Changing Deck, a Persistent Dream: what outlasts a game, campaigns of several games in one episode, campaign files."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckwood.core.campaign import Campaign
from deckwood.core.errors import CampaignError, OptionError
from deckwood.core.game import Game
from deckwood.core.registry import GAMES
from deckwood.core.stream import below, draw, new_stream
from deckwood.etherfields.spec import SPEC
from deckwood.etherfields.state import BOSS_SIDE, HERO_SIDE, MAP_SIDE, NUM_SIDES
from tests.etherfields.scenario import Scenario, enemy, instant

FLIP = instant({"op": "flip_card"})
OF_THE_CAMPAIGN = {"games", "wins", "consoled", "payoff", "decisions"}
"""What a later game of a campaign has in another way than a first one."""


def differences(s: Any, fresh: Any) -> list[str]:
    """Fields of two positions that differ, but for those of the campaign."""
    names = [name for name in s.dtype.names if name not in OF_THE_CAMPAIGN]
    return [name for name in names if not np.array_equal(s[name], fresh[name])]


def death(**fields: Any) -> Scenario:
    """A game at the point of being lost: the engagement with an enemy of Damage 4."""
    return Scenario(**{"enemies": [enemy(damage=4)], **fields}).fight().do("roll")


def victory(**fields: Any) -> Scenario:
    """A game that has been won."""
    bosses = [{"a": {"health": 1, "damage": 0}, "b": {"health": 1, "damage": 0}}]
    s = Scenario(bosses=bosses, dice={"red": 1}, **fields).window().do("unique_1", "done").commit("red").roll("hit").hit("red_hit")
    return s.do("resolve", "done", "done")


# What is remembered


def test_flipped_cards_stay_flipped() -> None:
    """Cards that flip during play remain that way for future games."""
    s = Scenario(influence=[FLIP], hand=["Influence 0"], enemies=[enemy(damage=4)]).do("play_card_1").fight().do("roll", "resolve")
    assert s.ending == "died"
    memory = SPEC.memory(s.p)
    assert set(memory) == {"side"}
    assert np.flatnonzero(memory["side"]).tolist() == [27]
    again = Scenario(influence=[FLIP], remembered=memory)
    assert "Influence 0, turned" in again.pile("influence")
    assert "Influence 0" not in again.pile("influence")


def test_flipped_map_cards_stay_flipped() -> None:
    s = Scenario(influence=[instant({"op": "flip_map"})], hand=["Influence 0"], enemies=[enemy(damage=4)], at="3a", placed={3: (0, 1)})
    s.do("play_card_1").fight().do("roll", "resolve")
    assert np.flatnonzero(SPEC.memory(s.p)["side"]).tolist() == [MAP_SIDE + 3]


def test_banished_cards_come_back() -> None:
    """Banished cards are removed from the game; the next one is set up with all cards."""
    s = Scenario(influence=[instant({"op": "banish_card"}, {"op": "advance_ether"})], hand=["Influence 0"], games=2)
    s.do("play_card_1")
    assert s.where("Influence 0") == "influence banished"
    s.set_stats(1, None, None).fight().do("roll", "resolve")
    assert s.p["games"] == 1
    assert s.where("Influence 0") == "influence deck"


def test_a_fresh_deck() -> None:
    """For your first game, set each hero card to its non-lucid side and all other cards to their "A" sides."""
    assert not SPEC.encode_memory(None)["side"].any()


def test_a_side_that_does_not_exist() -> None:
    with pytest.raises(OptionError, match=r"found side 2 of .*; allowed: 0 for an A side, 1 for a B side"):
        Scenario(remembered={"side": [2] + [0] * (NUM_SIDES - 1)})


# Several games in one episode


def test_the_next_game_follows() -> None:
    s = death(games=2).do("resolve")
    assert (s.ending, s.phase) == (None, "Take actions")
    assert (s.p["games"], s.p["wins"]) == (1, 0)
    assert s.health == 4
    assert s.active == {}
    s.fight().do("roll", "resolve")
    assert s.ending == "campaign_over"
    assert s.p["games"] == 2


def test_a_game_lost_in_the_dream_is_followed_too() -> None:
    s = Scenario(influence=[instant({"op": "discard_map"})], hand=["Influence 0"], at="0a", games=2).do("play_card_1").draw("Map 0")
    assert (s.ending, s.phase) == (None, "Take actions")
    assert s.map == {"Map 0": (0, 0)}
    assert (s.p["games"], s.p["wins"]) == (1, 0)


def test_a_single_game_ends_by_its_own_name() -> None:
    assert death().do("resolve").ending == "died"
    assert victory().ending == "won"


def test_the_choices_come_again() -> None:
    """Setup: boss and hero are chosen for each game."""
    s = Scenario(games=2, boss="choose", hero="choose", enemies=[enemy(damage=4)]).do("boss_2", "hero_3").fight().do("roll", "resolve")
    assert s.phase == "Setup: choose a boss"
    s.do("boss_5")
    assert s.phase == "Setup: choose your hero"
    s.do("hero_1")
    assert s.hero == "Hero 0"


def test_the_deck_remembers_within_a_campaign() -> None:
    s = Scenario(influence=[FLIP], hand=["Influence 0"], enemies=[enemy(damage=4)], flip="engaged", games=2).do("play_card_1")
    s.fight().do("roll", "resolve")
    assert s.p["games"] == 1
    assert "Influence 0, turned" in s.pile("influence")
    assert s.hero == "Hero 0, lucid"
    assert s.p["side"][HERO_SIDE] == 1


def test_the_boss_has_flipped() -> None:
    s = victory(games=2)
    assert s.p["side"][BOSS_SIDE] == 1
    assert s.names["faces"][s.p["boss"]] == "Boss 0, turned"
    assert (s.p["games"], s.p["wins"]) == (1, 1)


def test_a_boss_that_can_no_longer_be_faced() -> None:
    """The boss that was asked for has flipped, and its other side requires cards that do not face up: the player chooses another."""
    bosses = [{"a": {"health": 1, "damage": 0}, "b": {"requires": ["Enemy 5, turned"]}}]
    s = Scenario(bosses=bosses, dice={"red": 1}, games=2).window().do("unique_1", "done").commit("red").roll("hit").hit("red_hit")
    s.do("resolve", "done", "done")
    assert s.phase == "Setup: choose a boss"
    assert s.legal == ["boss_2", "boss_3", "boss_4", "boss_5"]


def waiting_bosses(**fields: Any) -> Scenario:
    """Only the first boss can be faced, and it has been beaten; all others, and its other side, wait for a card that never flips."""
    waits: dict[str, Any] = {"requires": ["Enemy 5, turned"]}
    bosses = [{"a": {"health": 1, "damage": 0}, "b": waits}, *({"a": waits, "b": waits} for _ in range(4))]
    s = Scenario(bosses=bosses, dice={"red": 1}, **fields).window().do("unique_1", "done").commit("red").roll("hit").hit("red_hit")
    return s.do("resolve", "done", "done")


def test_a_campaign_in_which_no_boss_can_be_faced() -> None:
    """It is over: what is left of it cannot be played. Its payoff is the mean of all its games, none of which is won any more."""
    s = waiting_bosses(games=3)
    assert s.ending == "campaign_over"
    assert (s.p["games"], s.p["wins"]) == (1, 1)
    assert s.p["payoff"][0] == pytest.approx(1 / 3)


def test_no_game_begins_without_a_boss() -> None:
    memory = SPEC.memory(waiting_bosses().p)
    for boss, said in (("boss2", "Boss 2 can be faced only with"), ("choose", "no boss can be faced with these cards")):
        with pytest.raises(OptionError, match=said):
            waiting_bosses(boss=boss, remembered=memory)


@pytest.mark.parametrize("rank", [1, 3])
def test_the_next_table_is_a_fresh_one(rank: int) -> None:
    """The next game starts exactly like one that is set up with these sides."""
    fields: dict[str, Any] = {
        "influence": [FLIP, instant({"op": "flip_map"})],
        "enemies": [enemy(damage=4, effects=[{"op": "strategy_change", "count": -1}, {"op": "damage_cap", "count": 1}])],
        "flip": "engaged",
        "rank": rank,
        "games": 3,
        "reward": "progress",
    }
    s = Scenario(
        hand=["Influence 0", "Influence 1"], held=["Item 3"], dice={"green": 2, "yellow": 4, "red": 1}, ether="red", at="0a", **fields
    )
    while s.phase == "Banish an influence card":
        s.draw(max(s.chances))
    s.do("play_card_1", "play_card_1", "move", "exhaust_yellow", "done", "go_to_1", "explore", "exhaust_green")
    s.fight().commit("red").roll("crit").do("pick_red_crit", "target_1", "resolve")
    assert s.p["games"] == 1
    fresh = Scenario(remembered=SPEC.memory(s.p), **fields)
    assert differences(s.p, fresh.p) == []
    assert np.array_equal(s.game.observe(s.position), fresh.game.observe(fresh.position))
    assert s.p["side"].any()


def test_nothing_is_left_of_the_last_game() -> None:
    """... whatever counted in the last one: here each counter has something in it."""
    s = death(games=2, dice={"blue": 3}, banished={"red": 2}, placed={4: (2, 3)}, ether="blue", held=["Item 2"])
    used = {"doubled": 2, "extra_passes": 1, "falls": 3, "last_die": 4, "last_target": 1, "beaten": 4, "acted": 3, "used": 1, "due": 1,
            "paid": 2, "explored": 3, "set_health": 2, "extra_health": 1, "wounds": 0, "before": 2, "before_uncapped": 2, "applied_now": 1,
            "committed": 3, "committed_now": 1}  # fmt: skip
    for name, value in used.items():
        s.p[name] = value
    s.do("resolve")
    assert s.p["games"] == 1
    assert differences(s.p, Scenario(games=2, enemies=[enemy(damage=4)]).p) == []


def random_game(game: Game, seed: int, memory: Any = None) -> Any:
    """Random decisions from these sides on, until the first game of the campaign is over."""
    position, stream = game.new(memory), new_stream(seed)
    s = position[0]
    while s["games"] == 0:
        assert s["node"] != 2
        if s["node"] == 1:
            weights = game.chance(position)
            game.apply_chance(position, draw(stream, weights, len(weights)))
        else:
            legal = np.flatnonzero(game.legal(position))
            game.apply(position, int(legal[below(stream, len(legal))]))
    return s


@pytest.mark.parametrize("seed", range(6))
def test_the_next_table_after_random_games(seed: int) -> None:
    """... whatever has happened before, with the deck that ships."""
    game = Game(SPEC, hero="choose", boss="choose", rank=1 + seed % 5, games=2, reward=("win", "progress")[seed % 2])
    s = random_game(game, seed)
    assert differences(s, game.new(SPEC.memory(s))[0]) == []


def test_the_payoff_of_a_campaign() -> None:
    """It is the mean of the games': the share of those that were won."""
    s = victory(games=4)
    assert s.p["payoff"][0] == pytest.approx(1 / 4)
    s.set_stats(1, None, None).fight().do("roll", "resolve")
    assert s.p["payoff"][0] == pytest.approx(1 / 4)
    s.lay_dice(ready={"red": 1}).window().do("unique_1", "done").commit("red").roll("hit").hit("red_hit").do("resolve", "done", "done")
    assert s.p["payoff"][0] == pytest.approx(2 / 4)
    s.set_stats(1, None, None).fight().do("roll", "resolve")
    assert s.ending == "campaign_over"
    assert (s.p["wins"], s.p["games"]) == (2, 4)
    assert s.p["payoff"][0] == pytest.approx(2 / 4)


def test_progress_of_a_campaign() -> None:
    """What was earned in games that were lost counts, too; a game that was won counts 1, and no more."""
    s = Scenario(bosses=[{"a": {"health": 4, "damage": 6}}], games=2, reward="progress", at="0a", dice={"green": 1, "red": 1})
    s.do("explore", "exhaust_green")
    assert s.p["payoff"][0] == pytest.approx(1 / 72 / 2)
    s.stand("0c").window().do("unique_1", "done").commit("red").roll("crit").hit("red_crit").do("resolve")
    first = 1 / 72 + 1 / 8 + 1 / 8
    assert s.p["games"] == 1
    assert s.p["payoff"][0] == pytest.approx(first / 2)
    s.stand("0a").lay_dice(ready={"green": 1, "red": 1}).do("explore", "exhaust_green")
    assert s.p["payoff"][0] == pytest.approx((first + 1 / 72) / 2)
    s.set_stats(1, None, None).fight().do("roll", "resolve")
    assert s.p["payoff"][0] == pytest.approx((first + 1 / 72) / 2)


def test_progress_of_a_victory() -> None:
    assert victory(games=2, reward="progress").p["payoff"][0] == pytest.approx(1 / 2)


# Campaign files


def test_a_campaign_is_recorded(tmp_path: Path) -> None:
    """When storing the deck, its state is remembered: the file holds it, and the next game starts from it."""
    s = victory(flip="engaged")
    campaign = Campaign(s.game, path=tmp_path / "dream.json")
    changes = campaign.record(s.position)
    assert changes == ["Hero 0 is now Hero 0, lucid", "Boss 0 is now Boss 0, turned"]
    again = Campaign(s.game, path=tmp_path / "dream.json")
    assert again.games == again.wins == 1
    assert again.history[0].ended == "won"
    assert np.array_equal(again.remembered["side"], s.p["side"])
    assert json.loads((tmp_path / "dream.json").read_text())["env_id"] == SPEC.env_id
    position = s.game.new(again.remembered)
    assert s.names["faces"][position[0]["hero"]] == "Hero 0, lucid"
    assert s.names["faces"][position[0]["boss"]] == "Boss 0, turned"


def test_a_game_that_has_not_ended_is_not_recorded() -> None:
    s = Scenario()
    with pytest.raises(CampaignError, match="the game has not ended"):
        Campaign(s.game).record(s.position)


def test_a_campaign_whose_boss_cannot_be_faced(tmp_path: Path) -> None:
    bosses = [{"a": {"health": 1, "damage": 0}, "b": {"requires": ["Enemy 5, turned"]}}]
    s = Scenario(bosses=bosses, dice={"red": 1}).window().do("unique_1", "done").commit("red").roll("hit").hit("red_hit")
    s.do("resolve", "done", "done")
    campaign = Campaign(s.game, path=tmp_path / "dream.json")
    campaign.record(s.position)
    with pytest.raises(OptionError, match="Boss 0, turned can be faced only with Enemy 5, turned in play"):
        s.game.new(campaign.remembered)


def test_the_shipped_deck_round_trip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game at random, recorded, and loaded again by the name in the file."""
    monkeypatch.setitem(GAMES, SPEC.env_id, "deckwood.etherfields.spec:SPEC")
    game = Game(SPEC)
    position, stream = game.new(), new_stream(5)
    while position[0]["node"] != 2:
        game.advance(position, stream)
        if position[0]["node"] == 0:
            legal = np.flatnonzero(game.legal(position))
            game.apply(position, int(legal[below(stream, len(legal))]))
    campaign = Campaign(game, path=tmp_path / "dream.json")
    changes = campaign.record(position)
    assert len(changes) == int(position[0]["side"].sum())
    loaded = Campaign.load(tmp_path / "dream.json")
    assert loaded.holds({"side": position[0]["side"]})
    assert loaded.changes() == campaign.changes()
