"""Numbers and dates as people write them: 12 %, € 1,234.50, 1 234,5, 24 h; 31.12.2024, 2024-12-31T23:59.

A number is read only if the cells of its column leave one way to read them: 1,234 by itself may be 1234 or 1.234.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

_MONEY = "[€$£¥₹]|EUR|USD|GBP|CHF"
_SPACES = " \u00a0\u2009\u202f"
_CELL = re.compile(
    rf"(?P<sign>[+\-\u2212]?)[{_SPACES}]*(?P<before>{_MONEY})?[{_SPACES}]*(?P<sign2>[+\-\u2212]?)"
    rf"(?P<body>\d(?:[\d.,'\u2019{_SPACES}]*\d)?)(?P<gap>[{_SPACES}]*)(?P<after>[%‰]|{_MONEY}|(?:[^\W\d_]|°)[^\s\d]*)?"
)
_SURE_UNIT = re.compile(f"[%‰]|{_MONEY}")
_SHORT = 4  # letters of a unit such as mg
_WAYS = tuple((group, point) for group in (",", ".", f"[{_SPACES}]", "['\u2019]") for point in ".," if point != group)

_MONTH = "(?:jan|feb|mar|mär|mrz|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-zä]*"
_CLOCK = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:[ ]?[ap]\.?m\.?)?(?:[ ]?(?:z|utc|gmt|[+-]\d{2}:?\d{2}))?"
_DATE = re.compile(
    rf"""(?:
        (?P<year>\d{{4}})(?P<sign>[-/.])(?P<month>\d{{1,2}})(?P=sign)(?P<day>\d{{1,2}})
      | \d{{4}}-(?:0[1-9]|1[0-2])
      | (?P<one>\d{{1,2}})(?P<mark>[-/.])[ ]?(?P<two>\d{{1,2}})(?P=mark)[ ]?(?:\d{{4}}|\d{{2}})
      | \d{{1,2}}[-. ]+{_MONTH}[-., ]+(?:\d{{4}}|\d{{2}})
      | {_MONTH}[. ]+\d{{1,2}}(?:st|nd|rd|th)?,?[ ]+\d{{4}}
    )(?:[T, ]+{_CLOCK})?
    | (?:[01]\d|2[0-4]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?""",
    re.VERBOSE | re.IGNORECASE,
)


class Numbers(NamedTuple):
    """The number of each cell, and the first cell that is more than digits and a point."""

    values: dict[str, float]
    example: str | None


class Doubt(NamedTuple):
    """A cell that looks like a number but can be read in two ways, or not like the others; and why."""

    cell: str
    why: str


def numbers_of(cells: Iterable[str]) -> Numbers | Doubt | None:
    """Different cells of a column as numbers; None if they do not all look like numbers."""
    found: dict[str, re.Match] = {}
    for cell in cells:
        match = _CELL.fullmatch(cell)
        if match is None or (match["sign"] and match["sign2"]) or (match["before"] and match["after"]):
            return None
        found[cell] = match
    if not found:
        return None
    units = {cell: match["before"] or match["after"] or "" for cell, match in found.items()}
    first = next(iter(units.values()))
    odd = next((cell for cell, unit in units.items() if unit != first), None)
    if odd is not None:
        sure = all(_is_unit(units[cell], match["gap"]) for cell, match in found.items())
        return Doubt(odd, f"other cells have {first!r}" if first else "other cells have no unit") if sure else None
    readings = [values for values in (_read(found, *way) for way in _WAYS) if values is not None]
    if not readings:
        return None
    for cell in found:
        ways = sorted({values[cell] for values in readings}, reverse=True)
        if len(ways) > 1:
            return Doubt(cell, f"it may be {ways[0]:.15g} or {ways[1]:.15g}")
    return Numbers(readings[0], next((cell for cell in found if not re.fullmatch(r"[+-]?\d+(\.\d+)?", cell)), None))


def is_date(cell: str) -> bool:
    """Whether a text is a day, a month of a year or a time, possible as such."""
    match = _DATE.fullmatch(cell)
    if match is None:
        return False
    if match["year"]:
        return 1 <= int(match["month"]) <= 12 and 1 <= int(match["day"]) <= 31
    if match["one"]:
        low, high = sorted((int(match["one"]), int(match["two"])))
        return 1 <= low <= 12 and high <= 31
    return True


def holds_dates(cells: Sequence[str], counts: Sequence[int]) -> bool:
    """Whether half of the cells of a column, each of which comes so often, are dates."""
    return bool(len(cells)) and 2 * sum(n for c, n in zip(cells, counts, strict=True) if is_date(c)) >= sum(counts)


def _is_unit(unit, gap) -> bool:
    """Whether letters behind a number are its unit, not part of a code such as 1a."""
    return not unit or bool(_SURE_UNIT.fullmatch(unit)) or (bool(gap) and len(unit) <= _SHORT)


def _read(found, group, point) -> dict[str, float] | None:
    """All numbers with such groups of thousands and such a decimal sign; None if one is not written so."""
    if group in ",.":
        group = re.escape(group)
    form = re.compile(rf"(?:[1-9]\d{{0,2}}(?:{group}\d{{3}})+|\d+)(?:{re.escape(point)}\d+)?")
    values = {}
    for cell, match in found.items():
        if not form.fullmatch(match["body"]):
            return None
        digits = re.sub(group, "", match["body"]).replace(point, ".")
        negative = (match["sign"] or match["sign2"]) not in ("", "+")
        values[cell] = -float(digits) if negative else float(digits)
    return values
