"""The Bayes risk as a criterion."""

from .. import _validation
from ..distances.balls import BallScan
from ..estimates.risk import KINDS, risk_of
from .base import NO_ROWS, Criterion, ball_scorer


class BayesRisk(Criterion, name="bayes_risk"):
    """Probability of error of the best decision from a subset of features; its negative is the score.

    Parameters
    ----------
    kind : {"expected", "count"}, default="expected"
        "expected" averages one minus the largest posterior; "count" counts errors, and breaks its frequent ties by the
        other.
    n_neighbors : int, default=8
        Weight of a complete ball.
    include_self : bool, default=False
        Whether a sample takes part in the densities at its own place.
    printed : bool, default=False
        Doquire et al. (2013) as printed: a density is divided by the size of its class, ψ(n_s), also at samples of
        other classes, where that is one less than the self-consistent ψ(n_s + 1); and ties of "count" stay ties.

    Notes
    -----
    The expected form sharpens its posteriors with every column, even a constant one, and so can prefer a worthless
    column to none. The count form does not.

    A class of one row (or group) has a density at the rows of others, of a ball that reaches to that row. At its own
    row it has none unless `include_self`, so that another class is decided for: an error in the count form, one minus
    the largest posterior of the others in the expected form. A warning names such classes. With only one class the risk
    is zero.
    """

    any_units = samples_queries = allows_missing = takes_rows = True

    def __init__(self, kind="expected", *, n_neighbors=8, include_self=False, printed=False):
        self.kind = kind
        self.n_neighbors = n_neighbors
        self.include_self = include_self
        self.printed = printed

    def score(self, X, memberships):
        X, memberships = _validation.check_scored(X, memberships, missing=True)
        kind = _validation.check_choice("kind", self.kind, KINDS)
        return -risk_of(X, memberships, kind=kind, **self._checked(memberships))

    def scorer(self, X, memberships, *, classes=None, groups=None, n_threads=1, queries=None, rows=NO_ROWS):
        kind = _validation.check_choice("kind", self.kind, KINDS)
        checked = self._checked(memberships, classes, rows)
        scan = BallScan(X, memberships, "risk", groups=groups, n_threads=n_threads, rows=rows, **checked)
        breaks_ties = 0 if checked["whole_sizes"] else -1
        return ball_scorer(scan, [[-1, 0], [0, breaks_ties]] if kind == "count" else [[0, 0], [-1, 0]], queries)

    def _checked(self, memberships, classes=None, rows=NO_ROWS):
        n_neighbors = _validation.check_count("n_neighbors", self.n_neighbors)
        include_self = _validation.check_flag("include_self", self.include_self)
        _validation.check_class_sizes(memberships, classes, n_neighbors, rows, so=decided(include_self))
        return {
            "n_neighbors": n_neighbors,
            "include_self": include_self,
            "whole_sizes": _validation.check_flag("printed", self.printed),
        }


def decided(include_self) -> str:
    """What is decided at the rows of a class that has nothing to be compared with."""
    if include_self:
        return "at its own row nothing else counts, so that it is decided for"
    return "next to no density at its own row, where another class is decided for"
