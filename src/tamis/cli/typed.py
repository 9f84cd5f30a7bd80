"""A column of a table as numbers or as categories."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from .tables import Doubt, Numbers, Refused, numbers_of, odd_cells, truths_of
from .tables.refused import shown

_FEW_CATEGORIES = 20
_MOST_CATEGORIES = 50


class Typed(NamedTuple):
    """A feature, what it was read as, and how: an example and its value if text became numbers."""

    values: pd.Series
    read_as: str  # "number" or "category"
    how: str = ""
    example: str = ""


def typed(values: pd.Series, *, declared: bool = False) -> Typed:
    """A column as numbers, or as categories if it is `declared` to be one or is text of few different values."""
    if declared:
        return Typed(values.astype("category"), "category")
    if isinstance(values.dtype, pd.CategoricalDtype):
        return Typed(values.cat.remove_unused_categories(), "category")
    if pd.api.types.is_numeric_dtype(values.dtype):
        return Typed(finite(values), "number")
    cells = values.dropna().astype(str).unique().tolist()
    truths = truths_of(cells)
    if truths is not None:
        yes, no = sorted(truths, key=truths.__getitem__)[::-1][0], min(truths, key=truths.__getitem__)
        return Typed(_mapped(values, truths), "number", f"{shown(yes)} as 1, {shown(no)} as 0", f"{shown(yes)} as 1")
    read = numbers_of(cells)
    if not isinstance(read, Numbers):
        return Typed(_categories(values, read), "category")
    example = read.example or cells[0]
    said = f"{shown(example, 20)} as {read.values[example]:.15g}"
    return Typed(finite(_mapped(values, read.values)), "number", f"{read.how}: {said}", said)


def finite(values: pd.Series, *, otherwise: str = "") -> pd.Series:
    """The same numbers, or the refusal of an infinite one, with what to do `otherwise`; by default --drop."""
    infinite = np.isinf(values.to_numpy(dtype=float))
    if infinite.any():
        row = values.index[infinite.argmax()] + 1
        raise Refused(
            f"column {shown(values.name)} must have finite numbers; row {row:,} has infinity. Correct it, or "
            f"{otherwise or f'leave the column out with --drop {shown(values.name)}'}."
        )
    return values


def _mapped(values, numbers) -> pd.Series:
    return values.astype(str).map(numbers).astype(float).where(values.notna())


def _categories(values, doubt) -> pd.Series:
    """A column of text, unless it seems to be of numbers."""
    column = shown(values.name)
    if doubt is not None:
        row = row_of(values, doubt)
        raise Refused(
            f"column {column} must have numbers that can be read in one way; row {row:,} says {shown(doubt.cell)}: "
            f"{doubt.why}. Write plain numbers such as 1234.5, or use --drop or --categorical {column}."
        )
    odd = odd_cells(values)
    if odd is not None and odd.numbers >= odd.cells / 2:
        row = values.index[odd.row - 1] + 1
        raise Refused(
            f"column {column} must be all numbers or all text; {odd.numbers:,} of its {odd.cells:,} cells are numbers, "
            f"but row {row:,} says {shown(odd.text)}. Correct it, or use --drop or --categorical {column}."
        )
    most, there = max(_FEW_CATEGORIES, min(_MOST_CATEGORIES, len(values) // 20)), values.nunique()
    if there > most:
        rows = f" If it says which rows belong together, use --rows-by {column}." if there < values.count() else ""
        raise Refused(
            f"a column of text must have at most {most} different values to be taken for categories; {column} has "
            f"{there:,}. Leave it out with --drop {column}, or insist with --categorical {column}.{rows}"
        )
    return values.astype("category")


def row_of(values: pd.Series, doubt: Doubt) -> int:
    """The row of the file, from 1, with the cell that is doubted."""
    return int(values.index[(values.astype(str) == doubt.cell).argmax()]) + 1
