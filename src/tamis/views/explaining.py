"""The part of a report that follows the number of features: the choice of it, and why each feature is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._numbers import Digits
from ._table_words import changed_places, has_gaps, predictive_places
from ._words import (
    at_stake,
    basis_of_errors,
    basis_of_steps,
    counted,
    criterion_name,
    listed,
    meaning_of_errors,
    nearest,
    path_scores,
    replacements,
    shrinks,
    what_the_sieve_did,
    with_interval,
)
from .charting import criterion_chart, error_chart

MOST_ROWS = 500
_MOST_SWAPS = 3
_WIDE, _NARROW = (960, 280), (380, 240)
_LOW_WIDE, _LOW_NARROW = (960, 170), (380, 160)


def explained(summary: Mapping[str, Any]) -> dict[str, Any]:
    """What the templates of a selection need."""
    size, judged = summary["search"]["n_selected"], summary["evidence"] is not None
    steps = sorted(summary["path"], key=lambda step: step["size"])
    digits = Digits.for_values([*path_scores(summary), *(f["score"] for f in summary["features"])])
    rows, hidden = _rows(summary, size)
    main, below = (error_chart, criterion_chart) if judged else (criterion_chart, None)
    return {
        "chosen": next(i for i, step in enumerate(steps) if step["size"] == size),
        "steps": _told(summary, digits),
        "charts": [main(summary, *paper) for paper in (_WIDE, _NARROW)],
        "lower_charts": [below(summary, *paper) for paper in (_LOW_WIDE, _LOW_NARROW)] if below else [],
        "judged": judged,
        "error_words": [
            capitalised(words)
            for say in (meaning_of_errors, basis_of_errors, what_the_sieve_did, basis_of_steps)
            if (words := say(summary))
        ],
        "has_gaps": has_gaps(summary),
        "has_likes": any(f["like"] is not None for f in summary["features"]),
        "measure": _measure(summary),
        "path_words": _path_words(summary),
        "roles": _roles(summary),
        "digits": digits,
        "rows": rows,
        "hidden_rows": hidden,
    }


def capitalised(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:] + "."


def _told(summary, digits) -> list[dict[str, Any]]:
    """Each subset, the smallest first, with a sentence about it."""
    moves = "Next to leave" if shrinks(summary) else "Came last"
    what, evidence = _measure(summary)["axis"], summary["evidence"]
    found = []
    for i, (step, score) in enumerate(zip(summary["path"], path_scores(summary), strict=True)):
        size = step["size"]
        said = f"{counted(size, 'feature')}: "
        if evidence:
            near = nearest(evidence["sizes"], size)
            where = "" if near["size"] == size else f" (judged at {near['size']:,}, the nearest size)"
            said += f"error on rows left out {with_interval(near['error'], near['error_interval'])}{where}; "
        said += f"{what} {digits.of(score)}." if score is not None else f"{what} not computed at this size."
        names = at_stake(summary, i)
        said += f" {moves}: {listed(names, 3)}." if names else ""
        found.append({"size": size, "words": said})
    return sorted(found, key=lambda step: step["size"])


def _measure(summary) -> dict[str, Any]:
    """What the features of a subset are scored by."""
    name = criterion_name(summary)
    if summary["search"]["direction"] == "ranking":
        words = f"Each feature is scored by itself, by its {name}; features that repeat each other are kept together."
        return {"axis": f"{name} of the feature", "column": "Score", "without": False, "words": words}
    if summary["search"]["direction"] == "blanket":
        words = (
            "A feature is scored by the information about the classes that it adds to its conditioning features, those "
            "most correlated with it."
        )
        return {"axis": f"{name} added to the others", "column": "Adds", "without": False, "words": words}
    words = (
        f"What a feature adds is the {name} of all features kept less that without it: a feature that is decisive only "
        "together with others counts, a copy of another does not."
    )
    return {"axis": name, "column": "Adds", "without": summary["evidence"] is None, "words": words}


def _path_words(summary) -> str:
    asked, evidence = summary["asked"]["parameters"], summary["evidence"]
    if asked["n_features_to_select"] != "auto":
        return "That many were asked for. The slider above shows any other size of the path; nothing need be run again."
    if evidence is None:
        return "No subset was judged on rows left out. The slider above shows any size of the path."
    how = "The whole search is repeated on folds, and classifiers predict the rows left out with each of its subsets."
    if not evidence["found"]:
        return (
            f"{how} None is better than knowing nothing at the level {100 * asked['alpha']:g} %, so the smallest size "
            "is kept."
        )
    at = {judged["size"]: evidence["loss_of_nothing"] - judged["loss"] for judged in evidence["sizes"]}
    best, size = max(at, key=lambda s: (at[s], -s)), summary["search"]["n_selected"]
    if at[best] <= 0:
        return (
            f"{how} No size is better than knowing nothing there, but single features are related to the target: the "
            "smallest size is kept."
        )
    units = ", in units of the class distance" if evidence.get("cost_of_nothing") is not None else ""
    rule = (
        f"{how} The smallest size is kept that gives up at most {100 * asked['tolerance']:g} % of the best gain over "
        f"knowing nothing, or up to {500 * asked['tolerance']:g} % if that is within one standard error. Gains are "
        f"measured by the squared loss of the predicted probabilities{units}."
    )
    if size == best:
        return f"{rule} Here that is the size with the best gain, {best:,}."
    keeps = f"{size:,} {'keeps' if size == 1 else 'keep'} {100 * at[size] / at[best]:.1f} % of it"
    return f"{rule} The best gain is at {best:,}; {keeps}."


def _roles(summary) -> dict[str, Any] | None:
    """Needed features with those that can replace each; None if nothing can replace anything."""
    features, instead = summary["features"], replacements(summary)
    if not instead:
        return None
    needed = [place for place, f in enumerate(features) if f["role"] == "needed"]
    needed.sort(key=lambda place: (-features[place]["frequency"], place))
    return {
        "needed": [
            {
                "name": features[place]["name"],
                "instead": [{"name": features[other]["name"], "cost": cost} for other, cost in instead.get(place, ())],
            }
            for place in needed
        ],
        "n_rest": sum(f["role"] == "no evidence" for f in features),
    }


def _rows(summary, size) -> tuple[list[dict[str, Any]], int]:
    """The features that stay longest, those kept first, the best first; and how many are left out."""
    features, instead = summary["features"], replacements(summary)
    predictive, changed = predictive_places(summary), changed_places(summary)
    step = next(step for step in summary["path"] if step["size"] == size)
    required = [name for name in summary["asked"]["parameters"]["required_features"] or () if isinstance(name, str)]
    inside = {place for place, f in enumerate(features) if _in(f, size)}
    if summary["search"]["direction"] == "ranking":
        adds = {place: f["score"] for place, f in enumerate(features)}
    else:
        adds = dict(zip(sorted(inside), step["adds"] or (), strict=False))
    most = max((adds.get(place) or 0 for place in inside), default=0)

    def by_worth(place):
        value, here = adds.get(place), place in inside
        late = features[place]["from_size"] or float("inf")
        return not here, -value if here and value is not None else float("inf"), late, place

    longest = sorted(range(len(features)), key=lambda place: (features[place]["from_size"] or float("inf"), place))
    rows = []
    for place in sorted(longest[:MOST_ROWS], key=by_worth):
        f, value = features[place], adds.get(place)
        near = next((other for other in f["like"] or () if other["place"] in inside), None)
        rows.append(
            {
                "place": place,
                "name": f["name"],
                "tags": _tags(f, required, place in changed),
                "inside": place in inside,
                "adds": value,
                "share": value / most if value and most > 0 and place in inside else 0.0,
                "without": None if value is None or step["score"] is None else step["score"] - value,
                "role": f["role"],
                "frequency": f["frequency"],
                "swaps": _swaps(features, place, instead),
                "p_value": f["p_value"],
                "missing": f["missing"],
                "missing_predicts": place in predictive,
                "like": near and {"name": features[near["place"]]["name"], "correlation": near["correlation"]},
                "from_size": f["from_size"],
            }
        )
    return rows, max(0, len(features) - MOST_ROWS)


def _swaps(features, place, instead) -> dict[str, Any] | None:
    """What can replace a needed feature, or what an interchangeable one can replace; the cheapest first."""
    if place in instead:
        words, swaps = "by", instead[place]
    else:
        words, swaps = "replaces", [(swap["place"], swap["cost"]) for swap in features[place]["swaps"] or ()]
    if not swaps:
        return None
    first = [{"name": features[other]["name"], "cost": cost} for other, cost in swaps[:_MOST_SWAPS]]
    return {"words": words, "first": first, "n_more": max(0, len(swaps) - _MOST_SWAPS), "cost": swaps[0][1]}


def _in(feature, size) -> bool:
    return feature["from_size"] is not None and feature["from_size"] <= size


def _tags(feature, required, has_changed) -> list[str]:
    tags = [] if feature["group"] is None else [f"group {feature['group'] + 1}"]
    tags += [] if feature["n_categories"] is None else [f"{feature['n_categories']} categories"]
    tags += ["required"] if feature["name"] in required else []
    return tags + (["changed over time"] if has_changed else [])
