"""Laplacian scores on a graph, where values are missing."""

import numpy as np
from scipy import sparse

from tamis.estimates.laplacian import laplacian_of

RNG = np.random.default_rng(0)
X = RNG.normal(size=(50, 5))
WEIGHTS = RNG.random((50, 50)) * (RNG.random((50, 50)) < 0.15)
WEIGHTS = np.triu(WEIGHTS, 1) + np.triu(WEIGHTS, 1).T


def sides(X, weights):
    ratio = laplacian_of(X, sparse.csr_matrix(weights))
    return np.ldexp([ratio.similar, ratio.different], 2 * ratio.exponents)


def test_a_feature_with_gaps_is_scored_on_the_rows_where_it_is_there():
    holed = np.where(RNG.random(X.shape) < 0.3, np.nan, 1e3 + X)
    for f, column in enumerate(holed.T):
        there = ~np.isnan(column)
        expected = sides(column[there, None], WEIGHTS[np.ix_(there, there)])[:, 0]
        np.testing.assert_allclose(sides(holed, WEIGHTS)[:, f], expected, rtol=1e-9)


def test_a_complete_column_is_as_without_gaps_elsewhere():
    beside = np.column_stack([X, np.full(50, np.nan)])
    np.testing.assert_allclose(sides(beside, WEIGHTS)[:, :5], sides(X, WEIGHTS), rtol=1e-12)


def test_nothing_there_and_no_two_neighbours_are_as_a_constant():
    few = np.full((50, 3), np.nan)
    few[0, 0] = 1.0
    few[:40, 1] = 2.0
    i, j = np.argwhere(WEIGHTS == 0)[1]
    few[[i, j], 2] = 1.0, 2.0
    for weights in (WEIGHTS, np.zeros((50, 50))):
        assert not sides(few, weights).any()
