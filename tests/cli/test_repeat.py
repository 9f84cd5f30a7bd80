"""The code in a report of a command, run in the folder of the table, finds the same again."""

import gzip
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from report_code import again, code_in


@pytest.fixture
def repeats(run, capsys):
    """Run a command and then its code: both select the same, for the same reasons."""

    def repeats(*args):
        assert run("select", *args, "--quiet").code == 0
        folder = next(Path().glob("*-tamis"))
        summary = json.loads((folder / "selection.json").read_text(encoding="utf-8"))
        names, out = again(folder, capsys)
        selector, X = names["selector"], names["X"]
        assert list(X.columns[selector.support_]) == summary["selected"]
        assert list(X.columns) == [f["name"] for f in summary["features"]]
        scores = [np.nan if step["score"] is None else step["score"] for step in summary["path"]]
        np.testing.assert_allclose(np.where(np.isfinite(s := selector.path_.scores), s, np.nan), scores, atol=1e-9)
        assert [step["size"] for step in summary["path"]] == selector.path_.sizes.tolist()
        assert [name in out for name in summary["selected"]] == [True] * len(summary["selected"])
        return summary, names

    return repeats


FAST = ("--labels", "hard", "--features", 2)


@pytest.mark.parametrize(
    "how",
    [("--features", 2), FAST, ("--labels", "hard", "--tolerance", "0.1", "--alpha", "0.2", "--seed", 7)],
    ids=["noisy", "hard", "settings"],
)
def test_one_class_per_row(repeats, put, plants, how):
    repeats(put(plants), "-t", "kind", *how)


@pytest.mark.parametrize("search", ["forward", "ranking", "blanket"])
def test_every_search(repeats, put, plants, search):
    repeats(put(plants), "-t", "kind", "--search", search, "--labels", "hard")


@pytest.mark.parametrize("criterion", ["bayes_risk", "laplacian", "chi2"])
def test_criteria(repeats, put, plants, criterion):
    repeats(put(plants), "-t", "kind", "--criterion", criterion, "--search", "ranking", *FAST)


def test_annotators(repeats, put, plants):
    answers = {f"who_{a}": plants["kind"].where(np.arange(60) % 7 != a) for a in range(3)}
    answers["who_2"] = answers["who_2"][::-1].to_numpy()
    summary, names = repeats(put(plants.drop(columns="kind").assign(**answers)), "-t", "who_*", "--features", 2)
    assert list(names["y"].columns) == summary["data"]["reading"]["target"] == ["who_0", "who_1", "who_2"]


def test_probabilities(repeats, put, plants):
    shares = pd.DataFrame({f"p_{k}": np.where(plants["kind"] == k, 0.66, 0.17) for k in ("rose", "tulip", "daisy")})
    table = pd.concat([plants.drop(columns="kind"), shares - 0.001], axis=1)
    repeats(put(table), "-t", "p_*", "--features", 2)


@pytest.mark.parametrize("search", ["backward", "blanket"])
def test_sets_of_labels(repeats, put, plants, search):
    table = plants.assign(red=(plants["x"] > 2) * 1, tall=(plants["y"] > 2) * 1).drop(columns="kind")
    repeats(put(table), "-t", "red", "-t", "tall", "--features", 2, "--search", search)


def test_everything_that_can_be_done_to_columns(repeats, put, plants):
    table = plants.assign(
        place=["north", "south", None] * 20, code=np.arange(60) % 4, number=range(60), at_1=1.5, at_2=2
    )
    table.loc[[3, 7], "z"] = np.nan
    table.loc[1, "kind"] = None
    table["at_1"] += plants["x"]
    how = ("--missing", "drop-rows", "--drop", "y", "--require", "number", "--categorical", "code")
    summary, names = repeats(put(table), "-t", "kind", *how, "--group-prefix", "_", "--labels", "hard", "--features", 4)
    assert summary["data"]["rows"] == len(names["X"]) < 60
    assert {"number"} < {*summary["selected"]}
    assert summary["data"]["reading"] == {
        "file": "table.csv",
        "target": ["kind"],
        "labels": "hard",
        "drop": ["y"],
        "require": ["number"],
        "categorical": ["code"],
        "missing": "drop-rows",
        "dates": "drop",
        "weight": None,
        "rows_by": None,
        "time": None,
    }


@pytest.mark.parametrize("missing", ["use", "indicator", "median", "drop-columns"])
def test_what_is_missing(repeats, put, plants, missing):
    table = plants.assign(place=["north", "south", None] * 20, z=plants["z"].where(plants["z"] > -1))
    repeats(put(table), "-t", "kind", "--missing", missing, *FAST)


def test_weights_groups_times_and_dates(repeats, put, plants):
    table = plants.assign(w=[0, 1, 2, 0.5] * 15, who=np.arange(60) % 15, when=range(60), day=20240101)
    table["day"] += np.arange(60) % 28
    how = ("--weight", "w", "--rows-by", "who", "--time", "when", "--dates", "parts", "--search", "ranking")
    summary, names = repeats(put(table), "-t", "kind", *how, *FAST)
    assert names["rows"].keys() == {"sample_weight", "groups", "order"}
    assert summary["data"]["rows"] == len(names["X"]) == 45
    assert [f["name"] for f in summary["features"]] == ["x", "y", "z", "day: day", "day: weekday"]


@pytest.mark.parametrize("labels", ["hard", "noisy"])
def test_classes_that_are_paths(repeats, put, plants, labels):
    table = plants.assign(kind=plants["kind"].map({"rose": "red/rose", "tulip": "red/tulip", "daisy": "daisy"}))
    how = ("--search", "blanket", "--class-distance", "paths", "--labels", labels, "--features", 2)
    summary, names = repeats(put(table), "-t", "kind", *how)
    assert names["distance"].classes.tolist() == summary["class_distance"]["classes"]


@pytest.mark.parametrize("numbers", [False, True], ids=["text", "numbers"])
def test_distances_from_a_file(repeats, put, plants, numbers):
    kinds = {"rose": 1, "tulip": 2, "daisy": 3} if numbers else {k: k for k in ("rose", "tulip", "daisy")}
    a, b, c = kinds.values()
    put(f",{b},{a},{c},9\n{b},0,1,2,3\n{a},1,0,2,3\n{c},2,2,0,3\n9,3,3,3,0\n", "far.csv")
    how = ("--search", "blanket", "--class-distance", "far.csv")
    repeats(put(plants.assign(kind=plants["kind"].map(kinds))), "-t", "kind", *how, *FAST)


def test_distances_that_no_tree_has(repeats, put, plants):
    put(",a,b,c,d\na,0,3,4,5\nb,3,0,5,4\nc,4,5,0,3\nd,5,4,3,0\n", "far.csv")
    table = plants.assign(kind=[*"abcd"] * 15, w=[0.0, 1.0, 2.0, 3.0] * 15)
    how = ("--search", "blanket", "--class-distance", "far.csv")
    summary, names = repeats(put(table), "-t", "kind", *how, *FAST)
    assert names["distance"].matrix.tolist() == summary["class_distance"]["matrix"]


def test_distances_between_labels_of_sets(repeats, put, plants):
    table = plants.assign(red=(plants["x"] > 2) * 1, tall=(plants["y"] > 2) * 1).drop(columns="kind")
    table["old"] = 1 - table[["red", "tall"]].max(axis=1)
    put(",red,tall,old\nred,0,1,2\ntall,1,0,2\nold,2,2,0\n", "far.csv")
    how = ("--search", "blanket", "--class-distance", "far.csv", "--features", 2)
    repeats(put(table), "-t", "red", "-t", "tall", "-t", "old", *how)


# Files


def test_a_compressed_file_and_other_delimiters(repeats, put, plants):
    repeats(
        put(gzip.compress(plants.to_csv(index=False, sep=";", decimal=",").encode()), "t.csv.gz"), "-t", "kind", *FAST
    )


def test_a_file_in_another_folder_with_odd_names(repeats, put, plants, tmp_path):
    (tmp_path / "data").mkdir()
    odd = plants.rename(columns={"x": 'it\'s "x" \\ 1', "kind": "type\n2"})
    odd.to_csv(tmp_path / "data" / "a b'c.csv", index=False)
    put(odd, "a b'c.csv")  # the code names no folder: it is run where the file is
    repeats("data/a b'c.csv", "-t", "type\n2", *FAST)


def test_arff_with_a_list_of_labels(repeats, put, plants):
    rows = [f"{x},{y},{z},{int(x > 2)},{int(y > 2)}" for x, y, z, _ in plants.to_numpy().tolist()]
    names = [*(f"@attribute {c} numeric" for c in "xyz"), "@attribute red {0,1}", "@attribute tall {0,1}"]
    put("\n".join(["@relation plants", *names, "@data", *rows]), "plants.arff")
    put('<labels><label name="red"></label><label name="tall"></label></labels>', "plants.xml")
    repeats("plants.arff", "--features", 2)


def test_standard_input_is_read_again(run, plants):
    table = plants.to_csv(index=False).encode()
    assert run("select", "-", "-t", "kind", *FAST, "--quiet", stdin=table).code == 0
    assert "read_table('-', target=['kind'], labels='hard')" in code_in("stdin-tamis/report.html")


# Audits


@pytest.mark.parametrize("n_spoiled", [0, 20], ids=["clean", "spoiled"])
def test_suspects_are_found_again(run, put, many_plants, capsys, n_spoiled):
    many_plants.loc[: n_spoiled - 1, "kind"] = "tulip"
    run("audit", put(many_plants.assign(place=["north", "south"] * 120)), "-t", "kind", "--quiet")
    audit = json.loads(Path("table-tamis/audit.json").read_text())
    names, out = again("table-tamis", capsys)
    found = names["model"].suspects()
    found = found[found["p_wrong"] > 0.5]
    suspects = audit["labels"]["suspects"]
    assert (found["row"] + 1).tolist() == [s["row"] for s in suspects]
    assert found["p_wrong"].tolist() == pytest.approx([s["p_wrong"] for s in suspects], abs=1e-12)
    assert "p_wrong" in out


def test_annotators_are_judged_alike(run, put, plants, capsys):
    answers = {f"who_{a}": np.where(np.arange(60) % (a + 2) == 0, "rose", plants["kind"]) for a in range(3)}
    run("audit", put(plants.drop(columns="kind").assign(**answers)), "-t", "who_*", "--quiet")
    names, out = again("table-tamis", capsys)
    written = pd.read_csv("table-tamis/annotators.csv")
    assert names["model"].annotators()["reliability"].tolist() == pytest.approx(written["reliability"].tolist())
    assert "who_0" in out
