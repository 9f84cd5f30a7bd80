"""Predictions and what they are compared with."""

from __future__ import annotations

import numpy as np
from scipy.sparse import issparse

from ._words import some
from .cells import check_numbers, check_unmasked, is_missing
from .classes import SUM_TOLERANCE, check_square, class_column, width_of
from .distances import check_class_names

_SETS = (set, frozenset, list, tuple)


def check_joint(joint, n_classes) -> np.ndarray:
    """Probabilities of each true class together with each recorded one."""
    joint = check_square("joint", joint, n_classes)
    if abs(joint.sum() - 1) > SUM_TOLERANCE:
        raise ValueError(
            f"joint must sum to one (within {SUM_TOLERANCE:g}); got {joint.sum():g}. Divide it by its sum; rows of a "
            "transition matrix are first multiplied by the share of their class."
        )
    return joint / joint.sum()


def check_pairs(p, q) -> tuple[np.ndarray, np.ndarray]:
    """Distributions over the same classes, as many of one as of the other; a single one is repeated."""
    if p.shape[1] != q.shape[1]:
        raise ValueError(f"p and q must have the same classes as columns; got {p.shape[1]} and {q.shape[1]}.")
    if len(p) != len(q) and 1 not in (len(p), len(q)):
        raise ValueError(f"p and q must have as many rows, or one of them one; got {len(p)} and {len(q)}.")
    p, q = np.broadcast_arrays(p, q)
    return p, q


def check_scores(scores) -> np.ndarray:
    """A score per sample and class; log-probabilities may be infinite."""
    S = check_numbers("scores", scores, ensure_all_finite=False)
    if S.shape[1] < 2:
        raise ValueError(f"scores must have one column per class, at least two; got {S.shape[1]}.")
    missing = np.flatnonzero(np.isnan(S).any(axis=1))
    if len(missing):
        raise ValueError(f"scores must have no missing value; row {missing[0]} contains NaN. Drop or fill those rows.")
    return S


def check_sortable(classes) -> list:
    """The classes of a distance in their order, if they have one."""
    try:
        return sorted(classes)
    except TypeError as error:
        kinds = sorted({type(name).__name__ for name in classes})
        raise ValueError(
            f"classes must be given where those of class_distance cannot be sorted, being {' and '.join(kinds)}. Pass "
            "classes= in the order of the columns of scores."
        ) from error


def check_truth(y_true, n_samples, n_classes, classes=None) -> tuple[np.ndarray, np.ndarray]:
    """Names of the classes, and which of them are true for each sample (n_samples x n_classes).

    Without names the sorted classes of y_true are taken, or numbers if it is a matrix.
    """
    if issparse(y_true):
        y_true = y_true.toarray()
    sets = label_sets("y_true", y_true)
    n_rows = np.shape(y_true)[0] if sets is None else len(sets)
    if n_rows != n_samples:
        raise ValueError(f"y_true must have as many rows as scores, {n_samples}; got {n_rows}.")
    if sets is None:
        names = np.arange(n_classes) if classes is None else check_class_names(classes)
        _check_columns(names, n_classes)
        if np.shape(y_true)[1] != n_classes:
            raise ValueError(f"y_true must have a column per class, {n_classes}; got {np.shape(y_true)[1]}.")
        truth = check_indicator("y_true", y_true)
    else:
        used = sorted(set().union(*sets))
        names = check_class_names(used if classes is None else classes)
        _check_columns(names, n_classes)
        place = {c: s for s, c in enumerate(names.tolist())}
        new = [c for c in used if c not in place]
        if new:
            raise ValueError(f"y_true must have only known classes; {new[0]!r} is not one of {some(names.tolist())}.")
        truth = np.zeros((n_rows, n_classes), dtype=bool)
        truth[np.repeat(np.arange(n_rows), [len(s) for s in sets]), [place[c] for s in sets for c in s]] = True
    empty = np.flatnonzero(~truth.any(axis=1))
    if len(empty):
        raise ValueError(
            f"y_true must have a label in every row; row {empty[0]} has none ({len(empty)} such rows). Drop those rows."
        )
    return names, truth


def label_sets(name, y) -> list[set] | None:
    """The labels of each row, which are of one type; None if y is a matrix."""
    check_unmasked(name, y)
    if not hasattr(y, "shape") and np.iterable(y) and not isinstance(y, str):
        y = list(y)
    if not _are_sets(y):
        return None if width_of(y) > 1 else [{c} for c in class_column(name, y).tolist()]
    rows: list = list(y)
    odd = next((i for i, row in enumerate(rows) if not isinstance(row, _SETS)), None)
    if odd is not None:
        raise ValueError(f"{name} must have a set of labels in every row; row {odd} has {rows[odd]!r}.")
    sets = [set(row) for row in rows]
    class_column(name, [label for row in sets for label in row] or [""])
    return sets


def _are_sets(y) -> bool:
    """Whether rows are sets of labels, or lists of them of different lengths."""
    if not np.iterable(y) or getattr(y, "ndim", 1) != 1:
        return False
    rows = [row for row in list(y) if isinstance(row, _SETS)]
    if hasattr(y, "shape"):
        return bool(rows)
    return any(isinstance(row, (set, frozenset)) for row in rows) or len({len(row) for row in rows}) > 1


def check_indicator(name, matrix) -> np.ndarray:
    """Which labels each row has, from zeros and ones."""
    check_unmasked(name, matrix)
    matrix = np.asarray(matrix)
    if matrix.dtype == object and any(map(is_missing, matrix.ravel().tolist())):
        raise ValueError(f"{name} must have no missing value; it contains None or NaN. Fill them with 0 or 1.")
    if not np.isin(matrix, (0, 1)).all():
        raise ValueError(f"{name} as a matrix must be of zeros and ones; it has other values. Threshold it first.")
    return matrix.astype(bool)


def _check_columns(names, n_classes):
    if len(names) != n_classes:
        raise ValueError(
            f"scores must have a column per class; got {n_classes} columns for {len(names)} classes, "
            f"{some(names.tolist())}. Name the columns with classes=."
        )
