"""The judge of every subset of a path at once: each neighbour search starts from the neighbours of the one before."""

from __future__ import annotations

import numpy as np
from sklearn.metrics.pairwise import euclidean_distances

from experiments.judge import N_NEIGHBORS, Judge, balanced_errors
from tamis import _kernels

_TEST = 127
_COLUMNS = 256


def nested_errors(judge: Judge, order) -> list[float]:
    """What `judge.error` gives for the first, the first two, ... and all of the features in `order`.

    A feature that leaves makes no distance longer, so that the neighbours in one subset limit the search in the next.
    Of samples at equal distances (as rounded) the first is nearer; `judge.error` leaves it to chance.
    """
    order, errors = [int(feature) for feature in order], []
    search = _Search(judge)
    for size in range(len(order), 0, -1):
        key = tuple(sorted(order[:size]))
        if key not in judge._errors:
            judge._errors[key] = 100 * _error(judge, search.neighbours(key))
        errors.append(judge._errors[key])
    return errors[::-1]


def _error(judge, near):
    labels, n_classes = judge.y[near], int(max(judge.y.max(), judge.y_test.max())) + 1
    decided = _decisions(labels, n_classes)
    n = len(judge.y)
    best = int(np.argmin(balanced_errors(judge.y, decided[:, :n])))  # of equal ones the smallest k
    return float(balanced_errors(judge.y_test, decided[best : best + 1, n:])[0])


def _decisions(labels, n_classes):
    """`judge.decisions` in whole numbers."""
    at = np.minimum(N_NEIGHBORS, labels.shape[1]) - 1
    votes = np.empty((n_classes, len(at), len(labels)), dtype=np.int16)
    for s in range(n_classes):
        is_s = labels == s
        met = np.where(is_s.any(axis=1), is_s.argmax(axis=1), labels.shape[1])
        votes[s] = 128 * is_s.cumsum(axis=1, dtype=np.int16)[:, at].T - met
    return votes.argmax(axis=0)


class _Search:
    """The nearest training samples of another fold, for training and test samples, in ever smaller subsets."""

    def __init__(self, judge):
        self._n = len(judge.X)
        self._X = np.vstack([judge.X, judge.X_test])
        self._X = self._X - self._X.mean(axis=0)
        # A test sample is nobody's neighbour, and has neighbours in all folds.
        self._part = np.concatenate([judge.folds, np.full(len(judge.X_test), _TEST)]).astype(np.int8)
        largest = np.bincount(judge.folds).max()
        self._k = int(min(N_NEIGHBORS[-1], self._n - largest))
        self._cpu = _kernels.cpu_level()
        self._near: np.ndarray | None = None

    def neighbours(self, subset) -> np.ndarray:
        """Nearest first, (n_training + n_test, k)."""
        X = np.ascontiguousarray(self._X[:, subset])
        limits = self._first_limits(X) if self._near is None else self._limits(X)
        rows, near = np.arange(len(X), dtype=np.int32), np.empty((len(X), self._k), dtype=np.int32)
        while len(rows):
            enough, found = self._found(X, rows, limits)
            near[rows[enough]] = found
            rows = rows[~enough]
            limits[rows] = np.where(limits[rows] > 0, 2.0 ** (2 / len(subset)) * limits[rows], np.inf)
        self._near = near
        return near

    def _found(self, X, rows, limits):
        """Which rows have k neighbours within their limits, and those."""
        first, sample, _ = _kernels.orders(X, limits[rows], rows, 1, self._cpu)
        lengths, part = np.diff(first), self._part[sample]
        allowed = (part != np.repeat(self._part[rows], lengths)) & (part != _TEST)
        count = np.concatenate([[0], allowed.cumsum(dtype=np.int32)])
        before = count[first[:-1]]
        enough = count[first[1:]] - before >= self._k
        last = np.where(enough, before + self._k, 0)
        taken = allowed & (count[1:] <= np.repeat(last, lengths))
        return enough, sample[taken].reshape(-1, self._k)

    def _limits(self, X):
        """Squared distances to the farthest of the neighbours so far."""
        farthest = np.zeros(len(X))
        for j in range(self._k):
            np.maximum(farthest, ((X - X[self._near[:, j]]) ** 2).sum(axis=1), out=farthest)
        return farthest * (1 + 1e-9)

    def _first_limits(self, X):
        """Squared distances within which about k neighbours are, by samples at equal intervals."""
        some = np.arange(0, self._n, max(1, self._n // _COLUMNS))
        d2 = euclidean_distances(X, X[some], squared=True)
        d2[self._part[:, None] == self._part[None, some]] = np.inf
        rank = min(len(some) - 1, int(np.ceil(self._k * len(some) / self._n)) + 2)
        return np.partition(d2, rank, axis=1)[:, rank]
