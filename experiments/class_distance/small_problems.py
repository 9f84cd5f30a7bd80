"""Small random problems on which every rule of the elimination is met: ties, copies, constants, many levels."""

from itertools import product

import numpy as np
from scipy.sparse.csgraph import shortest_path

from tamis import ClassDistance

FEATURES = ("binary", "many levels", "mixed")
METRICS = ("zero-one", "hierarchy", "chain", "points", "graph", "kl")
NOT_TREES = ("points", "graph")
KINDS = [(*kind, "hard") for kind in product(FEATURES, METRICS, ("raw", "corrected"))]
KINDS += [(*kind, "soft") for kind in product(("mixed",), METRICS, ("raw", "corrected"))]


def features(kind, rng):
    """Whole levels 0, 1, ...; some columns are constant, copied or mirrored, some rows repeated."""
    n, d = rng.integers(25, 61), rng.integers(4, 8)
    most = {"binary": [2], "many levels": [5, 8, 10], "mixed": [2, 3, 10]}[kind]
    hidden = rng.normal(size=n)
    columns = [np.digitize(hidden + rng.uniform(0, 3) * rng.normal(size=n), [0.0]) for _ in range(d)]
    for j, r in enumerate(rng.choice(most, d)):
        if r > 2:
            columns[j] = np.digitize(hidden + rng.normal(size=n), np.linspace(-2, 2, r - 1))
    special = rng.permutation(d)
    if rng.random() < 0.5:
        columns[special[0]] = np.zeros(n, int)
    if rng.random() < 0.5:
        columns[special[1]] = columns[special[2]].copy()
    if rng.random() < 0.3:
        columns[special[3]] = columns[special[2]].max() - columns[special[2]]
    levels = np.array([np.unique(column, return_inverse=True)[1] for column in columns]).T
    if rng.random() < 0.3:
        levels[: n // 3] = levels[n // 3 : 2 * (n // 3)]
    levels = np.array([np.unique(column, return_inverse=True)[1] for column in levels.T]).T
    return levels, hidden


def distance(metric, n_classes, rng):
    names = np.arange(n_classes)
    if metric == "hierarchy":
        return ClassDistance.from_paths({c: f"{c % 2}/{c}" for c in names.tolist()}, weights=(0.5, 0.2))
    if metric == "chain":
        steps = rng.integers(1, 4, n_classes - 1).tolist()
        return ClassDistance.from_tree([(c, c + 1, w) for c, w in enumerate(steps)], classes=names)
    if metric == "points":
        return ClassDistance.from_vectors(rng.normal(size=(n_classes, 2)), classes=names)
    if metric == "graph":
        ring = np.zeros((n_classes, n_classes))
        ring[names, (names + 1) % n_classes] = rng.integers(1, 4, n_classes)
        return ClassDistance(shortest_path(ring, directed=False), classes=names)
    return ClassDistance.zero_one(names)


def problem(kind, seed):
    """Levels, memberships, distances between the classes."""
    shape, metric, _, labels = kind
    rng = np.random.default_rng([seed, *map(ord, "".join(kind))])
    levels, hidden = features(shape, rng)
    n_classes = rng.integers(4, 6) if metric in NOT_TREES else rng.integers(2, 6)
    noisy = hidden + rng.normal(size=len(hidden))
    codes = np.unique(np.digitize(noisy, np.quantile(noisy, np.arange(1, n_classes) / n_classes)), return_inverse=True)
    P = np.eye(codes[1].max() + 1)[codes[1]]
    if labels == "soft":
        doubt = rng.dirichlet(np.ones(P.shape[1]), len(P))
        P = np.round(0.6 * P + 0.4 * doubt, 3)
        P /= P.sum(axis=1, keepdims=True)
    return levels, P, distance(metric, P.shape[1], rng)
