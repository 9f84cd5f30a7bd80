"""The simulated expert: doubts as announced, errors as often as doubted, and each reading as defined."""

import numpy as np
import pytest
from scipy.stats import beta, chisquare, kstest

from tamis.datasets import uncertain_expert
from tamis.datasets.expert import READINGS

CLASSES = np.array(["a", "b", "c", "d"])
TRUE = np.repeat([3, 0, 2, 1], [20_000, 12_000, 6_000, 2_000])
Y = CLASSES[TRUE]
N = len(Y)
ROWS = np.arange(N)


def doubted(reading, seed=0, y=Y, doubt=0.3):
    """Memberships, codes of the labels recorded, and where they are wrong."""
    memberships, recorded, changed = uncertain_expert(y, doubt, reading=reading, random_state=seed)
    return memberships, np.searchsorted(np.unique(y), recorded), np.isin(np.arange(len(y)), changed)


@pytest.mark.parametrize(("doubt", "variance"), [(0.3, 0.1), (0.5, 0.2), (0.2, 0.01), (0.8, 0.05)])
def test_doubts_follow_the_beta_distribution_asked_for(doubt, variance):
    memberships = uncertain_expert(Y, doubt, variance=variance, random_state=0).memberships
    b = 1 - memberships[ROWS, TRUE]
    centred = b - doubt
    assert abs(centred.mean()) < 4 * np.sqrt(variance / N)
    assert abs((centred**2).mean() - variance) < 4 * (centred**2).std() / np.sqrt(N)
    total = doubt * (1 - doubt) / variance - 1
    assert kstest(b, beta(doubt * total, (1 - doubt) * total).cdf).pvalue > 1e-3


@pytest.mark.parametrize("doubt", [0.2, 0.5, 0.8])
def test_labels_are_wrong_as_often_as_doubted(doubt):
    memberships, _, wrong = doubted("alternative", doubt=doubt)
    assert abs(wrong.mean() - doubt) < 4 * np.sqrt(doubt * (1 - doubt) / N)
    # Not only overall: whatever the doubt of a row, it is its chance of being wrong.
    b = 1 - memberships[ROWS, TRUE]
    surprise = (wrong - b) * b
    assert abs(surprise.mean()) < 4 * surprise.std() / np.sqrt(N)


def test_wrong_labels_prefer_no_class():
    _, recorded, wrong = doubted("alternative")
    for s in range(4):
        counts = np.bincount(recorded[wrong & (s == TRUE)], minlength=4)
        assert counts[s] == 0
        assert chisquare(np.delete(counts, s)).pvalue > 1e-3


@pytest.mark.parametrize("reading", READINGS)
def test_every_row_is_a_distribution(reading):
    memberships = doubted(reading)[0]
    assert memberships.shape == (N, 4)
    assert memberships.min() >= 0
    np.testing.assert_allclose(memberships.sum(axis=1), 1, rtol=0, atol=1e-15)


@pytest.mark.parametrize("reading", READINGS)
def test_the_changed_rows_are_those_that_differ(reading):
    before = Y.copy()
    _, y, changed = uncertain_expert(Y, 0.3, reading=reading, random_state=0)
    np.testing.assert_array_equal(changed, np.flatnonzero(y != Y))
    assert y.dtype == Y.dtype
    np.testing.assert_array_equal(Y, before)


@pytest.mark.parametrize("reading", READINGS)
def test_the_seed_decides_and_the_reading_does_not_change_the_labels(reading):
    first, again, other = (uncertain_expert(Y, 0.3, reading=reading, random_state=s) for s in (3, 3, 4))
    np.testing.assert_array_equal(first.memberships, again.memberships)
    np.testing.assert_array_equal(first.y, again.y)
    assert (first.y != other.y).any()
    np.testing.assert_array_equal(first.y, uncertain_expert(Y, 0.3, random_state=3).y)


def test_alternative_gives_all_doubt_to_one_class_switched_or_not():
    memberships, recorded, wrong = doubted("alternative")
    b = 1 - memberships[ROWS, TRUE]
    np.testing.assert_array_equal(np.count_nonzero(memberships, axis=1), 2)
    np.testing.assert_allclose(memberships[ROWS, recorded][wrong], b[wrong], atol=1e-15)
    # The alternative of a row that was not switched prefers no class either.
    others = np.where(np.arange(4) == TRUE[:, None], 0, memberships).argmax(axis=1)[~wrong & (TRUE == 3)]
    assert chisquare(np.bincount(others, minlength=3)).pvalue > 1e-3


@pytest.mark.parametrize("reading", ["spread", "only-if-switched"])
def test_these_readings_are_the_default_where_the_label_was_switched(reading):
    memberships, _, wrong = doubted(reading)
    default = doubted("alternative")[0]
    np.testing.assert_array_equal(memberships[wrong], default[wrong])
    assert (memberships[~wrong] != default[~wrong]).any(axis=1).all()


def test_spread_shares_the_doubt_evenly_where_the_label_was_kept():
    memberships, _, wrong = doubted("spread")
    default = doubted("alternative")[0]
    kept, true = memberships[~wrong], TRUE[~wrong]
    np.testing.assert_array_equal(kept[np.arange(len(kept)), true], default[ROWS, TRUE][~wrong])
    shares = kept[np.arange(4) != true[:, None]].reshape(-1, 3)
    np.testing.assert_array_equal(shares, shares[:, :1].repeat(3, axis=1))


def test_only_if_switched_is_certain_where_the_label_was_kept():
    memberships, _, wrong = doubted("only-if-switched")
    np.testing.assert_array_equal(memberships[~wrong], np.eye(4)[TRUE[~wrong]])


def test_observed_knows_nothing_of_the_truth():
    memberships, recorded, wrong = doubted("observed")
    default = doubted("alternative")[0]
    np.testing.assert_array_equal(memberships[ROWS, recorded], default[ROWS, TRUE])
    np.testing.assert_array_equal(np.count_nonzero(memberships, axis=1), 2)
    # One of three others is doubted for, so the truth is it in a third of the wrong rows.
    hit = memberships[ROWS, TRUE][wrong] > 0
    assert abs(hit.mean() - 1 / 3) < 4 * np.sqrt(2 / 9 / len(hit))


def test_observed_spread_shares_the_doubt_evenly_around_the_recorded_label():
    memberships, recorded, _ = doubted("observed-spread")
    np.testing.assert_array_equal(memberships[ROWS, recorded], doubted("alternative")[0][ROWS, TRUE])
    shares = memberships[np.arange(4) != recorded[:, None]].reshape(-1, 3)
    np.testing.assert_array_equal(shares, shares[:, :1].repeat(3, axis=1))


def test_between_two_classes_spreading_is_the_alternative():
    y = [1, 0] * 500
    np.testing.assert_array_equal(doubted("spread", y=y)[0], doubted("alternative", y=y)[0])
    np.testing.assert_array_equal(doubted("observed-spread", y=y)[0], doubted("observed", y=y)[0])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: uncertain_expert(Y, 1.5), "doubt must be a number from 0 to 1; got 1.5"),
        (
            lambda: uncertain_expert(Y, 0.1),
            r"variance must be below doubt \* \(1 - doubt\) = 0.09, .* mean 0.1 .*; got 0.1. Lower variance or",
        ),
        (lambda: uncertain_expert(Y, 0.5, variance=0.25), "= 0.25, .*; got 0.25"),
        (lambda: uncertain_expert(Y, 0.0), "variance must be below"),
        (lambda: uncertain_expert(Y, 0.3, variance=0), "variance must be a positive number; got 0"),
        (lambda: uncertain_expert(Y, 0.3, reading="spred"), "reading must be one of 'alternative' or .*; got 'spred'"),
        (lambda: uncertain_expert(["a", "a"], 0.3), "at least two classes"),
    ],
)
def test_bad_input_is_refused_with_the_way_out(call, message):
    with pytest.raises(ValueError, match=message):
        call()
