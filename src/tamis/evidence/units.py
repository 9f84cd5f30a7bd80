"""Means over rows that count several times or belong together: their standard errors and tests.

A unit is a group of rows, or without groups a row, however often it counts: the rows of one unit are not independent of
each other, so that errors of means are those of units.
"""

from __future__ import annotations

import numpy as np
from scipy.stats import t

from .._validation import Rows

_LEAST_FREEDOM = 1e-6


def mean_of(values, rows: Rows) -> np.ndarray:
    """Of the rows along the last axis."""
    return values.mean(axis=-1) if rows.weight is None else values @ rows.weight / rows.weight.sum()


def means_of(T, weight) -> np.ndarray:
    """Of the columns, rows counting by their weights."""
    return T.mean(axis=0) if weight is None else weight @ T / weight.sum()


def error_of(values, rows: Rows) -> np.ndarray:
    r"""Standard error of `mean_of`; infinite for fewer than two units, unless all rows are alike.

    With :math:`h_u` the share of the weight that unit u has and :math:`x_u` its mean, the square is :math:`\sum_u h_u^2
    (x_u - \bar x)^2`, multiplied by what makes it unbiased if units are independent draws, of whatever weights:
    :math:`\sum_u h_u^2 / \sum_u h_u^2 (1 - 2 h_u + \sum_v h_v^2)`. Units of equal weight have :math:`n / (n - 1)`.
    """
    if rows.are_alike:
        return values.std(axis=-1, ddof=1) / np.sqrt(values.shape[-1])
    weight = rows.weights(values.shape[-1])
    apart = sums_by_unit(weight / weight.sum() * (values - mean_of(values, rows)[..., None]), rows)
    share = _shares(rows, values.shape[-1])
    squares = (share**2).sum()
    expected = (share**2 * (1 - 2 * share + squares)).sum()
    if len(share) < 2 or expected <= 0:  # the latter if one unit has all weight but for a rounding
        return np.full(values.shape[:-1], np.inf)
    return np.sqrt(squares / expected * (apart**2).sum(axis=-1))


def one_sided(values, rows: Rows | None = None) -> float:
    """p-value of Student's test that the mean of rows is not above zero.

    Units of unequal weights count as so many of equal weights as `n_worth` says. Where all are equal and above zero it
    is that of the sign test.
    """
    rows = Rows() if rows is None else rows
    error = error_of(values, rows)
    if error == 0 and mean_of(values, rows) > 0:
        return float(0.5 ** n_worth(rows, len(values)))
    if not 0 < error < np.inf:
        return 1.0
    freedom = len(values) - 1 if rows.are_alike else max(n_worth(rows, len(values)) - 1, _LEAST_FREEDOM)
    return float(t.sf(mean_of(values, rows) / error, freedom))


def n_units(rows: Rows, n_rows) -> int:
    return n_rows if rows.group is None else len(np.unique(rows.group))


def n_worth(rows: Rows, n_rows) -> float:
    """As how many units of equal weight the units count in the variance of a mean (Kish, 1965)."""
    return float(1 / (_shares(rows, n_rows) ** 2).sum())


def sums_by_unit(values, rows: Rows) -> np.ndarray:
    """Sums over the rows of each unit, along the last axis."""
    if rows.group is None:
        return values
    order = np.argsort(rows.group, kind="stable")
    starts = np.flatnonzero(np.diff(rows.group[order], prepend=-1))
    return np.add.reduceat(values[..., order], starts, axis=-1)


def _shares(rows, n_rows):
    weight = rows.weights(n_rows)
    return sums_by_unit(weight / weight.sum(), rows)
