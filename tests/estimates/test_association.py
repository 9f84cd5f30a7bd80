"""p-values of single features are uniform where there is nothing, and small where there is something."""

import numpy as np
import pytest
from samples import mixed, one_hot
from scipy.sparse import csr_matrix
from scipy.stats import chi2, kruskal, kstest, norm, rankdata
from sklearn.metrics import roc_auc_score

from tamis.estimates.association import p_values_of


def numbers(rng, n, d):
    return rng.normal(size=(n, d)), [0] * d


def skewed(rng, n, d):
    return rng.lognormal(sigma=3, size=(n, d)), [0] * d


def ties(rng, n, d):
    return np.round(rng.normal(size=(n, d)) * 1.5), [0] * d


def categories(rng, n, d):
    return rng.integers(0, 4, size=(n, d)).astype(float), [4] * d


def classes(rng, n):
    return one_hot(rng.integers(0, 3, n))


def unequal_classes(rng, n):
    return one_hot(rng.choice(2, p=[0.85, 0.15], size=n))


def probabilities(rng, n):
    return mixed(rng.integers(0, 3, n), seed=int(rng.integers(1000)))


def label_sets(rng, n):
    first = rng.uniform(size=(n, 3)) < [0.5, 0.3, 0.7]
    return np.column_stack([first, first[:, 0] & first[:, 2]]).astype(float)


@pytest.mark.parametrize("target", [classes, unequal_classes, probabilities, label_sets])
@pytest.mark.parametrize("feature", [numbers, skewed, ties, categories])
def test_uniform_under_the_null(feature, target):
    rng = np.random.default_rng(0)
    found = []
    for d, n in ((20, 150), (100, 200), (500, 300)):
        for _ in range(1000 // d):
            found.append(p_values_of(*feature(rng, n, d), target(rng, n)))
    assert_uniform(np.concatenate(found))


@pytest.mark.parametrize(("d", "n"), [(20, 100), (100, 200), (500, 300)])
def test_uniform_for_any_number_of_features(d, n):
    rng = np.random.default_rng(d)
    found = [p_values_of(*numbers(rng, n, d), classes(rng, n)) for _ in range(4000 // d)]
    assert_uniform(np.concatenate(found))
    smallest = [p.min() * d for p in found]
    assert np.mean(np.array(smallest) <= 0.05) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / len(found))


def assert_uniform(p):
    """By distance to the diagonal, and where it matters: far down."""
    assert kstest(p, "uniform").statistic < 1.95 / np.sqrt(len(p))  # of a level of 0.001
    for level in (0.05, 0.01, 0.001):
        far = 3.5 * np.sqrt(level * (1 - level) / len(p))
        assert np.mean(p <= level) <= level + far
    assert abs(np.mean(p <= 0.05) - 0.05) <= 3.5 * np.sqrt(0.05 * 0.95 / len(p)) + 0.005


def test_two_values_have_ranks_only_and_the_test_is_that_of_kruskal_and_wallis():
    """Squared centred ranks of a feature of two equally frequent values are constant."""
    rng = np.random.default_rng(1)
    column, codes = rng.permutation(np.repeat([2.0, 7.0], 50)), rng.integers(0, 3, 100)
    p = p_values_of(column[:, None], [0], one_hot(codes))
    assert p[0] == pytest.approx(kruskal(*(column[codes == s] for s in range(3))).pvalue)


def test_against_kruskal_and_wallis_of_ranks_and_of_their_squares():
    """Without ties both descriptions are uncorrelated, so that the statistic is the sum of two."""
    rng = np.random.default_rng(2)
    column, codes = rng.normal(size=101), rng.integers(0, 3, 101)
    rank = rankdata(column) - 51
    total = 0.0
    for values in (rank, rank**2):
        apart = values - values.mean()
        between = sum((codes == s).sum() * apart[codes == s].mean() ** 2 for s in range(3))
        total += 100 * between / (apart**2).sum()
    assert p_values_of(column[:, None], [0], one_hot(codes))[0] == pytest.approx(chi2.sf(total, 4))


def test_two_categories_and_two_classes_are_the_chi_square_test():
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 2, 80), rng.integers(0, 2, 80)
    r = np.corrcoef(a, b)[0, 1]
    assert p_values_of(a[:, None].astype(float), [2], one_hot(b))[0] == pytest.approx(chi2.sf(79 * r**2, 1))


def test_against_permutations():
    rng = np.random.default_rng(4)
    codes = rng.integers(0, 2, 60)
    X = rng.normal(size=(60, 1)) + 0.45 * codes[:, None]
    X[:, 0] = np.round(X[:, 0], 1)
    given = p_values_of(X, [0], one_hot(codes))[0]
    permuted = np.column_stack([rng.permutation(X[:, 0]) for _ in range(4000)])
    smaller = p_values_of(permuted, [0] * 4000, one_hot(codes)) <= given
    assert smaller.mean() == pytest.approx(given, abs=4 * np.sqrt(given / 4000) + 0.005)


def test_a_weak_relation_is_seen_in_500_rows():
    """An area under the curve of 0.65, or the same place and another spread."""
    normal, codes = np.tile(norm.ppf((np.arange(250) + 0.5) / 250), 2), np.repeat([0, 1], 250)
    place, spread = normal + np.sqrt(2) * norm.ppf(0.65) * codes, normal * np.where(codes, 1.7, 1)
    assert roc_auc_score(codes, place) == pytest.approx(0.65, abs=0.001)
    assert roc_auc_score(codes, spread) == pytest.approx(0.5)
    assert (p_values_of(np.column_stack([place, spread]), [0, 0], one_hot(codes)) < 1e-6).all()


def test_constants_have_none():
    X = np.column_stack([np.full(30, 0.1), np.arange(30.0), np.zeros(30)])
    p = p_values_of(X, [0, 0, 3], one_hot(np.arange(30) % 2))
    assert np.isnan(p).tolist() == [True, False, True]
    assert np.isnan(p_values_of(X, [0, 0, 3], np.ones((30, 1)))).all()
    assert np.isnan(p_values_of(X, [0, 0, 3], np.full((30, 3), 1 / 3))).all()


def test_only_the_order_of_the_values_matters():
    rng = np.random.default_rng(5)
    X, P = np.round(rng.normal(size=(80, 6)), 1), one_hot(rng.integers(0, 3, 80))
    plain = p_values_of(X, [0] * 6, P)
    for changed in (np.exp(X), X**3, 1e200 * X, -X):
        np.testing.assert_allclose(p_values_of(changed, [0] * 6, P), plain)


def test_neither_names_of_categories_nor_unused_ones_matter():
    rng = np.random.default_rng(6)
    X, P = rng.integers(0, 3, size=(80, 1)).astype(float), one_hot(rng.integers(0, 3, 80))
    plain = p_values_of(X, [3], P)
    np.testing.assert_allclose(p_values_of((X + 2) % 5, [5], P), plain)


def test_sparse_columns_are_as_dense_ones():
    rng = np.random.default_rng(7)
    X = rng.poisson(0.3, size=(60, 300)).astype(float)
    P = one_hot(rng.integers(0, 3, 60))
    np.testing.assert_array_equal(p_values_of(csr_matrix(X), [0] * 300, P), p_values_of(X, [0] * 300, P))


def test_gaps_leave_the_test_to_the_rows_where_the_feature_is_there():
    rng = np.random.default_rng(0)
    P, X = mixed(rng.integers(0, 3, 90)), np.column_stack([rng.normal(size=(90, 3)), rng.integers(0, 3, 90)])
    missing = rng.random(X.shape) < 0.3
    missing[:, [0, 3]] = False
    given, kinds = np.where(missing, np.nan, X), [0, 0, 0, 3]
    found = p_values_of(given, kinds, P)
    for f in range(4):
        there = ~missing[:, f]
        assert found[f] == p_values_of(X[there][:, [f]], [kinds[f]], P[there])[0]
    few = np.full((90, 3), np.nan)
    few[4, 1] = 2.0
    few[:50, 2] = 1.0
    assert np.isnan(p_values_of(few, [0] * 3, P)).all()
