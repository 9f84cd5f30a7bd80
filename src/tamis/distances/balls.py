"""The balls of a feature set and of its one-feature variations, summed into an estimate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .. import _kernels

NEGLIGIBLE = 1e-6
"""Memberships below this cost time and change nothing: they are dropped and the row renormalised."""

_CALIBRATION_ROWS = 64


class BallScan:
    """Estimates from nearest-neighbour balls, for a subset of features and its neighbours in a search.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features), finite
    memberships : ndarray of shape (n_samples, n_classes), rows sum to one
    quantity : {"count", "distance", "risk", "entropy"}
        What a row adds: the two forms of mutual information (nats), the two forms of the risk (error of the decision,
        and one minus the largest posterior to break its ties), or the entropy up to its constants.
    n_neighbors : int
        Weight k of a complete ball. A sample never counts in its own ball unless `include_self`.
    n_threads : int

    Notes
    -----
    Squared distances within a factor 1 + 1e-9 are ties and enter together. Every method returns means over the samples,
    in rows of (value, tie_break). The scan remembers the radii of the last variations, so that following a greedy
    path costs one pass over the pairs per step.
    """

    def __init__(self, X, memberships, quantity, *, n_neighbors=8, include_self=False, n_threads=1):
        codes, gamma = _codes_or_memberships(memberships)
        self._X = centred(X) if codes is None else centred(X)[np.argsort(codes, kind="stable")]
        self._n, self._threads, self._cpu = X.shape[0], n_threads, _kernels.cpu_level()
        if codes is None:
            asked = _kernels.ask_about_memberships(gamma, quantity, n_neighbors, include_self)
        else:
            asked = _kernels.ask_about_classes(np.sort(codes), quantity, n_neighbors, include_self)
        self._asked = asked
        self._all_rows = np.arange(self._n, dtype=np.int32)
        self._last: _Variations | None = None

    def alone(self, features: Sequence[int]) -> np.ndarray:
        """Each feature by itself, in the order given."""
        sums, radii = _kernels.lines(self._asked, self._columns(features), self._threads)
        self._last = _Variations((), tuple(features), radii, None)
        return sums / self._n

    def of(self, subset: Sequence[int]) -> np.ndarray:
        """The subset itself."""
        if self._last is not None and self._last.subset == tuple(subset) and self._last.value is not None:
            return self._last.value
        base, nothing = self._columns(subset), np.empty((self._n, 0))
        sums, _ = self._scan(base, nothing, 0, self._limits(subset, base), self._all_rows)
        return sums[-1] / self._n

    def without_each(self, subset: Sequence[int]) -> np.ndarray:
        """The subset less each of its features in turn."""
        if len(subset) == 2:
            return self.alone(subset[::-1])
        base = self._columns(subset)
        sums, radii = self._scan(base, base, -1, self._limits(subset, base), self._all_rows)
        self._last = _Variations(tuple(subset), tuple(subset), radii, sums[-1] / self._n)
        return sums[:-1] / self._n

    def with_each(self, subset: Sequence[int], candidates: Sequence[int]) -> np.ndarray:
        """The subset with each candidate in turn."""
        if not len(subset):
            return self.alone(candidates)
        base, added = self._columns(subset), self._columns(candidates)
        limits = self._guess(base, added, self._limits(subset, base))
        sums, radii = self._scan(base, added, 1, limits, self._all_rows)
        self._last = _Variations(tuple(subset), tuple(candidates), radii, sums[-1] / self._n)
        return sums[:-1] / self._n

    def _columns(self, features) -> np.ndarray:
        return np.take(self._X, features, axis=1)

    def _scan(self, base, candidates, sign, limits, rows):
        return _kernels.scan(self._asked, base, candidates, sign, limits, rows, self._threads, self._cpu)

    def _limits(self, subset, base) -> np.ndarray:
        """Upper bounds of the squared radii of the subset: from the step before, else computed."""
        radii = None if self._last is None else self._last.radii_of(subset)
        if radii is None:
            return _kernels.radii(self._asked, base, self._threads, self._cpu)
        return np.ascontiguousarray(radii, dtype=float)

    def _guess(self, base, added, limits) -> np.ndarray:
        """How far a ball will reach once a feature is added, from rows at regular places.

        Only the speed depends on the guess: rows that it fails are done again by the kernel.
        """
        step = max(1, self._n // _CALIBRATION_ROWS)
        rows = self._all_rows[step // 2 :: step]
        _, radii = self._scan(base, added, 1, np.where(limits < 0, limits, np.inf), rows)
        now, then = limits[rows], radii[:, :, :-1].max(axis=2)
        grown = (then[now > 0] / now[now > 0]) if (now > 0).any() else np.ones(1)
        return np.where(limits < 0, limits, limits * max(1.0, float(np.quantile(grown, 0.9))))


class _Variations(NamedTuple):
    """What the last scan found: of the subset varied by each candidate, and of the subset itself."""

    subset: tuple[int, ...]
    candidates: tuple[int, ...]
    radii: np.ndarray
    value: np.ndarray | None

    def radii_of(self, subset):
        """Those of a subset that differs by one candidate; None if this is not such a one."""
        differs = set(self.subset) ^ set(subset)
        if len(differs) != 1 or not differs <= set(self.candidates):
            return None
        return self.radii[:, :, self.candidates.index(differs.pop())]


def _codes_or_memberships(memberships):
    """Class codes if every row is one class, else memberships without the negligible ones."""
    kept = np.where(memberships < NEGLIGIBLE, 0.0, memberships)
    if (np.count_nonzero(kept, axis=1) == 1).all():
        return kept.argmax(axis=1).astype(np.int32), None
    return None, np.ascontiguousarray(kept / kept.sum(axis=1, keepdims=True))


def centred(X):
    """Columns centred, the whole divided by a power of two: float32 can neither overflow nor lose a small difference.

    A common factor changes no estimate here but the entropy, which adds its logarithm back: see `log2_scale`.
    """
    X = np.ldexp(np.asarray(X, dtype=float), -log2_scale(X))
    return X - X.mean(axis=0)


def log2_scale(X) -> int:
    """Exponent e with max |X| < 2**e."""
    return int(np.frexp(np.abs(X).max(initial=0.0))[1])
