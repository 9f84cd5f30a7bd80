"""Which features are most correlated with which, without a matrix of all pairs."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csc_array, issparse

_SPARE = 29
_BLOCK_VALUES = 2**22


class Correlates:
    """The units most correlated with each, absolutely, among those that are left.

    A unit is a column, or several of them: two units are as close as the two of their columns that are most correlated.
    Only short lists are held; one that has run out is made again. Constant columns have correlation 0. Of equal
    correlations the first unit counts as larger; sums of whole numbers are exact, so that copies are equal.

    Parameters
    ----------
    values : ndarray or csc_array of shape (n_samples, n_columns)
    n_most : int
        How many correlates a unit may be asked for.
    first : ndarray of int of shape (n_units,), default=None
        Where the columns of each unit begin; by default each has one.
    weight : ndarray of shape (n_samples,), default=None
        How often each sample counts; by default once.
    """

    def __init__(self, values, n_most, first=None, *, weight=None):
        self._most = n_most
        self._by_row = values.tocsr() if issparse(values) else values
        weighted = values if weight is None else _times(values, weight)
        self._weighted = weighted
        n_columns = values.shape[1]
        self._n = values.shape[0] if weight is None else weight.sum()
        self._sums = np.asarray(weighted.sum(axis=0)).ravel()
        squares = weighted.multiply(values) if issparse(values) else weighted * values
        squares = self._n * np.asarray(squares.sum(axis=0)).ravel()
        # n² times the variances, as covariances below; what is left of a constant may be rounding.
        self._spread = squares - self._sums**2
        self._spread[self._spread <= 1e-12 * squares] = 0.0
        self._first = np.arange(n_columns) if first is None else first
        self._width = np.diff(np.append(self._first, n_columns))
        d = len(self._first)
        self._alive, self._left = np.ones(d, dtype=bool), d
        self._lists: list[np.ndarray] = []
        if n_most:
            block = max(1, _BLOCK_VALUES // n_columns // self._width.max())
            for begin in range(0, d, block):
                units = np.arange(begin, min(begin + block, d))
                self._lists += [self._largest(row, u) for row, u in zip(self._rows(units), units, strict=True)]

    def remove(self, unit: int):
        self._alive[unit] = False
        self._left -= 1

    def of(self, unit: int) -> np.ndarray:
        """Those asked for, or all that are left, the most correlated first."""
        if not self._most:
            return np.empty(0, dtype=np.intp)
        wanted = min(self._most, self._left - 1)
        left = self._lists[unit][self._alive[self._lists[unit]]]
        if len(left) < wanted:
            left = self._lists[unit] = self._largest(self._rows(np.array([unit]))[0], unit)
        return left[:wanted]

    def _rows(self, units):
        """For each unit, how close all are to it, in an order of its own: compare within a row only."""
        if len(self._first) == len(self._spread):  # each has one column
            return self._by_column(units)
        columns = np.concatenate([np.arange(self._first[u], self._first[u] + self._width[u]) for u in units])
        found, owner = self._by_column(columns), np.repeat(np.arange(len(units)), self._width[units])
        own = np.where(self._width[units][owner] > 1, self._spread[columns], 1.0)  # one column alone needs no measure
        found /= np.where(own > 0, own, np.inf)[:, None]
        found = np.maximum.reduceat(found, np.searchsorted(owner, np.arange(len(units))), axis=0)
        return np.maximum.reduceat(found, self._first, axis=1)

    def _by_column(self, columns):
        """Squared covariances divided by the variance of the other: for one column, in the order of correlation."""
        part = self._weighted[:, columns]
        products = part.T @ self._by_row
        covariances = products.toarray() if issparse(products) else products
        covariances *= self._n
        covariances -= np.outer(self._sums[columns], self._sums)
        covariances *= covariances
        covariances /= np.where(self._spread > 0, self._spread, np.inf)
        return covariances

    def _largest(self, row, unit):
        row = np.where(self._alive, row, -1.0)
        row[unit] = -1.0
        n_kept = min(self._most + _SPARE, len(row))
        least = np.partition(row, len(row) - n_kept)[len(row) - n_kept]
        near = np.flatnonzero(row >= max(least, 0.0))
        return near[np.argsort(-row[near], kind="stable")][:n_kept]


def _times(values, weight):
    """Rows times their weights."""
    return csc_array(values.multiply(weight[:, None])) if issparse(values) else values * weight[:, None]
