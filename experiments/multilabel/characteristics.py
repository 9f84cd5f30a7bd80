"""Table 2 of Doquire and Verleysen (2013), and whether its estimator is defined on these data sets."""

from __future__ import annotations

import zlib

import numpy as np

from experiments.multilabel.mulan import DATASETS, official
from experiments.reproduction import Check, Experiment, Finding, Task
from tamis import ChiSquare, RankingSelector

PRINTED = {"yeast": (2417, 103, 14, 198), "scene": (2407, 294, 6, 15), "emotions": (593, 72, 6, 37)}
SPLITS = {"yeast": (1500, 917), "scene": (1211, 1196), "emotions": (391, 202)}
COLUMNS = ("samples", "attributes", "labels", "classes")
RULE = "Every number of the table, and of the splits in the text, is equal to ours. A class is a set of labels."
N_NEIGHBORS = 4


def log_radii(x, k):
    """Log of the distance from each value to its k-th nearest other value; minus infinity if more than k are equal."""
    x = np.sort(x)
    padded = np.concatenate([np.full(k, -np.inf), x, np.full(k, np.inf)])
    n = len(x)
    # The k nearest are neighbours in the order of values: b of them below, k - b above.
    radii = [np.maximum(x - padded[k - b : k - b + n], padded[2 * k - b : 2 * k - b + n] - x) for b in range(k + 1)]
    with np.errstate(divide="ignore"):
        return np.log(np.min(radii, axis=0))


def n_undefined(X, Y, min_class_size) -> int:
    """The number of features of which eq. (7), as printed, has no finite value."""
    _, codes, counts = np.unique(Y, axis=0, return_inverse=True, return_counts=True)
    codes = codes.ravel()
    kept = counts[codes] >= min_class_size
    X, codes = X[kept], codes[kept]
    undefined = 0
    for column in X.T:
        parts = [log_radii(column, N_NEIGHBORS), *(log_radii(column[codes == s], N_NEIGHBORS) for s in set(codes))]
        undefined += not all(np.isfinite(part).all() for part in parts)
    return undefined


def n_zero(X, Y) -> int:
    """The number of features with one MDL bin, and so a chi2 of zero, where all label sets count."""
    codes = np.unique(Y, axis=0, return_inverse=True)[1].ravel()
    return int((RankingSelector(ChiSquare("mdl")).fit(X, codes).scores_ == 0).sum())


def run(data, key, seed):
    split = official(data, key["data"])
    Y = np.vstack([split.Y, split.Y_test])
    return {
        "shape": [len(Y), split.X.shape[1], Y.shape[1], len(np.unique(Y, axis=0))],
        "split": [len(split.Y), len(split.Y_test)],
        "training_classes": len(np.unique(split.Y, axis=0)),
        "without_labels": int((~Y.any(axis=1)).sum()),
        "undefined": n_undefined(split.X, split.Y, DATASETS[key["data"]].min_class_size),
        "zero_chi2": n_zero(split.X, split.Y),
    }


def tasks(quick):
    for name in PRINTED:
        yield Task({"data": name}, zlib.crc32(name.encode()), seconds=1)


CHARACTERISTICS = Experiment("multilabel/characteristics", tasks, run)


def check(records):
    found = {r["data"]: r for r in records}
    if not found:
        return None
    checks = []
    for name, printed in PRINTED.items():
        if name not in found:
            continue
        shape, split = found[name]["shape"], tuple(found[name]["split"])
        for column, theirs, ours in zip(COLUMNS, printed, shape, strict=True):
            checks.append(Check(f"{name}: {column}", theirs == ours, str(ours), str(theirs)))
        told = [f"{a} and {b}" for a, b in (split, SPLITS[name])]
        checks.append(Check(f"{name}: training and test samples", split == SPLITS[name], *told))
        without = found[name]["without_labels"]
        checks.append(Check(f"{name}: every sample has a label", without == 0, f"{without} without", "assumed"))
    told = "; ".join(f"{name} {'/'.join(map(str, r['shape']))}" for name, r in found.items())
    printed = "; ".join(f"{name} {'/'.join(map(str, PRINTED[name]))}" for name in found)
    return Finding("counted once", told, printed, checks)
