"""Intervals. Every random number comes from a generator that the caller passes, so the same seed gives the same interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

CONFIDENCE = 0.95
RESAMPLES = 2000


class Interval(NamedTuple):
    """A two-sided interval at :data:`CONFIDENCE`."""

    low: float
    high: float

    def apart(self, other: Interval) -> bool:
        """Whether the two do not touch."""
        return self.low > other.high or self.high < other.low


def wilson(wins: int, games: int) -> Interval:
    """Wilson's score interval for a proportion; ValueError unless 0 <= wins <= games and games > 0."""
    interval = stats.binomtest(wins, games).proportion_ci(CONFIDENCE, method="wilson")
    return Interval(float(interval.low), float(interval.high))


def wilson_clustered(shares: ArrayLike) -> Interval:
    """Wilson's score interval for a proportion from the shares (n,) of n independent clusters of games that are not independent.

    It is that of as many independent games as would have the variance seen between clusters; of n where all won alike, all or nothing.
    """
    sample = np.asarray(shares, np.float64)
    share, variance = float(sample.mean()), float(sample.var()) / sample.size
    if variance == 0 and 0 < share < 1:
        return Interval(share, share)
    games = share * (1 - share) / variance if variance else sample.size
    reach = stats.norm.ppf((1 + CONFIDENCE) / 2) ** 2 / games
    half = np.sqrt(reach * share * (1 - share) + reach**2 / 4)
    low, high = (share + reach / 2 + side * half for side in (-1, 1))
    return Interval(max(0.0, float(low / (1 + reach))), min(1.0, float(high / (1 + reach))))


def bootstrap_generator(seed: int) -> np.random.Generator:
    """What intervals of a measurement with this seed are drawn from: anew for each, so that none depends on which others were asked for."""
    return np.random.default_rng([seed, 0xB007])


def bootstrap_mean(values: ArrayLike, rng: np.random.Generator) -> Interval:
    """Percentile bootstrap interval for the mean of ``values`` (n,); ValueError for fewer than two or non-finite values."""
    sample = np.asarray(values, np.float64)
    if sample.ndim != 1 or sample.size < 2 or not np.isfinite(sample).all():
        raise ValueError(f"an interval for a mean needs two or more finite numbers in one dimension, got shape {sample.shape}")
    if (sample == sample[0]).all():
        return Interval(float(sample[0]), float(sample[0]))
    batch = max(1, 2_000_000 // sample.size)  # bounds the memory, not the result
    result = stats.bootstrap(
        (sample,), np.mean, n_resamples=RESAMPLES, batch=batch, confidence_level=CONFIDENCE, method="percentile", rng=rng
    )
    return Interval(float(result.confidence_interval.low), float(result.confidence_interval.high))


# Over training seeds and games (Agarwal et al. 2021, "Deep reinforcement learning at the edge of the statistical precipice") --------------


def interquartile_mean(scores: ArrayLike) -> float:
    """The mean of the middle half of all ``scores``, of any shape: the lowest and the highest quarter are left out, rounded down."""
    return float(stats.trim_mean(np.asarray(scores, np.float64), 0.25, axis=None))


def performance_profile(scores: ArrayLike, thresholds: ArrayLike) -> NDArray[np.float64]:
    """The share of ``scores``, of any shape, above each of the ``thresholds`` (k,): float64 (k,)."""
    sample, limits = np.asarray(scores, np.float64).ravel(), np.asarray(thresholds, np.float64)
    shares: NDArray[np.float64] = (sample[:, None] > limits).mean(axis=0)
    return shares


def stratified_bootstrap(
    scores: Sequence[ArrayLike], statistic: Callable[[NDArray[np.float64]], Any], rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Percentile bootstrap interval, (low, high) in the shape of ``statistic``, of what it makes of all scores together.

    ``scores`` holds one array (runs,) for each game; runs are resampled within their game, so each keeps its weight. ValueError where there
    are no scores, or a game has fewer than two.
    """
    samples = [np.asarray(values, np.float64) for values in scores]
    if not samples or min(sample.size for sample in samples) < 2:
        raise ValueError(f"an interval needs two runs or more of every game, got {[sample.size for sample in samples]}")
    drawn = [statistic(np.concatenate([rng.choice(sample, sample.size) for sample in samples])) for _ in range(RESAMPLES)]
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(np.array(drawn), [tail, 1 - tail], axis=0)
    return low, high
