"""The tree of the classes, with what their confusions cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .._layout import depths, rows
from ._axes import (
    ACCENT,
    FAINT,
    GREY,
    MAIN,
    PLAIN,
    axes_for,
    calm,
    height_of,
    part_of,
    summary_of,
    title,
    written,
)

MOST_ARCS = 15
MOST_NAMES = 180
_MOST_INNER_NAMES = 60
_FONT = 8.5


class ClassTreeDisplay:
    """The tree of the classes from left to right, with arcs from a class to the one it is taken for.

    An arc is the wider the more this confusion costs: how often it happens, times the distance.

    Parameters
    ----------
    nodes : sequence of mappings
        With "name", "parent" (a place in `nodes`, where parents come first), "length" and "class", which is None where
        there is no class: those of `ClassDistance.nodes`.
    confusions : sequence of mappings, default=None
        With "true", "recorded" and "cost", the costliest first.
    is_tree : bool, default=True
        Whether the ways in the tree are the distances, and not only near to them.

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    lines_ : matplotlib lines, the edges of the tree
    arcs_ : list of matplotlib patches

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from tamis import BlanketSelector, ClassDistance, ClassTreeDisplay
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> distance = ClassDistance.from_paths({0: "red/barolo", 1: "red/grignolino", 2: "rose"})
    >>> selector = BlanketSelector(class_distance=distance, n_features_to_select=3).fit(X, y)
    >>> display = ClassTreeDisplay.from_estimator(selector)
    >>> display.ax_.get_xlabel()
    'distance from the root'
    """

    def __init__(
        self,
        *,
        nodes: Sequence[Mapping[str, Any]],
        confusions: Sequence[Mapping[str, Any]] | None = None,
        is_tree: bool = True,
    ):
        self.nodes = nodes
        self.confusions = confusions
        self.is_tree = is_tree

    @classmethod
    def from_estimator(cls, estimator, *, ax=None) -> ClassTreeDisplay:
        """Of a fitted `BlanketSelector` that was given a `class_distance`."""
        return cls.from_summary(summary_of(estimator, cls.__name__), ax=ax)

    @classmethod
    def from_summary(cls, summary: Mapping[str, Any], *, ax=None) -> ClassTreeDisplay:
        """Of what `tamis.views.summarise` returns."""
        distance = part_of(summary, "class_distance", cls.__name__, "the summary of a selection") or {}
        if distance.get("tree") is None:
            raise ValueError(
                f"{cls.__name__} needs distances between the classes; got a selection without. Fit "
                "BlanketSelector(class_distance=...)."
            )
        display = cls(nodes=distance["tree"], confusions=distance.get("confusions"), is_tree=distance["is_tree"])
        return display.plot(ax)

    def plot(self, ax=None) -> ClassTreeDisplay:
        """Draw, on `ax` or on a new figure."""
        x = depths(self.nodes)
        y, n_rows = rows(self.nodes)
        ax = axes_for(ax, (7.6, height_of(n_rows, least=2.4)), type(self).__name__)
        # By name as it is written in code: names of sets are lists, which are no keys.
        row_of = {repr(n["name"]): y[i] for i, n in enumerate(self.nodes) if n["class"] is not None}
        known = [c for c in self.confusions or () if repr(c["true"]) in row_of and repr(c["recorded"]) in row_of]
        drawn = known[:MOST_ARCS]
        self._draw_tree(ax, x, y, n_rows)
        labels = self._name_classes(
            ax, y, n_rows, [row_of[repr(c[end])] for c in drawn for end in ("true", "recorded")]
        )
        self.arcs_ = _draw_arcs(
            ax, [(row_of[repr(c["true"])], row_of[repr(c["recorded"])], c["cost"]) for c in drawn], labels, len(known)
        )
        ax.set_xlabel("distance from the root")
        ax.locator_params(axis="x", nbins=6)
        if not self.is_tree:
            title(ax, "No tree has these distances; this one is near to the distances")
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _draw_tree(self, ax, x, y, n_rows):
        from matplotlib.collections import LineCollection

        edges = [
            [(x[n["parent"]], y[n["parent"]]), (x[n["parent"]], y[i]), (x[i], y[i])]
            for i, n in enumerate(self.nodes)
            if n["parent"] is not None
        ]
        here = [i for i, n in enumerate(self.nodes) if n["class"] is not None]
        far = max(x) or 1.0
        if n_rows <= MOST_NAMES:
            leaders = [[(x[i], y[i]), (1.03 * far, y[i])] for i in here]
            ax.add_collection(LineCollection(leaders, colors=FAINT, linewidths=0.7, linestyles=":"), autolim=False)
        self.lines_ = ax.add_collection(LineCollection(edges, colors=GREY, linewidths=1.1), autolim=False)
        ax.plot(
            [x[i] for i in here],
            [y[i] for i in here],
            ls="",
            marker="o",
            ms=4 if n_rows <= MOST_NAMES else 1.5,
            color=MAIN,
        )
        ax.set_xlim(-0.02 * far, 1.03 * far)
        ax.set_ylim(n_rows - 0.4, -0.6)
        if n_rows <= _MOST_INNER_NAMES:
            for i, node in enumerate(self.nodes):
                if node["class"] is None and node["name"] is not None:
                    ax.annotate(
                        written(node["name"], 20), (x[i], y[i]), (-3, 2), textcoords="offset points", ha="right",
                        va="bottom", fontsize=_FONT - 1, color=GREY, **PLAIN,
                    )  # fmt: skip

    def _name_classes(self, ax, y, n_rows, wanted):
        """Names to the right: all of them, or of many those that arcs end at."""
        names = {y[i]: written(node["name"]) for i, node in enumerate(self.nodes) if node["class"] is not None}
        if n_rows > MOST_NAMES:
            names = {row: names[row] for row in _apart(wanted, n_rows / MOST_NAMES)}
        ax.set_yticks(list(names), labels=list(names.values()), **PLAIN)
        calm(ax, keep=("bottom",))
        ax.yaxis.tick_right()
        ax.tick_params(axis="y", length=0, labelsize=_FONT)
        return list(names.values())


def _draw_arcs(ax, arcs, labels, n_known):
    """Arcs (from row, to row, cost) right of the names, in inches across and rows down."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path
    from matplotlib.transforms import ScaledTranslation, blended_transform_factory

    if not arcs:
        return []
    begin = 0.18 + _widest(ax, labels)
    across = ax.figure.dpi_scale_trans + ScaledTranslation(1, 0, ax.transAxes)
    place = blended_transform_factory(across, ax.transData)
    longest = max(abs(start - end) for start, end, _ in arcs) or 1.0
    costliest = max(cost for *_, cost in arcs) or 1.0
    drawn = []
    for start, end, cost in reversed(arcs):
        out = begin + 0.35 + 1.0 * abs(start - end) / longest + (0.12 if start > end else 0.0)
        curve = Path([(begin, start), (out, start), (out, end), (begin, end)], [Path.MOVETO] + [Path.CURVE4] * 3)
        width = 0.7 + 4.3 * cost / costliest
        look = {"edgecolor": ACCENT, "linewidth": width, "alpha": 0.75, "capstyle": "butt"}
        drawn.append(ax.add_artist(PathPatch(curve, transform=place, clip_on=False, facecolor="none", **look)))
        ax.plot(
            begin,
            end,
            marker="<",
            ms=4 + 1.3 * width,
            color=ACCENT,
            transform=place,
            clip_on=False,
            scalex=False,
            scaley=False,
        )
    which = f"the {len(arcs)} costliest of {n_known} confusions:\n" if n_known > len(arcs) else "an arc: "
    text = f"{which}true class -> recorded as,\nthe wider the costlier"
    ax.annotate(
        text, (begin, 1), (0, 2), xycoords=(across, "axes fraction"), textcoords="offset points",
        ha="left", va="bottom", fontsize=_FONT - 1, color=ACCENT, annotation_clip=False,
    )  # fmt: skip
    return drawn[::-1]


def _widest(ax, labels):
    """Inches that names take, whatever the figure is drawn on."""
    from matplotlib.text import Text

    texts = [Text(0, 0, label, fontsize=_FONT, figure=ax.figure, **PLAIN) for label in labels]
    return max((text.get_window_extent().width for text in texts), default=0.0) / ax.figure.dpi


def _apart(rows, least):
    """Those rows, the first ones first, that leave room for a line each."""
    kept: list[float] = []
    for row in rows:
        if all(abs(row - other) >= least for other in kept):
            kept.append(row)
    return kept
