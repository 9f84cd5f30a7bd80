"""The table: kinds of label x criteria x searches, each cell under every contract."""

import pytest
from checks import CHECKS, LABELS, SPOILED, X
from sklearn.base import clone

from tamis import (
    BayesRisk,
    BlanketSelector,
    ChiSquare,
    LaplacianScore,
    MutualInformation,
    NeighborCost,
    NoisyLabels,
    RankingSelector,
    SequentialSelector,
    WeightedLaplacian,
)

CRITERIA = {
    "count": MutualInformation(),
    "distance": MutualInformation(estimator="distance"),
    "count, per label": MutualInformation(per_label="mean"),
    "neighbor cost": NeighborCost(),
    "risk, count": BayesRisk("count"),
    "risk, expected": BayesRisk("expected"),
    "weighted laplacian": WeightedLaplacian(),
    "laplacian": LaplacianScore(),
    "chi-square": ChiSquare("quantile"),
    "chi-square, per label": ChiSquare("chi2", per_label="max"),
}
SEARCHES = {
    "backward": lambda **asked: SequentialSelector(direction="backward", **asked),
    "forward": lambda **asked: SequentialSelector(direction="forward", **asked),
    "ranking": RankingSelector,
}


CHEAP = {"n_conditioning": 2, "n_bins": 10, "random_state": 0}
"""The settings "auto" are slower, and tested elsewhere."""
BLANKETS = {
    "wasserstein": BlanketSelector(n_permutations=3, **CHEAP),
    "wasserstein, raw": BlanketSelector(correction=None, **CHEAP),
    "kl": BlanketSelector("kl", n_permutations=3, **CHEAP),
    "points": BlanketSelector(
        class_distance=[[0, 3, 4], [3, 0, 5], [4, 5, 0]], correction=None, **CHEAP | {"n_conditioning": 1}
    ),
}
quiet = pytest.mark.filterwarnings(
    "ignore:class .* has fewer than",
    "ignore:.* rows have no (answer|label)",
    "ignore:class .* nearly all its weight",
    "ignore:the features tell nothing",
    "ignore:no feature predicts",
)


# What never looks at the labels is asked with one kind of them.
CELLS = [(kind, criterion) for kind in LABELS for criterion in CRITERIA if kind == "hard" or criterion != "laplacian"]


@quiet
@pytest.mark.parametrize("check", CHECKS, ids=lambda c: c.__name__)
@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize(("kind", "criterion"), CELLS)
def test_every_cell_of_the_table(kind, criterion, search, check):
    labels, y = LABELS[kind]
    check(SEARCHES[search](criterion=CRITERIA[criterion], labels=labels, random_state=0), y)


@quiet
@pytest.mark.parametrize("check", CHECKS, ids=lambda c: c.__name__)
@pytest.mark.parametrize("search", SEARCHES)
def test_the_noise_model_that_is_taken_by_default(search, check):
    """The forest of which is slow; in the table a faster classifier has its place."""
    check(SEARCHES[search](criterion="mutual_information", labels=NoisyLabels(random_state=0), random_state=0), SPOILED)


@quiet
@pytest.mark.parametrize("check", CHECKS, ids=lambda c: c.__name__)
@pytest.mark.parametrize("blanket", BLANKETS)
@pytest.mark.parametrize("kind", LABELS)
def test_every_kind_of_label_with_every_blanket(kind, blanket, check):
    labels, y = LABELS[kind]
    check(clone(BLANKETS[blanket]).set_params(labels=labels), y)


@quiet
@pytest.mark.parametrize("kind", ["hard", "soft", "crowd"])
@pytest.mark.parametrize("search", [*SEARCHES, "blanket"])
def test_the_size_that_is_chosen_by_default(search, kind):
    """All settings of "auto" as they are; in test_evidence.py every kind of label meets cheaper ones."""
    labels, y = LABELS[kind]
    selector = BlanketSelector() if search == "blanket" else SEARCHES[search]()
    selector.set_params(labels=labels, n_features_to_select="auto", random_state=0).fit(X, y)
    assert selector.support_.sum() == selector.evidence_.n_chosen
    assert selector.evidence_.n_folds == 5
    assert 3 <= selector.evidence_.n_repeats <= 10
