import json
import runpy
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from deckwood.core.batch import Batch
from deckwood.core.game import Game
from deckwood.core.uncompiled import uncompiled
from deckwood_agents.measuring.evaluation import play
from deckwood_agents.players.protocol import UnknownAgent
from deckwood_agents.players.roster import available, make_agent, quick
from deckwood_agents.players.search import BUDGET, MAX_BUDGET, SearchAgent, _content, _leads
from tests.agents import ladder
from tests.games import guess, hill, pig

DEVIATIONS = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "deviations.py"))


def searcher(game, *arguments, **named):
    return SearchAgent(game.spec, game.deck, *arguments, **named)


# Nobody sees the coin to come -------------------------------------------------------------------------------------------------------------


class Peeker(SearchAgent):
    """A search that cheats: its tries are played from the batch's own streams. It is told the slot in place of a seed."""

    def __init__(self, batch, budget):
        super().__init__(batch.spec, batch.deck, budget)
        self.batch = batch

    def reset(self, seed):
        self.slot = seed

    def keys(self, positions):
        b = self.batch._b
        return np.append(b.keys[self.slot, :3], b.episodes[self.slot])[None]  # what the driver makes the game's stream of


GUESSES = 2_000


def guesses(batch, agent):
    """Which games were won, and which side was named in each, (n,) int: every game by an agent with a seed of its own."""
    named = np.zeros(batch.num_envs, np.int64)
    for slot in range(batch.num_envs):
        agent.reset(slot)
        rows = slice(slot, slot + 1)
        named[slot] = agent.act(batch.obs[rows], batch.mask[rows], batch.positions[rows])[0]
    batch.step(named)
    return batch.reward.astype(np.int64), named


def looks_fair(won):
    """Within five standard deviations of half: chance would fail it once in two million times."""
    return abs(won.sum() - len(won) / 2) < 5 * np.sqrt(len(won)) / 2


@pytest.mark.parametrize("budget", [2, 16])
def test_a_search_guesses_half_of_the_coins(budget):
    batch = Batch(guess.SPEC, GUESSES, seed=1)
    won, named = guesses(batch, searcher(batch.game, budget))
    fell = np.where(won, named, 1 - named)
    assert looks_fair(won)
    assert looks_fair(named)  # it names either side as often
    assert abs(np.corrcoef(named, fell)[0, 1]) < 5 / np.sqrt(GUESSES)


def test_the_seed_of_the_game_does_not_help():
    won = []
    for seed in range(300):
        batch = Batch(guess.SPEC, 1, seed=seed)
        agent = searcher(batch.game, 2)
        agent.reset(seed)
        batch.step(agent.act(batch.obs, batch.mask, batch.positions))
        won.append(batch.reward[0])
    assert looks_fair(np.array(won))


def test_a_search_that_peeks_would_be_caught():
    batch = Batch(guess.SPEC, GUESSES, seed=1)
    won, _ = guesses(batch, Peeker(batch, 2))
    assert won.all()
    assert not looks_fair(won)


def test_a_loaded_coin_is_known_by_its_weights(tmp_path):
    file = tmp_path / "loaded.txt"
    file.write_text("1 9")
    batch = Batch(guess.SPEC, 50, seed=2, deck=file)
    _, named = guesses(batch, searcher(batch.game, 200))
    assert (named == 1).all()


# What it chooses --------------------------------------------------------------------------------------------------------------------------


def turn(game, mine, other, points):
    """Seat 0 of Pig with ``points`` in its turn."""
    position = game.new()
    position["scores"], position["turn"] = [mine, other], points
    return position


def choice(agent, game, position):
    mask = game.legal(position)[None]
    return game.spec.actions[int(agent.act(game.observe(position)[None], mask, position)[0])].name


def test_pig_is_held_and_rolled_as_is_known():
    game = Game(pig.SPEC, target=100)
    agent = searcher(game, 4_000)
    assert choice(agent, game, turn(game, 90, 50, 10)) == "hold"  # it wins
    assert choice(agent, game, turn(game, 0, 99, 3)) == "roll"  # the other is about to win
    assert choice(agent, game, turn(game, 30, 30, 4)) == "roll"
    assert choice(agent, game, turn(game, 30, 30, 32)) == "hold"


def test_a_sure_win_is_found():
    # Hill's expert would push on; one step is banked already, the other is on top if banked now.
    game = Game(hill.SPEC, num_players=2, top=2)
    position = game.new()
    position["height"][0, 0], position["climb"] = 1, 1
    assert choice(searcher(game, 64), game, position) == "bank"


def test_it_climbs_as_far_as_it_can_where_its_player_would_dawdle(monkeypatch):
    names = sys.modules["deckwood_agents.players.scripted.ladder.policy"]
    monkeypatch.setattr(names, "expert", names.greedy)
    game = Game(ladder.SPEC)
    position = game.new()
    position["turns"], position["die"], position["node"] = 7, 4, 0  # the last turn: what it climbs is all that it is paid for
    assert choice(make_agent("expert", game.spec, game.deck), game, position) == "climb_1"
    assert choice(searcher(game, 64), game, position) == "climb_4"
    dawdling, searching = (
        play(agent, game, episodes=60, seed=3) for agent in (make_agent("expert", game.spec, game.deck), searcher(game, 64))
    )
    assert dawdling.won.sum() == 0
    assert searching.returns.mean() > dawdling.returns.mean() + 0.3


def test_all_that_tries_came_to(monkeypatch):
    """On the last turn a climb of n rungs is paid n of the height at once, whatever the luck; a longer one is paid more."""
    game = Game(ladder.SPEC)
    position = game.new()
    position["turns"], position["die"], position["node"] = 7, 4, 0
    mask = game.legal(position)[None]
    values = searcher(game, 16).tries(mask, position, 8)
    assert values.shape == (1, len(game.spec.actions), 8)
    assert np.isnan(values[0][mask[0] == 0]).all()
    legal = np.flatnonzero(mask[0])
    for action in legal:
        after = position.copy()
        game.apply(after, int(action))
        assert (values[0, action] == after["payoff"][0, 0]).all()
    assert (np.diff(values[0, legal, 0]) > 0).all()
    with pytest.raises(ValueError, match=r"a search with a budget of 16 keeps 8 tries of an action, not 9"):
        searcher(game, 16).tries(mask, position, 9)


def test_a_lead_is_measured_in_standard_errors():
    scratch = searcher(Game(guess.SPEC), 8)._scratch()
    scratch.values[:2, :4] = [[0, 1, 0, 1], [1, 1, 0, 1]]
    # Differences 1, 0, 0, 0 and, imagined, 1 and -1: mean 1/6, variance (1/2 - 1/36) / 6 = 17/216; the lead is 0.594 standard errors.
    assert _leads(1, 0, 4, 0.59, scratch)
    assert not _leads(1, 0, 4, 0.60, scratch)
    assert not _leads(0, 1, 4, 0.0, scratch)
    scratch.values[1, :4] = scratch.values[0, :4]
    assert not _leads(1, 0, 4, 0.0, scratch)


def test_luck_alone_does_not_overrule_an_expert():
    """Ladder's expert is right everywhere. Sixteen tries say otherwise here and there, never by the least lead that a search asks for."""
    batch = Batch(ladder.SPEC, 40, seed=4)
    for _ in range(4):
        batch.step(batch.random_actions())
    expert = make_agent("expert", batch.spec, batch.deck)
    overruled = {
        name: int((agent.act(batch.obs, batch.mask, batch.positions) != expert.act(batch.obs, batch.mask, batch.positions)).sum())
        for name, agent in (("by default", searcher(batch.game, 16)), ("by any lead", searcher(batch.game, 16, min_lead=0.0)))
    }
    assert overruled == {"by default": 0, "by any lead": 8}


def test_two_tries_that_agree_prove_nothing():
    scratch = searcher(Game(guess.SPEC), 16)._scratch()
    scratch.values[0, :8], scratch.values[1, :8] = 0, 1
    # By hand: n ahead by 1 of n, and 1 and -1: mean n / (n + 2), variance 1 - mean^2 over n + 2.
    assert not _leads(1, 0, 2, 1.5, scratch)  # 1/2 by sqrt(3/4 / 4) = 0.433: 1.155
    assert _leads(1, 0, 8, 3.0, scratch)  # 4/5 by sqrt(9/25 / 10) = 0.190: 4.2


# How it behaves ---------------------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def opening():
    return Game(pig.SPEC, target=40)


def test_the_same_position_has_the_same_answer_in_any_batch(opening):
    batch = Batch(opening, 24, seed=3)
    for _ in range(5):
        batch.step(batch.random_actions())
    agent = searcher(opening, 8)

    def answers(rows):
        agent.reset(6)
        return agent.act(batch.obs[rows], batch.mask[rows], batch.positions[rows]).tolist()

    everywhere = answers(np.arange(24))
    assert everywhere == answers(np.arange(24)) == [answers([row])[0] for row in range(24)]
    agent.reset(7)
    others = [searcher(opening, 8) for _ in range(8)]
    for seed, other in enumerate(others):
        other.reset(seed)
    assert len({tuple(other.act(batch.obs, batch.mask, batch.positions)) for other in others}) > 1


def test_positions_and_masks_are_left_alone(opening):
    batch = Batch(opening, 16, seed=4)
    before, mask = batch.save(), batch.mask.copy()
    searcher(opening, 16).act(batch.obs, batch.mask, batch.positions)
    assert batch.save() == before
    assert np.array_equal(batch.mask, mask)


def test_bytes_between_fields_do_not_count(opening):
    agent = searcher(opening, 4)
    record = np.zeros(1, opening.spec.dtype).view(np.recarray)
    between = np.setdiff1d(np.arange(opening.spec.dtype.itemsize), _content(opening.spec.dtype))
    assert between.size  # the payoff is aligned
    twin = record.copy()
    twin.view(np.ndarray).view(np.uint8)[between] = 7
    assert np.array_equal(agent.keys(record), agent.keys(twin))
    twin["turn"] = 1
    assert not np.array_equal(agent.keys(record), agent.keys(twin))


@pytest.mark.parametrize("budget", [1, 3, 10, 100])
def test_it_keeps_to_its_budget(budget):
    game = Game(hill.SPEC, num_players=2)
    batch = Batch(game, 50, seed=2)
    agent = searcher(game, budget)
    tries = count_tries(agent)
    agent.act(batch.obs, batch.mask, batch.positions)
    assert 0 < tries() <= 50 * max(budget, 2)  # each of two actions is tried once at least


def count_tries(agent):
    scratch = agent._scratch()
    scratch.values[:] = np.nan
    agent._scratch = lambda: scratch
    return lambda: int((~np.isnan(scratch.values)).sum())


@pytest.mark.parametrize(
    ("env_id", "options"), [("deckwood/Tanglewoods-v1", {}), ("deckwood/Etherfields-v1", {}), ("deckwood/LostWoods-v1", {"num_players": 3})]
)
def test_it_plays_every_game(env_id, options):
    game = Game(env_id, **options)
    batch = Batch(game, 1, seed=1)
    agent = make_agent("search:1", game.spec, game.deck)
    agent._search = uncompiled(agent._search)
    for _ in range(8):  # the batch raises for an illegal action
        positions = batch.positions.copy()
        positions["decisions"] = game.spec.longest_game - 10  # every try is cut after ten decisions
        batch.step(agent.act(batch.obs, batch.mask, positions))


def test_threads_may_ask_at_once(opening):
    """They wrote on one record, and chose wrongly."""
    batch = Batch(opening, 40, seed=3)
    for _ in range(4):
        batch.step(batch.random_actions())
    agent = searcher(opening, 8)
    wanted, found = agent.act(batch.obs, batch.mask, batch.positions).tolist(), []

    def ask():
        found.extend(agent.act(batch.obs, batch.mask, batch.positions).tolist() for _ in range(5))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [wanted] * 20
    assert agent._scratch().values is not agent._scratch().values


def test_masks_that_are_not_the_positions_are_refused(opening):
    """What the rules forbid must not be tried: they check no bounds."""
    batch = Batch(opening, 3, seed=3)
    agent = searcher(opening, 8)
    forbids = batch.positions.copy()
    forbids["turn"][1] = 0  # nothing to hold
    over = batch.positions.copy()
    over["node"][2] = 2
    everything = np.ones_like(batch.mask)
    for positions, mask, row in ((forbids, everything, 1), (over, batch.mask, 2), (batch.positions, everything * [[1], [0], [1]], 1)):
        for ask in (lambda m, p: agent.act(batch.obs, m, p), lambda m, p: agent.tries(m, p, 2)):
            with pytest.raises(ValueError, match=f"the mask in row {row} allows no action, or one that the rules forbid there"):
                ask(mask.astype(np.int8), positions)
    with pytest.raises(ValueError, match="3 positions have masks of shape"):
        agent.act(batch.obs, batch.mask[:2], batch.positions)
    with pytest.raises(TypeError, match="positions must be records of test/Pig-v0"):
        agent.act(batch.obs, batch.mask, np.zeros(3))


def test_it_is_asked_for_by_name():
    game = Game(ladder.SPEC)
    assert make_agent("search", game.spec, game.deck).name == "search"
    assert make_agent(f"search:{BUDGET}", game.spec, game.deck).name == "search"
    assert make_agent("search:5", game.spec, game.deck).name == "search:5"
    assert available(game.spec) == [*quick(game.spec), "search"]
    for text in ("search:", "search:0", "search:many", "search:-3", "search:2.5", f"search:{MAX_BUDGET + 1}"):
        with pytest.raises(UnknownAgent, match=f"{text}: the budget is .* a whole number from 1 to {MAX_BUDGET}"):
            make_agent(text, game.spec, game.deck)
    with pytest.raises(ValueError, match="budget"):
        searcher(game, 0)


def test_a_gain_is_measured_by_tries_that_did_not_choose():
    """By hand: the second action looks best in the first half and is worse in the second; in the second half the third looks best."""
    values = np.array([[0.0, 0, 0, 0], [1, 1, -1, -1], [0, 0, 2, 0]])
    gain, loss = DEVIATIONS["gains"](values, 0)
    assert gain == (-1 + 0) / 2
    assert loss == -(0 + 0.5) / 2


def test_an_expert_who_climbs_as_far_as_it_can_is_not_improved_on(tmp_path):
    file = tmp_path / "deviations.json"
    assert DEVIATIONS["main"](["ladder", "--positions", "12", "--tries", "8", "--json", str(file)]) == 0
    (phase, every) = json.loads(file.read_text())
    assert (every["phase"], every["positions"], phase["positions"]) == ("all", 12, 12)
    low, high = every["gain_ci"]
    assert low < 0 < high
    assert every["loss"] > high


def test_one_position_has_no_interval():
    found = [{"phase": phase, "actions": 2, "gain": gain, "loss": 0.5} for phase, gain in (("a", 1.0), ("b", 0.0), ("b", 0.5))]
    rows = {row["phase"]: (row["positions"], row["gain"], row["gain_ci"] is None) for row in DEVIATIONS["summary"](found)}
    assert rows == {"b": (2, 0.25, False), "a": (1, 1.0, True), "all": (3, 0.5, False)}
