"""Neighbour orders against their slow twin, and their memory budget."""

import numpy as np
import pytest
import reference
from samples import gaussians, make_ugly, mixed, one_hot

from tamis._kernels import levels
from tamis._validation import Rows
from tamis.distances.balls import log2_scale
from tamis.distances.orders import NeighbourOrders


@pytest.mark.parametrize("level", levels())
@pytest.mark.parametrize("labels", [one_hot, mixed])
@pytest.mark.parametrize("include_self", [False, True])
def test_balls_are_those_of_the_slow_twin(ugly, labels, include_self, level, monkeypatch):
    monkeypatch.setenv("TAMIS_CPU", level)
    X, codes = ugly
    X = np.ldexp(X, -log2_scale(X))
    memberships = labels(codes)
    orders = NeighbourOrders(X, 5)
    orders.extend(np.arange(len(X)), np.full(len(X), np.inf))
    weight, r2, _ = orders.grow(memberships, 3, include_self=include_self)
    for i in range(0, len(X), 7):
        for s in range(memberships.shape[1]):
            expected = reference.balls(X, i, memberships[:, s], 3, include_self)
            assert r2[i, s] == pytest.approx(expected[0], rel=1e-9, abs=1e-12)
            assert weight[i, s] == pytest.approx(expected[1], rel=1e-9)


@pytest.mark.parametrize("labels", [one_hot, mixed])
@pytest.mark.parametrize("include_self", [False, True])
@pytest.mark.parametrize("kind", ["plain", "ties", "one_feature"])
def test_gaps_groups_and_weights_are_those_of_the_slow_twin(labels, include_self, kind):
    X, codes = make_ugly(kind)
    rng = np.random.default_rng(0)
    X = np.where(rng.random(X.shape) < 0.2, np.nan, X)
    X[5], memberships = np.nan, labels(codes)
    rows = Rows(weight=rng.uniform(0.3, 3, len(X)), group=rng.integers(0, 20, len(X)))
    orders = NeighbourOrders(X, 5, rows=rows)
    orders.extend(np.arange(len(X)), np.full(len(X), np.inf))
    weight, r2, _ = orders.grow(memberships, 3, include_self=include_self)
    for i in (5, *range(0, len(X), 7)):
        for s in range(memberships.shape[1]):
            expected = reference.balls(X, i, memberships[:, s], 3, include_self, rows)
            assert np.ldexp(r2[i, s], 2 * log2_scale(X)) == pytest.approx(expected[0], rel=1e-9, abs=1e-12)
            assert weight[i, s] == pytest.approx(expected[1], rel=1e-9)


def test_an_order_that_ends_too_early_says_so_and_can_be_extended():
    X, codes = gaussians(200, 3, 2, seed=1)
    orders = NeighbourOrders(X, 2)
    memberships = one_hot(codes)
    before = orders.grow(memberships, 20)
    assert np.isinf(before.r2).any()
    rows = np.flatnonzero(np.isinf(before.r2).any(axis=1))[::2]
    orders.extend(rows, np.full(len(rows), np.inf))
    after, anew = orders.grow(memberships, 20, out=before), orders.grow(memberships, 20)
    assert np.isfinite(after.r2[rows]).all()
    np.testing.assert_array_equal(after.r2, anew.r2)
    np.testing.assert_array_equal(after.weight, anew.weight)


@pytest.mark.parametrize("budget", [0, 20_000])
def test_the_answer_does_not_depend_on_the_memory_budget(budget):
    X, codes = gaussians(300, 4, 3)
    answers = [NeighbourOrders(X, 30, budget=b).grow(mixed(codes), 4) for b in (budget, 2**30)]
    np.testing.assert_array_equal(answers[0].weight, answers[1].weight)
    np.testing.assert_array_equal(answers[0].r2, answers[1].r2)


def test_intrinsic_dimension_of_a_plane_in_space(rng):
    plane = rng.uniform(size=(1500, 2)) @ rng.normal(size=(2, 6))
    assert NeighbourOrders(plane, 20).dimension(10) == pytest.approx(2, abs=0.15)
    cube = rng.uniform(size=(1500, 3))
    assert NeighbourOrders(cube, 20).dimension(10) == pytest.approx(3, abs=0.25)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("n_neighbors", [3, 10, 100])
def test_intrinsic_dimension_of_weighted_rows_is_that_of_repeated_rows(rng, missing, n_neighbors):
    X, times = rng.normal(size=(60, 5)), rng.integers(1, 4, 60)
    X[7] = X[21]
    if missing:
        X[rng.random(X.shape) < 0.2] = np.nan
    copies = Rows(group=np.repeat(np.arange(60), times))
    weighted = NeighbourOrders(X, 4, rows=Rows(weight=times.astype(float)))
    repeated = NeighbourOrders(np.repeat(X, times, axis=0), 4, rows=copies)
    assert weighted.dimension(n_neighbors) == pytest.approx(repeated.dimension(n_neighbors), rel=1e-9)
    alone = NeighbourOrders(X, 4, rows=Rows(group=np.arange(60)))
    assert alone.dimension(n_neighbors) == pytest.approx(NeighbourOrders(X, 4).dimension(n_neighbors), rel=1e-9)


def test_intrinsic_dimension_of_points_without_volume():
    assert NeighbourOrders(np.ones((20, 4)), 5).dimension(10) == 4
    X, _ = make_ugly("binary")
    assert 1 <= NeighbourOrders(X, 5).dimension(10) <= X.shape[1]


@pytest.mark.parametrize("n_neighbors", [3, 10, 100])
def test_intrinsic_dimension_is_that_of_the_formula(rng, n_neighbors):
    """Mean over samples and neighbours of log(r_k / r_j), turned over; samples with a double are left out."""
    X = rng.normal(size=(30, 5))
    X[7] = X[21]
    k = min(n_neighbors, 29)
    near = np.sort(np.linalg.norm(X[:, None] - X, axis=2), axis=1)[:, 1 : k + 1]
    near = near[near[:, 0] > 0]
    expected = 1 / np.mean(np.log(near[:, -1:] / near[:, :-1]))
    assert len(near) == 28
    assert NeighbourOrders(X, 4).dimension(n_neighbors) == pytest.approx(expected, rel=1e-9)
