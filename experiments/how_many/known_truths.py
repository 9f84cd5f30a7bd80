"""Data with a train part whose labels are partly wrong and a test part whose labels are right.

Generated ones come with the features that are needed: sets, of each of which one is needed. Whatever else is kept
is not needed, the second one of a set as well.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np
from sklearn.model_selection import train_test_split

from tamis.datasets import flip_uniform, make_multilabel_1, make_multilabel_2, read_table

ROWS = 1000
REAL = ("iris", "wine", "segment", "sonar")
TEST_SHARE = 0.3


@dataclass
class Task:
    """One data set of one repetition. `y` is as recorded, flips included; `needed` is None if nobody knows.

    `seed` is for contenders and judges, and not that of the flips: equal ones would permute the same rows.
    """

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    needed: list[set[int]] | None
    seed: int


def generated(name, rate, repetition, rows=ROWS) -> Task:
    """As many fresh rows to test on; the same rows for every rate."""
    rng = _generator(name, repetition)
    make, needed = TRUTHS[name]
    X, y = make(2 * rows, rng)
    flips, seed = _seeds(rng, 2)
    noisy = flip_uniform(y[:rows], rate, random_state=flips).y
    return Task(X[:rows], noisy, X[rows:], y[rows:], needed, seed)


def real(folder, name, rate, repetition, rows=ROWS) -> Task:
    """A stratified split, 70 to 30, of which at most 1000 rows to train on."""
    X, y, _ = read_table(folder, name)
    codes = np.unique(y, return_inverse=True)[1]
    split, flips, seed = _seeds(_generator(name, repetition), 3)
    n_test = round(TEST_SHARE * len(y))
    n_train = min(rows, len(y) - n_test)
    X, X_test, y, y_test = train_test_split(
        X, codes, train_size=n_train, test_size=n_test, stratify=codes, random_state=split
    )
    return Task(X, flip_uniform(y, rate, random_state=flips).y, X_test, y_test, None, seed)


def count(kept, needed) -> tuple[int, int]:
    """How many of the needed are among those kept, and how many are kept beyond that."""
    found = sum(bool(alike & set(kept)) for alike in needed)
    return found, len(kept) - found


def waveform(rows, rng):
    """Breiman's waveforms: 21 features, each class a random mixture of two of three triangles, and 19 of pure noise."""
    y = rng.integers(3, size=rows)
    share = rng.uniform(size=(rows, 1))
    one, other = np.array([(0, 1), (0, 2), (1, 2)])[y].T
    waves = triangles()
    X = np.zeros((rows, 40))
    X[:, :21] = share * waves[one] + (1 - share) * waves[other]
    return X + rng.standard_normal(X.shape), y


def triangles() -> np.ndarray:
    """Height 6, with peaks at the 11th, 15th and 7th of 21 places."""
    return np.maximum(6 - np.abs(np.arange(1, 22) - np.array([[11], [15], [7]])), 0.0)


def noise(rows, rng):
    return rng.standard_normal((rows, 20)), rng.integers(3, size=rows)


def label_sets(make):
    """Every set of labels is a class."""

    def draw(rows, rng):
        X, Y, _ = make(rows, random_state=int(rng.integers(2**31)))
        return X, Y @ 2 ** np.arange(Y.shape[1])

    return draw


TRUTHS = {
    "problem 1": (label_sets(make_multilabel_1), [{10}, {2, 12}, {3, 13}, {4, 14}]),
    "problem 2": (label_sets(make_multilabel_2), [{0}, {1}, {2}, {3}]),
    "waveform": (waveform, [{f} for f in range(1, 20)]),  # relevant; a few of them may be enough
    "noise": (noise, []),
}


def _generator(name, repetition):
    return np.random.default_rng([repetition, zlib.crc32(name.encode())])


def _seeds(rng, n):
    return rng.integers(2**31, size=n).tolist()
