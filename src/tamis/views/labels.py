"""What a fitted label model has found out about the target."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array

from ..labels import CrowdLabels, HardLabels, LabelModel, MultiLabels, NoisyLabels, SoftLabels
from ..labels._statement import share_interval
from ..labels._weights import independence
from ._layout import round_sizes
from .crowd import ask_next_of, consensus_of, describe_crowd
from .table import numbers_of, rows_of

MOST_SUSPECTS = 1000
MOST_CONFUSIONS = 50
MOST_CLASSES = 100
"""Beyond which matrices of classes are left out."""
_DOUBTFUL = 0.05
_LEAST_BUDGET = 10
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
        found |= describe_crowd(model, rows)
    elif isinstance(model, MultiLabels):
        found |= {"label_names": model.labels_, "rows_left_out": model.n_pruned_}
    return found | {"confusions": describe_confusions(model)}


def describe_classes(model: LabelModel | None) -> list[dict[str, Any]] | None:
    """Classes with the rows that are recorded as such, each counted by its weight; fractions where it is of several."""
    if model is None:
        return None
    rows, is_noisy = rows_of(model), isinstance(model, NoisyLabels)
    sums = rows.weighted(model.recorded() if is_noisy else model.memberships_).sum(axis=0)
    whole = rows.weight is None and (is_noisy or np.isin(model.memberships_, (0.0, 1.0)).all())
    counts = [int(n) if whole else float(n) for n in sums.tolist()]
    return [{"name": name, "rows": n} for name, n in zip(model.classes_.tolist(), counts, strict=True)]


def describe_confusions(model: LabelModel | None) -> list[dict[str, Any]] | None:
    """Which class is taken for which, the pair that most rows are estimated to be of first; None if nobody knows."""
    rows = mistaken_rows(model)
    if model is None or rows is None:
        return None
    wrong = np.where(np.eye(len(rows), dtype=bool), 0.0, rows)
    return [pair for _, pair in _pairs(model, rows, wrong)]


def describe_costs(model: LabelModel | None, distances: np.ndarray) -> list[dict[str, Any]] | None:
    """The same with the distance between the two and what the pair costs a row on average, the costliest first."""
    rows = mistaken_rows(model)
    if model is None or rows is None or len(rows) != len(distances):
        return None
    cost = rows / rows.sum() * distances
    return [{**pair, "distance": distances[at], "cost": cost[at]} for at, pair in _pairs(model, rows, cost)]


def mistaken_rows(model: LabelModel | None) -> np.ndarray | None:
    """Estimated number of rows of each class (row) that are recorded as each class (column); with weights, their sum.

    Of noisy labels, the sum over the rows of the probability of each true class; of probabilities, the most probable
    class counts as recorded; of a crowd, the mean of all answers for rows of the class. None if labels are taken as
    right, or if it is not known how many are wrong.
    """
    rows = rows_of(model)
    if isinstance(model, NoisyLabels):
        return rows.weighted(model.memberships_).T @ model.recorded() if is_known(model) else None
    if isinstance(model, CrowdLabels):
        together = model._confusions.counts.sum(axis=0)
        seen = together.sum(axis=1, keepdims=True)
        shares = np.where(seen > 0, together / np.where(seen > 0, seen, 1.0), model._average())
        return rows.weighted(model.memberships_).sum() * model.class_priors_[:, None] * shares
    if isinstance(model, SoftLabels):
        n, n_classes = model.memberships_.shape
        recorded = (rows.weights(n), (model.memberships_.argmax(axis=1), np.arange(n)))
        return (csr_array(recorded, shape=(n_classes, n)) @ model.memberships_).T
    return None


def _pairs(model, rows, weights):
    """Places and names of the pairs of most weight that half a row is mistaken of; of equal ones the first."""
    flat, names, of_class = weights.ravel(), model.classes_.tolist(), rows.sum(axis=1)
    most = min(MOST_CONFUSIONS, flat.size)
    least = np.partition(flat, flat.size - most)[flat.size - most]
    places = np.flatnonzero((flat > 0) & (flat >= least))
    places = places[np.argsort(-flat[places], kind="stable")][:most]
    each = independence(rows_of(model), len(model.memberships_))
    for at in zip(*np.unravel_index(places, rows.shape), strict=True):
        true, recorded = at
        if rows[at] >= 0.5:
            rate, count = rows[at] / of_class[true], rows[at]
            ends: tuple = (None, None)
            if isinstance(model, NoisyLabels):
                ends = tuple(map(float, share_interval(count * each, of_class[true] * each)))
            told = {"true": names[true], "recorded": names[recorded], "rate": rate}
            yield at, {**told, "low": ends[0], "high": ends[1], "rows": count}


def is_known(model: LabelModel) -> bool:
    """Whether it could be estimated how many labels are wrong."""
    return not (isinstance(model, NoisyLabels) and np.isnan(model.noise_rate_))


def tables_of(model: LabelModel | None, rows=None) -> dict[str, Any]:
    """Files about rows and annotators, as pandas tables by their names; none if labels are taken as right."""
    if isinstance(model, NoisyLabels):
        return {"suspects.csv": suspects_of(model, rows), "relabelled.csv": relabelled_of(model, rows)}
    if isinstance(model, CrowdLabels):
        tables = {"consensus.csv": consensus_of(model, rows), "ask_next.csv": ask_next_of(model, rows)}
        return {"annotators.csv": model.annotators(), **tables}
    return {}


def suspects_of(model: NoisyLabels, rows=None):
    """All rows whose label is more likely wrong than right, the most doubtful first, as a pandas table."""
    table = model.suspects()
    table = table[table["p_wrong"] > 0.5].rename(columns={"label": "recorded"})
    table["row"] = numbers_of(table["row"], model, rows)
    return table[["row", "recorded", "likely", "p_wrong", "p_likely"]]


def relabelled_of(model: NoisyLabels, rows=None):
    """Every row with its most probable class, a suggested action and a weight for training, as a pandas table."""
    table = model.relabelled().rename(columns={"label": "recorded"})
    table["row"] = numbers_of(table["row"], model, rows)
    table["weight"] = model.sample_weight()
    return table[["row", "recorded", "likely", "p_likely", "p_wrong", "action", "weight"]]


def _noisy(model, rows):
    suspects, known = suspects_of(model, rows), is_known(model)
    names, priors = model.classes_.tolist(), model.class_priors_
    examined = ~model.trusted_classes_ & known
    rates = [rate if seen else None for rate, seen in zip(model.noise_rates_, examined, strict=True)]
    return {
        "share_wrong": model.noise_rate_,
        "share_wrong_interval": model.noise_rate_interval_,
        "identified": None if model.estimator is None else model.identified_,
        "rates": [{"class": c, "share": p, "rate": r} for c, p, r in zip(names, priors, rates, strict=True)],
        "transition": model.transition_ if known and len(names) <= MOST_CLASSES else None,
        "actions": _actions(model) if known else None,
        "budget": _budget(model),
        "n_suspects": len(suspects),
        "suspects": suspects.head(MOST_SUSPECTS).to_dict("records"),
    }


def _actions(model):
    counts = model.relabelled()["action"].value_counts()
    offered = ("keep", "correct", "look at", *(["fill in"] if model.n_unlabelled_ else []))
    return {action: int(counts.get(action, 0)) for action in offered}


def _budget(model):
    """Expected mistakes among so many of the most doubtful rows: 10, 20, 50, ... and all that are doubtful."""
    doubts = model.suspects()["p_wrong"].to_numpy()
    doubtful = int((doubts > _DOUBTFUL).sum())
    sizes = sorted({*round_sizes(_LEAST_BUDGET, doubtful), doubtful} - {0})
    mistakes = np.cumsum(doubts)
    return [{"rows": n, "mistakes": mistakes[n - 1]} for n in sizes]
