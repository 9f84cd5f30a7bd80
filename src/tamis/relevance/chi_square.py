"""The chi-square statistic of binned features as a criterion."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _validation
from ..distances.chi_merge import chi2_levels
from ..distances.levels import level_columns
from ..distances.mdl import mdl_levels
from .base import NO_ROWS, Criterion, score_of_all

BINS = ("mdl", "quantile", "chi2")
PER_LABEL: dict[str, Any] = {"mean": np.mean, "max": np.max}


class ChiSquare(Criterion, name="chi2"):
    """Chi-square statistic of the table of a binned feature and the class, one feature at a time.

    Parameters
    ----------
    bins : {"mdl", "quantile", "chi2"}
        How features become levels; required, since results depend on it. "mdl" cuts where the class distribution
        changes, as long as the description gets shorter (Fayyad and Irani, 1993), and leaves a feature that does not
        predict the class in one piece, with a score of exactly zero; "quantile" cuts into `n_bins` of equal size;
        "chi2" merges neighbouring intervals of alike classes (Liu and Setiono, 1995), see Notes.
    n_bins : int, default=10
        For "quantile".
    max_inconsistency : float, default=0.05
        For "chi2": share of the rows that may differ from the commonest class among rows of equal levels.
    per_label : {None, "mean", "max"}, default=None
        Whether each label of a set is a problem of its own (binary relevance), with bins of its own, and how its
        statistics are combined. None: one table with the label sets that are kept as classes. Of labels that are no
        sets each class is compared with all others.

    Notes
    -----
    Several features score the sum of their own statistics: there is no joint one here. Missing values are a level of
    their own. Rows are counted, none is compared with another: groups of rows change nothing.

    "chi2" lowers the level of significance at which intervals of all features are merged, from 0.5, until rows become
    too inconsistent; then for one feature after the other, in their order, until none can be merged. It looks at all
    features together: those that others make superfluous are merged into one piece, the first of equal ones, so that
    scores depend on the other features and, unlike those of all other criteria, on the order of the columns. Where the
    limit is reached early, features that predict nothing keep many intervals, and a high score. A feature takes one
    merge for each of its values, about 50 microseconds.

    References
    ----------
    Liu and Setiono (1995). Chi2: feature selection and discretization of numeric attributes.
    Trohidis, Tsoumakas, Kalliris and Vlahavas (2008). Multi-label classification of music into emotions.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from tamis import ChiSquare, RankingSelector
    >>> X, y = load_iris(return_X_y=True)
    >>> RankingSelector(ChiSquare("mdl"), n_features_to_select=1).fit(X, y).scores_.round(0)
    array([119.,  73., 262., 267.])
    >>> labels = [{"long"} if x[2] > 5 else {"wide", "all"} if x[1] > 3 else {"all"} for x in X]
    >>> per_label = ChiSquare("mdl", per_label="max")
    >>> RankingSelector(per_label, labels="multilabel", n_features_to_select=1).fit(X, labels).get_support()
    array([False, False,  True, False])
    """

    allows_missing = gaps_are_levels = takes_rows = True

    def __init__(self, bins=None, *, n_bins=10, max_inconsistency=0.05, per_label=None):
        self.bins = bins
        self.n_bins = n_bins
        self.max_inconsistency = max_inconsistency
        self.per_label = per_label

    @property
    def uses_label_sets(self):
        return self.per_label is not None

    def score(self, X, memberships):
        checked = _validation.check_scored(X, memberships, label_sets=self.uses_label_sets, missing=True)
        return score_of_all(self, *checked)

    def scorer(self, X, memberships, *, classes=None, groups=None, n_threads=1, rows=NO_ROWS):
        self._check()
        known = self._levels_of_all(X, rows)
        if self.per_label is None:
            return SumScorer(self._statistics(X, rows.weighted(memberships), known), groups)
        of_labels = (rows.weighted(np.column_stack([has, 1.0 - has])) for has in memberships.T)
        each = [self._statistics(X, both, known) for both in of_labels]
        return SumScorer(PER_LABEL[self.per_label](each, axis=0), groups)

    def _statistics(self, X, memberships, known):
        levels = self._levels(X, memberships) if known is None else known
        return np.array([_statistic(column, memberships) for column in levels])

    def _levels_of_all(self, X, rows):
        """Levels that do not depend on the classes; None if they do."""
        if self.bins != "quantile":
            return None
        columns = level_columns(X, bins="quantile", n_bins=int(self.n_bins), weight=rows.weight)
        return [columns.of(f) for f in range(columns.n_units)]

    def _levels(self, X, memberships):
        if self.bins == "mdl":
            return [mdl_levels(column, memberships) for column in X.T]
        return chi2_levels(X, memberships, float(self.max_inconsistency))

    def _check(self):
        _validation.check_choice("bins", self.bins, BINS)
        _validation.check_choice("per_label", self.per_label, (None, *PER_LABEL))
        _validation.check_count("n_bins", self.n_bins, least=2)
        _validation.check_share("max_inconsistency", self.max_inconsistency)


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
