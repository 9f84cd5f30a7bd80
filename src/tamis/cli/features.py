"""Columns of a table as features: numbers, categories, and what is neither."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from .errors import WrongUse
from .tables import Numbers, Refused, holds_dates, numbers_of, odd_cells
from .tables.refused import shown

if TYPE_CHECKING:
    from .options import Missing

_FEW_CATEGORIES = 20
_MOST_CATEGORIES = 50
_ABSENT = "(missing)"
_USE_DATES = "To use one, turn it into a number such as days since the first, or name it in --categorical."
_NUMBERS_ROWS = ("id", "index", "row", "rowid", "row_id", "unnamed: 0", "")


class Features(NamedTuple):
    """The features, which rows are kept, and what was done."""

    X: pd.DataFrame
    kept: np.ndarray
    notes: list[str]


def features_of(
    frame: pd.DataFrame,
    columns: Sequence[str],
    *,
    require: Collection[str] = (),
    categorical: Collection[str] = (),
    missing: Missing | str = "error",
) -> Features:
    """Numbers and categories without gaps; dates and numbers of rows are left out, anything else is refused."""
    free = [c for c in columns if c not in categorical]
    ids = [c for c in free if c not in require and numbers_rows(frame[c])]
    dates = [c for c in free if c not in ids and _holds_dates(frame[c], whole=c not in require)]
    late = [c for c in dates if c in require]
    if late:
        raise WrongUse(f"--require must name features that can be used; {shown(late[0])} holds dates. {_USE_DATES}")
    notes: list[str] = []
    if ids:
        notes.append(f"left out, as they only number the rows: {_names(ids)} (keep them with --require)")
    if dates:
        notes.append(f"left out, as they hold dates: {_names(dates)}. {_USE_DATES}")
    typed = {c: _typed(frame, c, c in categorical) for c in columns if c not in {*ids, *dates}}
    if not typed:
        but = f" but {_names([*ids, *dates])}, which number the rows or hold dates" if ids or dates else ""
        raise Refused(
            f"the table must have features beside the target; none is left{but}. Add columns of measurements or "
            "categories, or name fewer in --drop."
        )
    notes += _read_as_numbers(frame, typed)
    X = pd.DataFrame(typed, index=frame.index)
    found = [c for c in X.columns if isinstance(X[c].dtype, pd.CategoricalDtype)]
    if found:
        notes.append(f"categories: {_names(found)}")
    X, kept, done = _without_gaps(X, str(missing))
    notes += done
    constant = [c for c in X.columns if kept.any() and X.loc[kept, c].nunique() == 1]
    if constant:
        notes.append(f"the same in all rows: {_names(constant)}")
    return Features(X[kept], kept, notes)


def numbers_rows(values) -> bool:
    """Whether whole numbers, all different, count the rows or are called so."""
    if not pd.api.types.is_integer_dtype(values.dtype) or len(values) < 3 or not values.is_unique:
        return False
    first = values.iloc[0]
    in_order = first in (0, 1) and (np.diff(values.to_numpy()) == 1).all()
    return bool(in_order or str(values.name).strip().lower() in _NUMBERS_ROWS)


def _holds_dates(values, *, whole=True) -> bool:
    """Whether a column is of dates: as text, or as whole numbers such as 20241231 unless these are wanted as such."""
    if isinstance(values.dtype, pd.CategoricalDtype):
        return False
    if not pd.api.types.is_numeric_dtype(values.dtype):
        counts = values.value_counts()
        return holds_dates(counts.index.astype(str).tolist(), counts.tolist())
    if not whole or not pd.api.types.is_integer_dtype(values.dtype) or values.nunique() < 2:
        return False
    year, month, day = values // 10_000, values // 100 % 100, values % 100
    return bool((year.between(1900, 2100) & month.between(1, 12) & day.between(1, 31)).all())


def _typed(frame, column, declared):
    """A column of numbers or of categories."""
    values = frame[column]
    if declared:
        return values.astype("category")
    if isinstance(values.dtype, pd.CategoricalDtype):
        return values.cat.remove_unused_categories()
    if not pd.api.types.is_numeric_dtype(values.dtype):
        read = numbers_of(values.dropna().astype(str).unique().tolist())
        if not isinstance(read, Numbers):
            return _categories(frame, column, read)
        values = values.astype(str).map(read.values).astype(float)
    infinite = np.isinf(values.to_numpy(dtype=float))
    if infinite.any():
        row = values.index[infinite.argmax()] + 1
        raise Refused(
            f"column {shown(column)} must have finite numbers; row {row:,} has infinity. Correct it, or leave the "
            f"column out with --drop {shown(column)}."
        )
    return values


def _categories(frame, column, doubt):
    """A column of text, unless it seems to be of numbers."""
    values = frame[column]
    if doubt is not None:
        row = values.index[(values.astype(str) == doubt.cell).argmax()] + 1
        raise Refused(
            f"column {shown(column)} must have numbers that can be read in one way; row {row:,} says "
            f"{shown(doubt.cell)}: {doubt.why}. Write plain numbers such as 1234.5, or use --drop or --categorical "
            f"{shown(column)}."
        )
    odd = odd_cells(frame, column)
    if odd is not None and odd.numbers >= odd.cells / 2:
        row = frame.index[odd.row - 1] + 1
        raise Refused(
            f"column {shown(column)} must be all numbers or all text; {odd.numbers:,} of its {odd.cells:,} cells are "
            f"numbers, but row {row:,} says {shown(odd.text)}. Correct it, or use --drop or --categorical "
            f"{shown(column)}."
        )
    most, there = max(_FEW_CATEGORIES, min(_MOST_CATEGORIES, len(values) // 20)), values.nunique()
    if there > most:
        raise Refused(
            f"a column of text must have at most {most} different values to be taken for categories; {shown(column)} "
            f"has {there:,}. Leave it out with --drop {shown(column)}, or insist with --categorical {shown(column)}."
        )
    return values.astype("category")


def _read_as_numbers(frame, typed) -> list[str]:
    """Which columns of text became numbers, with a cell of each."""
    said = []
    for column, values in typed.items():
        before = frame[column]
        if pd.api.types.is_numeric_dtype(before.dtype) or not pd.api.types.is_numeric_dtype(values.dtype):
            continue
        cells = before.dropna().astype(str)
        read = numbers_of(cells.unique().tolist())
        example = read.example if isinstance(read, Numbers) and read.example else cells.iloc[0]
        said.append(
            f"{shown(column)} ({shown(example, 20)} as {values[cells.index[(cells == example).argmax()]]:.15g})"
        )
    more = f" and {len(said) - 3:,} more" if len(said) > 3 else ""
    return [f"text read as numbers: {', '.join(said[:3])}{more}"] if said else []


def _without_gaps(X, missing) -> tuple[pd.DataFrame, np.ndarray, list[str]]:
    gaps = X.isna()
    holed = [c for c in X.columns if gaps[c].any()]
    every = np.ones(len(X), dtype=bool)
    if not holed:
        return X, every, []
    cells = int(gaps.to_numpy().sum())
    if missing == "error":
        row = X.index[gaps.any(axis=1).to_numpy().argmax()] + 1
        raise Refused(
            f"features must have no missing values; {cells:,} {'cell' if cells == 1 else 'cells'} of {_names(holed)} "
            f"missing (the first in row {row:,}). Choose --missing drop-rows, drop-columns or median."
        )
    if missing == "drop-rows":
        kept = ~gaps.any(axis=1).to_numpy()
        if kept.sum() < 2:
            raise Refused(
                f"--missing drop-rows must leave rows; {kept.sum()} of {len(X):,} have no gap in {_names(holed)}. Use "
                "drop-columns or median."
            )
        return X, kept, [f"rows left out for missing features: {int((~kept).sum()):,} of {len(X):,}"]
    if missing == "drop-columns":
        if len(holed) == X.shape[1]:
            raise Refused("--missing drop-columns must leave columns; every one has a gap. Use drop-rows or median.")
        return X.drop(columns=holed), every, [f"columns left out for missing values: {_names(holed)}"]
    filled = {c: _filled(X[c]) if c in holed else X[c] for c in X.columns}
    note = f"{cells:,} missing cells of {_names(holed)} filled with medians (categories: {_ABSENT!r})"
    return pd.DataFrame(filled, index=X.index), every, [note]


def _filled(values):
    if isinstance(values.dtype, pd.CategoricalDtype):
        return values.astype(object).map(str, na_action="ignore").fillna(_ABSENT).astype("category")
    if values.isna().all():
        raise Refused(
            f"column {shown(values.name)} must have values; it has none. Leave it out with --drop {shown(values.name)}."
        )
    return values.fillna(values.median())


def _names(columns, most=5):
    return ", ".join(map(shown, columns[:most])) + (f" and {len(columns) - most:,} more" if len(columns) > most else "")
