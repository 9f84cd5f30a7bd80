"""Rotations of wide tables."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from tamis.distances.scaling import rotation


@pytest.mark.parametrize("repeated", [False, True])
def test_products_of_rows_stay(repeated):
    X = np.random.default_rng(0).normal(size=(12, 50))
    if repeated:
        X[3], X[7] = X[0], 0.0
    few = X @ rotation(X)
    assert few.shape == (12, 12)
    np.testing.assert_allclose(few @ few.T, X @ X.T, atol=1e-6)


def test_nothing_is_in_no_direction():
    np.testing.assert_array_equal(np.zeros((3, 5)) @ rotation(np.zeros((3, 5))), np.zeros((3, 3)))


def test_a_linear_model_with_a_penalty_does_not_see_them():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(40, 300)), np.arange(40) % 3
    few = X @ rotation(X)
    exact = {"tol": 1e-10, "max_iter": 10_000}
    wide, narrow = (LogisticRegression(**exact).fit(Z[:30], y[:30]).predict_proba(Z[30:]) for Z in (X, few))
    np.testing.assert_allclose(narrow, wide, atol=1e-5)
