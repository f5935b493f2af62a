"""Regret: exact, by hand and by a second way, and what evaluate.py says of it."""

import csv
import json
from types import SimpleNamespace

import numpy as np
import pytest

from deckwood.core.game import Game
from deckwood.core.spec import OPTIMAL_VALUE
from deckwood_agents.measuring.command import main
from deckwood_agents.measuring.evaluation import evaluate
from deckwood_agents.measuring.regret import are_small, exact_values, starts_of, summary
from deckwood_agents.players.network import NetworkAgent
from deckwood_agents.players.roster import make_agent
from deckwood_agents.players.uniform import RandomAgent
from tests.agents import ladder
from tests.dice_commit.scenario import OBJECTIVE, a_game, enemy, write_deck

ROLL, RECOVER_YELLOW = 75, 5


class Idle:
    """Rolls without committing a die, and recovers what it can."""

    name = "idle"
    pure = True

    def reset(self, seed):
        pass

    def act(self, obs, mask, positions):
        return np.array([next(a for a in (ROLL, RECOVER_YELLOW, *np.flatnonzero(row)) if row[a]) for row in mask])


class Secretive(Idle):
    """Nobody is told how it chooses."""

    pure = False


@pytest.fixture
def scarecrows(tmp_path):
    """A yellow die against a scarecrow, with Strategy 1 and 2: worth -6 * 4/6 and -6 * 4/9."""
    return a_game(tmp_path, {"Scarecrow": enemy(1, 1)}, strategy=[1, 2])


def test_starts_are_the_outcomes_of_the_first_chance_event(scarecrows):
    starts = starts_of(scarecrows)
    assert [start.name for start in starts] == [f"Scarecrow: 1y; Health 2, Strategy {k}, Recovery 1" for k in (1, 2)]
    assert [start.share for start in starts] == [0.5, 0.5]
    assert [start.optimal_value for start in starts] == pytest.approx([-4, -6 * 4 / 9])
    fixed = starts_of(Game(scarecrows.spec, deck=scarecrows.deck.source, fight=2))
    assert [(start.name, start.share) for start in fixed] == [("the start", 1.0)]
    assert fixed[0].position[0] == starts[1].position[0]


def test_games_that_do_not_tell_have_none(scarecrows):
    assert starts_of(Game(ladder.SPEC)) == []
    assert starts_of(Game(scarecrows.spec, deck=scarecrows.deck.source, solve=False)) == []


def test_the_regret_of_idleness_is_what_could_have_been_saved(scarecrows):
    starts = starts_of(scarecrows)
    exact = exact_values(scarecrows, Idle(), starts)
    assert exact.values.tolist() == [-6, -6]
    found = summary(starts, exact)
    assert found["exact"] == pytest.approx((2 + 6 - 6 * 4 / 9) / 2)
    assert found["share_of_range"] == pytest.approx(found["exact"] / (4 - 6 * 4 / 9))
    assert found["worst"] == pytest.approx(6 - 6 * 4 / 9)
    assert found["worst_start"] == starts[1].name


def test_a_random_agent_by_hand(scarecrows):
    """Half the time it commits nothing: -6. Else a hit (1/3) is applied half the time, and the die recovered half the time."""
    exact = exact_values(scarecrows, RandomAgent(), starts_of(scarecrows)[:1])
    assert exact.values[0] == pytest.approx(0.5 * -6 + 0.5 * (-6 * (1 - 1 / 6) - 0.5))


def test_what_is_drawn_is_what_is_followed(scarecrows):
    """The mean of sampled games lies within the interval round the exact value."""
    result = evaluate(scarecrows, [RandomAgent()], episodes=400, seed=2, exact=True).to_json()
    regret = result["agents"]["random"]["regret"]
    assert regret["sampled_ci"][0] < regret["exact"] < regret["sampled_ci"][1]


def test_chances_of_a_network_are_those_it_draws_with():
    class Fixed:
        device = "cpu"

        def get_distribution(self, obs, mask):
            import torch

            logits = torch.log(torch.tensor([[0.2, 0.3, 0.5]])).repeat(len(mask), 1)
            return SimpleNamespace(logits=torch.where(torch.as_tensor(mask) != 0, logits, -1e8))

    mask = np.array([[1, 1, 1], [1, 1, 0]], np.int8)
    agent = NetworkAgent("net", Fixed(), sample=True)
    assert not agent.pure
    assert NetworkAgent("net", Fixed()).pure
    assert agent.chances(np.zeros((2, 1), np.float32), mask) == pytest.approx(np.array([[0.2, 0.3, 0.5], [0.4, 0.6, 0.0]]))


def test_agents_of_which_nothing_is_known_are_only_sampled(scarecrows):
    assert exact_values(scarecrows, Secretive(), starts_of(scarecrows)) is None
    result = evaluate(scarecrows, [Secretive()], episodes=50, seed=2, exact=True).to_json()
    regret = result["agents"]["idle"]["regret"]
    assert regret["exact"] is None
    assert "worst" not in regret
    assert result["optimum"]["starts"][0]["values"] == {}


def test_what_is_too_large_is_only_sampled(scarecrows):
    starts = starts_of(scarecrows)
    assert are_small(scarecrows, starts)
    assert not are_small(scarecrows, starts, max_positions=10)


def test_the_sampled_regret_is_that_of_each_game(scarecrows):
    games = evaluate(scarecrows, [Idle()], episodes=40, seed=4).games[0]
    assert set(np.round(games.optimal, 6)) == {-4.0, round(-6 * 4 / 9, 6)}
    assert games.returns.tolist() == [-6.0] * 40
    assert evaluate(Game(ladder.SPEC), [RandomAgent()], episodes=4, seed=4).games[0].optimal is None


def test_the_command(tmp_path, capsys):
    deck = write_deck(tmp_path / "deck.toml", {"Scarecrow": enemy(1, 1, {"op": "crits_void"})}, OBJECTIVE, strategy=[1, 2])
    files = {flag: tmp_path / name for flag, name in (("--json", "r.json"), ("--csv", "r.csv"))}
    given = ["dice_commit", "--deck", str(deck), "--agents", "random", "greedy", "--episodes", "40", "--tier", "mine", "--effects"]
    assert main([*given, *(str(part) for pair in files.items() for part in pair)]) == 0
    out = capsys.readouterr().out
    for text in ("tier=mine, effects=True", "Regret against the optimum", "over 2 starts", "greedy loses most in Scarecrow: 1y"):
        assert text in out
    result = json.loads(files["--json"].read_text())
    # Greedy applies a crit, which deals nothing, where it could roll again: in one of two fights, 1/6 of the time, for 1/6 of 6.
    assert result["agents"]["greedy"]["regret"]["exact"] == pytest.approx(1 / 12)
    assert result["agents"]["random"]["regret"]["exact"] > 1
    rows = list(csv.DictReader(files["--csv"].read_text().splitlines()))
    assert {round(float(row[OPTIMAL_VALUE]), 6) for row in rows} == {round(-6 * 5 / 6, 6), round(-6 * (5 / 6) ** 2, 6)}


def test_a_flag_that_the_game_does_not_have(capsys):
    with pytest.raises(SystemExit):
        main(["ladder", "--tier", "small", "--episodes", "4"])
    assert "unrecognized arguments: --tier small" in capsys.readouterr().err


def test_flags_are_options(capsys):
    assert main(["ladder", "--wind", "2", "--agents", "random", "--episodes", "4"]) == 0
    assert "wind=2" in capsys.readouterr().out


@pytest.mark.slow
def test_the_expert_loses_less_than_greedy_and_greedy_less_than_chance():
    game = Game("deckwood/DiceCommit-v1", effects=True)
    starts = starts_of(game)
    shares = np.array([start.share for start in starts])
    optima = np.array([start.optimal_value for start in starts])
    regrets = []
    for name in ("expert", "greedy", "random"):
        exact = exact_values(game, make_agent(name, game.spec, game.deck), starts)
        assert (exact.values <= optima + 1e-9).all()
        regrets.append(float(shares @ (optima - exact.values)))
    assert regrets[0] < 1.5 < regrets[1] < 4 < regrets[2]
