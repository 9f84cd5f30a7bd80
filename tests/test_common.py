"""The table: kinds of label x criteria x searches, each cell under every contract."""

import pytest
from checks import CHECKS, TARGETS

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
@pytest.mark.parametrize("labels", TARGETS)
def test_every_cell_of_the_table(labels, criterion, direction, check):
    check(SequentialSelector(CRITERIA[criterion], labels=labels, direction=direction), TARGETS[labels])
