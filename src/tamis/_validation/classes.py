"""Classes: one per row, and what is said about each."""

from __future__ import annotations

import numbers
import warnings

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import column_or_1d

from ._words import a_few, either_way, some
from .cells import check_numbers, check_unmasked, is_time, missing_cells
from .rows import Rows

_ALIKE = Rows()
_CHECK = "Check the target."
_FEW = (("has", "have"), ("it makes", "they make"), ("it", "them"))
SUM_TOLERANCE = 1e-6
"""Probabilities of a row may miss one by this much; they are then divided by their sum."""


def check_classes(y, known=None, *, least=2) -> tuple[np.ndarray, np.ndarray]:
    """Sorted classes, and the class of each row as a code.

    `known` are all classes there are, when y is a block that may lack some of them; `least` of `coded`.
    """
    return coded(class_column("y", y), known, least=least)


def check_labelled(y, known=None, *, way_out=_CHECK, least=2) -> tuple[np.ndarray, np.ndarray]:
    """The same with code -1 for rows without a label: None, NaN or an empty text."""
    column, there = labelled_cells(y)
    codes = np.full(len(there), -1)
    classes, codes[there] = coded(column, known, way_out=way_out, least=least)
    return classes, codes


def coded(y, known, *, name="y", way_out=_CHECK, least=2):
    """Sorted classes, at least so many, and codes of a column that was checked; a single class is told."""
    if known is not None:
        known = check_known_classes(known, least=least)
        return known, codes_of(y, known, name=name)
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) < least:
        raise ValueError(f"{name} must have at least two classes; got only 1 class, {classes.tolist()[0]!r}. {way_out}")
    warn_of_one_class(name, classes, stacklevel=5)
    _check_repeats(y, classes)
    return classes, codes


def warn_of_one_class(name, classes, *, way_out=_CHECK, stacklevel=4):
    """Say that there is nothing to predict."""
    if len(classes) == 1:
        only, has = np.asarray(classes).tolist()[0], "have" if name.endswith("s") else "has"
        warnings.warn(
            f"{name} {has} only one class, {only!r}: no feature can predict it. {way_out}",
            UserWarning,
            stacklevel=stacklevel,
        )


def labelled_cells(y) -> tuple[np.ndarray, np.ndarray]:
    """The classes of those rows that have one, and which rows these are."""
    if getattr(y, "ndim", 0) == 1 and hasattr(y, "isna") and 0 < y.isna().sum() < len(y):  # pandas' NA has many types
        there = ~np.asarray(y.isna())
        column, there[there] = labelled_cells(np.asarray(y[there]))
        return column, there
    column = _plain_column("y", y)
    there = ~missing_cells(column)
    if column.dtype == object:
        there &= [not (isinstance(cell, str) and cell == "") for cell in column.tolist()]
    elif column.dtype.kind in "UT":
        there &= column != ""
    if not there.any():
        raise ValueError(
            f"y must have a label in some row; it contains None, NaN or an empty text in all {len(column)}. Check the "
            "target."
        )
    column = column[there]
    _check_present("y", column)
    return _check_type("y", column), there


def class_column(name, y) -> np.ndarray:
    """A class per row: text, whole numbers or truth values, none of them missing."""
    column = _plain_column(name, y)
    _check_present(name, column)
    return _check_type(name, column)


def _plain_column(name, y) -> np.ndarray:
    if y is None:
        raise ValueError(f"requires {name} to be passed, but the target {name} is None.")
    check_unmasked(name, y)
    if issparse(y):
        raise TypeError(f"{name} must have one class per row; got a sparse matrix. Pass a plain column of classes.")
    if has_columns(y):
        raise ValueError(
            f"{name} must have one class per row; got {width_of(y)} columns. Columns of probabilities need "
            "labels='soft', those of 0 and 1 labels='multilabel', those of annotators labels='crowd'."
        )
    column = column_or_1d(_cells_of(y), warn=True)
    if not len(column):
        raise ValueError(f"{name} must have a class per row; it is empty.")
    return column


def _cells_of(y):
    """An array in which numbers and text have not become text together."""
    if not isinstance(y, (list, tuple)) or not len(y):
        return y
    widths, texts = _widths(y), {issubclass(kind, str) for kind in set(map(type, y))}
    if widths == {1}:
        return np.array(_cells_of([row[0] for row in y]))[:, None]
    if len(texts) == 1 and widths == {0}:
        return np.array(y)
    cells = np.empty(len(y), dtype=object)
    cells[:] = list(y)
    return cells


def _check_present(name, column):
    missing = missing_cells(column)
    if column.dtype.kind == "f":
        missing |= np.isinf(column)
    if missing.any():
        raise ValueError(
            f"{name} must have no missing value; it contains None, NaN or infinity in {missing.sum()} of {len(column)} "
            f"rows, the first in row {missing.argmax()}. Drop or fill those rows."
        )


def _check_type(name, column):
    """Classes of one type that can be sorted; objects become what they are."""
    if column.dtype == object:
        kinds = {type(cell) for cell in column.tolist()}
        texts = [issubclass(kind, str) for kind in kinds]
        if any(texts) and not all(texts):
            shown = [next(c for c in column.tolist() if isinstance(c, str) is text) for text in (True, False)]
            raise ValueError(
                f"{name} must have classes of one type; got text ({shown[0]!r}) and others ({shown[1]!r}). Make all of "
                "them text."
            )
        if all(issubclass(kind, (numbers.Real, np.bool_)) for kind in kinds):
            column = np.array(column.tolist())
            _check_present(name, column)
    if column.dtype.kind in "mM" or (column.dtype == object and all(map(is_time, column.tolist()))):
        raise ValueError(
            f"{name} must have classes; it holds dates or times, such as {str(column[0])!r}. Take a part of them, such "
            "as the year, or make them text."
        )
    if column.dtype.kind == "f" and (column != np.floor(column)).any():
        shown = column[column != np.floor(column)][0]
        raise ValueError(
            f"{name} must have classes; it has measurements, such as {shown:g} (Unknown label type: continuous). Cut "
            "them into classes such as low, middle and high: pandas.qcut, or KBinsDiscretizer of scikit-learn."
        )
    if column.dtype.kind in "biufUT" or (column.dtype == object and isinstance(column[0], str)):
        return column
    kind = type(column.tolist()[0]).__name__
    raise (TypeError if kind == "bytes" else ValueError)(
        f"{name} must have text, whole numbers or truth values as classes (Unknown label type: {kind}); got "
        f"{column.tolist()[0]!r}. Make them text; sets of labels need labels='multilabel'."
    )


def _check_repeats(y, classes):
    """Say that classes hardly repeat; floats that never do are measurements, not classes."""
    n_classes, n = len(classes), len(y)
    if n_classes <= 10 or n_classes <= n / 2:
        return
    if y.dtype.kind == "f" and n_classes == n:
        raise ValueError(
            f"y must have classes; its {n} rows have {n} different numbers, like a measurement or an identifier. Cut "
            "them into classes such as low, middle and high: pandas.qcut, or KBinsDiscretizer of scikit-learn."
        )
    warnings.warn(
        f"y has {n_classes} classes in {n} rows, so that most of them occur once. If they are measurements, cut them "
        "into classes: pandas.qcut. If not, merge rare ones.",
        UserWarning,
        stacklevel=6,
    )


def check_known_classes(classes, *, least=2) -> np.ndarray:
    """All classes of a target that comes in blocks, sorted."""
    known = np.unique(class_column("classes", classes))
    if len(known) < least:
        raise ValueError(f"classes must name at least two classes; got {known.tolist()}.")
    return known


def check_classes_of_blocks(classes):
    """Two classes at least, if there is a list of them: blocks to come cannot have others."""
    if np.ndim(classes) == 1 and len(classes) < 2:
        raise ValueError(
            f"classes must name at least two classes; got {np.asarray(classes).tolist()}. Name all of them with "
            "classes=, in the first block."
        )


def codes_of(y, known, *, name="y") -> np.ndarray:
    """Places of the classes of y among the known ones."""
    place = {c: s for s, c in enumerate(known.tolist())}
    values, which = np.unique(y, return_inverse=True)
    new = [v for v in values.tolist() if v not in place]
    if new:
        raise ValueError(
            f"{name} must have only classes that are known; {new[0]!r} is not one of {some(known.tolist())}. Name all "
            "classes with classes=, in the first block if there are several."
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
    if hasattr(y, "shape"):
        return y.shape[1] if len(y.shape) == 2 else 1
    widths = _widths(y) if isinstance(y, (list, tuple)) else {1}
    return widths.pop() or 1 if len(widths) == 1 else 1


def _widths(rows) -> set[int]:
    """Numbers of cells that rows of a plain list have; 0 where a row is a cell itself."""
    if not any(issubclass(kind, (list, tuple, np.ndarray)) for kind in set(map(type, rows))):  # the usual case
        return {0}
    several = [isinstance(row, (list, tuple)) or (isinstance(row, np.ndarray) and row.ndim > 0) for row in rows]
    return {len(row) if more else 0 for row, more in zip(rows, several, strict=True)}


def check_square(name, matrix, size) -> np.ndarray:
    """A matrix with a finite number, not negative, for each pair of classes."""
    matrix = check_numbers(name, matrix, ensure_min_features=0)
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


def check_class_counts(codes, classes, what, wanted, rows=_ALIKE, *, trusts=True) -> np.ndarray:
    """Which classes have fewer than two samples: they are named in a warning, as are those with fewer than `wanted`.

    Samples of one group count as one, since they are not compared with each other, and so does one of large weight.
    Without `trusts` such classes are refused, where their labels cannot be taken as right.
    """
    n_classes = len(classes)
    if rows.group is None:
        counts = np.bincount(codes, minlength=n_classes)
    else:
        counts = np.bincount(np.unique(rows.group * n_classes + codes) % n_classes, minlength=n_classes)
    alone = counts < 2
    if alone.any():
        how_few = f"{a_few(classes, alone)} {why_alone(alone, rows)}"
        if not trusts:
            raise ValueError(f"{how_few}; {what} needs at least 2. Merge it with another class or drop it.")
        trusted = either_way(alone, "its label is trusted. Merge it", "their labels are trusted. Merge them")
        warnings.warn(
            f"{how_few}, too few for {what}: {trusted} with another class to have {either_way(alone, 'it', 'them')} "
            "examined.",
            UserWarning,
            stacklevel=4,
        )
    if rows.weight is not None:
        counts = np.minimum(counts, np.bincount(codes, rows.weight, n_classes))
    small = (counts < wanted) & ~alone
    if small.any():
        has, it_makes, it = (either_way(small, *words) for words in _FEW)
        samples = "samples" if rows.group is None else "groups of samples"
        warnings.warn(
            f"{a_few(classes, small)} {has} fewer than the {wanted} {samples} that {what} wants; {it_makes} do with "
            f"those there are. Merge {it} with another class to be surer.",
            UserWarning,
            stacklevel=4,
        )
    return alone


def why_alone(mask, rows) -> str:
    """What is wrong with classes that have nothing to be compared with, as a predicate of them."""
    if rows.group is None:
        return either_way(mask, "has 1 sample", "have 1 sample each")
    return either_way(mask, "is in one group only", "are in one group each")
