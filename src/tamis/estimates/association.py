"""Is a feature related to the target by itself? A test for each, valid for any kind of label."""

from __future__ import annotations

import numpy as np
from scipy.sparse import issparse
from scipy.stats import chi2, rankdata

from .._validation import Rows
from ..distances.columns import Columns
from .clustered import clustered_p_value

_AT_ONCE, _MOST_VALUES = 256, 10_000_000  # columns, and values
_ROUNDING = 1e-9
_ALIKE = Rows()


def p_values_of(values, n_categories, targets, *, rows=_ALIKE) -> np.ndarray:
    r"""Test each feature for association with a target, by itself.

    Numbers become ranks and squared centred ranks, so that differences in place and in spread are seen; categories
    become indicators. The statistic is :math:`(n - 1)` times Pillai's trace of these and the columns of the target,
    compared with a chi-square distribution. With ranks alone and classes it would be the test of Kruskal and Wallis.
    It needs the target to be independent of the feature, not of any form: probabilities and label sets serve as well.

    A feature with missing values is tested on the rows where it is there. Rows with weights or groups are tested as in
    `clustered_p_value`: copies of a row, and rows of one group, are not taken for independent ones.

    Parameters
    ----------
    values : ndarray or sparse matrix of shape (n_samples, n_features)
        NaN where a value of an array is missing.
    n_categories : sequence of int
        Of each feature; 0 for a number.
    targets : ndarray of shape (n_samples, n_classes)
    rows : Rows
        Their weights and groups; targets are not multiplied by weights.

    Returns
    -------
    ndarray of shape (n_features,)
        Not corrected for their number; NaN for constant features and where the target does not vary.
    """
    target, is_number = _basis(targets), np.array(n_categories) == 0
    found = np.full(values.shape[1], np.nan)
    at_once = max(1, min(_AT_ONCE, _MOST_VALUES // values.shape[0]))
    for begin in range(0, values.shape[1], at_once):
        features = np.arange(begin, min(begin + at_once, values.shape[1]))
        block = values[:, features]
        block = block.toarray() if issparse(block) else block
        missing = np.isnan(block)
        alone = missing.any(axis=0) if rows.are_alike else np.full(len(features), True)
        numbers = is_number[features]
        together = numbers & ~alone
        found[features[together]] = _of_numbers(block[:, together], target)
        for f in features[~numbers & ~alone]:
            found[f] = _of_categories(block[:, f - begin], n_categories[f], target)
        for f in features[alone]:
            there = ~missing[:, f - begin]
            if there.any():
                column = block[there, f - begin]
                found[f] = _of_some(column, n_categories[f], targets[there], rows.of(there))
    return found


def p_values_of_features(columns: Columns, targets, known=None, *, rows=_ALIKE) -> np.ndarray:
    """The same of the features of a table, some of which have it as a part of them whether their value is missing.

    Of these the value and whether it is missing are tested, and the smaller p-value counts twice. `known` is a mask of
    the rows whose target is known, None for all.
    """
    values = columns.values
    if known is not None and not known.all():
        values, targets, rows = values[known], targets[known], rows.of(known)
    found = p_values_of(values, columns.n_categories, targets, rows=rows)
    indicated = list(columns.indicators)
    if indicated:
        gaps = np.isnan(values[:, indicated]).astype(float)
        both = np.stack([found[indicated], p_values_of(gaps, [2] * len(indicated), targets, rows=rows)])
        tests = np.count_nonzero(~np.isnan(both), axis=0)
        smaller = np.where(np.isnan(both), np.inf, both).min(axis=0)
        found[indicated] = np.where(tests > 0, np.minimum(1.0, tests * smaller), np.nan)
    return found


def _of_some(column, n_categories, targets, rows) -> float:
    """Of one feature, on the rows where it is there."""
    if not rows.are_alike:
        return clustered_p_value(column, n_categories, targets, rows)
    target = _basis(targets)
    if n_categories:
        return _of_categories(column, n_categories, target)
    return float(_of_numbers(column[:, None], target)[0])


def _of_categories(column, n_categories, target):
    indicators = _basis((column[:, None] == np.arange(n_categories)).astype(float))
    return _tail(((indicators.T @ target) ** 2).sum(), len(target), indicators.shape[1] * target.shape[1])


def _of_numbers(columns, target) -> np.ndarray:
    rank = rankdata(columns, axis=0)
    rank, place = _units(rank - rank.mean(axis=0))
    squares = rank**2
    squares -= squares.mean(axis=0)
    squares -= rank * (rank * squares).sum(axis=0)
    squares, spread = _units(squares, least=_ROUNDING / len(columns))
    trace = ((rank.T @ target) ** 2).sum(axis=1) + ((squares.T @ target) ** 2).sum(axis=1)
    return _tail(trace, len(target), (place.astype(int) + spread) * target.shape[1])


def _tail(trace, n, freedom):
    return np.where(np.asarray(freedom) > 0, chi2.sf((n - 1) * trace, np.maximum(freedom, 1)), np.nan)


def _units(columns, least=0.0):
    """Columns of length one, zero where they do not vary; and which ones do."""
    length = np.linalg.norm(columns, axis=0)
    varies = length > least
    return columns / np.where(varies, length, np.inf), varies


def _basis(columns):
    """Orthonormal directions in which the columns vary."""
    columns, varies = _units(columns - columns.mean(axis=0), _ROUNDING)
    if not varies.any():
        return columns[:, varies]
    left, strength, _ = np.linalg.svd(columns[:, varies], full_matrices=False)
    return left[:, strength > _ROUNDING * strength[0]]
