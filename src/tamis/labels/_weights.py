"""Sums and means over rows that count a given number of times."""

from __future__ import annotations

import numpy as np

from .._validation import Rows

ALIKE = Rows()
"""Every row counts once."""


def number_of(values, rows) -> float:
    """How many rows there are, one of weight w counting w times."""
    return len(values) if rows.weight is None else float(rows.weight.sum())


def independence(rows, n_samples) -> float:
    """As how many independent rows each counts in intervals: 1, or less where weights differ or rows are in groups.

    By the effective number of groups in the variance of a mean (Kish, 1965), a row without a group being its own.
    """
    if rows.are_alike:
        return 1.0
    weight = rows.weights(n_samples)
    of_groups = weight if rows.group is None else np.bincount(rows.group, weights=weight)
    return float(weight.sum() / (of_groups**2).sum())


def mean_of(values, rows):
    return np.average(values, axis=0, weights=rows.weight)


def sum_of(values, rows):
    """The sum of one number for each row."""
    return values.sum() if rows.weight is None else (values * rows.weight).sum()


def variance_of(values, rows):
    if rows.weight is None:
        return values.var(axis=0)
    return mean_of((values - mean_of(values, rows)) ** 2, rows)
