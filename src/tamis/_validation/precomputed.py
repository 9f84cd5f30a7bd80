"""Probabilities of classes that a model of one's own gives for samples it has not seen."""

from __future__ import annotations

import warnings

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _get_feature_names, _num_samples

from ._words import some
from .cells import check_numbers

_LEAST_ROWS = 5
"""Of a class that has a say in whether columns are in another order: fewer can agree with any column by chance."""
_SUMS = 0.01
"""Rounded probabilities of many classes may miss one by this much; they are divided by their sum."""


def check_precomputed(P, classes, codes, *, estimator) -> list[np.ndarray]:
    """Probabilities of one model or of several, columns in the order of `classes`, rows divided by their sums.

    `codes` are recorded classes, -1 where there is none.
    """
    tables = list(P) if _are_several(P) else [P]
    return [
        _check_one(name, table, classes, codes, None if i else estimator)
        for i, (name, table) in enumerate(zip(_names(tables), tables, strict=True))
    ]


def rows_of_tables(P, present, n_rows):
    """Some rows of the probabilities of one model or of several, each a table of `n_rows` rows."""
    tables = list(P) if _are_several(P) else [P]
    for name, table in zip(_names(tables), tables, strict=True):
        if _num_samples(table) != n_rows:
            raise ValueError(f"{name} must have a row per label; got {_num_samples(table)} rows for {n_rows} labels.")
    found = [_safe_indexing(table, present) for table in tables]
    return found if _are_several(P) else found[0]


def _are_several(P):
    return bool((isinstance(P, (list, tuple)) and len(P) and np.ndim(P[0]) == 2) or np.ndim(P) == 3)


def _names(tables):
    return [f"P[{i}]" if len(tables) > 1 else "P" for i in range(len(tables))]


def _check_one(name, table, classes, codes, estimator):
    header = _get_feature_names(table)
    P = check_numbers(name, table, estimator=estimator, ensure_min_samples=2)
    if len(P) != len(codes):
        raise ValueError(f"{name} must have a row per label; got {len(P)} rows for {len(codes)} labels.")
    if header is None and P.shape[1] != len(classes):
        raise ValueError(
            f"{name} must have a column per recorded class, in the order of the sorted classes; got {P.shape[1]} "
            f"columns for {len(classes)} classes, {some(classes.tolist())}. Pass a table whose columns are named "
            "by the classes if there are others."
        )
    places = slice(None) if header is None else _places(name, [str(column) for column in header], classes)
    _check_values(name, P)
    P = np.ascontiguousarray(P[:, places])  # the order in memory would change the last bits
    total = P.sum(axis=1, keepdims=True)
    if not total.all():
        row = int(np.argmin(total))
        raise ValueError(f"{name} must give some recorded class a probability in every row; row {row} has none.")
    P = P / total
    _check_order(name, P, classes, codes)
    return P


def _places(name, header, classes):
    """The column of each class; what all names of columns begin with may be left out."""
    names = [str(c) for c in classes.tolist()]
    for n in range(min(map(len, header)) + 1):
        if any(column[:n] != header[0][:n] for column in header):
            break
        columns = [column[n:] for column in header]
        if set(names) <= set(columns):
            others = [c for c, column in zip(header, columns, strict=True) if column not in names]
            if others:
                warnings.warn(
                    f"{name} has columns of classes that are never recorded, {some(others)}; they are left out.",
                    UserWarning,
                    stacklevel=6,
                )
            return [columns.index(c) for c in names]
    unknown = next((c for c in names if not any(column.endswith(c) for column in header)), names[0])
    raise ValueError(
        f"{name} must have a column for every recorded class; there is none for {unknown!r}, the columns are "
        f"{some(header)}. Rename the columns as the classes, or pass an array in the order of the sorted classes."
    )


def _check_values(name, P):
    """Probabilities, and neither logits nor counts."""
    if (P < 0).any():
        row = int(np.flatnonzero((P < 0).any(axis=1))[0])
        raise ValueError(
            f"{name} must have probabilities; row {row} has {P[row].min():g}, like logits or log-probabilities. Apply "
            "a softmax (scipy.special.softmax with axis=1)."
        )
    with np.errstate(over="ignore"):
        total = P.sum(axis=1)
    wrong = np.flatnonzero(np.abs(total - 1) > _SUMS)
    if len(wrong):
        raise ValueError(
            f"{name} must sum to one in every row; row {wrong[0]} sums to {total[wrong[0]]:g} ({len(wrong)} such "
            "rows). Divide each row by its sum; logits need a softmax first."
        )


def _check_order(name, P, classes, codes):
    """The columns are not in another order than the classes.

    They are if the labels of two classes or more agree with the column of another class, and hardly with their own; or
    of most classes, but less clearly. Classes of few rows have no say.
    """
    n_classes = len(classes)
    agree = np.zeros((n_classes, n_classes))
    known = codes >= 0
    known[known] = np.bincount(codes[known], minlength=n_classes)[codes[known]] >= _LEAST_ROWS
    if not known.any():
        return
    np.add.at(agree, (codes[known], P.argmax(axis=1)[known]), 1.0)
    size = np.maximum(agree.sum(axis=1), 1.0)
    rows, columns = linear_sum_assignment(-agree)
    own, other = np.diag(agree) / size, agree[rows, columns] / size
    swapped = (columns != rows) & (other > 0.5) & (own < other / 5)
    mine, best, chance = (float(n) / known.sum() for n in (np.trace(agree), agree[rows, columns].sum(), size.max()))
    if swapped.sum() < 2 and not (best > chance and mine < chance / 2 and best > 2 * mine):
        return
    s = int(np.flatnonzero(swapped if swapped.any() else rows != columns)[0])
    raise ValueError(
        f"{name} seems to have its columns in another order than classes_: {100 * mine:.0f} % of the labels agree with "
        f"the most probable column, and {100 * best:.0f} % would in another order, with column {columns[s]} for class "
        f"{classes.tolist()[s]!r}. Sort the columns by class, or name them in a table."
    )
