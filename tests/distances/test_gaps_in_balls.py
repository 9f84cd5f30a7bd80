"""Missing values in the kernels, against slow twins."""

import numpy as np
import pytest
import reference
from reference import twin
from samples import gaussians, make_ugly, mixed, one_hot
from scipy.special import digamma

from tamis.distances.balls import BallScan, centred, log2_scale
from tamis.distances.gaps import Gaps
from tamis.estimates import entropy_of

QUANTITIES = ("count", "distance", "risk")
KINDS = ("plain", "binary", "duplicated_rows", "tiny_class", "one_feature", "huge")


def holed(X, share=0.25, seed=0):
    X = X.astype(float)
    X[np.random.default_rng(seed).random(X.shape) < share] = np.nan
    return X


def ugly_gaps(kind, n=30):
    """A row and a column without a value, and a class whose rows all miss a feature."""
    X, codes = make_ugly(kind, n=n)
    X = holed(X)
    X[3] = np.nan
    if X.shape[1] > 1:
        X[:, 4] = np.nan
        X[codes == 1, 0] = np.nan
    return X, codes


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize(("labels", "k", "include_self"), [(one_hot, 3, False), (one_hot, 1, True), (mixed, 9, False)])
def test_every_way_of_scanning_agrees_with_the_twin(kind, quantity, labels, k, include_self):
    X, codes = ugly_gaps(kind)
    P, d = labels(codes), X.shape[1]
    scan = BallScan(X, P, quantity, n_neighbors=k, include_self=include_self)

    def agrees(found, columns):
        np.testing.assert_allclose(found, twin(quantity, X[:, columns], P, k, include_self), rtol=0, atol=1e-9)

    agrees(scan.of(range(d)), list(range(d)))
    agrees(scan.alone([0])[0], [0])
    if d == 1:
        return
    agrees(scan.without_each(list(range(d)))[0], [1, 2, 3, 4])
    # A second step uses the bounds of the first.
    agrees(scan.without_each([1, 2, 3, 4])[1], [1, 3, 4])
    scan.with_each([], [1, 2])
    scan.with_each([1], [0, 2])
    agrees(scan.with_each([1, 2], [0, 3])[0], [0, 1, 2])


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize(("labels", "include_self"), [(one_hot, False), (mixed, False), (one_hot, True)])
def test_features_of_several_columns_are_missing_together(quantity, labels, include_self):
    X, codes = gaussians(50, 9, 3, seed=4)
    X, levels = holed(X), np.eye(5)[np.random.default_rng(0).integers(0, 5, 50)]
    levels[::4] = np.nan
    X, P, groups = np.hstack([X, levels]), labels(codes), [[0], [1, 8], list(range(9, 14)), *([j] for j in range(2, 8))]
    how = {"groups": groups, "include_self": include_self}

    def agrees(found, features):
        columns = [column for f in features for column in groups[f]]
        expected = twin(quantity, X[:, columns], P, 8, include_self)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)

    scan = BallScan(X, P, quantity, **how)
    found = scan.without_each(range(9))
    for left in (2, 1):
        agrees(found[left], [f for f in range(9) if f != left])
    agrees(scan.alone([2, 0])[0], [2])
    agrees(scan.with_each([0], [2, 1, 4])[0], [0, 2])


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("labels", [one_hot, mixed])
def test_complete_columns_have_the_bits_of_a_complete_table(quantity, labels):
    X, codes = gaussians(120, 6, 3, seed=3)
    X[0, 0] = 10.0  # the largest number, so that the power of two is the same
    P, more = labels(codes), np.column_stack([X[:, :4], holed(X[:, 4:])])
    plain, found = (BallScan(Z, P, quantity) for Z in (X[:, :4], more))
    for scan in (plain, found):
        scan.values = [scan.without_each([0, 1, 2, 3]), scan.alone([1, 2]), scan.with_each([0], [1, 2])]
    for a, b in zip(plain.values, found.values, strict=True):
        assert a.tobytes() == b.tobytes()


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("labels", [one_hot, mixed])
def test_shortlists_lose_nobody(quantity, labels):
    """More rows than a list holds: steps that follow each other, against each subset by itself."""
    X, codes = gaussians(300, 12, 3, seed=5)
    X, P = holed(X, 0.3), labels(codes)
    scan, subset = BallScan(X, P, quantity), [0]
    scan.with_each([], range(12))
    for step in range(1, 5):
        rest = [f for f in range(12) if f not in subset]
        found = scan.with_each(subset, rest)
        for f, value in zip(rest[:2], found, strict=False):
            np.testing.assert_allclose(value, BallScan(X, P, quantity).of([*subset, f]), rtol=0, atol=1e-9)
        subset.append(rest[step])
    scan.without_each(range(12))
    found = scan.without_each(range(1, 12))
    for left in (1, 7):
        alone = BallScan(X, P, quantity).of([f for f in range(1, 12) if f != left])
        np.testing.assert_allclose(found[left - 1], alone, rtol=0, atol=1e-9)


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_order_of_rows_and_columns_makes_no_difference(quantity):
    X, codes = gaussians(80, 5, 3, seed=1)
    X, P, rng = holed(X), mixed(codes), np.random.default_rng(1)
    rows, columns = rng.permutation(80), rng.permutation(5)
    expected = BallScan(X, P, quantity).without_each(range(5))[columns]
    found = BallScan(X[rows][:, columns], P[rows], quantity).without_each(range(5))
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


def test_a_row_without_any_value_is_as_far_from_everybody():
    """So all others are in its balls; a column without any value is like a constant one."""
    X, codes = gaussians(60, 3, 2)
    X[0] = np.nan
    P = one_hot(codes)
    expected = digamma(P[:, codes[0]].sum() - 1) - digamma(P[:, codes[0]].sum()) - digamma(59) + digamma(60)
    found = BallScan(X, P, "count", queries=np.array([0])).of([0, 1, 2])
    assert found[0] == pytest.approx(expected, abs=1e-12)
    nothing, constant = X.copy(), X.copy()
    nothing[:, 1], constant[:, 1] = np.nan, 0.0
    np.testing.assert_array_equal(*(BallScan(Z, P, "count").of([0, 1, 2]) for Z in (nothing, constant)))


def test_entropy_with_gaps_is_that_of_the_formula():
    X = holed(gaussians(60, 3, 2)[0])
    assert entropy_of(X) == pytest.approx(reference.entropy(X), abs=1e-9)


def test_coordinates_are_centred_and_scaled_by_what_is_there():
    X, _ = gaussians(40, 3, 2)
    assert log2_scale(X) == log2_scale(np.vstack([X, np.full(3, np.nan)]))
    more = np.vstack([X, np.full(3, np.nan)])
    np.testing.assert_allclose(centred(more)[:-1], centred(X), rtol=0, atol=1e-15)
    assert np.isnan(centred(more)[-1]).all()
    holes = np.where(np.arange(3) == 1, np.nan, X)
    assert log2_scale(np.full((2, 2), np.nan)) == 0
    np.testing.assert_array_equal(centred(holes, 0)[:, [0, 2]], centred(X, 0)[:, [0, 2]])


def test_constants_are_mean_squares_of_differences():
    """Of two rows drawn at random with the weights."""
    X, weight = holed(gaussians(50, 3, 2)[0]), np.random.default_rng(0).integers(1, 4, 50)
    X[:, 2] = np.nan
    pairs = np.repeat(X, weight, axis=0)
    expected = np.nanmean((pairs[:, None, :2] - pairs[:, :2]) ** 2, axis=(0, 1))
    np.testing.assert_allclose(Gaps(X, weight.astype(float)).squared, [*expected, 0.0], rtol=1e-12)
    assert Gaps(np.nan_to_num(X)).of([0, 1, 2]) is None
