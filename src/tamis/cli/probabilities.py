"""The option --probabilities: predictions of one's own classifiers, in columns of the table or in files beside it."""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from .errors import WrongUse, unknown_column
from .features import numbers_rows
from .tables import Refused, read
from .tables.refused import shown

_OPTION = "--probabilities"
_NPY = b"\x93NUMPY"
_FILES = (".npy", ".npz", ".csv", ".tsv", ".txt", ".parquet", ".arff", ".gz")


class Predicted(NamedTuple):
    """Probabilities of the classes for the rows that are used, a table or an array for each model.

    tables : what `NoisyLabels("precomputed")` takes
    names : of the models, for messages
    columns : of the table that they are in
    given : columns, patterns and names of files without folders, as in the option
    notes : what was done, in plain words
    """

    tables: list[Any]
    names: list[str]
    columns: list[str]
    given: list[str]
    notes: list[str]


def predicted(given: Sequence[str], frame: pd.DataFrame, targets: Sequence[str], y: pd.Series) -> Predicted:
    """Read what the option names; y has the labels that are used, at the index of their rows.

    Columns that are named in full are one model together. Each pattern and each file is a model.
    """
    alone = [name for name in dict.fromkeys(given) if name in frame.columns]
    models = {}
    if alone:
        models[", ".join(alone[:2]) + ", ..." * (len(alone) > 2)] = frame[_not_targets(alone, targets)]
    others = [column for column in frame.columns if column not in targets]
    rest = [_model(name, frame[others]) for name in dict.fromkeys(given) if name not in alone]
    models |= dict(rest)
    classes = {str(c) for c in y.dropna().unique().tolist()}
    tables = [_checked(name, _of_classes(name, table, classes), y.index) for name, table in models.items()]
    columns = [c for name in given for c in ([name] if name in alone else fnmatch.filter(others, name))]
    return Predicted(tables, list(models), columns, [*alone, *dict(rest)], [_note(models)])


def _model(name, frame) -> tuple[str, Any]:
    """A pattern of columns, or a file, with its name."""
    columns = fnmatch.filter(frame.columns, name) if "*" in name else []
    if columns:
        return name, frame[columns]
    if os.path.exists(name) or name.lower().endswith(_FILES) or os.sep in name:
        return os.path.basename(name), _from_file(name, len(frame))
    raise unknown_column(_OPTION, name, list(frame.columns), what="a column of the table or a file")


def _not_targets(columns, targets):
    both = [c for c in columns if c in targets]
    if both:
        raise WrongUse(f"{_OPTION} must not name what --target names; {shown(both[0])} is in both. Take it out of one.")
    return columns


def _note(models) -> str:
    of = ", ".join(f"{name} ({table.shape[1]:,} columns)" for name, table in models.items())
    return f"probabilities of {'a model' if len(models) == 1 else f'{len(models)} models'}: {of}; no feature is used"


def _from_file(path, n_rows):
    """An array of an .npy file, or a table with a column for each class."""
    table = _array(path) if _head(path) == _NPY else _table(path)
    if len(table) != n_rows:
        raise Refused(
            f"{path} must have a row for each row of the table; it has {len(table):,} for {n_rows:,}. Give the "
            "probabilities of all rows, in the same order."
        )
    return table


def _head(path) -> bytes:
    """The first bytes of a file; nothing if it cannot be opened, so that its reader says why."""
    try:
        with open(path, "rb") as file:
            return file.read(len(_NPY))
    except (OSError, ValueError):
        return b""


def _array(path) -> np.ndarray:
    try:
        array = np.load(path, allow_pickle=False)
    except MemoryError as error:
        raise Refused(f"{path} must fit into memory; it does not. Save it as float32.") from error
    except (ValueError, OSError, EOFError) as error:
        why = "it holds Python objects, which are not loaded" if "pickle" in str(error) else "it is broken"
        raise Refused(f"{path} must be an array of numbers; {why}. Save it again with numpy.save.") from error
    if array.ndim != 2 or array.dtype.kind not in "fiub":
        what = f"the shape {array.shape} and the type {array.dtype}"
        raise Refused(f"{path} must be an array of numbers, a row for each row of the table; it has {what}.")
    return array


def _table(path) -> pd.DataFrame:
    frame = read(path).frame
    return frame[[column for column in frame.columns if not numbers_rows(frame[column])]]


def _of_classes(name, table, classes):
    """A table whose columns are named by what stands for the * of the option, if these are the classes."""
    if not isinstance(table, pd.DataFrame) or name.count("*") != 1:
        return table
    before, after = name.split("*")
    short = [column[len(before) : len(column) - len(after)] for column in table.columns]
    return table.set_axis(short, axis=1) if classes <= set(short) else table


def _checked(name, table, rows):
    """Numbers without gaps in the rows that are used."""
    if isinstance(table, pd.DataFrame):
        text = [c for c in table.columns if not pd.api.types.is_numeric_dtype(table[c].dtype)]
        if text:
            raise Refused(f"{_OPTION} must name columns of numbers; {shown(text[0])} of {shown(name)} is text.")
        table = table.loc[rows].reset_index(drop=True)
    elif len(rows) < len(table):
        table = table[rows]
    gaps = np.isnan(np.asarray(table, dtype=float)).any(axis=1)
    if gaps.any():
        raise Refused(
            f"{_OPTION} must have no missing values; {shown(name)} has some in {gaps.sum():,} of {len(gaps):,} rows "
            f"(the first is row {rows[gaps.argmax()] + 1:,}). Predict these rows, or leave them out of the table."
        )
    return table


def as_told(said: str, names: Sequence[str], rows: np.ndarray) -> str:
    """What a label model says about P and its rows, with the name in the option and the row of the file."""
    said = re.sub(r"\bP(?:\[(\d+)\])?(?= (?:must|seems|has)\b)", lambda m: f"{_OPTION} {names[int(m[1] or 0)]}", said)
    return re.sub(r"(?<!')\brow (\d+)\b", lambda m: f"row {rows[int(m[1])]:,}", said)


@contextmanager
def told_by_file(names: Sequence[str], rows: np.ndarray) -> Iterator[None]:
    """What is refused, told as of the file."""
    try:
        yield
    except Refused as error:
        raise Refused(as_told(str(error), names, rows)) from error
