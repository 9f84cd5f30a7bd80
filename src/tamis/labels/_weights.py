"""Sums and means over rows that count a given number of times."""

from __future__ import annotations

import numpy as np

from .._validation import Rows

ALIKE = Rows()
"""Every row counts once."""


def number_of(values, rows) -> float:
    """How many rows there are, one of weight w counting w times."""
    return len(values) if rows.weight is None else float(rows.weight.sum())


def mean_of(values, rows):
    return np.average(values, axis=0, weights=rows.weight)


def sum_of(values, rows):
    """The sum of one number for each row."""
    return values.sum() if rows.weight is None else (values * rows.weight).sum()


def variance_of(values, rows):
    if rows.weight is None:
        return values.var(axis=0)
    return mean_of((values - mean_of(values, rows)) ** 2, rows)
