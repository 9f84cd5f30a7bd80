"""Which classes are taken for which, or which annotators can be relied on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .._words import percent, with_interval
from ._axes import (
    ACCENT,
    FAINT,
    GREY,
    INK,
    PLAIN,
    axes_for,
    bars,
    calm,
    height_of,
    part_of,
    say_only,
    summary_of,
    title,
    written,
)

MOST_IN_MATRIX = 30
MOST_WITH_NUMBERS = 12
MOST_BARS = 30
_LITTLE = 0.0005  # 0.0 %


class NoiseDisplay:
    """Label quality.

    Of noisy labels, the share of each class that is recorded as each other one: the darker, the more of them; bars of
    the most frequent confusions if there are too many classes for a matrix, and of probabilities. Of a crowd, the
    annotators, the least reliable first.

    Parameters
    ----------
    classes : sequence
        Names of the classes.
    rates : sequence of float or None, default=None
        Share of wrong labels in each class.
    transition : array-like of shape (n_classes, n_classes), default=None
        Probability that the class of a row is recorded as the class of a column.
    confusions : sequence of mappings, default=None
        With "true", "recorded", "rate" and "rows", the most frequent first; with "low" and "high" if there is an
        interval of the rate.
    annotators : sequence of mappings, default=None
        With "name", "answers" and "reliability", the least reliable first. They are drawn instead of the rest.

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    im_ : matplotlib image, or None
    bars_ : matplotlib bars, or None

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from tamis import NoiseDisplay, NoisyLabels
    >>> from tamis.datasets import flip_uniform
    >>> X, y = load_wine(return_X_y=True)
    >>> model = NoisyLabels(random_state=0).fit(X, flip_uniform(y, 0.2, random_state=0).y)
    >>> display = NoiseDisplay.from_estimator(model)
    >>> display.ax_.get_xlabel(), display.im_.get_array().shape
    ('recorded as', (3, 3))
    """

    def __init__(
        self,
        *,
        classes: Sequence[Any] = (),
        rates: Sequence[float | None] | None = None,
        transition: Any = None,
        confusions: Sequence[Mapping[str, Any]] | None = None,
        annotators: Sequence[Mapping[str, Any]] | None = None,
    ):
        self.classes = classes
        self.rates = rates
        self.transition = transition
        self.confusions = confusions
        self.annotators = annotators

    @classmethod
    def from_estimator(cls, estimator, *, ax=None) -> NoiseDisplay:
        """Of a selector fitted with noisy labels or those of a crowd, or of fitted `NoisyLabels` or `CrowdLabels`."""
        return cls.from_summary(summary_of(estimator, cls.__name__, models=True), ax=ax)

    @classmethod
    def from_summary(cls, summary: Mapping[str, Any], *, ax=None) -> NoiseDisplay:
        """Of what `tamis.views.summarise` or `summarise_audit` returns."""
        labels = part_of(summary, "labels", cls.__name__, "a summary that tells about labels") or {}
        kind = labels.get("kind")
        if kind == "crowd":
            return cls(annotators=labels["annotators"]).plot(ax)
        if kind == "soft":
            return cls(confusions=labels["confusions"]).plot(ax)
        if kind != "noisy":
            got = f"labels of kind {kind!r}" if kind else "a selection without labels"
            raise ValueError(
                f"{cls.__name__} needs labels that were taken as noisy, probabilities or answers of a crowd; got {got}."
                " Fit with labels='noisy'."
            )
        display = cls(
            classes=[rate["class"] for rate in labels["rates"]],
            rates=[rate["rate"] for rate in labels["rates"]] if labels["share_wrong"] is not None else None,
            transition=labels["transition"],
            confusions=labels["confusions"],
        )
        return display.plot(ax)

    def plot(self, ax=None) -> NoiseDisplay:
        """Draw, on `ax` or on a new figure."""
        self.im_ = self.bars_ = None
        if self.annotators is not None:
            ax = self._plot_annotators(ax)
        elif self.transition is not None and len(self.transition) <= MOST_IN_MATRIX:
            ax = self._plot_matrix(ax)
        else:
            ax = self._plot_confusions(ax)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _plot_matrix(self, ax):
        T = np.array([[np.nan if v is None else v for v in row] for row in self.transition], dtype=float)
        n = len(T)
        side = 2.4 + 0.55 * n if n <= MOST_WITH_NUMBERS else 3.0 + 0.25 * n
        ax = axes_for(ax, (side + 1.6, side), type(self).__name__)
        wrong = np.ma.masked_array(T, np.eye(n, dtype=bool) | np.isnan(T))
        most = wrong.max() if wrong.count() else 0.0
        self.im_ = ax.imshow(wrong, cmap=_white_to_accent(), vmin=0, vmax=max(float(most), 1e-3))
        self._name_axes(ax, n)
        if n <= MOST_WITH_NUMBERS:
            _write_shares(ax, T, float(most))
        else:
            colours = ax.figure.colorbar(self.im_, ax=ax, shrink=0.6, format=lambda value, _: f"{100 * value:g} %")
            colours.ax.tick_params(colors=GREY, labelcolor=INK, labelsize="small")
            colours.set_label("share of the class", color=INK)
            colours.outline.set_visible(False)
        return ax

    def _name_axes(self, ax, n):
        """Rows with their rate of wrong labels."""
        names = [written(name, 20) for name in self.classes]
        rates = self.rates or [None] * n
        wrong = [c if r is None else f"{c} ({percent(r)} wrong)" for c, r in zip(names, rates, strict=True)]
        slant = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"} if max(map(len, names)) * n > 30 else {}
        ax.set_xticks(range(n), labels=names, **PLAIN, **slant)
        ax.set_yticks(range(n), labels=wrong, **PLAIN)
        ax.set_xlabel("recorded as")
        ax.set_ylabel("true class")
        calm(ax, keep=tuple(ax.spines))
        ax.spines[:].set_color(FAINT)
        ax.tick_params(length=0)
        title(ax, "Share of each class that is recorded as another")

    def _plot_confusions(self, ax):
        drawn = list(self.confusions or ())[:MOST_BARS]
        ax = axes_for(ax, (7.0, height_of(len(drawn))), type(self).__name__)
        if not drawn:
            known = self.confusions is not None or self.transition is not None
            say_only(ax, "No two classes are confused" if known else "Which classes are confused is not known")
            return ax
        names = [f"{written(c['true'], 24)} -> {written(c['recorded'], 24)}" for c in drawn]
        self.bars_ = bars(ax, [c["rows"] for c in drawn], names, [_share(c) for c in drawn], ACCENT)
        ax.margins(x=0.2)
        ax.set_xlabel("rows, about; with the share of the true class")
        title(ax, "Most frequent confusions: true class -> recorded as")
        return ax

    def _plot_annotators(self, ax):
        annotators = list(self.annotators or ())
        drawn = annotators[:MOST_BARS]
        ax = axes_for(ax, (6.4, height_of(len(drawn))), type(self).__name__)
        ends = [f"{percent(a['reliability'])} of {a['answers']:,g}" for a in drawn]
        self.bars_ = bars(ax, [a["reliability"] for a in drawn], [written(a["name"]) for a in drawn], ends, ACCENT)
        ax.set_xlim(0, 1)
        ax.set_xlabel("share of right answers, estimated")
        n = len(annotators)
        title(ax, f"The {len(drawn)} least reliable of {n:,} annotators" if n > len(drawn) else "Annotators")
        return ax


def _share(confusion):
    """The share of the true class, with its interval if there is one."""
    low, high = (confusion.get(end) for end in ("low", "high"))
    return with_interval(confusion["rate"], None if low is None else (low, high))


def _write_shares(ax, T, most):
    """Per cent in every cell; what is right in grey."""
    for (i, j), share in np.ndenumerate(T):
        if np.isnan(share):
            continue
        little = share < _LITTLE
        colour = GREY if i == j or little else "white" if share > 0.75 * most else INK
        text = "0" if little else percent(share)
        ax.text(j, i, text, ha="center", va="center", fontsize="small", color=colour)


def _white_to_accent():
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("tamis", ["white", ACCENT]).with_extremes(bad=FAINT)
