"""Mutual information as a criterion."""

import numpy as np

from .. import _validation
from ..distances.balls import BallScan
from ..distances.several import MeanScan
from ..estimates.information import ESTIMATORS, information_of
from .base import NO_ROWS, Criterion, ball_scorer


class MutualInformation(Criterion, name="mutual_information"):
    """Joint mutual information between a subset of features and the class, in nats.

    Parameters
    ----------
    n_neighbors : int, default=8
        Weight of a complete ball.
    estimator : {"count", "distance"}, default="count"
        "count" is safe with ties and robust to wrong labels; "distance" is the estimator of Gomez et al. (2009).
    include_self : bool, default=False
        Whether a sample is its own nearest neighbour, as in the literal Algorithm 1 of Frenay et al. (2014).
    per_label : {None, "mean"}, default=None
        Whether each label of a set is a problem of its own: the mean over the labels of the information between the
        features together and a label. None: one problem with the label sets as classes. Of labels that are no sets each
        class is compared with all others.

    Notes
    -----
    In many dimensions the value orders subsets of one size well but cannot be read as information: do not stop
    a search where the curve is highest.

    With "count" the smallest memberships of a row, together at most 0.001 of it, have no term of their own, though they
    count in the balls of other rows: they cost most of the time and change the value by at most 0.001 (log n + 0.6).

    A class with nothing to be compared with (one row, one group, or too little weight) has no term, and a warning names
    it. Its rows are still among the others in the balls of all rows. If all classes are like that, or if there is only
    one, the value is zero.
    """

    any_units = samples_queries = allows_missing = takes_rows = True

    def __init__(self, n_neighbors=8, *, estimator="count", include_self=False, per_label=None):
        self.n_neighbors = n_neighbors
        self.estimator = estimator
        self.include_self = include_self
        self.per_label = per_label

    @property
    def uses_label_sets(self):
        return self.per_label is not None

    def score(self, X, memberships):
        if self.per_label is not None:
            X, memberships = _validation.check_scored(X, memberships, label_sets=True, missing=True)
            return float(self.scorer(X, memberships).of(range(X.shape[1]))[0])
        X, memberships = _validation.check_scored(X, memberships, missing=True)
        return information_of(X, memberships, **self._checked(memberships))

    def scorer(self, X, memberships, *, classes=None, groups=None, n_threads=1, queries=None, rows=NO_ROWS):
        how = {"groups": groups, "n_threads": n_threads, "rows": rows}
        _validation.check_choice("per_label", self.per_label, (None, "mean"))
        if self.per_label is not None:
            return ball_scorer(self._of_labels(X, memberships, how), [[1, 0], [0, 0]], queries)
        checked = self._checked(memberships, classes, rows)
        scan = BallScan(X, memberships, checked.pop("estimator"), **how, **checked)
        return ball_scorer(scan, [[1, 0], [0, 0]], queries)

    def _of_labels(self, X, labels, how):
        """Scans for those labels that some rows have and others lack; of a constant one there is nothing to know."""
        varies = np.flatnonzero(np.ptp(labels, axis=0) > 0)
        both = [np.column_stack([labels[:, one], 1.0 - labels[:, one]]) for one in varies]
        checked = self._how()
        estimator = checked.pop("estimator")
        return MeanScan([BallScan(X, P, estimator, **how, **checked) for P in both or [np.ones((len(labels), 1))]])

    def _checked(self, memberships, classes=None, rows=NO_ROWS):
        n_neighbors = _validation.check_count("n_neighbors", self.n_neighbors)
        so = "left out of the information, except as neighbours of other rows"
        _validation.check_class_sizes(memberships, classes, n_neighbors, rows, so=so)
        return self._how()

    def _how(self):
        return {
            "n_neighbors": _validation.check_count("n_neighbors", self.n_neighbors),
            "estimator": _validation.check_choice("estimator", self.estimator, ESTIMATORS),
            "include_self": _validation.check_flag("include_self", self.include_self),
        }
