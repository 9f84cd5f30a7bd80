"""Summaries on a terminal, or as plain text: the answer first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._crowd_screen import show_annotators, show_asking
from ._crowd_words import crowd_words
from ._label_words import actions_of, basis_of_share, budget_words, label_quality
from ._screen import Screen
from ._table_words import has_gaps, is_weighted, table_words
from ._words import (
    answer,
    at_stake,
    basis_of_errors,
    basis_of_steps,
    costs_of,
    counted,
    limits_of,
    listed,
    meaning_of_errors,
    number,
    path_scores,
    percent,
    replacements,
    roles_of,
    shown,
    shrinks,
    stability_of,
    what_the_sieve_did,
    with_ends,
)

_MOST_ROWS = 20
_MOST_SIZES = 10
_MOST_SUSPECTS = 8
_MOST_REPLACEMENTS = 3


def show_selection(summary: Mapping[str, Any], screen: Screen) -> None:
    """What was selected, and why; then label quality."""
    data = summary["data"]
    screen.say(answer(summary), "bold")
    for sentence in filter(None, (costs_of(summary), roles_of(summary), stability_of(summary), limits_of(summary))):
        screen.say(sentence)
    screen.say(listed(summary["selected"]))
    screen.say()
    if data["rows"] is not None:
        screen.say(f"{counted(data['rows'], 'row')}, {counted(data['n_features'], 'feature')}{_target(data)}")
    _table(summary, screen)
    _notes(summary, screen)
    screen.say()
    _kept(summary, screen)
    screen.say()
    if summary["evidence"]:
        _errors(summary, screen)
    else:
        _path(summary, screen)
    if label_quality(summary):
        screen.say()
        screen.say(label_quality(summary))
        _basis(summary, screen)
        show_labels(summary, screen)
    _warnings(summary, screen)


def show_audit(audit: Mapping[str, Any], screen: Screen) -> None:
    """How far the labels can be believed."""
    data, labels = audit["data"], audit["labels"]
    screen.say(label_quality(audit), "bold")
    _basis(audit, screen)
    screen.say(f"{counted(data['rows'], 'row')}, {counted(len(audit['classes']), 'class')}{_target(data)}")
    _table(audit, screen)
    _notes(audit, screen)
    screen.say()
    show_labels(audit, screen)
    if labels["kind"] == "noisy" and labels["confusions"] is not None:
        _confusions(audit, labels["confusions"], screen)
        _suspects(labels, screen)
        _actions(audit, screen)
    if labels["kind"] == "crowd":
        show_asking(audit, screen, _MOST_SUSPECTS)
    _warnings(audit, screen)


def show_labels(summary: Mapping[str, Any], screen: Screen) -> None:
    """Label quality, class by class or annotator by annotator."""
    labels = summary["labels"]
    kind = labels["kind"] if labels else None
    if kind == "noisy":
        counts, count = {c["name"]: c["rows"] for c in summary["classes"]}, "weight" if is_weighted(summary) else "rows"
        rows = [
            [shown(r["class"]), _count(counts[r["class"]]), "-" if r["rate"] is None else percent(r["rate"])]
            for r in labels["rates"][:_MOST_ROWS]
        ]
        screen.first_rows(["class", count, "wrong"], rows, len(labels["rates"]))
    elif kind == "crowd":
        show_annotators(labels, screen, _MOST_ROWS)


def _count(rows: float) -> str:
    """Rows, or their weights."""
    return f"{rows:.0f}" if abs(rows - round(rows)) < 1e-6 else f"{rows:.1f}"


def _kept(summary, screen):
    """The features that were kept, the best first: how often, how much is missing, and what can replace them."""
    features, judged, instead = summary["features"], summary["evidence"] is not None, replacements(summary)
    gaps = has_gaps(summary)
    kept = [place for place, f in enumerate(features) if f["selected"]]
    score_of = {place: features[place]["score"] for place in kept}
    kept.sort(key=lambda place: -float("inf") if score_of[place] is None else score_of[place], reverse=True)
    most = max([score_of[place] or 0 for place in kept], default=0)
    rows = []
    for place in kept[:_MOST_ROWS]:
        f, score = features[place], score_of[place]
        row = [shown(f["name"]), number(score)]
        if judged:
            row.append(percent(f["frequency"]))
        if gaps:
            row.append(percent(f["missing"]))
        if instead:
            row.append(listed([features[other]["name"] for other, _ in instead.get(place, ())], _MOST_REPLACEMENTS))
        if screen.is_terminal:
            row.append(screen.bar(score / most if score and most > 0 else None))
        rows.append(row)
    header = ["feature", "score", *["selected in"] * judged, *["missing"] * gaps]
    header += [*["can be replaced by"] * bool(instead), *[""] * screen.is_terminal]
    screen.first_rows(header, rows, len(kept))
    if judged:
        screen.say("selected in: share of the folds that select the feature, at this size")


def _errors(summary, screen):
    """Errors on rows left out, at the sizes around the one chosen, and with all features."""
    evidence, size, n_features = summary["evidence"], summary["search"]["n_selected"], summary["data"]["n_features"]
    judged = evidence["sizes"]
    chosen = next(i for i, at in enumerate(judged) if at["size"] == size)
    near, first = _around(judged, chosen)
    rows = [_error_row("0", evidence["error_of_nothing"], None)]
    rows += [_error_row(f"{at['size']:,}", at["error"], at["error_interval"], at["size"] == size) for at in near]
    if evidence["error_of_all"] is not None and near[-1]["size"] < n_features:
        rows.append(_error_row(f"{n_features:,} (all)", evidence["error_of_all"], evidence["error_of_all_interval"]))
    some = "" if len(near) == len(judged) else f" (sizes near {size:,})"
    screen.say(f"Error on rows left out, by the number of features{some}")
    screen.table(["size", "error", "95 % interval", ""], rows, strong=1 + chosen - first)
    screen.say(meaning_of_errors(summary))
    screen.say(basis_of_errors(summary))
    for words in filter(None, (what_the_sieve_did(summary), basis_of_steps(summary))):
        screen.say(words)
    if evidence["found"]:
        screen.say("the error of the first line counts the choice of the size too, and may differ from that of its row")


def _error_row(size, error, interval, is_kept=False):
    return [size, *with_ends(error, interval), "<- kept" if is_kept else ""]


def _around(entries, chosen):
    """Some of the entries around the one chosen, and the place of the first."""
    first = max(0, min(chosen - _MOST_SIZES // 2, len(entries) - _MOST_SIZES))
    return entries[first : first + _MOST_SIZES], first


def _path(summary, screen):
    """The criterion at the sizes around the one chosen."""
    direction, path, size = summary["search"]["direction"], summary["path"], summary["search"]["n_selected"]
    chosen = next(i for i, step in enumerate(path) if step["size"] == size)
    near, first = _around(path, chosen)
    scores, rows = path_scores(summary), []
    for i, step in enumerate(near, start=first):
        kept = "<- kept" if i == chosen else ""
        rows.append([str(step["size"]), number(scores[i]), listed(at_stake(summary, i), 3), kept])
    screen.say(f"The {direction} path" + ("" if len(rows) == len(path) else f" (sizes near {size} of {len(path)})"))
    header = ["size", "score", "next to leave" if shrinks(summary) else "added", ""]
    screen.table(header, rows, strong=chosen - first)


def _basis(summary, screen):
    """What the share of wrong labels rests on, and what there is to find."""
    for sentence in (*basis_of_share(summary, short=True), budget_words(summary), *crowd_words(summary)):
        if sentence:
            screen.say(sentence)


def _confusions(summary, confusions, screen):
    screen.say()
    if not confusions:
        screen.say("No two classes are confused")
        return
    screen.say("Which class is taken for which")
    rows = [
        [shown(c["true"]), shown(c["recorded"]), *with_ends(c["rate"], (c["low"], c["high"])), f"{c['rows']:.0f}"]
        for c in confusions[:_MOST_SUSPECTS]
    ]
    count = "weight, about" if is_weighted(summary) else "rows, about"
    header = ["true class", "recorded as", "of the class", "95 % interval", count]
    screen.first_rows(header, rows, len(confusions))


def _suspects(labels, screen):
    if labels["suspects"]:
        screen.say()
        screen.say("The most doubtful rows")
        rows = [
            [str(s["row"]), shown(s["recorded"]), shown(s["likely"]), number(s["p_wrong"], 2)]
            for s in labels["suspects"][:_MOST_SUSPECTS]
        ]
        screen.first_rows(["row", "recorded", "likely", "p wrong"], rows, labels["n_suspects"])


def _actions(summary, screen):
    """What to do about the rows, as relabelled.csv says of each."""
    actions = actions_of(summary)
    if actions:
        screen.say()
        screen.say("Suggested actions, for every row in relabelled.csv")
        screen.table(["action", "rows", ""], [[action, f"{n:,}", meaning] for action, n, meaning in actions])


def _target(data, before=", target "):
    return f"{before}{listed(data['targets'], 3)}" if data["targets"] else ""


def _table(summary, screen):
    for sentence in table_words(summary):
        screen.say(sentence)


def _notes(summary, screen):
    for note in summary["data"]["notes"]:
        screen.say(f"- {shown(note, 400)}")


def _warnings(summary, screen):
    if summary["warnings"]:
        screen.say()
    for said in summary["warnings"]:
        screen.say(f"Warning: {shown(said, 1000)}", "yellow")
