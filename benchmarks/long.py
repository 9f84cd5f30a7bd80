"""Long tables: steps decided on samples of the rows, against searches with all rows."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tamis import SequentialSelector

from .data import Shape, mixture
from .memory import resident
from .plan import Plan
from .report import Row
from .timing import Seconds, Stopwatch

N_LAST = 10
_HERE = Path(__file__).resolve().parent.parent


def rows(plan: Plan) -> Iterator[Row]:
    yield from _agreement(plan)
    yield from _growth(plan)
    for shape, limit in plan.long:
        yield from _whole(plan, shape, limit)


def _agreement(plan):
    """The last ten features of both searches, for several data sets; a fit may take any thread."""
    equal, watch = 0, Stopwatch()
    for seed in range(plan.n_seeds):
        X, y = mixture(plan.sampled, seed)
        kept = {}
        for name, n_queries in (("all rows", None), ("sampled", "auto")):
            selector = SequentialSelector(n_features_to_select=N_LAST, n_queries=n_queries, n_jobs=2)
            kept[name] = watch.time(name, selector.fit, X, y).support_
        equal += bool((kept["all rows"] == kept["sampled"]).all())
    yield Row(plan.sampled, "backward search, all rows", watch.best["all rows"])
    yield Row(plan.sampled, "backward search, sampled", watch.best["sampled"])
    title = f"the same last {N_LAST} features, of {plan.n_seeds} data sets"
    yield Row(plan.sampled, title, value=equal, unit="", bar=plan.bar(">=", 0.95 * plan.n_seeds))


def _growth(plan):
    """The exponent p in time ~ n_samples ** p."""
    watch = Stopwatch()
    for shape in plan.growth_sampled:
        watch.time(shape, SequentialSelector(n_features_to_select=1, n_jobs=2).fit, *mixture(shape))
        yield Row(shape, "backward search, sampled", watch.best[shape])
    sizes, taken = zip(*((shape.n_samples, watch.best[shape].cpu) for shape in plan.growth_sampled), strict=True)
    exponent = float(np.polyfit(np.log(sizes), np.log(taken), 1)[0])
    yield Row(f"d={shape.n_features}", "growth exponent in n_samples", value=exponent, bar=plan.bar("<=", 1.2))


def _whole(plan, shape, limit):
    """A fit with folds and all, in a process of its own for its memory: that of the data included."""
    command = [sys.executable, "-m", "benchmarks.long", *map(str, shape)]
    done = json.loads(subprocess.run(command, cwd=_HERE, check=True, capture_output=True, text=True).stdout)
    seconds = Seconds(*done["seconds"])
    title = "backward search, folds that decide on the size"
    yield Row(shape, title, seconds, seconds.wall / 60, "min", plan.bar("<=", limit))
    yield Row(shape, "peak memory, data included", value=done["peak"] / 1024, unit="GB", bar=plan.bar("<=", 4))


def _fit(shape) -> dict:
    watch = Stopwatch()
    watch.time("auto", SequentialSelector(random_state=0, n_jobs=2).fit, *mixture(shape))
    return {"seconds": watch.best["auto"], "peak": resident("VmHWM")}


if __name__ == "__main__":
    print(json.dumps(_fit(Shape(*map(int, sys.argv[1:])))))
