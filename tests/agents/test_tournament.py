import csv
import json
from itertools import product

import choix
import numpy as np
import pytest

from deckwood.core.batch import Batch
from deckwood.core.game import Game
from deckwood_agents.games import NOBODY, WrongPlayers, players_option, winner
from deckwood_agents.measuring.command import main
from deckwood_agents.measuring.ratings import ELO, luce, outcomes, ratings
from deckwood_agents.measuring.statistics import bootstrap_mean, wilson, wilson_clustered
from deckwood_agents.measuring.tournament import Tables, Tournament, alone, lineups, play, rotations, tournament, whole_turns
from deckwood_agents.players.roster import make_agent
from deckwood_agents.players.uniform import RandomAgent
from deckwood_agents.seeds import Seeds
from tests.agents import ladder
from tests.games import hill, pig


def agents(game, *names):
    return [make_agent(name, game.spec, game.deck) for name in names]


def without_speeds(result):
    for row in result["agents"].values():
        row.pop("decisions_per_second")
    return result


# Who won ---------------------------------------------------------------------------------------------------------------------------------


def test_who_won():
    returns = np.array(
        [
            [-0.5, 1.0, -0.5, 0.0],  # seat 1, of three
            [-1.0, -2.0, -1.5, 0.0],  # seat 0: the empty fourth seat is not paid most
            [1.0, -0.5, -0.5, 0.0],  # cut
            [0.5, 0.5, -1.0, 0.0],  # two were paid most
            [0.1, 0.2, 0.3, 9.0],  # seat 2 of three
        ]
    )
    assert winner(np.array([1, 2, 0, 1, 1]), returns, players=3).tolist() == [1, 0, NOBODY, NOBODY, 2]
    assert winner(np.array([1]), returns[4:], players=4).tolist() == [3]


def test_how_many_play():
    assert players_option(hill.SPEC, 4) == {"num_players": 4}
    assert players_option(pig.SPEC, 2) == {}
    assert Game(hill.SPEC, num_players=2).spec.players(Game(hill.SPEC, num_players=2).options) == 2
    assert pig.SPEC.players(Game(pig.SPEC).options) == 2
    with pytest.raises(WrongPlayers, match="Hill has 2 to 4 seats: it cannot be played by 5"):
        players_option(hill.SPEC, 5)
    with pytest.raises(WrongPlayers, match="Pig has 2 to 2 seats"):
        players_option(pig.SPEC, 3)
    with pytest.raises(WrongPlayers, match="Ladder is played alone"):
        players_option(ladder.SPEC, 2)


# Who sits where --------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "players"), list(product(range(1, 7), range(2, 7))))
def test_every_agent_has_every_chair_equally_often_on_every_seed(count, players):
    chairs = np.zeros((3, count, players), int)
    for lineup in lineups(count, players):
        assert len(lineup) == players
        for seating in rotations(lineup, 3, np.random.default_rng(1)):
            for seed, seat in product(range(3), range(players)):
                chairs[seed, seating[seed, seat], seat] += 1
    assert (chairs == chairs[0, 0, 0]).all()
    assert chairs[0, 0, 0] > 0


def test_line_ups():
    assert lineups(4, 4) == [(0, 1, 2, 3)]
    assert lineups(2, 4) == [(0, 1, 0, 1)]
    assert lineups(3, 4) == [(0, 1, 2, 0), (0, 1, 2, 1), (0, 1, 2, 2)]
    assert lineups(3, 2) == [(0, 1), (0, 2), (1, 2)]


def test_one_alone():
    assert alone(5, 2, 4, 3).tolist() == [[5, 2, 2], [2, 5, 2], [2, 2, 5], [5, 2, 2]]
    assert [whole_turns(games, 4) for games in (1, 8, 9, 12)] == [8, 8, 12, 12]


# Games -----------------------------------------------------------------------------------------------------------------------------------


def test_games_are_those_of_a_batch_that_steps_all_its_slots():
    """The second method: a plain loop in which every slot plays on and what is beyond its quota is dropped."""
    game = Game(hill.SPEC, num_players=3)
    players = agents(game, "greedy", "expert")
    seating = np.random.default_rng(3).integers(2, size=(13, 3))
    tables = play(players, seating, game, seed=8, num_envs=5)
    batch, current = Batch(game, 5, seed=8), np.arange(5)
    found = {}
    while len(found) < 13:
        chosen = [player.act(batch.obs, batch.mask, batch.positions) for player in players]
        who = [int(seating[min(current[slot], 12), batch.actor[slot]]) for slot in range(5)]
        batch.step(np.array([chosen[agent][slot] for slot, agent in enumerate(who)]))
        for slot in np.flatnonzero(batch.terminated | batch.truncated):
            if current[slot] < 13:
                found[int(current[slot])] = (batch.episode_return[slot, :3].tolist(), batch.episode_length[slot], batch.ended[slot])
            current[slot] += 5
    for i in range(13):
        assert (tables.returns[i].tolist(), tables.lengths[i], tables.ended[i]) == found[i]
    assert tables.winner.tolist() == tables.returns.argmax(axis=1).tolist()
    assert tables.won.sum(axis=1).tolist() == [1] * 13


def test_games_that_are_cut_have_no_winner():
    game = Game(hill.SPEC, rounds=1, top=20)
    tables = play(agents(game, "greedy"), np.zeros((6, 3), np.int64), game, seed=1)
    assert (tables.winner == NOBODY).all()
    assert not tables.won.any()
    result = tournament(game, agents(game, "greedy", "random"), episodes=12, seed=1).to_json()
    assert result["without_winner"] == result["endings"]["truncated"] == result["episodes"]
    assert result["agents"]["greedy"]["win_rate"] == 0
    assert result["ratings"]["greedy"]["rating"] == 0


# Numbers ---------------------------------------------------------------------------------------------------------------------------------


def made(seating, winning, returns=None):
    """A tournament of Hill for two whose games came out like this: (passes, seeds, 2) and (passes, seeds)."""
    game = Game(hill.SPEC, num_players=2)
    seating, winning = np.array(seating), np.array(winning)
    won = np.where(winning[..., None] == np.arange(2), 1.0, -1.0)
    returns = won if returns is None else np.array(returns)
    blank = np.zeros(winning.shape[1], np.int64)
    zero = np.zeros(2, np.int64)
    field = tuple(Tables(s, r, blank, blank + 1, w, zero, zero * 0.0) for s, r, w in zip(seating, returns, winning, strict=True))
    return Tournament(game, 1, ("a", "b"), field, (), {})


def test_the_games_of_one_seed_are_one_observation():
    """Two seats changed over three seeds, by hand: a wins both games of the first seed, one of the second, none of the third."""
    result = made([[[0, 1]] * 3, [[1, 0]] * 3], [[0, 0, 1], [1, 0, 0]])
    assert result.by_seed("a", result.won).tolist() == [1.0, 0.5, 0.0]
    assert result.by_seed("b", result.returns).tolist() == [-1.0, 0.0, 1.0]
    summary = result.summary("a")
    assert (summary["win_rate"], summary["mean_return"], summary["chairs"]) == (0.5, 0.0, 6)
    assert tuple(summary["win_rate_ci"]) == wilson_clustered([1.0, 0.5, 0.0])
    assert [row["win_rate"] for row in result.seats()] == pytest.approx([4 / 6, 2 / 6])
    paired = result.paired()[0]
    assert (paired["agent"], paired["against"], paired["win_rate_difference"]) == ("b", "a", 0.0)
    assert tuple(paired["win_rate_difference_ci"]) == bootstrap_mean([-1.0, 0.0, 1.0], np.random.default_rng([1, 0xB007]))


def test_paired_differences_are_the_second_less_the_first():
    """The first agent wins both games of two seeds and one of the third, and is paid 3 for a win."""
    seating, winning = [[[0, 1]] * 3, [[1, 0]] * 3], [[0, 0, 1], [1, 1, 1]]
    returns = np.where(np.array(winning)[..., None] == np.arange(2), 3.0, 0.0)
    result = made(seating, winning, returns)
    (paired,) = result.paired()
    assert (paired["agent"], paired["against"]) == ("b", "a")
    assert (paired["win_rate_difference"], paired["mean_return_difference"]) == pytest.approx((-2 / 3, -2))
    assert tuple(paired["win_rate_difference_ci"]) == bootstrap_mean([-1.0, -1.0, 0.0], np.random.default_rng([1, 0xB007]))
    assert tuple(paired["mean_return_difference_ci"]) == bootstrap_mean([-3.0, -3.0, 0.0], np.random.default_rng([1, 0xB007]))


def test_seeds_that_decide_everything_make_the_interval_wider():
    """Where the seed alone says which agent wins, a game more on it tells nothing: Wilson over games would be too sure."""
    wins = np.random.default_rng(2).integers(2, size=200)
    result = made([[[0, 1]] * 200, [[1, 0]] * 200], [wins, 1 - wins])
    low, high = result.summary("a")["win_rate_ci"]
    naive = wilson(int((wins == 0).sum()) * 2, 400)
    assert (high - low) / (naive.high - naive.low) == pytest.approx(np.sqrt(2), rel=0.08)


def test_where_the_seat_decides_everything_agents_are_alike():
    result = made([[[0, 1]] * 5, [[1, 0]] * 5], [[0] * 5, [0] * 5])
    assert result.summary("a")["win_rate_ci"] == result.summary("b")["win_rate_ci"] == pytest.approx(wilson(15, 30))
    assert [row["win_rate"] for row in result.seats()] == [1.0, 0.0]


def test_outcomes_are_counted():
    seating = np.array([[[0, 1, 1], [1, 0, 1]], [[1, 1, 0], [1, 0, 1]]])
    found = outcomes(seating, np.array([[0, 1], [0, NOBODY]]), 2)
    assert found.seats.tolist() == [[1, 2], [1, 2]]
    assert found.winner.tolist() == [0, 1]
    assert found.counts.tolist() == [[1, 1], [1, 0]]  # on the first seed each won once; on the second agent 0 won and nobody did


def test_ratings_of_two():
    """Three wins to one are odds of three: 400 log10(3) = 190.8 points apart."""
    strengths = luce(np.array([[1, 1], [1, 1]]), np.array([0, 1]), np.array([30_000, 10_000]))
    assert ELO * (strengths[0] - strengths[1]) == pytest.approx(400 * np.log10(3), abs=0.01)
    assert strengths.sum() == pytest.approx(0)


def test_an_agent_that_sits_twice_wins_twice_as_often_and_is_not_stronger():
    strengths = luce(np.array([[2, 1], [2, 1]]), np.array([0, 1]), np.array([20_000, 10_000]))
    assert strengths == pytest.approx([0, 0], abs=1e-5)


def test_ratings_are_those_of_choix_game_by_game():
    rng = np.random.default_rng(5)
    true = np.array([0.0, 0.7, -0.6, 1.2])
    seating = rng.integers(4, size=(1, 400, 3))
    chances = np.exp(true)[seating]
    winning = (rng.random((1, 400, 1)) * chances.sum(axis=2, keepdims=True) > chances.cumsum(axis=2)).sum(axis=2)
    found = outcomes(seating, winning, 4)
    games = [(row[seat], [*row[:seat], *row[seat + 1 :]]) for row, seat in zip(seating[0].tolist(), winning[0].tolist(), strict=True)]
    counted = luce(found.seats, found.winner, found.counts.sum(axis=0))
    assert counted == pytest.approx(choix.ilsr_top1(4, games, alpha=0.01), abs=1e-6)
    assert counted == pytest.approx(true - true.mean(), abs=0.35)
    values, intervals = ratings(found, np.random.default_rng(1))
    for value, interval in zip(values, intervals, strict=True):
        assert interval.low < value < interval.high
        assert 20 < interval.high - interval.low < 120


def test_who_never_wins_is_rated_last_and_not_at_infinity():
    values, intervals = ratings(outcomes(np.tile([0, 1], (1, 50, 1)), np.zeros((1, 50), np.int64), 2), np.random.default_rng(1))
    assert values[0] - values[1] > 400
    assert np.isfinite(values).all()
    assert np.isfinite(intervals).all()


def test_a_stronger_agent_is_found_stronger():
    game = Game(hill.SPEC, num_players=4)
    result = tournament(game, agents(game, "random", "greedy", "expert"), episodes=1200, seed=3).to_json()
    shares = [result["agents"][name]["win_rate"] for name in ("random", "greedy", "expert")]
    rated = [result["ratings"][name]["rating"] for name in ("random", "greedy", "expert")]
    assert shares == sorted(shares)
    assert rated == sorted(rated)
    assert sum(rated) == pytest.approx(0, abs=1e-6)
    assert sum(shares) == pytest.approx(3 / 4)  # of twelve chairs in the three line-ups each agent has four
    assert sum(row["win_rate"] for row in result["seats"]) == pytest.approx(1)
    cells = {(cell["agent"], cell["against"]): cell for cell in result["cross_play"]}
    assert len(cells) == 6
    assert cells["expert", "random"]["win_rate_ci"][0] > result["fair_share"] == 0.25
    assert cells["random", "expert"]["win_rate_ci"][1] < 0.25
    for cell in cells.values():  # in this game somebody always wins, so the three others share what is left
        assert cell["lead"] == pytest.approx(cell["win_rate"] - (1 - cell["win_rate"]) / 3)
        assert cell["lead_ci"][0] <= cell["lead"] <= cell["lead_ci"][1]


def test_a_tournament_is_the_same_again():
    game = Game(hill.SPEC)
    first, again, other = (
        without_speeds(tournament(game, agents(game, "random", "expert"), episodes=30, seed=seed).to_json()) for seed in (4, 4, 5)
    )
    assert first == again
    assert first["agents"] != other["agents"]


def test_validation_meets_other_games():
    game = Game(hill.SPEC)
    own, other = (tournament(game, agents(game, "greedy", "expert"), episodes=30, seed=4, space=space) for space in list(Seeds)[1:])
    assert own.returns.tolist() != other.returns.tolist()


def test_one_agent_can_sit_everywhere():
    result = tournament(Game(pig.SPEC), [RandomAgent()], episodes=20, seed=1).to_json()
    assert result["agents"]["random"]["win_rate"] == 0.5
    assert result["cross_play"] == result["paired"] == []


# The command -----------------------------------------------------------------------------------------------------------------------------


def test_the_command_writes_everything(tmp_path, capsys):
    files = {flag: tmp_path / name for flag, name in (("--json", "r.json"), ("--csv", "r.csv"), ("--plot", "r.png"))}
    given = ["hill", "--agents", "random", "greedy", "expert", "--players", "4", "--episodes", "30", "--seed", "4", "--option", "top=3"]
    assert main([*given, *(str(part) for pair in files.items() for part in pair)]) == 0
    out = capsys.readouterr().out
    for text in ("num_players=4, top=3", "36 games of 4, fair share 25.00%", "alone among copies", "Wins by seat", "Paired differences"):
        assert text in out
    result = json.loads(files["--json"].read_text())
    named = ["deck", "env_id", "golden_hash", "deck_digest", "options", "players", "episodes", "game_seeds", "seed", "batch_seed"]
    named += ["slots", "confidence", "fair_share", "agents", "paired", "ratings", "seats", "cross_play"]
    assert list(result) == [*named, "mean_length", "without_winner", "endings"]
    assert (result["players"], result["episodes"], result["game_seeds"], len(result["seats"])) == (4, 36, 3, 4)
    assert set(result["agents"]["expert"]) >= {"win_rate", "win_rate_ci", "mean_return", "mean_return_ci", "decisions_per_second"}
    rows = list(csv.DictReader(files["--csv"].read_text().splitlines()))
    field = [row for row in rows if row["part"] == "field"]
    assert len(field) == 36
    assert len(rows) == 36 + 6 * 16  # each alone among the two others: 15 games, in whole turns round the table
    won = sum(row["winner"] == "expert" for row in field) / sum(row[f"seat_{seat}"] == "expert" for row in field for seat in range(4))
    assert won == pytest.approx(result["agents"]["expert"]["win_rate"])
    for row in rows:
        assert row["winner"] == row[f"seat_{row['winning_seat']}"]
    assert files["--plot"].read_bytes().startswith(b"\x89PNG")


def test_without_agents_all_of_the_game_play(capsys):
    assert main(["pig", "--episodes", "4"]) == 0
    assert "random" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["hill", "--players", "5"], "Hill has 2 to 4 seats: it cannot be played by 5"),
        (["pig", "--players", "3"], "cannot be played by 3"),
        (["ladder", "--players", "1"], "Ladder is played alone"),
        (["hill", "--players", "3", "--option", "num_players=3"], "--players and --option num_players say the same"),
        (["pig", "--agents", "greedy"], "no scripted agent 'greedy'"),
    ],
)
def test_what_cannot_be_done_is_said(arguments, message, capsys):
    assert main(arguments) == 2
    assert message in capsys.readouterr().err
