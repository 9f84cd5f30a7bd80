"""Section 5.1 of Doquire and Verleysen (2013): two artificial problems, searched and ranked.

A task is one method on one generated data set: the order of the features that it gives, best first, and their scores.
"""

from __future__ import annotations

import zlib

import numpy as np

from experiments.literal import multilabel, plain
from experiments.reproduction import Experiment, Task
from tamis import ChiSquare, MultiLabels, MutualInformation, RankingSelector
from tamis.datasets import make_multilabel_1, make_multilabel_2

SIZE = 5
"""No label set of these problems is rarer, so that nothing is pruned."""

PROBLEMS = {1: make_multilabel_1, 2: make_multilabel_2}
FORMS = ("distance", "count")
"""Estimators of information: the paper's (eq. 7), and ours."""

RANKINGS = {
    **{f"MI, {form}": MutualInformation(4, estimator=form) for form in FORMS},
    "chi2, MDL": ChiSquare("mdl"),
    "chi2, Liu-Setiono": ChiSquare("chi2"),
    "chi2, quantiles": ChiSquare("quantile"),
}
METHODS = {
    1: (*(f"forward, {form}" for form in FORMS), *RANKINGS),
    2: (*(f"{way}, {form}" for way in ("forward", "backward") for form in FORMS), *RANKINGS),
}
PAPERS_OWN, REPETITIONS = 20, 100


def searched(X, Y, direction, form):
    """All features in the order that they enter, or the reverse of that in which they leave."""
    n = X.shape[1] if direction == "forward" else 1
    if form == "distance":
        search = multilabel(SIZE, direction, n)
    else:
        search = plain(MutualInformation(4), direction, labels=MultiLabels(SIZE), n_features_to_select=n)
    path = search.fit(X, Y).path_
    if direction == "forward":
        return path.order.tolist()
    return [*path.subset(1).tolist(), *path.order[::-1].tolist()]


def run(data, key, seed):
    """Order (features counted from 1, as in the paper), scores of a ranking, and the shape of the problem."""
    X, Y, _ = PROBLEMS[key["problem"]](random_state=seed)
    scores = []
    if key["method"] in RANKINGS:
        ranking = RankingSelector(RANKINGS[key["method"]], labels=MultiLabels(SIZE)).fit(X, Y)
        order, scores = ranking.path_.order.tolist(), ranking.scores_.round(4).tolist()
    else:
        order = searched(X, Y, *key["method"].split(", "))
    shape = [*X.shape, Y.shape[1], len(np.unique(Y, axis=0))]
    return {"order": [f + 1 for f in order], "scores": scores, "shape": shape}


def tasks(quick):
    for repetition in range(PAPERS_OWN if quick else REPETITIONS):
        for problem, methods in METHODS.items():
            # The same data set for every method.
            seed = zlib.crc32(f"problem {problem} {repetition}".encode())
            for method in methods:
                yield Task({"problem": problem, "method": method, "repetition": repetition}, seed, seconds=0.2)


ARTIFICIAL = Experiment("multilabel/artificial", tasks, run, needs_data=False)
