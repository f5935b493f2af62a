"""``optimum``: plays a game that tells its optimal value as well as it can be played, by solving what can follow from where it stands."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.core.driver import Game
from deckwood.core.spec import GameSpec, LoadedDeck
from deckwood.solver import Book, explore
from deckwood_agents.regret import MOST_POSITIONS


class OptimumAgent:
    """The best action at each position, the first in the action space where there are several."""

    name = "optimum"
    pure = True

    def __init__(self, spec: GameSpec, deck: LoadedDeck) -> None:
        self.game = Game(spec, deck=deck.source)
        self.book = Book()

    def reset(self, seed: int) -> None:
        """Nothing to do: the best action is a function of the position. What has been solved is kept."""

    def act(self, obs: NDArray[np.float32], mask: NDArray[np.int8], positions: Any) -> NDArray[np.int64]:
        """Best actions (n,) int64; TooLarge where more positions can follow from one than :data:`MOST_POSITIONS`."""
        actions = self.book.actions(positions)
        while (unknown := np.flatnonzero(actions < 0)).size:
            self.book.add(explore(self.game, positions[unknown[:1]], most=MOST_POSITIONS))
            actions[unknown] = self.book.actions(positions[unknown])
        return actions
