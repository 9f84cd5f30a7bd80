"""Entropy and mutual information, in nats."""

import numpy as np
from scipy.special import digamma, gammaln

from ..distances.balls import ALIKE, BallScan, class_sizes, log2_scale

ESTIMATORS = ("count", "distance")


def information_of(
    X, memberships, *, rows=ALIKE, n_neighbors=8, estimator="count", include_self=False, n_threads=1
) -> float:
    r"""Mutual information between all columns of X together and the class.

    With :math:`\Gamma(s|i)` the memberships of class s in the ball of sample i, r its radius and m its number of
    samples,

    .. math:: I = \frac1n \sum_{i,s} \gamma(s|i) [\psi(\Gamma(s|i)) - \psi(N_i(s)) - \psi(m(s|i)) + \psi(n)]

    is the count form (for hard labels: Ross, 2014), safe with ties. The distance form replaces the last two terms
    by the logarithm of the volume (Gomez et al., 2009; eqs. 15-19 of Frenay et al., 2014). Missing values, weights
    and groups: see `BallScan`. The count form leaves out small memberships: see `tamis.distances.samples.LEFT_OUT`.
    """
    how = {"n_neighbors": n_neighbors, "include_self": include_self, "n_threads": n_threads}
    scan = BallScan(X, memberships, estimator, rows=rows, **how)
    return float(scan.of(range(X.shape[1]))[0])


def entropy_of(X, *, rows=ALIKE, n_neighbors=8, n_threads=1) -> float:
    """Kozachenko-Leonenko entropy; minus infinity where samples coincide so often that a ball has no volume."""
    n, d = X.shape
    k = min(n_neighbors, n - 1) if rows.weight is None else n_neighbors
    scan = BallScan(X, np.ones((n, 1)), "entropy", rows=rows, n_neighbors=k, n_threads=n_threads)
    # The kernel adds d log r - psi(k_i), of coordinates divided by 2 ** log2_scale; a ball of radius r has volume
    # pi ** (d/2) r ** d / gamma(d/2 + 1).
    log_unit_ball = d / 2 * np.log(np.pi) - gammaln(d / 2 + 1)
    sizes = n if rows.are_alike else class_sizes(np.ones((n, 1)), rows)[:, 0]
    log_size = np.average(digamma(sizes), weights=rows.weight)
    return float(scan.of(range(d))[0] + log_size + log_unit_ball + d * log2_scale(X) * np.log(2))
