"""The work of `tamis audit`: label models, and the files."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..distances.columns import Columns
from ..labels import CrowdLabels, NoisyLabels
from ..views import summarise_audit
from ..views.labels import suspects_of
from .preparing import Prepared
from .selecting import about_data
from .speaking import heard
from .writing import whole_folder, write_json, write_report, write_table

_USED = 1e-3


class Audit(NamedTuple):
    """A label model that was fitted, and what is to be said of it."""

    model: NoisyLabels | CrowdLabels
    summary: dict[str, Any]


def audited(prepared: Prepared, file: str, *, seed: int = 0, jobs: int | None = None) -> Audit:
    """Wrong labels by the features, or by the answers of other annotators."""
    pairs = None
    with heard() as said:
        if prepared.kind == "crowd":
            model: NoisyLabels | CrowdLabels = CrowdLabels().fit(None, prepared.y)
        else:
            X, how = coordinates(prepared.X), {"random_state": seed, "n_jobs": jobs}
            pairs = NoisyLabels(transition="full", **how).fit(X, prepared.y)
            model = _the_better(NoisyLabels(**how).fit(X, prepared.y), pairs)
    about = {"data": about_data(prepared, file), "rows": prepared.rows, "n_features": prepared.X.shape[1]}
    return Audit(model, summarise_audit(model, pairs=pairs, warnings=said, **about))


def _the_better(simple: NoisyLabels, pairs: NoisyLabels) -> NoisyLabels:
    """Rates for pairs of classes if they earn their place, as where one class is taken for another and nothing else is.

    Each rate that is used, and a shift for each class but one, is to add one to the log-likelihood (Akaike, 1974).
    """
    n_classes = len(pairs.classes_)
    used = int((pairs.transition_[~np.eye(n_classes, dtype=bool)] > _USED).sum())
    likelihoods = [float(model.log_likelihood_.max(initial=-np.inf)) for model in (simple, pairs)]
    return pairs if likelihoods[1] > likelihoods[0] + used - 1 + n_classes - 1 else simple


def coordinates(X: pd.DataFrame) -> np.ndarray:
    """Numbers, and a column for each category: what selectors fit noise models on."""
    coded = {c: X[c].cat.codes if isinstance(X[c].dtype, pd.CategoricalDtype) else X[c] for c in X.columns}
    n_categories = [len(X[c].cat.categories) if isinstance(X[c].dtype, pd.CategoricalDtype) else 0 for c in X.columns]
    values = pd.DataFrame(coded).to_numpy(dtype=float)
    return Columns(values, tuple(n_categories), tuple((f,) for f in range(X.shape[1]))).coordinates().X


def write_audit(folder: Path, audit: Audit, prepared: Prepared, *, force: bool) -> None:
    """report.html, audit.json, and suspects.csv or annotators.csv."""
    with whole_folder(folder, force=force) as new:
        write_audit_files(new, audit, prepared)


def write_audit_files(folder: Path, audit: Audit, prepared: Prepared, report: str = "report.html") -> None:
    write_json(folder / "audit.json", audit.summary)
    write_report(folder / report, audit.summary)
    if isinstance(audit.model, CrowdLabels):
        write_table(folder / "annotators.csv", audit.model.annotators())
    else:
        write_table(folder / "suspects.csv", suspects_of(audit.model, prepared.rows))
