"""What held-out rows say about the number of features, and the role of each feature, as plain values."""

from __future__ import annotations

from typing import Any

_UNKNOWN: dict[str, Any] = dict.fromkeys(("role", "frequency", "frequency_over_sizes", "swaps", "p_value"))


def describe_evidence(selector) -> dict[str, Any] | None:
    """The evidence of a fitted selector; None if it has none."""
    known = getattr(selector, "evidence_", None)
    if known is None:
        return None
    cost = [None] * len(known.sizes) if known.cost is None else known.cost
    columns = (known.sizes, known.loss, known.loss_se, known.behind_se, known.error, known.error_interval, cost)
    keys = ("size", "loss", "loss_se", "behind_se", "error", "error_interval", "cost")
    return {
        "sizes": [dict(zip(keys, values, strict=True)) for values in zip(*columns, strict=True)],
        "loss_of_nothing": known.loss_of_nothing,
        "error_of_nothing": known.error_of_nothing,
        "cost_of_nothing": known.cost_of_nothing,
        "expected_error": known.expected_error,
        "expected_error_interval": known.expected_error_interval,
        "error_of_all": known.error[-1] if known.reaches_all else None,
        "error_of_all_interval": known.error_interval[-1] if known.reaches_all else None,
        "p_value": known.p_value,
        "found": known.found,
        "stability": known.stability,
        "stability_interval": known.stability_interval,
        "n_folds": known.n_folds,
        "n_runs": known.n_runs,
        "n_repeats": known.n_repeats,
        "n_units": known.n_units,
        "forward": known.forward,
        "judges": known.judges,
    }


def describe_role(selector, f: int) -> dict[str, Any]:
    """Of one feature: its role, how often it was selected, what it can replace, its association with the target."""
    known = getattr(selector, "evidence_", None)
    if known is None:
        return _UNKNOWN
    return {
        "role": selector.roles_[f],
        "frequency": known.frequency[f],
        "frequency_over_sizes": known.frequency_over_sizes[f],
        "swaps": [{"place": place, "cost": cost} for place, cost in selector.swaps_.get(f, ())],
        "p_value": selector.pvalues_[f],
    }
