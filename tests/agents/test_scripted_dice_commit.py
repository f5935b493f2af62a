"""DiceCommit's scripted players: what they do in plain fights, and that all they do is legal."""

import numpy as np
import pytest

from deckwood.core.batch import Batch
from deckwood.dice_commit.spec import SPEC
from deckwood_agents.players.roster import make_agent
from deckwood_agents.players.scripted import names
from tests.dice_commit.scenario import ENV_ID, Fight, a_game, enemy


def choice(name, s):
    """What a player does in a fight."""
    agent = make_agent(name, s.game.spec, s.game.deck)
    mask = s.game.legal(s.position)[None]
    return s.game.spec.actions[int(agent.act(np.zeros((1, 0), np.float32), mask, s.position)[0])].name


def test_dice_against_an_enemy_that_costs_more_than_they_do(tmp_path):
    s = Fight(a_game(tmp_path, {"Wolf": enemy(2, 2)}, dice=["1y1p"], strategy=[2], recovery=[2], health=[3]))
    assert choice("greedy", s) == "commit_yellow"
    assert choice("expert", s).startswith("commit_")


def test_the_expert_leaves_alone_what_costs_nothing(tmp_path):
    s = Fight(a_game(tmp_path, {"Snail": enemy(4, 0)}, dice=["2b2p"], strategy=[1]))
    assert choice("expert", s) == "roll"


def test_the_expert_reckons_in_the_objective(tmp_path):
    """A point of Health that is worth nothing is not fought for; with a reward of gold that is, it is."""
    worthless = {"health": 0, "ready": [1, 2, 3, 4, 5], "lost": -30}
    rich = {"health": 0, "gold": 5, "ready": [1, 2, 3, 4, 5], "lost": -30}
    cards = {"Miser": enemy(1, 1, reward=[{"op": "gain_gold", "count": 4}])}
    chosen = [choice("expert", Fight(a_game(tmp_path, cards, objective, dice=["2p"], health=[3]))) for objective in (worthless, rich)]
    assert chosen == ["roll", "commit_purple"]


def test_hits_are_applied_and_the_best_dice_recovered(tmp_path):
    s = Fight(a_game(tmp_path, {"Wolf": enemy(1, 1)}, dice=["1y1p"])).commit("yellow", "purple").roll("miss", "hit")
    for name in names(SPEC):
        assert choice(name, s) == "pick_purple_hit"
    s.do("pick_purple_hit")
    for name in names(SPEC):
        assert (s.phase, choice(name, s)) == ("Recover dice", "recover_purple")


@pytest.mark.parametrize("name", names(SPEC))
@pytest.mark.parametrize(("tier", "effects"), [("small", True), ("medium", True), ("full", False)])
def test_all_they_do_is_legal(name, tier, effects):
    batch = Batch(ENV_ID, 16, seed=5, tier=tier, effects=effects, solve=False)
    agent, finished = make_agent(name, batch.spec, batch.deck), 0
    for _ in range(80):
        batch.step(agent.act(batch.obs, batch.mask, batch.positions))
        finished += int(batch.terminated.sum())
    assert finished >= 16
