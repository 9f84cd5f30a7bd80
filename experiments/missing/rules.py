"""Ways to count a pair of rows of which values are missing, in a slow search that any of them can be put into.

A rule gives for each feature and pair of rows a squared difference and whether it is counted; columns are scaled so
that the values that are there have mean 0 and variance 1 (constant columns: 0).
"""

from __future__ import annotations

import numpy as np
from scipy.special import digamma

NEIGHBOURS, TIE = 8, 1e-9


def constant(X, of_variance=2.0):
    """A constant for each pair with a gap: twice the variance is the mean square of two values drawn at random."""
    apart, _, gap = _apart(X)
    return np.where(gap, of_variance * _variances(X)[:, None, None], apart), None


def expected(X):
    """The mean square under the column's distribution: of one value and any, (x - mean)**2 + variance."""
    apart, there, gap = _apart(X)
    variance = _variances(X)[:, None]
    mean = np.where(there.any(axis=1), np.sum(np.nan_to_num(X.T), axis=1) / np.maximum(there.sum(axis=1), 1), 0.0)
    single = np.where(there, (np.nan_to_num(X.T) - mean[:, None]) ** 2, variance) + variance  # both missing: twice
    of_one = np.where(there[:, :, None], single[:, :, None], single[:, None, :])
    return np.where(gap, of_one, apart), None


def scaled_up(X):
    """Features that both rows have, times how many there are by how many they have; pairs without any: `constant`."""
    apart, _, gap = _apart(X)
    return np.where(gap, 0.0, apart), ~gap


def filled_by_mean(X):
    """Distances to the mean of a column: what filling it in gives."""
    X = np.nan_to_num(X)
    return _apart(X)[0], None


def _apart(X):
    """Squared differences (0 with a gap), what is there, and which pairs have a gap; features first."""
    there, values = ~np.isnan(X.T), np.nan_to_num(X.T)
    gap = ~(there[:, :, None] & there[:, None, :])
    return np.where(gap, 0.0, (values[:, :, None] - values[:, None, :]) ** 2), there, gap


def _variances(X):
    """1 of scaled columns, 0 of constant and of empty ones."""
    return np.array([np.var(column[~np.isnan(column)]) if (~np.isnan(column)).any() else 0.0 for column in X.T])


RULES = {
    "constant, 2 variances": constant,
    "constant, 1 variance": lambda X: constant(X, 1.0),
    "expected": expected,
    "scaled up": scaled_up,
}


def information(squared, y) -> float:
    """Mutual information by counts, in nats, of squared distances: rows in the smallest ball with 8 of the own class.

    The balls leave out their own centre; distances within a factor 1 + 1e-9 are equal.
    """
    n, total = len(y), 0.0
    for s in np.unique(y):
        own = np.flatnonzero(y == s)
        all_others = squared[own].copy()
        all_others[np.arange(len(own)), own] = np.inf
        others = all_others[:, own]
        k = min(NEIGHBOURS, len(own) - 1)
        limit = np.partition(others, k - 1, axis=1)[:, k - 1 : k] * (1 + TIE) + 1e-12
        weight, inside = (others <= limit).sum(axis=1), (all_others <= limit).sum(axis=1)
        total += np.sum(digamma(weight) - digamma(inside)) + len(own) * (digamma(n) - digamma(len(own)))
    return float(total / n)


def backward(rule, X, y) -> np.ndarray:
    """The order of a backward search, the most lasting feature first; of equally good removals the last column."""
    apart, counted = rule(X)
    idle = np.array([np.nanmax(column, initial=-np.inf) <= np.nanmin(column, initial=np.inf) for column in X.T])
    left, gone = list(range(X.shape[1])), []
    while len(left) > 1:
        sums = apart[left].sum(axis=0)
        both = None if counted is None else counted[left].sum(axis=0)
        allowed = [f for f in left if idle[f]] or left
        scores = {f: information(_without(f, sums, both, apart, counted, len(left) - 1), y) for f in allowed}
        best = max(scores.values())
        gone.append(max(f for f in allowed if scores[f] >= best - 1e-10 * max(1.0, abs(best))))
        left.remove(gone[-1])
    return np.array([*left, *gone[::-1]])


def _without(feature, sums, both, apart, counted, size):
    sums = sums - apart[feature]
    if both is None:
        return sums
    both = both - counted[feature]
    return np.where(both > 0, sums * size / np.maximum(both, 1), 2.0 * size)
