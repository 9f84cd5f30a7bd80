"""Rows without a label: used where they can be, never judged by, and never called wrong."""

import warnings

import numpy as np
import pandas as pd
import pytest
from samples import gaussians
from sklearn.datasets import load_wine
from sklearn.naive_bayes import GaussianNB

from tamis import (
    BlanketSelector,
    CrowdLabels,
    HardLabels,
    MultiLabels,
    MutualInformation,
    NoisyLabels,
    RankingSelector,
    SequentialSelector,
    SoftLabels,
    WeightedLaplacian,
    subset_divergence,
)
from tamis.datasets import flip_uniform
from tamis.labels import fresh_labels

X, CODES = gaussians(120, 4, 3, seed=4)
NAMES = np.array(["a", "b", "c"])[CODES]
GAP = np.random.default_rng(0).random(120) < 0.3
SOME = np.where(GAP, None, NAMES.astype(object))
quiet = pytest.mark.filterwarnings("ignore:.* rows have no label")


def fitted(model, *given, **how):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(*given, **how)


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        (["b", None, "a", ""], ["a", "b"]),
        (["b", np.nan, "a", pd.NA], ["a", "b"]),
        (np.array(["b", "", "a", ""]), ["a", "b"]),
        ([2, None, 1, np.nan], [1, 2]),
        (np.array([2.0, np.nan, 1.0, np.nan]), [1, 2]),
        (pd.Series([2, None, 1, None], dtype="Int64"), [1, 2]),
        (pd.Series([True, None, False, None], dtype="boolean"), [False, True]),
        (pd.Series(["b", None, "a", ""], dtype="string"), ["a", "b"]),
        (pd.Categorical(["b", None, "a", None]), ["a", "b"]),
    ],
)
@pytest.mark.parametrize("model", [HardLabels(), SoftLabels()])
def test_a_class_may_be_missing(model, y, classes):
    with pytest.warns(UserWarning, match="2 of 4 rows have no label; they are left out of the estimates"):
        model.fit(None, y)
    assert model.classes_.tolist() == classes
    assert model.memberships_.tolist() == [[0, 1], [0, 0], [1, 0], [0, 0]]
    assert model.n_unlabelled_ == 2


@pytest.mark.parametrize("model", [HardLabels(), SoftLabels(), NoisyLabels(GaussianNB())])
def test_no_label_is_an_error_and_one_class_a_warning(model):
    with pytest.raises(ValueError, match=r"a label in some row; .* in all 6"):
        model.fit(X[:6], [None] * 6)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model.fit(X[:6], ["a", None] * 3)
    assert "y has only one class, 'a': no feature can predict it" in str(said[0].message)
    assert model.memberships_.tolist() == [[1.0], [0.0]] * 3


@quiet
def test_estimates_of_hard_labels_are_those_of_the_labelled_rows():
    for criterion in (WeightedLaplacian(), MutualInformation()):
        selector = RankingSelector(criterion, n_features_to_select=2)
        scores = selector.fit(X, SOME).scores_
        there = selector.fit(X[~GAP], NAMES[~GAP]).scores_
        np.testing.assert_allclose(scores, there, rtol=1e-9)


@quiet
@pytest.mark.parametrize("labels", ["hard", NoisyLabels(GaussianNB(), random_state=0)])
@pytest.mark.parametrize(
    "selector",
    [SequentialSelector(), RankingSelector(n_features_to_select="auto"), BlanketSelector(n_conditioning=3, n_bins=10)],
)
def test_nothing_is_judged_by_rows_without_a_label(selector, labels):
    """With weights, groups and times, too."""
    given = {"sample_weight": 1 + np.arange(120) % 3, "groups": np.arange(120) // 2}
    selector.set_params(labels=labels, judge=GaussianNB(), random_state=0, n_repeats=2)
    for rows in ({}, given, {"order": np.arange(120)}):
        model = selector.fit(X, SOME, **rows).labels_
        assert selector.evidence_.found
        assert model.n_unlabelled_ == GAP.sum()
        every = np.arange(120)
        learned, judged = (getattr(model, method)(model, every) for method in ("learned", "judged"))
        for places, target in (learned, judged):
            assert not GAP[places].any()
            assert len(places) == len(target) == (~GAP).sum()
        p_values = selector.pvalues_
        if not rows:  # the tests are those of the labelled rows
            alone = selector.fit(X[~GAP], NAMES[~GAP]).pvalues_
            np.testing.assert_allclose(p_values, alone, rtol=1e-9)


def test_the_noise_model_predicts_rows_without_a_label():
    X, y = load_wine(return_X_y=True)
    recorded, changed = flip_uniform(y, 0.2, random_state=0)
    gap = np.random.default_rng(1).random(len(y)) < 0.4
    some = np.where(gap, np.nan, recorded)
    with pytest.warns(UserWarning, match=f"{gap.sum()} of 178 rows have no label; their classes are predicted"):
        model = NoisyLabels(random_state=0).fit(X, some)
    right = model.memberships_[gap].argmax(axis=1) == y[gap]
    assert right.mean() > 0.85
    assert model.memberships_[gap].max(axis=1).mean() == pytest.approx(right.mean(), abs=0.15)
    alone = NoisyLabels(random_state=0).fit(X[~gap], recorded[~gap])
    assert model.noise_rate_ == pytest.approx(alone.noise_rate_, abs=0.05)

    suspects = model.suspects()
    assert sorted(suspects["row"]) == np.flatnonzero(~gap).tolist()
    assert np.isin(suspects["row"][:10], changed).mean() > 0.8
    advice = model.relabelled()
    assert advice["row"].tolist() == list(range(178))
    assert advice["label"].isna().tolist() == advice["p_wrong"].isna().tolist() == gap.tolist()
    assert set(advice["action"][gap]) <= {"fill in", "look at"}
    filled = advice[advice["action"] == "fill in"]
    assert filled["p_likely"].mean() >= 0.95
    assert (filled["likely"] == y[filled["row"]]).mean() > 0.85
    assert not (advice["action"][~gap] == "fill in").any()
    assert (model.sample_weight()[gap] == 0).all()
    assert (model.sample_weight()[~gap] > 0).all()
    assert model.expected_mistakes(178) == pytest.approx(suspects["p_wrong"].sum())
    assert model.confusions()["rows"].sum() == pytest.approx(suspects["p_wrong"].sum())


@quiet
@pytest.mark.parametrize("model", [NoisyLabels(None), NoisyLabels(None, refit="each-step")])
def test_neighbour_densities_leave_rows_without_a_label_out(model):
    model.set_params(scale=None)
    with pytest.warns(UserWarning, match="left out"):
        model.fit(X, SOME)
    assert not model.memberships_[GAP].any()
    np.testing.assert_array_equal(model.memberships_[~GAP], model.fit(X[~GAP], NAMES[~GAP]).memberships_)
    model.fit(X, SOME)
    advice = model.relabelled()[GAP]
    assert set(advice["action"]) == {"look at"}
    assert advice["likely"].isna().all()


@quiet
def test_features_that_predict_nothing_say_nothing_of_other_rows():
    noise = np.random.default_rng(0).normal(size=X.shape)
    with pytest.warns(UserWarning, match="do not predict"):
        model = NoisyLabels(GaussianNB(), random_state=0).fit(noise, SOME)
    assert not model.memberships_[GAP].any()
    assert model.search_memberships()[~GAP].any(axis=1).all()
    assert not model.search_memberships()[GAP].any()


@quiet
def test_probabilities_of_ones_own_are_used_for_rows_without_a_label():
    P = 0.8 * np.eye(3)[CODES] + 0.2 / 3
    model = NoisyLabels("precomputed").fit(P, SOME)
    assert (model.memberships_[GAP].argmax(axis=1) == CODES[GAP]).all()


@quiet
def test_a_row_of_weight_zero_is_absent_with_or_without_a_label():
    weight = (np.arange(120) % 4 > 0).astype(float)
    model = NoisyLabels(GaussianNB(), random_state=0)
    found = model.fit(X, SOME, sample_weight=weight).memberships_
    assert model.n_unlabelled_ == (GAP & (weight > 0)).sum()
    np.testing.assert_allclose(found, model.fit(X[weight > 0], SOME[weight > 0]).memberships_)


SETS = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 1]])[CODES]


@pytest.mark.parametrize(
    "y",
    [
        np.where(GAP[:, None], np.nan, SETS),
        pd.DataFrame(np.where(GAP[:, None], np.nan, SETS)),
        [None if gap else set(np.flatnonzero(row).tolist()) for gap, row in zip(GAP, SETS, strict=True)],
    ],
)
def test_sets_of_labels_may_be_missing(y):
    with pytest.warns(UserWarning, match=f"{GAP.sum()} of 120 rows have no label"):
        model = MultiLabels(5).fit(None, y)
    whole = MultiLabels(5).fit(None, SETS[~GAP])
    assert model.classes_.tolist() == whole.classes_.tolist()
    assert (model.n_unlabelled_, model.n_pruned_) == (GAP.sum(), 0)
    assert not model.memberships_[GAP].any()
    np.testing.assert_array_equal(model.memberships_[~GAP], whole.memberships_)
    places, target = model.judged(model, np.arange(120))
    assert places.tolist() == np.flatnonzero(~GAP).tolist()
    np.testing.assert_array_equal(target, SETS[~GAP])


def test_the_empty_set_is_not_missing():
    y = np.where(GAP[:, None], np.nan, np.where(CODES[:, None] == 2, 0, SETS))[:, :2]
    model = fitted(MultiLabels(5), None, y)
    assert "(none)" in model.classes_.tolist()
    assert model.memberships_[~GAP].any(axis=1).all()
    sizes = fitted(MultiLabels(n_folds=2, n_repeats=1, random_state=0), X, y)
    assert not sizes.memberships_[GAP].any()


def test_a_part_of_a_row_of_labels_must_not_be_missing():
    with pytest.raises(ValueError, match="zeros and ones"):
        MultiLabels().fit(None, np.where(np.arange(3) + GAP[:, None] == 1, np.nan, SETS))


@quiet
@pytest.mark.parametrize("y", [np.where(GAP[:, None], np.nan, SETS)])
def test_sets_of_labels_are_tested_and_judged_where_they_are_there(y):
    selector = RankingSelector(
        labels=MultiLabels(5), n_features_to_select="auto", judge=GaussianNB(), n_repeats=1, random_state=0
    )
    scores, p_values = selector.fit(X, y).scores_, selector.pvalues_
    selector.fit(X[~GAP], SETS[~GAP])
    np.testing.assert_allclose(scores, selector.scores_, rtol=1e-9)
    np.testing.assert_allclose(p_values, selector.pvalues_, rtol=1e-9)


@quiet
def test_a_labeling_is_compared_with_another_where_there_is_one():
    found = subset_divergence(X, SOME, [0], labels=NoisyLabels(GaussianNB(), random_state=0), n_permutations=0)
    assert 0 <= found.noise_kept <= found.noise <= found.bound + 1e-12 < 0.5


def test_every_model_says_what_was_given():
    cases = [("hard", SOME), ("soft", np.where(GAP[:, None], np.nan, np.eye(3)[CODES])), (CrowdLabels("share"), None)]
    for labels, y in cases:
        answers = np.where(GAP, None, NAMES.astype(object))[:, None] if y is None else y
        model = fitted(fresh_labels(labels), X, answers)
        np.testing.assert_array_equal(model.has_record(), ~GAP)
