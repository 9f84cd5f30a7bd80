"""The same work with the tools at hand: every subset from nothing, neighbours found by somebody else's library.

Nothing is slowed down on purpose: arrays are contiguous float64, everything is vectorised, a tree or an index is built
once per subset and set of points, and only what the formula needs is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree
from scipy.special import digamma
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors
from sklearn.utils import gen_batches

from .timing import Seconds, Stopwatch

N_NEIGHBORS = 8
"""The default of tamis."""

TIE = 1 + 5e-10
"""Distances within this factor are equal, so that a ball holds the sample on its border whoever computed the radius."""


class Neighbours(NamedTuple):
    """How a library finds neighbours in Z, a sample never being its own."""

    title: str
    kth: Callable[[np.ndarray, int], np.ndarray]  # distance of each sample to its k-th neighbour
    within: Callable[[np.ndarray, np.ndarray], np.ndarray]  # number of neighbours within a radius of its own


def _brute_kth(Z, k):
    return NearestNeighbors(n_neighbors=k, algorithm="brute").fit(Z).kneighbors()[0][:, -1]


def _brute_within(Z, radius):
    # Blocks of distances by matrix products. Not scikit-learn's KDTree, which its mutual_info_classif counts with:
    # that serves one dimension and is several times slower in forty. The sample itself is found too.
    edge = radius[:, None] ** 2
    blocks = gen_batches(len(Z), 500)
    return np.concatenate([(euclidean_distances(Z[b], Z, squared=True) <= edge[b]).sum(axis=1) for b in blocks]) - 1


def _trees_kth(Z, k):
    # The sample itself is nearest, or as near as its duplicates: the distance wanted is the next one.
    return cKDTree(Z).query(Z, k=[k + 1], workers=1)[0][:, 0]


def _scipy_within(Z, radius):
    return cKDTree(Z).query_ball_point(Z, radius, return_length=True, workers=1) - 1


BRUTE = Neighbours("scikit-learn, brute force", _brute_kth, _brute_within)
TREES = Neighbours("SciPy, cKDTree", _trees_kth, _scipy_within)


class PlainInformation:
    """Mutual information of one subset after the other, in nats.

    "distance" is eq. (6) of Gomez et al. (2009): ψ(n) − mean ψ(n_y) + d · mean[log ε_k(i) − log ε_k(i|y_i)].
    "count" is Ross (2014): ψ(k) + ψ(n) − mean ψ(n_y) − mean ψ(m_i), m_i the samples within ε_k(i|y_i).
    """

    def __init__(self, X, y, neighbours: Neighbours, estimator):
        self._X, self._neighbours, self._estimator = X, neighbours, estimator
        self._rows = [np.flatnonzero(y == label) for label in np.unique(y)]
        sizes = np.array([len(rows) for rows in self._rows])
        self._constant = digamma(len(y)) - (sizes * digamma(sizes)).sum() / len(y)

    def __call__(self, subset) -> float:
        Z = np.ascontiguousarray(self._X[:, subset])
        own = np.empty(len(Z))
        for rows in self._rows:
            own[rows] = self._neighbours.kth(Z[rows], N_NEIGHBORS)
        if self._estimator == "distance":
            everybody = self._neighbours.kth(Z, N_NEIGHBORS)
            return self._constant + Z.shape[1] * np.log(everybody / own).mean()
        inside = self._neighbours.within(Z, own * TIE)
        return self._constant + digamma(N_NEIGHBORS) - digamma(inside).mean()


class CrossValidation:
    """What SequentialFeatureSelector(KNeighborsClassifier(), cv=5) does for one subset."""

    title = "SequentialFeatureSelector, 5-fold kNN"

    def __init__(self, X, y):
        self._X, self._y = X, y

    def __call__(self, subset) -> float:
        Z = np.ascontiguousarray(self._X[:, subset])
        return cross_val_score(KNeighborsClassifier(), Z, self._y, cv=5).mean()


def sizes_to_time(largest, how_many=5):
    """Sizes of subsets spread over 1..largest."""
    return np.unique(np.linspace(1, largest, how_many).round().astype(int)).tolist()


def time_prefixes(watch: Stopwatch, name, score, sizes):
    """Time `score` on the first features, for each size."""
    for size in sizes:
        watch.time((name, size), score, list(range(size)))


def whole_search(watch: Stopwatch, name, visits: dict[int, int]) -> Seconds:
    """Time of a search that visits so many subsets of each size, interpolated between the sizes timed."""
    timed = sorted(key[1] for key in watch.best if isinstance(key, tuple) and key[0] == name)
    wanted, numbers = np.array(list(visits)), np.array(list(visits.values()))
    costs = np.array([watch.best[name, size] for size in timed])
    return Seconds(*(float(numbers @ np.interp(wanted, timed, column)) for column in costs.T))


def backward_visits(d):
    """Subsets of each size that a backward search from d features to one scores."""
    return {d: 1} | {size: size + 1 for size in range(1, d)}


def forward_visits(d, n_selected):
    """Subsets of each size that a forward search scores."""
    return {size: d - size + 1 for size in range(1, n_selected + 1)}
