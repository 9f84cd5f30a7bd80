"""Annotators' answers: Dawid and Skene against a slow twin and a known truth, and every way to write answers down."""

import json
import os
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
import reference
from sklearn.model_selection import train_test_split
from sklearn.utils import _safe_indexing

from tamis import CrowdLabels, RankingSelector, SequentialSelector, answers_of

DATA = Path(os.environ.get("TAMIS_DATA", "../shared/data"))
CLASSES = np.array(["ant", "bee", "cow"])


def crowd(n=400, reliabilities=(0.9, 0.9, 0.4, 0.4, 0.3), answered=0.8, seed=0):
    """True codes, and answers of annotators who err towards any other class; all but the first omit some (-1)."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    right = rng.uniform(size=(n, len(reliabilities))) < reliabilities
    codes = np.where(right, truth[:, None], (truth[:, None] + rng.integers(1, 3, size=right.shape)) % 3)
    codes[:, 1:][rng.uniform(size=(n, len(reliabilities) - 1)) > answered] = -1
    return truth, codes


def named(codes):
    return np.where(codes < 0, None, CLASSES[codes])


@pytest.mark.parametrize("smoothing", [0.0, 1.0])
def test_agrees_with_the_slow_twin(smoothing):
    _, codes = crowd(60, answered=1.0)
    codes[::3, 4] = -1
    model = CrowdLabels(smoothing=smoothing, max_iter=7, tol=0)
    with pytest.warns(UserWarning, match="did not converge"):
        model.fit(None, named(codes))
    memberships, confusion = reference.dawid_skene(codes, 3, smoothing, 7)
    np.testing.assert_allclose(model.memberships_, memberships, atol=1e-9)
    np.testing.assert_allclose(model.confusion_, confusion, atol=1e-9)


def test_finds_the_truth_and_who_tells_it():
    truth, codes = crowd()
    model, votes = CrowdLabels().fit(None, named(codes)), CrowdLabels("share").fit(None, named(codes))
    right = (model.memberships_.argmax(axis=1) == truth).mean()
    assert right > (votes.memberships_.argmax(axis=1) == truth).mean() + 0.05
    assert right > 0.88
    np.testing.assert_allclose(model.reliabilities_, [0.9, 0.9, 0.4, 0.4, 0.3], atol=0.09)
    np.testing.assert_allclose(model.class_priors_, 1 / 3, atol=0.06)
    assert model.converged_
    assert model.n_iter_ == len(model.log_likelihood_)
    likelihoods = CrowdLabels(smoothing=0).fit(None, named(codes)).log_likelihood_
    assert (np.diff(likelihoods[:10]) > -1e-9).all()  # then it is accelerated
    assert likelihoods[-1] > likelihoods.max() - 1e-4


@pytest.mark.parametrize(("answered", "smoothing"), [(0.8, 1.0), (0.4, 1.0), (0.4, 0.0)])
def test_ends_where_plain_em_ends(answered, smoothing):
    _, codes = crowd(60, answered=answered, seed=3)
    model = CrowdLabels(smoothing=smoothing, tol=1e-9).fit(None, named(codes))
    memberships, confusion = reference.dawid_skene(codes, 3, smoothing, 700)
    np.testing.assert_allclose(model.memberships_, memberships, atol=1e-5)
    np.testing.assert_allclose(model.confusion_, confusion, atol=1e-5)
    assert model.n_iter_ < 300


def test_a_mirror_is_as_good_as_a_window():
    """Somebody who always takes ants for bees and bees for ants tells everything; votes cannot see that."""
    truth, codes = crowd(300, (0.75, 0.75, 0.75), 1.0)
    mirror = np.array([1, 0, 2])[truth]
    model = CrowdLabels().fit(None, named(np.column_stack([codes, mirror])))
    assert (model.memberships_.argmax(axis=1) == truth).mean() > 0.97
    np.testing.assert_allclose(model.confusion_[3], np.eye(3)[[1, 0, 2]], atol=0.05)
    assert model.reliabilities_[3] < 0.5


def test_shares_are_shares():
    model = CrowdLabels("share").fit(None, [["a", "b", "a"], ["b", "b", "b"], ["a", None, None]])
    np.testing.assert_allclose(model.memberships_, [[2 / 3, 1 / 3], [0, 1], [1, 0]])
    assert model.n_answers_.tolist() == [3, 2, 2]
    assert model.n_iter_ == 0


def test_order_of_rows_annotators_and_names_of_classes_do_not_matter():
    _, codes = crowd(100, answered=0.9)
    plain, rng = CrowdLabels().fit(None, named(codes)), np.random.default_rng(0)
    rows, columns = rng.permutation(100), rng.permutation(5)
    moved = CrowdLabels().fit(None, named(codes)[rows][:, columns])
    np.testing.assert_allclose(moved.memberships_, plain.memberships_[rows], atol=1e-9)
    np.testing.assert_allclose(moved.confusion_, plain.confusion_[columns], atol=1e-9)
    renamed = CrowdLabels().fit(None, np.where(codes < 0, None, np.array(["z", "y", "x"])[codes]))
    np.testing.assert_allclose(renamed.memberships_, plain.memberships_[:, ::-1], atol=1e-9)


@pytest.mark.parametrize("kind", ["none", "nan", "pandas", "pandas NA", "polars", "masked", "text", "floats", "minus"])
def test_every_way_to_say_no_answer(kind):
    _, codes = crowd(50, answered=0.9)
    expected = CrowdLabels().fit(None, named(codes)).memberships_
    floats = np.where(codes < 0, np.nan, codes)
    y = {
        "none": named(codes).tolist(),
        "nan": np.where(codes < 0, np.nan, named(codes)),
        "pandas": pd.DataFrame(named(codes)),
        "pandas NA": pd.DataFrame(floats).astype("Int64"),
        "polars": pl.DataFrame({f"w{a}": named(codes)[:, a].tolist() for a in range(5)}),
        "masked": np.ma.masked_array(codes, mask=codes < 0),
        "text": np.where(codes < 0, "", named(codes)).astype(str),
        "floats": floats,
        "minus": codes,
    }[kind]
    model = CrowdLabels(missing_value=-1 if kind == "minus" else None).fit(None, y)
    np.testing.assert_allclose(model.memberships_, expected, atol=1e-12)
    assert len(model.classes_) == 3


def test_names_of_annotators_come_from_the_table():
    _, codes = crowd(50, answered=0.9)
    model = CrowdLabels().fit(None, pd.DataFrame(named(codes), columns=list("vwxyz")))
    assert model.annotators_.tolist() == list("vwxyz")
    table = model.annotators()
    assert table.columns.tolist() == ["annotator", "n_answers", "reliability", "low", "high", "note"]
    assert table["reliability"].is_monotonic_increasing
    assert set(table["annotator"][:3]) == set("xyz")


def test_annotators_alike_stay_in_their_order():
    names = [f"a{i:02}" for i in range(40)]
    table = CrowdLabels().fit(None, pd.DataFrame(np.tile([["x"], ["y"], ["x"]], (1, 40)), columns=names)).annotators()
    assert table["annotator"].tolist() == names
    assert table["n_answers"].tolist() == [3] * 40


def test_one_column_is_one_annotator():
    model = CrowdLabels().fit(None, ["a", "b", "a", "b"])
    np.testing.assert_array_equal(model.memberships_.argmax(axis=1), [0, 1, 0, 1])


def test_rows_without_an_answer_are_left_out_with_a_count():
    truth, codes = crowd(80, (0.9, 0.8, 0.7), 1.0)
    X = truth[:, None] + np.random.default_rng(0).normal(size=(80, 2)) * [0.3, 5]
    codes[[3, 40]] = -1
    labels = CrowdLabels(estimator=None, soft=True)
    with pytest.warns(UserWarning, match="2 of 80 rows have no answer; they are left out"):
        selector = SequentialSelector(labels=labels, n_features_to_select=1).fit(X, named(codes))
    assert not selector.memberships_[[3, 40]].any()
    kept = np.delete(np.arange(80), [3, 40])
    expected = SequentialSelector(labels="soft", n_features_to_select=1, scale=None)
    unscaled = SequentialSelector(labels=CrowdLabels(estimator=None, soft=True), n_features_to_select=1, scale=None)
    with pytest.warns(UserWarning, match="no answer"):
        unscaled.fit(X, named(codes))
    expected.fit(X[kept], selector.memberships_[kept])
    np.testing.assert_allclose(unscaled.path_.scores, expected.path_.scores, atol=1e-12)
    with pytest.warns(UserWarning, match="no answer"):
        ranked = RankingSelector(labels=CrowdLabels(estimator=None, soft=True)).fit(X, named(codes))
    alone = RankingSelector(labels="soft").fit(X[kept], selector.memberships_[kept])
    np.testing.assert_allclose(ranked.scores_, alone.scores_, rtol=1e-12)
    with pytest.raises(ValueError, match=r"2 of 80 rows have no answer \(the first is row 3\)"):
        CrowdLabels(unanswered="error").fit(None, named(codes))


def test_other_rows_are_judged_by_the_same_annotators():
    _, codes = crowd(200, answered=1.0)
    y = pd.DataFrame(named(codes), columns=list("vwxyz"))
    model = CrowdLabels(tol=1e-12).fit(None, y)
    np.testing.assert_allclose(model.posterior(y), model.memberships_, atol=1e-9)
    np.testing.assert_allclose(model.posterior(y[["z", "v", "w", "y", "x"]]), model.memberships_, atol=1e-9)
    few = model.posterior(y[["v"]][:5])
    assert few.shape == (5, 3)
    with pytest.raises(ValueError, match="annotators must be known; 'new' is not one of"):
        model.posterior(y.rename(columns={"v": "new"}))
    with pytest.raises(ValueError, match="'dog' is not one of"):
        model.posterior(pd.DataFrame({"v": ["dog", "ant"]}))


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "target y is None"),
        ([[None, None], [None, None]], "must have answers; all are missing"),
        ([["a", 1], ["b", 2]], "answers of one type"),
        ([[0.5, 1.2], [0.1, 0.3]], "Unknown label type"),
        ([[np.inf, 1], [1, 2]], "NaN or infinity"),
        (np.zeros((2, 2, 2)), "3 dimensions"),
    ],
)
def test_bad_answers_are_named(y, message):
    with pytest.raises(ValueError, match=message):
        CrowdLabels().fit(None, y)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (dict(method="vote"), "method must be one of"),
        (dict(smoothing=-1), "smoothing must be a number of at least 0"),
        (dict(unanswered="keep"), "unanswered must be one of"),
        (dict(max_iter=0), "max_iter must be"),
        (dict(tol=2), "tol must be"),
    ],
)
def test_bad_parameters_are_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        CrowdLabels(**parameters).fit(None, [["a", "b"], ["b", "b"]])


def test_memberships_beside_answers_are_refused():
    with pytest.raises(ValueError, match="not used when labels='crowd'"):
        CrowdLabels().fit(None, [["a", "b"], ["b", "b"]], memberships=np.eye(2))


def test_a_long_table_becomes_a_wide_one():
    long = pd.DataFrame({"row": [0, 2, 2, 2], "who": ["x", "y", "x", "x"], "said": ["a", "b", "a", "a"]})
    wide = answers_of(long["row"], long["who"], long["said"]).to_frame()
    assert wide.columns.tolist() == ["x", "y"]
    assert wide.to_numpy().tolist() == [["a", None], [None, None], ["a", "b"]]
    more = answers_of(long["row"], long["who"], long["said"], n_rows=5, annotators=["y", "z", "x"]).to_frame()
    assert more.shape == (5, 3)
    assert more["z"].isna().all()
    pd.testing.assert_series_equal(more["x"][:3], wide["x"])


@pytest.mark.parametrize(
    ("long", "more", "message"),
    [
        (([0, 0], ["x", "x"], ["a", "b"]), {}, "'x' gave 'a' and 'b' for row 0"),
        (([0, 1], ["x", "q"], ["a", "b"]), dict(annotators=["x", "y"]), "'q' is not one of"),
        (([0, 5], ["x", "y"], ["a", "b"]), dict(n_rows=3), "row must be below n_rows = 3; got 5"),
        (([0, -1], ["x", "y"], ["a", "b"]), {}, "count from 0"),
        (([0.5, 1], ["x", "y"], ["a", "b"]), {}, "count from 0"),
        (([], [], []), {}, "at least one answer"),
        (([0], ["x", "y"], ["a", "b"]), {}, "inconsistent numbers of samples"),
    ],
)
def test_bad_long_tables_are_named(long, more, message):
    with pytest.raises(ValueError, match=message):
        answers_of(*long, **more)


@pytest.mark.data
@pytest.mark.skipif(not DATA.is_dir(), reason="needs the folder of data sets")
@pytest.mark.parametrize(("name", "at_least"), [("music_genre_crowd", 0.74), ("sentence_polarity_crowd", 0.91)])
def test_real_annotators(name, at_least):
    """Votes are right as often as the description of the data says; the posterior is right more often."""
    said = pd.read_csv(DATA / f"{name}_annotations.csv.gz", keep_default_na=False, dtype=str)
    gold_file = next(p for p in (DATA / f"{name}_labels.csv.gz", DATA / f"{name}.csv.gz") if p.exists())
    answers = answers_of(said["row"].astype(int), said["annotator"], said["label"])
    gold = pd.read_csv(gold_file, keep_default_na=False, dtype={"label": str})["label"].to_numpy()[: len(answers)]
    right = []
    for model in (CrowdLabels("share"), CrowdLabels()):
        P = model.fit(None, answers).memberships_
        top = np.isclose(P, P.max(axis=1, keepdims=True))
        right.append((top / top.sum(axis=1, keepdims=True))[np.arange(len(P)), np.searchsorted(model.classes_, gold)])
    noted = json.loads((DATA / f"{name}.json").read_text())["majority_vote_accuracy_ties_split"]
    assert np.mean(right[0]) == pytest.approx(noted, abs=1e-4)
    assert np.mean(right[1]) > at_least


def test_of_a_class_without_weight_annotators_are_taken_for_right():
    model = CrowdLabels(smoothing=0).fit(None, [[0, 1], [1, 1]], classes=[0, 1, 2])
    np.testing.assert_array_equal(model.confusion_[:, 2], np.tile([0.0, 0.0, 1.0], (2, 1)))
    assert np.isfinite(model.confusion_).all()


@pytest.mark.parametrize(
    "key",
    [
        slice(2, 9),
        slice(None, None, -1),
        [3, 3, 0, 11],
        np.arange(12) % 3 == 1,
        np.array([-1, 5]),
        [],
        (slice(4), slice(None)),
    ],
    ids=str,
)
def test_rows_of_a_long_table_are_those_of_a_wide_one(key):
    rng = np.random.default_rng(0)
    pairs = rng.choice(12 * 5, 25, replace=False)
    answers = answers_of(pairs // 5, pairs % 5, CLASSES[rng.integers(0, 3, 25)], n_rows=12)
    wide = np.asarray(answers)
    assert (wide != np.array(None)).sum() == 25
    np.testing.assert_array_equal(np.asarray(answers[key]), wide[key])
    assert answers[key].shape == wide[key].shape
    if isinstance(key, list) and key:
        np.testing.assert_array_equal(np.asarray(_safe_indexing(answers, key)), wide[key])
        np.testing.assert_array_equal(np.asarray(answers.take(key)), wide[key])


def test_long_tables_can_be_sent_and_split():
    answers = answers_of([0, 1, 2, 3], ["a", "b", "a", "b"], ["x", "y", "y", "x"])
    again = pickle.loads(pickle.dumps(answers))
    np.testing.assert_array_equal(np.asarray(again), np.asarray(answers))
    one, other = train_test_split(answers, test_size=2, random_state=0)
    assert len(one) == len(other) == 2
    assert repr(answers) == "<4 answers of 2 annotators for 4 rows>"
