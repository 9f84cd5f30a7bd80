"""A planted hierarchy with features of ten levels: is the tree loss of the selected features that of the true ones?

Usage: python -m experiments.class_distance.planted [--repetitions 20]

Six classes: two branches of three leaves; leaves of a branch are 0.2 apart, others 1. Two features tell the branch, two
the leaf in the first branch, two the leaf in the second (of the other branch they know nothing); each of them has two
noisy copies, another level in two cases of five or in one of five; 40 tell nothing. As many features are selected as
there are true ones. A naive Bayes classifier is trained on the same rows and judged on 5000 fresh ones by the distance
between its class and the true one, in hundredths.
"""

import argparse
from itertools import product

import numpy as np
from sklearn.naive_bayes import CategoricalNB

from experiments.class_distance.contenders import CONTENDERS, path_of
from tamis import ClassDistance

DISTANCE = ClassDistance.from_paths(
    {3 * b + leaf: f"{b}/{leaf}" for b in range(2) for leaf in range(3)}, weights=(0.4, 0.1)
)
N_LEVELS, N_TRUE, N_COPIES, N_NOISE, N_TEST = 10, 6, 2, 40, 5000
SIZES = (500, 2000, 5000)
SPOILED = (0.4, 0.2)


def levels(x):
    return np.clip(np.floor(x), 0, N_LEVELS - 1).astype(int)


def draw(n, rng, spoiled=0.4):
    """(X, y): the true features first, then their copies, then those that tell nothing."""
    y = rng.integers(0, 6, n)
    branch, leaf = y // 3, y % 3
    columns = [levels(3.5 + 3 * branch + 2.0 * rng.normal(size=n)) for _ in range(2)]
    for b in range(2):
        for _ in range(2):
            told = levels(2 + 3 * leaf + 1.5 * rng.normal(size=n))
            columns.append(np.where(branch == b, told, rng.integers(0, N_LEVELS, n)))
    copies = [
        np.where(rng.random(n) < spoiled, rng.integers(0, N_LEVELS, n), c) for c in columns for _ in range(N_COPIES)
    ]
    noise = [rng.integers(0, N_LEVELS, n) for _ in range(N_NOISE)]
    return np.array(columns + copies + noise).T, y


def loss(subset, train, test):
    bayes = CategoricalNB(min_categories=N_LEVELS).fit(train[0][:, subset], train[1])
    return 100 * DISTANCE.matrix[bayes.predict(test[0][:, subset]), test[1]].mean()


def repetition(n, spoiled, seed):
    """Loss, and number of true features among the selected, for each method; the truth last."""
    rng = np.random.default_rng([n, seed])
    train, test = draw(n, rng, spoiled), draw(N_TEST, rng, spoiled)
    found = {}
    for name in CONTENDERS:
        subset = path_of(name, train[0].astype(float), train[1], DISTANCE, bins=None).subset(N_TRUE)
        found[name] = loss(subset, train, test), int((subset < N_TRUE).sum())
    found["the true features"] = loss(np.arange(N_TRUE), train, test), N_TRUE
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=20)
    repetitions = parser.parse_args().repetitions
    for spoiled, n in product(SPOILED, SIZES):
        runs = [repetition(n, spoiled, seed) for seed in range(repetitions)]
        truth = np.array([run["the true features"][0] for run in runs])
        print(f"\nN = {n}, {100 * spoiled:.0f} % of a copy spoiled")
        print(f"{'':<20}{'loss (s.e.)':>16}{'over the truth':>20}{'true features':>15}")
        for name in runs[0]:
            found = np.array([run[name] for run in runs])
            error = found[:, 0].std(ddof=1) / np.sqrt(repetitions)
            over = 100 * (found[:, 0] / truth - 1)
            above = f"{over.mean():+.1f} % ({over.std(ddof=1) / np.sqrt(repetitions):.1f})"
            print(
                f"{name:<20}{f'{found[:, 0].mean():.1f} ({error:.1f})':>16}{above:>20}{found[:, 1].mean():>15.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
