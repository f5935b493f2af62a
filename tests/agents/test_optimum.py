"""``optimum`` plays small games as well as they can be played."""

import numpy as np
import pytest

from deckwood.core.batch import Batch
from deckwood.core.game import Game
from deckwood.solver import TooLarge
from deckwood_agents.measuring.regret import exact_values, starts_of, summary
from deckwood_agents.players.protocol import UnknownAgent
from deckwood_agents.players.roster import available, make_agent
from tests.agents import ladder
from tests.dice_commit.scenario import a_game, enemy

COMMIT_YELLOW, ROLL = 0, 75


@pytest.fixture
def scarecrows(tmp_path):
    """A yellow die against a scarecrow, with Strategy 1 and 2: worth -6 * 4/6 and -6 * 4/9."""
    return a_game(tmp_path, {"Scarecrow": enemy(1, 1)}, strategy=[1, 2])


def test_it_has_no_regret(scarecrows):
    starts = starts_of(scarecrows)
    agent = make_agent("optimum", scarecrows.spec, scarecrows.deck)
    found = summary(starts, exact_values(scarecrows, agent, starts))
    assert found["exact"] == pytest.approx(0, abs=1e-12)
    assert found["worst"] == pytest.approx(0, abs=1e-12)


def test_what_its_actions_lose_by_hand(scarecrows):
    """Nothing committed costs 6. With Strategy 1 the die hits in 2 of 6 cases; with Strategy 2 in one of two rolls, 5 of 9."""
    agent = make_agent("optimum", scarecrows.spec, scarecrows.deck)
    batch = Batch(scarecrows, 16, seed=1)
    losses = agent.losses(batch.obs, batch.mask, batch.positions)
    strategy = batch.positions.stats[:, 1]
    assert set(strategy) == {1, 2}
    assert (losses[:, COMMIT_YELLOW] == 0).all()
    # With Strategy 2 the die can still be committed before the second roll, which then is worth what the one roll of Strategy 1 is.
    assert losses[:, ROLL] == pytest.approx(np.where(strategy == 1, 6 / 3, 6 * (5 / 9 - 1 / 3)))
    assert np.isnan(losses[batch.mask == 0]).all()
    assert agent.act(batch.obs, batch.mask, batch.positions).tolist() == [COMMIT_YELLOW] * 16


def test_where_too_much_can_follow_it_says_so():
    game = Game("deckwood/DiceCommit-v1", tier="full", solve=False)
    batch = Batch(game, 1, seed=1)
    with pytest.raises(TooLarge, match=r"DiceCommit-v1 at .*: 500,001 positions and more"):
        make_agent("optimum", game.spec, game.deck).act(batch.obs, batch.mask, batch.positions)


def test_it_is_offered_where_a_game_tells_its_optimum(scarecrows):
    assert "optimum" in available(scarecrows.spec)
    assert "optimum" not in available(ladder.SPEC)
    with pytest.raises(UnknownAgent, match=r"unknown agent 'optimum' \(known for Ladder: random, greedy, expert, search, "):
        make_agent("optimum", ladder.SPEC, Game(ladder.SPEC).deck)
