"""A search in spite of wrong labels."""

import numpy as np
import pytest
from samples import gaussians
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from tamis import NoisyLabels, SequentialSelector, mutual_information
from tamis.datasets import flip_uniform

X, CODES = gaussians(150, 6, 3, seed=3)
SPOILED = flip_uniform(CODES, 0.2, random_state=0).y


def test_once_is_the_search_with_the_labels_estimated_on_all_features():
    model = NoisyLabels(GaussianNB(), random_state=0)
    selector = SequentialSelector(labels=model, n_features_to_select=2).fit(X, SPOILED)
    corrected = NoisyLabels(GaussianNB(), random_state=0).fit(X, SPOILED).search_memberships()
    plain = SequentialSelector(n_features_to_select=2).fit(X, corrected.argmax(axis=1))
    np.testing.assert_array_equal(selector.path_.order, plain.path_.order)
    assert (selector.path_.noise_rates == selector.path_.noise_rates[0]).all()


@pytest.mark.parametrize("direction", ["backward", "forward"])
def test_each_step_is_algorithm_2(direction):
    """Step by step by hand: the model on the features that a step starts from, the same for all candidates."""
    model = NoisyLabels(None, refit="each-step", soft=True)
    selector = SequentialSelector(labels=model, direction=direction, n_features_to_select=3).fit(X, SPOILED)
    subset = list(range(6)) if direction == "backward" else []
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    for step in selector.path_.steps:
        if step.feature is None:
            continue
        fitted = NoisyLabels(None).fit(X[:, subset or range(6)], SPOILED)
        np.testing.assert_allclose(step.noise_rates, fitted.noise_rates_, atol=1e-9)
        changed = [[g for g in subset if g != f] if f in subset else sorted([*subset, f]) for f in range(6)]
        candidates = [f for f in range(6) if (f in subset) == (direction == "backward")]
        value = {f: mutual_information(scaled[:, changed[f]], fitted.memberships_, labels="soft") for f in candidates}
        assert value[step.feature] == pytest.approx(max(value.values()), abs=1e-9)
        assert step.score == pytest.approx(value[step.feature], abs=1e-9)
        subset = changed[step.feature]
        if len(subset) == 3:
            np.testing.assert_allclose(selector.memberships_, fitted.memberships_, atol=1e-9)
        if len(subset) == 1:
            break


def test_rates_are_on_the_path_and_in_its_table():
    selector = SequentialSelector(labels=NoisyLabels(None, refit="each-step"), n_features_to_select=2).fit(X, SPOILED)
    assert selector.path_.noise_rates.shape == (6, 3)
    assert len(np.unique(selector.path_.noise_rates[:, 0])) > 2
    assert "noise_rate_2" in selector.path_.to_frame()
    assert SequentialSelector(n_features_to_select=2).fit(X, SPOILED).path_.noise_rates is None


def test_clean_labels_give_the_plain_answer():
    rng = np.random.default_rng(0)
    codes = np.arange(120) % 3
    clean = rng.normal(size=(120, 5)) + 6 * np.eye(3, 5)[codes]
    plain = SequentialSelector(n_features_to_select=2).fit(clean, codes)
    for model in (NoisyLabels(random_state=0), NoisyLabels(None), NoisyLabels(None, refit="each-step")):
        # down to two features; one alone cannot tell three classes apart, and a model of it may doubt
        tolerant = SequentialSelector(labels=model, n_features_to_select=2).fit(clean, codes)
        np.testing.assert_array_equal(tolerant.path_.order[:2], plain.path_.order[:2])
        np.testing.assert_allclose(tolerant.path_.scores[:3], plain.path_.scores[:3])


def test_the_seed_and_threads_of_the_selector_reach_the_model():
    asked = SequentialSelector(labels=NoisyLabels(), random_state=5, n_jobs=2)._fresh_labels()
    assert (asked.random_state, asked.n_jobs) == (5, 2)
    own = SequentialSelector(labels=NoisyLabels(random_state=1), random_state=5)._fresh_labels()
    assert own.random_state == 1
    first, second = (
        SequentialSelector(labels="noisy", random_state=5, n_features_to_select=2).fit(X, SPOILED) for _ in range(2)
    )
    assert first.path_ == second.path_


def test_a_parameter_of_the_model_can_be_searched_over():
    selector = SequentialSelector(labels=NoisyLabels(LogisticRegression()))
    selector.set_params(labels__transition="full", labels__estimator__C=0.1)
    assert selector.labels.estimator.C == 0.1


def test_interrupted_and_kept(monkeypatch):
    steps = []
    original = NoisyLabels.fit_again

    def interrupt(self, X):
        steps.append(X.shape[1])
        if len(steps) == 4:
            raise KeyboardInterrupt
        return original(self, X)

    monkeypatch.setattr(NoisyLabels, "fit_again", interrupt)
    selector = SequentialSelector(labels=NoisyLabels(None, refit="each-step"))
    with pytest.raises(KeyboardInterrupt):
        selector.fit(X, SPOILED)
    assert steps == [5, 4, 3, 2]
    assert selector.path_.sizes.tolist() == [6, 5, 4, 3, 2]
    assert selector.path_.noise_rates.shape == (5, 3)


def test_it_serves_where_labels_are_wrong():
    """Wine, 30 % wrong: of the features that clean labels keep, more are found with the model than without."""
    wine, y = load_wine(return_X_y=True)
    wanted = SequentialSelector(n_features_to_select=5).fit(wine, y).support_
    kept = {"hard": 0, "noisy": 0}
    for seed in range(5):
        spoiled = flip_uniform(y, 0.3, random_state=seed).y
        for labels in kept:
            selector = SequentialSelector(labels=labels, n_features_to_select=5, random_state=seed)
            kept[labels] += int((selector.fit(wine, spoiled).support_ & wanted).sum())
    assert kept["noisy"] > kept["hard"]
