"""Annotators, and rows to ask them about, on a terminal or as plain text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._crowd_words import annotators_first, asking_words
from ._screen import Screen
from ._words import number, shown, with_ends


def show_annotators(labels: Mapping[str, Any], screen: Screen, most: int) -> None:
    """Those with a note first, then the least reliable."""
    who, rows = annotators_first(labels)[:most], []
    notes = any(a["note"] for a in who)
    for a in who:
        right = with_ends(a["reliability"], (a["low"], a["high"]))
        rows.append([shown(a["name"]), f"{a['answers']:,}", *right, *[shown(a["note"] or "-")] * notes])
    header = ["annotator", "answers", "right", "95 % interval", *["note"] * notes]
    screen.first_rows(header, rows, labels["n_annotators"])


def show_asking(summary: Mapping[str, Any], screen: Screen, most: int) -> None:
    """Rows where one more answer is worth most."""
    labels = summary["labels"]
    screen.say()
    screen.say(asking_words(summary))
    rows = [_row(entry) for entry in labels["ask_next"][:most] if entry["gain"] > 0]
    if rows:
        screen.first_rows(["row", "likely", "p", "second", "p", "gain"], rows, labels["n_ask_next"])


def _row(entry) -> list[str]:
    likely, second = ([shown(entry[name]), number(entry[f"p_{name}"], 2)] for name in ("likely", "second"))
    return [str(entry["row"]), *likely, *second, f"{entry['gain']:.3g}"]
