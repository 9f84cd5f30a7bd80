"""Figure 1 of Doquire and Verleysen (2012): what the first three artificial problems look like."""

from __future__ import annotations

import zlib

import numpy as np

from experiments.reproduction import Check, Experiment, Finding, Task
from experiments.reproduction.drawing import BLUE, GREEN, ORANGE, PURPLE, panels
from experiments.soft_labels.tables import PROBLEMS
from tamis import weighted_laplacian_score

SHAPES = {"spheres": (50, 3, 4), "squares": (100, 2, 4), "circle": (500, 2, 2)}
"""Samples, relevant features and classes."""

CENTRES = np.array([[0.25, 0.25, 0.25], [0.25, 0.75, 0.75], [0.75, 0.75, 0.25], [0.75, 0.25, 0.75]])
COLORS = np.array([BLUE, ORANGE, GREEN, PURPLE])

RULE = (
    "Measured in generated data sets. Spheres: every sample is within .25 of a centre of the text, and centre and "
    "class correspond. Squares: the class is the quarter of the square. Circle: the classes are inside .4 and outside "
    ".45. Relevant: from the true classes the score ranks the coordinates first in every data set."
)


def misplaced(problem, X, y) -> int:
    """Samples that are not where the text puts their class."""
    if problem == "spheres":
        distance = np.sqrt(((X[:, None, :3] - CENTRES) ** 2).sum(axis=2))
        nearest, inside = distance.argmin(axis=1), distance.min(axis=1) <= 0.25
        return int((~inside | (nearest != _majority(nearest, y))).sum())
    if problem == "squares":
        quarter = (X[:, :2] >= 0.5) @ np.array([2, 1])
        return int((quarter != _majority(quarter, y)).sum())
    radius = np.hypot(*(X[:, :2] - 0.5).T)
    return int(np.where(y == 1, radius >= 0.4, radius <= 0.45).sum())


def _majority(places, y):
    """The place where most samples of the own class are."""
    return np.array([np.bincount(places[y == s]).argmax() for s in range(y.max() + 1)])[y]


def run(data, key, seed):
    """The shape of a data set, and whether it is as described; of the first one, the points."""
    X, y, relevant = PROBLEMS[key["problem"]](random_state=seed)
    best = np.argsort(weighted_laplacian_score(X, y), kind="stable")[: len(relevant)]
    points = X[:, : len(relevant)].round(3).T.tolist() if key["repetition"] == 0 else []
    return {
        "shape": [*X.shape, len(relevant), len(np.unique(y))],
        "misplaced": misplaced(key["problem"], X, y),
        "found": int(np.isin(relevant, best).sum()),
        "points": points,
        "classes": y.tolist() if points else [],
    }


def tasks(quick):
    for repetition in range(10 if quick else 50):
        for problem in SHAPES:
            seed = zlib.crc32(f"picture {problem} {repetition}".encode())
            yield Task({"problem": problem, "repetition": repetition}, seed, seconds=0.01)


PICTURES = Experiment("soft_labels/pictures", tasks, run, needs_data=False)


def check(records):
    if not len(records):
        return None
    checks, found = [], []
    for problem, (n, relevant, classes) in SHAPES.items():
        runs = records.where(problem=problem)
        if not runs:
            continue
        shapes = {tuple(r["shape"]) for r in runs}
        told = "; ".join(f"{s[0]}, {s[1]}, {s[2]}, {s[3]}" for s in sorted(shapes))
        printed = f"{n}, 6, {relevant}, {classes}"
        says = f"{problem}: samples, features, relevant ones, classes"
        checks.append(Check(says, shapes == {(n, 6, relevant, classes)}, told, printed))
        wrong = sum(r["misplaced"] for r in runs)
        total = sum(r["shape"][0] for r in runs)
        checks.append(
            Check(f"{problem}: samples lie where the text puts them", wrong == 0, f"{wrong} of {total} do not")
        )
        all_found = sum(r["found"] == relevant for r in runs)
        says = f"{problem}: without doubt WLS ranks the coordinates first"
        checks.append(Check(says, all_found == len(runs), f"in {all_found} of {len(runs)} data sets"))
        found.append(f"{problem} {all_found}/{len(runs)}")
    n = min(len(records.where(problem=problem)) for problem in SHAPES)
    ours = f"coordinates ranked first: {', '.join(found)}"
    return Finding(f"{n} data sets of each problem", ours, "a picture", checks)


def draw(records):
    figure, axes = panels(1, 3, width=3.0, height=3.1)
    figure.delaxes(axes[0, 0])
    in_space = figure.add_subplot(1, 3, 1, projection="3d")
    for ax, problem in zip((in_space, *axes[0, 1:]), SHAPES, strict=True):
        first = next((r for r in records.where(problem=problem) if r["points"]), None)
        if first is None:
            continue
        points, classes = np.array(first["points"]), np.array(first["classes"])
        ax.scatter(*points, c=COLORS[classes], s=14 if len(points) == 3 else 7)
        ax.set(title=f"{problem}: {len(classes)} samples", xlabel="f1", ylabel="f2", xlim=(0, 1), ylim=(0, 1))
        ax.set_aspect("equal")
        if len(points) == 3:
            ax.set(zlim=(0, 1), zticks=[0, 0.5, 1])
            ax.text(1.05, 1.05, 1.1, "f3")
        ax.set_xticks([0, 0.5, 1])
        ax.set_yticks([0, 0.5, 1])
    return figure
