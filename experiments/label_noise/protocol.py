"""Section 6 of Frenay et al. (2014): one split, labels made wrong, and a judge."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace

import numpy as np

from experiments.judge import FOLDS, Judge
from experiments.nested import nested_errors
from tamis.datasets import read_table

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
    """One split, labels made wrong, and the balanced error of any subset of features.

    Labels are codes. The noisy ones serve the selection only: the classifier is trained and tested on clean labels.
    """

    X: np.ndarray
    clean: np.ndarray
    noisy: np.ndarray
    jittered: np.ndarray
    seed: int
    judge: Judge

    @classmethod
    def draw(cls, data, rng, corrupt):
        """Shuffle, split 70 to 30, make training labels wrong, add the jitter that the distance form needs."""
        X, y = data
        codes = np.unique(y, return_inverse=True)[1]
        rows = rng.permutation(len(codes))
        cut = round(0.7 * len(codes))
        train, test = rows[:cut], rows[cut:]
        seed = int(rng.integers(2**31))
        return cls(
            X[train],
            codes[train],
            corrupt(X[train], codes[train], seed),
            X[train] + JITTER * rng.standard_normal(X[train].shape),
            seed,
            Judge(X[train], codes[train], X[test], codes[test], rng.permutation(cut) % FOLDS),
        )

    def with_labels(self, corrupt) -> Repetition:
        """The same split with other labels."""
        return replace(self, noisy=corrupt(self.X, self.clean, self.seed))

    def curve(self, path) -> list[float]:
        """Balanced error in per cent of the subsets of sizes 1 to d."""
        return nested_errors(self.judge, path.lasting())
