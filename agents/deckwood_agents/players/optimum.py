"""``optimum``: plays a game that tells its optimal value as well as it can be played, by solving what can follow from where it stands."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.core.game import Game
from deckwood.core.spec import GameSpec, LoadedDeck
from deckwood.solver import Book, explore

MAX_POSITIONS = 500_000
"""Where more positions than that can follow from a start, it is not solved, and agents are sampled, not followed."""


class OptimumAgent:
    """The best action at each position, the first in the action space if there are several."""

    name = "optimum"
    pure = True

    def __init__(self, spec: GameSpec, deck: LoadedDeck) -> None:
        self.game = Game(spec, deck=deck.source)
        self.book = Book()

    def reset(self, seed: int) -> None:
        """Nothing to do: the best action is a function of the position. What has been solved is kept."""

    def act(self, obs: NDArray[np.float32], mask: NDArray[np.int8], positions: Any) -> NDArray[np.int64]:
        """Best actions (n,) int64; TooLarge where more positions can follow from one than :data:`MAX_POSITIONS`."""
        return self.book.actions(self.look_up(positions))

    def losses(self, obs: NDArray[np.float32], mask: NDArray[np.int8], positions: Any) -> NDArray[np.float64]:
        """What each action loses against the best, in payoff, float64 (n, A), not a number where it is illegal; TooLarge as above."""
        return self.book.losses(self.look_up(positions), mask.shape[1])

    def look_up(self, positions: Any) -> NDArray[np.int64]:
        """The places of positions (n,) in the book, where they are now if they were not."""
        places = self.book.find(positions)
        while (unknown := np.flatnonzero(places < 0)).size:
            self.book.add(explore(self.game, positions[unknown[:1]], max_positions=MAX_POSITIONS))
            places[unknown] = self.book.find(positions[unknown])
        return places
