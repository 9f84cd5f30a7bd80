"""Scores of doubtful labels: ours, and cleanlab's from the same probabilities."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from cleanlab.count import compute_confident_joint
from cleanlab.rank import get_label_quality_scores
from sklearn.metrics import average_precision_score, roc_auc_score

from tamis import NoisyLabels

CLEANLAB = ("self_confidence", "normalized_margin", "confidence_weighted_entropy")


class Scored(NamedTuple):
    """How doubtful each label is, the share of wrong ones, and between which shares it is said to be."""

    doubts: np.ndarray
    rate: float
    interval: tuple[float, float] = (np.nan, np.nan)


def ours(probabilities, recorded) -> Scored:
    """`NoisyLabels` with the probabilities of one or several classifiers."""
    model = NoisyLabels("precomputed").fit(list(probabilities), recorded)
    return Scored(1 - model.sample_weight(), model.noise_rate_, model.noise_rate_interval_)


def cleanlab(probabilities, recorded, method) -> Scored:
    """A score of cleanlab, and the share of wrong labels by its confident joint."""
    P = np.clip(probabilities, 1e-9, 1.0)
    P = P / P.sum(axis=1, keepdims=True)
    joint = compute_confident_joint(recorded, P)
    return Scored(1 - get_label_quality_scores(recorded, P, method=method), 1 - np.trace(joint) / joint.sum())


def every_score(models, recorded) -> dict[str, Scored]:
    """Ours from all models together; cleanlab's from each of them and from their mean."""
    found = {"tamis": ours(models.values(), recorded)}
    views = models | ({"mean": np.mean(list(models.values()), axis=0)} if len(models) > 1 else {})
    for name, P in views.items():
        for method in CLEANLAB:
            found[f"cleanlab, {name}, {method}"] = cleanlab(P, recorded, method)
    return found


def figures(scored: Scored, wrong) -> dict[str, float | None]:
    """What is reported of one score on labels that are known to be wrong or not; None where it has no meaning."""
    low, high = scored.interval
    sure = scored.doubts > 0.95
    some = bool(wrong.any())
    return {
        "truth": float(wrong.mean()),
        "rate": None if np.isnan(scored.rate) else float(scored.rate),
        "low": float(low),
        "high": float(high),
        "auc": float(roc_auc_score(wrong, scored.doubts)) if some else None,
        "precision": float(average_precision_score(wrong, scored.doubts)) if some else None,
        "sure": int(sure.sum()),
        "sure_and_wrong": int(wrong[sure].sum()),
    }
