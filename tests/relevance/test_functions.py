"""The plain functions: kinds of labels and bad input."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import reference
from samples import gaussians, mixed, one_hot

from tamis import HardLabels, SoftLabels, bayes_risk, entropy, mutual_information

X, CODES = gaussians(90, 3, 3, seed=2)
FUNCTIONS = [
    lambda X, y, **kw: mutual_information(X, y, estimator="count", **kw),
    lambda X, y, **kw: mutual_information(X, y, estimator="distance", **kw),
    lambda X, y, **kw: bayes_risk(X, y, kind="count", **kw),
    lambda X, y, **kw: bayes_risk(X, y, kind="expected", **kw),
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_one_hot_probabilities_give_the_hard_value(function):
    assert function(X, one_hot(CODES), labels="soft") == pytest.approx(function(X, CODES), abs=1e-10)
    almost = one_hot(CODES) * (1 - 3e-9) + 1e-9
    assert function(X, almost, labels="soft") == pytest.approx(function(X, CODES), abs=1e-10)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_any_kind_of_class_and_table(function):
    expected = function(X, CODES)
    names = np.array(["low", "medium", "tall"])[CODES]
    for y in (
        names,
        names.tolist(),
        names.astype(object),
        pd.Categorical(names),
        pd.Series(names),
        CODES[:, None][:, 0],
    ):
        assert function(X, y) == expected
    assert function(X, CODES == 1) == function(X, np.where(CODES == 1, "yes", "no"))
    assert function(pd.DataFrame(X), names) == expected
    assert function(pl.DataFrame(X), pl.Series(names)) == expected


def test_label_models_and_memberships():
    P = mixed(CODES)
    expected = reference.mutual_information(X, P)
    assert mutual_information(X, P, labels=SoftLabels()) == pytest.approx(expected, abs=1e-9)
    assert mutual_information(X, CODES, labels="soft", memberships=P) == pytest.approx(expected, abs=1e-9)
    assert mutual_information(X, CODES, labels=HardLabels()) == mutual_information(X, CODES)


def test_inputs_are_not_changed():
    A, P = X.copy(), mixed(CODES)
    kept = P.copy()
    mutual_information(A, P, labels="soft")
    bayes_risk(A, CODES)
    entropy(A)
    np.testing.assert_array_equal(A, X)
    np.testing.assert_array_equal(P, kept)


def test_small_class_uses_the_neighbours_it_has_and_is_named():
    y = np.where(np.arange(90) < 4, "rare", "common")
    with pytest.warns(UserWarning, match="class 'rare' has fewer than n_neighbors"):
        value = mutual_information(X, y)
    assert value == pytest.approx(reference.mutual_information(X, one_hot((y == "rare").astype(int))), abs=1e-9)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (dict(X=np.where(X == X[3, 1], np.inf, X)), "contains infinity"),
        (dict(y=CODES[:-1]), "inconsistent numbers of samples"),
        (dict(y=None), "target y is None"),
        (dict(y=[None] * 90), "a label in some row"),
        (dict(y=X[:, 0]), "Unknown label type: continuous"),
        (dict(y=one_hot(CODES)), "labels='soft'"),
        (dict(y=one_hot(CODES) - 0.2, labels="soft"), "must not be negative; row 0"),
        (dict(y=one_hot(CODES) + 0.01, labels="soft"), "must sum to one in every row"),
        (dict(memberships=one_hot(CODES)), "not used when labels='hard'"),
        (dict(labels="fuzzy"), "labels must be one of"),
        (dict(n_neighbors=0), "n_neighbors must be a whole number of at least 1; got 0"),
        (dict(n_neighbors=2.5), "got 2.5"),
        (dict(estimator="kernel"), "estimator must be one of 'count' or 'distance'; got 'kernel'"),
        (dict(n_jobs=0), "n_jobs must not be 0"),
    ],
)
def test_bad_input_is_named(change, message):
    arguments = {"X": X, "y": CODES} | change
    with pytest.raises(ValueError, match=message):
        mutual_information(arguments.pop("X"), arguments.pop("y"), **arguments)


def test_a_class_held_by_one_row_is_named_for_soft_labels():
    P = np.zeros((90, 3))
    P[:, 0] = 1
    P[0] = [0.5, 0, 0.5]
    P[1:40] = [0.5, 0.5, 0]
    with pytest.warns(UserWarning, match="class 2 has 1 sample"):
        found = bayes_risk(X, P, labels="soft")
    assert found == pytest.approx(reference.bayes_risk(X, P)[1], abs=1e-9)
    P[0] = [1, 0, 0]  # nobody in the third class: it is left out
    assert np.isfinite(bayes_risk(X, P, labels="soft"))


def test_oneself_may_be_a_neighbour():
    for kind, place in (("count", 0), ("expected", 1)):
        found = bayes_risk(X, CODES, kind=kind, n_neighbors=3, include_self=True)
        assert found == pytest.approx(reference.twin("risk", X, one_hot(CODES), 3, True)[place], abs=1e-9)
    found = mutual_information(X, CODES, n_neighbors=3, include_self=True)
    assert found == pytest.approx(reference.twin("count", X, one_hot(CODES), 3, True)[0], abs=1e-9)
