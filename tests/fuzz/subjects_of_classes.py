"""Distances between classes, and what is measured with them."""

import numpy as np
from fuzz.ugly_parameters import BAD, DISTANCES, draw_distance, draw_parameters
from fuzz.ugly_samples import draw_samples
from fuzz.ugly_targets import draw_target

from tamis import ClassDistance, noise_bound, top_k_loss, wasserstein

NAMES = (["ant", "bee", "cat"], lambda: np.arange(3), ["a", "a", "b"], ["a"], [0, "a", None], [(), (1,), 2], *BAD)
PATHS = (
    ["a/b", "a/c", "d"],
    {"ant": "x/y", 5: "z", None: "x"},
    ["a", "a/b"],
    ["a", "a"],
    [],
    [""],
    ["/"],
    ["a//b", "c"],
    [1, 2],
    {"a": 1},
    ["x" * 500, "y"],
    ["/".join("abcdefghij" * 40), "z"],
    lambda: np.array(["a", "b"]),
    lambda: np.array([["a"], ["b"]]),
    *BAD,
)
EDGES = (
    [("a", "r", 1), ("b", "r", 2), ("c", "b", 0.5)],
    [("a", "b", 1)],
    [("a", "a", 1)],
    [("a", "b", 1), ("b", "c", 1), ("c", "a", 1)],
    [("a", "b", 1), ("c", "d", 1)],
    [("a", "b", 0)],
    [("a", "b", -1), ("a", "c", 1)],
    [("a", "b", np.nan)],
    [("a", "b", 1e308), ("b", "c", 1e308), ("c", "d", 1e308)],
    [("a", "b", 5e-324), ("b", "c", 1)],
    [("a", "b")],
    [("a", [1], 1)],
    [({}, "b", 1)],
    [("a", "b", "x")],
    ["ab1"],
    [(float("nan"), "b", 1)],
    lambda: [(i, i + 1, 1.0) for i in range(300)],
    *BAD,
)


def class_distance(draw):
    matrix, classes = draw.value("matrix", (*DISTANCES, *BAD)), _maybe(draw, "classes", NAMES)
    return _distance(draw, matrix, lambda: ClassDistance(matrix, classes))


def from_paths(draw):
    paths = draw.value("paths", PATHS)
    asked = draw_parameters(
        draw, {"weights": ([1, 2], [3.0] * 9, [1e308] * 9, [1e-300, 1]), "separator": ("/", ".", "a")}, bad=0.1
    )
    return _distance(draw, paths, lambda: ClassDistance.from_paths(paths, **asked))


def from_tree(draw):
    edges, classes = draw.value("edges", EDGES), _maybe(draw, "classes", (["a", "b"], ["b", "a", "c"], *NAMES))
    return _distance(draw, edges, lambda: ClassDistance.from_tree(edges, classes=classes))


def from_vectors(draw):
    vectors, classes = (
        draw_samples(draw, 4, np.arange(4), what="vectors"),
        _maybe(draw, "classes", (*NAMES, list("abcd"))),
    )
    return _distance(draw, vectors, lambda: ClassDistance.from_vectors(vectors, classes=classes))


def zero_one(draw):
    classes = draw.value("classes", NAMES)
    return _distance(draw, classes, lambda: ClassDistance.zero_one(classes))


def _maybe(draw, name, options):
    return draw.value(name, options) if draw.chance(0.4) else None


def _distance(draw, given, make):
    wanted = _maybe(draw, "for classes", (["a", "b"], ["ant", "bee"], *NAMES))
    extra = draw.value("extra", ("drop", "error", *BAD)) if draw.chance(0.3) else "drop"

    def call():
        distance = make()
        part = distance if wanted is None else distance.for_classes(wanted, extra=extra)
        return distance.matrix, distance.is_tree, part.nodes(), part.matrix

    return given, call


def transport(draw):
    codes = draw.rng.integers(0, 3, draw.among([1, 4, 4, 4]))
    distance = draw_distance(draw)
    p, q = (draw_target(draw, "soft", codes, what=name) for name in "pq")
    return (p, q), lambda: wasserstein(p, q, distance)


def bound_of_noise(draw):
    distance = draw_distance(draw)
    joint = draw.value(
        "joint", (lambda: np.eye(3) / 3, lambda: np.full((2, 2), 0.25), lambda: np.full((3, 3), 1 / 9), *BAD)
    )
    return joint, lambda: noise_bound(distance, joint)


def loss_at_top(draw):
    codes = draw.rng.integers(0, 3, draw.among([1, 4, 12]))
    scores = draw_samples(draw, len(codes), codes, what="scores", broken=0.2)
    y = draw_target(draw, draw.among(["hard", "multilabel"]), codes, wrong=0.2)
    distance = draw_distance(draw)
    asked = draw_parameters(draw, {"k": (1, 2, 3), "classes": NAMES})
    return (scores, y), lambda: top_k_loss(y, scores, distance, **asked)


SUBJECTS = [
    (class_distance, 0.7),
    (from_paths, 0.4),
    (from_tree, 0.4),
    (from_vectors, 0.6),
    (zero_one, 0.2),
    (transport, 0.7),
    (bound_of_noise, 0.4),
    (loss_at_top, 0.7),
]
