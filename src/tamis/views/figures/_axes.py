"""What the figures share: colours, names as text, axes, and the summaries they are drawn from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sklearn.utils.validation import check_is_fitted

from ...labels import LabelModel
from ...selectors._base import BaseSelector
from .._words import shown
from ..audit import summarise_audit
from ..summary import summarise

# Blue and vermilion are told apart by everybody (Okabe and Ito, 2008).
MAIN, ACCENT = "#0072b2", "#d55e00"
INK, GREY, FAINT = "#333333", "#6f6f6f", "#d9d9d9"
PLAIN: dict[str, Any] = {"parse_math": False, "usetex": False}
"""Of texts with names: a dollar sign is a dollar sign."""

_TALLEST = 40.0


def written(name: object, most: int = 32) -> str:
    """A name as a label: cut again once its control characters are written out."""
    return shown(shown(name, most), most)


def summary_of(estimator, who: str, *, models: bool = False) -> dict[str, Any]:
    """Of a fitted selector or, if `models`, of a fitted label model."""
    if models and isinstance(estimator, LabelModel):
        check_is_fitted(estimator, "memberships_")
        return summarise_audit(estimator)
    if not isinstance(estimator, BaseSelector):
        needed = "a fitted selector or label model" if models else "a fitted selector"
        raise ValueError(
            f"{who} needs {needed} of tamis; got {type(estimator).__name__}. Of a pipeline pass the step; a summary "
            "that was read from a file goes to from_summary."
        )
    return summarise(estimator)


def part_of(summary: Any, key: str, who: str, needed: str) -> Any:
    """A part of a summary that a figure cannot do without."""
    if not isinstance(summary, Mapping) or key not in summary:
        got = summary.get("schema", "a dictionary without schema") if isinstance(summary, Mapping) else type(summary)
        got = got.__name__ if isinstance(got, type) else shown(got)
        raise ValueError(f"{who} needs {needed}; got {got}. Pass what tamis.views.summarise returns.")
    return summary[key]


def axes_for(ax, size: tuple[float, float], who: str):
    """The axes given, or those of a new figure."""
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError as missing:
        raise ImportError(
            f"{who} needs matplotlib, which is not installed. Run: pip install 'tamis[plots]'"
        ) from missing
    _, ax = plt.subplots(figsize=size, layout="constrained")
    return ax


def height_of(n_rows: int, *, each: float = 0.26, least: float = 2.0) -> float:
    """Inches for so many rows, of which a page has room for a limited number."""
    return min(_TALLEST, max(least, 0.9 + each * n_rows))


def calm(ax, *, keep: Sequence[str] = ("left", "bottom")) -> None:
    """No frame but the axes needed."""
    for side, spine in ax.spines.items():
        spine.set_visible(side in keep)
        spine.set_color(GREY)
    ax.tick_params(colors=GREY, labelcolor=INK, labelsize="small")
    for text in (ax.xaxis.label, ax.yaxis.label):
        text.set_color(INK)


def bars(ax, values: Sequence[float], names: Sequence[str], ends: Sequence[str], colour: str):
    """Horizontal bars, the first on top, with a word at the end of each."""
    places = range(len(values))
    drawn = ax.barh(places, values, height=0.6, color=colour)
    ax.set_yticks(places, labels=names, **PLAIN)
    ax.set_ylim(len(values) - 0.4, -0.6)
    for place, value, end in zip(places, values, ends, strict=True):
        ax.annotate(
            end, (value, place), (4, 0), textcoords="offset points", va="center", fontsize="small", color=GREY, **PLAIN
        )
    calm(ax, keep=("bottom",))
    ax.tick_params(axis="y", length=0)
    return drawn


def say_only(ax, sentence: str) -> None:
    """Axes with nothing to draw on."""
    ax.set_axis_off()
    ax.text(0.5, 0.5, sentence, transform=ax.transAxes, ha="center", va="center", color=GREY)


def title(ax, text: str) -> None:
    ax.set_title(text, loc="left", fontsize="medium", color=INK, **PLAIN)
