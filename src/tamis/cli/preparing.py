"""A table that was read, as what `fit` takes."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from .errors import WrongUse, unknown_column
from .features import Features, features_of
from .probabilities import Predicted, predicted
from .tables import Refused, Table, read
from .tables.refused import shown
from .targets import kind_of_columns, target_of


class Prepared(NamedTuple):
    """Features and labels.

    X : features as numbers and categories, without gaps
    y : what the label model of this `kind` takes
    kind : of the labels
    targets : names of the columns of y
    required : features that are always kept
    frame : the rows that are used, as they were read
    rows : their numbers in the file, from 1
    notes : what was done, in plain words
    reading : arguments of `read_table` that do it again
    predicted : probabilities that take the place of the features, if there are any
    """

    X: pd.DataFrame
    y: pd.Series | pd.DataFrame
    kind: str
    targets: list[str]
    required: list[str]
    frame: pd.DataFrame
    rows: np.ndarray
    notes: list[str]
    reading: dict[str, Any]
    predicted: Predicted | None = None


def read_table(file, **how) -> tuple[Any, pd.Series | pd.DataFrame]:
    """The features, or the probabilities, and the labels of a file, as commands take them from it: see `prepare`."""
    prepared = prepare(read(str(file)), **how)
    return (prepared.X if prepared.predicted is None else prepared.predicted.tables), prepared.y


def prepare(
    table: Table,
    *,
    target: Sequence[str] = (),
    labels: str = "auto",
    drop: Sequence[str] = (),
    require: Sequence[str] = (),
    categorical: Sequence[str] = (),
    missing: str = "error",
    probabilities: Sequence[str] = (),
) -> Prepared:
    """Sort the columns into features and labels, and see to what is missing; probabilities replace all features."""
    frame, every = table.frame, list(table.frame.columns)
    targets = columns_named("--target", target, every) or list(table.labels)
    if not targets:
        names = ", ".join(map(shown, every[-8:]))
        raise WrongUse(
            f"--target must name the column of labels; the {'last ' if len(every) > 8 else ''}columns are {names}."
        )
    left_out = columns_named("--drop", drop, every)
    required = columns_named("--require", require, every)
    categories = columns_named("--categorical", categorical, every)
    for option, given in (("--drop", left_out), ("--require", required), ("--categorical", categories)):
        _check_apart(option, given, "--target", targets)
    _check_apart("--require", required, "--drop", left_out)
    kind, why = kind_of_columns(frame[targets], str(labels), declared=not target)
    rows, notes = _known(frame, targets, kind, missing)
    columns = [c for c in every if c not in {*targets, *left_out}]
    if probabilities:
        features = Features(frame.loc[rows, []], np.ones(rows.sum(), dtype=bool), [])
    else:
        features = features_of(frame[rows], columns, require=required, categorical=categories, missing=missing)
    rows[rows] = features.kept
    if len(features.X) < 2:
        raise Refused(f"the table must have at least two rows; it has {len(features.X)}.")
    found = target_of(frame.loc[rows, targets], kind, why)
    _check_required(required, features.X.columns)
    models = predicted(probabilities, frame, targets, found.y) if probabilities else None
    notes = [*table.notes, *notes, *features.notes, *found.notes, *(models.notes if models else ())]
    X, y = features.X.reset_index(drop=True), found.y.reset_index(drop=True)
    reading = {"target": targets, "labels": found.kind, "drop": left_out, "require": required}
    reading |= {"categorical": categories, "missing": str(missing)}
    if models:
        reading["probabilities"] = models.given
    numbers = np.flatnonzero(rows) + 1
    return Prepared(X, y, found.kind, targets, required, frame[rows], numbers, notes, reading, models)


def columns_named(option: str, given: Sequence[str], columns: Sequence[str]) -> list[str]:
    """Columns, each once, in the order given; * stands for anything."""
    found: list[str] = []
    for name in given:
        here = [name] if name in columns else fnmatch.filter(columns, name) if "*" in name else []
        if not here:
            raise unknown_column(option, name, columns)
        found += [c for c in here if c not in found]
    return found


def _known(frame, targets, kind, missing) -> tuple[np.ndarray, list[str]]:
    """Rows whose label is known; annotators need not answer."""
    gaps = frame[targets].isna().any(axis=1).to_numpy() & (kind != "crowd")
    if not gaps.any():
        return np.ones(len(frame), dtype=bool), []
    if missing != "drop-rows":
        raise Refused(
            f"labels must be there in every row; {', '.join(map(shown, targets[:3]))} is missing in {gaps.sum():,} of "
            f"{len(frame):,} (the first is row {gaps.argmax() + 1:,}). Leave these rows out with --missing drop-rows."
        )
    return ~gaps, [f"rows left out for missing labels: {gaps.sum():,} of {len(frame):,}"]


def _check_apart(option, given, other, columns):
    both = [c for c in given if c in columns]
    if both:
        raise WrongUse(f"{option} must not name what {other} names; {shown(both[0])} is in both. Take it out of one.")


def _check_required(required, columns):
    gone = [c for c in required if c not in columns]
    if gone:
        raise WrongUse(f"--require must name features that are left; {shown(gone[0])} was left out for missing values.")
