"""Memberships as given and the features together."""

import numpy as np
import pandas as pd
import pytest
from samples import gaussians
from scipy.sparse import csr_array
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import BernoulliNB, GaussianNB

from tamis import RankingSelector, SequentialSelector, SoftLabels, memberships_of
from tamis.datasets import uncertain_expert

X, CODES = gaussians(300, 4, 3, seed=2)
NOISE = np.random.default_rng(5).normal(size=X.shape)
EXPERT = uncertain_expert(CODES, 0.3, random_state=0).memberships


def calibrated(seed=0):
    """Posteriors of the class from a number that is independent of the features given the class."""
    seen = CODES[:, None] == np.arange(3)
    logs = 1.5 * (1.5 * seen + np.random.default_rng(seed).normal(size=(300, 3)))
    return np.exp(logs) / np.exp(logs).sum(axis=1, keepdims=True)


def loss(P, codes=CODES):
    """Mean surprise at the true classes."""
    return -np.log(np.maximum(P[np.arange(len(codes)), codes], 1e-3)).mean()


@pytest.mark.parametrize("estimator", ["auto", GaussianNB()])
@pytest.mark.parametrize("given", [EXPERT, calibrated()], ids=["an expert", "calibrated"])
def test_the_features_bring_memberships_nearer_to_the_truth(given, estimator):
    model = SoftLabels(estimator, random_state=0).fit(X, given)
    assert loss(model.memberships_) < 0.7 * loss(given)
    assert (model.memberships_.argmax(axis=1) == CODES).mean() > (given.argmax(axis=1) == CODES).mean() + 0.05
    np.testing.assert_allclose(model.memberships_.sum(axis=1), 1)


def test_the_product_of_independent_evidence_is_found():
    """Gaussian classes and an independent report: the posterior is known."""
    random = np.random.default_rng(0)
    codes = random.integers(0, 2, 1000)
    x, z = (random.normal(size=1000) + 1.5 * codes for _ in range(2))
    report, both = (1 / (1 + np.exp(-1.5 * odds)) for odds in (z - 0.75, x + z - 1.5))
    model = SoftLabels(GaussianNB()).fit(x[:, None], np.column_stack([1 - report, report]))
    assert model.trust_ == 1
    assert np.abs(model.memberships_[:, 1] - both).mean() < 0.04


@pytest.mark.parametrize("power", [2.0, 3.0])
def test_memberships_that_are_surer_than_right_are_trusted_less(power):
    honest = calibrated()
    boasting = honest**power / (honest**power).sum(axis=1, keepdims=True)
    sober, model = (SoftLabels(GaussianNB()).fit(X, given) for given in (honest, boasting))
    assert sober.trust_ == 1
    assert model.trust_ == pytest.approx(1 / power, abs=0.1)
    assert loss(model.memberships_) < loss(boasting) / 2
    np.testing.assert_allclose(model.recorded(), honest, atol=0.1)


@pytest.mark.parametrize("given", [EXPERT, calibrated()], ids=["an expert", "calibrated"])
def test_features_that_say_nothing_change_nothing(given):
    model = SoftLabels(GaussianNB()).fit(NOISE, given)
    assert model.trust_ == 1
    assert np.abs(model.memberships_ - given).mean() < 0.03


def test_rows_that_say_nothing_get_what_the_features_say():
    given = EXPERT.copy()
    given[::5] = 0
    with pytest.warns(UserWarning, match="60 of 300 rows have no label; their classes are predicted"):
        model = SoftLabels(GaussianNB()).fit(X, given)
    assert (model.memberships_[::5].argmax(axis=1) == CODES[::5]).mean() > 0.75
    assert not model.recorded()[::5].any()
    places, target = model.judged(model, np.arange(300))
    assert not (places % 5 == 0).any()
    assert len(target) == model.has_record().sum() == 240


def test_weights_and_groups_are_those_of_repeated_rows():
    weight = 1 + np.arange(300) % 2
    rows = np.repeat(np.arange(300), weight)
    weighted = SoftLabels(GaussianNB(), random_state=0).fit(X, EXPERT, sample_weight=weight, groups=np.arange(300))
    repeated = SoftLabels(GaussianNB(), random_state=0).fit(X[rows], EXPERT[rows], groups=rows)
    assert repeated.trust_ == pytest.approx(weighted.trust_, abs=0.05)
    assert np.abs(repeated.memberships_ - weighted.memberships_[rows]).mean() < 0.02


def test_the_same_seed_gives_the_same_memberships_for_any_number_of_threads():
    first, second = (SoftLabels("auto", random_state=3, n_jobs=n).fit(X, EXPERT).memberships_ for n in (1, 2))
    assert first.tobytes() == second.tobytes()


def test_searches_use_them():
    table = memberships_of(CODES, confidence=np.full(300, 0.7))
    labels = SoftLabels(GaussianNB())
    for selector in (SequentialSelector(labels=labels, n_features_to_select=2), RankingSelector(labels=labels)):
        selector.fit(X, table)
        assert selector.labels_.memberships_.max(axis=1).mean() > 0.75
    sparse = RankingSelector(labels=SoftLabels(BernoulliNB(), random_state=0)).fit(csr_array(X), table)
    assert np.isfinite(sparse.scores_).all()
    with_gaps = np.where(np.random.default_rng(0).random(X.shape) < 0.1, np.nan, X)
    assert np.isfinite(SequentialSelector(labels=labels, n_features_to_select=2).fit(with_gaps, table).scores_).all()


@pytest.mark.parametrize(
    ("X", "words"),
    [(None, "X"), (X[:5], "inconsistent"), (pd.DataFrame({"x": ["a"] * 300}), "number|numeric|convert")],
)
def test_it_needs_the_features(X, words):
    with pytest.raises((ValueError, TypeError), match=words):
        SoftLabels("auto").fit(X, EXPERT)


def test_it_needs_all_rows_and_classifiers_with_probabilities():
    with pytest.raises(ValueError, match="all rows"):
        RankingSelector(labels=SoftLabels("auto")).partial_fit(X, EXPERT)
    with pytest.raises(ValueError, match="estimator must be"):
        SoftLabels(RandomForestClassifier).fit(X, EXPERT)
