"""Three classes of which two are near: what KL and W say of confusing the near ones, and which feature they keep."""

from __future__ import annotations

import numpy as np
from scipy.special import rel_entr

from experiments.class_distance.contenders import path_of
from experiments.class_distance.losses import seed_of
from experiments.reproduction import Experiment, Task
from tamis import ClassDistance, wasserstein

CLASSES = ("alaska", "cat", "husky")
SHOWN = {"all features": (0, 0, 1), "first subset": (0, 0.5, 0.5), "second subset": (0.5, 0, 0.5)}
"""The three columns of the paper's Fig. 1; classes in our order."""

WRITTEN = {"first subset": (0, 1, 0), "second subset": (1, 0, 0)}
"""The text has other numbers than the figure."""

NEAR = 0.2
REPETITIONS, QUICK_REPETITIONS, METRICS = 20, 4, 100


def tasks(quick):
    for repetition in range(QUICK_REPETITIONS if quick else REPETITIONS):
        yield Task({"repetition": repetition}, seed_of("confusions", repetition), 0.3)


def run(data, key, seed):
    rng = np.random.default_rng(seed)
    drawn = [metric(*_triangle(rng)) for _ in range(METRICS)]
    shown = [_told(d, SHOWN) for d in drawn]
    written = [_told(d, {"all features": SHOWN["all features"], **WRITTEN}) for d in drawn]
    usual = metric(1.0, NEAR, 1.0)
    return {
        "kl": [_kl(SHOWN[s]) for s in WRITTEN],
        "kl_written": ["inf" if np.isinf(_kl(p)) else _kl(p) for p in WRITTEN.values()],
        "w": [round(_w(SHOWN[s], usual), 5) for s in WRITTEN],
        "w_written": [round(_w(p, usual), 5) for p in WRITTEN.values()],
        "told": sum(shown),
        "told_written": sum(written),
        "metrics": METRICS,
        "two_classes": _two_classes(),
        **{f"kept_{name}": _kept(name, usual, rng) for name in ("W", "KL")},
    }


def metric(cat_husky, husky_alaska, cat_alaska) -> ClassDistance:
    a, c, h = cat_alaska, cat_husky, husky_alaska
    return ClassDistance([[0, a, h], [a, 0, c], [h, c, 0]], classes=CLASSES)


def _triangle(rng):
    """Distances of three random points, the two kinds of dogs being nearer to each other than a husky to a cat."""
    cat, husky, alaska = rng.normal(size=(3, 2))
    near, far = sorted([np.linalg.norm(husky - alaska), np.linalg.norm(husky - cat)])
    return far, near, np.linalg.norm(cat - alaska)


def _told(distance, three):
    return _w(three["second subset"], distance) < _w(three["first subset"], distance)


def _w(p, distance):
    return float(wasserstein(SHOWN["all features"], p, distance))


def _kl(p, of=SHOWN["all features"]):
    return round(float(rel_entr(of, p).sum()), 5)


def _two_classes():
    """The text's other example: KL, and W, from (0.5, 0.5) to (0.1, 0.9) and to (0.9, 0.1)."""
    even, others = (0.5, 0.5), ((0.1, 0.9), (0.9, 0.1))
    return [[_kl(p, even) for p in others], [round(float(wasserstein(even, p)), 5) for p in others]]


def _kept(name, distance, rng):
    """Which of two features one elimination keeps, in both orders of the columns.

    The first tells the cats from the dogs, the second the kinds of dogs; all classes are as frequent.
    """
    y = rng.permutation(np.repeat(CLASSES, 100))
    X = np.column_stack([y == "cat", y == "alaska"]).astype(float)
    kept = [np.array(order)[path_of(name, X[:, order], y, distance).subset(1)] for order in ([0, 1], [1, 0])]
    return [("cats", "kinds of dogs")[int(k[0])] for k in kept]


CONFUSIONS = Experiment("class_distance/confusions", tasks, run, needs_data=False)
