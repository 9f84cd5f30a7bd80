"""Mistakes that are not uniform: the rate, its interval and the rows, where the truth is known."""

import numpy as np
import pytest
from noise_models import separated
from samples import gaussians
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import GaussianNB

from tamis import NoisyLabels, SequentialSelector, mutual_information
from tamis.datasets import flip_by_transition, flip_near, flip_per_class, flip_uniform
from tamis.labels._out_of_sample import probabilities_of

CLASSIFIERS = [GaussianNB(), LogisticRegression()]


def overlapping(seed, n=900, n_classes=4):
    """Classes whose best classifier is wrong about a tenth of the rows."""
    rng = np.random.default_rng(seed)
    codes = np.arange(n) % n_classes
    return rng.normal(size=(n, 6)) + 2.2 * np.eye(n_classes, 6)[codes], codes


def corrupted(kind, X, codes, seed):
    if kind == "next":
        identity = np.eye(codes.max() + 1)
        return flip_by_transition(codes, 0.75 * identity + 0.25 * np.roll(identity, 1, axis=1), random_state=seed).y
    if kind == "nearest":
        return flip_near(codes, 0.2, X=X, random_state=seed).y
    if kind == "one":
        return flip_per_class(codes, {1: 0.5}, random_state=seed).y
    return flip_uniform(codes, 0.2, random_state=seed).y


@pytest.mark.parametrize("kind", ["uniform", "next", "nearest", "one"])
@pytest.mark.parametrize("data", [separated, overlapping])
def test_the_rate_is_found_whatever_the_kind_of_mistakes(kind, data):
    errors, areas = [], []
    for seed in range(3):
        X, codes = data(seed, n=900)
        recorded = corrupted(kind, X, codes, seed)
        wrong = recorded != codes
        fitted = NoisyLabels(CLASSIFIERS, random_state=seed).fit(X, recorded)
        low, high = fitted.noise_rate_interval_
        assert low <= wrong.mean() <= high
        assert low <= fitted.noise_rate_ <= high
        errors.append(fitted.noise_rate_ - wrong.mean())
        areas.append(roc_auc_score(wrong, 1 - fitted.sample_weight()))
    assert abs(np.mean(errors)) < (0.02 if data is separated else 0.06)
    assert np.mean(areas) > (0.97 if data is separated else 0.9)


def test_mistakes_near_a_gap_between_classes_are_not_taken_for_overlap():
    """Mistakes are the more frequent the nearer a row is to the other class, yet hardly any row lies in between.

    The probabilities are those of the recorded labels, exactly: nothing but the gap tells that some are wrong.
    """
    for seed in range(3):
        rng = np.random.default_rng(seed)
        codes = np.arange(3000) % 2
        mistaken = 0.45 * np.exp(-rng.gamma(6, 0.5, 3000) / 3)
        recorded = np.where(rng.uniform(size=3000) < mistaken, 1 - codes, codes)
        p = np.where(codes, 1 - mistaken, mistaken)
        fitted = NoisyLabels("precomputed").fit(np.stack([1 - p, p], axis=1), recorded)
        assert fitted.noise_rate_ == pytest.approx((recorded != codes).mean(), abs=0.02)


def test_where_nothing_tells_mistakes_from_overlap_half_of_what_is_open_is_counted():
    """Two Gaussians with no gap: the same data are right labels of classes that overlap, or wrong ones near them."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=4000)
    p = 1 / (1 + np.exp(-1.5 * x))
    recorded = (rng.uniform(size=4000) < p).astype(int)
    fitted = NoisyLabels("precomputed").fit(np.stack([1 - p, p], axis=1), recorded)
    contradicted = np.minimum(p, 1 - p).mean()
    assert not fitted.identified_
    assert fitted.noise_rate_interval_[0] == 0
    assert contradicted / 2 - 0.02 <= fitted.noise_rate_ <= contradicted
    assert (1 - fitted.sample_weight()).mean() <= fitted.noise_rate_


@pytest.mark.parametrize("data", [separated, overlapping])
def test_of_right_labels_nothing_is_certainly_wrong(data):
    X, codes = data(0, n=600)
    fitted = NoisyLabels(CLASSIFIERS, random_state=0).fit(X, codes)
    assert fitted.noise_rate_interval_[0] == 0
    if data is separated:
        assert fitted.noise_rate_ < 0.01


def test_many_small_classes_do_not_get_worse():
    """Fifteen classes of 24 rows, with and without mistakes."""
    rng = np.random.default_rng(0)
    codes = np.repeat(np.arange(15), 24)
    X = rng.normal(size=(360, 20)) + 2 * rng.normal(size=(15, 20))[codes]
    for rate in (0.0, 0.1, 0.2):
        recorded = flip_uniform(codes, rate, random_state=0).y
        found = NoisyLabels(random_state=0).fit(X, recorded).search_memberships().argmax(axis=1)
        assert (found == codes).mean() >= (recorded == codes).mean()


def test_probabilities_of_ones_own_are_those_of_a_classifier():
    X, codes = gaussians(200, 4, 3, seed=5)
    recorded = flip_uniform(np.array(["a", "b", "c"])[codes], 0.2, random_state=0).y
    plain = NoisyLabels(CLASSIFIERS, scale=None, random_state=0).fit(X, recorded)
    seed = np.random.RandomState(0).randint(np.iinfo(np.int32).max)
    P = probabilities_of(CLASSIFIERS, X, np.searchsorted(["a", "b", "c"], recorded), seed=seed, n_jobs=1)
    held = [p.copy() for p in P]
    own = NoisyLabels("precomputed").fit(P, recorded)
    # A row of probabilities is divided by its sum once more.
    np.testing.assert_allclose(own.memberships_, plain.memberships_, atol=1e-9)
    assert own.noise_rate_ == pytest.approx(plain.noise_rate_)
    for p, before in zip(P, held, strict=True):
        np.testing.assert_array_equal(p, before)


def test_pairs_of_classes_are_reported_where_they_are_not_alike():
    X, codes = separated(0, n=900)
    structured = NoisyLabels(CLASSIFIERS, random_state=0).fit(X, corrupted("next", X, codes, 0))
    np.testing.assert_allclose(structured.transition_, 0.75 * np.eye(3) + 0.25 * np.roll(np.eye(3), 1, 1), atol=0.05)
    first = structured.confusions().iloc[:3]
    assert set(zip(first["true"], first["recorded"], strict=True)) == {(0, 1), (1, 2), (2, 0)}
    assert ((first["low"] < 0.25) & (first["high"] > 0.25)).all()


def test_precomputed_probabilities_are_no_features():
    model = NoisyLabels("precomputed")
    X, codes = gaussians(60, 3, 2, seed=1)
    for call in (SequentialSelector(labels=model).fit, lambda X, y: mutual_information(X, y, labels=model)):
        with pytest.raises(ValueError, match=r"takes probabilities in place of features.*labels='soft'"):
            call(X, codes)
