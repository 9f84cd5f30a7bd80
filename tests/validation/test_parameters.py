"""Threads, counts and seeds."""

import inspect

import joblib
import numpy as np
import pytest
from samples import gaussians
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier

import tamis
from tamis import (
    BlanketSelector,
    ClassDistance,
    CrowdLabels,
    LaplacianScore,
    MLkNNClassifier,
    MultiLabels,
    MutualInformation,
    NoisyLabels,
    RankingSelector,
    SequentialSelector,
    answers_of,
    bayes_risk,
    entropy,
    mutual_information,
    noise_bound,
    weighted_laplacian_score,
)
from tamis._validation import check_count, check_positive, check_share, check_threads
from tamis.datasets import flip_per_class, flip_uniform

X, CODES = gaussians(60, 3, 2, seed=6)
SPOILED = flip_uniform(CODES, 0.15, random_state=0).y
SETS = np.array([[1, 0, 0], [0, 1, 1], [0, 1, 0]])[CODES + (np.arange(60) % 2) * CODES]
CORES = joblib.cpu_count()


@pytest.mark.parametrize(
    ("n_jobs", "threads"),
    [
        (None, 1),
        (1, 1),
        (np.int64(1), 1),
        (CORES, CORES),
        (CORES + 1, CORES),
        (10**9, CORES),
        (10**30, CORES),
        (-1, CORES),
        (-CORES, 1),
        (-CORES - 1, 1),
        (-(10**30), 1),
    ],
)
def test_threads_are_at_most_the_cores(n_jobs, threads):
    assert check_threads(n_jobs) == threads


def test_threads_follow_joblib():
    for wanted, threads in ((1, 1), (-1, CORES), (10**6, CORES)):
        with joblib.parallel_config(backend="threading", n_jobs=wanted):
            assert check_threads(None) == threads
    with joblib.parallel_config(backend="sequential"):
        assert check_threads(-1) == 1


THREADED = {
    "sequential": lambda n: SequentialSelector(n_features_to_select=1, n_jobs=n).fit(X, CODES),
    "ranking": lambda n: RankingSelector(n_jobs=n).fit(X, CODES),
    "blocks": lambda n: RankingSelector(n_jobs=n).partial_fit(X, CODES),
    "laplacian": lambda n: RankingSelector("laplacian", n_jobs=n).fit(X, CODES),
    "blanket": lambda n: BlanketSelector(
        n_features_to_select=1, n_jobs=n, random_state=0, n_conditioning=3, n_bins=10
    ).fit(X, CODES),
    "noisy": lambda n: NoisyLabels(None, n_jobs=n).fit(X, CODES),
    "multilabel": lambda n: MultiLabels(n_jobs=n, n_folds=2, n_repeats=1, random_state=0).fit(X, SETS),
    "neighbours": lambda n: MLkNNClassifier(n_jobs=n).fit(X, CODES).predict(X),
    "information": lambda n: mutual_information(X, CODES, n_jobs=n),
    "risk": lambda n: bayes_risk(X, CODES, n_jobs=n),
    "weighted laplacian": lambda n: weighted_laplacian_score(X, CODES, n_jobs=n),
    "entropy": lambda n: entropy(X, n_jobs=n),
}


@pytest.mark.parametrize("threaded", THREADED)
def test_every_n_jobs_is_checked(threaded):
    THREADED[threaded](10**30)
    for wrong in ("2", 1.5, True, np.array([1, 2]), 2.0):
        with pytest.raises(ValueError, match="n_jobs must be a whole number or None; got"):
            THREADED[threaded](wrong)
    with pytest.raises(ValueError, match="n_jobs must not be 0"):
        THREADED[threaded](0)


def test_numbers_that_fit_nowhere():
    with pytest.raises(ValueError, match="k must be a whole number of at least 1 and at most 2147483647"):
        check_count("k", 10**30)
    with pytest.raises(ValueError, match="from 1 to 9"):
        check_count("k", 10**30, most=9)
    for check in (check_positive, check_share):
        with pytest.raises(ValueError, match="w must be a"):
            check("w", 10**400)


FUNCTIONS = {
    "information": mutual_information,
    "risk": bayes_risk,
    "weighted laplacian": weighted_laplacian_score,
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize(
    ("labels", "y"),
    [
        (NoisyLabels(RandomForestClassifier(5), soft=True), SPOILED),
        (MultiLabels(n_folds=3, n_repeats=1), SETS),
    ],
)
def test_functions_with_a_seed_repeat_themselves(name, labels, y):
    function = FUNCTIONS[name]
    found = np.asarray(function(X, y, labels=labels, random_state=3))
    assert np.array_equal(found, function(X, y, labels=labels, random_state=3, n_jobs=-1))
    # The seed goes to the label model as it does from a selector; one of its own has priority.
    own = clone(labels).set_params(random_state=3)
    assert np.array_equal(found, function(X, y, labels=own))
    assert np.array_equal(found, function(X, y, labels=own, random_state=8))


def test_the_default_noise_model_gets_the_seed():
    first, again, other = (mutual_information(X, SPOILED, labels="noisy", random_state=s) for s in (3, 3, 4))
    assert first == again
    assert np.isfinite(other)


def test_another_seed_is_another_answer():
    X, codes = gaussians(200, 3, 2, seed=1)
    recorded = flip_uniform(codes, 0.1, random_state=0).y
    labels = NoisyLabels(RandomForestClassifier(30, min_samples_leaf=5), soft=True)
    assert len({mutual_information(X, recorded, labels=labels, random_state=s) for s in range(3)}) == 3


def test_everything_that_takes_labels_takes_a_seed():
    for name in tamis.__all__:
        parameters = inspect.signature(getattr(tamis, name)).parameters
        if "labels" in parameters and name not in ("Path",):
            assert "random_state" in parameters, name


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: MutualInformation(include_self=1).score(X, np.eye(2)[CODES]), "include_self must be True or False"),
        (lambda: bayes_risk(X, CODES, include_self="no"), "include_self must be True or False"),
        (lambda: NoisyLabels(None, include_self=None).fit(X, CODES), "include_self must be True or False"),
        (lambda: NoisyLabels(None, soft="no").fit(X, CODES), "soft must be True or False"),
        (lambda: RankingSelector(LaplacianScore(squared=[])).fit(X), "squared must be True or False"),
        (lambda: RankingSelector(feature_groups=3).fit(X, CODES), "feature_groups must be a list"),
        (lambda: RankingSelector(required_features=[[0], [1, 2]]).fit(X, CODES), "required_features must be a list"),
        (lambda: ClassDistance.from_tree(3), "edges must be a list"),
        (lambda: ClassDistance.from_paths(["a", "b"], weights=1), "weights must be a list"),
        (lambda: flip_per_class(CODES, 0.1), "rates must be a list"),
        (lambda: noise_bound(None, 3), "joint must be a list"),
        (lambda: answers_of(None, ["a"], [1]), "row must be a list"),
        (lambda: answers_of([0], ["a"], [1], annotators=3), "annotators must be a list"),
        (lambda: answers_of([0], ["a"], [1], annotators=[["a"]]), "annotators must be a list"),
        (lambda: CrowdLabels(missing_value=[1]).fit(None, [[1, 2], [2, 1]]), "missing_value must be one value"),
        (lambda: CrowdLabels().fit(None, [[1, 2], [2]]), "y must have rows of equal length"),
    ],
)
def test_parameters_of_another_kind(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.filterwarnings("ignore:class .* nearly all its weight")
def test_small_integers_do_not_overflow():
    found = NoisyLabels(None, n_neighbors=np.int8(25)).fit(X, CODES).memberships_
    assert (found == NoisyLabels(None, n_neighbors=25).fit(X, CODES).memberships_).all()
