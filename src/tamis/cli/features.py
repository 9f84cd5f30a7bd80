"""Columns of a table as features: numbers, categories, dates, and what is none of these."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from .dates import dated, is_of_dates
from .errors import WrongUse
from .gaps import USED, without_gaps
from .tables import Refused
from .tables.refused import named, shown
from .typed import typed

_NUMBERS_ROWS = ("id", "index", "row", "rowid", "row_id", "unnamed: 0", "")
_USE_DATES = "Use them with --dates days or --dates parts, or as categories with --categorical."


class Features(NamedTuple):
    """The features and what was done.

    X : features, a column each, of the rows that are kept
    kept : which rows these are
    notes : what was done, in plain words
    made : of each column the features made of it
    read : of each column what it was read as, and notes
    """

    X: pd.DataFrame
    kept: np.ndarray
    notes: list[str]
    made: dict[str, list[str]]
    read: dict[str, tuple[str, list[str]]]


def features_of(
    frame: pd.DataFrame,
    columns: Sequence[str],
    *,
    require: Collection[str] = (),
    categorical: Collection[str] = (),
    missing: str = "use",
    dates: str = "drop",
    written: Mapping[str, str] | None = None,
    or_none: bool = False,
) -> Features:
    """Numbers and categories; numbers of rows, columns without values and, unless asked for, dates are left out.

    A table without any is refused, unless there may be `or_none`.
    """
    free = [c for c in columns if c not in categorical]
    empty = [c for c in columns if missing != "error" and frame[c].isna().all()]
    ids = [c for c in free if c not in require and numbers_rows(frame[c])]
    digits = {c: c not in require or dates != "drop" for c in free}
    of_dates = [c for c in free if c not in {*empty, *ids} and is_of_dates(frame[c], digits=digits[c])]
    unused = of_dates if dates == "drop" else []
    late = [c for c in unused if c in require]
    if late:
        raise WrongUse(f"--require must name features that can be used; {shown(late[0])} holds dates. {_USE_DATES}")
    read = {c: ("left out", ["no value in any row"]) for c in empty}
    read |= {c: ("left out", ["numbers the rows"]) for c in ids} | {c: ("left out", ["dates"]) for c in unused}
    notes: list[str] = []
    if ids:
        notes.append(f"left out, as they only number the rows: {named(ids)} (keep them with --require)")
    if empty:
        notes.append(f"left out, as they have no value in any row: {named(empty)}")
    if unused:
        notes.append(f"left out, as they hold dates: {named(unused)}. {_USE_DATES}")
    found, made, used, done = _made(frame, [c for c in columns if c not in read], of_dates, categorical, dates)
    if not found and not or_none:
        gone = list(read)
        but = f" but {named(gone)}, which number the rows, hold dates or no values" if gone else ""
        raise Refused(
            f"the table must have features beside the target; none is left{but}. Add columns of measurements or "
            "categories, or name fewer in --drop."
        )
    read |= used
    X, kept, dropped, gaps = without_gaps(pd.DataFrame(found, index=frame.index), missing)
    n_missing = frame.isna().sum()
    for column, names in made.items():
        if set(names) & set(dropped):
            read[column] = ("left out", ["missing values"])
            continue
        _, about = read[column]
        if written and column in written:
            about.append(written[column])
        if n_missing[column]:
            about.append(f"{n_missing[column]:,} missing" + ("" if missing in USED else f" ({missing})"))
    constant = [c for c in X.columns if kept.any() and X.loc[kept, c].nunique(dropna=False) == 1]
    for column in (c for c in constant if c in read):
        read[column][1].append("the same in all rows")
    notes += [*done, *gaps, *([f"the same in all rows: {named(constant)}"] if constant else [])]
    made = {column: [name for name in names if name in X.columns] for column, names in made.items()}
    return Features(X[kept], kept, notes, made, read)


def numbers_rows(values) -> bool:
    """Whether whole numbers, all different, count the rows or are called so.

    Some may be missing, and rows may be left out: the index has the places that rows have in their file.
    """
    there = values.dropna()
    if not pd.api.types.is_integer_dtype(values.dtype):
        with_gaps = pd.api.types.is_numeric_dtype(values.dtype) and values.hasnans  # whole numbers are floats then
        if not with_gaps or (there % 1 != 0).any():
            return False
    if len(there) < 3 or not there.is_unique:
        return False
    before = there.to_numpy() - there.index.to_numpy()
    in_order = before[0] in (0, 1) and (before == before[0]).all()
    return bool(in_order or str(values.name).strip().lower() in _NUMBERS_ROWS)


def _made(frame, columns, of_dates, categorical, dates):
    """Features by name, the names of those of each column, what it was read as, and notes."""
    found: dict[str, pd.Series] = {}
    read: dict[str, tuple[str, list[str]]] = {}
    made: dict[str, list[str]] = {}
    words: dict[str, list[str]] = {"text read as numbers": [], "dates read as numbers": [], "categories": []}
    for column in columns:
        if column in of_dates:
            features, what = dated(frame[column], dates)
            _check_new(column, features, frame.columns)
            read[column] = ("date", [what]) if features else ("left out", ["the same date in all rows"])
            words["dates read as numbers"].append(f"{shown(column)} ({what or 'left out, as all are the same'})")
        else:
            values, read_as, how, example = typed(frame[column], declared=column in categorical)
            features = {column: values}
            read[column] = (read_as, [how] if how else [])
            if example:
                words["text read as numbers"].append(f"{shown(column)} ({example})")
            elif read_as == "category":
                words["categories"].append(shown(column))
        found |= features
        made[column] = list(features)
    most = {"categories": 5}
    return found, made, read, [f"{what}: {_few(said, most.get(what, 3))}" for what, said in words.items() if said]


def _check_new(column, features, names):
    both = [name for name in features if name != column and name in names]
    if both:
        raise Refused(
            f"--dates parts must make columns of new names; the table has {shown(both[0])} already. Rename it, or use "
            "--dates days."
        )


def _few(said, most) -> str:
    return ", ".join(said[:most]) + (f" and {len(said) - most:,} more" if len(said) > most else "")
