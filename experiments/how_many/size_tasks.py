"""Real tables, split into rows to select on and rows to test on, with label noise and with useless columns.

The data sets are halved beforehand, every other one in the order of their names: rules were chosen on the first half
and confirmed on the second.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

from tamis.datasets import flip_uniform, read_table

SETS = (
    "breast_tissue",
    "ecoli",
    "glass",
    "ionosphere",
    "iris",
    "page_blocks",
    "seeds",
    "segment",
    "sonar",
    "vehicle",
    "vertebral_3c",
    "wall_following_24",
    "waveform_noise",
    "wide_basehock",
    "wide_colon",
    "wide_glioma",
    "wide_lung_small",
    "wide_prostate_ge",
    "wide_warpar10p",
    "wine",
    "yeast_uci",
)
TUNED, CONFIRMED = SETS[::2], SETS[1::2]
NOISE = ("none", "uniform", "next")
RATE, MOST_TRAIN, MOST_TEST = 0.2, 700, 1500


@dataclass
class Task:
    """Rows to select on, with labels as recorded, and rows to test on, with true labels.

    The last `n_added` columns are copies of the others, each permuted by itself.
    """

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    n_added: int
    seed: int


def task(folder, name, noise, repetition, *, added=False) -> Task:
    """Two thirds of the rows to select on, at most 700; the same split for every kind of noise."""
    rng = np.random.default_rng([repetition, zlib.crc32(name.encode())])
    split, flips, seed, columns = rng.integers(2**31, size=4).tolist()
    X, y = _read(folder, name)
    n_train = min(MOST_TRAIN, round(2 / 3 * len(y)))
    how = {"train_size": n_train, "test_size": min(MOST_TEST, len(y) - n_train), "stratify": y, "random_state": split}
    X, X_test, y, y_test = train_test_split(X, y, **how)
    if noise == "uniform":
        y = flip_uniform(y, RATE, random_state=flips).y
    elif noise == "next":
        wrong = np.random.default_rng(flips).random(len(y)) < RATE
        y = np.where(wrong, (y + 1) % (y.max() + 1), y)
    if added:
        draw = np.random.default_rng(columns)
        X, X_test = (np.hstack([x, draw.permuted(x, axis=0)]) for x in (X, X_test))
    return Task(X, y, X_test, y_test, X.shape[1] // 2 if added else 0, seed)


def errors(task: Task, subset) -> list[float]:
    """Test errors in per cent of nearest neighbours, a forest and logistic regression, trained on recorded labels."""
    scaler = StandardScaler().fit(task.X[:, subset])
    X, X_test = scaler.transform(task.X[:, subset]), scaler.transform(task.X_test[:, subset])
    judges = (KNeighborsClassifier(), RandomForestClassifier(random_state=0), LogisticRegression(max_iter=500))
    return [round(100 * float((judge.fit(X, task.y).predict(X_test) != task.y_test).mean()), 3) for judge in judges]


def _read(folder, name):
    if name.startswith("wide"):
        with np.load(Path(folder) / f"{name}.npz", allow_pickle=True) as data:
            X, y = np.asarray(data["X"], dtype=float), data["y"]
    else:
        X, y, _ = read_table(folder, name)
    return np.asarray(X, dtype=float), np.unique(y, return_inverse=True)[1].ravel()
