"""Masked PPO in one file, over deckwood's vector environment: ``python examples/ppo_single_file.py --env-id deckwood/Tanglewoods-v1``.

A start for another algorithm. Of this project it uses the environment and its masks, and nothing else; options of the game are given as
``--option difficulty=0``. It prints the mean return of the games that ended in each iteration, and the same seed prints the same numbers.
Proximal policy optimisation is from Schulman et al. 2017, masks on logits from Huang and Ontañón 2022.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import torch
from torch import nn

import deckwood  # noqa: F401 - registers the games


def parse(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--env-id", default="deckwood/Tanglewoods-v1")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="of the game; may be repeated")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--total-steps", type=int, default=500_000, help="decisions to train for")
    parser.add_argument("--num-envs", type=int, default=64, help="games side by side")
    parser.add_argument("--num-steps", type=int, default=128, help="decisions per game between updates")
    parser.add_argument("--minibatches", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--width", type=int, default=256, help="of the two hidden layers")
    parser.add_argument("--learning-rate", type=float, default=1e-3, help="at the start; it falls to 0")
    parser.add_argument("--gamma", type=float, default=0.999, help="discount per decision")
    parser.add_argument("--gae-lambda", type=float, default=0.95)
    parser.add_argument("--clip", type=float, default=0.2, help="of the probability ratio")
    parser.add_argument("--ent-coef", type=float, default=0.003)
    parser.add_argument("--vf-coef", type=float, default=0.5)
    parser.add_argument("--max-grad-norm", type=float, default=0.5)
    return parser.parse_args(given)


def options(pairs: Sequence[str]) -> dict[str, Any]:
    """``["difficulty=0", "reward=progress"]`` as keywords: numbers and truth values as in JSON, anything else a word."""
    chosen = {}
    for name, _, text in (pair.partition("=") for pair in pairs):
        try:
            chosen[name] = json.loads(text)
        except json.JSONDecodeError:
            chosen[name] = text
    return chosen


class Agent(nn.Module):
    """Logits of all actions and a value, from observations scaled by their declared ranges."""

    scale: torch.Tensor

    def __init__(self, envs: Any, width: int) -> None:
        super().__init__()
        space = envs.single_observation_space
        reach = np.maximum(np.abs(space.low), np.abs(space.high))
        self.register_buffer("scale", torch.as_tensor(1 / np.maximum(reach, 1e-6), dtype=torch.float32))
        self.trunk = nn.Sequential(nn.Linear(len(reach), width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.actor, self.critic = nn.Linear(width, int(envs.single_action_space.n)), nn.Linear(width, 1)
        nn.init.orthogonal_(self.actor.weight, 0.01)

    def forward(self, obs: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Log-probabilities (n, A), hugely negative where ``mask`` (n, A) forbids, and values (n,)."""
        hidden = self.trunk(obs * self.scale)
        logits = torch.where(mask, self.actor(hidden), -1e8)
        return torch.log_softmax(logits, dim=1), self.critic(hidden).squeeze(1)


def train(args: argparse.Namespace) -> list[float]:
    """The mean return of each iteration's finished games (nan where none ended)."""
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    envs: Any = gymnasium.make_vec(args.env_id, num_envs=args.num_envs, **options(args.option))
    agent = Agent(envs, args.width)
    optimizer = torch.optim.Adam(agent.parameters(), lr=args.learning_rate, eps=1e-5)
    steps, n = args.num_steps, args.num_envs
    iterations = max(1, args.total_steps // (steps * n))

    obs = torch.zeros(steps, n, *envs.single_observation_space.shape)
    mask = torch.zeros(steps, n, int(envs.single_action_space.n), dtype=torch.bool)
    action = torch.zeros(steps, n, dtype=torch.long)
    log_prob, reward, value, next_value, goes_on = (torch.zeros(steps, n) for _ in range(5))

    def tensors(observation: Any, legal: Any) -> tuple[torch.Tensor, torch.Tensor]:
        return torch.as_tensor(observation), torch.as_tensor(legal) != 0

    observation, info = envs.reset(seed=args.seed)
    now_obs, now_mask = tensors(observation, info["action_mask"])
    running, history, start = np.zeros(n), [], time.perf_counter()
    for iteration in range(iterations):
        finished: list[float] = []
        for step in range(steps):
            with torch.no_grad():
                log_probs, value[step] = agent(now_obs, now_mask)
                action[step] = torch.multinomial(log_probs.exp(), 1).squeeze(1)
            obs[step], mask[step] = now_obs, now_mask
            log_prob[step] = log_probs.gather(1, action[step, :, None]).squeeze(1)
            observation, paid, terminated, truncated, info = envs.step(action[step].numpy())
            now_obs, now_mask = tensors(observation, info["action_mask"])
            reward[step] = torch.as_tensor(paid, dtype=torch.float32)
            # A game that ended is worth nothing more; one that was cut is worth what its last position was.
            over = terminated | truncated
            goes_on[step] = torch.as_tensor(~over, dtype=torch.float32)
            next_value[step] = 0
            if truncated.any():
                cut = np.flatnonzero(truncated & ~terminated)
                last = tensors(np.stack(info["final_obs"][cut]), np.ones((len(cut), mask.shape[2])))
                with torch.no_grad():
                    next_value[step, cut] = agent(*last)[1]
            running += paid
            finished += running[over].tolist()
            running[over] = 0

        with torch.no_grad():
            following = torch.cat([value[1:], agent(now_obs, now_mask)[1][None]])
        advantage, rest = torch.zeros(steps, n), torch.zeros(n)
        for step in reversed(range(steps)):
            expected = torch.where(goes_on[step] > 0, following[step], next_value[step])
            delta = reward[step] + args.gamma * expected - value[step]
            advantage[step] = rest = delta + args.gamma * args.gae_lambda * goes_on[step] * rest
        target = advantage + value

        optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - iteration / iterations)
        batch = [part.flatten(0, 1) for part in (obs, mask, action, log_prob, advantage, target)]
        for _ in range(args.epochs):
            for rows in np.array_split(rng.permutation(steps * n), args.minibatches):
                b_obs, b_mask, b_action, b_log_prob, b_advantage, b_target = (part[torch.as_tensor(rows)] for part in batch)
                log_probs, values = agent(b_obs, b_mask)
                ratio = (log_probs.gather(1, b_action[:, None]).squeeze(1) - b_log_prob).exp()
                b_advantage = (b_advantage - b_advantage.mean()) / (b_advantage.std() + 1e-8)
                clipped = ratio.clamp(1 - args.clip, 1 + args.clip)
                policy_loss = -torch.min(b_advantage * ratio, b_advantage * clipped).mean()
                entropy = -(log_probs.softmax(1) * log_probs).sum(1).mean()
                loss = policy_loss - args.ent_coef * entropy + args.vf_coef * (values - b_target).square().mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), args.max_grad_norm)
                optimizer.step()

        done, mean = (iteration + 1) * steps * n, float(np.mean(finished)) if finished else float("nan")
        history.append(mean)
        rate = done / (time.perf_counter() - start)
        print(f"{done:>10,} steps: return {mean:.3f} over {len(finished)} games, entropy {entropy:.2f}, {rate:,.0f} steps/s", flush=True)
    envs.close()
    return history


if __name__ == "__main__":
    train(parse(None))
