"""The table: kinds of label x criteria x searches, each cell under every contract."""

import pytest
from checks import CHECKS, LABELS

from tamis import BayesRisk, LaplacianScore, MutualInformation, RankingSelector, SequentialSelector, WeightedLaplacian

CRITERIA = {
    "count": MutualInformation(),
    "distance": MutualInformation(estimator="distance"),
    "risk, count": BayesRisk("count"),
    "risk, expected": BayesRisk("expected"),
    "weighted laplacian": WeightedLaplacian(),
    "laplacian": LaplacianScore(),
}
SEARCHES = {
    "backward": lambda **asked: SequentialSelector(direction="backward", **asked),
    "forward": lambda **asked: SequentialSelector(direction="forward", **asked),
    "ranking": RankingSelector,
}


@pytest.mark.parametrize("check", CHECKS, ids=lambda c: c.__name__)
@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("kind", LABELS)
@pytest.mark.filterwarnings("ignore:class .* has fewer than", "ignore:.* rows have no answer")
@pytest.mark.filterwarnings("ignore:class .* swallowed", "ignore:the features tell nothing")
def test_every_cell_of_the_table(kind, criterion, search, check):
    labels, y = LABELS[kind]
    check(SEARCHES[search](criterion=CRITERIA[criterion], labels=labels), y)
