"""Which features are most correlated with which, without a matrix of all pairs."""

from __future__ import annotations

import numpy as np
from scipy.sparse import issparse

_SPARE = 29
_BLOCK_VALUES = 2**22


class Correlates:
    """The features most correlated with each, absolutely, among those that are left.

    Only short lists are held; one that has run out is made again. Constant features have correlation 0. Of equal
    correlations the first column counts as larger; sums of whole numbers are exact, so that copies are equal.

    Parameters
    ----------
    values : ndarray or csc_array of shape (n_samples, n_features)
    n_most : int
        How many correlates a feature may be asked for.
    """

    def __init__(self, values, n_most):
        self._values, self._most = values, n_most
        self._by_row = values.tocsr() if issparse(values) else values
        self._n, d = values.shape
        self._sums = np.asarray(values.sum(axis=0)).ravel()
        squares = values.multiply(values) if issparse(values) else values * values
        squares = self._n * np.asarray(squares.sum(axis=0)).ravel()
        # n² times the variances, as covariances below; what is left of a constant may be rounding.
        self._spread = squares - self._sums**2
        self._spread[self._spread <= 1e-12 * squares] = 0.0
        self._alive, self._left = np.ones(d, dtype=bool), d
        self._lists: list[np.ndarray] = []
        if n_most:
            block = max(1, _BLOCK_VALUES // d)
            for begin in range(0, d, block):
                features = np.arange(begin, min(begin + block, d))
                self._lists += [self._largest(row, f) for row, f in zip(self._rows(features), features, strict=True)]

    def remove(self, feature: int):
        self._alive[feature] = False
        self._left -= 1

    def of(self, feature: int) -> np.ndarray:
        """Those asked for, or all that are left, the most correlated first."""
        if not self._most:
            return np.empty(0, dtype=np.intp)
        wanted = min(self._most, self._left - 1)
        left = self._lists[feature][self._alive[self._lists[feature]]]
        if len(left) < wanted:
            left = self._lists[feature] = self._largest(self._rows(np.array([feature]))[0], feature)
        return left[:wanted]

    def _rows(self, features):
        """Squared covariances divided by the variance of the other: for one feature, in the order of correlation."""
        part = self._values[:, features]
        products = part.T @ self._by_row
        covariances = products.toarray() if issparse(products) else products
        covariances *= self._n
        covariances -= np.outer(self._sums[features], self._sums)
        covariances *= covariances
        covariances /= np.where(self._spread > 0, self._spread, np.inf)
        return covariances

    def _largest(self, row, feature):
        row = np.where(self._alive, row, -1.0)
        row[feature] = -1.0
        n_kept = min(self._most + _SPARE, len(row))
        least = np.partition(row, len(row) - n_kept)[len(row) - n_kept]
        near = np.flatnonzero(row >= max(least, 0.0))
        return near[np.argsort(-row[near], kind="stable")][:n_kept]
