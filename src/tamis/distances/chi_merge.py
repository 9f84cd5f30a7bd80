"""Bins by merging neighbouring intervals of alike classes: ChiMerge, and Chi2 (Liu and Setiono, 1995)."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

import numpy as np
from scipy.stats import chi2

SIGNIFICANCE = (
    *(0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01, 5e-3, 2e-3, 1e-3, 1e-4, 1e-5, 1e-6),
    *(1e-8, 1e-11, 1e-15, 1e-20, 1e-27, 1e-36, 1e-48, 1e-64, 1e-85, 1e-113, 1e-151, 1e-201, 1e-268),
)
"""Levels that the algorithm goes through; the paper names the first and no others."""

_NOTHING = 0.1
"""The expected count where a class is in neither of two intervals (Liu and Setiono, 1995)."""


def chi2_levels(X, memberships, max_inconsistency=0.05) -> list[np.ndarray]:
    """Levels of each column: 0, 1, ... from the lowest values to the highest; all 0 if everything is merged.

    First the intervals of all columns are merged at ever lower common levels of significance, as long as the
    inconsistency stays at most `max_inconsistency`; then those of one column after the other, each at levels of its
    own, until none can be merged. A step that makes the rows too inconsistent is undone. If they are more inconsistent
    than that with all their values, they may stay so.

    Missing values (NaN) are the last interval of a column, a neighbour of the others only when all of these are merged.
    Rows of the memberships need not sum to one: rows count by their totals.
    """
    weights = memberships[:, memberships.sum(axis=0) > 0]
    thresholds = chi2.isf(SIGNIFICANCE, max(1, weights.shape[1] - 1))
    columns = [Merging(x, weights) for x in X.T]
    rows = _Cells(columns, weights)
    limit = max(max_inconsistency, rows.inconsistency()) + 1e-12
    at = np.full(len(columns), -1)  # how far each column has come
    for step, threshold in enumerate(thresholds):
        before = rows.merged
        rows.merge(dict.fromkeys(range(len(columns)), threshold))
        if rows.inconsistency() > limit:
            rows.merged = before
            break
        at[:] = step
    going = set(range(len(columns)))
    while going:
        for f in sorted(going):
            at[f] += 1
            if at[f] == len(thresholds) or not _merged_further(rows, f, thresholds[at[f]], limit):
                going.remove(f)
    return rows.levels()


def _merged_further(rows, f, threshold, limit) -> bool:
    """Merge one column, unless rows become too inconsistent by it or nothing is left to merge."""
    before = rows.merged
    if not rows.merge({f: threshold}):
        return rows.n_intervals(f) > 1
    if rows.inconsistency() <= limit:
        return True
    rows.merged = before
    return False


class Merging:
    """All merges of the intervals of one column, the most alike neighbours first (Kerber, 1992).

    Intervals are single values at first. Which two are merged next does not depend on where one stops, so that merging
    is done once for all levels of significance. Missing values are merged last, with all others.

    Attributes
    ----------
    places : ndarray of int
        Which of its different values each row has; missing ones are the last.
    """

    def __init__(self, x, weights):
        missing = np.isnan(x)
        values, places = np.unique(x[~missing], return_inverse=True)
        self.places = np.full(len(x), len(values))
        self.places[~missing] = places.ravel()
        counts = np.zeros((len(values) + missing.any(), weights.shape[1]))
        np.add.at(counts, self.places, weights)
        self._cut, heights = _merges(counts[: len(values)].copy())
        if missing.any() and len(values):
            self._cut = np.append(self._cut, len(values))
            heights = np.append(heights, _pairs(counts[:-1].sum(axis=0, keepdims=True), counts[-1:]))
        self._highest = np.maximum.accumulate(heights)

    def n_merged(self, threshold) -> int:
        """How many merges there are before all neighbours differ by `threshold` or more."""
        return int(np.searchsorted(self._highest, threshold, side="left"))

    def levels(self, n_merged) -> np.ndarray:
        """The interval of each row after so many merges."""
        begins = np.ones(len(self._cut) + 1, dtype=np.intp)
        begins[0] = 0
        begins[self._cut[:n_merged]] = 0
        return np.cumsum(begins)[self.places]

    @property
    def n_values(self) -> int:
        return len(self._cut) + 1


def _merges(counts):
    """The interval that is joined to the one before it at each merge, and the chi-square of the two."""
    n = len(counts)
    before, after = np.arange(-1, n - 1), np.arange(1, n + 1)
    version = np.zeros(n, dtype=np.intp)  # of the pair that begins here; -1 if there is none any more
    heap = [(value, i, 0) for i, value in enumerate(_pairs(counts[:-1], counts[1:]).tolist())]
    heapify(heap)
    cut, heights = [], []

    def look_again(i):
        version[i] += 1
        heappush(heap, (float(_pairs(counts[i : i + 1], counts[after[i]][None])[0]), i, int(version[i])))

    while heap:
        height, i, seen = heappop(heap)
        if seen != version[i]:
            continue
        j = int(after[i])
        cut.append(j)
        heights.append(height)
        counts[i] += counts[j]
        version[j] = -1
        after[i] = after[j]
        if after[i] < n:
            before[after[i]] = i
            look_again(i)
        else:
            version[i] += 1
        if before[i] >= 0:
            look_again(int(before[i]))
    return np.array(cut, dtype=np.intp), np.array(heights)


def _pairs(a, b) -> np.ndarray:
    """Chi-square of the table of each pair of intervals and the classes, rounded so that equal ones are equal."""
    both = a + b
    rest = a.sum(axis=1, keepdims=True), b.sum(axis=1, keepdims=True)
    total = rest[0] + rest[1]
    found = np.zeros(len(a))
    for counts, size in zip((a, b), rest, strict=True):
        expected = size * both / total
        expected = np.where(expected > 0, expected, _NOTHING)
        found += ((counts - expected) ** 2 / expected).sum(axis=1)
    return np.round(found, 9)


class _Cells:
    """Rows that are alike in the levels of all columns, as columns are merged.

    The cell of a row is the sum of a random number for each of its levels, modulo 2**64: two cells have the same number
    with a probability of about n_samples**2 / 2**65.
    """

    def __init__(self, columns, weights):
        self._columns, self._weights = columns, weights
        self.merged = tuple(0 for _ in columns)  # merges done
        self._known: dict[int, tuple[int, np.ndarray]] = {}

    def merge(self, thresholds) -> bool:
        """Merge some columns up to these thresholds; whether that changes anything."""
        wanted = list(self.merged)
        for f, threshold in thresholds.items():
            wanted[f] = max(wanted[f], self._columns[f].n_merged(threshold))
        changes = tuple(wanted) != self.merged
        self.merged = tuple(wanted)
        return changes

    def n_intervals(self, f) -> int:
        return self._columns[f].n_values - self.merged[f]

    def levels(self) -> list[np.ndarray]:
        return [column.levels(n) for column, n in zip(self._columns, self.merged, strict=True)]

    def inconsistency(self) -> float:
        """Share of the rows that are not of the commonest class among those with equal levels."""
        keys = np.zeros(len(self._weights), dtype=np.uint64)
        for f in range(len(self.merged)):
            keys += self._numbers(f)
        _, cells = np.unique(keys, return_inverse=True)
        masses = np.array([np.bincount(cells, weights=column) for column in self._weights.T])
        return float(1.0 - masses.max(axis=0).sum() / self._weights.sum())

    def _numbers(self, f) -> np.ndarray:
        """Of each row, for its level in this column."""
        n_merged = self.merged[f]
        if f not in self._known or self._known[f][0] != n_merged:
            draws = np.random.default_rng(f).integers(0, 2**64, self._columns[f].n_values, dtype=np.uint64)
            self._known[f] = n_merged, draws[self._columns[f].levels(n_merged)]
        return self._known[f][1]
