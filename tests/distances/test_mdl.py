"""Cuts by description length, with missing values and weights."""

import numpy as np
from samples import mixed, one_hot

from tamis.distances.mdl import mdl_levels

RNG = np.random.default_rng(0)
CODES = RNG.integers(0, 3, 300)
VALUES = CODES + 0.3 * RNG.normal(size=300)


def test_missing_values_are_the_last_level_and_leave_the_cuts_alone():
    missing = RNG.random(300) < 0.2
    x = np.where(missing, np.nan, VALUES)
    levels = mdl_levels(x, one_hot(CODES))
    expected = mdl_levels(VALUES[~missing], one_hot(CODES[~missing]))
    np.testing.assert_array_equal(levels[~missing], expected)
    assert (levels[missing] == expected.max() + 1).all()


def test_a_gap_is_a_level_where_it_predicts_the_class_and_none_where_it_does_not():
    noise = RNG.normal(size=300)
    told = np.where((CODES == 1) & (RNG.random(300) < 0.8), np.nan, noise)
    np.testing.assert_array_equal(mdl_levels(told, one_hot(CODES)), np.isnan(told))
    at_random = np.where(RNG.random(300) < 0.3, np.nan, noise)
    assert not mdl_levels(at_random, one_hot(CODES)).any()
    assert not mdl_levels(np.full(300, np.nan), one_hot(CODES)).any()


def test_whole_weights_are_repeated_rows():
    weight = RNG.integers(1, 4, 300)
    x, P = np.where(RNG.random(300) < 0.2, np.nan, np.round(VALUES, 1)), mixed(CODES)
    weighted = mdl_levels(x, P * weight[:, None])
    repeated = mdl_levels(np.repeat(x, weight), np.repeat(P, weight, axis=0))
    np.testing.assert_array_equal(np.repeat(weighted, weight), repeated)
    assert weighted.max() > 1
