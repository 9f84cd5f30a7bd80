"""The option --class-distance: which mistakes are worse."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from .._kernels.blas import one_blas_thread
from .._validation import Rows, check_rows, check_threads
from ..distances.classes import ClassDistance
from ..distances.scaling import scaled
from ..labels import CrowdLabels, HardLabels, LabelModel, MultiLabels, SoftLabels
from ..labels._out_of_sample import opinions_of
from .errors import WrongUse
from .preparing import Prepared
from .speaking import heard
from .tables import Refused, read
from .tables.refused import shown
from .targets import classes_said


def class_distance_of(option: str, prepared: Prepared, *, seed=0, n_jobs=None) -> tuple[ClassDistance, str | None]:
    """From class names that are paths, from confusions, from the features, or from a file with a square table.

    With a note if they were estimated.
    """
    word = "" if os.path.exists(option) else option.lower()
    if word == "confusions":
        return _from_confusions(prepared, seed, n_jobs)
    if word == "data":
        return _from_features(prepared, seed, n_jobs)
    classes = class_names(prepared)
    if word != "paths":
        return _from_table(option, classes), None
    if not all(isinstance(name, str) for name in classes):
        raise WrongUse("--class-distance paths needs class names such as a/b/c; they are numbers. Name a file instead.")
    return ClassDistance.from_paths(classes), None


def class_names(prepared: Prepared) -> list:
    """The classes of a prepared target, sorted."""
    if prepared.kind in ("soft", "multilabel") and isinstance(prepared.y, pd.DataFrame):
        return sorted(prepared.y.columns)
    return sorted(classes_said(prepared.y))


def _from_table(path, classes):
    """Names of classes in the header and in the first column, in the same order."""
    frame = read(path).frame
    header, rows = list(frame.columns[1:]), frame.iloc[:, 0].astype(str).tolist()
    if header != rows:
        odd = next((name for name in [*header, *rows] if name not in header or name not in rows), "their order")
        raise Refused(
            f"{path} must have the same classes in its header and in its first column, in the same order; they differ "
            f"in {shown(odd)}."
        )
    by_text = {str(name): name for name in classes}
    return ClassDistance(frame.iloc[:, 1:].to_numpy(float), [by_text.get(name, name) for name in header]).for_classes(
        classes, extra="drop"
    )


class _Target(NamedTuple):
    """What is known of the classes of rows: of a row with several labels, a copy for each."""

    classes: np.ndarray
    memberships: np.ndarray
    X: np.ndarray
    rows: Rows


def _from_confusions(prepared: Prepared, seed, n_jobs) -> tuple[ClassDistance, str]:
    """Of the annotators, or of classifiers asked about rows that they have not seen."""
    if prepared.kind == "crowd":
        crowd = _fitted(prepared, seed, n_jobs)
        counts = crowd._confusions.counts.sum(axis=0)
        return ClassDistance.from_confusions(counts, classes=crowd.classes_), (
            "class distances are estimated from the confusions of the annotators"
        )
    target = _target(prepared, seed, n_jobs)
    codes = np.where(target.memberships.any(axis=1), target.memberships.argmax(axis=1), -1)
    X, how = scaled(target.X, "standard", target.rows.weight), {"seed": seed, "n_jobs": check_threads(n_jobs)}
    with heard(), one_blas_thread():
        found = opinions_of("auto", X, codes, len(target.classes), rows=target.rows, **how)
        counts = target.rows.weighted(target.memberships).T @ (sum(found) / len(found))
    return ClassDistance.from_confusions(counts, classes=target.classes), (
        "class distances are estimated from the confusions of out-of-sample predictions (random forest, logistic "
        "regression)"
    )


def _from_features(prepared: Prepared, seed, n_jobs) -> tuple[ClassDistance, str]:
    """Distances of the class means."""
    target = _target(prepared, seed, n_jobs)
    how: dict[str, Any] = {"classes": target.classes, "sample_weight": target.rows.weight}
    with heard():  # the fit warns of rows without a label
        found = ClassDistance.from_data(target.X, memberships=target.memberships, **how)
    return found, "class distances are estimated from the class means of the features"


def _target(prepared: Prepared, seed, n_jobs) -> _Target:
    from .auditing import coordinates  # it imports what imports this

    model, X = _fitted(prepared, seed, n_jobs), coordinates(prepared.X)
    P, known = model.memberships_, prepared.known
    rows = check_rows(len(P), known.get("sample_weight"), known.get("groups"))[0]
    if prepared.kind == "multilabel":
        copies, labels = np.nonzero(P)
        P, X = np.eye(P.shape[1])[labels], X[copies]
        rows = Rows(rows.weight, np.arange(len(model.memberships_)) if rows.group is None else rows.group).of(copies)
    return _Target(model.classes_, P, X, check_rows(len(P), rows.weight, rows.group)[0])


def _fitted(prepared: Prepared, seed, n_jobs) -> LabelModel:
    """A model of the labels as they are recorded, or of the annotators' answers."""
    from .auditing import coordinates

    with heard():  # the same is said by the fit of the selector
        if prepared.kind == "crowd":
            crowd = CrowdLabels(expert=prepared.reading.get("gold"), random_state=seed, n_jobs=n_jobs)
            known = {name: values for name, values in prepared.known.items() if name != "order"}
            return crowd.fit(coordinates(prepared.X), prepared.y, **known)
        recorded = {"soft": SoftLabels(), "multilabel": MultiLabels(transform="copy")}.get(prepared.kind, HardLabels())
        return recorded.fit(None, prepared.y)
