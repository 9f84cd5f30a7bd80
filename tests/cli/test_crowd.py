"""Answers of annotators on the command line: in columns or in a file of their own, with true classes of some rows."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from report_code import again

from tamis import CrowdLabels, answers_of
from tamis._validation import LongAnswers
from tamis.cli.auditing import coordinates
from tamis.cli.preparing import read_table

KINDS = np.array(["daisy", "rose", "tulip"])
ERRORS = (0.05, 0.1, 0.3, 0.6, 0.7)


@pytest.fixture
def wide(plants):
    """Sixty plants with a name each, the true kind of some, and the answers of five people, who left out a third."""
    rng = np.random.default_rng(1)
    kind = plants["kind"].to_numpy()
    table = plants.drop(columns="kind").assign(plant=[f"p{i}" for i in rng.permutation(60)])
    for a, error in enumerate(ERRORS):
        said = np.where(rng.random(60) < error, rng.choice(KINDS, 60), kind)
        table[f"who_{a}"] = pd.Series(said, dtype=object).where(rng.random(60) < 2 / 3)
    table.loc[:1, [f"who_{a}" for a in range(5)]] = None
    return table.assign(truth=pd.Series(kind, dtype=object).where(rng.random(60) < 0.2))


@pytest.fixture
def apart(wide):
    """The table without answers, and the answers, a line each."""
    who = [name for name in wide if name.startswith("who_")]
    return wide.drop(columns=who), lines_of(wide, who)


def lines_of(wide, who):
    numbered = wide[["plant", *who]].assign(row=range(1, 61))
    lines = numbered.melt(["row", "plant"], who, "annotator", "label").dropna()
    return lines.sample(frac=1, random_state=0)


def consensus(folder="table-tamis"):
    return pd.read_csv(Path(folder, "consensus.csv"))


# The same answers


def test_an_audit_says_what_the_label_model_does(run, put, wide, apart):
    ran = run("audit", put(wide), "-t", "who_*", "--drop", "plant", "--drop", "truth", "--seed", 3)
    assert "estimated from the answers and what classifiers predict from the features" in ran.out
    X = wide[["x", "y", "z"]].to_numpy()
    model = CrowdLabels(random_state=3).fit(X, wide.filter(like="who_"))
    labels, found = json.loads(Path("table-tamis/audit.json").read_text())["labels"], consensus()
    assert found["row"].tolist() == list(range(1, 61))
    assert found["p_likely"].to_numpy() == pytest.approx(model.memberships_.max(axis=1), abs=1e-9)
    assert found["likely"].tolist() == model.classes_[model.memberships_.argmax(axis=1)].tolist()
    assert found["n_answers"].tolist() == wide.filter(like="who_").notna().sum(axis=1).tolist()
    assert labels["expected_right"] == pytest.approx(found["p_likely"].mean())
    assert (labels["rows_unanswered"], labels["unanswered_predicted"], labels["rows_gold"]) == (2, True, 0)
    table = model.annotators()
    for entry, expected in zip(labels["annotators"], table.to_dict("records"), strict=True):
        assert [entry[key] for key in ("name", "answers")] == [expected[key] for key in ("annotator", "n_answers")]
        assert [entry[key] for key in ("low", "high")] == pytest.approx([expected[key] for key in ("low", "high")])
        assert entry["note"] == (expected["note"] or None)
    asked = pd.read_csv("table-tamis/ask_next.csv")
    expected = model.ask_next()
    assert sorted(asked["row"]) == list(range(1, 61))
    assert asked["gain"].to_numpy() == pytest.approx(expected["gain"].to_numpy(), abs=1e-9)
    assert labels["n_ask_next"] == (expected["gain"] > 0).sum()


@pytest.mark.parametrize("by", ["row", "plant"])
@pytest.mark.parametrize("header", ["named", "in order", "other order"])
def test_a_file_of_answers_says_what_columns_do(run, put, wide, apart, by, header):
    table, lines = apart
    lines = lines[[by, "annotator", "label"]]
    if header == "in order":
        lines.columns = [by if by == "plant" else "item", "worker", "answer"]
    elif header == "other order":
        lines = lines[["label", by, "annotator"]].assign(seconds=7)
    put(lines, "said.csv")
    drop = ("--drop", "plant") if by == "row" else ()
    ran = run("audit", put(table), "--answers", "said.csv", "--gold", "truth", *drop)
    assert ran.code == 0
    run("audit", put(wide, "wide.csv"), "-t", "who_*", "--gold", "truth", "--drop", "plant")
    found, asked = consensus(), pd.read_csv("table-tamis/ask_next.csv")
    if by == "plant":
        assert found.pop("plant").tolist() == wide["plant"].tolist()
        assert asked["plant"].tolist() == wide["plant"][asked["row"] - 1].tolist()
    pd.testing.assert_frame_equal(found, consensus("wide-tamis"))
    pd.testing.assert_frame_equal(*(pd.read_csv(f"{folder}-tamis/annotators.csv") for folder in ("table", "wide")))
    read = {c["name"]: c["read_as"] for c in json.loads(Path("table-tamis/audit.json").read_text())["data"]["columns"]}
    assert (read["truth"], read["plant"]) == ("gold", "row id" if by == "plant" else "left out")


def test_selections_say_the_same_of_the_answers(run, put, apart):
    table, lines = apart
    file = put(table)
    put(lines[["plant", "annotator", "label"]], "said.csv")
    how = ("--answers", "said.csv", "--gold", "truth", "--json")
    audit = run("audit", file, *how, "--out", "audit").json
    selection = run("select", file, *how, "--out", "selection", "--search", "ranking", "--features", 2).json
    assert selection["labels"].keys() == audit["labels"].keys()
    for key in ("predicted_from", "n_annotators", "rows_gold", "rows_unanswered", "n_ask_next", "converged"):
        assert selection["labels"][key] == audit["labels"][key]
    for name, by in {"annotators": "annotator", "consensus": "row", "ask_next": "row"}.items():
        tables = (pd.read_csv(f"{folder}/{name}.csv") for folder in ("audit", "selection"))
        pd.testing.assert_frame_equal(*(table.sort_values(by, ignore_index=True) for table in tables))
    assert list(pd.read_csv("selection/selected.csv")) == [*selection["selected"], "truth"]


def test_true_classes_are_certain(run, put, wide):
    run("audit", put(wide), "-t", "who_*", "--drop", "plant", "--gold", "truth")
    known, found = wide["truth"].notna().to_numpy(), consensus()
    assert found["likely"][known].tolist() == wide["truth"][known].tolist()
    assert (found["p_likely"][known] == 1).all()
    audit = json.loads(Path("table-tamis/audit.json").read_text())
    assert audit["labels"]["rows_gold"] == known.sum()
    assert "truth" not in [a["name"] for a in audit["labels"]["annotators"]]
    assert audit["asked"]["parameters"]["expert"] == "truth"


def test_answers_need_no_features(run, put, wide):
    answers = wide.filter(like="who_")
    ran = run("audit", put(answers), "-t", "who_*")
    assert "the answers alone: no feature is used" in ran.out
    assert "2 rows have no answer and are left out" in ran.out
    found = consensus()
    model = CrowdLabels().fit(None, answers.iloc[2:])
    assert found["p_likely"][2:].to_numpy() == pytest.approx(model.memberships_.max(axis=1), abs=1e-9)
    assert found["likely"][:2].isna().all()
    refused = run("select", "table.csv", "-t", "who_*", "--out", "other")
    assert (refused.code, "must have features beside the answers" in refused.err) == (3, True)


def test_probabilities_of_ones_own(run, put, wide, apart, tmp_path):
    rng = np.random.default_rng(0)
    P = pd.DataFrame(rng.dirichlet(np.ones(3), 60), columns=KINDS)
    np.save(tmp_path / "P.npy", P.to_numpy())
    given = ("--probabilities", "P.npy")
    run("audit", put(wide), "-t", "who_*", *given)
    model = CrowdLabels(estimator="precomputed", random_state=0).fit(P, wide.filter(like="who_"))
    assert consensus()["p_likely"].to_numpy() == pytest.approx(model.memberships_.max(axis=1), abs=1e-9)
    audit = json.loads(Path("table-tamis/audit.json").read_text())
    assert (audit["labels"]["predicted_from"], audit["data"]["n_features"]) == ("probabilities", 0)
    put(apart[1][["row", "annotator", "label"]], "said.csv")
    assert run("audit", "table.csv", "--answers", "said.csv", *given, "--force").code == 0
    assert consensus()["p_likely"].to_numpy() == pytest.approx(model.memberships_.max(axis=1), abs=1e-9)


def test_answers_for_rows_that_are_left_out(run, put, apart):
    table, lines = apart
    table.loc[[4, 9], "x"] = np.nan
    put(lines[["row", "annotator", "label"]], "said.csv")
    how = ("--answers", "said.csv", "--drop", "plant", "--drop", "truth", "--weight", "w", "--missing", "drop-rows")
    ran = run("audit", put(table.assign(w=[0.0] + 59 * [1.0])), *how, "--json")
    gone = lines["row"].isin([1, 5, 10])
    assert f"answers for rows that are left out: {gone.sum()} of {len(lines)}" in ran.json["data"]["notes"]
    assert consensus()["row"].tolist() == [row for row in range(2, 61) if row not in (5, 10)]
    assert sum(a["answers"] for a in ran.json["labels"]["annotators"]) == (~gone).sum()


def test_answers_that_are_repeated_count_once(run, put, apart):
    table, lines = apart
    lines = pd.concat([lines, lines.head(7)])[["row", "annotator", "label"]]
    put(lines, "said.csv")
    ran = run("audit", put(table.drop(columns=["plant", "truth"])), "--answers", "said.csv", "--json")
    assert f"answers that were given twice count once: 7 of {len(lines)}" in ran.json["data"]["notes"]
    assert sum(a["answers"] for a in ran.json["labels"]["annotators"]) == len(lines) - 7


def test_numbers_for_names_and_answers(run, put, apart):
    table, lines = apart
    codes = dict(zip(KINDS, (3, 1, 2), strict=True))
    lines = lines.assign(label=lines["label"].map(codes), annotator=lines["annotator"].str[-1].astype(int))
    lines["plant"] = lines["plant"].str[1:].astype(int) + 100
    table = table.assign(plant=table["plant"].str[1:].astype(float) + 100, truth=table["truth"].map(codes))
    put(lines[["plant", "annotator", "label"]], "said.csv")
    ran = run("audit", put(table), "--answers", "said.csv", "--gold", "truth", "--json")
    assert [c["name"] for c in ran.json["classes"]] == [1, 2, 3]
    assert {a["name"] for a in ran.json["labels"]["annotators"]} == set("01234")


def test_no_dense_table_is_made(run, put, apart, monkeypatch):
    table, lines = apart
    put(lines[["plant", "annotator", "label"]], "said.csv")

    def dense(*args, **how):
        raise AssertionError

    monkeypatch.setattr(LongAnswers, "__array__", dense)
    monkeypatch.setattr(LongAnswers, "to_frame", dense)
    how = ("--answers", "said.csv", "--gold", "truth")
    assert run("audit", put(table), *how).code == 0
    assert run("select", "table.csv", *how, "--out", "all").code == 0
    by_distance = ("--search", "blanket", "--class-distance", "far.csv", "--features", 2)
    put(",daisy,rose,tulip\ndaisy,0,1,2\nrose,1,0,2\ntulip,2,2,0\n", "far.csv")
    assert run("select", "table.csv", *how, *by_distance, "--out", "blanket").code == 0


# The code of the report


@pytest.mark.parametrize("how", ["features", "alone", "gold", "file", "probabilities", "rows"])
def test_the_code_of_an_audit_does_the_same(run, put, wide, apart, capsys, tmp_path, how):
    table, given = wide.drop(columns=["plant", "truth"]), ["-t", "who_*"]
    if how == "alone":
        table = table.filter(like="who_").drop(index=[0, 1]).reset_index(drop=True)
    elif how in ("gold", "rows"):
        table, given = table.assign(truth=wide["truth"]), [*given, "--gold", "truth"]
    elif how == "file":
        table, given = apart[0], ["--answers", "said.csv", "--gold", "truth"]
        put(apart[1][["plant", "annotator", "label"]], "said.csv")
    elif how == "probabilities":
        np.save(tmp_path / "P.npy", np.random.default_rng(0).dirichlet(np.ones(3), 60))
        given = [*given, "--probabilities", "P.npy"]
    if how == "rows":
        table, given = table.assign(g=np.arange(60) // 2, w=1.5), [*given, "--rows-by", "g", "--weight", "w"]
    run("audit", put(table), *given, "--quiet")
    names, out = again("table-tamis", capsys)
    assert consensus()["p_likely"].to_numpy() == pytest.approx(names["model"].memberships_.max(axis=1))
    assert "reliability" in out


def test_the_code_of_a_selection_does_the_same(run, put, apart, capsys):
    table, lines = apart
    put(lines[["plant", "annotator", "label"]], "said.csv")
    run("select", put(table), "--answers", "said.csv", "--gold", "truth", "--features", 2, "--quiet")
    names, _ = again("table-tamis", capsys)
    summary = json.loads(Path("table-tamis/selection.json").read_text())
    assert names["X"].columns[names["selector"].support_].tolist() == summary["selected"]
    assert consensus()["p_likely"].to_numpy() == pytest.approx(names["selector"].memberships_.max(axis=1))
    assert summary["data"]["reading"]["answers"] == "said.csv"


def test_read_table_gives_long_answers(put, apart, tmp_path):
    table, lines = apart
    put(lines[["row", "annotator", "label"]], "said.csv")
    files = tmp_path / put(table), str(tmp_path / "said.csv")
    X, y, _ = read_table(files[0], answers=files[1], drop=["plant", "truth"])
    expected = answers_of(lines["row"].to_numpy() - 1, lines["annotator"], lines["label"], n_rows=60)
    assert y.to_frame().equals(expected.to_frame())
    assert CrowdLabels(random_state=0).fit(coordinates(X), y).converged_


# What is refused


def first_line(column, value):
    def change(lines):
        lines = lines.astype({column: object})
        lines.iloc[0, lines.columns.get_loc(column)] = value
        return lines

    return change


@pytest.mark.parametrize(
    ("change", "code", "said"),
    [
        (
            lambda t: t.assign(row=t["row"] - 1),
            3,
            "are about others (the first is about '0', which is not one of the 60",
        ),
        (first_line("row", 61), 3, "1 of 2 are about others (the first is about '61'"),
        (first_line("row", 1.5), 2, "--answers must have numbers of rows, or a column of the table that names them"),
        (first_line("row", "p1"), 2, "has 'row' with 'p1'"),
        (first_line("row", None), 3, "1 have no 'row' (the first is number 1)"),
        (first_line("annotator", None), 3, "1 have no 'annotator'"),
        (lambda t: t[["row", "label"]], 3, "must have the columns row, annotator and label; it has 2: 'row', 'label'"),
        (lambda t: t.assign(label=None), 3, "said.csv must have answers; there is none in 'label'"),
        (
            lambda t: t.assign(row=7, annotator="ann", label=["rose", "daisy"]),
            3,
            "said.csv: an annotator must give one answer per row; 'ann' gave 'rose' and 'daisy' for row 7. Keep one",
        ),
        (
            lambda t: t.rename(columns={"row": "x"}).assign(x=0.5),
            3,
            "(the first is about '0.5', which is not in 'x' of",
        ),
        (lambda t: t.assign(annotator="truth"), 2, "--gold must not have the name of an annotator"),
    ],
)
def test_files_of_answers_that_are_none(run, put, apart, change, code, said):
    table, _ = apart
    lines = pd.DataFrame({"row": [1, 2], "annotator": ["ann", "bob"], "label": ["rose", "daisy"]})
    put(change(lines), "said.csv")
    ran = run("audit", put(table), "--answers", "said.csv", "--gold", "truth", "--drop", "plant")
    assert (ran.code, said in ran.err) == (code, True), ran.err


def test_names_of_rows_that_are_not_unique(run, put, apart):
    table, lines = apart
    table.loc[5, "plant"] = table.loc[2, "plant"]
    put(lines[["plant", "annotator", "label"]], "said.csv")
    ran = run("audit", put(table), "--answers", "said.csv")
    assert (ran.code, "has 'p" in ran.err and "in rows 3 and 6" in ran.err) == (3, True)


@pytest.mark.parametrize("command", ["audit", "select"])
@pytest.mark.parametrize(
    ("how", "code", "said"),
    [
        (("--answers", "said.csv", "-t", "who_0"), 2, "--answers takes the place of --target"),
        (("-t", "who_0", "--gold", "truth"), 2, "--gold needs answers of annotators"),
        (("-t", "who_*", "--gold", "truht"), 2, "did you mean 'truth'?"),
        (("-t", "who_*", "--gold", "who_1"), 2, "--gold must not name what --target names"),
        (("-t", "who_*", "--gold", "empty"), 3, "--gold must have the class of some row; 'empty' has none"),
        (("--answers", "none.csv"), 3, "there is no file none.csv"),
    ],
)
def test_options_that_do_not_go_together(run, put, wide, apart, command, how, code, said):
    put(apart[1][["plant", "annotator", "label"]], "said.csv")
    ran = run(command, put(wide.assign(empty=None)), *how, "--drop", "plant")
    assert (ran.code, said in ran.err) == (code, True), ran.err


def test_labels_of_another_kind(run, put, apart):
    put(apart[1][["plant", "annotator", "label"]], "said.csv")
    ran = run("select", put(apart[0]), "--answers", "said.csv", "--labels", "hard")
    assert (ran.code, "--answers needs --labels crowd, or none; got hard" in ran.err) == (2, True)
