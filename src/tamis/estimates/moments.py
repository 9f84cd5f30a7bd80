"""Weighted means and spreads of the classes, as sums over blocks of rows."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import reduce
from operator import add

import numpy as np
from scipy.sparse import issparse

from .._kernels.blas import one_blas_thread

_BLOCK_VALUES = 2**18
_SPARSE_ROWS = 2**14
_CANCELLED = 1e-4
_MOST_COLUMNS = 64
_NEVER = -1100


@dataclass(frozen=True)
class ClassMoments:
    """What a block of rows adds to the means and spreads of the classes; `a + b` is that of both blocks.

    All sums are of positive terms about the means, so that neither a large offset nor the order of the blocks costs
    digits. Columns are in units of 2**exponents, which keeps huge and tiny values from leaving the range of floats.

    Attributes
    ----------
    weights : ndarray of shape (n_classes,)
        Sum of the memberships of each class, over all rows.
    means : ndarray of shape (n_classes, n_features)
        Weighted means, from `origin`.
    squares : ndarray of shape (n_classes, n_features)
        Weighted sums of squared differences from these means.
    origin : ndarray of shape (n_features,)
    exponents : ndarray of int, shape (n_features,)
    there : ndarray of shape (n_classes, n_features) or None
        Sum of the memberships of each class, over the rows where the feature is there; None if no value is missing.
    """

    weights: np.ndarray
    means: np.ndarray
    squares: np.ndarray
    origin: np.ndarray
    exponents: np.ndarray
    there: np.ndarray | None = None

    def __add__(self, other: ClassMoments) -> ClassMoments:
        exponents = np.maximum(self.exponents, other.exponents)
        a, b = self._in_units_of(exponents), other._in_units_of(exponents)
        of_a, of_b = a._of_features(), b._of_features()
        both = of_a + of_b
        share = of_b / np.where(both > 0, both, 1.0)
        origin, from_origin = a.origin, b.origin
        if a.there is not None:  # without values there is no origin
            origin = np.where(a.there.any(axis=0), origin, b.origin)
        if b.there is not None:
            from_origin = np.where(b.there.any(axis=0), from_origin, origin)
        apart = b.means + (from_origin - origin) - a.means
        squares = a.squares + b.squares + of_a * share * apart**2
        there = None if a.there is None and b.there is None else both
        return ClassMoments(a.weights + b.weights, a.means + share * apart, squares, origin, exponents, there)

    def totals(self) -> tuple[np.ndarray, np.ndarray]:
        """Memberships of all classes together, and the share of each; of each feature if values are missing.

        One column stands for all features otherwise. Of a feature without values the total is one and all shares zero.
        """
        if self.there is None:
            total = self.weights.sum()
            return total, (self.weights / total)[:, None]
        total = self.there.sum(axis=0)
        total = np.where(total > 0, total, 1.0)
        return total, self.there / total

    def standardised(self) -> ClassMoments:
        """The same of columns divided by their standard deviations."""
        total, shares = self.totals()
        apart = self.means - (shares * self.means).sum(axis=0)
        variance = self.squares.sum(axis=0) / total + (shares * apart**2).sum(axis=0)
        unit = np.sqrt(np.where(variance > 0, variance, 1.0))
        means, squares, exponents = self.means / unit, self.squares / unit**2, np.zeros_like(self.exponents)
        return ClassMoments(self.weights, means, squares, self.origin / unit, exponents, self.there)

    def _of_features(self) -> np.ndarray:
        """Weights of classes (rows) for each feature; one column stands for all if no value is missing."""
        return self.weights[:, None] if self.there is None else self.there

    def _in_units_of(self, exponents) -> ClassMoments:
        shift = self.exponents - exponents
        if not shift.any():
            return self
        origin, means = np.ldexp(self.origin, shift), np.ldexp(self.means, shift)
        return ClassMoments(self.weights, means, np.ldexp(self.squares, 2 * shift), origin, exponents, self.there)


def class_moments(X, memberships, *, n_threads=1) -> ClassMoments:
    """Moments of the columns of X in each class, weighted by the memberships, whose rows need not sum to one.

    Blocks have a size of their own and are added in their order: the same bits for any number of threads.

    Parameters
    ----------
    X : ndarray or CSR matrix of shape (n_samples, n_features)
        Finite, or NaN where a value of an array is missing: a feature has moments of the rows where it is there.
    memberships : ndarray of shape (n_samples, n_classes)
    """

    def part(rows):
        return _of_block(X[rows], memberships[rows])

    with one_blas_thread():
        if n_threads > 1:
            # Where no thread can be had (RuntimeError), this one does the work.
            with suppress(RuntimeError), ThreadPoolExecutor(n_threads) as pool:
                return reduce(add, pool.map(part, _blocks(X)))
        return reduce(add, map(part, _blocks(X)))


def _blocks(X) -> Iterator[slice]:
    n_rows = _SPARSE_ROWS if issparse(X) else max(16, _BLOCK_VALUES // X.shape[1])
    return (slice(begin, begin + n_rows) for begin in range(0, X.shape[0], n_rows))


def _of_block(X, memberships) -> ClassMoments:
    largest = abs(X).max(axis=0).toarray().ravel() if issparse(X) else np.abs(X).max(axis=0)
    there = None
    if np.isnan(largest).any():
        there, largest = ~np.isnan(X), np.fmax.reduce(np.abs(X), axis=0, initial=0.0)
    exponents = np.where(largest > 0, np.clip(np.frexp(largest)[1], -1021, 1021), _NEVER)
    unit = np.ldexp(1.0, -np.where(largest > 0, exponents, 0))
    if issparse(X):
        Z, origin = X.multiply(unit).tocsr(), np.zeros(X.shape[1])
        squared = Z.multiply(Z)
    else:
        Z = X * unit
        origin = Z[0].copy() if there is None else _first(Z, there)
        Z -= origin
        if there is not None:
            Z[~there] = 0.0
        squared = Z * Z
    weights = memberships.sum(axis=0)
    of_features = weights[:, None] if there is None else np.ascontiguousarray((there.T @ memberships).T)
    means = np.ascontiguousarray((Z.T @ memberships).T) / np.where(of_features > 0, of_features, 1.0)
    about_origin = np.ascontiguousarray((squared.T @ memberships).T)
    squares = about_origin - of_features * means**2
    _repair(squares, squares < _CANCELLED * about_origin, Z, memberships, means, there)
    return ClassMoments(weights, means, squares, origin, exponents, None if there is None else of_features)


def _first(Z, there):
    """The first value of each column, zero if there is none."""
    found = Z[there.argmax(axis=0), np.arange(Z.shape[1])]
    return np.where(there.any(axis=0), found, 0.0)


def _repair(squares, cancelled, Z, memberships, means, there):
    """Where the difference of two large sums has lost digits, sum the squared differences themselves."""
    columns = Z.tocsc() if issparse(Z) and cancelled.any() else Z
    for s in np.flatnonzero(cancelled.any(axis=1)):
        features = np.flatnonzero(cancelled[s])
        for few in np.array_split(features, -(-len(features) // _MOST_COLUMNS)):
            part = columns[:, few].toarray() if issparse(Z) else Z[:, few]
            apart = part - means[s, few] if there is None else np.where(there[:, few], part - means[s, few], 0.0)
            squares[s, few] = memberships[:, s] @ apart**2
