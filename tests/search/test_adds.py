"""What each feature adds to the subsets of a path."""

import numpy as np
import pytest
import reference
from samples import gaussians, one_hot

from tamis import BayesRisk, MutualInformation
from tamis.relevance.base import PlainScorer
from tamis.search import Path, Step, backward, forward
from tamis.search.greedy import explained
from tamis.search.path import MOST_EXPLAINED

X, CODES = gaussians(80, 6, 3, seed=3)
GROUPS = ((0, 4), (1,), (2, 3, 5))
PLAIN = {
    "count": lambda Z: reference.mutual_information(Z, one_hot(CODES), 8, "count"),
    "distance": lambda Z: reference.mutual_information(Z, one_hot(CODES), 8, "distance"),
    "risk": lambda Z: -reference.bayes_risk(Z, one_hot(CODES), 8)[0],
}
CRITERIA = {
    "count": MutualInformation(),
    "distance": MutualInformation(estimator="distance"),
    "risk": BayesRisk("count"),
}


def path_of(steps, n_features, start, groups=None):
    direction = "backward" if len(start) == len(groups or range(n_features)) else "forward"
    return Path(direction, n_features, tuple(start), tuple(steps), groups)


def plain_adds(score, subset, groups):
    """Score of all columns less that without each group, for each column."""
    parts = [g for g in groups if set(g) <= set(subset)]
    if len(parts) == 1:
        return np.full(len(subset), score(subset))
    of_feature = {f: score(subset) - score([c for c in subset if c not in g]) for g in parts for f in g}
    return np.array([of_feature[f] for f in subset])


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("groups", [None, GROUPS], ids=["single", "groups"])
@pytest.mark.parametrize("required", [(), (1,)], ids=["free", "required"])
@pytest.mark.parametrize("direction", ["backward", "forward"])
def test_as_the_slow_twin_says(direction, required, groups, criterion):
    parts = groups or tuple((f,) for f in range(6))
    scorer = CRITERIA[criterion].scorer(X, one_hot(CODES), classes=np.arange(3), groups=groups)
    if direction == "backward":
        path = path_of(backward(scorer, len(parts), required=required), 6, range(len(parts)), groups)
    else:
        sizes = [len(part) for part in parts]
        steps = forward(scorer, len(parts), n_features_to_select=6, sizes=sizes, required=required)
        path = explained(path_of(steps, 6, required, groups), scorer, 2)
    for n in path.sizes:
        expected = plain_adds(lambda columns: PLAIN[criterion](X[:, columns]), path.subset(n).tolist(), parts)
        np.testing.assert_allclose(path.adds(n), expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_step_changes_the_score_by_what_its_feature_adds(criterion):
    scorer = CRITERIA[criterion].scorer(X, one_hot(CODES), classes=np.arange(3))
    down = path_of(backward(scorer, 6), 6, range(6))
    up = explained(path_of(forward(scorer, 6, n_features_to_select=6), 6, ()), scorer, 3)
    for path in (down, up):
        scores = dict(zip(path.sizes.tolist(), path.scores, strict=True))
        for n in range(2, 7):
            (moved,) = set(path.subset(n)) - set(path.subset(n - 1))
            adds = path.adds(n)[path.subset(n).tolist().index(moved)]
            assert scores[n - 1] == pytest.approx(scores[n] - adds, abs=1e-12)
        assert path.adds(1).tolist() == [scores[1]]
        assert path.adds(1)[0] == path.gains()[path.subset(1)[0]]


def test_required_features_that_cannot_leave_are_not_asked_about():
    scorer = MutualInformation().scorer(X, one_hot(CODES), classes=np.arange(3))
    path = path_of(backward(scorer, 6, required={2, 5}), 6, range(6))
    assert path.adds(3).shape == (3,)
    assert path.adds(2) is None


class Counting:
    """The value of a subset is a sum over its features; how often it is asked for is counted."""

    def __init__(self, values):
        self.values, self.n_asked = np.asarray(values, dtype=float), 0
        self.scorer = PlainScorer(self.score, self.values[None, :])

    def score(self, columns):
        self.n_asked += 1
        return float(columns.sum())


def test_no_evaluation_is_added_to_those_of_the_search():
    counting = Counting([5, 1, 4, 2, 3])
    path = path_of(backward(counting.scorer, 5), 5, range(5))
    assert counting.n_asked == 1 + 5 + 4 + 3 + 2
    assert path.adds(3).tolist() == [5, 4, 3]
    grown = path_of(forward(counting.scorer, 5, n_features_to_select=3), 5, ())
    before = counting.n_asked
    assert grown.adds(3) is None
    assert explained(grown, counting.scorer, 3).adds(3).tolist() == [5, 4, 3]
    assert counting.n_asked == before + 3 + 2


def test_of_large_subsets_it_is_not_kept():
    counting = Counting(np.arange(MOST_EXPLAINED + 4))
    path = path_of(backward(counting.scorer, MOST_EXPLAINED + 4), MOST_EXPLAINED + 4, range(MOST_EXPLAINED + 4))
    assert path.adds(MOST_EXPLAINED + 1) is None
    np.testing.assert_array_equal(path.adds(MOST_EXPLAINED), np.arange(4, MOST_EXPLAINED + 4))
    grown = path_of(forward(counting.scorer, 60, n_features_to_select=55), 60, ())
    told = explained(grown, counting.scorer, 53)
    assert [n for n in told.sizes if told.adds(n) is None] == [51, 52, 54, 55]
    assert [step._replace(adds=None) for step in told.steps] == list(grown.steps)


def test_infinite_scores_give_no_warning():
    counting = Counting([1, 2, 3])
    counting.scorer = PlainScorer(lambda columns: float(columns.sum()) if columns.shape[1] < 2 else -np.inf, X[:, :3])
    path = path_of(backward(counting.scorer, 3), 3, range(3))
    assert np.isnan(path.adds(3)).all()
    assert np.isneginf(path.adds(2)).all()
    assert np.isfinite(path.adds(1)).all()


def test_a_path_that_was_told_nothing_tells_nothing():
    ranked = Path("ranking", 3, (), (Step(1, 2.0), Step(0, 1.0)))
    assert ranked.adds(2) is None
    part = Path("backward", 3, (0, 1, 2), (Step(None, 3.0), Step(1, 2.0, adds=(0.5, 1.0, 0.25))))
    assert part.adds(3).tolist() == [0.5, 1.0, 0.25]
    assert part.adds(2) is None
    with pytest.raises(ValueError, match="from 2 to 3; got 1"):
        part.adds(1)


def test_the_order_in_which_features_last():
    down = Path("backward", 4, (0, 1, 2), (Step(None, 1.0), Step(2, 0.9), Step(0, 0.8)), ((0, 3), (1,), (2,)))
    assert down.lasting().tolist() == [1, 0, 3, 2]
    stopped = Path("blanket", 4, (0, 1, 2, 3), (Step(None, 0.0), Step(2, 0.9)))
    assert stopped.lasting().tolist() == [0, 1, 3, 2]
    up = Path("forward", 5, (2,), (Step(None, 1.0), Step(0, 2.0)), ((3, 0), (1,), (4, 2)))
    assert up.lasting().tolist() == [2, 4, 0, 3]
