"""The rows whose labels are most probably wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ... import _validation
from .._words import counted, number
from ._axes import MAIN, axes_for, bars, height_of, part_of, say_only, summary_of, title, written


class SuspectsDisplay:
    """The most doubtful rows: how probably each is recorded as the wrong class.

    Parameters
    ----------
    suspects : sequence of mappings
        With "row", "recorded", "likely" and "p_wrong", the most doubtful first.
    n_suspects : int, default=None
        How many there are, if not all are given.

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    bars_ : matplotlib bars, or None if no row is doubtful

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from tamis import NoisyLabels, SuspectsDisplay
    >>> from tamis.datasets import flip_uniform
    >>> X, y = load_wine(return_X_y=True)
    >>> model = NoisyLabels(random_state=0).fit(X, flip_uniform(y, 0.2, random_state=0).y)
    >>> display = SuspectsDisplay.from_estimator(model, n_rows=5)
    >>> len(display.bars_)
    5
    """

    def __init__(self, *, suspects: Sequence[Mapping[str, Any]], n_suspects: int | None = None):
        self.suspects = suspects
        self.n_suspects = n_suspects

    @classmethod
    def from_estimator(cls, estimator, *, n_rows: int = 20, ax=None) -> SuspectsDisplay:
        """Of a selector fitted with noisy labels, or of fitted `NoisyLabels`."""
        return cls.from_summary(summary_of(estimator, cls.__name__, models=True), n_rows=n_rows, ax=ax)

    @classmethod
    def from_summary(cls, summary: Mapping[str, Any], *, n_rows: int = 20, ax=None) -> SuspectsDisplay:
        """Of what `tamis.views.summarise` or `summarise_audit` returns."""
        labels = part_of(summary, "labels", cls.__name__, "a summary that tells about labels") or {}
        if labels.get("suspects") is None:
            kind = f"labels of kind {labels['kind']!r}" if labels else "a selection without labels"
            raise ValueError(
                f"{cls.__name__} needs labels that were taken as noisy; got {kind}. Fit with labels='noisy'."
            )
        display = cls(suspects=labels["suspects"], n_suspects=labels["n_suspects"])
        return display.plot(ax, n_rows=n_rows)

    def plot(self, ax=None, *, n_rows: int = 20) -> SuspectsDisplay:
        """Draw the first `n_rows`, on `ax` or on a new figure."""
        n_rows = _validation.check_count("n_rows", n_rows)
        drawn = list(self.suspects[:n_rows])
        ax = axes_for(ax, (7.0, height_of(len(drawn))), type(self).__name__)
        self.ax_, self.figure_, self.bars_ = ax, ax.figure, None
        if not drawn:
            say_only(ax, "No label is more likely wrong than right")
            return self
        names = [f"row {s['row']}: {written(s['recorded'], 20)} -> {written(s['likely'], 20)}" for s in drawn]
        p_wrong = [s["p_wrong"] for s in drawn]
        self.bars_ = bars(ax, p_wrong, names, ["> 0.99" if p > 0.994 else number(p, 2) for p in p_wrong], MAIN)
        ax.set_xlim(0, 1)
        ax.set_xlabel("probability that the recorded class is wrong")
        total = max(len(self.suspects), self.n_suspects or 0)
        more = f"The {len(drawn)} most doubtful of {counted(total, 'row')}"
        title(ax, (more if total > len(drawn) else "Doubtful rows") + ": recorded -> likely")
        return self
