"""Which label sets are too rare: a permutation test (Doquire and Verleysen, 2013, section 4)."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from .. import _validation
from ..distances.balls import BallScan
from ..distances.scaling import tamed
from ._weights import ALIKE

_MOST_NEIGHBORS = 10
_FEATURES_AT_ONCE = 64


class Pruning:
    """The label set of each row, and what is left of the sets when rare ones go."""

    def __init__(self, codes, n_sets, rows=ALIKE):
        self.codes, self.rows = codes, rows
        self.counts = np.bincount(codes, rows.weight, n_sets)

    def kept(self, size) -> np.ndarray:
        """Sets of at least so many rows, one of weight w counting w times."""
        return np.flatnonzero(self.counts >= size)

    def same_as(self, size) -> tuple[int, int]:
        """The smallest and the largest size that keep the same sets."""
        below = self.counts[self.counts < size]
        least = int(below.max(initial=0)) + 1
        return least, max(least, int(self.counts[self.counts >= size].min()))


class Chosen(NamedTuple):
    """A size, a number of neighbours, the t statistics of all, and the share of repeats that agree."""

    size: int
    n_neighbors: int
    t_statistics: dict[tuple[int, int], float]
    sureness: float


def choose(X, pruning, sizes, n_neighbors, *, n_folds, n_repeats, random_state, n_threads, printed=False) -> Chosen:
    """The pruning that lets information separate some feature best from its permutation (eq. 8).

    Sizes that keep the same sets are one case. Folds keep groups of rows whole, and permutations move them whole: rows
    of one group may be alike in features and in labels, which is no information. The same folds and permutations serve
    all cases of a repeat. As `printed`, estimates are of one fold alone.
    """
    cases: dict[tuple, list[int]] = {}
    for size in sizes:
        kept = pruning.kept(size)
        if len(kept) >= 2:
            cases.setdefault(tuple(kept.tolist()), []).append(size)
    asked = [
        (kept, k)
        for kept, same in cases.items()
        for k in ([n_neighbors] if n_neighbors != "auto" else range(2, min(_MOST_NEIGHBORS, min(same) - 1) + 1))
    ]
    random, X = _validation.check_seed(random_state), tamed(X)  # features are seen one by one: units do not matter
    t = np.array([_repeat(X, pruning, asked, n_folds, printed, random, n_threads) for _ in range(n_repeats)])
    _validation.check_separations(t, n_folds)
    t = np.where(np.isnan(t), -np.inf, t)
    best = int(np.argmax(t.mean(axis=0)))
    table = {
        (size, k): float(value) for (kept, k), value in zip(asked, t.mean(axis=0), strict=True) for size in cases[kept]
    }
    kept, k = asked[best]
    return Chosen(cases[kept][0], k, table, float(np.mean(t.argmax(axis=1) == best)))


def _repeat(X, pruning, asked, n_folds, printed, random, n_threads):
    """The t statistic of each case, for one draw of folds and permutations."""
    rows = pruning.rows
    group = np.arange(len(X)) if rows.group is None else rows.group
    n = int(group.max()) + 1
    n_folds = min(n_folds, n)
    folds = (random.permutation(n) % n_folds)[group]
    permutations = [random.permutation(n) for _ in range(n_folds)]
    values = []
    for kept, k in asked:
        inside = np.isin(pruning.codes, kept)
        real, permuted = [], []
        for fold in range(n_folds):
            some = np.flatnonzero(inside & ((folds == fold) if printed else (folds != fold)))
            some = some[np.argsort(group[some], kind="stable")]
            # A permutation of these rows, in the order of one of all rows.
            shuffled = some[np.argsort(permutations[fold][group[some]], kind="stable")]
            codes, alike = pruning.codes[some], rows.of(some)
            real.append(_information(X[some], codes, k, printed, n_threads, alike))
            # Weights stay with the labels, so that sets are as large as before, and groups go with the features.
            alike = replace(alike, group=rows.of(shuffled).group)
            permuted.append(_information(X[shuffled], codes, k, printed, n_threads, alike))
        values.append(_separation(np.array(real), np.array(permuted)))
    return values


def _information(X, codes, k, printed, n_threads, rows=ALIKE):
    """Of every single feature with the label set; as printed by distances, and NaN without two sets of k neighbours."""
    n_sets = codes.max(initial=0) + 1
    memberships = np.eye(n_sets)[codes]
    enough = np.bincount(codes, rows.weight, n_sets) >= (k + 1 if printed else 2)
    if not rows.are_alike:  # rows of one group, and copies that a weight stands for, are not compared
        group = np.arange(len(codes)) if rows.group is None else rows.group
        enough &= np.bincount(np.unique(group * n_sets + codes) % n_sets, minlength=n_sets) >= 2
    memberships = memberships[:, enough]
    if memberships.shape[1] < (2 if printed else 1):
        return np.full(X.shape[1], np.nan)
    known = memberships.any(axis=1)
    quantity = "distance" if printed else "count"
    scan = BallScan(X[known], memberships[known], quantity, rows=rows.of(known), n_neighbors=k, n_threads=n_threads)
    batches = np.array_split(np.arange(X.shape[1]), -(-X.shape[1] // _FEATURES_AT_ONCE))
    return np.concatenate([scan.alone(batch.tolist())[:, 0] for batch in batches])


def _separation(real, permuted):
    """The largest t over the features (eq. 8); no difference at all counts as none. NaN if an estimate is."""
    apart = real.mean(axis=0) - permuted.mean(axis=0)
    spread = np.sqrt(real.var(axis=0, ddof=1) + permuted.var(axis=0, ddof=1))
    return float(np.where(spread == 0, 0.0, apart / np.where(spread == 0, 1.0, spread)).max())
