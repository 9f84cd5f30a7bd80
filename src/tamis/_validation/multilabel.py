"""Sets of labels."""

from __future__ import annotations

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.validation import _get_feature_names

from .predictions import label_sets


def check_label_sets(y) -> tuple[np.ndarray, np.ndarray]:
    """Sorted classes, and which of them each row has: from a matrix of zeros and ones, or from sets.

    A table names its columns; those of a plain matrix are numbered.
    """
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None.")
    names = _get_feature_names(y)
    y = y.toarray() if issparse(y) else y
    sets = label_sets(y)
    if sets is None:
        matrix = np.asarray(y)
        if not np.isin(matrix, (0, 1)).all():
            raise ValueError("y as a matrix must be of zeros and ones; it has other values. Threshold it first.")
        classes = np.arange(matrix.shape[1]) if names is None else np.asarray(names)
        order = np.argsort(classes, kind="stable")
        classes, has = classes[order], matrix[:, order].astype(bool)
    else:
        classes = np.unique(np.array([c for row in sets for c in row]))
        has = np.array([[c in row for c in classes.tolist()] for row in sets], dtype=bool).reshape(len(sets), -1)
    used = has.any(axis=0)
    if used.sum() < 2:
        raise ValueError(f"y must use at least two labels; got {classes[used].tolist()}. Check the target.")
    return classes[used], has[:, used]
