"""What a noise model adds to a full backward search, itself included."""

from __future__ import annotations

from collections.abc import Iterator

from tamis import MutualInformation, NoisyLabels
from tamis.datasets import flip_uniform

from .backward import ESTIMATORS, search
from .data import mixture
from .plan import Plan
from .report import Row
from .timing import Stopwatch

MODELS = {
    "default, once": NoisyLabels(),
    "neighbours, once": NoisyLabels(None),
    "neighbours, each step": NoisyLabels(None, refit="each-step"),
}
SOFT = "default, once, soft"
OTHERS = {"default, each step": NoisyLabels(refit="each-step"), SOFT: NoisyLabels(soft=True)}


def rows(plan: Plan) -> Iterator[Row]:
    for shape in plan.tolerant:
        X, y = mixture(shape)
        y = flip_uniform(y, 0.2, random_state=0).y
        watch = Stopwatch()
        for repetition in range(plan.repetitions):
            for estimator in ESTIMATORS:
                criterion = MutualInformation(estimator=estimator)
                watch.time((estimator, "plain"), search, X, y, criterion)
                # The slow ones once, with the default estimator.
                models = MODELS | (OTHERS if repetition == 0 and estimator == "count" else {})
                for name, labels in models.items():
                    found = watch.time((estimator, name), search, X, y, criterion, labels=labels, random_state=0)
                    if name == SOFT:
                        P = found.memberships_
                        watch.time((estimator, f"{name}, the search alone"), search, X, P, criterion, labels="soft")
        for (estimator, name), taken in watch.best.items():
            plain = watch.best[estimator, "plain"]
            bar = plan.bar("<=", 8) if name in MODELS or name.startswith(SOFT) else None
            value = None if name == "plain" else taken.cpu / plain.cpu
            yield Row(shape, f"{estimator}: {name}", taken, value, "x" if value else "", bar if value else None)
