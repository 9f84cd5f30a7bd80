"""The judge of the label-noise experiment: its classifier is scikit-learn's, its tests are the textbook's."""

import numpy as np
import pytest
from experiments.judge import N_NEIGHBORS, decisions
from experiments.label_noise.kinds import KINDS
from experiments.label_noise.protocol import Repetition
from experiments.label_noise.selection_table import _compare, _holm
from samples import gaussians
from scipy.stats import ttest_rel
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors


@pytest.mark.parametrize("k", [1, 3, 9, 25])
def test_decisions_are_those_of_a_plain_classifier(k):
    X, y = gaussians(120, 3, 2, seed=1)
    near = NearestNeighbors(n_neighbors=50).fit(X).kneighbors(X + 0.01, return_distance=False)
    plain = KNeighborsClassifier(k).fit(X, y).predict(X + 0.01)
    np.testing.assert_array_equal(decisions(y[near], 2)[list(N_NEIGHBORS).index(k)], plain)


def test_a_tied_vote_goes_to_the_class_met_first():
    assert decisions(np.array([[1, 0, 0, 1]]), 2)[3, 0] == 1
    assert decisions(np.array([[2, 0, 0, 1, 1]]), 3)[4, 0] == 0


def test_errors_of_cross_validation_are_those_of_scikit_learn():
    X, y = gaussians(150, 4, 2, seed=4)
    repetition, subset = Repetition.draw((X, y), "any", 0, KINDS["uniform 20 %"]), [0, 2]
    found = repetition.judge.validation_errors(subset)
    for row, k in enumerate(N_NEIGHBORS):
        if k % 2:  # no ties
            split = PredefinedSplit(repetition.judge.folds)
            voted = cross_val_predict(KNeighborsClassifier(k), repetition.X[:, subset], repetition.clean, cv=split)
            assert found[row] == pytest.approx(1 - balanced_accuracy_score(repetition.clean, voted))
    best = N_NEIGHBORS[np.argmin(found)]
    plain = KNeighborsClassifier(best).fit(repetition.X[:, subset], repetition.clean)
    wrong = 1 - balanced_accuracy_score(repetition.judge.y_test, plain.predict(repetition.judge.X_test[:, subset]))
    assert best % 2
    assert repetition.judge.error(np.array(subset)) == pytest.approx(100 * wrong)


def test_flips_are_drawn_on_the_training_labels_only():
    X, y = gaussians(100, 3, 3, seed=3)
    first, second = (Repetition.draw((X, y), "any", 1, KINDS["uniform 20 %"]) for _ in range(2))
    np.testing.assert_array_equal(first.noisy, second.noisy)
    assert (first.noisy != first.clean).sum() == 14
    assert len(first.X) == 70


@pytest.mark.parametrize(
    ("kind", "least", "most"),
    [
        ("uniform 10 %", 0.1, 0.1),
        ("next class 25 %", 0.18, 0.32),
        ("nearest class 20 %", 0.2, 0.2),
        ("near the boundary 20 %", 0.2, 0.2),
        ("one class 30 %", 0.1, 0.1),
        ("10 % uniform, 15 % nearest", 0.2, 0.25),
        ("none", 0.0, 0.0),
    ],
)
def test_each_kind_of_mistakes_has_its_share(kind, least, most):
    X, y = gaussians(300, 3, 3, seed=3)
    recorded = KINDS[kind](X, y, 4)
    assert least - 0.01 <= (recorded != y).mean() <= most + 0.01
    np.testing.assert_array_equal(recorded, KINDS[kind](X, y, 4))


def test_paired_comparison_and_holm():
    rng = np.random.default_rng(0)
    ours, plain = rng.normal(size=40), rng.normal(size=40) + 0.3
    row = _compare(ours, plain)
    assert row[6] == pytest.approx(ttest_rel(ours, plain, alternative="less").pvalue)
    assert row[7] > row[6] or row[0] > 0
    np.testing.assert_allclose(_holm([0.01, 0.04, 0.03]), [0.03, 0.06, 0.06])
