"""Missing values of the features: used as such, or what else the option --missing says."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from .tables import Refused
from .tables.refused import named

_ABSENT = "(missing)"
USED = ("use", "indicator")
"""Values of the option with which missing values are used."""


class Filled(NamedTuple):
    """Features, which rows are kept, which columns were left out, and what was done."""

    X: pd.DataFrame
    kept: np.ndarray
    dropped: list[str]
    notes: list[str]


def without_gaps(X: pd.DataFrame, missing: str) -> Filled:
    """Features as they are if their missing values are used, else without any; X has the rows of the file less one."""
    gaps = X.isna()
    holed = [c for c in X.columns if gaps[c].any()]
    every = np.ones(len(X), dtype=bool)
    if not holed:
        return Filled(X, every, [], [])
    cells, rows = int(gaps.to_numpy().sum()), gaps.any(axis=1).to_numpy()
    if missing in USED:
        return Filled(X, every, [], _notes(gaps, holed, cells, rows, missing))
    if missing == "error":
        row = X.index[rows.argmax()] + 1
        raise Refused(
            f"features must have no missing values with --missing error; {cells:,} "
            f"{'cell' if cells == 1 else 'cells'} of {named(holed)} missing (the first in row {row:,}). Choose "
            "--missing use, drop-rows, drop-columns or median."
        )
    if missing == "drop-rows":
        if (~rows).sum() < 2:
            raise Refused(
                f"--missing drop-rows must leave rows; {(~rows).sum()} of {len(X):,} have no gap in {named(holed)}. "
                "Use --missing use, drop-columns or median."
            )
        return Filled(X, ~rows, [], [f"rows left out for missing features: {rows.sum():,} of {len(X):,}"])
    if missing == "drop-columns":
        if len(holed) == X.shape[1]:
            raise Refused(
                "--missing drop-columns must leave columns; every one has a gap. Use --missing use, drop-rows or "
                "median."
            )
        note = f"columns left out for missing values: {named(holed)}"
        return Filled(X.drop(columns=holed), every, holed, [note])
    filled = {c: _filled(X[c]) if c in holed else X[c] for c in X.columns}
    note = f"{cells:,} missing cells of {named(holed)} filled with medians (categories: {_ABSENT!r})"
    return Filled(pd.DataFrame(filled, index=X.index), every, [], [note])


def _notes(gaps, holed, cells, rows, missing) -> list[str]:
    what = "1 cell" if cells == 1 else f"{cells:,} cells"
    note = f"missing values are used as such: {what} of {named(holed)}, in {rows.sum():,} of {len(rows):,} rows"
    if missing == "indicator":
        note += "; whether a value is missing is part of its feature"
    empty = gaps.all(axis=1).to_numpy()
    if not empty.any():
        return [note]
    first = gaps.index[empty.argmax()] + 1
    return [note, f"rows without any value: {empty.sum():,} (the first is row {first:,})"]


def _filled(values):
    if isinstance(values.dtype, pd.CategoricalDtype):
        return values.astype(object).map(str, na_action="ignore").fillna(_ABSENT).astype("category")
    return values.fillna(values.median())
