"""A summary is plain JSON, has the keys that its page documents and no others, and says what the selector says."""

import json
import re
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from report_cases import summary_of
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

from tamis import (
    BlanketSelector,
    ClassDistance,
    CrowdLabels,
    MutualInformation,
    NoisyLabels,
    RankingSelector,
    SequentialSelector,
)
from tamis.cli.auditing import audited
from tamis.cli.preparing import prepare
from tamis.cli.selecting import about_data
from tamis.cli.tables import read
from tamis.datasets import flip_uniform
from tamis.views import summarise, summarise_audit
from tamis.views._plain import json_text, plain

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
    auto = {"judge": GaussianNB(), "cv": 2, "n_repeats": 2, "random_state": 0}
    numbers, kinds = X.drop(columns="place"), np.array(["meadow/a", "meadow/b", "wood"])[y]
    paths = ClassDistance.from_paths(np.unique(kinds).tolist())
    vectors = ClassDistance.from_vectors([[0, 0], [3, 0], [0, 4], [3, 4]], classes=range(4))
    fours = np.where(numbers.iloc[:, 0] > 6, 3, y)
    every_pair = NoisyLabels(transition="full", random_state=0)
    return {
        "auto": lambda: SequentialSelector(**auto).fit(X, y),
        "noisy": lambda: SequentialSelector(labels="noisy", **auto).fit(X, y),
        "soft": lambda: RankingSelector(labels="soft", **few).fit(X, probabilities),
        "sampled": lambda: SequentialSelector(n_queries=96, **few).fit(X, y),
        "crowd": lambda: SequentialSelector(labels="crowd", direction="forward", **few).fit(X, answers),
        "multilabel": lambda: SequentialSelector(labels="multilabel", **few).fit(X, sets),
        "blanket": lambda: BlanketSelector(labels="noisy", n_conditioning=3, n_bins=10, **few).fit(X, y),
        "hierarchy": lambda: BlanketSelector(
            labels=every_pair, class_distance=paths, n_conditioning=3, n_bins=10, **few
        ).fit(X, kinds),
        "vectors": lambda: BlanketSelector(class_distance=vectors, n_conditioning=3, n_bins=10, **few).fit(X, fours),
        "each-step": lambda: SequentialSelector(labels=NoisyLabels(None, refit="each-step"), **few).fit(numbers, y),
        "laplacian": lambda: RankingSelector("laplacian", **few).fit(X),
        "groups": lambda: SequentialSelector(MutualInformation(4), feature_groups=[0, 0, 1, 1, 2], **few).fit(X, y),
    }[kind]()


KINDS = (
    "auto",
    "noisy",
    "soft",
    "sampled",
    "crowd",
    "multilabel",
    "blanket",
    "hierarchy",
    "vectors",
    "each-step",
    "laplacian",
    "groups",
)


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


def test_every_key_is_documented_and_every_documented_key_is_there(summaries, irises, tmp_path):
    X, y = irises
    X.assign(kind=y, sure=0.9).to_csv(tmp_path / "irises.csv", index=False)
    table = prepare(read(str(tmp_path / "irises.csv")), target=["kind"], confidence="sure")
    model = RankingSelector(labels="soft").fit(table.X, table.y)
    from_a_file = summarise(model, data=about_data(table, "irises.csv"))
    found = {key for _, summary in summaries.values() for key in keys(summary)} - OBJECTS
    found |= {key for key in keys(from_a_file) if key.startswith("data.")}
    limited = SequentialSelector(n_features_to_select=2, n_queries=100, max_time=1e-9).fit(X, y)
    found |= {key for key in keys(summarise(limited)) if key.startswith("search.")}
    with pytest.warns(UserWarning, match="1 of 150 rows have no label"):
        unlabelled = RankingSelector(labels=NoisyLabels(random_state=0)).fit(X, [None, *y[1:].tolist()])
    found |= {key for key in keys(summarise(unlabelled)) if key.startswith("labels.")}
    found |= {*keys(summary_of("as_it_is"))} - OBJECTS
    found |= {f"data.reading.{key}" for key in answers_table(irises, tmp_path).reading}
    assert found == documented("selection.md")


def answers_table(irises, folder):
    """Three true classes, and two answers for each row in a file."""
    X, y = irises
    X.assign(gold=np.where(np.arange(len(y)) < 3, y, np.nan)).to_csv(folder / "rows.csv", index=False)
    row = np.repeat(np.arange(1, len(y) + 1), 2)
    lines = {"row": row, "annotator": np.arange(len(row)) % 2, "label": np.repeat(y, 2)}
    pd.DataFrame(lines).to_csv(folder / "answers.csv", index=False)
    return prepare(read(str(folder / "rows.csv")), answers=str(folder / "answers.csv"), gold="gold")


def test_every_key_of_an_audit_is_documented(irises, tmp_path):
    X, y = irises
    X = X.drop(columns="place")
    X.assign(kind=y).to_csv(tmp_path / "irises.csv", index=False)
    pd.DataFrame(np.eye(3)[y], columns=[0, 1, 2]).to_csv(tmp_path / "P.csv", index=False)
    table = prepare(read(str(tmp_path / "irises.csv")), target=["kind"], probabilities=[str(tmp_path / "P.csv")])
    audits = [
        summarise_audit(NoisyLabels(transition="full", random_state=0).fit(X, y), n_features=4),
        audited(table, "irises.csv").summary,
        summarise_audit(CrowdLabels().fit(None, np.column_stack([y, y, np.roll(y, 3)]))),
    ]
    found = {key for audit in audits for key in keys(audit)} - OBJECTS
    both = documented("selection.md")
    assert documented("audit.md") - both == {"asked.labels", "data.reading.probabilities"}
    assert documented("audit.md") | both >= found
    assert documented("audit.md") <= found
    assert audits[0]["labels"]["confusions"][0]["rows"] > 1


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


@pytest.mark.parametrize("kind", KINDS)
def test_a_feature_is_in_all_subsets_from_a_size_on(summaries, kind):
    model, summary = summaries[kind]
    from_size = [f["from_size"] for f in summary["features"]]
    for size in model.path_.sizes.tolist():
        inside = [f for f, first in enumerate(from_size) if first is not None and first <= size]
        assert inside == model.path_.subset(size).tolist()


def test_what_never_enters_has_no_size(summaries):
    _, summary = summaries["crowd"]
    assert [f["from_size"] for f in summary["features"]].count(None) == 3


def correlations(X):
    """Between features; of categories, the largest of their columns of zeros and ones."""
    columns = [pd.get_dummies(X[c]) if isinstance(X[c].dtype, pd.CategoricalDtype) else X[[c]] for c in X]
    owner = np.repeat(np.arange(X.shape[1]), [c.shape[1] for c in columns])
    r = np.abs(np.corrcoef(np.column_stack(columns).astype(float).T))
    features = range(X.shape[1])
    return np.array([[r[np.ix_(owner == f, owner == g)].max() for g in features] for f in features])


@pytest.mark.parametrize("kind", sorted({*KINDS} - {"each-step"}))
def test_the_first_that_is_in_a_subset_is_the_most_correlated(summaries, irises, kind):
    model, summary = summaries[kind]
    r = correlations(irises[0])
    for size in model.path_.sizes:
        subset = model.path_.subset(size).tolist()
        for f, feature in enumerate(summary["features"]):
            found = next((other for other in feature["like"] if other["place"] in subset), None)
            best = max((r[f, g] for g in subset if g != f), default=None)
            if best is None:
                assert found is None
            else:
                assert found["correlation"] == float(f"{found['correlation']:.6g}") == pytest.approx(best, rel=1e-5)
                assert r[f, found["place"]] == pytest.approx(best, rel=1e-9)


def test_rates_of_each_step(summaries):
    model, summary = summaries["each-step"]
    assert [step["noise_rates"] for step in summary["path"]] == model.path_.noise_rates.tolist()
    for kind in {*KINDS} - {"each-step"}:
        assert all(step["noise_rates"] is None for step in summaries[kind][1]["path"])


JUDGED = ("auto", "noisy")


@pytest.mark.parametrize("kind", JUDGED)
def test_evidence_is_that_of_the_selector(summaries, kind):
    model, summary = summaries[kind]
    known, told = model.evidence_, summary["evidence"]
    for key in ("size", "loss", "loss_se", "error", "error_interval"):
        values = getattr(known, "sizes" if key == "size" else key)
        assert [at[key] for at in told["sizes"]] == values.tolist()
    for key in set(told) - {"sizes", "error_of_all", "error_of_all_interval"}:
        value = getattr(known, key)
        assert told[key] == (list(value) if isinstance(value, tuple) else value)
    assert known.reaches_all
    assert told["error_of_all"] == known.error[-1]
    assert told["error_of_all_interval"] == known.error_interval[-1].tolist()
    assert summary["search"]["n_selected"] == known.n_chosen


@pytest.mark.parametrize("kind", JUDGED)
def test_each_feature_has_its_role_frequency_swaps_and_p_value(summaries, kind):
    model, summary = summaries[kind]
    assert [f["role"] for f in summary["features"]] == model.roles_.tolist()
    assert [f["frequency"] for f in summary["features"]] == model.evidence_.frequency.tolist()
    assert [f["frequency_over_sizes"] for f in summary["features"]] == model.evidence_.frequency_over_sizes.tolist()
    assert [f["p_value"] for f in summary["features"]] == model.pvalues_.tolist()
    swaps = {f: [(s["place"], s["cost"]) for s in told["swaps"]] for f, told in enumerate(summary["features"])}
    assert {f: found for f, found in swaps.items() if found} == model.swaps_


def test_without_evidence_nothing_is_said_of_it(summaries):
    for kind in {*KINDS} - {*JUDGED}:
        summary = summaries[kind][1]
        assert summary["evidence"] is None
        for key in ("role", "frequency", "frequency_over_sizes", "swaps", "p_value"):
            assert {f[key] for f in summary["features"]} == {None}


def test_all_features_that_were_not_judged_have_no_error():
    evidence = summary_of("too_many_features")["evidence"]
    assert evidence["error_of_all"] is evidence["error_of_all_interval"] is None
    assert summary_of("too_few_rows")["evidence"] is None


def test_a_constant_feature_has_no_p_value(irises):
    X, y = irises
    X = X.drop(columns="place").assign(one=1.0)
    how = {"judge": GaussianNB(), "cv": 2, "n_repeats": 2, "random_state": 0}
    features = summarise(SequentialSelector(**how).fit(X, y))["features"]
    assert [f["p_value"] is None for f in features] == [False] * 4 + [True]


def test_objects_and_groups_and_categories(summaries):
    _, summary = summaries["groups"]
    assert summary["asked"]["parameters"]["criterion"] == {"python": "MutualInformation(n_neighbors=4)"}
    assert [f["group"] for f in summary["features"]] == [0, 0, 1, 1, None]
    assert [f["n_categories"] for f in summary["features"]] == [None, None, None, None, 3]


def test_noisy_labels(summaries):
    model, summary = summaries["noisy"]
    labels = summary["labels"]
    assert labels["share_wrong"] == model.labels_.noise_rate_ == pytest.approx(0.2, abs=0.07)
    assert labels["share_wrong_interval"] == list(model.labels_.noise_rate_interval_)
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
    unknown = dict.fromkeys(("weights", "n_groups", "columns", "reading"))
    assert summary["data"] == about | {"rows": 150, "n_features": 4, **unknown}
    assert summary["warnings"] == ["careful"]
    assert summarise(model)["features"][0]["name"] == "x0"


def test_json_is_short_and_the_same():
    evil = ["a [\n 1\n]", "[", "]", "{ }", "\u2028\r\n", '"[\\n']
    value = {"lists": [[1.5, None, True], [], evil, [[1, 2], [3]]], "[\n": {"of": [{"a": [1]}, {}]}}
    for ascii_only in (True, False):
        assert json.loads(json_text(value, ascii_only=ascii_only)) == value
    assert "[1.5, null, true]" in json_text(value)
    assert json_text({"a": list(range(500))}).count("\n") == 2


def test_what_json_has_not():
    values = {"a": np.float64("nan"), 2: np.array([1, np.inf]), "c": {3, 1}, "d": np.bool_(True), "e": range}
    assert plain(values) == {"a": None, "2": [1.0, None], "c": [1, 3], "d": True, "e": {"python": "<class 'range'>"}}
