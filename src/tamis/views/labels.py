"""What a fitted label model has found out about the target."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..labels import CrowdLabels, HardLabels, LabelModel, MultiLabels, NoisyLabels, SoftLabels

MOST_SUSPECTS = 1000
MOST_CONFUSIONS = 50
_KINDS = {
    HardLabels: "hard",
    NoisyLabels: "noisy",
    SoftLabels: "soft",
    CrowdLabels: "crowd",
    MultiLabels: "multilabel",
}


def describe_labels(model: LabelModel | None, rows=None) -> dict[str, Any] | None:
    """Its kind and what it has estimated; `rows` are the numbers of the rows, 1, 2, ... by default."""
    if model is None:
        return None
    kind = next((name for one, name in _KINDS.items() if isinstance(model, one)), type(model).__name__)
    found: dict[str, Any] = {"kind": kind}
    if isinstance(model, NoisyLabels):
        found |= _noisy(model, rows)
    elif isinstance(model, CrowdLabels):
        found |= _crowd(model)
    elif isinstance(model, MultiLabels):
        found |= {"label_names": model.labels_, "rows_left_out": model.n_pruned_}
    return found


def describe_classes(model: LabelModel | None) -> list[dict[str, Any]] | None:
    """Classes with the rows that are recorded as such; fractions where a row is of several."""
    if model is None:
        return None
    if isinstance(model, NoisyLabels):
        recorded = model.suspects()["label"].value_counts()
        counts: list[float] = [int(recorded.get(name, 0)) for name in model.classes_.tolist()]
    else:
        sums = model.memberships_.sum(axis=0)
        whole = np.isin(model.memberships_, (0.0, 1.0)).all()
        counts = [int(n) if whole else float(n) for n in sums.tolist()]
    return [{"name": name, "rows": n} for name, n in zip(model.classes_.tolist(), counts, strict=True)]


def describe_confusions(model: NoisyLabels) -> list[dict[str, Any]]:
    """Which class is taken for which, the pair that most rows are estimated to be of first."""
    true, recorded = np.nonzero(~np.eye(len(model.classes_), dtype=bool))
    rate = model.transition_[true, recorded]
    n_rows = len(model.memberships_) * model.class_priors_[true] * rate
    order = [i for i in np.argsort(-n_rows, kind="stable")[:MOST_CONFUSIONS] if n_rows[i] >= 0.5]
    names = model.classes_.tolist()
    return [{"true": names[true[i]], "recorded": names[recorded[i]], "rate": rate[i], "rows": n_rows[i]} for i in order]


def suspects_of(model: NoisyLabels, rows=None):
    """All rows whose label is more likely wrong than right, the most doubtful first, as a pandas table."""
    table = model.suspects()
    table = table[table["p_wrong"] > 0.5].rename(columns={"label": "recorded"})
    positions = table["row"].to_numpy()
    table["row"] = positions + 1 if rows is None else np.asarray(rows)[positions]
    return table[["row", "recorded", "likely", "p_wrong", "p_likely"]]


def _noisy(model, rows):
    suspects = suspects_of(model, rows)
    names, priors, rates = model.classes_.tolist(), model.class_priors_, model.noise_rates_
    return {
        "share_wrong": priors @ rates,
        "rates": [{"class": c, "share": p, "rate": r} for c, p, r in zip(names, priors, rates, strict=True)],
        "transition": model.transition_,
        "n_suspects": len(suspects),
        "suspects": suspects.head(MOST_SUSPECTS).to_dict("records"),
    }


def _crowd(model):
    who = zip(model.annotators_, model.n_answers_, model.reliabilities_, strict=True)
    found = [{"name": str(name), "answers": n, "reliability": share} for name, n, share in who]
    return {
        "annotators": sorted(found, key=lambda a: a["reliability"]),
        "rows_unanswered": model.n_unanswered_,
    }
