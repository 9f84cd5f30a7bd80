"""Figures in one style."""

from __future__ import annotations

import numpy as np

from .statistics import interval

INK, SOFT, LINE = "#1b2430", "#5a6675", "#dfe3e8"
BLUE, ORANGE, GREEN, PURPLE, GREY, YELLOW = "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#7a8694", "#e69f00"

STYLE = {
    "axes.edgecolor": SOFT,
    "axes.grid": True,
    "axes.labelcolor": INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "figure.dpi": 100,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "grid.color": LINE,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "lines.linewidth": 1.6,
    "svg.fonttype": "none",
    "svg.hashsalt": "tamis",
    "text.color": INK,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
}


def styled():
    """A context in which everything is drawn in this style."""
    import matplotlib

    return matplotlib.rc_context(STYLE)


def panels(rows, columns, *, width=3.4, height=2.5):
    """A figure and its axes, in a grid (always two-dimensional)."""
    from matplotlib.figure import Figure

    with styled():
        figure = Figure(figsize=(width * columns, height * rows), layout="constrained")
        return figure, figure.subplots(rows, columns, squeeze=False)


def curve(ax, x, runs, label, color, *, dashed=False, marker=""):
    """The mean over runs (first axis) by x, with its 95 % interval."""
    runs = np.asarray(runs, dtype=float)
    if not len(runs):
        return
    mean, half = runs.mean(axis=0), interval(runs)
    ax.plot(x, mean, color=color, label=label, linestyle="--" if dashed else "-", marker=marker, markersize=3)
    if not np.isnan(half).all():
        ax.fill_between(x, mean - half, mean + half, color=color, alpha=0.15, linewidth=0)


def save(figure, path):
    """As SVG, the same bytes for the same numbers."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with styled():
        figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None})
