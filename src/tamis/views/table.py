"""What a fit found out about the table itself: missing values, change over time, weights and groups of the rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _validation
from .._validation import Rows

_ALPHA = 0.05
"""The level of tests where an estimator has none."""


def describe_rows(estimator, labels) -> dict[str, Any]:
    """Weights and groups of the rows that a selector or a label model was fitted on, each None if there were none."""
    rows = rows_of(labels)
    n_groups = None if rows.group is None else len(np.unique(rows.group))
    weights = None
    if rows.weight is not None:
        weights = {"total": rows.weight.sum(), "least": rows.weight.min(), "most": rows.weight.max()}
    elif getattr(estimator, "weighted_", False):  # a search without labels keeps no weights
        weights = dict.fromkeys(("total", "least", "most"))
    return {"weights": weights, "n_groups": getattr(estimator, "n_groups_", n_groups)}


def rows_of(labels) -> Rows:
    """What a label model knows of its rows."""
    return getattr(labels, "_rows", Rows())


def numbers_of(positions, model, rows):
    """Numbers of rows that people know, of positions: those of the table, or positions from 1."""
    positions = np.asarray(positions)
    if rows is None:
        return positions + 1
    rows = np.asarray(_validation.check_list("rows", rows, "names of rows"))
    _validation.check_length("rows", rows, len(model.memberships_), "one per row")
    return rows[positions]


def describe_missing(selector, names: Sequence[str]) -> dict[str, Any] | None:
    """How much is missing, and where that predicts the target; None if nothing is missing."""
    known = getattr(selector, "missing_", None)
    if known is None:
        return None
    return {
        "share": float(np.mean(known.share)),
        "n_empty_rows": known.n_empty_rows,
        "predictive": _significant(known.pvalues, names, selector),
    }


def describe_drift(selector, names: Sequence[str]) -> list[dict[str, Any]] | None:
    """Features that changed over time; None if the order of the rows is not known."""
    p_values = getattr(selector, "drift_", None)
    return None if p_values is None else _significant(p_values, names, selector)


def describe_gaps(selector, f: int) -> dict[str, Any]:
    """Of one feature: the share of rows without a value, whether that predicts the target, whether it changed."""
    known, drift = getattr(selector, "missing_", None), getattr(selector, "drift_", None)
    return {
        "missing": None if known is None else known.share[f],
        "missing_p_value": None if known is None else known.pvalues[f],
        "drift_p_value": None if drift is None else drift[f],
    }


def _significant(p_values, names, selector) -> list[dict[str, Any]]:
    """Features whose p-value times the number of those tested is at most alpha, the smallest first."""
    p_values = np.asarray(p_values, dtype=float)
    n_tested, alpha = np.count_nonzero(~np.isnan(p_values)), getattr(selector, "alpha", _ALPHA)
    places = np.flatnonzero(p_values * n_tested <= alpha)
    places = places[np.argsort(p_values[places], kind="stable")]
    return [{"place": f, "name": names[f], "p_value": p_values[f]} for f in places.tolist()]
