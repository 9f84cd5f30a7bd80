"""The table: kinds of label x criteria x searches, each cell under every contract."""

import pytest
from checks import CHECKS, LABELS

from tamis import BayesRisk, MutualInformation, SequentialSelector

CRITERIA = {
    "count": MutualInformation(),
    "distance": MutualInformation(estimator="distance"),
    "risk, count": BayesRisk("count"),
    "risk, expected": BayesRisk("expected"),
}


@pytest.mark.parametrize("check", CHECKS, ids=lambda c: c.__name__)
@pytest.mark.parametrize("direction", ["backward", "forward"])
@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("kind", LABELS)
@pytest.mark.filterwarnings("ignore:class .* has fewer than")
@pytest.mark.filterwarnings("ignore:class .* swallowed", "ignore:the features tell nothing")
def test_every_cell_of_the_table(kind, criterion, direction, check):
    labels, y = LABELS[kind]
    check(SequentialSelector(CRITERIA[criterion], labels=labels, direction=direction), y)
