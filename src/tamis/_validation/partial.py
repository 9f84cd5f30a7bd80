"""Answers that are not one class: confidences, candidates, rankings and votes, as labels with weights."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .cells import check_numbers, is_missing
from .classes import check_labelled, class_column, coded
from .memberships import class_names

_ALL_CLASSES = "Name all classes with classes=."
_MANY = (list, tuple, set, frozenset, np.ndarray)


class Named(NamedTuple):
    """Classes that rows name, one after the other: the row, the class as a code, and whatever was said of it."""

    n_rows: int
    classes: np.ndarray
    row: np.ndarray
    code: np.ndarray


def check_confidence(y, confidence, known=None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Classes, the code of each row, -1 without a label, and its confidence, NaN where there is none."""
    classes, codes = check_labelled(y, known, way_out=_ALL_CLASSES)
    column = check_numbers("confidence", confidence, ensure_2d=False, missing=True)
    column = column[:, 0] if column.ndim == 2 and column.shape[1] == 1 else column
    if column.shape != codes.shape:
        raise ValueError(f"confidence must be one number per row of y, {len(codes)}; got shape {column.shape}.")
    wrong = np.flatnonzero((column < 0) | (column > 1))
    if len(wrong):
        way_out = "Divide percent by 100." if column[wrong[0]] > 1 else "Write the probability that the class is right."
        raise ValueError(
            f"confidence must be from 0 to 1; row {wrong[0]} has {column[wrong[0]]:g} ({len(wrong)} such rows). "
            f"{way_out}"
        )
    return classes, codes, column


def check_named(name, rows, known=None, *, ordered=False) -> Named:
    """The classes that each row names; with `ordered` none of them twice, and in a list, not a set."""
    lists = [_names_in(row) for row in _rows_of(name, rows)]
    for place, row in enumerate(lists):
        if ordered and isinstance(row, (set, frozenset)) and len(row) > 1:
            raise ValueError(f"{name} must be in order, best first; row {place} is a set. Pass lists.")
    flat = [label for row in lists for label in row]
    classes, codes = _coded(name, flat, known)
    row = np.repeat(np.arange(len(lists)), [len(one) for one in lists])
    pairs, first = np.unique(row * len(classes) + codes, return_index=True)
    if len(pairs) == len(codes):
        return Named(len(lists), classes, row, codes)
    if ordered:
        place = int(np.setdiff1d(np.arange(len(codes)), first)[0])
        raise ValueError(
            f"{name} must name a class once in a row; row {row[place]} has {flat[place]!r} twice. Leave one out."
        )
    return Named(len(lists), classes, row[np.sort(first)], codes[np.sort(first)])


def check_votes(votes, known=None) -> tuple[np.ndarray, np.ndarray]:
    """Classes, and numbers of votes for them, (n_rows, n_classes): from a table, or from a dictionary for each row."""
    if getattr(votes, "ndim", 1) != 2 and any(isinstance(row, dict) for row in _rows_of("votes", votes)):
        classes, counts = _from_dictionaries(_rows_of("votes", votes), known)
    else:
        names, counts = class_names(votes), np.nan_to_num(check_numbers("votes", votes, missing=True))
        labels = names if names is not None else known if known is not None else np.arange(counts.shape[1])
        classes, codes = _coded("votes", list(labels), known)
        if len(codes) != counts.shape[1] or len(set(codes.tolist())) < len(codes):
            raise ValueError(
                f"votes must have one column per class; got {counts.shape[1]} columns for {len(set(codes.tolist()))} "
                "classes. Name the columns of a table by the classes."
            )
        counts, narrow = np.zeros((len(counts), len(classes))), counts
        counts[:, codes] = narrow
    if (counts < 0).any():
        row = int((counts < 0).any(axis=1).argmax())
        raise ValueError(f"votes must not be negative; row {row} has {counts[row].min():g}. Pass counts or weights.")
    return classes, counts


def _from_dictionaries(rows, known):
    odd = next((i for i, row in enumerate(rows) if not (isinstance(row, dict) or is_missing(row))), None)
    if odd is not None:
        raise ValueError(f"votes must be a dictionary in every row, or None; row {odd} has {rows[odd]!r}.")
    rows = [row if isinstance(row, dict) else {} for row in rows]
    classes, codes = _coded("votes", [label for row in rows for label in row], known)
    values = check_numbers("votes", [[n] for row in rows for n in row.values()], missing=True)[:, 0]
    counts = np.zeros((len(rows), len(classes)))
    counts[np.repeat(np.arange(len(rows)), [len(row) for row in rows]), codes] = np.nan_to_num(values)
    return classes, counts


def _coded(name, labels, known):
    if not labels:
        raise ValueError(f"{name} must name a class in some row; all rows are empty. Check the target.")
    return coded(class_column(name, labels), known, name=name, way_out=_ALL_CLASSES)


def _rows_of(name, rows) -> list[Any]:
    if isinstance(rows, (str, dict)) or not np.iterable(rows):
        raise ValueError(f"{name} must have an entry per row; got {type(rows).__name__}.")
    found = list(rows.to_numpy() if hasattr(rows, "to_numpy") else rows)
    if not found:
        raise ValueError(f"{name} must have an entry per row; it is empty.")
    return found


def _names_in(row):
    """The labels of a row; those of a table may end with missing ones."""
    if isinstance(row, (set, frozenset)):
        return row
    cells = list(row) if isinstance(row, _MANY) else [row]
    return [c for c in cells if not (is_missing(c) or (isinstance(c, str) and c == ""))]
