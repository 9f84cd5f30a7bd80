"""Mutual information as a criterion."""

from .. import _validation
from ..distances.balls import BallScan
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

    Notes
    -----
    In many dimensions the value orders subsets of one size well but cannot be read as information: do not stop
    a search where the curve is highest.

    With "count" the smallest memberships of a row, together at most 0.001 of it, have no term of their own, though they
    count in the balls of other rows: they cost most of the time and change the value by at most 0.001 (log n + 0.6).
    """

    any_units = samples_queries = allows_missing = takes_rows = True

    def __init__(self, n_neighbors=8, *, estimator="count", include_self=False):
        self.n_neighbors = n_neighbors
        self.estimator = estimator
        self.include_self = include_self

    def score(self, X, memberships):
        X, memberships = _validation.check_scored(X, memberships, missing=True)
        return information_of(X, memberships, **self._checked(memberships))

    def scorer(self, X, memberships, *, classes=None, groups=None, n_threads=1, queries=None, rows=NO_ROWS):
        checked = self._checked(memberships, classes, rows)
        how = {"groups": groups, "n_threads": n_threads, "rows": rows}
        scan = BallScan(X, memberships, checked.pop("estimator"), **how, **checked)
        return ball_scorer(scan, [[1, 0], [0, 0]], queries)

    def _checked(self, memberships, classes=None, rows=NO_ROWS):
        n_neighbors = _validation.check_count("n_neighbors", self.n_neighbors)
        _validation.check_class_sizes(memberships, classes, n_neighbors, "mutual information", rows)
        return {
            "n_neighbors": n_neighbors,
            "estimator": _validation.check_choice("estimator", self.estimator, ESTIMATORS),
            "include_self": _validation.check_flag("include_self", self.include_self),
        }
