"""The two views of what classifiers say about the true class, against slow twins."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import log_softmax, logsumexp, softmax
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from tamis.labels._clusters import Clusters
from tamis.labels._evidence import ClassifierEvidence, centred_logs
from tamis.labels._tempered import SHARPEST, Tempered


def probabilities(n=200, n_classes=3, seed=0, sharpness=1.0):
    """Of a classifier that is right most of the time, and the true classes."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, n_classes, n)
    scores = rng.normal(size=(n, n_classes))
    scores[np.arange(n), codes] += 2
    return softmax(sharpness * scores, axis=1), codes


def fitted(view, memberships, steps=50):
    for _ in range(steps):
        log_q = view.fitted(memberships)
    return log_q


@pytest.mark.parametrize("n_models", [1, 3])
@pytest.mark.parametrize("soft", [False, True])
def test_tempered_posterior_is_that_of_a_general_optimiser(n_models, soft):
    models = [probabilities(seed=seed, sharpness=0.5 + seed)[0] for seed in range(n_models)]
    codes = probabilities()[1]
    memberships = 0.8 * np.eye(3)[codes] + 0.2 / 3 if soft else np.eye(3)[codes]
    logs = [centred_logs(p) for p in models]

    def loss(weights):
        z = sum(b * each for b, each in zip(weights, logs, strict=False)) + weights[n_models:]
        return -(memberships * log_softmax(z, axis=1)).sum()

    bounds = [(0, SHARPEST)] * n_models + [(-SHARPEST, SHARPEST)] * 3
    wanted = minimize(loss, np.r_[np.full(n_models, 1 / n_models), np.zeros(3)], bounds=bounds).fun
    log_q = fitted(Tempered(logs), memberships)
    np.testing.assert_allclose(-(memberships * log_q).sum(), wanted, rtol=1e-5)
    np.testing.assert_allclose(logsumexp(log_q, axis=1), 0, atol=1e-12)


def test_a_step_is_never_a_step_back():
    P, codes = probabilities(60, 4, seed=3, sharpness=8)
    view, memberships = Tempered([centred_logs(P)]), np.eye(4)[codes]
    values = [(memberships * view.fitted(memberships)).sum() for _ in range(20)]
    assert (np.diff(values) >= -1e-9).all()
    assert 0 <= view.exponents[0] <= SHARPEST


def test_posteriors_of_many_sure_classifiers_do_not_underflow():
    sure = np.array([[1.0, 0.0, 0.0], [1 / 3, 1 / 3, 1 / 3], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    memberships = np.eye(3)[[0, 0, 1, 2]]
    log_q = fitted(Tempered([centred_logs(sure)] * 12), memberships, 5)
    assert np.isfinite(log_q).all()
    np.testing.assert_allclose(logsumexp(log_q, axis=1), 0, atol=1e-12)


def test_clusters_are_linear_discriminant_analysis():
    """Up to the ridge, which many samples make small."""
    P, codes = probabilities(20_000, 4, seed=1)
    logs = centred_logs(P)
    log_q = Clusters([logs]).fitted(np.eye(4)[codes])
    plain = LinearDiscriminantAnalysis().fit(logs[:, :-1], codes).predict_log_proba(logs[:, :-1])
    np.testing.assert_allclose(np.exp(log_q), np.exp(plain), atol=0.005)


def test_clusters_of_memberships_are_those_of_repeated_rows():
    """A membership of a half is half a row."""
    P, codes = probabilities(60, 3, seed=2)
    logs = centred_logs(P)
    other = (codes + 1) % 3
    half = 0.5 * np.eye(3)[codes] + 0.5 * np.eye(3)[other]
    twice = Clusters([np.repeat(logs, 2, axis=0)])
    twice._ridge = Clusters([logs])._ridge  # which depends on the number of rows
    repeated = twice.fitted(np.eye(3)[np.stack([codes, other], axis=1).ravel()])
    np.testing.assert_allclose(Clusters([logs]).fitted(half), repeated[::2], atol=1e-9)


@pytest.mark.parametrize("n_models", [1, 2])
def test_names_of_classes_and_order_of_models_do_not_matter(n_models):
    models = [probabilities(seed=seed)[0] for seed in range(n_models)]
    codes, place = probabilities()[1], np.array([2, 0, 1])
    log_transition = np.log(0.7 * np.eye(3) + 0.1)
    plain, other = ClassifierEvidence(models), ClassifierEvidence([p[:, place] for p in models[::-1]])
    memberships = np.eye(3)[codes]
    for _ in range(3):
        first = plain.log_joint(memberships, log_transition, codes)
        second = other.log_joint(memberships[:, place], log_transition, np.argsort(place)[codes])
        np.testing.assert_allclose(second, first[:, place], atol=1e-9)
        memberships = np.exp(first)


@pytest.mark.parametrize("P", [np.full((6, 2), 0.5), np.tile([1.0, 0.0], (6, 1))])
def test_a_classifier_that_says_the_same_of_all_rows_predicts_nothing(P):
    evidence = ClassifierEvidence([P])
    codes = np.array([0, 1, 0, 1, 0, 1])
    assert np.isfinite(evidence.log_joint(np.eye(2)[codes], np.log(np.full((2, 2), 0.5)), codes)).all()
    assert not evidence.predicts(codes)


def test_probabilities_that_agree_with_the_labels_predict_them():
    P, codes = probabilities()
    assert ClassifierEvidence([P]).predicts(codes)
    assert not ClassifierEvidence([P]).predicts(np.random.default_rng(5).permutation(codes))
