"""Features as levels: binned, counted by column, and coarser where samples are few."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csc_array, issparse

BINS = ("auto", "quantile", "uniform", None)
GRAINS = (5, 3, 2)
"""Numbers of levels that a feature may be coarsened to."""


@dataclass(frozen=True)
class LevelColumns:
    """Discrete features by column, level 0 being implicit.

    Attributes
    ----------
    n_samples : int
    first : ndarray of int64, shape (n_features + 1,)
        Entries of feature j are first[j] ... first[j + 1] - 1.
    rows, levels : ndarray of int32
        Samples in increasing order, and their levels 1, 2, ...
    n_levels : ndarray of int32, shape (1 + len(GRAINS), n_features)
        As they are, then at each grain.
    coarse : ndarray of int32, shape (len(GRAINS), n_maps)
        Maps from levels to coarser ones; those of feature j begin at map_first[j].
    map_first : ndarray of int64, shape (n_features,)
    values : ndarray or csc_array of shape (n_samples, n_features)
        What correlations are of: the levels of binned features, the values of others.
    """

    n_samples: int
    first: np.ndarray
    rows: np.ndarray
    levels: np.ndarray
    n_levels: np.ndarray
    coarse: np.ndarray
    map_first: np.ndarray
    values: Any

    @property
    def n_features(self) -> int:
        return len(self.map_first)

    def of(self, feature: int) -> np.ndarray:
        """The level of every sample."""
        found = np.zeros(self.n_samples, dtype=np.intp)
        entries = slice(self.first[feature], self.first[feature + 1])
        found[self.rows[entries]] = self.levels[entries]
        return found


def level_columns(X, *, bins="auto", n_bins=10) -> LevelColumns:
    """Levels of the columns of X, sorted by value.

    Features of at most `n_bins` values, and all of them if `bins` is None, are taken as they are; others are cut at
    their quantiles ("auto", "quantile") or evenly ("uniform"). A sparse matrix must not be negative: its zeros are
    level 0, and quantiles are of the others.
    """
    columns = [_levels_of(column, X.shape[0], bins, n_bins) for column in _columns(X)]
    sizes = [len(rows) for rows, _, _ in columns]
    first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    rows = np.concatenate([rows for rows, _, _ in columns]).astype(np.int32)
    levels = np.concatenate([levels for _, levels, _ in columns]).astype(np.int32)
    n_levels = [max(1, int(levels.max(initial=0)) + 1) for _, levels, _ in columns]
    map_first = np.concatenate([[0], np.cumsum(n_levels)[:-1]]).astype(np.int64)
    counts = [np.bincount(levels, minlength=r) for (_, levels, _), r in zip(columns, n_levels, strict=True)]
    maps = [_coarsenings(X.shape[0], count) for count in counts]
    coarse = np.concatenate(maps, axis=1).astype(np.int32)
    n_coarse = np.array([m.max(axis=1) + 1 for m in maps]).T
    values = np.concatenate([values for _, _, values in columns])
    shape = (X.shape[0], len(columns))
    table = csc_array((values, rows, first), shape=shape)
    all_levels = np.vstack([n_levels, n_coarse]).astype(np.int32)
    return LevelColumns(
        X.shape[0], first, rows, levels, all_levels, coarse, map_first, table if issparse(X) else table.toarray()
    )


def _columns(X):
    """Rows with a value and the values, for each column."""
    if issparse(X):
        X = csc_array(X)
        X.sort_indices()
        for begin, end in zip(X.indptr[:-1], X.indptr[1:], strict=True):
            filled = X.data[begin:end] != 0
            yield X.indices[begin:end][filled], X.data[begin:end][filled]
    else:
        everybody = np.arange(X.shape[0])
        yield from ((everybody, X[:, j]) for j in range(X.shape[1]))


def _levels_of(column, n_samples, bins, n_bins):
    """Rows of another level than 0, their levels, and what correlations are of."""
    rows, x = column
    found, levels = np.unique(x, return_inverse=True)
    zeros = len(rows) < n_samples  # implicit ones, the lowest level
    if bins is None or len(found) + zeros <= n_bins:
        levels, values = levels + zeros, x
        if not zeros and len(found):  # the lowest level is left out: values count from it
            values = x - found[0]
    else:
        cuts = _cuts(x, bins, n_bins, zeros)
        levels = np.searchsorted(cuts, x, side="right") + (zeros and bins != "uniform")
        occurring = np.unique(np.append(levels, 0) if zeros else levels)
        levels = np.searchsorted(occurring, levels)
        values = levels.astype(float)
    other = levels > 0
    return rows[other], levels[other], values[other]


def _cuts(x, bins, n_bins, zeros):
    if bins == "uniform":
        low = 0.0 if zeros else x.min()
        return low + (x.max() - low) * np.arange(1, n_bins) / n_bins
    n_parts = n_bins - bool(zeros)
    return np.unique(np.quantile(x, np.arange(1, n_parts) / n_parts))


def _coarsenings(n_samples, counts):
    """For each grain, a map from levels to at most so many: parts of the samples of about equal size."""
    counts = counts.astype(float)
    counts[0] = n_samples - counts[1:].sum()
    middle = (np.cumsum(counts) - counts / 2) / n_samples
    maps = []
    for grain in GRAINS:
        if len(counts) <= grain:
            maps.append(np.arange(len(counts)))
        else:
            part = np.minimum((middle * grain).astype(int), grain - 1)
            maps.append(np.searchsorted(np.unique(part), part))
    return np.array(maps)
