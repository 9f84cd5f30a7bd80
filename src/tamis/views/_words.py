"""Names, numbers and sentences as people read them, for every view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._numbers import fixed

_CRITERIA = {
    "mutual_information": "mutual information",
    "MutualInformation": "mutual information",
    "bayes_risk": "Bayes risk",
    "BayesRisk": "Bayes risk",
    "weighted_laplacian": "weighted Laplacian score",
    "WeightedLaplacian": "weighted Laplacian score",
    "laplacian": "Laplacian score",
    "LaplacianScore": "Laplacian score",
    "ChiSquare": "chi-square",
    "wasserstein": "Wasserstein distance",
    "kl": "Kullback-Leibler divergence",
}


def shown(name: object, most: int = 40) -> str:
    """A name as part of a line: control characters and blanks alone are written out, and long ones are cut."""
    text = str(name) if str(name).strip() else repr(str(name))
    text = text if len(text) <= most else text[: most - 3] + "..."
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


def listed(names: Sequence[object], most: int = 20) -> str:
    more = f", and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(shown(name) for name in names[:most]) + more


def number(value: float | None, digits: int = 3) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def p_value(value: float | None) -> str:
    return "-" if value is None else "<0.001" if value < 0.001 else f"{value:.3f}"


def percent(value: float) -> str:
    if 0 < value < 0.0005:
        return "<0.1 %"
    return f"{fixed(100 * value, 0 if value >= 0.1 or value == 0 else 1)} %"


def counted(n: int, what: str) -> str:
    """'1 row', '2 rows', '3 classes'."""
    plural = f"{what}es" if what.endswith("s") else f"{what}s"
    return f"{n:,} {what if n == 1 else plural}"


def answer(summary: Mapping[str, Any]) -> str:
    """One sentence: how many features, and why so many."""
    asked, size = summary["asked"]["parameters"], summary["search"]["n_selected"]
    total = counted(summary["data"]["n_features"], "feature")
    if asked["n_features_to_select"] != "auto":
        return f"{size} of {total} kept, as asked"
    chosen = next(step for step in summary["path"] if step["size"] == size)
    if chosen["p_value"] is not None and chosen["p_value"] <= asked["alpha"]:
        return f"{size} of {total} {'is' if size == 1 else 'are'} better than chance"
    if asked["required_features"]:
        return f"{size} of {total} kept, those required; no other is better than chance"
    return f"None of {total} is better than chance; {size} {'is' if size == 1 else 'are'} kept all the same"


def worth(summary: Mapping[str, Any]) -> str:
    """What the labels are worth in one sentence; nothing if there is nothing to say."""
    labels = summary["labels"] or {"kind": None}
    if labels["kind"] == "noisy":
        share, doubtful = percent(labels["share_wrong"]), counted(labels["n_suspects"], "label")
        return f"About {share} of the labels seem to be wrong; {doubtful} more likely wrong than right"
    if labels["kind"] == "crowd":
        worst, best = (percent(labels["annotators"][place]["reliability"]) for place in (0, -1))
        return f"{counted(len(labels['annotators']), 'annotator')}, right in {worst} to {best} of their answers"
    if labels["kind"] == "multilabel" and labels["rows_left_out"]:
        sets, left_out = counted(len(summary["classes"]), "set"), counted(labels["rows_left_out"], "row")
        return f"{sets} of labels; {left_out} with rarer sets left out of the estimate"
    return ""


def shrinks(summary: Mapping[str, Any]) -> bool:
    """Whether features leave the path."""
    return summary["search"]["direction"] in ("backward", "blanket")


def at_stake(summary: Mapping[str, Any], i: int) -> list[str]:
    """The features that the p-value of subset i of the path is about."""
    path = summary["path"]
    if not shrinks(summary):
        return path[i]["moved"]
    if i + 1 < len(path):
        return path[i + 1]["moved"]
    gone = {name for step in path for name in step["moved"]}
    left = [name for name in summary["search"]["start"] if name not in gone]
    return left if path[i]["p_value"] is not None or len(left) == 1 else []


def path_scores(summary: Mapping[str, Any]) -> list[float | None]:
    """What is to be compared with chance at each subset: its score; in a blanket, that of the feature at stake."""
    path = summary["path"]
    if summary["search"]["direction"] != "blanket":
        return [step["score"] for step in path]
    score_of = {feature["name"]: feature["score"] for feature in summary["features"]}
    stakes = [at_stake(summary, i) for i in range(len(path))]
    return [score_of[names[0]] if names else None for names in stakes]


def criterion_name(summary: Mapping[str, Any]) -> str:
    """What is measured, in words."""
    parameters = summary["asked"]["parameters"]
    given = parameters.get("criterion", parameters.get("divergence"))
    name = given["python"].partition("(")[0] if isinstance(given, Mapping) else str(given)
    return _CRITERIA.get(name, name)
