"""Most correlated features of nested subsets, against a matrix of all correlations."""

import numpy as np
import pytest
from scipy import sparse
from threadpoolctl import threadpool_limits

from tamis.distances import likeness as module
from tamis.distances.likeness import n_comparable, staircase

RNG = np.random.default_rng(1)
X = RNG.integers(0, 4, size=(80, 30)).astype(float)
X[:, 20:] = X[:, :10] + RNG.normal(size=(80, 10))
X[:, 7] = X[:, 3]  # a copy
X[:, 9] = 3 - X[:, 3]  # upside down
X[:, 11] = 1.0  # a constant
ORDER = RNG.permutation(30)
MIXED = [3 if f in (2, 6) else 4 if f in (0, 7) else 1 if f == 11 else 0 for f in range(30)]


def coded(values):
    """Integers as the categories that occur, 0, 1, ..."""
    found = values.copy()
    for f, n in enumerate(MIXED):
        if n:
            found[:, f] = np.unique(np.minimum(values[:, f], n - 1), return_inverse=True)[1]
    return found


def all_correlations(values, n_categories):
    """By np.corrcoef, of features as their most correlated columns."""
    blocks = [
        values[:, [f]] if not n else (values[:, [f]] == np.arange(n)).astype(float) for f, n in enumerate(n_categories)
    ]
    owner = np.repeat(np.arange(len(blocks)), [block.shape[1] for block in blocks])
    with np.errstate(invalid="ignore", divide="ignore"):
        r = np.abs(np.nan_to_num(np.corrcoef(np.hstack(blocks).T)))
    features = range(len(blocks))
    return np.array([[r[np.ix_(owner == f, owner == g)].max() for g in features] for f in features])


def answers_as(r, found, order, n_most):
    """Whether the lists have the most correlated of every subset, and of equal ones the first in the order."""
    for size in range(1, n_most + 1):
        subset = order[:size].tolist()
        for f, records in enumerate(found):
            others = [g for g in subset if g != f and r[f, g] > 1e-12]
            answer = next(((g, value) for g, value in records if g in subset), None)
            if not others:
                assert answer is None
                continue
            expected = max(others, key=lambda g: (round(r[f, g], 10), -subset.index(g)))
            assert answer[0] == expected
            assert answer[1] == pytest.approx(r[f, expected], abs=1e-10)


@pytest.mark.parametrize("n_most", [1, 12, 30])
@pytest.mark.parametrize("block", [2**20, 100])
@pytest.mark.parametrize("kind", ["dense", "sparse", "categories"])
def test_the_first_in_a_subset_is_the_most_correlated(kind, block, n_most, monkeypatch):
    monkeypatch.setattr(module, "_BLOCK_VALUES", block)
    n_categories = MIXED if kind == "categories" else [0] * 30
    values = coded(X) if kind == "categories" else X
    given = sparse.csr_array(values) if kind == "sparse" else values
    found = staircase(given, n_categories, ORDER, n_most)
    answers_as(all_correlations(values, n_categories), found, ORDER, n_most)
    for records in found:
        assert (np.diff([value for _, value in records]) < 0).all()
        assert all(0 < value <= 1 for _, value in records)
        assert {g for g, _ in records} <= set(ORDER[:n_most].tolist()) - {11}
    assert found[11] == []


def test_of_copies_the_one_that_stays_longer_is_named():
    found = staircase(X, [0] * 30, np.array([9, 3, 7, 0]), 4)
    assert found[9][0] == (3, pytest.approx(1))
    assert found[3][0] == found[7][0] == (9, pytest.approx(1))


def test_the_lists_are_short():
    many = np.random.default_rng(0).normal(size=(50, 400))
    found = staircase(many, [0] * 400, np.arange(400), 300)
    assert np.mean([len(records) for records in found]) < 2 * np.log(300)


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
def test_units_and_offsets_do_not_matter(make):
    z = RNG.normal(size=(200, 6)) + RNG.normal(size=(200, 1))
    r = all_correlations(z, [0] * 6)
    ugly = z * [1e300, 1e-300, 1.0, 1e154, 1e-160, 1.0]
    ugly[:, 2] += 1e9
    ugly[:, 5] = np.round(z[:, 5] * 2**20) * 5e-324
    found = staircase(make(ugly), [0] * 6, np.arange(6), 6)
    for f, records in enumerate(found):
        for g, value in records:
            assert value == pytest.approx(r[f, g], abs=2e-6)
    half = np.where(RNG.random((200, 6)) < 0.6, 0.0, ugly - [0, 0, 1e9, 0, 0, 0])
    as_one = half / np.abs(half).max(axis=0)
    answers_as(all_correlations(as_one, [0] * 6), staircase(make(half), [0] * 6, np.arange(6), 6), np.arange(6), 6)


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
def test_constants_have_no_correlation(make):
    values = np.column_stack([np.full(70, 0.1), X[:70, 0], np.full(70, 1e300), X[:70, 1], np.zeros(70)])
    found = staircase(make(values), [0] * 5, np.arange(5), 5)
    assert [[g for g, _ in records] for records in found] == [[], [3], [], [1], []]


def test_an_outlier_in_the_first_row_costs_no_digits():
    z = RNG.normal(size=(5000, 2))
    z[0] = 1e6, -1e6
    (record,), _ = staircase(z, [0, 0], np.arange(2), 2)
    assert record == (1, pytest.approx(abs(np.corrcoef(z.T)[0, 1]), abs=1e-12))


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
def test_threads_change_nothing_and_the_order_of_rows_rounding_only(make):
    values = RNG.normal(size=(3000, 40))
    values[RNG.random(values.shape) < 0.6] = 0.0
    runs = []
    for n_threads in (1, 2):
        with threadpool_limits(n_threads):
            runs.append(staircase(make(values), [0] * 40, np.arange(40), 40))
    assert runs[0] == runs[1]
    moved = staircase(make(values[RNG.permutation(3000)]), [0] * 40, np.arange(40), 40)
    for records, others in zip(runs[0], moved, strict=True):
        assert [g for g, _ in records] == [g for g, _ in others]
        np.testing.assert_allclose([v for _, v in records], [v for _, v in others], rtol=0, atol=1e-12)


def test_a_large_sparse_matrix_stays_so_and_the_same():
    rng = np.random.default_rng(0)
    places = rng.integers(20_000, size=10_000), rng.integers(50_000, size=10_000)
    large = sparse.csr_array((rng.random(10_000), places), shape=(20_000, 50_000))
    before = large.copy()
    found = staircase(large, [0] * 50_000, np.arange(20), 20)  # 8 GB if it were dense
    assert len(found) == 50_000
    assert (abs(large - before)).nnz == 0


def test_how_many_can_be_compared(monkeypatch):
    assert n_comparable(X, [0] * 30, ORDER) == 30
    assert n_comparable(X, [0] * 30, ORDER, most=7) == 7
    monkeypatch.setattr(module, "BUDGET", 80 * 30 * 5)
    assert n_comparable(X, [0] * 30, ORDER) == 5
    assert n_comparable(X, [2] * 30, ORDER) == 1  # four times the products
    thin = sparse.csr_array(np.where(X > 2, X, 0))
    assert n_comparable(thin, [0] * 30, ORDER) == 80 * 30 * 5 // thin.nnz
    monkeypatch.setattr(module, "BUDGET", 100)
    assert n_comparable(X, [0] * 30, ORDER) == 0
    assert staircase(X, [0] * 30, ORDER, 0) == [[]] * 30


def correlations_of_pairs(values, least=10):
    """Of the rows where both are there, by np.corrcoef; 0 of a few."""
    d = values.shape[1]
    found = np.zeros((d, d))
    for f in range(d):
        for g in range(d):
            pair = values[~np.isnan(values[:, [f, g]]).any(axis=1)][:, [f, g]]
            if len(pair) >= least and (np.ptp(pair, axis=0) > 0).all():
                found[f, g] = abs(np.corrcoef(pair.T)[0, 1])
    return found


@pytest.mark.parametrize("block", [2**20, 100])
@pytest.mark.parametrize("offset", [0.0, 1e5])
def test_gaps_are_correlated_on_the_rows_where_both_are_there(block, offset, monkeypatch):
    monkeypatch.setattr(module, "_BLOCK_VALUES", block)
    holed = np.where(RNG.random(X.shape) < 0.3, np.nan, X + offset)
    holed[:, 5] = np.nan
    holed[3:, 6] = np.nan
    holed[:9, 8], holed[9:, 8] = X[:9, 8], np.nan
    answers_as(correlations_of_pairs(holed), staircase(holed, [0] * 30, ORDER, 30), ORDER, 30)


def test_columns_without_gaps_among_others_are_as_without_them():
    holed = X.copy()
    holed[RNG.random(80) < 0.4, 2] = np.nan
    without = np.delete(np.arange(30), 2)
    found = staircase(holed, [0] * 30, without, 29)
    answers_as(all_correlations(X, [0] * 30)[without][:, without], *_without(found, without), 29)


def _without(found, kept):
    """Lists of the features kept, which get numbers of their own."""
    place = {f: i for i, f in enumerate(kept.tolist())}
    return [[(place[g], r) for g, r in found[f]] for f in kept], np.arange(len(kept))


@pytest.mark.parametrize("kind", ["dense", "sparse", "gaps", "categories"])
def test_whole_weights_are_repeated_rows(kind):
    values = {"dense": X, "sparse": X, "gaps": np.where(RNG.random(X.shape) < 0.2, np.nan, X), "categories": coded(X)}
    values, n_categories = values[kind], MIXED if kind == "categories" else [0] * 30
    make = sparse.csr_array if kind == "sparse" else np.asarray
    weight = RNG.integers(1, 5, 80)
    weighted = staircase(make(values), n_categories, ORDER, 30, weight=weight.astype(float))
    repeated = staircase(make(np.repeat(values, weight, axis=0)), n_categories, ORDER, 30)
    for one, other in zip(weighted, repeated, strict=True):
        assert [f for f, _ in one] == [f for f, _ in other]
        np.testing.assert_allclose([r for _, r in one], [r for _, r in other], rtol=1e-9)


def test_gaps_cost_more_products():
    holed = X.copy()
    holed[0, 0] = np.nan
    assert n_comparable(holed, [0] * 30, ORDER) == 30
    wide = np.full((2, 1_000_000), np.nan)
    assert n_comparable(wide, [0] * 1_000_000, np.arange(300)) == 2**31 // (6 * 2 * 1_000_000)
