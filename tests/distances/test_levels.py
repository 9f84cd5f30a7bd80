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


def plain_combinations(levels):
    """Sorted by the last column first."""
    return np.unique(levels[:, ::-1], axis=0, return_inverse=True)[1].ravel()


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
def test_levels_of_a_group_are_the_combinations_that_occur(make):
    X = np.column_stack([RNG.integers(0, r, 300) for r in (2, 3, 4, 2)])
    X[:, 3] = X[:, 0] & (X[:, 1] > 0)
    columns = level_columns(make(X.astype(float)), groups=((0, 1, 3), (2,)))
    np.testing.assert_array_equal(columns.of(0), plain_combinations(X[:, [0, 1, 3]]))
    np.testing.assert_array_equal(columns.of(1), X[:, 2])
    assert columns.n_levels[0].tolist() == [6, 4]
    assert columns.value_first.tolist() == [0, 3]
    values = columns.values.toarray() if sparse.issparse(columns.values) else columns.values
    np.testing.assert_array_equal(values, X[:, [0, 1, 3, 2]])


def test_a_group_of_many_combinations_has_coarser_features():
    X = RNG.integers(0, 9, size=(400, 2)).astype(float)
    columns = level_columns(X, groups=((0, 1),))  # at most 20, the root of 400
    single = level_columns(X)
    mapped = [single.coarse[1, single.map_first[f] + single.of(f)] for f in range(2)]  # 5 x 5 are too many, 3 x 3 not
    np.testing.assert_array_equal(columns.of(0), plain_combinations(np.column_stack(mapped)))
    wide = level_columns((RNG.random((100, 40)) < 0.5).astype(float), groups=(tuple(range(40)),))
    assert wide.n_levels[0, 0] == 100  # no grain makes them fewer


def test_numbers_of_combinations_do_not_overflow():
    X = (RNG.random((60, 200)) < 0.5).astype(float)
    found = level_columns(X, groups=(tuple(range(200)),)).of(0)
    np.testing.assert_array_equal(found, plain_combinations(X))


def test_categories_are_never_binned_and_share_the_samples_when_coarse():
    r = 30
    codes = RNG.permutation(np.repeat(RNG.permutation(r), np.arange(r) ** 2 + 1))  # no two are equally frequent
    columns = level_columns(codes[:, None].astype(float), n_categories=(r,))
    np.testing.assert_array_equal(columns.of(0), codes)
    np.testing.assert_array_equal(columns.values, codes[:, None] == np.arange(r))
    for g, grain in enumerate(GRAINS):
        assert columns.coarse[g, 0] == 0
        sizes = np.bincount(columns.coarse[g][codes])
        assert len(sizes) == columns.n_levels[1 + g, 0] == grain
        assert np.ptp(sizes) <= np.bincount(codes).max()
    # The names of the categories do not matter.
    turned = level_columns((r - 1.0 - codes)[:, None], n_categories=(r,))
    for g in range(len(GRAINS)):
        ours, theirs = columns.coarse[g][codes], turned.coarse[g][turned.of(0)]
        assert len(np.unique(np.column_stack([ours, theirs]), axis=0)) == GRAINS[g]


def test_cells_are_where_samples_are_alike():
    X = np.column_stack([RNG.integers(0, r, 500) for r in (2, 9, 4)])
    columns = level_columns(X.astype(float), bins=None)
    assert not columns.cells([]).any()
    for units, grain in (((0,), 0), ((0, 2), 0), ((0, 1, 2), 2)):
        found = columns.cells(units, grain)
        coarse = [columns.coarse[grain - 1, columns.map_first[u] + X[:, u]] if grain else X[:, u] for u in units]
        alike = np.unique(np.column_stack(coarse), axis=0, return_inverse=True)[1].ravel()
        assert len(np.unique(np.column_stack([found, alike]), axis=0)) == alike.max() + 1 == found.max() + 1
        assert np.bincount(found).argmax() == 0
        assert (np.diff([(found == c).argmax() for c in range(1, found.max() + 1)]) > 0).all()
