"""Dates and times as people write them: 31.12.2024, 12/31/24, 2024-12-31T23:59Z, 3. März 2024, 20241231, 08:15.

Dates of a column are read only if its cells leave one way to read them: 01/02/2024 by itself may be in January or in
February.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from .written import Doubt

_NAMES = "jan", "feb", "mar mär mrz", "apr", "may mai", "jun", "jul", "aug", "sep", "oct okt", "nov", "dec dez"
_MONTHS = {name: number for number, names in enumerate(_NAMES, start=1) for name in names.split()}
_MONTH = f"(?:{'|'.join(_MONTHS)})[a-zä]*"
_CLOCK = (
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,](?P<fraction>\d+))?)?"
    r"(?:[ ]?(?P<half>[ap])\.?m\.?)?(?P<zone>[ ]?(?:z|utc|gmt|[+-]\d{2}:?\d{2}))?"
)
_DATE = re.compile(
    rf"""(?:
        (?P<iso>(?P<year1>\d{{4}})(?P<sign>[-/.])(?P<month1>\d{{1,2}})(?P=sign)(?P<day1>\d{{1,2}}))
      | (?P<month>(?P<year2>\d{{4}})-(?P<month2>0[1-9]|1[0-2]))
      | (?P<two>(?P<one3>\d{{1,2}})(?P<mark>[-/.])[ ]?(?P<two3>\d{{1,2}})(?P=mark)[ ]?(?P<year3>\d{{4}}|\d{{2}}))
      | (?P<day>(?P<day4>\d{{1,2}})[-. ]+(?P<name4>{_MONTH})[-., ]+(?P<year4>\d{{4}}|\d{{2}}))
      | (?P<name>(?P<name5>{_MONTH})[. ]+(?P<day5>\d{{1,2}})(?:st|nd|rd|th)?,?[ ]+(?P<year5>\d{{4}}))
    )(?:[T, ]+{_CLOCK})?
    | (?P<clock>(?P<clock_hour>[01]\d|2[0-4]):(?P<clock_minute>[0-5]\d)
        (?::(?P<clock_second>[0-5]\d)(?:[.,](?P<clock_fraction>\d+))?)?)""",
    re.VERBOSE | re.IGNORECASE,
)
_DIGITS = re.compile(r"(?P<digits>(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2}))")
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?", re.ASCII)
_MIDNIGHT = datetime(1970, 1, 1)


class Dates(NamedTuple):
    """The time of each cell (in UTC if the cells name their time zones), and what the cells say.

    finest : "month", "day" or "time" of a date, or "clock" for times of a day that is not known
    """

    values: dict[str, datetime]
    finest: str


def is_date(cell: str) -> bool:
    """Whether a text is a day, a month of a year or a time, possible as such."""
    match = _DATE.fullmatch(cell)
    if match is None:
        return False
    if match["iso"]:
        return 1 <= int(match["month1"]) <= 12 and 1 <= int(match["day1"]) <= 31
    if match["two"]:
        low, high = sorted((int(match["one3"]), int(match["two3"])))
        return 1 <= low <= 12 and high <= 31
    return True


def holds_dates(cells: Sequence[str], counts: Sequence[int]) -> bool:
    """Whether half of the cells of a column, each of which comes so often, are dates."""
    return bool(len(cells)) and 2 * sum(n for c, n in zip(cells, counts, strict=True) if is_date(c)) >= sum(counts)


def dates_of(cells: Iterable[str]) -> Dates | Doubt:
    """Different cells of a column as times, or the first one that is none, is not like the others, or may be two."""
    cells = list(cells)
    quickly = _of_iso(cells)
    if quickly is not None:
        return quickly
    found: dict[str, re.Match] = {}
    for cell in cells:
        match = _DATE.fullmatch(cell) or _DIGITS.fullmatch(cell)
        if match is None:
            return Doubt(cell, "it is no date or time that can be read")
        found[cell] = match
    like = cells[0]
    form = _form(found[like])
    odd = next((cell for cell, match in found.items() if _form(match) != form), None)
    if odd is not None:
        return Doubt(odd, f"it is not written like {like!r}")
    ways: tuple[Callable, ...] = (_read,)
    if form[0].startswith("two"):
        ways = (_day_first, _month_first)
    outcomes = [_all(found, way) for way in ways]
    readings = [outcome for outcome in outcomes if not isinstance(outcome, Doubt)]
    if not readings:
        places = {cell: place for place, cell in enumerate(found)}
        return max((o for o in outcomes if isinstance(o, Doubt)), key=lambda doubt: places[doubt.cell])
    if len(readings) == 2 and form[0] != "two.":  # with points the day is first
        two = next((cell for cell in found if readings[0][cell] != readings[1][cell]), None)
        if two is not None:
            first, second = (f"{reading[two]:%Y-%m-%d}" for reading in readings)
            return Doubt(two, f"it may be {first} or {second}")
    return Dates(readings[0], _finest(form[0], readings[0].values()))


def _of_iso(cells) -> Dates | None:
    """Dates that are all written in the usual way, or none; many cells take seconds otherwise."""
    if not all(map(_ISO.fullmatch, cells)):
        return None
    try:
        times = {cell: datetime.fromisoformat(cell) for cell in cells}
    except ValueError:
        return None
    return Dates(times, _finest("iso", times.values()))


def _form(match) -> tuple[str, bool]:
    """How a date is written: what comes first, with the mark between numbers; and whether there is a time zone."""
    if match.re is _DIGITS:
        return "digits", False
    kind = next(kind for kind in ("iso", "month", "two", "day", "name", "clock") if match[kind])
    return kind + (match["mark"] if kind == "two" else ""), match["zone"] is not None


def _finest(kind, times) -> str:
    if kind in ("clock", "month"):
        return kind
    return "time" if any(t.hour or t.minute or t.second or t.microsecond for t in times) else "day"


def _all(found, way) -> dict[str, datetime] | Doubt:
    """The times of all cells, or the first that has none."""
    times = {}
    for cell, match in found.items():
        try:
            times[cell] = way(match)
        except (ValueError, OverflowError):
            return Doubt(cell, "there is no such day or time" if way is _read else _no_order(found, cell))
    return times


def _no_order(found, cell):
    other = next(iter(found))
    return "there is no such day or time" if cell == other else f"day and month are not in the order of {other!r}"


def _day_first(match):
    return _read(match, day="one3", month="two3")


def _month_first(match):
    return _read(match, day="two3", month="one3")


def _read(match, day=None, month=None) -> datetime:
    """The time that a cell says; ValueError if there is none such."""
    if match.re is _DIGITS:
        return datetime(int(match["year"]), int(match["month"]), int(match["day"]))
    if match["clock"]:
        return _MIDNIGHT + _clock(match, "clock_")
    if match["two"]:
        date = datetime(_year(match["year3"]), int(match[month]), int(match[day]))
    elif match["iso"]:
        date = datetime(int(match["year1"]), int(match["month1"]), int(match["day1"]))
    elif match["month"]:
        date = datetime(int(match["year2"]), int(match["month2"]), 1)
    else:
        name, day, year = ("name4", "day4", "year4") if match["day"] else ("name5", "day5", "year5")
        date = datetime(_year(match[year]), _MONTHS[match[name][:3].lower()], int(match[day]))
    return date if match["hour"] is None else date + _clock(match, "")


def _clock(match, prefix) -> timedelta:
    hour, minute, second = (int(match[f"{prefix}{part}"] or 0) for part in ("hour", "minute", "second"))
    if not prefix and match["half"]:
        if not 1 <= hour <= 12:
            raise ValueError
        hour = hour % 12 + 12 * (match["half"].lower() == "p")
    if hour > 24 or minute > 59 or second > 60 or (hour == 24 and (minute or second)):
        raise ValueError
    fraction = float(f"0.{match[f'{prefix}fraction'] or 0}")
    return timedelta(hours=hour, minutes=minute, seconds=second + fraction) - _zone("" if prefix else match["zone"])


def _zone(text) -> timedelta:
    """How far a time zone is ahead of UTC."""
    digits = re.sub(r"\D", "", text or "")
    if not digits:
        return timedelta(0)
    return (-1 if "-" in text else 1) * timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))


def _year(text) -> int:
    """Two digits are of 1969 to 2068, as everywhere."""
    year = int(text)
    return year if len(text) == 4 else year + (1900 if year >= 69 else 2000)
