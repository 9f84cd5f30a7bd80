"""Entropy and mutual information, in nats."""

import numpy as np
from scipy.special import digamma, gammaln

from ..distances.balls import BallScan, log2_scale

ESTIMATORS = ("count", "distance")


def information_of(X, memberships, *, n_neighbors=8, estimator="count", include_self=False, n_threads=1) -> float:
    r"""Mutual information between all columns of X together and the class.

    With :math:`\Gamma(s|i)` the memberships of class s in the ball of sample i, r its radius and m its number of
    samples,

    .. math:: I = \frac1n \sum_{i,s} \gamma(s|i) [\psi(\Gamma(s|i)) - \psi(N_i(s)) - \psi(m(s|i)) + \psi(n)]

    is the count form (for hard labels: Ross, 2014), safe with ties. The distance form replaces the last two terms
    by the logarithm of the volume (Gomez et al., 2009; eqs. 15-19 of Frenay et al., 2014).
    """
    scan = BallScan(X, memberships, estimator, n_neighbors=n_neighbors, include_self=include_self, n_threads=n_threads)
    return float(scan.of(range(X.shape[1]))[0])


def entropy_of(X, *, n_neighbors=8, n_threads=1) -> float:
    """Kozachenko-Leonenko entropy; minus infinity where samples coincide so often that a ball has no volume."""
    n, d = X.shape
    scan = BallScan(X, np.ones((n, 1)), "entropy", n_neighbors=min(n_neighbors, n - 1), n_threads=n_threads)
    # The kernel adds d log r - psi(k_i), of coordinates divided by 2 ** log2_scale; a ball of radius r has volume
    # pi ** (d/2) r ** d / gamma(d/2 + 1).
    log_unit_ball = d / 2 * np.log(np.pi) - gammaln(d / 2 + 1)
    return float(scan.of(range(d))[0] + digamma(n) + log_unit_ball + d * log2_scale(X) * np.log(2))
