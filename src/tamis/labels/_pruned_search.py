"""Which label sets are too rare: by the loss, on rows left out, of what a search selects without them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from .. import _validation
from ..distances.balls import BallScan
from ..distances.gaps import Gaps
from ..distances.scaling import scaled
from ._weights import independence, mean_of, number_of, variance_of

_MOST_SIZES = 4
_MOST_SELECTED = 5
"""With four to six and two repeats ten seeds chose alike on Emotions and Enron, with eight or one repeat fewer."""
_MOST_SEARCHED = 200
_MOST_ROWS = 10_000
"""Of more rows so many are drawn."""
_N_PREDICTING = 10
_FEATURES_AT_ONCE = 64
_BLOCK_VALUES = 2**21
_TIE = 1 + 1e-9
_EQUAL = 1e-10


class ByLoss(NamedTuple):
    """A size, and the loss of all sizes that keep the same sets as one of those compared."""

    size: int
    losses: dict[int, float]


def choose_by_loss(X, has, pruning, sizes, n_neighbors, *, n_repeats, random_state, n_threads) -> ByLoss:
    """The smallest size whose loss is behind the best one by no more than a standard error.

    The rows are split into halves. A short forward search on the kept rows of one half selects features; the nearest
    neighbors there, among rows of any set, predict the labels of all rows of the other half. The loss is the squared
    error, summed over labels, in the mean over the halves, their repetitions and the numbers of features.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        NaN where a value is missing.
    has : ndarray of shape (n_samples, n_labels)
        The labels of each row.
    pruning : Pruning
    sizes : iterable of int
        At least one of them keeps two sets.
    n_neighbors : int
        Of the estimates of information.
    """
    cases = distinct(pruning, sizes)
    if len(cases) == 1:
        return ByLoss(cases[0][0], {})
    random, X = _validation.check_seed(random_state), scaled(X, "standard", pruning.rows.weight)
    some = _drawn(pruning.codes, pruning.kept(cases[-1][0]), random)
    kept = [np.isin(pruning.codes[some], pruning.kept(same[0])) for same in cases]
    gaps, codes = Gaps(X, pruning.rows.weight).squared, _by_appearance(pruning.codes[some])
    data = _Data(X[some], has[some].astype(float), codes, pruning.rows.of(some), gaps)
    if data.rows.group is not None and np.ptp(data.rows.group) == 0:  # nothing can be left out
        return ByLoss(cases[0][0], {})
    of_rows, of_halves = np.zeros((len(some), len(cases))), []
    for _ in range(n_repeats):
        half = _halves(data, random)
        for tested in (half, ~half):
            loss = _losses(data, kept, ~tested, tested, n_neighbors, n_threads)
            of_rows[tested] += loss / n_repeats
            of_halves.append(mean_of(loss, data.rows.of(tested)))
    place = _smallest(of_rows, np.array(of_halves), data.rows)
    loss = mean_of(of_rows, data.rows).tolist()
    return ByLoss(cases[place][0], {size: loss[c] for c, same in enumerate(cases) for size in same})


def distinct(pruning, sizes) -> list[list[int]]:
    """Sizes that keep the same two sets or more are one case; of many cases four, spread by the rows that they keep.

    The smallest and the largest size are always among them.
    """
    cases: dict[int, list[int]] = {}
    for size in sorted(set(sizes)):
        n_kept = len(pruning.kept(size))
        if n_kept >= 2:
            cases.setdefault(n_kept, []).append(size)
    found = list(cases.values())
    n_rows = np.array([pruning.counts[pruning.kept(same[0])].sum() for same in found])
    wanted = np.linspace(n_rows[0], n_rows[-1], min(len(found), _MOST_SIZES))
    return [found[place] for place in sorted({int(np.abs(n_rows - n).argmin()) for n in wanted})]


class _Data(NamedTuple):
    """Rows with their labels, the codes of their label sets, and what else is known of them; and of the columns."""

    X: np.ndarray
    has: np.ndarray
    codes: np.ndarray
    rows: _validation.Rows
    gaps: np.ndarray

    def of(self, mask):
        return _Data(self.X[mask], self.has[mask], self.codes[mask], self.rows.of(mask), self.gaps)


def _by_appearance(codes):
    """Codes in the order of the first rows, whatever the labels are called."""
    _, first, place = np.unique(codes, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[place.ravel()]


def _drawn(codes, frequent, random):
    """Rows to compare sizes on: all, or of many some. Sets that no size prunes are thinned out, others drawn whole."""
    rows = np.arange(len(codes))
    if len(rows) <= _MOST_ROWS:
        return rows
    _, unit = np.unique(np.where(np.isin(codes, frequent), rows, len(rows) + codes), return_inverse=True)
    order = random.permutation(unit.max() + 1)
    n_rows = np.bincount(unit.ravel())[order]
    return rows[np.isin(unit.ravel(), order[np.cumsum(n_rows) - n_rows < _MOST_ROWS])]


def _halves(data, random):
    """Whether each row is in the first half; groups stay whole, and halves have as many rows of each set."""
    group = np.arange(len(data.codes)) if data.rows.group is None else data.rows.group
    _, first, unit = np.unique(group, return_index=True, return_inverse=True)
    order = np.lexsort((random.permutation(len(first)), data.codes[first]))
    half = np.zeros(len(first), dtype=bool)
    half[order[::2]] = True
    return half[unit.ravel()]


def _losses(data, kept, learned, tested, n_neighbors, n_threads):
    """The loss of each tested row for each case, in the mean over the sizes of the path."""
    seen = [data.of(learned & mask if (learned & mask).any() else learned) for mask in kept]
    how = {"n_neighbors": n_neighbors, "n_threads": n_threads}
    features = np.arange(data.X.shape[1])
    if len(features) > _MOST_SEARCHED:  # the same for all cases: those of all sets that any of them keeps
        values = _alone(_scan(seen[0], **how), features)
        features = np.sort(np.argsort(-values, kind="stable")[:_MOST_SEARCHED])
    paths = [_forward(_scan(some, **how), features) for some in seen]
    return _held_out(data.of(learned), data.of(tested), data.gaps, paths)


def _scan(data, **how) -> BallScan:
    """Joint information of features and label sets."""
    sets, codes = np.unique(data.codes, return_inverse=True)
    return BallScan(data.X, np.eye(len(sets))[codes.ravel()], "count", rows=data.rows, **how)


def _alone(scan, features) -> np.ndarray:
    batches = np.array_split(features, -(-len(features) // _FEATURES_AT_ONCE))
    return np.concatenate([scan.alone(batch.tolist())[:, 0] for batch in batches])


def _forward(scan, features) -> list[int]:
    """The first features of a forward search."""
    left, path, values = features.tolist(), [], _alone(scan, features)
    while True:
        path.append(left.pop(int(np.argmax(values >= values.max() - _EQUAL))))
        if len(path) == _MOST_SELECTED or not left:
            return path
        values = scan.with_each(path, left)[:, 0]


def _held_out(learned, tested, gaps, paths):
    """The squared error of predictions by nearest neighbors: (n_rows, n_paths), the mean over the first 1, 2, ...

    Of neighbors that are equally far all count; one of weight w is w of them.
    """
    loss = np.empty((len(tested.X), len(paths)))
    at_once = max(1, _BLOCK_VALUES // len(learned.X))
    for begin in range(0, len(tested.X), at_once):
        rows = slice(begin, begin + at_once)
        known: dict[frozenset, np.ndarray] = {}
        for p, path in enumerate(paths):
            apart = np.zeros((len(tested.X[rows]), len(learned.X)))
            errors = []
            for n, feature in enumerate(path):
                one = tested.X[rows, None, feature] - learned.X[:, feature]
                one *= one
                one[np.isnan(one)] = gaps[feature]
                apart += one
                subset = frozenset(path[: n + 1])
                if subset not in known:
                    predicted = _predicted(apart, learned.has, learned.rows)
                    known[subset] = ((predicted - tested.has[rows]) ** 2).sum(axis=1)
                errors.append(known[subset])
            loss[rows, p] = np.mean(errors, axis=0)
    return loss


def _predicted(apart, has, rows):
    """Shares of the nearest rows that have each label."""
    n = len(has)
    if rows.weight is None:
        last = min(_N_PREDICTING, n) - 1
        radius = np.partition(apart, last, axis=1)[:, [last]]
    else:
        order = np.argsort(apart, axis=1, kind="stable")
        mass = np.cumsum(rows.weight[order], axis=1)
        enough = mass >= np.minimum(_N_PREDICTING, mass[:, [-1]]) * (2 - _TIE)
        radius = np.take_along_axis(apart, np.take_along_axis(order, enough.argmax(axis=1)[:, None], 1), 1)
    shares = (apart <= radius * _TIE) * rows.weights(n)
    return (csr_array(shares) @ has) / shares.sum(axis=1, keepdims=True)


def _smallest(of_rows, of_halves, rows) -> int:
    """The first case that is not behind the best one by more than a standard error of their difference.

    That of repeated splits with the correction for rows that they share (Nadeau and Bengio, 2003), one test row coming
    with one row learned; at least that of independent rows.
    """
    best = int(mean_of(of_rows, rows).argmin())
    behind, in_halves = of_rows - of_rows[:, [best]], of_halves - of_halves[:, [best]]
    of_splits = (1 / len(in_halves) + 1) * in_halves.var(axis=0, ddof=1)
    independent = variance_of(behind, rows) / (number_of(behind, rows) * independence(rows, len(behind)))
    return int(np.argmax(mean_of(behind, rows) <= np.sqrt(np.maximum(of_splits, independent)) + _EQUAL))
