"""`--class-distance confusions` and `data`: for every kind of labels, named in the notes, repeated by the report."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from report_code import again

from tamis import ClassDistance

BLANKET = ("--search", "blanket", "--features", 2)
LEARNED = pytest.mark.parametrize("how", ["confusions", "data"])
SAID = {
    "confusions": "class distances are estimated from the confusions of out-of-sample predictions (random forest, "
    "logistic regression)",
    "data": "class distances are estimated from the class means of the features",
}


@pytest.fixture
def learned(run, put, capsys):
    """The summary of a selection, whose printed code has the same distances and selects the same features."""

    def learned(table, how, *args):
        ran = run("select", put(table), *args, *BLANKET, "--class-distance", how, "--quiet")
        assert (ran.code, ran.err) == (0, "")
        summary = json.loads(Path("table-tamis/selection.json").read_text(encoding="utf-8"))
        names, _ = again("table-tamis", capsys)
        assert names["distance"].classes.tolist() == summary["class_distance"]["classes"]
        assert list(names["X"].columns[names["selector"].support_]) == summary["selected"]
        scores = [step["score"] for step in summary["path"]]
        np.testing.assert_allclose(names["selector"].path_.scores, scores, atol=1e-9)
        return summary, names["distance"].matrix

    return learned


def near_pair(plants):
    """The same plants, one class of which is near another: lily is where the tulip is."""
    more = plants[plants["kind"] == "tulip"].assign(kind="lily")
    more[["x", "y"]] += 0.3
    return pd.concat([plants, more], ignore_index=True)


@LEARNED
def test_classes_that_are_alike_are_near(learned, plants, how):
    summary, matrix = learned(near_pair(plants), how, "-t", "kind", "--labels", "hard")
    assert summary["class_distance"]["classes"] == ["daisy", "lily", "rose", "tulip"]
    assert matrix[1, 3] < 0.6 * min(matrix[0, 1], matrix[0, 3], matrix[2, 1], matrix[2, 3])
    assert SAID[how] in summary["data"]["notes"]
    assert summary["selected"] == ["x", "y"]


@pytest.mark.filterwarnings("ignore:1 of 60 rows have no label")  # of the code of the report
@LEARNED
def test_categories_gaps_rows_without_a_label_and_a_class_of_one_row(learned, plants, how):
    table = plants.assign(place=["north", "south", None] * 20)
    table.loc[3, "x"] = np.nan
    table.loc[0, "kind"] = "oak"
    table.loc[7, "kind"] = None
    summary, matrix = learned(table, how, "-t", "kind", "--labels", "hard")
    assert len(matrix) == 4
    assert summary["warnings"] == ["1 of 60 rows have no label; they are left out of the estimates."]


@LEARNED
def test_labels_that_may_be_wrong_weights_and_groups(learned, plants, how):
    table = plants.assign(kind=plants["kind"].map({"rose": 1, "tulip": 2, "daisy": 3}), w=[0, 1, 2, 0.5] * 15)
    table["who"] = np.arange(60) // 2
    summary, _ = learned(table, how, "-t", "kind", "--weight", "w", "--rows-by", "who")
    assert summary["class_distance"]["classes"] == [1, 2, 3]


@LEARNED
def test_probabilities(learned, plants, how):
    shares = pd.DataFrame({f"p_{k}": np.where(plants["kind"] == k, 0.66, 0.17) for k in ("rose", "tulip", "daisy")})
    learned(pd.concat([plants.drop(columns="kind"), shares], axis=1), how, "-t", "p_*")


@LEARNED
@pytest.mark.parametrize("rows", [(), ("--rows-by", "who", "--weight", "w")], ids=["alike", "groups"])
def test_sets_of_labels(learned, plants, how, rows):
    table = plants.assign(red=(plants["x"] > 2) * 1, tall=(plants["y"] > 2) * 1, who=np.arange(60) // 3, w=1.5)
    table["old"] = 1 - table[["red", "tall"]].max(axis=1)
    table["aged"] = table["old"] * (np.arange(60) % 7 > 0)
    labels = ("-t", "red", "-t", "tall", "-t", "old", "-t", "aged")
    table = table.drop(columns=["kind"] if rows else ["kind", "who", "w"])
    summary, matrix = learned(table, how, *labels, *rows)
    assert summary["class_distance"]["classes"] == ["aged", "old", "red", "tall"]
    assert matrix[0, 1] == matrix[np.triu_indices(4, 1)].min()


def answers(plants, n=6):
    """People who take tulips for daisies, and roses for what they are."""
    rng, said = np.random.default_rng(0), {}
    for person in range(n):
        wrong = (plants["kind"] != "rose") & (rng.uniform(size=60) < 0.3)
        said[f"who_{person}"] = plants["kind"].mask(wrong, rng.choice(["tulip", "daisy"], 60))
    return pd.DataFrame(said)


def test_annotators(learned, plants):
    table = pd.concat([plants[["x", "y", "z"]], answers(plants)], axis=1)
    for how in ("confusions", "data"):
        summary, matrix = learned(table, how, "-t", "who_*")
        assert summary["class_distance"]["classes"] == ["daisy", "rose", "tulip"]
        if how == "confusions":  # the features do not have them near
            assert matrix[0, 2] < 0.85 * min(matrix[0, 1], matrix[1, 2])
            assert "class distances are estimated from the confusions of the annotators" in summary["data"]["notes"]
        Path("table-tamis").rename(how)


@LEARNED
def test_annotators_and_true_classes(learned, plants, how):
    gold = plants["kind"].where(np.arange(60) % 3 == 0)
    table = pd.concat([plants[["x", "y", "z"]], answers(plants, 3)], axis=1).assign(gold=gold)
    learned(table, how, "-t", "who_*", "--gold", "gold")


def test_data_are_those_of_the_table(learned, plants):
    _, matrix = learned(plants, "DATA", "-t", "kind", "--labels", "hard")
    table = pd.read_csv("table.csv")
    expected = ClassDistance.from_data(table[["x", "y", "z"]], table["kind"]).matrix
    np.testing.assert_allclose(matrix, expected, rtol=1e-9)


@LEARNED
def test_a_file_of_that_name_wins(learned, put, plants, how):
    put(",tulip,rose,daisy\ntulip,0,1,2\nrose,1,0,2\ndaisy,2,2,0\n", how)
    summary, matrix = learned(plants, how, "-t", "kind", "--labels", "hard")
    np.testing.assert_allclose(matrix, [[0, 2, 2], [2, 0, 1], [2, 1, 0]], rtol=1e-9)
    assert not any("class distances" in note for note in summary["data"]["notes"])


@pytest.mark.parametrize("search", ["backward", "forward", "ranking"])
def test_other_searches_compare_the_classes_of_neighbors(run, put, plants, search):
    how = ("--search", search, "--class-distance", "data", "--labels", "hard", "--features", 2, "--json")
    ran = run("select", put(plants), "-t", "kind", *how)
    assert ran.json["search"]["criterion"] == "NeighborCost"
    assert ran.json["class_distance"]["classes"] == ["daisy", "rose", "tulip"]
    ran = run("select", "table.csv", "-t", "kind", *how[:-1], "--criterion", "bayes_risk", "--force")
    assert (ran.code, "which takes none" in ran.err) == (2, True)
