"""The density of each class at each sample."""

from __future__ import annotations

import numpy as np
from scipy.special import digamma, gammaln

from ..distances.balls import ALIKE, NEGLIGIBLE, class_sizes
from ..distances.orders import NeighbourOrders

_DIMENSION_NEIGHBORS = 10


class ClassDensities:
    r"""Densities of the classes as functions of the memberships (eq. 15 of Frenay et al., 2014).

    .. math:: \log p(x_i|s) = \psi(\Gamma(s|i)) - \psi(N_i(s)) - \log c_d - d \log 2 r(s|i)

    The neighbours of every sample are found once; each call walks outward among them.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        NaN where a value is missing: see `tamis.distances.gaps.Gaps`.
    codes : ndarray of int, shape (n_samples,)
        The recorded classes.
    n_neighbors : int
        Weight k of a complete ball.
    rows : Rows
        Weights and groups: see `tamis.distances.balls.BallScan`.
    include_self : bool
        Whether a sample takes part in the densities at its own place.
    dimension : {"intrinsic", "ambient"}
        The exponent d: the dimension of the surface that the samples lie on, or the number of features.
    """

    def __init__(self, X, codes, *, n_neighbors, rows=ALIKE, include_self=False, dimension="intrinsic", n_threads=1):
        self._k, self._include_self, self._rows = n_neighbors, include_self, rows
        n_classes = int(codes.max()) + 1
        self._orders = NeighbourOrders(X, 8 * n_neighbors * n_classes, rows=rows, n_threads=n_threads)
        intrinsic = self._orders.dimension(_DIMENSION_NEIGHBORS)
        self.dimension = intrinsic if dimension == "intrinsic" else float(X.shape[1])
        # An order that ends too early is to be so many times as long next time, then its square, and so on.
        self._growth = np.full(len(X), 3.0 ** (2 / intrinsic))

    def log(self, memberships, log_weights):
        """Logarithms of the densities, (n_samples, n_classes).

        Minus infinity for a class whose membership would be negligible, given the logarithm of the weight that its
        density is to be multiplied with.
        """
        log_sizes = self._log_sizes(memberships)
        log_density, balls, rows = np.empty_like(log_sizes), None, np.arange(len(log_sizes))
        while True:
            balls = self._orders.grow(memberships, self._k, include_self=self._include_self, out=balls)
            log_density[rows] = self._log_density(balls, rows, log_sizes)
            nobody, cut = balls.r2[rows] < 0, np.isinf(balls.r2[rows])
            joint = np.where(nobody, -np.inf, log_density[rows] + log_weights[rows])
            known = _log_sums(np.where(cut, -np.inf, joint))
            missing = cut & (joint > known + np.log(NEGLIGIBLE))
            short = missing.any(axis=1)
            if not short.any():
                return np.where(np.isinf(balls.r2) | (balls.r2 < 0), -np.inf, log_density)
            ahead = np.subtract(joint, known, where=missing, out=np.full(joint.shape, -np.inf))
            self._look_farther(rows[short], ahead[short].max(axis=1))
            # Those of radius zero are given the smallest one, which may be another then.
            rows = np.union1d(rows[short], np.flatnonzero((balls.r2 == 0).any(axis=1)))

    def _look_farther(self, rows, excess):
        """Up to where the class that is missing most, now `excess` nats ahead, would be negligible; not at once."""
        so_far = self._orders.limits[rows]
        with np.errstate(over="ignore"):
            enough = so_far * np.exp(2 / self.dimension * (excess - np.log(NEGLIGIBLE))) * (1 + 1e-9)
            farther = np.minimum(enough, so_far * self._growth[rows])
            self._growth[rows] **= 2
        self._orders.extend(rows, np.where(so_far > 0, farther, np.inf))

    def _log_sizes(self, memberships):
        with np.errstate(invalid="ignore", divide="ignore"):  # a class that has nobody else
            return digamma(class_sizes(memberships, self._rows, self._include_self))

    def _log_density(self, balls, rows, log_sizes):
        """Of these rows; radii that were not found are how far one looked, and zero is the smallest there is."""
        r2, limits, d = balls.r2[rows], self._orders.limits[:, None], self.dimension
        cut = np.isinf(r2)
        weight, r2 = np.where(cut, self._k, balls.weight[rows]), np.where(cut, limits[rows], r2)
        if (r2 == 0).any():
            everywhere = np.where(np.isinf(balls.r2), limits, balls.r2)
            positive = everywhere[everywhere > 0]
            r2 = np.where(r2 == 0, positive.min() if len(positive) else 1.0, r2)
        log_unit_ball = d / 2 * np.log(np.pi) - gammaln(d / 2 + 1)
        with np.errstate(invalid="ignore", divide="ignore"):  # a class that has nobody else
            return digamma(weight) - log_sizes[rows] - log_unit_ball - d / 2 * np.log(r2)


def _log_sums(x):
    """Logarithms of the sums of exponentials over each row."""
    top = x.max(axis=1, keepdims=True)
    top[np.isinf(top)] = 0.0
    with np.errstate(divide="ignore"):
        return top + np.log(np.exp(x - top).sum(axis=1, keepdims=True))
