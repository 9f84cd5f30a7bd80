"""The balls of a feature set and of its one-feature variations, summed into an estimate."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import NamedTuple

import numpy as np

from .._validation import Rows, lonely_classes
from .samples import NO_ENDS, Samples

ALIKE = Rows()
"""Each row counts once and is a group of its own."""
NEGLIGIBLE = 1e-6
"""Memberships below this cost time and change nothing: they are dropped and the row renormalised."""

_CALIBRATION_ROWS = 32
_FOUND_AT_ONCE = 0.9
"""Share of the rows whose balls a guess holds: longer lists against rows that are done again. At 2310 x 18 x 7 the
scans that add candidates take the same time with 0.95, 4 % longer with 0.8 and 7-11 % with 0.7 (one run each)."""


class BallScan:
    """Estimates from nearest-neighbour balls, for a subset of features and its neighbours in a search.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_columns)
        NaN where a value is missing: see `Gaps`.
    memberships : ndarray of shape (n_samples, n_classes), rows sum to one
    quantity : {"count", "distance", "risk", "entropy", "cost"}
        What a row adds: the two forms of mutual information (nats), the two forms of the risk (error of the decision,
        and one minus the largest posterior to break its ties), the entropy up to its constants, or the mean cost of
        the others in its ball. Information has no
        terms of classes without company (`lonely_classes`), whose rows are in the balls of others all the same.
    rows : Rows
        A row of weight w is w rows, none of which is in a ball of another. Rows of one group are in no ball of each
        other.
    groups : sequence of sequences of int, default=None
        The columns of each feature, at least one, anywhere in X: they enter and leave together. None: a feature is a
        column.
    n_neighbors : int
        Weight k of a complete ball. A sample never counts in its own ball unless `include_self`.
    whole_sizes : bool
        Whether the size of a class that a density is divided by counts the sample itself, as papers print it, rather
        than one more than the others: for classes other than its own that is one less.
    costs : dict, default=None
        For "cost" what one row costs another: see `tamis.distances.costs`. Memberships are not used then.
    queries : ndarray of int, default=None
        Rows around which balls are grown, each once; all rows are inside them. None: every row.
    n_threads : int

    Notes
    -----
    Squared distances within a factor 1 + 1e-9 are ties and enter together. Every method returns means over the
    queries, in rows of (value, tie_break), in which a query counts by its weight over the mean weight of all rows;
    `sums` has the sums over blocks of queries behind the last variations. The scan remembers their radii, so that
    following a greedy path costs one pass over the pairs per step.
    """

    def __init__(
        self,
        X,
        memberships,
        quantity,
        *,
        rows=ALIKE,
        groups=None,
        n_neighbors=8,
        include_self=False,
        whole_sizes=False,
        costs=None,
        queries=None,
        n_threads=1,
    ):
        codes, gamma = None, None
        if costs is None:
            codes, gamma = _codes_or_memberships(memberships, rows, quantity, include_self)
        self._mean_weight = None if rows.weight is None else float(rows.weight.mean())
        self._log2_scale = log2_scale(X)
        self._n, self._threads, self._groups = X.shape[0], n_threads, groups
        self._order = np.arange(self._n) if codes is None else np.argsort(codes, kind="stable")
        codes = None if codes is None else codes[self._order]
        question = quantity, n_neighbors, include_self, whole_sizes
        self._samples = Samples(self._prepared(X), codes, gamma, question, rows.of(self._order), costs)
        self._ask_around(queries)

    def around(self, queries) -> BallScan:
        """The same scan with other queries; it shares the samples."""
        other = copy(self)
        other._ask_around(queries)
        return other

    def _ask_around(self, queries):
        if queries is None:
            self._rows = np.arange(self._n, dtype=np.int32)
        else:
            places = np.empty(self._n, dtype=np.int32)
            places[self._order] = np.arange(self._n, dtype=np.int32)
            self._rows = places[queries]
        self._last: _Variations | None = None

    @property
    def n_rows(self) -> int:
        """All of them, whatever the queries."""
        return self._n

    def width(self, subset: Sequence[int]) -> int:
        """Number of columns of a subset."""
        return len(self._columns(subset))

    def alone(self, features: Sequence[int]) -> np.ndarray:
        """Each feature by itself, in the order given."""
        features, where = self._by_width(features)
        columns, ends = self._columns(features), self._ends(features)
        means, radii = self._alone(columns, ends)
        self._last = _Variations((), tuple(features), radii, None, _reach(radii, self._floors(columns, ends)))
        return means[where]

    def of(self, subset: Sequence[int]) -> np.ndarray:
        """The subset itself."""
        if self._last is not None and self._last.subset == tuple(subset) and self._last.value is not None:
            return self._last.value
        columns = self._columns(subset)
        sums, _ = self._itself(columns, self._limits(subset, columns))
        return self._mean(sums)[-1]

    def without_each(self, subset: Sequence[int]) -> np.ndarray:
        """The subset less each of its features in turn."""
        ordered, where = self._by_width(subset)
        ends = self._ends(ordered)
        if len(subset) == 2 and not len(ends):
            return self.alone(subset[::-1])
        columns = self._columns(ordered)
        sums, radii = self._scan(columns, None, ends, -1, self._limits(subset, columns), self._rows)
        return self._varied(subset, ordered, sums, radii, where, None)

    def with_each(self, subset: Sequence[int], candidates: Sequence[int]) -> np.ndarray:
        """The subset with each candidate in turn."""
        if not len(subset):
            return self.alone(candidates)
        candidates, where = self._by_width(candidates)
        added, ends = self._columns(candidates), self._ends(candidates)
        floors = self._floors(added, ends)
        sums, radii = self._joined(subset, added, ends, floors)
        return self._varied(subset, candidates, sums, radii, where, floors)

    def _varied(self, subset, candidates, sums, radii, where, floors):
        means = self._mean(sums)
        self._last = _Variations(tuple(subset), tuple(candidates), radii, means[-1], _reach(radii, floors))
        self.sums = self._per_row(np.concatenate([sums[:, where], sums[:, -1:]], axis=1))
        return means[where]

    def _mean(self, sums):
        return self._per_row(sums.sum(axis=0)) / len(self._rows)

    def _per_row(self, sums):
        """Sums in which a row of the mean weight counts once."""
        return sums if self._mean_weight is None else sums / self._mean_weight

    def _prepared(self, X) -> np.ndarray:
        return centred(X, self._log2_scale)[self._order]

    def _columns(self, features) -> list[int]:
        """Those of the features, side by side."""
        if self._groups is None:
            return list(features)
        return [column for f in features for column in self._groups[f]]

    def _ends(self, features) -> np.ndarray:
        """Where the columns of each feature end; nothing if each has one."""
        if self._groups is None:
            return NO_ENDS
        ends = np.cumsum([len(self._groups[f]) for f in features], dtype=np.int32)
        return ends if len(ends) < ends[-1] else NO_ENDS

    def _by_width(self, features):
        """The features with the fewest columns first, as the kernel wastes least, and where each went."""
        if self._groups is None:
            return features, slice(len(features))
        order = np.argsort([len(self._groups[f]) for f in features], kind="stable")
        return [features[o] for o in order], np.argsort(order)

    def _scan(self, columns, candidates, ends, sign, limits, rows):
        return self._samples.scan(columns, candidates, ends, sign, limits, rows, self._threads)

    def _itself(self, columns, limits):
        return self._scan(columns, [], NO_ENDS, 0, limits, self._rows)

    def _alone(self, columns, ends):
        """Each candidate by itself, the narrowest first: means and radii; of single columns means over all rows."""
        singles = int((np.diff(ends, prepend=0) == 1).sum()) if len(ends) else len(columns)
        found = []
        if singles:
            sums, radii = self._samples.lines(columns[:singles], self._threads)
            found.append((self._per_row(sums) / self._n, radii[self._rows]))
        for begin, end in zip(ends[singles - 1 : -1] if singles else [0, *ends[:-1]], ends[singles:], strict=True):
            block = columns[begin:end]
            sums, radii = self._itself(block, self._samples.radii(block, self._rows, self._threads))
            found.append((self._mean(sums), radii))
        return np.concatenate([means for means, _ in found]), np.concatenate([radii for _, radii in found], axis=2)

    def _floors(self, columns, ends):
        """What each query is away from all others by its own gaps in each candidate; None if there are no gaps."""
        floors = self._samples.floors(columns, ends)
        return None if floors is None else floors[self._rows]

    def _joined(self, subset, added, ends, floors):
        """The subset with each candidate in turn and, last, itself: sums and radii."""
        columns = self._columns(subset)
        limits = self._guess(columns, added, ends, self._limits(subset, columns), floors)
        return self._scan(columns, added, ends, 1, limits, self._rows)

    def _limits(self, subset, columns) -> np.ndarray:
        """Upper bounds of the squared radii of the subset: from the step before, else computed."""
        radii = None if self._last is None else self._last.radii_of(subset)
        if radii is None:
            return self._samples.radii(columns, self._rows, self._threads)
        limits = np.full((self._n, radii.shape[1]), np.inf)
        limits[self._rows] = radii
        return limits

    def _guess(self, columns, added, ends, limits, floors) -> np.ndarray:
        """How far in the subset a ball will reach once a candidate is added, from rows at regular places.

        Only the speed depends on the guess: rows that it fails are done again by the kernel.
        """
        step = max(1, len(self._rows) // _CALIBRATION_ROWS)
        some = slice(step // 2, None, step)
        known = [limits[self._rows]]
        if self._last is not None:  # where a candidate reached far in the step before, it will again
            known.append(np.maximum(known[0], self._last.reach))
        own = self._samples.floors(columns)
        floor = np.zeros((len(self._rows), 1))
        if own is not None:  # nobody is nearer in the subset
            floor = own[self._rows].sum(axis=1, keepdims=True)
        above = [k - floor for k in known]
        at_first = np.where(limits < 0, limits, np.inf)
        if len(known) > 1:
            at_first[self._rows] = np.where(known[0] < 0, known[0], floor + 2 * above[1])
        _, radii = self._scan(columns, added, ends, 1, at_first, self._rows[some].copy())
        reached = _reach(radii[:, :, :-1], None if floors is None else floors[some])
        guess = floor + _power_law(above, some, reached - floor[some])
        at_first[self._rows] = np.where(known[0] < 0, known[0], np.maximum(known[0], guess))
        return at_first


def _reach(radii, floors) -> np.ndarray:
    """The largest squared radius over candidates, each less than it by as much as the row is away from everybody."""
    if floors is None:
        return radii.max(axis=2)
    n_candidates = floors.shape[1]
    reach = (radii[:, :, :n_candidates] - floors[:, None]).max(axis=2)
    return reach if n_candidates == radii.shape[2] else np.maximum(reach, radii[:, :, -1])


def _power_law(known, some, reached) -> np.ndarray:
    """Squared radii that most balls stay within: products of powers of those known, fitted to some rows."""
    good = np.all([(k > 0) & np.isfinite(k) for k in known], axis=0)
    logs = np.stack([np.ones(good.shape), *(np.log(np.where(good, k, 1.0)) for k in known)], axis=2)
    fitted = good[some] & (reached > 0) & np.isfinite(reached)
    if not fitted.any():
        return known[-1]
    given, wanted = logs[some][fitted], np.log(reached[fitted].astype(float))
    powers = np.linalg.lstsq(given, wanted, rcond=None)[0]
    margin = np.quantile(wanted - given @ powers, _FOUND_AT_ONCE)
    return np.where(good, np.exp(np.minimum(logs @ powers + margin, 700.0)), known[-1])


class _Variations(NamedTuple):
    """What the last scan found: of the subset varied by each candidate, and of the subset itself.

    `reach` is how far the balls of the candidates reach in the subset.
    """

    subset: tuple[int, ...]
    candidates: tuple[int, ...]
    radii: np.ndarray
    value: np.ndarray | None
    reach: np.ndarray

    def radii_of(self, subset):
        """Those of the subset or of one that differs by a candidate; None if this is not such a one."""
        differs = set(self.subset) ^ set(subset)
        if not differs and self.value is not None:
            return self.radii[:, :, -1]
        if len(differs) != 1 or not differs <= set(self.candidates):
            return None
        return self.radii[:, :, self.candidates.index(differs.pop())]


def _codes_or_memberships(memberships, rows, quantity, include_self):
    """Class codes if every row is one class and counts once, else memberships without the negligible ones.

    Information has no terms of classes that have nothing to be compared with. Where rows count once and have codes, the
    kernel finds that out; a sample that is its own neighbour would be compared with itself.
    """
    kept = kept_memberships(memberships)
    has_codes = rows.weight is None and (np.count_nonzero(kept, axis=1) == 1).all()
    if quantity in ("count", "distance") and (include_self or not has_codes):
        alone = lonely_classes(kept, rows)
        kept[:, alone] = 0.0
        has_codes &= not alone.any()
    if has_codes:
        return kept.argmax(axis=1).astype(np.int32), None
    return None, rows.weighted(kept)


def kept_memberships(memberships) -> np.ndarray:
    """Memberships without the negligible ones; rows sum to one, or to zero if nothing is known of them."""
    kept = np.where(memberships < NEGLIGIBLE, 0.0, memberships)
    total = kept.sum(axis=1, keepdims=True)
    return np.ascontiguousarray(kept / np.where(total > 0, total, 1.0))


def class_sizes(memberships, rows, include_self=False) -> np.ndarray:
    """How many samples of each class a density at each row is of: those outside its group, and one for itself."""
    weighted = rows.weighted(memberships)
    own = weighted
    if rows.group is not None:
        own = np.zeros((rows.group.max() + 1, memberships.shape[1]))
        np.add.at(own, rows.group, weighted)
        own = own[rows.group]
    return weighted.sum(axis=0) + ((memberships if include_self else 1.0) - own)


def centred(X, exponent=None):
    """Columns centred, the whole divided by a power of two: float32 can neither overflow nor lose a small difference.

    A common factor changes no estimate here but the entropy, which adds its logarithm back. The exponent is
    `log2_scale(X)` unless given. Numbers of float32 stay so.
    """
    X = np.ldexp(X, -(log2_scale(X) if exponent is None else exponent))
    means = X.mean(axis=0, dtype=float)
    for column in np.flatnonzero(np.isnan(means)):
        there = ~np.isnan(X[:, column])
        means[column] = X[there, column].mean(dtype=float) if there.any() else 0.0
    X -= means
    return X


def log2_scale(X) -> int:
    """Exponent e with max |X| < 2**e; missing values do not count."""
    high, low = float(X.max(initial=0)), float(X.min(initial=0))
    if np.isnan(high):
        high, low = (float(extreme.reduce(X, axis=None, initial=0)) for extreme in (np.fmax, np.fmin))
    return int(np.frexp(max(high, -low))[1])
