"""Several targets at once are the mean of their estimates."""

import numpy as np
import pytest
from samples import gaussians, mixed, one_hot

from tamis._validation import Rows
from tamis.distances.balls import BallScan
from tamis.distances.several import MeanScan

X, CODES = gaussians(60, 5, 3, seed=2)
TARGETS = [one_hot(CODES), mixed(CODES), np.eye(2)[CODES % 2]]
ASKED = {
    "of": lambda scan: scan.of([0, 2]),
    "without each": lambda scan: scan.without_each(range(5)),
    "with each": lambda scan: scan.with_each([1, 3], [0, 4]),
    "from nothing": lambda scan: scan.with_each([], [0, 4]),
    "following": lambda scan: (scan.without_each(range(5)), scan.without_each(range(4)))[1],
    "sums": lambda scan: (scan.without_each(range(5)), scan.sums)[1],
}


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("n_targets", [1, 3])
@pytest.mark.parametrize("queries", [None, np.array([1, 5, 7, 40])])
@pytest.mark.parametrize("weighted", [False, True])
def test_it_is_the_mean_of_the_scans(asked, n_targets, queries, weighted):
    rows = Rows(weight=np.linspace(0.5, 2, 60)) if weighted else Rows()

    def scans():
        return [BallScan(X, P, "count", rows=rows, queries=queries) for P in TARGETS[:n_targets]]

    expected = np.mean([ASKED[asked](scan) for scan in scans()], axis=0)
    np.testing.assert_allclose(ASKED[asked](MeanScan(scans())), expected, rtol=0, atol=1e-12)


def test_queries_are_those_of_all_scans():
    several = MeanScan([BallScan(X, P, "count", n_neighbors=3) for P in TARGETS])
    assert (several.n_rows, several.width([0, 3])) == (60, 2)
    some = several.around([3, 8, 20])
    expected = np.mean([BallScan(X, P, "count", n_neighbors=3, queries=[3, 8, 20]).of([0, 1]) for P in TARGETS], axis=0)
    np.testing.assert_allclose(some.of([0, 1]), expected, atol=1e-12)
    assert some.n_rows == 60
