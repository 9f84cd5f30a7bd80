"""Rotations of wide tables."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from tamis.distances.scaling import turned


@pytest.mark.parametrize("repeated", [False, True])
def test_products_of_rows_stay(repeated):
    X = np.random.default_rng(0).normal(size=(12, 50))
    if repeated:
        X[3], X[7] = X[0], 0.0
    others = np.random.default_rng(1).normal(size=(5, 50))
    few, few_others = turned(X, others)
    assert few.shape == (12, 12)
    np.testing.assert_allclose(few @ few.T, X @ X.T, atol=1e-6)
    np.testing.assert_allclose(few_others @ few.T, others @ X.T, atol=1e-6)


def test_nothing_is_in_no_direction():
    np.testing.assert_allclose(np.vstack(turned(np.zeros((3, 5)), np.ones((2, 5)))), 0.0, atol=1e-150)


def test_a_linear_model_with_a_penalty_does_not_see_them():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(40, 300)), np.arange(40) % 3
    few = turned(X)[0]
    exact = {"tol": 1e-10, "max_iter": 10_000}
    wide, narrow = (LogisticRegression(**exact).fit(Z[:30], y[:30]).predict_proba(Z[30:]) for Z in (X, few))
    np.testing.assert_allclose(narrow, wide, atol=1e-5)
