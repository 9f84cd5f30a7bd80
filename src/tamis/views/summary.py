"""A fitted selector as a plain dictionary: docs/selection.md says what each key means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from .. import __all__ as tamis_names
from .. import __version__, _validation
from ..distances.classes import ClassDistance
from ..labels import NoLabels
from ._plain import plain
from .evidence import describe_evidence, describe_role
from .labels import MOST_CLASSES, describe_classes, describe_costs, describe_labels, is_known
from .table import describe_drift, describe_gaps, describe_missing, describe_rows

SCHEMA = "tamis.selection/4"
_OF_A_COLUMN = ("name", "read_as", "note")
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
        What is known about the table: "file", "rows", "targets", "notes", "columns", "reading".
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
    ('tamis.selection/4', ['petal length (cm)'])
    """
    check_is_fitted(selector, "support_")
    if names is None:
        names = getattr(selector, "feature_names_in_", [f"x{f}" for f in range(selector.n_features_in_)])
    names = [str(name) for name in _validation.check_list("names", names, "names of columns")]
    _validation.check_length("names", names, selector.n_features_in_, "one per column")
    path, labels = selector.path_, getattr(selector, "labels_", None)
    labels = None if isinstance(labels, NoLabels) else labels
    memberships = getattr(selector, "memberships_", None)
    start = [names[f] for group in path.start for f in path.members(group)]
    return plain(
        {
            "schema": SCHEMA,
            "tamis": __version__,
            "asked": _asked(selector),
            "data": describe_data(data, memberships, len(names), describe_rows(selector, labels)),
            "classes": describe_classes(labels),
            "selected": [names[f] for f in np.flatnonzero(selector.support_)],
            "search": {
                "direction": path.direction,
                "criterion": _criterion(selector),
                "start": start,
                "n_selected": selector.n_features_,
                "n_compared": getattr(selector, "n_compared_", 0),
                "sieved": getattr(selector, "sieved_", 0),
                "sampling": _sampling(getattr(selector, "sampling_", None)),
                "limited": _limited(getattr(selector, "limited_", None)),
            },
            "evidence": describe_evidence(selector),
            "missing": describe_missing(selector, names),
            "drift": describe_drift(selector, names),
            "features": _features(selector, names),
            "path": _path(selector, names),
            "labels": describe_labels(labels, rows),
            "class_distance": _class_distance(selector, labels),
            "warnings": sentences_of(warnings),
        }
    )


def sentences_of(warnings) -> list[str]:
    """Warnings as text, from warnings that were recorded or from sentences."""
    return [str(getattr(said, "message", said)) for said in _validation.check_list("warnings", warnings, "sentences")]


def describe_data(data, memberships, n_features, rows) -> dict[str, Any]:
    data = data or {}
    columns = data.get("columns")
    return {
        "file": data.get("file"),
        "rows": data.get("rows") if memberships is None else len(memberships),
        "n_features": n_features,
        **rows,
        "targets": list(data.get("targets", ())),
        "notes": list(data.get("notes", ())),
        "columns": None if columns is None else [{key: column.get(key) for key in _OF_A_COLUMN} for column in columns],
        "reading": data.get("reading"),
    }


def _asked(selector):
    parameters = selector.get_params(deep=False)
    kept = {name: value for name, value in parameters.items() if name not in _NO_MATTER}
    return {"selector": type(selector).__name__, "parameters": kept, "imports": imports_of(selector)}


def imports_of(estimator) -> list[dict[str, str]]:
    """Where the class of an estimator, and those of the objects among its parameters, can be imported from."""
    objects = [estimator, *estimator.get_params().values()]
    classes = {type(o) for o in objects if isinstance(o, (BaseEstimator, ClassDistance))}
    public = {(c.__module__.split("._")[0], c.__name__) for c in classes}
    found = {("tamis" if name in tamis_names else module, name) for module, name in public}
    return [{"module": module, "name": name} for module, name in sorted(found)]


def _criterion(selector):
    """The class of the criterion; null for a blanket, and where rows came in blocks."""
    known = getattr(selector, "criterion_", None)
    return None if known is None else type(known).__name__


def _sampling(known):
    return None if known is None else {**known._asdict(), "n_queries": list(known.n_queries)}


def _limited(known):
    return None if known is None else {"max_time": known.max_time, "cut": list(known.cut)}


def _features(selector, names):
    groups = [group for group in selector.path_.groups or () if len(group) > 1]
    group_of = {f: number for number, group in enumerate(groups) for f in group}
    categories, from_size = getattr(selector, "categories_", {}), _from_sizes(selector.path_)
    correlated = getattr(selector, "correlated_", None)
    return [
        {
            "name": name,
            "selected": selector.support_[f],
            "rank": selector.ranking_[f],
            "from_size": from_size.get(f),
            "score": selector.scores_[f],
            **describe_role(selector, f),
            **describe_gaps(selector, f),
            "group": group_of.get(f),
            "n_categories": sum(c is not None for c in categories[f]) if f in categories else None,
            "like": None if correlated is None else [{"place": o, "correlation": _six(r)} for o, r in correlated[f]],
        }
        for f, name in enumerate(names)
    ]


def _from_sizes(path) -> dict[int, int]:
    """Of each feature the size of the smallest subset that it is in."""
    before = int(path.sizes[0])
    found = {f: before for group in path.start for f in path.members(group)}
    for size, step in zip(path.sizes.tolist(), path.steps, strict=True):
        found |= dict.fromkeys(path.members(step.feature), before if path.shrinks else size)
        before = size
    if path.shrinks:
        found |= dict.fromkeys(path.subset(before).tolist(), before)
    return found


def _path(selector, names):
    path = selector.path_
    return [
        {
            "size": size,
            "moved": [names[f] for f in path.members(step.feature)],
            "score": step.score,
            "adds": adds,
            "noise_rates": rates,
        }
        for size, step, adds, rates in zip(path.sizes, path.steps, _adds(selector), _rates(path), strict=True)
    ]


def _adds(selector):
    """What each feature of each subset adds to it; of the last one of a blanket, its whole score."""
    path = selector.path_
    for size in path.sizes.tolist():
        adds = path.adds(size)
        if path.direction == "blanket" and size == path.sizes[-1]:
            adds = selector.scores_[path.subset(size)]
        yield None if adds is None else [_six(value) for value in adds.tolist()]


def _rates(path):
    """Rates of wrong labels, if they were estimated again at each step."""
    rates = path.noise_rates
    return [None] * len(path.steps) if rates is None or (rates == rates[0]).all() else rates


def _class_distance(selector, labels):
    distance = getattr(selector, "class_distance_", None)
    if distance is None:
        return None
    given = selector.class_distance is not None
    matrix = distance.matrix if given and not distance.is_tree and len(distance.matrix) <= MOST_CLASSES else None
    return {
        "classes": distance.classes,
        "is_tree": distance.is_tree,
        "tree": _nodes(distance) if given else None,
        "matrix": matrix,
        "confusions": describe_costs(labels, distance.matrix) if given else None,
        "noise_bound": getattr(selector, "noise_bound_", None) if is_known(labels) else None,
    }


def _nodes(distance):
    return [dict(zip(("name", "parent", "length", "class"), node, strict=True)) for node in distance.nodes()]


def _six(value: float) -> float:
    """Rounded to six digits."""
    return float(f"{value:.6g}")
