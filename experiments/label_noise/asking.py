"""Which rows should an expert be asked about? A tenth of the training rows, chosen by several rules.

Usage: python -m experiments.label_noise.asking DATA [--repetitions 12]

20 % of the training labels are wrong. The labels are corrected by the noise model, the rows that were asked about by
the truth; the error of the result is printed, in per cent of the training rows, with its standard error.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np
from sklearn.model_selection import train_test_split

from tamis import NoisyLabels
from tamis.datasets import flip_near_boundary, flip_uniform, read_table

DATASETS = ("iris", "wine", "seeds", "glass", "ecoli", "vehicle", "segment")
ASKED = 0.1
RULES = {
    "nothing": lambda model, X, n, rng: np.empty(0, dtype=int),
    "random": lambda model, X, n, rng: rng.permutation(len(X))[:n],
    "suspects": lambda model, X, n, rng: model.suspects(n)["row"],
    "ask_next": lambda model, X, n, rng: model.ask_next(n)["row"],
    "ask_next, X": lambda model, X, n, rng: model.ask_next(n, X=X)["row"],
}
"""ask_next without X is least confidence."""


def errors(X, y, kind, seed) -> list[float]:
    """Per cent of wrong labels after asking, for each rule."""
    X, _, truth, _ = train_test_split(X, y, test_size=0.3, stratify=y, random_state=seed)
    if kind == "uniform":
        recorded = flip_uniform(truth, 0.2, random_state=seed).y
    else:
        recorded = flip_near_boundary(truth, 0.2, X, random_state=seed).y
    model, rng = NoisyLabels(random_state=seed).fit(X, recorded), np.random.default_rng(seed)
    found = []
    for rule in RULES.values():
        asked = np.asarray(rule(model, X, round(ASKED * len(X)), rng), dtype=int)
        corrected = model.classes_[model.memberships_.argmax(axis=1)]
        corrected[asked] = truth[asked]
        found.append(100 * float((corrected != truth).mean()))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the data sets")
    parser.add_argument("--repetitions", type=int, default=12)
    asked = parser.parse_args()
    warnings.simplefilter("ignore", UserWarning)
    print(f"{asked.repetitions} repetitions\n{'':<24}" + "".join(f"{name:>16}" for name in RULES))
    for kind in ("uniform", "near the boundary"):
        for name in DATASETS:
            X, y, _ = read_table(asked.data, name)
            runs = np.array([errors(X, y, kind, seed) for seed in range(asked.repetitions)])
            spread = runs.std(axis=0, ddof=1) / np.sqrt(len(runs))
            cells = "".join(f"{f'{m:.2f} ({e:.2f})':>16}" for m, e in zip(runs.mean(axis=0), spread, strict=True))
            print(f"{name + ', ' + kind:<24}{cells}", flush=True)


if __name__ == "__main__":
    main()
