"""ChiMerge and Chi2: slow twins, planted thresholds, limits of the inconsistency."""

from itertools import pairwise

import numpy as np
import pytest
from samples import gaussians, make_ugly, mixed, one_hot
from scipy.stats import chi2, chi2_contingency

from tamis.datasets import make_multilabel_2
from tamis.distances.chi_merge import SIGNIFICANCE, Merging, chi2_levels


def slow_statistic(a, b):
    """Of two intervals, as Liu and Setiono write it."""
    total, found = a.sum() + b.sum(), 0.0
    for row in (a, b):
        for s in range(len(a)):
            expected = row.sum() * (a[s] + b[s]) / total
            found += (row[s] - (expected or 0.1)) ** 2 / (expected or 0.1)
    return found


def slow_merge(x, weights, threshold):
    """Levels after merging the most alike neighbours until all differ by the threshold, each time from the data."""
    begins = np.unique(x).tolist()
    while len(begins) > 1:
        levels = np.searchsorted(begins, x, side="right") - 1
        counts = [weights[levels == v].sum(axis=0) for v in range(len(begins))]
        apart = [slow_statistic(a, b) for a, b in pairwise(counts)]
        least = int(np.argmin(np.round(apart, 9)))
        if apart[least] >= threshold:
            break
        del begins[least + 1]
    return np.searchsorted(begins, x, side="right") - 1


def slow_inconsistency(levels, weights):
    rows = np.column_stack(levels)
    wrong = 0.0
    for key in np.unique(rows, axis=0):
        inside = weights[(rows == key).all(axis=1)].sum(axis=0)
        wrong += inside.sum() - inside.max()
    return wrong / weights.sum()


def slow_chi2(X, weights, limit):
    """Both phases as printed, every merge from its data."""
    thresholds = chi2.isf(SIGNIFICANCE, weights.shape[1] - 1)
    levels = [np.unique(x, return_inverse=True)[1] for x in X.T]
    limit = max(limit, slow_inconsistency(levels, weights))
    step = 0
    while step < len(thresholds):
        tried = [slow_merge(x, weights, thresholds[step]) for x in levels]
        if slow_inconsistency(tried, weights) > limit + 1e-12:
            break
        levels, step = tried, step + 1
    going, at = list(range(X.shape[1])), [step - 1] * X.shape[1]
    while going:
        for f in list(going):
            at[f] += 1
            if at[f] == len(thresholds):
                going.remove(f)
                continue
            tried = [*levels]
            tried[f] = slow_merge(levels[f], weights, thresholds[at[f]])
            if slow_inconsistency(tried, weights) > limit + 1e-12:
                going.remove(f)
            else:
                levels = tried
    return levels


@pytest.mark.parametrize("kind", ["plain", "ties", "binary", "constant_columns", "duplicated_rows", "tiny_class"])
@pytest.mark.parametrize("labels", [one_hot, mixed])
def test_merging_is_that_of_the_slow_twin(kind, labels):
    X, codes = make_ugly(kind, n=50, d=3)
    weights = labels(codes)
    for x in X.T:
        merging = Merging(x, weights)
        for threshold in (0.0, 0.7, 2.0, 4.6, 9.2, 1e9):
            found = merging.levels(merging.n_merged(threshold))
            np.testing.assert_array_equal(found, slow_merge(x, weights, threshold))


@pytest.mark.parametrize("limit", [0.0, 0.05, 0.3])
@pytest.mark.parametrize("kind", ["plain", "ties"])
def test_chi2_is_that_of_the_slow_twin(kind, limit):
    X, codes = make_ugly(kind, n=40, d=3)
    found, expected = chi2_levels(X, one_hot(codes), limit), slow_chi2(X, one_hot(codes), limit)
    for f in range(X.shape[1]):
        np.testing.assert_array_equal(found[f], expected[f])


def test_statistic_of_two_intervals_is_scipys():
    """Where both classes are in them; height of the only merge of two values."""
    x, codes = np.repeat([0.0, 1.0], 10), np.array([0] * 7 + [1] * 3 + [0] * 2 + [1] * 8)
    merging = Merging(x, one_hot(codes))
    statistic = chi2_contingency([[7, 3], [2, 8]], correction=False).statistic
    assert merging.n_merged(statistic * (1 - 1e-9)) == 0
    assert merging.n_merged(statistic * (1 + 1e-9)) == 1


def test_a_planted_threshold_is_found_and_noise_is_merged():
    X = np.random.default_rng(0).normal(size=(400, 5))
    y = (X[:, 3] > 0.2).astype(int)
    levels = chi2_levels(X, one_hot(y))
    np.testing.assert_array_equal(levels[3], y)
    assert [int(x.max()) for f, x in enumerate(levels) if f != 3] == [0] * 4


def test_two_thresholds_that_only_together_tell():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(600, 4))
    y = (X[:, 0] > 0).astype(int) + 2 * (X[:, 2] > 0.5)
    levels = chi2_levels(X, one_hot(y))
    for f, cut in ((0, 0.0), (2, 0.5)):
        assert np.mean(levels[f] == (X[:, f] > cut)) > 0.97
    assert [int(levels[f].max()) for f in (1, 3)] == [0, 0]


@pytest.mark.parametrize("limit", [0.0, 0.02, 0.1, 0.4])
def test_rows_stay_as_consistent_as_asked(limit):
    X, codes = gaussians(200, 3, 3, seed=3)
    levels = chi2_levels(X, one_hot(codes), limit)
    assert slow_inconsistency(levels, one_hot(codes)) <= limit + 1e-9
    assert all(len(np.unique(x)) == x.max() + 1 for x in levels)


def test_a_higher_limit_merges_everything_and_inconsistent_data_get_no_worse():
    X, codes = gaussians(200, 3, 3, seed=3)
    assert all((x == 0).all() for x in chi2_levels(X, one_hot(codes), 1.0))
    coarse = np.round(X / 2)
    given = slow_inconsistency([np.unique(x, return_inverse=True)[1] for x in coarse.T], one_hot(codes))
    assert given > 0.05
    assert slow_inconsistency(chi2_levels(coarse, one_hot(codes)), one_hot(codes)) <= given + 1e-9


def test_levels_depend_on_the_order_of_values_only():
    X, codes = gaussians(150, 3, 2, seed=5)
    for one, other in zip(chi2_levels(X, one_hot(codes)), chi2_levels(np.exp(X) * 7, one_hot(codes)), strict=True):
        np.testing.assert_array_equal(one, other)
    for one, other in zip(chi2_levels(X, one_hot(codes)), chi2_levels(X, one_hot(1 - codes)), strict=True):
        np.testing.assert_array_equal(one, other)
    order = np.random.default_rng(0).permutation(150)
    shuffled = chi2_levels(X[order], one_hot(codes)[order])
    for one, other in zip(chi2_levels(X, one_hot(codes)), shuffled, strict=True):
        np.testing.assert_array_equal(one[order], other)


def test_the_published_problem_of_pairs_keeps_its_noise():
    """As an independent slow version found: scores of about 30 to 200, of relevant and irrelevant features alike."""
    relevant, others = [], []
    for seed in range(3):
        problem = make_multilabel_2(random_state=seed)
        codes = np.unique(problem.Y, axis=0, return_inverse=True)[1].ravel()
        for f, levels in enumerate(chi2_levels(problem.X, one_hot(codes))):
            table = np.array([np.bincount(codes[levels == v], minlength=8) for v in range(levels.max() + 1)])
            score = chi2_contingency(table).statistic if len(table) > 1 else 0.0
            (relevant if f in problem.relevant else others).append(score)
    assert sum(25 < score < 200 for score in relevant + others) >= 18
    assert np.mean(others) > 0.5 * np.mean(relevant)


def test_missing_values_are_an_interval_that_is_merged_last():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, 200)
    x, missing = np.round(codes + rng.normal(size=200), 1), rng.random(200) < 0.2
    found = Merging(np.where(missing, np.nan, x), one_hot(codes))
    alone = Merging(x[~missing], one_hot(codes[~missing]))
    assert found.n_values == alone.n_values + 1
    for n_merged in range(alone.n_values):
        levels = found.levels(n_merged)
        np.testing.assert_array_equal(levels[~missing], alone.levels(n_merged))
        assert (levels[missing] == levels[~missing].max() + 1).all()
    assert not found.levels(alone.n_values).any()
    last = slow_statistic(one_hot(codes)[~missing].sum(axis=0), one_hot(codes)[missing].sum(axis=0))
    highest = max(found._highest[:-1].max(), last)
    assert found._highest[-1] == pytest.approx(highest, abs=1e-8)


def test_gaps_that_predict_stay_a_level_and_others_are_merged():
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 2, 300)
    told = np.where((codes == 1) & (rng.random(300) < 0.9), np.nan, 1.0)
    at_random = np.where(rng.random(300) < 0.3, np.nan, 1.0)
    levels = chi2_levels(np.column_stack([told, at_random, np.full(300, np.nan)]), one_hot(codes), 0.1)
    np.testing.assert_array_equal(levels[0], np.isnan(told))
    assert not levels[1].any()
    assert not levels[2].any()


def test_whole_weights_are_repeated_rows():
    rng = np.random.default_rng(2)
    codes, weight = rng.integers(0, 2, 120), rng.integers(1, 4, 120)
    X = np.round(rng.normal(size=(120, 3)) + codes[:, None] * [1.0, 0.5, 0.0], 1)
    X[rng.random(X.shape) < 0.2] = np.nan
    P = one_hot(codes)
    weighted = chi2_levels(X, P * weight[:, None], 0.1)
    repeated = chi2_levels(np.repeat(X, weight, axis=0), np.repeat(P, weight, axis=0), 0.1)
    for one, other in zip(weighted, repeated, strict=True):
        np.testing.assert_array_equal(np.repeat(one, weight), other)
