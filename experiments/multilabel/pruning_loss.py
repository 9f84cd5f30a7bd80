"""The size below which the library prunes label sets: what a search loses by it, and how steady the choice is.

Usage: python -m experiments.multilabel.pruning_loss DATA [--splits 10]

First the squared error, summed over labels, of ten nearest neighbors on a third of the rows, in the mean over the first
eight features of a forward search on the others; differences from size 2 and eight neighbors with standard errors over
splits, which share rows. Then the sizes that ten seeds choose on all rows, and CPU seconds on one thread.
"""

import argparse
import time
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.neighbors import KNeighborsRegressor

from tamis import MultiLabels, MutualInformation, SequentialSelector

N_LABELS = {"emotions": 6, "enron": 53, "yeast_multilabel": 14, "scene": 6}
SIZES, MOST, SEEDS, N_SELECTED = (2, 3, 5, 9, 14, 20), 8, 10, 10
NEIGHBORS = {"8": lambda size: 8, "4": lambda size: 4, "size - 1": lambda size: min(8, size - 1)}


def read(folder: Path, name):
    values = pd.read_csv(folder / f"{name}.csv.gz").drop(columns="split").to_numpy(float)
    return values[:, : -N_LABELS[name]], values[:, -N_LABELS[name] :].astype(int)


def loss(X, Y, train, size, n_neighbors):
    """Of a search on some rows, on the others."""
    labels = MultiLabels(size, "powerset")
    how = {"labels": labels, "direction": "forward", "n_features_to_select": MOST}
    order = SequentialSelector(MutualInformation(n_neighbors), **how).fit(X[train], Y[train]).path_.order
    Z = (X - X[train].mean(axis=0)) / np.where(X[train].std(axis=0) > 0, X[train].std(axis=0), 1.0)
    errors = []
    for n in range(1, MOST + 1):
        nearest = KNeighborsRegressor(10).fit(Z[train][:, order[:n]], Y[train])
        errors.append(((nearest.predict(Z[~train][:, order[:n]]) - Y[~train]) ** 2).sum(axis=1).mean())
    return np.mean(errors)


def losses(X, Y, splits):
    found = {(size, k): np.zeros(splits) for size in SIZES for k in NEIGHBORS}
    for split in range(splits):
        train = np.random.default_rng(split).permutation(len(X)) % 3 > 0
        for (size, k), values in found.items():
            values[split] = loss(X, Y, train, size, NEIGHBORS[k](size))
    return found


def seconds(what):
    begin = time.process_time()
    return what(), time.process_time() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the data sets")
    parser.add_argument("--splits", type=int, default=10)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")  # classes of few rows
    for name in N_LABELS:
        X, Y = read(asked.data, name)
        found = losses(X, Y, asked.splits)
        base = found[SIZES[0], "8"]
        print(f"{name}, loss with size {SIZES[0]} and 8 neighbors: {base.mean():.4f}; others against it")
        print(f"{'neighbors':<12}" + "".join(f"size {size:<13}" for size in SIZES).rstrip())
        for k in NEIGHBORS:
            apart = [found[size, k] - base for size in SIZES]
            cells = [f"{d.mean():+.4f} ({d.std(ddof=1) / np.sqrt(len(d)):.4f})" for d in apart]
            print(f"{k:<12}" + "".join(f"{cell:<18}" for cell in cells).rstrip())
        labels = [MultiLabels(transform="powerset", random_state=seed) for seed in range(SEEDS)]
        chosen, taken = seconds(lambda: [model.fit(X, Y) for model in labels])  # noqa: B023
        sizes = Counter("{}-{}".format(*model.min_class_size_range_) for model in chosen)
        print("sizes chosen: " + ", ".join(f"{size} ({times} of {SEEDS})" for size, times in sizes.most_common()))
        for direction in ("backward", "forward"):
            fixed = MultiLabels(chosen[0].min_class_size_, "powerset")
            how = {"labels": fixed, "direction": direction, "n_features_to_select": N_SELECTED}
            _, search = seconds(lambda: SequentialSelector("mutual_information", **how).fit(X, Y))  # noqa: B023
            print(f"a choice takes {taken / SEEDS / search:.1f} times as long as a {direction} search to {N_SELECTED}")
        print(flush=True)


if __name__ == "__main__":
    main()
