import io
import json
import pickle
import zipfile
from pathlib import Path

import pytest
import torch as th
from sb3_contrib import MaskablePPO

from deckwood.core.game import Game
from deckwood_agents.learning import ship
from deckwood_agents.learning.training import main as train
from deckwood_agents.measuring.command import main as evaluate
from deckwood_agents.players import roster as agent
from deckwood_agents.players.checkpoints import CheckpointError, load_policy, read_manifest, read_resume
from deckwood_agents.players.roster import make_agent, quick
from tests.agents import ladder


@pytest.fixture
def shelf(workplace, monkeypatch):
    """An empty folder for what ships, and a finished run."""
    folder = workplace / "shipped"
    folder.mkdir()
    monkeypatch.setattr(agent, "SHIPPED", folder)
    monkeypatch.setattr(ship, "SHIPPED", folder)
    assert train(["tiny.yaml", "--name", "run", "--seed", "3"]) == 0
    return folder


def rewrite(path, **entries):
    """The zip at ``path`` with other content for some entries."""
    with zipfile.ZipFile(path) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in (content | entries).items():
            archive.writestr(name, data)


def test_a_shipped_agent_plays_as_the_run_does(shelf, capsys):
    assert ship.main(["runs/run"]) == 0
    assert {path.name for path in shelf.iterdir()} == {"ladder.zip", "ladder.md"}
    game = Game(ladder.SPEC)
    shipped, own = make_agent("ppo", game.spec, game.deck), make_agent("ppo:runs/run", game.spec, game.deck)
    assert (shipped.name, own.name) == ("ppo", "ppo:run")
    assert all(th.equal(a, b) for a, b in zip(shipped.policy.parameters(), own.policy.parameters(), strict=True))
    assert quick(game.spec) == ["random", "greedy", "expert", "ppo"]
    assert evaluate(["ladder", "--episodes", "20"]) == 0
    assert "ppo" in capsys.readouterr().out

    stock = MaskablePPO.load(shelf / "ladder.zip", device="cpu")
    assert all(th.equal(a, b) for a, b in zip(stock.policy.parameters(), own.policy.parameters(), strict=True))
    assert stock.num_timesteps == 1024
    assert not stock.policy.optimizer.state  # the run's has two moments a weight
    assert stock._last_obs is None
    assert MaskablePPO.load("runs/run/model.zip", device="cpu").policy.optimizer.state
    with pytest.raises(CheckpointError, match="can be played and not resumed"):
        read_resume(shelf / "ladder.zip")


def test_the_card_says_how_it_was_made(shelf):
    ship.main(["runs/run"])
    text = (shelf / "ladder.md").read_text()
    result = json.loads(Path("runs/run/result.json").read_text())
    own = result["agents"]["ppo"]
    low, high = own["win_rate_ci"]
    assert f"| ppo | {100 * own['win_rate']:.2f} ({100 * low:.2f} to {100 * high:.2f}) | {own['mean_return']:.3f} (" in text
    assert "50 games, seed 7" in text
    assert "**Length** 1,024 decisions, seed 3" in text
    assert "`python train.py tiny.yaml --name run --seed 3`" in text
    assert "n_steps: 16" in text
    assert "not resumed" in text
    assert "Supervised" not in text


def test_the_card_says_when_there_was_no_step_of_ppo(shelf):
    for name, taught in (("taught", "128"), ("begun", "64")):
        steps = ["--imitation.teacher", "expert", "--imitation.steps", taught, "--total-steps", "128"]
        assert train(["tiny.yaml", "--name", name, *steps]) == 0
        assert ship.main([f"runs/{name}", "--name", name]) == 0
    assert "**Supervised** by `expert` for all of its decisions: there was no step of PPO." in (shelf / "taught.md").read_text()
    assert "Supervised" not in (shelf / "begun.md").read_text()


def test_seconds_are_summed_over_processes(tmp_path):
    lines = [{"time/time_elapsed": 3.0}, {"time/time_elapsed": 10.0}, {}, {"time/time_elapsed": 4.0}, {"time/time_elapsed": 6.5}]
    (tmp_path / "metrics.jsonl").write_text("".join(json.dumps({"steps": 1, **line}) + "\n" for line in lines))
    assert ship.trained_seconds(tmp_path / "metrics.jsonl") == 16.5


def test_another_name_is_another_agent(shelf):
    assert ship.main(["runs/run", "--name", "young"]) == 0
    game = Game(ladder.SPEC)
    assert make_agent("ppo:young", game.spec, game.deck).name == "ppo:young"
    assert quick(game.spec) == ["random", "greedy", "expert"]
    assert "--agents ppo:young" in (shelf / "young.md").read_text()


def test_what_cannot_ship(shelf, capsys):
    for arguments, message in [
        (["runs/none"], "no run to resume here"),
        (["runs/run", "--name", "../x"], "--name '../x': use letters"),
    ]:
        assert ship.main(arguments) == 2
        assert message in capsys.readouterr().err
    Path("runs/run/result.json").unlink()
    assert ship.main(["runs/run"]) == 2
    assert "not finished and compared: python train.py --resume runs/run" in capsys.readouterr().err
    assert not list(shelf.iterdir())


def test_a_shipped_agent_of_another_version_is_refused(shelf, capsys):
    ship.main(["runs/run"])
    manifest = json.loads(zipfile.ZipFile(shelf / "ladder.zip").read("deckwood.json"))
    rewrite(shelf / "ladder.zip", **{"deckwood.json": json.dumps(manifest | {"env_id": "test/Ladder-v9"})})
    assert evaluate(["ladder", "--agents", "ppo"]) == 2
    assert "made for env_id 'test/Ladder-v9', the game here has 'test/Ladder-v0'" in capsys.readouterr().err


class Malicious:
    def __reduce__(self):
        return Path.touch, (Path("executed"),)


def test_playing_a_checkpoint_runs_no_pickled_code(shelf):
    """Neither what Stable-Baselines3 would unpickle (data) nor weights that are something else."""
    ship.main(["runs/run"])
    path = shelf / "ladder.zip"
    evil = pickle.dumps(Malicious(), protocol=2)
    rewrite(path, data=evil, **{"pytorch_variables.pth": evil, "policy.optimizer.pth": evil, "resume.npz": evil})
    load_policy(path, ladder.SPEC, "")
    assert not Path("executed").exists()

    torch_file = io.BytesIO()
    th.save({"weights": Malicious()}, torch_file)
    for weights in (evil, torch_file.getvalue()):
        rewrite(path, **{"policy.pth": weights})
        with pytest.raises(CheckpointError, match=r"policy\.pth (is damaged|holds something else than weights)"):
            load_policy(path, ladder.SPEC, "")
        assert not Path("executed").exists()
    pickle.loads(evil)
    assert Path("executed").exists()  # it would have been
    assert read_manifest(path).steps == 1024
