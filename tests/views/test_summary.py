"""A summary is plain JSON, has the keys that its page documents and no others, and says what the selector says."""

import json
import re
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from tamis import BlanketSelector, CrowdLabels, MutualInformation, NoisyLabels, RankingSelector, SequentialSelector
from tamis.datasets import flip_uniform
from tamis.views import summarise, summarise_audit
from tamis.views._plain import plain

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def irises():
    X, y = load_iris(return_X_y=True, as_frame=True)
    X = X.assign(place=pd.Categorical(["north", "south", "east"] * 50))
    return X, flip_uniform(y, 0.2, random_state=0).y


def fitted(kind, irises):
    X, y = irises
    answers = np.column_stack([flip_uniform(y, e, random_state=a).y for a, e in enumerate((0.1, 0.2, 0.4))])
    probabilities = 0.1 + 0.7 * np.eye(3)[y]
    sets = pd.DataFrame({"big": X.iloc[:, 0] > 5.8, "wide": X.iloc[:, 1] > 3}).astype(int)
    few = {"n_features_to_select": 2, "random_state": 0}
    return {
        "auto": lambda: SequentialSelector(random_state=0).fit(X, y),
        "noisy": lambda: SequentialSelector(labels="noisy", random_state=0).fit(X, y),
        "soft": lambda: RankingSelector(labels="soft", **few).fit(X, probabilities),
        "crowd": lambda: SequentialSelector(labels="crowd", direction="forward", **few).fit(X, answers),
        "multilabel": lambda: SequentialSelector(labels="multilabel", **few).fit(X, sets),
        "blanket": lambda: BlanketSelector(labels="noisy", **few).fit(X, y),
        "laplacian": lambda: RankingSelector("laplacian", **few).fit(X),
        "groups": lambda: SequentialSelector(MutualInformation(4), feature_groups=[0, 0, 1, 1, 2], **few).fit(X, y),
    }[kind]()


KINDS = ("auto", "noisy", "soft", "crowd", "multilabel", "blanket", "laplacian", "groups")


@pytest.fixture(scope="module")
def summaries(irises):
    return {kind: (model := fitted(kind, irises), summarise(model)) for kind in KINDS}


def keys(value, path=""):
    """Names of all keys in a document, with [] for the entries of a list; parameters are left out."""
    if isinstance(value, dict) and path != "asked.parameters":
        for key, item in value.items():
            below = f"{path}.{key}" if path else key
            yield below
            yield from keys(item, below)
    elif isinstance(value, list):
        for item in value:
            yield from keys(item, f"{path}[]")


def documented(page, containers=()):
    """First cells of the table of keys."""
    rows = re.findall(r"^\| (.*?) \|", (DOCS / page).read_text(), flags=re.MULTILINE)
    return {key for row in rows for key in re.findall(r"`([^`]+)`", row)}


OBJECTS = {"asked", "data", "search"}  # whose keys are documented, not they themselves


def test_every_key_is_documented_and_every_documented_key_is_there(summaries):
    found = {key for _, summary in summaries.values() for key in keys(summary)} - OBJECTS
    assert found == documented("selection.md")


def test_every_key_of_an_audit_is_documented(irises):
    X, y = irises
    X = X.drop(columns="place")
    full = NoisyLabels(transition="full", random_state=0).fit(X, y)
    audits = [
        summarise_audit(full, pairs=full, n_features=4),
        summarise_audit(CrowdLabels().fit(None, np.column_stack([y, y, np.roll(y, 3)]))),
    ]
    found = {key for audit in audits for key in keys(audit)} - OBJECTS
    assert documented("audit.md") == {key for key in found if not key.startswith("labels.")}
    assert {key for key in found if key.startswith("labels.")} <= documented("selection.md")
    assert audits[0]["confusions"][0]["rows"] > 1


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_json_and_says_what_the_selector_says(summaries, kind):
    model, summary = summaries[kind]
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary
    names = [f["name"] for f in summary["features"]]
    assert summary["selected"] == [n for n, kept in zip(names, model.support_, strict=True) if kept]
    assert summary["search"]["n_selected"] == model.n_features_ == len(summary["selected"])
    assert [f["rank"] for f in summary["features"]] == model.ranking_.tolist()
    assert [step["size"] for step in summary["path"]] == model.path_.sizes.tolist()
    assert "n_jobs" not in summary["asked"]["parameters"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_subset_can_be_told_from_the_path(summaries, kind):
    model, summary = summaries[kind]
    names = np.array([f["name"] for f in summary["features"]])
    here = set(summary["search"]["start"])
    for step in summary["path"]:
        here = here ^ set(step["moved"])
        assert here == set(names[model.path_.subset(step["size"])])


def test_p_values_belong_to_the_features_they_are_of(summaries):
    model, summary = summaries["auto"]
    p_of = {f["name"]: f["p_value"] for f in summary["features"]}
    for i, step in enumerate(summary["path"][1:], start=1):
        assert p_of[step["moved"][0]] == model.p_values_[i - 1]
    last = summary["features"][int(model.path_.subset(1)[0])]
    assert last["p_value"] == model.p_values_[-1]


def test_objects_and_groups_and_categories(summaries):
    _, summary = summaries["groups"]
    assert summary["asked"]["parameters"]["criterion"] == {"python": "MutualInformation(n_neighbors=4)"}
    assert [f["group"] for f in summary["features"]] == [0, 0, 1, 1, None]
    assert [f["n_categories"] for f in summary["features"]] == [None, None, None, None, 3]


def test_noisy_labels(summaries):
    model, summary = summaries["noisy"]
    labels = summary["labels"]
    assert labels["share_wrong"] == pytest.approx(0.2, abs=0.07)
    assert labels["n_suspects"] == (model.labels_.suspects()["p_wrong"] > 0.5).sum() == len(labels["suspects"])
    assert sum(c["rows"] for c in summary["classes"]) == 150
    first = model.labels_.suspects(1).iloc[0]
    assert labels["suspects"][0]["row"] == first["row"] + 1
    assert summaries["blanket"][1]["class_distance"]["noise_bound"] > 0


def test_rows_names_data_and_warnings(irises):
    X, y = irises
    model = SequentialSelector(labels="noisy", n_features_to_select=1, random_state=0)
    model.fit(X.drop(columns="place").to_numpy(), y)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.warn("careful", UserWarning, stacklevel=1)
    about = {"file": "irises.csv", "targets": ["kind"], "notes": ["delimiter ';'"]}
    summary = summarise(model, names=list("abcd"), data=about, rows=np.arange(150) + 1000, warnings=caught)
    assert {f["name"] for f in summary["features"]} == set("abcd")
    assert all(s["row"] >= 1000 for s in summary["labels"]["suspects"])
    assert summary["data"] == about | {"rows": 150, "n_features": 4}
    assert summary["warnings"] == ["careful"]
    assert summarise(model)["features"][0]["name"] == "x0"


def test_what_json_has_not():
    values = {"a": np.float64("nan"), 2: np.array([1, np.inf]), "c": {3, 1}, "d": np.bool_(True), "e": range}
    assert plain(values) == {"a": None, "2": [1.0, None], "c": [1, 3], "d": True, "e": {"python": "<class 'range'>"}}
