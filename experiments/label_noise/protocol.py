"""Section 6 of Frenay et al. (2014): how a feature subset is judged."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field

import numpy as np
from sklearn.neighbors import NearestNeighbors

from tamis.datasets import flip_uniform, read_table

N_NEIGHBORS = np.array([*range(1, 11), *range(12, 21, 2), *range(25, 51, 5)])
"""The k of the nearest-neighbour classifier, chosen by ten-fold cross-validation."""

FOLDS = 10
JITTER = 1e-3


def standardised(folder, name):
    """All features with mean zero and variance one, and the classes."""
    X, y, _ = read_table(folder, name)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def generator(name, repetition):
    """Random numbers of one repetition on one data set, whatever else is run."""
    return np.random.default_rng([repetition, zlib.crc32(name.encode())])


@dataclass
class Repetition:
    """One split, one spoiling, and the balanced error of any subset of features.

    Labels are codes. The spoiled ones serve the selection only: the classifier is trained and tested on clean labels.
    """

    X: np.ndarray
    clean: np.ndarray
    noisy: np.ndarray
    jittered: np.ndarray
    seed: int
    _X_test: np.ndarray
    _y_test: np.ndarray
    _folds: np.ndarray
    _errors: dict = field(default_factory=dict)

    @classmethod
    def draw(cls, data, name, number, rate):
        """Shuffle, split 70 to 30, flip a share of the training labels, add the jitter that the distance form needs."""
        X, y = data
        rng = generator(name, number)
        codes = np.unique(y, return_inverse=True)[1]
        rows = rng.permutation(len(codes))
        cut = round(0.7 * len(codes))
        train, test = rows[:cut], rows[cut:]
        seed = int(rng.integers(2**31))
        return cls(
            X[train],
            codes[train],
            flip_uniform(codes[train], rate, random_state=seed).y,
            X[train] + JITTER * rng.standard_normal(X[train].shape),
            seed,
            X[test],
            codes[test],
            rng.permutation(cut) % FOLDS,
        )

    def curve(self, path) -> list[float]:
        """Balanced error in per cent of the subsets of sizes 2 to d - 1."""
        return [self.error(path.subset(m)) for m in range(2, self.X.shape[1])]

    def error(self, subset) -> float:
        """Balanced error on the test set, k chosen on the training set."""
        key = tuple(subset.tolist())
        if key not in self._errors:
            self._errors[key] = 100 * self._error(list(key))
        return self._errors[key]

    def _error(self, subset):
        best = int(np.argmin(self.validation_errors(subset)))  # of equal ones the smallest k
        near = NearestNeighbors(n_neighbors=self._most()).fit(self.X[:, subset])
        tested = near.kneighbors(self._X_test[:, subset], return_distance=False)
        return float(balanced_errors(self._y_test, decisions(self.clean[tested], self._n_classes()))[best])

    def validation_errors(self, subset) -> np.ndarray:
        """Pooled balanced error of ten-fold cross-validation on the training set, for each k."""
        near = NearestNeighbors().fit(self.X[:, subset])
        # Enough neighbours that `most` remain when those of the own fold are left out, in nearly all cases.
        enough = min(len(self.X) - 1, round(1.35 * self._most()) + 10)
        around = near.kneighbors(n_neighbors=enough, return_distance=False)
        own_fold = self._folds[around] == self._folds[:, None]
        around = np.take_along_axis(around, np.argsort(own_fold, axis=1, kind="stable")[:, : self._most()], axis=1)
        return balanced_errors(self.clean, decisions(self.clean[around], self._n_classes()))

    def _most(self):
        return min(N_NEIGHBORS[-1], len(self.X) - 1)

    def _n_classes(self):
        return int(max(self.clean.max(), self._y_test.max())) + 1


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
