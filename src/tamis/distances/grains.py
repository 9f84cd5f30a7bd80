"""Weighted quantiles, and levels made coarser in parts of about equal size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

GRAINS = (5, 3, 2)
"""Numbers of levels that a feature may be coarsened to."""


@dataclass(frozen=True)
class Sizes:
    """How often each of `n` samples counts; once if there is no weight."""

    n: int
    weight: np.ndarray | None = None

    @property
    def total(self):
        return self.n if self.weight is None else self.weight.sum()

    def of(self, rows) -> np.ndarray | None:
        """The same of some samples."""
        return None if self.weight is None else self.weight[rows]

    def counts(self, rows, levels) -> np.ndarray:
        """Samples at each level, all but the given rows being at level 0."""
        counts = np.bincount(levels, weights=self.of(rows), minlength=1).astype(float)
        counts[0] = max(0.0, self.total - counts[1:].sum())
        return counts


def quantiles(x, shares, weight=None) -> np.ndarray:
    """Quantiles by numpy's linear definition; for whole weights the same bits as of repeated values.

    The values of a row of weight w lie at as many places, one unit apart, and quantiles in between are interpolated.
    The unit is one, or the smallest weight if that is less.
    """
    if weight is None:
        return np.quantile(x, shares)
    order = np.argsort(x, kind="stable")
    x, ends = x[order], np.cumsum(weight[order])
    unit = min(1.0, weight.min())
    at = (ends[-1] - unit) * shares
    low = np.minimum(np.searchsorted(ends, at, side="right"), len(x) - 1)
    high = np.minimum(low + 1, len(x) - 1)
    part = np.clip((at - (ends[low] - unit)) / unit, 0.0, 1.0)
    apart = x[high] - x[low]
    return np.where(part < 0.5, x[low] + apart * part, x[high] - apart * (1 - part))


def coarser(counts) -> np.ndarray:
    """For each grain, a map from levels to at most so many: parts of the samples of about equal size, in order."""
    return np.array([_parts(counts, grain) for grain in GRAINS])


def coarser_with_gaps(counts) -> np.ndarray:
    """The same of the levels of values and of one more, the last, of the missing ones.

    These are a part of their own where there are more than two; else they join the part with fewer samples.
    """
    maps = []
    for grain in GRAINS:
        parts = _parts(counts, max(2, grain - 1))
        last = parts.max() + 1
        if last >= grain:
            last = np.argmin(np.bincount(parts, weights=counts))
        maps.append(np.append(parts, last))
    return np.array(maps)


def shared_out(counts) -> np.ndarray:
    """The same for levels without an order: one after the other, the most frequent first, goes to the smallest part."""
    maps = []
    for grain in GRAINS:
        if len(counts) <= grain:
            maps.append(np.arange(len(counts)))
            continue
        sizes, part = np.zeros(grain), np.empty(len(counts), dtype=int)
        for level in np.argsort(-counts, kind="stable"):
            part[level] = np.argmin(sizes)
            sizes[part[level]] += counts[level]
        maps.append((part - part[0]) % grain)  # level 0 stays there
    return np.array(maps)


def _parts(counts, n_parts):
    if len(counts) <= n_parts:
        return np.arange(len(counts))
    middle = (np.cumsum(counts) - counts / 2) / counts.sum()
    part = np.minimum((middle * n_parts).astype(int), n_parts - 1)
    return np.searchsorted(np.unique(part), part)
