"""Summaries on a terminal, or as plain text: the answer first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._screen import Screen, counted, listed, number, p_value, percent, shown

_MOST_ROWS = 20
_MOST_SIZES = 10
_MOST_SUSPECTS = 8
_SHRINKS = ("backward", "blanket")


def show_selection(summary: Mapping[str, Any], screen: Screen) -> None:
    """What was selected, and why; then what the labels are worth."""
    data, kept = summary["data"], [f for f in summary["features"] if f["selected"]]
    screen.say(answer(summary), "bold")
    screen.say(listed(summary["selected"]))
    screen.say()
    if data["rows"] is not None:
        screen.say(f"{counted(data['rows'], 'row')}, {counted(data['n_features'], 'feature')}{_target(data)}")
    _notes(summary, screen)
    screen.say()
    _kept(kept, screen)
    screen.say()
    _path(summary, screen)
    if worth(summary):
        screen.say()
        screen.say(worth(summary))
        show_labels(summary, screen)
    _warnings(summary, screen)


def show_audit(audit: Mapping[str, Any], screen: Screen) -> None:
    """How far the labels can be believed."""
    data, labels = audit["data"], audit["labels"]
    screen.say(worth(audit), "bold")
    screen.say(f"{counted(data['rows'], 'row')}, {counted(len(audit['classes']), 'class')}{_target(data)}")
    _notes(audit, screen)
    screen.say()
    show_labels(audit, screen)
    if labels["kind"] == "noisy":
        _confusions(audit["confusions"], screen)
        _suspects(labels, screen)
    _warnings(audit, screen)


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


def show_labels(summary: Mapping[str, Any], screen: Screen) -> None:
    """What the labels are worth, class by class or annotator by annotator."""
    labels = summary["labels"]
    kind = labels["kind"] if labels else None
    if kind == "noisy":
        counts = {c["name"]: c["rows"] for c in summary["classes"]}
        rows = [[shown(r["class"]), str(counts[r["class"]]), percent(r["rate"])] for r in labels["rates"][:_MOST_ROWS]]
        _first_rows(screen, ["class", "rows", "wrong"], rows, len(labels["rates"]))
    elif kind == "crowd":
        who = labels["annotators"]
        rows = [[shown(a["name"]), str(a["answers"]), percent(a["reliability"])] for a in who[:_MOST_ROWS]]
        _first_rows(screen, ["annotator", "answers", "right"], rows, len(who))


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


def _kept(kept, screen):
    """The features that were kept, the best first."""
    kept = sorted(kept, key=lambda f: -float("inf") if f["score"] is None else f["score"], reverse=True)
    most = max([f["score"] or 0 for f in kept], default=0)
    shares = [f["score"] / most if f["score"] and most > 0 else None for f in kept]
    rows = [
        [shown(f["name"]), number(f["score"]), p_value(f["p_value"]), screen.bar(share)]
        for f, share in zip(kept[:_MOST_ROWS], shares, strict=False)
    ]
    header = ["feature", "score", "p", ""]
    if not screen.is_terminal:
        header, rows = header[:3], [row[:3] for row in rows]
    _first_rows(screen, header, rows, len(kept))


def _path(summary, screen):
    """The sizes around the one chosen; p is of the feature that stands in the row."""
    direction, path = summary["search"]["direction"], summary["path"]
    shrinks, size = direction in _SHRINKS, summary["search"]["n_selected"]
    chosen = next(i for i, step in enumerate(path) if step["size"] == size)
    first = max(0, min(chosen - _MOST_SIZES // 2, len(path) - _MOST_SIZES))
    near = range(first, min(first + _MOST_SIZES, len(path)))
    score_of = {f["name"]: f["score"] for f in summary["features"]}
    rows = []
    for i in near:
        moved = _stake(path, i, shrinks, summary["search"]["start"])
        score = score_of.get(moved[0]) if direction == "blanket" and moved else path[i]["score"]
        kept = "<- kept" if i == chosen else ""
        rows.append([str(path[i]["size"]), number(score), listed(moved, 3), p_value(path[i]["p_value"]), kept])
    screen.say(f"The {direction} path" + ("" if len(rows) == len(path) else f" (sizes near {size} of {len(path)})"))
    screen.table(["size", "score", "next to leave" if shrinks else "added", "p", ""], rows, strong=chosen - first)
    if summary["asked"]["parameters"]["n_features_to_select"] == "auto":
        alpha = summary["asked"]["parameters"]["alpha"]
        ends = "no feature leaves once its p is at most" if shrinks else "no feature is added once its p is above"
        screen.say(f"p: how probably chance does as well, corrected; {ends} {alpha:g}")


def _stake(path, i, shrinks, start):
    """The features that the p-value of a subset is about."""
    if not shrinks:
        return path[i]["moved"]
    if i + 1 < len(path):
        return path[i + 1]["moved"]
    gone = {name for step in path for name in step["moved"]}
    left = [name for name in start if name not in gone]
    return left if path[i]["p_value"] is not None or len(left) == 1 else []


def _confusions(confusions, screen):
    screen.say()
    if not confusions:
        screen.say("No two classes are confused")
        return
    screen.say("Which class is taken for which")
    rows = [
        [shown(c["true"]), shown(c["recorded"]), percent(c["rate"]), f"{c['rows']:.0f}"]
        for c in confusions[:_MOST_SUSPECTS]
    ]
    _first_rows(screen, ["true class", "recorded as", "of the class", "rows, about"], rows, len(confusions))


def _suspects(labels, screen):
    if labels["suspects"]:
        screen.say()
        screen.say("The most doubtful rows")
        rows = [
            [str(s["row"]), shown(s["recorded"]), shown(s["likely"]), number(s["p_wrong"], 2)]
            for s in labels["suspects"][:_MOST_SUSPECTS]
        ]
        _first_rows(screen, ["row", "recorded", "likely", "p wrong"], rows, labels["n_suspects"])


def _first_rows(screen, header, rows, total):
    screen.table(header, rows)
    if total > len(rows):
        screen.say(f"... and {total - len(rows):,} more")


def _target(data, before=", target "):
    return f"{before}{listed(data['targets'], 3)}" if data["targets"] else ""


def _notes(summary, screen):
    for note in summary["data"]["notes"]:
        screen.say(f"- {shown(note, 400)}")


def _warnings(summary, screen):
    if summary["warnings"]:
        screen.say()
    for said in summary["warnings"]:
        screen.say(f"Warning: {shown(said, 1000)}", "yellow")
