"""Full backward searches, one thread, against the same work done plainly."""

from __future__ import annotations

from collections.abc import Iterator

from tamis import MutualInformation, SequentialSelector

from .baselines import (
    BRUTE,
    TREES,
    CrossValidation,
    PlainInformation,
    backward_visits,
    sizes_to_time,
    time_prefixes,
    whole_search,
)
from .data import mixture
from .plan import BackwardCase, Plan
from .report import Row
from .timing import Stopwatch

ESTIMATORS = ("distance", "count")


def search(X, y, criterion="mutual_information", **parameters) -> SequentialSelector:
    """A whole backward search, unless it says otherwise, one by one, on the data as they are."""
    how = {"n_features_to_select": 1} | parameters
    return SequentialSelector(criterion, scale=None, step=1, **how).fit(X, y)


def rows(plan: Plan) -> Iterator[Row]:
    for case in plan.backward:
        yield from _case(case, plan)


def _case(case: BackwardCase, plan: Plan) -> Iterator[Row]:
    X, y = mixture(case.shape)
    d = case.shape.n_features
    watch = Stopwatch()
    for _ in range(case.repetitions):
        time_prefixes(watch, "cv", CrossValidation(X, y), sizes_to_time(d))
        for estimator in ESTIMATORS:
            watch.time(estimator, search, X, y, MutualInformation(estimator=estimator))
            for plain in (BRUTE, TREES):
                score = PlainInformation(X, y, plain, estimator)
                time_prefixes(watch, f"{estimator}, {plain.title}", score, sizes_to_time(d))
    for estimator in ESTIMATORS:
        ours = watch.best[estimator]
        yield Row(case.shape, f"{estimator}: tamis", seconds=ours)
        for plain, bar in ((BRUTE, case.brute), (TREES, case.trees)):
            theirs = whole_search(watch, f"{estimator}, {plain.title}", backward_visits(d))
            title = f"{estimator}: {plain.title}"
            yield Row(case.shape, title, theirs, theirs.cpu / ours.cpu, "x", bar, interpolated=True)
        theirs = whole_search(watch, "cv", backward_visits(d))
        title = f"{estimator}: {CrossValidation.title}"
        yield Row(case.shape, title, theirs, theirs.cpu / ours.cpu, "x", interpolated=True)
    ratio = watch.best["count"].cpu / watch.best["distance"].cpu
    yield Row(case.shape, "tamis: count / distance", value=ratio, unit="x", bar=plan.bar("<=", 2))
