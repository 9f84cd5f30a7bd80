"""Exact distances between class distributions, for a few discrete features with true and recorded classes.

Everything is summed over all configurations of the features; nothing is estimated. Names are the paper's: eps1 and eps2
compare true with recorded classes before and after selection, d1 and d2 all features with a subset, by true and by
recorded classes (Fig. 3).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from experiments.class_distance.small_problems import distance as random_distance
from tamis import ClassDistance, wasserstein

METRICS = ("zero-one", "hierarchy", "chain", "points", "graph")
"""Trees but the last two."""

NOISES = ("arbitrary", "by class", "by class and features", "near", "merged")
"""Recorded classes unrelated to the true ones; NAR; NNAR; a fifth goes to the nearest class; one class is lost."""

NEAR_RATE = 0.2


@dataclass(frozen=True)
class Joint:
    """Features with true and recorded classes.

    Attributes
    ----------
    X : ndarray of shape (n_cells, n_features)
        All configurations.
    weights : ndarray of shape (n_cells,)
        Their probabilities.
    true, recorded : ndarray of shape (n_cells, n_classes)
        p(Y | x) and p(recorded Y | x).
    both : ndarray of shape (n_classes, n_classes)
        Probability that the true class is i and the recorded one j.
    """

    X: np.ndarray
    weights: np.ndarray
    true: np.ndarray
    recorded: np.ndarray
    both: np.ndarray
    distance: ClassDistance

    def given(self, conditional, subset) -> np.ndarray:
        """p(. | x of a subset), a row for each configuration of all features."""
        group = np.zeros(len(self.X), dtype=int)
        if len(subset):
            group = np.unique(self.X[:, list(subset)], axis=0, return_inverse=True)[1].ravel()
        total = np.zeros((group.max() + 1, conditional.shape[1]))
        np.add.at(total, group, self.weights[:, None] * conditional)
        return (total / np.bincount(group, self.weights)[:, None])[group]

    def mean_distance(self, p, q) -> float:
        return float(self.weights @ wasserstein(p, q, self.distance))

    def eps1(self) -> float:
        return self.mean_distance(self.true, self.recorded)

    def eps2(self, subset) -> float:
        return self.mean_distance(self.given(self.true, subset), self.given(self.recorded, subset))

    def d1(self, subset) -> float:
        return self.mean_distance(self.true, self.given(self.true, subset))

    def d2(self, subset) -> float:
        return self.mean_distance(self.recorded, self.given(self.recorded, subset))

    def subsets(self, size=None):
        """All of a size, or of all sizes below that of the whole (at least one feature)."""
        n = self.X.shape[1]
        return [s for k in ([size] if size else range(1, n)) for s in combinations(range(n), k)]


def draw(metric, noise, rng, most_features=4) -> Joint:
    """A random joint distribution; the classes may depend on some of the features only."""
    n_classes = int(rng.integers(4, 7))
    distance = random_distance(metric, n_classes, rng)
    levels = rng.integers(2, 4, rng.integers(2, most_features + 1)).tolist()
    X = np.array(list(product(*map(range, levels))))
    weights = rng.dirichlet(np.full(len(X), rng.choice([0.3, 1.0, 10.0])))
    relevant = rng.random(len(levels)) < rng.choice([0.5, 1.0])
    group = np.unique(X * relevant, axis=0, return_inverse=True)[1].ravel()
    true = rng.dirichlet(np.full(n_classes, rng.choice([0.1, 0.5, 2.0])), group.max() + 1)[group]
    pairs = true[:, :, None] * _transitions(noise, distance.matrix, len(X), rng)  # p(Y, recorded Y | x)
    recorded = pairs.sum(axis=1)
    return Joint(X, weights, true, recorded / recorded.sum(axis=1, keepdims=True), _mean(weights, pairs), distance)


def _transitions(noise, D, n_cells, rng):
    """p(recorded Y | Y, x), of a shape that is broadcast to (n_cells, n_classes, n_classes)."""
    n = len(D)
    if noise == "arbitrary":
        return rng.dirichlet(np.ones(n), n_cells)[:, None, :]
    if noise in ("by class", "by class and features"):
        rate = rng.uniform(0, 0.5)
        drawn = rng.dirichlet(np.ones(n), (n_cells if noise == "by class and features" else 1, n))
        return (1 - rate) * np.eye(n) + rate * drawn
    apart = D + np.where(np.eye(n) > 0, np.inf, 0.0)
    nearest = np.isclose(apart, apart.min(axis=1, keepdims=True))
    nearest = nearest / nearest.sum(axis=1, keepdims=True)
    if noise == "near":
        return ((1 - NEAR_RATE) * np.eye(n) + NEAR_RATE * nearest)[None]
    moved = np.eye(n)
    lost = rng.integers(n)
    moved[lost] = nearest[lost]
    return moved[None]


def _mean(weights, pairs):
    both = np.tensordot(weights, pairs, 1)
    return both / both.sum()


def worst_case(rare) -> Joint:
    """Two features of which recorded classes make us keep the worse one, at a loss of nearly four times eps1.

    One rare configuration has wrong labels. They widen the distance of the first feature and narrow that of the
    second, both by nearly 2 eps1: its rows weigh little in the mean of their group, so the whole group is as far off.
    """
    shift, common = 0.1, (1 - rare) / 2
    first = np.array([0.5, 0.45, 0.5 + 0.05 + 2 * shift - 1e-6])  # p(first class | x) at (0, 0), (0, 1), (1, 0)
    wrong = first + np.array([shift, 0, 0])
    true, recorded = (np.column_stack([p, 1 - p]) for p in (first, wrong))
    weights = np.array([rare, common, common])
    moved = rare * shift
    both = np.array([[weights @ first, 0.0], [moved, weights @ (1 - first) - moved]])
    X = np.array([[0, 0], [0, 1], [1, 0]])
    return Joint(X, weights, true, recorded, both, ClassDistance.zero_one([0, 1]))
