"""The searches against plain ones, and the path they leave."""

import numpy as np
import pytest
import reference
from samples import gaussians, make_ugly, mixed, one_hot

from tamis import BayesRisk, MutualInformation
from tamis.search import Path, Step, backward, forward

CRITERIA = [
    MutualInformation(),
    MutualInformation(estimator="distance"),
    MutualInformation(5, estimator="distance"),
    BayesRisk("count"),
    BayesRisk("expected"),
]


def plain_score(criterion, X, P):
    """(score, tie_break) by the slow twins."""
    if isinstance(criterion, MutualInformation):
        return reference.mutual_information(X, P, criterion.n_neighbors, criterion.estimator), 0.0
    count, expected = reference.bayes_risk(X, P, criterion.n_neighbors)
    return (-count, -expected) if criterion.kind == "count" else (-expected, 0.0)


def plain_backward(criterion, X, P):
    subset, steps = list(range(X.shape[1])), []
    while len(subset) > 1:
        scores = [plain_score(criterion, X[:, [g for g in subset if g != f]], P) for f in subset]
        worst = max(range(len(subset)), key=lambda j: (round(scores[j][0], 9), round(scores[j][1], 9), j))
        steps.append((subset.pop(worst), scores[worst][0]))
    return steps


def plain_forward(criterion, X, P, size):
    subset, steps = [], []
    while len(subset) < size:
        left = [f for f in range(X.shape[1]) if f not in subset]
        scores = [plain_score(criterion, X[:, sorted([*subset, f])], P) for f in left]
        best = max(range(len(left)), key=lambda j: (round(scores[j][0], 9), round(scores[j][1], 9), -j))
        steps.append((left[best], scores[best][0]))
        subset.append(left[best])
    return steps


def same(steps, expected):
    steps = [s for s in steps if s.feature is not None]
    assert [s.feature for s in steps] == [f for f, _ in expected]
    np.testing.assert_allclose([s.score for s in steps], [score for _, score in expected], rtol=0, atol=1e-9)


@pytest.mark.parametrize("criterion", CRITERIA, ids=str)
@pytest.mark.parametrize("labels", [one_hot, mixed])
@pytest.mark.parametrize("kind", ["plain", "ties", "one_large", "duplicated_columns", "constant_columns"])
def test_backward_and_forward_go_the_plain_way(criterion, labels, kind):
    X, codes = make_ugly(kind, n=45, d=5)
    P = labels(codes)
    scorer = criterion.scorer(X, P, classes=np.arange(3))
    same(backward(scorer, X.shape[1]), plain_backward(criterion, X, P))
    same(forward(scorer, X.shape[1], n_features_to_select=3), plain_forward(criterion, X, P, 3))


@pytest.mark.parametrize("estimator", ["count", "distance"])
def test_a_longer_search_goes_the_plain_way(estimator):
    X, codes = gaussians(100, 10, 3, seed=4)
    X[:, 3] *= 1e3
    criterion = MutualInformation(estimator=estimator)
    scorer = criterion.scorer(X, one_hot(codes), classes=np.arange(3))
    same(backward(scorer, 10), plain_backward(criterion, X, one_hot(codes)))


def test_of_two_equal_columns_the_first_is_kept():
    X, codes = gaussians(100, 3, 2)
    X = X[:, [0, 1, 0, 2]]
    scorer = MutualInformation().scorer(X, one_hot(codes), classes=[0, 1])
    order = [s.feature for s in backward(scorer, 4) if s.feature is not None]
    assert 2 in order
    assert 0 not in order[: order.index(2)]
    assert 2 not in [s.feature for s in forward(scorer, 4, n_features_to_select=1)]


def test_idle_features_leave_first_unless_required():
    X, codes = gaussians(100, 6, 3)
    scorer = MutualInformation().scorer(X, one_hot(codes), classes=np.arange(3))
    left = [s.feature for s in backward(scorer, 6, required={4}, idle={0, 2, 4})][1:]
    assert set(left[:2]) == {0, 2}
    assert set(left) == {0, 1, 2, 3, 5}
    entered = [s.feature for s in forward(scorer, 6, n_features_to_select=6, idle={0, 2})]
    assert set(entered[4:]) == {0, 2}


def test_required_features_stay():
    X, codes = gaussians(100, 6, 3)
    scorer = MutualInformation().scorer(X, one_hot(codes), classes=np.arange(3))
    left = [s.feature for s in backward(scorer, 6, required={4, 5})]
    assert left[0] is None
    assert sorted(left[1:]) == [0, 1, 2, 3]
    entered = [s.feature for s in forward(scorer, 6, n_features_to_select=4, required={4, 5})]
    assert entered[0] is None
    assert len(entered) == 3
    assert not {4, 5} & set(entered)


def test_path_knows_its_subsets():
    down = Path("backward", 4, (0, 1, 2, 3), (Step(None, 1.0), Step(2, 0.9), Step(0, 0.8), Step(3, 0.5)))
    assert down.order.tolist() == [2, 0, 3]
    assert repr(down) == "Path('backward', 4 features, order=[2, 0, 3])"
    assert down.sizes.tolist() == [4, 3, 2, 1]
    assert down.subset(2).tolist() == [1, 3]
    np.testing.assert_allclose(down.gains(), [0.1, 0.5, 0.1, 0.3])
    with pytest.raises(ValueError, match="from 1 to 4; got 5"):
        down.subset(5)
    up = Path("forward", 4, (), (Step(3, 0.5), Step(1, 0.7)))
    assert up.sizes.tolist() == [1, 2]
    assert up.subset(2).tolist() == [1, 3]
    np.testing.assert_allclose(up.gains(), [np.nan, 0.2, np.nan, 0.5])
    frame = up.to_frame(["a", "b", "c", "d"])
    assert frame.to_dict("list") == {"size": [1, 2], "added": ["d", "b"], "score": [0.5, 0.7]}


def test_the_table_of_a_path_has_groups_and_noise_rates():
    steps = (Step(None, 1.0, (0.1, 0.2)), Step(1, 0.9, (0.3, 0.4)), Step(0, 0.5, (0.5, 0.6)))
    frame = Path("backward", 4, (0, 1, 2), steps, ((0, 3), (1,), (2,))).to_frame()
    assert frame.columns.tolist() == ["size", "removed", "score", "noise_rate_0", "noise_rate_1"]
    assert frame["size"].tolist() == [4, 3, 1]
    assert frame["removed"].tolist() == [None, 1, [0, 3]]
    np.testing.assert_array_equal(frame["noise_rate_1"], [0.2, 0.4, 0.6])
