"""Distances of rows with missing values, against one pair of rows after the other."""

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from tamis.distances import gaps as module
from tamis.distances.gaps import gap_constants, nearest, squared_distances

RNG = np.random.default_rng(0)


def holed(n, d, share=0.3, offset=0.0):
    X = RNG.normal(size=(n, d)) + offset
    X[RNG.random((n, d)) < share] = np.nan
    return X


def slow(a, b, gaps):
    return sum(g if np.isnan(x + y) else (x - y) ** 2 for x, y, g in zip(a, b, gaps, strict=True))


@pytest.mark.parametrize("offset", [0.0, 1e4])
def test_distances_are_those_of_pairs_of_rows(offset):
    A, B = holed(20, 5, offset=offset), holed(30, 5, offset=offset)
    A[3], B[7] = np.nan, np.nan
    A[:, 4] = np.nan  # a column that is missing
    gaps = gap_constants(B)
    expected = [[slow(a, b, gaps) for b in B] for a in A]
    np.testing.assert_allclose(squared_distances(A, B, gaps), expected, rtol=1e-9)
    np.testing.assert_array_equal(squared_distances(A, B, gaps)[3], gaps.sum())  # the same to everybody


def test_the_constant_is_the_expected_squared_difference_of_two_rows():
    X = holed(60, 3)
    X[:, 1] = np.where(np.isnan(X[:, 1]), np.nan, 5.3)
    X[1:, 2] = np.nan
    x = X[~np.isnan(X[:, 0]), 0]
    expected = [((x[:, None] - x) ** 2).mean(), 0.0, 0.0]
    np.testing.assert_allclose(gap_constants(X), expected)
    assert not gap_constants(X)[1:].any()
    weight = RNG.integers(1, 5, 60)
    np.testing.assert_allclose(gap_constants(X, weight.astype(float)), gap_constants(np.repeat(X, weight, axis=0)))


@pytest.mark.parametrize("block", [2**22, 100])
def test_nearest_are_those_of_a_full_sort(monkeypatch, block):
    monkeypatch.setattr(module, "_BLOCK_VALUES", block)
    X = holed(40, 4)
    gaps, group = gap_constants(X), RNG.integers(0, 12, 40)
    places, squared = nearest(X, X, 5, gaps, groups=(group, group))
    for i in range(40):
        apart = np.array([slow(X[i], x, gaps) for x in X])
        apart[group == group[i]] = np.inf
        np.testing.assert_allclose(squared[i], np.sort(apart)[:5])
        np.testing.assert_allclose(apart[places[i]], squared[i])


def test_copies_are_zero_apart_and_a_row_excludes_itself_by_its_index():
    X = np.vstack([np.full((3, 2), 1e3), [[5.0, 1.0]]])
    everyone = np.arange(4)
    places, squared = nearest(X, X, 2, np.zeros(2), groups=(everyone, everyone))
    assert places[:3].tolist() == [[1, 2], [0, 2], [0, 1]]
    assert not squared[:3].any()


def test_where_all_others_are_of_the_own_group_there_is_no_neighbour():
    places, squared = nearest(np.eye(3), np.eye(3), 2, np.ones(3), groups=(np.zeros(3), np.array([0, 0, 1])))
    assert places.tolist() == [[2, -1]] * 3
    assert np.isinf(squared[:, 1]).all()


def test_threads_do_not_change_a_bit():
    X = holed(200, 30)
    runs = []
    for limit in (1, 3):
        with threadpool_limits(limit):
            runs.append(nearest(X, X, 7, gap_constants(X)))
    assert all(a.tobytes() == b.tobytes() for a, b in zip(*runs, strict=True))
