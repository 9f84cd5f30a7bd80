"""The Bayes risk from the densities of the classes."""

from ..distances.balls import ALIKE, BallScan

KINDS = ("count", "expected")


def risk_of(X, memberships, *, rows=ALIKE, kind="expected", n_threads=1, **how) -> float:
    """Probability of error of the best decision from all columns of X together (Doquire et al., 2013).

    "count" is the share of samples whose most probable class is not theirs (eq. 10), "expected" the mean of one
    minus the largest posterior (eq. 11). A sample takes no part in the densities at its own place.
    """
    scan = BallScan(X, memberships, "risk", rows=rows, n_threads=n_threads, **how)
    return float(scan.of(range(X.shape[1]))[KINDS.index(kind)])
