"""Values by walking a game's tree with the calls that anyone has, one position at a time."""

import numpy as np

from deckwood.core.spec import Node


def child(game, position, move):
    """The position after an action or an outcome."""
    after = position.copy()
    (game.apply if position["node"][0] == Node.DECISION else game.apply_chance)(after, move)
    after["decisions"] = 0
    return after


def value_by_walking(game, position, objective_value, policy=None):
    """The value to seat 0 of a solo game without cycles; by ``policy(position, legal actions)``, their chances, where there is one."""
    known = {}

    def value(position):
        if position["node"][0] == Node.END:
            return objective_value(position)
        key = position.tobytes()
        if key not in known:
            if position["node"][0] == Node.CHANCE:
                weights = game.chance(position)
                moves = np.flatnonzero(weights)
                known[key] = sum(int(weights[move]) * value(child(game, position, move)) for move in moves) / int(weights.sum())
            else:
                moves = np.flatnonzero(game.legal(position))
                values = [value(child(game, position, move)) for move in moves]
                known[key] = max(values) if policy is None else float(np.dot(policy(position, moves), values))
        return known[key]

    start = position.copy()
    start["decisions"] = 0
    return value(start)
