"""Rows of figures, and how they are shown."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any, NamedTuple

from .timing import Seconds

_SENSES = {">=": operator.ge, "<=": operator.le, "<": operator.lt}


class Bar(NamedTuple):
    """A limit that a figure must keep."""

    sense: str
    limit: float

    def __str__(self):
        return f"{self.sense} {self.limit:g}"

    def reached(self, value: float) -> bool:
        return bool(_SENSES[self.sense](value, self.limit))


@dataclass(frozen=True)
class Row:
    """One line: what took how long on which data, a figure with its unit, and the bar if there is one.

    `same` is the other thing that can be demanded: whether two searches went the same way.
    """

    data: Any
    what: str
    seconds: Seconds | None = None
    value: float | None = None
    unit: str = ""
    bar: Bar | None = None
    interpolated: bool = False
    same: bool | None = None

    @property
    def reached(self) -> bool | None:
        return self.same if self.bar is None or self.value is None else self.bar.reached(self.value)

    @property
    def verdict(self) -> str:
        words = ("reached", "NOT reached") if self.same is None else ("same order", "ORDER DIFFERS")
        return {None: "", True: words[0], False: words[1]}[self.reached]

    def to_dict(self) -> dict[str, Any]:
        return {
            "data": str(self.data),
            "what": self.what.strip(),
            "cpu_seconds": None if self.seconds is None else self.seconds.cpu,
            "wall_seconds": None if self.seconds is None else self.seconds.wall,
            "interpolated": self.interpolated,
            "value": self.value,
            "unit": self.unit,
            "bar": None if self.bar is None else str(self.bar),
            "reached": self.reached,
            "same_order": self.same,
        }


HEADINGS = f"{'data':<12} {'what':<53} {'CPU s':>9}  {'wall s':>9} {'figure':>13}  bar"


def line(row: Row) -> str:
    """The row as text; "~" marks times interpolated."""
    mark = "~" if row.interpolated else ""
    cpu, wall = ("", "") if row.seconds is None else (f"{mark}{s:.3f}" for s in row.seconds)
    value = "" if row.value is None else f"{row.value:.3g} {row.unit}"
    bar = "" if row.bar is None else str(row.bar)
    return f"{row.data!s:<12} {row.what:<53} {cpu:>9}  {wall:>9} {value:>13}  {bar:<8} {row.verdict}".rstrip()
