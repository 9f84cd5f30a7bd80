"""What a feature tells about the class beyond others: the expected divergence of class distributions.

A feature may be a group of them here, whose levels are the combinations of theirs.
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from .. import _kernels
from ..distances.classes import ClassDistance
from ..distances.levels import LevelColumns

DIVERGENCES = ("wasserstein", "kl")
CORRECTIONS = ("null", None)
_SAMPLES_PER_CELL = 10
_BLOCK_VALUES = 2**20
_HUGE, _TINY = 200, -10
_MOST_COUNTED = 2**24
_MOST_REPEATED, _MOST_ENTRIES = 2**20, 2**24


class Deltas(NamedTuple):
    """The expected divergence of each feature as estimated, and what chance alone would give (0 if not corrected)."""

    raw: np.ndarray
    null: np.ndarray


class BlanketJudge:
    r"""Judges features against others.

    :math:`\delta(X_i | G) = E\,W[p(Y|G, X_i), p(Y|G)]` with empirical distributions (Li, eq. 4), or the same with
    the Kullback-Leibler divergence (Koller and Sahami), which is the conditional information I(Y; X_i | G).

    Parameters
    ----------
    columns : LevelColumns
    memberships : ndarray of shape (n_samples, n_classes)
        Not negative; rows need not sum to one. Weights of samples are factors of them.
    divergence : {"wasserstein", "kl"}
    distance : ClassDistance
        In the order of the columns of the memberships; not used for "kl".
    correction : {"null", None}
        Whether the mean by chance is estimated too, and G coarsened so that cells are not too small for it.
        In closed form for whole memberships with a tree or "kl", a sample of whole weight being so many samples; else
        by permutations of the feature within the groups, drawn with a seed of their own for each (feature, G), in which
        samples move whole, but those of whole weight, if there are not too many, are repeated first. Cells are small or
        not by the weights in the columns.
    weight : ndarray of shape (n_samples,), default=None
        Which factor of the memberships is that of each sample; only permutations ask for it.

    Attributes
    ----------
    exponent : int
        The kernel has distances in units of 2**exponent, so that neither huge nor tiny ones leave the range of floats;
        0 for ordinary ones. What is returned is in the units of the distance.
    tolerance : float
        Deltas that differ by less are equal.
    """

    def __init__(
        self,
        columns: LevelColumns,
        memberships,
        *,
        divergence,
        distance: ClassDistance,
        correction,
        n_permutations=20,
        seed=0,
        n_threads=1,
        weight=None,
    ):
        self._columns, self._corrects, self._threads = columns, correction is not None, n_threads
        self._seed, self._permutations = seed, n_permutations
        self._n_levels = columns.n_levels.tolist()
        memberships = _in_range(memberships)
        self._total = float(memberships.sum())
        largest = 1.0 if divergence == "kl" else float(distance.matrix.max())
        self.exponent = _unit_of(largest)
        codes = memberships.argmax(axis=1) if _is_one_hot(memberships) else None
        # Closed forms take a table as long as the counts are high; high weights would make it larger than the data.
        countable = self._total <= max(_MOST_COUNTED, len(memberships))
        whole = codes is not None or (countable and np.array_equal(memberships, np.round(memberships)))
        self._target = (
            np.empty(0, np.int32) if codes is None else codes.astype(np.int32),
            np.ascontiguousarray(memberships, dtype=float) if codes is None else np.empty((0, 0)),
            *_metric(divergence, distance, memberships.shape[1], self.exponent),
            gammaln(np.arange(round(self._total) + 2) + 1.0) if whole else np.empty(0),
        )
        self._kernel = _kernel(columns, self._target)
        self._closed = whole and (divergence == "kl" or distance.tree is not None)
        self.tolerance = 1e-10 * largest
        self._drawn, self._n_drawn = self._kernel, columns.n_samples
        if self._corrects and not self._closed and codes is None and _can_be_repeated(columns, weight):
            times = weight.astype(np.intp)
            target = self._target[0], np.repeat(self._target[1] / weight[:, None], times, axis=0), *self._target[2:]
            self._n_drawn, self._drawn = int(times.sum()), _kernel(columns.repeated(times), target)

    def deltas(self, features, against) -> Deltas:
        """Each feature against a list of others; `against` are as many lists."""
        features = np.asarray(features, dtype=np.int32)
        width = max((len(others) for others in against), default=0)
        table = np.full((len(features), width), -1, dtype=np.int32)
        for line, others in zip(table, against, strict=True):
            line[: len(others)] = others
        grains = np.array([self._grain(f, g) for f, g in zip(features, against, strict=True)], dtype=np.int32)
        closed = self._corrects and self._closed
        sums = self._kernel.judge(features, table, grains, closed, self._threads) / self._total
        if self._corrects and not self._closed:
            asked = zip(features, against, grains, strict=True)
            sums[:, 1] = [self._by_permutation(int(f), np.asarray(g), int(grain)) for f, g, grain in asked]
        sums = np.ldexp(sums, self.exponent)
        return Deltas(sums[:, 0], sums[:, 1])

    def _grain(self, feature, others):
        """The finest at which a cell would hold enough samples, if they spread evenly; the coarsest if none does."""
        if not self._corrects or not len(others):
            return 0
        most = self._columns.total_weight / _SAMPLES_PER_CELL / self._n_levels[0][feature]
        for grain, n_levels in enumerate(self._n_levels):
            if prod(n_levels[other] for other in others) <= most:
                return grain
        return len(self._n_levels) - 1

    def _by_permutation(self, feature, others, grain):
        random = np.random.default_rng([self._seed, feature, *sorted(others.tolist())])
        keys = random.random((self._permutations, self._n_drawn))
        return self._drawn.permuted(feature, others.astype(np.int32), grain, keys) / self._total


def _kernel(columns, target):
    levels = columns.n_samples, columns.first, columns.rows, columns.levels
    return _kernels.Blanket(*levels, columns.n_levels, columns.coarse, columns.map_first, *target)


def _can_be_repeated(columns, weight) -> bool:
    """Whether samples count as so many whole ones, of which there are not too many to hold."""
    if weight is None or (weight % 1 != 0).any():
        return False
    most = max(_MOST_REPEATED, columns.n_samples)
    return weight.sum() <= most and weight[columns.rows].sum() <= _MOST_ENTRIES


def _is_one_hot(memberships):
    return bool(((memberships == 0) | (memberships == 1)).all() and (memberships.sum(axis=1) == 1).all())


def _in_range(memberships):
    """Memberships with tiny or huge weights in units of a power of two: of shares, and counts below 1e-9 are none."""
    exponent = int(np.frexp(memberships.max())[1])
    return np.ldexp(memberships, -exponent) if exponent < _TINY or exponent > _HUGE else memberships


def _unit_of(largest) -> int:
    """Exponent of the power of two that distances are divided by: 0 unless they are small or huge."""
    exponent = int(np.frexp(largest)[1])
    return exponent if exponent < 0 or exponent > _HUGE else 0


def _metric(divergence, distance, n_classes, exponent):
    """Kind, weights of the edges, edges above each class, distances: what the kernel asks for."""
    nothing, nobody = np.empty(0), np.zeros(n_classes + 1, np.int32)
    if divergence == "kl":
        return 2, nothing, nobody, np.empty(0, np.int32), np.empty((0, 0))
    if distance.tree is None:
        return 1, nothing, nobody, np.empty(0, np.int32), np.ldexp(distance.matrix, -exponent)
    classes, edges = np.nonzero(distance.tree.below)
    first = np.searchsorted(classes, np.arange(n_classes + 1)).astype(np.int32)
    return 0, np.ldexp(distance.tree.weights, -exponent), first, edges.astype(np.int32), np.empty((0, 0))
