"""Weighted quantiles, and how levels become coarser."""

import numpy as np
import pytest

from tamis.distances.grains import coarser, coarser_with_gaps, quantiles

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("digits", [0, 1, 9])
def test_quantiles_of_whole_weights_are_those_of_repeated_values(digits):
    for n in range(1, 40):
        x, weight = np.round(RNG.normal(size=n), digits), RNG.integers(1, 6, n)
        shares = np.arange(1, 1 + n % 11) / (1 + n % 11)
        expected = np.quantile(np.repeat(x, weight), shares)
        np.testing.assert_array_equal(quantiles(x, shares, weight.astype(float)), expected)


def test_quantiles_of_any_weights_rise_and_split_the_weight():
    x, weight = RNG.normal(size=300), RNG.lognormal(size=300)
    shares = np.arange(1, 10) / 10
    for unit in (1e-6, 0.01, 1.0, 50.0):
        cuts = quantiles(x, shares, unit * weight)
        assert (np.diff(cuts) > 0).all()
        below = [weight[x <= cut].sum() / weight.sum() for cut in cuts]
        np.testing.assert_allclose(below, shares, atol=weight.max() / weight.sum())


def test_missing_ones_are_a_part_of_their_own_as_long_as_the_values_keep_two():
    counts = np.array([30.0, 10, 10, 10, 10, 10, 10, 10])
    maps = coarser_with_gaps(counts)
    assert (maps.max(axis=1) + 1).tolist() == [5, 3, 2]
    assert (maps[:2, :-1] < maps[:2, -1:]).all()  # four parts of values, and two
    np.testing.assert_array_equal(maps[2, :-1], coarser(counts)[2])
    assert maps[2, -1] == np.argmin(np.bincount(maps[2, :-1], weights=counts))
    assert coarser_with_gaps(np.array([9.0])).tolist() == [[0, 1]] * 3
    assert coarser_with_gaps(np.array([9.0, 4])).tolist() == [[0, 1, 2], [0, 1, 2], [0, 1, 1]]
