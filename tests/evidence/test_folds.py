"""Which rows are left out when."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import mixed, one_hot

from tamis._validation import Rows
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


def grouped(n_groups=24, seed=0, *, mixed_groups=False):
    """Codes of rows, and groups of one to six rows; of one class each, or of any."""
    rng = np.random.default_rng(seed)
    group = np.repeat(rng.permutation(n_groups), rng.integers(1, 7, n_groups))
    return (rng.integers(0, 3, len(group)) if mixed_groups else np.arange(n_groups)[group] % 3), group


@pytest.mark.parametrize("mixed_groups", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_folds_keep_groups_whole(mixed_groups, seed):
    codes, group = grouped(seed=seed, mixed_groups=mixed_groups)
    folds = Folds(one_hot(codes), 5, seed, Rows(group=group))
    assert folds.are_possible
    for repeat in range(2):
        found = folds.of(repeat)
        assert len(found) == folds.n_folds
        tested = np.concatenate([fold.test for fold in found])
        assert len(np.unique(tested)) == len(tested)
        for fold in found:
            assert len(fold.test)
            assert not np.intersect1d(group[fold.train], group[fold.test]).size
            assert sorted([*fold.train, *fold.test]) == list(range(len(codes)))
            for code in range(3):
                assert len(np.unique(group[fold.train][codes[fold.train] == code])) >= 2


def test_classes_are_counted_by_groups():
    """Many rows in two groups are a small class; of the others each has as many groups in every fold."""
    codes, group = grouped(30)
    codes[np.isin(group, [2, 5])] = 3
    codes[codes == 2] = 0
    folds = Folds(one_hot(codes), 5, 0, Rows(group=group))
    for fold in folds.of(0):
        assert not (codes[fold.test] == 3).any()
        assert len(np.unique(group[fold.test][codes[fold.test] == 1])) == 2
    assert Folds(one_hot(codes), 50, 0, Rows(group=group)).n_folds == 10


def test_copies_of_rows_are_left_out_as_the_rows_are():
    """Groups of copies have the folds of the rows, so that weights and repetitions agree."""
    copies = np.repeat(np.arange(len(CODES)), np.random.default_rng(0).integers(1, 4, len(CODES)))
    plain, again = Folds(one_hot(CODES), 5, 0), Folds(one_hot(CODES)[copies], 5, 0, Rows(group=copies))
    for a, b in zip(plain.of(1), again.of(1), strict=True):
        np.testing.assert_array_equal(np.unique(copies[b.test]), a.test)
        np.testing.assert_array_equal(np.unique(copies[b.train]), a.train)
        assert a.seed == b.seed


def test_a_group_with_a_row_of_a_rare_class_is_always_seen():
    codes, group = grouped(mixed_groups=True)
    codes[3] = 3
    for fold in Folds(one_hot(codes), 3, 0, Rows(group=group)).of(0):
        assert group[3] not in group[fold.test]


def test_two_groups_of_a_class_are_seen_even_if_one_group_has_nearly_all_classes():
    """Groups 0, 1, 2 have all three classes, the others one: where two of the three are left out, one is spared."""
    group = np.r_[np.repeat([0, 1, 2], 3), np.arange(3, 15)]
    codes = np.r_[np.tile([0, 1, 2], 3), np.repeat([0, 1], 6)]
    for seed in range(20):
        folds = Folds(one_hot(codes), 2, seed, Rows(group=group))
        assert folds.are_possible
        for fold in folds.of(0):
            assert len(fold.test)
            assert len(np.unique(group[fold.train][codes[fold.train] == 2])) >= 2


@pytest.mark.parametrize("per_class", [1, 2])
def test_with_one_or_two_groups_in_each_class_nothing_can_be_left_out(per_class):
    codes = np.repeat([0, 1, 2], 12)
    group = codes * per_class + np.arange(36) % per_class
    folds = Folds(one_hot(codes), 5, 0, Rows(group=group))
    assert not folds.are_possible
    assert "groups of rows" in folds.why_not


@pytest.mark.parametrize(
    ("codes", "time", "group", "why", "way_out"),
    [
        (range(60), np.arange(60) // 30, None, "need three different times", "fit without order"),
        (
            range(60),
            np.arange(60) // 10,
            np.arange(60) % 10,
            "groups are spread",
            "fit without groups or without order",
        ),
        (np.arange(60) // 55, np.arange(60), None, "too few rows of a second class early enough", "fit without order"),
    ],
    ids=["two times", "groups at all times", "a late class"],
)
def test_why_there_are_no_folds_forward_in_time_and_what_to_do_without(codes, time, group, why, way_out):
    P = one_hot(np.array(codes) % 3)
    folds = Folds(P, 5, 0, Rows(group=group, time=time))
    assert not folds.are_possible
    assert why in folds.why_not
    assert folds.way_out == way_out
    assert Folds(P, 5, 0).way_out == ""


def test_a_sample_of_many_rows_has_two_groups_of_every_class(monkeypatch):
    """A class of a thousand rows of one group and three rows of others."""
    monkeypatch.setattr("tamis.evidence.folds.MOST_SEEN", 100)
    codes = np.r_[np.zeros(1004, int), np.ones(300, int)]
    group = np.r_[np.zeros(1000, int), np.arange(1, 5), 5 + np.arange(300) // 3]
    for seed in range(5):
        for fold in Folds(one_hot(codes), 2, seed, Rows(group=group)).of(0):
            assert len(fold.train) == 100
            assert len(np.unique(group[fold.train][codes[fold.train] == 0])) >= 2


@given(st.integers(0, 10_000), st.booleans(), st.booleans(), st.integers(2, 6))
@settings(max_examples=60)
def test_forward_folds_never_learn_from_the_future(seed, with_groups, weighted, n_folds):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 60))
    time, codes = rng.integers(0, rng.integers(1, 40), n), rng.integers(0, 3, n)
    group = rng.integers(0, n, n) if with_groups else None
    weight = rng.exponential(size=n) + 0.01 if weighted else None
    P = mixed(codes)
    folds = Folds(P, n_folds, 0, Rows(weight, group, time))
    assert folds.are_forward
    assert folds.n_folds <= n_folds
    if not folds.are_possible:
        return
    found = folds.of(0)
    assert len(found) == folds.n_folds
    for before, fold in zip([None, *found], found, strict=False):
        assert time[fold.train].max() < time[fold.test].min()
        assert len(np.unique(P[fold.train].argmax(axis=1))) >= 2
        if group is not None:
            assert not np.intersect1d(group[fold.train], group[fold.test]).size
        elif before is not None:
            assert set(before.train) <= set(fold.train)
            assert time[before.test].max() < time[fold.test].min()


def test_blocks_of_time_are_about_equally_large():
    time = np.random.default_rng(0).permutation(120)
    folds = Folds(one_hot(time % 3), 5, 0, Rows(time=time)).of(0)
    assert [len(fold.test) for fold in folds] == [20] * 5
    assert [len(fold.train) for fold in folds] == [20, 40, 60, 80, 100]


def test_blocks_of_weights_are_blocks_of_copies():
    rng = np.random.default_rng(0)
    time, counts = rng.integers(0, 50, 90), rng.integers(1, 9, 90)
    copies = np.repeat(np.arange(90), counts)
    weighted = Folds(one_hot(time % 3), 5, 0, Rows(weight=counts.astype(float), time=time)).of(0)
    repeated = Folds(one_hot(time % 3)[copies], 5, 0, Rows(group=copies, time=time[copies])).of(0)
    for a, b in zip(weighted, repeated, strict=True):
        np.testing.assert_array_equal(a.test, np.unique(copies[b.test]))
        np.testing.assert_array_equal(a.train, np.unique(copies[b.train]))


def test_a_class_of_one_early_row_is_not_seen_before_there_are_two():
    """A criterion would refuse it. Later rows of the class are judged, for nobody could have known."""
    codes = np.arange(60) % 2
    codes[[3, 45, 46]] = 2
    folds = Folds(one_hot(codes), 5, 0, Rows(time=np.arange(60))).of(0)
    assert [3 in fold.train for fold in folds] == [False] * 4 + [True]
    assert 45 in folds[3].test


def test_without_two_early_classes_there_is_no_fold():
    codes = np.repeat([0, 1], 30)
    folds = Folds(one_hot(codes), 5, 0, Rows(time=np.arange(60)))
    assert [fold.test[0] for fold in folds.of(0)] == [40, 50]
    assert not Folds(one_hot(codes), 5, 0, Rows(time=np.arange(60) // 30)).are_possible
    assert not Folds(one_hot(np.arange(60) % 2), 5, 0, Rows(time=np.zeros(60, int))).are_possible


def test_a_class_that_is_recorded_once_is_not_seen_even_if_it_is_believed_more_often():
    codes = np.arange(60) % 2
    believed, recorded = one_hot(np.r_[2, 2, 2, codes[3:]]), one_hot(np.r_[2, codes[1:]])
    recorded = np.hstack([recorded, np.zeros((60, 3 - recorded.shape[1]))])
    for fold in Folds(believed, 3, 0, Rows(time=np.arange(60)), recorded=recorded).of(0):
        assert 0 not in fold.train
