"""The soak finds what is planted, and two minutes of it find nothing."""

import json

import numpy as np
import pytest

from deckwood.core.batch import Batch
from deckwood.core.jit import COMPILED
from tests.soak import __main__ as soak
from tests.soak.__main__ import Size, main

SEED, DICE_COMMIT = 0, 11
"""A session of DiceCommit in which one plays at random."""


@pytest.fixture(autouse=True)
def small(monkeypatch):
    for size in ("RANDOM", "MIXED"):
        monkeypatch.setattr(soak, size, Size(4, 24))


def spoil_mask(batch):
    batch.mask[2] = 0


def spoil_obs(batch):
    batch.obs[2, 5] = np.nan


def spoil_reward(batch):
    batch.reward[2] += 1


def spoil_dice(batch):
    batch.positions["ready"][2, 0] += 1


def spoil_position(batch):
    """Hidden from all but those who look at the position itself."""
    batch.positions["stats"][:, 0] = 1


PLANTED = {
    spoil_mask: "leaves fewer than two actions",
    spoil_obs: "outside its declared range",
    spoil_reward: "rewards do not sum",
    spoil_dice: "dice were lost or made",
    spoil_position: "is not that of the position",
}


def run(tmp_path, *args):
    file = tmp_path / "soak.json"
    status = main(["--seed", str(SEED), "--session", str(DICE_COMMIT), "--json", str(file), *args])
    return status, json.loads(file.read_text())


def test_without_a_fault_it_says_what_it_played(tmp_path, capsys):
    status, content = run(tmp_path)
    assert (status, content["fault"], content["decisions"]) == (0, None, 4 * 24)
    tally = content["games"]["deckwood/DiceCommit-v1"]
    assert (tally["sessions"], tally["decisions"]) == (1, 4 * 24)
    assert sum(tally["players"].values()) == 4 * 24
    assert sum(tally["endings"].values()) == tally["games"] > 0
    assert "96 decisions" in capsys.readouterr().out


@pytest.mark.parametrize("spoil", PLANTED)
def test_a_planted_fault_is_found_and_can_be_seen_again(tmp_path, monkeypatch, capsys, spoil):
    step, steps = Batch.step, []

    def planted(self, actions, slots=None):
        obs = step(self, actions, slots)
        if self.num_envs == 4:
            steps.append(None)
            if len(steps) == 16:
                spoil(self)
        return obs

    monkeypatch.setattr(Batch, "step", planted)
    status, content = run(tmp_path)
    assert status == 1
    fault = content["fault"]
    assert PLANTED[spoil] in fault["what"]
    assert fault["step"] == 16
    assert fault["session"]["number"] == DICE_COMMIT
    assert fault["session"]["env_id"] == "deckwood/DiceCommit-v1"
    assert fault["events"]
    assert f"--seed {SEED} --session {DICE_COMMIT}" in capsys.readouterr().err
    steps.clear()
    assert run(tmp_path)[1]["fault"]["what"] == fault["what"], "the same session comes to the same fault"


def test_uncompiled_rules_that_play_otherwise_are_found(tmp_path, monkeypatch):
    played = soak.invariants.play_uncompiled

    def otherwise(*args):
        s = played(*args)
        s.gold += 1
        return s

    monkeypatch.setattr(soak.invariants, "play_uncompiled", otherwise)
    status, content = run(tmp_path)
    assert status == 1
    assert "uncompiled rules come to another gold" in content["fault"]["what"]


def test_sessions_are_the_seeds(monkeypatch):
    one, same, other = (soak.draw_session(seed, 7) for seed in (1, 1, 2))
    assert one == same != other


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="takes hours uncompiled")
def test_two_minutes_of_it(tmp_path, monkeypatch):
    monkeypatch.undo()
    file = tmp_path / "soak.json"
    assert main(["--minutes", "2", "--json", str(file)]) == 0
    content = json.loads(file.read_text())
    assert all(tally["decisions"] > 0 for tally in content["games"].values())
