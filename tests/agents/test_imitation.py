import json
import signal

import numpy as np
import pytest
import torch as th
from sb3_contrib import MaskablePPO

from deckwood.core.game import Game
from deckwood_agents.learning.config import ConfigError, build
from deckwood_agents.learning.imitation import ImitationPPO
from deckwood_agents.learning.training import main
from deckwood_agents.measuring.regret import exact_values, starts_of, summary
from deckwood_agents.players.roster import make_agent
from tests.agents.test_training import metrics, same, weights
from tests.dice_commit.scenario import enemy, write_deck

LESSON = ["--imitation.teacher", "greedy", "--imitation.steps", "512", "--imitation.batch-size", "64"]


def forget(policy):
    """All legal actions have even odds from now on."""
    with th.no_grad():
        policy.action_net.weight.zero_()
        policy.action_net.bias.zero_()


def imitation(**fields):
    return build({"game": "ladder", "imitation": fields}, {}, "file.yaml").imitation


def test_the_teacher_plays_ever_less_until_half_of_the_stage():
    config = imitation(steps=1000, teacher_share=0.8)
    assert [config.share(step) for step in (0, 250, 500, 999)] == pytest.approx([0.8, 0.4, 0, 0])


def test_the_learning_rate_falls_on_a_straight_line():
    config = imitation(steps=1000, learning_rate=0.01, learning_rate_end=0.002)
    assert [config.rate(step) for step in (0, 250, 1000, 1100)] == pytest.approx([0.01, 0.008, 0.002, 0.002])


def test_what_makes_no_sense_is_refused():
    with pytest.raises(ConfigError, match=r"imitation.steps 2000 are part of total_steps, which are 1000"):
        build({"game": "ladder", "total_steps": 1000, "imitation": {"steps": 2000}}, {}, "file.yaml")
    with pytest.raises(ConfigError, match=r"imitation.step: unknown field; did you mean 'steps'"):
        imitation(step=3)
    with pytest.raises(ConfigError, match=r"imitation.teacher_share: Input should be less than or equal to 1, found 2"):
        imitation(teacher_share=2)


def test_a_teacher_the_game_lacks_is_refused(workplace, capsys):
    assert main(["tiny.yaml", "--imitation.teacher", "solver", "--imitation.steps", "512"]) == 2
    assert capsys.readouterr().err.startswith("error: imitation.teacher: unknown agent 'solver' (known for Ladder: random, greedy, expert,")
    assert not (workplace / "runs").exists()


def test_the_update_is_cross_entropy_to_what_the_teacher_wants(workplace, monkeypatch):
    """By hand: with two legal actions at even odds the loss is ln 2, with k at even odds ln k, whatever is played."""
    seen = []
    plain = ImitationPPO.imitate

    def imitate(self):
        forget(self.policy)
        buffer = self.rollout_buffer
        legal = buffer.action_masks.reshape(16, 8, 6).sum(axis=2)
        die = buffer.observations[:, :, 1]
        seen.append((np.log(legal).mean(), buffer.actions[:, :, 0].copy(), np.minimum(1, die)))
        plain(self)
        seen[-1] += (self.logger.name_to_value["imitation/cross_entropy"],)

    monkeypatch.setattr(ImitationPPO, "imitate", imitate)
    flags = ["--imitation.batch-size", "128", "--total-steps", "512", "--evaluation.every", "0"]
    assert main(["tiny.yaml", *LESSON[:4], *flags]) == 0
    assert len(seen) == 4
    for even, actions, dawdled, cross_entropy in seen:
        assert (actions == dawdled).all()  # greedy climbs one rung, or none where the die forbids it
        assert cross_entropy == pytest.approx(even, rel=1e-5)


def test_the_learner_comes_to_choose_as_the_teacher_does(workplace):
    """Greedy loses and expert wins, so agreeing with greedy is not what the rewards teach."""
    flags = ["--imitation.steps", "8192", "--total-steps", "8192", "--imitation.learning-rate", "0.01", "--evaluation.every", "0"]
    assert main(["tiny.yaml", "--name", "taught", *LESSON[:2], "--imitation.batch-size", "64", *flags]) == 0
    rows = metrics(workplace / "runs/taught")
    assert rows[0]["imitation/agreement"] < 0.7
    assert rows[-1]["imitation/agreement"] == 1
    assert rows[-1]["imitation/cross_entropy"] < 0.1
    result = json.loads((workplace / "runs/taught/result.json").read_text())["agents"]
    assert result["ppo"]["mean_return"] == result["greedy"]["mean_return"]


def test_what_wrong_choices_cost_is_learnt_from_a_teacher_that_knows(workplace, monkeypatch):
    """By hand: where k actions have even odds, each logit is the best one's, and the cost is ln 2 of all losses, the regret 1/k of them."""
    write_deck(workplace / "deck.toml", {"Wolf": enemy(2, 2)}, dice=["1y1p"], strategy=[2], recovery=[2], health=[3])
    (workplace / "fights.yaml").write_text(
        (workplace / "tiny.yaml").read_text().replace("game: ladder", "game: dice_commit\ndeck: deck.toml")
    )
    seen = []
    plain = ImitationPPO.imitate

    def imitate(self):
        forget(self.policy)
        losses = np.stack(self.lesson.losses)
        seen.append((losses.sum(axis=2).mean(), (losses.sum(axis=2) / self.rollout_buffer.action_masks.sum(axis=2)).mean()))
        plain(self)
        seen[-1] += tuple(self.logger.name_to_value[name] for name in ("train/loss", "imitation/loss"))

    flags = ["--imitation.teacher", "optimum", "--imitation.loss-coef", "1", "--imitation.vf-coef", "0", "--imitation.policy-coef", "0"]
    rest = ["--imitation.batch-size", "128", "--imitation.steps", "256", "--total-steps", "256", "--evaluation.every", "0"]
    with monkeypatch.context() as patch:
        patch.setattr(ImitationPPO, "imitate", imitate)
        assert main(["fights.yaml", "--name", "even", *flags, *rest]) == 0
    assert len(seen) == 2
    for losses, regret, cost, logged in seen:
        assert cost == pytest.approx(np.log(2) * losses, rel=1e-5)
        assert logged == pytest.approx(regret, rel=1e-5)
    rest = ["--imitation.batch-size", "64", "--imitation.steps", "4096", "--imitation.learning-rate", "0.01", "--imitation.n-epochs", "8"]
    more = ["--network.trunk", "32", "--total-steps", "4096", "--evaluation.every", "0"]
    assert main(["fights.yaml", "--name", "taught", *flags, *rest, *more]) == 0
    rows = metrics(workplace / "runs/taught")
    assert rows[0]["imitation/loss"] > 0.5
    game = Game("deckwood/DiceCommit-v1", deck=workplace / "deck.toml")
    starts = starts_of(game)
    agent = make_agent("ppo:runs/taught", game.spec, game.deck)
    assert summary(starts, exact_values(game, agent, starts))["exact"] < 0.02


def test_a_teacher_that_does_not_know_what_actions_lose(workplace, capsys):
    assert main(["tiny.yaml", *LESSON, "--imitation.loss-coef", "1"]) == 2
    assert capsys.readouterr().err.startswith("error: imitation.loss_coef: 'greedy' does not know what actions lose, so it must be 0, or")
    assert not (workplace / "runs").exists()


def test_ppo_follows_with_schedules_and_an_optimizer_of_its_own(workplace):
    assert main(["tiny.yaml", "--name", "run", *LESSON]) == 0
    rows = metrics(workplace / "runs/run")
    assert [("imitation/agreement" in row, "train/approx_kl" in row) for row in rows] == [(True, False)] * 4 + [(False, True)] * 4
    # 3e-4 at the start of PPO's 512 steps on the way to 0; an update takes place when its rollout is counted
    assert [row["train/learning_rate"] for row in rows[4:]] == pytest.approx([2.25e-4, 1.5e-4, 0.75e-4, 0])
    model = weights(workplace / "runs/run/model.zip")
    assert type(model) is MaskablePPO
    steps = {int(state["step"]) for state in model.policy.optimizer.state_dict()["state"].values()}
    assert steps == {4 * 2 * 2}  # updates of PPO, epochs, minibatches
    record = json.loads((workplace / "runs/run/run.json").read_text())
    assert record["steps"] == {"imitation": 512, "ppo": 512}


@pytest.mark.parametrize("updates", [2, 4, 6])
def test_a_stopped_run_goes_on_as_if_it_had_not_been(workplace, monkeypatch, updates):
    """In the middle of imitation, at its end, and after it."""
    flags = [*LESSON, "--evaluation.every", "0"]  # a stopped run puts off an evaluation that was due
    assert main(["tiny.yaml", "--name", "whole", *flags]) == 0
    plain, seen = ImitationPPO.train, []

    def train(self):
        seen.append(None)
        if len(seen) == updates:
            signal.raise_signal(signal.SIGINT)
        plain(self)

    with monkeypatch.context() as patch:
        patch.setattr(ImitationPPO, "train", train)
        assert main(["tiny.yaml", "--name", "parts", *flags]) == 130
    assert weights("runs/parts/model.zip").num_timesteps == updates * 128
    th.manual_seed(99)
    np.random.seed(99)  # noqa: NPY002 - whatever happened in between must not matter
    assert main(["--resume", "runs/parts"]) == 0
    same(weights("runs/whole/model.zip"), weights("runs/parts/model.zip"))
    assert metrics(workplace / "runs/whole") == metrics(workplace / "runs/parts")


def test_the_teacher_plays_its_share(workplace, monkeypatch):
    """At a share of 1 what is played is what the teacher wants: greedy never climbs more than a rung."""
    played = []
    plain = ImitationPPO.collect_rollouts

    def collect_rollouts(self, env, *arguments, **keywords):
        result = plain(self, env, *arguments, **keywords)
        played.append(self.rollout_buffer.observations[:, :, 0].max())
        return result

    monkeypatch.setattr(ImitationPPO, "collect_rollouts", collect_rollouts)
    flags = ["--imitation.teacher-share", "1", "--imitation.steps", "100000", "--total-steps", "100000", "--evaluation.every", "0"]
    monkeypatch.setattr(ImitationPPO, "train", lambda self: signal.raise_signal(signal.SIGINT))
    assert main(["tiny.yaml", *LESSON[:2], *flags]) == 130
    assert played == [7]  # a rung a turn, and no observation after the eighth


def test_in_games_of_several_seats_every_seat_of_the_learner_is_taught(workplace):
    flags = ["--game", "hill", "--self-play.scripted", "{}", "--self-play.past", "0", "--self-play.current", "1"]
    more = ["--imitation.steps", "8192", "--total-steps", "8192", "--imitation.learning-rate", "0.01", "--evaluation.every", "0"]
    assert main(["tiny.yaml", "--name", "hill", "--imitation.teacher", "expert", "--imitation.batch-size", "64", *flags, *more]) == 0
    rows = metrics(workplace / "runs/hill")
    assert rows[-1]["imitation/agreement"] > 0.9 > rows[0]["imitation/agreement"]
