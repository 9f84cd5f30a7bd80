"""Figures 1-3: four criteria of ML-kNN by number of features, on the official splits.

Usage: python -m experiments.multilabel.label_curves DATA [--datasets emotions,yeast,scene] [--show]

Selections see the training rows only, with the paper's pruning (label sets of fewer than 9, 8 and 12 rows); "all sets"
are rankings that prune nothing. Scaled: divided by the standard deviations of the training rows, for the search and for
the classifier.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from experiments.multilabel.mulan import (
    CRITERIA,
    DATASETS,
    HIGHER_IS_BETTER,
    METHODS,
    SCALES,
    UNPRUNED,
    official,
    random_order,
)
from experiments.runs import Runs

RESULTS = Runs(Path(__file__).parent / "results" / "curves.jsonl")
MOST = {"emotions": 50, "yeast": 50, "scene": 80}
SIZES = (5, 10, 20, 30, 50)
SEEDS = 5
ALL, RANDOM = "all features", "random"


def add(data, method, repetition, errors):
    RESULTS.add(data=data, method=method, repetition=repetition, errors=errors)
    print(data, method, repetition, file=sys.stderr, flush=True)


def run(folder, name):
    for scale in SCALES:
        split, title = official(folder, name).at_scale(scale), f"{name} {scale}"
        size, most = DATASETS[name].min_class_size, MOST[name]
        work = {(method, 0): order for method, order in (METHODS | UNPRUNED).items()}
        work |= {(RANDOM, seed): random_order(seed) for seed in range(SEEDS)}
        done = RESULTS.done()
        if (title, ALL, 0) not in done:
            add(title, ALL, 0, [split.criteria(np.arange(split.X.shape[1])).round(5).tolist()])
        for (method, repetition), order in work.items():
            if (title, method, repetition) not in done:
                found = order(split.X, split.Y, size, most, scale)
                add(title, method, repetition, split.curve(found, most))


def best(curve) -> str:
    """Best value of each criterion over the sizes, and that size."""
    told = ""
    for values, higher in zip(curve.T, HIGHER_IS_BETTER, strict=True):
        at = int(values.argmax() if higher else values.argmin())
        told += f"{values[at]:10.3f} ({at + 1:2d})"
    return told


def show(title):
    curves = {method: np.mean(list(runs.values()), axis=0) for method, runs in RESULTS.curves(title).items()}
    if not curves:
        return
    every, width = curves.pop(ALL)[0], max(map(len, curves)) + 2
    print(f"{title}: the best of any size (and that size)\n")
    print(" " * width + "".join(f"{c:>15}" for c in CRITERIA))
    print(f"{ALL:<{width}}" + "".join(f"{value:10.3f}     " for value in every))
    for method, curve in curves.items():
        print(f"{method:<{width}}{best(curve)}")
    for c, criterion in enumerate(CRITERIA):
        print(f"\n{criterion:<{width}}" + "".join(f"{n:>8}" for n in SIZES))
        for method, curve in curves.items():
            print(f"{method:<{width}}" + "".join(f"{curve[n - 1, c]:8.3f}" for n in SIZES))
    print("\n", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, help="folder of the data sets")
    parser.add_argument("--datasets", default=",".join(DATASETS))
    parser.add_argument("--show", action="store_true", help="print the tables only")
    asked = parser.parse_args()
    for name in asked.datasets.split(","):
        if not asked.show:
            run(asked.data, name)
        for scale in SCALES:
            show(f"{name} {scale}")


if __name__ == "__main__":
    main()
