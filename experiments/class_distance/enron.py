"""Enron mail in a hierarchy of labels: top-k losses by number of features, on the official split and on random ones.

Usage: python -m experiments.class_distance.enron DATA [--splits 20] [--neighbors 10] [--show]

1648 messages, 1001 binary words, 53 labels (the most specific nodes), edges of 0.5, 0.2 and 0.05 by depth. Features are
selected on one copy of a training message for each of its labels; the nearest training messages vote. Losses are in
hundredths.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
from experiments.class_distance.contenders import CONTENDERS, PAIRS, differences, interval, path_of
from experiments.class_distance.votes import Votes
from experiments.runs import Runs, table

from tamis import ClassDistance

SIZES = (10, 20, 40, 60, 80, 100, 120, 150, 200, 300, 500, 1001)
KS = (1, 3, 5, 10)
WEIGHTS = (0.5, 0.2, 0.05)
N_TRAIN = 988
RESULTS = Path(__file__).parent / "results"


class Mail:
    """Words, labels as zeros and ones in the order of `distance.classes`, and the official split."""

    def __init__(self, folder):
        rows = pd.read_csv(folder / "enron_hmc.csv.gz", keep_default_na=False)
        self.labels = rows["annotated_nodes"].str.get_dummies("@").sort_index(axis=1)
        self.X = rows.iloc[:, :1001].to_numpy(float)
        self.distance = ClassDistance.from_paths(self.labels.columns.tolist(), weights=WEIGHTS)
        self.official = np.flatnonzero(rows["split"] == "train")

    def split(self, number):
        """Training and test rows; number 0 is the official split."""
        if number == 0:
            return self.official, np.setdiff1d(np.arange(len(self.X)), self.official)
        mixed = np.random.default_rng(number).permutation(len(self.X))
        return np.sort(mixed[:N_TRAIN]), np.sort(mixed[N_TRAIN:])

    def copies(self, rows):
        """One row for each label of each of these rows, and these labels."""
        copied, labels = np.nonzero(self.labels.to_numpy()[rows])
        return self.X[rows][copied], self.labels.columns.to_numpy(dtype=str)[labels]

    def judge(self, train, test, n_neighbors=10):
        L = self.labels.to_numpy()
        return Votes(self.X[train], L[train], self.X[test], L[test], self.distance.matrix, n_neighbors=n_neighbors)


def run(mail, splits, n_neighbors, results):
    done = results.done()
    for number in range(splits + 1):
        train, test = mail.split(number)
        judge = mail.judge(train, test, n_neighbors)
        for name in CONTENDERS:
            if (f"top-{KS[0]}", name, number) in done:
                continue
            path = path_of(name, *mail.copies(train), mail.distance)
            curves = 100 * np.array([judge.losses(path.subset(n), KS).mean(axis=1) for n in SIZES]).T
            for k, curve in zip(KS, curves, strict=True):
                results.add(data=f"top-{k}", method=name, repetition=number, errors=np.round(curve, 3).tolist())


def show(mail, n_neighbors, results):
    overlap = (len(mail.X) - N_TRAIN) / N_TRAIN
    for k in KS:
        curves = results.curves(f"top-{k}")
        curves = {name: curves[name] for name in CONTENDERS}
        official = {name: {0: runs.pop(0)} for name, runs in curves.items()}
        print(f"\ntop-{k}, official split\n" + table(official, SIZES, "W", "loss, hundredths"))
        print(f"\ntop-{k}, random splits\n" + table(curves, SIZES, "KL", "loss, hundredths"))
        print(
            "standard errors that allow for splits of the same messages\n" + differences(curves, SIZES, PAIRS, overlap)
        )
    bootstrap(mail, n_neighbors)


def bootstrap(mail, n_neighbors):
    """Differences of the mean loss over the sizes on the official split, over its test messages."""
    train, test = mail.split(0)
    judge, rng = mail.judge(train, test, n_neighbors), np.random.default_rng(0)
    paths = {name: path_of(name, *mail.copies(train), mail.distance) for name in CONTENDERS}
    losses = {
        name: np.mean([judge.losses(path.subset(n), KS) for n in SIZES[:-1]], axis=0) for name, path in paths.items()
    }
    print("\nofficial split, mean over the sizes but the last: difference, 95 % interval over test messages")
    for one, other in PAIRS:
        line = f"{one + ' - ' + other:<26}"
        for row, k in enumerate(KS):
            apart = 100 * (losses[one][row] - losses[other][row])
            low, high = interval(apart, rng)
            line += f"   top-{k} {apart.mean():+.2f} [{low:+.2f}, {high:+.2f}]"
        print(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the data sets")
    parser.add_argument("--splits", type=int, default=20)
    parser.add_argument("--neighbors", type=int, default=10)
    parser.add_argument("--show", action="store_true", help="print the tables only")
    asked = parser.parse_args()
    mail, results = Mail(asked.data), Runs(RESULTS / f"enron_{asked.neighbors}.jsonl")
    if not asked.show:
        run(mail, asked.splits, asked.neighbors, results)
    print(f"{asked.neighbors} neighbours")
    show(mail, asked.neighbors, results)


if __name__ == "__main__":
    main()
