"""Classes: one per row, and what is said about each."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.utils import check_array, column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from ._words import named, some

SUM_TOLERANCE = 1e-6
"""Probabilities of a row may miss one by this much; they are then divided by their sum."""


def check_classes(y, known=None) -> tuple[np.ndarray, np.ndarray]:
    """Sorted classes, and the class of each row as a code.

    `known` are all classes there are, when y is a block that may lack some of them.
    """
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None.")
    if has_columns(y):
        raise ValueError(
            f"y must have one class per row; got {width_of(y)} columns. Columns of probabilities need labels='soft'."
        )
    y = column_or_1d(y, warn=True)
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise ValueError("y must have no missing value; it contains NaN or infinity. Drop or fill those rows.")
    if y.dtype == object and any(v is None or v != v for v in y):
        raise ValueError("y must have no missing value; it contains None or NaN. Drop or fill those rows.")
    check_classification_targets(y)
    if known is not None:
        known = check_known_classes(known)
        return known, codes_of(y, known)
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        raise ValueError(
            f"y must have at least two classes; got only 1 class, {classes.tolist()[0]!r}. Check the target."
        )
    return classes, codes


def check_known_classes(classes) -> np.ndarray:
    """All classes of a target that comes in blocks, sorted."""
    known = np.unique(np.asarray(classes))
    if len(known) < 2:
        raise ValueError(f"classes must name at least two classes; got {known.tolist()}.")
    return known


def codes_of(y, known) -> np.ndarray:
    """Places of the classes of y among the known ones."""
    place = {c: s for s, c in enumerate(known.tolist())}
    values, which = np.unique(y, return_inverse=True)
    new = [v for v in values.tolist() if v not in place]
    if new:
        raise ValueError(
            f"y must have only classes that are known; {new[0]!r} is not one of {some(known.tolist())}. Name all "
            "classes with classes=, in the first block."
        )
    return np.array([place[v] for v in values.tolist()], dtype=np.intp)[which]


def check_known(name, given, classes):
    """Only classes that exist."""
    unknown = [c for c in given if c not in classes.tolist()]
    if unknown:
        raise ValueError(f"{name} must name classes of y; {unknown[0]!r} is not one of {some(classes.tolist())}.")


def has_columns(y) -> bool:
    """Whether y has several columns, so that it cannot be a class per row."""
    return width_of(y) > 1


def width_of(y) -> int:
    """Number of columns of y; 1 for a plain list."""
    shape = y.shape if hasattr(y, "shape") else np.asarray(y).shape
    return shape[1] if len(shape) == 2 else 1


def check_square(name, matrix, size) -> np.ndarray:
    """A matrix with a finite number, not negative, for each pair of classes."""
    matrix = check_array(matrix, dtype=np.float64, input_name=name, ensure_min_features=0)
    if matrix.shape != (size, size):
        raise ValueError(f"{name} must have a row and a column per class, {size} x {size}; got {matrix.shape}.")
    if (matrix < 0).any():
        raise ValueError(f"{name} must not be negative; got {matrix.min():g}.")
    return matrix


def check_transition(transition, n_classes) -> np.ndarray:
    """A matrix whose rows are probabilities."""
    matrix = check_square("transition", transition, n_classes)
    wrong = np.flatnonzero(np.abs(matrix.sum(axis=1) - 1) > SUM_TOLERANCE)
    if len(wrong):
        raise ValueError(
            f"transition must sum to one in every row; row {wrong[0]} sums to {matrix[wrong[0]].sum():g}. "
            "Divide each row by its sum."
        )
    return matrix


def check_class_counts(codes, classes, what, wanted):
    """Every class has at least two samples; those with fewer than `wanted` are named in a warning."""
    counts = np.bincount(codes, minlength=len(classes))
    if (counts < 2).any():
        raise ValueError(too_few(classes, counts < 2, what))
    if (counts < wanted).any():
        warnings.warn(
            f"class {named(classes, counts < wanted)} has fewer than the {wanted} samples that {what} wants; it makes "
            "do with those there are. Merge it with another class to be surer.",
            UserWarning,
            stacklevel=4,
        )


def too_few(classes, mask, what):
    return (
        f"class {named(classes, mask)} has 1 sample; {what} needs at least 2. Merge it with another class or drop it."
    )
