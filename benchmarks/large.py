"""What a person waits for where classes or columns are many: trees of classes, a file with too many columns, help."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from tamis import ClassDistance
from tamis.cli.tables import Refused, read
from tamis.views.drawing import TreeDrawing
from tamis.views.figures import ClassTreeDisplay

from .plan import Plan
from .report import Row
from .timing import Seconds, Stopwatch

SHAPES = {"chain": lambda i: i - 1, "bushy": lambda i: (i - 1) // 3, "star": lambda i: 0}


def rows(plan: Plan) -> Iterator[Row]:
    for shape in (*SHAPES, "vectors"):
        yield from _classes(plan, shape)
    yield from _header(plan)
    yield from _help(plan)


def _classes(plan, shape):
    rng, n, watch = np.random.default_rng(0), plan.n_classes, Stopwatch()
    if shape == "vectors":
        distance = watch.time("distances", ClassDistance.from_vectors, rng.normal(size=(n, 50)))
    else:
        edges = [(SHAPES[shape](i), i, float(length)) for i, length in enumerate(rng.exponential(size=n)) if i]
        distance = watch.time("distances", ClassDistance.from_tree, edges)
    matrix = ClassDistance(distance.matrix)
    nodes = watch.time("tree", matrix.nodes)
    keys = ("name", "parent", "length", "class")
    summary = {"tree": [dict(zip(keys, node, strict=True)) for node in nodes], "classes": list(range(n))}
    confusions = [{"true": i, "recorded": n - 1 - i, "cost": 1 / (i + 1)} for i in range(50)]
    watch.time("SVG", TreeDrawing, summary | {"confusions": confusions})
    watch.time("figure", _figure, summary["tree"], confusions)
    for what, limit in (("distances", 5), ("tree", 2), ("SVG", 1), ("figure", 5)):
        taken = watch.best[what]
        yield Row(f"{n} classes", f"{shape}: {what}", taken, taken.cpu, "s", plan.bar("<", limit))


def _figure(nodes, confusions):
    display = ClassTreeDisplay(nodes=nodes, confusions=confusions).plot()
    display.figure_.set_dpi(40)
    display.figure_.canvas.draw()
    plt.close(display.figure_)


def _header(plan):
    n, watch = plan.n_columns, Stopwatch()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "wide.csv"
        path.write_text(",".join(f"gene {i}" for i in range(n)) + "\n" + ("0.25," * (n - 1) + "1\n") * 30)
        watch.time("header", _refused, path)
    taken = watch.best["header"]
    yield Row(f"{n} columns", "a file of 30 rows is refused by its header", taken, taken.cpu, "s", plan.bar("<", 1))


def _refused(path):
    try:
        read(path)
    except Refused:
        return
    raise AssertionError("a table of that width is to be refused")


def _help(plan):
    """As a program: most of it is importing."""
    watch, taken = Stopwatch(), []
    for _ in range(plan.repetitions):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        watch.time("help", subprocess.run, [sys.executable, "-m", "tamis", "--help"], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    yield Row("", "tamis --help", Seconds(min(taken), watch.best["help"].wall), min(taken), "s", plan.bar("<", 1))
