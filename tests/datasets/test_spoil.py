"""Spoiled labels: as many as asked, only where told, the same for the same seed."""

import numpy as np
import pytest
from scipy.stats import chisquare

from tamis import ClassDistance
from tamis.datasets import flip_by_transition, flip_near, flip_per_class, flip_uniform, flip_within

Y = np.array(["a", "b", "c", "d"])[np.arange(1000) % 4]

PATHS = {"a": "x/y/a", "b": "x/y/b", "c": "x/c", "d": "d"}


def names(codes):
    return np.array(["a", "b", "c", "d"])[codes]


WAYS = {
    "uniform": lambda y, seed: flip_uniform(y, 0.3, random_state=seed),
    "per class": lambda y, seed: flip_per_class(y, {"a": 0.5, "c": 0.1}, random_state=seed),
    "transition": lambda y, seed: flip_by_transition(y, 0.6 * np.eye(4) + 0.1, random_state=seed),
    "within": lambda y, seed: flip_within(y, 0.3, ClassDistance.from_paths(PATHS), 1, random_state=seed),
    "near": lambda y, seed: flip_near(y, 0.3, class_distance=np.abs(np.subtract.outer(range(4), range(4)))),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_the_changed_rows_are_those_that_differ(way):
    before = Y.copy()
    spoiled, changed = way(Y, 0)
    np.testing.assert_array_equal(changed, np.flatnonzero(spoiled != Y))
    assert len(changed) > 0
    assert spoiled.dtype == Y.dtype
    np.testing.assert_array_equal(Y, before)


@pytest.mark.parametrize("way", list(WAYS.values())[:4], ids=list(WAYS)[:4])
def test_the_seed_decides(way):
    np.testing.assert_array_equal(way(Y, 3).y, way(Y, 3).y)
    assert (way(Y, 3).y != way(Y, 4).y).any()


@pytest.mark.parametrize(("rate", "n"), [(0, 0), (0.137, 137), (1, 1000)])
def test_uniform_changes_exactly_the_share(rate, n):
    assert len(flip_uniform(Y, rate, random_state=0).changed) == n


def test_uniform_prefers_no_class():
    spoiled, changed = flip_uniform(np.repeat(["a", "b", "c", "d"], [9000, 10, 10, 10]), 1.0, random_state=1)
    counts = np.unique(spoiled[changed][:9000], return_counts=True)[1]
    assert chisquare(counts).pvalue > 1e-3


def test_rates_per_class_in_a_mapping_or_in_order():
    spoiled, changed = flip_per_class(Y, {"a": 0.5, "c": 0.1}, random_state=0)
    assert [int((Y[changed] == c).sum()) for c in "abcd"] == [125, 0, 25, 0]
    np.testing.assert_array_equal(spoiled, flip_per_class(Y, [0.5, 0, 0.1, 0], random_state=0).y)


def test_transition_matrix_is_followed():
    matrix = np.array([[0.7, 0.3, 0, 0], [0, 1, 0, 0], [0.2, 0.2, 0.6, 0], [0, 0, 1, 0]])
    spoiled = flip_by_transition(np.repeat(Y, 20), matrix, random_state=0).y
    for s in range(4):
        shares = [(spoiled[np.repeat(Y, 20) == names(s)] == names(t)).mean() for t in range(4)]
        np.testing.assert_allclose(shares, matrix[s], atol=0.02)
        assert (np.array(shares)[matrix[s] == 0] == 0).all()


def test_near_classes_by_a_distance_and_by_features():
    place = np.array([0, 1, 3, 7])
    distance = np.abs(np.subtract.outer(place, place))
    spoiled, changed = flip_near(Y, 0.4, class_distance=distance, random_state=0)
    assert len(changed) == 400
    nearest = dict(zip("abcd", "babc", strict=True))
    assert spoiled[changed].tolist() == [nearest[c] for c in Y[changed]]
    X = place[np.searchsorted(list("abcd"), Y)][:, None] * 1e3 + np.random.default_rng(0).normal(size=(1000, 1))
    np.testing.assert_array_equal(spoiled, flip_near(Y, 0.4, X=X, random_state=0).y)
    assert set(flip_near(Y, 1.0, class_distance=distance, n_near=3, random_state=0).y) == set("abcd")


@pytest.mark.parametrize(("distance", "near"), [(0.5, "ab"), (1.25, "abc"), (2.75, "abcd")])
def test_only_classes_within_the_distance_change_and_only_among_each_other(distance, near):
    spoiled, changed = flip_within(Y, 0.37, ClassDistance.from_paths(PATHS), distance, random_state=0)
    assert len(changed) == round(0.37 * 250 * len(near))
    assert set(Y[changed]) == set(near) == set(spoiled[changed])
    spoiled, changed = flip_within(Y, 1.0, ClassDistance.from_paths(PATHS), distance, random_state=0)
    assert len(changed) == 250 * len(near)


def test_every_class_within_the_distance_is_as_likely():
    y = np.repeat(["a", "b", "c", "d"], [6000, 1, 1, 1])
    spoiled = flip_within(y, 1.0, ClassDistance.from_paths(PATHS), 2, random_state=0).y
    counts = dict(zip(*np.unique(spoiled[y == "a"], return_counts=True), strict=True))
    assert set(counts) == {"b", "c"}
    assert chisquare(list(counts.values())).pvalue > 1e-3


def test_a_distance_that_is_reached_by_rounding_is_reached():
    weights = [0.5, 0.2, 0.05]
    siblings = ClassDistance.from_paths(["x/y/a", "x/y/b", "z"], weights=weights)
    y = np.array(["x/y/a", "x/y/b", "z"])
    for distance in (0.1, 0.05 + 0.05, 0.3 - 0.2):
        assert flip_within(y, 1.0, siblings, distance).changed.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: flip_uniform(Y, 1.5), "rate must be a number from 0 to 1; got 1.5"),
        (lambda: flip_uniform(["a", "a"], 0.5), "at least two classes"),
        (lambda: flip_per_class(Y, {"z": 0.5}), "rates must name classes of y; 'z' is not one of"),
        (lambda: flip_per_class(Y, [0.5]), "rates must have 4 values, one per class; got 1"),
        (lambda: flip_by_transition(Y, np.eye(3)), "4 x 4; got"),
        (lambda: flip_by_transition(Y, 2 * np.eye(4)), "row 0 sums to 2. Divide"),
        (lambda: flip_near(Y, 0.5), "either X or class_distance"),
        (
            lambda: flip_near(Y, 0.5, class_distance=1 - np.eye(4), n_near=4),
            "n_near must be .* from 1 to 3",
        ),
        (lambda: flip_near(Y, 0.5, class_distance=-np.eye(4)), "class_distance must not be negative"),
        (lambda: flip_within(Y, 0.5, 1 - np.eye(4), 0.5), "distance must reach .* at least 1; got 0.5"),
        (lambda: flip_within(Y, 0.5, 1 - np.eye(4), 0), "distance must be a positive number; got 0"),
        (lambda: flip_within(Y, 0.5, 1 - np.eye(3), 1), "4 x 4; got 3 x 3"),
        (lambda: flip_within(Y, 2, 1 - np.eye(4), 1), "rate must be a number from 0 to 1; got 2"),
        (lambda: flip_within(Y, 0.5, ClassDistance.zero_one(["a", "b", "c"]), 1), "'d' is not one of"),
    ],
)
def test_bad_input_is_refused_with_the_way_out(call, message):
    with pytest.raises(ValueError, match=message):
        call()
