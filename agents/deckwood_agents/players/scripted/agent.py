"""A scripted policy as an agent."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.core.jit import rule
from deckwood.core.spec import LoadedDeck
from deckwood_agents.players.protocol import Actions

# A placeholder for a scripted policy; bind_policy() replaces it.
policy: Any = None


def _choose(positions, deck, mask, out):
    for i in range(out.shape[0]):
        out[i] = policy(positions[i], deck, mask[i])


@cache
def bind_policy(function: Callable[..., int]) -> Callable[..., None]:
    """``(positions, tables, masks, out)``, compiled: fill ``out`` (n,) with what ``function(s, deck, mask)`` chooses at each position.

    It is kept on disk under the policy's own name, and recompiled when a source of the scripted agents or of the rules changes; of a policy
    from elsewhere, when one of its package does.
    """
    source: Any = getattr(function, "py_func", function)
    bound = FunctionType(_choose.__code__, {**_choose.__globals__, "policy": function}, f"choose_{source.__name__}")
    bound.__module__ = source.__module__
    bound.__qualname__ = bound.__name__
    return rule(bound)


class ScriptedAgent:
    """A scripted policy, compiled, over the positions of a batch."""

    pure = True

    def __init__(self, name: str, policy: Callable[..., int], deck: LoadedDeck) -> None:
        self.name = name
        self._choose = bind_policy(policy)
        self._tables = deck.tables

    def reset(self, seed: int) -> None:
        """Nothing to do: a scripted policy is a function of the position."""

    def act(self, obs: NDArray[np.float32], mask: NDArray[np.int8], positions: Any) -> Actions:
        if mask.ndim != 2 or positions.shape != mask.shape[:1]:
            raise ValueError(f"{mask.shape} does not match {positions.shape} positions")
        actions = np.empty(len(mask), np.int64)
        self._choose(positions, self._tables, mask, actions)
        return actions
