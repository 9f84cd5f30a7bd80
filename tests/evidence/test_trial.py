"""Whole procedures on folds, where rows have weights, belong together, or have times."""

import numpy as np
import pytest
from samples import gaussians, one_hot
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from tamis import HardLabels, NoisyLabels
from tamis._validation import Rows
from tamis.distances.columns import Coordinates
from tamis.evidence import Searched, Trial, exchange, resolve_judges
from tamis.evidence.drift import drift_of

X, CODES = gaussians(120, 4, 3, seed=2)


def trial_of(X, codes, rows, *, labels=None, judge=None, seed=0, n_repeats=1, cv=5):
    """A trial whose searches find the features in the order that they have, and the folds."""
    whole = (HardLabels() if labels is None else labels).fit(X, codes)

    def search(fold, number):
        part = whole.for_part().fit(X[fold.train], codes[fold.train])
        return Searched(np.arange(X.shape[1]), part)

    judges = resolve_judges(GaussianNB() if judge is None else judge)
    how = {"judges": judges, "least": 1, "most": X.shape[1], "n_folds": cv, "n_repeats": n_repeats, "seconds": 0.1}
    single = Coordinates(X, tuple((f,) for f in range(X.shape[1])))
    trial = Trial(search, single, whole, tolerance=0.01, seed=seed, rows=rows, **how)
    return trial, list(trial.run())


def evidence_of(X, codes, rows, **how):
    trial, _ = trial_of(X, codes, rows, **how)
    d = X.shape[1]
    groups, sizes = [(f,) for f in range(d)], {size: size for size in range(1, d + 1)}
    return trial.evidence(groups, sizes, np.full(d, 1e-6), alpha=0.05)


def test_copies_of_rows_flatter_unless_they_are_one_group():
    """Noise and random classes: who has seen a copy of a row knows its class."""
    rng = np.random.default_rng(0)
    noise, codes = rng.normal(size=(100, 4)), rng.integers(0, 2, 100)
    copies = np.repeat(np.arange(100), 4)
    nearest = KNeighborsClassifier(4)
    plain = evidence_of(noise, codes, Rows(), judge=KNeighborsClassifier(1))
    flattered = evidence_of(noise[copies], codes[copies], Rows(), judge=nearest)
    honest = evidence_of(noise[copies], codes[copies], Rows(group=copies), judge=nearest)
    assert flattered.error[-1] < 0.2 < 0.4 < plain.error[-1]
    assert honest.error[-1] == pytest.approx(plain.error[-1], abs=1e-12)
    np.testing.assert_allclose(honest.error_interval, plain.error_interval)
    assert (plain.n_units, flattered.n_units, honest.n_units) == (100, 400, 100)


@pytest.mark.parametrize("time", [None, np.random.default_rng(1).permutation(120)], ids=["repeated", "forward"])
def test_a_weight_is_copies_of_a_row_that_are_one_group(time):
    counts = np.random.default_rng(3).integers(1, 4, 120)
    copies = np.repeat(np.arange(120), counts)
    weighted = evidence_of(X, CODES, Rows(weight=counts.astype(float), time=time), n_repeats=2)
    rows = Rows(group=copies, time=None if time is None else time[copies])
    repeated = evidence_of(X[copies], CODES[copies], rows, n_repeats=2)
    for name in ("loss", "loss_se", "behind_se", "error", "error_interval", "expected_error", "loss_of_nothing"):
        np.testing.assert_allclose(getattr(weighted, name), getattr(repeated, name), atol=1e-7, err_msg=name)
    for name in ("n_units", "n_chosen", "n_runs", "n_repeats", "forward"):
        assert getattr(weighted, name) == getattr(repeated, name)


def test_folds_in_time_are_not_repeated():
    rows = Rows(time=np.arange(120))
    for n_repeats in (None, 4):
        trial, folds = trial_of(X, CODES, rows, n_repeats=n_repeats)
        assert len(folds) == trial.total == 5
    found = evidence_of(X, CODES, rows, n_repeats=4)
    assert (found.forward, found.n_folds, found.n_runs, found.n_repeats) == (True, 5, 5, 1)
    assert found.n_units == 100  # the first block is never judged
    assert not evidence_of(X, CODES, Rows()).forward


@pytest.mark.filterwarnings("ignore:class .* nearly all its weight", "ignore:class .* has fewer")
@pytest.mark.parametrize("labels", [HardLabels(), NoisyLabels(estimator=None, random_state=0)], ids=["hard", "noisy"])
def test_a_class_that_comes_late_is_judged_when_nobody_knows_it(labels):
    """Its rows are counted as wrong: the class is known of all rows, though not of those seen."""
    codes = np.where(np.arange(120) < 60, CODES % 2, CODES)
    found = evidence_of(X, codes, Rows(time=np.arange(120)), labels=labels)
    later = evidence_of(X, codes, Rows(), labels=labels)
    assert 0 < later.expected_error < found.expected_error < 1


def test_if_no_folds_are_possible_it_is_said_of_what_there_is_too_little():
    trial, folds = trial_of(X, CODES, Rows(group=CODES))
    assert folds == []
    assert trial.total == 0
    assert not trial.is_done
    assert trial.why_not == "too few groups of rows of a second class to leave some out"


class Alike(ClassifierMixin, BaseEstimator):
    """Asks whether it meets a row that it has learned."""

    def fit(self, X, y):
        self.seen_, self.classes_ = {row.tobytes() for row in np.ascontiguousarray(X)}, np.unique(y)
        return self

    def predict(self, X):
        assert not any(row.tobytes() in self.seen_ for row in np.ascontiguousarray(X))
        return np.full(len(X), self.classes_[0])


@pytest.mark.parametrize("time", [None, np.arange(120) // 2], ids=["repeated", "forward"])
def test_no_row_is_judged_by_what_knows_its_group(time):
    """All rows of a group are equal but for their scale, which differs by fold and not within it."""
    group = np.random.default_rng(0).integers(0, 25, 120)
    evidence_of(X[group], CODES[group], Rows(group=group, time=time), judge=Alike())


def alike_features(n=240):
    """A feature, a copy of it, noise, and classes; a fifth of the values missing."""
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 2, n)
    one = 2.0 * codes + rng.normal(size=n)
    Z = np.column_stack([one, one + 0.05 * rng.normal(size=n), rng.normal(size=n)])
    Z[rng.random(Z.shape) < 0.1] = np.nan
    return Z, codes


@pytest.mark.parametrize(
    "rows",
    [Rows(), Rows(weight=np.linspace(0.5, 2, 240)), Rows(group=np.arange(240) // 2), Rows(time=np.arange(240))],
    ids=["alike", "weights", "groups", "time"],
)
def test_a_copy_is_interchangeable_whatever_is_known_of_the_rows(rows):
    Z, codes = alike_features()
    trial, _ = trial_of(Z, codes, rows)
    where = Coordinates(Z, ((0,), (1,), (2,)))
    found = exchange(
        trial, where, one_hot(codes), [0], [1, 2], np.array([1e-9, 1e-9, 0.5]), alpha=0.05, seed=0, rows=rows
    )
    assert set(found) == {1}
    assert found[1][0].needed == 0


def test_a_feature_that_changes_is_named():
    rng = np.random.default_rng(0)
    time = rng.permutation(100)
    Z = rng.normal(size=(100, 5))
    Z[:, 0] += 2 * (time >= 50)
    Z[:, 1] *= 1 + 5 * (time >= 50)
    Z[:, 2], Z[::3, 3] = 1.0, np.nan
    Z[:, 4] = rng.integers(0, 3, 100) * (time >= 30)
    p = drift_of(Z, [0, 0, 0, 0, 3], Rows(time=time))
    assert (p[[0, 1, 4]] < 1e-3).all()
    assert np.isnan(p[2])
    assert p[3] > 0.01
    assert np.isnan(drift_of(Z, [0] * 5, Rows(time=np.zeros(100, dtype=int)))).all()


def test_drift_of_copies_is_no_surer():
    rng = np.random.default_rng(0)
    Z, time = rng.normal(size=(60, 6)), np.arange(60)
    counts = rng.integers(1, 5, 60)
    copies = np.repeat(time, counts)
    weighted = drift_of(Z, [0] * 6, Rows(weight=counts.astype(float), time=time))
    np.testing.assert_allclose(weighted, drift_of(Z[copies], [0] * 6, Rows(group=copies, time=copies)))
