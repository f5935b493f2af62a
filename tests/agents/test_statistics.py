import math

import numpy as np
import pytest

from deckwood_agents.measuring import statistics
from deckwood_agents.measuring.statistics import (
    FEWEST_RUNS,
    Interval,
    bootstrap_mean,
    interquartile_mean,
    mean_interval,
    performance_profile,
    stratified_bootstrap,
    wilson,
    wilson_clustered,
)

Z = 1.959963984540054


@pytest.mark.parametrize(("wins", "games"), [(3, 10), (0, 100), (100, 100), (1, 2), (5213, 10_000)])
def test_wilson_is_its_formula(wins, games):
    p = wins / games
    middle = (p + Z * Z / (2 * games)) / (1 + Z * Z / games)
    half = Z * math.sqrt(p * (1 - p) / games + Z * Z / (4 * games * games)) / (1 + Z * Z / games)
    assert wilson(wins, games) == pytest.approx((middle - half, middle + half))


def test_wilson_by_hand():
    assert wilson(0, 100) == pytest.approx((0, 3.8414588 / 103.8414588), abs=1e-6)
    assert wilson(3, 10) == pytest.approx((0.1077913, 0.6032219), abs=1e-6)


def test_wilson_refuses_nonsense():
    for wins, games in ((3, 2), (-1, 2), (0, 0)):
        with pytest.raises(ValueError, match="must"):
            wilson(wins, games)


def test_clusters_of_one_game_are_independent_games():
    assert wilson_clustered([1] * 30 + [0] * 70) == pytest.approx(wilson(30, 100))
    assert wilson_clustered([0] * 50) == pytest.approx(wilson(0, 50))
    assert wilson_clustered([1] * 50) == pytest.approx(wilson(50, 50))


def test_games_that_all_go_alike_count_once():
    """Four copies of each of 40 games say no more than the 40."""
    copies = np.repeat([1.0] * 12 + [0.0] * 28, 4).reshape(40, 4).mean(axis=1)
    assert wilson_clustered(copies) == pytest.approx(wilson(12, 40))


def test_clusters_that_differ_by_half_have_the_variance_seen_between_them():
    """Shares 1/2, 0, 1 and 0: mean 3/8, variance of the mean 11/64 / 4, so as many games as 15/64 / (11/256) = 60/11."""
    games = 60 / 11
    middle = (3 / 8 + Z * Z / (2 * games)) / (1 + Z * Z / games)
    half = Z * math.sqrt(15 / 64 / games + Z * Z / (4 * games * games)) / (1 + Z * Z / games)
    assert wilson_clustered([0.5, 0, 1, 0]) == pytest.approx((middle - half, middle + half))


def test_equal_shares_are_no_certainty():
    assert wilson_clustered([0.25, 0.25, 0.25]) == pytest.approx(wilson(3, 12))
    low, high = wilson_clustered([0.25] * 999 + [0.26])
    assert (low, high) == pytest.approx(wilson_clustered([0.25] * 1000), abs=1e-4)
    assert 0.001 < high - low < 0.003


@pytest.mark.parametrize(("clusters", "alike"), [(3, 0.1), (10, 0.05), (30, 0.5), (30, 0.02)])
def test_the_interval_of_clusters_covers(clusters, alike):
    """Four games a cluster, their chance to win drawn for each, 0.25 on average, with this correlation between two games of one."""
    rng = np.random.default_rng(17)
    strength = (1 - alike) / alike
    chances = rng.beta(0.25 * strength, 0.75 * strength, (1000, clusters))
    covered = [low <= 0.25 <= high for low, high in map(wilson_clustered, rng.binomial(4, chances) / 4)]
    assert 0.91 < np.mean(covered) < 0.99


def test_bootstrap_by_hand():
    """Two draws from {0, 1} have means 0, 1/2, 1 with chances 1/4, 1/2, 1/4: both tails of 2.5% lie in the ends."""
    assert bootstrap_mean([0, 1], np.random.default_rng(0)) == (0, 1)
    assert bootstrap_mean([3, 3, 3], np.random.default_rng(0)) == (3, 3)


def test_bootstrap_agrees_with_the_normal_interval():
    sample = np.random.default_rng(5).normal(2, 3, 5000)
    error = sample.std(ddof=1) / math.sqrt(sample.size)
    expected = (sample.mean() - Z * error, sample.mean() + Z * error)
    assert bootstrap_mean(sample, np.random.default_rng(1)) == pytest.approx(expected, abs=0.1 * error)


def test_bootstrap_depends_on_its_generator_alone():
    sample = np.arange(50.0)
    first = bootstrap_mean(sample, np.random.default_rng(3))
    np.random.seed(0)  # noqa: NPY002 - that it does not matter is the point
    assert bootstrap_mean(sample, np.random.default_rng(3)) == first
    assert bootstrap_mean(sample, np.random.default_rng(4)) != first


@pytest.mark.parametrize("sample", [[], [1.0], [1.0, np.nan], [[1.0, 2.0]]])
def test_bootstrap_refuses(sample):
    with pytest.raises(ValueError, match="two or more finite numbers"):
        bootstrap_mean(sample, np.random.default_rng(0))


def test_apart():
    assert Interval(0, 1).apart(Interval(1.1, 2))
    assert not Interval(0, 1).apart(Interval(1, 2))
    assert not Interval(0, 3).apart(Interval(1, 2))


def test_the_interquartile_mean_leaves_out_a_quarter_at_either_end():
    assert interquartile_mean([9, 1, -50, 2, 3, 100, 4, 5, 6]) == pytest.approx((2 + 3 + 4 + 5 + 6) / 5)  # of 9, two at each end
    assert interquartile_mean([[1, 2, 6], [4, 9, 2]]).tolist() == [3, 5]  # a quarter of three is none


def test_performance_profiles_count_the_scores_above():
    assert performance_profile([0.5, 1.0, 1.5, 2.0], [0, 0.5, 1.2, 2.0]).tolist() == [1, 0.75, 0.5, 0]
    assert performance_profile([[0, 1], [1, 2]], [0.5, 1.5]).tolist() == [[0.5, 0], [1, 0.5]]


def mean(drawn):
    return drawn.mean(axis=-1)


def test_the_stratified_bootstrap_resamples_within_a_game():
    """Two games, runs (0, 1) and (10, 30): the mean of four draws is (a + b) / 4, with a one of 0, 1, 2 and b one of 20, 40, 60."""
    low, high = stratified_bootstrap([[0, 1], [10, 30]], mean, np.random.default_rng(1))
    assert (low, high) == ((0 + 20) / 4, (2 + 60) / 4)  # each has a chance of a sixteenth: more than the tail
    again = stratified_bootstrap([[0, 1], [10, 30]], mean, np.random.default_rng(1))
    assert (low, high) == again
    low, high = stratified_bootstrap(
        [[1, 1], [2, 2]], lambda drawn: np.stack([mean(drawn), drawn.max(axis=-1)], axis=-1), np.random.default_rng(1)
    )
    assert low.tolist() == high.tolist() == [1.5, 2]
    draws = np.random.default_rng(2).normal(3, 1, 400)
    low, high = stratified_bootstrap([draws], mean, np.random.default_rng(3))
    half = Z * draws.std() / 20
    assert (low, high) == pytest.approx((draws.mean() - half, draws.mean() + half), abs=0.012)


def test_the_mean_of_three_runs_has_students_interval():
    """4, 5 and 9: mean 6, variance 7, and t of two degrees of freedom at 97.5% is 4.302653."""
    half = 4.302653 * math.sqrt(7 / 3)
    assert mean_interval([[4, 5, 9]]) == pytest.approx((6 - half, 6 + half), rel=1e-6)
    assert mean_interval([[2, 2, 2]]) == (2, 2)


def test_games_of_equal_variance_share_their_degrees_of_freedom():
    """Means 6 and 106, variances 7: that of the mean of six is 7 / 6, and t of four degrees of freedom 2.776445."""
    half = 2.776445 * math.sqrt(7 / 6)
    assert mean_interval([[4, 5, 9], [104, 105, 109]]) == pytest.approx((56 - half, 56 + half), rel=1e-6)


@pytest.mark.parametrize("interval", [mean_interval, lambda scores: stratified_bootstrap(scores, mean, np.random.default_rng(1))])
@pytest.mark.parametrize("scores", [[], [[1, 2], [1]]])
def test_intervals_over_runs_need_two_of_every_game(interval, scores):
    with pytest.raises(ValueError, match="two runs or more of every game"):
        interval(scores)


@pytest.mark.parametrize("games", [1, 3])
def test_the_interval_of_three_runs_covers(games):
    """Runs differ normally from their game's mean; the bootstrap's interval of three, from the least to the greatest, covers 75%."""
    runs = np.random.default_rng(5).normal(0, 1, (2000, games, 3)) + np.arange(games)[:, None]
    covered = [low <= (games - 1) / 2 <= high for low, high in map(mean_interval, runs)]
    assert 0.93 < np.mean(covered) < 0.98


@pytest.mark.parametrize("games", [1, 3])
def test_the_interval_of_five_runs_covers(games, monkeypatch):
    """The same for interquartile means, which are the mean of the games' means here, from the fewest runs on that have one."""
    monkeypatch.setattr(statistics, "RESAMPLES", 800)
    rng = np.random.default_rng(6)
    runs = rng.normal(0, 1, (400, games, FEWEST_RUNS)) + np.arange(games)[:, None] / 2
    intervals = [stratified_bootstrap(own, interquartile_mean, rng) for own in runs]
    covered = [low <= (games - 1) / 4 <= high for low, high in intervals]
    assert 0.92 < np.mean(covered) < 0.98
