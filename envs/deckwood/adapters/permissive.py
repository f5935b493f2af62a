"""For checkers and learners without masks: handling illegal actions without raising."""

from __future__ import annotations

import operator
from typing import Any, SupportsFloat

import gymnasium
import numpy as np

from deckwood.core.errors import OptionError

MODES = ("replace", "penalty", "terminate")


class Permissive(gymnasium.Wrapper[Any, Any, Any, Any], gymnasium.utils.RecordConstructorArgs):
    """Handles an illegal action without raising; ``info["illegal_action"]`` says that there was one.

    ``replace``: plays the next legal action after it in the table instead. ``penalty``: nothing happens but a reward of ``-penalty``.
    ``terminate``: the same, and the episode ends. These are not rules of a game: agents that respect the mask do not need them.
    """

    def __init__(self, env: gymnasium.Env[Any, Any], mode: str = "replace", penalty: float = 1.0) -> None:
        gymnasium.utils.RecordConstructorArgs.__init__(self, mode=mode, penalty=penalty)
        gymnasium.Wrapper.__init__(self, env)
        if mode not in MODES:
            raise OptionError(f"mode={mode!r}: choose one of {', '.join(MODES)}")
        self.mode, self.penalty = mode, penalty
        self._over = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        self._over = False
        return self.env.reset(seed=seed, options=options)

    def step(self, action: Any) -> tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]:
        game: Any = self.env.unwrapped
        action = operator.index(action)
        mask = game.action_masks()
        if self._over or (0 <= action < len(mask) and mask[action]) or not mask.any():
            return self.env.step(action)
        if self.mode == "replace":
            legal = np.flatnonzero(mask)
            obs, reward, terminated, truncated, info = self.env.step(int(legal[np.searchsorted(legal, action) % len(legal)]))
            return obs, reward, terminated, truncated, {**info, "illegal_action": True}
        self._over = self.mode == "terminate"
        return game.batch.obs[0].copy(), -self.penalty, self._over, False, {"action_mask": mask, "illegal_action": True}
