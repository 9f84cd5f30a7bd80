"""Tables 1-5 of Doquire and Verleysen (2012): the share of relevant features among the best ranked ones.

A repetition is the whole of the paper's experiment for one cell: 50 data sets.
"""

from __future__ import annotations

import zlib

import numpy as np

from experiments.literal import weighted_laplacian
from experiments.reproduction import Experiment, Task
from tamis.datasets import make_circle, make_spheres, make_squares, make_y4, make_y5, uncertain_expert

LABELS = ("WLS", "ymax", "yerror")
"""What is ranked from: probabilities, the most probable class, the class recorded."""

N_DATASETS, REPETITIONS = 50, 10

PROBLEMS = {
    "spheres": make_spheres,
    "squares": make_squares,
    "circle": make_circle,
    "Y4 as printed": lambda **seed: make_y4(printed=True, **seed),
    "Y4 repaired": make_y4,
    "Y5 as printed": lambda **seed: make_y5(printed=True, **seed),
    "Y5 repaired": make_y5,
}

_Y4 = {0.25: (95.5, 94.5, 88.5), 0.30: (95.0, 89.0, 87.0), 0.35: (89.5, 82.5, 82.0), 0.40: (84.5, 75.0, 74.0)}
_Y5 = {0.25: (96.8, 93.6, 91.6), 0.30: (94.0, 90.0, 84.8), 0.35: (84.8, 79.2, 74.4), 0.40: (76.4, 72.4, 59.6)}

PRINTED = {
    "spheres": {0.30: (100, 99.33, 96.67), 0.35: (98, 93.33, 92), 0.40: (97.33, 90, 88.67), 0.45: (91.33, 80, 80)},
    "squares": {0.35: (100, 98, 96), 0.40: (99, 94, 96), 0.45: (99, 93, 90), 0.50: (96, 81, 78)},
    "circle": {0.25: (100, 100, 92), 0.30: (97, 97, 87), 0.35: (89, 85, 74), 0.40: (80, 72, 64)},
    "Y4 as printed": _Y4,
    "Y4 repaired": _Y4,
    "Y5 as printed": _Y5,
    "Y5 repaired": _Y5,
}
"""Per cent for each kind of label, by problem and mean doubt."""


def orders(X, memberships, recorded):
    """Features from best to worst by the score (eq. 5 and 10), for each kind of label; classes are 0, 1, ..."""
    n_classes = memberships.shape[1]
    kinds = memberships, np.eye(n_classes)[memberships.argmax(axis=1)], np.eye(n_classes)[recorded]
    return [weighted_laplacian().fit(X, P).path_.order for P in kinds]


def found(make, doubt, random):
    """How many features are relevant, and how many of them are found from each kind of label."""
    # One generator for both: with one seed for each, the draws of the expert would repeat those of the features.
    X, y, relevant = make(random_state=random)
    expert = uncertain_expert(y, doubt, random_state=random)
    best = [order[: len(relevant)] for order in orders(X, expert.memberships, expert.y)]
    return len(relevant), [int(np.isin(relevant, chosen).sum()) for chosen in best]


def run(data, key, seed):
    """The number of relevant features found in each data set."""
    random = np.random.RandomState(seed)
    runs = [found(PROBLEMS[key["problem"]], key["doubt"], random) for _ in range(N_DATASETS)]
    counts = np.array([each for _, each in runs])
    return {"relevant": runs[0][0]} | {label: counts[:, i].tolist() for i, label in enumerate(LABELS)}


def tasks(quick):
    for repetition in range(1 if quick else REPETITIONS):
        for problem, rows in PRINTED.items():
            for doubt in rows:
                seed = zlib.crc32(f"{problem} {doubt} {repetition}".encode())
                yield Task({"problem": problem, "doubt": doubt, "repetition": repetition}, seed, seconds=0.1)


TABLES = Experiment("soft_labels/tables", tasks, run, needs_data=False)


def percentages(records, problem, doubt) -> np.ndarray:
    """Per cent found in every data set, of shape (n_datasets, 3); None if there are no records."""
    found = records.where(problem=problem, doubt=doubt)
    if not found:
        return None
    return np.concatenate([100 * np.array([r[label] for label in LABELS]).T / r["relevant"] for r in found])
