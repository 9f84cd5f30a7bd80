"""Can the probabilities of the audit be believed? Of rows said to be wrong with probability p, how many are?

python -m experiments.label_noise.calibration DATA [--seeds 5]

The default model, 20 % of the labels flipped. Prints results/calibration.txt.
"""

from __future__ import annotations

import argparse
import itertools
import warnings
from pathlib import Path

import numpy as np

from experiments.label_noise.protocol import standardised
from tamis import NoisyLabels
from tamis.datasets import flip_uniform

DATASETS = ("iris", "wine", "ecoli", "glass", "vertebral_3c", "seeds", "vehicle", "segment")
RATE = 0.2
EDGES = np.array([0.0, 0.05, 0.2, 0.5, 0.8, 0.95, 1.0])


def shares(folder, name, n_seeds):
    """For each range of stated probabilities: number of rows, mean stated, share really wrong."""
    X, y = standardised(folder, name)
    codes = np.unique(y, return_inverse=True)[1]
    stated, wrong = [], []
    for seed in range(n_seeds):
        spoiled, changed = flip_uniform(codes, RATE, random_state=seed)
        fitted = NoisyLabels(scale=None, random_state=seed).fit(X, spoiled)
        stated.append(1 - fitted.memberships_[np.arange(len(codes)), spoiled])
        wrong.append(np.isin(np.arange(len(codes)), changed))
    stated, wrong = np.concatenate(stated), np.concatenate(wrong)
    ranges = np.clip(np.searchsorted(EDGES, stated, side="right") - 1, 0, len(EDGES) - 2)
    return [(int((ranges == r).sum()), stated[ranges == r], wrong[ranges == r]) for r in range(len(EDGES) - 1)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the data sets")
    parser.add_argument("--seeds", type=int, default=5)
    asked = parser.parse_args()
    warnings.simplefilter("ignore", UserWarning)
    print(f"Stated probability of a wrong label -> share really wrong (rows), {RATE:.0%} flips, {asked.seeds} seeds\n")
    print(f"{'':<14}" + "".join(f"{f'{a:g}-{b:g}':>17}" for a, b in itertools.pairwise(EDGES)))
    for name in DATASETS:
        cells = []
        for n, stated, wrong in shares(asked.data, name, asked.seeds):
            cells.append(f"{stated.mean():.2f}>{wrong.mean():.2f} ({n})" if n else "-")
        print(f"{name:<14}" + "".join(f"{cell:>17}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
