"""The tools of the class-distance experiments: search, judge, levels, and in small what they claim."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.neighbors import KNeighborsClassifier

from experiments.class_distance.contenders import path_of
from experiments.class_distance.newsgroups import levels
from experiments.class_distance.orders import compare
from experiments.class_distance.planted import DISTANCE, N_TRUE, draw, loss
from experiments.class_distance.sinkhorn import sinkhorn
from experiments.class_distance.small_problems import KINDS
from experiments.class_distance.votes import Votes
from tamis import ClassDistance, top_k_loss, wasserstein
from tamis.distances.levels import level_columns


@pytest.mark.parametrize("number", range(0, len(KINDS), 5))
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_orders_are_those_of_the_plain_twin(number):
    ours, theirs, apart = compare(KINDS[number], seed=number)
    assert ours == theirs
    assert apart < 1e-12


def voters(metric="euclidean", n_neighbors=5):
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 4, 90)
    X = rng.normal(size=(90, 3)) + codes[:, None]
    labels = np.eye(4)[codes] + (rng.random((90, 4)) < 0.2) > 0
    distance = ClassDistance.from_paths(["a/1", "a/2", "b/1", "b/2"])
    judge = Votes(X[:60], labels[:60], X[60:], labels[60:], distance.matrix, n_neighbors=n_neighbors, metric=metric)
    return judge, labels, distance


@pytest.mark.parametrize("k", [1, 2, 4])
def test_losses_are_those_of_the_package(k):
    judge, labels, distance = voters()
    plain = top_k_loss(labels[60:], judge.scores([0, 2]), distance, k)
    assert judge.losses([0, 2], (1, k))[1].mean() == pytest.approx(plain)


def test_losses_with_several_numbers_of_neighbours_are_those_with_each():
    for place, number in enumerate((7, 1)):
        judge, _, _ = voters(n_neighbors=number)
        both = judge.losses_by_number([0, 2], (1, 2), (7, 1))
        np.testing.assert_allclose(both[place], judge.losses([0, 2], (1, 2)).mean(axis=1))


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_votes_are_those_of_scikit_learn_where_nothing_is_tied(metric):
    judge, labels, _ = voters(metric)
    one = labels.argmax(axis=1)
    judge.labels = np.eye(4)[one[:60]]
    plain = KNeighborsClassifier(5, metric=metric, algorithm="brute").fit(judge.X, one[:60])
    np.testing.assert_allclose(judge.scores([0, 1, 2]), plain.predict_proba(judge.X_test), atol=1e-5)


def test_sparse_levels_are_judged_as_dense_ones():
    judge, _, _ = voters()
    judge.X, judge.X_test = (np.maximum(np.round(part), 0) for part in (judge.X, judge.X_test))
    dense = judge.scores([0, 1])
    judge.X, judge.X_test = csr_array(judge.X), csr_array(judge.X_test)
    np.testing.assert_array_equal(judge.scores([0, 1]), dense)


def test_rows_that_are_equally_near_all_vote():
    judge = Votes(
        np.array([[0.0], [0], [0], [5]]), np.eye(4), np.zeros((1, 1)), np.eye(4)[:1], 1 - np.eye(4), n_neighbors=1
    )
    np.testing.assert_allclose(judge.scores([0]), [[1 / 3, 1 / 3, 1 / 3, 0]], atol=1e-6)


def test_words_are_cut_as_the_selector_cuts_them():
    """But for the numbers of levels that do not occur, which the selector leaves out."""
    rng = np.random.default_rng(1)
    X = csr_array(np.where(rng.random((80, 4)) < 0.4, rng.random((80, 4)), 0.0))
    columns = level_columns(X, bins="uniform")
    found = csr_array((columns.levels, columns.rows, columns.first), shape=(4, 80)).T.toarray()
    for ours, theirs in zip(levels(X, X)[0].toarray().T, found.T, strict=True):
        np.testing.assert_array_equal(np.unique(ours, return_inverse=True)[1], theirs)


def test_sinkhorn_nears_the_exact_distance_and_is_no_distance():
    rng = np.random.default_rng(2)
    p, q = rng.dirichlet(np.ones(4), 6), rng.dirichlet(np.ones(4), 6)
    p[0] = [1, 0, 0, 0]
    D = ClassDistance.from_paths(["a/1", "a/2", "b/1", "b/2"], weights=(0.5, 0.2))
    exact = wasserstein(p, q, D)
    for sharpness, near in ((10, 0.2), (100, 0.02)):
        np.testing.assert_allclose(sinkhorn(p, q, D.matrix, sharpness).costs, exact, atol=near)
    assert (sinkhorn(q, q, D.matrix, 10).costs > 0.001).all()


def test_planted_features_are_found_with_the_correction():
    rng = np.random.default_rng(0)
    train, test = draw(2000, rng), draw(2000, rng)
    lost = {n: path_of(n, train[0].astype(float), train[1], DISTANCE, bins=None) for n in ("W", "W-null")}
    lost = {name: loss(path.subset(N_TRUE), train, test) for name, path in lost.items()}
    assert lost["W-null"] < 1.1 * loss(np.arange(N_TRUE), train, test)
    assert lost["W"] > 1.5 * lost["W-null"]
