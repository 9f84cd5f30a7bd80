"""Numbers as people write them: 12 %, € 1,234.50, (5.00), 1 234,5, 24 h, 5mg; and yes and no.

A number is read only if the cells of its column leave one way to read them: 1,234 by itself may be 1234 or 1.234.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

_MONEY = (
    r"(?:[A-Z]{1,2})?\$|[€£¥₹₩₽₺₪₫]|(?:EUR|USD|GBP|CHF|JPY|CNY|INR|AUD|CAD|NZD|BRL|MXN|SEK|NOK|DKK|PLN|CZK|HUF|TRY|ZAR)"
)
_SPACES = " \u00a0\u2009\u202f"
_CELL = re.compile(
    rf"(?P<sign>[+\-\u2212]?)[{_SPACES}]*(?P<before>{_MONEY})?[{_SPACES}]*(?P<sign2>[+\-\u2212]?)"
    rf"(?P<body>\d(?:[\d.,'\u2019{_SPACES}]*\d)?(?:[eE][+-]?\d+)?)(?P<gap>[{_SPACES}]*)"
    rf"(?P<after>[%‰]|{_MONEY}|(?:[^\W\d_]|°)[^\s\d]*(?:(?:(?<=m)|(?<=ft)|(?<=\^))[23])?)?"
)
_SURE_UNIT = re.compile(f"[%‰]|{_MONEY}")
_SHORT = 4  # letters of a unit such as mg
_WAYS = tuple((group, point) for group in (",", ".", f"[{_SPACES}]", "['\u2019]") for point in ".," if point != group)

_TRUTHS = (
    ("yes", "no"),
    ("y", "n"),
    ("true", "false"),
    ("t", "f"),
    ("on", "off"),
    ("ja", "nein"),
    ("j", "n"),
    ("oui", "non"),
    ("si", "no"),
    ("sí", "no"),
)


class Numbers(NamedTuple):
    """The number of each cell, the first cell that is more than digits and a point, and what its column holds."""

    values: dict[str, float]
    example: str | None
    how: str = "text"


class Doubt(NamedTuple):
    """A cell that looks like a number but can be read in two ways, or not like the others; and why."""

    cell: str
    why: str


def numbers_of(cells: Iterable[str]) -> Numbers | Doubt | None:
    """Different cells of a column as numbers; None if they do not all look like numbers."""
    cells = list(cells)
    negative = {cell for cell in cells if cell[:1] == "(" and cell[-1:] == ")"}
    if len(negative) == len(cells):
        return None
    found: dict[str, re.Match] = {}
    for cell in cells:
        match = _CELL.fullmatch(cell[1:-1] if cell in negative else cell)
        if match is None or (match["sign"] and match["sign2"]) or (match["before"] and match["after"]):
            return None
        if cell in negative and (match["sign"] or match["sign2"]):
            return None
        found[cell] = match
    units = {cell: match["before"] or match["after"] or "" for cell, match in found.items()}
    first = next(iter(units.values()))
    odd = next((cell for cell, unit in units.items() if unit != first), None)
    if odd is not None:
        sure = all(_is_unit(units[cell], match["gap"]) for cell, match in found.items())
        return Doubt(odd, f"other cells have {first!r}" if first else "other cells have no unit") if sure else None
    readings = {way: values for way in _WAYS if (values := _read(found, negative, *way)) is not None}
    if not readings:
        return None
    for cell in found:
        ways = sorted({values[cell] for values in readings.values()}, reverse=True)
        if len(ways) > 1:
            return Doubt(cell, f"it may be {ways[0]:.15g} or {ways[1]:.15g}")
    (group, point), values = next(iter(readings.items()))
    example = next((cell for cell in found if not re.fullmatch(r"[+-]?\d+(\.\d+)?", cell)), None)
    return Numbers(values, example, _how(first, [match["body"] for match in found.values()], group, point))


def truths_of(cells: Iterable[str]) -> dict[str, float] | None:
    """Different cells of a column as 1 and 0 if they are yes and no, in capitals or not; None if they are not."""
    words = {cell: cell.casefold() for cell in cells}
    pair = next((pair for pair in _TRUTHS if set(words.values()) == set(pair)), None)
    return None if pair is None else {cell: float(word == pair[0]) for cell, word in words.items()}


def _how(unit, bodies, group, point) -> str:
    """What the numbers of a column are, besides digits and points."""
    if unit in ("%", "‰"):
        return "percentage" if unit == "%" else "per mille"
    if unit:
        return "currency" if re.fullmatch(_MONEY, unit) else f"unit {unit!r}"
    if any(re.search(re.escape(group) if group in ",." else group, body) for body in bodies):
        return "thousands separators"
    return "decimal comma" if point == "," and any("," in body for body in bodies) else "text"


def _is_unit(unit, gap) -> bool:
    """Whether letters behind a number are its unit, not part of a code such as 1a."""
    return not unit or bool(_SURE_UNIT.fullmatch(unit)) or (bool(gap) and len(unit) <= _SHORT)


def _read(found, negative, group, point) -> dict[str, float] | None:
    """All numbers with such groups of thousands and such a decimal sign; None if one is not written so."""
    if group in ",.":
        group = re.escape(group)
    form = re.compile(rf"(?:[1-9]\d{{0,2}}(?:{group}\d{{3}})+|\d+)(?:{re.escape(point)}\d+)?(?:[eE][+-]?\d+)?")
    values = {}
    for cell, match in found.items():
        if not form.fullmatch(match["body"]):
            return None
        number = float(re.sub(group, "", match["body"]).replace(point, "."))
        is_negative = cell in negative or (match["sign"] or match["sign2"]) not in ("", "+")
        values[cell] = -number if is_negative else number
    return values
