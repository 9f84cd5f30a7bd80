"""A summary as one HTML file that needs nothing else.

Everything is there without JavaScript, for the size that was chosen; `page/script.js` moves the slider, sorts and
searches. Names are hostile: templates escape whatever is put into them, the data in the page cannot end its script, and
the page forbids itself any other script and any request (Content-Security-Policy).
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from .._validation import import_jinja2
from ._crowd_words import annotators_first, asking_words, crowd_words, expected_words
from ._label_words import (
    actions_of,
    basis_of_share,
    budget_words,
    has_own_probabilities,
    is_known,
    label_quality,
    one_rate,
)
from ._numbers import fixed
from ._table_words import is_weighted, table_words
from ._words import (
    answer,
    costs_of,
    counted,
    criterion_name,
    ends_of,
    limits_of,
    listed,
    p_value,
    percent,
    points,
    roles_of,
    shown,
    stability_of,
)
from .code import python_code, python_text
from .drawing import TreeDrawing
from .explaining import capitalised, explained

_MOST_IN_HEAT = 20
_UNBROKEN = re.compile(r" (?=%)|(?<=\bp) (?=[<=] \d)|(?<=\bp [<=]) (?=\d)")


def page(summary: Mapping[str, Any]) -> str:
    """The report of a selection (`summarise`) or of an audit (`summarise_audit`)."""
    environment = _environment()
    style, script = (_source(environment, name) for name in ("style.css", "script.js"))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    selects = "features" in summary
    headline = answer(summary) if selects else label_quality(summary)
    context = {
        "s": summary,
        "selects": selects,
        "headline": headline,
        "below": _below(summary) if selects else [*filter(None, (budget_words(summary), expected_words(summary)))],
        "title": f"tamis: {shown(summary['data']['file'] or headline, 80)}",
        "facts": _facts(summary),
        "count": "Weight" if is_weighted(summary) else "Rows",
        "table_words": [capitalised(sentence) for sentence in table_words(summary)],
        "labels_words": _labels_words(summary),
        "share_words": [*basis_of_share(summary), *(f"{sentence}." for sentence in crowd_words(summary))],
        "annotators": annotators_first(summary["labels"]) if _is_crowd(summary) else [],
        "asking_words": asking_words(summary),
        "budget_words": budget_words(summary),
        "actions": actions_of(summary),
        "is_known": is_known(summary),
        "one_rate": one_rate(summary),
        "suspects_words": _suspects_words(summary["labels"]),
        "classes": _classes(summary),
        "confusions": (confusions := (summary["labels"] or {}).get("confusions")),
        "heat": _heat(summary, confusions),
        "tree": _tree(summary),
        "settings": [(name, python_text(value)) for name, value in summary["asked"]["parameters"].items()],
        "code": python_code(summary),
        "style": style,
        "script": script,
        "script_hash": f"sha256-{digest}",
        "data": _harmless_json(summary),
    }
    if selects:
        context |= explained(summary)
    return environment.get_template("page.html").render(context)


def _below(summary) -> list[str]:
    """Sentences that follow the headline of a selection."""
    told = (costs_of, roles_of, stability_of, limits_of, label_quality)
    return [sentence for words in told if (sentence := words(summary))]


@cache
def _environment():
    jinja2 = import_jinja2()
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("tamis.views", "page"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "shown": shown,
        "percent": percent,
        "p_value": p_value,
        "points": points,
        "unbroken": _unbroken,
        "ends_of": ends_of,
        "whole": _whole,
        "fixed": fixed,
        "json": json.dumps,
    }
    return environment


def _source(environment, name):
    return environment.loader.get_source(environment, name)[0]


def _harmless_json(summary) -> str:
    """JSON in ASCII with nothing that HTML could take for a tag or for the end of a script."""
    text = json.dumps(summary, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _facts(summary) -> list[str]:
    data = summary["data"]
    facts = [shown(data["file"], 80)] if data["file"] else []
    if data["rows"] is not None:
        facts.append(counted(data["rows"], "row"))
    if data["n_features"]:  # an audit of a crowd needs none
        facts.append(counted(data["n_features"], "feature"))
    if summary["classes"]:
        facts.append(counted(len(summary["classes"]), "class"))
    if data["targets"]:
        facts.append(f"target {listed(data['targets'], 3)}")
    if "search" in summary:
        facts.append(f"{summary['search']['direction']} search by {criterion_name(summary)}")
    return facts


def _labels_words(summary) -> str:
    labels = summary["labels"]
    if not labels:
        return ""
    source = "the given probabilities" if has_own_probabilities(summary) else "features"
    sets = "sets that occur often enough are the classes"
    if _has_label_classes(summary):
        sets = "each label is a question of its own"
    return {
        "hard": "Every row has one class, which is taken as right.",
        "noisy": f"Every row has one class, which may be wrong: how many are, and which, is estimated from {source}.",
        "soft": "Every row has a probability for each class. The most probable one counts as recorded.",
        "crowd": "Rows have answers of annotators, who may be wrong.",
        "multilabel": f"Rows have sets of labels; {sets}.",
    }.get(labels["kind"], "")


def _has_label_classes(summary) -> bool:
    """Whether the classes are the labels that the sets of rows are of."""
    names = (summary["labels"] or {}).get("label_names")
    return names is not None and [c["name"] for c in summary["classes"]] == list(names)


def _is_crowd(summary) -> bool:
    return (summary["labels"] or {"kind": None})["kind"] == "crowd"


def _suspects_words(labels) -> str:
    if not labels or labels["kind"] != "noisy":
        return ""
    first, total = len(labels["suspects"]), labels["n_suspects"]
    most = "" if first == total else f"; the first {first:,} of {total:,} are here, all of them in suspects.csv"
    return f"Labels that are more likely wrong than right, the most doubtful first{most}. Look before you trust them."


def _classes(summary) -> list[dict[str, Any]]:
    rates = (summary["labels"] or {}).get("rates")
    classes = summary["classes"] or []
    if not rates:
        return classes
    return [{**c, "share": r["share"], "rate": r["rate"]} for c, r in zip(classes, rates, strict=True)]


def _heat(summary, confusions):
    names = [c["name"] for c in summary["classes"] or ()]
    if not confusions or len(names) > _MOST_IN_HEAT:
        return None
    rate = {(str(c["true"]), str(c["recorded"])): c["rate"] for c in confusions}
    rows = [[None if s == t else rate.get((str(s), str(t)), 0.0) for t in names] for s in names]
    return {"classes": names, "rows": rows, "most": max(rate.values())}


def _tree(summary):
    distance = summary.get("class_distance")
    return TreeDrawing(distance) if distance and distance["tree"] else None


def _whole(value: float) -> str:
    """Rows, which may be fractions."""
    return f"{value:,.0f}" if abs(value - round(value)) < 1e-6 else f"{value:,.1f}"


def _unbroken(sentence: str) -> str:
    """A sentence whose numbers stay on a line with their unit, and with the sign before them."""
    return _UNBROKEN.sub("\N{NO-BREAK SPACE}", sentence)
