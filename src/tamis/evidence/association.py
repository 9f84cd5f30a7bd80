"""Is a feature related to the target by itself? A test for each, valid for any kind of label."""

from __future__ import annotations

import numpy as np
from scipy.sparse import issparse
from scipy.stats import chi2, rankdata

_AT_ONCE = 256  # columns
_ROUNDING = 1e-9


def p_values_of(values, n_categories, targets) -> np.ndarray:
    r"""Test each feature for association with a target, by itself.

    Numbers become ranks and squared centred ranks, so that differences in place and in spread are seen; categories
    become indicators. The statistic is :math:`(n - 1)` times Pillai's trace of these and the columns of the target,
    compared with a chi-square distribution. With ranks alone and classes it would be the test of Kruskal and Wallis.
    It needs the target to be independent of the feature, not of any form: probabilities and label sets serve as well.

    Parameters
    ----------
    values : ndarray or sparse matrix of shape (n_samples, n_features)
    n_categories : sequence of int
        Of each feature; 0 for a number.
    targets : ndarray of shape (n_samples, n_classes)

    Returns
    -------
    ndarray of shape (n_features,)
        Not corrected for their number; NaN for constant features and where the target does not vary.
    """
    target = _basis(targets)
    found = np.full(values.shape[1], np.nan)
    for begin in range(0, values.shape[1], _AT_ONCE):
        block = values[:, begin : begin + _AT_ONCE]
        block = block.toarray() if issparse(block) else block
        for f, column in enumerate(block.T, start=begin):
            found[f] = _p_value(_described(column, n_categories[f]), target)
    return found


def _described(column, n_categories):
    if n_categories:
        return _basis((column[:, None] == np.arange(n_categories)).astype(float))
    rank = rankdata(column)
    rank -= rank.mean()
    return _basis(np.column_stack([rank, rank**2]))


def _p_value(feature, target):
    freedom = feature.shape[1] * target.shape[1]
    if not freedom:
        return np.nan
    return float(chi2.sf((len(feature) - 1) * ((feature.T @ target) ** 2).sum(), freedom))


def _basis(columns):
    """Orthonormal directions in which the columns vary."""
    columns = columns - columns.mean(axis=0)
    length = np.linalg.norm(columns, axis=0)
    columns = columns[:, length > _ROUNDING * max(length.max(initial=0.0), 1e-300)]
    if not columns.shape[1]:
        return columns
    left, strength, _ = np.linalg.svd(columns / np.linalg.norm(columns, axis=0), full_matrices=False)
    return left[:, strength > _ROUNDING * strength[0]]
