"""Many answers of a crowd, from three columns to memberships: `python -m benchmarks.crowds 500000 5000 10`.

A process of its own, since it is the peak of the memory that matters.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tamis import CrowdLabels, answers_of

from .data import Shape
from .memory import resident
from .plan import Plan
from .report import Row
from .timing import Seconds, Stopwatch

_PER_ROW = 4


def rows(plan: Plan) -> Iterator[Row]:
    for shape in plan.answers:
        command = [sys.executable, "-m", "benchmarks.crowds", *map(str, shape)]
        here = Path(__file__).resolve().parent.parent
        done = subprocess.run(command, cwd=here, check=True, capture_output=True, text=True)
        found = json.loads(done.stdout)
        took = Seconds(*found["seconds"])
        yield Row(shape, f"{found['answers']:,} answers", took, took.wall, "s", plan.bar("<=", 60))
        yield Row(shape, "  peak memory", value=found["gigabytes"], unit="GB", bar=plan.bar("<=", 2))
        yield Row(shape, f"  rows right, {found['iterations']} iterations", value=found["right"], unit="")


def long_table(shape: Shape, seed=0):
    """Rows, names of annotators and answers in any order, four a row or fewer; and the true classes."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, shape.n_classes, shape.n_samples)
    pairs = np.repeat(np.arange(shape.n_samples), _PER_ROW) * shape.n_features
    pairs = rng.permutation(np.unique(pairs + rng.integers(0, shape.n_features, len(pairs))))
    row, who = np.divmod(pairs, shape.n_features)
    right = rng.random(len(row)) < rng.beta(4, 2, shape.n_features)[who]
    label = np.where(right, truth[row], rng.integers(0, shape.n_classes, len(row)))
    people = np.array([f"person {a}" for a in range(shape.n_features)])
    classes = np.array([f"class {s:03}" for s in range(shape.n_classes)], dtype=object)
    return (row, people[who], classes[label]), truth


def _measure(shape):
    table, truth = long_table(shape)
    watch = Stopwatch()
    model = watch.time("fit", lambda: CrowdLabels(estimator=None).fit(None, answers_of(*table, n_rows=len(truth))))
    return {
        "answers": len(table[0]),
        "seconds": watch.best["fit"],
        "gigabytes": resident("VmHWM") / 1024,
        "right": float((model.memberships_.argmax(axis=1) == truth).mean()),
        "iterations": model.n_iter_,
    }


if __name__ == "__main__":
    print(json.dumps(_measure(Shape(*map(int, sys.argv[1:])))))
