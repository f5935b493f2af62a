"""``ppo``: plays by a trained network."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.core.one_thread import OneThread
from deckwood_agents.players.protocol import Actions


class NetworkAgent:
    """A masked policy network: its likeliest legal action, or one drawn from its distribution when ``sample`` is set."""

    def __init__(self, name: str, policy: Any, *, sample: bool = False, manifest: Any = None, advice_input: Any = None) -> None:
        """``advice_input`` (:class:`deckwood_agents.players.advice.AdviceInput`) is for a network that takes advice."""
        self.name = name
        self.policy = policy
        self.sample = sample
        self.manifest = manifest
        self.advice_input = advice_input
        self.pure = not sample
        self._one_thread = OneThread("network")  # which keeps its distribution in itself
        self.reset(0)

    def reset(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def _logits(self, obs: NDArray[np.float32], mask: NDArray[np.int8], positions: Any) -> NDArray[Any]:
        import torch

        if self.advice_input is not None:
            obs = self.advice_input.beside(obs, mask, positions)
        with self._one_thread, torch.no_grad():
            observations = torch.as_tensor(obs, device=self.policy.device)
            logits: NDArray[Any] = self.policy.get_distribution(observations, mask).logits.cpu().numpy()
        return logits

    def chances(self, obs: NDArray[np.float32], mask: NDArray[np.int8], positions: Any = None) -> NDArray[np.float64]:
        """What the actions are drawn with."""
        logits = np.where(mask != 0, self._logits(obs, mask, positions), -np.inf).astype(np.float64)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares: NDArray[np.float64] = odds / odds.sum(axis=1, keepdims=True)
        return shares

    def act(self, obs: NDArray[np.float32], mask: NDArray[np.int8], positions: Any = None) -> Actions:
        logits = self._logits(obs, mask, positions)
        if self.sample:
            logits = logits + self.rng.gumbel(size=logits.shape)
        actions: Actions = np.argmax(logits, axis=1)
        return actions
