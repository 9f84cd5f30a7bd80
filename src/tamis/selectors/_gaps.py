"""Missing values of a table: how many, and whether they are predictive themselves."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..estimates.association import p_values_of


class MissingValues(NamedTuple):
    """What is missing in a table that a selector was fitted to.

    Attributes
    ----------
    share : ndarray of shape (n_features,)
        Share of the rows in which the feature is missing; each row counts once, whatever its weight.
    pvalues : ndarray of shape (n_features,)
        Of a test whether rows in which the feature is missing have other classes than those in which it is there. Not
        corrected for their number; NaN where nothing or everything is missing, and without a target.
    n_empty_rows : int
        Rows in which all selected features are missing. They are as far from each row as rows are from each other in
        the mean.
    """

    share: np.ndarray
    pvalues: np.ndarray
    n_empty_rows: int


def missing_values(gaps, labels, rows, support) -> MissingValues | None:
    """The missing values of a table; None if it has none.

    Parameters
    ----------
    gaps : ndarray of bool, shape (n_samples, n_features), or None
    labels : fitted label model or None
        What is known of the target; None without one.
    rows : Rows
    support : ndarray of bool, shape (n_features,)
        The selected features.
    """
    if gaps is None or not gaps.any():
        return None
    share, pvalues = gaps.mean(axis=0), np.full(gaps.shape[1], np.nan)
    tested = np.flatnonzero((share > 0) & (share < 1))
    if labels is not None and len(tested):
        known = labels.has_record()
        there = gaps[np.ix_(known, tested)].astype(float)
        pvalues[tested] = p_values_of(there, [2] * len(tested), labels.recorded()[known], rows=rows.of(known))
    return MissingValues(share, pvalues, int(gaps[:, support].all(axis=1).sum()))
