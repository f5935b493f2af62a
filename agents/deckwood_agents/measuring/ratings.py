"""The strength of each agent as one number, from who won which table.

Luce's model of choice: of those at a table, each wins with a chance in proportion to its strength. The likeliest strengths do not depend
on the order of the games, as ratings that are updated game by game do. They are found by iterative Luce spectral ranking (Maystre and
Grossglauser 2015), which the package choix implements. Its ``ilsr_top1`` walks game by game, too slow for a bootstrap (and the gradient of
its ``opt_top1`` counts an agent that sits at a table twice once only); so the chain is built here, from games that are counted, and choix
finds its stationary distribution. The tests compare the two.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from choix.utils import exp_transform, log_transform, statdist
from numpy.typing import NDArray

from deckwood_agents.games import NOBODY
from deckwood_agents.measuring.statistics import CONFIDENCE, Interval

ELO = 400 / np.log(10)  # ten to one at 400 points
PRIOR = 0.01  # of a transition between any two: keeps an agent that never won, or never lost, at a finite distance
RESAMPLES = 1000
MAX_ITERATIONS = 200


class Outcomes(NamedTuple):
    """The distinct results of a tournament's games, and how often each came up on each seed."""

    seats: NDArray[np.int64]  # (k, agents) how many seats each agent had
    winner: NDArray[np.int64]  # (k,)
    counts: NDArray[np.int64]  # (seeds, k)


def outcomes(seating: NDArray[np.int64], winner: NDArray[np.int64], agents: int) -> Outcomes:
    """Count the games of agents ``seating`` (p, seeds, players) and winning seats ``winner`` (p, seeds), without those that nobody won."""
    seats = (seating[..., None] == np.arange(agents)).sum(axis=2)
    by = np.take_along_axis(seating, np.maximum(winner, 0)[..., None], axis=2)
    rows = np.concatenate([seats, by], axis=2)[winner != NOBODY]
    seed = np.broadcast_to(np.arange(winner.shape[1]), winner.shape)[winner != NOBODY]
    distinct, which = np.unique(rows, axis=0, return_inverse=True)
    counts = np.zeros((winner.shape[1], len(distinct)), np.int64)
    np.add.at(counts, (seed, which.reshape(-1)), 1)
    return Outcomes(distinct[:, :-1], distinct[:, -1], counts)


def luce(seats: NDArray[np.int64], winner: NDArray[np.int64], counts: NDArray[Any]) -> NDArray[np.float64]:
    """Log-strengths (agents,) of mean 0 that best explain results (k,) which came up ``counts`` (k,) times; see :class:`Outcomes`."""
    agents = seats.shape[1]
    strengths = np.zeros(agents)
    won_by = (winner[:, None] == np.arange(agents)).astype(np.float64)
    for _ in range(MAX_ITERATIONS):
        rates = counts / (seats @ exp_transform(strengths))
        chain = PRIOR + (seats * rates[:, None]).T @ won_by  # from each seat to the winner of its table
        chain -= np.diag(chain.sum(axis=1))
        before, strengths = strengths, log_transform(statdist(chain))
        if np.abs(strengths - before).max() < 1e-8:
            break
    return strengths


def ratings(found: Outcomes, rng: np.random.Generator) -> tuple[NDArray[np.float64], list[Interval]]:
    """(agents,) on a scale like Elo's, mean 0, with percentile bootstrap intervals over the seeds.

    400 points are odds of ten to one at a table of two.
    """
    seats, winner, counts = found
    agents = seats.shape[1]
    if agents < 2 or not counts.any():
        return np.zeros(agents), [Interval(0.0, 0.0)] * agents
    resampled = np.empty((RESAMPLES, agents))
    for i in range(RESAMPLES):
        resampled[i] = luce(seats, winner, counts[rng.integers(len(counts), size=len(counts))].sum(axis=0))
    low, high = ELO * np.quantile(resampled, ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2), axis=0)
    return ELO * luce(seats, winner, counts.sum(axis=0)), [Interval(*pair) for pair in zip(low.tolist(), high.tolist(), strict=True)]
