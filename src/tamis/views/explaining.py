"""The part of a report that follows the number of features: the path, and why each feature is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._numbers import Digits
from ._words import at_stake, criterion_name, listed, p_value, path_scores, shrinks
from .drawing import PathChart

MOST_ROWS = 500
_WIDE, _NARROW = (960, 250), (380, 230)


def explained(summary: Mapping[str, Any]) -> dict[str, Any]:
    """What the templates of a selection need."""
    size = summary["search"]["n_selected"]
    steps = sorted(summary["path"], key=lambda step: step["size"])
    digits = Digits.for_values([*path_scores(summary), *(f["score"] for f in summary["features"])])
    rows, hidden = _rows(summary, size)
    return {
        "chosen": next(i for i, step in enumerate(steps) if step["size"] == size),
        "steps": _told(summary, digits),
        "charts": [PathChart(summary, *paper) for paper in (_WIDE, _NARROW)],
        "has_chance": any(step["null_quantiles"] for step in steps),
        "has_likes": any(f["like"] is not None for f in summary["features"]),
        "has_p": _tested(summary),
        "shrinks": shrinks(summary),
        "measure": _measure(summary),
        "path_words": _path_words(summary),
        "digits": digits,
        "rows": rows,
        "hidden_rows": hidden,
    }


def _told(summary, digits) -> list[dict[str, Any]]:
    """Each subset, the smallest first, with a sentence about it."""
    moves = "Next to leave" if shrinks(summary) else "Came last"
    what = _measure(summary)["axis"]
    found = []
    for i, (step, score) in enumerate(zip(summary["path"], path_scores(summary), strict=True)):
        said = f"{step['size']} feature{'s' if step['size'] != 1 else ''}: {what} {digits.of(score)}."
        names = at_stake(summary, i)
        if names:
            said += f" {moves}: {listed(names, 3)}"
            said += f", p {p_value(step['p_value'])}" if step["p_value"] is not None else ""
            if step["null_quantiles"]:
                low, _, high = step["null_quantiles"]
                said += f" (by chance {digits.of(low)} to {digits.of(high)})"
            said += "."
        found.append({"size": step["size"], "words": said})
    return sorted(found, key=lambda step: step["size"])


def _measure(summary) -> dict[str, Any]:
    """What the features of a subset are judged by."""
    name = criterion_name(summary)
    tested = " p tells how probably chance does as well, corrected for the search." if _tested(summary) else ""
    if summary["search"]["direction"] == "ranking":
        words = f"Each feature is judged by itself, by its {name}; features that repeat each other are kept together."
        return {"axis": f"{name} of the feature", "column": "Score", "without": False, "words": words + tested}
    if summary["search"]["direction"] == "blanket":
        words = "A feature is judged by what it tells about the classes beyond the features most correlated with it."
        axis = f"{name} told beyond the others"
        return {"axis": axis, "column": "Tells beyond", "without": False, "words": words + tested}
    words = (
        f"What a feature adds is the {name} of all features kept less that without it: one that is decisive only in "
        "company counts, a copy of another does not."
    )
    return {"axis": name, "column": "Adds", "without": True, "words": words + tested}


def _path_words(summary) -> str:
    asked = summary["asked"]["parameters"]
    if asked["n_features_to_select"] != "auto":
        return "That many were asked for. The slider above shows any other size of the path; nothing need be run again."
    if shrinks(summary):
        rule = (
            "At each size the feature that would leave next is compared with copies of it that keep only what the "
            "others tell about it. The largest size at which it does better than they do "
            f"(p at most {asked['alpha']:g}) is kept."
        )
    elif summary["search"]["direction"] == "ranking":
        rule = (
            "Each feature is compared with permuted copies of it. The ranking ends before the first that does no "
            f"better than they do (p above {asked['alpha']:g})."
        )
    else:
        rule = (
            "Each feature that enters is compared with copies of it that keep only what the others tell about it. The "
            f"search ends before the first that does no better than they do (p above {asked['alpha']:g})."
        )
    if summary["search"]["direction"] in ("ranking", "blanket"):
        return rule
    return f"{rule} The height of the curve is no guide: it depends on the number of features."


def _tested(summary) -> bool:
    return any(f["p_value"] is not None for f in summary["features"])


def _rows(summary, size) -> tuple[list[dict[str, Any]], int]:
    """The features that stay longest, those kept first, the best first; and how many are left out."""
    features = summary["features"]
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
                "tags": _tags(f, required),
                "inside": place in inside,
                "adds": value,
                "share": value / most if value and most > 0 and place in inside else 0.0,
                "without": None if value is None or step["score"] is None else step["score"] - value,
                "p_value": f["p_value"],
                "like": near and {"name": features[near["place"]]["name"], "correlation": near["correlation"]},
                "from_size": f["from_size"],
            }
        )
    return rows, max(0, len(features) - MOST_ROWS)


def _in(feature, size) -> bool:
    return feature["from_size"] is not None and feature["from_size"] <= size


def _tags(feature, required) -> list[str]:
    tags = [] if feature["group"] is None else [f"group {feature['group'] + 1}"]
    tags += [] if feature["n_categories"] is None else [f"{feature['n_categories']} categories"]
    return tags + (["required"] if feature["name"] in required else [])
