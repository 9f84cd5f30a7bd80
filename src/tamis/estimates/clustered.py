"""A test of a feature and a target on rows that count differently or belong together."""

from __future__ import annotations

import numpy as np
from scipy.stats import chi2
from scipy.stats import f as f_distribution

_ROUNDING = 1e-9
_GROUPS_A_DIRECTION = 10


def clustered_p_value(column, n_categories, targets, rows) -> float:
    r"""Test a feature for association with a target, groups of rows being independent and rows within them not.

    Scores of the feature, as in `p_values_of` with ranks by weight, times columns of the target, both about their
    means, add up to :math:`u_g` over the weighted rows of a group g; without an association each has mean zero. With
    S their sum and G their number the statistic is Hotelling's, of :math:`S^T (\sum_g u_g u_g^T)^+ S` in G groups, and
    needs no model of what rows of a group have in common. Where values and classes that are both rare never meet, it
    sees too little variance; so the p-value is at least that of a second test, with the variance by chance of groups
    whose rows are copies: :math:`\sum_g R_g R_g^T` times :math:`\sum_g T_g T_g^T`, of sums over groups of scores and of
    targets, divided by the sum of squared weights of the groups. A row without a group is one of its own, with all its
    copies if it has a weight.

    Both matrices have as many rows as there are scores times columns of the target. So that there are at least ten
    groups for each, only the directions of the target, and then of the categories, that vary most are kept: a choice
    that does not depend on the association. NaN for a constant feature or target, or fewer than three groups.

    Parameters
    ----------
    column : ndarray of shape (n_samples,)
        Without missing values.
    n_categories : int
        0 for a number.
    targets : ndarray of shape (n_samples, n_classes)
    rows : Rows
    """
    weight = rows.weights(len(column))
    group = np.arange(len(column)) if rows.group is None else np.unique(rows.group, return_inverse=True)[1].ravel()
    n_groups = int(group.max()) + 1
    most = n_groups // _GROUPS_A_DIRECTION
    scores = _of_categories(column, n_categories, weight) if n_categories else _of_number(column, weight)
    target = _directions(targets, weight)
    scores = scores[:, : max(1, most)]
    target = target[:, : max(1, most // max(1, scores.shape[1]))]
    if not scores.shape[1] or not target.shape[1] or n_groups < 3:
        return np.nan
    products = (scores[:, :, None] * target[:, None, :]).reshape(len(column), -1)
    together = _sums(products, weight, group)
    squares = float((np.bincount(group, weights=weight) ** 2).sum())
    of_copies = _of_copies(together.sum(axis=0), _sums(scores, weight, group), _sums(target, weight, group), squares)
    return float(np.fmax(_hotelling(together), of_copies))


def _sums(columns, weight, group):
    """Of the weighted rows of each group."""
    return np.array([np.bincount(group, weights=column * weight) for column in columns.T]).T


def _of_copies(total, scores, target, squares) -> float:
    """p-value of the sum of products, were the rows of each group copies of one."""
    (left, n_scores), (right, n_target) = _whitening(scores), _whitening(target)
    if not n_scores * n_target:
        return np.nan
    whole = left @ total.reshape(scores.shape[1], target.shape[1]) @ right.T
    n_groups = len(scores)
    return float(chi2.sf((n_groups - 1) / n_groups * squares * (whole**2).sum(), n_scores * n_target))


def _whitening(sums):
    """The inverse root of their products, without directions in which there is nothing; and how many there are."""
    _, strength, right = np.linalg.svd(sums, full_matrices=False)
    used = strength > _ROUNDING * strength[0]
    return right[used] / strength[used, None], np.count_nonzero(used)


def _hotelling(sums) -> float:
    """Whether the mean of independent rows is zero: p-value, for rows of any distribution if they are many."""
    length = np.linalg.norm(sums, axis=0)
    sums = sums / np.where(length > 0, length, 1.0)
    left, strength, _ = np.linalg.svd(sums, full_matrices=False)
    left = left[:, strength > _ROUNDING * strength[0]] if strength[0] > 0 else left[:, :0]
    n, rank = left.shape
    if not rank or n <= rank:
        return np.nan
    # Share of the length of a column of ones that lies in these directions.
    share = min(1.0, float((left.sum(axis=0) ** 2).sum()) / n)
    if share == 1.0:
        return 0.0
    return float(f_distribution.sf(share / (1.0 - share) * (n - rank) / rank, rank, n - rank))


def _of_number(column, weight):
    """Ranks, and their squares without what ranks explain; the mean rank of equal values by their weight."""
    _, places = np.unique(column, return_inverse=True)
    mass = np.bincount(places.ravel(), weights=weight)
    rank = _about_mean((np.cumsum(mass) - mass / 2)[places.ravel()], weight)
    length = np.sqrt(weight @ rank**2)
    if not length > _ROUNDING * weight.sum():
        return np.empty((len(column), 0))
    rank = rank / length
    squares = _about_mean(rank**2, weight)
    squares -= rank * (weight @ (rank * squares))
    if np.sqrt(weight @ squares**2) <= _ROUNDING / weight.sum():
        return rank[:, None]
    return np.column_stack([rank, squares])


def _of_categories(column, n_categories, weight):
    return _directions((column[:, None] == np.arange(n_categories)).astype(float), weight)


def _directions(columns, weight):
    """Directions in which the columns vary, those of most variance first."""
    root = np.sqrt(weight)[:, None]
    columns = _about_mean(columns, weight) * root
    length = np.linalg.norm(columns, axis=0)
    varies = length > _ROUNDING * np.sqrt(weight.sum())
    if not varies.any():
        return columns[:, varies]
    left, strength, _ = np.linalg.svd(columns[:, varies], full_matrices=False)
    return left[:, strength > _ROUNDING * strength[0]] / root


def _about_mean(columns, weight):
    return columns - weight @ columns / weight.sum()
