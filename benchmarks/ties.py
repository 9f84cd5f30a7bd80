"""Columns that make lists of near samples long: many ties and long tails, against Gaussian ones of the same size."""

from __future__ import annotations

from collections.abc import Iterator

from tamis import MutualInformation

from .backward import ESTIMATORS, search
from .data import mixture, sparse_binary, standardised, word_frequencies
from .plan import Plan
from .report import Row
from .timing import Stopwatch

KINDS = {"sparse binary": sparse_binary, "word frequencies": word_frequencies}


def rows(plan: Plan) -> Iterator[Row]:
    for shape in plan.ties:
        gaussian, y = mixture(shape)
        tables = {"Gaussian": gaussian} | {name: make(shape) for name, make in KINDS.items()}
        for estimator in ESTIMATORS:
            watch = Stopwatch()
            for _ in range(plan.repetitions):
                for name, X in tables.items():
                    watch.time(name, search, standardised(X), y, MutualInformation(estimator=estimator))
            plain = watch.best["Gaussian"]
            yield Row(shape, f"{estimator}: Gaussian", plain)
            for name in KINDS:
                spent = watch.best[name]
                title = f"{estimator}: {name} / Gaussian"
                yield Row(shape, title, spent, spent.cpu / plain.cpu, "x", plan.bar("<=", 3))
