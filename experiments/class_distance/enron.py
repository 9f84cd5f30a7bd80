"""Enron mail in a hierarchy of labels: top-k losses by number of words, on the official split and on random ones.

1648 messages, 1001 binary words, 53 labels (the most specific nodes), edges of 0.5, 0.2 and 0.05 by depth. Features are
selected on one copy of a training message for each of its labels; the nearest training messages vote. Losses are in
hundredths.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pandas as pd

from experiments.class_distance.contenders import CONTENDERS, path_of
from experiments.class_distance.losses import METHODS, seed_of
from experiments.class_distance.votes import Votes
from experiments.reproduction import Experiment, Task
from tamis import ClassDistance

SIZES = (10, 20, 40, 60, 80, 100, 120, 150, 200, 300, 500, 1001)
KS = (1, 3, 5, 10)
NEIGHBORS = (10, 1, 30)
"""The paper names none: ten, and two others to see whether that matters."""

WEIGHTS = (0.5, 0.2, 0.05)
N_ROWS, N_TRAIN = 1648, 988
OVERLAP = (N_ROWS - N_TRAIN) / N_TRAIN
SPLITS, QUICK_SPLITS = 40, 4


class Mail:
    """Words, labels as zeros and ones in the order of `distance.classes`, and the official split."""

    def __init__(self, folder):
        rows = pd.read_csv(folder / "enron_hmc.csv.gz", keep_default_na=False)
        self.labels = rows["annotated_nodes"].str.get_dummies("@").sort_index(axis=1)
        self.X = rows.iloc[:, :1001].to_numpy(float)
        self.distance = ClassDistance.from_paths(self.labels.columns.tolist(), weights=WEIGHTS)
        self.official = np.flatnonzero(rows["split"] == "train")

    def split(self, repetition, seed):
        """Training and test rows; repetition 0 is the official split."""
        if repetition == 0:
            return self.official, np.setdiff1d(np.arange(len(self.X)), self.official)
        mixed = np.random.default_rng(seed).permutation(len(self.X))
        return np.sort(mixed[:N_TRAIN]), np.sort(mixed[N_TRAIN:])

    def copies(self, rows):
        """One row for each label of each of these rows, and these labels."""
        copied, labels = np.nonzero(self.labels.to_numpy()[rows])
        return self.X[rows][copied], self.labels.columns.to_numpy(dtype=str)[labels]

    def judge(self, train, test, n_neighbors=10):
        L = self.labels.to_numpy()
        return Votes(self.X[train], L[train], self.X[test], L[test], self.distance.matrix, n_neighbors=n_neighbors)


read = lru_cache(maxsize=1)(Mail)


def tasks(quick):
    """Repetition 0 is the official split. Univariate W-null is beside the paper, and not in the quick run."""
    for repetition in range((QUICK_SPLITS if quick else SPLITS) + 1):
        for method in METHODS if quick else CONTENDERS:
            yield Task({"method": method, "repetition": repetition}, seed_of("split", repetition), 1.5)


def run(data, key, seed):
    mail = read(data)
    train, test = mail.split(key["repetition"], seed)
    path = path_of(key["method"], *mail.copies(train), mail.distance)
    judge = mail.judge(train, test)
    losses = [100 * judge.losses_by_number(path.subset(n), KS, NEIGHBORS) for n in SIZES]
    return {"losses": np.round(np.moveaxis(losses, 0, -1), 3).tolist()}  # (neighbours, k, size)


ENRON = Experiment("class_distance/enron", tasks, run)
