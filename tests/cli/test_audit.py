"""`tamis audit`: how many labels are wrong, which ones, and who said so."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tamis.views.html import page


@pytest.fixture
def spoiled(many_plants):
    """A quarter of the 80 roses are called tulips: the rows 1 to 20."""
    many_plants.loc[:19, "kind"] = "tulip"
    return many_plants.assign(place=["north", "south"] * 120)


def test_wrong_labels_are_found(run, put, spoiled):
    ran = run("audit", put(spoiled), "--target", "kind")
    assert ran.code == 0
    assert ran.out.splitlines()[0].endswith("labels more likely wrong than right")
    assert "Which class is taken for which" in ran.out
    assert ran.out.endswith(
        "\nFiles in table-tamis: audit.json, report.html, suspects.csv\n"
        "The report to look at is table-tamis/report.html\n"
    )
    audit = json.loads(Path("table-tamis/audit.json").read_text())
    assert audit["schema"] == "tamis.audit/1"
    assert 0.05 < audit["labels"]["share_wrong"] < 0.15
    suspects = pd.read_csv("table-tamis/suspects.csv")
    assert suspects["row"][:10].between(1, 20).sum() >= 9
    assert (suspects["likely"][:10] == "rose").sum() >= 9
    worst = audit["confusions"][0]
    assert (worst["true"], worst["recorded"]) == ("rose", "tulip")
    assert worst["rows"] == pytest.approx(20, abs=5)


def test_json_is_the_file_and_nothing_else(run, put, spoiled):
    ran = run("audit", put(spoiled), "--target", "kind", "--json")
    assert ran.json == json.loads(Path("table-tamis/audit.json").read_text())
    assert ran.err == ""
    assert page(ran.json) == Path("table-tamis/report.html").read_text(encoding="utf-8")


def test_annotators_are_judged(run, put, plants):
    rng = np.random.default_rng(0)
    kinds = plants["kind"].to_numpy()
    answers = {f"who_{a}": np.where(rng.uniform(size=60) < wrong, rng.permutation(kinds), kinds) for a, wrong in
               enumerate((0.05, 0.1, 0.9))}  # fmt: skip
    ran = run("audit", put(plants.drop(columns="kind").assign(**answers)), "-t", "who_*")
    assert ran.out.startswith("3 annotators, right in ")
    audit = json.loads(Path("table-tamis/audit.json").read_text())
    assert audit["labels"]["annotators"][0]["name"] == "who_2"
    assert audit["confusions"] is None
    assert "Files in table-tamis: annotators.csv, audit.json, report.html\n" in ran.out
    annotators = pd.read_csv("table-tamis/annotators.csv")
    assert annotators["annotator"].tolist()[0] == "who_2"
    assert annotators["reliability"].is_monotonic_increasing


def test_clean_labels_are_called_clean(run, put, plants):
    ran = run("audit", put(plants), "--target", "kind", "--json")
    assert ran.json["labels"]["share_wrong"] < 0.05


def test_features_that_tell_nothing_are_said_to(run, put, plants):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"z": rng.normal(size=60), "kind": rng.permutation(plants["kind"])})
    ran = run("audit", put(table), "--target", "kind")
    assert "Warning: the features tell nothing about the recorded labels" in ran.out
    assert "No two classes are confused" in ran.out
