"""The agent that plays engagements by exact values, and the model of the chance to win behind it."""

import json

import numpy as np
import pytest

from deckwood.core.batch import Batch
from deckwood.core.game import Game
from deckwood.core.jit import COMPILED
from deckwood_agents.players import roster as agents
from deckwood_agents.players.prospects import model
from deckwood_agents.players.prospects.strong import ABOVE, BANISHED, GOLD, READY, STAT, STRONG_NAMES
from deckwood_agents.players.roster import available, make_agent
from deckwood_agents.players.solver import SolverAgent, bytes_of_fields
from deckwood_agents.studies import prospects as fit
from tests.games import coin

GAMES = ("tanglewoods", "etherfields")
IDS = {"tanglewoods": "deckwood/Tanglewoods-v1", "etherfields": "deckwood/Etherfields-v1"}


@pytest.fixture(params=GAMES)
def game(request):
    return Game(IDS[request.param])


def plays(agent, game, games, steps, seed=1):
    """The actions of an agent in several games side by side; the batch raises for an illegal one."""
    batch = Batch(game, games, seed=seed)
    agent.reset(seed)
    actions = []
    for _ in range(steps):
        before = batch.positions.tobytes()
        actions.append(agent.act(batch.obs, batch.mask, batch.positions))
        assert batch.positions.tobytes() == before
        batch.step(actions[-1])
    return np.array(actions)


@pytest.mark.skipif(not COMPILED, reason="hundreds of engagements take minutes uncompiled")
def test_it_plays_legally_and_alike_every_time(game):
    agent = make_agent("solver", game.spec, game.deck)
    steps = 340 if game.spec.name == "Tanglewoods" else 500  # the boss comes late
    first = plays(agent, game, 3, steps)
    assert agent.solved > 1
    assert agent.battles
    assert (plays(agent, game, 3, steps) == first).all()
    alone = plays(make_agent("solver", game.spec, game.deck), game, 1, steps)  # slot 0 has the same seed
    assert (alone[:, 0] == first[:, 0]).all()


@pytest.mark.skipif(not COMPILED, reason="hundreds of engagements take minutes uncompiled")
def test_with_a_small_budget_dice_are_left_out():
    game = Game(IDS["etherfields"])
    agent = SolverAgent(game.spec, game.deck, budget=3_000)
    plays(agent, game, 2, 700)
    tables = [engagement.tables for engagement in agent.kept.values() if engagement]
    assert any(t.rules.held.any() for t in tables)
    for t in tables:
        assert (t.rules.held >= 0).all()


def test_it_is_offered_where_a_model_ships():
    for name in GAMES:
        assert "solver" in available(Game(IDS[name]).spec)
    assert "solver" not in available(coin.SPEC)
    with pytest.raises(agents.UnknownAgent, match="'solver'"):
        make_agent("solver", coin.SPEC, Game(coin.SPEC).deck)


@pytest.mark.parametrize("name", GAMES)
def test_models_are_over_the_features_of_this_version(name):
    spec = Game(IDS[name]).spec
    prospects = model.load(spec)
    module = model.module_of(name)
    assert prospects.weights.shape == (len(module.PHASES), 1 + len(module.NAMES))
    dice = prospects.weights[:, 1 + READY : 1 + READY + 5]
    assert (dice >= fit.MIN_DIE - 1e-9).all()
    assert (prospects.weights[:, 1 + STAT : 1 + BANISHED] >= 0).all()
    assert (prospects.weights[:, 1 + BANISHED] <= 0).all()


def test_a_model_of_other_features_is_refused(tmp_path, monkeypatch):
    spec = Game(IDS["tanglewoods"]).spec
    data = json.loads(model.path_of("tanglewoods").read_text())
    del data["phases"]["cabin"]["gold"]
    (tmp_path / "tanglewoods.json").write_text(json.dumps(data))
    monkeypatch.setattr(model, "PROSPECTS", tmp_path)
    model.weights_of.cache_clear()
    with pytest.raises(model.NoProspects, match=r"tanglewoods\.json: phase 'cabin'"):
        model.load(spec)
    (tmp_path / "tanglewoods.json").unlink()
    with pytest.raises(model.NoProspects, match=r"studies\.prospects tanglewoods"):
        model.load(spec)
    model.weights_of.cache_clear()


def test_features_of_a_first_position():
    game = Game(IDS["tanglewoods"], hero="piper", side="front")
    position = game.new()
    prospects = model.Prospects(game.spec, np.zeros((2, 1 + len(model.module_of("tanglewoods").NAMES))))
    rows, phases = prospects.features(position, game.deck.tables)
    assert phases.tolist() == [0]
    row = dict(zip(model.module_of("tanglewoods").NAMES, rows[0], strict=True))
    assert [row[f"ready {c} dice"] for c in ("yellow", "green", "blue", "purple", "red")] == [3, 3, 3, 3, 0]
    assert [row[f"ready dice above {n}"] for n in (4, 8, 11, 14)] == [8, 4, 1, 0]
    assert [row[f"health {n} or more"] for n in range(2, 7)] == [1, 1, 0, 0, 0]  # Piper: Health 3
    assert (row["gold"], row["gold, up to 4"], row["banished dice"]) == (10, 4, 5)  # 20 - (3 + 3 + 4); one of each colour is banished
    assert row["boss Health left"] == 0
    assert prospects.chances(position, game.deck.tables).tolist() == [0.5]  # no weights: even odds


def test_the_fit_finds_the_weights_that_made_the_data():
    rng = np.random.default_rng(3)
    rows = rng.integers(0, 5, (40_000, 3)).astype(float)
    true = np.array([-1.0, 0.5, 0.0, -0.8])
    odds = true[0] + rows @ true[1:]
    won = rng.random(len(rows)) < 1 / (1 + np.exp(-odds))
    found = fit.fit(np.column_stack([rows, np.ones(len(rows))]), won, np.array([1, 0, -1, 0]))
    assert np.abs(found[:4] - true).max() < 0.06
    assert found[4] == 0.0  # a feature that never varies
    forced = fit.fit(rows, won, np.array([-1, 0, 1]))  # against the data: as near as the signs allow
    assert (forced[1], forced[3]) == (0.0, 0.0)


def test_signs():
    signs = fit.signs_of((*STRONG_NAMES, "boss Health left", "boss Health left, up to 5", "dice on enemies"))
    assert signs[:STAT].tolist() == [1] * ABOVE + [0] * (STAT - ABOVE)  # more dice may count less than the first ones
    assert signs[STAT : BANISHED + 1].tolist() == [1] * (BANISHED - STAT) + [-1]
    assert signs[BANISHED + 1 :].tolist() == [1, -1, -1, 0]
    assert signs[READY] == signs[GOLD] == 1


def test_bytes_between_fields_do_not_count():
    dtype = np.dtype([("a", np.int8), ("b", np.int32), ("c", np.int16, (2,))], align=True)
    assert bytes_of_fields(dtype, ("c",)).tolist() == [True, False, False, False, True, True, True, True, False, False, False, False]
