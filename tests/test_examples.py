"""The examples run, at a tiny budget, and do what they say."""

import math
import runpy
from pathlib import Path

import gymnasium
import pytest

torch = pytest.importorskip("torch")
ROOT = Path(__file__).parents[1]
TINY = ["--num-envs", "8", "--num-steps", "32", "--total-steps", "768", "--width", "16", "--minibatches", "2", "--epochs", "2"]
EASY = ["--option", "difficulty=0", "--option", "reward=progress"]


@pytest.fixture(scope="module")
def ppo():
    return runpy.run_path(str(ROOT / "examples" / "ppo_single_file.py"))


@pytest.mark.slow
def test_the_single_file_trains_the_same_from_the_same_seed(ppo, capsys):
    first, again, other = (ppo["train"](ppo["parse"]([*TINY, *EASY, "--seed", seed])) for seed in "112")
    assert len(first) == 3  # iterations of 8 * 32 steps
    assert first == pytest.approx(again, nan_ok=True)
    assert first != pytest.approx(other, nan_ok=True)
    assert all(0 <= mean <= 1 for mean in first if not math.isnan(mean))
    assert not all(map(math.isnan, first))
    assert "       768 steps: return " in capsys.readouterr().out


def test_options_are_read(ppo):
    assert ppo["options"](["difficulty=3", "reward=progress", "effects=true"]) == {"difficulty": 3, "reward": "progress", "effects": True}


def test_the_single_file_gives_illegal_actions_no_chance(ppo):
    envs = gymnasium.make_vec("deckwood/Tanglewoods-v1", num_envs=5)
    obs, info = envs.reset(seed=1)
    mask = torch.as_tensor(info["action_mask"]) != 0
    chances = ppo["Agent"](envs, 8)(torch.as_tensor(obs), mask)[0].exp()
    assert not chances[~mask].any()
    assert chances.sum(1).tolist() == pytest.approx([1] * 5, abs=1e-6)


@pytest.mark.slow
def test_the_animation_shows_a_game_from_its_first_position_to_its_end(tmp_path):
    image = pytest.importorskip("PIL.Image")
    animate = runpy.run_path(str(ROOT / "examples" / "animate.py"))
    file = tmp_path / "win.webp"
    animate["main"]([str(file), "--env-id", "deckwood/DiceCommit-v1", "--agent", "greedy", "--frames", "4", "--width", "160"])
    with image.open(file) as shown:
        assert shown.size[0] == 160
        assert 1 < shown.n_frames <= 4
