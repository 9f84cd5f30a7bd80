"""More features than rows: a search, the whole command as a person runs it, growth with the number of features."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import make_classification

from tamis import SequentialSelector

from .data import Shape
from .plan import Plan
from .report import Row
from .timing import Seconds, Stopwatch

DATA = Path(os.environ.get("TAMIS_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
N_SELECTED, N_SHIFTED = 10, 20


def rows(plan: Plan) -> Iterator[Row]:
    tables = {plan.wide: shifted(plan.wide), plan.probes: _hypercube(plan.probes)}
    for (shape, (X, y)), few, all_of_it in zip(tables.items(), (2, 5), (30, 60), strict=True):
        watch = Stopwatch()
        for _ in range(plan.repetitions):
            watch.time("search", SequentialSelector(n_features_to_select=N_SELECTED, n_jobs=2).fit, X, y)
        taken = watch.best["search"]
        yield Row(shape, "search, two threads: wall time", taken, taken.wall, "s", plan.bar("<=", few))
        yield from _command(plan, shape, X, y, all_of_it)
    for path in sorted(DATA.glob("wide_*.npz")) if plan.bars else ():
        with np.load(path) as data:
            yield from _command(plan, path.stem, np.asarray(data["X"], dtype=float), data["y"], 20)
    yield from _growth(plan)


def shifted(shape: Shape, seed=0):
    """Standard normal columns, 20 of them shifted by 0.8 in the second class."""
    rng = np.random.default_rng(seed)
    X, y = rng.standard_normal(shape[:2]), rng.integers(shape.n_classes, size=shape.n_samples)
    X[:, :N_SHIFTED] += 0.8 * y[:, None]
    return X, y


def _hypercube(shape):
    """5 informative features, 15 combinations of them, and probes."""
    how = {"n_informative": 5, "n_redundant": 15, "random_state": 0}
    return make_classification(shape.n_samples, shape.n_features, **how)


def _command(plan, data, X, y, limit):
    """`tamis select` with a noise model, folds and the report; memory is no more than what is said."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "table.parquet"
        pd.DataFrame(X, columns=[f"x{f}" for f in range(X.shape[1])]).assign(kind=y).to_parquet(file)
        asked = [
            "select",
            str(file),
            "-t",
            "kind",
            "--labels",
            "noisy",
            "--jobs",
            "2",
            "--quiet",
            "--out",
            folder + "/out",
        ]
        begin = time.perf_counter()
        child = subprocess.Popen([sys.executable, "-m", "tamis", "select", str(file), *asked])
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        taken = Seconds(used.ru_utime + used.ru_stime, time.perf_counter() - begin)
    if child.returncode:
        raise RuntimeError(f"tamis select ended with {child.returncode} on {data}.")
    megabytes = used.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
    yield Row(data, "tamis select --labels noisy --jobs 2: wall time", taken, taken.wall, "s", plan.bar("<=", limit))
    yield Row(data, "    its memory", None, megabytes, "MB", plan.bar("<=", 1000))


def _growth(plan):
    watch, shapes = Stopwatch(), plan.wide_growth
    tables = {shape: shifted(shape) for shape in shapes}
    for _ in range(plan.repetitions):
        for shape, (X, y) in tables.items():
            watch.time(shape, SequentialSelector(n_features_to_select=N_SELECTED).fit, X, y)
            watch.time((shape, "all"), SequentialSelector(n_features_to_select=N_SELECTED, step=0.1).fit, X, y)
    features = np.log([shape.n_features for shape in shapes])
    for name, what in ((lambda s: s, "search"), (lambda s: (s, "all"), "search from all features, step=0.1")):
        taken = [watch.best[name(shape)] for shape in shapes]
        power = np.polyfit(features, np.log([one.cpu for one in taken]), 1)[0]
        span = f"{shapes[0].n_features} to {shapes[-1].n_features}"
        yield Row(shapes[-1], f"{what}, {span}: exponent of d", taken[-1], power, "", plan.bar("<=", 1.2))
