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
        Sum of the memberships of each class.
    means : ndarray of shape (n_classes, n_features)
        Weighted means, from `origin`.
    squares : ndarray of shape (n_classes, n_features)
        Weighted sums of squared differences from these means.
    origin : ndarray of shape (n_features,)
    exponents : ndarray of int, shape (n_features,)
    """

    weights: np.ndarray
    means: np.ndarray
    squares: np.ndarray
    origin: np.ndarray
    exponents: np.ndarray

    def __add__(self, other: ClassMoments) -> ClassMoments:
        exponents = np.maximum(self.exponents, other.exponents)
        a, b = self._in_units_of(exponents), other._in_units_of(exponents)
        weights = a.weights + b.weights
        share = (b.weights / np.where(weights > 0, weights, 1.0))[:, None]
        apart = b.means + (b.origin - a.origin) - a.means
        squares = a.squares + b.squares + a.weights[:, None] * share * apart**2
        return ClassMoments(weights, a.means + share * apart, squares, a.origin, exponents)

    def standardised(self) -> ClassMoments:
        """The same of columns divided by their standard deviations."""
        shares = (self.weights / self.weights.sum())[:, None]
        apart = self.means - (shares * self.means).sum(axis=0)
        variance = self.squares.sum(axis=0) / self.weights.sum() + (shares * apart**2).sum(axis=0)
        unit = np.sqrt(np.where(variance > 0, variance, 1.0))
        return ClassMoments(
            self.weights, self.means / unit, self.squares / unit**2, self.origin / unit, np.zeros_like(self.exponents)
        )

    def _in_units_of(self, exponents) -> ClassMoments:
        shift = self.exponents - exponents
        if not shift.any():
            return self
        origin, means = np.ldexp(self.origin, shift), np.ldexp(self.means, shift)
        return ClassMoments(self.weights, means, np.ldexp(self.squares, 2 * shift), origin, exponents)


def class_moments(X, memberships, *, n_threads=1) -> ClassMoments:
    """Moments of the columns of X in each class, weighted by the memberships.

    Blocks have a size of their own and are added in their order: the same bits for any number of threads.

    Parameters
    ----------
    X : ndarray or CSR matrix of shape (n_samples, n_features), finite
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
    exponents = np.where(largest > 0, np.clip(np.frexp(largest)[1], -1021, 1021), _NEVER)
    unit = np.ldexp(1.0, -np.where(largest > 0, exponents, 0))
    if issparse(X):
        Z, origin = X.multiply(unit).tocsr(), np.zeros(X.shape[1])
        squared = Z.multiply(Z)
    else:
        Z = X * unit
        origin = Z[0].copy()
        Z -= origin
        squared = Z * Z
    weights = memberships.sum(axis=0)
    means = np.ascontiguousarray((Z.T @ memberships).T) / np.where(weights > 0, weights, 1.0)[:, None]
    about_origin = np.ascontiguousarray((squared.T @ memberships).T)
    squares = about_origin - weights[:, None] * means**2
    _repair(squares, squares < _CANCELLED * about_origin, Z, memberships, means)
    return ClassMoments(weights, means, squares, origin, exponents)


def _repair(squares, cancelled, Z, memberships, means):
    """Where the difference of two large sums has lost digits, sum the squared differences themselves."""
    columns = Z.tocsc() if issparse(Z) and cancelled.any() else Z
    for s in np.flatnonzero(cancelled.any(axis=1)):
        features = np.flatnonzero(cancelled[s])
        for few in np.array_split(features, -(-len(features) // _MOST_COLUMNS)):
            part = columns[:, few].toarray() if issparse(Z) else Z[:, few]
            squares[s, few] = memberships[:, s] @ (part - means[s, few]) ** 2
