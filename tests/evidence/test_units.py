"""Standard errors and tests where rows count several times or belong together."""

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from tamis._validation import Rows
from tamis.evidence.units import error_of, mean_of, n_units, n_worth, one_sided, sums_by_unit

RNG = np.random.default_rng(0)
VALUES = RNG.normal(0.2, 1, size=(3, 40))
COUNTS = RNG.integers(1, 5, 40)
COPIES = np.repeat(np.arange(40), COUNTS)
WEIGHTED, REPEATED = Rows(weight=COUNTS.astype(float)), Rows(group=COPIES)


def test_a_weight_is_a_row_repeated():
    again = VALUES[:, COPIES]
    np.testing.assert_allclose(mean_of(VALUES, WEIGHTED), again.mean(axis=1))
    np.testing.assert_allclose(error_of(VALUES, WEIGHTED), error_of(again, REPEATED))
    assert one_sided(VALUES[0], WEIGHTED) == pytest.approx(one_sided(again[0], REPEATED))
    assert n_worth(WEIGHTED, 40) == pytest.approx(n_worth(REPEATED, len(COPIES)))
    assert n_units(WEIGHTED, 40) == n_units(REPEATED, len(COPIES)) == 40


@pytest.mark.parametrize(
    "rows", [Rows(weight=np.full(40, 3.0)), Rows(group=np.arange(40)[::-1])], ids=["weight", "group"]
)
def test_equal_weights_and_groups_of_one_are_as_nothing(rows):
    np.testing.assert_allclose(error_of(VALUES, rows), VALUES.std(axis=1, ddof=1) / np.sqrt(40))
    assert one_sided(VALUES[0], rows) == pytest.approx(ttest_1samp(VALUES[0], 0, alternative="greater").pvalue)


def test_the_test_of_groups_of_equal_size_is_students_of_their_means():
    group = RNG.permutation(np.repeat(np.arange(10), 4))
    means = np.array([VALUES[0, group == g].mean() for g in range(10)])
    found = one_sided(VALUES[0], Rows(group=group))
    assert found == pytest.approx(ttest_1samp(means, 0, alternative="greater").pvalue)
    np.testing.assert_allclose(sums_by_unit(VALUES[0], Rows(group=group)), 4 * means)


@pytest.mark.parametrize("weight", [np.r_[30.0, np.ones(9)], np.linspace(0.1, 4, 10)], ids=["one heavy", "all sorts"])
def test_the_squared_error_is_unbiased_for_units_of_any_weight(weight):
    draws = np.random.default_rng(1).normal(size=(40_000, 10))
    rows = Rows(weight=weight)
    assert (error_of(draws, rows) ** 2).mean() == pytest.approx(mean_of(draws, rows).var(), rel=0.03)


def test_if_one_row_has_all_weight_nothing_is_sure():
    rows = Rows(weight=np.r_[1e6, np.ones(9)])
    values = np.random.default_rng(1).normal(1.0, 0.1, size=10)
    assert error_of(values, rows) > 0.02  # about that of one value
    assert one_sided(values, rows) > 0.3
    assert one_sided(values, Rows(weight=np.r_[1e20, np.ones(9)])) > 0.3


def test_one_group_is_no_sample():
    rows = Rows(group=np.zeros(4, dtype=int))
    assert np.isinf(error_of(np.arange(8.0).reshape(2, 4), rows)).all()
    assert one_sided(np.ones(4), rows) == 1.0
