"""Fights drawn at random from a seed, small enough for brute force."""

import numpy as np

from deckwood.solver import Enemy, Fight
from deckwood.strong.objective import Objective


def some_values(rng, signs):
    """Values of both signs, or such that to defeat enemies never hurts."""

    def some(scale=1.0):
        return scale * float(rng.normal() if signs else abs(rng.normal()))

    ready = tuple(some() for _ in range(5))
    lost = some(3) if signs else -some(5)
    return Objective(some(), some(), some(), some(), some(), ready, some(), some(3), lost)


def some_fight(rng, dice, enemies=2):
    """Up to so many dice and enemies, Strategy 1 to 3, rewards, shields, exhausted dice."""

    def up_to(most):
        return int(rng.integers(most + 1))

    ready, exhausted = [np.bincount(rng.integers(0, 5, n), minlength=5) for n in (1 + up_to(dice - 1), up_to(3))]
    if (ready + exhausted > (4, 4, 4, 4, 1)).any():
        return some_fight(rng, dice, enemies)
    alone = enemies == 1 or up_to(1) == 0
    cast = [
        Enemy(
            1 + up_to(3),
            up_to(3),
            gold=up_to(2),
            gain_health=up_to(1),
            gain_strategy=up_to(1),
            gain_recovery=up_to(1),
            recover=up_to(2) * alone,
        )
        for _ in range(1 if alone else enemies)
    ]
    stats = {"health": 1 + up_to(3), "strategy": 1 + up_to(2), "recovery": up_to(3)}
    return Fight(tuple(map(int, ready)), tuple(cast), tuple(map(int, exhausted)), **stats, gold=up_to(2), shield=up_to(1))  # type: ignore[arg-type]
