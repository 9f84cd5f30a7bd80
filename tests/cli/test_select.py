"""`tamis select`: every kind of label and option, from a file to an answer."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tamis.views.html import page

FAST = ("--labels", "hard", "--features", 2)
SHARE = r"[\d.]+ % \([\d.]+-[\d.]+ %\)"


def test_from_a_csv_to_an_answer(run, put, plants):
    ran = run("select", put(plants), "--target", "kind")
    assert ran.code == 0
    first, *rest = ran.out.splitlines()
    assert re.fullmatch(rf"2 of 3 features; expected error {SHARE}, \S+ % with all features, 67 % without any", first)
    assert "x, y" in rest[:3]
    assert "labels are taken as noisy: every class has at least 10 rows" in ran.out
    assert ran.out.endswith(
        "\nFiles in table-tamis: relabelled.csv, report.html, selected.csv, selection.json, suspects.csv\n"
        "The report to look at is table-tamis/report.html\n"
    )
    assert pd.read_csv("table-tamis/selected.csv").equals(plants[["x", "y", "kind"]])
    assert list(pd.read_csv("table-tamis/suspects.csv").columns) == ["row", "recorded", "likely", "p_wrong", "p_likely"]


def test_json_is_the_file_and_nothing_else(run, put, plants):
    ran = run("select", put(plants), "--target", "kind", "--json", *FAST)
    assert ran.json == json.loads(Path("table-tamis/selection.json").read_text())
    assert ran.err == ""
    assert page(ran.json) == Path("table-tamis/report.html").read_text(encoding="utf-8")
    assert ran.json["schema"] == "tamis.selection/4"
    assert ran.json["selected"] == ["x", "y"]
    assert ran.json["data"]["file"] == "table.csv"


def test_plain_output_has_only_ascii(run, put, plants):
    ran = run("select", put(plants), "--target", "kind", "--labels", "hard")
    assert ran.out.isascii()
    assert "\x1b" not in ran.out + ran.err
    assert ran.err == ""


def test_quiet_says_nothing_and_writes_the_files(run, put, plants):
    ran = run("select", put(plants), "--target", "kind", "--quiet", *FAST)
    assert (ran.out, ran.err) == ("", "")
    assert sorted(f.name for f in Path("table-tamis").iterdir()) == ["report.html", "selected.csv", "selection.json"]


def test_standard_input(run, plants):
    ran = run("select", "-", "-t", "kind", "--json", *FAST, stdin=plants.to_csv(index=False).encode())
    assert ran.json["data"]["file"] == "standard input"
    assert Path("stdin-tamis/selected.csv").exists()


def test_the_same_seed_gives_the_same_answer(run, put, plants):
    first, second = (
        run("select", put(plants), "-t", "kind", "--labels", "hard", "--json", "--out", name) for name in "ab"
    )
    assert first.out == second.out


@pytest.mark.parametrize("search", ["forward", "ranking", "blanket"])
def test_every_search(run, put, plants, search):
    ran = run("select", put(plants), "-t", "kind", "--search", search, "--json", *FAST)
    assert ran.json["search"]["direction"] == search
    assert ran.json["selected"] == ["x", "y"]


@pytest.mark.parametrize("search", ["forward", "ranking", "blanket"])
def test_every_search_decides_how_many_and_says_so(run, put, plants, search):
    ran = run("select", put(plants), "-t", "kind", "--search", search, "--labels", "noisy")
    assert ran.out.startswith("2 of 3 features; expected error ")
    assert "cross-validation of the whole search" in ran.out


@pytest.mark.parametrize("criterion", ["bayes_risk", "weighted_laplacian", "laplacian", "chi2"])
def test_criteria(run, put, plants, criterion):
    ran = run("select", put(plants), "-t", "kind", "--criterion", criterion, "--search", "ranking", "--json", *FAST)
    asked = {"python": "ChiSquare(bins='mdl')"} if criterion == "chi2" else criterion
    assert ran.json["asked"]["parameters"]["criterion"] == asked


@pytest.mark.parametrize("search", ["backward", "ranking"])
def test_a_criterion_that_looks_at_no_labels(run, put, plants, search):
    ran = run("select", put(plants), "-t", "kind", "--criterion", "laplacian", "--search", search, "--json", *FAST)
    assert (ran.json["labels"], ran.json["classes"], ran.json["data"]["rows"]) == (None, None, 60)


def test_less_is_kept_for_more_tolerance(run, put, plants):
    table = put(plants.assign(x=2 * plants["x"] + 4 * (plants["kind"] == "rose")))
    how = ("select", table, "-t", "kind", "--labels", "hard", "--json", "--force")
    strict, tolerant = (run(*how, "--tolerance", t).json for t in ("0", "0.9"))
    assert [s["asked"]["parameters"]["tolerance"] for s in (strict, tolerant)] == [0, 0.9]
    assert tolerant["search"]["n_selected"] == 1 < strict["search"]["n_selected"]
    assert strict["evidence"]["sizes"] == tolerant["evidence"]["sizes"]
    ran = run(*how[:-2], "--tolerance", "2", "--out", "other")
    assert (ran.code, ran.err.startswith("tamis: --tolerance must")) == (2, True)


def test_nothing_that_predicts_is_said(run, put):
    rng = np.random.default_rng(3)
    table = pd.DataFrame(rng.normal(size=(60, 3)), columns=list("abc")).assign(kind=["rose", "tulip"] * 30)
    ran = run("select", put(table), "-t", "kind", "--labels", "hard")
    said = "No feature of 3 predicts the target better than knowing nothing (level 5 %); "
    assert ran.out.splitlines()[0] == said + "1 is kept all the same"
    ran = run("select", put(table), "-t", "kind", "--labels", "hard", "--require", "b", "--force")
    assert ran.out.splitlines()[:2] == [said + "the 1 required is kept", "b"]


def test_a_share_of_the_features(run, put, plants):
    ran = run("select", put(plants), "-t", "kind", "--labels", "hard", "--features", "0.34")
    assert ran.out.splitlines()[0] == "1 of 3 features kept, as asked"


def test_work_can_go_on_from_a_checkpoint(run, put, plants):
    how = ("select", put(plants), "-t", "kind", "--labels", "hard", "--json", "--checkpoint", "work.ckpt", "--resume")
    first = run(*how)
    assert "There is no work.ckpt yet: starting from the beginning." in first.err
    again = run(*how, "--force")
    assert (again.out, again.err) == (first.out, "")
    other = run(*how, "--force", "--alpha", "0.01")
    assert (other.code, other.err.startswith("tamis: --checkpoint must")) == (2, True)


# Kinds of labels


def test_few_rows_of_a_class_are_trusted(run, put, plants):
    ran = run("select", put(plants[:45]), "-t", "kind", "--json")
    assert ran.json["labels"] == {"kind": "hard", "confusions": None}
    assert any("hard: class 'daisy' has only 5" in note for note in ran.json["data"]["notes"])


def test_numbers_are_classes_too(run, put, plants):
    codes = plants["kind"].map({"rose": 1.0, "tulip": 2.0, "daisy": 3.0})
    ran = run("select", put(plants.assign(kind=codes)), "-t", "kind", "--json", *FAST)
    assert [c["name"] for c in ran.json["classes"]] == [1, 2, 3]
    halves = run("select", put(plants.assign(kind=codes / 2)), "-t", "kind", "--json", "--force", *FAST)
    assert [c["name"] for c in halves.json["classes"]] == ["0.5", "1", "1.5"]


def test_columns_of_zeros_and_ones_are_labels(run, put, plants):
    table = plants.assign(red=(plants["x"] > 2) * 1, tall=(plants["y"] > 2) * 1).drop(columns="kind")
    ran = run("select", put(table), "-t", "red", "-t", "tall", "--json", "--features", 2)
    assert ran.json["labels"]["kind"] == "multilabel"
    assert ran.json["labels"]["label_names"] == ["red", "tall"]
    assert ran.json["selected"] == ["x", "y"]


def test_columns_that_sum_to_one_are_probabilities(run, put, plants):
    shares = pd.DataFrame({f"p_{k}": np.where(plants["kind"] == k, 0.66, 0.17) for k in ("rose", "tulip", "daisy")})
    table = pd.concat([plants.drop(columns="kind"), shares - 0.001], axis=1)
    ran = run("select", put(table), "-t", "p_*", "--json", "--features", 2)
    assert ran.json["labels"]["kind"] == "soft"
    assert ran.json["selected"] == ["x", "y"]
    assert any("divided by their sums, 0.997 to 0.997" in note for note in ran.json["data"]["notes"])


def test_columns_of_the_same_classes_are_answers(run, put, plants):
    answers = {f"who_{a}": plants["kind"].where(np.arange(60) % 7 != a) for a in range(3)}
    answers["who_2"] = answers["who_2"][::-1].to_numpy()
    ran = run("select", put(plants.drop(columns="kind").assign(**answers)), "-t", "who_*", "--json", "--features", 2)
    assert ran.json["labels"]["kind"] == "crowd"
    assert ran.json["labels"]["annotators"][0]["name"] == "who_2"
    assert ran.json["selected"] == ["x", "y"]


def test_a_list_of_labels_beside_an_arff_file(run, put, plants):
    rows = [f"{x},{y},{z},{int(x > 2)},{int(y > 2)}" for x, y, z, _ in plants.to_numpy().tolist()]
    names = [*(f"@attribute {c} numeric" for c in "xyz"), "@attribute red {0,1}", "@attribute tall {0,1}"]
    put("\n".join(["@relation plants", *names, "@data", *rows]), "plants.arff")
    put('<labels><label name="red"></label><label name="tall"></label></labels>', "plants.xml")
    ran = run("select", "plants.arff", "--json", "--features", 2)
    assert ran.json["data"]["targets"] == ["red", "tall"]
    assert "labels are taken as multilabel: the file's list of labels names them" in ran.json["data"]["notes"]


# Features


def test_text_is_a_category(run, put, plants):
    table = plants.assign(place=plants["kind"].map({"rose": "north", "tulip": "south", "daisy": "north"}))
    ran = run("select", put(table), "-t", "kind", "--json", *FAST)
    place = next(f for f in ran.json["features"] if f["name"] == "place")
    assert place["n_categories"] == 2
    assert "categories: 'place'" in ran.json["data"]["notes"]


def test_numbers_can_be_declared_categories(run, put, plants):
    table = plants.assign(code=np.arange(60) % 4)
    ran = run("select", put(table), "-t", "kind", "--categorical", "code", "--json", *FAST)
    assert next(f for f in ran.json["features"] if f["name"] == "code")["n_categories"] == 4


def test_groups_stay_together(run, put, plants):
    table = plants.rename(columns={"x": "at_x", "y": "at_y"})
    ran = run("select", put(table), "-t", "kind", "--group-prefix", "_", "--json", *FAST)
    assert [f["group"] for f in ran.json["features"]] == [0, 0, None]
    assert ran.json["selected"] == ["at_x", "at_y"]


def test_required_and_dropped_columns(run, put, plants):
    ran = run("select", put(plants), "-t", "kind", "--require", "z", "--drop", "x", "--json", *FAST)
    assert ran.json["selected"] == ["y", "z"]
    assert [f["name"] for f in ran.json["features"]] == ["y", "z"]


def test_columns_that_number_the_rows_are_left_out_unless_required(run, put, plants):
    table = plants.assign(place=np.arange(1, 61), ID=np.arange(60)[::-1] * 7)
    ran = run("select", put(table), "-t", "kind", "--json", *FAST)
    assert [f["name"] for f in ran.json["features"]] == ["x", "y", "z"]
    assert any("only number the rows: 'place', 'ID'" in note for note in ran.json["data"]["notes"])
    again = run("select", put(table), "-t", "kind", "--require", "place", "--json", "--force", *FAST)
    assert "place" in again.json["selected"]


def test_constant_columns_are_named(run, put, plants):
    ran = run("select", put(plants.assign(same=1)), "-t", "kind", "--json", *FAST)
    assert "the same in all rows: 'same'" in ran.json["data"]["notes"]
    assert "same" not in ran.json["selected"]


# Missing values


@pytest.fixture
def holed(plants):
    table = plants.assign(place=["north", "south"] * 30)
    table.loc[[3, 7], "z"] = np.nan
    table.loc[5, "place"] = None
    return table


@pytest.mark.parametrize(
    ("missing", "n_rows", "names", "note"),
    [
        (
            "use",
            60,
            ["x", "y", "z", "place"],
            "missing values are used as such: 3 cells of 'z', 'place', in 3 of 60 rows",
        ),
        ("drop-rows", 57, ["x", "y", "z", "place"], "rows left out for missing features: 3 of 60"),
        ("drop-columns", 60, ["x", "y"], "columns left out for missing values: 'z', 'place'"),
        ("median", 60, ["x", "y", "z", "place"], "3 missing cells of 'z', 'place' filled with medians"),
    ],
)
def test_missing_values(run, put, holed, missing, n_rows, names, note):
    ran = run("select", put(holed), "-t", "kind", "--missing", missing, "--json", *FAST)
    assert ran.json["data"]["rows"] == n_rows
    assert [f["name"] for f in ran.json["features"]] == names
    assert any(note in said for said in ran.json["data"]["notes"])


def test_rows_without_a_label_are_used_and_counted(run, put, plants):
    plants.loc[[0, 1], "kind"] = None
    refused = run("select", put(plants), "-t", "kind", "--missing", "error")
    assert refused.code == 3
    assert "'kind' is missing in 2 of 60 (the first is row 1)" in refused.err
    ran = run("select", put(plants), "-t", "kind", "--json", *FAST)
    assert ran.json["data"]["rows"] == 60
    assert "rows without a label: 2 of 60 (the first is row 1)" in ran.json["data"]["notes"]
    assert any("2 of 60 rows have no label" in said for said in ran.json["warnings"])
    assert sum(c["rows"] for c in ran.json["classes"]) == 58


def test_rows_are_counted_in_the_file(run, put, plants):
    plants.loc[0, "kind"] = None
    plants.loc[10:14, "kind"] = "tulip"  # roses, in the rows from the eleventh on
    how = ("--missing", "drop-rows", "--json", "--labels", "noisy", "--features", 2)
    ran = run("select", put(plants), "-t", "kind", *how)
    assert {s["row"] for s in ran.json["labels"]["suspects"][:5]} == {11, 12, 13, 14, 15}
    assert ran.json["labels"]["suspects"][0]["likely"] == "rose"


# Distances between classes


def test_classes_that_are_paths(run, put, plants):
    table = plants.assign(kind=plants["kind"].map({"rose": "red/rose", "tulip": "red/tulip", "daisy": "daisy"}))
    how = ("--search", "blanket", "--class-distance", "paths", "--json")
    ran = run("select", put(table), "-t", "kind", *how, *FAST)
    assert ran.json["class_distance"]["is_tree"]
    assert ran.json["class_distance"]["classes"] == ["daisy", "red/rose", "red/tulip"]


def test_distances_from_a_file(run, put, plants):
    put(",tulip,rose,daisy,oak\ntulip,0,1,2,3\nrose,1,0,2,3\ndaisy,2,2,0,3\noak,3,3,3,0\n", "far.csv")
    how = ("--search", "blanket", "--class-distance", "far.csv", "--json")
    ran = run("select", put(plants), "-t", "kind", *how, *FAST)
    assert ran.json["class_distance"]["classes"] == ["daisy", "rose", "tulip"]
    put(",tulip,rose\ntulip,0,1\noak,1,0\n", "odd.csv")
    odd = run("select", "table.csv", "-t", "kind", "--search", "blanket", "--class-distance", "odd.csv", "--force")
    assert (odd.code, "differ in 'rose'" in odd.err) == (3, True)
