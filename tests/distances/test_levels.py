"""Features as levels: any way of binning, dense and sparse alike."""

import numpy as np
import pytest
from scipy import sparse

from tamis.distances.levels import GRAINS, level_columns

RNG = np.random.default_rng(0)


def test_few_values_are_levels_in_their_order():
    X = np.array([[5.0, 0], [-1, 0], [2, 0], [5, 1]])
    columns = level_columns(X)
    assert columns.of(0).tolist() == [2, 0, 1, 2]
    assert columns.of(1).tolist() == [0, 0, 0, 1]
    assert columns.n_levels[0].tolist() == [3, 2]
    np.testing.assert_allclose(columns.values, X - X.min(axis=0))


@pytest.mark.parametrize("bins", ["auto", "quantile"])
def test_quantiles_hold_as_many_samples_each(bins):
    columns = level_columns(RNG.normal(size=(1000, 1)), bins=bins)
    assert np.bincount(columns.of(0)).tolist() == [100] * 10
    np.testing.assert_array_equal(columns.values[:, 0], columns.of(0))


def test_even_bins_are_even():
    x = RNG.uniform(size=(500, 1))
    x[:2, 0] = 0, 1
    np.testing.assert_array_equal(level_columns(x, bins="uniform").of(0), np.minimum((10 * x[:, 0]).astype(int), 9))


def test_no_bins_take_every_value():
    x = RNG.integers(0, 40, size=(300, 1)).astype(float)
    columns = level_columns(x, bins=None)
    np.testing.assert_array_equal(columns.of(0), np.unique(x, return_inverse=True)[1].ravel())


def test_constants_have_one_level():
    for X in (np.full((5, 1), 3.3), sparse.csr_array((5, 1)), sparse.csr_array(np.full((5, 1), 2.0))):
        columns = level_columns(X)
        assert columns.n_levels[:, 0].tolist() == [1, 1, 1, 1]
        assert len(columns.rows) == 0


@pytest.mark.parametrize("bins", ["auto", "uniform", None])
def test_zeros_of_a_sparse_matrix_are_the_lowest_level(bins):
    X = np.where(RNG.uniform(size=(400, 3)) < 0.3, RNG.uniform(size=(400, 3)), 0.0)
    columns = level_columns(sparse.csr_array(X), bins=bins)
    for f in range(3):
        levels = columns.of(f)
        assert (levels[X[:, f] == 0] == 0).all()
        order = np.argsort(X[:, f])
        assert (np.diff(levels[order]) >= 0).all()
        if bins == "auto":
            assert np.bincount(levels)[1:].tolist() == pytest.approx([(X[:, f] > 0).sum() / 9] * 9, abs=1)
    few = sparse.csc_array(np.round(3 * X))
    dense = level_columns(np.round(3 * X), bins=bins)
    for f in range(3):
        np.testing.assert_array_equal(level_columns(few, bins=bins).of(f), dense.of(f))


def test_coarser_levels_keep_their_order_and_share_the_samples():
    columns = level_columns(np.column_stack([RNG.normal(size=1000), RNG.integers(0, 2, 1000), RNG.poisson(0.2, 1000)]))
    for g, grain in enumerate(GRAINS):
        for f in range(3):
            r = columns.n_levels[0, f]
            mapped = columns.coarse[g, columns.map_first[f] : columns.map_first[f] + r]
            assert mapped[0] == 0
            assert set(np.diff(mapped)) <= {0, 1}
            assert columns.n_levels[1 + g, f] == mapped[-1] + 1 <= grain
            assert mapped[-1] >= 1  # never one level only
        sizes = np.bincount(columns.coarse[g, : columns.n_levels[0, 0]][columns.of(0)])
        assert sizes.min() >= 1000 / grain - 101
