"""Features that enter and leave together."""

import numpy as np
import pandas as pd
import pytest
import reference
from samples import CHEAP, gaussians, mixed, one_hot
from scipy.sparse import csr_array

from tamis import BayesRisk, ChiSquare, MutualInformation, RankingSelector, SequentialSelector, WeightedLaplacian

X, CODES = gaussians(120, 6, 3, seed=6)
GROUPS = [[0, 3], [1], [2, 4, 5]]
CRITERIA = [
    MutualInformation(),
    MutualInformation(estimator="distance"),
    BayesRisk(),
    WeightedLaplacian(),
    ChiSquare("quantile"),
]
NO_FEATURE = pytest.mark.filterwarnings("ignore:no feature predicts")


@NO_FEATURE
@pytest.mark.parametrize("size", ["auto", 3])
@pytest.mark.parametrize("labels", ["hard", "soft"])
@pytest.mark.parametrize("criterion", CRITERIA, ids=str)
@pytest.mark.parametrize("direction", ["backward", "forward", "ranking"])
def test_groups_are_never_torn_apart(direction, criterion, labels, size):
    how = {"feature_groups": GROUPS, "labels": labels, "n_features_to_select": size, "random_state": 0, **CHEAP}
    if direction == "ranking":
        selector = RankingSelector(criterion, **how)
    else:
        selector = SequentialSelector(criterion, direction=direction, **how)
    selector.fit(X, CODES if labels == "hard" else mixed(CODES))
    for n in selector.path_.sizes:
        kept = set(selector.path_.subset(n).tolist())
        assert all(set(group) <= kept or not set(group) & kept for group in GROUPS)
    for of_features in (selector.support_, selector.ranking_, selector.scores_):
        assert all(len(np.unique(of_features[group])) == 1 for group in GROUPS)
    if size == 3:
        assert selector.n_features_ <= 3


def test_scores_are_those_of_all_columns_of_the_groups():
    selector = SequentialSelector(feature_groups=GROUPS, scale=None, n_features_to_select=1).fit(X, CODES)
    for size, score in zip(selector.path_.sizes, selector.path_.scores, strict=True):
        columns = X[:, selector.path_.subset(size)]
        assert score == pytest.approx(reference.mutual_information(columns, one_hot(CODES)), abs=1e-9)


@pytest.mark.parametrize("criterion", CRITERIA, ids=str)
def test_groups_of_one_change_nothing(criterion):
    plain = SequentialSelector(criterion, n_features_to_select=2).fit(X, CODES)
    alone = SequentialSelector(criterion, n_features_to_select=2, feature_groups=[[f] for f in range(6)]).fit(X, CODES)
    assert plain.path_ == alone.path_


def test_groups_by_label_by_name_and_by_prefix_are_the_same():
    names = ["a_1", "b", "c_1", "a_2", "c_2", "c_3"]
    frame = pd.DataFrame(X, columns=names)
    wanted = SequentialSelector(feature_groups=GROUPS, n_features_to_select=2).fit(X, CODES).path_
    for groups in (
        "_",
        ["x", "y", "z", "x", "z", "z"],
        [0, 1, 2, 0, 2, 2],
        [["a_1", "a_2"], ["b"], ["c_1", "c_2", "c_3"]],
    ):
        found = SequentialSelector(feature_groups=groups, n_features_to_select=2).fit(frame, CODES)
        assert found.path_.scores.tobytes() == wanted.scores.tobytes()
    assert found.path_.to_frame(names).iloc[1, 1] in (["a_1", "a_2"], "b", ["c_1", "c_2", "c_3"])


def test_a_ranking_of_blocks_knows_groups():
    how = {"feature_groups": GROUPS, "n_features_to_select": 3}
    whole = RankingSelector(**how).fit(X, CODES)
    sparse = RankingSelector(**how).fit(csr_array(X), CODES)
    parts = RankingSelector(**how)
    for rows in (slice(0, 50), slice(50, 120)):
        parts.partial_fit(X[rows], CODES[rows], classes=[0, 1, 2])
    for other in (sparse, parts):
        assert other.path_.order.tolist() == whole.path_.order.tolist()
        np.testing.assert_allclose(other.path_.scores, whole.path_.scores, rtol=1e-9)


def test_the_size_asked_for_is_not_exceeded():
    for direction in ("backward", "forward"):
        for n in range(1, 7):
            selector = SequentialSelector(feature_groups=GROUPS, direction=direction, n_features_to_select=n)
            selector.fit(X, CODES)
            assert selector.n_features_ <= n or selector.n_features_ == selector.path_.sizes.min()


def test_required_groups():
    selector = SequentialSelector(feature_groups=GROUPS, required_features=[0, 3], n_features_to_select=2).fit(X, CODES)
    assert np.flatnonzero(selector.support_).tolist() == [0, 3]
    with pytest.raises(ValueError, match=r"must take a group whole; it has 0 but not 3 .* Require all of \[0, 3\]"):
        SequentialSelector(feature_groups=GROUPS, required_features=[0]).fit(X, CODES)


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        ([[0, 1], [1, 2], [3, 4, 5]], "must not overlap; column 1 is in two"),
        ([[0, 1], [2]], r"must name every column; \[3, 4, 5\] are in none"),
        ([0, 0, 1], "6 labels, one per column; got 3"),
        ("_", "needs a table with column names"),
        ([[0, 1, 2], [3, 4, 9]], "must be indices from 0 to 5"),
    ],
)
def test_bad_groups(groups, said):
    with pytest.raises(ValueError, match=said):
        SequentialSelector(feature_groups=groups).fit(X, CODES)
