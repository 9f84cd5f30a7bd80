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


@pytest.mark.parametrize("bins", ["auto", "quantile", "uniform", None])
def test_missing_values_are_the_last_level_and_leave_the_others_alone(bins):
    X = np.column_stack([RNG.normal(size=200), RNG.integers(0, 4, 200), np.ones(200)])
    missing = RNG.random(X.shape) < 0.3
    columns = level_columns(np.where(missing, np.nan, X), bins=bins)
    for f in range(3):
        there = ~missing[:, f]
        alone = level_columns(X[there][:, [f]], bins=bins)
        np.testing.assert_array_equal(columns.of(f)[there], alone.of(0))
        assert (columns.of(f)[missing[:, f]] == alone.n_levels[0, 0]).all()
        rows, _ = columns.entries(f)
        assert (np.diff(rows) > 0).all()


def test_missing_values_stay_apart_as_long_as_the_values_keep_two_parts():
    x = RNG.normal(size=500)
    missing = RNG.random(500) < 0.3
    columns = level_columns(np.where(missing, np.nan, x)[:, None])
    assert columns.n_levels[:, 0].tolist() == [11, 5, 3, 2]
    for grain in (1, 2, 3):
        levels = np.zeros(500, dtype=int)
        rows, coarse = columns.entries(0, grain)
        levels[rows] = coarse
        values = levels[~missing]
        assert len(np.unique(levels[missing])) == 1
        assert (levels[missing][0] not in values) == (grain < 3)
        assert (np.diff(values[np.argsort(x[~missing])]) >= 0).all()
        assert len(np.unique(values)) == max(2, GRAINS[grain - 1] - 1)


def test_correlations_of_levels_are_of_values_and_of_gaps():
    X = RNG.normal(size=(300, 2))
    X[RNG.random(300) < 0.2, 0] = np.nan
    columns = level_columns(X)
    assert columns.value_first.tolist() == [0, 2]
    there = ~np.isnan(X[:, 0])
    np.testing.assert_array_equal(columns.values[:, 1], ~there)
    np.testing.assert_array_equal(columns.values[there, 0], columns.of(0)[there])
    np.testing.assert_allclose(columns.values[~there, 0], columns.of(0)[there].mean())


def test_nothing_there_is_a_constant_and_one_value_is_a_level():
    X = np.full((6, 2), np.nan)
    X[2, 1] = 4.0
    columns = level_columns(X)
    assert columns.n_levels.tolist() == [[1, 2], [1, 2], [1, 2], [1, 2]]
    assert columns.of(1).tolist() == [1, 1, 0, 1, 1, 1]
    assert columns.value_first.tolist() == [0, 1]
    in_group = level_columns(X, groups=((0, 1),))
    assert in_group.of(0).tolist() == columns.of(1).tolist()


@pytest.mark.parametrize("bins", ["auto", "uniform"])
@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
def test_whole_weights_give_the_levels_of_repeated_samples(make, bins):
    n = 120
    X = np.column_stack([np.abs(RNG.normal(size=(n, 2))), RNG.integers(0, 3, (n, 2)), RNG.poisson(2.0, n)])
    X[RNG.random(n) < 0.5, 0] = 0.0
    if make is np.asarray:
        X[RNG.random(n) < 0.3, 1] = np.nan
    weight = RNG.integers(1, 5, n)
    how = {"bins": bins, "n_categories": (0, 0, 0, 3, 0), "groups": ((0,), (1,), (2, 3), (4,))}
    weighted = level_columns(make(X), weight=weight.astype(float), **how)
    repeated = level_columns(make(np.repeat(X, weight, axis=0)), **how)
    np.testing.assert_array_equal(weighted.n_levels, repeated.n_levels)
    np.testing.assert_array_equal(weighted.coarse, repeated.coarse)
    assert weighted.total_weight == repeated.total_weight == repeated.n_samples
    for unit in range(4):
        np.testing.assert_array_equal(np.repeat(weighted.of(unit), weight), repeated.of(unit))
    values = (v.toarray() if sparse.issparse(v) else v for v in (weighted.values, repeated.values))
    np.testing.assert_allclose(np.repeat(next(values), weight, axis=0), next(values))


@pytest.mark.parametrize("scale", [1e-250, 1e250])
def test_huge_and_tiny_values_with_gaps(scale):
    x = np.where(RNG.random(100) < 0.2, np.nan, RNG.normal(size=100))
    found, plain = level_columns(scale * x[:, None]), level_columns(x[:, None])
    np.testing.assert_array_equal(found.of(0), plain.of(0))
    assert np.isfinite(found.values).all()
