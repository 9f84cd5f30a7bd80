"""Places on paper: the tree of the classes, ready to be put into an SVG."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ._layout import depths, rows
from ._words import shown

_LETTER, _ARCS = 7.2, 110.0


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
