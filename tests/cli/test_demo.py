"""`tamis demo`: what was corrupted is found."""

import json
import re
from pathlib import Path

import pandas as pd
import sklearn
from sklearn.utils.fixes import parse_version

from tamis.views._words import answer

README = Path(__file__).parents[2] / "README.md"


def test_the_demo_finds_what_was_corrupted(run):
    ran = run("demo", "--out", "show")
    assert ran.code == 0
    found = int(re.search(r"Of the 36 most doubtful rows (\d+) are wrong indeed", ran.out)[1])
    assert found >= 30
    assert "Of the 6 useless columns 0 are kept." in ran.out
    assert ran.out.endswith(
        "\nThe files are in show: audit.json, relabelled.csv, selected.csv, selection.json, suspects.csv, wine.csv.\n"
        "The report to look at is show/report.html; of the audit alone, show/audit.html.\n"
    )
    summary = json.loads(Path("show/selection.json").read_text())
    assert summary["schema"] == "tamis.selection/4"
    assert 3 <= summary["search"]["n_selected"] <= 13
    assert f"\n{answer(summary)}\n" in ran.out
    headline = answer(summary).replace(" %", "\N{NO-BREAK SPACE}%")
    assert f"<h1>{headline}</h1>" in Path("show/report.html").read_text(encoding="utf-8")
    assert "of the labels are wrong, most likely" in Path("show/audit.html").read_text(encoding="utf-8")
    assert len(pd.read_csv("show/wine.csv")) == 178
    again = run("demo", "--out", "show")
    assert (again.code, "exists already" in again.err) == (2, True)


def test_its_table_can_be_used_by_hand_and_the_readme_shows_it(run):
    run("demo", "--out", "show")
    assert run("demo", "--out", "show", "--force").code == 0
    ran = run("select", "show/wine.csv", "--target", "cultivar")
    by_hand, shown = (json.loads(Path(f, "selection.json").read_text()) for f in ("wine-tamis", "show"))
    assert by_hand == shown
    assert Path("wine-tamis/report.html").read_bytes() == Path("show/report.html").read_bytes()
    if parse_version(sklearn.__version__) >= parse_version("1.9"):  # forests of other versions are others
        assert f"$ tamis select wine.csv --target cultivar\n{ran.out}```" in README.read_text()
