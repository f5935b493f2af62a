import base64
import io
import json
import pickle
import re
import signal
import subprocess
import zipfile
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest
import torch as th
import yaml
from sb3_contrib import MaskablePPO

from deckwood.core.game import Game
from deckwood_agents.learning import evaluators, provenance, run
from deckwood_agents.learning.schedule import LearningRate
from deckwood_agents.learning.training import main
from deckwood_agents.measuring.command import main as evaluate
from deckwood_agents.players.checkpoints import CheckpointError, load_policy, read_manifest, read_resume
from deckwood_agents.players.roster import make_agent
from tests.agents import ladder


def weights(path):
    return MaskablePPO.load(path, device="cpu")


def same(a, b):
    """Weights, optimizer and counts."""
    assert a.num_timesteps == b.num_timesteps
    assert a._n_updates == b._n_updates
    assert all(th.equal(x, y) for x, y in zip(a.policy.parameters(), b.policy.parameters(), strict=True))
    one, two = (m.policy.optimizer.state_dict()["state"] for m in (a, b))
    assert all(th.equal(one[i]["exp_avg"], two[i]["exp_avg"]) for i in one)


def metrics(path):
    """The numbers of a run, but for those that a clock gave."""
    rows = [json.loads(line) for line in (path / "metrics.jsonl").read_text().splitlines()]
    return [{name: value for name, value in row.items() if not name.startswith("time/")} for row in rows]


def signal_after(monkeypatch, updates, number=signal.SIGINT):
    """Raise the signal in the middle of the update with this number."""
    plain, seen = MaskablePPO.train, []

    def train(self):
        seen.append(None)
        if len(seen) == updates:
            signal.raise_signal(number)
        plain(self)

    monkeypatch.setattr(MaskablePPO, "train", train)


def test_a_run_leaves_everything_beside_the_model(workplace, capsys):
    assert main(["tiny.yaml", "--seed", "3", "--options.wind", "2"]) == 0
    folder = workplace / "runs" / "tiny-seed3"
    names = {path.name for path in folder.iterdir()}
    assert names == {"config.yaml", "run.json", "model.zip", "checkpoints", "metrics.jsonl", "result.json", "result.png"}
    assert [path.name for path in sorted((folder / "checkpoints").iterdir())] == [f"{n:012d}.zip" for n in (256, 512, 768, 1024)]

    config = yaml.safe_load((folder / "config.yaml").read_text())
    assert (config["seed"], config["options"], config["ppo"]["gamma"]) == (3, {"wind": 2}, 0.999)
    record = json.loads((folder / "run.json").read_text())
    assert record["seeds"] == {"training": "3", "validation": str(2**64 + 7), "evaluation": str(2**65 + 7)}
    assert record["options"] == {"wind": 2}
    assert record["processes"][0]["command"] == "python train.py tiny.yaml --seed 3 --options.wind 2"
    assert record["processes"][0]["versions"]["torch"] == version("torch")
    manifest = read_manifest(folder / "model.zip")
    assert (manifest.env_id, manifest.steps, manifest.seed, manifest.options) == ("test/Ladder-v0", 1024, 3, {"wind": 2})
    assert manifest.run["config"] == config

    lines = metrics(folder)
    assert [line["steps"] for line in lines] == list(range(128, 1025, 128))
    assert {"train/loss", "train/learning_rate", "rollout/ep_rew_mean", "rollout/success_rate"} <= set(lines[0])
    assert {"validation/ppo_win_rate", "validation/expert_mean_return"} <= set(lines[1])
    assert set(json.loads((folder / "result.json").read_text())["agents"]) == {"random", "greedy", "expert", "ppo"}
    out = capsys.readouterr().out
    assert "beat random play" in out or "beats random play" in out


def test_names_of_runs(workplace, capsys):
    short = ["--total-steps", "128", "--evaluation.every", "0"]
    for name in ("tiny-seed1", "tiny-seed1-2"):
        assert main(["tiny.yaml", *short]) == 0
        assert (workplace / "runs" / name / "model.zip").is_file()
    assert main(["tiny.yaml", "--name", "mine", *short]) == 0
    assert main(["tiny.yaml", "--name", "mine", *short]) == 2
    assert "--resume runs/mine" in capsys.readouterr().err
    assert main(["tiny.yaml", "--name", "../mine", *short]) == 2


def test_the_same_seed_trains_the_same_agent(workplace):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        assert main(["tiny.yaml", "--name", name, "--seed", str(seed)]) == 0
    same(weights("runs/a/model.zip"), weights("runs/b/model.zip"))
    with pytest.raises(AssertionError):
        same(weights("runs/a/model.zip"), weights("runs/c/model.zip"))


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_stopped_run_goes_on_as_if_it_had_not_been(workplace, monkeypatch, capsys, number, status):
    assert main(["tiny.yaml", "--name", "whole"]) == 0
    with monkeypatch.context() as patch:
        signal_after(patch, 3, number)
        assert main(["tiny.yaml", "--name", "parts"]) == status
    assert "go on with: python train.py --resume runs/parts" in capsys.readouterr().out
    assert weights("runs/parts/model.zip").num_timesteps == 3 * 128
    assert signal.getsignal(number) in (signal.default_int_handler, signal.SIG_DFL)
    th.manual_seed(99)
    np.random.seed(99)  # noqa: NPY002 - whatever happened in between must not matter
    assert main(["--resume", "runs/parts"]) == 0
    same(weights("runs/whole/model.zip"), weights("runs/parts/model.zip"))
    assert metrics(workplace / "runs/whole") == metrics(workplace / "runs/parts")
    assert len(json.loads((workplace / "runs/parts/run.json").read_text())["processes"]) == 2


def test_a_killed_run_goes_on_from_its_last_checkpoint(workplace, monkeypatch):
    assert main(["tiny.yaml", "--name", "whole"]) == 0

    class Killed(BaseException):
        pass

    def train(self, plain=MaskablePPO.train):
        if self.num_timesteps == 128 * 6:
            raise Killed
        plain(self)

    with monkeypatch.context() as patch:
        patch.setattr(MaskablePPO, "train", train)
        with pytest.raises(Killed):
            main(["tiny.yaml", "--name", "killed"])
    assert weights("runs/killed/model.zip").num_timesteps == 512
    assert main(["--resume", "runs/killed"]) == 0
    same(weights("runs/whole/model.zip"), weights("runs/killed/model.zip"))
    assert metrics(workplace / "runs/whole") == metrics(workplace / "runs/killed")


def test_a_second_signal_is_not_held_back(workplace, monkeypatch):
    def train(self):
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(MaskablePPO, "train", train)
    assert main(["tiny.yaml"]) == 130


def test_a_stop_during_an_evaluation_puts_it_off(workplace, monkeypatch):
    assert main(["tiny.yaml", "--name", "whole"]) == 0
    plain = evaluators.evaluate

    def evaluate_and_stop(*arguments, **keywords):
        signal.raise_signal(signal.SIGTERM)
        return plain(*arguments, **keywords)

    with monkeypatch.context() as patch:
        patch.setattr(evaluators, "evaluate", evaluate_and_stop)
        assert main(["tiny.yaml", "--name", "parts"]) == 143
    assert main(["--resume", "runs/parts"]) == 0
    same(weights("runs/whole/model.zip"), weights("runs/parts/model.zip"))


def test_a_run_goes_on_with_its_own_copy_of_the_deck(workplace, monkeypatch):
    """The deck file that was named may be elsewhere by then, or be another."""
    (workplace / "mine.txt").write_text("1 1 1 1 1 2")
    assert main(["tiny.yaml", "--deck", "mine.txt"]) == 0
    (folder,) = (workplace / "runs").iterdir()
    (workplace / "mine.txt").unlink()
    (workplace / "elsewhere").mkdir()
    monkeypatch.chdir(workplace / "elsewhere")
    assert main(["--resume", str(folder), "--total-steps", "1280"]) == 0
    assert (folder / "deck.txt").read_text() == "1 1 1 1 1 2"


def test_what_may_change_when_resumed(workplace, capsys):
    assert main(["tiny.yaml", "--name", "run", "--total-steps", "256"]) == 0
    for flag in ("--seed", "--num-envs", "--ppo.gamma", "--options.wind"):
        assert main(["--resume", "runs/run", flag, "1"]) == 2
        assert f"{flag}: a resumed run keeps what it began with" in capsys.readouterr().err
    assert main(["--resume", "runs/run", "--total-steps", "512"]) == 0
    assert weights("runs/run/model.zip").num_timesteps == 512
    assert main(["--resume", "runs/none"]) == 2
    assert "there are runs/run" in capsys.readouterr().err


def test_an_earlier_checkpoint_can_be_gone_on_from(workplace):
    assert main(["tiny.yaml", "--name", "run"]) == 0
    whole = weights("runs/run/model.zip")
    assert main(["--resume", "runs/run/checkpoints/000000000256.zip"]) == 0
    same(whole, weights("runs/run/model.zip"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tiny.yaml", "--options.wnd", "1"], "has no option 'wnd'; it has wind"),
        (["tiny.yaml", "--game", "lader"], "did you mean 'ladder'"),
        (["tiny.yaml", "--self-play.pool", "3"], "Ladder is played alone"),
        (["tiny.yaml", "--evaluation.opponents", "random,exprt"], "unknown agent 'exprt'"),
        (["tyni.yaml"], "did you mean 'tiny.yaml'"),
    ],
)
def test_a_wrong_request_leaves_nothing_behind(workplace, capsys, arguments, message):
    assert main(arguments) == 2
    assert message in capsys.readouterr().err
    assert not (workplace / "runs").exists()


def test_a_loss_that_is_not_finite_stops_the_run(workplace, monkeypatch, capsys):
    plain = run.Run._check_losses

    def poisoned(self):
        if self.agent.num_timesteps == 384:
            self.agent.logger.record("train/value_loss", float("nan"))
        plain(self)

    monkeypatch.setattr(run.Run, "_check_losses", poisoned)
    assert main(["tiny.yaml", "--name", "bad"]) == 3
    error = capsys.readouterr().err
    assert "value_loss is nan at 384 steps" in error
    assert "runs/bad/failure-384" in error
    kept = np.load(workplace / "runs/bad/failure-384/games.npz")
    assert kept["positions"].dtype == ladder.SPEC.dtype
    assert len(kept["positions"]) == 8
    assert "rung" in json.loads((workplace / "runs/bad/failure-384/failure.json").read_text())["first_games"][0]
    assert weights("runs/bad/model.zip").num_timesteps == 256


def test_learning_rates():
    linear, cosine, constant = (LearningRate(name, 1.0, 0.2) for name in ("linear", "cosine", "constant"))
    assert [linear(x) for x in (1, 0.5, 0, -0.1)] == pytest.approx([1, 0.6, 0.2, 0.2])
    assert [cosine(x) for x in (1, 0.5, 0)] == pytest.approx([1, 0.6, 0.2])
    assert constant(0.3) == 1


def test_checkpoints_are_refused_with_the_reason(workplace, capsys, monkeypatch):
    assert main(["tiny.yaml", "--name", "run", "--total-steps", "128", "--options.wind", "4"]) == 0
    assert evaluate(["ladder", "--agents", "random", "ppo:runs/run", "runs/run/model.zip", "--episodes", "10"]) == 0
    out = capsys.readouterr().out
    assert "ppo:run#2" in out
    assert "was trained with wind=4; these games have wind=0" in out
    assert evaluate(["coin", "--agents", "ppo:runs/run"]) == 2

    def changed(name, **values):
        with zipfile.ZipFile("runs/run/model.zip") as old, zipfile.ZipFile(name, "w") as new:
            for entry in old.namelist():
                content = old.read(entry)
                if entry == "deckwood.json":
                    content = json.dumps({**json.loads(content), **values}).encode()
                if not (entry == "policy.pth" and values == {"cut": 1}):
                    new.writestr(entry, content)

    for values, message in [
        ({"env_id": "test/Pig-v0"}, "made for env_id 'test/Pig-v0', the game here has 'test/Ladder-v0'"),
        ({"observation_size": 9}, "made for observation_size 9, the game here has 3"),
        ({"layout": "x"}, "renamed, resized or reordered"),
        ({"format": 7}, "format 7"),
        ({"network": {"trunk": [9], "heads": [8], "activation": "relu"}}, "do not fit the network"),
    ]:
        changed("other.zip", **values)
        assert evaluate(["ladder", "--agents", "ppo:other.zip"]) == 2
        assert message in capsys.readouterr().err
    changed("hashed.zip", golden_hash="aaa")
    assert load_policy(workplace / "hashed.zip", ladder.SPEC, "aaa")
    with pytest.raises(CheckpointError, match="made for golden_hash 'aaa', the game here has 'bbb': the game's rules"):
        load_policy(workplace / "hashed.zip", ladder.SPEC, "bbb")
    (workplace / "text.zip").write_text("no zip")
    assert evaluate(["ladder", "--agents", "ppo:text.zip"]) == 2
    assert "not a checkpoint" in capsys.readouterr().err
    weights("runs/run/model.zip").save("stock.zip")
    assert evaluate(["ladder", "--agents", "ppo:stock.zip"]) == 2
    assert "holds no deckwood.json" in capsys.readouterr().err


def test_a_short_run_beats_random_play(workplace, capsys):
    """The learning test: intervals apart, after seconds of training."""
    arguments = [
        "--total-steps",
        "20480",
        "--num-envs",
        "32",
        "--ppo.n-steps",
        "32",
        "--ppo.batch-size",
        "256",
        "--ppo.learning-rate",
        "3e-3",
    ]
    arguments += ["--network.trunk", "32", "--evaluation.every", "0", "--evaluation.final-episodes", "500"]
    assert main(["tiny.yaml", "--name", "learns", *arguments]) == 0
    assert "The agent beats random play: its interval lies above" in capsys.readouterr().out
    result = json.loads((workplace / "runs/learns/result.json").read_text())["agents"]
    assert result["ppo"]["win_rate_ci"][0] > result["random"]["win_rate_ci"][1]
    game = Game(ladder.SPEC)
    again = make_agent("ppo:runs/learns", game.spec, game.deck)
    assert again.name == "ppo:learns"


# Somebody else's checkpoint


class Payload:
    """Unpickled, it leaves a file."""

    def __reduce__(self):
        return Path.touch, (Path("touched"),)


def changed(source, target, **entries):
    """A copy of a checkpoint in which entries hold other bytes; those of resume.npz are arrays, None leaves one out."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "resume.npz":
                arrays = dict(np.load(io.BytesIO(data)))
                arrays |= {key: value for key, value in entries.items() if key in arrays}
                buffer = io.BytesIO()
                np.savez(buffer, **{key: value for key, value in arrays.items() if value is not None})
                data = buffer.getvalue()
            new.writestr(name, entries.get(name.replace(".", "_"), data))


def test_resuming_runs_no_pickled_code(workplace):
    assert main(["tiny.yaml", "--name", "run", "--total-steps", "256"]) == 0
    model = Path("runs/run/model.zip")
    with zipfile.ZipFile(model) as archive:
        content = json.loads(archive.read("data"))
    content["lr_schedule"] = {":type:": "x", ":serialized:": base64.b64encode(pickle.dumps(Payload())).decode()}
    changed(model, "other.zip", data=json.dumps(content).encode())
    Path("other.zip").replace(model)
    assert main(["--resume", "runs/run", "--total-steps", "512"]) == 0
    assert not Path("touched").exists()


def test_a_checkpoint_that_no_run_left_is_refused(workplace, capsys):
    assert main(["tiny.yaml", "--name", "run", "--total-steps", "256"]) == 0
    model, kept = Path("runs/run/model.zip"), Path("kept.zip")
    kept.write_bytes(model.read_bytes())
    good = read_resume(model)
    buffer = io.BytesIO()
    th.save({"weight": Payload()}, buffer)
    cases = {
        "policy.pth holds something else than weights": {"policy_pth": buffer.getvalue()},
        "policy.optimizer.pth is damaged|holds something else": {"policy_optimizer_pth": b"x"},
        "there is no 'counts'": {"counts": None},
        "found counts float64": {"counts": good["counts"].astype(np.float64)},
        r"found starts bool \(1,\)": {"starts": np.zeros(1, np.bool_)},
        "hold a number that cannot be": {"counts": -good["counts"] - 1},
        "found episodes": {"episodes": good["episodes"][:, :1]},
        "numpy_rest holds no state": {"numpy_rest": np.array([9999.0, 0, 0])},
        "found torch": {"torch": good["torch"][:9]},
        "its games cannot be played on: .* its digest": {"batch": good["batch"][:-1]},
        "format 1, which held a raw position": {"batch": np.frombuffer(b"deckwood snapshot 1\n", np.uint8)},
        "resume.npz is damaged": {"resume_npz": b"PK"},
    }
    for message, entries in cases.items():
        changed(kept, model, **entries)
        assert main(["--resume", "runs/run", "--total-steps", "512"]) == 2
        assert re.search(message, capsys.readouterr().err), message
    assert not Path("touched").exists()


def test_an_array_larger_than_its_file_is_refused_before_it_is_made(tmp_path):
    header, inner = io.BytesIO(), io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (10**15,)})
    with zipfile.ZipFile(inner, "w") as arrays:
        arrays.writestr("counters.npy", header.getvalue())
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("resume.npz", inner.getvalue())
    with pytest.raises(CheckpointError, match="its size differs from the declared one"):
        read_resume(tmp_path / "x.zip")


def test_a_commit_is_named_only_where_git_tracks_this_very_file(tmp_path, monkeypatch):
    """A package that lies installed in somebody's repository is not of that repository."""

    def git(*arguments):
        identity = ("-c", "user.name=a", "-c", "user.email=a@b")
        return subprocess.run(["git", *identity, *arguments], cwd=tmp_path, check=True, capture_output=True, text=True).stdout.strip()

    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "begin")
    file = tmp_path / "training.py"
    file.write_text("")
    monkeypatch.setattr(provenance, "__file__", str(file))
    assert (provenance.provenance()["commit"], provenance.provenance()["changed_files"]) == ("", [])
    git("add", file.name)
    git("commit", "-q", "-m", "tracked")
    file.write_text("# changed")
    found = provenance.provenance()
    assert found["commit"] == git("rev-parse", "HEAD")
    assert [line.split()[-1] for line in found["changed_files"]] == ["training.py"]
