"""One half to select and learn on, the other to be judged on; labels of the selection as they are or flipped."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from tamis.datasets import flip_uniform

TUNED_ON = ("colon", "lung_small", "warpar10p")
CONFIRMED_ON = ("glioma", "prostate_ge", "basehock")
SIZES = (5, 10, 20, 50)
RATES = (0.0, 0.2)
TREES = 100
JUDGES = {
    "3-NN": lambda seed: KNeighborsClassifier(3),
    "linear SVM": lambda seed: LinearSVC(random_state=seed),
    "forest": lambda seed: RandomForestClassifier(TREES, random_state=seed),
}


def read(folder, name):
    """A set `wide_<name>.npz` of the folder: X and codes of classes."""
    with np.load(Path(folder) / f"wide_{name}.npz") as data:
        return np.asarray(data["X"], dtype=float), np.unique(data["y"], return_inverse=True)[1]


@dataclass
class Halves:
    """One split, standardised by the half that is selected on.

    `recorded` are the labels that a selection sees. The judges learn the true ones: what is compared is the features.
    """

    X: np.ndarray
    y: np.ndarray
    recorded: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    seed: int

    @classmethod
    def draw(cls, data, name, rate, repetition):
        """The rows of a repetition are the same at every rate."""
        X, y = data
        seed = int(np.random.default_rng([repetition, zlib.crc32(name.encode())]).integers(2**31))
        train, test = train_test_split(np.arange(len(y)), test_size=0.5, stratify=y, random_state=seed)
        middle, spread = X[train].mean(axis=0), X[train].std(axis=0)
        scaled = (X - middle) / np.where(spread > 0, spread, np.inf)
        recorded = flip_uniform(y[train], rate, random_state=seed).y
        return cls(scaled[train], y[train], recorded, scaled[test], y[test], seed)

    def errors(self, order) -> dict[str, list[float]]:
        """Balanced error in per cent of each judge with the first 5, 10, 20 and 50 features of an order."""
        return {name: [self._error(make, order[:size]) for size in SIZES] for name, make in JUDGES.items()}

    def _error(self, make, subset):
        decided = make(self.seed).fit(self.X[:, subset], self.y).predict(self.X_test[:, subset])
        missed = [(decided[self.y_test == s] != s).mean() for s in np.unique(self.y_test)]
        return round(100 * float(np.mean(missed)), 4)
