"""The cost of moving distributions: linear programmes, closed forms, and the laws of a metric."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import transport
from scipy.sparse.csgraph import shortest_path
from scipy.spatial.distance import cdist

from tamis import ClassDistance, noise_bound, wasserstein
from tamis._kernels import transport as kernel
from tamis.estimates import transport as module
from tamis.estimates.transport import wasserstein_of


def points(rng, n):
    x = rng.normal(size=(n, 3))
    return cdist(x, x)


def network(rng, n):
    """Ways in a random network of whole lengths: many ties."""
    lengths = rng.integers(1, 4, (n, n)) * (rng.random((n, n)) < 0.3) + 3 * np.eye(n, k=1)
    return shortest_path(np.maximum(lengths, lengths.T), directed=False)


def one_or_two(rng, n):
    lengths = np.triu(rng.integers(1, 3, (n, n)), 1)
    return (lengths + lengths.T).astype(float)


def line(rng, n):
    x = rng.normal(size=(n, 1))
    return cdist(x, x)


def tree(rng, n):
    edges = [(int(rng.integers(0, i)), i, float(rng.integers(1, 4))) for i in range(1, 2 * n)]
    return np.array(ClassDistance.from_tree(edges, classes=rng.permutation(2 * n)[:n]).matrix)


METRICS = {f.__name__: f for f in (points, network, one_or_two, line, tree)}


def even(rng, n):
    return rng.multinomial(60, np.full(n, 1 / n)) / 60


def uneven(rng, n):
    return rng.multinomial(1000, rng.dirichlet(np.full(n, 0.2))) / 1000


def halves(rng, n):
    """Ones and zeros in equal parts: every supply meets a demand of its size."""
    return np.isin(np.arange(n), rng.permutation(n)[: n // 2 + 1]) / (n // 2 + 1)


MASSES = {f.__name__: f for f in (even, uneven, halves)}


@pytest.mark.parametrize("mass", MASSES.values(), ids=MASSES)
@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
def test_the_cost_is_that_of_the_linear_programme(metric, mass):
    rng = np.random.default_rng(0)
    for n in [2, 3, 4, 5, 8, 12, 20, 30] * 3:
        D, p, q = metric(rng, n), mass(rng, n), mass(rng, n)
        expected = transport(p, q, D)
        assert kernel(p[None], q[None], D)[0] == pytest.approx(expected, abs=1e-9)
        assert wasserstein(p, q, D) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
def test_many_classes_keep_the_laws(metric):
    """Too many for the programme; but the cost falls in a straight line on the way from p to q."""
    rng = np.random.default_rng(1)
    D = metric(rng, 200)
    p, q = rng.dirichlet(np.full(200, 0.3), 2)
    costs = kernel((1 - np.array([[0.0], [0.25], [1]])) * p + np.array([[0.0], [0.25], [1]]) * q, np.tile(q, (3, 1)), D)
    np.testing.assert_allclose(costs, [costs[0], 0.75 * costs[0], 0], atol=1e-12)
    assert costs[0] <= p @ D @ q
    # The distances to any class are a potential: no plan is cheaper than the difference of its means.
    assert (np.abs((p - q) @ D) <= costs[0] + 1e-12).all()


seeds = st.integers(0, 2**32 - 1)
cases = st.tuples(seeds, st.integers(2, 15), st.sampled_from(sorted(METRICS)), st.sampled_from(sorted(MASSES)))
few = settings(max_examples=60, deadline=None)


def draw(case, n_distributions):
    seed, n, metric, mass = case
    rng = np.random.default_rng(seed)
    return ClassDistance(METRICS[metric](rng, n)), [MASSES[mass](rng, n) for _ in range(n_distributions)], rng


@few
@given(case=cases)
def test_it_is_a_metric(case):
    distance, (p, q, r), _ = draw(case, 3)
    cost = wasserstein(p, q, distance)
    assert wasserstein(q, p, distance) == pytest.approx(cost, abs=1e-12)
    assert wasserstein(p, r, distance) <= cost + wasserstein(q, r, distance) + 1e-12
    assert wasserstein(p, p, distance) == 0
    assert (cost > 1e-12) == (np.abs(p - q).max() > 1e-12)


@few
@given(case=cases, power=st.integers(-300, 300))
def test_order_of_classes_and_unit_do_not_matter(case, power):
    distance, (p, q), rng = draw(case, 2)
    cost, order = wasserstein(p, q, distance), rng.permutation(len(p))
    turned = ClassDistance(distance.matrix[np.ix_(order, order)])
    assert turned.is_tree == distance.is_tree
    assert wasserstein(p[order], q[order], turned) == pytest.approx(cost, abs=1e-12)
    assert wasserstein(p, q, np.ldexp(distance.matrix, power)) == pytest.approx(np.ldexp(cost, power), rel=1e-12)


@few
@given(case=cases)
def test_certain_classes_are_as_far_apart_as_they_are(case):
    distance, _, _ = draw(case, 0)
    n = len(distance.matrix)
    p, q = np.repeat(np.eye(n), n, axis=0), np.tile(np.eye(n), (n, 1))
    np.testing.assert_allclose(wasserstein(p, q, distance).reshape(n, n), distance.matrix, rtol=1e-9)


@few
@given(seed=seeds, n=st.integers(2, 15), mass=st.sampled_from(sorted(MASSES)))
def test_the_sum_over_a_tree_is_the_kernel(seed, n, mass):
    distance, (p, q), _ = draw((seed, n, "tree", mass), 2)
    assert distance.is_tree
    assert wasserstein_of(p[None], q[None], distance)[0] == pytest.approx(
        kernel(p[None], q[None], distance.matrix)[0], abs=1e-12
    )


@few
@given(seed=seeds, n=st.integers(2, 15))
def test_one_apart_is_total_variation(seed, n):
    p, q = np.random.default_rng(seed).dirichlet(np.ones(n), 2)
    expected = np.abs(p - q).sum() / 2
    assert wasserstein(p, q) == pytest.approx(expected, abs=1e-12)
    assert kernel(p[None], q[None], 1 - np.eye(n))[0] == pytest.approx(expected, abs=1e-12)


@few
@given(seed=seeds, n=st.integers(2, 15))
def test_a_chain_is_the_difference_of_cumulated_probabilities(seed, n):
    rng = np.random.default_rng(seed)
    p, q = rng.dirichlet(np.ones(n), 2)
    gaps = rng.exponential(size=n - 1) + 1e-3
    chain = ClassDistance.from_tree([(i, i + 1, float(g)) for i, g in enumerate(gaps)], classes=range(n))
    expected = (np.abs(np.cumsum(p - q))[:-1] * gaps).sum()
    assert wasserstein(p, q, chain) == pytest.approx(expected, abs=1e-12)
    assert kernel(p[None], q[None], chain.matrix)[0] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("distance", [None, "tree", "points"])
def test_one_against_many_and_many_pairs(distance):
    rng = np.random.default_rng(0)
    D = None if distance is None else METRICS[distance](rng, 6)
    p, q = rng.dirichlet(np.ones(6), (2, 10))
    each = [wasserstein(a, b, D) for a, b in zip(p, q, strict=True)]
    assert all(isinstance(cost, float) for cost in each)
    np.testing.assert_array_equal(wasserstein(p, q, D), each)
    np.testing.assert_array_equal(wasserstein(p[0], q, D), [wasserstein(p[0], b, D) for b in q])
    np.testing.assert_array_equal(wasserstein(p, q[:1], D), [wasserstein(a, q[0], D) for a in p])
    assert wasserstein(p[:1], q[0], D).shape == (1,)


def test_the_kernel_takes_any_total_and_tiny_differences():
    rng = np.random.default_rng(0)
    D = points(rng, 8)
    p, q = rng.multinomial(50, np.full(8, 1 / 8), (2, 5)).astype(float)
    for total in (1e-30, 1e-3, 1e300):
        np.testing.assert_allclose(kernel(p * total, q * total, D), kernel(p, q, D) * total, rtol=1e-12)
    nearly = p * (1 + 1e-15 * rng.normal(size=p.shape))
    assert (kernel(p, nearly, D) < 1e-12).all()
    assert (kernel(p, p, D) == 0).all()
    assert kernel(np.empty((0, 8)), np.empty((0, 8)), D).shape == (0,)
    with pytest.raises(ValueError, match="rows of q must be 5; got 2"):
        kernel(p, q[:2], D)


def test_many_pairs_in_blocks(monkeypatch):
    monkeypatch.setattr(module, "_BLOCK", 2**16)
    rng = np.random.default_rng(0)
    classes = ClassDistance.from_paths([f"{i % 4}/{i % 20}/{i}" for i in range(100)])
    p, q = rng.dirichlet(np.ones(100), (2, 5000))
    costs = wasserstein(p, q, classes)
    some = [0, 1, 3456, 4999]
    np.testing.assert_allclose(costs[some], kernel(p[some], q[some], classes.matrix), atol=1e-12)


def test_the_noise_bound_is_the_mean_distance_and_bounds_what_it_says():
    rng = np.random.default_rng(0)
    for _ in range(50):
        D = points(rng, 5)
        at_x = rng.dirichlet(np.ones(25), 8).reshape(8, 5, 5)  # p(true, recorded | x)
        weight = rng.dirichlet(np.ones(8))
        joint = np.tensordot(weight, at_x, 1)
        bound = noise_bound(D, joint)
        assert bound == pytest.approx((joint * D).sum())
        true, recorded = at_x.sum(axis=2), at_x.sum(axis=1)
        assert weight @ wasserstein(true, recorded, D) <= bound + 1e-12
        # A subset of features makes two values of x one.
        merged = np.arange(8) // 2
        shares = np.zeros((8, 8))
        shares[np.arange(8)[:, None] // 2 == merged] = 1
        shares = shares * weight / (shares @ weight)[:, None]
        losses = [weight @ wasserstein(c, shares @ c, D) for c in (true, recorded)]
        assert abs(losses[0] - losses[1]) <= 2 * bound + 1e-12
    assert noise_bound(None, [[0.5, 0.1], [0.2, 0.2]]) == pytest.approx(0.3)
    assert noise_bound(ClassDistance.zero_one(["a", "b"]), np.eye(2) / 2) == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: wasserstein([0.5, 0.6], [0.5, 0.5]), "p must sum to one in every row .*; row 0 sums to 1.1"),
        (lambda: wasserstein([0.5, 0.5], [[1, 0], [-0.5, 1.5]]), "q must not be negative; row 1 has -0.5"),
        (lambda: wasserstein([0.5, 0.5], [np.nan, 1]), "q contains NaN"),
        (lambda: wasserstein([1.0], [1.0]), "p must have one column per class, at least two; got 1"),
        (lambda: wasserstein([1, 0], [1, 0, 0]), "p and q must have the same classes as columns; got 2 and 3"),
        (
            lambda: wasserstein(np.full((2, 2), 0.5), np.full((3, 2), 0.5)),
            "as many rows, or one of them one; got 2 and 3",
        ),
        (lambda: wasserstein([1, 0], [0, 1], 1 - np.eye(3)), "2 x 2; got 3 x 3"),
        (lambda: wasserstein([1, 0], [0, 1], np.ones((2, 2))), "zero on the diagonal"),
        (lambda: noise_bound(None, np.eye(2)), "joint must sum to one .*; got 2. Divide it by its sum; rows of"),
        (lambda: noise_bound(None, [[1.5, -0.5], [0, 0]]), "joint must not be negative"),
        (lambda: noise_bound(ClassDistance.zero_one(range(3)), np.eye(2) / 2), "3 x 3; got"),
        (lambda: noise_bound(1 - np.eye(3), np.eye(2) / 2), "2 x 2; got 3 x 3"),
    ],
)
def test_bad_input_is_refused_with_the_way_out(call, message):
    with pytest.raises(ValueError, match=message):
        call()
