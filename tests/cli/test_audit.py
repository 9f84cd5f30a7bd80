"""`tamis audit`: how many labels are wrong, which ones, and who said so."""

import json
import re
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
    assert " of the labels are wrong, most likely " in ran.out.splitlines()[0]
    assert re.search(r"Look at the \d+ most doubtful rows: about \d+ mistakes are among them", ran.out)
    assert "Which class is taken for which" in ran.out
    assert ran.out.endswith(
        "\nFiles in table-tamis: audit.json, relabelled.csv, report.html, suspects.csv\n"
        "The report to look at is table-tamis/report.html\n"
    )
    audit = json.loads(Path("table-tamis/audit.json").read_text())
    assert audit["schema"] == "tamis.audit/3"
    low, high = audit["labels"]["share_wrong_interval"]
    assert low <= 20 / 240 <= high
    assert 0.05 < audit["labels"]["share_wrong"] < 0.15
    suspects = pd.read_csv("table-tamis/suspects.csv")
    assert suspects["row"][:10].between(1, 20).sum() >= 9
    assert (suspects["likely"][:10] == "rose").sum() >= 9
    worst = audit["labels"]["confusions"][0]
    assert (worst["true"], worst["recorded"]) == ("rose", "tulip")
    assert worst["rows"] == pytest.approx(20, abs=5)
    assert worst["low"] < 20 / 80 < worst["high"]


def test_every_row_has_an_action_and_a_weight(run, put, spoiled):
    spoiled.loc[30, "kind"] = None
    ran = run("audit", put(spoiled), "--target", "kind", "--missing", "drop-rows", "--json")
    table, labels = pd.read_csv("table-tamis/relabelled.csv"), ran.json["labels"]
    assert list(table.columns) == ["row", "recorded", "likely", "p_likely", "p_wrong", "action", "weight"]
    assert table["row"].tolist() == [row for row in range(1, 241) if row != 31]
    assert table["recorded"].tolist() == spoiled["kind"].dropna().tolist()
    assert table["action"].value_counts().to_dict() == {a: n for a, n in labels["actions"].items() if n}
    assert table["weight"].to_numpy() == pytest.approx(1 - table["p_wrong"].to_numpy(), abs=1e-12)
    doubts = table["p_wrong"].sort_values(ascending=False)
    for entry in labels["budget"]:
        assert entry["mistakes"] == pytest.approx(doubts[: entry["rows"]].sum())
    assert labels["share_wrong"] == pytest.approx(table["p_wrong"].mean(), abs=1e-9)
    kept = table[table["action"] == "keep"]
    assert kept["p_wrong"].mean() <= 0.05
    assert (kept["likely"] == kept["recorded"]).all()


def test_selections_say_the_same_of_the_labels(run, put, spoiled):
    file = put(spoiled)
    audit = run("audit", file, "--target", "kind", "--json", "--out", "audit").json
    how = ("--search", "ranking", "--features", "2", "--labels", "noisy")
    selection = run("select", file, "--target", "kind", "--json", "--out", "selection", *how).json
    assert selection["labels"] == audit["labels"]
    for name in ("suspects.csv", "relabelled.csv"):
        assert Path("audit", name).read_text() == Path("selection", name).read_text()


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
    assert "Files in table-tamis: annotators.csv, ask_next.csv, audit.json, consensus.csv, report.html\n" in ran.out
    annotators = pd.read_csv("table-tamis/annotators.csv")
    assert annotators["annotator"].tolist()[0] == "who_2"
    assert annotators["reliability"].is_monotonic_increasing


def test_clean_labels_are_called_clean(run, put, plants):
    ran = run("audit", put(plants), "--target", "kind", "--json")
    assert ran.json["labels"]["share_wrong"] < 0.05
    assert ran.json["labels"]["share_wrong_interval"][0] == 0


def test_features_that_tell_nothing_are_said_to(run, put, plants):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"z": rng.normal(size=60), "kind": rng.permutation(plants["kind"])})
    ran = run("audit", put(table), "--target", "kind")
    assert ran.out.startswith("How many labels are wrong is not known: the features do not predict them\n")
    assert "Warning: the features do not predict the recorded labels" in ran.out
    assert "confused" not in ran.out
    labels = json.loads(Path("table-tamis/audit.json").read_text())["labels"]
    assert [labels[key] for key in ("share_wrong", "transition", "actions", "confusions")] == [None] * 4
    assert (labels["budget"], labels["suspects"]) == ([], [])
    assert {rate["rate"] for rate in labels["rates"]} == {None}
    assert " 0 %" not in page(json.loads(Path("table-tamis/audit.json").read_text()))
