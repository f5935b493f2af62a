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
        """Whether the two are disjoint."""
        return self.low > other.high or self.high < other.low


def wilson(wins: int, games: int) -> Interval:
    """Wilson's score interval for a proportion; ValueError unless 0 <= wins <= games and games > 0."""
    interval = stats.binomtest(wins, games).proportion_ci(CONFIDENCE, method="wilson")
    return Interval(float(interval.low), float(interval.high))


def wilson_clustered(shares: ArrayLike) -> Interval:
    """Wilson's score interval for a proportion from the shares (n,) of n independent clusters of games that are not independent.

    It is that of as many independent games as would have the variance seen between clusters, n (n + 1) at most: alike as the clusters may
    be, one more, unseen, could have gone all or nothing. Where all games were won, or none, it is that of n games.
    """
    sample = np.asarray(shares, np.float64)
    n, share = sample.size, float(sample.mean())
    games = float(n)
    if 0 < share < 1:
        games = share * (1 - share) / max(float(sample.var()) / n, share * (1 - share) / (n * (n + 1)))
    reach = stats.norm.ppf((1 + CONFIDENCE) / 2) ** 2 / games
    half = np.sqrt(reach * share * (1 - share) + reach**2 / 4)
    low, high = (share + reach / 2 + side * half for side in (-1, 1))
    return Interval(max(0.0, float(low / (1 + reach))), min(1.0, float(high / (1 + reach))))


def bootstrap_generator(seed: int) -> np.random.Generator:
    """The generator for a measurement's intervals: a fresh one for each interval, so that none depends on which others are requested."""
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


FEWEST_RUNS = 5
"""Of every game, for an interquartile mean with a bootstrap: of fewer it is the mean, and its interval all that was seen."""


def interquartile_mean(scores: ArrayLike) -> NDArray[np.float64]:
    """The mean of the middle half of ``scores`` (..., n): the lowest and the highest quarter are left out, rounded down. Float64 (...)."""
    return np.asarray(stats.trim_mean(np.asarray(scores, np.float64), 0.25, axis=-1))


def performance_profile(scores: ArrayLike, thresholds: ArrayLike) -> NDArray[np.float64]:
    """The share of ``scores`` (..., n) above each of the ``thresholds`` (k,): float64 (..., k)."""
    sample, limits = np.asarray(scores, np.float64), np.asarray(thresholds, np.float64)
    return np.stack([(sample > limit).mean(axis=-1) for limit in limits], axis=-1)


def _samples(scores: Sequence[ArrayLike]) -> list[NDArray[np.float64]]:
    samples = [np.asarray(values, np.float64) for values in scores]
    if not samples or min(sample.size for sample in samples) < 2:
        raise ValueError(f"an interval needs two runs or more of every game, got {[sample.size for sample in samples]}")
    return samples


def mean_interval(scores: Sequence[ArrayLike]) -> Interval:
    """Student's interval for the mean of all ``scores``, an array (runs,) for each game, whose means and variances may differ.

    Degrees of freedom are Welch and Satterthwaite's. Runs that are all alike have an interval of no width. ValueError as for
    :func:`stratified_bootstrap`.
    """
    samples = _samples(scores)
    total = sum(sample.size for sample in samples)
    mean = float(np.concatenate(samples).mean())
    parts = np.array([sample.size * sample.var(ddof=1) for sample in samples]) / total**2
    variance = float(parts.sum())
    if variance == 0:
        return Interval(mean, mean)
    freedom = variance**2 / float((parts**2 / [sample.size - 1 for sample in samples]).sum())
    half = float(stats.t.ppf((1 + CONFIDENCE) / 2, freedom)) * variance**0.5
    return Interval(mean - half, mean + half)


def stratified_bootstrap(
    scores: Sequence[ArrayLike], statistic: Callable[[NDArray[np.float64]], Any], rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Percentile bootstrap interval, (low, high) in the shape of ``statistic``, of what it makes of all scores together.

    ``scores`` holds one array (runs,) for each game; runs are resampled within their game, so each keeps its weight. ``statistic`` is given
    the resamples (m, n) and answers for each, (m, ...). The percentiles are expanded (Hesterberg 2015), since a few runs vary less among
    themselves than runs do. ValueError where there are no scores, or a game has fewer than two.
    """
    samples = _samples(scores)
    drawn = statistic(np.concatenate([rng.choice(sample, (RESAMPLES, sample.size)) for sample in samples], axis=1))
    least, freedom = min(sample.size for sample in samples), sum(sample.size - 1 for sample in samples)
    tail = float(stats.norm.cdf(-((least / (least - 1)) ** 0.5) * stats.t.ppf((1 + CONFIDENCE) / 2, freedom)))
    low, high = np.quantile(drawn, [tail, 1 - tail], axis=0)
    return low, high
