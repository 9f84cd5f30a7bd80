"""Is the order of elimination that of a plain implementation, which recomputes everything by linear programming?

Small random problems with constants, copies, mirrored copies and repeated rows. Features are binary, of many levels or
mixed; distances between classes are lengths in a tree (0/1, a hierarchy, a chain) or not (points, ways in a graph);
deltas are raw or corrected, labels classes or memberships, the matrix dense or sparse. The plain twin is
`tests/blanket_reference.py`.
"""

import sys
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array
from sklearn.utils import check_random_state

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests"))

import blanket_reference as plain

from experiments.class_distance.small_problems import KINDS, problem
from experiments.reproduction import Experiment, Task
from tamis import BlanketSelector
from tamis.distances.levels import GRAINS, level_columns

PERMUTATIONS, REPETITIONS = 3, 5
FIELDS = ("kind", "distance", "delta", "labels")


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
        n_bins=10,
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


def tasks(quick):
    """The paper's deltas in the quick run; ours, corrected for chance, beside them in the whole."""
    for repetition in range(1 if quick else REPETITIONS):
        for kind in KINDS:
            if kind[2] == "raw" or not quick:
                key = {**dict(zip(FIELDS, kind, strict=True)), "repetition": repetition}
                yield Task(key, repetition, 3.0 if kind[2] == "corrected" else 1.0)


def run(data, key, seed):
    ours, theirs, apart = compare(tuple(key[field] for field in FIELDS), seed)
    return {"same": ours == theirs, "features": len(ours), "apart": float(f"{apart:.1e}")}


ORDERS = Experiment("class_distance/orders", tasks, run, needs_data=False)
