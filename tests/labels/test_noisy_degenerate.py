"""NoisyLabels on data and parameters that make no sense."""

import warnings

import numpy as np
import pytest
from noise_models import KINDS, model, quietly, separated
from samples import gaussians
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import GaussianNB

from tamis import NoisyLabels
from tamis.datasets import flip_uniform


@pytest.mark.parametrize("kind", KINDS)
def test_ugly_data_never_give_nan(ugly, kind):
    X, codes = ugly
    fitted = quietly(model(kind).fit, X, codes)
    assert np.isfinite(fitted.memberships_).all()
    np.testing.assert_allclose(fitted.memberships_.sum(axis=1), 1)
    np.testing.assert_allclose(fitted.transition_.sum(axis=1), 1)


def test_a_class_that_would_lose_its_weight_at_once_is_trusted_and_named():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 2))
    y = np.where(np.arange(120) < 12, "rare", "common")
    with pytest.warns(UserWarning, match="class 'rare' would lose nearly all its weight.*Merge it"):
        fitted = NoisyLabels(None, dimension="ambient").fit(X, y)
    np.testing.assert_array_equal(fitted.memberships_[:12], np.tile([0.0, 1.0], (12, 1)))


def test_when_a_class_loses_its_weight_later_the_estimate_before_is_kept():
    """Two Gaussians that overlap, in many dimensions, run to convergence."""
    rng = np.random.default_rng(1)
    codes = np.arange(200) % 2
    X = rng.normal(size=(200, 20)) + 3 * np.eye(2, 20)[0] * codes[:, None]
    spoiled = np.array(["left", "right"])[flip_uniform(codes, 0.2, random_state=1).y]
    with pytest.warns(
        UserWarning, match="class '(left|right)' lost nearly all its weight in iteration .* Merge the class"
    ):
        fitted = NoisyLabels(None, max_iter=200, dimension="ambient", tol=0.0).fit(X, spoiled)
    assert (fitted.memberships_.sum(axis=0) >= np.unique(spoiled, return_counts=True)[1] / 2).all()
    assert fitted.n_iter_ > 0


def test_random_labels_are_kept_with_a_warning():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(200, 3)), rng.integers(0, 2, 200)
    with pytest.warns(UserWarning, match="features do not predict the recorded labels.*not known"):
        fitted = NoisyLabels(random_state=0).fit(X, y)
    np.testing.assert_array_equal(fitted.memberships_, np.eye(2)[y])
    np.testing.assert_array_equal(fitted.noise_rates_, [0, 0])
    assert np.isnan(fitted.noise_rate_)
    assert fitted.noise_rate_interval_ == (0.0, 0.5)


@pytest.mark.parametrize("kind", KINDS)
def test_two_samples_a_class_are_enough(kind):
    X = np.array([[0.0, 0], [0, 1], [5, 5], [5, 6], [9, 0], [9, 1]])
    fitted = quietly(model(kind).fit, X, [0, 0, 1, 1, 2, 2])
    assert np.isfinite(fitted.memberships_).all()


@pytest.mark.parametrize(("kind", "wanted"), [("default", 5), ("neighbours", 6)])
def test_a_small_class_is_named(kind, wanted):
    X, codes = separated(0, n=60)
    y = np.where(np.arange(60) < 3, "rare", np.where(codes == 0, "a", "b"))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model(kind).fit(X, y)
    assert f"class 'rare' has fewer than the {wanted} samples" in str(said[0].message)


def test_convergence_is_told():
    X, codes = gaussians(150, 4, 2, seed=2)
    spoiled = flip_uniform(codes, 0.1, random_state=0).y
    assert NoisyLabels(GaussianNB(), random_state=0).fit(X, spoiled).converged_
    assert not NoisyLabels(GaussianNB(), random_state=0, max_iter=2).fit(X, spoiled).converged_


@pytest.mark.parametrize(
    ("parameters", "y", "message"),
    [
        (
            {"transition": "none"},
            [0, 1] * 5 + [0],
            "transition must be one of 'auto' or 'common' or",
        ),
        ({"refit": "always"}, [0, 1] * 5 + [0], "refit must be one of"),
        ({"estimator": SGDClassifier()}, [0, 1] * 5 + [0], "CalibratedClassifierCV"),
        ({"estimator": "forest"}, [0, 1] * 5 + [0], "estimator must be 'auto', 'precomputed', None, or classifiers"),
        ({"initial_rate": 2}, [0, 1] * 5 + [0], "initial_rate must be a number from 0 to 1"),
        ({"max_iter": 0}, [0, 1] * 5 + [0], "max_iter must be a whole number"),
    ],
)
def test_bad_input_is_refused_with_the_way_out(parameters, y, message):
    X = np.random.default_rng(0).normal(size=(11, 2))
    with pytest.raises(ValueError, match=message):
        NoisyLabels(**parameters).fit(X, y)


def test_memberships_are_not_taken():
    with pytest.raises(ValueError, match="memberships are not used when labels='noisy'"):
        NoisyLabels().fit(np.eye(4), [0, 1, 0, 1], memberships=np.eye(4)[:, :2])


@pytest.mark.filterwarnings("ignore:classes .* have fewer than")
def test_more_neighbours_than_rows():
    X, codes = separated(0, n=40)
    found = NoisyLabels(None, n_neighbors=10**6).fit(X, codes)
    np.testing.assert_array_equal(found.memberships_, NoisyLabels(None, n_neighbors=100).fit(X, codes).memberships_)


def test_features_that_are_too_large_for_a_forest():
    """Beyond the range of float32, which forests compute in, units do not matter."""
    X, codes = separated(0, n=60)
    memberships = [
        NoisyLabels(scale=None, random_state=0).fit(X * unit, codes).memberships_ for unit in (2.0**300, 2.0**900)
    ]
    np.testing.assert_array_equal(*memberships)
