"""A posterior that is a product of powers of probabilities."""

from __future__ import annotations

import numpy as np

from ._weights import ALIKE, number_of

SHARPEST = 20.0
"""The largest exponent that a classifier's probabilities are given, and the largest shift of a class."""


class Tempered:
    r"""Posterior :math:`q(s|x) \propto e^{a_s} \prod_m p_m(s|x)^{\beta_m}`, with a and beta fitted to memberships.

    `logs` are the logarithms of the probabilities of each classifier, (n_samples, n_classes) with rows that sum to
    zero; `rows` have the weights. The fit is convex; a step costs O(n_samples n_classes^2).
    """

    def __init__(self, logs, rows=ALIKE):
        self._logs, self._rows = logs, rows
        self._weights = np.zeros(len(logs) + logs[0].shape[1])  # exponents, then shifts
        self._weights[: len(logs)] = 1.0 / len(logs)
        self._least = np.full(len(self._weights), -SHARPEST)
        self._least[: len(logs)] = 0.0

    @property
    def exponents(self) -> np.ndarray:
        return self._weights[: len(self._logs)].copy()

    def fitted(self, memberships) -> np.ndarray:
        """log q after one Newton step towards the memberships, halved until it is no step back."""
        log_q, memberships = _log_posterior(self._weights, self._logs), self._rows.weighted(memberships)
        value = np.vdot(memberships, log_q)
        step = self._newton_step(memberships, np.exp(log_q))
        for _ in range(20):
            tried = np.clip(self._weights + step, self._least, SHARPEST)
            log_tried = _log_posterior(tried, self._logs)
            if np.vdot(memberships, log_tried) >= value:
                self._weights = tried
                return log_tried
            step = step / 2
        return log_q

    def of(self, logs) -> np.ndarray:
        """log q of other samples."""
        return _log_posterior(self._weights, logs)

    def _newton_step(self, memberships, q):
        m, n = len(self._logs), number_of(q, self._rows)
        means = [np.einsum("is,is->i", q, logs) for logs in self._logs]
        sums = means if self._rows.weight is None else [mean * self._rows.weight for mean in means]
        counted = self._rows.weighted(q)
        along = [np.vdot(memberships, logs) - each.sum() for logs, each in zip(self._logs, sums, strict=True)]
        gradient = np.concatenate([along, memberships.sum(axis=0) - counted.sum(axis=0)])
        hessian = np.empty((len(gradient), len(gradient)))
        hessian[m:, m:] = np.diag(counted.sum(axis=0)) - counted.T @ q
        for a, logs in enumerate(self._logs):
            weighted = counted * logs
            hessian[a, m:] = hessian[m:, a] = weighted.sum(axis=0) - counted.T @ means[a]
            for b in range(a + 1):
                hessian[a, b] = hessian[b, a] = np.vdot(weighted, self._logs[b]) - np.vdot(sums[a], means[b])
        # What is at a bound and wants to leave stays.
        free = ~((self._weights <= self._least) & (gradient < 0)) & ~((self._weights >= SHARPEST) & (gradient > 0))
        # Shifts are determined up to a common one only, hence the damping.
        damped = hessian[np.ix_(free, free)] + 1e-6 * n * np.eye(free.sum())
        step = np.zeros_like(gradient)
        step[free] = np.linalg.solve(damped, gradient[free])
        return step


def _log_posterior(weights, logs):
    m = len(logs)
    z = weights[0] * logs[0]
    for exponent, each in zip(weights[1:m], logs[1:], strict=True):
        z += exponent * each
    z += weights[m:]
    return normalised(z)


def normalised(log_joint) -> np.ndarray:
    """Log-probabilities whose exponentials sum to one in each row, in the place of any others."""
    log_joint -= log_joint.max(axis=1, keepdims=True)
    log_joint -= np.log(np.exp(log_joint).sum(axis=1, keepdims=True))
    return log_joint
