"""The kernels against their slow twins, on ugly data; the same bits whatever computes them."""

import numpy as np
import pytest
import reference
from reference import twin
from samples import gaussians, make_ugly, mixed, one_hot

from tamis import _kernels, entropy
from tamis._validation import Rows
from tamis.distances.balls import BallScan

QUANTITIES = ("count", "distance", "risk")


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("labels", [one_hot, mixed])
@pytest.mark.parametrize("k", [3, 8, 11])
def test_every_way_of_scanning_agrees_with_the_twin(ugly, quantity, labels, k):
    X, codes = ugly
    P = labels(codes)
    d = X.shape[1]
    scan = BallScan(X, P, quantity, n_neighbors=k)

    def agrees(found, columns):
        np.testing.assert_allclose(found, twin(quantity, X[:, columns], P, k), rtol=0, atol=1e-9)

    agrees(scan.of(range(d)), list(range(d)))
    agrees(scan.alone([0])[0], [0])
    if d == 1:
        return
    without = scan.without_each(list(range(d)))
    for j in (0, 1, d - 1):
        agrees(without[j], [f for f in range(d) if f != j])
    # A second step uses the bounds of the first.
    agrees(scan.without_each(list(range(1, d)))[0], list(range(2, d)))
    agrees(scan.with_each([], [1])[0], [1])
    agrees(scan.with_each([1], [0, 2])[1], [1, 2])
    agrees(scan.with_each([1, 2], [0, 3])[0], [0, 1, 2])


def sparse(n=150, d=5, heavy=False):
    """Columns that are mostly zero, so that most samples share a place; the others are 1, or have a long tail."""
    rng = np.random.default_rng(7)
    X = np.where(rng.random((n, d)) < 0.2, rng.lognormal(0, 3, (n, d)) if heavy else 1.0, 0.0)
    return X, rng.integers(0, 3, n)


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("k", [3, 8, 11])
@pytest.mark.parametrize("heavy", [False, True])
@pytest.mark.parametrize("include_self", [False, True])
def test_many_samples_at_one_place_agree_with_the_twin(quantity, k, heavy, include_self):
    X, codes = sparse(heavy=heavy)
    P = one_hot(codes)
    assert len(np.unique(np.column_stack([X, codes]), axis=0)) < 0.7 * len(X)

    def agrees(found, columns):
        np.testing.assert_allclose(found, twin(quantity, X[:, columns], P, k, include_self), rtol=0, atol=1e-9)

    scan = BallScan(X, P, quantity, n_neighbors=k, include_self=include_self)
    agrees(scan.of(range(5)), [0, 1, 2, 3, 4])
    for j, found in enumerate(scan.without_each([0, 1, 2, 3, 4])):
        agrees(found, [f for f in range(5) if f != j])
    agrees(scan.without_each([1, 2, 3, 4])[0], [2, 3, 4])
    for j, found in zip((0, 4), scan.with_each([1, 2], [0, 4]), strict=True):
        agrees(found, [1, 2, j])


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_some_queries_are_a_part_of_the_mean(quantity):
    """Also where several of them are at one place."""
    X, codes = sparse()
    scan = BallScan(X, one_hot(codes), quantity)
    queries = np.arange(3, 150, 4)
    each = [scan.around([q]).without_each([0, 1, 2, 3]) for q in queries]
    np.testing.assert_allclose(scan.around(queries).without_each([0, 1, 2, 3]), np.mean(each, axis=0), atol=1e-12)


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("labels", [one_hot, mixed])
@pytest.mark.parametrize("include_self", [False, True])
def test_features_of_few_values_agree_with_the_twin(quantity, labels, include_self):
    """More samples tie in a class than are added one by one."""
    X, codes = gaussians(400, 2, 3, seed=2)
    X, P = np.column_stack([X[:, 0] > 0.5, np.round(X[:, 1])]).astype(float), labels(codes)
    found = BallScan(X, P, quantity, include_self=include_self).alone([0, 1])
    for f in (0, 1):
        np.testing.assert_allclose(found[f], twin(quantity, X[:, [f]], P, 8, include_self), rtol=0, atol=1e-9)


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("labels", [one_hot, mixed])
@pytest.mark.parametrize("kind", ["plain", "ties", "duplicated_rows"])
def test_literal_algorithm_includes_self(quantity, labels, kind):
    X, codes = make_ugly(kind)
    P = labels(codes)
    scan = BallScan(X, P, quantity, n_neighbors=3, include_self=True)
    expected = twin(quantity, X, P, 3, include_self=True)
    np.testing.assert_allclose(scan.of(range(X.shape[1])), expected, rtol=0, atol=1e-9)
    expected = twin(quantity, X[:, 1:], P, 3, include_self=True)
    np.testing.assert_allclose(scan.without_each(list(range(X.shape[1])))[0], expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("n_classes", [2, 4, 7, 8, 17])
@pytest.mark.parametrize("kind", ["plain", "ties", "binary"])
def test_uneven_memberships_of_any_number_of_classes(quantity, n_classes, kind):
    """More classes than are dealt with at once, some of them not in every row, and buckets that are full of ties."""
    rng = np.random.default_rng(n_classes)
    X = rng.normal(size=(150, 4))
    X = {"plain": X, "ties": np.round(X), "binary": (X > 0).astype(float)}[kind]
    P = rng.dirichlet(np.full(n_classes, 0.3), size=150)
    P = np.where(P < 0.01, 0.0, P)
    P /= P.sum(axis=1, keepdims=True)
    scan = BallScan(X, P, quantity, n_neighbors=4)
    found = scan.without_each(range(4))
    for j in range(4):
        np.testing.assert_allclose(found[j], twin(quantity, np.delete(X, j, axis=1), P, 4), rtol=0, atol=1e-9)
    joined = twin(quantity, X[:, [0, 1, 3]], P, 4)
    np.testing.assert_allclose(scan.with_each([0, 1], [2, 3])[1], joined, rtol=0, atol=1e-9)


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_soft_balls_have_the_same_bits_whatever_bounds_they_start_from(quantity):
    """Weights are whole numbers inside, so what is added up first makes no difference."""
    X, codes = gaussians(96, 5, 3, seed=8)
    P = mixed(codes)
    scan = BallScan(X, P, quantity)
    scan.without_each(range(5))
    after = scan.without_each([0, 1, 2, 3])  # with the radii of the step before
    np.testing.assert_array_equal(after, BallScan(X, P, quantity).without_each([0, 1, 2, 3]))


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("small", [1e-6, 1e-5, 1e-4, 1e-3, 1e-2])
def test_small_memberships_count(quantity, small):
    X, codes = gaussians(80, 3, 3, seed=6)
    P = (1 - 2 * small) * one_hot(codes) + small * (1 - one_hot(codes))
    found = BallScan(X, P, quantity, n_neighbors=3).of(range(3))
    np.testing.assert_allclose(found, twin(quantity, X, P, 3), rtol=0, atol=1e-9)
    assert np.abs(found - twin(quantity, X, one_hot(codes), 3)).max() > 1e-9  # they can be told from none


def small_shares(n, n_classes, rng):
    """Memberships of one sure class in each row, the others from 1e-5 to 0.1."""
    P = 10 ** rng.uniform(-5, -1, (n, n_classes))
    P[np.arange(n), rng.permutation(np.arange(n) % n_classes)] = 1.0
    return P / P.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("n_classes", [3, 10])
@pytest.mark.parametrize("weighted", [False, True])
def test_terms_that_are_left_out_change_little(n_classes, weighted):
    rng = np.random.default_rng(n_classes)
    X, P = rng.normal(size=(120, 4)), small_shares(120, n_classes, rng)
    rows = Rows(weight=rng.uniform(0.5, 2, 120)) if weighted else Rows()
    found = BallScan(X, P, "count", rows=rows).of(range(4))[0]
    of_some = reference.mutual_information(X, P, rows=rows)
    of_all = reference.mutual_information(X, P, rows=rows, whole=True)
    assert found == pytest.approx(of_some, abs=1e-9)
    bound = reference.LEFT_OUT * (1 / np.arange(1, rows.weights(120).sum() + 1)).sum()
    assert 1e-7 < abs(of_some - of_all) <= bound


def test_small_shares_are_left_out_together_or_not_at_all():
    X, codes = gaussians(90, 3, 4, seed=7)
    P = 0.998 * one_hot(codes) + 0.0005
    of_all = reference.mutual_information(X, P, whole=True)
    assert BallScan(X, P, "count").of(range(3))[0] == pytest.approx(of_all, abs=1e-9)


def test_the_terms_of_a_rare_class_are_kept():
    X, codes = gaussians(90, 3, 2, seed=7)
    P = np.column_stack([0.9995 * one_hot(codes), np.full(90, 0.0005)])
    of_all = reference.mutual_information(X, P, whole=True)
    assert BallScan(X, P, "count").of(range(3))[0] == pytest.approx(of_all, abs=1e-9)


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("n_features", [4, 30])
def test_small_shares_agree_with_the_twin_on_every_way(quantity, n_features):
    """Rows of few balls, and with 30 features balls that hold samples whatever the candidate."""
    rng = np.random.default_rng(n_features)
    X, P = rng.normal(size=(100, n_features)), small_shares(100, 4, rng)
    subset = list(range(n_features))
    scan = BallScan(X, P, quantity, n_neighbors=4)
    found = scan.without_each(subset)
    for j in subset[:: n_features // 3]:
        np.testing.assert_allclose(found[j], twin(quantity, np.delete(X, j, axis=1), P, 4), rtol=0, atol=1e-9)
    found = scan.with_each(subset[:2], subset[2:])
    for j in subset[2 :: n_features // 2]:
        np.testing.assert_allclose(found[j - 2], twin(quantity, X[:, [0, 1, j]], P, 4), rtol=0, atol=1e-9)


def test_negligible_memberships_are_none():
    X, codes = gaussians(80, 3, 3, seed=6)
    P = (1 - 1.8e-6) * one_hot(codes) + 0.9e-6 * (1 - one_hot(codes))
    for labels in (P, np.where(np.arange(80)[:, None] < 40, P, mixed(codes))):
        expected = np.where(labels < 1e-6, 0.0, labels)
        expected /= expected.sum(axis=1, keepdims=True)
        np.testing.assert_array_equal(
            BallScan(X, labels, "count").of(range(3)), BallScan(X, expected, "count").of(range(3))
        )


@pytest.mark.parametrize("k", [1, 8, 30])
def test_entropy_agrees_with_the_twin(k):
    X, _ = gaussians(90, 3, 2)
    expected = reference.entropy(X, k)
    assert entropy(X, n_neighbors=k) == pytest.approx(expected, abs=1e-9)
    assert entropy(X * 1e200, n_neighbors=k) == pytest.approx(expected + 3 * np.log(1e200), abs=1e-9)


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("labels", [one_hot, mixed])
@pytest.mark.parametrize(("k", "n_classes"), [(8, 3), (12, 3), (8, 5), (8, 10)])
@pytest.mark.parametrize("kind", ["gaussian", "sparse"])
def test_the_same_bits_for_any_threads_and_cpu_level(quantity, labels, k, n_classes, kind, monkeypatch):
    X, codes = gaussians(250, 11, n_classes, seed=3) if kind == "gaussian" else sparse(250, 11)
    X[:, 3] = np.round(X[:, 3])
    P = labels(codes)

    def bits(level, n_threads):
        monkeypatch.setenv("TAMIS_CPU", level)
        scan = BallScan(X, P, quantity, n_neighbors=k, n_threads=n_threads)
        found = [scan.without_each(list(range(11))), scan.of(range(11)), scan.without_each(list(range(10)))]
        found += [scan.with_each([2, 5], [0, 1, 7]), scan.alone([3, 4])]
        return b"".join(np.ascontiguousarray(f).tobytes() for f in found)

    expected = bits("baseline", 1)
    for level in _kernels.levels():
        for n_threads in (1, 4):
            assert bits(level, n_threads) == expected, (level, n_threads)


@pytest.mark.parametrize("quantity", ["count", "distance"])
def test_a_far_sample_and_float32_rounding_lose_no_pair(quantity):
    X, codes = gaussians(120, 6, 2, seed=5)
    X[0] *= 1e6  # stretches the range that float32 has to cover
    X[:, 2] *= 1e-3
    P = one_hot(codes)
    without = BallScan(X, P, quantity).without_each(list(range(6)))
    for j in range(6):
        expected = reference.mutual_information(np.delete(X, j, axis=1), P, 8, quantity)
        assert without[j, 0] == pytest.approx(expected, abs=1e-9)


def test_unknown_cpu_level_is_refused(monkeypatch):
    monkeypatch.setenv("TAMIS_CPU", "abacus")
    with pytest.raises(ValueError, match="TAMIS_CPU must be one of"):
        BallScan(np.zeros((4, 1)), np.eye(2)[[0, 1, 0, 1]], "count")
