"""Memberships: probabilities of classes."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.utils.validation import _get_feature_names

from ._words import a_few, either_way, named, some
from .cells import check_numbers, check_unmasked
from .classes import SUM_TOLERANCE, class_column, codes_of, has_columns, warn_of_one_class, why_alone
from .rows import Rows
from .samples import check_rows_match, check_samples

_ALIKE = Rows()


def check_memberships(memberships, classes=None, *, least=2) -> tuple[np.ndarray, np.ndarray]:
    """Classes and a float64 array whose rows are probabilities, or zero where all of them are missing or zero.

    The columns are named by a table's header, else by `classes` if there are as many, else numbered. If there may be a
    single one, of zeros and ones, it is named in a warning.
    """
    names = class_names(memberships)
    P = check_numbers("memberships", memberships, missing=True)
    gaps = np.isnan(P)
    some_row = gaps.any(axis=1) & ~gaps.all(axis=1)
    if some_row.any():
        raise ValueError(
            f"memberships must be there for all classes of a row, or for none; row {some_row.argmax()} has NaN beside "
            f"numbers ({some_row.sum()} such rows). Fill them with 0 if the other classes sum to one."
        )
    P = np.where(gaps, 0.0, P)
    least = least if np.isin(P, (0.0, 1.0)).all() else 2
    P = _divided("memberships", P, or_zero=True, least=least)
    if names is None:
        names = classes if classes is not None and len(classes) == P.shape[1] else np.arange(P.shape[1])
    warn_of_one_class("memberships", names, stacklevel=5)
    return np.asarray(names), P


def class_names(table) -> np.ndarray | None:
    """The header of a table, None if its columns are only numbered."""
    names = _get_feature_names(table)
    if names is None and hasattr(table, "columns"):
        names = np.asarray(table.columns)
        if names.tolist() == list(range(len(names))):
            return None
    return names


def check_probabilities(name, rows) -> np.ndarray:
    """A float64 array whose rows are probabilities, divided by their sums."""
    return _divided(name, check_numbers(name, rows))


def _divided(name, P, *, or_zero=False, least=2):
    if P.shape[1] < least:
        raise ValueError(f"{name} must have one column per class, at least two; got {P.shape[1]}.")
    total = _row_sums(name, P)
    if or_zero:
        if not total.any():
            raise ValueError(f"{name} must say something of some row; all are zero or missing.")
        total = np.where(total > 0, total, 1.0)
    _check_sums(name, total)
    return P / total[:, None]


def check_distributions(name, rows) -> tuple[np.ndarray, bool]:
    """Probabilities as rows, and whether a single distribution came, as a plain list of them."""
    check_unmasked(name, rows)
    single = getattr(rows, "ndim", None) == 1 or (isinstance(rows, (list, tuple)) and not any(map(np.iterable, rows)))
    return check_probabilities(name, [rows] if single else rows), single


def check_labeling(name, rows, classes, n_rows) -> np.ndarray:
    """Another target of the same rows, as probabilities: a class per row, or a column for each class."""
    if has_columns(rows):
        return check_class_probabilities(name, rows, classes, n_rows)
    column = class_column(name, rows)
    new = [c for c in np.unique(column).tolist() if c not in classes.tolist()]
    if new:
        raise ValueError(
            f"{name} must have only classes that y has; {new[0]!r} is not one of {some(classes.tolist())}. Pass "
            "labels='soft' and memberships with a column for every class."
        )
    _check_n_rows(name, column, n_rows)
    return np.eye(len(classes))[codes_of(column, classes)]


def check_class_probabilities(name, rows, classes, n_rows) -> np.ndarray:
    """Probabilities of the sorted classes, a line for each row of a table."""
    P = check_probabilities(name, rows)
    if P.shape[1] != len(classes):
        raise ValueError(
            f"{name} must have a column for each of the {len(classes)} classes of y, sorted; got {P.shape[1]}."
        )
    _check_n_rows(name, P, n_rows)
    return P


def _check_n_rows(name, rows, n_rows):
    if len(rows) != n_rows:
        raise ValueError(
            f"{name} must have a row per sample (inconsistent numbers of samples); got {len(rows)} for {n_rows}."
        )


def check_scored(X, memberships, *, sparse=False, label_sets=False, missing=False) -> tuple[np.ndarray, np.ndarray]:
    """Samples and memberships as a criterion takes them, without the rows of which nothing is known.

    With `label_sets` these are numbers from 0 to 1 that need not sum to one, and all rows are known.
    """
    X, P = check_samples(X, sparse=sparse, missing=missing), check_numbers("memberships", memberships)
    check_rows_match(X, P)
    total = _row_sums("memberships", P)
    if label_sets:
        if (P > 1 + SUM_TOLERANCE).any():
            raise ValueError(f"memberships of labels must be from 0 to 1; got {P.max():g}.")
        return X, P
    known = total > 0
    _check_sums("memberships", np.where(known, total, 1.0))
    if not known.any():
        raise ValueError("memberships must say something of some row; all are zero.")
    return (X, P) if known.all() else (X[known], P[known])


def _row_sums(name, P):
    """Sums over the classes, none of whose numbers is negative."""
    negative = np.flatnonzero((P < 0).any(axis=1))
    if len(negative):
        i = negative[0]
        raise ValueError(
            f"{name} must not be negative; row {i} has {P[i].min():g}. Pass probabilities, not scores or logits."
        )
    with np.errstate(over="ignore"):
        return P.sum(axis=1)


def _check_sums(name, total):
    wrong = np.flatnonzero(np.abs(total - 1) > SUM_TOLERANCE)
    if len(wrong):
        i = wrong[0]
        raise ValueError(
            f"{name} must sum to one in every row (within {SUM_TOLERANCE:g}); row {i} sums to {total[i]:g} "
            f"({len(wrong)} such rows). Divide each row by its sum."
        )


def check_same_classes(names, known) -> np.ndarray:
    """The columns of a block of probabilities are those of the blocks before."""
    known = np.asarray(known)
    if len(names) != len(known) or names.tolist() != known.tolist():
        raise ValueError(
            f"memberships must have the classes of the first block as columns, {some(known.tolist())}; got "
            f"{some(names.tolist())}."
        )
    return known


def check_no_memberships(memberships, labels):
    """Nothing is passed that would be ignored."""
    if memberships is not None:
        raise ValueError(f"memberships are not used when labels={labels!r}. Pass labels='soft', or leave them out.")


def check_one_unit_a_row(memberships):
    """No row counts more than once."""
    if (memberships.sum(axis=1) > 1 + SUM_TOLERANCE).any():
        raise ValueError(
            "copies of rows, one for each of their labels, can only be counted: BlanketSelector takes them. "
            "Criteria based on neighbours or means need one class, or probabilities of classes, per row."
        )


def why_one_class(weights, classes) -> str | None:
    """That fewer than two classes have a weight; None if that is not so."""
    if np.count_nonzero(weights) > 1:
        return None
    return f"memberships must use at least two classes; got only {named(_names(weights, classes), weights > 0)}."


def check_class_weights(weights, classes):
    """Say that only one of several classes has a weight; of a single class it has been said."""
    if len(weights) > 1:
        warn_of_one_class("memberships", _names(weights, classes)[weights > 0])


def _names(weights, classes):
    return np.arange(len(weights)) if classes is None else np.asarray(classes)


def check_class_sizes(memberships, classes, n_neighbors, rows=_ALIKE, *, so):
    """Name small classes in warnings: those without another sample to be compared with, and those with few.

    With groups of rows that is a sample of another group; with weights a sample counts so many times. `so` is what
    becomes of the first, as a predicate of their rows.
    """
    alone = lonely_classes(memberships, rows)
    memberships = rows.weighted(memberships)
    mass, top = memberships.sum(axis=0), memberships.max(axis=0)
    classes = _names(mass, classes)
    check_class_weights(mass, classes)
    if rows.group is not None:
        top = _by_group(memberships, rows.group).max(axis=0)
    alone &= mass > 0
    if alone.any():
        why = why_alone(alone, rows)
        if rows.weight is not None:
            what_else = "row" if rows.group is None else "group"
            why = either_way(alone, "weighs less than one row besides its", "weigh less than one row besides their")
            why = f"{why} heaviest {what_else}"
        warnings.warn(
            f"{a_few(classes, alone)} {why}: {so}. Merge {either_way(alone, 'it', 'them')} with another class to count "
            f"{either_way(alone, 'it', 'them')}.",
            UserWarning,
            stacklevel=3,
        )
    few = mass < n_neighbors + 1 - SUM_TOLERANCE if rows.are_alike else mass - top < n_neighbors - SUM_TOLERANCE
    small = (mass > 0) & few & ~alone
    if small.any():
        has, whose = either_way(small, "has", "have"), either_way(small, "its balls use", "their balls use")
        warnings.warn(
            f"{a_few(classes, small)} {has} fewer than n_neighbors + 1 = {n_neighbors + 1} samples; {whose} those "
            "there are.",
            UserWarning,
            stacklevel=3,
        )


def lonely_classes(memberships, rows=_ALIKE) -> np.ndarray:
    """Which classes have nothing to be compared with: all of it is in one row or, where there are groups, in one group.

    With weights the other rows have to weigh one row together at least. A class without any memberships is lonely, too.
    """
    held = rows.weighted(memberships)
    total = held.sum(axis=0)
    held = held.copy() if rows.group is None else _by_group(held, rows.group)
    if len(held):
        held[held.argmax(axis=0), np.arange(held.shape[1])] = 0.0  # a difference of sums would lose small weights
    least = SUM_TOLERANCE * np.maximum(total, 1.0) if rows.weight is None else 1.0 - SUM_TOLERANCE
    return held.sum(axis=0) < least


def _by_group(memberships, group) -> np.ndarray:
    """Sums of the memberships over each group of rows."""
    return np.array([np.bincount(group, weights=column) for column in memberships.T]).T
