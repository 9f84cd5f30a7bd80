"""VERDICTS.md: a row for each table and figure, written from the records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from .declaring import CANNOT, IN_PART, NOT, NOT_RUN, REPRODUCED, RULE, Finding, Item, Paper
from .records import Records

Judged = list[tuple[Paper, list[tuple[Item, Finding | None, str]]]]

HEAD = """# Five papers, run again

Written by `python -m experiments` from the records in `*/results/`; do not edit. {rule}

{counts}
"""


def judged(papers: Iterable[Paper], records: Mapping[str, Records]) -> Judged:
    """Every item with its finding and verdict."""
    return [
        (paper, [(item, found := item.finding(records), item.verdict(found)) for item in paper.items])
        for paper in papers
    ]


def counts(judged: Judged) -> str:
    """How many items there are of each verdict."""
    kinds = Counter(verdict.split(":")[0] for _, items in judged for _, _, verdict in items)
    told = [f"{kinds[kind]} {kind}" for kind in (REPRODUCED, IN_PART, NOT, CANNOT, NOT_RUN) if kinds[kind]]
    return f"{sum(kinds.values())} tables and figures: {', '.join(told)}."


def markdown(judged: Judged) -> str:
    """The whole file."""
    parts = [HEAD.format(rule=RULE, counts=counts(judged))]
    for paper, items in judged:
        parts.append(f"## {paper.title}\n")
        parts.append(_table(paper, items))
        parts.append("### How each was decided\n")
        parts += [_decided(item, found) for item, found, _ in items]
        if paper.readings:
            parts.append("### Readings\n\n" + "\n".join(f"- {reading}" for reading in paper.readings) + "\n")
    return "\n".join(parts)


def _table(paper, items):
    lines = ["| | claim | run | printed | ours | verdict |", "|---|---|---|---|---|---|"]
    for item, found, verdict in items:
        number = f"[{item.number}]({paper.figure(item)})" if item.draw and found else item.number
        cells = [number, item.claim, *_figures(found), f"**{verdict}**"]
        lines.append("| " + " | ".join(map(_cell, cells)) + " |")
    return "\n".join(lines) + "\n"


def _figures(found):
    return (found.ran, found.printed, found.ours) if found else ("nothing", "-", "-")


def _decided(item, found):
    lines = [f"**{item.number}.** {item.rule}\n"]
    if found:
        lines += ["| check | printed | ours | holds |", "|---|---|---|---|"]
        for check in found.checks:
            cells = [check.says, check.printed, check.ours, "yes" if check.holds else "no"]
            lines.append("| " + " | ".join(map(_cell, cells)) + " |")
        lines.append("")
    return "\n".join(lines)


def _cell(text):
    return " ".join(str(text).split()).replace("|", "\\|")
