"""The chi-square statistic of binned features as a criterion."""

from __future__ import annotations

import numpy as np

from .. import _validation
from ..distances.levels import level_columns
from ..distances.mdl import mdl_levels
from .base import Criterion, score_of_all

BINS = ("mdl", "quantile")


class ChiSquare(Criterion, name="chi2"):
    """Chi-square statistic of the table of a binned feature and the class, one feature at a time.

    Parameters
    ----------
    bins : {"mdl", "quantile"}
        How features become levels; it must be said, since results depend on it. "mdl" cuts where the class is told,
        as long as the description gets shorter (Fayyad and Irani, 1993), and leaves a feature that tells nothing
        in one piece, with a score of exactly zero; "quantile" cuts into `n_bins` of equal size.
    n_bins : int, default=10
        For "quantile".

    Notes
    -----
    Several features score the sum of their own statistics: there is no joint one here.
    """

    def __init__(self, bins=None, *, n_bins=10):
        self.bins = bins
        self.n_bins = n_bins

    def score(self, X, memberships):
        return score_of_all(self, *_validation.check_scored(X, memberships))

    def scorer(self, X, memberships, *, classes=None, groups=None, n_threads=1):
        return SumScorer(np.array([_statistic(levels, memberships) for levels in self._levels(X, memberships)]), groups)

    def _levels(self, X, memberships):
        bins = _validation.check_choice("bins", self.bins, BINS)
        n_bins = _validation.check_count("n_bins", self.n_bins, least=2)
        if bins == "mdl":
            return [mdl_levels(column, memberships) for column in X.T]
        columns = level_columns(X, bins="quantile", n_bins=n_bins)
        return [columns.of(f) for f in range(columns.n_units)]


class SumScorer:
    """A subset scores the sum of what its columns score."""

    def __init__(self, scores, groups):
        self._scores = scores if groups is None else np.array([scores[list(group)].sum() for group in groups])

    def of(self, subset):
        return np.array([self._scores[list(subset)].sum(), 0.0])

    def without_each(self, subset):
        return np.array([self.of([g for g in subset if g != f]) for f in subset])

    def with_each(self, subset, candidates):
        sums = self._scores[list(subset)].sum() + self._scores[list(candidates)]
        return np.column_stack([sums, np.zeros(len(sums))])


def _statistic(levels, memberships):
    seen = np.array([memberships[levels == level].sum(axis=0) for level in range(levels.max() + 1)])
    expected = np.outer(seen.sum(axis=1), seen.sum(axis=0)) / seen.sum()
    apart = np.where(expected > 0, (seen - expected) ** 2 / np.where(expected > 0, expected, 1.0), 0.0)
    return float(apart.sum())
