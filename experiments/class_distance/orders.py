"""Is the order of elimination that of a plain implementation, which recomputes everything by linear programming?

Usage: python -m experiments.class_distance.orders [--problems 240]

Small random problems with constants, copies, mirrored copies and repeated rows. Features are binary, of many levels or
mixed; distances between classes are lengths in a tree (0/1, a hierarchy, a chain) or not (points, ways in a graph);
deltas are raw or corrected, labels classes or memberships, the matrix dense or sparse. The plain twin is
`tests/blanket_reference.py`.
"""

import argparse
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array
from sklearn.utils import check_random_state

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests"))

import blanket_reference as plain
from experiments.class_distance.small_problems import KINDS, problem

from tamis import BlanketSelector
from tamis.distances.levels import GRAINS, level_columns

PERMUTATIONS = 3


class Twin:
    """(raw, null) of a feature against others by the plain functions, with the selector's rules of coarsening."""

    def __init__(self, levels, P, metric, seed, kind):
        self.levels, self.P, self.metric, self.seed = levels, P, metric, seed
        self.divergence = "kl" if kind[1] == "kl" else "wasserstein"
        self.corrected = kind[2] == "corrected"
        self.closed = kind[3] == "hard" and (self.divergence == "kl" or metric.is_tree)
        self.columns = level_columns(levels.astype(float), bins=None)

    def __call__(self, feature, against):
        levels = self.coarsened(feature, against) if self.corrected and against else self.levels
        asked = (levels, self.P, feature, against, self.divergence)
        raw = plain.delta(*asked, self.metric.matrix)
        if not self.corrected:
            return raw, 0.0
        if self.closed:
            return raw, plain.null_by_chance(*asked, self.metric.tree)
        random = np.random.default_rng([self.seed, feature, *sorted(against)])
        keys = random.random((PERMUTATIONS, len(levels)))
        return raw, plain.null_by_permutation(*asked, self.metric.matrix, keys)

    def coarsened(self, feature, against):
        """Companions at the finest grain with ten samples for each cell, at the coarsest if there is none."""
        counts = self.columns.n_levels
        cells = [int(counts[0, feature]) * int(np.prod(line[against])) for line in counts]
        grain = next((g for g, c in enumerate(cells) if 10 * c <= len(self.levels)), len(GRAINS))
        levels = self.levels.copy()
        for j in against if grain else ():
            begin = self.columns.map_first[j]
            levels[:, j] = self.columns.coarse[grain - 1, begin + levels[:, j]]
        return levels


def compare(kind, seed):
    """Both orders, and the largest difference of their deltas as long as they agree."""
    levels, P, metric = problem(kind, seed)
    X = levels.astype(float)
    n_conditioning = [3, 2, 1, 0][seed % 4]
    divergence = "kl" if kind[1] == "kl" else "wasserstein"
    selector = BlanketSelector(
        divergence,
        labels=kind[3],
        class_distance=metric,
        n_conditioning=n_conditioning,
        n_features_to_select=1,
        bins=None,
        correction="null" if kind[2] == "corrected" else None,
        n_permutations=PERMUTATIONS,
        random_state=seed,
    ).fit(csr_array(X) if seed % 2 else X, P.argmax(axis=1) if kind[3] == "hard" else P)
    drawn = int(check_random_state(seed).randint(np.iinfo(np.int32).max))
    tolerance = 1e-10 * (1.0 if divergence == "kl" else metric.matrix.max())
    judge = Twin(levels, P, metric, drawn, kind)
    order, deltas = plain.eliminate(levels, levels, n_conditioning, judge, tolerance, kind[2] == "corrected")
    ours, theirs = selector.path_.order.tolist(), [int(f) for f in order]
    same = next((i for i, (a, b) in enumerate(zip(ours, theirs, strict=True)) if a != b), len(ours))
    apart = np.abs(selector.path_.scores[1:] - deltas)[:same].max(initial=0.0)
    return ours, theirs, apart


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=240)
    n = parser.parse_args().problems
    warnings.simplefilter("ignore", UserWarning)  # many levels for few samples: wanted here
    found, start = {}, time.process_time()
    for number in range(n):
        kind, seed = KINDS[number % len(KINDS)], number // len(KINDS)
        ours, theirs, apart = compare(kind, seed)
        if ours != theirs:
            print(f"DIFFERENT: {kind} seed {seed}: {ours}, plain {theirs}", flush=True)
        found.setdefault(kind, []).append((ours != theirs, apart))
    print(f"{'features':<13}{'distance':<11}{'delta':<11}{'labels':<8}{'problems':>9}{'other order':>13}{'apart':>9}")
    for kind in sorted(found, key=KINDS.index):
        other, apart = np.array(found[kind]).T
        shown = f"{kind[0]:<13}{kind[1]:<11}{kind[2]:<11}{kind[3]:<8}"
        print(f"{shown}{len(other):>9}{other.sum():>13.0f}{apart.max():>9.0e}")
    other = sum(o for runs in found.values() for o, _ in runs)
    print(f"\n{n} problems, {other:.0f} orders differ; {time.process_time() - start:.0f} CPU seconds")


if __name__ == "__main__":
    main()
