"""Features with gaps: they are used as they are, or filled inside of the fold, and mistakes are found still."""

import itertools
import warnings

import numpy as np
import pytest
from noise_models import quietly, separated
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.utils import get_tags

from tamis import HardLabels, MultiLabels, NoisyLabels
from tamis._validation import Rows
from tamis.datasets import flip_uniform
from tamis.labels._asking import nearest
from tamis.labels._out_of_sample import _filled, probabilities_of

FOREST = RandomForestClassifier(30, min_samples_leaf=5, oob_score=True, random_state=0)
MODELS = [(GaussianNB(), LogisticRegression()), FOREST, None]
IDS = ["filled", "as they are", "neighbours"]


def with_gaps(X, share, seed=0):
    return np.where(np.random.default_rng(seed).random(X.shape) < share, np.nan, X)


@pytest.mark.parametrize("estimator", MODELS, ids=IDS)
def test_a_fifth_of_the_values_missing_costs_little(estimator):
    X, codes = separated(1, n=240, n_features=6)
    X[:, 3:] = X[:, :3] + 0.5 * X[:, 3:]
    noisy, changed = flip_uniform(codes, 0.2, random_state=1)
    areas = []
    for share in (0.0, 0.2):
        fitted = NoisyLabels(estimator, random_state=0).fit(with_gaps(X, share), noisy)
        areas.append(roc_auc_score(np.isin(np.arange(240), changed), 1 - fitted.sample_weight()))
        if estimator is not None:  # by neighbours the rate is a guess
            assert fitted.noise_rate_ == pytest.approx(0.2, abs=0.05)
    assert areas[0] > 0.97
    assert areas[1] > areas[0] - 0.03


@pytest.mark.parametrize("estimator", MODELS, ids=IDS)
def test_a_step_of_a_search_is_a_fit_to_its_features(estimator):
    X, codes = separated(2, n=90)
    noisy, holes = flip_uniform(codes, 0.2, random_state=0).y, with_gaps(X, 0.2)
    how = {"sample_weight": 1.0 + np.arange(90) % 3, "groups": np.arange(90) // 2}
    fitted = NoisyLabels(estimator, random_state=0).fit(holes, noisy, **how)
    again = fitted.fit_again(holes[:, :3]).memberships_
    assert (
        again.tobytes() == NoisyLabels(estimator, random_state=0).fit(holes[:, :3], noisy, **how).memberships_.tobytes()
    )


def test_what_cannot_take_gaps_gets_the_means_of_the_training_rows():
    X, codes = separated(0, n=100)
    holes = with_gaps(X, 0.3)
    found = probabilities_of(GaussianNB(), holes, codes, seed=7, n_jobs=1)[0]
    pipeline = make_pipeline(SimpleImputer(), GaussianNB())
    folds = StratifiedKFold(5, shuffle=True, random_state=7)
    np.testing.assert_allclose(found, cross_val_predict(pipeline, holes, codes, cv=folds, method="predict_proba"))


@pytest.mark.parametrize(
    "takes", [HistGradientBoostingClassifier(max_iter=3), RandomForestClassifier(5, random_state=0)], ids=type
)
def test_what_can_take_gaps_gets_them(takes):
    X, codes = separated(0, n=60)
    holes = with_gaps(X, 0.3)
    found = probabilities_of(takes, holes, codes, seed=7, n_jobs=1)[0]
    folds = StratifiedKFold(5, shuffle=True, random_state=7)
    np.testing.assert_allclose(found, cross_val_predict(takes, holes, codes, cv=folds, method="predict_proba"))


def test_means_are_weighted_and_columns_without_values_are_zero():
    known = np.array([[1.0, np.nan, 2.0], [3.0, np.nan, np.nan], [np.nan, np.nan, 8.0]])
    asked = np.array([[np.nan, 5.0, np.nan]])
    filled = _filled(known, asked, Rows(weight=np.array([1.0, 3.0, 1.0])))
    np.testing.assert_array_equal(filled[0], [[1, 0, 2], [3, 0, 5], [2.5, 0, 8]])
    np.testing.assert_array_equal(filled[1], [[2.5, 0, 5]])


UGLY_GAPS = ["column", "row", "class", "column of one value", "wide", "everything"]


def ugly_gaps(kind, X, y):
    X = X.copy()
    if kind == "column":
        X[:, 1] = np.nan
    elif kind == "row":
        X[[3, 50]] = np.nan
    elif kind == "class":
        X[y == 1, 2] = np.nan
    elif kind == "column of one value":
        X[1:, 1] = np.nan
    elif kind == "wide":
        X = with_gaps(np.hstack([X, np.random.default_rng(0).normal(size=(len(X), 100))]), 0.2)
    else:
        X[:] = np.nan
    return X


@pytest.mark.parametrize(
    ("estimator", "kind"),
    [
        *itertools.product([LogisticRegression(), FOREST, None], UGLY_GAPS),
        *itertools.product(["auto"], ["column", "wide", "everything"]),
    ],
    ids=lambda each: each if isinstance(each, str) else type(each).__name__,
)
def test_ugly_gaps_never_give_nan(estimator, kind):
    X, codes = separated(1, n=60)
    noisy = flip_uniform(codes, 0.2, random_state=1).y
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        fitted = NoisyLabels(estimator, random_state=0).fit(ugly_gaps(kind, X, noisy), noisy)
    assert np.isfinite(fitted.memberships_).all()
    np.testing.assert_allclose(fitted.memberships_.sum(axis=1), 1)
    if kind == "everything" and estimator is not None:
        assert np.isnan(fitted.noise_rate_)
        assert "do not predict the recorded labels" in str(said[-1].message)
    assert not [each for each in said if issubclass(each.category, RuntimeWarning)]


def test_infinity_and_gaps_of_probabilities_are_refused():
    X, codes = separated(0, n=60)
    X[3, 2] = np.inf
    with pytest.raises(ValueError, match="infinity"):
        NoisyLabels(GaussianNB()).fit(X, codes)
    P = np.full((60, 3), 1 / 3)
    P[0] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        NoisyLabels("precomputed").fit(P, codes)
    assert get_tags(NoisyLabels()).input_tags.allow_nan
    assert not get_tags(NoisyLabels("precomputed")).input_tags.allow_nan
    holes = with_gaps(X[:, :2], 0.3)
    np.testing.assert_array_equal(HardLabels().fit(holes, codes).memberships_, np.eye(3)[codes])


def test_the_size_of_label_sets_is_chosen_with_gaps():
    X, codes = separated(0, n=80)
    sets = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 1]])[codes]
    sets[:6] = [0, 1, 1]
    holes = with_gaps(X, 0.2)
    tested = MultiLabels(size_method="permutation", n_neighbors=4, n_folds=3, n_repeats=1, random_state=0)
    assert np.isfinite(list(tested.fit(holes, sets).t_statistics_.values())).all()
    losses = MultiLabels(n_repeats=1, random_state=0).fit(holes, sets).losses_
    assert set(losses) == set(range(2, 21))
    assert np.isfinite(list(losses.values())).all()


def slow_distances(X):
    """Differences of standardised columns; where one of two values is missing, twice the variance."""
    Z = (X - np.nanmean(X, axis=0)) / np.nanstd(X, axis=0)
    apart = (Z[:, None] - Z) ** 2
    return np.where(np.isnan(apart), 2.0, apart).sum(axis=2)


def test_neighbours_of_rows_with_gaps_are_those_of_the_slow_twin():
    X = with_gaps(np.random.default_rng(0).normal(size=(50, 4)) * [1, 10, 100, 1e3], 0.3)
    d = slow_distances(X)
    np.fill_diagonal(d, np.inf)
    found = np.take_along_axis(d, nearest(X, 4), axis=1)
    np.testing.assert_allclose(np.sort(found, axis=1), np.sort(d, axis=1)[:, :4])


def test_answers_count_for_neighbours_of_rows_with_gaps():
    X, codes = separated(3, n=60)
    noisy = flip_uniform(codes, 0.2, random_state=0).y
    fitted = NoisyLabels(GaussianNB(), random_state=0).fit(X, noisy)
    table = quietly(lambda: fitted.ask_next(X=with_gaps(X, 0.2)))
    assert np.isfinite(table["gain"]).all()
    assert (np.diff(table["gain"]) <= 0).all()
