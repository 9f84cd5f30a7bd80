"""Annotators' answers."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from sklearn.utils import check_consistent_length
from sklearn.utils.validation import _get_feature_names

from ._words import some
from .cells import is_missing
from .classes import check_classes
from .parameters import check_count, check_list

_RAGGED = "y must have rows of equal length, an answer or None for each annotator; it has not."


class Answers(NamedTuple):
    """Annotators' answers as codes of the sorted classes, -1 where there is none."""

    codes: np.ndarray
    classes: np.ndarray
    annotators: np.ndarray


def check_answers(y, missing_value=None, known=None) -> Answers:
    """Answers of each annotator (columns) for each row; `known` are all classes, when y is a block."""
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None.")
    names = _get_feature_names(y)
    table = _table_of(y)
    if table.ndim == 1 and any(isinstance(row, (list, tuple)) for row in table.tolist()):
        raise ValueError(_RAGGED)
    if table.ndim == 1:
        table = table[:, None]
    if table.ndim != 2:
        raise ValueError(f"y must have a row per sample and a column per annotator; got {table.ndim} dimensions.")
    blank = _is_blank(table, missing_value)
    if blank.all():
        raise ValueError("y must have answers; all are missing. Check what stands for one, and missing_value.")
    said = table[~blank].tolist()
    given = np.array(said)
    if given.dtype.kind == "U" and not all(isinstance(answer, str) for answer in said):
        raise ValueError("y must have answers of one type; got both text and other values. Make all of them text.")
    classes, answered = check_classes(given, known)
    codes = np.full(table.shape, -1)
    codes[~blank] = answered
    return Answers(codes, classes, np.arange(table.shape[1]) if names is None else names)


def _table_of(y) -> np.ndarray:
    """Any values, with None where a table or a masked array has none."""
    if np.ma.isMaskedArray(y):
        return np.where(np.ma.getmaskarray(y), np.array(None), y.data.astype(object))
    if hasattr(y, "isna"):  # pandas, whose NA differs from everything, even in being different
        return np.where(y.isna().to_numpy(), np.array(None), y.to_numpy(object))
    try:
        return np.asarray(y, dtype=object)
    except ValueError as error:
        raise ValueError(_RAGGED) from error


def _is_blank(table, missing_value) -> np.ndarray:
    none: Any = None
    if not np.isscalar(missing_value) and not is_missing(missing_value):
        raise ValueError(f"missing_value must be one value that stands for no answer; got {missing_value!r}.")
    # Only NaN differs from itself.
    blank = (table == none) | (table == "") | (table != table)
    return (blank if is_missing(missing_value) else blank | (table == missing_value)).astype(bool)


def check_annotators(names, known) -> np.ndarray:
    """Places of the annotators among the known ones."""
    if np.ndim(known) != 1 or np.ndim(names) != 1:
        raise ValueError("annotators must be a list of names, one for each; got something else.")
    place = {name: a for a, name in enumerate(np.asarray(known).tolist())}
    new = [name for name in np.asarray(names).tolist() if name not in place]
    if new:
        raise ValueError(f"annotators must be known; {new[0]!r} is not one of {some(list(place))}.")
    return np.array([place[name] for name in np.asarray(names).tolist()], dtype=np.intp)


def check_long_answers(row, annotator, label, n_rows):
    """Three columns of a long table of answers, and the number of rows they are about."""
    for name, values in (("row", row), ("annotator", annotator), ("label", label)):
        check_list(name, values, "values, one per answer")
    check_consistent_length(row, annotator, label)
    rows, names, labels = np.asarray(row), np.asarray(annotator), np.asarray(label, dtype=object)
    for column, values in (("row", rows), ("annotator", names), ("label", labels)):
        if values.ndim != 1:
            raise ValueError(f"{column} must be a plain column, one value per answer; got {values.ndim} dimensions.")
    try:
        np.unique(names)
    except TypeError as error:
        raise ValueError("annotator must have names of one type; got several. Make all of them text.") from error
    if not len(rows):
        raise ValueError("there must be at least one answer; got none.")
    if rows.dtype.kind not in "iu" or rows.min() < 0:
        raise ValueError(f"row must be whole numbers that count from 0; got {rows[:3].tolist()}...")
    n_rows = check_count("n_rows", int(rows.max()) + 1 if n_rows is None else n_rows)
    if rows.max() >= n_rows:
        raise ValueError(f"row must be below n_rows = {n_rows}; got {rows.max()}.")
    return rows, names, labels, n_rows


def check_one_answer_each(rows, names, labels):
    """Nobody says two things about one row."""
    said: dict = {}
    for row, name, label in zip(rows.tolist(), names.tolist(), labels.tolist(), strict=True):
        if said.setdefault((row, name), label) != label:
            raise ValueError(
                f"an annotator must give one answer per row; {name!r} gave {said[row, name]!r} and {label!r} for row "
                f"{row}. Keep one of them, or give the second answer an annotator of its own."
            )
