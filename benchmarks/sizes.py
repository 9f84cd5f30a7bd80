"""What it costs to find out how many features: "auto" repeats a search on folds; and groups of columns."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tamis import BlanketSelector, RankingSelector, SequentialSelector

from .data import mixture, soft_classes
from .plan import Plan
from .report import Row
from .timing import Stopwatch

SELECTORS = {
    "backward search": SequentialSelector,
    "blanket elimination": BlanketSelector,
    "ranking by mutual information": lambda **how: RankingSelector("mutual_information", **how),
}


def rows(plan: Plan) -> Iterator[Row]:
    X, y = mixture(plan.size)
    for name, make in SELECTORS.items():
        watch = Stopwatch()
        for _ in range(plan.repetitions + 2):
            watch.time("fixed", make(n_features_to_select=1, random_state=0).fit, X, y)
            watch.time("once", make(n_features_to_select="auto", n_repeats=1, random_state=0).fit, X, y)
        watch.time("auto", make(n_features_to_select="auto", random_state=0).fit, X, y)
        fixed = watch.best["fixed"]
        yield Row(plan.size, name, fixed)
        for kind, what in (("once", "folds once"), ("auto", "until steady")):
            spent = watch.best[kind]
            yield Row(plan.size, f"{name}, {what}", spent, spent.cpu / fixed.cpu, "x")
    yield from _groups(plan, X, y)
    yield from _soft(plan)


def _groups(plan, X, y):
    watch = Stopwatch()
    labels = np.arange(X.shape[1]) // 4
    for _ in range(plan.repetitions + 2):
        watch.time("single", SequentialSelector(n_features_to_select=1, step=1).fit, X, y)
        watch.time("groups", SequentialSelector(n_features_to_select=1, step=1, feature_groups=labels).fit, X, y)
    single, groups = watch.best["single"], watch.best["groups"]
    yield Row(plan.size, "backward search over groups of four / over columns", groups, groups.cpu / single.cpu, "x")


def _soft(plan):
    """What a person waits for, on two cores: search, folds, judges and roles, everything default."""
    watch = Stopwatch()
    X, P = soft_classes(plan.size_soft)
    watch.time("soft", SequentialSelector(labels="soft", random_state=0, n_jobs=2).fit, X, P)
    taken = watch.best["soft"]
    title = "backward search, every class in every row, two threads: wall time"
    yield Row(plan.size_soft, title, taken, taken.wall, "s", plan.bar("<=", 60))
