"""The score of every subset that a search went through, and what chance gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .._layout import MOST_ON_LINEAR_AXIS, round_sizes
from .._words import counted, criterion_name, p_value, path_scores
from ._axes import ACCENT, FAINT, GREY, INK, MAIN, PLAIN, axes_for, calm, part_of, summary_of

_MOST_FOR_BEST_LEGEND = 200
_MOVES = {
    "ranking": "score of the feature that joins",
    "blanket": "what the feature next to leave\ntells beyond its companions",
}


class PathDisplay:
    """The path of a search: its criterion by the number of features.

    A grey band has the middle 90 % of what permuted copies of the feature at stake give, where chance was asked.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of features, in any order.
    scores : sequence of float or None
        The line joins those that are not None.
    null_quantiles : sequence of (float, float, float) or None
        5, 50 and 95 % quantiles of chance; gaps where they are None.
    p_values : sequence of float or None
    n_selected : int
        The size that was chosen.
    direction : {"backward", "forward", "ranking", "blanket"}
    ylabel : str
        What the scores are.

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    line_ : matplotlib line of the scores
    chosen_ : matplotlib line, the vertical one at the chosen size

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from tamis import PathDisplay, SequentialSelector
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> display = PathDisplay.from_estimator(SequentialSelector(random_state=0).fit(X, y))
    >>> display.ax_.get_xlabel(), display.n_selected
    ('number of features', 4)
    """

    def __init__(
        self,
        *,
        sizes: Sequence[int],
        scores: Sequence[float | None],
        null_quantiles: Sequence[Sequence[float] | None],
        p_values: Sequence[float | None],
        n_selected: int,
        direction: str,
        ylabel: str,
    ):
        self.sizes = sizes
        self.scores = scores
        self.null_quantiles = null_quantiles
        self.p_values = p_values
        self.n_selected = n_selected
        self.direction = direction
        self.ylabel = ylabel

    @classmethod
    def from_estimator(cls, estimator, *, ax=None) -> PathDisplay:
        """Of a fitted selector."""
        return cls.from_summary(summary_of(estimator, cls.__name__), ax=ax)

    @classmethod
    def from_summary(cls, summary: Mapping[str, Any], *, ax=None) -> PathDisplay:
        """Of what `tamis.views.summarise` returns."""
        path = part_of(summary, "path", cls.__name__, "the summary of a selection")
        direction = summary["search"]["direction"]
        display = cls(
            sizes=[step["size"] for step in path],
            scores=path_scores(summary),
            null_quantiles=[step["null_quantiles"] for step in path],
            p_values=[step["p_value"] for step in path],
            n_selected=summary["search"]["n_selected"],
            direction=direction,
            ylabel=_MOVES.get(direction) or criterion_name(summary),
        )
        return display.plot(ax)

    def plot(self, ax=None) -> PathDisplay:
        """Draw, on `ax` or on a new figure."""
        ax = axes_for(ax, (6.4, 4.0), type(self).__name__)
        order = np.argsort(self.sizes, kind="stable")
        sizes = np.asarray(self.sizes)[order]
        scores = np.array([np.nan if s is None else s for s in self.scores], dtype=float)[order]
        self._draw_chance(ax, sizes, order)
        many = len(sizes) > MOST_ON_LINEAR_AXIS
        known, mark = np.isfinite(scores), "" if many and np.isfinite(scores).sum() > 1 else "o"
        self.line_ = ax.plot(sizes[known], scores[known], color=MAIN, lw=1.6, marker=mark, ms=4, label="score")[0]
        self._mark_chosen(ax, sizes, scores, order)
        _number_axis(ax, sizes)
        ax.set_xlabel("number of features")
        ax.set_ylabel(self.ylabel, **PLAIN)
        calm(ax)
        if len(ax.get_legend_handles_labels()[0]) > 1:
            place = "best" if len(sizes) <= _MOST_FOR_BEST_LEGEND else "lower right"
            ax.legend(frameon=False, fontsize="small", labelcolor=INK, loc=place)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _draw_chance(self, ax, sizes, order):
        unknown = (np.nan, np.nan, np.nan)
        drawn = [unknown if q is None else [np.nan if v is None else v for v in q] for q in self.null_quantiles]
        low, middle, high = np.array(drawn, dtype=float).reshape(-1, 3)[order].T
        known = np.isfinite(low) & np.isfinite(high)
        if not known.any():
            return
        lone = _lone(known)
        ax.fill_between(sizes, low, high, where=known, color=FAINT, lw=0, label="chance, 5 to 95 %")
        ax.vlines(sizes[lone], low[lone], high[lone], color=FAINT, lw=7)
        ax.plot(sizes, middle, color=GREY, lw=1.2, ls="--", label="chance, median")
        ax.plot(sizes[lone], middle[lone], color=GREY, ls="", marker="_", ms=7)

    def _mark_chosen(self, ax, sizes, scores, order):
        self.chosen_ = ax.axvline(self.n_selected, color=ACCENT, lw=1, zorder=1)
        text = f"{counted(self.n_selected, 'feature')} selected"
        here = np.flatnonzero(sizes == self.n_selected)
        if len(here):
            ax.plot(self.n_selected, scores[here[0]], color=ACCENT, marker="o", ms=7, zorder=3)
            p = self.p_values[order[here[0]]]
            said = "" if p is None else p_value(p)
            text += f", p {said.replace('<', '< ') if said.startswith('<') else '= ' + said}" if said else ""
        ax.annotate(
            text, (self.n_selected, 1), (0, 3), xycoords=("data", "axes fraction"), textcoords="offset points",
            ha="center", va="bottom", fontsize="small", color=ACCENT,
        )  # fmt: skip


def _lone(known):
    """Those known whose neighbours are not."""
    padded = np.concatenate([[False], known, [False]])
    return known & ~padded[:-2] & ~padded[2:]


def _number_axis(ax, sizes):
    """Whole numbers, by their logarithm if there are many."""
    from matplotlib import ticker

    first, last = int(sizes.min()), int(sizes.max())
    if len(sizes) > MOST_ON_LINEAR_AXIS:
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
