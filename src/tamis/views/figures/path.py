"""The error on rows left out by the number of features, or the criterion of every subset that a search went through."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .._layout import MOST_ON_LINEAR_AXIS, round_sizes
from .._words import counted, criterion_name, path_scores, percent
from ._axes import ACCENT, GREY, INK, MAIN, PLAIN, axes_for, calm, part_of, summary_of

_MOST_FOR_BEST_LEGEND = 200
_ERROR = "balanced error on rows left out"
_MOVES = {
    "ranking": "score of the feature that joins",
    "blanket": "what the feature next to leave\nadds to its conditioning features",
}


class PathDisplay:
    """The path of a search by the number of features: its error on rows left out, else its criterion.

    The error is drawn where the number of features was left to "auto", with its 95 % interval and the error without any
    feature.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of features, in any order.
    values : sequence of float or None
        The line joins those that are not None.
    n_selected : int
        The size that was chosen.
    ylabel : str
        What the values are.
    intervals : sequence of (float, float), default=None
        Intervals of the values.
    level : float, default=None
        The value without any feature.
    in_percent : bool, default=False
        Whether values are shares.

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    line_ : matplotlib line of the values
    chosen_ : matplotlib line, the vertical one at the chosen size
    band_ : matplotlib area between the ends of the intervals, or None
    level_ : matplotlib line, the horizontal one without any feature, or None

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from tamis import PathDisplay, SequentialSelector
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> display = PathDisplay.from_estimator(SequentialSelector(n_features_to_select=4).fit(X, y))
    >>> display.ax_.get_xlabel(), display.ax_.get_ylabel(), display.n_selected
    ('number of features', 'mutual information', 4)
    """

    def __init__(
        self,
        *,
        sizes: Sequence[int],
        values: Sequence[float | None],
        n_selected: int,
        ylabel: str,
        intervals: Sequence[Sequence[float]] | None = None,
        level: float | None = None,
        in_percent: bool = False,
    ):
        self.sizes = sizes
        self.values = values
        self.n_selected = n_selected
        self.ylabel = ylabel
        self.intervals = intervals
        self.level = level
        self.in_percent = in_percent

    @classmethod
    def from_estimator(cls, estimator, *, ax=None) -> PathDisplay:
        """Of a fitted selector."""
        return cls.from_summary(summary_of(estimator, cls.__name__), ax=ax)

    @classmethod
    def from_summary(cls, summary: Mapping[str, Any], *, ax=None) -> PathDisplay:
        """Of what `tamis.views.summarise` returns."""
        path = part_of(summary, "path", cls.__name__, "the summary of a selection")
        n_selected, evidence = summary["search"]["n_selected"], summary["evidence"]
        if evidence:
            display = cls(
                sizes=[at["size"] for at in evidence["sizes"]],
                values=[at["error"] for at in evidence["sizes"]],
                n_selected=n_selected,
                ylabel=_ERROR,
                intervals=[at["error_interval"] for at in evidence["sizes"]],
                level=evidence["error_of_nothing"],
                in_percent=True,
            )
        else:
            display = cls(
                sizes=[step["size"] for step in path],
                values=path_scores(summary),
                n_selected=n_selected,
                ylabel=_MOVES.get(summary["search"]["direction"]) or criterion_name(summary),
            )
        return display.plot(ax)

    def plot(self, ax=None) -> PathDisplay:
        """Draw, on `ax` or on a new figure."""
        ax = axes_for(ax, (6.4, 4.0), type(self).__name__)
        order = np.argsort(self.sizes, kind="stable")
        sizes = np.asarray(self.sizes)[order]
        values = np.array([np.nan if s is None else s for s in self.values], dtype=float)[order]
        self._draw_intervals(ax, sizes, order)
        known = np.isfinite(values)
        mark = "" if len(sizes) > MOST_ON_LINEAR_AXIS and known.sum() > 1 else "o"
        label = "error" if self.in_percent else "score"
        self.line_ = ax.plot(sizes[known], values[known], color=MAIN, lw=1.6, marker=mark, ms=4, label=label)[0]
        self._mark_chosen(ax, sizes, values)
        _number_axis(ax, sizes)
        if self.in_percent:
            ax.yaxis.set_major_formatter(lambda value, _: f"{100 * value:g} %")
        ax.set_xlabel("number of features")
        ax.set_ylabel(self.ylabel, **PLAIN)
        calm(ax)
        if len(ax.get_legend_handles_labels()[0]) > 1:
            place = "best" if len(sizes) <= _MOST_FOR_BEST_LEGEND else "lower right"
            ax.legend(frameon=False, fontsize="small", labelcolor=INK, loc=place)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _draw_intervals(self, ax, sizes, order):
        self.band_ = self.level_ = None
        if self.intervals is not None:
            low, high = np.array(self.intervals, dtype=float).reshape(-1, 2)[order].T
            self.band_ = ax.fill_between(sizes, low, high, color=MAIN, alpha=0.18, lw=0, label="95 % interval")
            if len(sizes) == 1:
                ax.vlines(sizes, low, high, color=MAIN, alpha=0.18, lw=7)
        if self.level is not None:
            without = f"without any feature, {percent(self.level)}" if self.in_percent else "without any feature"
            self.level_ = ax.axhline(self.level, color=GREY, lw=1.2, ls="--", label=without)

    def _mark_chosen(self, ax, sizes, values):
        self.chosen_ = ax.axvline(self.n_selected, color=ACCENT, lw=1, zorder=1)
        here = np.flatnonzero(sizes == self.n_selected)
        if len(here):
            ax.plot(self.n_selected, values[here[0]], color=ACCENT, marker="o", ms=7, zorder=3)
        ax.annotate(
            f"{counted(self.n_selected, 'feature')} selected", (self.n_selected, 1), (0, 3),
            xycoords=("data", "axes fraction"), textcoords="offset points",
            ha="center", va="bottom", fontsize="small", color=ACCENT,
        )  # fmt: skip


def _number_axis(ax, sizes):
    """Whole numbers, by their logarithm if there are many."""
    from matplotlib import ticker

    first, last = int(sizes.min()), int(sizes.max())
    if last - first >= MOST_ON_LINEAR_AXIS:
        ax.set_xscale("log")
        ticks = round_sizes(first, last)
        ax.xaxis.set_major_locator(
            ticker.FixedLocator(ticks) if len(ticks) > 2 else ticker.MaxNLocator(6, integer=True)
        )
        ax.xaxis.set_minor_locator(ticker.NullLocator())
        ax.xaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:,.0f}"))
    elif first == last:
        ax.set_xlim(first - 1, first + 1)
        ax.set_xticks([first])
    else:
        ax.xaxis.set_major_locator(ticker.MaxNLocator(10, integer=True, min_n_ticks=1))
