"""A generated stand-in for the paper's Flickr study, whose data are not at hand: classes with vectors, from_vectors.

Usage: python -m experiments.class_distance.vectors [--repetitions 10] [--show]

This is NOT the paper's data. 40 tags are unit vectors in eight clusters, as far apart as the vectors (no tree). A
picture has one to three tags, mostly of one cluster; 30 features are projections of the mean of their vectors, of
different strength, 30 are mixtures of two of these, 90 are noise that has common causes; all with noise and cut at
their quantiles into ten levels. One copy per tag to select on, neighbours vote, top-5 loss in hundredths.
"""

import argparse
from pathlib import Path

import numpy as np
from experiments.class_distance.contenders import CONTENDERS, PAIRS, differences, path_of
from experiments.class_distance.votes import Votes
from experiments.runs import Runs, table

from tamis import ClassDistance

SIZES = (5, 10, 15, 20, 30, 45, 60, 100, 150)
N_TAGS, N_CLUSTERS, N_DIMENSIONS, N_ROWS = 40, 8, 20, 1000
RESULTS = Runs(Path(__file__).parent / "results" / "vectors.jsonl")


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


def run(repetitions):
    done = RESULTS.done()
    for number in range(repetitions):
        rng = np.random.default_rng(number)
        world = World(rng)
        distance = ClassDistance.from_vectors(world.vectors, classes=np.arange(N_TAGS))
        (X, tags), (X_test, truth) = world.pictures(N_ROWS, rng), world.pictures(N_ROWS, rng)
        X, X_test = quantile_levels(X, X_test)
        judge = Votes(X, tags, X_test, truth, distance.matrix)
        copied, y = np.nonzero(tags)
        for name in CONTENDERS:
            if ("top-5", name, number) not in done:
                path = path_of(name, X[copied], y, distance, bins=None, random_state=0)
                curve = [round(100 * float(judge.losses(path.subset(n), (5,)).mean()), 3) for n in SIZES]
                RESULTS.add(data="top-5", method=name, repetition=number, errors=curve)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument("--show", action="store_true", help="print the tables only")
    asked = parser.parse_args()
    if not asked.show:
        run(asked.repetitions)
    curves = RESULTS.curves("top-5")
    curves = {name: curves[name] for name in CONTENDERS}
    print("generated tags and pictures, not the paper's\n" + table(curves, SIZES, "KL", "top-5 loss, hundredths"))
    print(differences(curves, SIZES, PAIRS))


if __name__ == "__main__":
    main()
