"""Whether features change over time."""

from __future__ import annotations

import numpy as np

from .._validation import Rows
from ..estimates.association import p_values_of
from .forward import blocks_of


def drift_of(values, n_categories, rows: Rows) -> np.ndarray:
    """Test each feature for a difference between the early and the late half of the rows in time.

    A small p-value says that a feature changed, not that it is bad. Rows are tested as independent draws, or with
    groups as many as there are groups: where each row resembles the one before it, p-values are too small.

    Parameters
    ----------
    values : ndarray or sparse matrix of shape (n_samples, n_features)
        Numbers, NaN where one is missing; categories as 0, 1, ...
    n_categories : sequence of int
        Of each feature; 0 for a number.
    rows : Rows
        With times; rows of equal time are in the same half.

    Returns
    -------
    ndarray of shape (n_features,)
        Not corrected for their number; NaN for constant features, and if all times are equal.
    """
    half = blocks_of(rows, 2)
    if not half.any():
        return np.full(values.shape[1], np.nan)
    return p_values_of(values, n_categories, np.column_stack([half == 0, half == 1]).astype(float), rows=rows)
