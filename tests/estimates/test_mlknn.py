"""ML-kNN: against a plain loop, published figures, and every way to write a target down."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from samples import gaussians, one_hot
from scipy.sparse import csr_matrix
from sklearn.datasets import load_iris, make_multilabel_classification
from sklearn.metrics import coverage_error, hamming_loss, label_ranking_loss
from sklearn.model_selection import cross_val_predict
from sklearn.neighbors import NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from tamis import MLkNNClassifier

DATA = Path(os.environ.get("TAMIS_DATA", "../shared/data"))


def plain(X, Y, X_test, k, s):
    """Zhang and Zhou (2007), Fig. 1, one row and one label at a time."""
    n, n_labels = Y.shape
    near = NearestNeighbors(n_neighbors=k).fit(X)
    around = near.kneighbors(return_distance=False)
    P = np.empty((len(X_test), n_labels))
    for label in range(n_labels):
        prior = (s + sum(Y[i, label] for i in range(n))) / (2 * s + n)
        having, lacking = np.zeros(k + 1), np.zeros(k + 1)
        for i in range(n):
            (having if Y[i, label] else lacking)[sum(Y[j, label] for j in around[i])] += 1
        for t, x in enumerate(X_test):
            count = sum(Y[j, label] for j in near.kneighbors([x], return_distance=False)[0])
            yes = prior * (s + having[count]) / (s * (k + 1) + having.sum())
            no = (1 - prior) * (s + lacking[count]) / (s * (k + 1) + lacking.sum())
            P[t, label] = yes / (yes + no)
    return P


def sample(n=130, seed=0):
    """Features on a coarse grid: many distances are equal, some rows are the same."""
    X, Y = make_multilabel_classification(n, n_features=4, n_classes=6, random_state=seed)
    return np.floor(X / 4), Y


@pytest.mark.parametrize(("k", "s"), [(10, 1.0), (1, 0.5), (3, 4)])
def test_agrees_with_a_plain_loop(k, s):
    X, Y = sample()
    Y[:, 4], Y[:, 5] = 0, 1  # a label that nobody has, and one that all have
    expected = plain(X[:100], Y[:100], X[100:], k, s)
    classifier = MLkNNClassifier(k, smoothing=s).fit(X[:100], Y[:100])
    np.testing.assert_allclose(classifier.predict_proba(X[100:]), expected, rtol=1e-12)
    np.testing.assert_array_equal(classifier.predict(X[100:]), expected > 0.5)
    assert classifier.predict(X[100:]).dtype.kind == "i"


def test_a_row_is_not_its_own_neighbour_even_where_rows_are_equal():
    X, Y = np.zeros((6, 1)), np.repeat([[1, 0], [0, 1]], 3, axis=0)
    counts = plain(X, Y, X[:1], 5, 1.0)  # every row has the five others, whatever order equal ones come in
    np.testing.assert_allclose(MLkNNClassifier(5).fit(X, Y).predict_proba(X[:1]), counts)
    assert MLkNNClassifier(5).fit(X, Y).posteriors_[0, 2] > 0.5  # who has the label sees it on two others


@pytest.mark.filterwarnings("ignore:n_neighbors=", "ignore:Skipping check")
def test_check_estimator():
    results = check_estimator(MLkNNClassifier(), on_fail=None)
    skipped = {"check_array_api_input", "check_classifiers_multilabel_output_format_decision_function"}
    assert {r["check_name"] for r in results if r["status"] != "passed"} <= skipped


@pytest.mark.parametrize("samples", [np.asarray, csr_matrix])
def test_targets_and_samples_in_any_container(samples, rng):
    X, Y = sample()
    X = X + rng.uniform(size=X.shape)  # no ties: sparse rows are searched in another way, and take others of equal ones
    expected = MLkNNClassifier().fit(X, Y).predict_proba(X)
    table = pd.DataFrame(Y, columns=list("zyxwvu"))
    for target in (csr_matrix(Y), table, Y.astype(bool), Y.astype(float), Y.tolist()):
        classifier = MLkNNClassifier().fit(samples(X), target)
        np.testing.assert_allclose(classifier.predict_proba(samples(X)), expected)
        assert classifier.predict(X).shape == Y.shape
        assert classifier.classes_.tolist() == (list("zyxwvu") if target is table else [0, 1, 2, 3, 4, 5])


def test_one_class_per_row_is_a_label_per_class():
    X, y = load_iris(return_X_y=True)
    names = np.array(["c", "a", "b"])[y]
    classifier = MLkNNClassifier().fit(X, names)
    assert classifier.classes_.tolist() == ["a", "b", "c"]
    assert classifier.score(X, names) > 0.95
    P = MLkNNClassifier().fit(X, np.eye(3, dtype=int)[y][:, [1, 2, 0]]).predict_proba(X)
    np.testing.assert_allclose(classifier.predict_proba(X), P / P.sum(axis=1, keepdims=True))
    # Of two classes one is the complement of the other.
    two = MLkNNClassifier().fit(X, y == 2)
    np.testing.assert_allclose(two.posteriors_[0], 1 - two.posteriors_[1][::-1])


def test_in_a_pipeline_and_cross_validation():
    X, Y = sample()
    P = cross_val_predict(make_pipeline(StandardScaler(), MLkNNClassifier()), X, Y, cv=5, method="predict_proba")
    assert P.shape == Y.shape
    assert label_ranking_loss(Y, P) < label_ranking_loss(Y, np.tile(Y.mean(axis=0), (len(Y), 1)))


@pytest.mark.parametrize(
    ("parameters", "y", "message"),
    [
        ({"n_neighbors": 0}, None, "n_neighbors must be a whole number of at least 1; got 0"),
        ({"smoothing": 0}, None, "smoothing must be a positive number; got 0"),
        ({}, 2, "Y as a matrix must be of zeros and ones; it has other values. Threshold it first"),
    ],
)
def test_bad_input_is_refused(parameters, y, message):
    X, Y = sample(40)
    with pytest.raises(ValueError, match=message):
        MLkNNClassifier(**parameters).fit(X, Y if y is None else Y * y)


def test_too_few_samples_are_told():
    X, Y = sample(8)
    with pytest.warns(UserWarning, match="n_neighbors=10 but only 8 samples; 7 neighbours are used"):
        assert MLkNNClassifier().fit(X, Y).posteriors_.shape == (6, 8)


@pytest.mark.data
@pytest.mark.skipif(not DATA.is_dir(), reason="needs the folder of data sets")
def test_yeast_gives_the_published_figures():
    """All features, official split: the figures of Zhang and Zhou's classifier as reported for Mulan's yeast."""
    table = pd.read_csv(DATA / "yeast_multilabel.csv.gz")
    train = (table["split"] == "train").to_numpy()
    values = table.drop(columns="split").to_numpy(float)
    X, Y = values[:, :-14], values[:, -14:].astype(int)
    classifier = MLkNNClassifier().fit(X[train], Y[train])
    P, found, truth = classifier.predict_proba(X[~train]), classifier.predict(X[~train]), Y[~train]
    assert hamming_loss(truth, found) == pytest.approx(0.198, abs=0.002)
    assert label_ranking_loss(truth, P) == pytest.approx(0.172, abs=0.002)
    assert coverage_error(truth, P) - 1 == pytest.approx(6.41, abs=0.02)


@pytest.mark.parametrize("smoothing", [5e-324, 1e-300, 1e300, 1.7e308])
def test_smoothing_at_the_ends_of_the_range(smoothing):
    X, codes = gaussians(40, 3, 3, seed=3)
    fitted = MLkNNClassifier(4, smoothing=smoothing).fit(X, one_hot(codes))
    assert ((fitted.posteriors_ >= 0) & (fitted.posteriors_ <= 1)).all()
    seen = MLkNNClassifier(4, smoothing=1e-9).fit(X, one_hot(codes)).posteriors_
    np.testing.assert_allclose(fitted.posteriors_, 0.5 if smoothing > 1 else seen, atol=1e-6)
