"""Features and target of class distances that are estimated from data."""

from __future__ import annotations

import numpy as np

from ._words import some
from .classes import check_labelled, has_columns
from .distances import check_class_names
from .memberships import check_memberships
from .rows import Rows, present_rows
from .samples import check_dense, check_rows_match, check_samples, warn_of_rows_left_out


def check_class_data(X, y, memberships, classes, sample_weight) -> tuple[np.ndarray, np.ndarray, np.ndarray, Rows]:
    """Features, classes, memberships and weights of the rows that have a label and a weight."""
    check_dense(X, "ClassDistance.from_data", "it needs covariances of the columns")
    if (y is None) == (memberships is None):
        got = "neither" if y is None else "both"
        raise ValueError(f"either y or memberships must be passed; got {got}. Pass a class per row as y.")
    if y is not None and has_columns(y):
        raise ValueError(
            "y must have one class per row; it has several columns. Pass columns of probabilities as memberships=y."
        )
    X, y, memberships, rows = present_rows(X, y, memberships, sample_weight=sample_weight)
    X = check_samples(X, missing=True)
    names, P = _check_classes(y, memberships, classes)
    check_rows_match(X, P)
    known = P.any(axis=1)
    warn_of_rows_left_out(~known, "label")
    return (X, names, P, rows) if known.all() else (X[known], names, P[known], rows.of(known))


def _check_classes(y, memberships, classes):
    """Names of at least two classes, and memberships that are zero where nothing is known."""
    if memberships is None:
        names, codes = check_labelled(y, classes)
        return names, np.eye(len(names) + 1, len(names))[codes]
    given = None if classes is None else check_class_names(classes)
    names, P = check_memberships(memberships, given)
    if given is not None and names.tolist() != given.tolist():
        raise ValueError(
            f"classes must name the columns of memberships, {some(names.tolist())}, in their order; got "
            f"{some(given.tolist())}."
        )
    return names, P
