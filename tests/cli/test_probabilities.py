"""`tamis audit --probabilities`: labels against what classifiers of one's own predict."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from report_code import again
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

from tamis import NoisyLabels

KINDS = ["daisy", "rose", "tulip"]


@pytest.fixture
def labelled(many_plants):
    """Names of pictures, labels of which the first 20 are wrong, and probabilities of the classes."""
    X, kind = many_plants[["x", "y"]], many_plants["kind"].copy()
    kind[:20] = "tulip"
    P = cross_val_predict(LogisticRegression(), X, kind, method="predict_proba", cv=5).round(4)
    table = pd.DataFrame(P, columns=[f"p_{name}" for name in KINDS])
    return table.assign(picture=[f"{i}.png" for i in range(240)], kind=kind)


def matrix(labelled):
    return labelled[[f"p_{name}" for name in KINDS]].to_numpy().copy()


def test_columns_are_probabilities_and_no_feature_is_needed(run, put, labelled):
    ran = run("audit", put(labelled), "-t", "kind", "--probabilities", "p_*")
    audit = json.loads(Path("table-tamis/audit.json").read_text())
    model = NoisyLabels("precomputed", random_state=0).fit(matrix(labelled), labelled["kind"])
    assert audit["labels"]["share_wrong"] == pytest.approx(model.noise_rate_)
    assert audit["labels"]["share_wrong_interval"] == pytest.approx(model.noise_rate_interval_)
    assert audit["data"]["n_features"] == 0
    assert pd.read_csv("table-tamis/suspects.csv")["row"][:10].between(1, 20).sum() >= 9
    assert "- probabilities of a model: p_* (3 columns); no feature is used" in ran.out
    assert "picture" not in ran.out


@pytest.mark.parametrize("kind", ["npy", "parquet", "csv", "index.csv", "named one by one", "classes alone"])
def test_files_and_columns_say_the_same(run, put, labelled, tmp_path, kind):
    table = labelled[["kind", "picture"]]
    P = pd.DataFrame(matrix(labelled), columns=KINDS)
    if kind == "npy":
        np.save(tmp_path / "P.npy", P.to_numpy())
    elif kind == "parquet":
        P[KINDS[::-1]].to_parquet(tmp_path / "P.parquet")
    elif "csv" in kind:
        P.to_csv(tmp_path / "P.csv", index=kind == "index.csv")
    named = [f"P.{kind.removeprefix('index.')}"]
    if kind == "named one by one":
        table, named = labelled, [f"p_{name}" for name in KINDS[::-1]]
    elif kind == "classes alone":
        table, named = P.assign(kind=labelled["kind"]), KINDS
    options = [part for name in named for part in ("--probabilities", name)]
    found = run("audit", put(table), "-t", "kind", "--json", *options).json
    by_columns = run("audit", put(labelled), "-t", "kind", "--json", "--probabilities", "p_*", "--out", "other").json
    assert found["labels"] == by_columns["labels"]


@pytest.mark.parametrize("names", [["rose", "ruby", "rosemary"], ["10", "11", "12"]], ids=["words", "numbers"])
def test_classes_that_begin_alike(run, put, labelled, names):
    rename = dict(zip(KINDS, names, strict=True))
    table = labelled.rename(columns={f"p_{old}": f"p_{new}" for old, new in rename.items()})
    table["kind"] = table["kind"].map(rename)
    found = run("audit", put(table), "-t", "kind", "--json", "--probabilities", "p_*").json
    before = run("audit", put(labelled), "-t", "kind", "--json", "--probabilities", "p_*", "--out", "other").json
    assert found["labels"]["share_wrong"] == pytest.approx(before["labels"]["share_wrong"], abs=1e-6)


def test_several_models_are_several(run, put, labelled, tmp_path):
    P = matrix(labelled)
    Q = 0.7 * P + 0.1
    np.save(tmp_path / "Q.npy", Q)
    options = ("--probabilities", "p_*", "--probabilities", "Q.npy")
    found = run("audit", put(labelled), "-t", "kind", "--json", *options).json
    model = NoisyLabels("precomputed", random_state=0).fit([P, Q], labelled["kind"])
    assert found["labels"]["share_wrong"] == pytest.approx(model.noise_rate_)
    assert found["data"]["reading"]["probabilities"] == ["p_*", "Q.npy"]


def test_rows_without_a_label_are_left_out_of_the_probabilities(run, put, labelled, tmp_path):
    P = matrix(labelled)
    P[100] = np.nan  # which does not matter
    np.save(tmp_path / "P.npy", P)
    table = labelled[["picture", "kind"]].copy()
    table.loc[100, "kind"] = None
    options = ("--probabilities", "P.npy", "--missing", "drop-rows", "--json")
    found = run("audit", put(table), "-t", "kind", *options).json
    kept = np.arange(240) != 100
    model = NoisyLabels("precomputed", random_state=0).fit(P[kept], labelled["kind"][kept])
    assert found["labels"]["share_wrong"] == pytest.approx(model.noise_rate_)
    assert 101 not in pd.read_csv("table-tamis/relabelled.csv")["row"].tolist()


@pytest.mark.parametrize("beside", [False, True], ids=["columns", "file"])
def test_the_python_code_repeats_the_run(run, put, labelled, tmp_path, capsys, beside):
    labelled[[f"p_{name}" for name in KINDS]].to_parquet(tmp_path / "P.parquet")
    given = str(tmp_path / "P.parquet") if beside else "p_*"
    run("audit", put(labelled), "-t", "kind", "--probabilities", given, "--quiet")
    audit = json.loads(Path("table-tamis/audit.json").read_text())
    names, out = again("table-tamis", capsys)
    assert names["model"].noise_rate_ == audit["labels"]["share_wrong"]
    assert "p_wrong" in out
    assert str(tmp_path) not in Path("table-tamis/report.html").read_text()


# What is refused


def logits(labelled):
    return np.log(matrix(labelled) + 1e-3)


def too_large(labelled):
    P = matrix(labelled)
    P[7] *= 1.5
    return P


def permuted(labelled):
    return matrix(labelled)[:, [1, 2, 0]]


def gaps(labelled):
    P = matrix(labelled)
    P[7, 1] = np.nan
    return P


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (logits, "--probabilities P.npy must have probabilities; row 1 has -"),
        (too_large, "--probabilities P.npy must sum to one in every row; row 8 sums to 1.5"),
        (permuted, "--probabilities P.npy seems to have its columns in another order"),
        (gaps, "--probabilities must have no missing values; 'P.npy' has some in 1 of 240 rows (the first is row 8)"),
        (lambda t: matrix(t)[:-1], "P.npy must have a row for each row of the table; it has 239 for 240"),
        (lambda t: matrix(t)[:, :2], "--probabilities P.npy must have a column per recorded class"),
        (
            lambda t: matrix(t)[:, 0],
            "P.npy must be an array of numbers, a row for each row of the table; it has the shape",
        ),
        (
            lambda t: t.to_numpy(str),
            "P.npy must be an array of numbers, a row for each row of the table; it has the shape",
        ),
        (
            lambda t: t.to_numpy(object),
            "P.npy must be an array of numbers; it holds Python objects, which are not loaded",
        ),
    ],
    ids=["logits", "sums", "order", "gaps", "rows", "columns", "one column", "text", "objects"],
)
def test_arrays_that_are_no_probabilities(run, put, labelled, tmp_path, make, sentence):
    np.save(tmp_path / "P.npy", make(labelled), allow_pickle=True)
    ran = run("audit", put(labelled[["kind", "picture"]]), "-t", "kind", "--probabilities", "P.npy")
    assert ran.code == 3
    assert sentence in ran.err


def test_a_broken_array(run, put, labelled, tmp_path):
    np.save(tmp_path / "P.npy", matrix(labelled))
    (tmp_path / "P.npy").write_bytes((tmp_path / "P.npy").read_bytes()[:500])
    ran = run("audit", put(labelled), "-t", "kind", "--probabilities", "P.npy")
    assert (ran.code, "P.npy must be an array of numbers; it is broken" in ran.err) == (3, True)


@pytest.mark.parametrize(
    ("given", "code", "sentence"),
    [
        ("Q.npy", 3, "there is no file Q.npy"),
        ("folder/P.csv", 3, "there is no file folder/P.csv"),
        ("q_*", 2, "--probabilities must name a column of the table or a file; 'q_*' is none"),
        ("p_rse", 2, "did you mean 'p_rose'?"),
        ("kind", 2, "--probabilities must not name what --target names; 'kind' is in both"),
        ("pict*", 3, "--probabilities must name columns of numbers; 'picture' of 'pict*' is text"),
        ("p_t*", 3, "must have a column for every recorded class; there is none for 'daisy'"),
    ],
)
def test_what_is_not_there(run, put, labelled, given, code, sentence):
    ran = run("audit", put(labelled), "-t", "kind", "--probabilities", given)
    assert ran.code == code
    assert sentence in ran.err
