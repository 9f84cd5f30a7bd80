"""Laplacian scores against the formulas with full matrices."""

import numpy as np
import pytest
import reference
from samples import gaussians, make_ugly, mixed, one_hot
from scipy import sparse

from tamis import LaplacianScore, SequentialSelector, WeightedLaplacian, weighted_laplacian_score

X, CODES = gaussians(60, 4, 3, seed=3)


def varying(X):
    return np.flatnonzero(np.ptp(X, axis=0) > 0)


@pytest.mark.parametrize("labels", [one_hot, mixed])
def test_agrees_with_all_pairs_on_ugly_data(ugly, labels):
    X, codes = ugly
    P, use = labels(codes), varying(X)
    found = weighted_laplacian_score(X, P, labels="soft")
    unit = X[:, use] / np.abs(X[:, use]).max(axis=0)
    np.testing.assert_allclose(found[use], reference.weighted_laplacian(unit, P), rtol=1e-9)
    assert np.isposinf(np.delete(found, use)).all()


def test_certain_probabilities_are_classes():
    hard = weighted_laplacian_score(X, CODES)
    assert weighted_laplacian_score(X, one_hot(CODES), labels="soft").tobytes() == hard.tobytes()


def test_closed_form_of_two_normal_classes():
    """Two classes of one size, means apart by 2, variance one: A/n² -> 1/2, T/n² -> 2, so A/(T - A) -> 1/3."""
    rng = np.random.default_rng(0)
    y = np.arange(200_000) % 2
    score = weighted_laplacian_score(rng.normal(size=(len(y), 1)) + 2 * y[:, None], y)
    assert score[0] == pytest.approx(1 / 3, abs=3e-3)


def test_scale_offset_and_order_of_rows_do_not_matter():
    P, rng = mixed(CODES), np.random.default_rng(1)
    expected, rows = weighted_laplacian_score(X, P, labels="soft"), rng.permutation(len(X))
    np.testing.assert_allclose(weighted_laplacian_score(X[rows], P[rows], labels="soft"), expected, rtol=1e-12)
    np.testing.assert_allclose(weighted_laplacian_score(3 - 7 * X, P, labels="soft"), expected, rtol=1e-12)
    np.testing.assert_allclose(weighted_laplacian_score(X, P[:, ::-1], labels="soft"), expected, rtol=1e-12)


def test_several_features_are_euclidean_distances():
    P = mixed(CODES)
    similar, apart = P @ P.T, ((X[:, None] - X[None]) ** 2).sum(axis=2)
    expected = -(similar * apart).sum() / ((1 - similar) * apart).sum()
    assert WeightedLaplacian().score(X, P) == pytest.approx(expected)
    scorer = WeightedLaplacian().scorer(X, P)
    assert scorer.of(range(4))[0] == pytest.approx(expected)
    for f in range(4):
        rest = [g for g in range(4) if g != f]
        assert scorer.without_each(range(4))[f, 0] == pytest.approx(WeightedLaplacian().score(X[:, rest], P))
        assert scorer.with_each([0, 1], [2, 3])[f % 2, 0] == pytest.approx(
            WeightedLaplacian().score(X[:, [0, 1, 2 + f % 2]], P)
        )
    assert scorer.without_each([2, 1])[0, 0] == scorer.of([1])[0] == scorer.with_each([], [1])[0, 0]


def test_sparse_and_dense_agree():
    counts = np.random.default_rng(0).poisson(0.2, size=(60, 5)).astype(float)
    for make in (sparse.csr_matrix, sparse.csc_matrix, sparse.coo_array):
        np.testing.assert_allclose(
            weighted_laplacian_score(make(counts), CODES), weighted_laplacian_score(counts, CODES), rtol=1e-12
        )


def test_noisy_labels_do_not_take_sparse_samples():
    with pytest.raises(TypeError, match="cannot take sparse X: a noise model compares each row with its"):
        weighted_laplacian_score(sparse.csr_array(X), CODES, labels="noisy")


def test_one_class_is_told():
    with pytest.warns(UserWarning, match="memberships have only one class, 0: no feature can predict it"):
        found = weighted_laplacian_score(X, np.eye(3)[np.zeros(60, int)], labels="soft")
    np.testing.assert_array_equal(found, 0.0)


@pytest.mark.parametrize(("squared", "power"), [(False, 1), (True, 2)])
def test_unsupervised_score_agrees_with_full_matrices(squared, power):
    criterion = LaplacianScore(3, width=0.8, squared=squared, scale=None)
    found = -criterion.scorer(X).with_each([], range(4))[:, 0]
    np.testing.assert_allclose(found, reference.laplacian(X, 3, 0.8, power), rtol=1e-9)


def test_unsupervised_score_of_ugly_data_has_no_nan(ugly):
    X, _ = ugly
    found = LaplacianScore().scorer(X).with_each([], range(X.shape[1]))[:, 0]
    assert not np.isnan(found).any()
    assert np.isfinite(found[varying(X)]).all()


def test_unsupervised_score_prefers_what_follows_the_neighbourhoods():
    """Two clusters in the first features, noise in the last."""
    rng = np.random.default_rng(0)
    two = rng.integers(0, 2, 100)
    Z = np.column_stack([two + 0.1 * rng.normal(size=100), two + 0.1 * rng.normal(size=100), rng.normal(size=100)])
    assert np.argmin(LaplacianScore().scorer(Z).with_each([], range(3))[:, 0]) == 2


@pytest.mark.parametrize("width", [0, -1, np.inf, "wide", True])
def test_bad_width_is_named(width):
    with pytest.raises(ValueError, match="width must be a positive number"):
        LaplacianScore(width=width).score(X)


def test_joint_search_without_labels():
    selector = SequentialSelector(LaplacianScore(), n_features_to_select=2).fit(X)
    assert selector.support_.sum() == 2
    assert not hasattr(selector, "classes_")


@pytest.mark.parametrize("direction", ["backward", "forward"])
def test_only_constants_are_legal(direction):
    X, codes = make_ugly("all_equal")
    selector = SequentialSelector("weighted_laplacian", direction=direction, n_features_to_select=2).fit(X, codes)
    assert selector.support_.tolist() == [True, True, False, False, False]
