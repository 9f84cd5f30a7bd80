"""Section 4: the balanced rate of a 1-nearest-neighbour classifier by the number of features, for each criterion."""

from __future__ import annotations

import zlib
from functools import cache

import numpy as np
from sklearn.model_selection import StratifiedKFold

from experiments import literal
from experiments.reproduction import Experiment, Task
from tamis import BayesRisk, MutualInformation
from tamis.datasets import read_table

FOLDS, SHUFFLES, QUICK_SHUFFLES = 10, 10, 2
SECONDS = {"ecoli": 1, "glass": 1, "seeds": 1, "breast_tissue": 1, "wine": 1, "ionosphere": 10}
NAMES = {
    "ecoli": "Ecoli",
    "ionosphere": "Ionosphere",
    "seeds": "Seeds",
    "breast_tissue": "Breast Tissue",
    "glass": "Glass",
    "wine": "Wine",
}
PRINTED = {"information": "mutual_information", "count": "count", "expected": "expected"}
OURS = {
    "our_information": lambda: MutualInformation(8),
    "our_count": lambda: BayesRisk("count"),
    "our_expected": lambda: BayesRisk("expected"),
}


@cache
def _data(folder, name):
    X, y, _ = read_table(folder, name)
    X = X[:, X.std(axis=0) > 0]
    return (X - X.mean(axis=0)) / X.std(axis=0), np.unique(y, return_inverse=True)[1]


def rates(X, y, X_test, y_test, order) -> list[float]:
    """Balanced rate in per cent with the first, the first two, ... and all of the features in `order`."""
    apart, found = np.zeros((len(X_test), len(X))), []
    for feature in order:
        apart += (X_test[:, [feature]] - X[:, feature]) ** 2
        right = y[apart.argmin(axis=1)] == y_test
        found.append(100 * np.mean([right[y_test == s].mean() for s in np.unique(y_test)]))
    return found


def run_shuffle(folder, key, seed) -> dict:
    """Rates of the ten folds by size for the criteria as printed, and their mean for ours, which need no jitter."""
    X, y = _data(folder, key["data"])
    rng = np.random.default_rng(seed)
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=int(rng.integers(2**31)))
    found: dict = {name: [] for name in (*PRINTED, *OURS)}
    for train, test in folds.split(X, y):
        jitter = int(rng.integers(2**31))
        searches = {name: literal.risk(criterion, jitter) for name, criterion in PRINTED.items()}
        searches |= {name: literal.plain(criterion()) for name, criterion in OURS.items()}
        for name, search in searches.items():
            order = search.fit(X[train], y[train]).path_.lasting()
            found[name].append(rates(X[train], y[train], X[test], y[test], order))
    means = {name: np.mean(found[name], axis=0).round(2).tolist() for name in OURS}
    return {name: np.round(found[name], 1).tolist() for name in PRINTED} | means


def _tasks(quick):
    for r in range(QUICK_SHUFFLES if quick else SHUFFLES):
        for name, seconds in SECONDS.items():
            yield Task({"data": name, "repetition": r}, zlib.crc32(f"risk {name} {r}".encode()), seconds)


CURVES = Experiment("risk/curves", _tasks, run_shuffle)
