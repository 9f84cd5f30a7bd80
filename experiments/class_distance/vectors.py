"""A generated stand-in for the paper's Flickr study, whose data are not at hand: classes with vectors, from_vectors.

This is NOT the paper's data. 40 tags are unit vectors in eight clusters, as far apart as the vectors (no tree). A
picture has one to three tags, mostly of one cluster; 30 features are projections of the mean of their vectors, of
different strength, 30 are mixtures of two of these, 90 are noise that has common causes; all with noise and cut at
their quantiles into ten levels. One copy per tag to select on, neighbours vote, top-5 loss in hundredths.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from experiments.class_distance.contenders import path_of
from experiments.class_distance.losses import METHODS, seed_of
from experiments.class_distance.votes import Votes
from experiments.reproduction import Experiment, Task
from tamis import ClassDistance

SIZES = (5, 10, 15, 20, 30, 45, 60, 100, 150)
N_TAGS, N_CLUSTERS, N_DIMENSIONS, N_ROWS = 40, 8, 20, 1000
REPETITIONS, SLOW_REPETITIONS, QUICK_REPETITIONS = 10, 5, 4


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


class World:
    """Tags and how features come from them; the same for training and test pictures."""

    def __init__(self, rng):
        centres = unit(rng.normal(size=(N_CLUSTERS, N_DIMENSIONS)))
        self.cluster = np.arange(N_TAGS) % N_CLUSTERS
        self.vectors = unit(centres[self.cluster] + 0.12 * rng.normal(size=(N_TAGS, N_DIMENSIONS)))
        self.directions = unit(rng.normal(size=(30, N_DIMENSIONS))) * rng.uniform(1, 5, size=(30, 1))
        self.mixed = np.array([rng.choice(30, 2, replace=False) for _ in range(30)])
        self.causes = rng.normal(size=(10, 90))

    def pictures(self, n, rng):
        """Features, and tags as zeros and ones."""
        tags = np.zeros((n, N_TAGS), dtype=bool)
        for row, first in zip(tags, rng.integers(0, N_TAGS, n), strict=True):
            row[first] = True
            for _ in range(rng.integers(0, 3)):
                alike = np.flatnonzero(self.cluster == self.cluster[first])
                row[rng.choice(alike) if rng.random() < 0.8 else rng.integers(0, N_TAGS)] = True
        seen = tags @ self.vectors / tags.sum(axis=1, keepdims=True)
        telling = seen @ self.directions.T + rng.normal(size=(n, 30))
        mixtures = telling[:, self.mixed].mean(axis=2) + 0.3 * rng.normal(size=(n, 30))
        noise = rng.normal(size=(n, 10)) @ self.causes + 2 * rng.normal(size=(n, 90))
        return np.hstack([telling, mixtures, noise]), tags


def quantile_levels(X, X_test):
    cuts = np.quantile(X, np.arange(1, 10) / 10, axis=0).T
    cut = (
        np.array([np.searchsorted(c, x, side="right") for c, x in zip(cuts, part.T, strict=True)]).T
        for part in (X, X_test)
    )
    return [part.astype(float) for part in cut]


def tasks(quick):
    """W-null takes a minute, since its null has no closed form here: last, half of the repetitions, none if quick."""
    fast = [method for method in METHODS if method != "W-null"]
    asked = list(product(range(QUICK_REPETITIONS if quick else REPETITIONS), fast))
    if not quick:
        asked += [(repetition, "W-null") for repetition in range(SLOW_REPETITIONS)]
    for repetition, method in asked:
        key = {"method": method, "repetition": repetition}
        yield Task(key, seed_of("vectors", repetition), 60.0 if method == "W-null" else 2.0)


def run(data, key, seed):
    rng = np.random.default_rng(seed)
    world = World(rng)
    distance = ClassDistance.from_vectors(world.vectors, classes=np.arange(N_TAGS))
    (X, tags), (X_test, truth) = world.pictures(N_ROWS, rng), world.pictures(N_ROWS, rng)
    X, X_test = quantile_levels(X, X_test)
    judge = Votes(X, tags, X_test, truth, distance.matrix)
    copied, y = np.nonzero(tags)
    path = path_of(key["method"], X[copied], y, distance, bins=None, random_state=0)
    losses = [100 * float(judge.losses(path.subset(n), (5,)).mean()) for n in SIZES]
    return {"losses": np.round(losses, 3).tolist()}


VECTORS = Experiment("class_distance/vectors", tasks, run, needs_data=False)
