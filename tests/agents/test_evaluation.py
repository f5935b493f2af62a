import csv
import json

import numpy as np
import pytest

from deckwood.core.batch import Batch
from deckwood.core.game import Game
from deckwood.core.registry import games, spec
from deckwood_agents.games import UnknownGame, find_game, slug
from deckwood_agents.measuring import evaluation
from deckwood_agents.measuring.command import main
from deckwood_agents.measuring.evaluation import evaluate, play
from deckwood_agents.players.roster import available, make_agent
from deckwood_agents.players.uniform import RandomAgent
from deckwood_agents.seeds import Seeds
from tests.agents import ladder
from tests.games import coin, pig


def agents(game, *names):
    return [make_agent(name, game.spec, game.deck) for name in names]


def without_speeds(result):
    for row in result["agents"].values():
        assert row.pop("decisions_per_second") > 0
        assert row.pop("games_per_second") > 0
    return result


def test_games_are_found_by_name_or_id():
    assert slug("deckwood/LostWoods-v1") == "lost_woods"
    for name in ("ladder", "Ladder", "test/Ladder-v0"):
        assert find_game(name) is ladder.SPEC
    with pytest.raises(UnknownGame, match="did you mean 'ladder'"):
        find_game("lader")
    with pytest.raises(UnknownGame, match="known: tanglewoods"):
        find_game("chess")


def test_what_counts_as_a_win():
    assert ladder.SPEC.won(np.array([0, 1, 2]), np.array([2.0, 1.0, 0.0])).tolist() == [False, True, False]
    assert coin.SPEC.won(np.array([0, 1, 3]), np.array([9.0, 9.0, 10.0])).tolist() == [False, False, True]


def test_seed_spaces_do_not_meet():
    assert [space(7) for space in Seeds] == [7, 2**64 + 7, 2**65 + 7]
    assert len({space(seed) for space in Seeds for seed in (0, 1, 2**64 - 1)}) == 9
    for seed in (-1, 2**64):
        with pytest.raises(ValueError, match="must be a whole number"):
            Seeds.EVALUATION(seed)
    first = [Batch(ladder.SPEC, 64, seed=space(1)).positions.die.tolist() for space in Seeds]
    assert first[0] != first[1] != first[2] != first[0]


@pytest.mark.parametrize("episodes", [2, 7, 16, 23])
def test_every_slot_plays_its_quota(episodes, monkeypatch):
    """Game g is number g // n of slot g % n: the same games as those of batches of one, which no other game can crowd out."""
    game = Game(ladder.SPEC)
    expert = agents(game, "expert")[0]
    games = play(expert, game, episodes=episodes, seed=5, num_envs=8)
    slots = min(8, episodes)
    quota = np.bincount(np.arange(episodes) % slots)
    batch = Batch(game, slots, seed=5)
    found = {}
    while any(len(found.get(slot, ())) < quota[slot] for slot in range(slots)):
        batch.step(expert.act(batch.obs, batch.mask, batch.positions))
        for slot in np.flatnonzero(batch.terminated):
            found.setdefault(int(slot), []).append((batch.episode_return[slot], batch.episode_length[slot]))
    for g in range(episodes):
        assert (games.returns[g], games.lengths[g]) == found[g % slots][g // slots]
    assert games.won.tolist() == (games.returns > 1 - 1e-9).tolist()


def test_games_are_common_to_all_agents():
    """An agent compared with itself differs in no game; a policy that ignores its turn meets the same dice."""
    game = Game(ladder.SPEC)
    first, second = (play(agents(game, "expert")[0], game, episodes=100, seed=9) for _ in range(2))
    assert np.array_equal(first.returns, second.returns)
    result = evaluate(game, agents(game, "greedy", "expert"), episodes=100, seed=9)
    row = result.paired()[0]
    assert (row["agent"], row["against"]) == ("expert", "greedy")
    greedy, expert = result.games
    assert row["mean_return_difference"] == pytest.approx(np.mean(expert.returns - greedy.returns))
    low, high = row["mean_return_difference_ci"]
    unpaired = np.sqrt(np.var(expert.returns) / 100 + np.var(greedy.returns) / 100)
    assert 0 < low < row["mean_return_difference"] < high
    assert high - low < 2 * 2.2 * unpaired


def test_a_result_is_the_same_again_and_does_not_depend_on_who_else_played():
    game = Game(ladder.SPEC)
    both, again, alone = (
        without_speeds(evaluate(game, agents(game, *names), episodes=60, seed=3).to_json())
        for names in (("random", "expert"), ("random", "expert"), ("expert",))
    )
    assert both == again
    assert both["agents"]["expert"] == alone["agents"]["expert"]


def test_endings_are_counted():
    result = evaluate(Game(ladder.SPEC), [RandomAgent()], episodes=200, seed=1).to_json()["agents"]["random"]
    assert set(result["endings"]) == {"top", "late"}
    assert sum(result["endings"].values()) == 200
    assert result["win_rate"] == result["endings"]["top"] / 200


def test_games_of_several_seats_are_refused():
    with pytest.raises(ValueError, match="2 seats"):
        play(RandomAgent(), Game(pig.SPEC), episodes=2, seed=1)


def test_the_command_writes_everything(tmp_path, capsys):
    files = {flag: tmp_path / name for flag, name in (("--json", "r.json"), ("--csv", "r.csv"), ("--plot", "r.png"))}
    given = ["ladder", "--agents", "random", "expert", "--episodes", "30", "--seed", "4", "--option", "wind=2"]
    assert main([*given, *(str(part) for pair in files.items() for part in pair)]) == 0
    out = capsys.readouterr().out
    for text in ("wind=2", "expert", "Paired differences", "How the games ended"):
        assert text in out
    result = json.loads(files["--json"].read_text())
    assert list(result) == [
        *(
            "deck",
            "env_id",
            "golden_hash",
            "deck_digest",
            "options",
            "episodes",
            "seed",
            "batch_seed",
            "slots",
            "confidence",
            "agents",
            "paired",
        )
    ]
    assert (result["deck"], result["episodes"], result["seed"], result["options"]) == ("ladder", 30, 4, {"wind": 2})
    expert = result["agents"]["expert"]
    assert expert["win_rate_ci"][0] <= expert["win_rate"] <= expert["win_rate_ci"][1]
    assert expert["mean_return_ci"][0] <= expert["mean_return"] <= expert["mean_return_ci"][1]
    rows = list(csv.DictReader(files["--csv"].read_text().splitlines()))
    assert len(rows) == 60
    assert {row["ending"] for row in rows} <= {"top", "late"}
    assert np.mean([float(row["return"]) for row in rows[30:]]) == pytest.approx(expert["mean_return"])
    assert files["--plot"].read_bytes().startswith(b"\x89PNG")


def test_without_agents_all_of_the_game_play(capsys):
    assert main(["ladder", "--episodes", "4"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in ("random", "greedy", "expert"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lader"], "did you mean 'ladder'"),
        (["ladder", "--agents", "exprt"], "unknown agent 'exprt'"),
        (["ladder", "--option", "difficulty=5"], "has no option 'difficulty'; it has wind"),
        (["ladder", "--option", "wind=99"], "from 0 to 9"),
        (["ladder", "--agents", "ppo:gone.zip"], "no checkpoint 'gone.zip'"),
        (["ladder", "--deck", "gone.toml"], "gone.toml"),
    ],
)
def test_what_cannot_be_done_is_said_before_anything_is_played(arguments, message, capsys, monkeypatch):
    if "--seed" not in arguments:
        monkeypatch.setattr(evaluation, "play", None)
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert message in error


@pytest.mark.parametrize("arguments", [["ladder", "--episodes", "1"], ["ladder", "--episodes", "many"], ["ladder", "--option", "wind"], []])
def test_a_wrong_command_line(arguments, capsys):
    with pytest.raises(SystemExit) as error:
        main(arguments)
    assert error.value.code == 2


def test_help_names_every_agent_that_some_game_has(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = capsys.readouterr().out
    assert {name for game in map(spec, games()) for name in available(game)} <= set(shown.replace(",", " ").split())
