"""Copies of columns that keep what these share with other columns, and nothing else."""

from __future__ import annotations

import numpy as np
from scipy.linalg import lstsq

from .. import _kernels
from .._kernels.blas import one_blas_thread
from .balls import centred, log2_scale
from .scaling import scaled

_NEIGHBOURS = 5
_JITTER = 1e-7  # of the largest value, to put ties in random order
_MOST_PAIRS = 2**25


class PermutedCopies:
    """Columns whose own part is exchanged between samples that are alike in the other columns.

    What the others tell of a column linearly stays in place; the rest is taken from one of the nearest neighbours in
    the other columns, or from the sample itself (Runge, 2018). Without others it is a plain permutation. A column that
    is a function of the others thus has copies like itself, and one that has nothing to do with them is permuted.

    Parameters
    ----------
    others : ndarray of shape (n_samples, n_others)
    block : ndarray of shape (n_samples, width)
        Rows are exchanged whole.
    seed : int or sequence of int
        Of all copies, one after the other.
    reach : ndarray of shape (n_samples,), default=None
        Squared distances within which every sample has neighbours in the other columns, if such are known.
    """

    def __init__(self, others, block, seed, *, reach=None, n_threads=1):
        self._random = np.random.default_rng(seed)
        self._predicted, self._own = _split(others, block)
        self._near = _neighbours(others, reach, self._random, n_threads) if others.shape[1] else None

    def draw(self, n_copies: int) -> np.ndarray:
        """More copies: (n_samples, n_copies, width)."""
        n = len(self._own)
        if self._near is None:
            sources = np.array([self._random.permutation(n) for _ in range(n_copies)])
        else:
            places = (self._random.random((n_copies, n)) * (self._near >= 0).sum(axis=1)).astype(np.intp)
            sources = self._near[np.arange(n), places]
        return self._predicted[:, None, :] + self._own[sources.T]


def _split(others, block):
    """What the other columns tell of these linearly, and what is left."""
    if not others.shape[1]:
        return np.zeros_like(block), block
    design = np.column_stack([np.ones(len(others)), scaled(others, "standard")])
    with one_blas_thread():
        weights = lstsq(design, block, lapack_driver="gelsy", check_finite=False)[0]
        predicted = design @ weights
    return predicted, block - predicted


def _neighbours(X, reach, random, n_threads):
    """Each sample and its nearest others, those that tie in random order; -1 where there are not so many."""
    n, cpu = len(X), _kernels.cpu_level()
    units = 2 * log2_scale(X)
    X = centred(X) + _JITTER * random.standard_normal(X.shape)
    if reach is None or not reach.min() > 0:
        everybody = _kernels.ask_about_classes(np.zeros(n, np.int32), "entropy", min(_NEIGHBOURS, n - 1))
        reach = _kernels.radii(everybody, X, n_threads, cpu).ravel()
    else:
        reach = (np.sqrt(np.ldexp(reach, -units)) + 100 * _JITTER) ** 2
    near = np.full((n, 1 + _NEIGHBOURS), -1, dtype=np.intp)
    near[:, 0] = np.arange(n)
    at_once = max(64, _MOST_PAIRS // n)
    for begin in range(0, n, at_once):
        rows = np.arange(begin, min(begin + at_once, n), dtype=np.int32)
        first, samples, _ = _kernels.orders(X, reach[rows] * (1 + 1e-9), rows, n_threads, cpu)
        for place in range(_NEIGHBOURS):
            has = np.diff(first) > place
            near[rows[has], 1 + place] = samples[first[:-1][has] + place]
    return near
