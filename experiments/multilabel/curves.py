"""Figures 1-3 of Doquire and Verleysen (2013): four criteria of ML-kNN by number of features, on the official splits.

Selections see the training rows only. The search and the rankings by information prune label sets as the paper did;
chi2 counts every label set, as in the work that the paper compares with, and is also run with the same pruning. Scaled:
divided by the standard deviations of the training rows, for the selection and for the classifier.
"""

from __future__ import annotations

import zlib

import numpy as np

from experiments.multilabel.mulan import CRITERIA, DATASETS, SCALES, forward_order, official, ranked_order
from experiments.reproduction import Experiment, Task
from tamis import ChiSquare, MutualInformation, RankingSelector

ALL, RANDOM = "all features", "random"
N_RANDOM = 5


def unpruned_order(criterion):
    """A ranking that counts every label set, however rare."""

    def order(X, Y, size, most, scale):
        _, codes = np.unique(Y, axis=0, return_inverse=True)
        return RankingSelector(criterion).fit(X, codes.ravel()).path_.order

    return order


def searched(estimator):
    return lambda X, Y, size, most, scale: forward_order(X, Y, size, most, scale, estimator=estimator)


METHODS = {
    "MI forward, distance": searched("distance"),
    "MI, distance": ranked_order(MutualInformation(4, estimator="distance")),
    "chi2, MDL": unpruned_order(ChiSquare("mdl")),
    "MI forward, count": searched("count"),
    "MI, count": ranked_order(MutualInformation(4)),
    "chi2, Liu-Setiono": unpruned_order(ChiSquare("chi2")),
    "chi2, quantiles": unpruned_order(ChiSquare("quantile")),
    "chi2, MDL, pruned": ranked_order(ChiSquare("mdl")),
    "chi2, quantiles, pruned": ranked_order(ChiSquare("quantile")),
}
QUICK = ("MI forward, distance", "MI, distance", "chi2, MDL", "chi2, Liu-Setiono", "MI forward, count", ALL)
SECONDS = {"emotions": 2, "yeast": 7, "scene": 20}


def run(data, key, seed):
    """Each criterion by number of features, from 1 to all of them; for all features one value."""
    split = official(data, key["data"]).at_scale(key["scale"])
    n, size = split.X.shape[1], DATASETS[key["data"]].min_class_size
    if key["method"] == ALL:
        values = [split.criteria(np.arange(n)).round(5).tolist()]
    else:
        if key["method"] == RANDOM:
            order = np.random.default_rng(seed).permutation(n)
        else:
            order = METHODS[key["method"]](split.X, split.Y, size, n, key["scale"])
        values = split.curve(order, n)
    return {criterion: list(column) for criterion, column in zip(CRITERIA, zip(*values, strict=True), strict=True)}


def tasks(quick):
    for scale in SCALES:
        for name in DATASETS:
            asked = [(method, 0) for method in (*METHODS, ALL)] + [(RANDOM, r) for r in range(N_RANDOM)]
            for method, repetition in asked:
                # Quick: the paper's own methods, after scaling on the smallest set only.
                if quick and (method not in QUICK or (scale == "scaled" and name != "emotions")):
                    continue
                key = {"data": name, "scale": scale, "method": method, "repetition": repetition}
                seed = zlib.crc32(f"{name} {scale} {method} {repetition}".encode())
                yield Task(key, seed, SECONDS[name] if method != ALL else 0.1)


CURVES = Experiment("multilabel/curves", tasks, run)
