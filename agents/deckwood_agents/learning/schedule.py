"""The learning rate over a run."""

from __future__ import annotations

import math
from dataclasses import dataclass

from deckwood_agents.learning.config import PPOConfig


@dataclass(frozen=True)
class LearningRate:
    """The learning rate at the share of the run that remains, which falls from 1 to 0."""

    schedule: str
    start: float
    end: float

    @classmethod
    def of(cls, ppo: PPOConfig) -> LearningRate:
        return cls(ppo.learning_rate_schedule, ppo.learning_rate, ppo.learning_rate_end)

    def __call__(self, remaining: float) -> float:
        remaining = min(1.0, max(0.0, remaining))  # the last update may reach past total_steps
        share = {"constant": 1.0, "linear": remaining, "cosine": 0.5 - 0.5 * math.cos(math.pi * remaining)}[self.schedule]
        return self.end + share * (self.start - self.end)
