"""Playing the games of a batch to their ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.core.batch import Batch
from deckwood_agents.players.protocol import Actions, Agent, ask

Slots = NDArray[np.int64]


def play_out(batch: Batch, quota: NDArray[np.int64], choose: Callable[[Slots], Actions]) -> Iterator[Slots]:
    """Play ``quota`` (n,) games in each slot of ``batch``; each step plays ``choose`` of the slots (k,) that have games left.

    Yields after each step the slots whose game has ended, while the batch still holds their results. A quota that is fixed beforehand
    keeps short games from counting more often.
    """
    left = quota.copy()
    while (slots := np.flatnonzero(left)).size:
        batch.step(choose(slots), slots)
        over = slots[(batch.terminated | batch.truncated)[slots]]
        yield over
        left[over] -= 1


class Timed:
    """An agent whose decisions are counted and timed, except its first call, in which it may compile."""

    def __init__(self, agent: Agent, clock: Callable[[], float] = perf_counter) -> None:
        self.name, self.reset = agent.name, agent.reset
        self.agent, self.clock = agent, clock
        self.decisions, self.seconds = 0, 0.0
        self._called = False

    def act(self, obs: NDArray[np.float32], mask: NDArray[np.int8], positions: Any) -> Actions:
        begun = self.clock()
        actions = self.agent.act(obs, mask, positions)
        if self._called:
            self.decisions, self.seconds = self.decisions + len(mask), self.seconds + self.clock() - begun
        self._called = True
        return actions


def ask_each(agents: Sequence[Agent], who: NDArray[np.int64], batch: Batch, slots: Slots) -> Actions:
    """The actions in the games of ``slots`` (k,), in which the agent number ``who`` (k,) has the move."""
    actions = np.empty(len(slots), np.int64)
    for index in np.unique(who):
        actions[who == index] = ask(agents[index], batch, slots[who == index])
    return actions
