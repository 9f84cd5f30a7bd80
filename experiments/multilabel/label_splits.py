"""Emotions again, on ten random splits into 391 and 202 rows: how far the official split can be trusted.

Usage: python -m experiments.multilabel.label_splits DATA [--repetitions 10] [--show]

Prints means, and paired differences from the forward search with their standard errors. The splits share rows, so that
these errors are somewhat too small.
"""

import argparse
from pathlib import Path

import numpy as np

from experiments.multilabel.mulan import CRITERIA, DATASETS, METHODS, SCALES, Split, read
from experiments.runs import Runs

RESULTS = Runs(Path(__file__).parent / "results" / "splits.jsonl")
NAME, TRAIN, MOST = "emotions", 391, 30
SIZES = (3, 5, 7, 10, 15, 20, 25, 30)
AGAINST, ALL = "MI forward", "all features"


def draw(X, Y, seed) -> Split:
    rows = np.random.default_rng(seed).permutation(len(X))
    train, test = rows[:TRAIN], rows[TRAIN:]
    return Split(X[train], Y[train], X[test], Y[test])


def run(folder, repetitions):
    X, Y, _ = read(folder, NAME)
    done = RESULTS.done()
    for repetition in range(repetitions):
        for scale in SCALES:
            split = draw(X, Y, repetition).at_scale(scale)
            for method, order in METHODS.items():
                if (scale, method, repetition) not in done:
                    found = order(split.X, split.Y, DATASETS[NAME].min_class_size, MOST, scale)
                    RESULTS.add(data=scale, method=method, repetition=repetition, errors=split.curve(found, MOST))
            if (scale, ALL, repetition) not in done:
                every = split.criteria(np.arange(X.shape[1])).round(5).tolist()
                RESULTS.add(data=scale, method=ALL, repetition=repetition, errors=[every] * MOST)


def show(scale):
    curves = RESULTS.curves(scale)
    for c, criterion in enumerate(CRITERIA):
        title = f"{criterion}, {scale}"
        print(f"{title:<24}" + "".join(f"{n:<23}" for n in SIZES).rstrip())
        for method, runs in curves.items():
            cells = [_cell(runs, curves[AGAINST], n, c, alone=method == AGAINST) for n in SIZES]
            print(f"{method:<24}" + "".join(f"{cell:<23}" for cell in cells).rstrip())
        print()


def _cell(runs, others, n, c, alone):
    """Mean; the difference from the others' mean and its standard error."""
    values = np.array([runs[r][n - 1, c] for r in sorted(runs)])
    if alone:
        return f"{values.mean():.3f}"
    apart = values - [others[r][n - 1, c] for r in sorted(runs)]
    return f"{values.mean():.3f} {apart.mean():+.3f} ({apart.std(ddof=1) / np.sqrt(len(apart)):.3f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, help="folder of the data sets")
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument("--show", action="store_true", help="print the tables only")
    asked = parser.parse_args()
    if not asked.show:
        run(asked.data, asked.repetitions)
    for scale in SCALES:
        show(scale)


if __name__ == "__main__":
    main()
