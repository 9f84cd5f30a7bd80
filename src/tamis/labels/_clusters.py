"""Classes as Gaussian clusters of one covariance."""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from ._tempered import normalised
from ._weights import ALIKE, number_of, variance_of

_LEAST_RIDGE = 1e-3


class Clusters:
    """Posterior of the classes if each is a Gaussian in the space of log-probabilities, all of one covariance.

    `logs` and `rows` are as in `Tempered`; logs of several classifiers are side by side. The covariance is drawn
    towards a multiple of the identity by the number of dimensions over that of samples, so that few samples do not make
    it certain of too much. A fit costs O(n_samples d^2), d being the number of classifiers times that of classes.
    """

    def __init__(self, logs, rows=ALIKE):
        n, n_classes = number_of(logs[0], rows), logs[0].shape[1]
        self._rows = rows
        self._Z = logs[0] if len(logs) == 1 else np.concatenate(logs, axis=1)
        self._total = rows.weighted(self._Z).T @ self._Z
        spread = [variance_of(logs_m, rows).sum() / (n_classes - 1) for logs_m in logs]
        strength = max(_LEAST_RIDGE, len(logs) * (n_classes - 1) / n)
        self._ridge = strength * np.repeat(np.maximum(spread, 1e-9), n_classes)

    def fitted(self, memberships) -> np.ndarray:
        """log q of the clusters that the memberships make."""
        n, memberships = number_of(self._Z, self._rows), self._rows.weighted(memberships)
        mass = np.maximum(memberships.sum(axis=0), 1e-9)
        means = (memberships.T @ self._Z) / mass[:, None]
        within = (self._total - (means * mass[:, None]).T @ means) / n
        within[np.diag_indices_from(within)] += self._ridge
        slopes = cho_solve(cho_factor(within, lower=True), means.T)
        joint = self._Z @ slopes
        joint += np.log(mass / n) - 0.5 * (means * slopes.T).sum(axis=1)
        return normalised(joint)
