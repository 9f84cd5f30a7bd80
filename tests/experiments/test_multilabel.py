"""What the multi-label experiments claim, in small, and the tools they share."""

from collections import Counter

import numpy as np
import pytest
from experiments.multilabel.artificial import first_problem, second_problem
from experiments.multilabel.forward_speed import counts_by_brute_force, counts_by_tree, information, plain_step
from experiments.multilabel.mulan import CRITERIA, METHODS, Split, forward_order
from sklearn.datasets import make_multilabel_classification

from tamis import mutual_information

N_TIMES = 5


def holds(claims):
    counts = Counter()
    for seed in range(N_TIMES):
        counts.update({claim: int(true) for claim, true in claims(seed).items()})
    return {claim for claim, count in counts.items() if count == N_TIMES}


def test_redundant_features_are_left_out_by_the_joint_search_only():
    always = holds(first_problem)
    assert {claim for claim in always if claim.startswith("forward")} == {
        "forward: f11 first",
        "forward: one each of {5,15}, {3,13}, {4,14} in places 2-4",
        "forward: {5,15} second",
    }
    for ranking in ("chi2, MDL", "chi2, quantiles", "MI"):
        assert f"{ranking}: f5, f15, f11 are the best three" in always
        assert f"{ranking}: 6 to 8 features hold the four needed" in always
        assert f"{ranking}: irrelevant features (f6-f10, f12) last" in always


def test_features_that_tell_nothing_alone_are_found_by_joint_searches_only():
    always = holds(second_problem)
    assert always >= {
        "forward: the three others follow the first relevant one",
        "backward: the relevant ones leave last",
        "chi2, MDL: zero for every feature",
        "MI: no feature above 0.1 nat",
    }
    assert "chi2, quantiles: zero for every feature" not in always


@pytest.fixture
def split():
    X, Y = make_multilabel_classification(240, 12, n_classes=3, allow_unlabeled=False, random_state=0)
    return Split(X[:160], Y[:160], X[160:], Y[160:])


def test_criteria_are_perfect_for_a_perfect_prediction_and_curves_have_one_row_per_size(split):
    sure = Split(np.repeat(split.Y, 11, axis=0).astype(float), np.repeat(split.Y, 11, axis=0), split.Y, split.Y)
    hamming, accuracy, ranking, coverage = sure.criteria([0, 1, 2])
    assert (hamming, accuracy, ranking) == (0, 1, 0)
    assert coverage == pytest.approx(split.Y.sum(axis=1).mean() - 1)
    assert np.shape(split.curve(np.arange(12), 4)) == (4, len(CRITERIA))


def test_scaling_uses_the_training_rows_only(split):
    scaled = split.at_scale("scaled")
    np.testing.assert_allclose(scaled.X.std(axis=0), 1)
    np.testing.assert_allclose(scaled.X_test, (split.X_test - split.X.mean(axis=0)) / split.X.std(axis=0))
    assert split.at_scale("raw") is split


@pytest.mark.parametrize("method", METHODS)
def test_every_method_orders_features(method, split):
    order = METHODS[method](split.X, split.Y, 6, 5, "raw")
    assert len(set(order.tolist())) == len(order) >= 5


@pytest.mark.parametrize("counts", [counts_by_tree, counts_by_brute_force])
def test_the_plain_estimate_is_the_same(counts, split):
    """On counts, where distances tie."""
    _, codes, sizes = np.unique(split.Y, axis=0, return_inverse=True, return_counts=True)
    kept = sizes[codes.ravel()] >= 6
    X, codes = split.X[kept], np.unique(codes.ravel()[kept], return_inverse=True)[1]
    for subset in ([0], [1, 2], list(range(12))):
        ours = mutual_information(X[:, subset], codes, n_neighbors=4)
        assert information(X[:, subset], codes, counts) == pytest.approx(ours)
    first = plain_step(X, codes, [], list(range(12)))[0]
    second = plain_step(X, codes, [first], [f for f in range(12) if f != first])[0]
    assert forward_order(split.X, split.Y, 6, 2, "raw").tolist() == [first, second]
