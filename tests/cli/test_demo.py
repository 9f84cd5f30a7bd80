"""`tamis demo`: what was spoiled is found."""

import json
import re
from pathlib import Path

import pandas as pd

README = Path(__file__).parents[2] / "README.md"


def test_the_demo_finds_what_was_spoiled(run):
    ran = run("demo", "--out", "show")
    assert ran.code == 0
    found = int(re.search(r"Of the 36 most doubtful rows (\d+) are wrong indeed", ran.out)[1])
    assert found >= 30
    assert "Of the 6 useless columns 0 are kept." in ran.out
    assert "The files are in show" in ran.out
    assert json.loads(Path("show/selection.json").read_text())["schema"] == "tamis.selection/1"
    assert len(pd.read_csv("show/wine.csv")) == 178
    again = run("demo", "--out", "show")
    assert (again.code, "exists already" in again.err) == (2, True)


def test_its_table_can_be_used_by_hand_and_the_readme_shows_it(run):
    run("demo", "--out", "show")
    ran = run("select", "show/wine.csv", "--target", "cultivar")
    by_hand, shown = (json.loads(Path(f, "selection.json").read_text()) for f in ("wine-tamis", "show"))
    assert by_hand == shown
    answer = "\n".join(ran.out.splitlines()[:2])
    assert f"$ tamis select wine.csv --target cultivar\n{answer}\n" in README.read_text()
