"""How a subset of features is judged: by its nearest neighbours, their number chosen by cross-validation."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from sklearn.neighbors import NearestNeighbors

N_NEIGHBORS = np.array([*range(1, 11), *range(12, 21, 2), *range(25, 51, 5)])
"""The k of the nearest-neighbour classifier, chosen by ten-fold cross-validation."""

FOLDS = 10


@dataclass
class Judge:
    """Balanced error of a k-nearest-neighbour classifier, trained and tested on codes of classes."""

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    folds: np.ndarray
    _errors: dict = field(default_factory=dict)

    def error(self, subset) -> float:
        """Per cent on the test set, k chosen on the training set."""
        key = tuple(np.asarray(subset).tolist())
        if key not in self._errors:
            self._errors[key] = 100 * self._error(list(key))
        return self._errors[key]

    def _error(self, subset):
        best = int(np.argmin(self.validation_errors(subset)))  # of equal ones the smallest k
        near = NearestNeighbors(n_neighbors=self._most()).fit(self.X[:, subset])
        tested = near.kneighbors(self.X_test[:, subset], return_distance=False)
        return float(self.losses(self.y_test, self.y[tested])[best])

    def validation_errors(self, subset) -> np.ndarray:
        """Pooled loss of ten-fold cross-validation on the training set, for each k."""
        near = NearestNeighbors().fit(self.X[:, subset])
        # Enough neighbours that `most` remain when those of the own fold are left out, in nearly all cases.
        enough = min(len(self.X) - 1, round(1.35 * self._most()) + 10)
        around = near.kneighbors(n_neighbors=enough, return_distance=False)
        own_fold = self.folds[around] == self.folds[:, None]
        around = np.take_along_axis(around, np.argsort(own_fold, axis=1, kind="stable")[:, : self._most()], axis=1)
        return self.losses(self.y, self.y[around])

    def losses(self, truth, neighbours) -> np.ndarray:
        """Loss for each k, given what is true of each row and of its neighbours, the nearest first."""
        n_classes = int(max(self.y.max(), self.y_test.max())) + 1
        return balanced_errors(truth, decisions(neighbours, n_classes))

    def _most(self):
        return min(N_NEIGHBORS[-1], len(self.X) - 1)


class DistributionJudge(Judge):
    """How far the mean distribution of k nearest neighbours is from the true one: total variation, 0 to 1."""

    def losses(self, truth, neighbours):
        total = neighbours.cumsum(axis=1)
        means = (total[:, min(k, total.shape[1]) - 1] / min(k, total.shape[1]) for k in N_NEIGHBORS)
        return np.array([0.5 * np.abs(mean - truth).sum(axis=1).mean() for mean in means])


def decisions(neighbours, n_classes) -> np.ndarray:
    """Majority of the k nearest labels for each k; ties go to the class that is met first. (n_k, n_samples)"""
    votes = np.eye(n_classes)[neighbours]
    met = np.where(votes.any(axis=1), votes.argmax(axis=1), votes.shape[1])
    counts = votes.cumsum(axis=1)
    favour = met / (2.0 * votes.shape[1] + 2.0)
    return np.array([(counts[:, min(k, votes.shape[1]) - 1] - favour).argmax(axis=1) for k in N_NEIGHBORS])


def balanced_errors(y, decided) -> np.ndarray:
    """Mean over the classes of the share of wrong decisions, for each line of decisions."""
    return np.mean([(decided[:, y == s] != s).mean(axis=1) for s in np.unique(y)], axis=0)
