"""Rows that belong together: no label is judged by rows of its own group."""

import warnings

import numpy as np
import pytest
from noise_models import separated
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import pairwise_distances
from sklearn.naive_bayes import GaussianNB

from tamis import CrowdLabels, HardLabels, MultiLabels, NoisyLabels
from tamis._validation import Rows
from tamis.datasets import flip_uniform
from tamis.labels import _out_of_sample, _pruning
from tamis.labels._asking import nearest
from tamis.labels._out_of_sample import _folds, probabilities_of

FOREST = RandomForestClassifier(30, oob_score=True, random_state=0)


def test_copies_of_a_wrong_label_speak_for_it_unless_they_are_a_group():
    """Each row four times: out of bag a forest has seen the copies, and finds hardly any mistake."""
    X, codes = separated(1, n=120)
    noisy, changed = flip_uniform(codes, 0.2, random_state=1)
    copies = np.repeat(np.arange(120), 4)
    alone = NoisyLabels(FOREST, random_state=0).fit(X, noisy)
    blind = NoisyLabels(FOREST, random_state=0).fit(X[copies], noisy[copies])
    seeing = NoisyLabels(FOREST, random_state=0).fit(X[copies], noisy[copies], groups=copies)
    assert blind.noise_rate_ < 0.05
    assert seeing.noise_rate_ == pytest.approx(alone.noise_rate_, abs=0.05)
    assert seeing.noise_rate_ == pytest.approx(0.2, abs=0.05)
    few, most = (
        np.isin(changed, copies[np.flatnonzero(fitted.sample_weight() < 0.5)]).mean() for fitted in (blind, seeing)
    )
    assert few < 0.4 < 0.7 < most
    weighted = NoisyLabels(FOREST, random_state=0).fit(X, noisy, sample_weight=np.full(120, 4.0))
    assert weighted.noise_rate_ == pytest.approx(0.2, abs=0.05)


@pytest.mark.parametrize("estimator", [GaussianNB(), FOREST], ids=["folds", "out of bag"])
def test_groups_of_one_are_no_groups(estimator):
    X, codes = separated(2, n=90)
    names = np.random.default_rng(0).permutation(90).astype(str)
    one, other = (NoisyLabels(estimator, random_state=0).fit(X, codes, groups=g) for g in (None, names))
    assert one.memberships_.tobytes() == other.memberships_.tobytes()


class Watching(ClassifierMixin, BaseEstimator):
    """A classifier that refuses rows of a group it was fitted to; the first column is the group."""

    def fit(self, X, y):
        self.groups_, self.classes_, self.shares_ = set(X[:, 0]), np.unique(y), np.bincount(y) / len(y)
        return self

    def predict_proba(self, X):
        if self.groups_ & set(X[:, 0]):
            raise RuntimeError("a group was seen")
        return np.tile(self.shares_, (len(X), 1))


def test_no_group_is_both_fitted_to_and_asked_about():
    rng = np.random.default_rng(0)
    group, codes = rng.integers(0, 20, 200), rng.integers(0, 3, 200)
    X = np.column_stack([group, rng.normal(size=200)]).astype(float)
    found = probabilities_of(Watching(), X, codes, seed=0, n_jobs=1, rows=Rows(group=group))[0]
    np.testing.assert_allclose(found.sum(axis=1), 1)
    with pytest.raises(RuntimeError, match="a group was seen"):
        probabilities_of(Watching(), X, codes, seed=0, n_jobs=1)


def test_there_are_no_more_folds_than_groups_of_a_class():
    group = np.repeat(np.arange(12), 5)
    pure, mixed = np.where(group < 3, 1, 0), np.where((group < 3) & (np.arange(60) % 5 < 4), 1, 0)
    for codes in (pure, mixed):
        folds = _folds(codes, 0, Rows(group=group))
        asked = [np.unique(group[test]) for _, test in folds]
        assert len(asked) == 3
        assert sorted(np.concatenate(asked)) == list(range(12))
        assert [np.isin(groups, [0, 1, 2]).sum() for groups in asked] == [1, 1, 1]
        for train, test in folds:
            assert not np.isin(group[train], group[test]).any()
            assert len(train) + len(test) == 60


def test_what_a_fold_has_not_seen_has_no_probability(monkeypatch):
    """All groups of a class may be in one fold, and what is left may be a single class."""
    X, codes = np.arange(8.0)[:, None] % 3, np.array([0, 0, 1, 1, 1, 2, 2, 2])
    folds = [(np.arange(2, 8), np.array([0, 1])), (np.array([0, 1]), np.arange(2, 8))]
    monkeypatch.setattr(_out_of_sample, "_folds", lambda *_: folds)
    found = probabilities_of(GaussianNB(), X, codes, seed=0, n_jobs=1, rows=Rows(group=codes))[0]
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert (found[:2, 0] == 0).all()
    np.testing.assert_array_equal(found[2:], np.tile([1.0, 0.0, 0.0], (6, 1)))


@pytest.mark.parametrize("estimator", [GaussianNB(), None], ids=["classifier", "neighbours"])
def test_a_class_of_one_group_is_named(estimator):
    X, codes = separated(0, n=60)
    y = np.array(["a", "b", "rare"])[codes]
    groups = np.where(y == "rare", 99, np.arange(60))
    with pytest.warns(UserWarning, match="class 'rare' is in one group only, too few for a noise model: its l"):
        fitted = NoisyLabels(estimator, random_state=0).fit(X, y, groups=groups)
    assert (fitted.memberships_[y == "rare", 2] == 1).all()
    groups[np.argmax(y == "rare")] = 98
    if estimator is not None:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            fitted = NoisyLabels(estimator, random_state=0).fit(X, y, groups=groups)
        assert "class 'rare' has fewer than the 5 groups of samples" in str(said[0].message)
        assert np.isfinite(fitted.memberships_).all()


def test_neighbours_that_are_asked_with_a_row_are_of_other_groups():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    group = rng.integers(0, 8, 60)
    near = nearest(X, 5, Rows(group=group))
    Z = X / X.std(axis=0)
    d = np.where(group[:, None] == group, np.inf, pairwise_distances(Z))
    wanted = np.argsort(d, axis=1)[:, :5]
    np.testing.assert_array_equal(np.sort(near, axis=1), np.sort(wanted, axis=1))
    some = np.arange(60) < 50
    assert nearest(X, 50, Rows(group=some.astype(int))).shape == (60, 10)


def test_the_gain_of_an_answer_is_not_of_copies():
    X, codes = separated(3, n=60)
    copies = np.repeat(np.arange(60), 3)
    fitted = NoisyLabels(GaussianNB(), random_state=0).fit(X[copies], codes[copies], groups=copies)
    table = fitted.ask_next(X=X[copies], n_neighbors=2)
    assert len(table) == 180
    assert np.isfinite(table["gain"]).all()


def test_models_that_compare_no_rows_take_groups_and_change_nothing():
    codes = np.arange(40) % 3
    groups = np.arange(40) // 4
    np.testing.assert_array_equal(
        HardLabels().fit(None, codes, groups=groups).memberships_, HardLabels().fit(None, codes).memberships_
    )
    answers = np.column_stack([codes, codes, np.roll(codes, 1)])
    one, other = CrowdLabels().fit(None, answers, groups=groups), CrowdLabels().fit(None, answers)
    assert one.memberships_.tobytes() == other.memberships_.tobytes()
    sets = np.eye(3, dtype=int)[codes]
    one, other = MultiLabels(5).fit(None, sets, groups=groups), MultiLabels(5).fit(None, sets)
    assert one.memberships_.tobytes() == other.memberships_.tobytes()
    with pytest.raises(ValueError, match="groups must have at least two groups"):
        HardLabels().fit(None, codes, groups=np.zeros(40))


def test_copies_do_not_make_label_sets_easier_to_tell_apart():
    """Features that are noise: the copies of a row have its labels, which looks like information without groups."""
    rng = np.random.default_rng(0)
    X, codes = rng.normal(size=(60, 3)), rng.integers(0, 3, 60)
    sets = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 1]])[codes]
    sets[:4] = [0, 1, 1]
    copies = np.repeat(np.arange(60), 3)
    how = dict(size_method="permutation", n_neighbors=4, n_folds=4, n_repeats=2, random_state=0)
    alone = MultiLabels(**how).fit(X, sets)
    blind = MultiLabels(**how).fit(X[copies], sets[copies])
    seeing = MultiLabels(**how).fit(X[copies], sets[copies], groups=copies)
    weighted = MultiLabels(**how).fit(X, sets, sample_weight=np.full(60, 3.0))
    most = [max(model.t_statistics_.values()) for model in (alone, blind, seeing, weighted)]
    assert most[1] > 3 * max(most[0], most[2])
    assert most[2] == pytest.approx(most[3])


def test_folds_and_permutations_of_label_sets_keep_groups_whole(monkeypatch):
    """Features that name the group of their row: they are together in every estimate, and move together."""
    group = np.repeat(np.arange(12), [1, 2, 3] * 4)
    X, codes = group[:, None].astype(float), group % 3
    seen = []

    def information(X, codes, k, printed, n_threads, rows):
        seen.append((X[:, 0].astype(int), codes, rows.group))
        return np.array([len(seen) / 7])

    monkeypatch.setattr(_pruning, "_information", information)
    how = dict(n_folds=3, n_repeats=1, random_state=0, n_threads=1)
    _pruning.choose(X, _pruning.Pruning(codes, 3, Rows(group=group)), [2], 2, **how)
    for (real, codes, its), (permuted, same_codes, moved) in zip(seen[::2], seen[1::2], strict=True):
        np.testing.assert_array_equal(real, its)
        np.testing.assert_array_equal(permuted, moved)  # the groups of the features
        np.testing.assert_array_equal(codes, same_codes)
        assert sorted(real) == sorted(permuted)
        assert len(np.flatnonzero(np.diff(permuted))) == len(set(permuted)) - 1  # side by side
        assert all((group == g).sum() == (real == g).sum() for g in set(real))


def test_threads_change_no_bit():
    X, codes = np.random.default_rng(0).normal(size=(60, 3)), np.arange(60) % 2
    X[:, 0] += codes
    how = {"groups": np.arange(60) // 3}
    found = [NoisyLabels(random_state=0, n_jobs=n).fit(X, codes, **how).memberships_.tobytes() for n in (1, 2, 2)]
    assert len(set(found)) == 1


def test_forests_of_few_rows_each_are_cross_validated_too(monkeypatch):
    """With groups a fold has fewer rows than a tree may see of all."""
    monkeypatch.setattr(_out_of_sample, "MOST_ROWS", 110)
    X, codes = separated(1, n=120)
    for rows in (Rows(), Rows(group=np.arange(120) // 2), Rows(weight=np.full(120, 0.5))):
        for found in probabilities_of("auto", X, codes, seed=0, n_jobs=1, rows=rows):
            assert (found.argmax(axis=1) == codes).mean() > 0.7
