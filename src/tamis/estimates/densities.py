"""The density of each class at each sample."""

from __future__ import annotations

import numpy as np
from scipy.special import digamma, gammaln, logsumexp

from ..distances.balls import NEGLIGIBLE
from ..distances.orders import NeighbourOrders

_DIMENSION_NEIGHBORS = 10


class ClassDensities:
    r"""Densities of the classes as functions of the memberships (eq. 15 of Frenay et al., 2014).

    .. math:: \log p(x_i|s) = \psi(\Gamma(s|i)) - \psi(N_i(s)) - \log c_d - d \log 2 r(s|i)

    The neighbours of every sample are found once; each call walks outward among them.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    codes : ndarray of int, shape (n_samples,)
        The recorded classes.
    n_neighbors : int
        Weight k of a complete ball.
    include_self : bool
        Whether a sample takes part in the densities at its own place.
    dimension : {"intrinsic", "ambient"}
        The exponent d: the dimension of the surface that the samples lie on, or the number of features.
    """

    def __init__(self, X, codes, *, n_neighbors, include_self=False, dimension="intrinsic", n_threads=1):
        self._k, self._include_self = n_neighbors, include_self
        n_classes = int(codes.max()) + 1
        self._orders = NeighbourOrders(X, 6 * n_neighbors * n_classes, n_threads=n_threads)
        intrinsic = self._orders.dimension(_DIMENSION_NEIGHBORS)
        self.dimension = intrinsic if dimension == "intrinsic" else float(X.shape[1])
        # An order that ends too early is to be so many times as long next time, then its square, and so on.
        self._growth = np.full(len(X), 3.0 ** (2 / intrinsic))

    def log(self, memberships, log_weights):
        """Logarithms of the densities, (n_samples, n_classes).

        Minus infinity for a class whose membership would be negligible, given the logarithm of the weight that its
        density is to be multiplied with.
        """
        balls = None
        while True:
            balls = self._orders.grow(memberships, self._k, include_self=self._include_self, out=balls)
            weight, r2 = balls.weight, balls.r2
            cut = np.isinf(r2)
            log_density = self._log_density(memberships, np.where(cut, self._k, weight), self._reached(r2))
            joint = np.where(r2 < 0, -np.inf, log_density + log_weights)
            known = logsumexp(np.where(cut, -np.inf, joint), axis=1, keepdims=True)
            missing = cut & (joint > known + np.log(NEGLIGIBLE))
            rows = np.flatnonzero(missing.any(axis=1))
            if not len(rows):
                return np.where(cut | (r2 < 0), -np.inf, log_density)
            ahead = np.subtract(joint, known, where=missing, out=np.full(joint.shape, -np.inf))
            self._look_farther(rows, ahead[rows].max(axis=1))

    def _look_farther(self, rows, excess):
        """Up to where the class that is missing most, now `excess` nats ahead, would be negligible; not at once."""
        so_far = self._orders.limits[rows]
        with np.errstate(over="ignore"):
            enough = so_far * np.exp(2 / self.dimension * (excess - np.log(NEGLIGIBLE))) * (1 + 1e-9)
            farther = np.minimum(enough, so_far * self._growth[rows])
            self._growth[rows] **= 2
        self._orders.extend(rows, np.where(so_far > 0, farther, np.inf))

    def _reached(self, r2):
        """Squared radii, those not found replaced by how far one looked, and zero by the smallest there is."""
        r2 = np.where(np.isinf(r2), self._orders.limits[:, None], r2)
        positive = r2[r2 > 0]
        return np.where(r2 > 0, r2, positive.min() if len(positive) else 1.0)

    def _log_density(self, memberships, weight, r2):
        size = memberships.sum(axis=0) + (0.0 if self._include_self else 1.0 - memberships)
        d = self.dimension
        log_unit_ball = d / 2 * np.log(np.pi) - gammaln(d / 2 + 1)
        with np.errstate(invalid="ignore", divide="ignore"):  # a class that has nobody else
            return digamma(weight) - digamma(size) - log_unit_ball - d / 2 * np.log(r2)
