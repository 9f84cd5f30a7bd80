"""Cells that are made missing: at random, or the larger the value the more often."""

from __future__ import annotations

import numpy as np
from scipy.stats import rankdata

SHARES = (0.1, 0.3)


def at_random(X, share, rng):
    """X with NaN in place of each cell with the probability `share`."""
    return np.where(rng.random(X.shape) < share, np.nan, X)


def by_value(X, share, rng):
    """X with NaN in cells with a probability proportional to the rank of the value in its column.

    The mean of a column's probabilities is `share`; its largest value is missing about twice as often. Equal values
    have their mean rank, so that a constant column loses cells at random.
    """
    n = len(X)
    return np.where(rng.random(X.shape) < 2 * share * rankdata(X, axis=0) / (n + 1), np.nan, X)


MECHANISMS = {"at random": at_random, "by value": by_value}
CELLS = [(mechanism, share) for mechanism in MECHANISMS for share in SHARES]
