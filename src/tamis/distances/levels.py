"""Features, or groups of them, as levels: binned, counted by column, and coarser where samples are few."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csc_array, issparse

from .columns import Groups, single
from .grains import GRAINS, Sizes, coarser, coarser_with_gaps, quantiles, shared_out
from .scaling import tamed

__all__ = ["BINS", "GRAINS", "LevelColumns", "level_columns"]

BINS = ("auto", "quantile", "uniform", None)


@dataclass(frozen=True)
class LevelColumns:
    """Discrete units by column, level 0 being implicit. A unit is a feature, or a group of features that moves whole.

    Attributes
    ----------
    n_samples : int
    total_weight : float
        Of all samples; their number if each counts once.
    first : ndarray of int64, shape (n_units + 1,)
        Entries of unit j are first[j] ... first[j + 1] - 1.
    rows, levels : ndarray of int32
        Samples in increasing order, and their levels 1, 2, ...
    n_levels : ndarray of int32, shape (1 + len(GRAINS), n_units)
        As they are, then at each grain.
    coarse : ndarray of int32, shape (len(GRAINS), n_maps)
        Maps from levels to coarser ones; those of unit j begin at map_first[j].
    map_first : ndarray of int64, shape (n_units,)
    values : ndarray or csc_array of shape (n_samples, n_columns)
        What correlations are of: the levels of binned features, the values of others, 0 and 1 for each category.
    value_first : ndarray of int64, shape (n_units,)
        Where in `values` the columns of each unit begin.
    """

    n_samples: int
    total_weight: float
    first: np.ndarray
    rows: np.ndarray
    levels: np.ndarray
    n_levels: np.ndarray
    coarse: np.ndarray
    map_first: np.ndarray
    values: Any
    value_first: np.ndarray

    @property
    def n_units(self) -> int:
        return len(self.map_first)

    def of(self, unit: int) -> np.ndarray:
        """The level of every sample."""
        found = np.zeros(self.n_samples, dtype=np.intp)
        rows, levels = self.entries(unit)
        found[rows] = levels
        return found

    def entries(self, unit: int, grain: int = 0) -> tuple[np.ndarray, np.ndarray]:
        """Samples that are not at level 0, and their levels: as they are (0) or at one of the grains (1, 2, ...)."""
        at = slice(self.first[unit], self.first[unit + 1])
        levels = self.levels[at]
        return self.rows[at], self.coarse[grain - 1, self.map_first[unit] + levels] if grain else levels

    def repeated(self, times) -> LevelColumns:
        """The same of samples of which each is there so many times in a row, each counting once."""
        ends, starts = np.cumsum(times), np.cumsum(times[self.rows])
        within = np.arange(starts[-1] if len(starts) else 0) - np.repeat(starts - times[self.rows], times[self.rows])
        return replace(
            self,
            n_samples=int(times.sum()),
            first=np.concatenate([[0], starts])[self.first].astype(np.int64),
            rows=(np.repeat((ends - times)[self.rows], times[self.rows]) + within).astype(np.int32),
            levels=np.repeat(self.levels, times[self.rows]),
            values=None,
        )

    def cells(self, units, grain: int = 0) -> np.ndarray:
        """Which samples are alike in some units: 0 for the most frequent cell, then 1, 2, ... by first samples."""
        n = self.n_samples
        codes = _codes([self.entries(unit, grain) for unit in units], n)
        if codes.max() > 2 * n:
            codes = np.unique(codes, return_inverse=True)[1]
        sizes = np.bincount(codes)
        firsts = np.full(len(sizes), n)
        firsts[codes[::-1]] = np.arange(n)[::-1]  # the last one written is the first sample
        largest = np.flatnonzero(sizes == sizes.max())
        firsts[largest[np.argmin(firsts[largest])]] = -1
        places = np.empty_like(firsts)
        places[np.argsort(firsts)] = np.arange(len(firsts))
        return places[codes]


class _Unit(NamedTuple):
    """Rows of another level than 0 and their levels; maps to coarser ones; columns (rows, values) to correlate."""

    rows: np.ndarray
    levels: np.ndarray
    maps: np.ndarray
    columns: tuple[tuple[np.ndarray, np.ndarray], ...]


def level_columns(
    X,
    *,
    bins="auto",
    n_bins=10,
    n_categories: tuple[int, ...] | None = None,
    groups: Groups | None = None,
    weight=None,
) -> LevelColumns:
    """Levels of the columns of X, sorted by value.

    Features of at most `n_bins` values, and all of them if `bins` is None, are taken as they are; others are cut at
    their quantiles ("auto", "quantile") or evenly ("uniform"). A sparse matrix must not be negative: its zeros are
    level 0, and quantiles are of the others. Those with `n_categories` are categories, each a level.

    Missing values (NaN) of a number are one more level, the last. Of the parts at a grain they take one and the values
    share the others; of two parts, both are of the values, and missing ones join the part with fewer samples. In
    correlations such a feature is two columns: its values, the missing ones at their mean, and whether it is missing.

    With a `weight` for each sample, samples count so many times: in quantiles, in the sizes of parts, and in how many
    combinations there may be. Whole weights give the levels of repeated samples.

    The levels of a group are the combinations of its features' levels that occur, the last feature's being the first to
    sort by. These are taken at the finest grain at which there are at most `n_bins`, or as many as the root of the
    number of samples; at the coarsest if there are always more.
    """
    n, sizes = X.shape[0], Sizes(X.shape[0], weight)
    units = [
        _categories(column, sizes)
        if n_categories is not None and n_categories[f]
        else _numbers(column, sizes, bins, n_bins)
        for f, column in enumerate(_columns(X))
    ]
    if groups is not None and not single(groups):
        most = max(n_bins, np.sqrt(sizes.total))
        units = [
            units[group[0]] if len(group) == 1 else _combinations([units[f] for f in group], sizes, most)
            for group in groups
        ]
    n_levels = [unit.maps.shape[1] for unit in units]
    columns = [column for unit in units for column in unit.columns]
    table = csc_array(
        (np.concatenate([v for _, v in columns]), np.concatenate([r for r, _ in columns]), _begins(columns)),
        shape=(n, len(columns)),
    )
    return LevelColumns(
        n_samples=n,
        total_weight=float(sizes.total),
        first=_begins(units),
        rows=np.concatenate([unit.rows for unit in units]).astype(np.int32),
        levels=np.concatenate([unit.levels for unit in units]).astype(np.int32),
        n_levels=np.vstack([n_levels, np.array([unit.maps.max(axis=1) + 1 for unit in units]).T]).astype("i4", "C"),
        coarse=np.concatenate([unit.maps for unit in units], axis=1).astype(np.int32, "C"),
        map_first=np.concatenate([[0], np.cumsum(n_levels)[:-1]]).astype(np.int64),
        values=table if issparse(X) else table.toarray(),
        value_first=np.cumsum([0, *(len(unit.columns) for unit in units[:-1])]),
    )


def _begins(parts):
    """Where each of some (rows, ...) begins in a row of them all, and where the last ends."""
    return np.concatenate([[0], np.cumsum([len(part[0]) for part in parts])]).astype(np.int64)


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


def _numbers(column, sizes, bins, n_bins) -> _Unit:
    rows, x = column
    missing = np.isnan(x)
    if missing.any():
        return _numbers_with_gaps(rows, x, missing, sizes, bins, n_bins)
    levels, values = _levels(x, sizes.of(rows), len(rows) < sizes.n, bins, n_bins)
    other = levels > 0
    rows, levels = rows[other], levels[other]
    return _Unit(rows, levels, coarser(sizes.counts(rows, levels)), ((rows, values[other]),))


def _numbers_with_gaps(rows, x, missing, sizes, bins, n_bins) -> _Unit:
    there = ~missing
    if not there.any():  # as a constant
        nothing = rows[there]
        return _Unit(nothing, nothing, coarser(np.array([sizes.total])), ((nothing, np.empty(0)),))
    weight = sizes.of(rows[there])
    found, of_found = _levels(x[there], weight, False, bins, n_bins)
    levels, values = np.full(len(x), found.max() + 1), np.full(len(x), np.average(of_found, weights=weight))
    levels[there], values[there] = found, of_found
    counts = np.bincount(found, weights=weight)
    other = levels > 0
    columns = (rows[other], values[other]), (rows[missing], np.ones(missing.sum()))
    return _Unit(rows[other], levels[other], coarser_with_gaps(counts), columns)


def _levels(x, weight, zeros, bins, n_bins):
    """Levels of values, and what correlations are of; `zeros`: whether there are others at level 0, the lowest."""
    found, levels = np.unique(x, return_inverse=True)
    x = tamed(x)
    if bins is None or len(found) + zeros <= n_bins:
        levels, values = levels + zeros, x
        if not zeros and len(found):  # the lowest level is left out: values count from it
            values = x - x.min()
        return levels, values
    cuts = _cuts(x, weight, bins, n_bins, zeros)
    levels = np.searchsorted(cuts, x, side="right") + (zeros and bins != "uniform")
    occurring = np.unique(np.append(levels, 0) if zeros else levels)
    levels = np.searchsorted(occurring, levels)
    return levels, levels.astype(float)


def _cuts(x, weight, bins, n_bins, zeros):
    if bins == "uniform":
        low = 0.0 if zeros else x.min()
        return low + (x.max() - low) * np.arange(1, n_bins) / n_bins
    n_parts = n_bins - bool(zeros)
    return np.unique(quantiles(x, np.arange(1, n_parts) / n_parts, weight))


def _categories(column, sizes) -> _Unit:
    rows, x = column
    found, levels = np.unique(x, return_inverse=True)
    other = levels > 0
    columns = tuple((at, np.ones(len(at))) for at in (rows[levels == level] for level in range(len(found))))
    maps = shared_out(sizes.counts(rows[other], levels[other]))
    return _Unit(rows[other], levels[other], maps, columns)


def _combinations(members, sizes, most) -> _Unit:
    for grain in range(1 + len(GRAINS)):
        parts = [(m.rows, m.maps[grain - 1][m.levels] if grain else m.levels) for m in members]
        found, levels = np.unique(_codes(parts, sizes.n), return_inverse=True)
        if len(found) <= most:
            break
    rows = np.flatnonzero(levels)
    maps = shared_out(sizes.counts(rows, levels[rows]))
    return _Unit(rows, levels[rows], maps, tuple(column for member in members for column in member.columns))


def _codes(parts, n_samples):
    """A number for each sample's combination of levels, in the order of the combinations; 0 where all levels are.

    Parts are samples with their levels; all others are at level 0.
    """
    codes, stride = np.zeros(n_samples, dtype=np.int64), 1
    for rows, levels in parts:
        n_levels = int(levels.max(initial=0)) + 1
        if stride > 2**62 // n_levels:  # before numbers get too large they are made small again
            occurring = np.unique(np.append(codes, 0))
            codes, stride = np.searchsorted(occurring, codes), len(occurring)
        codes[rows] += stride * levels.astype(np.int64)
        stride *= n_levels
    return codes
