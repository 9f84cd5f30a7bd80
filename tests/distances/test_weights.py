"""Weights of rows and groups of rows in the kernels: the row repeated, and slow twins."""

import pickle

import numpy as np
import pytest
import reference
from reference import twin
from samples import gaussians, make_ugly, mixed, one_hot

from tamis import _kernels
from tamis._validation import Rows
from tamis.distances.balls import BallScan
from tamis.estimates import entropy_of

QUANTITIES = ("count", "distance", "risk")


def holed(X, share=0.2):
    return np.where(np.random.default_rng(0).random(X.shape) < share, np.nan, X)


def some_groups(n, n_groups=15):
    return np.random.default_rng(5).integers(0, n_groups, n)


@pytest.mark.parametrize(
    ("kind", "missing"), [("plain", False), ("ties", True), ("duplicated_rows", False), ("one_feature", True)]
)
@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize(("labels", "k"), [(one_hot, 3), (mixed, 3), (one_hot, 30)])
def test_groups_of_rows_agree_with_the_twin(kind, quantity, labels, k, missing):
    X, codes = make_ugly(kind, n=40)
    X, P, d = holed(X) if missing else X, labels(codes), X.shape[1]
    rows = Rows(group=some_groups(40))
    scan = BallScan(X, P, quantity, rows=rows, n_neighbors=k)

    def agrees(found, columns):
        np.testing.assert_allclose(found, twin(quantity, X[:, columns], P, k, rows=rows), rtol=0, atol=1e-9)

    agrees(scan.of(range(d)), list(range(d)))
    agrees(scan.alone([0])[0], [0])
    if d > 1:
        agrees(scan.without_each(range(d))[1], [0, 2, 3, 4])
        agrees(scan.with_each([0], [3, 2])[0], [0, 3])


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("labels", [one_hot, mixed])
@pytest.mark.parametrize(("k", "include_self"), [(3, True), (9, False)])
def test_weights_of_any_size_agree_with_the_twin(quantity, labels, k, include_self):
    X, codes = gaussians(50, 3, 3, seed=2)
    X[:, 2] = np.round(X[:, 2])
    P = labels(codes)
    for Z, group in ((X, None), (holed(X), some_groups(50))):
        rows = Rows(weight=np.random.default_rng(1).uniform(0.3, 3, 50), group=group)
        scan = BallScan(Z, P, quantity, rows=rows, n_neighbors=k, include_self=include_self)
        for found, columns in ((scan.of([0, 1, 2]), [0, 1, 2]), (scan.alone([2])[0], [2])):
            expected = twin(quantity, Z[:, columns], P, k, include_self, rows)
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("kind", ["plain", "duplicated_rows", "one_feature", "tiny_class"])
@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("labels", [one_hot, mixed])
@pytest.mark.parametrize("include_self", [False, True])
@pytest.mark.parametrize("missing", [False, True])
def test_a_weight_is_the_row_repeated_in_a_group(kind, quantity, labels, include_self, missing):
    """A copy of a row is never its neighbour; as its own neighbour a row counts once."""
    X, codes = make_ugly(kind)
    X, P, d = holed(X) if missing else X, labels(codes), X.shape[1]
    times = np.random.default_rng(3).integers(1, 4, len(X))
    copies = Rows(group=np.repeat(np.arange(len(X)), times))
    for k in (3, 9):
        how = {"n_neighbors": k, "include_self": include_self}
        weighted = BallScan(X, P, quantity, rows=Rows(weight=times.astype(float)), **how)
        repeated = BallScan(np.repeat(X, times, axis=0), np.repeat(P, times, axis=0), quantity, rows=copies, **how)
        for one, other in zip(ways(weighted, d), ways(repeated, d), strict=True):
            np.testing.assert_allclose(one, other, rtol=0, atol=1e-9)


def ways(scan, d):
    yield scan.of(range(d))
    yield scan.alone(range(d))
    if d > 1:
        yield scan.without_each(range(d))
        yield scan.without_each(range(1, d))
        yield scan.with_each([1, 0], [2, 4])


@pytest.mark.parametrize("missing", [False, True])
def test_entropy_is_that_of_the_repeated_rows_and_of_the_formula(missing):
    X = gaussians(60, 3, 2)[0]
    X = holed(X) if missing else X
    times = np.random.default_rng(3).integers(1, 4, 60)
    weighted = entropy_of(X, rows=Rows(weight=times.astype(float)))
    copies = Rows(group=np.repeat(np.arange(60), times))
    assert weighted == pytest.approx(entropy_of(np.repeat(X, times, axis=0), rows=copies), abs=1e-9)
    rows = Rows(weight=np.random.default_rng(1).uniform(0.3, 3, 60), group=some_groups(60))
    assert entropy_of(X, rows=rows) == pytest.approx(reference.entropy(X, rows=rows), abs=1e-9)


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("labels", [one_hot, mixed])
@pytest.mark.parametrize("include_self", [False, True])
def test_groups_of_one_row_are_no_groups(quantity, labels, include_self):
    X, codes = gaussians(120, 5, 3)
    X[:, 4] = np.round(X[:, 4])
    P, rows = labels(codes), Rows(group=np.random.default_rng(0).permutation(120))
    how = {"include_self": include_self}
    plain, found = BallScan(X, P, quantity, **how), BallScan(X, P, quantity, rows=rows, **how)
    for a, b in zip(ways(plain, 5), ways(found, 5), strict=True):
        assert a.tobytes() == b.tobytes()


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_weights_of_one_are_no_weights(quantity):
    X, codes = gaussians(120, 5, 3)
    P, rows = one_hot(codes), Rows(weight=np.ones(120))
    for a, b in zip(ways(BallScan(X, P, quantity), 5), ways(BallScan(X, P, quantity, rows=rows), 5), strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-12)


@pytest.mark.parametrize("labels", [one_hot, mixed])
@pytest.mark.parametrize("quantity", QUANTITIES)
def test_a_class_of_one_group_has_no_ball(quantity, labels):
    """Its terms are left out."""
    X, codes = gaussians(40, 2, 3, seed=1)
    group = np.arange(40)
    P = one_hot(codes)
    if labels is mixed:
        P[codes == 1] = [0.5, 0.5, 0.0]
    group[P[:, 1] > 0] = 0
    rows = Rows(group=group)
    scan = BallScan(X, P, quantity, rows=rows, n_neighbors=3)
    np.testing.assert_allclose(scan.of([0, 1]), twin(quantity, X, P, 3, rows=rows), rtol=0, atol=1e-9)
    np.testing.assert_allclose(scan.alone([1])[0], twin(quantity, X[:, [1]], P, 3, rows=rows), rtol=0, atol=1e-9)
    np.testing.assert_allclose(scan.without_each([0, 1]), scan.alone([1, 0]), rtol=0, atol=1e-9)


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_large_groups_are_walked_past_on_a_line(quantity):
    """Two groups, side by side or mixed along a feature of few or of many values."""
    X, codes = gaussians(200, 4, 2, seed=1)
    X[:, 2], X[:, 3] = np.round(X[:, 2]), np.round(10 * X[:, 0])
    X[::7, 1] = np.nan
    P, rows = one_hot(codes), Rows(group=(X[:, 0] > 0.3).astype(int))
    found = BallScan(X, P, quantity, rows=rows, n_neighbors=4).alone(range(4))
    for f in range(4):
        np.testing.assert_allclose(found[f], twin(quantity, X[:, [f]], P, 4, rows=rows), rtol=0, atol=1e-9)


@pytest.mark.parametrize("weight", [1e-3, 1e12, 1e40])
@pytest.mark.parametrize("quantity", QUANTITIES)
def test_a_weight_may_be_small_or_huge(weight, quantity):
    X, codes = gaussians(60, 3, 2)
    weights = np.where(np.arange(60) == 5, weight, 2.0)
    scan = BallScan(X, one_hot(codes), quantity, rows=Rows(weight=weights), n_neighbors=4)
    for values in (scan.of([0, 1, 2]), scan.alone([0, 1, 2]), scan.without_each([0, 1, 2])):
        assert np.isfinite(values).all()
    if weight < 1e20:
        expected = twin(quantity, X, one_hot(codes), 4, rows=Rows(weight=weights))
        np.testing.assert_allclose(scan.of([0, 1, 2]), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("labels", [one_hot, mixed])
def test_parts_of_the_rows_add_up_to_all(labels):
    """So that a search on some of the rows has no bias: `sums` and means are in rows of the mean weight."""
    X, codes = gaussians(96, 4, 3)
    rows = Rows(weight=np.random.default_rng(0).uniform(0.2, 4, 96), group=some_groups(96, 30))
    scan = BallScan(X, labels(codes), "count", rows=rows)
    expected = scan.without_each([0, 1, 2, 3])
    order = np.random.default_rng(1).permutation(96)
    parts = [scan.around(order[:32]), scan.around(order[32:])]
    found = [part.without_each([0, 1, 2, 3]) for part in parts]
    np.testing.assert_allclose((32 * found[0] + 64 * found[1]) / 96, expected, rtol=0, atol=1e-12)
    sums = sum(part.sums.sum(axis=0) for part in parts) / 96
    np.testing.assert_allclose(sums[:-1], expected, rtol=0, atol=1e-12)


CASES = [
    ("count", one_hot, 8, 3),
    ("distance", one_hot, 12, 3),
    ("risk", one_hot, 8, 3),
    ("distance", mixed, 8, 3),
    ("risk", mixed, 8, 9),
]


@pytest.mark.parametrize(("quantity", "labels", "k", "n_classes"), CASES)
def test_the_same_bits_for_any_threads_and_cpu_level(quantity, labels, k, n_classes, monkeypatch):
    X, codes = gaussians(100, 11, n_classes, seed=3)
    X = holed(X, 0.1)
    X[:, :4] = np.round(gaussians(100, 4, 3)[0])
    P, weight = labels(codes), np.random.default_rng(0).uniform(0.2, 4, 100)
    known = [Rows(), Rows(group=some_groups(100, 40)), Rows(weight=weight, group=some_groups(100, 40))]

    def bits(level, n_threads):
        monkeypatch.setenv("TAMIS_CPU", level)
        found = []
        for rows in known:
            scan = BallScan(X, P, quantity, rows=rows, n_neighbors=k, n_threads=n_threads)
            found += [scan.without_each(range(11)), scan.alone(range(11)), scan.with_each([2, 5], [0, 1, 7])]
        return b"".join(np.ascontiguousarray(f).tobytes() for f in found)

    expected = bits("baseline", 1)
    for level in _kernels.levels():
        assert bits(level, 2) == expected, level


@pytest.mark.parametrize("labels", [one_hot, mixed])
def test_samples_are_sent_with_all_that_is_known(labels):
    X, codes = gaussians(60, 3, 3)
    rows = Rows(weight=np.full(60, 2.0) if labels is mixed else None, group=some_groups(60))
    samples = BallScan(holed(X), labels(codes), "risk", rows=rows)._samples
    again, everybody = pickle.loads(pickle.dumps(samples)), np.arange(60, dtype=np.int32)
    limits = samples.radii([0, 1, 2], everybody, 1)
    np.testing.assert_array_equal(again.radii([0, 1, 2], everybody, 1), limits)
    for one, other in zip(
        samples.scan_here([0, 1, 2], None, np.empty(0, np.int32), -1, limits, everybody),
        again.scan_here([0, 1, 2], None, np.empty(0, np.int32), -1, limits, everybody),
        strict=True,
    ):
        np.testing.assert_array_equal(one, other)
