import gzip
import json
import re
from pathlib import Path

import numpy as np
import pytest
import torch as th

from deckwood.core.batch import Batch
from deckwood.core.game import Game
from deckwood_agents.learning.training import main as train
from deckwood_agents.measuring import evaluation, tournament
from deckwood_agents.players.network import NetworkAgent
from deckwood_agents.players.policy import MaskedPolicy, batch_spaces, policy_arguments
from deckwood_agents.players.roster import make_agent
from deckwood_agents.players.uniform import RandomAgent
from deckwood_agents.results import __main__ as results
from deckwood_agents.results import page as pages
from deckwood_agents.results import runs as training_runs
from deckwood_agents.results.page import Sample, Section
from deckwood_agents.results.plan import Deck
from deckwood_agents.results.raw import Player, Raw, RawError, Row, measure, play_round, version
from deckwood_agents.seeds import Seeds
from tests.agents import ladder
from tests.games import hill

LADDER = Deck("ladder", {}, {"random": 30, "greedy": 30, "expert": 30, "ppo": 30}, title="Ladder")
HILL = Deck("hill", {}, {"greedy": 24, "expert": 24}, against=("greedy", "expert"), title="Hill")


@pytest.fixture
def scratch(workplace, monkeypatch):
    """A plan of two small games, in an empty folder."""
    monkeypatch.setattr(results, "PLAN", (LADDER, HILL))
    (workplace / "docs").mkdir()
    return workplace / "docs"


def agent(name, spec=ladder.SPEC):
    game = Game(spec)
    return make_agent(name, spec, game.deck)


# Playing ---------------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["greedy", "expert"])
def test_rounds_are_the_games_of_evaluate(name):
    """50 games in rounds of 16: number g // 16 of slot g % 16."""
    game = Game(ladder.SPEC)
    whole = evaluation.play(agent(name), game, episodes=50, seed=Seeds.EVALUATION(7), num_envs=16)
    parts = [
        play_round(game, agent(name), None, number=k, games=min(16, 50 - 16 * k), seed=Seeds.EVALUATION(7), slots=16) for k in range(4)
    ]
    for field in ("returns", "lengths", "ended", "won"):
        assert np.array_equal(np.concatenate([getattr(part, field) for part in parts]), getattr(whole, field)), field
    assert len(set(whole.returns)) > 5


def test_rounds_are_the_games_of_cross_play():
    """Of three at a table: 24 games in rounds of 7 equal a tournament's cell, chairs included."""
    game = Game(hill.SPEC, num_players=3)
    greedy, expert = agent("greedy", hill.SPEC), agent("expert", hill.SPEC)
    seating = tournament.alone(0, 1, 24, 3)
    tables = tournament.play([greedy, expert], seating, game, seed=Seeds.EVALUATION(7), num_envs=7)
    parts = [play_round(game, greedy, expert, number=k, games=min(7, 24 - 7 * k), seed=Seeds.EVALUATION(7), slots=7) for k in range(4)]
    seats = np.concatenate([part.seats for part in parts])
    assert seats.tolist() == [0, 1, 2] * 8
    assert np.array_equal(np.concatenate([part.won for part in parts]), tables.winner == seats)
    assert np.array_equal(np.concatenate([part.returns for part in parts]), tables.returns[np.arange(24), seats])
    assert np.array_equal(np.concatenate([part.lengths for part in parts]), tables.lengths)


def test_agents_that_draw_draw_anew_in_each_round_and_the_same_when_asked_again():
    game = Game(ladder.SPEC)
    drawn = [play_round(game, RandomAgent(), None, number=k, games=16, seed=5, slots=16).returns.tolist() for k in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_versions_tell_agents_apart():
    spec = ladder.SPEC
    th.manual_seed(1)
    arguments = (*batch_spaces(spec), lambda _: 0.0)
    one, two = (MaskedPolicy(*arguments, **policy_arguments([4], [4], "relu")) for _ in range(2))
    seen = [
        version(NetworkAgent("ppo", one), spec),
        version(NetworkAgent("ppo", two), spec),
        version(NetworkAgent("ppo", one, sample=True), spec),
    ]
    assert len(set(seen)) == 3
    two.load_state_dict(one.state_dict())
    assert version(NetworkAgent("other name", two), spec) == seen[0]


def test_versions_of_scripted_agents_are_those_of_their_sources(tmp_path, monkeypatch):
    batch = Batch("deckwood/Tanglewoods-v1", 1, seed=1)
    expert, search = (make_agent(name, batch.spec, batch.deck) for name in ("expert", "search"))
    before = version(expert, batch.spec), version(search, batch.spec)
    assert before == (version(expert, batch.spec), version(search, batch.spec))
    read, seen = Path.read_text, []

    def versions(change):
        def changed(path):
            seen.append("/".join(path.parts[-2:]))
            return change(read(path)) if seen[-1] == "strong/value.py" else read(path)

        monkeypatch.setattr(Path, "read_text", changed)
        return version(expert, batch.spec), version(search, batch.spec)

    assert not set(before) & set(versions(lambda text: text + "# changed\n"))
    assert {"tanglewoods/policy.py", "tanglewoods/route.py", "strong/value.py", "players/search.py"} <= set(seen)
    assert not any(name.startswith("etherfields") for name in seen)
    # Where a name is imported from, and what is said of it, decides nothing.
    assert before == versions(lambda text: text.replace("from deckwood.strong.terms import", "from elsewhere import"))
    assert before == versions(lambda text: re.sub(r'""".*?"""', '"""Something else."""', text, flags=re.DOTALL))


# Keeping ---------------------------------------------------------------------------------------------------------------------------------


def test_what_was_played_is_not_played_again(tmp_path):
    game, path = Game(ladder.SPEC), tmp_path / "ladder.csv.gz"
    asked = []
    player = Player(agent("expert"), "v1")

    def more(episodes):
        asked.clear()
        raw = Raw(path)
        measure(raw, game, player, None, episodes=episodes, seed=7, commit="c0ffee", slots=8, report=asked.append)
        return raw

    more(12)
    assert asked == ["ladder: expert, games 0 to 8", "ladder: expert, games 8 to 12"]
    more(20)  # the second round was not whole
    assert asked == ["ladder: expert, games 8 to 16", "ladder: expert, games 16 to 20"]
    raw = more(20)
    assert asked == []
    rows = raw.played("expert", "", 7)
    assert [(row.slot, row.game) for row in rows] == [(g % 8, g // 8) for g in range(20)]
    assert {(row.commit, row.version, row.deck_digest) for row in rows} == {("c0ffee", "v1", game.deck.digest)}
    whole = evaluation.play(agent("expert"), game, episodes=20, seed=Seeds.EVALUATION(7), num_envs=8)
    assert [row.value for row in rows] == whole.returns.tolist()

    before = path.read_bytes()
    raw.save()
    assert path.read_bytes() == before  # the same rows, the same file
    assert raw.keep(lambda row: row.game != 1) == ["expert"]
    assert [row.game for row in raw.played("expert", "", 7)] == [0] * 8 + [2] * 4


def test_a_file_that_is_something_else_is_refused(tmp_path):
    path = tmp_path / "x.csv.gz"
    path.write_bytes(b"text")
    with pytest.raises(RawError, match="cannot be read"):
        Raw(path)
    path.write_bytes(gzip.compress(b"a,b\n1,2\n"))
    with pytest.raises(RawError, match="its columns are not golden_hash"):
        Raw(path)


# The page --------------------------------------------------------------------------------------------------------------------------------


def row(agent="expert", value=1.0, won=1, slot=0, **changes):
    plain = Row("hash", "deck", "commit", agent, "v", "", "", 7, slot, 0, 0, value, won, 5, "top", 2.5)
    return plain._replace(**changes)


def test_numbers_of_a_sample():
    sample = Sample("x", [row(value=v, won=w) for v, w in ((1, 1), (0, 0), (0.5, 0), (0.5, 1))])
    assert (sample.games, sample.win_rate, sample.cpu_us) == (4, 0.5, 2.5)
    assert pages.wins(sample) == "50.00 (15.00 to 85.00)"  # Wilson: (2 + 1.92) / (4 + 3.84) -+ 1.96 sqrt(0.25 * 4 + 0.96) / 7.84
    assert pages.score(sample).startswith("0.500 (")


def test_three_seeds_have_students_interval_and_five_an_interquartile_mean():
    three, five = np.array([0.4, 0.5, 0.9]), np.array([0.5, 0.6, 0.7, 0.8, 3.0])
    half = 4.302653 * np.sqrt(0.07 / 3)
    assert pages.summary([three]) == ("mean", pytest.approx(0.6), f"{0.6 - half:.2f} to {0.6 + half:.2f}", "Student's t")
    assert pages.summary([five]) == ("interquartile mean", pytest.approx(0.7), "0.50 to 3.00", "stratified bootstrap")
    assert [name for name, *_ in map(pages.summary, ([three, five], [five, five]))] == ["mean", "interquartile mean"]
    assert pages.profile([three, five])[1] is None
    share, band = pages.profile([five])
    assert band is not None
    assert (band[0] <= share).all()
    assert (share <= band[1]).all()


def test_the_page_is_made_of_what_was_played_and_says_what_is_missing(scratch, capsys):
    assert results.main(["--agents", "random", "expert", "greedy", "--episodes", "20"]) == 0
    text = (scratch / "results.md").read_text()
    kept = Raw(scratch / "results" / "ladder.csv.gz").played("expert", "", 7)
    assert len(kept) == 20
    assert f"| expert | 20 | {pages.wins(Sample('expert', kept))} |" in text
    assert "expert (20 of 30 games)" in text
    assert "; ppo; training seeds (0 of 3)." in text
    cell = Raw(scratch / "results" / "hill.csv.gz").played("greedy", "expert", 7)
    assert f"| greedy |  | {pages.wins(Sample('greedy', cell))} | 20 |" in text
    for picture in ("ladder_wins", "hill_wins", "hill_cross_play"):
        assert f"results/{picture}.png" in text
        assert (scratch / "results" / f"{picture}.png").read_bytes().startswith(b"\x89PNG")

    files = {path: path.read_bytes() for path in scratch.rglob("*") if path.is_file()}
    assert results.main(["--agents", "random", "--episodes", "20"]) == 0
    assert files == {
        path: path.read_bytes() for path in scratch.rglob("*") if path.is_file()
    }  # nothing was played, nothing drawn otherwise

    assert results.main(["--only", "ladder", "--agents", "greedy", "--episodes", "10", "--fresh"]) == 0
    text = (scratch / "results.md").read_text()
    assert "Missing: random; greedy (10 of 30 games); expert; ppo;" in text
    assert "| greedy | 10 |" in text
    assert f"| greedy |  | {pages.wins(Sample('greedy', cell))} | 20 |" in text  # the other game was not wanted


def test_rows_of_another_version_are_dropped(scratch):
    assert results.main(["--only", "ladder", "--episodes", "10"]) == 0
    path = scratch / "results" / "ladder.csv.gz"
    raw = Raw(path)
    raw.rounds["expert", "", 7, 0] = [kept._replace(version="older", value=99.0) for kept in raw.rounds["expert", "", 7, 0]]
    raw.rounds["greedy", "", 7, 0] = [kept._replace(golden_hash="older", value=99.0) for kept in raw.rounds["greedy", "", 7, 0]]
    raw.save()
    assert results.main(["--only", "hill", "--episodes", "10"]) == 0
    text = (scratch / "results.md").read_text()
    assert "Missing: random (10 of 30 games); greedy; expert; ppo;" in text
    assert "| random | 10 |" in text
    assert results.main(["--only", "ladder", "--episodes", "10"]) == 0
    assert "expert (10 of 30 games)" in (scratch / "results.md").read_text()
    assert 99.0 not in [kept.value for kept in Raw(path).played("expert", "", 7)]


def test_training_seeds(scratch):
    """Two runs: their final networks are played, and the page can be regenerated without them."""
    for seed in ("1", "2"):
        assert train(["tiny.yaml", "--name", f"run{seed}", "--seed", seed]) == 0
    assert results.main(["--only", "ladder", "--runs", "runs/run1", "runs/run2"]) == 0
    text = (scratch / "results.md").read_text()
    runs = training_runs.read(scratch / "results")
    assert [(run.name, run.seed, run.steps, run.config) for run in runs] == [("run1", 1, 1024, "tiny.yaml"), ("run2", 2, 1024, "tiny.yaml")]
    game, raw = Game(ladder.SPEC), Raw(scratch / "results" / "ladder.csv.gz")
    section = Section(LADDER, game, raw, runs, scratch / "results")
    wins = {name: sum(kept.won for kept in raw.played(name, "", 7)) for name in ("expert", "ppo:run1", "ppo:run2")}
    scores = [wins["ppo:run1"] / wins["expert"], wins["ppo:run2"] / wins["expert"]]
    assert [section.score_of(run) for run in runs] == pytest.approx(scores)
    assert f"Over 2 training seeds the mean is {np.mean(scores):.2f} times" in text
    assert ", Student's t)." in text
    own = evaluation.play(make_agent("ppo:runs/run1", game.spec, game.deck), game, episodes=30, seed=Seeds.EVALUATION(7))
    assert sum(own.won) == wins["ppo:run1"]
    steps, values = training_runs.curve(scratch / "results", runs[0])
    lines = [json.loads(line) for line in Path("runs/run1/metrics.jsonl").read_text().splitlines()]
    assert list(zip(steps, values, strict=True)) == [
        (line["steps"], line["validation/ppo_win_rate"]) for line in lines if "validation/ppo_win_rate" in line
    ]
    for picture in ("ladder_training", "profiles"):
        assert (scratch / "results" / f"{picture}.png").exists()

    Path("runs").rename("elsewhere")
    assert results.main(["--only", "ladder"]) == 0
    assert (scratch / "results.md").read_text() == text


def test_what_cannot_be_asked_for(scratch, capsys):
    assert train(["tiny.yaml", "--name", "run", "--total-steps", "128"]) == 0
    Path("runs/run/result.json").unlink()
    for arguments, message in [
        (["--agents", "exprt"], "the plan has no 'exprt'"),
        (["--runs", "runs/none"], "no run to resume here"),
        (["--runs", "runs/run"], "only the final network of a finished run is reported"),
    ]:
        assert results.main(arguments) == 2
        assert message in capsys.readouterr().err
    assert not (scratch / "results.md").exists()
