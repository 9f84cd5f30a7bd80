"""Sentences about label quality, for every view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._numbers import fixed
from ._words import counted, percent

_ROUGH = 0.01
"""Below which a share of wrong labels is told with a digit after the point."""
_NOTHING = 0.005
_BETWEEN = {
    True: "The estimate in between counts labels that contradict a dense cluster of similar predictions as wrong.",
    False: "The labels do not show that any are wrong. The figure in between counts labels that contradict a dense "
    "cluster of similar predictions as wrong, and half of all others that are contradicted; which rows these are is "
    "not known, so that rates of classes and suspect rows leave them out.",
    None: "The figure in between is that of densities of nearest neighbours, a guess where classes overlap.",
}
"""What the estimate rests on, by whether the labels show that some are wrong; None for densities, which cannot tell."""


def label_quality(summary: Mapping[str, Any]) -> str:
    """Label quality in one sentence; nothing if there is nothing to say."""
    labels = summary["labels"] or {"kind": None}
    if labels["kind"] == "noisy":
        return _how_many_wrong(summary)
    if labels["kind"] == "crowd":
        worst, best = map(percent, labels["reliability_range"])
        return f"{counted(labels['n_annotators'], 'annotator')}, right in {worst} to {best} of their answers"
    if labels["kind"] == "multilabel" and labels["rows_left_out"]:
        sets, left_out = counted(len(summary["classes"]), "set"), counted(labels["rows_left_out"], "row")
        return f"{sets} of labels; {left_out} with rarer sets left out of the estimate"
    return ""


def is_known(summary: Mapping[str, Any]) -> bool:
    """Whether labels are noisy and the share of wrong ones could be estimated."""
    labels = summary["labels"] or {"kind": None}
    return labels["kind"] == "noisy" and labels["share_wrong"] is not None


def has_own_probabilities(summary: Mapping[str, Any]) -> bool:
    """Whether the labels were compared with probabilities that were given, instead of features."""
    return summary["asked"]["parameters"].get("estimator") == "precomputed"


def _how_many_wrong(summary) -> str:
    labels = summary["labels"]
    share, (low, high) = labels["share_wrong"], labels["share_wrong_interval"]
    if share is None:
        if high == 1:
            return "How many labels are wrong is not known: fewer than two classes have rows to be compared"
        what = "given probabilities" if has_own_probabilities(summary) else "features"
        return f"How many labels are wrong is not known: the {what} do not predict them"
    likely = f"{'most likely' if labels['identified'] else 'perhaps'} {'none' if share == 0 else _rough(share)}"
    if low < _NOTHING:
        return f"At most {_rough(high)} of the labels are wrong, {likely}"
    if _rough(low) == _rough(high):
        return f"About {_rough(share)} of the labels are wrong"
    return f"Between {_rough(low)} and {_rough(high)} of the labels are wrong, {likely}"


def _rough(share: float) -> str:
    """Whole per cents, as these estimates are no better; of small ones a digit more, and never 0."""
    return f"{fixed(100 * max(share, 0.001), 0 if share >= _ROUGH else 1)} %"


def basis_of_share(summary: Mapping[str, Any], short: bool = False) -> list[str]:
    """Sentences that tell what the ends of the interval rest on; none if the share is not known."""
    if not is_known(summary):
        return []
    has_low, identified = summary["labels"]["share_wrong_interval"][0] >= _NOTHING, summary["labels"]["identified"]
    if short:
        low = "lower end: labels contradicted even where predictions agree best with the labels, less their error; "
        high = "all labels that predictions contradict, plus the error of the predictions"
        return [f"{low}upper end: {high}" if has_low else f"at most: {high}"]
    low = (
        "The lower end is the share of labels that predictions contradict in the fifth of the rows where they agree "
        "best with the labels, less the error of the predictions; elsewhere mistakes are assumed to be no rarer."
        if has_low
        else "No label is certain to be wrong: in the fifth of the rows where predictions agree best with the labels, "
        "they contradict no more than their own error explains."
    )
    return [
        low,
        "The upper end is the share of all labels that predictions contradict, plus the error of the predictions.",
        _BETWEEN[identified],
        "This is not a confidence interval: even with many rows it would stay wide, as classes that overlap and labels "
        "that are wrong look alike. Mistakes made only where classes overlap are underestimated.",
    ]


def one_rate(summary: Mapping[str, Any]) -> str:
    """That all classes have one estimated rate, if they do."""
    known = (rate["rate"] for rate in (summary["labels"] or {}).get("rates", ()))
    rates = [rate for rate in known if rate is not None]
    if len(rates) < 2 or max(rates) - min(rates) > 1e-9 or max(rates) == 0:
        return ""
    return "One rate of wrong labels is estimated for all classes; confusions are counted row by row"


def budget_words(summary: Mapping[str, Any]) -> str:
    """How many mistakes people find if they look at the most doubtful rows; nothing if no row is doubtful.

    Of the budgets the largest that finds a mistake in at least every other row, or the smallest.
    """
    budgets = (summary["labels"] or {}).get("budget")
    if not budgets:
        return ""
    worth = [b for b in budgets if b["mistakes"] >= b["rows"] / 2] or budgets[:1]
    rows, mistakes = worth[-1]["rows"], worth[-1]["mistakes"]
    if rows == 1:
        return f"Look at the most doubtful row: its label is wrong with probability {mistakes:.2f}"
    n = round(mistakes)
    found = "about 1 mistake is" if n == 1 else f"about {n:,} mistakes are" if n else "less than 1 mistake is"
    return f"Look at the {rows:,} most doubtful rows: {found} among them"


def actions_of(summary: Mapping[str, Any]) -> list[tuple[str, int, str]]:
    """Suggested actions with the number of rows and what they mean; none if nothing is known."""
    actions = (summary["labels"] or {}).get("actions")
    if not actions:
        return []
    meanings = {
        "correct": "at least 95 % of the suggested classes are expected to be right",
        "look at": "neither the recorded nor another class is certain enough",
        "fill in": "has no label, and another class is certain enough",
        "keep": "at least 95 % of the recorded classes are expected to be right",
    }
    return [(action, actions[action], meaning) for action, meaning in meanings.items() if action in actions]
