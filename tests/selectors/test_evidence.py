"""What a selector knows once rows left out have decided: shapes, roles, every kind of label, the same bits."""

from contextlib import nullcontext
from dataclasses import fields

import numpy as np
import pandas as pd
import pytest
from checks import LABELS
from checks import X as SMALL
from samples import CHEAP, gaussians
from scipy.sparse import csr_array, csr_matrix
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from tamis import BlanketSelector, LaplacianScore, MultiLabels, RankingSelector, SequentialSelector
from tamis.evidence import Evidence

SELECTORS = {
    "backward": SequentialSelector(random_state=0, **CHEAP),
    "forward": SequentialSelector(direction="forward", random_state=0, **CHEAP),
    "ranking": RankingSelector(n_features_to_select="auto", random_state=0, **CHEAP),
    "blanket": BlanketSelector(n_permutations=3, random_state=0, n_conditioning=3, n_bins=10, **CHEAP),
}
every = pytest.mark.parametrize("kind", SELECTORS)
quiet = pytest.mark.filterwarnings(
    "ignore:class .* has fewer than", "ignore:.* rows have no (answer|label)", "ignore:class .* nearly all its weight",
    "ignore:the features tell nothing", "ignore:no feature predicts",
)  # fmt: skip
X, CODES = gaussians(200, 6, 3, seed=6, informative=3)


def alike(n=400, seed=0):
    """Two features that say different things of four classes, a copy of each, four of noise."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 4, n)
    two = np.column_stack([codes // 2, codes % 2]) * 3.0 + rng.normal(size=(n, 2))
    copies = two + 0.05 * rng.normal(size=(n, 2))
    return np.column_stack([two, copies, rng.normal(size=(n, 4))]), codes


def bits(fitted):
    """All that is known, as text: equal only if every bit is."""
    found = {field.name: getattr(fitted.evidence_, field.name) for field in fields(Evidence)}
    found |= {"support": fitted.support_, "pvalues": fitted.pvalues_, "roles": fitted.roles_, "swaps": fitted.swaps_}
    return {k: repr(v.tolist() if isinstance(v, np.ndarray) else v) for k, v in found.items()}


@every
def test_shapes_and_ranges(kind):
    fitted = clone(SELECTORS[kind]).fit(X, CODES)
    known = fitted.evidence_
    n = len(known.sizes)
    assert known.loss.shape == known.loss_se.shape == known.error.shape == (n,)
    assert known.error_interval.shape == (n, 2)
    assert (known.sizes[0], known.sizes[-1], known.reaches_all) == (1, 6, True)
    assert known.n_chosen == fitted.n_features_ == fitted.support_.sum()
    assert known.n_chosen in known.sizes
    for frequency in (known.frequency, known.frequency_over_sizes):
        assert frequency.shape == (6,)
        assert ((frequency >= 0) & (frequency <= 1)).all()
    assert known.frequency.sum() == pytest.approx(known.n_chosen)
    assert (known.error_interval[:, 0] <= known.error).all()
    assert (known.error <= known.error_interval[:, 1]).all()
    assert known.expected_error_interval[0] <= known.expected_error <= known.expected_error_interval[1]
    assert known.stability_interval[0] <= known.stability <= known.stability_interval[1]
    assert known.error_of_nothing == pytest.approx(2 / 3)
    assert known.loss.min() < known.loss_of_nothing
    assert known.expected_error < 0.5
    assert (known.n_folds, known.n_repeats, known.judges) == (2, 1, ("GaussianNB",))
    assert fitted.pvalues_.shape == fitted.roles_.shape == (6,)
    assert set(fitted.roles_) <= {"needed", "interchangeable", "no evidence"}
    assert repr(known).startswith(f"Evidence({known.n_chosen} chosen of 6, expected error 0.")


@every
def test_the_needed_are_the_selected_and_swaps_are_of_the_interchangeable(kind):
    fitted = clone(SELECTORS[kind]).fit(*alike())
    np.testing.assert_array_equal(fitted.roles_ == "needed", fitted.support_)
    assert set(fitted.swaps_) == set(np.flatnonzero(fitted.roles_ == "interchangeable").tolist())
    for swaps in fitted.swaps_.values():
        assert all(fitted.support_[needed] for needed, _ in swaps)
        assert [cost for _, cost in swaps] == sorted(cost for _, cost in swaps)


@pytest.mark.parametrize("kind", ["backward", "forward", "blanket"])
@pytest.mark.parametrize("seed", range(3))
def test_copies_can_replace_each_other_and_noise_nothing(kind, seed):
    fitted = clone(SELECTORS[kind]).fit(*alike(seed=seed))
    needed = set(np.flatnonzero(fitted.support_).tolist())
    assert fitted.evidence_.found
    assert {f % 2 for f in needed} == {0, 1}
    assert needed <= {0, 1, 2, 3}
    for f in {0, 1, 2, 3} - needed:
        assert fitted.roles_[f] == "interchangeable"
        needed_one, cost = fitted.swaps_[f][0]
        assert needed_one in needed
        assert cost < 0.05
        twin = (f + 2) % 4
        assert twin in [one for one, _ in fitted.swaps_[f]]
    assert (fitted.roles_[4:] == "no evidence").all()
    assert (fitted.pvalues_[:4] < 1e-6).all()
    assert (fitted.pvalues_[4:] > 1e-4).all()


def test_a_constant_feature_has_no_p_value_and_no_evidence():
    fitted = clone(SELECTORS["backward"]).fit(np.column_stack([X, np.full(200, 2.0)]), CODES)
    assert np.isnan(fitted.pvalues_).tolist() == [False] * 6 + [True]
    assert fitted.roles_[6] == "no evidence"


@every
def test_the_same_bits_again_and_for_any_number_of_threads(kind):
    once, again, two = (clone(SELECTORS[kind]).set_params(n_jobs=n).fit(X, CODES) for n in (1, 1, 2))
    assert bits(once) == bits(again) == bits(two)


@every
def test_another_fit_forgets(kind):
    fitted = clone(SELECTORS[kind]).fit(X, CODES)
    fitted.set_params(n_features_to_select=2).fit(X, CODES)
    assert not any(hasattr(fitted, name) for name in ("evidence_", "roles_", "swaps_", "pvalues_"))


@quiet
@every
@pytest.mark.parametrize("kind_of_label", LABELS)
def test_every_kind_of_label(kind_of_label, kind):
    labels, y = LABELS[kind_of_label]
    fitted = clone(SELECTORS[kind]).set_params(labels=labels).fit(SMALL, y)
    known = fitted.evidence_
    assert np.isfinite([*known.loss, *known.error, known.expected_error, known.p_value, known.stability]).all()
    assert known.error_of_nothing == pytest.approx(0.5 if kind_of_label == "multilabel" else 2 / 3)
    assert fitted.support_.sum() == known.n_chosen


@pytest.mark.parametrize(
    "labels", [MultiLabels(5, "powerset"), MultiLabels(transform="copy")], ids=["powerset", "copy"]
)
def test_label_sets(labels):
    Z, codes = alike()
    sets = np.column_stack([codes // 2, codes % 2])
    fitted = BlanketSelector(labels=labels, random_state=0, n_conditioning=3, n_bins=10, **CHEAP)
    with nullcontext() if labels.transform == "powerset" else pytest.warns(UserWarning, match="rows have no label"):
        fitted.fit(Z, sets)
    assert fitted.evidence_.found
    assert not fitted.support_[4:].any()
    assert fitted.evidence_.error_of_nothing == 0.5
    assert fitted.evidence_.expected_error < 0.2


@every
def test_groups_have_one_role(kind):
    Z, codes = alike()
    groups = [[0, 4], [1], [2, 5], [3], [6, 7]]
    fitted = clone(SELECTORS[kind]).set_params(feature_groups=groups).fit(Z, codes)
    for group in groups:
        assert len(set(fitted.roles_[group])) == len(set(fitted.support_[group])) == 1
        assert len({repr(fitted.swaps_.get(f)) for f in group}) == 1
    assert fitted.evidence_.n_chosen == fitted.support_.sum()
    assert (fitted.roles_[[6, 7]] == "no evidence").all()


@every
def test_required_features_are_in_every_subset(kind):
    fitted = clone(SELECTORS[kind]).set_params(required_features=[5]).fit(X, CODES)
    assert fitted.support_[5]
    assert fitted.evidence_.frequency[5] == fitted.evidence_.frequency_over_sizes[5] == 1
    assert fitted.roles_[5] == "needed"


@every
def test_required_features_of_noise_are_kept_without_a_warning(kind):
    noise = np.random.default_rng(0).normal(size=(200, 5))
    fitted = clone(SELECTORS[kind]).set_params(required_features=[1, 3]).fit(noise, np.arange(200) % 2)
    assert np.flatnonzero(fitted.support_).tolist() == [1, 3]


@pytest.mark.parametrize("kind", ["backward", "blanket", "ranking"])
def test_categories(kind):
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, 300)
    heard = np.where(rng.uniform(size=300) < 0.8, codes, rng.integers(0, 3, 300))
    table = pd.DataFrame(
        {
            "tells": pd.Categorical(np.array(["x", "y", "z"])[heard]),
            "noise": pd.Categorical(rng.choice(list("abcd"), 300)),
            "number": rng.normal(size=300),
        }
    )
    selector = clone(SELECTORS[kind])
    if kind == "ranking":
        selector.set_params(criterion="mutual_information")
    fitted = selector.fit(table, codes)
    assert fitted.get_feature_names_out().tolist() == ["tells"]
    assert fitted.roles_.tolist() == ["needed", "no evidence", "no evidence"]


@pytest.mark.parametrize("form", [csr_matrix, csr_array])
@pytest.mark.parametrize("kind", ["blanket", "ranking"])
def test_sparse_counts(kind, form):
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, 300)
    counts = rng.poisson(0.3, size=(300, 8)).astype(float)
    counts[:, 2] += rng.poisson(1.5 * codes)
    thin = clone(SELECTORS[kind]).fit(form(counts), codes)
    assert thin.evidence_.found
    assert thin.roles_[2] == "needed"
    full = clone(SELECTORS[kind]).fit(counts, codes)
    np.testing.assert_allclose(thin.pvalues_, full.pvalues_)
    if kind == "ranking":
        assert bits(thin) == bits(full)


def test_a_judge_of_ones_own_decides():
    """Two features matter by their product only: a linear judge has no use for them."""
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(500, 4))
    y = (Z[:, 0] * Z[:, 1] > 0).astype(int)
    selector = SequentialSelector(random_state=0, cv=3, n_repeats=1)
    able = clone(selector).fit(Z, y)
    assert np.flatnonzero(able.support_).tolist() == [0, 1]
    assert able.evidence_.judges == ("nearest neighbours", "random forest", "logistic regression")
    with pytest.warns(UserWarning, match="no feature predicts"):
        blind = clone(selector).set_params(judge=LogisticRegression()).fit(Z, y)
    assert blind.evidence_.judges == ("LogisticRegression",)
    assert blind.evidence_.expected_error > 0.4


def test_several_judges():
    judges = [LogisticRegression(), GaussianNB()]
    fitted = SequentialSelector(judge=judges, cv=2, n_repeats=1, random_state=0).fit(X, CODES)
    assert fitted.evidence_.judges == ("LogisticRegression", "GaussianNB")
    assert not hasattr(judges[0], "coef_")


@every
@pytest.mark.parametrize("n_repeats", [1, 3])
def test_folds_and_repetitions_are_as_many_as_asked_for(kind, n_repeats):
    fitted = clone(SELECTORS[kind]).set_params(cv=3, n_repeats=n_repeats).fit(SMALL, LABELS["hard"][1])
    assert (fitted.evidence_.n_folds, fitted.evidence_.n_repeats) == (3, n_repeats)


@pytest.mark.parametrize("kind", ["ranking", "blanket"])
def test_too_few_rows_to_leave_some_out(kind):
    y = (np.arange(40) == 7).astype(int)
    with pytest.warns(UserWarning, match=r"too few rows of a second class .* all are kept\. Say how many you want"):
        fitted = clone(SELECTORS[kind]).fit(np.random.default_rng(0).normal(size=(40, 3)), y)
    assert fitted.support_.all()
    assert not any(hasattr(fitted, name) for name in ("evidence_", "roles_", "swaps_", "pvalues_"))


@quiet
@pytest.mark.filterwarnings("ignore:too few rows")
@pytest.mark.parametrize("n_rare", [2, 3])
def test_a_class_that_all_rows_allow_is_allowed_on_folds(n_rare):
    y = (np.arange(40) < n_rare).astype(int)
    assert clone(SELECTORS["backward"]).fit(np.random.default_rng(0).normal(size=(40, 3)), y).support_.any()


@quiet
def test_a_class_that_is_never_the_most_probable_is_allowed_on_folds():
    """Of a weight of 2.1, of which any fold leaves less than two."""
    P = np.eye(3)[np.arange(60) % 2]
    P[::9] = 0.7 * P[::9] + 0.3 * np.eye(3)[2]
    fitted = (
        clone(SELECTORS["backward"]).set_params(labels="soft").fit(np.random.default_rng(0).normal(size=(60, 3)), P)
    )
    assert fitted.evidence_.error.shape == (3,)


def test_a_criterion_without_labels_needs_a_target_to_choose_a_size():
    selector = RankingSelector(LaplacianScore(), n_features_to_select="auto", random_state=0, **CHEAP)
    with pytest.raises(ValueError, match=r"needs a target to predict.* Give y, or say how many"):
        selector.fit(X)
    assert selector.fit(X, CODES).evidence_.found


def test_the_error_of_all_features_is_in_the_curve_unless_there_are_too_many(monkeypatch):
    monkeypatch.setattr("tamis.evidence.held_out._MOST_VALUES", 4 * 200)
    fitted = clone(SELECTORS["backward"]).fit(X, CODES)
    assert not fitted.evidence_.reaches_all
    assert fitted.evidence_.sizes.tolist() == [1, 2, 3, 4]


def test_the_choice_of_label_sets_by_default():
    """Where no set is pruned, the smallest size that prunes likewise is one."""
    sets = np.eye(3, dtype=int)[CODES]
    labels = MultiLabels(n_folds=3, n_repeats=1)
    assert clone(SELECTORS["backward"]).set_params(labels=labels).fit(X, sets).evidence_.found
