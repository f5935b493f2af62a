"""Three spaces of game seeds that never meet: for learning, for watching a run, and for the numbers that are reported."""

from __future__ import annotations

from enum import IntEnum

from deckwood.core.errors import OptionError


class Seeds(IntEnum):
    """A space of seeds for ``deckwood.Batch``: its value stands in the bits above the 64 that a user chooses.

    ``Seeds.EVALUATION(7)`` is ``(2 << 64) + 7``, so any reported game can be played again from the seed, the slot and its number there.
    """

    TRAINING = 0
    VALIDATION = 1  # evaluations during training: what they choose must not be what is reported
    EVALUATION = 2  # evaluate.py, and the closing table of train.py

    def __call__(self, seed: int) -> int:
        """The batch seed for a user's ``seed``; OptionError unless 0 <= seed < 2**64."""
        if not 0 <= seed < 1 << 64:
            raise OptionError(f"seed {seed} must be a whole number from 0 to 2**64 - 1")
        return (self.value << 64) + seed
