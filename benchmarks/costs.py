"""What else a search costs: soft labels, threads, memory, growth with the data."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tamis import CrowdLabels, MutualInformation

from .backward import ESTIMATORS, search
from .data import answers, memberships, mixture
from .plan import Plan
from .report import Row
from .timing import Stopwatch


def rows(plan: Plan) -> Iterator[Row]:
    for shape in plan.soft:
        yield from _soft(plan, shape)
    yield from _in_doubt(plan)
    yield from _crowd(plan)
    yield from _threads(plan)
    yield from _memory(plan)
    yield from _growth(plan, plan.growth_in_d, "n_features", plan.bar("<", 1.9))
    yield from _growth(plan, plan.growth_in_n, "n_samples", None)


def _soft(plan, shape):
    X, y = mixture(shape)
    watch = Stopwatch()
    for _ in range(plan.repetitions):
        watch.time("hard", search, X, y)
        watch.time("one-hot", search, X, memberships(y, 1.0), labels="soft")
        watch.time("spread", search, X, memberships(y, 0.8), labels="soft")
    hard, one_hot, spread = (watch.best[name] for name in ("hard", "one-hot", "spread"))
    yield Row(shape, "count: hard labels", hard)
    yield Row(shape, "count: one-hot soft labels / hard", one_hot, one_hot.cpu / hard.cpu, "x", plan.bar("<=", 2))
    title = "count: every class in every row / hard"
    yield Row(shape, title, spread, spread.cpu / hard.cpu, "x", plan.bar("<=", 8))


def _in_doubt(plan):
    """Few of many classes are possible in a row, as annotators' answers make it."""
    X, y = mixture(plan.in_doubt)
    certain = memberships(y, 1.0)
    doubtful = 0.7 * certain + 0.3 * np.roll(certain, 1, axis=1)
    watch = Stopwatch()
    for _ in range(plan.repetitions):
        watch.time("hard", search, X, y)
        watch.time("soft", search, X, doubtful, labels="soft")
    hard, soft = watch.best["hard"], watch.best["soft"]
    yield Row(plan.in_doubt, "count: two classes in every row / hard", soft, soft.cpu / hard.cpu, "x")


def _crowd(plan):
    """Posteriors of annotators' answers against the most probable classes: most memberships are tiny."""
    X, y = mixture(plan.crowd)
    watch = Stopwatch()
    posteriors = {each: CrowdLabels().fit(None, answers(y, each)).memberships_ for each in (2.5, 5)}
    for _ in range(plan.repetitions):
        for each, P in posteriors.items():
            for direction, n_selected in (("backward", 1), ("forward", min(10, plan.crowd.n_features - 1))):
                for labels, target in (("hard", P.argmax(axis=1)), ("soft", P)):
                    how = {"labels": labels, "direction": direction, "n_features_to_select": n_selected}
                    watch.time((each, direction, labels), search, X, target, **how)
    for each, direction, labels in watch.best:
        hard, soft = watch.best[each, direction, "hard"], watch.best[each, direction, "soft"]
        if labels == "soft":
            title = f"count: crowd, {each} answers a row, {direction} / hard"
            yield Row(plan.crowd, title, soft, soft.cpu / hard.cpu, "x", plan.bar("<=", 4))


def _threads(plan):
    """Wall time, the only figure here that CPU time cannot give.

    It needs a machine with nothing else to do, so the same rounds also tell what two threads of plain hashing gain.
    """
    X, y = mixture(plan.threads)
    watch = Stopwatch()
    for _ in range(plan.repetitions):
        for n_jobs in (1, 2):
            for estimator in ESTIMATORS:
                criterion = MutualInformation(estimator=estimator)
                watch.time((estimator, n_jobs), search, X, y, criterion, n_jobs=n_jobs)
            watch.time(("hashing", n_jobs), _hash, n_jobs)
    for estimator in ESTIMATORS:
        one, two = watch.best[estimator, 1], watch.best[estimator, 2]
        yield Row(plan.threads, f"{estimator}: one thread", one)
        title = f"{estimator}: two threads, wall time gained"
        yield Row(plan.threads, title, two, one.wall / two.wall, "x", plan.bar(">=", 1.7))
    one, two = watch.best["hashing", 1], watch.best["hashing", 2]
    yield Row("", "what this machine gave: two threads of hashing", two, one.wall / two.wall, "x")


def _hash(n_threads):
    """The same amount of hashing, split over so many threads; hashlib lets them run at once."""
    block = bytes(2**23)

    def work():
        for _ in range(64 // n_threads):
            hashlib.sha256(block)

    threads = [threading.Thread(target=work) for _ in range(n_threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _memory(plan):
    for estimator in ESTIMATORS:
        command = [sys.executable, "-m", "benchmarks.memory", estimator, *map(str, plan.memory)]
        here = Path(__file__).resolve().parent.parent
        done = subprocess.run(command, cwd=here, check=True, capture_output=True, text=True)
        title = f"{estimator}: peak extra memory of a step"
        yield Row(plan.memory, title, value=json.loads(done.stdout), unit="MB", bar=plan.bar("<", 100))


def _growth(plan, shapes, dimension, bar):
    """The exponent p in time ~ size ** p, by regression on logarithms."""
    sizes = [getattr(shape, dimension) for shape in shapes]
    fixed = f"n={shapes[0].n_samples}" if dimension == "n_features" else f"d={shapes[0].n_features}"
    for estimator in ESTIMATORS:
        watch = Stopwatch()
        for _ in range(plan.repetitions):
            for shape in shapes:
                watch.time(shape, search, *mixture(shape), MutualInformation(estimator=estimator))
        taken = [watch.best[shape].cpu for shape in shapes]
        exponent = float(np.polyfit(np.log(sizes), np.log(taken), 1)[0])
        yield from (Row(shape, f"{estimator}: tamis", watch.best[shape]) for shape in shapes)
        yield Row(fixed, f"{estimator}: growth exponent in {dimension}", value=exponent, unit="", bar=bar)
