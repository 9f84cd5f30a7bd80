"""Moments of the classes: the textbook's, whatever the offset, the scale and the blocks."""

import pickle
import threading
from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import gaussians, mixed, one_hot
from scipy import sparse
from threadpoolctl import threadpool_limits

from tamis.estimates import moments as module
from tamis.estimates.laplacian import weighted_laplacian_of
from tamis.estimates.moments import class_moments

X, CODES = gaussians(200, 4, 3, seed=5)
P = mixed(CODES)


def in_blocks(X, P, *cuts):
    """The sum over the rows between the cuts."""
    rows = np.split(np.arange(X.shape[0]), sorted(cuts))
    return reduce(add, [class_moments(X[r], P[r]) for r in rows if len(r)])


def score(moments):
    ratio = weighted_laplacian_of(moments)
    return ratio.similar / ratio.different


def test_means_and_squares_are_those_of_numpy():
    found = class_moments(X, P)
    unit = 2.0**found.exponents
    for s in range(3):
        mean = np.average(X, axis=0, weights=P[:, s])
        np.testing.assert_allclose((found.means[s] + found.origin) * unit, mean)
        np.testing.assert_allclose(found.squares[s] * unit**2, P[:, s] @ (X - mean) ** 2)
    np.testing.assert_allclose(found.weights, P.sum(axis=0))


@settings(max_examples=40, deadline=None)
@given(cuts=st.lists(st.integers(0, 200), max_size=6), offset=st.sampled_from([0.0, 1e3, -1e8]), soft=st.booleans())
def test_blocks_add_up_to_the_whole(cuts, offset, soft):
    shifted, memberships = X + offset, P if soft else one_hot(CODES)
    np.testing.assert_allclose(
        score(in_blocks(shifted, memberships, *cuts)), score(class_moments(shifted, memberships)), rtol=1e-10
    )


def test_a_large_offset_costs_no_digits():
    exact = np.round(X * 2**20) / 2**20  # so that adding the offset is exact
    np.testing.assert_allclose(score(class_moments(exact + 2.0**30, P)), score(class_moments(exact, P)), rtol=1e-13)
    np.testing.assert_allclose(score(in_blocks(exact + 2.0**30, P, 3, 90)), score(class_moments(exact, P)), rtol=1e-13)


@pytest.mark.parametrize("power", [-1000, -300, 300, 1000])
def test_no_scale_leaves_the_range_of_floats(power):
    scaled = np.ldexp(X, power)
    np.testing.assert_allclose(score(class_moments(scaled, P)), score(class_moments(X, P)), rtol=1e-13)
    np.testing.assert_allclose(score(in_blocks(scaled, P, 20)), score(class_moments(X, P)), rtol=1e-12)


def test_a_column_may_grow_by_hundreds_of_orders_between_blocks():
    wild = X.copy()
    wild[:100] *= 1e-200
    expected = score(class_moments(wild, P))
    for rows in (slice(None), slice(None, None, -1)):
        np.testing.assert_allclose(score(in_blocks(wild[rows], P[rows], 100)), expected, rtol=1e-10)


def test_classes_that_lie_far_apart_keep_their_spread():
    rng = np.random.default_rng(0)
    far = np.column_stack([1e9 * CODES + rng.integers(-8, 8, 200), X[:, 0]])
    found = class_moments(far, one_hot(CODES))
    for s in range(3):
        part = far[CODES == s]
        np.testing.assert_allclose(
            found.squares[s] * 4.0**found.exponents, ((part - part.mean(axis=0)) ** 2).sum(axis=0), rtol=1e-12
        )


@pytest.mark.parametrize("make", [sparse.csr_array, sparse.csr_matrix])
def test_sparse_is_the_same_as_dense(make):
    holes = np.where(np.abs(X) > 0.7, X, 0.0)
    full = np.column_stack([holes, X[:, 0] + 1e6])  # a column without a zero, where sums cancel
    np.testing.assert_allclose(score(class_moments(make(full), P)), score(class_moments(full, P)), rtol=1e-9)


@pytest.mark.parametrize("value", [0.0, 0.1, -3.3, 1e300])
def test_a_constant_is_a_constant_in_any_form(value):
    X = np.full((300, 1), value)
    P = mixed(np.arange(300) % 3)
    for found in (class_moments(X, P), in_blocks(X, P, 7, 100), class_moments(sparse.csr_array(X), P)):
        ratio = weighted_laplacian_of(found)
        assert ratio.similar == ratio.different == 0


def test_threads_do_not_change_a_bit(monkeypatch):
    monkeypatch.setattr(module, "_BLOCK_VALUES", 300)
    one, three = (class_moments(X, P, n_threads=n) for n in (1, 3))
    assert one.squares.tobytes() == three.squares.tobytes()
    assert one.means.tobytes() == three.means.tobytes()


@pytest.mark.parametrize("limit", [2, 3])
def test_threads_of_the_matrix_library_do_not_change_a_bit(limit):
    rng = np.random.default_rng(0)
    X, P = rng.normal(size=(20_000, 100)), rng.dirichlet(np.ones(10), 20_000)
    with threadpool_limits(1, user_api="blas"):
        one = class_moments(X, P)
    with threadpool_limits(limit, user_api="blas"):
        more = class_moments(X, P)
    assert one.squares.tobytes() == more.squares.tobytes()


def test_work_is_done_where_no_thread_can_be_had(monkeypatch):
    random = np.random.default_rng(0)
    X, P = random.normal(size=(500, 3)), np.eye(2)[random.integers(0, 2, 500)]
    truth = class_moments(X, P)

    def no_more(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", no_more)
    found = class_moments(X, P, n_threads=2)
    assert found.squares.tobytes() == truth.squares.tobytes()


def test_standardised_moments_are_those_of_standardised_columns():
    constant = np.column_stack([1e3 * X, np.full(200, 7.0)])
    deviations = np.where(np.arange(5) < 4, constant.std(axis=0), 1.0)
    hard = one_hot(CODES)  # every row has weight one, so that the deviations are numpy's
    found, expected = class_moments(constant, hard).standardised(), class_moments(constant / deviations, hard)
    unit = 2.0**expected.exponents
    np.testing.assert_allclose((found.means + found.origin)[:, :4], ((expected.means + expected.origin) * unit)[:, :4])
    np.testing.assert_allclose(found.squares[:, :4], (expected.squares * unit**2)[:, :4])
    assert not found.squares[:, 4].any()
    assert not found.exponents.any()
    np.testing.assert_array_equal(found.weights, hard.sum(axis=0))


def holed(X, share=0.3, seed=0):
    return np.where(np.random.default_rng(seed).random(X.shape) < share, np.nan, X)


def of_each(X, P):
    """The score of each feature by itself, on the rows where it is there."""
    there = ~np.isnan(X)
    return np.array([score(class_moments(X[t][:, [f]], P[t]))[0] for f, t in enumerate(there.T)])


def test_a_feature_with_gaps_has_the_moments_of_the_rows_where_it_is_there():
    given = holed(X)
    found = class_moments(given, P)
    np.testing.assert_allclose(score(found), of_each(given, P), rtol=1e-12)
    np.testing.assert_allclose(found.weights, P.sum(axis=0))
    np.testing.assert_allclose(found.there, P.T @ ~np.isnan(given))


@settings(max_examples=40, deadline=None)
@given(
    cuts=st.lists(st.integers(0, 200), max_size=6),
    offset=st.sampled_from([0.0, 1e3, -1e8]),
    complete=st.lists(st.integers(0, 3), max_size=3),
)
def test_blocks_with_and_without_gaps_add_up(cuts, offset, complete):
    given = holed(X + offset)
    given[:100, 1] = np.nan  # not there in the first blocks
    given[50:80] = X[50:80] + offset  # a block may be complete
    given[:, complete] = X[:, complete] + offset
    np.testing.assert_allclose(score(in_blocks(given, P, *cuts)), score(class_moments(given, P)), rtol=1e-10)
    if not offset:
        np.testing.assert_allclose(score(in_blocks(given, P, *cuts)), of_each(given, P), rtol=1e-10)


def test_gaps_change_nothing_in_complete_columns():
    beside = np.column_stack([X, np.full(len(X), np.nan)])
    plain, found = class_moments(X, P), class_moments(beside, P)
    assert plain.there is None
    np.testing.assert_allclose(found.means[:, :4], plain.means, rtol=1e-13)
    np.testing.assert_allclose(found.squares[:, :4], plain.squares, rtol=1e-13)


def test_nothing_there_is_as_a_constant_and_a_class_may_miss_a_feature():
    hard, given = one_hot(CODES), X.copy()
    given[:, 0] = np.nan
    given[CODES == 1, 1] = np.nan
    given[CODES > 0, 2] = np.nan  # one class only is left
    given[1:, 3] = np.nan  # one value
    for found in (
        class_moments(given, hard),
        in_blocks(given, hard, 20, 90),
        class_moments(given, hard).standardised(),
    ):
        ratio = weighted_laplacian_of(found)
        assert np.isfinite(ratio).all()
        assert not ratio.similar[[0, 3]].any()
        assert not ratio.different[[0, 2, 3]].any()
        assert ratio.similar[2] > 0  # over nothing: the worst score, too
    two = CODES != 1
    expected = score(class_moments(X[two][:, [1]], hard[two][:, [0, 2]]))
    np.testing.assert_allclose(ratio.similar[1] / ratio.different[1], expected, rtol=1e-12)


@pytest.mark.parametrize("power", [-1000, 1000])
def test_no_scale_leaves_the_range_of_floats_with_gaps(power):
    given = holed(X)
    np.testing.assert_allclose(
        score(class_moments(np.ldexp(given, power), P)), score(class_moments(given, P)), rtol=1e-13
    )


def test_threads_do_not_change_a_bit_with_gaps(monkeypatch):
    monkeypatch.setattr(module, "_BLOCK_VALUES", 100)
    given = holed(X)
    one, three = (class_moments(given, P, n_threads=n) for n in (1, 3))
    assert pickle.dumps(one) == pickle.dumps(three)
    assert score(pickle.loads(pickle.dumps(one))).tobytes() == score(one).tobytes()


def test_standardised_moments_with_gaps_are_those_of_standardised_columns():
    given = holed(X) * [1.0, 1e3, 1e-3, 7.0]
    found, expected = class_moments(given, P).standardised(), class_moments(given / np.nanstd(given, axis=0), P)
    sides, others = weighted_laplacian_of(found), weighted_laplacian_of(expected)
    np.testing.assert_allclose(sides.similar, np.ldexp(others.similar, 2 * others.exponents), rtol=1e-12)
    np.testing.assert_allclose(sides.different, np.ldexp(others.different, 2 * others.exponents), rtol=1e-12)


@pytest.mark.parametrize("gaps", [0.0, 0.3])
def test_whole_weights_are_repeated_rows(gaps):
    weight, given = np.random.default_rng(1).integers(1, 5, 200), holed(X, gaps)
    weighted = class_moments(given, P * weight[:, None])
    repeated = class_moments(np.repeat(given, weight, axis=0), np.repeat(P, weight, axis=0))
    np.testing.assert_allclose(score(weighted), score(repeated), rtol=1e-12)
    np.testing.assert_allclose(weighted.weights, repeated.weights)
