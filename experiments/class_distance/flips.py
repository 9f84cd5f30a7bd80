"""Enron with labels flipped to near ones: features selected on wrong labels, a classifier trained on right ones.

A share of the training labels becomes another label at most 0.2 away, for selection only. With edges of 0.5, 0.2 and
0.05 only topics (1/1 and below) have another label that near; within 0.4 all siblings are, and nearly every label can
be flipped. Each repetition has its own split (the first is the official one) and flips. Top-5 losses in hundredths.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from experiments.class_distance.contenders import path_of
from experiments.class_distance.enron import read
from experiments.class_distance.losses import METHODS, seed_of
from experiments.reproduction import Experiment, Task
from tamis.datasets import flip_within

SIZES = (10, 20, 40, 60, 80, 100, 120, 150, 200, 300, 500)
RATES = (0.0, 0.1, 0.2, 0.3, 0.4)
K = 5
REPETITIONS = {0.2: 20, 0.4: 10}
"""By the distance within which labels are flipped; 0.2 is the paper's."""

QUICK_REPETITIONS = 4


def tasks(quick):
    """The paper's two methods first, then the others."""
    for within, repetitions in ((0.2, QUICK_REPETITIONS),) if quick else REPETITIONS.items():
        for methods in (METHODS[:2],) if quick else (METHODS[:2], METHODS[2:]):
            for repetition, rate, method in product(range(repetitions), RATES, methods):
                key = {"within": within, "rate": rate, "method": method, "repetition": repetition}
                yield Task(key, seed_of("split", repetition), 1.2)


def run(data, key, seed):
    mail = read(data)
    train, test = mail.split(key["repetition"], seed)
    X, y = mail.copies(train)
    near = mail.distance.for_classes(np.unique(y), extra="drop")
    noisy = flip_within(y, key["rate"], near, key["within"], random_state=seed)
    path = path_of(key["method"], X, noisy.y, mail.distance)
    judge = mail.judge(train, test)
    losses = [100 * float(judge.losses(path.subset(n), (K,)).mean()) for n in SIZES]
    return {"losses": np.round(losses, 3).tolist(), "flipped": round(100 * len(noisy.changed) / len(y), 2)}


FLIPS = Experiment("class_distance/flips", tasks, run)
