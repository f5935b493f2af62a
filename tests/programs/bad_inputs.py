"""The table of bad inputs: what is typed or handed to each program, and a part of what it must answer."""

import io
import json
import os
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

PROGRAMS = {
    "train": "deckwood_agents.learning.training",
    "evaluate": "deckwood_agents.measuring.command",
    "results": "deckwood_agents.results.__main__",
    "sheet": "deckwood_agents.studies.sheet.__main__",
    "sweep": "deckwood_agents.learning.sweep",
    "tuning": "deckwood_agents.studies.tuning",
    "fit": "deckwood_agents.studies.prospects",
    "ship": "deckwood_agents.learning.ship",
    "advise": "deckwood.advise.command",
    "show": "deckwood.show",
    "campaign": "deckwood.core.campaign",
    "docs": "deckwood.docs",
    "golden": "deckwood.core.golden",
    "conformance": "deckwood.core.conformance",
    "bench": "benchmarks/run.py",
    "bench-solver": "benchmarks/solver.py",
    "bench-training": "benchmarks/training.py",
    "balance": "benchmarks/balance.py",
    "deviations": "benchmarks/deviations.py",
}
"""Each has ``main(args)``."""


class Row(NamedTuple):
    """``program`` is given ``line`` in a folder that ``make`` has filled, and must answer with ``message``."""

    program: str
    line: str
    message: str
    make: Callable[[Path], object] = lambda folder: None
    run: bool = False  # whether runs/run holds a finished run of Ladder


def file(name: str, content: str | bytes) -> Callable[[Path], object]:
    def make(folder: Path) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)

    return make


def both(*makes: Callable[[Path], object]) -> Callable[[Path], object]:
    return lambda folder: [make(folder) for make in makes]


# Numbers ---------------------------------------------------------------------------------------------------------------------------------

NO_WHOLE = ("1e30", "-1", "nan", "inf", "1.5", "many", "", "9" * 500, "0x10", "1e400")


def numbers(program: str, base: str, flags: str, values: tuple[str, ...] = NO_WHOLE) -> Iterator[Row]:
    for flag in flags.split():
        yield from (Row(program, f"{flag}={value} {base}", f"argument {flag}: found ") for value in values)


def number_rows() -> Iterator[Row]:
    yield from numbers("evaluate", "ladder", "--episodes", (*NO_WHOLE, "1", "0"))
    yield from numbers("evaluate", "ladder", "--seed", (*NO_WHOLE, str(2**64)))
    yield from numbers("evaluate", "hill", "--players", ("nan", "1e30", "-1", "0", "two"))
    yield from numbers("results", "", "--episodes", ("1", "nan", "1e30", "-5", "few"))
    yield from numbers("sweep", "x.yaml", "--count --seed", ("-1", "nan", "1e30", "few"))
    yield from numbers("tuning", "", "--workers", ("0", "-1", "nan", "1e30", "all"))
    yield from numbers("tuning", "", "--games --rounds --seed --confirm", ("-1", "nan", "1e30", "many"))
    yield from numbers("fit", "tanglewoods", "--games --rounds --seed --slots", ("-1", "nan", "1e30", "many"))
    yield from numbers("fit", "tanglewoods", "--budget", ("-1", "nan", "inf", "1e300", "much"))
    yield from numbers("show", "x.json", "--event", ("-1", "nan", "1e30", "last"))
    yield from numbers("conformance", "test/Ladder-v0", "--games --seed", ("-1", "nan", "1e30", "many"))
    yield from numbers("bench", "--quick", "--batches --starts", ("-1", "nan", "1e30", "many"))
    yield from numbers("bench-solver", "--quick", "--repeats --case", ("-1", "nan", "1e30", "many"))
    yield from numbers("bench-training", "--quick", "--repeats --n-steps", ("0", "-1", "nan", "1e30", "many"))
    yield from numbers("balance", "tanglewoods", "--episodes --seed", ("-1", "nan", "1e30", "many"))
    yield from numbers("deviations", "tanglewoods", "--positions --tries --seed", ("-1", "nan", "1e30", "many"))
    fight = "--dice 3y3g3b3p --enemy 5/2"
    yield from numbers("advise", fight, "--health --gold --top --memory", ("-1", "nan", "1e30", "many", "9" * 500))


# Files to be written ---------------------------------------------------------------------------------------------------------------------

DEVICES = ("/dev/full", "/dev/null", "/dev/tty0")


def outputs(program: str, line: str, flags: str, name: str = "x.json") -> Iterator[Row]:
    for flag in flags.split():
        yield Row(program, f"{flag} nowhere/{name} {line}", f"argument {flag}: nowhere/{name}: there is no folder nowhere")
        yield Row(program, f"{flag} {name} {line}", "found a folder", lambda folder: (folder / name).mkdir())
        yield Row(program, f"{flag} file/{name} {line}", "there is no folder file", file("file", ""))
        yield Row(
            program, f"{flag} loop/{name} {line}", "Too many levels of symbolic links", lambda folder: (folder / "loop").symlink_to("loop")
        )
        yield Row(program, f"{flag} {'x' * 300}{Path(name).suffix} {line}", "too long")


def output_rows() -> Iterator[Row]:
    yield from outputs("evaluate", "ladder", "--json --csv")
    yield from outputs("evaluate", "ladder", "--plot", "x.png")
    yield from outputs("advise", "--dice 2y --enemy 5/2", "--json")
    yield from outputs("advise", "--dice 2y --enemy 5/2", "--plot", "x.png")
    yield from outputs("show", "x.json", "--png", "x.png")
    yield from outputs("tuning", "", "--out")
    yield from outputs("fit", "tanglewoods", "--out")
    yield from outputs("sheet", "--redraw", "--findings")
    yield from outputs("bench", "--quick", "--json")
    yield from outputs("bench-solver", "--quick", "--json")
    yield from outputs("bench-training", "--quick", "--json")
    yield from outputs("balance", "tanglewoods", "--json")
    yield from outputs("deviations", "tanglewoods", "--json")
    for device in DEVICES:
        yield Row("evaluate", f"ladder --json {device}", "found a")
        yield Row("evaluate", f"ladder --csv {device}", "found a")
        yield Row("advise", f"--dice 2y --enemy 5/2 --json {device}", "found a")
    yield Row("evaluate", "ladder --json pipe", "found a pipe", lambda folder: os.mkfifo(folder / "pipe"))
    for name in ("x.gif", "x", "x.PNG.", "png"):
        yield Row("evaluate", f"ladder --plot {name}", "the name of a picture ends in .png, .svg or .pdf")
        yield Row("advise", f"--dice 2y --enemy 5/2 --plot {name}", "the name of a picture ends in .png, .svg or .pdf")
    yield Row("sheet", "--redraw --to file", "file", file("file", ""))
    yield Row("results", "--docs file", "file", file("file", ""))


def page(content: str | bytes) -> Callable[[Path], object]:
    return both(file("docs/x.md", ""), file("README.md", content))


# Games, agents, devices, options ---------------------------------------------------------------------------------------------------------


def word_rows() -> Iterator[Row]:
    for name in ("lader", "", "deckwood/Nothing-v0", "\x1b[31m", "ladder\n", "../ladder"):
        if name.strip() != "ladder":
            yield Row("evaluate", f"{name!r}", "unknown game")
        yield Row("conformance", f"{name!r}", "no game")
        yield Row("golden", f"{name!r}", "no game")
        if name.strip() != "ladder":
            yield Row("fit", f"{name!r}", "unknown game")
            yield Row("balance", f"{name!r}", "unknown game")
            yield Row("deviations", f"{name!r}", "unknown game")
        yield Row("bench", f"--quick --games {name!r}", "no game")
    yield Row("balance", "ladder", "has no tables of balance")
    yield Row("fit", "ladder", "has no model")
    for agent in ("expret", "solver", "optimum", ""):
        yield Row("evaluate", f"ladder --agents {agent!r}", "unknown agent")
    for budget in ("", "0", "1e3", "99999999999"):
        yield Row("evaluate", f"ladder --agents search:{budget}", f"search:{budget}: the budget")
    for where in ("ppo:none", "none.zip"):
        yield Row("evaluate", f"ladder --agents {where}", "no checkpoint 'none")
    yield Row("evaluate", f"ladder --agents ppo:{'x' * 300}", "no checkpoint")
    yield Row("evaluate", "ladder --agents 'ppo:a\0b'", "no checkpoint")
    yield Row("results", "--agents nobody", "the plan has no 'nobody'")
    yield Row("results", "--only chess", "invalid choice: 'chess'")
    yield Row("results", "--runs none", "no run to resume here")
    for device in ("cuda:9", "tpu", "cuda:x", "meta", "", "cpu:-1", "cuda:99999999999999999999"):
        yield Row("evaluate", f"ladder --agents random --device={device}", "device")
        yield Row("train", f"tiny.yaml --device={device}", "device")
    for option in (
        "wind",
        "=1",
        "wnd=1",
        "wind=[",
        "wind=10",
        "wind=nan",
        "wind=1e30",
        "wind={a: 1}",
        "wind=[1]",
        "wind='",
        "wind=2020-99-99",
        "wind=no",
    ):
        yield Row("evaluate", f'ladder --option "{option}"', option.partition("=")[0])
    yield Row("evaluate", "ladder --wind [", "wind")
    yield Row("evaluate", "ladder --no-such-option 1", "no-such-option")
    yield Row("evaluate", "ladder --deck none.txt", "none.txt")
    yield Row("conformance", "test/Ladder-v0 --deck none.txt", "none.txt")
    yield Row("golden", "test/Ladder-v0 --nothing", "unrecognized arguments")
    yield Row("docs", "--root none", "no folder docs in none")
    yield Row("docs", "--root .", "not of the form", page("<!-- generated: actions -->\n"))
    yield Row("docs", "--root .", "no block 'poems'", page("<!-- generated: poems -->\n\nx\n\n<!-- /generated -->\n"))
    yield Row("docs", "--root .", "README.md", page(b"\xff\xfe<!--"))
    yield Row("bench-training", "--quick --configs none.yaml", "none.yaml: no such file")
    yield Row("bench-training", "--quick --page none.md", "none.md")
    yield Row("bench-training", "--quick --page x.md", "x.md: no place", file("x.md", "no marks"))
    yield Row("bench-solver", "--quick --page none.md", "none.md")
    yield Row("bench-solver", "--quick --page x.md", "x.md: no place", file("x.md", "no marks"))
    yield Row("balance", "tanglewoods --json x.json", "x.json", file("x.json", "["))
    yield Row("balance", "tanglewoods --json x.json", "x.json", file("x.json", "[]"))
    yield Row("ship", "none", "no run to resume here")
    yield Row("sheet", "--redraw --to empty", "empty", lambda folder: (folder / "empty").mkdir())
    yield Row("sheet", "--redraw --to here", "fights", file("here/fights.csv", "a,b\n1,2\n"))


# Advice ----------------------------------------------------------------------------------------------------------------------------------


def advice_rows() -> Iterator[Row]:
    for dice in ("", "3x", "99999y", "3y3y", "y" * 50, "-1y", "3", "9" * 500 + "y"):
        yield Row("advise", f"--dice={dice} --enemy 5/2", "dice" if not dice else "")
    for enemy in ("5", "5/", "/2", "0/1", "999999/1", "5/2:gold", "5/2:gold=99", "5/2:luck=1", "5/-1", "x/y", "9" * 500 + "/1"):
        yield Row("advise", f"--dice 2y --enemy={enemy}", "")
    for value in (
        "health=1e308",
        "health=nan",
        "health=inf",
        "health=-1e308",
        "health",
        "luck=1",
        "ready=1,2",
        "gold=1e20",
        "=",
        "health=x",
    ):
        yield Row("advise", f"--dice 2y --enemy 5/2 --value {value}", "value" if value != "health" else "write a value")
    for name, content, message in (
        ("none.json", None, "none.json"),
        ("x.json", "[", "x.json: found no JSON"),
        ("x.json", "[" * 100_000, "x.json"),
        ("x.json", "3", "x.json: found int"),
        ("x.json", b"\xff\xfe", "x.json"),
        ("x.json", '{"health": 1e999}', "x.json"),
        ("x.json", '{"health": NaN}', "x.json"),
        ("x.json", '{"health": null}', "x.json"),
        ("x.json", '{"health": {}}', "x.json"),
        ("x.json", '{"ready": [1, 2]}', "x.json"),
        ("x.json", '{"luck": 1}', "x.json"),
        ("x.json", '{"health": 1' + "0" * 5000 + "}", "x.json"),
    ):
        yield Row("advise", f"--dice 2y --enemy 5/2 --objective {name}", message, file(name, content) if content is not None else _nothing)
    for line, message in (
        ("", "--dice and --enemy are needed"),
        ("--dice 2y", "--dice and --enemy are needed"),
        ("--position none.bin", "none.bin"),
        ("--position x.bin --dice 2y", "--dice belongs to a fight"),
        ("--dice 2y --enemy 5/2 --slot 1", "--slot belongs to --position"),
        ("--dice 2y --enemy 5/2 --committed 1y", "--committed belongs to --rolled"),
        ("--dice 2y --enemy 5/2 --rolled y=z", "is not a face of a die"),
        ("--dice 2y --enemy 5/2 --rolled q=h", "colour"),
        ("--dice 2y --enemy 5/2 --rolled y=hhhhh", "there are not that many"),
        ("--dice 2y --enemy 5/2 --rolled y=h --left x", "Health left"),
        ("--dice 2y --enemy 5/2 --rolled y=h --left 1,2,3", ""),
        ("--dice 2y --enemy 5/2 --rolled y=h --left 99", ""),
        ("--dice 2y --enemy 5/2 --commit 5b", ""),
        ("--dice 2y --enemy 5/2 --interactive --json x.json", "do not go together"),
        ("--dice 2y --enemy 5/2 --nonsense", "unrecognized arguments"),
        ("--position x.bin", "x.bin"),
    ):
        yield Row("advise", line, message, file("x.bin", b"\x00" * 100))
    yield Row("advise", "--position folder", "folder", lambda folder: (folder / "folder").mkdir())
    yield Row("advise", "--position /dev/zero", "/dev/zero")


def _nothing(folder: Path) -> None:
    pass


# Replays and campaigns -------------------------------------------------------------------------------------------------------------------


def replay_rows() -> Iterator[Row]:
    right = {"format": 1, "env_id": "test/Ladder-v0", "made_with": {}, "events": []}
    for content, message in (
        ("", ""),
        ("[" * 100_000, ""),
        ("3", ""),
        ("{}", ""),
        (b"\xff\xfe", ""),
        (json.dumps({**right, "format": 99}), "format"),
        (json.dumps({**right, "env_id": "test/Nothing-v0"}), "test/Nothing-v0"),
        (json.dumps({**right, "env_id": 3}), ""),
        (json.dumps({**right, "made_with": 3}), ""),
        (json.dumps({**right, "made_with": {"wnd": 1}}), ""),
        (json.dumps({**right, "events": [[9]]}), ""),
        (json.dumps({**right, "events": "x"}), ""),
        (json.dumps({key: value for key, value in right.items() if key != "made_with"}), ""),
    ):
        yield Row("show", "replay.json", message, file("replay.json", content))
        yield Row("campaign", "replay.json", "replay.json", file("replay.json", content))
    for program in ("show", "campaign"):
        yield Row(program, "none.json", "none.json")
        yield Row(program, "folder", "folder", lambda folder: (folder / "folder").mkdir())
        yield Row(program, "/dev/zero", "/dev/zero")


# Configurations --------------------------------------------------------------------------------------------------------------------------


def config_rows() -> Iterator[Row]:
    laughs = "a0: &a0 {x: 1}\n" + "".join(f"a{n}: &a{n} {{p: *a{n - 1}, q: *a{n - 1}}}\n" for n in range(1, 60))
    for content, message in (
        ("game: [", "x.yaml:"),
        ("game: 'ladder", "x.yaml:"),
        ("[" * 20_000, "x.yaml:"),
        ("a: " + "{a: " * 5_000, "x.yaml:"),
        (laughs, "x.yaml: anchors and aliases"),
        ("game: ladder\noptions: &o {wind: 1}\nppo: *o", "x.yaml: anchors and aliases"),
        ("", "x.yaml: expected fields with values"),
        ("3", "x.yaml: expected fields with values"),
        ("- game: ladder", "x.yaml: expected fields with values"),
        (b"\xff\xfe\x00", "x.yaml:"),
        ("game: ladder\0", "x.yaml:"),
        ("\tgame: ladder", "x.yaml:"),
        ("game: ladder\n" + "# long\n" * 300_000, "x.yaml: more than"),
        ("game: !!python/object/apply:os.system ['touch here']", "x.yaml:"),
        ("game: !!python/name:os.system", "x.yaml:"),
        ("game: !!int ''", "x.yaml:"),
        ("game: !!int 'x'", "x.yaml:"),
        ("game: !!float 'x'", "x.yaml:"),
        ("game: !!bool 'x'", "x.yaml:"),
        ("game: !!timestamp 'x'", "x.yaml:"),
        ("game: !!binary '\u00fc'", "x.yaml:"),
        ("game: 2020-99-99", "x.yaml:"),
        ("seed: " + "9" * 500, "x.yaml:"),
        ("game: ladder\ngame: pig", "'game' is given twice"),
        ("game: ladder\n[1]: 2", "x.yaml:"),
        ("game: ladder\n{a: 1}: 2", "x.yaml:"),
        ("game: ladder\n1: 2", "x.yaml: 1: "),
        ("game: ladder\nnull: 2", "x.yaml:"),
        ("game: ladder\ntrue: 2", "x.yaml:"),
        ("game: 3", "x.yaml: game: "),
        ("game: null", "x.yaml: game: "),
        ("game: [ladder]", "x.yaml: game: "),
        ("game: {a: 1}", "x.yaml: game: "),
        ("game: lader", "did you mean 'ladder'?"),
        ("seed: 3", "x.yaml: game: this field is required"),
        ("game: ladder\n---\ngame: pig", "x.yaml:"),
    ):
        yield Row("train", "x.yaml", message, file("x.yaml", content))
        yield Row("sweep", "x.yaml --count 1", "x.yaml", file("x.yaml", content))
    for line, message in (
        ("sed: 3", "sed: unknown field; did you mean 'seed'?"),
        ("ppo: {learning_rat: 1}", "ppo.learning_rat: unknown field; did you mean 'learning_rate'?"),
        ("evaluation: {episode: 1}", "did you mean 'episodes'?"),
        ("imitation: {teachr: x}", "did you mean 'teacher'?"),
        ("self_play: {pol: 1}", "did you mean 'pool'?"),
        ("seed: -1", "x.yaml: seed: "),
        ("seed: 4294967296", "x.yaml: seed: "),
        ("seed: 1.5", "x.yaml: seed: "),
        ("seed: .nan", "x.yaml: seed: "),
        ("seed: true", "x.yaml: seed: "),
        ("seed: [1]", "x.yaml: seed: "),
        ("total_steps: 1e30", "x.yaml: total_steps: "),
        ("total_steps: 0", "x.yaml: total_steps: "),
        ("total_steps: .inf", "x.yaml: total_steps: "),
        ("total_steps: 1e400", "x.yaml: total_steps: "),
        ("num_envs: 1e12", "x.yaml: num_envs: "),
        ("num_envs: 0", "x.yaml: num_envs: "),
        ("num_envs: -8", "x.yaml: num_envs: "),
        ("num_envs: {}", "x.yaml: num_envs: "),
        ("threads: 100000000", "x.yaml: threads: "),
        ("threads: -1", "x.yaml: threads: "),
        ("wandb: maybe", "x.yaml: wandb: "),
        ("tensorboard: perhaps", "x.yaml: tensorboard: "),
        ("network: 3", "x.yaml: network: "),
        ("network: {trunk: [0]}", "x.yaml: network.trunk.0: "),
        ("network: {trunk: [1000000000]}", "x.yaml: network.trunk.0: "),
        ("network: {trunk: many}", "x.yaml: network.trunk"),
        ("network: {trunk: [[8]]}", "x.yaml: network.trunk.0: "),
        ("network: {activation: gelu}", "x.yaml: network.activation: "),
        ("network: {advice: nobody}", "network.advice: "),
        ("network: {advice_weight: .nan}", "x.yaml: network.advice_weight: "),
        ("ppo: []", "x.yaml: ppo: "),
        ("ppo: {gamma: 1.5}", "x.yaml: ppo.gamma: "),
        ("ppo: {gamma: .nan}", "x.yaml: ppo.gamma: "),
        ("ppo: {learning_rate: 0}", "x.yaml: ppo.learning_rate: "),
        ("ppo: {learning_rate: .inf}", "x.yaml: ppo.learning_rate: "),
        ("ppo: {n_steps: 1e12}", "x.yaml: ppo.n_steps: "),
        ("ppo: {n_steps: 7}", "ppo.batch_size"),
        ("ppo: {batch_size: 0}", "x.yaml: ppo.batch_size: "),
        ("ppo: {n_epochs: -2}", "x.yaml: ppo.n_epochs: "),
        ("ppo: {target_kl: 0}", "x.yaml: ppo.target_kl: "),
        ("evaluation: {final_episodes: 1}", "x.yaml: evaluation.final_episodes: "),
        ("evaluation: {episodes: 1e30}", "x.yaml: evaluation.episodes: "),
        ("evaluation: {opponents: [exprt]}", "unknown agent 'exprt'"),
        ("evaluation: {opponents: 3}", "x.yaml: evaluation.opponents"),
        ("evaluation: {seed: 1e30}", "x.yaml: evaluation.seed: "),
        ("checkpoints: {keep: -1}", "x.yaml: checkpoints.keep: "),
        ("checkpoints: {every: soon}", "x.yaml: checkpoints.every: "),
        ("imitation: {steps: 1e9}", "imitation.steps"),
        ("imitation: {teacher: nobody}", "imitation.teacher: "),
        ("imitation: {teacher_share: 2}", "x.yaml: imitation.teacher_share: "),
        ("self_play: {pool: 3}", "is played alone"),
        ("self_play: {current: 2}", "x.yaml: self_play.current: "),
        ("self_play: {scripted: {greedy: .nan}}", "x.yaml: self_play.scripted.greedy: "),
        ("self_play: {current: 0.1}", "the shares must sum to 1"),
        ("options: 3", "x.yaml: options: "),
        ("options: {wnd: 1}", "has no option 'wnd'"),
        ("options: {wind: [1]}", "wind"),
        ("options: {wind: .nan}", "wind"),
        ("options: {1: 2}", "x.yaml: options"),
        ("deck: none.txt", "none.txt"),
        ("deck: 3", "x.yaml: deck: "),
        ("name: ../out", "name '../out'"),
        (f"name: {'x' * 300}", "name "),
        ("name: .hidden", "name '.hidden'"),
        ("device: abacus", "device"),
    ):
        yield Row(
            "train",
            "x.yaml",
            message,
            file("x.yaml", f"game: ladder\n{line}\n"),
        )
    for line, message in (
        ("", "give either a config file"),
        ("tiny.yaml --resume runs/x", "give either a config file"),
        ("tiny.yaml --sed 3", "did you mean '--seed'?"),
        ("tiny.yaml --options.wind", "expected a value"),
        ("tiny.yaml --options.wind [", "--options.wind"),
        ("tiny.yaml --options. 1", "unknown argument '--options.'"),
        ("tiny.yaml --seed [", "--seed"),
        ("tiny.yaml --seed '{a: b: c}'", "--seed"),
        ("tiny.yaml --seed 2020-99-99", "--seed"),
        ("tiny.yaml --seed 4294967296", "command line: --seed: "),
        ("tiny.yaml --seed=-1", "command line: --seed: "),
        ("tiny.yaml --seed nan", "command line: --seed: "),
        ("tiny.yaml --threads 100000000", "command line: --threads: "),
        ("tiny.yaml --total-steps 1e30", "command line: --total-steps: "),
        ("tiny.yaml --num-envs 1e30", "command line: --num-envs: "),
        ("tiny.yaml --evaluation.episodes 1e30", "command line: --evaluation.episodes: "),
        ("tiny.yaml --ppo.learning-rate '*x'", "--ppo.learning-rate"),
        ("tiny.yaml --network.trunk 99999999999", "command line: --network.trunk"),
        ("tiny.yaml other.yaml", "unknown argument 'other.yaml'"),
        ("folder", "folder: found a folder"),
        ("/dev/zero", "/dev/zero: found a device"),
        ("none.yaml", "none.yaml: no such file"),
        ("--resume none", "no run to resume here"),
        ("--resume tiny.yaml", "no run to resume here"),
    ):
        yield Row("train", line, message, lambda folder: (folder / "folder").mkdir())


def sweep_rows() -> Iterator[Row]:
    head = "program: train.py\nmethod: random\nmetric: {name: x, goal: maximize}\n"
    for content, message in (
        ("method: bayes", "bayes"),
        ("method: 3", "method 3"),
        ("method: random", "program ''"),
        ("method: random\nprogram: none.py", "program 'none.py'"),
        ("method: random\nprogram: train.py\nmetric: 3", "metric"),
        ("method: random\nprogram: train.py\nmetric: {name: x, goal: win}", "metric"),
        (head, "parameters"),
        (head + "parameters: []", "parameters"),
        (head + "parameters: {seed: 3}", "parameters.seed"),
        (head + "parameters: {seed: {values: 3}}", "parameters.seed"),
        (head + "parameters: {seed: {values: []}}", "parameters.seed"),
        (head + "parameters: {seed: {min: 3, max: 1}}", "parameters.seed"),
        (head + "parameters: {seed: {min: .nan, max: 1}}", "parameters.seed"),
        (head + "parameters: {seed: {min: 1, max: 1.0e+400}}", "parameters.seed"),
        (head + "parameters: {seed: {min: a, max: b}}", "parameters.seed"),
        (head + "parameters: {seed: {distribution: normal}}", "parameters.seed"),
        (head + "parameters: {seed: {distribution: [1]}}", "parameters.seed"),
        (head + "parameters: {seed: {distribution: q_uniform, min: 0, max: 1, q: 0}}", "parameters.seed"),
        (head + "parameters: {seed: {values: [1, 2], probabilities: [1]}}", "parameters.seed"),
        (head + "parameters: {seed: {values: [1, 2], probabilities: [2, -1]}}", "parameters.seed"),
        (head + "parameters: {seed: {values: [1, 2], probabilities: x}}", "parameters.seed"),
        (head + "parameters: {seed: {value: 1}}\ncommand: 3", "command"),
        (head + "parameters: {seed: {value: 1}}\ncommand: ['${shell}']", "${shell}"),
        (head + "parameters: {seed: {value: 1}}\ncommand: [echo]", "command"),
        (head + "parameters: {sed: {value: 1}}", "--sed"),
        (head + "parameters: {seed: {value: -1}}\ncommand: ['${program}', tiny.yaml, '${args}']", "--seed"),
    ):
        yield Row("sweep", "x.yaml --count 1", message, both(file("x.yaml", content), file("train.py", "")))


# Runs and checkpoints --------------------------------------------------------------------------------------------------------------------

RUN = Path("runs/run")


def damage(name: str, content: str | bytes | None) -> Callable[[Path], object]:
    """Another content of a file of the run; None: there is none."""
    return (lambda folder: (folder / RUN / name).unlink()) if content is None else file(f"{RUN}/{name}", content)


def edit(name: str, change: Callable[[Any], Any]) -> Callable[[Path], object]:
    """The run's JSON file, changed."""

    def make(folder: Path) -> None:
        path = folder / RUN / name
        path.write_text(json.dumps(change(json.loads(path.read_text()))))

    return make


def replace(name: str, before: str, after: str) -> Callable[[Path], object]:
    def make(folder: Path) -> None:
        path = folder / RUN / name
        text = path.read_text()
        assert before in text
        path.write_text(text.replace(before, after))

    return make


def entry(name: str, change: Callable[[bytes], bytes | None]) -> Callable[[Path], object]:
    """An entry of the run's model.zip, changed; None: there is none."""

    def make(folder: Path) -> None:
        path = folder / RUN / "model.zip"
        with zipfile.ZipFile(path) as archive:
            contents = {each: archive.read(each) for each in archive.namelist()}
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for each, content in contents.items():
                if (new := change(content) if each == name else content) is not None:
                    archive.writestr(each, new)

    return make


def manifest(**changes: Any) -> Callable[[Path], object]:
    return entry("deckwood.json", lambda content: json.dumps({**json.loads(content), **changes}).encode())


def arrays(change: Callable[[dict[str, Any]], None]) -> Callable[[Path], object]:
    def changed(content: bytes) -> bytes:
        with np.load(io.BytesIO(content)) as found:
            kept = dict(found)
        change(kept)
        out = io.BytesIO()
        np.savez(out, **kept)
        return out.getvalue()

    return entry("resume.npz", changed)


BOMB = b"\0" * (1 << 26)
GLOBAL = b"\x80\x04cposix\nsystem\n\x94\x8c\x0atouch here\x94\x85\x94R\x94."


def run_rows() -> Iterator[Row]:
    resume = "--resume runs/run --total-steps 1152"
    for name in ("run.json", "config.yaml"):
        for content in (None, "", "{", "[" * 100_000, "3", b"\xff\xfe"):
            yield Row(
                "train", resume, name if content is not None or name == "run.json" else "no run to resume", damage(name, content), True
            )
    yield Row("train", resume, "run.json", edit("run.json", lambda record: {**record, "processes": 3}), True)
    yield Row("train", resume, "run.json", edit("run.json", lambda record: {**record, "processes": {}}), True)
    yield Row("train", resume, "run.json", edit("run.json", lambda record: {"created": record["created"]}), True)
    yield Row("train", resume, "run.json", edit("run.json", lambda record: {"processes": []}), True)
    for before, after in (
        ("trunk:\n  - 8", "trunk:\n  - 16"),
        ("activation: relu", "activation: tanh"),
        ("seed: 1\n", "seed: 2\n"),
        ("num_envs: 8", "num_envs: 4"),
        ("gamma: 0.999", "gamma: 0.5"),
        ("game: ladder", "game: pig"),
        ("options: {}", "options: {wind: 2}"),
    ):
        yield Row("train", resume, "config.yaml", replace("config.yaml", before, after), True)
    yield Row("train", resume, "metrics.jsonl", damage("metrics.jsonl", "3\n" + '{"steps": 128}\n'), True)
    yield Row("train", resume, "metrics.jsonl", damage("metrics.jsonl", "{}\n" + '{"steps": 128}\n'), True)
    yield Row("train", resume, "metrics.jsonl", damage("metrics.jsonl", b"\xff\xfe\n" + b'{"steps": 128}\n'), True)
    for content in (b"", b"no zip", b"PK\x03\x04", b"PK\x05\x06" + b"\0" * 18):
        yield Row("train", resume, "model.zip", damage("model.zip", content), True)
        yield Row("evaluate", "ladder --agents ppo:runs/run", "model.zip", damage("model.zip", content), True)
    for name in ("deckwood.json", "resume.npz", "policy.pth", "policy.optimizer.pth"):
        for change in (
            lambda content: None,
            lambda content: b"",
            lambda content: b"3",
            lambda content: content[: len(content) // 2],
            lambda content: BOMB,
        ):
            yield Row("train", resume, "model.zip", entry(name, change), True)
    for name in ("data", "pytorch_variables.pth"):  # what is not read may hold anything, of a size that can be
        yield Row("train", resume, "model.zip", entry(name, lambda content: BOMB), True)
    for name in ("deckwood.json", "policy.pth"):
        for change in (lambda content: None, lambda content: b"", lambda content: b"3", lambda content: BOMB, lambda content: GLOBAL):
            yield Row("evaluate", "ladder --agents ppo:runs/run", "model.zip", entry(name, change), True)
    for name in ("policy.pth", "policy.optimizer.pth", "resume.npz"):
        yield Row("train", resume, "model.zip", entry(name, lambda content: GLOBAL), True)
    for changes in (
        {"env_id": 3},
        {"env_id": "test/Pig-v0"},
        {"format": 99},
        {"format": [1]},
        {"steps": "many"},
        {"steps": -1},
        {"seed": None},
        {"options": 3},
        {"network": 3},
        {"network": {}},
        {"network": {"trunk": [16], "heads": [8], "activation": "relu"}},
        {"network": {"trunk": [10**9], "heads": [8], "activation": "relu"}},
        {"network": {"trunk": ["x"], "heads": [8], "activation": "relu"}},
        {"network": {"trunk": [8], "heads": [8], "activation": "gelu"}},
        {"network": {"trunk": [8], "heads": [8], "activation": "relu", "advice": "nobody"}},
        {"network": {"trunk": [8], "heads": [8], "activation": "relu", "advice": 3}},
        {"actions": 3},
        {"layout": "x"},
        {"more": 1},
    ):
        yield Row("evaluate", "ladder --agents ppo:runs/run", "model.zip", manifest(**changes), True)
    for change in (
        lambda kept: kept.pop("numpy_keys"),
        lambda kept: kept.pop("numpy_rest"),
        lambda kept: kept.pop("torch"),
        lambda kept: kept.pop("counts"),
        lambda kept: kept.update(numpy_keys=np.zeros(3, np.uint32)),
        lambda kept: kept.update(numpy_keys=np.zeros(624)),
        lambda kept: kept.update(numpy_rest=np.array([10**9, 0, 0.0])),
        lambda kept: kept.update(numpy_rest=np.array([np.nan, 0, 0.0])),
        lambda kept: kept.update(torch=np.zeros(3, np.uint8)),
        lambda kept: kept.update(torch=np.zeros(5056)),
        lambda kept: kept.update(counts=np.array(["x"] * 4)),
        lambda kept: kept.update(counts=np.zeros(3, np.int64)),
        lambda kept: kept.update(counts=np.array([-5, 0, 0, 0])),
        lambda kept: kept.update(observations=np.zeros((8, 2), np.float32)),
        lambda kept: kept.update(observations=np.full((8, 3), np.nan, np.float32)),
        lambda kept: kept.update(starts=np.zeros(3, np.bool_)),
        lambda kept: kept.update(episodes=np.zeros((3, 1))),
        lambda kept: kept.update(successes=np.zeros((3, 2), np.bool_)),
        lambda kept: kept.update(batch=np.zeros(100, np.uint8)),
        lambda kept: kept.update(batch=np.zeros((2, 2))),
    ):
        yield Row("train", resume, "model.zip", arrays(change), True)
    for content in ("", "{", "3", "{}"):
        yield Row("ship", "runs/run --name here", "result.json", damage("result.json", content), True)
        yield Row("ship", "runs/run --name here", "run.json", damage("run.json", content), True)
    yield Row("ship", "runs/run --name ../out", "--name '../out'", run=True)
    yield Row("ship", "runs/run --name here", "result.json", damage("result.json", None), True)
    yield Row("ship", "runs/run --name here", "run.json", damage("run.json", None), True)
    yield Row("ship", "runs/run --name here", "metrics.jsonl", damage("metrics.jsonl", None), True)


ROWS = [
    *number_rows(),
    *output_rows(),
    *word_rows(),
    *advice_rows(),
    *replay_rows(),
    *config_rows(),
    *sweep_rows(),
    *run_rows(),
]
