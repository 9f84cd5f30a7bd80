"""Several targets of the same rows at once: the mean of their estimates."""

from __future__ import annotations

import numpy as np

from .balls import BallScan


class MeanScan:
    """Scans of the same samples for several targets, as one: every result is the mean of theirs.

    Parameters
    ----------
    scans : list of BallScan
        Of the same samples and queries.
    """

    def __init__(self, scans: list[BallScan]):
        self._scans = scans

    def around(self, queries) -> MeanScan:
        return MeanScan([scan.around(queries) for scan in self._scans])

    @property
    def n_rows(self) -> int:
        return self._scans[0].n_rows

    def width(self, subset) -> int:
        return self._scans[0].width(subset)

    @property
    def sums(self) -> np.ndarray:
        return self._mean(scan.sums for scan in self._scans)

    def of(self, subset) -> np.ndarray:
        return self._mean(scan.of(subset) for scan in self._scans)

    def without_each(self, subset) -> np.ndarray:
        return self._mean(scan.without_each(subset) for scan in self._scans)

    def with_each(self, subset, candidates) -> np.ndarray:
        return self._mean(scan.with_each(subset, candidates) for scan in self._scans)

    def _mean(self, values) -> np.ndarray:
        return sum(values) / len(self._scans)
