"""Names, numbers and sentences as people read them, for every view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._numbers import fixed

_CRITERIA = {
    "mutual_information": "mutual information",
    "MutualInformation": "mutual information",
    "neighbor_cost": "neighbor cost",
    "NeighborCost": "neighbor cost",
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
_AS_KNOWN = {
    "noisy": "; corrected for the estimated label noise",
    "soft": "; expected under the probabilities of the classes",
    "crowd": "; expected under the probabilities of the classes",
}
_STABLE = ((0.75, "much the same"), (0.4, "partly the same"))


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


def with_interval(value: float, interval: Sequence[float] | None = None) -> str:
    """'14 %' or, with an interval, '14 % (12-16 %)'."""
    return percent(value) if interval is None else f"{percent(value)} ({ends_of(value, interval)})"


def ends_of(value: float, interval: Sequence[float]) -> str:
    """The interval of a share, '12-16 %'; the ends have as many digits as the share."""
    low, high = (fixed(100 * end, 0 if value >= 0.1 or value == 0 else 1) for end in interval)
    return f"{low}-{high} %"


def with_ends(share: float, interval: Sequence[float] | None) -> list[str]:
    """A share and its interval, for two columns."""
    return [percent(share), "" if interval is None else ends_of(share, interval)]


def points(cost: float) -> str:
    """A difference of two errors in percentage points: '+0.3', '-1.2', '0.0'."""
    text = fixed(100 * cost, 1)
    return text if text[0] == "-" or not text.strip("0.") else f"+{text}"


def answer(summary: Mapping[str, Any]) -> str:
    """One sentence: how many features, and the error to expect with them, with all features and without any."""
    asked, evidence = summary["asked"]["parameters"], summary["evidence"]
    size, n_features = summary["search"]["n_selected"], summary["data"]["n_features"]
    kept = f"{size:,} of {counted(n_features, 'feature')}"
    if asked["n_features_to_select"] != "auto":
        wanted = asked["n_features_to_select"]
        wanted = wanted if isinstance(wanted, int) else max(1, int(n_features * wanted))
        fewer = summary["search"].get("limited") and size < wanted
        return f"{kept} kept, {'fewer than asked' if fewer else 'as asked'}"
    if evidence is None:
        return f"{kept} kept; it is not known how many are needed, as no subset was judged on rows left out"
    if not evidence["found"]:
        return _nothing(asked, size, n_features)
    said = f"{kept}; expected error {with_interval(evidence['expected_error'], evidence['expected_error_interval'])}"
    if evidence["error_of_all"] is not None and size < n_features:
        said += f", {with_interval(evidence['error_of_all'])} with all features"
    return f"{said}, {with_interval(evidence['error_of_nothing'])} without any"


def costs_of(summary: Mapping[str, Any]) -> str:
    """How far predictions are from the true class, by the distances between the classes; nothing without these."""
    evidence, size = summary["evidence"], summary["search"]["n_selected"]
    if not evidence or evidence.get("cost_of_nothing") is None or not evidence["found"]:
        return ""
    judged = evidence["sizes"]
    cost = number(nearest(judged, size)["cost"])
    said = f"Predictions are {cost} from the true class in the mean, by the class distance"
    if evidence["error_of_all"] is not None and size < judged[-1]["size"]:
        said += f"; {number(judged[-1]['cost'])} with all features"
    return f"{said}, {number(evidence['cost_of_nothing'])} without any"


def _nothing(asked, size, n_features) -> str:
    level = f"better than knowing nothing (level {100 * asked['alpha']:g} %)"
    if n_features == 1:
        return f"The only feature does not predict the target {level}; it is kept all the same"
    are = "is" if size == 1 else "are"
    why = f"the {size:,} required {are} kept" if asked["required_features"] else f"{size:,} {are} kept all the same"
    return f"No feature of {n_features:,} predicts the target {level}; {why}"


def roles_of(summary: Mapping[str, Any]) -> str:
    """How many features are needed, interchangeable and neither; nothing if none is interchangeable."""
    given = [f["role"] for f in summary["features"]]
    needed, more, rest = (given.count(role) for role in ("needed", "interchangeable", "no evidence"))
    if not more:
        return ""
    said = f"{needed:,} needed, {more:,} more {'carries' if more == 1 else 'carry'} the same information"
    return said + (f", no evidence for the other {rest:,}" if rest else "")


def stability_of(summary: Mapping[str, Any]) -> str:
    """How similar the selection of another sample would be; nothing if nothing, or everything, is selected."""
    evidence = summary["evidence"]
    if not evidence or not evidence["found"] or summary["search"]["n_selected"] == summary["data"]["n_features"]:
        return ""
    value, (low, high) = evidence["stability"], evidence["stability_interval"]
    how = next((words for least, words in _STABLE if value >= least), "mostly other")
    ends = f"{low:.2f} to {high:.2f}" if low < 0 else f"{low:.2f}-{high:.2f}"
    return f"Another sample would select {how} features: stability {value:.2f} ({ends})"


def limits_of(summary: Mapping[str, Any]) -> str:
    """What was left out to end in time; nothing if nothing was."""
    limited = summary["search"].get("limited")
    return f"Stopped by max_time={limited['max_time']:g} s: {'; '.join(limited['cut'])}" if limited else ""


def basis_of_errors(summary: Mapping[str, Any]) -> str:
    """What the errors rest on; nothing without evidence."""
    evidence = summary["evidence"]
    if not evidence:
        return ""
    n_repeats, judges = evidence["n_repeats"], evidence["judges"]
    times = "" if n_repeats == 1 else f", repeated {n_repeats} times"
    n_runs = evidence.get("n_runs", n_repeats * evidence["n_folds"])
    some = f"{n_runs} folds of a " if n_runs < evidence["n_folds"] else ""
    by = f"mixture of {', '.join(judges)}" if len(judges) > 1 else f"judged by {judges[0]}"
    if evidence.get("forward"):
        folds = counted(n_runs, "fold")
        return f"errors: {folds} forward in time, the whole search on earlier rows and predictions of later rows; {by}"
    return f"errors: {some}{evidence['n_folds']}-fold cross-validation of the whole search{times}; {by}"


def what_the_sieve_did(summary: Mapping[str, Any]) -> str:
    """How many features left before the search; nothing if none."""
    sieved, n_features = summary["search"].get("sieved"), summary["data"]["n_features"]
    if not sieved:
        return ""
    return (
        f"sieve: {sieved:,} of {n_features:,} features left before the search, those least related to the target by "
        "themselves, as there are more features than rows; errors on rows left out include that"
    )


def basis_of_steps(summary: Mapping[str, Any]) -> str:
    """How many rows the steps of the search were decided on; nothing if all."""
    sampling = summary["search"].get("sampling")
    if not sampling:
        return ""
    fewest, most = sampling["n_queries"]
    some = f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
    words = f"steps: each decided on {some} of {sampling['n_rows']:,} rows, with all rows as neighbours"
    if sampling["margin"] is None:
        return words
    return f"{words}; at 95 % none loses more than {sampling['margin']:.2g} of the score against the best one"


def meaning_of_errors(summary: Mapping[str, Any]) -> str:
    """What an error is; nothing without evidence."""
    if not summary["evidence"]:
        return ""
    kind = (summary["labels"] or {"kind": None})["kind"]
    over = "the presence and the absence of each label" if kind == "multilabel" else "the classes"
    said = f"error: balanced error, the mean over {over} of the share of wrong predictions, with its 95 % interval"
    return said + _AS_KNOWN.get(kind, "")


def nearest(sizes: Sequence[Mapping[str, Any]], size: int) -> Mapping[str, Any]:
    """The judged size next to another one; the smaller of two."""
    return min(sizes, key=lambda judged: (abs(judged["size"] - size), judged["size"]))


def replacements(summary: Mapping[str, Any]) -> dict[int, list[tuple[int, float]]]:
    """For the place of each needed feature, what can replace it with which cost, the cheapest first.

    A swap names the first feature of a group; the others of its group can be replaced with it.
    """
    features = summary["features"]
    members: dict[int, list[int]] = {}
    for place, f in enumerate(features):
        if f["group"] is not None:
            members.setdefault(f["group"], []).append(place)
    found: dict[int, list[tuple[int, float]]] = {}
    for other, f in enumerate(features):
        for swap in f["swaps"] or ():
            group = features[swap["place"]]["group"]
            for place in [swap["place"]] if group is None else members[group]:
                found.setdefault(place, []).append((other, swap["cost"]))
    return {place: sorted(swaps, key=lambda swap: (swap[1], swap[0])) for place, swaps in found.items()}


def shrinks(summary: Mapping[str, Any]) -> bool:
    """Whether features leave the path."""
    return summary["search"]["direction"] in ("backward", "blanket")


def at_stake(summary: Mapping[str, Any], i: int) -> list[str]:
    """The features that leave subset i of the path next, or entered it last."""
    path = summary["path"]
    if not shrinks(summary):
        return path[i]["moved"]
    if i + 1 < len(path):
        return path[i + 1]["moved"]
    gone = {name for step in path for name in step["moved"]}
    left = [name for name in summary["search"]["start"] if name not in gone]
    groups = {f["group"] for f in summary["features"] if f["name"] in left}
    return left if len(left) == 1 or (len(groups) == 1 and None not in groups) else []


def path_scores(summary: Mapping[str, Any]) -> list[float | None]:
    """The score of each subset; in a blanket, that of the feature which leaves it next."""
    path = summary["path"]
    if summary["search"]["direction"] != "blanket":
        return [step["score"] for step in path]
    score_of = {feature["name"]: feature["score"] for feature in summary["features"]}
    stakes = [at_stake(summary, i) for i in range(len(path))]
    return [score_of[names[0]] if names else None for names in stakes]


def criterion_name(summary: Mapping[str, Any]) -> str:
    """What is measured, in words."""
    parameters = summary["asked"]["parameters"]
    given = summary["search"].get("criterion") or parameters.get("criterion", parameters.get("divergence"))
    name = given["python"].partition("(")[0] if isinstance(given, Mapping) else str(given)
    return _CRITERIA.get(name, name)
