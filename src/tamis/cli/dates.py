"""Columns of dates: whether a column is one, its times, and the features made of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from .tables import Dates, Doubt, Refused, dates_of, holds_dates
from .tables.refused import shown

_DAY = np.timedelta64(1, "D")
_HOUR = np.timedelta64(1, "h")
_PARTS = {
    "month": ("year", "month"),
    "day": ("year", "month", "day", "weekday"),
    "time": ("year", "month", "day", "weekday", "hour"),
    "clock": ("hour",),
}


class Times(NamedTuple):
    """Times of the rows, NaT where there is none, and how fine they are: see `Dates`."""

    values: pd.Series
    finest: str


class Dated(NamedTuple):
    """Features made of dates, and what they are."""

    features: dict[str, pd.Series]
    what: str


def is_of_dates(values: pd.Series, *, digits: bool = True) -> bool:
    """Whether a column is of dates: as text, or with `digits` as whole numbers such as 20241231."""
    if isinstance(values.dtype, pd.CategoricalDtype):
        return False
    if pd.api.types.is_datetime64_any_dtype(values.dtype):
        return True
    if not pd.api.types.is_numeric_dtype(values.dtype):
        counts = values.value_counts()
        return holds_dates(counts.index.astype(str).tolist(), counts.tolist())
    there = values.dropna()
    if not digits or there.nunique() < 2 or not (there % 1 == 0).all():
        return False
    year, month, day = there // 10_000, there // 100 % 100, there % 100
    return bool((year.between(1900, 2100) & month.between(1, 12) & day.between(1, 31)).all())


def times_of(values: pd.Series, *, otherwise: str) -> Times:
    """The times of a column of dates; refused with the first cell that cannot be read, and what to do `otherwise`."""
    if pd.api.types.is_datetime64_any_dtype(values.dtype):
        utc = values if values.dt.tz is None else values.dt.tz_convert(None)
        is_day = utc.isna() | (utc == utc.dt.normalize())
        return Times(utc, "day" if is_day.all() else "time")
    texts = values.dropna()
    if pd.api.types.is_numeric_dtype(values.dtype):
        texts = texts.astype(np.int64)
    texts = texts.astype(str)
    read = dates_of(texts.unique().tolist())
    if isinstance(read, Doubt):
        row = texts.index[(texts == read.cell).argmax()] + 1
        raise Refused(
            f"column {shown(values.name)} must have dates that can be read in one way; row {row:,} says "
            f"{shown(read.cell)}: {read.why}. Write dates such as 2024-12-31, or {otherwise}."
        )
    return Times(_series(texts, read, values), read.finest)


def dated(values: pd.Series, how: str) -> Dated:
    """Dates as days since the first ("days") or as columns of their parts that differ between rows ("parts")."""
    name = str(values.name)
    times, finest = times_of(values, otherwise=f"leave the column out with --drop {shown(name)} or --dates drop")
    if how == "days" or finest == "clock":
        first = times.min()
        start = first.normalize() if finest != "clock" else pd.Timestamp(0)
        unit, what = (_HOUR, "hours since midnight") if finest == "clock" else (_DAY, f"days since {start:%Y-%m-%d}")
        return Dated({name: _number(times - start, unit)}, what)
    parts = {f"{name}: {part}": _part(times, part) for part in _PARTS[finest]}
    varied = {called: part for called, part in parts.items() if part.nunique() > 1}
    return Dated(varied, ", ".join(called.removeprefix(f"{name}: ") for called in varied))


def _series(texts, read: Dates, values) -> pd.Series:
    times = {cell: np.datetime64(time, "us") for cell, time in read.values.items()}
    found = np.full(len(values), np.datetime64("NaT"), dtype="datetime64[us]")
    found[values.notna().to_numpy()] = [times[cell] for cell in texts.tolist()]
    return pd.Series(found, index=values.index, name=values.name)


def _part(times, part) -> pd.Series:
    """A part of dates as a number; days of the week from 1 for Monday, hours with minutes as their fraction."""
    if part == "hour":
        return _number(times - times.dt.normalize(), _HOUR)
    if part == "weekday":
        return times.dt.day_of_week.astype(float) + 1
    return getattr(times.dt, part).astype(float)


def _number(differences, unit) -> pd.Series:
    return pd.Series(differences.to_numpy() / unit, index=differences.index, name=differences.name)
