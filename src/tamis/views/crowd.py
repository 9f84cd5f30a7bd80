"""What a fitted model of annotators has found out: about them, about the rows, and which rows to ask about."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..labels import CrowdLabels
from .table import numbers_of, rows_of

MOST_ANNOTATORS = 1000
MOST_TO_ASK = 100
_FEWEST_IN_FILE = 1000


def describe_crowd(model: CrowdLabels, rows=None) -> dict[str, Any]:
    """Annotators, the rows without an answer, how far the consensus is right, and where an answer is worth most."""
    reliability, asking = model.reliabilities_, ask_next_of(model, rows)
    return {
        "predicted_from": _predicted_from(model),
        "n_annotators": len(reliability),
        "reliability_range": [reliability.min(), reliability.max()],
        "annotators": _annotators(model),
        "rows_unanswered": model.n_unanswered_,
        "unanswered_predicted": model._looked_at_samples and model.unanswered == "predict",
        "rows_gold": int(np.count_nonzero(model._codes_of_gold >= 0)),
        "expected_right": _expected_right(model),
        "converged": model.converged_,
        "n_ask_next": int((asking["gain"] > 0).sum()),
        "ask_next": asking.head(MOST_TO_ASK).to_dict("records"),
    }


def consensus_of(model: CrowdLabels, rows=None):
    """Every row with its most probable class and the number of its answers, as a pandas table; none if not known."""
    from .._validation import import_pandas

    P, n_rows = model.memberships_, len(model.memberships_)
    known, likely = P.any(axis=1), P.argmax(axis=1)
    table = {
        "row": numbers_of(np.arange(n_rows), model, rows),
        "likely": np.where(known, model.classes_[likely].astype(object), None),
        "p_likely": np.where(known, P[np.arange(n_rows), likely], np.nan),
        "n_answers": np.bincount(model._answers.row, minlength=n_rows),
    }
    return import_pandas("a consensus").DataFrame(table)


def ask_next_of(model: CrowdLabels, rows=None):
    """Rows where one more answer is worth something, those where it is worth most first, as a pandas table.

    The first thousand are there always.
    """
    table = model.ask_next()
    table = table.head(max(_FEWEST_IN_FILE, int((table["gain"] > 0).sum())))
    table = table.assign(row=numbers_of(table["row"], model, rows))
    return table[["row", "likely", "p_likely", "second", "p_second", "gain"]]


def _predicted_from(model):
    """What else than the answers was looked at."""
    if not model._looked_at_samples:
        return None
    return "probabilities" if model._precomputed else "features"


def _annotators(model):
    """The least reliable first; of very many those of whom something is odd, and the least reliable ones."""
    table = model.annotators()
    if len(table) > MOST_ANNOTATORS:
        odd = np.argsort(table["note"] == "", kind="stable")[:MOST_ANNOTATORS]
        table = table.iloc[np.sort(odd)]
    columns = ("annotator", "n_answers", "reliability", "low", "high", "note")
    lines = zip(*(table[name].tolist() for name in columns), strict=True)
    return [
        {"name": str(who), "answers": n, "reliability": share, "low": low, "high": high, "note": note or None}
        for who, n, share, low, high, note in lines
    ]


def _expected_right(model):
    """Share of the rows, of which something is known, whose most probable class is the true one; by the model."""
    P = model.memberships_
    known = P.any(axis=1)
    if not known.any():
        return None
    return float(np.average(P[known].max(axis=1), weights=rows_of(model).weights(len(P))[known]))
