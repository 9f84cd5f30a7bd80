"""Which feature of a subset is most correlated with which, for all subsets of a path at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csc_array, hstack, issparse

from .._kernels.blas import one_blas_thread
from .columns import Columns
from .scaling import ends_of, has_gaps

MOST_COMPARED = 300
BUDGET = 2**31
"""Multiply-adds that all correlations together may cost."""

_EQUAL = 1e-12
_BLOCK_VALUES = 2**20
_COLUMNS_AT_ONCE = 2**12
_ROWS_FOR_CENTRE = 64
_PRODUCTS_WITH_GAPS = 6
_LEAST_SHARED, _LEAST_SHARE = 10, 0.5
_ROUNDING = 1e-12

Staircase = list[list[tuple[int, float]]]


def n_comparable(values, n_categories: Sequence[int], order: Sequence[int] | np.ndarray, *, most=MOST_COMPARED) -> int:
    """How many of the first features of the order can be compared with all features within the budget."""
    width = np.maximum(n_categories, 1)
    n_columns = 1 if issparse(values) else int(width.sum())
    cost = (values.nnz if issparse(values) else len(values)) * n_columns
    cost *= _PRODUCTS_WITH_GAPS if has_gaps(values) else 1
    ends = np.cumsum(width[list(order[:most])])
    return int(np.searchsorted(ends, BUDGET // max(cost, 1), side="right"))


def staircase(
    values, n_categories: Sequence[int], order: Sequence[int] | np.ndarray, n_most: int, *, weight=None
) -> Staircase:
    """For each feature, those that are most correlated with it in some subset, the most correlated first.

    Subsets of a path are nested: each has the first features of one order. Another feature is most correlated in a
    larger subset only if it is more so than all before it in the order, so that a list of these records, about log of
    `n_most` long, has the answer for every subset: the first of the list that is in it.

    Parameters
    ----------
    values : ndarray or sparse matrix of shape (n_samples, n_features)
        Numbers, NaN where one is missing; categories as 0, 1, ...
    n_categories : sequence of int
        Of each feature; 0 for a number.
    order : sequence of int
        Features, those first that are in most subsets.
    n_most : int
        Only so many of the first are looked at, and only subsets of these have answers.
    weight : ndarray of shape (n_samples,), default=None
        How often each row counts; by default once.

    Returns
    -------
    list of lists of (feature, absolute correlation)

    Notes
    -----
    A category is a column of zeros and ones; two features are as close as the two of their columns that are most
    correlated. Of correlations within 1e-12 the first in the order counts as larger. Constant columns have correlation
    0, and 0 is no record. Of columns with missing values the correlation is that of the rows where both are there; it
    is 0 if these are fewer than ten, or than half of the rows of a small table, as of two rows it would always be 1.
    Work is done in blocks of features and rows, with the same bits for any number of threads.
    """
    compared = np.asarray(order[:n_most], dtype=np.intp)
    place = np.full(len(n_categories), -1)
    place[compared] = np.arange(len(compared))
    found: Staircase = [[] for _ in n_categories]
    columns: _SparseColumns | _DenseColumns
    if issparse(values):
        columns = _SparseColumns(values, compared, weight)
    else:
        alone = tuple((f,) for f in range(len(n_categories)))
        columns = _DenseColumns(Columns(values, tuple(n_categories), alone).coordinates(), compared, weight)
    with one_blas_thread():
        for features in columns.blocks() if len(compared) else ():
            closeness = np.minimum(columns.closeness(features), 1.0)
            own = np.flatnonzero(place[features] >= 0)
            closeness[own, place[features][own]] = 0.0  # nobody is beside itself
            _record(closeness, compared, [found[f] for f in features])
    return [records[::-1] for records in found]


def _record(closeness, compared, found):
    """Append to each list what is higher than all before it."""
    before = np.maximum.accumulate(np.pad(closeness[:, :-1], ((0, 0), (1, 0))), axis=1)
    lines, places = np.nonzero(closeness > before)
    values = closeness[lines, places].tolist()
    for line, other, value in zip(lines.tolist(), compared[places].tolist(), values, strict=True):
        if value > (found[line][-1][1] if found[line] else 0.0) + _EQUAL:
            found[line].append((other, value))


class _DenseColumns:
    """Columns about their means, in units of a power of two that neither overflow nor vanish when squared."""

    def __init__(self, coordinates, compared, weight):
        self._X, self._groups, self._compared = coordinates.X, coordinates.groups, compared
        self._width = np.array([len(group) for group in self._groups])
        self._weight, self._n = weight, len(self._X) if weight is None else weight.sum()
        self._gaps = has_gaps(self._X)
        low, high = ends_of(self._X) if self._gaps else (self._X.min(axis=0), self._X.max(axis=0))
        self._constant, self._unit = high == low, _unit(np.maximum(high, -low))
        # Close to the mean is close enough: what is left is subtracted from the products.
        n, n_columns = self._X.shape
        some = slice(None, None, -(-n // max(1, min(_ROWS_FOR_CENTRE, _BLOCK_VALUES // n_columns))))
        self._centre = self._middle() if self._gaps else (self._X[some] * self._unit).mean(axis=0)

    def _middle(self):
        """Means of the values that are there."""
        there = ~np.isnan(self._X)
        return np.where(there, self._X * self._unit, 0.0).sum(axis=0) / np.maximum(there.sum(axis=0), 1)

    def blocks(self):
        """Features whose correlations with those compared are held at once."""
        ends, n_compared = np.cumsum(self._width), self._width[self._compared].sum()
        number = ends // max(1, min(_COLUMNS_AT_ONCE, _BLOCK_VALUES // n_compared))
        return np.split(np.arange(len(ends)), np.flatnonzero(np.diff(number)) + 1)

    def closeness(self, features):
        """Absolute correlations of features with those compared."""
        columns, others = self._columns_of(features), self._columns_of(self._compared)
        found = self._with_gaps(columns, others) if self._gaps else self._complete(columns, others)
        for axis, some in enumerate((features, self._compared)):
            width = self._width[some]
            if (width > 1).any():
                found = np.maximum.reduceat(found, np.cumsum(width) - width, axis=axis)
        return found

    def _complete(self, columns, others):
        products = np.zeros((len(columns), len(others)))
        sums, other_sums = np.zeros((2, len(columns))), np.zeros((2, len(others)))
        for rows in _blocks_of(len(self._X), len(columns) + len(others)):
            a, b = self._part(rows, columns), self._part(rows, others)
            weighted, weighted_others = self._times_weight(rows, a), self._times_weight(rows, b)
            products += weighted.T @ b
            sums += _sums(a, weighted)
            other_sums += _sums(b, weighted_others)
        return _correlations(products, self._moments(columns, sums), self._moments(others, other_sums))

    def _with_gaps(self, columns, others):
        """Each pair of columns by the rows where both are there."""
        n, products, sums, other_sums, squares, other_squares = np.zeros((6, len(columns), len(others)))
        for rows in _blocks_of(len(self._X), len(columns) + len(others)):
            a, b = self._part(rows, columns), self._part(rows, others)
            there, others_there = ((~np.isnan(part)).astype(float) for part in (a, b))
            a[there == 0], b[others_there == 0] = 0.0, 0.0
            weighted, there = self._times_weight(rows, a), self._times_weight(rows, there)
            n += there.T @ others_there
            products += weighted.T @ b
            sums += weighted.T @ others_there
            other_sums += there.T @ b
            squares += (weighted * a).T @ others_there
            other_squares += there.T @ (b * b)
        counted = np.where(n > 0, n, 1.0)
        found = np.abs(products - sums * other_sums / counted)
        for total, of_squares in ((sums, squares), (other_sums, other_squares)):
            spread = of_squares - total**2 / counted
            found /= np.sqrt(np.where(spread > _ROUNDING * of_squares, spread, np.inf))
        found[n < min(_LEAST_SHARED, _LEAST_SHARE * self._n)] = 0.0
        found[self._constant[columns]] = 0.0
        found[:, self._constant[others]] = 0.0
        return found

    def _times_weight(self, rows, part):
        return part if self._weight is None else part * self._weight[rows, None]

    def _columns_of(self, features):
        return np.array([column for f in features for column in self._groups[f]], dtype=np.intp)

    def _part(self, rows, columns):
        part = np.take(self._X[rows], columns, axis=1)
        part *= self._unit[columns]
        part -= self._centre[columns]
        return part

    def _moments(self, columns, sums):
        """Means, and sums of squares about them: 0 of a constant, whatever rounding makes of it."""
        means = sums[0] / self._n
        return self._n, means, np.where(self._constant[columns], 0.0, sums[1] - self._n * means**2)


class _SparseColumns:
    """The same of a sparse matrix.

    A column that is zero in half of the rows has a mean no larger than its standard deviation, and is not centred; the
    others are, for which they need no more than twice their memory.
    """

    def __init__(self, values, compared, weight):
        columns = csc_array(values, copy=True)
        columns.sum_duplicates()
        n, n_stored = columns.shape[0], np.diff(columns.indptr)
        largest = abs(columns).max(axis=0).toarray().ravel()
        columns.data *= np.repeat(_unit(largest), n_stored)
        full = n_stored > n / 2
        if full.any():
            columns = _with_centred(columns, full, weight)
        weighted = columns if weight is None else csc_array(columns.multiply(weight[:, None]))
        self._columns, self._others = weighted, columns[:, compared].tocsr()
        self._compared, self._n = compared, n if weight is None else weight.sum()
        self._means = weighted.sum(axis=0) / self._n
        self._means[full] = 0.0
        self._squares = weighted.multiply(columns).sum(axis=0) - self._n * self._means**2

    def blocks(self):
        at_once = max(1, _BLOCK_VALUES // len(self._compared))
        everything = np.arange(len(self._means))
        return np.split(everything, everything[at_once::at_once])

    def closeness(self, features):
        products = (self._columns[:, features[0] : features[-1] + 1].T @ self._others).toarray()
        return _correlations(products, self._moments(features), self._moments(self._compared))

    def _moments(self, columns):
        return self._n, self._means[columns], self._squares[columns]


def _with_centred(columns, full, weight):
    """A sparse matrix in which some columns are about their means."""
    dense = columns[:, full].toarray()
    dense -= dense[0].copy()
    dense -= dense.mean(axis=0) if weight is None else weight @ dense / weight.sum()
    n, n_full = dense.shape
    centred = csc_array((dense.T.ravel(), np.tile(np.arange(n), n_full), n * np.arange(n_full + 1)), shape=dense.shape)
    order = np.argsort(np.concatenate([np.flatnonzero(~full), np.flatnonzero(full)]))
    return hstack([columns[:, ~full], centred], format="csc")[:, order]


def _sums(block, weighted):
    return np.array([weighted.sum(axis=0), np.einsum("ij,ij->j", weighted, block)])


def _correlations(products, of_columns, of_others):
    """Absolute ones from sums of products; 0 for columns without any spread."""
    (n, means, squares), (_, other_means, other_squares) = of_columns, of_others
    found = np.abs(products - n * np.outer(means, other_means))
    found /= np.sqrt(np.where(squares > 0, squares, np.inf))[:, None]
    found /= np.sqrt(np.where(other_squares > 0, other_squares, np.inf))
    return found


def _unit(largest):
    """A power of two that brings a column to about one."""
    return np.ldexp(1.0, -np.where(largest > 0, np.clip(np.frexp(largest)[1], -1021, 1021), 0))


def _blocks_of(n_rows, n_columns):
    at_once = max(1, _BLOCK_VALUES // n_columns)
    return [slice(begin, begin + at_once) for begin in range(0, n_rows, at_once)]
