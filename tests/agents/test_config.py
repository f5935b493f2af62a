from pathlib import Path

import pytest

from deckwood_agents.learning.config import ConfigError, TrainConfig, build, command_line, fields, read_yaml

GAME = {"game": "ladder"}
CONFIGS = sorted(path for path in (Path(__file__).parents[2] / "configs").glob("*.yaml") if not path.stem.startswith("sweep_"))


def wrong(content=GAME, overrides=None):
    with pytest.raises(ConfigError) as error:
        build(content, overrides or {}, "file.yaml")
    return str(error.value)


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_the_configurations_that_ship_are_right(path):
    assert build(read_yaml(path), {}, str(path)).game


def test_a_typo_names_file_field_and_the_allowed():
    assert wrong({**GAME, "sed": 3}).startswith("file.yaml: sed: unknown field; did you mean 'seed'? (allowed: game, name, options, ")
    assert wrong({**GAME, "ppo": {"learning_rat": 1}}).startswith(
        "file.yaml: ppo.learning_rat: unknown field; did you mean 'learning_rate'?"
    )


def test_wrong_values_name_what_was_found():
    assert wrong({**GAME, "ppo": {"gamma": 1.5}}) == "file.yaml: ppo.gamma: Input should be less than or equal to 1, found 1.5"
    assert "found 'fast'" in wrong({**GAME, "total_steps": "fast"})
    assert "valid dictionary" in wrong({**GAME, "ppo": 3})
    assert wrong({}) == "file.yaml: game: this field is required"
    assert wrong({**GAME, "num_envs": 3}) == "file.yaml: ppo.batch_size 2048 must divide num_envs * ppo.n_steps = 3 * 128 = 384"
    assert "gelu" in wrong({**GAME, "network": {"activation": "gelu"}})


def test_everything_that_is_wrong_is_listed():
    assert len(wrong({"sed": 1, "ppo": {"gama": 1}}).splitlines()) == 3


def test_what_was_wrong_on_the_command_line_is_called_by_its_flag():
    assert wrong(overrides={"ppo.n_steps": -1}).startswith("command line: --ppo.n-steps: Input should be greater than or equal to 1")


def test_overrides_win_and_the_file_stays_as_it_was():
    content = {**GAME, "ppo": {"gamma": 0.5, "n_steps": 64}, "options": {"wind": 1}}
    config = build(content, {"ppo.gamma": 0.9, "network.trunk": "32,16", "total_steps": "5e6", "options.wind": 2, "seed": 9}, "file.yaml")
    assert (config.ppo.gamma, config.ppo.n_steps, config.network.trunk, config.total_steps) == (0.9, 64, [32, 16], 5_000_000)
    assert config.options == {"wind": 2}
    assert config.seed == 9
    assert content["ppo"]["gamma"] == 0.5


def test_every_field_is_a_flag():
    for dotted, info in fields():
        if dotted != "options":
            assert command_line(["file.yaml", "--" + dotted.replace("_", "-"), "1"])[2] == {dotted: 1}
        assert info.description


def test_the_command_line():
    arguments = [
        "--total-steps",
        "1_000",
        "--wandb",
        "online",
        "--options.wind",
        "3",
        "--options.hero=piper",
        "f.yaml",
        "--ppo.target-kl",
        "0.1",
    ]
    file, resume, overrides = command_line(arguments)
    assert file == Path("f.yaml")
    assert resume is None
    assert overrides == {"total_steps": 1000, "wandb": "online", "ppo.target_kl": 0.1, "options.wind": 3, "options.hero": "piper"}


def test_words_stay_words_and_truth_values_are_read():
    assert command_line(["f.yaml", "--wandb", "off", "--progress", "off"])[2] == {"wandb": "off", "progress": False}
    assert command_line(["f.yaml", "--network.advice", ""])[2] == {"network.advice": ""}


def test_fields_may_be_spelt_as_in_the_file():
    """As wandb's sweeps do."""
    given = ["f.yaml", "--ppo.learning_rate=0.001", "--total_steps", "5", "--name", "a_b", "--options.num_players=3"]
    assert command_line(given)[2] == {"ppo.learning_rate": 0.001, "total_steps": 5, "name": "a_b", "options.num_players": 3}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["f.yaml", "--ppo.learning-rat", "1"], "did you mean '--ppo.learning-rate'"),
        (["f.yaml", "--total", "1"], "unknown argument '--total'"),
        (["f.yaml", "g.yaml"], "unknown argument 'g.yaml'"),
        (["f.yaml", "--options.wind"], "--options.wind: expected a value"),
        ([], "give either a config file"),
        (["f.yaml", "--resume", "runs/x"], "give either a config file"),
    ],
)
def test_a_wrong_command_line(arguments, message, capsys):
    with pytest.raises(SystemExit) as error:
        command_line(arguments)
    assert error.value.code == 2
    assert message in capsys.readouterr().err


def test_files_that_cannot_be_read(tmp_path):
    (tmp_path / "quick.yaml").write_text("game: ladder")
    (tmp_path / "list.yaml").write_text("- game")
    (tmp_path / "torn.yaml").write_text("game: [")
    (tmp_path / "twice.yaml").write_text("game: ladder\nseed: 1\nseed: 2")
    for name, message in {
        "quik.yaml": "no such file; did you mean",
        "list.yaml": "expected fields with values, found list",
        "torn.yaml": "torn.yaml",
        "twice.yaml": "'seed' is given twice",
    }.items():
        with pytest.raises(ConfigError, match=message):
            read_yaml(tmp_path / name)


def test_the_defaults_are_right():
    assert TrainConfig.model_validate(GAME) == TrainConfig.model_validate(TrainConfig.model_validate(GAME).model_dump(mode="json"))
