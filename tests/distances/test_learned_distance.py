"""Class distances estimated from confusions and from features: metrics, with the right limits and invariances."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.covariance import ledoit_wolf_shrinkage
from sklearn.metrics import confusion_matrix

from tamis import BlanketSelector, ClassDistance
from tamis._validation import check_triangle
from tamis.distances.learned import LEAST, shrinkage

seeds = st.integers(0, 2**32 - 1)
few = settings(max_examples=60, deadline=None)


def is_metric(matrix):
    off = ~np.eye(len(matrix), dtype=bool)
    assert np.isfinite(matrix).all()
    assert (matrix.diagonal() == 0).all()
    assert (matrix == matrix.T).all()
    assert (matrix[off] > 0).all()
    check_triangle(matrix, None)
    return True


def blobs(seed, sizes, centres, n_noise=0):
    """Rows around centres, with correlated noise of variance one along each of the first columns."""
    rng = np.random.default_rng(seed)
    centres = np.pad(np.asarray(centres, dtype=float), ((0, 0), (0, n_noise)))
    y = np.repeat(np.arange(len(centres)), sizes)
    return centres[y] + rng.normal(size=(len(y), centres.shape[1])), y


SQUARE = [[0, 0], [3, 0], [0, 4], [3, 4]]
SIDES = cdist(SQUARE, SQUARE)


# Confusions


def random_confusions(rng):
    n = rng.integers(2, 12)
    kind = rng.integers(4)
    if kind == 0:
        return rng.poisson(rng.choice([0.1, 2, 50]), (n, n)).astype(float)
    if kind == 1:  # some classes are told apart by nothing
        return rng.poisson(5, (n, n))[rng.integers(0, 2, n)] * rng.choice([1.0, 1e6])
    if kind == 2:  # expected counts of very different classes
        return rng.dirichlet(np.full(n, 0.3), n) * 10 ** rng.uniform(-6, 6, (n, 1))
    return rng.dirichlet(np.full(n, 0.3), n)


@few
@given(seed=seeds)
def test_confusions_are_a_metric(seed):
    confusions = random_confusions(np.random.default_rng(seed))
    matrix = ClassDistance.from_confusions(confusions).matrix
    assert is_metric(matrix)
    assert matrix.max() <= 1
    assert matrix[~np.eye(len(matrix), dtype=bool)].min() >= LEAST


def test_the_formula():
    counts = np.array([[8, 1, 0], [2, 2, 0], [0, 0, 0]])
    rows = np.array([[9, 1, 0], [2, 3, 0], [0, 0, 1]]) / [[10], [5], [1]]
    matrix = ClassDistance.from_confusions(counts).matrix
    np.testing.assert_allclose(matrix, cdist(rows, rows, "cityblock") / 2, rtol=1e-12)


@pytest.mark.parametrize("confusions", [np.diag([5, 2, 9]), np.eye(3), np.zeros((3, 3)), np.diag([0.2, 0.5, 1.0])])
def test_classes_that_are_never_confused_are_one_apart(confusions):
    np.testing.assert_array_equal(ClassDistance.from_confusions(confusions).matrix, 1 - np.eye(3))


def test_classes_that_predictions_do_not_tell_apart_are_near_and_not_equal():
    matrix = ClassDistance.from_confusions([[5e6, 5e6, 0], [5e6, 5e6, 0], [0, 0, 1e7]]).matrix
    np.testing.assert_allclose(matrix, [[0, LEAST, 1], [LEAST, 0, 1], [1, 1, 0]], atol=1e-6)


def test_a_class_of_one_row_is_far_even_if_it_is_predicted_as_another():
    matrix = ClassDistance.from_confusions([[100, 0, 0], [0, 100, 0], [1, 0, 0]]).matrix
    assert matrix[2, 0] == pytest.approx(0.5)
    assert matrix[2, 1] == 1


def test_rates_are_taken_as_they_are():
    rates = np.array([[0.7, 0.2, 0.1], [0.3, 0.5, 0.2], [0, 0.25, 0.75]])
    matrix = ClassDistance.from_confusions(rates).matrix
    np.testing.assert_allclose(matrix, cdist(rates, rates, "cityblock") / 2, rtol=1e-12)
    np.testing.assert_allclose(ClassDistance.from_confusions(rates * 1e7).matrix, matrix, atol=1e-6)
    np.testing.assert_allclose(ClassDistance.from_confusions(rates / 3).matrix, matrix, rtol=1e-12)  # of all rows
    np.testing.assert_allclose(ClassDistance.from_confusions(rates * 1e-310).matrix, matrix, rtol=1e-9)


def test_huge_counts():
    matrix = ClassDistance.from_confusions([[1e308, 1e308, 0], [0, 1e308, 0], [0, 0, 0]]).matrix
    np.testing.assert_allclose(matrix, [[0, 0.5, 1], [0.5, 0, 1], [1, 1, 0]], rtol=1e-12)


@few
@given(seed=seeds)
def test_the_order_of_the_classes_changes_nothing(seed):
    rng = np.random.default_rng(seed)
    confusions = random_confusions(rng)
    order = rng.permutation(len(confusions))
    matrix = ClassDistance.from_confusions(confusions).matrix
    again = ClassDistance.from_confusions(confusions[np.ix_(order, order)]).matrix
    np.testing.assert_allclose(again, matrix[np.ix_(order, order)], rtol=1e-9)


def test_a_table_names_the_classes():
    true, predicted = ["cat"] * 5 + ["dog"] * 5, ["cat", "cat", "dog", "dog", "dog"] * 2
    counts = confusion_matrix(true, predicted)
    table = pd.crosstab(pd.Series(true, name="true"), pd.Series(predicted, name="predicted"))
    distance = ClassDistance.from_confusions(table)
    assert distance.classes.tolist() == ["cat", "dog"]
    np.testing.assert_array_equal(distance.matrix, ClassDistance.from_confusions(counts).matrix)
    assert ClassDistance.from_confusions(counts, classes=[7, 8]).classes.tolist() == [7, 8]
    assert ClassDistance.from_confusions(counts).classes is None


@pytest.mark.parametrize(
    ("confusions", "classes", "said"),
    [
        ([[1, 2, 3], [4, 5, 6]], None, r"confusions must have a row and a column per class, at least two; got \(2, 3"),
        ([[1]], None, "confusions must have a row and a column per class, at least two"),
        ([[1, -2], [0, 1]], None, "confusions must not be negative; 0 predicted as 1 has -2. Pass counts or rates"),
        ([[1, -2], [0, 1]], ["a", "b"], "'a' predicted as 'b' has -2"),
        ([[1, np.nan], [0, 1]], None, "confusions contains NaN: column 1"),
        ([[1, np.inf], [0, 1]], None, "confusions contains infinity"),
        ([[1, 2], [3, 4]], ["a"], "classes must have 2 values"),
        (
            pd.DataFrame([[1, 2], [3, 4]], index=["a", "b"], columns=["b", "a"]),
            None,
            "confusions must have the same names for rows and columns, in the same order",
        ),
    ],
)
def test_confusions_that_are_refused(confusions, classes, said):
    with pytest.raises(ValueError, match=said):
        ClassDistance.from_confusions(confusions, classes=classes)


# Data


def test_distances_are_those_of_the_centres_in_standard_deviations():
    X, y = blobs(0, 5000, SQUARE)
    mixed = X @ [[1, 0.9], [0, 0.5]]  # any invertible map
    for values in (X, mixed):
        np.testing.assert_allclose(ClassDistance.from_data(values, y).matrix, SIDES, rtol=0.03)


def test_columns_of_noise_and_copies_hardly_change_the_order():
    X, y = blobs(0, 200, SQUARE)
    rng = np.random.default_rng(1)
    noisy = np.hstack([X, rng.normal(size=(len(X), 100))])
    copied = np.hstack([X] * 50) + 1e-3 * rng.normal(size=(len(X), 100))
    upper = np.triu_indices(4, 1)
    for values in (noisy, copied):
        matrix = ClassDistance.from_data(values, y).matrix
        assert np.corrcoef(matrix[upper], SIDES[upper])[0, 1] > 0.9


def test_more_columns_than_rows_and_than_a_covariance_is_estimated_of():
    rng = np.random.default_rng(0)
    X, y = blobs(0, 150, SQUARE, n_noise=1398)
    X[:, 2:] += 3 * rng.normal(size=(len(X), 5)) @ rng.normal(size=(5, 1398))  # strong factors
    matrix = ClassDistance.from_data(X, y).matrix
    upper = np.triu_indices(4, 1)
    assert is_metric(matrix)
    assert np.corrcoef(matrix[upper], SIDES[upper])[0, 1] > 0.8


@pytest.mark.parametrize("n_columns", [1, 30, 1200])
def test_classes_that_do_not_differ_are_equally_far_apart(n_columns):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, n_columns)), np.arange(300) % 4
    matrix = ClassDistance.from_data(X, y).matrix
    off = matrix[np.triu_indices(4, 1)]
    assert off.min() > 0.4 * off.max()
    same = np.tile(rng.normal(size=(20, n_columns)), (4, 1))  # all means are equal
    np.testing.assert_array_equal(ClassDistance.from_data(same, np.repeat(range(4), 20)).matrix, 1 - np.eye(4))


def test_a_class_of_one_row_is_not_far_by_chance():
    sizes = [300, 300, 300, 1]
    X, y = blobs(0, sizes, [[0] * 20, [6] + [0] * 19, [0, 6] + [0] * 18, [0] * 20])
    matrix = ClassDistance.from_data(X, y).matrix
    plain = np.linalg.norm(X[-1] - X[:300].mean(axis=0))
    assert plain > 4
    assert matrix[3].max() < matrix[:3, :3].max()
    assert matrix[3, 0] < 0.8 * plain
    assert matrix[3][:3].min() > 0.3 * matrix[0, 1]


def test_equal_means_are_near_and_not_equal():
    X, y = blobs(0, 50_000, [[0], [8], [0]])
    X[y == 2] = X[y == 0]
    matrix = ClassDistance.from_data(X, y).matrix
    assert matrix[0, 2] < 0.01 * matrix[0, 1]
    assert matrix[0, 2] >= LEAST * matrix.max()


CASES = {"few columns": (60, 5, 3), "many": (50, 80, 4), "classes": (40, 3, 10), "very many": (90, 1100, 5)}


def drawn(case, seed=0):
    n, d, k = CASES[case]
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % k)
    X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + rng.normal(size=(k, d))[y]
    X[rng.uniform(size=X.shape) < 0.05] = np.nan
    return rng, X, y


@pytest.mark.parametrize("case", CASES)
def test_rows_columns_names_and_units_change_nothing(case):
    rng, X, y = drawn(case)
    matrix = ClassDistance.from_data(X, y).matrix
    assert is_metric(matrix)
    rows, columns = rng.permutation(X.shape[0]), rng.permutation(X.shape[1])
    close = {"rtol": 1e-7, "atol": 1e-9}
    np.testing.assert_allclose(ClassDistance.from_data(X[rows], y[rows]).matrix, matrix, **close)
    np.testing.assert_allclose(ClassDistance.from_data(X[:, columns], y).matrix, matrix, **close)
    np.testing.assert_allclose(ClassDistance.from_data(X, -y).matrix[::-1, ::-1], matrix, **close)
    units = 10 ** rng.uniform(-3, 3, X.shape[1])
    np.testing.assert_allclose(ClassDistance.from_data(X * units + units, y).matrix, matrix, **close)
    np.testing.assert_allclose(ClassDistance.from_data(X * 1e300, y).matrix, matrix, **close)
    np.testing.assert_allclose(ClassDistance.from_data(X * 1e-300, y).matrix, matrix, **close)
    np.testing.assert_array_equal(ClassDistance.from_data(X, y).matrix, matrix)


@pytest.mark.parametrize("case", CASES)
def test_an_integer_weight_is_the_row_repeated_and_weight_zero_is_absence(case):
    rng, X, y = drawn(case)
    weight = rng.integers(0, 3, len(y))
    weight[np.unique(y, return_index=True)[1]] = 1
    again = np.repeat(np.arange(len(y)), weight)
    weighted = ClassDistance.from_data(X, y, sample_weight=weight).matrix
    np.testing.assert_allclose(weighted, ClassDistance.from_data(X[again], y[again]).matrix, rtol=1e-7)


def test_many_rows_of_many_columns_are_sampled_alike_in_any_order():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 700)
    X = rng.normal(size=(700, 1001)) + rng.normal(size=(3, 1001))[y]
    order = rng.permutation(700)
    matrix = ClassDistance.from_data(X, y).matrix
    np.testing.assert_allclose(ClassDistance.from_data(X[order], y[order]).matrix, matrix, rtol=1e-7)
    np.testing.assert_allclose(ClassDistance.from_data(X, -y).matrix[::-1, ::-1], matrix, rtol=1e-7)


def test_memberships_of_one_class_are_classes():
    _, X, y = drawn("few columns")
    matrix = ClassDistance.from_data(X, y).matrix
    by_name = ClassDistance.from_data(X, memberships=np.eye(3)[y], classes=["a", "b", "c"])
    assert by_name.classes.tolist() == ["a", "b", "c"]
    np.testing.assert_allclose(by_name.matrix, matrix, rtol=1e-12)
    table = pd.DataFrame(np.eye(3)[y], columns=["a", "b", "c"])
    assert ClassDistance.from_data(X, memberships=table).classes.tolist() == ["a", "b", "c"]


def test_probabilities_count_in_part():
    _, X, y = drawn("few columns")
    P = 0.7 * np.eye(3)[y] + 0.1
    copies, classes = np.nonzero(P)
    parts = ClassDistance.from_data(X[copies], classes, sample_weight=P[copies, classes])
    np.testing.assert_allclose(ClassDistance.from_data(X, memberships=P).matrix, parts.matrix, rtol=1e-9)


def test_rows_without_a_label_are_left_out_with_a_warning():
    _, X, y = drawn("few columns")
    some = y.astype(object)
    some[:7] = None
    with pytest.warns(UserWarning, match="7 of 60 rows have no label"):
        found = ClassDistance.from_data(X, some)
    np.testing.assert_array_equal(found.matrix, ClassDistance.from_data(X[7:], y[7:]).matrix)


def test_a_class_without_rows_is_about_as_far_as_others():
    X, y = blobs(0, 200, SQUARE)
    matrix = ClassDistance.from_data(X, y, classes=range(5)).matrix
    assert is_metric(matrix)
    assert (matrix[4, :4] > 0.5 * matrix[:4, :4][np.triu_indices(4, 1)].min()).all()
    assert (matrix[4, :4] < matrix.max()).all()


CORNERS = {
    "one row per class": (np.array([[0.0, 1], [1, 5], [7, 2]]), [0, 1, 2]),
    "one row per class of many columns": (np.random.default_rng(0).normal(size=(3, 1500)), [0, 1, 2]),
    "one class has two rows": (np.random.default_rng(0).normal(size=(5, 8)), [0, 0, 1, 2, 3]),
    "constant columns": (np.full((6, 3), 5.0), [0, 0, 1, 1, 2, 2]),
    "no value at all": (np.full((6, 3), np.nan), [0, 0, 1, 1, 2, 2]),
    "rows of a class are equal": (np.repeat([[1.0], [2], [4]], 2, axis=0), [0, 0, 1, 1, 2, 2]),
    "rows of a class are equal in many columns": (np.repeat(np.eye(3, 1500), 2, axis=0), [0, 0, 1, 1, 2, 2]),
    "huge and tiny": (np.random.default_rng(0).normal(size=(6, 2)) * [1e307, 1e-310], [0, 0, 1, 1, 2, 2]),
    "two rows": (np.array([[0.0], [1]]), [0, 1]),
    "collinear": (np.outer(np.arange(8.0), [1, 2, -1]), [0, 0, 1, 1, 2, 2, 0, 1]),
}


@pytest.mark.parametrize("corner", CORNERS)
def test_corners(corner):
    X, y = CORNERS[corner]
    assert is_metric(ClassDistance.from_data(X, y).matrix)


def test_distances_of_rows_that_are_the_same_in_a_class_are_those_of_its_rows():
    X, y = CORNERS["rows of a class are equal"]
    matrix = ClassDistance.from_data(np.repeat(X, 100, axis=0), np.repeat(y, 100)).matrix
    np.testing.assert_allclose(matrix / matrix[0, 1], [[0, 1, 3], [1, 0, 2], [3, 2, 0]], rtol=1e-3)


def test_shrinkage_is_that_of_scikit_learn():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 12)) @ rng.normal(size=(12, 12))
    S, fourth = X.T @ X / 40, np.mean((X**2).sum(axis=1) ** 2)
    expected = ledoit_wolf_shrinkage(X, assume_centered=True)
    assert 0 < expected < 1
    assert shrinkage((S**2).sum(), np.trace(S) / 12, fourth, 40, 12) == pytest.approx(expected)


def test_a_selector_takes_them():
    X, y = blobs(0, 40, SQUARE, n_noise=2)
    names = np.array(["a", "b", "c", "d"])[y]
    distance = ClassDistance.from_data(X, names)
    selector = BlanketSelector(class_distance=distance, n_features_to_select=2, n_conditioning=3, n_bins=10).fit(
        X, names
    )
    assert selector.support_.tolist() == [True, True, False, False]


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({}, "either y or memberships must be passed; got neither"),
        ({"y": [0, 1, 0], "memberships": np.eye(2)[[0, 1, 0]]}, "either y or memberships must be passed; got both"),
        ({"y": np.eye(2)[[0, 1, 0]]}, "y must have one class per row; it has several columns. Pass columns of prob"),
        ({"y": [0, 1]}, "inconsistent numbers of samples"),
        ({"y": [0, 0, 0]}, "y must have at least two classes"),
        ({"y": [0, 1, 0], "classes": [0, 2]}, "y must have only classes that are known; 1 is not one of"),
        ({"memberships": np.eye(2)[[0, 1, 0]], "classes": ["a"]}, "classes must name at least two classes"),
        ({"memberships": np.eye(2)[[0, 1, 0]], "classes": ["a", "b", "c"]}, "classes must name the columns of member"),
        ({"y": [0, 1, 0], "sample_weight": [1, 1, -1]}, "sample_weight must"),
    ],
)
def test_targets_that_are_refused(how, said):
    with pytest.raises(ValueError, match=said):
        ClassDistance.from_data([[1.0], [2.0], [4.0]], **how)


def test_features_that_are_refused():
    with pytest.raises(ValueError, match="X contains infinity"):
        ClassDistance.from_data([[np.inf], [1.0]], [0, 1])
    with pytest.raises(ValueError, match="X must be numbers; column 'a' has text"):
        ClassDistance.from_data(pd.DataFrame({"a": ["x", "y"]}), [0, 1])
