"""What judges learn from, and what they are asked about."""

from itertools import pairwise

import numpy as np
import pytest
from samples import gaussians, one_hot

from tamis._validation import Rows
from tamis.distances.columns import Coordinates
from tamis.evidence.held_out import Known, judge_subsets, most_groups, sizes_between, spread_out
from tamis.evidence.judges import LinearJudge, NeighbourJudge


class Recorder:
    """A judge that keeps what it is given and answers with the shares of the classes, or with what it is told to."""

    name = "recorder"

    def __init__(self, answer=None):
        self.seen, self.asked, self.learned, self.weights, self._answer = [], [], [], [], answer

    def predict(self, X, T, unseen, *, seed, one_class, space=None, weight=None):
        self.seen.append(X)
        self.weights.append(weight)
        self.learned.append(T)
        self.asked.append(unseen)
        return np.tile(T.mean(axis=0), (len(unseen), 1)) if self._answer is None else self._answer


X, CODES = gaussians(60, 4, 3, seed=1)
TRAIN, TEST = np.arange(0, 60, 2), np.arange(1, 60, 2)


def known(train=TRAIN, test=TEST, codes=CODES, *, one_class=True, seed=0):
    T = one_hot(codes)
    return Known(train, T[train], test, T[test], one_class, seed)


def single(X):
    return Coordinates(X, tuple((f,) for f in range(X.shape[1])))


def test_columns_are_standardised_by_the_rows_seen_only():
    plain, wild = Recorder(), Recorder()
    far = X.copy()
    far[TEST] = 1000 * far[TEST] + 5
    for judge, columns in ((plain, X), (wild, far)):
        judge_subsets(single(columns), [[0, 2], [1]], [judge], known())
    for a, b in zip(plain.seen, wild.seen, strict=True):
        np.testing.assert_array_equal(a, b)
        np.testing.assert_allclose(a.mean(axis=0), 0, atol=1e-12)
        np.testing.assert_allclose(a.std(axis=0), 1)
    middle, spread = X[TRAIN].mean(axis=0), X[TRAIN].std(axis=0)
    np.testing.assert_allclose(wild.asked[0], ((far[TEST] - middle) / spread)[:, [0, 2]])


def test_judges_learn_the_rows_seen_and_no_others():
    judge = Recorder()
    found = judge_subsets(single(X), [[0]], [judge], known())
    np.testing.assert_array_equal(judge.learned[0], one_hot(CODES)[TRAIN])
    np.testing.assert_array_equal(found.rows, TEST)
    np.testing.assert_array_equal(found.targets, one_hot(CODES)[TEST])


def test_columns_that_are_constant_where_seen_say_nothing():
    Z = X.copy()
    Z[TRAIN, 1] = 0.1
    judge = Recorder()
    judge_subsets(single(Z), [[0, 1]], [judge], known())
    assert not judge.seen[0][:, 1].any()
    assert not judge.asked[0][:, 1].any()


def test_subsets_of_constant_columns_are_not_asked_about():
    judge = Recorder()
    found = judge_subsets(single(np.ones_like(X)), [[0, 1]], [judge], known())
    assert judge.seen == []
    np.testing.assert_allclose(found.predicted[0, 0], np.tile(found.shares, (len(TEST), 1)), rtol=1e-6)


def test_a_huge_value_among_the_rows_left_out_leaves_nothing_to_see():
    Z = X.copy()
    Z[TEST[0], 0] = 1e300
    judge = Recorder()
    judge_subsets(single(Z), [[0, 1]], [judge], known())
    assert np.isfinite(judge.seen[0]).all()
    assert np.isfinite(judge.asked[0]).all()


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e160, 1e300])
def test_huge_and_tiny_values_are_standardised_too(scale):
    plain, scaled = Recorder(), Recorder()
    judge_subsets(single(X), [[0, 1]], [plain], known())
    judge_subsets(single(scale * X), [[0, 1]], [scaled], known())
    np.testing.assert_allclose(scaled.seen[0], plain.seen[0])


def test_without_features_the_shares_are_the_prediction():
    judge = Recorder()
    found = judge_subsets(single(X), [[], [0]], [judge], known())
    assert len(judge.seen) == 1
    np.testing.assert_allclose(found.shares, one_hot(CODES)[TRAIN].mean(axis=0))
    np.testing.assert_allclose(found.predicted[0], np.tile(found.shares, (2, len(TEST), 1)), rtol=1e-6)


def test_several_judges_are_asked_each_by_itself():
    judges = [NeighbourJudge(), LinearJudge()]
    both = judge_subsets(single(X), [[0, 1]], judges, known()).predicted
    each = [judge_subsets(single(X), [[0, 1]], [judge], known()).predicted[0] for judge in judges]
    np.testing.assert_array_equal(both, each)


def test_of_many_rows_some_are_taken_and_the_same_for_every_subset():
    judge, again = Recorder(), Recorder()
    found = judge_subsets(single(X), [[0], [0]], [judge], known(), most_rows=12)
    judge_subsets(single(X), [[0]], [again], known(), most_rows=12)
    assert [len(seen) for seen in judge.seen] == [12, 12]
    assert len(found.rows) == len(found.targets) == found.predicted.shape[2] == 12
    assert set(found.rows) < set(TEST)
    for other in (judge.seen[1], again.seen[0]):
        np.testing.assert_array_equal(judge.seen[0], other)
    np.testing.assert_array_equal(found.targets, one_hot(CODES)[found.rows])


def test_columns_of_a_group_come_together():
    judge = Recorder()
    judge_subsets(Coordinates(X, ((0, 3), (1,), (2,))), [[0], [1, 0]], [judge], known())
    assert [seen.shape[1] for seen in judge.seen] == [2, 3]


def test_every_small_size_is_judged_and_of_large_ones_some():
    assert sizes_between(1, 8) == [1, 2, 3, 4, 5, 6, 8]
    assert sizes_between(3, 3) == [3]
    many = sizes_between(2, 500)
    assert (many[0], many[-1]) == (2, 500)
    assert all(a < b <= (1.25 if a < 100 else 1.5) * a + 1 for a, b in pairwise(many))
    assert len(many) < 30


def test_no_more_groups_than_can_be_held():
    wide = Coordinates(np.zeros((10, 6)), ((0,), (1, 2, 3), (4, 5)))
    assert most_groups(wide, 10) == 3
    assert most_groups(wide, 5000) == 3
    for n_groups, width in ((30_000, 1), (10_000, 3)):
        columns = tuple(tuple(range(g * width, (g + 1) * width)) for g in range(n_groups))
        most = most_groups(Coordinates(None, columns), 10**6)
        assert most * width * 8000 <= 20_000_000 < (most + 1) * width * 8000
    assert most_groups(Coordinates(None, (tuple(range(10**6)),)), 10**6) == 1


@pytest.mark.parametrize("n", [1, 2, 3, 9, 30])
def test_the_first_places_are_far_apart(n):
    places = spread_out(n)
    assert sorted(places) == list(range(n))
    assert n < 6 or places[:5] == [0, (n - 1) // 2, (n - 1) // 4, ((n - 1) // 2 + n - 1) // 2, n - 1]
    for n_gaps in (4, 8):
        if n > n_gaps:
            gaps = np.diff(sorted(places[: n_gaps + 1]))
            assert gaps.max() - gaps.min() <= 1


GAPS = np.where(np.random.default_rng(4).random(X.shape) < 0.3, np.nan, X)


@pytest.mark.parametrize(
    "weight", [None, np.random.default_rng(0).integers(1, 4, 60).astype(float)], ids=["one", "some"]
)
def test_gaps_stay_and_other_values_are_standardised_by_themselves(weight):
    judge, Z = Recorder(), GAPS.copy()
    found = judge_subsets(single(Z), [[0, 1]], [judge], known(), rows=Rows(weight=weight))
    counts = np.ones(60) if weight is None else weight
    for column, standard in zip(Z.T, judge.seen[0].T, strict=False):
        there = TRAIN[~np.isnan(column[TRAIN])]
        middle = np.average(column[there], weights=counts[there])
        spread = np.sqrt(np.average((column[there] - middle) ** 2, weights=counts[there]))
        np.testing.assert_allclose(standard, (column[TRAIN] - middle) / spread)
    np.testing.assert_allclose(found.shares, np.average(one_hot(CODES)[TRAIN], axis=0, weights=counts[TRAIN]))
    assert judge.weights[0] is None if weight is None else judge.weights[0].tolist() == weight[TRAIN].tolist()


def test_weights_of_the_rows_left_out_are_kept():
    weight = np.linspace(1, 2, 60)
    found = judge_subsets(single(X), [[0]], [Recorder()], known(), rows=Rows(weight=weight), most_rows=10)
    np.testing.assert_array_equal(found.about.weight, weight[found.rows])


def test_columns_with_fewer_than_two_values_where_seen_say_nothing():
    """One that is missing wherever it was seen, one that is constant or missing there, and one that is known."""
    Z = X.copy()
    Z[TRAIN, 0] = np.nan
    Z[TRAIN, 1], Z[TRAIN[::2], 1] = 0.1, np.nan
    Z[TRAIN[::3], 2] = np.nan
    judge = Recorder()
    judge_subsets(single(Z), [[0, 1, 2], [0, 1]], [judge], known())
    assert not judge.seen[0][:, :2].any()
    assert not judge.asked[0][:, :2].any()
    assert np.isnan(judge.seen[0][:, 2]).sum() == len(TRAIN[::3])
    assert len(judge.seen) == 1


def test_weights_and_gaps_that_are_not_there_change_no_bit():
    plain, weighted = Recorder(), Recorder()
    judge_subsets(single(X), [[0, 1]], [plain], known())
    judge_subsets(single(X), [[0, 1]], [weighted], known(), rows=Rows(group=np.arange(60) % 7, time=np.arange(60)))
    np.testing.assert_array_equal(plain.seen[0], weighted.seen[0])
    assert weighted.weights == [None]
