"""Places on paper: a value by the number of features, ready to be put into an SVG."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ._layout import MOST_ON_LINEAR_AXIS, round_sizes
from ._words import nearest, path_scores, percent

_MOST_POINTS = 60
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 14, 14, 30
_ROUNDING = 1e-9  # values that differ by less are drawn as equal


class Tick(NamedTuple):
    at: float
    text: str


class Chart:
    """A curve over the sizes of a path.

    Attributes
    ----------
    x : list of float
        Places of the sizes of the path, the smallest first.
    dots : list of (float, float)
        For each of these sizes, where a dot shows the value: that of the size, or of the one next to it that has one.
    line : str
        SVG path that joins all known values.
    band : str
        Polygon between the ends of their intervals; empty if there are none.
    points : list of (int, float, float)
        The size and the place of each known value; none if they are many.
    level : Tick or None
        A value to compare with.
    is_logarithmic : bool
        Whether sizes are.
    x_ticks, y_ticks : lists of Tick
    """

    def __init__(
        self, sizes, values, width, height, *, at=None, intervals=None, level=None, dots_at=None, in_percent=False
    ):
        self.width, self.height = width, height
        self.left, self.right, self.top, self.bottom = _LEFT, width - _RIGHT, _TOP, height - _BOTTOM
        known = [v for v in (*values, *(end for ends in intervals or () for end in ends), level) if v is not None]
        low, high = _padded(min(known, default=0.0), max(known, default=1.0))

        def down(value):
            part = 0.5 if high == low else value / (high - low) - low / (high - low)
            return round(self.bottom - part * (self.bottom - self.top), 1)

        self.is_logarithmic = len(sizes) > MOST_ON_LINEAR_AXIS
        across = _across(sizes, self.left, self.right, self.is_logarithmic)
        self.x = [across(size) for size in sizes]
        at = sizes if at is None else at
        drawn = [(size, across(size), down(value)) for size, value in zip(at, values, strict=True) if value is not None]
        self.line = _line([(x, y) for _, x, y in drawn])
        self.points = drawn if len(drawn) <= _MOST_POINTS else []
        self.band = _band([across(size) for size in at], [[down(end) for end in ends] for ends in intervals or ()])
        place_of = {size: (x, y) for size, x, y in drawn}
        dots = zip(dots_at or sizes, self.x, strict=True)
        self.dots = [place_of.get(size, (x, self.bottom)) for size, x in dots]
        self.level = None if level is None else Tick(down(level), percent(level))
        self.x_ticks = [Tick(across(size), f"{size:,}") for size in self._size_ticks(sizes)]
        ticks = _nice(low, high)
        texts = _told_apart([100 * value for value in ticks]) if in_percent else _told_apart(ticks)
        unit = " %" if in_percent else ""
        self.y_ticks = [Tick(down(value), text + unit) for value, text in zip(ticks, texts, strict=True)]

    def _size_ticks(self, sizes):
        first, last = min(sizes), max(sizes)
        if self.is_logarithmic:
            return round_sizes(first, last)
        return range(first, last + 1, max(1, round((last - first) / 8)))


def criterion_chart(summary: Mapping[str, Any], width: float, height: float) -> Chart:
    """The criterion of each subset of the path."""
    scores = zip(summary["path"], path_scores(summary), strict=True)
    steps = sorted(((step["size"], score) for step, score in scores), key=lambda pair: pair[0])
    return Chart([size for size, _ in steps], [score for _, score in steps], width, height)


def error_chart(summary: Mapping[str, Any], width: float, height: float) -> Chart:
    """The balanced error on rows left out, of each size that was judged; needs evidence."""
    evidence, sizes = summary["evidence"], sorted(step["size"] for step in summary["path"])
    judged = evidence["sizes"]
    return Chart(
        sizes,
        [at["error"] for at in judged],
        width,
        height,
        at=[at["size"] for at in judged],
        intervals=[at["error_interval"] for at in judged],
        level=evidence["error_of_nothing"],
        dots_at=[nearest(judged, size)["size"] for size in sizes],
        in_percent=True,
    )


def _line(places: Sequence[tuple[float, float]]) -> str:
    return "M" + " L".join(f"{x:g},{y:g}" for x, y in places) if places else ""


def _band(x, ends) -> str:
    """A polygon; one interval alone has a width all the same."""
    if len(ends) == 1:
        x, ends = [x[0] - 3, x[0] + 3], ends * 2
    there = [(at, low) for at, (low, _) in zip(x, ends, strict=False)]
    back = [(at, high) for at, (_, high) in zip(x, ends, strict=False)][::-1]
    return " ".join(f"{at:g},{y:g}" for at, y in there + back)


def _padded(low, high):
    most = max(abs(low), abs(high))
    differ = high - low > _ROUNDING * most
    room = 0.06 * (high - low if differ else most) or 1.0
    return low - room, high + room


def _across(sizes, left, right, is_logarithmic):
    """From a size to its place: evenly, or by its logarithm."""
    scale = math.log if is_logarithmic else float
    first, last = scale(min(sizes)), scale(max(sizes))

    def across(size):
        part = 0.5 if first == last else (scale(size) - first) / (last - first)
        return round(left + 8 + part * (right - left - 16), 1)

    return across


def _nice(low, high):
    """Round numbers between two others, about five of them."""
    rough = high / 4 - low / 4
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * n for n in (1, 2, 2.5, 5, 10) if unit * n >= rough * 0.999)
    first = math.ceil(low / step)
    return [step * k for k in range(first, math.floor(high / step) + 1)]


def _told_apart(values) -> list[str]:
    """Numbers with six digits, or as many as they differ in."""
    for digits in range(6, 18):
        texts = [f"{value:.{digits}g}" for value in values]
        if len(set(texts)) == len(texts):
            break
    return texts
