"""Samples that balls are grown among, and the question that is asked about them."""

from __future__ import annotations

import numpy as np

from .. import _kernels
from .gaps import Gaps
from .workers import Shared, n_workers

_TASKS_PER_WORKER = 3
_LEAST_ROWS = 512
"""Of a task: its worker sorts all rows into panels first, which takes as long as some 250 rows."""
LEFT_OUT = 1e-3
"""The smallest memberships of a row, together at most this share of it, have no term in the count form of the mutual
information, which changes by at most as much times the harmonic number of the samples: 0.0075 nats at 1000 samples. All
memberships count in the balls of others."""
NO_ENDS = np.empty(0, np.int32)


class Samples:
    """Scans of some columns, around some of the rows, by threads or by the workers of a joblib backend.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_columns)
        Centred; sorted by class if there are codes. NaN where a value is missing.
    codes : ndarray of int32 or None
        Class of each row.
    gamma : ndarray of shape (n_samples, n_classes) or None
        Memberships, if rows are not of one class each or have weights; multiplied with the weights.
    question : tuple
        Quantity, number of neighbours, whether a sample is its own neighbour, whether it counts in the size of its
        class.
    rows : Rows
        Weights and groups, in the order of X.
    costs : dict or None
        How far targets are apart, in the order of X: instead of codes or gamma.

    Notes
    -----
    Rows are done in blocks of fixed size, each a pure function of its rows, and their sums come in order: the same bits
    whoever does them.
    """

    def __init__(self, X, codes, gamma, question, rows, costs=None):
        self.X, self._codes, self._gamma, self._question, self._rows = X, codes, gamma, question, rows
        self._costs = costs
        self._gaps = Gaps(X, rows.weight)
        self._floors: np.ndarray | None = None
        self._cpu = _kernels.cpu_level()
        # Once: joblib takes about 20 microseconds to tell, a scan of 500 x 20 about 400.
        self._workers = n_workers()
        self._ask()
        self._shared: Shared | None = None

    def _ask(self):
        if self._costs is not None:
            known = {"group": self._rows.group, "weight": self._rows.weight}
            self.asked = _kernels.ask_about_costs(self._costs, len(self.X), *self._question, **known)
        elif self._codes is None:
            known = {"group": self._rows.group, "weight": self._rows.weight, "left_out": LEFT_OUT}
            self.asked = _kernels.ask_about_memberships(self._gamma, *self._question, **known)
        else:
            self.asked = _kernels.ask_about_classes(self._codes, *self._question, group=self._rows.group)

    def __getstate__(self):
        return self.X, self._codes, self._gamma, self._question, self._rows, self._costs

    def __setstate__(self, state):
        self.__init__(*state)  # type: ignore[misc]

    def take(self, columns) -> np.ndarray:
        """Some columns; no copy if these are all."""
        columns = list(columns)
        return self.X if columns == list(range(self.X.shape[1])) else np.take(self.X, columns, axis=1)

    def lines(self, columns, n_threads) -> tuple[np.ndarray, np.ndarray]:
        """Each column alone: sums over all rows, and upper bounds of squared radii."""
        return _kernels.lines(self.asked, self.take(columns), n_threads, self._gaps.of(columns))

    def radii(self, columns, rows, n_threads) -> np.ndarray:
        """Squared radii of the balls of these rows in some columns: (n_samples, n_balls), infinite elsewhere."""
        if not self._workers:
            return self.radii_here(columns, rows, n_threads)
        parts = self._each(_radii, rows, lambda some: (columns, some))
        found = np.full((len(self.X), parts[0].shape[1]), np.inf)
        found[rows] = np.concatenate(parts)
        return found

    def scan(self, columns, candidates, ends, sign, limits, rows, n_threads):
        """Columns varied by each candidate: sums of blocks of rows, and upper bounds of squared radii.

        Candidates are columns of their own, or None: the same ones, which leave.
        """
        if not self._workers:
            return self.scan_here(columns, candidates, ends, sign, limits, rows, n_threads)
        parts = self._each(_scan, rows, lambda some: (columns, candidates, ends, sign, limits[some], some))
        sums, radii = zip(*parts, strict=True)
        return np.concatenate(sums), np.concatenate(radii)

    def floors(self, columns, ends=NO_ENDS) -> np.ndarray | None:
        """What each row is away from all others by its own gaps in each candidate; None if there are no gaps."""
        if self._gaps.of(columns) is None:
            return None
        if self._floors is None:
            self._floors = np.where(np.isnan(self.X), self._gaps.squared, 0.0)
        floors = np.take(self._floors, columns, axis=1)
        return np.add.reduceat(floors, [0, *ends[:-1]], axis=1) if len(ends) else floors

    def radii_here(self, columns, rows, n_threads=1):
        return _kernels.radii(self.asked, self.take(columns), rows, n_threads, self._cpu, self._gaps.of(columns))

    def scan_here(self, columns, candidates, ends, sign, limits, rows, n_threads=1):
        base = self.take(columns)
        added = base if candidates is None else self.take(candidates)
        gaps = self._gaps.of(columns), None if candidates is None else self._gaps.of(candidates)
        return _kernels.scan(self.asked, base, added, ends, sign, limits, rows, n_threads, self._cpu, *gaps)

    def _each(self, function, rows, task) -> list:
        """Blocks of rows are the tasks; at least one."""
        if self._shared is None:
            self._shared = Shared(self)
        step = max(_LEAST_ROWS, -(-len(rows) // (_TASKS_PER_WORKER * self._workers)))
        step = -(-step // _kernels.ROWS_PER_SUM) * _kernels.ROWS_PER_SUM
        starts = range(0, max(1, len(rows)), step)
        return self._shared.each(function, [task(rows[begin : begin + step]) for begin in starts])


def _radii(samples, columns, rows):
    return samples.radii_here(columns, rows)[rows]


def _scan(samples, columns, candidates, ends, sign, limits, rows):
    of_all = np.full((len(samples.X), limits.shape[1]), np.inf)
    of_all[rows] = limits
    return samples.scan_here(columns, candidates, ends, sign, of_all, rows)
