"""How many labels are wrong, how sure that is, and how sure each row is."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import softmax
from scipy.stats import binomtest

from tamis.labels._em import transition_of
from tamis.labels._statement import cautious, preferred_transition, rate_interval, share_interval


def posteriors(n, n_classes, sharpness, seed=0):
    return softmax(sharpness * np.random.default_rng(seed).normal(size=(n, n_classes)), axis=1)


@pytest.mark.parametrize(("count", "of"), [(0, 10), (3, 10), (10, 10), (1, 1), (0, 1), (170, 200)])
def test_intervals_of_shares_are_the_exact_ones(count, of):
    exact = binomtest(count, of).proportion_ci(0.95, method="exact")
    np.testing.assert_allclose(share_interval(count, of), (exact.low, exact.high), atol=1e-9)


@settings(deadline=None, max_examples=60)
@given(st.integers(2, 6), st.floats(0.5, 20), st.floats(0.01, 0.6), st.integers(0, 100))
def test_caution_keeps_the_order_and_the_share(n_classes, sharpness, rate, seed):
    q = posteriors(80, n_classes, sharpness, seed)
    codes = np.random.default_rng(seed).integers(0, n_classes, 80)
    codes[:n_classes] = np.arange(n_classes)
    memberships = q * transition_of(np.full(n_classes, rate))[:, codes].T
    memberships /= memberships.sum(axis=1, keepdims=True)
    found = cautious(memberships, q, codes, rate)
    rows = np.arange(80)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert (found >= 0).all()
    before, after = 1 - memberships[rows, codes], 1 - found[rows, codes]
    assert (np.diff(after[np.argsort(before)]) >= -1e-9).all()
    error = 1 - q.max(axis=1).mean()
    most = (1 - error) / error * rate / (1 - rate) * n_classes / (n_classes - 1)
    assert after.max() <= most / (1 + most) + 1e-9
    if after.max() < most / (1 + most) - 1e-3:  # else all rows are as doubtful as any may be
        assert after.mean() == pytest.approx(rate, abs=1e-6)


@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_nothing_is_changed_where_no_label_or_every_label_is_wrong(rate):
    memberships = np.eye(2)[[0, 1, 0]]
    np.testing.assert_array_equal(cautious(memberships, memberships, np.array([0, 1, 0]), rate), memberships)


def test_the_interval_is_between_disagreement_less_and_plus_the_error():
    """Sure classifiers that contradict a fifth of all labels, whatever their confidence: noise of exactly that."""
    rng = np.random.default_rng(0)
    true = rng.integers(0, 4, 50_000)
    q = np.full((50_000, 4), 0.0)
    q[np.arange(50_000), true] = rng.uniform(0.99, 1.0, 50_000)
    q += (1 - q.sum(axis=1, keepdims=True)) / 4
    codes = np.where(rng.uniform(size=50_000) < 0.2, (true + 1) % 4, true)
    low, high = rate_interval(q, codes, 0.2)
    error = 1 - q.max(axis=1).mean()
    against = (codes != true).mean()
    assert low == pytest.approx(against - error, abs=0.015)  # the lowest of five limits
    assert high == pytest.approx(share_interval(against * 50_000, 50_000)[1] + error)


def test_an_interval_holds_the_estimate_and_no_more_than_chance():
    q, codes = posteriors(40, 2, 0.1), np.arange(40) % 2
    low, high = rate_interval(q, codes, 0.1)
    assert low <= 0.1 <= high == 0.5
    assert rate_interval(np.eye(2)[codes], codes, 0.0)[0] == 0.0
    assert rate_interval(np.eye(2)[[0, 1]], np.array([0, 1]), 0.0)[0] == 0.0


def test_pairs_of_classes_are_preferred_where_they_are_not_alike():
    rng = np.random.default_rng(1)
    true = rng.integers(0, 3, 900)
    q = 0.97 * np.eye(3)[true] + 0.01
    for pairs, wanted in ((np.roll(np.eye(3), 1, axis=1), "full"), (np.full((3, 3), 1 / 3), "common")):
        full = 0.8 * np.eye(3) + 0.2 * pairs
        codes = np.array([rng.choice(3, p=full[s]) for s in true])
        rate = 1 - np.diag(full).mean()
        found, kind = preferred_transition(q, codes, full, rate)
        assert kind == wanted
        np.testing.assert_allclose(found, full if kind == "full" else transition_of(np.full(3, rate)))
