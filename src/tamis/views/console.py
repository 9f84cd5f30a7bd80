"""Summaries on a terminal, or as plain text: the answer first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._screen import Screen
from ._words import answer, at_stake, counted, listed, number, p_value, path_scores, percent, shown, shrinks, worth

_MOST_ROWS = 20
_MOST_SIZES = 10
_MOST_SUSPECTS = 8


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
    leaves, size = shrinks(summary), summary["search"]["n_selected"]
    chosen = next(i for i, step in enumerate(path) if step["size"] == size)
    first = max(0, min(chosen - _MOST_SIZES // 2, len(path) - _MOST_SIZES))
    near = range(first, min(first + _MOST_SIZES, len(path)))
    scores, rows = path_scores(summary), []
    for i in near:
        moved = at_stake(summary, i)
        kept = "<- kept" if i == chosen else ""
        rows.append([str(path[i]["size"]), number(scores[i]), listed(moved, 3), p_value(path[i]["p_value"]), kept])
    screen.say(f"The {direction} path" + ("" if len(rows) == len(path) else f" (sizes near {size} of {len(path)})"))
    screen.table(["size", "score", "next to leave" if leaves else "added", "p", ""], rows, strong=chosen - first)
    if summary["asked"]["parameters"]["n_features_to_select"] == "auto":
        alpha = summary["asked"]["parameters"]["alpha"]
        ends = "no feature leaves once its p is at most" if leaves else "no feature is added once its p is above"
        screen.say(f"p: how probably chance does as well, corrected; {ends} {alpha:g}")


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
