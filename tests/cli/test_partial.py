"""Targets that say less than a class, and rows without one, on the command line."""

import json

import numpy as np
import pandas as pd
import pytest
from report_code import again

from tamis import memberships_of
from tamis.cli import preparing
from tamis.cli.errors import WrongUse
from tamis.cli.tables import Refused, read

FAST = ("--search", "ranking", "--features", 2)


@pytest.fixture
def said(plants):
    """Roses and tulips, of which something is said in several ways; of the third row nothing."""
    random, kinds = np.random.default_rng(0), plants["kind"].to_numpy()
    others = np.where(kinds == kinds[0], kinds[-1], kinds[0])
    table = plants.assign(sure=random.uniform(0.6, 1, len(plants)).round(2))
    table["some"] = np.where(random.random(len(plants)) < 0.5, kinds, kinds + "|" + others)
    table["order"] = np.where(random.random(len(plants)) < 0.5, kinds, kinds + " > " + others)
    for name in np.unique(kinds):
        table[f"for {name}"] = random.poisson(np.where(kinds == name, 3, 1))
    table.loc[2, ["kind", "some", "order"]] = None
    table.loc[2, [c for c in table if c.startswith("for ")]] = 0
    return table


@pytest.fixture
def prepared(put, tmp_path):
    def prepared(columns, target, **how):
        table = pd.DataFrame(columns)
        put(table.assign(x=np.arange(len(table)) / 7))
        return preparing.prepare(read(tmp_path / "table.csv"), target=target, **how)

    return prepared


HOW = {
    "confidence": ("-t", "kind", "--confidence", "sure"),
    "candidates": ("-t", "some", "--labels", "candidates"),
    "ranking": ("-t", "order", "--labels", "ranking"),
    "votes": ("-t", "for *", "--labels", "votes"),
}


@pytest.mark.parametrize("search", ["ranking", "backward", "blanket"])
@pytest.mark.parametrize("kind", HOW)
def test_every_kind_is_selected_by_and_repeated_by_the_code_of_the_report(run, put, said, capsys, kind, search):
    mine = {"confidence": "sure", "candidates": "some", "ranking": "order", "votes": "for "}[kind]
    kept = ["x", "y", "z", *(c for c in said if c.startswith(mine)), *(["kind"] if kind == "confidence" else [])]
    ran = run("select", put(said[kept]), *HOW[kind], "--search", search, "--features", 2, "--json")
    summary = ran.json
    assert set(summary["selected"]) == {"x", "y"}
    assert summary["labels"]["kind"] == "soft"
    assert any("1 of 60 rows have no label" in warning for warning in summary["warnings"])
    assert any(note.startswith("labels are taken as") for note in summary["data"]["notes"])
    reading = {column["name"]: column["read_as"] for column in summary["data"]["columns"]}
    assert [reading[c] for c in kept[:3]] == ["number"] * 3
    assert {reading[c] for c in kept[3:]} <= {"target", "confidence"}
    assert set(pd.read_csv("table-tamis/selected.csv").columns) == set(kept) - {"z"}
    with pytest.warns(UserWarning, match="no label"):
        names, out = again("table-tamis", capsys)
    np.testing.assert_array_equal(names["X"].columns[names["selector"].support_], sorted(summary["selected"]))
    assert "'x'" in out


def test_the_matrix_is_that_of_python(prepared):
    some = ["a|b", "c", None, "b | c | a"]
    lists = [["a", "b"], ["c"], None, ["b", "c", "a"]]
    for sign in "|;":
        table = prepared({"some": [s and s.replace("|", sign) for s in some]}, ["some"], labels="candidates")
        pd.testing.assert_frame_equal(table.y, memberships_of(candidates=lists))
    for sign in ">|;":
        table = prepared({"some": [s and s.replace("|", sign) for s in some]}, ["some"], labels="ranking")
        pd.testing.assert_frame_equal(table.y, memberships_of(ranking=lists))
        assert f"classes between '{sign}' in 'some'" in " ".join(table.notes)
    votes = pd.DataFrame({"a": [1, 0, 2], "b": [1, np.nan, 0]})
    table = prepared(votes, ["a", "b"], labels="votes")
    pd.testing.assert_frame_equal(table.y, memberships_of(votes=votes))
    kinds, sure = ["a", "b", None, "c", "a"], [0.5, 0.8, 0.9, 1.0, 0.7]
    table = prepared({"kind": kinds, "sure": sure}, ["kind"], confidence="sure")
    pd.testing.assert_frame_equal(table.y, memberships_of(kinds, confidence=sure))
    assert table.reading["confidence"] == "sure"


def test_numbers_may_be_classes_and_confidences_may_be_missing(prepared):
    table = prepared({"kind": [1, 2, 1, None], "sure": [0.5, None, 1.0, None]}, ["kind"], confidence="sure")
    assert table.y.columns.tolist() == [1, 2]
    assert table.y.to_numpy().tolist() == [[0.5, 0.5], [0, 1], [1, 0], [0, 0]]
    assert any("1 of 4 rows have a class without a confidence" in note for note in table.notes)


@pytest.mark.parametrize("labels", ["soft", "multilabel"])
def test_rows_that_lack_a_part_have_no_label(prepared, labels):
    table = prepared({"a": [1, 0, 1, None], "b": [0, 1, None, None]}, ["a", "b"], labels=labels)
    assert table.y.isna().to_numpy().tolist() == [[False] * 2, [False] * 2, [True] * 2, [True] * 2]
    assert "rows without a label: 2 of 4 (the first is row 3)" in table.notes


def test_probabilities_are_found_beside_rows_without_any(prepared):
    assert prepared({"a": [0.5, 0.25, None], "b": [0.5, 0.75, None]}, ["a", "b"]).kind == "soft"
    assert prepared({"a": [1, 0, None], "b": [1, 1, None]}, ["a", "b"]).kind == "multilabel"


@pytest.mark.parametrize(
    ("columns", "how", "said"),
    [
        ({"t": ["a|b", "a;b"]}, {"labels": "candidates"}, "one separator .* | or ;; 't' has | and ;"),
        ({"t": ["a", "b"]}, {"labels": "candidates"}, "'t' has none of them. Use one throughout, or --labels hard"),
        ({"t": [1, 2]}, {"labels": "ranking"}, "none of them"),
        ({"t": ["a>b", "b|a"]}, {"labels": "ranking"}, "'t' has > and |"),
        ({"t": ["a|b", "a||b"]}, {"labels": "candidates"}, "row 2 of 't': there is nothing beside a separator"),
        ({"t": ["a|b", "|"]}, {"labels": "candidates"}, "row 2 of 't'"),
        ({"t": ["a>b", "b>b"]}, {"labels": "ranking"}, "row 2 of 't': 'b' comes twice"),
        ({"t": ["a|a", "a"]}, {"labels": "candidates"}, "at least two classes; 't' has one"),
        ({"t": [None, None]}, {"labels": "candidates"}, "'t' is missing in all 2"),
        ({"t": ["a", "b"], "c": [0.5, 80]}, {"confidence": "c"}, "row 2 of 'c' has 80 .*Divide percent by 100"),
        ({"t": ["a", "b"], "c": [-0.5, 1]}, {"confidence": "c"}, "row 1 of 'c' has -0.5"),
        ({"t": ["a", "b"], "c": ["sure", "no"]}, {"confidence": "c"}, "--confidence must name a column of numbers"),
        ({"t": ["a", "b"], "c": [None, None]}, {"confidence": "c"}, "numbers in some rows; 'c' has none"),
        ({"t": ["a", "b"], "c": ["50 %", "60 %"]}, {"confidence": "c"}, "Divide percent by 100"),
    ],
)
def test_what_says_nothing_clear_is_refused(prepared, columns, how, said):
    with pytest.raises(Refused) as refused:
        prepared(columns, ["t"], **how)
    for part in said.split(" .*"):
        assert part.strip() in str(refused.value)


@pytest.mark.parametrize(
    ("votes", "said"),
    [
        ([1, -2], "votes must not be negative; row 2 of 'b' has -2"),
        (["x", "y"], "'b' is text"),
        ([0, 0], "votes must be there in some row"),
    ],
)
def test_votes_that_will_not_do(prepared, votes, said):
    with pytest.raises(Refused) as refused:
        prepared({"a": [0, 0], "b": votes}, ["a", "b"], labels="votes")
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("targets", "how", "said"),
    [
        (["t"], {"confidence": "t"}, "--confidence must not name what --target names"),
        (["t"], {"confidence": "C"}, "--confidence must name a column of the table; 'C' is none: did you mean 'c'?"),
        (["t"], {"confidence": "c", "labels": "noisy"}, "--labels soft or none; got 1 targets and --labels noisy"),
        (["t", "u"], {"confidence": "c"}, "one --target, a column of classes"),
        (["t", "u"], {"labels": "candidates"}, "--labels candidates needs one --target column; got 2"),
        (["t"], {"labels": "votes"}, "--labels votes needs several --target columns; got 1"),
    ],
)
def test_options_that_do_not_go_together(prepared, targets, how, said):
    with pytest.raises(WrongUse) as wrong:
        prepared({"t": ["a", "b"], "u": ["a", "b"], "c": [0.5, 0.6]}, targets, **how)
    assert said in str(wrong.value)


def test_an_audit_offers_classes_for_rows_without_one(run, put, plants):
    plants.loc[[4, 30], "kind"] = None
    ran = run("audit", put(plants), "-t", "kind", "--json")
    actions = ran.json["labels"]["actions"]
    assert sum(actions.values()) == 60
    table = pd.read_csv("table-tamis/relabelled.csv")
    rows = table[table["recorded"].isna()]
    assert rows["row"].tolist() == [5, 31]
    assert (rows["action"] == "fill in").sum() == actions["fill in"]
    assert (rows["weight"] == 0).all()
    assert not pd.read_csv("table-tamis/suspects.csv")["row"].isin([5, 31]).any()
    assert sum(c["rows"] for c in ran.json["classes"]) == 58
    assert "fill in" in run("audit", "table.csv", "-t", "kind", "--force").out
    whole = json.loads((run("audit", put(plants.dropna(), "whole.csv"), "-t", "kind", "--json")).out)
    assert "fill in" not in whole["labels"]["actions"]


def test_probabilities_of_ones_own_are_for_all_rows(run, put, plants):
    kinds = sorted(plants["kind"].unique())
    for kind in kinds:
        plants[f"p_{kind}"] = np.where(plants["kind"] == kind, 0.9, 0.1 / (len(kinds) - 1))
    plants.loc[[4, 30], "kind"] = None
    assert run("audit", put(plants), "-t", "kind", "--probabilities", "p_*", "--json").code == 0
    assert pd.read_csv("table-tamis/relabelled.csv")["likely"].notna().all()
