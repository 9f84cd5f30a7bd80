"""Features one by one: the weighted Laplacian score against full matrices and at scale, information against others."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sklearn.feature_selection import mutual_info_classif

from tamis import RankingSelector, weighted_laplacian_score

from . import streaming
from .data import memberships, mixture
from .plan import Plan
from .report import Row
from .timing import Seconds, Stopwatch


def rows(plan: Plan) -> Iterator[Row]:
    yield from _dense(plan)
    yield from _growth(plan)
    yield from _file(plan)
    yield from _information(plan)


def full_matrices(X, P):
    """The score as printed, with the n x n matrices of both graphs; each Laplacian is applied, not formed."""
    similar = P @ P.T
    sides = []
    for weights in (similar, 1.0 - similar):
        degrees = weights.sum(axis=1)
        sides.append((degrees[:, None] * X**2).sum(axis=0) - (X * (weights @ X)).sum(axis=0))
    return sides[0] / sides[1]


def _dense(plan):
    X, y = mixture(plan.laplacian)
    P = memberships(y, 0.6)
    watch = Stopwatch()
    for _ in range(plan.repetitions):
        ours = watch.time("ours", weighted_laplacian_score, X, P, labels="soft")
        theirs = watch.time("full", full_matrices, X, P)
    ours_took, full_took = watch.best["ours"], watch.best["full"]
    yield Row(plan.laplacian, "weighted Laplacian score: tamis", ours_took)
    title = "weighted Laplacian score: full matrices"
    yield Row(plan.laplacian, title, full_took, full_took.cpu / ours_took.cpu, "x", plan.bar(">=", 30))
    off = float(np.abs(ours / theirs - 1).max())
    yield Row(plan.laplacian, "the same scores? largest relative difference", value=off, bar=plan.bar("<", 1e-9))


def _growth(plan):
    watch = Stopwatch()
    data = {shape: mixture(shape) for shape in plan.laplacian_growth}
    for _ in range(plan.repetitions):
        for shape, (X, y) in data.items():
            watch.time(shape, RankingSelector().fit, X, y)
    yield from (Row(shape, "weighted Laplacian score: tamis", watch.best[shape]) for shape in data)
    taken = [watch.best[shape].cpu for shape in data]
    exponent = float(np.polyfit(np.log([shape.n_samples for shape in data]), np.log(taken), 1)[0])
    yield Row("", "growth exponent in n_samples", value=exponent, bar=plan.bar("<", 1.1))


def _file(plan):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.parquet"
        streaming.write(path, plan.file)
        size = path.stat().st_size / 1e6
        command = [sys.executable, "-m", "benchmarks.streaming", str(path), str(plan.file.n_classes)]
        here = Path(__file__).resolve().parent.parent
        done = subprocess.run(command, cwd=here, check=True, capture_output=True, text=True)
    found = json.loads(done.stdout)
    title = f"Parquet file of {size:.0f} MB in blocks: peak memory"
    yield Row(plan.file, title, Seconds(found["cpu"], found["wall"]), found["peak"], "MB", plan.bar("<", 1000))


def _information(plan):
    """scikit-learn's estimate needs a kd-tree per feature and class, and jitters X; ours sorts."""
    for shape in plan.univariate:
        X, y = mixture(shape)
        selector, watch = RankingSelector("mutual_information"), Stopwatch()
        for _ in range(plan.repetitions):
            watch.time("ours", selector.fit, X, y)
            watch.time("theirs", mutual_info_classif, X, y, random_state=0)
        ours, theirs = watch.best["ours"], watch.best["theirs"]
        yield Row(shape, "information of each feature: tamis", ours)
        title = "information of each feature: mutual_info_classif"
        yield Row(shape, title, theirs, theirs.cpu / ours.cpu, "x")
