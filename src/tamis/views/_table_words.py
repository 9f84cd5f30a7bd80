"""Sentences about the table itself, for every view: weights and groups of rows, missing values, change over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._words import counted, percent, shown

_MOST_AFFECTED = 3
_MOST_NAMED = 10


def table_words(summary: Mapping[str, Any]) -> list[str]:
    """What is worth knowing about the rows and what is missing in them; nothing of rows that are alike and complete."""
    told = (_weights(summary), _groups(summary), *_missing(summary), _drift(summary))
    return [sentence for sentence in told if sentence]


def is_weighted(summary: Mapping[str, Any]) -> bool:
    """Whether rows have weights: counts of rows are sums of these then."""
    return summary["data"]["weights"] is not None


def has_gaps(summary: Mapping[str, Any]) -> bool:
    """Whether values of features are missing."""
    return summary.get("missing") is not None


def predictive_places(summary: Mapping[str, Any]) -> set[int]:
    """Places of the features where it predicts the target whether the value is missing."""
    return {f["place"] for f in summary["missing"]["predictive"]} if has_gaps(summary) else set()


def changed_places(summary: Mapping[str, Any]) -> set[int]:
    """Places of the features that changed over time."""
    return {f["place"] for f in summary.get("drift") or ()}


def _weights(summary) -> str:
    weights = summary["data"]["weights"]
    if weights is None:
        return ""
    if weights["total"] is None:
        return "Rows are weighted"
    total, least, most = (f"{weights[key]:,.6g}" for key in ("total", "least", "most"))
    return f"Rows are weighted: weights from {least} to {most}, {total} in all"


def _groups(summary) -> str:
    n_groups = summary["data"]["n_groups"]
    if n_groups is None:
        return ""
    return (
        f"Rows belong to {counted(n_groups, 'group')}: rows of one group stay in one fold and are not compared with "
        "each other"
    )


def _missing(summary) -> list[str]:
    if not has_gaps(summary):
        return []
    return [_how_much(summary), _empty_rows(summary), _predictive(summary)]


def _how_much(summary) -> str:
    data, missing = summary["data"], summary["missing"]
    cells = f"{percent(missing['share'])} of all cells"
    if data["rows"] is not None:
        n_cells = data["rows"] * data["n_features"]
        cells = f"{round(missing['share'] * n_cells):,} of {n_cells:,} cells ({percent(missing['share'])})"
    affected = sorted((f for f in summary["features"] if f["missing"]), key=lambda f: -f["missing"])
    named = ", ".join(f"{shown(f['name'])} ({percent(f['missing'])})" for f in affected[:_MOST_AFFECTED])
    most = ", most in" if len(affected) > _MOST_AFFECTED else ":"
    use = "whether a value is missing is part of its feature" if _is_indicated(summary) else "nothing is filled in"
    of_features = f"{len(affected):,} of {counted(data['n_features'], 'feature')}"
    return f"Missing: {cells}, in {of_features}{most} {named}; missing values are used as missing, {use}"


def _empty_rows(summary) -> str:
    n = summary["missing"]["n_empty_rows"]
    if not n:
        return ""
    return f"{counted(n, 'row')} {'has' if n == 1 else 'have'} no value in any of the selected features"


def _predictive(summary) -> str:
    known = summary["missing"]["predictive"]
    if not known:
        return ""
    said = f"Whether a value is missing predicts the target: {_with_p(known)}"
    if not _can_be_indicated(summary):
        return said
    return f"{said}. Set missing='indicator' (--missing indicator) to make that a part of the feature"


def _drift(summary) -> str:
    known = summary.get("drift")
    return f"Features that changed over time (early against late rows): {_with_p(known)}" if known else ""


def _with_p(known: Sequence[Mapping[str, Any]]) -> str:
    """Names with their p-values, the smallest first."""
    named = [f"{shown(f['name'])} ({_p(f['p_value'])})" for f in known[:_MOST_NAMED]]
    more = f", and {len(known) - _MOST_NAMED:,} more" if len(known) > _MOST_NAMED else ""
    return ", ".join(named) + more


def _p(value: float) -> str:
    return "p < 0.001" if value < 0.001 else f"p = {value:.3f}"


def _can_be_indicated(summary) -> bool:
    """Whether some feature predicts by its gaps, and they are not a part of it yet, nor a level as of categories."""
    asked = summary["asked"]["parameters"]
    criterion = asked.get("criterion")
    counts_levels = isinstance(criterion, Mapping) and criterion["python"].startswith("ChiSquare(")
    if asked.get("missing") != "use" or counts_levels:
        return False
    return any(summary["features"][f]["n_categories"] is None for f in predictive_places(summary))


def _is_indicated(summary) -> bool:
    return summary["asked"]["parameters"].get("missing") == "indicator"
