"""Forward search against plain trees, and the risk as criterion."""

from __future__ import annotations

from collections.abc import Iterator

from tamis import BayesRisk, MutualInformation, SequentialSelector

from .backward import ESTIMATORS, search
from .baselines import TREES, PlainInformation, forward_visits, sizes_to_time, time_prefixes, whole_search
from .data import mixture
from .plan import Plan
from .report import Row
from .timing import Stopwatch


def forward_rows(plan: Plan) -> Iterator[Row]:
    n_selected = plan.n_features_forward
    for shape in plan.forward:
        X, y = mixture(shape)
        for estimator in ESTIMATORS:
            criterion = MutualInformation(estimator=estimator)
            selector = SequentialSelector(criterion, direction="forward", n_features_to_select=n_selected, scale=None)
            score, watch = PlainInformation(X, y, TREES, estimator), Stopwatch()
            for _ in range(plan.repetitions):
                watch.time("tamis", selector.fit, X, y)
                time_prefixes(watch, "trees", score, sizes_to_time(n_selected))
            ours, theirs = (
                watch.best["tamis"],
                whole_search(watch, "trees", forward_visits(shape.n_features, n_selected)),
            )
            yield Row(shape, f"{estimator}: tamis", ours)
            title = f"{estimator}: {TREES.title}"
            yield Row(shape, title, theirs, theirs.cpu / ours.cpu, "x", plan.bar(">=", 25), interpolated=True)


def risk_rows(plan: Plan) -> Iterator[Row]:
    for shape in plan.risk:
        watch = Stopwatch()
        for _ in range(plan.repetitions):
            watch.time("risk", search, *mixture(shape), BayesRisk())
        yield Row(shape, "risk, backward: tamis", watch.best["risk"])
