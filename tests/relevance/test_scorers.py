"""A scorer gives what the criterion says of the same columns, whichever way it is asked, alone or in groups."""

import numpy as np
import pytest
import reference
from samples import gaussians, mixed, one_hot

from tamis import BayesRisk, ChiSquare, Criterion, LaplacianScore, MutualInformation, WeightedLaplacian


class Spread(Criterion):
    """A criterion of one's own."""

    def score(self, X, memberships):
        return float((memberships.T @ X).var())


CRITERIA = [
    MutualInformation(4),
    MutualInformation(4, estimator="distance", include_self=True),
    BayesRisk(n_neighbors=5),
    BayesRisk("count", n_neighbors=5, include_self=True),
    WeightedLaplacian(),
    ChiSquare("mdl"),
    ChiSquare("quantile", n_bins=3),
    Spread(),
]
X, CODES = gaussians(70, 6, 3, seed=11, informative=4)
every = pytest.mark.parametrize("criterion", CRITERIA, ids=str)
labelled = pytest.mark.parametrize("labels", [one_hot, mixed])


@every
@labelled
@pytest.mark.parametrize("groups", [None, [(0,), (4, 2), (1,), (3, 5)], [(5,), (3,), (0,), (1,)]])
def test_every_question_has_the_answer_of_the_criterion(criterion, labels, groups):
    P = labels(CODES)
    members = [(f,) for f in range(6)] if groups is None else groups
    scorer = criterion.scorer(X, P, classes=np.arange(3), groups=groups)

    def expected(subset):
        return criterion.score(X[:, [c for g in subset for c in members[g]]], P)

    def agrees(found, values):
        np.testing.assert_allclose(np.atleast_2d(found)[:, 0], values, rtol=1e-9, atol=1e-9)

    agrees(scorer.of([1]), [expected([1])])
    agrees(scorer.of([0, 2, 3]), [expected([0, 2, 3])])
    agrees(scorer.without_each([2, 0, 1]), [expected([0, 1]), expected([2, 1]), expected([2, 0])])
    agrees(scorer.without_each([3, 1]), [expected([1]), expected([3])])
    agrees(scorer.with_each([], [2, 1]), [expected([2]), expected([1])])
    agrees(scorer.with_each([3, 0], [1, 2]), [expected([3, 0, 1]), expected([3, 0, 2])])


@labelled
def test_information_and_risk_are_those_of_the_slow_twin(labels):
    P = labels(CODES)
    for estimator in ("count", "distance"):
        for include_self in (False, True):
            found = MutualInformation(4, estimator=estimator, include_self=include_self).score(X, P)
            expected = reference.twin(estimator, X, P, 4, include_self)[0]
            assert found == pytest.approx(expected, abs=1e-9)
    for place, kind in enumerate(("count", "expected")):
        for include_self in (False, True):
            found = BayesRisk(kind, n_neighbors=5, include_self=include_self).score(X, P)
            assert found == pytest.approx(-reference.twin("risk", X, P, 5, include_self)[place], abs=1e-9)
        printed = BayesRisk(kind, n_neighbors=5, printed=True).score(X, P)
        assert printed == pytest.approx(-reference.bayes_risk(X, P, 5, printed=True)[place], abs=1e-9)


def test_the_laplacian_score_of_all_columns():
    criterion = LaplacianScore()
    scorer = criterion.scorer(X)
    assert criterion.score(X) == scorer.of(list(range(6)))[0]
    grouped = criterion.scorer(X, groups=[(0, 1), (2,), (3, 4, 5)])
    np.testing.assert_allclose(grouped.of([0, 2]), scorer.of([0, 1, 3, 4, 5]), rtol=1e-12)
    np.testing.assert_array_equal(grouped.of([1]), scorer.of([2]))
    with pytest.raises(ValueError, match="n_neighbors must be"):
        LaplacianScore(0).scorer(X)


def test_the_laplacian_score_knows_no_unit():
    """Columns so far apart in size that one exponent for all would lose the small ones."""
    units = np.array([1e-250, 1e-100, 1.0, 3.0, 1e100, 1e250])
    found = LaplacianScore().scorer(X * units).with_each([], list(range(6)))
    np.testing.assert_allclose(found, LaplacianScore().scorer(X).with_each([], list(range(6))), rtol=1e-9)


def test_cells_with_few_expected_count():
    """Levels and classes of a table whose expected counts are all below one."""
    P = one_hot(np.array([0, 1, 2, 0]))
    x = np.array([[0.0], [1.0], [2.0], [3.0]])
    table = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]])
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / 4
    assert ChiSquare("quantile", n_bins=4).score(x, P) == pytest.approx(((table - expected) ** 2 / expected).sum())


def test_sums_that_are_known_are_not_computed_again():
    criterion, P = WeightedLaplacian(), one_hot(CODES)
    half = criterion.sums(X[:35], P[:35])
    assert criterion.scorer(X, P, sums=half).of([0, 1])[0] == pytest.approx(criterion.score(X[:35, :2], P[:35]))
