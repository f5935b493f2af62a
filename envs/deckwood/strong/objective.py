"""The value of the position after an engagement: a sum over the player's holdings, linear in each."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from deckwood.core.jit import rule
from deckwood.strong.cards import is_enemy, standing_enemies
from deckwood.strong.pool import item_count
from deckwood.strong.terms import COLOURS, DEFEATED, GOLD_MAX, HEALTH, MAX_ITEMS, RECOVERY, SLOTS, STAT_MAX, STRATEGY, UNIT_DICE

OBJECTIVE_DTYPE = np.dtype(
    [
        ("health", np.float64),
        ("strategy", np.float64),
        ("recovery", np.float64),
        ("gold", np.float64),
        ("items", np.float64),
        ("ready", np.float64, (len(COLOURS),)),
        ("fallen", np.float64),
        ("won", np.float64),
        ("lost", np.float64),
    ],
    align=True,
)


@dataclass(frozen=True)
class Objective:
    """An objective. The value of a position is ``lost`` if Health is below 1, else the sum of the other parts.

    All are numbers of any size and sign, in any unit. The defaults value a point of Health as much as two blue dice.
    """

    health: float = 6.0  # of each point of Health
    strategy: float = 0.0  # of each point of Strategy
    recovery: float = 0.0  # of each point of Recovery
    gold: float = 1.0  # of each gold piece
    items: float = 3.0  # of each item held
    ready: tuple[float, float, float, float, float] = (1.0, 2.0, 3.0, 4.0, 5.0)  # of each ready die, by colour
    fallen: float = 0.0  # of each enemy in the active area that is defeated
    won: float = 0.0  # if no enemy there is undefeated
    lost: float = -30.0  # all that there is where Health is below 1

    def range(self) -> tuple[float, float]:
        """Bounds on the value of a position, with the box's dice, stats up to 6, 20 gold and 6 items."""
        parts = [STAT_MAX * value for value in (self.health, self.strategy, self.recovery)]
        parts += [GOLD_MAX * self.gold, MAX_ITEMS * self.items, SLOTS * self.fallen, self.won]
        parts += [n * value for n, value in zip(UNIT_DICE, self.ready, strict=True)]
        low, high = sum(min(0.0, part) for part in parts), sum(max(0.0, part) for part in parts)
        return min(low, self.lost), max(high, self.lost)

    def record(self) -> Any:
        """The objective as the rules read it, a ``np.record`` of dtype :data:`OBJECTIVE_DTYPE`."""
        return np.array([tuple(getattr(self, f.name) for f in fields(self))], OBJECTIVE_DTYPE).view(np.recarray)[0]


def own_objective(tables: Any) -> Objective | None:
    """The objective in a deck's tables; None for a deck that states none."""
    if "objective" not in tables.dtype.names:
        return None
    parts: dict[str, Any] = {name: tables.objective[name].tolist() for name in OBJECTIVE_DTYPE.names or ()}
    return Objective(**parts | {"ready": tuple(parts["ready"])})


@rule
def value_of(s, deck, objective):
    """What a position is worth under an objective."""
    if s.stats[HEALTH] < 1:
        return float(objective.lost)
    value = float(objective.health) * int(s.stats[HEALTH])
    value += objective.strategy * int(s.stats[STRATEGY])
    value += objective.recovery * int(s.stats[RECOVERY])
    value += objective.gold * int(s.gold) + objective.items * item_count(s)
    for colour in range(5):
        value += objective.ready[colour] * int(s.ready[colour])
    for slot in range(SLOTS):
        if is_enemy(s, deck, slot) and s.marks[slot] & DEFEATED:
            value += objective.fallen
    if standing_enemies(s, deck) == 0:
        value += objective.won
    return value
