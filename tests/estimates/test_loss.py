"""The loss of the k first guesses: as the paper writes it, for labels and sets of labels."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.metrics import zero_one_loss

from tamis import ClassDistance, top_k_loss

PATHS = ["pet/cat", "pet/dog", "car", "pet", "car/van"]


def literal(true_sets, scores, D, k):
    total = 0.0
    for labels, row in zip(true_sets, scores, strict=True):
        guesses = sorted(range(len(row)), key=lambda s: (-row[s], s))[:k]
        total += sum(min(D[g][t] for t in labels) for g in guesses) / k
    return total / len(scores)


@pytest.fixture
def problem():
    rng = np.random.default_rng(0)
    scores = np.round(rng.random((200, 5)), 1)  # many ties
    sets = [set(rng.permutation(5)[: rng.integers(1, 4)].tolist()) for _ in range(200)]
    return ClassDistance.from_paths(PATHS).for_classes(sorted(PATHS)), scores, sets


@pytest.mark.parametrize("k", [1, 2, 5])
def test_it_is_the_formula(problem, k):
    distance, scores, sets = problem
    names = sorted(PATHS)
    expected = literal(sets, scores, distance.matrix, k)
    indicator = np.array([[s in labels for s in range(5)] for labels in sets])
    for truth in (
        indicator,
        indicator.astype(int),
        csr_array(indicator),
        [{names[s] for s in labels} for labels in sets],
        np.array([[names[s] for s in labels] for labels in sets], dtype=object),
    ):
        assert top_k_loss(truth, scores, distance, k) == pytest.approx(expected, abs=1e-12)
    first = [min(labels) for labels in sets]
    expected = literal([{s} for s in first], scores, distance.matrix, k)
    assert top_k_loss([names[s] for s in first], scores, distance, k) == pytest.approx(expected, abs=1e-12)
    assert top_k_loss(first, scores, distance.matrix, k, classes=range(5)) == pytest.approx(expected, abs=1e-12)


def test_columns_are_sorted_classes_or_those_named(problem):
    distance, scores, sets = problem
    names = sorted(PATHS)
    truth = [names[min(labels)] for labels in sets]
    expected = top_k_loss(truth, scores, distance)
    assert top_k_loss(truth, scores, ClassDistance.from_paths(PATHS)) == expected
    order = [3, 1, 4, 0, 2]
    loss = top_k_loss(truth, scores[:, order], distance, classes=[names[s] for s in order])
    assert loss == pytest.approx(
        literal([{order.index(min(s))} for s in sets], scores[:, order], distance.matrix[np.ix_(order, order)], 1)
    )


def test_without_a_distance_it_is_the_share_of_errors():
    rng = np.random.default_rng(1)
    y, scores = rng.integers(0, 4, 300), rng.random((300, 4))
    assert top_k_loss(y, scores, None) == pytest.approx(zero_one_loss(y, scores.argmax(axis=1)))
    with np.errstate(divide="ignore"):
        assert top_k_loss(y, np.log(scores), None) == top_k_loss(y, scores, None)


def test_of_equal_scores_the_first_counts():
    distance = ClassDistance.from_tree([(0, 1, 1.0), (1, 2, 1.0)])
    assert top_k_loss([2], [[0.5, 0.5, 0.0]], distance) == 2
    assert top_k_loss([2], [[-np.inf, 0.0, 0.0]], distance) == 1
    assert top_k_loss([2], [[1, 1, 1]], distance, k=2) == 1.5


def test_many_rows_and_classes():
    rng = np.random.default_rng(0)
    classes = [f"{i % 7}/{i:03}" for i in range(300)]
    distance = ClassDistance.from_paths(classes)
    scores = rng.random((4000, 300))
    truth = np.array(sorted(classes))[scores.argmax(axis=1)]
    assert top_k_loss(truth, scores, distance) == 0
    assert 0.5 < top_k_loss(truth, scores, distance, k=10) < 3


SCORES = np.array([[0.2, 0.8], [0.6, 0.4]])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: top_k_loss(["a", "b"], SCORES, None, 3), "k must be a whole number from 1 to 2; got 3"),
        (lambda: top_k_loss(["a", "b"], SCORES, None, 0), "k must be a whole number from 1 to 2; got 0"),
        (lambda: top_k_loss(["a"], SCORES, None), "as many rows as scores, 2; got 1"),
        (lambda: top_k_loss([{"a"}, set()], SCORES, None, classes=["a", "b"]), "row 1 has none .*Drop those rows"),
        (lambda: top_k_loss([[1, 0], [0, 0]], SCORES, None), "row 1 has none"),
        (lambda: top_k_loss([[1, 0, 0], [0, 1, 0]], SCORES, None), "y_true must have a column per class, 2; got 3"),
        (lambda: top_k_loss([[0.5, 0.5], [0, 1]], SCORES, None), "of zeros and ones; it has other values"),
        (lambda: top_k_loss(["a", "a"], SCORES, None), r"at least two classes; got \['a'\]"),
        (
            lambda: top_k_loss(["a", "b", "c"], np.ones((3, 2)), None),
            "a column per class; got 2 columns for 3 classes, .*Name the columns with classes=",
        ),
        (lambda: top_k_loss(["a", "c"], SCORES, None, classes=["a", "b"]), "'c' is not one of"),
        (lambda: top_k_loss(["a", "b"], [[np.nan, 1], [0, 1]], None), "scores must have no missing value; row 0"),
        (lambda: top_k_loss(["a", "b"], [[1], [1]], None), "scores must have one column per class"),
        (lambda: top_k_loss(["a", "b"], SCORES, 1 - np.eye(3)), "2 x 2; got 3 x 3"),
        (lambda: top_k_loss(["a", "b"], SCORES, ClassDistance.zero_one(["a", "x"])), "'b' is not one of"),
    ],
)
def test_bad_input_is_refused_with_the_way_out(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_the_mean_of_huge_distances_is_finite():
    distance, scores = (1 - np.eye(3)) * 1e308, np.eye(3)[[0, 1, 2, 0]]
    assert top_k_loss([1, 2, 0, 1], scores, distance) == 1e308
