"""The neighbours of every sample in order, kept while memberships change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from sklearn.metrics.pairwise import euclidean_distances

from .. import _kernels
from .balls import ALIKE, centred, class_sizes
from .gaps import Gaps, squared_distances

BUDGET = 512 * 2**20
"""Bytes of orders that are kept; those beyond are found again at each use, with the same answer."""

_ROWS = 4096
_CALIBRATION_COLUMNS = 256


class Lists(NamedTuple):
    """Neighbours of some rows, nearest first: those of row r stand at first[r] .. first[r + 1] - 1."""

    first: np.ndarray
    sample: np.ndarray
    d2: np.ndarray


class Grown(NamedTuple):
    """Balls of every class around every sample: weights and squared radii, and how many groups were seen."""

    weight: np.ndarray
    r2: np.ndarray
    done: int


class NeighbourOrders:
    """For each sample the others within a limit, nearest first.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        NaN where a value is missing: see `Gaps`.
    n_first : int
        About so many neighbours are found at first.
    rows : Rows
        Rows of one group are no neighbours, and a row of weight w counts as w neighbours.
    budget : int
        Bytes to keep.

    Attributes
    ----------
    limits : ndarray of shape (n_samples,)
        Squared distances up to which the orders are known; raised by `extend`.
    lengths : ndarray of int, shape (n_samples,)
        How many neighbours that is.
    """

    def __init__(self, X, n_first, *, rows=ALIKE, n_threads=1, budget=BUDGET):
        self._X, self._rows = centred(X), rows
        self._gaps = Gaps(self._X, rows.weight).of(range(X.shape[1]))
        self._group = None if rows.group is None else rows.group.astype(np.int32)
        self._threads, self._cpu, self._left = n_threads, _kernels.cpu_level(), budget
        self._groups: list[tuple[np.ndarray, Lists | None]] = []
        self._group_of, self.lengths = np.empty((2, len(X)), dtype=np.intp)
        self.limits = np.empty(len(X))
        self.extend(np.arange(len(X)), self._first_limits(n_first))

    def extend(self, rows, limits):
        """Look up to `limits` (squared) around these rows."""
        self.limits[rows] = limits
        for begin in range(0, len(rows), _ROWS):
            some = np.asarray(rows[begin : begin + _ROWS], dtype=np.int32)
            lists = self._find(some)
            size = sum(part.nbytes for part in lists)
            self._group_of[some], self.lengths[some] = len(self._groups), np.diff(lists.first)
            self._groups.append((some, lists if size <= self._left else None))
            self._left -= size if size <= self._left else 0

    def grow(self, memberships, n_neighbors, *, include_self=False, out=None):
        """Weight and squared radius of the ball of each class around each sample, both (n_samples, n_classes).

        The radius is infinite where the order ends before the ball is complete, and -1 where a class has nobody else.
        `out` is an earlier answer for the same memberships: only rows extended since are done.
        """
        gamma = np.ascontiguousarray(self._rows.weighted(memberships), dtype=float)
        known = {"group": self._group, "weight": self._rows.weight}
        asked = _kernels.ask_about_memberships(gamma, "risk", n_neighbors, include_self, **known)
        weight, r2, done = (np.empty_like(gamma), np.empty_like(gamma), 0) if out is None else out
        for rows, current, lists in self._parts(done):
            grown = _kernels.grow(asked, rows, *lists, self._threads, self._cpu)
            weight[rows[current]], r2[rows[current]] = (part[current] for part in grown)
        return Grown(weight, r2, len(self._groups))

    def dimension(self, n_neighbors) -> float:
        """Intrinsic dimension: of Levina and Bickel (2004), averaged as MacKay and Ghahramani (2005) advise.

        Samples that coincide with others are left out.
        """
        if not self._rows.are_alike:
            return self._weighted_dimension(n_neighbors)
        n_neighbors = min(n_neighbors, len(self.limits) - 1)
        while len(short := np.flatnonzero(self.lengths < n_neighbors)):
            self.extend(short, np.where(self.limits[short] > 0, 2 * self.limits[short], np.inf))
        spread, count = 0.0, 0
        for _, current, lists in self._parts():
            near = lists.d2[lists.first[:-1][current, None] + np.arange(n_neighbors)]
            logs = 0.5 * np.log(near[near[:, 0] > 0])
            spread += (logs[:, -1:] - logs[:, :-1]).sum()
            count += len(logs) * (n_neighbors - 1)
        most = float(self._X.shape[1])
        return min(most, max(1.0, count / spread)) if spread > 0 else most

    def _weighted_dimension(self, n_neighbors) -> float:
        """The same where a neighbour counts by its weight, and rows of large groups have few."""
        weight = self._rows.weights(len(self._X))
        goal = np.minimum(n_neighbors, class_sizes(np.ones((len(weight), 1)), self._rows)[:, 0] - 1.0)
        while len(short := np.flatnonzero(self._held() < goal * (1 - 1e-9))):
            self.extend(short, np.where(self.limits[short] > 0, 2 * self.limits[short], np.inf))
        spread, count = 0.0, 0.0
        for rows, current, lists in self._parts():
            for place in np.flatnonzero(current & (goal[rows] > 1)):
                near, row = slice(lists.first[place], lists.first[place + 1]), rows[place]
                if lists.d2[near.start] == 0:
                    continue
                counts = weight[lists.sample[near]]
                counts = np.clip(goal[row] - (np.cumsum(counts) - counts), 0.0, counts)
                logs = 0.5 * np.log(lists.d2[near][counts > 0])
                spread += weight[row] * (counts[counts > 0] * (logs[-1] - logs)).sum()
                count += weight[row] * (goal[row] - 1)
        most = float(self._X.shape[1])
        return min(most, max(1.0, count / spread)) if spread > 0 else most

    def _held(self) -> np.ndarray:
        """How many neighbours of each row are known."""
        if self._rows.weight is None:
            return self.lengths
        held = np.empty(len(self._X))
        for rows, current, lists in self._parts():
            sums = np.concatenate([[0.0], np.cumsum(self._rows.weight[lists.sample])])
            held[rows[current]] = np.diff(sums[lists.first])[current]
        return held

    def _parts(self, since=0) -> Iterator[tuple[np.ndarray, np.ndarray, Lists]]:
        """Groups from number `since` on: rows, which of them have not been extended later, and their lists."""
        for number, (rows, lists) in enumerate(self._groups[since:], start=since):
            current = self._group_of[rows] == number
            if current.any():
                yield rows, current, lists or self._find(rows)

    def _find(self, rows) -> Lists:
        return Lists(
            *_kernels.orders(self._X, self.limits[rows], rows, self._threads, self._cpu, self._gaps, self._group)
        )

    def _first_limits(self, n_first):
        """Squared distances within which about n_first others are, judged by columns at regular places.

        Only the speed depends on this: orders that end too early are extended.
        """
        n = len(self._X)
        some = self._X[:: max(1, n // _CALIBRATION_COLUMNS)]
        # One more for the sample itself, which may be among the columns.
        n_first = n_first if self._rows.weight is None else n_first / self._rows.weight.mean()
        rank = min(len(some) - 1, 1 + int(np.ceil(n_first * len(some) / n)))
        limits = np.empty(n)
        for begin in range(0, n, _ROWS):
            block = self._X[begin : begin + _ROWS]
            if self._gaps is None:
                d2 = euclidean_distances(block, some, squared=True)
            else:
                d2 = squared_distances(block, some, self._gaps)
            limits[begin : begin + _ROWS] = np.partition(d2, rank, axis=1)[:, rank]
        return limits
