"""All verdicts and figures as one HTML file that needs nothing else, in the style of the report."""

from __future__ import annotations

import base64
import re
from importlib.resources import files
from pathlib import Path

import jinja2
from markupsafe import Markup, escape

from tamis import __version__

from .drawing import save, styled
from .verdicts import Judged, counts


def draw_all(judged: Judged, records, root: Path):
    """Every figure that has records."""
    for paper, items in judged:
        for item, found, _ in items:
            if item.draw and found:
                with styled():
                    drawn = item.draw(*(records[e.name] for e in item.experiments))
                save(drawn, root / paper.figure(item))


def page(judged: Judged, root: Path, what: str, committed: Judged | None = None) -> str:
    """The whole file; `committed` are verdicts of more repetitions, shown where they differ."""
    before = {(paper.name, item.number): verdict for paper, items in committed or [] for item, _, verdict in items}
    papers = [
        (
            {"name": paper.name, "title": _emphasised(paper.title), "readings": paper.readings},
            [
                {
                    "item": item,
                    "found": found,
                    "verdict": verdict,
                    "kind": verdict.split(":")[0].replace(" ", "-"),
                    "committed": before.get((paper.name, item.number)),
                    "image": _image(root / paper.figure(item)) if found and item.draw else None,
                }
                for item, found, verdict in items
            ],
        )
        for paper, items in judged
    ]
    template = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined).from_string(
        Path(__file__).with_name("page.html").read_text()
    )
    style = (files("tamis.views") / "page" / "style.css").read_text()
    return template.render(papers=papers, counts=counts(judged), style=style, version=__version__, what=what)


def _emphasised(title) -> Markup:
    """What stands between asterisks in italics, all else escaped."""
    return Markup(re.sub(r"\*(.+?)\*", r"<em>\1</em>", str(escape(title))))


def _image(path):
    return "data:image/svg+xml;base64," + base64.b64encode(path.read_bytes()).decode() if path.exists() else None
