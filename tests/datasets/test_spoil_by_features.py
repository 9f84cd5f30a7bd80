"""Wrong labels that depend on the features: where, how often, and which."""

import numpy as np
import pytest
from scipy.stats import chisquare
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from tamis.datasets import flip_by_probabilities, flip_by_transition, flip_near_boundary

Y = np.array(["a", "b", "c"])[np.arange(900) % 3]


def line(n=600, seed=0):
    """Two classes on a line, two standard deviations apart."""
    y = np.arange(n) % 2
    return np.random.default_rng(seed).normal(size=(n, 1)) + 2.0 * y[:, None], y


def test_each_row_follows_its_own_probabilities():
    rng = np.random.default_rng(0)
    lines = rng.dirichlet(np.ones(3), 5)
    which = np.arange(50_000) % 5
    y = np.arange(50_000) % 3
    spoiled, changed = flip_by_probabilities(y, lines[which], random_state=0)
    for one in range(5):
        counts = np.bincount(spoiled[which == one], minlength=3)
        assert chisquare(counts, lines[one] * counts.sum()).pvalue > 1e-3
    np.testing.assert_array_equal(changed, np.flatnonzero(spoiled != y))


def test_a_transition_matrix_is_a_special_case():
    matrix = np.array([[0.7, 0.3, 0], [0, 1, 0], [0.2, 0.2, 0.6]])
    codes = np.arange(900) % 3
    by_rows = flip_by_probabilities(Y, matrix[codes], random_state=5)
    by_class = flip_by_transition(Y, matrix, random_state=5)
    np.testing.assert_array_equal(by_rows.y, by_class.y)
    np.testing.assert_array_equal(by_rows.changed, by_class.changed)


def test_a_function_of_the_features():
    X, y = line(4000)

    def wrong_on_the_left(X, y):
        wrong = 0.4 * (X < 0)
        return np.where(np.eye(2)[y] == 1, 1 - wrong, wrong)

    spoiled, changed = flip_by_probabilities(y, wrong_on_the_left, X=X, random_state=0)
    assert (X[changed] < 0).all()
    assert len(changed) / (X < 0).sum() == pytest.approx(0.4, abs=0.04)
    same = flip_by_probabilities(y, wrong_on_the_left(X, y), random_state=0)
    np.testing.assert_array_equal(spoiled, same.y)


@pytest.mark.parametrize("rate", [0, 0.1, 0.37, 1])
def test_the_share_is_exact_and_the_seed_decides(rate):
    X, y = line(200)
    first, second = (flip_near_boundary(y, rate, X, random_state=3) for _ in range(2))
    assert len(first.changed) == round(200 * rate)
    np.testing.assert_array_equal(first.y, second.y)


def test_most_mistakes_are_near_the_boundary():
    X, y = line(2000)
    truth = 1 / (1 + np.exp(np.abs(2 * (X[:, 0] - 1))))  # of the less probable class
    for estimator in (None, LogisticRegression()):
        changed = flip_near_boundary(y, 0.1, X, estimator=estimator, random_state=0).changed
        assert np.abs(X[changed, 0] - 1).mean() < 0.75 * np.abs(X[:, 0] - 1).mean()
        assert truth[changed].mean() > 1.3 * truth.mean()


def test_the_next_best_class_is_recorded():
    """Three classes on a line: those at the ends are taken for the middle one."""
    y = np.arange(900) % 3
    X = np.random.default_rng(0).normal(size=(900, 1)) + 4.0 * y[:, None]
    spoiled, changed = flip_near_boundary(y, 0.1, X, estimator=LogisticRegression(), random_state=0)
    ends = changed[y[changed] != 1]
    assert len(ends) > 20
    assert (spoiled[ends] == 1).all()


def test_weights_are_the_probabilities_of_the_next_best_class():
    """With a tenth of the rows drawn once each, how often a row is drawn follows its weight."""
    X, y = line(60)
    model = GaussianNB()
    drawn = np.zeros(60)
    for seed in range(300):
        drawn[flip_near_boundary(y, 0.05, X, estimator=model, random_state=seed).changed] += 1
    wrong = 1 / (1 + np.exp(np.where(y == 1, 1, -1) * 2 * (X[:, 0] - 1)))
    assert np.corrcoef(drawn, wrong)[0, 1] > 0.9


def test_inputs_are_not_changed_and_names_kept():
    X, y = line(100)
    before, names = X.copy(), np.array(["no", "yes"])[y]
    flipped = flip_near_boundary(names, 0.2, X, random_state=0)
    assert flipped.y.dtype == names.dtype
    np.testing.assert_array_equal(X, before)
    np.testing.assert_array_equal(flipped.changed, np.flatnonzero(flipped.y != names))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: flip_by_probabilities(Y, np.eye(3)),
            "probabilities must have a row per sample .*got 3 for 900",
        ),
        (lambda: flip_by_probabilities(Y, np.full((900, 2), 0.5)), "a column for each of the 3 classes of y"),
        (lambda: flip_by_probabilities(Y, np.ones((900, 3))), "probabilities must sum to one in every row"),
        (lambda: flip_by_probabilities(Y, Y), "probabilities must"),
        (lambda: flip_by_probabilities(Y, lambda X, y: X), "needs X if probabilities is a function"),
        (lambda: flip_by_probabilities(Y, lambda X, y: X, X=np.ones((5, 1))), "inconsistent numbers of samples"),
        (lambda: flip_near_boundary(Y, 2, np.ones((900, 1))), "rate must be a number from 0 to 1; got 2"),
        (lambda: flip_near_boundary(Y, 0.1, np.ones((5, 1))), "inconsistent numbers of samples"),
        (lambda: flip_near_boundary(Y, 0.1, np.ones((900, 1)), estimator="forest"), "classifiers with predict_proba"),
        (lambda: flip_near_boundary(["a", "b", "b"], 0.1, np.ones((3, 1))), "class 'a' has 1 sample"),
    ],
)
def test_bad_input_is_refused_with_the_way_out(call, message):
    with pytest.raises(ValueError, match=message):
        call()
