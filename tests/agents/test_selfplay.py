import dataclasses
import json
import signal

import numpy as np
import pytest
import torch as th
import yaml
from sb3_contrib import MaskablePPO

from deckwood.core.batch import Batch
from deckwood.core.game import Game
from deckwood_agents.learning import evaluators
from deckwood_agents.learning.config import ConfigError, SelfPlayConfig, build
from deckwood_agents.learning.sb3 import NonFinite
from deckwood_agents.learning.selfplay import EMPTY, LEARNER, PAST, RolloutTooShort, SelfPlayBuffer, SelfPlayVecEnv
from deckwood_agents.learning.training import main
from deckwood_agents.players.checkpoints import read_resume
from deckwood_agents.players.policy import MaskedPolicy, batch_spaces, policy_arguments
from deckwood_agents.players.roster import make_agent
from tests.agents.test_training import metrics, same, signal_after, weights
from tests.games import hill

ALONE = {"current": 0, "past": 0, "scripted": {"greedy": 0.5, "expert": 0.5}}
MIXED = {"current": 0.4, "past": 0.3, "scripted": {"greedy": 0.1, "expert": 0.1, "random": 0.1}, "pool": 2}
ITSELF = {"current": 1, "past": 0, "scripted": {}}


def make(shares=MIXED, n=8, seed=1, spec=hill.SPEC, **options):
    game = Game(spec, **options)
    config = SelfPlayConfig.model_validate(shares)
    scripted = [make_agent(name, spec, game.deck) for name in config.scripted]
    return SelfPlayVecEnv(Batch(game, n, seed=seed), config, scripted, seed)


def policy(spec=hill.SPEC, seed=0):
    th.manual_seed(seed)
    return MaskedPolicy(*batch_spaces(spec), lambda _: 1e-3, **policy_arguments([8], [8], "relu"))


def ppo(venv, **keywords):
    settings = {"n_steps": 16, "batch_size": 32, "n_epochs": 1, "seed": 1, "device": "cpu"} | keywords
    agent = MaskablePPO(
        MaskedPolicy,
        venv,
        policy_kwargs=policy_arguments([8], [8], "relu"),
        rollout_buffer_class=SelfPlayBuffer,
        rollout_buffer_kwargs={"seats": venv.batch.spec.seats[1]},
        **settings,
    )
    agent.rollout_buffer.watch(venv)
    return agent


# Who plays -------------------------------------------------------------------------------------------------------------------------------


def test_every_decision_is_the_learners():
    venv = make(num_players=3)
    venv.reset()
    venv.snapshot(policy(), 0)
    for _ in range(200):
        rows = np.arange(8)
        assert (venv.table[rows, venv.batch.actor] == LEARNER).all()
        assert (venv.table[rows, venv.own] == LEARNER).all()
        assert (venv.table[:, 3] == EMPTY).all()
        mover, obs = venv.batch.actor.copy(), venv.batch.obs.copy()
        assert np.array_equal(np.stack(venv.env_method("action_masks")), venv.batch.mask)
        found, rewards, _, _ = venv.step(venv.batch.random_actions())
        assert np.array_equal(venv.seat, mover)
        assert np.array_equal(rewards, venv.paid[rows, mover])
        assert np.array_equal(found, venv.batch.obs)
        assert found is not obs


def test_seats_are_dealt_by_their_shares():
    venv = make(n=4000, num_players=4)
    venv.snapshot(policy(), 0)
    venv.snapshot(policy(), 0)
    venv.meeting = 1
    venv.deal(np.arange(4000))
    assert np.abs(np.bincount(venv.own) - 1000).max() < 5 * np.sqrt(750)
    others = venv.table[np.arange(4) != venv.own[:, None]]
    counts = np.bincount(others, minlength=6) / len(others)
    assert len(others) == 12_000
    met = set()
    for _ in range(30):
        venv.choose_past()
        met.add(venv.meeting)
    assert met == {0, 1}
    assert counts == pytest.approx([0.4, 0, 0.3, 0.1, 0.1, 0.1], abs=0.02)  # the learner, two snapshots, three scripted agents
    assert [venv.agent(who).name for who in range(1, 6)] == ["past", "past", "greedy", "expert", "random"]


def test_while_there_is_no_snapshot_the_learner_sits_there():
    venv = make({**MIXED, "current": 0.1, "past": 0.6}, n=2000)
    venv.deal(np.arange(2000))
    others = venv.table[:, :3][np.arange(3) != venv.own[:, None]]
    assert np.mean(others == LEARNER) == pytest.approx(0.7, abs=0.04)
    assert not ((others >= PAST) & (others < PAST + 2)).any()


def test_games_go_as_they_would_if_agents_were_asked_one_by_one():
    """The second method: a batch of one for each slot, whose seats are asked in turn."""
    venv = make(ALONE, n=6)
    venv.seed(1)
    venv.reset()
    first = {}
    for _ in range(60):
        before = venv.table.copy()
        _, _, dones, infos = venv.step(np.zeros(6, np.int64))  # the learner always pushes
        assert [bool(info) for info in infos] == dones.tolist()
        for slot in np.flatnonzero(dones):
            episode = infos[slot]["episode"]
            first.setdefault(int(slot), (episode["l"], episode["r"], before[slot]))
    assert len(first) == 6
    batch = Batch(venv.batch.game, 6, seed=1)
    for slot, (length, value, table) in first.items():
        while True:
            who = table[batch.actor[slot]]
            actions = np.zeros(6, np.int64) if who == LEARNER else venv.agent(int(who)).act(batch.obs, batch.mask, batch.positions)
            batch.step(actions[slot : slot + 1], [slot])
            if batch.terminated[slot]:
                break
        own = int(np.flatnonzero(table == LEARNER)[0])
        assert (batch.episode_length[slot], batch.episode_return[slot, own]) == (length, value)


# What is paid ----------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{"num_players": 4}, {"num_players": 2, "top": 3}, {"num_players": 3, "rounds": 3, "top": 9}])
def test_the_rewards_of_a_seat_sum_to_its_payoff(options):
    """Of every seat that decided in a game. Hill pays for banked steps in between, and at the end all seats at once."""
    venv = make(**options)
    venv.reset()
    sums, decided = np.zeros((8, 4)), np.zeros((8, 4), bool)
    games = 0
    seen = []
    plain = venv._note_ends

    def note(slots):
        seen.extend((int(slot), venv.batch.episode_return[slot].copy()) for slot in slots)
        plain(slots)

    venv._note_ends = note
    for _ in range(400):
        seen.clear()
        _, _, dones, infos = venv.step(venv.batch.random_actions())
        sums += venv.paid
        decided[np.arange(8), venv.seat] = True
        assert sorted(slot for slot, _ in seen) == np.flatnonzero(dones).tolist()
        for slot, payoff in seen:
            games += 1
            assert sums[slot][decided[slot]] == pytest.approx(payoff[decided[slot]], abs=1e-5)
            assert not sums[slot][~decided[slot]].any()
            assert not infos[slot]["TimeLimit.truncated"]
        sums[dones], decided[dones] = 0, False
    assert games > 40


def test_numbers_that_are_not_finite_are_named(monkeypatch):
    venv = make(ITSELF)
    venv.reset()
    plain = Batch.step

    def poisoned(self, actions, slots=None):
        plain(self, actions, slots)
        self.obs[3, 1] = np.inf

    monkeypatch.setattr(Batch, "step", poisoned)
    with pytest.raises(NonFinite, match="observation best_other is inf in slot 3") as error:
        venv.step(venv.batch.random_actions())
    assert error.value.slots == [3]


# Advantages ------------------------------------------------------------------------------------------------------------------------------


class Record:
    """What a buffer reads from its games."""

    def __init__(self, next_seat):
        self.batch = type("", (), {"actor": np.array(next_seat)})
        self.seat = self.paid = None


def filled(seat, paid, values, starts, next_seat, *, gamma, gae_lambda):
    """A buffer of these decisions, arrays (steps, n, ...)."""
    steps, n = np.shape(seat)
    games = Record(next_seat)
    buffer = SelfPlayBuffer(steps, *batch_spaces(hill.SPEC), "cpu", gae_lambda, gamma, n, seats=np.shape(paid)[-1])
    buffer.watch(games)
    for step in range(steps):
        games.seat, games.paid = np.array(seat[step]), np.array(paid[step], np.float32)
        value = th.tensor(values[step], dtype=th.float32)
        obs = np.full((n, 4), step, np.float32) + np.arange(n)[:, None] / 100
        buffer.add(obs, np.zeros(n), np.zeros(n), np.array(starts[step]), value, th.zeros(n), action_masks=np.ones((n, 3)))
    return buffer


def test_advantages_by_hand():
    """Two seats, gamma and lambda 1/2: 0 decides, 1 decides and is paid 1, 0 twice and the game ends (+1 and -1), 1 begins anew."""
    buffer = filled(
        seat=[[0], [1], [0], [0], [1], [0]],
        paid=[[[0, 0]], [[0, 1]], [[0, 0]], [[1, -1]], [[0, 0]], [[0, 2]]],
        values=[[0.4], [0.2], [0.6], [0.8], [0.3], [0.5]],
        starts=[[0], [0], [0], [0], [1], [0]],
        next_seat=[1],
        gamma=0.5,
        gae_lambda=0.5,
    )
    buffer.compute_returns_and_advantage(th.tensor([0.7]), np.array([False]))
    fourth = 1 - 0.8  # the end: no value follows
    third = 0 + 0.5 * 0.8 - 0.6 + 0.25 * fourth
    second = (1 - 1) - 0.2  # paid 1 at once and -1 at the end, which is all that comes of it
    first = 0 + 0.5 * 0.6 - 0.4 + 0.25 * third
    fifth = 2 + 0.5 * 0.7 - 0.3  # paid 2 by the other's move; it has the next turn, whose value is 0.7
    assert buffer.advantages[:, 0] == pytest.approx([first, second, third, fourth, fifth, 0])
    assert buffer.followed[:, 0].tolist() == [True] * 5 + [False]  # the result of seat 0's last decision is not known
    assert buffer.returns[:, 0] == pytest.approx(buffer.advantages[:, 0] + buffer.values[:, 0])
    assert buffer.rewards[:, 0].tolist() == [0, 0, 0, 1, 2, 0]


def slow(seat, paid, values, ends, next_seat, last, gamma, gae_lambda):
    """Advantages, None where nothing followed: each seat's decisions in each game are gathered first, then walked as a solo game's."""
    steps, n = np.shape(seat)
    out = [[None] * n for _ in range(steps)]
    for slot in range(n):
        start = 0
        stops = [step + 1 for step in range(steps) if ends[step][slot]]
        for stop in [*stops, steps]:
            finished = stop in stops
            for own in range(np.shape(paid)[-1]):
                mine = [step for step in range(start, stop) if seat[step][slot] == own]
                if not mine:
                    continue
                rewards = [
                    sum(paid[step][slot][own] for step in range(here, there)) for here, there in zip(mine, [*mine[1:], stop], strict=True)
                ]
                following = [values[step][slot] for step in mine[1:]]
                if finished:
                    following.append(0.0)
                elif next_seat[slot] == own:
                    following.append(last[slot])
                gae = 0.0
                for place in reversed(range(len(following))):
                    gae = rewards[place] + gamma * following[place] - values[mine[place]][slot] + gamma * gae_lambda * gae
                    out[mine[place]][slot] = gae
            start = stop
    return out


@pytest.mark.parametrize("seats", [2, 4])
def test_advantages_are_those_of_plain_loops(seats):
    rng = np.random.default_rng(seats)
    steps, n = 40, 7
    seat, next_seat = rng.integers(seats, size=(steps, n)), rng.integers(seats, size=n)
    paid, values, last = rng.normal(size=(steps, n, seats)), rng.normal(size=(steps, n)), rng.normal(size=n)
    ends = rng.random((steps, n)) < 0.1
    ends[-1, 0], ends[-1, 1] = True, False
    starts = np.concatenate([np.zeros((1, n), bool), ends[:-1]])
    buffer = filled(seat, paid, values, starts, next_seat, gamma=0.9, gae_lambda=0.8)
    buffer.compute_returns_and_advantage(th.tensor(last), ends[-1])
    expected = slow(seat.tolist(), paid, values, ends, next_seat, last, 0.9, 0.8)
    for step in range(steps):
        for slot in range(n):
            assert bool(buffer.followed[step, slot]) == (expected[step][slot] is not None)
            assert buffer.advantages[step, slot] == pytest.approx(expected[step][slot] or 0, abs=1e-4)
    assert 0 < (~buffer.followed).sum() <= n * (seats - 1)


def test_a_game_of_one_seat_has_the_advantages_of_the_plain_buffer():
    rng = np.random.default_rng(1)
    values, paid, starts = rng.normal(size=(20, 3)), rng.normal(size=(20, 3, 1)), rng.random((20, 3)) < 0.2
    buffer = filled(np.zeros((20, 3), int), paid, values, starts, [0, 0, 0], gamma=0.9, gae_lambda=0.8)
    last, dones = th.tensor(rng.normal(size=3)), np.array([True, False, False])
    buffer.compute_returns_and_advantage(last, dones)
    own = buffer.advantages.copy()
    assert buffer.rewards == pytest.approx(paid[..., 0])
    super(SelfPlayBuffer, buffer).compute_returns_and_advantage(last, dones)
    assert own == pytest.approx(buffer.advantages, abs=1e-5)
    assert buffer.followed.all()


def test_minibatches_hold_every_decision_that_was_followed_once():
    rng = np.random.default_rng(1)
    buffer = filled(
        rng.integers(3, size=(10, 4)),
        np.zeros((10, 4, 3)),
        np.zeros((10, 4)),
        np.zeros((10, 4)),
        [0, 1, 2, 0],
        gamma=1,
        gae_lambda=1,
    )
    buffer.compute_returns_and_advantage(th.zeros(4), np.zeros(4))
    expected = sorted(round(step + slot / 100, 2) for step, slot in np.argwhere(buffer.followed))
    for _ in range(2):  # two epochs
        parts = list(buffer.get(9))
        sizes = [len(part.observations) for part in parts]
        assert max(sizes) - min(sizes) <= 1
        assert max(sizes) <= 9
        assert sorted(round(x, 2) for part in parts for x in part.observations[:, 0].tolist()) == expected


def test_a_rollout_in_which_nothing_follows_is_an_error():
    buffer = filled([[0], [1]], np.zeros((2, 1, 3)), np.zeros((2, 1)), np.zeros((2, 1)), [2], gamma=1, gae_lambda=1)
    with pytest.raises(RolloutTooShort, match="n_steps=2"):
        buffer.compute_returns_and_advantage(th.zeros(1), np.zeros(1))


def test_a_game_that_is_cut_closes_all_seats_and_bootstraps_none(monkeypatch):
    """After one round without a winner every seat has what it banked; values are 100, which no return may take in at a cut."""
    venv = make(ITSELF, spec=dataclasses.replace(hill.SPEC), num_players=3, rounds=1, top=20)
    agent = ppo(venv, n_steps=60, gamma=1.0, gae_lambda=1.0)
    monkeypatch.setattr(MaskedPolicy, "predict_values", lambda self, obs: 100 + 0 * obs[:, :1])
    _, callback = agent._setup_learn(480)
    agent.collect_rollouts(venv, callback, agent.rollout_buffer, 60)
    buffer = agent.rollout_buffer
    settled = buffer.returns[buffer.followed]
    assert settled.max() < 110
    ends = np.concatenate([buffer.episode_starts[1:], np.zeros((1, 8))]) != 0
    closed = np.cumsum(ends[::-1], axis=0)[::-1] > 0  # a cut comes later in the rollout
    assert closed.mean() > 0.7
    assert buffer.followed[closed].all()
    assert buffer.returns[closed].max() < 5


# Earlier selves --------------------------------------------------------------------------------------------------------------------------


def test_snapshots_stay_as_they_were_and_the_oldest_goes():
    venv = make()
    learner = policy()
    before = th.get_rng_state()
    for step in range(3):
        venv.snapshot(learner, step)
        with th.no_grad():
            for parameter in learner.parameters():
                parameter += 1
    assert th.equal(th.get_rng_state(), before)
    first = [next(iter(agent.policy.parameters()))[0, 0].item() for agent in venv.past]
    now = next(iter(learner.parameters()))[0, 0].item()
    assert [round(now - value) for value in first] == [1, 2]  # of three taken, the third lies in the first's place
    assert (venv.taken, venv.snapshot_step) == (3, 2)


@pytest.mark.parametrize("shares", [MIXED, ALONE, ITSELF])
def test_it_goes_on_from_its_state_as_if_nothing_had_been(shares):
    whole = make(shares)
    whole.reset()
    learner = policy()
    whole.snapshot(learner, 100)
    for _ in range(30):
        whole.step(whole.batch.random_actions())
    state, games = whole.state(), whole.batch.save()
    parts = make(shares, seed=2)
    parts.batch.load(games)
    parts.restore(state)
    parts.restore_snapshots(state, policy(seed=5))
    for _ in range(50):
        actions = whole.batch.random_actions()
        one, two = whole.step(actions), parts.step(actions)
        assert all(np.array_equal(a, b) for a, b in zip(one[:3], two[:3], strict=True))
        assert np.array_equal(whole.paid, parts.paid)
        assert np.array_equal(whole.table, parts.table)


# Runs ------------------------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def hillside(workplace):
    """A configuration for Hill, in which snapshots are taken, replaced and played against within seconds."""
    content = yaml.safe_load((workplace / "tiny.yaml").read_text())
    content |= {"game": "hill", "options": {"num_players": 3}, "self_play": {"snapshot_every": 256, "pool": 2}}
    content["evaluation"]["every"] = 384  # not when a snapshot is due
    (workplace / "hill.yaml").write_text(yaml.safe_dump(content))
    return workplace


def test_a_run_leaves_everything_beside_the_model(hillside, capsys):
    assert main(["hill.yaml", "--seed", "3"]) == 0
    folder = hillside / "runs/hill-seed3"
    assert yaml.safe_load((folder / "config.yaml").read_text())["self_play"]["current"] == 0.6
    lines = metrics(folder)
    assert {"validation/win_share_vs_greedy", "validation/mean_return_vs_expert", "rollout/success_rate"} <= set(lines[2])
    result = json.loads((folder / "result.json").read_text())
    assert (list(result["agents"]), result["players"]) == (["random", "greedy", "expert", "ppo"], 3)
    assert len(result["cross_play"]) == 12
    assert (folder / "result.png").is_file()
    kept = read_resume(folder / "model.zip")
    assert kept["self_play_past"].shape[0] == 2
    assert kept["self_play_taken"].tolist()[:2] == [3, 768]
    assert "random play: its lead" in capsys.readouterr().out
    game = Game(hill.SPEC)
    assert make_agent("ppo:runs/hill-seed3", game.spec, game.deck).name == "ppo:hill-seed3"


@pytest.mark.parametrize("updates", [2, 4, 7])
def test_a_stopped_run_goes_on_as_if_it_had_not_been(hillside, monkeypatch, updates):
    assert main(["hill.yaml", "--name", "whole"]) == 0
    with monkeypatch.context() as patch:
        signal_after(patch, updates)
        assert main(["hill.yaml", "--name", "parts"]) == 130
    th.manual_seed(99)
    assert main(["--resume", "runs/parts"]) == 0
    same(weights("runs/whole/model.zip"), weights("runs/parts/model.zip"))
    assert metrics(hillside / "runs/whole") == metrics(hillside / "runs/parts")
    one, two = (read_resume(hillside / "runs" / name / "model.zip") for name in ("whole", "parts"))
    assert one.keys() == two.keys()
    assert all(np.array_equal(one[name], two[name]) for name in one)


def test_an_earlier_checkpoint_can_be_gone_on_from(hillside):
    assert main(["hill.yaml", "--name", "run"]) == 0
    whole = weights("runs/run/model.zip")
    assert main(["--resume", "runs/run/checkpoints/000000000512.zip"]) == 0
    same(whole, weights("runs/run/model.zip"))


def test_a_stop_during_an_evaluation_puts_it_off(hillside, monkeypatch):
    assert main(["hill.yaml", "--name", "whole", "--total-steps", "512"]) == 0
    plain = evaluators.cross_play

    def cross_play_and_stop(*arguments, **keywords):
        signal.raise_signal(signal.SIGTERM)
        return plain(*arguments, **keywords)

    with monkeypatch.context() as patch:
        patch.setattr(evaluators, "cross_play", cross_play_and_stop)
        assert main(["hill.yaml", "--name", "parts", "--total-steps", "512"]) == 143
    assert main(["--resume", "runs/parts"]) == 0
    same(weights("runs/whole/model.zip"), weights("runs/parts/model.zip"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tiny.yaml", "--self-play.current", "1"], "shares must sum to 1, not to 1.4 (current 1, past 0.2, greedy 0.1, expert 0.1)"),
        (["tiny.yaml", "--self-play.pool", "3"], "self_play: Ladder is played alone"),
        (["hill.yaml", "--self-play.scripted", "{greedy: 0.1, exprt: 0.1}"], "no scripted agent 'exprt' (it has: random, greedy, expert)"),
        (["hill.yaml", "--self-play.pol", "3"], "did you mean '--self-play.pool'"),
        (["hill.yaml", "--options.num_players", "9"], "from 2 to 4"),
    ],
)
def test_a_wrong_request(hillside, capsys, arguments, message):
    try:
        status = main(arguments)
    except SystemExit as stop:
        status = stop.code
    assert status == 2
    assert message in capsys.readouterr().err


def test_a_typo_in_the_section_names_the_field():
    with pytest.raises(ConfigError, match=r"f.yaml: self_play.pol: unknown field; did you mean 'pool'"):
        build({"game": "hill", "self_play": {"pol": 3}}, {}, "f.yaml")


def test_a_resumed_run_keeps_its_shares(hillside, capsys):
    assert main(["hill.yaml", "--name", "run", "--total-steps", "128"]) == 0
    assert main(["--resume", "runs/run", "--self-play.pool", "3"]) == 2
    assert "a resumed run keeps what it began with" in capsys.readouterr().err


def test_a_game_without_scripted_agents_can_be_learnt(hillside):
    """Their share is the learner's own."""
    suited = SelfPlayConfig(pool=3).suited(["random", "greedy"])
    assert (suited.current, suited.past, suited.scripted, suited.pool) == (0.7, 0.2, {"greedy": 0.1}, 3)
    assert SelfPlayConfig(scripted={"expert": 0.2}).suited([]).scripted == {"expert": 0.2}  # asked for by name: refused, not dropped
    (hillside / "pig.yaml").write_text((hillside / "tiny.yaml").read_text().replace("ladder", "pig"))
    assert main(["pig.yaml", "--name", "pig", "--options.target", "10", "--total-steps", "256"]) == 0
    assert list(json.loads((hillside / "runs/pig/result.json").read_text())["agents"]) == ["random", "ppo"]


def test_a_short_run_beats_random_play(hillside, capsys):
    """The learning test: the agent alone wins more than its share among random players, after seconds of training."""
    arguments = ["--total-steps", "16384", "--num-envs", "32", "--ppo.n-steps", "64", "--ppo.batch-size", "256"]
    arguments += ["--ppo.learning-rate", "3e-3", "--network.trunk", "32", "--network.heads", "32", "--ppo.n-epochs", "4"]
    arguments += ["--evaluation.every", "0", "--evaluation.final-episodes", "300"]
    assert main(["hill.yaml", "--name", "learns", *arguments]) == 0
    assert "The agent beats random play: its lead lies above 0 (alone among random players" in capsys.readouterr().out
