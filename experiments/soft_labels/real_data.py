"""Figures 2-4 of Doquire and Verleysen (2012): accuracy of a nearest neighbour by number of features, on real data.

An uncertain expert labels the rows, features are ranked from these labels on the training folds, and a 1-NN classifier
is trained and tested on the true classes: five folds, features in their own units.
"""

from __future__ import annotations

import zlib
from functools import lru_cache

import numpy as np
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier

from experiments.reproduction import Experiment, Task
from experiments.soft_labels.tables import LABELS, orders
from tamis.datasets import read_table, uncertain_expert

DATASETS = {"iris": 0.1, "breast_tissue": 0.3, "sonar": 1.5}
"""About how many seconds a repetition takes."""

DOUBTS, REPETITIONS = (0.2, 0.3), 50
MERGED = {"fad": "other", "mas": "other", "gla": "other"}
"""Breast tissue has six classes; the paper speaks of four, as obtained by merging these three."""


@lru_cache(maxsize=3)
def read(folder, name):
    """Features, and codes of classes."""
    X, y, _ = read_table(folder, name)
    if name == "breast_tissue":
        y = np.array([MERGED.get(c, c) for c in y])
    return X, np.unique(y, return_inverse=True)[1]


def accuracies(X, y, doubt, random) -> np.ndarray:
    """Per cent right for each kind of label (rows) and number of features, over five folds."""
    expert = uncertain_expert(y, doubt, random_state=random)
    right = np.zeros((len(LABELS), X.shape[1]))
    for train, test in StratifiedKFold(5, shuffle=True, random_state=random).split(X, y):
        for row, order in enumerate(orders(X[train], expert.memberships[train], expert.y[train])):
            for n in range(1, X.shape[1] + 1):
                chosen = order[:n]
                nearest = KNeighborsClassifier(1).fit(X[train][:, chosen], y[train])
                right[row, n - 1] += (nearest.predict(X[test][:, chosen]) == y[test]).sum()
    return 100 * right / len(y)


def run(data, key, seed):
    """The curve of each kind of label."""
    curves = accuracies(*read(data, key["data"]), key["doubt"], np.random.RandomState(seed))
    return {label: curve.round(2).tolist() for label, curve in zip(LABELS, curves, strict=True)}


def tasks(quick):
    for repetition in range(10 if quick else REPETITIONS):
        for name, seconds in DATASETS.items():
            for doubt in DOUBTS:
                seed = zlib.crc32(f"{name} {doubt} {repetition}".encode())
                yield Task({"data": name, "doubt": doubt, "repetition": repetition}, seed, seconds)


REAL_DATA = Experiment("soft_labels/real_data", tasks, run)
