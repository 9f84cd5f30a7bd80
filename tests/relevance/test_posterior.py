"""Posteriors and densities of rows: their slow twin, the risk that they add up to, closed forms."""

import dataclasses

import numpy as np
import pytest
import reference
from checks import LABELS
from checks import X as CHECKED
from samples import gaussians, mixed, one_hot
from scipy.stats import norm

from tamis import MultiLabels, bayes_risk, class_posterior, entropy
from tamis.labels import fresh_labels

X, CODES = gaussians(90, 3, 3, seed=2)


@pytest.mark.parametrize("labels", [one_hot, mixed])
@pytest.mark.parametrize("include_self", [False, True])
def test_mean_of_the_posterior_is_the_risk(ugly, labels, include_self):
    X, codes = ugly
    P = labels(codes)
    how = dict(labels="soft", n_neighbors=2, include_self=include_self)
    found = class_posterior(X, P, **how)
    decided = np.searchsorted(found.classes, found.decision)
    expected, count = (bayes_risk(X, P, kind=kind, **how) for kind in ("expected", "count"))
    assert (1 - found.posterior.max(axis=1)).mean() == pytest.approx(expected, abs=1e-9)
    assert (1 - P[np.arange(len(P)), decided]).mean() == pytest.approx(count, abs=1e-9)
    assert not np.isnan(found.log_density).any()
    np.testing.assert_allclose(found.posterior.sum(axis=1), 1)


@pytest.mark.parametrize("name", sorted(set(LABELS) - {"noisy, literal"}))
@pytest.mark.filterwarnings("ignore:.* of 90 rows have no (answer|label)")
def test_every_kind_of_label_adds_up_to_its_risk(name):
    labels, y = LABELS[name]
    how = dict(labels=labels, n_neighbors=4, random_state=0)
    found = class_posterior(CHECKED, y, **how)
    known = fresh_labels(labels, random_state=0).fit(CHECKED, y).memberships_.any(axis=1)
    assert (1 - found.posterior.max(axis=1))[known].mean() == pytest.approx(bayes_risk(CHECKED, y, **how), abs=1e-9)
    assert np.isfinite(found.posterior).all()


@pytest.mark.parametrize("labels", [one_hot, mixed])
@pytest.mark.parametrize("include_self", [False, True])
def test_densities_are_those_of_the_slow_twin(labels, include_self):
    P = labels(CODES)
    found = class_posterior(X, P, labels="soft", n_neighbors=4, include_self=include_self)
    expected = reference.class_log_densities(X, P, 4, include_self)
    np.testing.assert_allclose(found.log_density, expected, atol=1e-9)
    joint = np.exp(expected) * P.mean(axis=0)
    np.testing.assert_allclose(found.posterior, joint / joint.sum(axis=1, keepdims=True), atol=1e-9)


def test_units_change_the_density_and_not_the_posterior():
    small, large = class_posterior(X, CODES), class_posterior(X * 1000, CODES)
    np.testing.assert_allclose(small.log_density - large.log_density, 3 * np.log(1000))
    np.testing.assert_allclose(small.posterior, large.posterior)


def test_two_gaussians_in_closed_form():
    rng = np.random.default_rng(0)
    y = np.arange(4000) % 2
    x = rng.normal(size=4000) + 2 * y
    found = class_posterior(x[:, None], y, n_neighbors=50)
    p = np.column_stack([norm.pdf(x), norm.pdf(x, 2)])
    inside = np.abs(x - 1) < 1.5
    np.testing.assert_allclose(found.log_density[inside], np.log(p)[inside], atol=0.6)
    assert np.abs(found.log_density - np.log(p))[inside].mean() < 0.12
    truth = p / p.sum(axis=1, keepdims=True)
    # The standard deviation of a log-ratio of densities is about sqrt(2 / 50) = 0.2: at most 0.05 of a probability.
    assert np.abs(found.posterior - truth).mean() < 0.04


def test_mean_log_density_of_the_own_class_is_its_negative_entropy():
    """Without ties the ball of the own class is that of the entropy, so they agree to the last digits."""
    found = class_posterior(X, CODES, n_neighbors=5)
    for s in range(3):
        own = found.log_density[s == CODES, s]
        assert -own.mean() == pytest.approx(entropy(X[s == CODES], n_neighbors=5), abs=1e-9)


def test_rows_at_one_place_leave_only_their_classes():
    x = np.array([0.0] * 5 + [0.0] * 4 + [1.0, 2, 3, 4, 5])[:, None]
    y = np.array([0] * 5 + [1] * 4 + [2] * 5)
    found = class_posterior(x, y, n_neighbors=3)
    assert np.isposinf(found.log_density[:9, :2]).all()
    assert np.isfinite(found.log_density[:9, 2]).all()
    assert (found.posterior[:9, 2] == 0).all()
    np.testing.assert_allclose(found.posterior[:9].sum(axis=1), 1)
    assert (found.posterior[:9, :2] > 0.2).all()


def test_rows_of_which_nothing_is_known_have_a_posterior_and_no_influence():
    P = one_hot(CODES)
    sets = P.astype(int)
    sets[5] = 1  # nobody else has all labels
    found = class_posterior(X, sets, labels=MultiLabels(5))
    alone = class_posterior(np.delete(X, 5, axis=0), np.delete(sets, 5, axis=0), labels=MultiLabels(5))
    np.testing.assert_allclose(np.delete(found.posterior, 5, axis=0), alone.posterior, atol=1e-12)
    assert found.posterior[5].sum() == pytest.approx(1)


def test_order_of_rows_names_and_threads_do_not_matter():
    found = class_posterior(X, CODES)
    order = np.random.default_rng(0).permutation(len(X))
    names = np.array(["low", "medium", "tall"])[CODES]
    other = class_posterior(X[order], names[order], n_jobs=2)
    np.testing.assert_allclose(other.posterior, found.posterior[order], atol=1e-12)
    assert other.decision.tolist() == np.array(["low", "medium", "tall"])[found.decision[order]].tolist()
    assert class_posterior(X, CODES, n_jobs=2).posterior.tobytes() == found.posterior.tobytes()
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.posterior = None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (dict(n_neighbors=0), "n_neighbors must be a whole number of at least 1; got 0"),
        (dict(include_self=1), "include_self must be True or False; got 1"),
        (dict(y=CODES[:-1]), "inconsistent numbers of samples"),
        (dict(y=one_hot(CODES).astype(int) | 1, labels=MultiLabels(transform="copy")), "BlanketSelector takes them"),
        (dict(memberships=one_hot(CODES)), "not used when labels='hard'"),
    ],
)
@pytest.mark.filterwarnings("ignore:labels")
def test_bad_input_is_named(change, message):
    arguments = {"X": X, "y": CODES} | change
    with pytest.raises(ValueError, match=message):
        class_posterior(arguments.pop("X"), arguments.pop("y"), **arguments)
