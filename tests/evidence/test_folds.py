"""Which rows are left out when."""

import numpy as np
import pytest
from samples import mixed, one_hot

from tamis.evidence.folds import Folds

CODES = np.repeat([0, 1, 2], [40, 23, 3])


@pytest.mark.parametrize("n_folds", [2, 5, 7])
@pytest.mark.parametrize("memberships", [one_hot, mixed], ids=["one-hot", "soft"])
def test_every_row_of_a_large_class_is_left_out_once_in_each_repetition(memberships, n_folds):
    folds = Folds(memberships(CODES), n_folds, 0)
    assert folds.are_possible
    for repeat in range(3):
        found = folds.of(repeat)
        left_out = np.concatenate([fold.test for fold in found])
        assert len(found) == folds.n_folds == n_folds
        sizes = np.bincount(CODES)
        large = ((sizes >= n_folds) & (sizes - np.ceil(sizes / n_folds) >= 2))[CODES]
        assert sorted(left_out.tolist()) == np.flatnonzero(large).tolist()


def test_a_fold_is_the_rows_seen_and_those_that_are_not():
    for fold in Folds(one_hot(CODES), 5, 0).of(0):
        assert sorted([*fold.train, *fold.test]) == list(range(len(CODES)))
        assert set(CODES[fold.train]) == {0, 1, 2}
        assert np.ptp(np.bincount(CODES[fold.test], minlength=3)[:2] / [40, 23]) < 0.1


def test_rows_of_rare_classes_are_always_seen_and_never_left_out():
    for fold in Folds(one_hot(CODES), 5, 0).of(0):
        assert set(np.flatnonzero(CODES == 2)) <= set(fold.train)


def test_rows_of_no_class_are_spread_like_a_class():
    P = np.vstack([one_hot(CODES), np.zeros((10, 3))])
    counts = [(fold.test >= len(CODES)).sum() for fold in Folds(P, 5, 0).of(0)]
    assert counts == [2] * 5


def test_the_seed_decides_and_repetitions_differ():
    P = one_hot(CODES)
    one, same, other = (Folds(P, 5, seed) for seed in (1, 1, 2))
    for repeat in range(2):
        for a, b in zip(one.of(repeat), same.of(repeat), strict=True):
            np.testing.assert_array_equal(a.test, b.test)
            np.testing.assert_array_equal(a.train, b.train)
            assert a.seed == b.seed
    different = [one.of(0), one.of(1), other.of(0)]
    assert len({tuple(fold.test) for folds in different for fold in folds}) == 15
    assert len({fold.seed for folds in different for fold in folds}) == 15


def test_there_are_no_more_folds_than_rows_of_the_second_largest_class():
    assert Folds(one_hot(np.repeat([0, 1, 2], [50, 3, 2])), 5, 0).n_folds == 3
    assert Folds(one_hot(np.repeat([0, 1], [50, 2])), 5, 0).n_folds == 2


@pytest.mark.parametrize("sizes", [[50], [50, 1], [1, 1, 1], [9, 1, 1]])
def test_with_less_than_two_classes_of_two_rows_nothing_can_be_left_out(sizes):
    assert not Folds(one_hot(np.repeat(np.arange(len(sizes)), sizes)), 5, 0).are_possible


def test_rows_of_no_class_are_no_second_class():
    assert not Folds(np.vstack([np.ones((20, 1)), np.zeros((20, 1))]), 5, 0).are_possible
