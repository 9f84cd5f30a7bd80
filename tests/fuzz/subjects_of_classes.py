"""Distances between classes, and what is measured with them."""

import numpy as np
from fuzz.ugly_parameters import BAD, DISTANCES, ODD_DISTANCES, draw_distance, draw_parameters
from fuzz.ugly_samples import draw_samples
from fuzz.ugly_targets import draw_target

from tamis import ClassDistance, noise_bound, top_k_loss, wasserstein

NAMES = (["ant", "bee", "cat"], lambda d: np.arange(3), [0, "a", None], [(), (1,), 2], ["\n", "", " "])
ODD_NAMES = (["a", "a", "b"], ["a"], ["a", np.nan], [[], 1], *BAD)
PATHS = (
    ["a/b", "a/c", "d"],
    {"ant": "x/y", 5: "z", None: "x"},
    ["a", "a/b"],
    ["x" * 500, "y"],
    ["/".join("abcdefghij" * 40), "z"],
    lambda d: np.array(["a", "b"]),
)
ODD_PATHS = (["a", "a"], [], [""], ["/"], ["a//b", "c"], [1, 2], {"a": 1}, lambda d: np.array([["a"], ["b"]]), *BAD)
EDGES = (
    [("a", "r", 1), ("b", "r", 2), ("c", "b", 0.5)],
    [("a", "b", 1), ("b", 3, np.float32(0.1))],
    [("a", "b", 5e-324), ("b", "c", 1)],
    lambda d: [(i, i + 1, 1.0) for i in range(300)],
    lambda d: ((0, i, 1e300) for i in range(1, 9)),
)
ODD_EDGES = (
    [("a", "a", 1)],
    [("a", "b", 1), ("b", "c", 1), ("c", "a", 1)],
    [("a", "b", 1), ("c", "d", 1)],
    [("a", "b", 0)],
    [("a", "b", -1), ("a", "c", 1)],
    [("a", "b", np.nan)],
    [("a", "b", 1e308), ("b", "c", 1e308), ("c", "d", 1e308)],
    [("a", "b")],
    [("a", [1], 1)],
    [({}, "b", 1)],
    [(((), []), "b", 1)],
    [("a", "b", "x")],
    ["ab1"],
    [(float("nan"), "b", 1)],
    *BAD,
)
CONFUSIONS = (
    [[5, 1, 0], [2, 7, 0], [0, 0, 3]],
    lambda d: np.zeros((3, 3)),
    lambda d: np.full((3, 3), 1e308),
    lambda d: np.diag([5e-324, 1.0, 1e300]),
    lambda d: d.rng.dirichlet(np.ones(3), 3),
    lambda d: d.rng.poisson(0.5, (3, 3)),
)
ODD_CONFUSIONS = (
    [[1, -1], [0, 1]],
    [[1, 2, 3]],
    [[1, np.nan], [0, 1]],
    [[np.inf, 1], [0, 1]],
    [["a", 1], [0, 1]],
    *BAD,
)


def class_distance(draw):
    matrix = _drawn(draw, "matrix", DISTANCES, ODD_DISTANCES)
    classes = _names(draw) if draw.chance(0.5) else None
    return _distance(draw, matrix, lambda: ClassDistance(matrix, classes))


def from_paths(draw):
    paths = _drawn(draw, "paths", PATHS, ODD_PATHS)
    deep = {"weights": ([3.0] * 500, [1e300] * 500, np.logspace(0, -300, 500)), "separator": ("/", ".", "ab")}
    asked = draw_parameters(draw, deep, bad=0.1)
    return _distance(draw, paths, lambda: ClassDistance.from_paths(paths, **asked))


def from_tree(draw):
    edges = _drawn(draw, "edges", EDGES, ODD_EDGES)
    classes = _names(draw) if draw.wrong(0.1) else None
    return _distance(draw, None, lambda: ClassDistance.from_tree(edges, classes=classes))


def from_vectors(draw):
    vectors = draw_samples(draw, np.arange(3), what="vectors")
    classes = _names(draw) if draw.chance(0.5) else None
    return _distance(draw, vectors, lambda: ClassDistance.from_vectors(vectors, classes=classes))


def from_confusions(draw):
    confusions = _drawn(draw, "confusions", CONFUSIONS, (*ODD_CONFUSIONS, *BAD))
    classes = _names(draw) if draw.chance(0.5) else None
    return _distance(draw, confusions, lambda: ClassDistance.from_confusions(confusions, classes=classes))


def from_data(draw):
    codes = np.append(np.arange(3), draw.rng.integers(0, 3, draw.among([1, 4, 12])))
    X, kind = draw_samples(draw, codes, gaps=0.2), "soft" if draw.chance(0.3) else "hard"
    target = draw_target(draw, kind, codes)
    how = {"memberships" if kind == "soft" else "y": target}
    return _distance(draw, (X, target), lambda: ClassDistance.from_data(X, **how))


def zero_one(draw):
    classes = _names(draw)
    return _distance(draw, classes, lambda: ClassDistance.zero_one(classes))


def _drawn(draw, name, good, odd, share=0.25):
    return draw.value(name, odd if draw.wrong(share) else good)


def _names(draw, name="classes"):
    return _drawn(draw, name, NAMES, ODD_NAMES)


def _distance(draw, given, make):
    wanted = _names(draw, "for classes") if draw.wrong(0.1) else None
    extra = draw.value("extra", ("error", *BAD)) if draw.wrong(0.1) else "drop"

    def call():
        distance = make()
        part = distance if wanted is None else distance.for_classes(wanted, extra=extra)
        return distance.matrix, distance.is_tree, part.nodes(), part.matrix

    return given, call


def transport(draw):
    codes = draw.rng.integers(0, 3, draw.among([1, 4, 4, 4]))
    distance = draw_distance(draw)
    p = draw_target(draw, "soft", codes, what="p")
    q = draw_target(draw, "soft", codes, what="q") if draw.wrong(0.3) else np.roll(_plain(p), 1, axis=-1)
    return (p, q), lambda: wasserstein(p, q, distance)


def _plain(p):
    """Numbers as such; other things as they are."""
    try:
        return np.asarray(p, dtype=float)
    except (ValueError, TypeError):
        return np.ones(1)


def bound_of_noise(draw):
    distance = draw_distance(draw)
    good = (lambda d: np.eye(3) / 3, lambda d: np.full((3, 3), 1 / 9), lambda d: (np.eye(3) / 3).tolist())
    joint = _drawn(draw, "joint", good, (lambda d: np.full((2, 2), 0.25), *BAD))
    return joint, lambda: noise_bound(distance, joint)


def loss_at_top(draw):
    codes = np.append(np.arange(3), draw.rng.integers(0, 3, draw.among([1, 4, 12])))
    scores = draw_samples(draw, codes, what="scores", width=None if draw.wrong(0.1) else 3)
    y = draw_target(draw, "multilabel" if draw.wrong(0.2) else "hard", codes)
    distance = draw_distance(draw)
    asked = draw_parameters(draw, {"k": (1, 2, 3)}) | ({"classes": _names(draw)} if draw.wrong(0.1) else {})
    return (scores, y), lambda: top_k_loss(y, scores, distance, **asked)


SUBJECTS = [
    (class_distance, 0.7),
    (from_paths, 0.4),
    (from_tree, 0.4),
    (from_vectors, 0.6),
    (from_confusions, 0.4),
    (from_data, 0.6),
    (zero_one, 0.2),
    (transport, 0.7),
    (bound_of_noise, 0.4),
    (loss_at_top, 0.7),
]
