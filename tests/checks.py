"""Contracts that every selector keeps, for every kind of label: crossed in test_common.py."""

import warnings

import numpy as np
import pytest
from samples import gaussians, mixed
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import check_estimator

from tamis import CrowdLabels, LaplacianScore, MultiLabels, NoisyLabels
from tamis.datasets import flip_uniform

X, CODES = gaussians(90, 5, 3, seed=8)

CLASSES = np.array(["a", "b", "c"])[CODES]
SPOILED = flip_uniform(CLASSES, 0.15, random_state=0).y
UNLABELLED = np.where(np.isin(np.arange(90), (3, 50)), None, SPOILED.astype(object))
_DRAWN = np.random.default_rng(0)
ANSWERS = np.where(_DRAWN.uniform(size=(90, 4)) < 0.75, CODES[:, None], _DRAWN.integers(0, 3, size=(90, 4)))
ANSWERS = np.where(_DRAWN.uniform(size=(90, 4)) < 0.7, np.array(["a", "b", "c"])[ANSWERS], None)
ANSWERS[7] = None  # nobody said anything
SETS = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 1]])[CODES]
SETS[3] = 1  # a set that nobody else has
LABELS = {
    "hard": ("hard", CLASSES),
    "soft": ("soft", mixed(CODES)),
    "noisy": (NoisyLabels(GaussianNB(), random_state=0), SPOILED),
    "noisy, soft": (NoisyLabels(GaussianNB(), soft=True, random_state=0), UNLABELLED),
    "noisy, each step": (NoisyLabels(None, refit="each-step"), SPOILED),
    "noisy, literal": (NoisyLabels.literal(n_init=2, max_iter=20, random_state=0), SPOILED),
    "crowd": (CrowdLabels(estimator=GaussianNB()), ANSWERS),
    "multilabel": (MultiLabels(5), SETS),
    "crowd, shares": (CrowdLabels("share"), ANSWERS),
}
"""For each kind of label, its model and a target that it takes."""


def check_selects_the_number_asked_for(selector, y):
    for n in (1, 5):
        fitted = clone(selector).set_params(n_features_to_select=n).fit(X, y)
        assert fitted.support_.sum() == n
        assert fitted.transform(X).shape == (len(X), n)


def check_memberships_are_probabilities(selector, y):
    fitted = clone(selector).set_params(n_features_to_select=2).fit(X, y)
    if selector._uses_labels():
        assert fitted.memberships_.shape == (len(X), len(fitted.classes_))
        known = fitted.memberships_.any(axis=1)
        if getattr(fitted.labels_, "transform", None) in ("labels", "copy"):  # a row has several labels
            assert np.isin(fitted.memberships_, (0, 1)).all()
        else:
            np.testing.assert_allclose(fitted.memberships_[known].sum(axis=1), 1)
        assert known.sum() >= len(X) - 3
    else:
        assert not hasattr(fitted, "classes_")


def check_scores_are_finite_and_repeatable(selector, y):
    first, second = (clone(selector).set_params(n_features_to_select=2, n_jobs=n).fit(X, y) for n in (None, 2))
    assert np.isfinite(first.path_.scores).all()
    assert first.path_ == second.path_
    assert first.path_.scores.tobytes() == second.path_.scores.tobytes()


def check_ugly_columns_are_legal(selector, y):
    ugly = np.column_stack([X, X[:, 0], np.full(len(X), 3.3), np.round(X[:, 1])])
    fitted = clone(selector).set_params(n_features_to_select=2).fit(ugly, y)
    # Only a constant column may have a score that is not finite, by itself.
    assert np.isfinite(fitted.path_.scores).sum() >= len(fitted.path_.scores) - 1
    assert not np.isnan(fitted.path_.scores).any()
    assert fitted.support_.sum() == 2
    assert not fitted.support_[6]


COPIES = "check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data"
"""They set `cv` to a list of splits, and compare weights with copies without `groups`: here copies of a row are
neighbours of each other unless they are of one group. The law with groups is in tests/selectors/test_rows.py."""

REFUSED = "check_sample_weights_list", "check_sample_weights_not_overwritten"
"""Where the criterion takes no weights."""


def is_a_scikit_learn_selector(selector):
    """All of scikit-learn's own checks pass, and none is skipped that its own selectors do not skip.

    None of its own takes weights, so that COPIES are not held against ours.
    """
    waived = {*COPIES, *(REFUSED if getattr(selector, "criterion", None) == "laplacian" else ())}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(selector, on_fail=None)
    assert [r["check_name"] for r in results if r["status"] == "failed" and r["check_name"] not in waived] == []
    assert {r["check_name"] for r in results if r["status"] != "passed"} <= {"check_array_api_input", *waived}


ROWS = dict(sample_weight=1 + np.arange(90) % 3, groups=np.arange(90) // 2)
GAPS = np.where(np.random.default_rng(5).uniform(size=X.shape) < 0.2, np.nan, X)
GAPS[11] = np.nan
NOT_WEIGHTED = LaplacianScore


def check_gaps_weights_and_groups_are_taken(selector, y):
    """Together; or, where a criterion has no use for some of them, one sentence."""
    asked = clone(selector).set_params(n_features_to_select=2)
    if isinstance(getattr(selector, "criterion", None), NOT_WEIGHTED):
        with pytest.raises(ValueError, match="takes no groups"):
            asked.fit(GAPS, y, **ROWS)
        fitted = asked.fit(GAPS, y)
    else:
        fitted = asked.fit(GAPS, y, **ROWS)
        assert fitted.weighted_
        assert fitted.n_groups_ == 45
    assert np.isfinite(fitted.path_.scores).all()
    assert fitted.missing_.share.max() > 0.1
    assert fitted.missing_.n_empty_rows >= 1


CHECKS = [value for name, value in sorted(globals().items()) if name.startswith("check_") and name != "check_estimator"]
