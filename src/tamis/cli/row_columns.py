"""Columns that say something of the rows: --weight, --rows-by and --time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from .._validation import HEAVIEST, LIGHTEST
from .dates import is_of_dates, times_of
from .tables import Doubt, Numbers, Refused, numbers_of
from .tables.refused import shown
from .typed import finite, row_of


class RowColumns(NamedTuple):
    """What is known of the rows that are there, by the names that `fit` has for it.

    known : "sample_weight", "groups" and "order", those that were asked for; indexed as the table
    present : which rows have a weight above zero
    read : of each column what it was read as, and notes
    notes : what was done, in plain words
    """

    known: dict[str, pd.Series]
    present: np.ndarray
    read: dict[str, tuple[str, list[str]]]
    notes: list[str]


def row_columns(
    frame: pd.DataFrame, *, weight: str | None = None, rows_by: str | None = None, time: str | None = None
) -> RowColumns:
    """Weights, groups and times of the rows of a table; rows of weight 0 are as good as absent."""
    known: dict[str, pd.Series] = {}
    read: dict[str, tuple[str, list[str]]] = {}
    notes: list[str] = []
    present = np.ones(len(frame), dtype=bool)
    if weight is not None:
        weights, how = numbers_in(frame[weight], "--weight")
        _check_weights(weights)
        present = weights.to_numpy() > 0
        known["sample_weight"] = weights[present]
        least, most = weights[present].min(), weights.max()
        said = f"from {least:g} to {most:g}" if least < most else f"all {most:g}"
        notes.append(f"weights of rows: {shown(weight)}, {said}")
        read[weight] = ("weight", [*how, said])
        if not present.all():
            notes.append(f"rows left out for weight 0: {(~present).sum():,} of {len(frame):,}")
    if rows_by is not None:
        known["groups"], said = _groups(frame.loc[present, rows_by])
        notes.append(f"rows that belong together: {said}")
        read[rows_by] = ("groups", [said.partition(": ")[2]])
    if time is not None:
        known["order"], said = _times(frame.loc[present, time])
        notes.append(f"time of rows: {shown(time)}, {said}")
        read[time] = ("time", [said]) if time != rows_by else ("groups and time", [*read[time][1], said])
    return RowColumns(known, present, read, notes)


def numbers_in(values, option) -> tuple[pd.Series, list[str]]:
    """A column of numbers without gaps, also as people write them; and how these were read."""
    column = shown(values.name)
    gaps = values.isna().to_numpy()
    if gaps.any():
        row = values.index[gaps.argmax()] + 1
        raise Refused(
            f"{option} must have a value in every row; {column} has none in {gaps.sum():,} of {len(gaps):,} rows (the "
            f"first is row {row:,}). Fill them{', with 0 to leave the row out' if option == '--weight' else ''}."
        )
    otherwise = f"name another column with {option}"
    if pd.api.types.is_numeric_dtype(values.dtype):
        return finite(values, otherwise=otherwise).astype(float), []
    texts = values.astype(str)
    cells = texts.unique().tolist()
    read = numbers_of(cells)
    if isinstance(read, Numbers):
        example = read.example or cells[0]
        how = f"{read.how}: {shown(example, 20)} as {read.values[example]:.15g}"
        return finite(texts.map(read.values).astype(float), otherwise=otherwise), [how]
    odd = read if isinstance(read, Doubt) else next(c for c in cells if not isinstance(numbers_of([c]), Numbers))
    doubt = odd if isinstance(odd, Doubt) else Doubt(odd, "it is no number")
    what, such_as = ("dates or numbers", "2024-12-31 or 7") if option == "--time" else ("numbers", "1234.5")
    raise Refused(
        f"{option} must name a column of {what}; row {row_of(values, doubt):,} of {column} says {shown(doubt.cell)}: "
        f"{doubt.why}. Write values such as {such_as}."
    )


def _check_weights(weights):
    name = shown(weights.name)
    negative = (weights < 0).to_numpy()
    if negative.any():
        row = weights.index[negative.argmax()] + 1
        raise Refused(
            f"--weight must not be negative; row {row:,} of {name} has {weights.iloc[negative.argmax()]:g}. Use 0 to "
            "leave a row out."
        )
    wrong = ((weights > 0) & ((weights < LIGHTEST) | (weights > HEAVIEST))).to_numpy()
    if wrong.any():
        row = weights.index[wrong.argmax()] + 1
        raise Refused(
            f"--weight must be 0, or from {LIGHTEST:g} to {HEAVIEST:g}; row {row:,} of {name} has "
            f"{weights.iloc[wrong.argmax()]:g}. Use 0 to leave a row out, and divide all weights if they are in other "
            "units."
        )
    if not weights.any():
        raise Refused(f"--weight must be above zero in some rows; all of {name} are 0. Name another column.")


def _groups(values) -> tuple[pd.Series, str]:
    name, gaps = shown(values.name), int(values.isna().sum())
    there = values.nunique()
    if there + gaps == 1:
        raise Refused(
            f"--rows-by must have several groups, as rows of one group are not compared with each other; {name} is the "
            "same in all rows. Leave it out."
        )
    said = f"{name}: {there:,} groups in {len(values):,} rows"
    if there + gaps == len(values):
        said += ", each row by itself"
    if gaps:
        said += f"; {gaps:,} {'row' if gaps == 1 else 'rows'} without one, each a group of its own"
    known = values.astype(object).where(values.notna(), None)
    return known.infer_objects() if not gaps else known, said


def _times(values) -> tuple[pd.Series, str]:
    """Times of all rows, from dates or numbers."""
    name, gaps = shown(values.name), values.isna().to_numpy()
    if gaps.any():
        row = values.index[gaps.argmax()] + 1
        raise Refused(
            f"--time must have a value in every row; {name} has none in {gaps.sum():,} of {len(gaps):,} rows (the "
            f"first is row {row:,}). Fill them, or leave these rows out of the table."
        )
    if is_of_dates(values):
        times, finest = times_of(values, otherwise="name another column with --time")
        form = {"month": "%Y-%m", "day": "%Y-%m-%d", "time": "%Y-%m-%d %H:%M:%S", "clock": "%H:%M:%S"}[finest]
        first, last = (end.strftime(form) for end in (times.min(), times.max()))
    else:
        times, _ = numbers_in(values, "--time")
        first, last = (f"{end:.15g}" for end in (times.min(), times.max()))
    if times.nunique() < 2:
        raise Refused(f"--time must have several times; all of {name} are {first}. Leave it out.")
    return times, f"from {first} to {last}, {times.nunique():,} different"
