"""Features of several columns: they enter and leave together."""

import numpy as np
import pytest
from reference import twin
from samples import gaussians, make_ugly, mixed, one_hot

from tamis import _kernels
from tamis.distances.balls import BallScan

QUANTITIES = ("count", "distance", "risk")


def grouped(n_columns):
    """Groups of one, two and more columns, not in order."""
    if n_columns == 1:
        return [[0]]
    return [[0, 3], [1], [2, *range(4, n_columns)]]


class Checked:
    """A scan whose answers are compared with the twin's on the columns of the groups."""

    def __init__(self, X, P, quantity, groups, k=8):
        self.X, self.P, self.quantity, self.groups, self.k = X, P, quantity, groups, k
        self.scan = BallScan(X, P, quantity, groups=groups, n_neighbors=k)

    def agrees(self, found, subset):
        X = self.X[:, [column for g in subset for column in self.groups[g]]]
        np.testing.assert_allclose(found, twin(self.quantity, X, self.P, self.k), rtol=0, atol=1e-9)

    def backward(self, subset):
        found = self.scan.without_each(subset)
        for g, value in zip(subset, found, strict=True):
            self.agrees(value, [other for other in subset if other != g])

    def forward(self, subset, candidates):
        found = self.scan.with_each(subset, candidates)
        for g, value in zip(candidates, found, strict=True):
            self.agrees(value, [*subset, g])


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize(("labels", "k"), [(one_hot, 8), (mixed, 3)])
def test_every_way_of_scanning_agrees_with_the_twin(ugly, quantity, labels, k):
    X, codes = ugly
    groups = grouped(X.shape[1])
    checked = Checked(X, labels(codes), quantity, groups, k)
    everything = list(range(len(groups)))
    checked.agrees(checked.scan.of(everything), everything)
    for g, value in zip(everything, checked.scan.alone(everything), strict=True):
        checked.agrees(value, [g])
    if len(groups) == 1:
        return
    checked.backward([2, 0, 1])
    # A second step uses the bounds of the first.
    checked.backward([0, 2])
    checked.forward([], [2, 1])
    checked.forward([1], [2, 0])


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("labels", [one_hot, mixed])
@pytest.mark.parametrize("scale", [1.0, 1e150, 1e-150])
def test_one_hot_blocks_beside_single_columns(quantity, labels, scale):
    """Ten features, so that lanes hold groups of one and of many columns; one group is constant."""
    X, codes = gaussians(70, 9, 3, seed=4)
    levels = np.eye(12)[np.random.default_rng(0).integers(0, 12, 70) + 0 * codes]
    X = np.hstack([X, levels, np.ones((70, 2))]) * scale
    groups = [[0], list(range(9, 21)), [1, 8], [21, 22], *([j] for j in range(2, 8))]
    checked = Checked(X, labels(codes), quantity, groups)
    checked.backward(list(range(10)))
    checked.backward([1, 3, 4])
    checked.forward([3], [0, 1, 2])
    checked.forward([3, 5], [1])


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("labels", [one_hot, mixed])
def test_a_wide_group_that_carries_all_of_the_distance_is_not_subtracted(quantity, labels):
    X, codes = gaussians(80, 6, 3, seed=6)
    X[:, [1, 4]] *= 1e6
    checked = Checked(X, labels(codes), quantity, [[1, 4], [0, 2], [3], [5]])
    checked.backward([0, 1, 2, 3])
    checked.backward([0, 1, 3])


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("labels", [one_hot, mixed])
@pytest.mark.parametrize("k", [8, 9])
def test_nothing_is_left_of_a_distance(quantity, labels, k):
    """What several columns leave behind can be a rounding error below zero."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.lognormal(0, 3, (90, 2)), rng.random((90, 2)) < 0.1])
    checked = Checked(X, labels(rng.integers(0, 3, 90)), quantity, [[0, 1], [2, 3]], k)
    checked.backward([0, 1])


@pytest.mark.parametrize("include_self", [False, True])
@pytest.mark.parametrize("labels", [one_hot, mixed])
def test_literal_algorithm_includes_self(labels, include_self):
    X, codes = make_ugly("duplicated_rows")
    P = labels(codes)
    found = BallScan(X, P, "distance", groups=grouped(5), include_self=include_self).without_each([0, 1, 2])
    for found_one, left in zip(found, ([1, 2, 4], [0, 3, 2, 4], [0, 3, 1]), strict=True):
        np.testing.assert_allclose(found_one, twin("distance", X[:, left], P, 8, include_self), rtol=0, atol=1e-9)


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("labels", [one_hot, mixed])
def test_groups_of_one_column_are_the_columns(quantity, labels):
    X, codes = gaussians(300, 9, 3, seed=3)
    P, order = labels(codes), [4, 0, 8, 2, 6, 1, 7, 3, 5]

    def bits(scan, name):
        found = [scan.without_each([name(g) for g in range(9)]), scan.without_each([name(g) for g in range(1, 9)])]
        found += [scan.with_each([name(2), name(3)], [name(5), name(0)])]
        found += [scan.alone([name(1), name(0)]), scan.of([name(3), name(1)]), scan.without_each([name(0), name(1)])]
        return [f.tobytes() for f in found]

    columns = bits(BallScan(X, P, quantity), order.__getitem__)
    assert bits(BallScan(X, P, quantity, groups=[[c] for c in order]), lambda g: g) == columns


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("labels", [one_hot, mixed])
@pytest.mark.parametrize("k", [8, 12])
def test_the_same_bits_for_any_threads_and_cpu_level(quantity, labels, k, monkeypatch):
    X, codes = gaussians(250, 23, 3, seed=3)
    X[:, 3] = np.round(X[:, 3])
    groups = [[0, 11], *([j] for j in range(1, 11)), list(range(12, 18)), list(range(18, 23))]
    P = labels(codes)

    def bits(level, n_threads):
        monkeypatch.setenv("TAMIS_CPU", level)
        scan = BallScan(X, P, quantity, groups=groups, n_neighbors=k, n_threads=n_threads)
        found = [scan.without_each(list(range(13))), scan.without_each([*range(9), 11, 12])]
        found += [scan.with_each([2, 11], [0, 1, 12, 7]), scan.alone([3, 12]), scan.without_each([0, 12])]
        return b"".join(np.ascontiguousarray(f).tobytes() for f in found)

    expected = bits("baseline", 1)
    for level in _kernels.levels():
        for n_threads in (1, 2):
            assert bits(level, n_threads) == expected, (level, n_threads)


@pytest.mark.parametrize("ends", [[2, 2, 3], [1, 2], [-1, 3], [4]])
def test_columns_that_belong_to_nobody_are_refused_by_the_kernel(ends):
    X, codes = gaussians(20, 3, 2)
    scan = BallScan(X, one_hot(codes), "count")
    rows, limits = np.arange(20, dtype=np.int32), np.full((20, 1), np.inf)
    with pytest.raises(ValueError, match="ends must rise"):
        _kernels.scan(scan._samples.asked, X, X, np.array(ends, np.int32), -1, limits, rows, 1, "baseline")
