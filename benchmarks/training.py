"""How fast ``train.py`` learns, beside stock MaskablePPO and beside the network alone.

    python benchmarks/training.py [--configs configs/tanglewoods.yaml ...] [--repeats 3] [--json FILE] [--page docs/benchmarks.md]

For each configuration the same number of decisions is learnt from by

- ``train.py``: the very objects of a run;
- ``stock, same network``: sb3-contrib's MaskablePPO on a DummyVecEnv of single environments, as its users write it, with the
  configuration's network in stock's policy class;
- ``stock, MlpPolicy``: the same with stock's own policy, whose two networks have the same widths and share no layer;
- ``the network alone``: its forward passes for acting, and forward and backward passes over as many samples as often, in minibatches of
  the same size. That is the ceiling: no game, no rollout, no loss, no optimizer.

All run by turns in one process, on one core with one thread. Rates are decisions per second of processor time: the median of the repeats
with the lowest and the highest. Ratios are taken turn by turn, so what else the machine does meets all alike.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch as th
from run import machine, one_core
from sb3_contrib import MaskablePPO
from solver import marked, put_into
from stable_baselines3.common.callbacks import CallbackList
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.logger import Logger

from deckwood.adapters.pettingzoo_env import DeckwoodAECEnv
from deckwood.core.files import write_atomically
from deckwood.core.program import output, program, whole
from deckwood_agents.games import find_game
from deckwood_agents.learning.config import PPOConfig, TrainConfig, build, read_yaml
from deckwood_agents.learning.stop import Stop
from deckwood_agents.learning.training import make_run
from deckwood_agents.measuring.evaluation import make_console
from deckwood_agents.players.policy import MaskedPolicy, batch_spaces, policy_arguments

OURS, STOCK, MLP, ALONE = "train.py", "stock, same network", "stock, MlpPolicy", "the network alone"
STOCK_ENVS = 8
AIMS = {STOCK: 3.0, ALONE: 0.6}
"""What this project set out to reach: times stock, and the share of the ceiling."""


class Clock:
    """Seconds of processor time by what they were spent on; what is watched within something else that is watched counts for itself."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._open: list[str] = []
        self._since = 0.0

    def _turn(self) -> None:
        """Charge the time since the last turn to the part that is open."""
        now = time.process_time()
        if self._open:
            self.seconds[self._open[-1]] = self.seconds.get(self._open[-1], 0.0) + now - self._since
        self._since = now

    @contextmanager
    def spent_on(self, part: str) -> Iterator[None]:
        self._turn()
        self._open.append(part)
        try:
            yield
        finally:
            self._turn()
            self._open.pop()

    def watch(self, owner: Any, method: str, part: str) -> None:
        """From now on the calls of ``owner.method`` count for ``part``."""
        plain = getattr(owner, method)

        def timed(*arguments: Any, **keywords: Any) -> Any:
            with self.spent_on(part):
                return plain(*arguments, **keywords)

        setattr(owner, method, timed)

    def watch_items(self, owner: Any, method: str, part: str) -> None:
        """The same for a method that yields: what it does between two items counts, what is done with them does not."""
        plain = getattr(owner, method)

        def timed(*arguments: Any, **keywords: Any) -> Iterator[Any]:
            items = plain(*arguments, **keywords)
            while True:
                with self.spent_on(part):
                    item = next(items, None)
                if item is None:
                    return
                yield item

        setattr(owner, method, timed)


class Table(gymnasium.Env[Any, Any]):
    """A multiplayer game for an algorithm that knows one player, as PettingZoo's tutorial for Stable-Baselines3 does it: whoever has
    the turn is the player."""

    def __init__(self, env_id: str, **options: Any) -> None:
        self.env = DeckwoodAECEnv(env_id, **options)
        self.observation_space, self.action_space = batch_spaces(find_game(env_id))

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.env.reset(seed=seed)
        return self.env.observe(self.env.agent_selection)["observation"], {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        agent = self.env.agent_selection
        self.env.step(int(action))
        observation, _, terminated, truncated, _ = self.env.last()
        return observation["observation"], float(self.env.rewards[agent]), terminated, truncated, {}

    def action_masks(self) -> Any:
        return self.env.observe(self.env.agent_selection)["action_mask"]


# Who learns ------------------------------------------------------------------------------------------------------------------------------


class Learner:
    """A MaskablePPO that learns an update at a time."""

    def __init__(self, agent: MaskablePPO, callback: Any = None) -> None:
        self.agent, self.clock = agent, Clock()
        agent.set_logger(Logger(None, []))
        self.steps = agent.n_steps * agent.n_envs
        _, self.callback = agent._setup_learn(10**12, CallbackList([]) if callback is None else callback)
        for owner, method, part in (
            (agent, "train", "gradient"),
            (agent.env, "step", "games"),
            (agent.env, "env_method", "games"),
            (agent.policy, "forward", "acting"),
            (agent.policy, "predict_values", "acting"),
            (agent.rollout_buffer, "reset", "rollouts"),
            (agent.rollout_buffer, "add", "rollouts"),
            (agent.rollout_buffer, "compute_returns_and_advantage", "rollouts"),
        ):
            self.clock.watch(owner, method, part)
        self.clock.watch_items(agent.rollout_buffer, "get", "rollouts")

    def update(self) -> None:
        agent = self.agent
        agent.collect_rollouts(agent.env, self.callback, agent.rollout_buffer, agent.n_steps)  # type: ignore[arg-type]
        agent.train()


def ours(config: TrainConfig) -> Learner:
    return Learner(make_run(config, None, make_console(), Stop()).agent)


def stock(config: TrainConfig, policy: str, arguments: dict[str, Any]) -> Learner:
    """What a user of sb3-contrib would write for the same deck, batch and epochs."""
    spec, ppo = find_game(config.game), config.ppo
    n_steps = config.num_envs * ppo.n_steps // STOCK_ENVS
    if spec.seats[1] == 1:
        envs = make_vec_env(spec.env_id, n_envs=STOCK_ENVS, seed=1, env_kwargs=dict(config.options))
    else:
        envs = make_vec_env(lambda: Table(spec.env_id, **config.options), n_envs=STOCK_ENVS, seed=1)
    chosen = {name: getattr(ppo, name) for name in PPOConfig.model_fields if not name.startswith("learning_rate")}
    chosen |= {"n_steps": n_steps, "learning_rate": ppo.learning_rate}
    return Learner(MaskablePPO(policy, envs, policy_kwargs=arguments, seed=1, device="cpu", **chosen))


def same_network(config: TrainConfig) -> Learner:
    return stock(config, "MlpPolicy", policy_arguments(**config.network.model_dump()))


def mlp_policy(config: TrainConfig) -> Learner:
    network = config.network
    widths = [*network.trunk, *network.heads]
    activation = policy_arguments(**network.model_dump())["activation_fn"]
    return stock(config, "MlpPolicy", {"net_arch": {"pi": widths, "vf": widths}, "activation_fn": activation})


class NetworkAlone:
    """Forward passes for acting, and forward and backward passes for learning, on observations made up beforehand."""

    def __init__(self, config: TrainConfig) -> None:
        spec, ppo = find_game(config.game), config.ppo
        self.policy = MaskedPolicy(*batch_spaces(spec), lambda _: 0.0, **policy_arguments(**config.network.model_dump()))
        self.clock, self.steps = Clock(), config.num_envs * ppo.n_steps
        self.acting, self.minibatches = ppo.n_steps + 1, ppo.n_epochs * self.steps // ppo.batch_size
        rng = np.random.default_rng(1)
        self.few, self.many = (th.as_tensor(rng.random((n, spec.observation_size), np.float32)) for n in (config.num_envs, ppo.batch_size))

    def _outputs(self, observations: th.Tensor) -> tuple[th.Tensor, th.Tensor]:
        policy, (actor, critic) = self.policy, self.policy.mlp_extractor(self.policy.extract_features(observations))
        return policy.action_net(actor), policy.value_net(critic)

    def update(self) -> None:
        with th.no_grad():
            for _ in range(self.acting):
                self._outputs(self.few)
        for _ in range(self.minibatches):
            self.policy.zero_grad()
            logits, values = self._outputs(self.many)
            (logits.sum() + values.sum()).backward()  # type: ignore[no-untyped-call]


LEARNERS: dict[str, Callable[[TrainConfig], Learner | NetworkAlone]] = {
    OURS: ours,
    STOCK: same_network,
    MLP: mlp_policy,
    ALONE: NetworkAlone,
}


# Results ---------------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Result:
    """One configuration: of every repeat the rates by learner, decisions per second, and where our own time went, as shares of it."""

    config: str
    rates: dict[str, list[float]]
    parts: dict[str, float]

    def ratio(self, other: str) -> list[float]:
        return [own / theirs for own, theirs in zip(self.rates[OURS], self.rates[other], strict=True)]


@contextmanager
def one_thread() -> Iterator[None]:
    """One core, one thread, and a folder that goes away for whatever is written."""
    threads = th.get_num_threads()
    th.set_num_threads(1)
    with one_core(), tempfile.TemporaryDirectory():
        yield
    th.set_num_threads(threads)


def measure(file: Path, repeats: int, changes: Mapping[str, Any]) -> Result:
    """The first turn of each is not counted: it compiles, and reserves memory."""
    plain = {"network.advice": "", "imitation": None}  # which stock knows nothing of
    config = build(read_yaml(file), {**changes, **plain, "threads": 1, "wandb": "disabled", "evaluation.opponents": []}, str(file))
    learners = {name: make(config) for name, make in LEARNERS.items()}
    rates: dict[str, list[float]] = {name: [] for name in learners}
    spent = 0.0
    for turn in range(repeats + 1):
        for name, learner in learners.items():
            if turn == 1:
                learner.clock.seconds.clear()
            begun = time.process_time()
            learner.update()
            seconds = time.process_time() - begun
            if turn:
                rates[name].append(learner.steps / seconds)
                spent += seconds if name == OURS else 0.0
    parts = {part: seconds / spent for part, seconds in learners[OURS].clock.seconds.items()}
    return Result(file.stem, rates, {**parts, "the rest": 1 - sum(parts.values())})


HEAD = """\
| configuration | learner | decisions/s | lowest to highest | train.py against it | lowest to highest | aim |
| --- | --- | --- | --- | --- | --- | --- |"""


def lines(result: Result) -> Iterator[str]:
    """Rows of the table, in Markdown."""
    for name, rates in result.rates.items():
        row = [result.config, name, f"{statistics.median(rates):,.0f}", f"{min(rates):,.0f} to {max(rates):,.0f}"]
        ratios, aim = result.ratio(name), AIMS.get(name)
        median = statistics.median(ratios)
        row += ["", ""] if name == OURS else [f"{median:.2f}", f"{min(ratios):.2f} to {max(ratios):.2f}"]
        row.append("" if aim is None else f"at least {aim:g}: {'met' if median >= aim else 'not met'}")
        yield f"| {' | '.join(row)} |"


def shares(result: Result) -> str:
    return f"{result.config}: " + ", ".join(f"{name} {100 * share:.0f}%" for name, share in result.parts.items())


@program
def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    decks = [Path(f"configs/{deck}.yaml") for deck in ("tanglewoods", "etherfields", "lost_woods")]
    parser.add_argument("--configs", nargs="+", type=Path, default=decks, metavar="FILE", help="configurations (the three decks')")
    parser.add_argument("--repeats", type=whole(1, 10_000), default=3, metavar="N", help="number of measured updates per learner (3)")
    parser.add_argument("--quick", action="store_true", help="small updates, as a smoke test")
    parser.add_argument("--n-steps", type=whole(1, 2**20), metavar="N", help="rollout length, to shorten the benchmark")
    parser.add_argument("--json", type=output, metavar="FILE", help="also write the results to this file")
    parser.add_argument("--page", type=marked, metavar="FILE", help="insert the tables into this page")
    args = parser.parse_args(argv)
    changes = {"num_envs": 32, "ppo.n_steps": 16, "ppo.batch_size": 256} if args.quick else {}
    if args.n_steps:
        changes["ppo.n_steps"] = args.n_steps
    print(HEAD)
    results = []
    with one_thread():
        for file in args.configs:
            results.append(measure(file, args.repeats, changes))
            print("\n".join(lines(results[-1])), flush=True)
    print("\nWhere the time of train.py goes:")
    print("\n".join(map(shares, results)))
    if args.json:
        content = {"machine": machine(), "changes": changes, "results": [asdict(result) for result in results]}
        write_atomically(args.json, json.dumps(content, indent=1) + "\n")
    if args.page:
        table = "\n".join([HEAD, *(line for result in results for line in lines(result))])
        put_into(args.page, table + "\n\nWhere the time of `train.py` goes:\n\n" + "\n".join(f"- {shares(r)}" for r in results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
