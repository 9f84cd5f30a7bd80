"""Distances of rows with missing values, and nearest neighbours by them.

A column that is missing in either of two rows, or in both, adds a constant in place of the squared difference: twice
the variance of its values, which is the expected squared difference of two rows drawn at random. The rule decomposes
by column, so that subsets of columns can be compared, and a row without any value is equally far from all others.
"""

from __future__ import annotations

import numpy as np

from .._kernels.blas import one_blas_thread
from .scaling import ends_of

_BLOCK_VALUES = 2**22


class Gaps:
    """The squared difference that a missing value counts for, in each column.

    It is the expected squared difference of two rows drawn at random, twice the variance of the values that are there,
    whether one or both of two rows have a gap; zero in a column without any value.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_columns)
        NaN where a value is missing.
    weight : ndarray of shape (n_samples,), default=None
        Of the rows.

    Attributes
    ----------
    squared : ndarray of shape (n_columns,)
        Zero for complete columns.
    """

    def __init__(self, X, weight=None):
        self.squared = np.zeros(X.shape[1])
        self._missing = np.isnan(X.sum(axis=0))
        for column in np.flatnonzero(self._missing):  # one by one, as tables may be large
            self.squared[column] = gap_constants(X[:, [column]].astype(float), weight)[0]

    def of(self, columns) -> np.ndarray | None:
        """Those of some columns; None if these are complete."""
        columns = list(columns)
        return self.squared[columns] if self._missing[columns].any() else None


def gap_constants(X, weight=None) -> np.ndarray:
    """What a missing value adds to a squared distance, for each column: twice the variance of its other values.

    Zero for columns without two different values. With a weight for each row, of so many rows each. Values must be
    such that their squares do not overflow, as after scaling.
    """
    there = ~np.isnan(X)
    weight = np.ones(len(X)) if weight is None else weight
    total = weight @ there
    total = np.where(total > 0, total, 1.0)
    low, high = ends_of(X)
    apart = np.where(there, X - low, 0.0)
    apart = np.where(there, apart - weight @ apart / total, 0.0)
    return np.where(low == high, 0.0, 2.0 * (weight @ apart**2) / total)


def squared_distances(A, B, gaps) -> np.ndarray:
    """Squared distances of the rows of A and of B, NaN being missing; `gaps` as of `gap_constants`.

    By matrix products, so that equal rows may be apart by a rounding of their squared length; never below zero.

    Returns
    -------
    ndarray of shape (len(A), len(B))
    """
    return _Distances(B, gaps).of(A)


def nearest(A, B, n_neighbors, gaps, *, groups=None) -> tuple[np.ndarray, np.ndarray]:
    """For each row of A the nearest rows of B, and how far they are, squared; the nearest first.

    Parameters
    ----------
    A, B : ndarray of shape (n_queries, n_columns) and (n_rows, n_columns), with NaN where a value is missing
    n_neighbors : int
    gaps : ndarray of shape (n_columns,)
        As of `gap_constants`.
    groups : tuple of two ndarrays of int, default=None
        The group of each row of A and of B: rows of one group are no neighbours. For a table and itself,
        ``(np.arange(n), np.arange(n))`` leaves out each row itself, by its index.

    Returns
    -------
    places : ndarray of int, shape (n_queries, min(n_neighbors, n_rows))
        -1 where there are too few rows of other groups. Of equally far ones rounding decides which are among them.
    squared : ndarray of the same shape
        Sums over the columns, not by matrix products: equal rows are 0 apart. Infinite where there is no neighbour.
    """
    n_neighbors = min(n_neighbors, len(B))
    places = np.empty((len(A), n_neighbors), dtype=np.intp)
    squared = np.empty((len(A), n_neighbors))
    distances = _Distances(B, gaps)
    at_once = max(1, _BLOCK_VALUES // max(1, len(B), n_neighbors * B.shape[1]))
    with one_blas_thread():
        for begin in range(0, len(A), at_once):
            rows = slice(begin, begin + at_once)
            found = distances.of(A[rows])
            if groups is not None:
                found[groups[0][rows, None] == groups[1]] = np.inf
            near = np.argpartition(found, n_neighbors - 1, axis=1)[:, :n_neighbors]
            near.sort(axis=1)  # of those found that are equally far the first comes first
            apart = _by_column(A[rows, None], B[near], gaps)
            apart[np.isinf(np.take_along_axis(found, near, axis=1))] = np.inf
            order = np.argsort(apart, axis=1, kind="stable")
            places[rows] = np.take_along_axis(near, order, axis=1)
            squared[rows] = np.take_along_axis(apart, order, axis=1)
    places[np.isinf(squared)] = -1
    return places, squared


def _by_column(A, B, gaps) -> np.ndarray:
    """Squared distances of pairs of rows along the last axis."""
    apart = A - B
    apart *= apart
    return np.where(np.isnan(apart), gaps, apart).sum(axis=-1)


class _Distances:
    """Squared distances to the rows of B."""

    def __init__(self, B, gaps):
        self._gaps = np.asarray(gaps, dtype=float)
        there = ~np.isnan(B)
        n_there = np.maximum(there.sum(axis=0), 1)
        self._centre = np.where(there, B, 0.0).sum(axis=0, dtype=float) / n_there
        values, there = self._parts(B)
        # The sum of the three products, taken at once.
        self._right = np.hstack([there, values, values**2]).T

    def of(self, A) -> np.ndarray:
        values, there = self._parts(A)
        left = np.hstack([values**2 - there * self._gaps, -2.0 * values, there])
        found = left @ self._right
        found += self._gaps.sum()
        return np.maximum(found, 0.0, out=found)

    def _parts(self, X):
        """Values about the centre, zero where they are missing, and one where they are there."""
        there = ~np.isnan(X)
        return np.where(there, X - self._centre, 0.0), there.astype(float)
