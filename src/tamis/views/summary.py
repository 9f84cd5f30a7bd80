"""A fitted selector as a plain dictionary: docs/selection.md tells what each key means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .. import __version__
from ..labels import NoLabels
from ._plain import plain
from .labels import describe_classes, describe_labels

SCHEMA = "tamis.selection/1"
_NO_MATTER = ("n_jobs", "verbose", "checkpoint")  # the result does not depend on them


def summarise(
    selector,
    *,
    names: Sequence[str] | None = None,
    data: Mapping[str, Any] | None = None,
    rows=None,
    warnings: Iterable[object] = (),
) -> dict[str, Any]:
    """Everything that there is to know about a fitted selector, as values that JSON has.

    Parameters
    ----------
    selector : fitted selector
    names : sequence of str, default=None
        Names of the features, if X had none.
    data : mapping, default=None
        What is known about the table: "file", "rows", "targets", "notes".
    rows : array-like of int, default=None
        Numbers of the rows of X in that table; 1, 2, ... by default.
    warnings : iterable of warnings or str
        What was said during the fit.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from tamis import RankingSelector
    >>> from tamis.views import summarise
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> summary = summarise(RankingSelector(n_features_to_select=1).fit(X, y))
    >>> summary["schema"], summary["selected"]
    ('tamis.selection/1', ['petal length (cm)'])
    """
    check_is_fitted(selector, "support_")
    if names is None:
        names = getattr(selector, "feature_names_in_", [f"x{f}" for f in range(selector.n_features_in_)])
    names = [str(name) for name in names]
    path, labels = selector.path_, getattr(selector, "labels_", None)
    labels = None if isinstance(labels, NoLabels) else labels
    start = [names[f] for group in path.start for f in path.members(group)]
    return plain(
        {
            "schema": SCHEMA,
            "tamis": __version__,
            "asked": _asked(selector),
            "data": describe_data(data, getattr(selector, "memberships_", None), len(names)),
            "classes": describe_classes(labels),
            "selected": [names[f] for f in np.flatnonzero(selector.support_)],
            "search": {"direction": path.direction, "start": start, "n_selected": selector.n_features_},
            "features": _features(selector, names),
            "path": _path(selector, names),
            "labels": describe_labels(labels, rows),
            "class_distance": _class_distance(selector),
            "warnings": [str(getattr(said, "message", said)) for said in warnings],
        }
    )


def describe_data(data, memberships, n_features) -> dict[str, Any]:
    data = data or {}
    return {
        "file": data.get("file"),
        "rows": data.get("rows") if memberships is None else len(memberships),
        "n_features": n_features,
        "targets": list(data.get("targets", ())),
        "notes": list(data.get("notes", ())),
    }


def _asked(selector):
    parameters = selector.get_params(deep=False)
    kept = {name: value for name, value in parameters.items() if name not in _NO_MATTER}
    return {"selector": type(selector).__name__, "parameters": kept}


def _features(selector, names):
    groups = [group for group in selector.path_.groups or () if len(group) > 1]
    group_of = {f: number for number, group in enumerate(groups) for f in group}
    categories = getattr(selector, "categories_", {})
    p_values = _p_values(selector)
    return [
        {
            "name": name,
            "selected": selector.support_[f],
            "rank": selector.ranking_[f],
            "score": selector.scores_[f],
            "p_value": p_values.get(f),
            "group": group_of.get(f),
            "n_categories": len(categories[f]) if f in categories else None,
        }
        for f, name in enumerate(names)
    ]


def _p_values(selector) -> dict[int, float]:
    """Of each feature that was judged: that of the subset which it would leave, or which it entered."""
    path, p_values = selector.path_, getattr(selector, "p_values_", ())
    moved = [path.members(step.feature) for step in path.steps]
    if path.shrinks:
        moved = [*moved[1:], tuple(path.subset(path.sizes[-1]).tolist())]
    return {f: p for members, p in zip(moved, p_values, strict=False) for f in members}


def _path(selector, names):
    path, none = selector.path_, [None] * len(selector.path_.steps)
    p_values = getattr(selector, "p_values_", none)
    quantiles = getattr(selector, "null_quantiles_", none)
    return [
        {
            "size": size,
            "moved": [names[f] for f in path.members(step.feature)],
            "score": step.score,
            "p_value": p,
            "null_quantiles": None if q is None or np.isnan(q).all() else q,
        }
        for size, step, p, q in zip(path.sizes, path.steps, p_values, quantiles, strict=True)
    ]


def _class_distance(selector):
    distance = getattr(selector, "class_distance_", None)
    if distance is None:
        return None
    bound = getattr(selector, "noise_bound_", None)
    return {"classes": distance.classes, "is_tree": distance.is_tree, "noise_bound": bound}
