"""What happens to programs from outside: Ctrl-C, a closed pipe, a full disk, a kill, a second run in one folder."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from deckwood.core.files import write_atomically
from deckwood.core.program import CLOSED_PIPE, program
from deckwood_agents.learning import training
from deckwood_agents.learning.config import ConfigError
from deckwood_agents.learning.folders import sole_user
from deckwood_agents.learning.logs import JsonLines, read_metrics
from deckwood_agents.learning.training import main
from deckwood_agents.measuring import command
from deckwood_agents.measuring.command import main as evaluate
from deckwood_agents.studies import tuning

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT / "envs", ROOT / "agents", ROOT))), "NUMBA_DISABLE_JIT": "1"}
FIGHT = ["-m", "deckwood.advise", "--dice", "2y", "--enemy", "2/1"]
TRAINING = """\
import sys
from deckwood.core import registry
registry.GAMES["test/Ladder-v0"] = "tests.agents.ladder:SPEC"
from deckwood_agents.learning.training import main
sys.exit(main(sys.argv[1:]))
"""


def start(words, **how):
    """Python as from a terminal: a process started in the background would ignore SIGINT."""
    return subprocess.Popen(
        [sys.executable, *words],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        **how,
    )


@program
def interrupted():
    raise KeyboardInterrupt("half of it is kept")


def test_ctrl_c_is_one_line(capsys):
    assert interrupted() == 130
    assert capsys.readouterr().err == "\ninterrupted: half of it is kept\n"


def test_ctrl_c_in_evaluate(workplace, monkeypatch, capsys):
    def stop(*arguments, **keywords):
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "evaluate", stop)
    assert evaluate(["ladder", "--agents", "random"]) == 130
    assert capsys.readouterr().err == "\ninterrupted\n"


def test_ctrl_c_during_imports():
    process = start(FIGHT)
    time.sleep(0.25)
    process.send_signal(signal.SIGINT)
    err = process.communicate(timeout=60)[1]
    if "importlib" not in err or "site" not in err:  # Python itself was not up yet
        assert process.returncode in (130, -signal.SIGINT, 0)  # the second: before Python took the signal over
        assert "Traceback" not in err


def test_a_closed_pipe_is_no_traceback():
    process = start(FIGHT)
    process.stdout.close()
    assert process.wait(timeout=120) == CLOSED_PIPE
    assert process.stderr.read() == ""
    process.stderr.close()


def test_a_full_disk_leaves_whole_lines(tmp_path):
    path = tmp_path / "metrics.jsonl"
    log = JsonLines(path, 0)
    log.write({"a": 1.0}, {}, 10)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 5, before[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            log.write({"a": 2.0}, {}, 20)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    log.close()
    assert read_metrics(path) == [(10, '{"steps": 10, "a": 1.0}')]


def test_half_a_line_is_trimmed_on_resume(workplace):
    assert main(["tiny.yaml", "--name", "run", "--total-steps", "256", "--evaluation.every", "0"]) == 0
    metrics = Path("runs/run/metrics.jsonl")
    whole = metrics.read_bytes()
    metrics.write_bytes(whole + b'{"steps": 384, "tr')
    assert main(["--resume", "runs/run", "--total-steps", "384"]) == 0
    assert metrics.read_bytes().startswith(whole)
    assert [json.loads(line)["steps"] for line in metrics.read_text().splitlines()] == [128, 256, 384]


def test_a_number_that_is_not_finite_names_no_model_that_is_not_there(workplace, monkeypatch, capsys):
    def poison(self):
        raise training.NonFinite("loss is nan")

    monkeypatch.setattr(training.Run, "_check_losses", poison)
    assert main(["tiny.yaml", "--name", "bad"]) == 3
    err = capsys.readouterr().err
    assert "nothing was saved before it" in err
    assert "model.zip" not in err


def test_two_runs_do_not_share_a_folder(workplace, capsys):
    assert main(["tiny.yaml", "--name", "run", "--total-steps", "128", "--evaluation.every", "0"]) == 0
    before = Path("runs/run/run.json").read_bytes()
    with sole_user(Path("runs/run")):
        assert main(["--resume", "runs/run", "--total-steps", "256"]) == 2
        assert "runs/run: another process is training here" in capsys.readouterr().err
        with pytest.raises(ConfigError, match="another process"), sole_user(Path("runs/run")):
            pass
    assert Path("runs/run/run.json").read_bytes() == before
    assert main(["--resume", "runs/run", "--total-steps", "256"]) == 0


def die(*arguments):
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_dies_is_an_error_and_no_hang(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(tuning, "tune", lambda asked, run: list(run(die, [1, 2])))
    assert tuning.main(["--workers", "1", "--out", str(tmp_path / "x.py")]) == 2
    assert "a process that played has died" in capsys.readouterr().err


WRITER = """\
import sys
from deckwood.core.files import write_atomically
print("begun", flush=True)
while True:
    for letter in b"ab":
        write_atomically(sys.argv[1], bytes([letter]) * 200_000)
"""


@pytest.mark.slow
def test_a_file_that_was_being_written_at_a_kill_is_the_old_or_the_new(tmp_path):
    path = tmp_path / "file"
    write_atomically(path, b"a" * 200_000)
    rng = np.random.default_rng(1)
    for _ in range(6):
        process = start(["-c", WRITER, str(path)])
        assert process.stdout.readline() == "begun\n"
        time.sleep(float(rng.uniform(0, 0.05)))
        process.kill()
        process.communicate()
        assert path.read_bytes() in (b"a" * 200_000, b"b" * 200_000)


def trained(name):
    """The network of a run and what it has seen, but for times."""
    from deckwood_agents.players.checkpoints import read_resume, read_tensors

    model = Path(f"runs/{name}/model.zip")
    weights = {key: value.numpy() for key, value in read_tensors(model, "policy.pth", "cpu").items()}
    resume = {key: value for key, value in read_resume(model).items() if key != "episodes"}
    return {**weights, **resume}


@pytest.mark.slow
def test_a_killed_run_goes_on_bit_for_bit(workplace):
    """SIGKILL at a random moment after the first checkpoint."""
    how = [
        "tiny.yaml",
        "--total-steps",
        "1024",
        "--checkpoints.every",
        "128",
        "--evaluation.every",
        "0",
        "--evaluation.opponents",
        "random",
    ]
    process = start(["-c", TRAINING, *how, "--name", "killed"])
    model = Path("runs/killed/model.zip")
    until = time.monotonic() + 120
    while not model.exists() and process.poll() is None and time.monotonic() < until:
        time.sleep(0.01)
    time.sleep(float(np.random.default_rng(2).uniform(0, 0.3)))
    process.kill()
    process.communicate()
    for name, words in (("killed", ["--resume", "runs/killed"]), ("whole", [*how, "--name", "whole"])):
        again = start(["-c", TRAINING, *words])
        out, err = again.communicate(timeout=240)
        assert again.returncode == 0, (name, out, err)
    one, other = trained("whole"), trained("killed")
    assert one.keys() == other.keys()
    assert all(np.array_equal(one[key], other[key]) for key in one)
    lines = [
        [json.loads(line)["steps"] for line in Path(f"runs/{name}/metrics.jsonl").read_text().splitlines()] for name in ("whole", "killed")
    ]
    assert lines[0] == lines[1]
