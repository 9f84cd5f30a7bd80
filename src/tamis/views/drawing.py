"""Places on paper: the path of a search and the tree of the classes, ready to be put into an SVG."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from ._layout import MOST_ON_LINEAR_AXIS, depths, round_sizes, rows
from ._words import path_scores, shown

_MOST_POINTS = 60
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 14, 14, 30
_ROUNDING = 1e-9  # scores that differ by less are drawn as equal
_P_PANEL, _LEAST_P = 84, 1e-3
_LETTER, _ARCS = 7.2, 110.0


class Tick(NamedTuple):
    at: float
    text: str


class PathChart:
    """The scores of a path by the number of features, with what chance gives.

    Attributes
    ----------
    x, y : lists of float
        Places of the subsets, the smallest first; y is None without a score.
    line, median : str
        SVG paths: the line joins all known scores, the median has gaps where nothing is known.
    bands : list of str
        Polygons between the 5 and 95 % quantiles.
    points : list of int
        Which places have a dot: all of them unless they are many.
    p_points : list of (float, float, bool)
        Place of each p-value, on a logarithmic scale below the curve, and whether it is at most alpha; none if chance
        was not asked.
    is_logarithmic : bool
        Whether sizes are.
    x_ticks, y_ticks, p_ticks : lists of Tick
    alpha : Tick or None
    """

    def __init__(self, summary: Mapping[str, Any], width: float, height: float):
        tested = any(step["p_value"] is not None for step in summary["path"])
        self.width, self.height = width, height + (_P_PANEL if tested else 0)
        self.left, self.right, self.top, self.bottom = _LEFT, width - _RIGHT, _TOP, height - _BOTTOM
        self.foot = self.height - _BOTTOM
        steps = sorted(zip(summary["path"], path_scores(summary), strict=True), key=lambda pair: pair[0]["size"])
        sizes, scores = [step["size"] for step, _ in steps], [score for _, score in steps]
        chance = [step["null_quantiles"] for step, _ in steps]
        known = [v for v in (*scores, *(q for three in chance if three for q in three)) if v is not None]
        low, high = _padded(min(known, default=0.0), max(known, default=1.0))

        def down(value):
            share = 0.5 if high == low else value / (high - low) - low / (high - low)
            return round(self.bottom - share * (self.bottom - self.top), 1)

        self.is_logarithmic = len(sizes) > MOST_ON_LINEAR_AXIS
        across = _across(sizes, self.left, self.right, self.is_logarithmic)
        self.x = [across(size) for size in sizes]
        self.y = [None if score is None else down(score) for score in scores]
        scored = [i for i, y in enumerate(self.y) if y is not None]
        self.line = _line([self.x[i] for i in scored], [self.y[i] for i in scored])
        self.bands, self.median = [], _line(self.x, [None if q is None else down(q[1]) for q in chance])
        for run in _runs(chance):
            ends = [self.x[i] for i in run]
            there = [self.x[run[0]] - 3, self.x[run[0]] + 3] if len(run) == 1 else ends
            low_high = [[down(chance[i][q]) for i in run] * (2 if len(run) == 1 else 1) for q in (0, 2)]
            outline = [*zip(there, low_high[0], strict=True), *zip(there[::-1], low_high[1][::-1], strict=True)]
            self.bands.append(" ".join(f"{x:g},{y:g}" for x, y in outline))
        self.points = list(range(len(sizes))) if len(sizes) <= _MOST_POINTS else []
        self.x_ticks = [Tick(across(size), f"{size:,}") for size in self._size_ticks(sizes)]
        values = _nice(low, high)
        self.y_ticks = [Tick(down(value), text) for value, text in zip(values, _told_apart(values), strict=True)]
        self._test([step["p_value"] for step, _ in steps], summary["asked"]["parameters"]["alpha"] if tested else None)

    def _size_ticks(self, sizes):
        first, last = min(sizes), max(sizes)
        if self.is_logarithmic:
            return round_sizes(first, last)
        return range(first, last + 1, max(1, round((last - first) / 8)))

    def _test(self, p_values, alpha):
        """A panel with the p-values, the smallest on top."""
        self.p_points, self.p_ticks, self.alpha = [], [], None
        if alpha is None:
            return

        def down(p):
            return round(self.foot + math.log10(max(p, _LEAST_P)) / -math.log10(_LEAST_P) * (_P_PANEL - 20), 1)

        self.p_ticks = [Tick(down(p), text) for p, text in ((1, "1"), (_LEAST_P, f"{_LEAST_P:g}"))]
        self.alpha = Tick(down(alpha), f"{alpha:g}")
        known = [(x, p) for x, p in zip(self.x, p_values, strict=True) if p is not None]
        self.p_points = [(x, down(p), p <= alpha) for x, p in known]


class Leaf(NamedTuple):
    x: float
    y: float
    name: object


class TreeDrawing:
    """A tree from left to right, a line for each class, and arcs between those that are confused.

    Attributes
    ----------
    edges : list of str
        SVG paths.
    leaves : list of Leaf
        The classes.
    inner : list of Leaf
        Names of the branches.
    leaders : list of str
        SVG paths from the classes to where arcs begin.
    arcs : list of (str, float, dict)
        SVG path, width and the confusion that it stands for.
    """

    most_letters = 26
    """Of the name of a class."""

    def __init__(self, class_distance: Mapping[str, Any], *, reach=200.0, row=22.0):
        nodes, classes = class_distance["tree"], class_distance["classes"]
        depth = depths(nodes)
        longest = max(depth) or 1.0
        x = [8 + reach * (d / longest) for d in depth]
        y, n_lines = rows(nodes)
        y = [row * (place + 0.5) for place in y]
        self.edges = [
            f"M{x[n['parent']]:.1f},{y[n['parent']]:.1f}V{y[i]:.1f}H{x[i]:.1f}"
            for i, n in enumerate(nodes)
            if n["parent"] is not None
        ]
        self.leaves = [Leaf(x[i], y[i], classes[n["class"]]) for i, n in enumerate(nodes) if n["class"] is not None]
        self.inner = [Leaf(x[i], y[i], n["name"]) for i, n in enumerate(nodes) if n["class"] is None and n["name"]]
        ends = {
            str(leaf.name): leaf.x + 14 + _LETTER * len(shown(leaf.name, self.most_letters)) for leaf in self.leaves
        }
        begin, confusions = max(ends.values()), class_distance["confusions"] or ()
        self.width, self.height = begin + (_ARCS if confusions else 8), row * n_lines
        height_of = {str(leaf.name): leaf.y for leaf in self.leaves}
        confused = dict.fromkeys(str(c[end]) for c in confusions for end in ("true", "recorded"))
        self.leaders = [f"M{ends[name]:.1f},{height_of[name]:.1f}H{begin:.1f}" for name in confused]
        self.arcs = _arcs(confusions, height_of, begin, row)


def _arcs(confusions, height_of, begin, row):
    """From the true class to the one recorded; the way back runs a little further out."""
    worst = max((c["cost"] for c in confusions), default=1.0)
    drawn = []
    for c in confusions:
        one, other = height_of[str(c["true"])], height_of[str(c["recorded"])]
        out = begin + _ARCS * min(1.2, 0.3 + abs(one - other) / (12 * row)) + (9 if one > other else 0)
        path = f"M{begin:.1f},{one:.1f}C{out:.1f},{one:.1f} {out:.1f},{other:.1f} {begin:.1f},{other:.1f}"
        drawn.append((path, round(1 + 4 * c["cost"] / worst, 2), c))
    return drawn


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
        share = 0.5 if first == last else (scale(size) - first) / (last - first)
        return round(left + 8 + share * (right - left - 16), 1)

    return across


def _line(x: Sequence[float], y: Sequence[float | None]) -> str:
    return " ".join("M" + " L".join(f"{x[i]:g},{y[i]:g}" for i in run) for run in _runs(y))


def _runs(values) -> list[list[int]]:
    """Places of values that are known, those next to each other together."""
    by_known = groupby(range(len(values)), key=lambda i: values[i] is not None)
    return [list(places) for known, places in by_known if known]


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
