import csv
import json
import math
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
import yaml

from deckwood_agents.learning import sweep
from deckwood_agents.learning.config import ConfigError, command_line
from deckwood_agents.learning.sweep import Parameter, Sweep
from deckwood_agents.learning.training import main as train

ROOT = Path(__file__).parents[2]
GRID = {
    "program": "train.py",
    "command": ["${env}", "${interpreter}", "${program}", "tiny.yaml", "${args}"],
    "method": "grid",
    "metric": {"name": "validation/ppo_win_rate", "goal": "maximize"},
    "parameters": {"total_steps": {"value": 512}, "ppo.gamma": {"values": [0.9, 0.99]}, "network.trunk": {"values": [[8], [4, 4]]}},
}


@pytest.fixture
def bench(workplace, monkeypatch):
    """A sweep file, and runs made in this process; ``asked`` keeps their command lines."""
    (workplace / "train.py").touch()
    asked = []

    def run(words):
        asked.append(words[2:])
        return train(words[2:])

    monkeypatch.setattr(sweep, "_run", run)
    write(GRID)
    return asked


def write(content, **changes):
    Path("sweep_tiny.yaml").write_text(yaml.safe_dump({**content, **changes}, sort_keys=False))


def rows():
    return list(csv.DictReader(Path("runs/sweep_tiny-1.csv").read_text().splitlines()))


def test_a_grid_is_run_whole_and_told_best_first(bench, capsys):
    assert sweep.main(["sweep_tiny.yaml"]) == 0
    assert [words[1:4] for words in bench] == [
        ["--total_steps=512", f"--ppo.gamma={gamma}", f"--network.trunk={trunk}"] for gamma in (0.9, 0.99) for trunk in ([8], [4, 4])
    ]
    table = rows()
    assert {row["run"] for row in table} == {f"sweep_tiny-1-00{n}" for n in (1, 2, 3, 4)}
    found = [float(row["validation/ppo_win_rate"]) for row in table]
    assert found == sorted(found, reverse=True)
    for row in table:
        folder = Path("runs", row["run"])
        config = yaml.safe_load((folder / "config.yaml").read_text())
        assert (str(config["ppo"]["gamma"]), str(config["network"]["trunk"])) == (row["ppo.gamma"], row["network.trunk"])
        last = json.loads((folder / "metrics.jsonl").read_text().splitlines()[1])  # at 256 steps: at 512 the run is over
        assert last["validation/ppo_win_rate"] == float(row["validation/ppo_win_rate"])
    assert "sweep_tiny-1-001" in capsys.readouterr().out

    assert sweep.main(["sweep_tiny.yaml"]) == 0
    assert len(bench) == 4  # nothing is run twice


def test_it_goes_on_where_it_was_stopped(bench):
    def stopped(words):
        bench.append(words[2:])
        status = train(words[2:])
        Path("runs/sweep_tiny-1-002/result.json").unlink(missing_ok=True)  # as if it had been stopped before it was compared
        return 130 if words[2] == "tiny.yaml" and "sweep_tiny-1-002" in words else status

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweep, "_run", stopped)
        assert sweep.main(["sweep_tiny.yaml", "--count", "3"]) == 130
    assert [row["state"] for row in sorted(rows(), key=lambda row: row["run"])] == ["done", "stopped"]
    Path("runs/sweep_tiny-1-003").mkdir()  # killed before its first checkpoint
    bench.clear()
    assert sweep.main(["sweep_tiny.yaml", "--count", "3"]) == 0
    assert [words[:2] for words in bench] == [["--resume", "runs/sweep_tiny-1-002"], ["tiny.yaml", "--total_steps=512"]]
    assert [row["state"] for row in rows()] == ["done"] * 3


def test_a_changed_file_does_not_mix_with_earlier_runs(bench, capsys):
    assert sweep.main(["sweep_tiny.yaml", "--count", "1"]) == 0
    write(GRID, parameters=GRID["parameters"] | {"ppo.gamma": {"value": 0.5}})
    assert sweep.main(["sweep_tiny.yaml", "--count", "1"]) == 2
    assert "runs/sweep_tiny-1-001 was run with other parameters" in capsys.readouterr().err
    assert len(bench) == 1


def test_draws_depend_on_the_seed_and_their_number_alone(bench):
    write(GRID, method="random", parameters={"ppo.ent_coef": {"min": 0.0, "max": 1.0}, "seed": {"min": 1, "max": 9}})
    tiny = Sweep(Path("sweep_tiny.yaml"))
    first, again, other = (list(islice(tiny.draws(seed), 5)) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    assert len({draw["ppo.ent_coef"] for draw in first}) == 5
    assert all(isinstance(draw["seed"], int) for draw in first)


@pytest.mark.parametrize(
    ("given", "low", "high", "mean"),
    [
        ({"min": 2.0, "max": 4.0}, 2, 4, 3),
        ({"min": 1, "max": 3}, 1, 3, 2),
        ({"distribution": "log_uniform_values", "min": 0.01, "max": 1.0}, 0.01, 1, 0.99 / math.log(100)),
        ({"distribution": "q_uniform", "min": 0.0, "max": 1.0, "q": 0.5}, 0, 1, 0.5),
        ({"values": [1, 5], "probabilities": [0.75, 0.25]}, 1, 5, 2),
    ],
)
def test_distributions(given, low, high, mean):
    rng = np.random.default_rng(1)
    drawn = np.array([Parameter("x", given, "f").draw(rng) for _ in range(20_000)])
    assert low <= drawn.min()
    assert drawn.max() <= high
    assert drawn.mean() == pytest.approx(mean, abs=5 * drawn.std() / math.sqrt(20_000))
    if isinstance(given.get("min"), int):
        assert set(drawn) == {1, 2, 3}
    if "q" in given:
        assert set(drawn) == {0, 0.5, 1}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"method": "bayes"}, "method 'bayes'; it learns from results on wandb's server"),
        ({"method": "guess"}, r"method 'guess' \(here: grid, random\)"),
        ({"program": "trian.py"}, "program 'trian.py': no such file"),
        ({"metric": {"name": "x"}, "parameters": {}}, "parameters: expected fields"),
        ({"metric": {"goal": "maximize"}}, "metric needs a name and a goal"),
        ({"parameters": {"seed": {"min": 1, "max": 2}}}, "parameters.seed: a grid needs value"),
        ({"parameters": {"seed": 3}}, "parameters.seed: expected value:"),
        ({"parameters": {"seed": {"distribution": "beta"}}}, "distribution 'beta' is not known here"),
        ({"parameters": {"seed": {"min": 1}}}, "needs min and max as numbers; max is None"),
        ({"parameters": {"seed": {"min": 3, "max": 2}}}, "from 3 to 2 is not a valid range"),
    ],
)
def test_files_that_make_no_sense(bench, changes, message):
    write(GRID, **changes)
    with pytest.raises(ConfigError, match=message):
        Sweep(Path("sweep_tiny.yaml"))


def test_what_train_refuses_is_said_before_anything_runs(bench, capsys):
    write(GRID, parameters={"ppo.gamma": {"values": [0.9, 1.5]}})
    assert sweep.main(["sweep_tiny.yaml"]) == 2
    assert "--ppo.gamma" in capsys.readouterr().err
    write(GRID, command=["${program}", "${args_json}"])
    assert sweep.main(["sweep_tiny.yaml"]) == 2
    assert "command: ${args_json} is not known here" in capsys.readouterr().err
    write(GRID, method="random")
    assert sweep.main(["sweep_tiny.yaml"]) == 2
    assert "--count" in capsys.readouterr().err
    assert not bench
    assert not Path("runs").exists()


@pytest.mark.parametrize("file", sorted(path.name for path in (ROOT / "configs").glob("sweep_*.yaml")))
def test_sweeps_that_ship_draw_what_train_takes(file, monkeypatch):
    """By the words of this runner and by those of wandb's own agent."""
    wandb_agent = pytest.importorskip("wandb.sdk.launch.sweeps.utils")
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sweep, "RUNS", Path("no runs"))
    shipped = Sweep(Path("configs", file))
    for chosen in islice(shipped.draws(1), 20):
        words = sweep.next_words(shipped, "name", chosen)
        given = wandb_agent.create_sweep_command_args({"args": {name: {"value": value} for name, value in chosen.items()}})["args"]
        _, _, theirs = command_line(["configs/x.yaml", *given])
        _, _, ours = command_line(words[2:])
        assert theirs == chosen
        assert ours == {**chosen, "name": "name", "wandb": "offline"}
