"""The work of `tamis audit`: label models, and the files."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..distances.columns import Columns
from ..labels import CrowdLabels, NoisyLabels
from ..views import summarise_audit
from ..views.labels import relabelled_of, suspects_of
from .errors import in_own_words
from .preparing import Prepared
from .probabilities import as_told, told_by_file
from .selecting import about_data
from .speaking import heard
from .writing import whole_folder, write_json, write_report, write_table


class Audit(NamedTuple):
    """A label model that was fitted, and what is to be said of it."""

    model: NoisyLabels | CrowdLabels
    summary: dict[str, Any]


def audited(prepared: Prepared, file: str, *, seed: int = 0, jobs: int | None = None) -> Audit:
    """Wrong labels by the features, by probabilities of one's own, or by the answers of other annotators."""
    how: dict[str, Any] = {"random_state": seed, "n_jobs": jobs}
    with heard() as said:
        if prepared.kind == "crowd":
            model: NoisyLabels | CrowdLabels = CrowdLabels().fit(None, prepared.y, **prepared.known)
        elif prepared.predicted is None:
            model = NoisyLabels(**how).fit(coordinates(prepared.X), prepared.y, **prepared.known)
        else:
            with told_by_file(prepared.predicted.names, prepared.rows), in_own_words():
                model = NoisyLabels("precomputed", **how).fit(prepared.predicted.tables, prepared.y, **prepared.known)
    if prepared.predicted is not None:
        said = [as_told(sentence, prepared.predicted.names, prepared.rows) for sentence in said]
    about = {"data": about_data(prepared, file), "rows": prepared.rows, "n_features": prepared.X.shape[1]}
    return Audit(model, summarise_audit(model, warnings=said, **about))


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
    """report.html, audit.json, and suspects.csv and relabelled.csv, or annotators.csv."""
    with whole_folder(folder, force=force) as new:
        write_audit_files(new, audit, prepared)


def write_audit_files(folder: Path, audit: Audit, prepared: Prepared, report: str = "report.html") -> None:
    write_json(folder / "audit.json", audit.summary)
    write_report(folder / report, audit.summary)
    if isinstance(audit.model, CrowdLabels):
        write_table(folder / "annotators.csv", audit.model.annotators())
    else:
        write_table(folder / "suspects.csv", suspects_of(audit.model, prepared.rows))
        write_table(folder / "relabelled.csv", relabelled_of(audit.model, prepared.rows))
