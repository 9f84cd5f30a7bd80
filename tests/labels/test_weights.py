"""An integer weight is the row repeated, and weight zero is the row absent: the law, for every label model."""

from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from noise_models import quietly, separated
from scipy.sparse import csr_array
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from tamis import CrowdLabels, HardLabels, LabelModel, MultiLabels, NoisyLabels, SoftLabels
from tamis._validation import Rows
from tamis.datasets import flip_uniform
from tamis.labels._clusters import Clusters
from tamis.labels._em import TRANSITIONS, estimate_transition, joint_counts, run, transition_of
from tamis.labels._evidence import ClassifierEvidence, TemperedEvidence, centred_logs
from tamis.labels._statement import cautious, preferred_transition, rate_interval
from tamis.labels._tempered import Tempered

N = 160
RNG = np.random.default_rng(3)
TRUE = RNG.integers(0, 3, N)
RECORDED = flip_uniform(TRUE, 0.2, random_state=0).y
P = softmax(3 * np.eye(3)[TRUE] + RNG.normal(size=(N, 3)), axis=1)
OTHER = softmax(2 * np.eye(3)[TRUE] + RNG.normal(size=(N, 3)), axis=1)
WEIGHT = RNG.integers(0, 4, N)
PRESENT = np.flatnonzero(WEIGHT)
REPEATED = np.repeat(np.arange(N), WEIGHT)
ROWS = Rows(weight=WEIGHT[PRESENT].astype(float))
FIRST = np.searchsorted(REPEATED, PRESENT)  # of the copies of each row


@pytest.mark.parametrize("transition", ["auto", *TRANSITIONS])
def test_noisy_labels_with_weights_are_those_of_repeated_rows(transition):
    weighted = NoisyLabels("precomputed", transition=transition).fit([P, OTHER], RECORDED, sample_weight=WEIGHT)
    repeated = NoisyLabels("precomputed", transition=transition).fit([P[REPEATED], OTHER[REPEATED]], RECORDED[REPEATED])
    in_groups = NoisyLabels("precomputed", transition=transition).fit(
        [P[REPEATED], OTHER[REPEATED]], RECORDED[REPEATED], groups=REPEATED
    )
    np.testing.assert_array_equal(in_groups.memberships_, repeated.memberships_)
    assert len(weighted.memberships_) == len(PRESENT)
    np.testing.assert_allclose(weighted.memberships_, repeated.memberships_[FIRST], atol=1e-9)
    np.testing.assert_array_equal(weighted.search_memberships(), repeated.search_memberships()[FIRST])
    for name in ("transition_", "noise_rate_", "noise_rates_", "class_priors_", "noise_rate_interval_"):
        np.testing.assert_allclose(getattr(weighted, name), getattr(in_groups, name), atol=1e-9, err_msg=name)
    np.testing.assert_allclose(weighted.log_likelihood_, repeated.log_likelihood_, rtol=1e-9)
    assert weighted.identified_ == repeated.identified_
    for n in (0, 7, 30, 10**6):
        assert weighted.expected_mistakes(n) == pytest.approx(repeated.expected_mistakes(n))
    one, other = (model.confusions().sort_values(["true", "recorded"]) for model in (weighted, in_groups))
    np.testing.assert_allclose(one.to_numpy(), other.to_numpy(), atol=1e-8)
    assert 0.1 < weighted.noise_rate_ < 0.3


def test_equal_weights_are_no_weights_if_they_are_one():
    plain, weighted = (NoisyLabels("precomputed").fit(P, RECORDED, sample_weight=w) for w in (None, np.ones(N)))
    assert plain.memberships_.tobytes() == weighted.memberships_.tobytes()
    zero = NoisyLabels("precomputed").fit(P, RECORDED, sample_weight=np.minimum(WEIGHT, 1))
    absent = NoisyLabels("precomputed").fit(P[PRESENT], RECORDED[PRESENT])
    assert zero.memberships_.tobytes() == absent.memberships_.tobytes()


def test_weights_of_an_earlier_fit_are_forgotten():
    model = NoisyLabels("precomputed").fit(P, RECORDED, sample_weight=WEIGHT)
    again = model.fit(P, RECORDED).memberships_
    assert again.tobytes() == NoisyLabels("precomputed").fit(P, RECORDED).memberships_.tobytes()


def test_views_of_the_classifiers_weigh_rows():
    memberships = 0.7 * np.eye(3)[RECORDED] + 0.1
    logs = [centred_logs(P), centred_logs(OTHER)]
    weighted, repeated = [each[PRESENT] for each in logs], [each[REPEATED] for each in logs]
    for view in (Clusters, Tempered):
        found = view(weighted, ROWS).fitted(memberships[PRESENT])
        np.testing.assert_allclose(found, view(repeated).fitted(memberships[REPEATED])[FIRST], atol=1e-9)
    codes = RECORDED[PRESENT], RECORDED[REPEATED]
    pairs = ClassifierEvidence([P[PRESENT]], ROWS), ClassifierEvidence([P[REPEATED]])
    assert [e.predicts(c) for e, c in zip(pairs, codes, strict=True)] == [True, True]
    shown = [e.shows_mistakes(c) for e, c in zip(pairs, codes, strict=True)]
    assert shown[0] == shown[1]
    how = {"kind": "common", "max_iter": 9, "tol": 0.0}
    one = run(TemperedEvidence(weighted, ROWS), codes[0], transition_of([0.2] * 3), rows=ROWS, **how)
    other = run(TemperedEvidence(repeated), codes[1], transition_of([0.2] * 3), **how)
    np.testing.assert_allclose(one.log_likelihood, other.log_likelihood, rtol=1e-10)
    np.testing.assert_allclose(one.posterior, other.posterior[FIRST], atol=1e-9)


def test_statements_weigh_rows():
    memberships, codes = 0.6 * P + 0.4 * np.eye(3)[RECORDED], RECORDED
    full = 0.8 * np.eye(3) + 0.2 * np.roll(np.eye(3), 1, axis=1)
    weighted, repeated = (PRESENT, ROWS), (REPEATED, Rows())
    for call, expand in (
        (lambda i, rows: cautious(memberships[i], P[i], codes[i], 0.15, rows), True),
        (lambda i, rows: preferred_transition(P[i], codes[i], full, 0.2, rows)[0], False),
        (lambda i, rows: joint_counts(memberships[i], codes[i], rows), False),
        (lambda i, rows: estimate_transition(memberships[i], codes[i], "full", 20, rows), False),
    ):
        one, other = np.asarray(call(*weighted)), np.asarray(call(*repeated))
        np.testing.assert_allclose(one, other[FIRST] if expand else other, atol=1e-8)
    interval = rate_interval(P[PRESENT], codes[PRESENT], 0.15, ROWS)
    copies = Rows(group=np.unique(REPEATED, return_inverse=True)[1])
    np.testing.assert_allclose(interval, rate_interval(P[REPEATED], codes[REPEATED], 0.15, copies), atol=1e-8)


@pytest.mark.parametrize("factor", [0.1, 0.37, 1e3])
def test_fractional_weights_are_taken_as_they_are(factor):
    fitted = NoisyLabels("precomputed").fit(P, RECORDED, sample_weight=factor * (1 + np.arange(N) % 3))
    assert np.isfinite(fitted.memberships_).all()
    low, high = fitted.noise_rate_interval_
    assert 0 <= low <= fitted.noise_rate_ <= high <= 1
    assert len(fitted.relabelled()) == N


def test_an_interval_of_fewer_independent_rows_is_wider():
    unequal = [
        Rows(weight=np.full(N, 10.0)),
        Rows(weight=1.0 + 9 * (np.arange(N) % 5 == 0)),
        Rows(group=np.arange(N) // 8),
    ]
    same, uneven, grouped = (np.diff(rate_interval(P, RECORDED, 0.2, rows))[0] for rows in unequal)
    plain = np.diff(rate_interval(P, RECORDED, 0.2))[0]
    assert same == pytest.approx(plain)
    assert uneven > plain
    assert grouped > plain


class Remembers(ClassifierMixin, BaseEstimator):
    """A classifier that keeps the weights of its fits in a list of the class."""

    seen: ClassVar[list] = []

    def fit(self, X, y, sample_weight=None):
        Remembers.seen.append((len(X), None if sample_weight is None else sample_weight.sum()))
        self.classes_ = np.unique(y)
        self._bayes = GaussianNB().fit(X, y, sample_weight)
        return self

    def predict_proba(self, X):
        return self._bayes.predict_proba(X)


def test_classifiers_get_weights_if_they_take_them():
    X, codes = separated(0, n=90)
    weight = 1.0 + np.arange(90) % 2
    Remembers.seen.clear()
    fitted = NoisyLabels([Remembers(), KNeighborsClassifier(5)], random_state=0).fit(X, codes, sample_weight=weight)
    assert [n for n, _ in Remembers.seen] == [72] * 5
    assert sum(total for _, total in Remembers.seen) == 4 * weight.sum()
    np.testing.assert_allclose(fitted.class_priors_, [1 / 3] * 3, atol=0.02)
    again = fitted.fit_again(X[:, :3])
    assert len(Remembers.seen) == 10
    assert Remembers.seen[-1][1] is not None
    assert again.memberships_.shape == (90, 3)


ANSWERS = np.array([flip_uniform(TRUE, 0.3, random_state=s).y for s in range(4)], dtype=object).T
ANSWERS[RNG.random(ANSWERS.shape) < 0.3] = None
ANSWERS[:, 0] = TRUE  # somebody answers always


@pytest.mark.parametrize("method", ["dawid-skene", "share"])
def test_annotators_are_judged_by_repeated_rows(method):
    weighted = CrowdLabels(method).fit(None, ANSWERS, sample_weight=WEIGHT)
    repeated = CrowdLabels(method).fit(None, ANSWERS[REPEATED], groups=REPEATED)
    np.testing.assert_allclose(weighted.memberships_, repeated.memberships_[FIRST], atol=1e-9)
    for name in ("confusion_", "reliabilities_", "class_priors_", "log_likelihood_"):
        np.testing.assert_allclose(getattr(weighted, name), getattr(repeated, name), rtol=1e-9, err_msg=name)
    np.testing.assert_allclose(weighted.posterior(ANSWERS[:9]), repeated.posterior(ANSWERS[:9]), atol=1e-9)
    assert weighted.n_answers_.tolist() == (ANSWERS[PRESENT] != np.array(None)).sum(axis=0).tolist()


SETS = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 1]])[TRUE]
SETS[:6] = [0, 1, 1]


def test_label_sets_are_pruned_by_their_weight():
    weight = np.where(np.arange(N) < 6, 1.5, 1.0)
    for size, kept in ((9, 4), (10, 3)):
        fitted = MultiLabels(size).fit(None, SETS, sample_weight=weight)
        assert len(fitted.classes_) == kept
        assert fitted.n_pruned_ == (0 if kept == 4 else 6)
        assert fitted.min_class_size_range_[0] <= size <= fitted.min_class_size_range_[1]
    weighted = MultiLabels(5).fit(None, SETS, sample_weight=WEIGHT)
    repeated = MultiLabels(5).fit(None, SETS[REPEATED])
    np.testing.assert_array_equal(weighted.memberships_, repeated.memberships_[FIRST])
    assert weighted.min_class_size_range_ == repeated.min_class_size_range_
    with pytest.raises(ValueError, match=r"Of 77.75 rows, a size of 5 keeps 77"):
        MultiLabels(200).fit(None, SETS[3:], sample_weight=np.r_[[0.25] * 3, np.full(N - 6, 0.5)])


@pytest.mark.parametrize(
    ("model", "y"),
    [
        (HardLabels(), TRUE.tolist()),
        (HardLabels(), pd.Series(TRUE)),
        (HardLabels(), pd.Categorical(np.array(["a", "b", "c"])[TRUE])),
        (SoftLabels(), P),
        (SoftLabels(), P.tolist()),
        (SoftLabels(), pd.DataFrame(P)),
        (SoftLabels(), TRUE),
        (CrowdLabels("share"), ANSWERS),
        (CrowdLabels("share"), pd.DataFrame(ANSWERS)),
        (CrowdLabels("share"), ANSWERS.tolist()),
        (CrowdLabels("share"), np.ma.masked_equal(np.column_stack([TRUE, TRUE, RECORDED]), 7)),
        (MultiLabels(3, n_neighbors=2), SETS),
        (MultiLabels(3, n_neighbors=2), csr_array(SETS)),
        (MultiLabels(3, n_neighbors=2), [{c for c in range(3) if row[c]} for row in SETS]),
        (MultiLabels(transform="copy"), SETS),
    ],
    ids=str,
)
def test_rows_of_weight_zero_are_absent_from_every_kind_of_target(model, y):
    whole = model.fit(None, y).memberships_.copy()
    groups = np.arange(N) // 2
    part = model.fit(None, y, sample_weight=WEIGHT, groups=groups).memberships_
    np.testing.assert_allclose(part, whole[PRESENT], atol=1e-12)
    again = model.fit(None, y, sample_weight=WEIGHT > 0).memberships_
    np.testing.assert_allclose(again, part, atol=1e-12)


def test_probabilities_beside_a_target_lose_the_same_rows():
    fitted = SoftLabels().fit(None, TRUE, memberships=P, sample_weight=WEIGHT)
    np.testing.assert_allclose(fitted.memberships_, P[PRESENT], atol=1e-12)
    fitted = SoftLabels().fit(None, memberships=P, sample_weight=WEIGHT)
    np.testing.assert_allclose(fitted.memberships_, P[PRESENT], atol=1e-12)


def test_precomputed_tables_lose_the_rows_of_weight_zero_whatever_they_hold():
    holes = P.copy()
    holes[WEIGHT == 0] = np.nan
    named = pd.DataFrame(holes, columns=["0", "1", "2"])
    wanted = NoisyLabels("precomputed").fit([P, P], RECORDED, sample_weight=WEIGHT).memberships_
    for tables in ([holes, holes], [named, named], np.stack([holes, holes])):
        found = NoisyLabels("precomputed").fit(tables, RECORDED, sample_weight=WEIGHT).memberships_
        np.testing.assert_array_equal(found, wanted)
    with pytest.raises(ValueError, match="NaN"):
        NoisyLabels("precomputed").fit(holes, RECORDED)
    with pytest.raises(ValueError, match=r"P\[1\] must have a row per label; got 5 rows for 160"):
        NoisyLabels("precomputed").fit([P, P[:5]], RECORDED, sample_weight=WEIGHT)


def test_a_class_of_little_weight_is_named():
    X, codes = separated(0, n=60)
    y = np.array(["a", "b", "rare"])[codes]
    with pytest.warns(UserWarning, match="class 'rare' has fewer than the 5 samples"):
        NoisyLabels(GaussianNB(), random_state=0).fit(X, y, sample_weight=np.where(y == "rare", 0.1, 1.0))
    heavy = np.where(np.arange(60) == np.argmax(y == "rare"), 50.0, (y != "rare").astype(float))
    with pytest.warns(UserWarning, match="class 'rare' has 1 sample, too few for a noise model: its label is trusted"):
        NoisyLabels(GaussianNB(), random_state=0).fit(X, y, sample_weight=heavy)


def test_the_gain_of_an_answer_counts_rows_by_their_weight():
    X = RNG.normal(size=(N, 2))
    model = NoisyLabels("precomputed").fit(P, RECORDED)
    heavy = NoisyLabels("precomputed").fit(P, RECORDED, sample_weight=np.full(N, 3.0))
    heavy.memberships_ = model.memberships_
    for asked in ({}, {"X": X}):
        one, other = model.ask_next(**asked), heavy.ask_next(**asked)
        np.testing.assert_allclose(other["gain"], 3 * one["gain"])
        assert other["row"].tolist() == one["row"].tolist()


def test_as_many_rows_are_kept_as_their_weight_bears():
    """Two sure rows of little weight and a doubtful one of much: together they are not sure enough."""
    model = HardLabels().fit(None, [0, 0, 0, 1])
    review = NoisyLabels("precomputed")
    review.classes_, review._codes = model.classes_, np.array([0, 0, 0, 1])
    review.memberships_ = np.array([[1.0, 0.0], [1.0, 0.0], [0.9, 0.1], [0.0, 1.0]])
    assert (review.relabelled(0.95)["action"] == "keep").all()
    review._rows = Rows(weight=np.array([0.1, 0.1, 5.0, 0.1]))
    assert review.relabelled(0.95)["action"].tolist() == ["keep", "keep", "look at", "keep"]


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (np.full(N, -1.0), "sample_weight must not be negative"),
        (np.zeros(N), "sample_weight must be above zero in some row"),
        (np.ones(N - 1), "sample_weight must be one value for each of the 160 samples"),
        (np.full(N, np.nan), "NaN"),
    ],
)
@pytest.mark.parametrize("model", [HardLabels(), NoisyLabels("precomputed"), CrowdLabels(), MultiLabels(5)], ids=str)
def test_bad_weights_are_refused(model, weight, message):
    X = P if isinstance(model, NoisyLabels) else None
    y = SETS if isinstance(model, MultiLabels) else TRUE
    with pytest.raises(ValueError, match=message):
        model.fit(X, y, sample_weight=weight)


def test_lengths_and_missing_targets_are_named_with_weights_too():
    for model in (HardLabels(), NoisyLabels(GaussianNB()), NoisyLabels("precomputed")):
        with pytest.raises(ValueError, match="y"):
            quietly(lambda m=model: m.fit(P, None, sample_weight=WEIGHT))
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        NoisyLabels(GaussianNB()).fit(P, RECORDED[:-1], sample_weight=WEIGHT)
    assert LabelModel._rows.are_alike


def test_weights_that_stand_for_three_rows_are_too_few_to_find_mistakes():
    with pytest.warns(UserWarning, match="do not predict the recorded labels"):
        fitted = NoisyLabels("precomputed").fit(P, RECORDED, sample_weight=np.full(N, 3 / N))
    assert np.isnan(fitted.noise_rate_)


@pytest.mark.parametrize("dimension", ["intrinsic", "ambient"])
@pytest.mark.parametrize("include_self", [False, True])
def test_neighbour_densities_with_weights_are_those_of_repeated_rows_in_groups(dimension, include_self):
    X, codes = separated(5, n=90)
    X[3] = np.nan
    X[10:20, 1] = np.nan
    noisy, weight = flip_uniform(codes, 0.2, random_state=0).y, np.arange(90) % 4
    copies, present = np.repeat(np.arange(90), weight), np.flatnonzero(weight)
    model = NoisyLabels(None, dimension=dimension, include_self=include_self, transition="full")
    weighted = quietly(lambda: model.fit(X, noisy, sample_weight=weight)).memberships_.copy()
    rate, trace = model.noise_rate_, model.log_likelihood_
    quietly(lambda: model.fit(X[copies], noisy[copies], groups=copies))
    np.testing.assert_allclose(weighted, model.memberships_[np.searchsorted(copies, present)], atol=1e-6)
    assert rate == pytest.approx(model.noise_rate_, abs=1e-6)
    np.testing.assert_allclose(trace, model.log_likelihood_, rtol=1e-6)
