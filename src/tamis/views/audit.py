"""A fitted label model as a plain dictionary: docs/audit.md tells what each key means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sklearn.utils.validation import check_is_fitted

from .. import __version__
from ..labels import LabelModel
from ._plain import plain
from .labels import describe_classes, describe_labels
from .summary import describe_data, imports_of, sentences_of
from .table import describe_rows

SCHEMA = "tamis.audit/3"


def summarise_audit(
    model: LabelModel,
    *,
    data: Mapping[str, Any] | None = None,
    n_features: int = 0,
    rows=None,
    warnings: Iterable[object] = (),
) -> dict[str, Any]:
    """Label quality, as values that JSON has.

    Parameters
    ----------
    model : fitted NoisyLabels or CrowdLabels
    data, rows, warnings
        As in `summarise`.
    n_features : int, default=0
        Number of features that the labels were compared with; 0 for probabilities and for answers.
    """
    check_is_fitted(model, "memberships_")
    return plain(
        {
            "schema": SCHEMA,
            "tamis": __version__,
            "asked": {"labels": type(model).__name__, "parameters": _parameters(model), "imports": imports_of(model)},
            "data": describe_data(data, model.memberships_, n_features, describe_rows(model, model)),
            "classes": describe_classes(model),
            "labels": describe_labels(model, rows),
            "warnings": sentences_of(warnings),
        }
    )


def _parameters(model):
    return {name: value for name, value in model.get_params(deep=False).items() if name != "n_jobs"}
