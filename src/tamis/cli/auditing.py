"""The work of `tamis audit`: label models, and the files."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..distances.columns import Columns
from ..labels import CrowdLabels, NoisyLabels
from ..views import summarise_audit
from .errors import in_own_words
from .preparing import Prepared
from .probabilities import as_told, told_by_file
from .selecting import about_data, write_label_tables
from .speaking import heard
from .writing import whole_folder, write_json, write_report


class Audit(NamedTuple):
    """A label model that was fitted, and what is to be said of it."""

    model: NoisyLabels | CrowdLabels
    summary: dict[str, Any]


def audited(prepared: Prepared, file: str, *, seed: int = 0, jobs: int | None = None) -> Audit:
    """Wrong labels, or the classes that annotators mean, by the features or by probabilities of one's own."""
    given, model = prepared.predicted, _model(prepared, random_state=seed, n_jobs=jobs)
    with heard() as said:
        if given is not None:
            with told_by_file(given.names, prepared.rows), in_own_words():
                model.fit(given.tables, prepared.y, **prepared.known)
        else:
            model.fit(coordinates(prepared.X) if prepared.X.shape[1] else None, prepared.y, **prepared.known)
    if given is not None:
        said = [as_told(sentence, given.names, prepared.rows) for sentence in said]
    about = {"data": about_data(prepared, file), "rows": prepared.rows, "n_features": prepared.X.shape[1]}
    return Audit(model, summarise_audit(model, warnings=said, **about))


def _model(prepared, **how: Any) -> NoisyLabels | CrowdLabels:
    estimator = "auto" if prepared.predicted is None else "precomputed"
    if prepared.kind == "crowd":
        return CrowdLabels(estimator=estimator, expert=prepared.reading.get("gold"), **how)
    return NoisyLabels(estimator, **how)


def coordinates(X: pd.DataFrame) -> np.ndarray:
    """Numbers, and a column for each category: what selectors fit noise models on.

    Missing numbers stay missing; missing categories are a category of their own, the last.
    """
    coded, n_categories = {}, []
    for name, column in X.items():
        is_category = isinstance(column.dtype, pd.CategoricalDtype)
        there = len(column.cat.categories) if is_category else 0
        coded[name] = column.cat.codes.replace(-1, there) if is_category else column
        n_categories.append(there + int(is_category and column.isna().any()))
    values = pd.DataFrame(coded).to_numpy(dtype=float)
    return Columns(values, tuple(n_categories), tuple((f,) for f in range(X.shape[1]))).coordinates().X


def write_audit(folder: Path, audit: Audit, prepared: Prepared, *, force: bool) -> None:
    """report.html, audit.json, and tables of noisy labels or of annotators' answers."""
    with whole_folder(folder, force=force) as new:
        write_audit_files(new, audit, prepared)


def write_audit_files(folder: Path, audit: Audit, prepared: Prepared, report: str = "report.html") -> None:
    write_json(folder / "audit.json", audit.summary)
    write_report(folder / report, audit.summary)
    write_label_tables(folder, audit.model, prepared)
