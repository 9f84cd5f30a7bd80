"""Sentences about the answers of annotators, for every view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._words import counted, percent

_ALWAYS = "always answers "
_SOURCES = {
    "features": "the answers and what classifiers predict from the features",
    "probabilities": "the answers and the given probabilities",
    None: "the answers alone: no feature is used",
}


def crowd_words(summary: Mapping[str, Any]) -> list[str]:
    """What the true classes rest on, how many are right, and what is odd; nothing of other labels."""
    labels = summary["labels"] or {"kind": None}
    if labels["kind"] != "crowd":
        return []
    source = _SOURCES[labels["predicted_from"]]
    basis = f"The true classes, and how annotators confuse them, are estimated from {source}"
    told = (basis, expected_words(summary), _gold(labels), _unanswered(labels), _odd(labels), _convergence(labels))
    return [sentence for sentence in told if sentence]


def expected_words(summary: Mapping[str, Any]) -> str:
    """How many rows get their true class; nothing of other labels."""
    right = (summary["labels"] or {}).get("expected_right")
    if right is None:
        return ""
    return f"The most probable class is expected by the model to be right in {percent(right)} of the rows"


def asking_words(summary: Mapping[str, Any]) -> str:
    """Where one more answer is worth most; nothing of other labels."""
    labels = summary["labels"] or {"kind": None}
    if labels["kind"] != "crowd":
        return ""
    n = labels["n_ask_next"]
    if not n:
        return "One more answer of an average annotator would change the most probable class of no row"
    return (
        f"One more answer of an average annotator can change the most probable class of {counted(n, 'row')}; gain: by "
        "how much it is expected to lower the number of wrong classes"
    )


def annotators_first(labels: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Annotators of whom something is odd, then the others, each the least reliable first."""
    return sorted(labels["annotators"], key=lambda a: a["note"] is None)


def _gold(labels) -> str:
    n = labels["rows_gold"]
    return f"The true class of {counted(n, 'row')} was given" if n else ""


def _unanswered(labels) -> str:
    n = labels["rows_unanswered"]
    if not n:
        return ""
    are, have = ("is", "has") if n == 1 else ("are", "have")
    if labels["unanswered_predicted"]:
        source = labels["predicted_from"]
        return f"{counted(n, 'row')} {have} no answer; the most probable class is what the {source} predict"
    return f"{counted(n, 'row')} {have} no answer and {are} left out"


def _odd(labels) -> str:
    """How many annotators have which note."""
    notes = [a["note"] for a in labels["annotators"] if a["note"]]
    constant = sum(note.startswith(_ALWAYS) for note in notes)
    told = []
    if len(notes) > constant:
        n = len(notes) - constant
        told.append(f"{counted(n, 'annotator')} {'is' if n == 1 else 'are'} no better than chance")
    if constant:
        told.append(f"{counted(constant, 'annotator')} always {'gives' if constant == 1 else 'give'} one answer")
    return ", ".join(told)


def _convergence(labels) -> str:
    return "" if labels["converged"] else "The estimate did not converge; raise max_iter of CrowdLabels"
