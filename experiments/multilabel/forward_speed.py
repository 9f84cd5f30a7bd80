"""How much faster than scikit-learn's neighbours: a forward search to 50 features on Scene.

Usage: python -m experiments.multilabel.forward_speed DATA [--whole 5]

Both use the same count form on the same rows (official training part, label sets of at least 12 rows, raw features), in
one process, on one thread; CPU seconds. The plain search runs whole for the first steps, where both orders must be the
same. Later steps are interpolated: a few candidates are evaluated beside the subset that our search has reached.
"""

import argparse
import time
from pathlib import Path

import numpy as np
from scipy.special import digamma
from sklearn.metrics import pairwise_distances_chunked
from sklearn.neighbors import KDTree, NearestNeighbors

from experiments.multilabel.mulan import DATASETS, forward_order, official

N_NEIGHBORS, MOST, CANDIDATES = 4, 50, 8
TIES = 1 + 1e-9
PROBED = (6, 8, 10, 15, 20, 30, 40, 50)


def counts_by_tree(X, radii):
    """How many rows are within each row's radius, itself included; quicker in few dimensions."""
    return KDTree(X).query_radius(X, radii, count_only=True)


def counts_by_brute_force(X, radii):
    """The same from distances; quicker in many dimensions."""
    chunks = pairwise_distances_chunked(
        X, reduce_func=lambda D, start: (radii[start : start + len(D), None] >= D).sum(axis=1)
    )
    return np.concatenate(list(chunks))


def information(X, codes, counts):
    """Count form for classes: the radius that holds K of the own class, and who else is inside."""
    radii, inside, sizes = np.empty(len(X)), np.empty(len(X)), np.bincount(codes)
    for s in range(len(sizes)):
        rows = np.flatnonzero(codes == s)
        near = NearestNeighbors(n_neighbors=N_NEIGHBORS).fit(X[rows])
        radii[rows] = near.kneighbors()[0][:, -1] * TIES
        inside[rows] = counts(X[rows], radii[rows]) - 1
    return (digamma(inside) - digamma(sizes[codes]) - digamma(counts(X, radii) - 1)).mean() + digamma(len(X))


def quicker(X, codes):
    """The way of counting that takes less time here."""
    taken = []
    for counts in (counts_by_tree, counts_by_brute_force):
        begin = time.process_time()
        information(X, codes, counts)
        taken.append((time.process_time() - begin, counts))
    return min(taken, key=lambda t: t[0])[1]


def plain_step(X, codes, chosen, candidates):
    """The best candidate, and the CPU seconds per candidate."""
    counts = quicker(X[:, [*chosen, candidates[0]]], codes)
    begin = time.process_time()
    scores = [information(X[:, [*chosen, f]], codes, counts) for f in candidates]
    return candidates[int(np.argmax(scores))], (time.process_time() - begin) / len(candidates)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the data sets")
    parser.add_argument("--whole", type=int, default=5, help="steps that the plain search runs whole")
    asked = parser.parse_args()
    split, size = official(asked.data, "scene"), DATASETS["scene"].min_class_size
    taken = []
    for _ in range(3):
        begin = time.process_time()
        order = forward_order(split.X, split.Y, size, MOST, "raw").tolist()
        taken.append(time.process_time() - begin)
    _, codes, sizes = np.unique(split.Y, axis=0, return_inverse=True, return_counts=True)
    kept = sizes[codes.ravel()] >= size
    X, codes = split.X[kept], np.unique(codes.ravel()[kept], return_inverse=True)[1]
    d = X.shape[1]
    found, each = [], {}
    for step in range(1, asked.whole + 1):
        best, each[step] = plain_step(X, codes, found, [f for f in range(d) if f not in found])
        found.append(best)
    rng = np.random.default_rng(0)
    for step in (p for p in PROBED if p > asked.whole):
        chosen = order[: step - 1]
        candidates = rng.choice(np.setdiff1d(np.arange(d), chosen), CANDIDATES, replace=False).tolist()
        each[step] = plain_step(X, codes, chosen, candidates)[1]
    steps = np.arange(1, MOST + 1)
    slow = float((np.interp(steps, list(each), list(each.values())) * (d - steps + 1)).sum())
    whole = sum(each[s] * (d - s + 1) for s in range(1, asked.whole + 1))
    print(f"{X.shape[0]} rows, {d} features, {codes.max() + 1} label sets; CPU seconds on one thread")
    print(f"tamis, {MOST} steps, best of 3      {min(taken):10.2f}")
    print(f"plain, first {asked.whole} steps, run        {whole:10.1f}")
    print(f"plain, {MOST} steps, interpolated   {slow:10.0f}")
    print(f"ratio                           {slow / min(taken):10.0f}   (bar 50)")
    print(f"first {asked.whole} features                {'the same' if found == order[: asked.whole] else 'DIFFERENT'}")
    print("\nCPU milliseconds per candidate, by step: " + ", ".join(f"{s}: {1000 * v:.0f}" for s, v in each.items()))


if __name__ == "__main__":
    main()
