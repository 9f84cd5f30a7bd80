"""Needed features and those that can replace them, with how often each was selected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ... import _validation
from .._words import percent, points, replacements, roles_of
from ._axes import FAINT, MAIN, axes_for, bars, height_of, part_of, say_only, summary_of, title, written


class RolesDisplay:
    """The features needed, each followed by those that are interchangeable with it.

    Bars are the share of the folds that select a feature. An interchangeable feature stands below the needed one that
    it replaces at the least cost: the increase of the balanced error in percentage points.

    Parameters
    ----------
    needed : sequence of mappings
        With "name", "frequency" and "instead": a list of mappings with "name", "frequency" and "cost".
    found : bool, default=True
        Whether the features predict the target better than knowing nothing.
    caption : str, default=""

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
    bars_ : matplotlib bars, or None if no feature is needed

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from tamis import RolesDisplay, SequentialSelector
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> selector = SequentialSelector(judge=GaussianNB(), cv=2, n_repeats=2, random_state=0).fit(X, y)
    >>> display = RolesDisplay.from_estimator(selector)
    >>> len(display.needed) == selector.n_features_
    True
    """

    def __init__(self, *, needed: Sequence[Mapping[str, Any]], found: bool = True, caption: str = ""):
        self.needed = needed
        self.found = found
        self.caption = caption

    @classmethod
    def from_estimator(cls, estimator, *, n_rows: int = 40, ax=None) -> RolesDisplay:
        """Of a fitted selector."""
        return cls.from_summary(summary_of(estimator, cls.__name__), n_rows=n_rows, ax=ax)

    @classmethod
    def from_summary(cls, summary: Mapping[str, Any], *, n_rows: int = 40, ax=None) -> RolesDisplay:
        """Of what `tamis.views.summarise` returns."""
        features = part_of(summary, "features", cls.__name__, "the summary of a selection")
        evidence = summary["evidence"]
        if evidence is None:
            asked = summary["asked"]["parameters"]["n_features_to_select"]
            got = "too few rows to leave some out" if asked == "auto" else f"n_features_to_select={asked!r}"
            raise ValueError(
                f"{cls.__name__} needs features that were judged on rows left out; got {got}. Fit with "
                "n_features_to_select='auto'."
            )
        display = cls(needed=_needed(summary, features), found=evidence["found"], caption=roles_of(summary))
        return display.plot(ax, n_rows=n_rows)

    def plot(self, ax=None, *, n_rows: int = 40) -> RolesDisplay:
        """Draw the first `n_rows` features, on `ax` or on a new figure."""
        n_rows = _validation.check_count("n_rows", n_rows)
        rows = [row for one in self.needed for row in ((one, None), *((other, one) for other in one["instead"]))]
        drawn = rows[:n_rows]
        ax = axes_for(ax, (7.0, height_of(len(drawn))), type(self).__name__)
        self.ax_, self.figure_, self.bars_ = ax, ax.figure, None
        if not self.found or not drawn:
            say_only(ax, "No feature predicts the target better than knowing nothing")
            return self
        names = [written(f["name"]) if of is None else f"or  {written(f['name'], 28)}" for f, of in drawn]
        ends = [percent(f["frequency"]) + ("" if of is None else f", {points(f['cost'])} points") for f, of in drawn]
        self.bars_ = bars(ax, [f["frequency"] for f, _ in drawn], names, ends, MAIN)
        for bar, (_, of) in zip(self.bars_, drawn, strict=True):
            bar.set_color(MAIN if of is None else FAINT)
        ax.set_xlim(0, 1)
        ax.xaxis.set_major_formatter(lambda value, _: f"{100 * value:g} %")
        ax.set_xlabel("share of the folds that select the feature")
        more = f" (the first {len(drawn)} of {len(rows)} features)" if len(drawn) < len(rows) else ""
        title(ax, f"{self.caption or 'Needed features'}{more}")
        return self


def _needed(summary, features) -> list[dict[str, Any]]:
    """Needed features, those selected most often first, with what each can be replaced by."""
    instead: dict[int, list[dict[str, Any]]] = {}
    cheapest = {place: f["swaps"][0]["cost"] for place, f in enumerate(features) if f["swaps"]}
    seen: set[int] = set()
    for needed, swaps in replacements(summary).items():
        for other, cost in swaps:
            if cost == cheapest[other] and other not in seen:
                seen.add(other)
                f = features[other]
                instead.setdefault(needed, []).append({"name": f["name"], "frequency": f["frequency"], "cost": cost})
    places = [place for place, f in enumerate(features) if f["role"] == "needed"]
    places.sort(key=lambda place: (-features[place]["frequency"], place))
    return [
        {"name": f["name"], "frequency": f["frequency"], "instead": instead.get(place, [])}
        for place, f in ((place, features[place]) for place in places)
    ]
