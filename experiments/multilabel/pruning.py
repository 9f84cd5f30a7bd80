"""Section 4 and Figures 4-5 of Doquire and Verleysen (2013): the size below which label sets are pruned.

First the permutation test, with other folds and permutations in each repetition, as printed (each estimate is from one
fold of 20, by distances) and as the library does it (from the other 19 folds, by counts). Then the forward search after
pruning at every size.
"""

from __future__ import annotations

import zlib

import numpy as np

from experiments.multilabel.mulan import CRITERIA, forward_order, official
from experiments.reproduction import Experiment, Task
from tamis import MultiLabels

SIZES = range(5, 21)
READINGS = ("as printed", "other folds")
REPETITIONS = 20
SECONDS = {("emotions", "as printed"): 1, ("yeast", "as printed"): 2, ("scene", "as printed"): 2}
SECONDS |= {("emotions", "other folds"): 2, ("yeast", "other folds"): 14, ("scene", "other folds"): 10}


def run_test(data, key, seed):
    """t for each size (None where there is none), and the sizes chosen, which prune alike: from, to."""
    split = official(data, key["data"])
    how = {"size_method": "permutation", "n_neighbors": 4, "n_repeats": 1, "random_state": seed}
    model = MultiLabels(printed=key["reading"] == "as printed", **how)
    try:
        model.fit(split.X, split.Y)
    except ValueError as error:
        if "fold" not in str(error):
            raise
        return {"t": [None] * len(SIZES), "chosen": []}
    t = [model.t_statistics_.get((size, 4), -np.inf) for size in SIZES]
    low, high = model.min_class_size_range_
    return {
        "t": [round(value, 3) if np.isfinite(value) else None for value in t],
        "chosen": [max(SIZES[0], low), min(SIZES[-1], high)],
    }


def tests(quick):
    for repetition in range(2 if quick else REPETITIONS):
        for (name, reading), seconds in SECONDS.items():
            key = {"data": name, "reading": reading, "repetition": repetition}
            yield Task(key, zlib.crc32(f"{name} {reading} {repetition}".encode()), seconds)


TESTS = Experiment("multilabel/pruning_tests", tests, run_test)


def run_curve(data, key, seed):
    """The criteria after pruning at a size, and the smallest size that prunes the same sets."""
    split, n_features = official(data, key["data"]).at_scale(key["scale"]), 50
    order = forward_order(split.X, split.Y, key["size"], n_features, key["scale"], estimator=key["form"])
    curve = np.array(split.curve(order, n_features))
    same = MultiLabels(key["size"]).fit(None, split.Y).min_class_size_
    return {"same_as": max(SIZES[0], same)} | {c: curve[:, i].tolist() for i, c in enumerate(CRITERIA[:2])}


def curves(quick):
    for scale, form in (("raw", "distance"), ("raw", "count"), ("scaled", "distance"), ("scaled", "count")):
        for name, seconds in (("emotions", 0.7), ("yeast", 3)):
            for size in SIZES:
                if not quick or scale == "raw":
                    key = {"data": name, "scale": scale, "form": form, "size": size}
                    yield Task(key, zlib.crc32(f"{name} {scale} {form} {size}".encode()), seconds)


PRUNED = Experiment("multilabel/pruning_curves", curves, run_curve)
