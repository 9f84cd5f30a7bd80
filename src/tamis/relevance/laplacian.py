"""Laplacian scores as criteria."""

from __future__ import annotations

import numpy as np

from .. import _validation
from ..distances.columns import single
from ..distances.graph import neighbour_graph
from ..distances.scaling import scaled
from ..estimates.laplacian import Ratio, laplacian_of, weighted_laplacian_of
from ..estimates.moments import class_moments
from .base import AdditiveCriterion, Criterion, score_of_all


class WeightedLaplacian(AdditiveCriterion, name="weighted_laplacian"):
    r"""Weighted Laplacian score of Doquire and Verleysen (2012); its negative is the criterion.

    A feature is good if it varies little between samples that may share their class and much between others (eq. 6),
    the chance that two samples share their class being the scalar product of their memberships. For several features
    differences are Euclidean distances.

    Notes
    -----
    The score compares class means: a feature whose classes differ in spread only looks like noise, and so does one
    that tells something in company alone. `MutualInformation` sees both. A constant feature has the worst score,
    minus infinity. The cost is O(n_samples n_classes n_features), and rows may come in blocks. A feature with missing
    values is scored on the rows where it is there. A class of one row counts as others do: it differs from all of them.
    With only one class no two rows differ, and all features but constant ones score zero.
    """

    allows_missing = True

    def sums(self, X, memberships, *, n_threads=1):
        return class_moments(X, memberships, n_threads=n_threads)

    def scorer_of(self, sums, *, classes=None, groups=None):
        _validation.check_class_weights(sums.weights, classes)
        ratio = weighted_laplacian_of(sums)
        if np.count_nonzero(sums.weights) < 2:
            varies = (ratio.similar > 0).astype(float)
            ratio = ratio._replace(similar=np.zeros_like(varies), different=varies)
        return RatioScorer(ratio, groups)


class LaplacianScore(Criterion, name="laplacian"):
    """Laplacian score of He, Cai and Niyogi (2006), without labels; its negative is the criterion.

    A feature is good if it varies little between neighbours, compared with its variance (eqs. 1-2 of Doquire and
    Verleysen, 2012). For several features differences are Euclidean distances.

    Parameters
    ----------
    n_neighbors : int, default=5
        Samples are joined in the graph if one is among so many nearest of the other.
    width : float, default=None
        The constant t of the weights exp(-d / t); by default the mean distance of neighbours.
    squared : bool, default=False
        Whether d is the squared distance, as in the first of the two papers, or the distance, as in the second.
    scale : {"standard", None}, default="standard"
        Whether neighbours are found after division of the columns by their standard deviations.
    """

    uses_labels = False
    allows_missing = True

    def __init__(self, n_neighbors=5, *, width=None, squared=False, scale="standard"):
        self.n_neighbors = n_neighbors
        self.width = width
        self.squared = squared
        self.scale = scale

    def score(self, X, memberships=None):
        return score_of_all(self, _validation.check_samples(X, missing=True), memberships)

    def scorer(self, X, memberships=None, *, classes=None, groups=None, n_threads=1):
        n_neighbors = _validation.check_count("n_neighbors", self.n_neighbors)
        if self.width is not None:
            _validation.check_positive("width", self.width)
        graph = neighbour_graph(
            scaled(X, self.scale),
            n_neighbors=n_neighbors,
            width=self.width,
            squared=_validation.check_flag("squared", self.squared),
            n_threads=n_threads,
        )
        return RatioScorer(laplacian_of(X, graph), groups)


class RatioScorer:
    """Minus the ratio of two sums over the columns of a subset; minus infinity if both are zero."""

    def __init__(self, ratio: Ratio, groups):
        self._alone = _negative_ratio(ratio.similar, ratio.different)
        # Only sums over several columns need common units; the smallest may then vanish beside the largest.
        self._unit = ratio.exponents.max()
        self._sides = self._in_common_units(ratio)
        if groups is not None and not single(groups):
            sides = np.array([self._sides[:, list(group)].sum(axis=1) for group in groups]).T
            alone = [self._alone[group[0]] if len(group) == 1 else np.nan for group in groups]
            self._alone = np.where(np.isnan(alone), _negative_ratio(*sides), alone)
            self._sides = sides
        elif groups is not None:
            order = [group[0] for group in groups]
            self._alone, self._sides = self._alone[order], self._sides[:, order]

    def of(self, subset):
        value = self._alone[subset[0]] if len(subset) == 1 else _negative_ratio(*self._sides[:, subset].sum(axis=1))
        return np.array([value, 0.0])

    def without_each(self, subset):
        if len(subset) == 2:
            return _rows(self._alone[subset[::-1]])
        sides = self._sides[:, subset]
        return _rows(_negative_ratio(*(_sums_before(sides) + _sums_before(sides[:, ::-1])[:, ::-1])))

    def with_each(self, subset, candidates):
        if not len(subset):
            return _rows(self._alone[candidates])
        return _rows(_negative_ratio(*(self._sides[:, subset].sum(axis=1, keepdims=True) + self._sides[:, candidates])))

    def _in_common_units(self, ratio):
        return np.ldexp([ratio.similar, ratio.different], 2 * (ratio.exponents - self._unit))


def _negative_ratio(similar, different):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((similar == 0) & (different == 0), -np.inf, -np.divide(similar, different))


def _sums_before(sides):
    return np.cumsum(np.pad(sides[:, :-1], ((0, 0), (1, 0))), axis=1)


def _rows(scores):
    return np.column_stack([scores, np.zeros(len(scores))])
