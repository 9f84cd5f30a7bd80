"""Gaussian mixtures whose features matter less and less, and columns that are harder to search."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Shape(NamedTuple):
    """Sizes of a data set; printed as 500x20x3."""

    n_samples: int
    n_features: int
    n_classes: int

    def __str__(self):
        return "x".join(map(str, self))


def mixture(shape: Shape, seed=0):
    """X and y: class means N(0, 1) times a weight that falls from 1 (first feature) to 0 (last), plus unit noise.

    The first m features are therefore much like the m that a search keeps, which is why baselines are timed on them.
    """
    n, d, c = shape
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % c)
    means = rng.standard_normal((c, d)) * np.linspace(1, 0, d)
    return means[y] + rng.standard_normal((n, d)), y


def badly_scaled(X):
    """The same with one feature in a unit a thousand times smaller: distances then cancel most easily."""
    X = X.copy()
    X[:, X.shape[1] // 2] *= 1e3
    return X


def sparse_binary(shape: Shape, seed=0):
    """One in twenty is 1: most rows have the same values as others, and most distances are equal."""
    return (np.random.default_rng(seed).random(shape[:2]) < 0.05).astype(float)


def word_frequencies(shape: Shape, seed=0):
    """Mostly zero, with a long tail."""
    rng = np.random.default_rng(seed)
    return np.where(rng.random(shape[:2]) < 0.2, rng.lognormal(size=shape[:2]), 0.0)


def standardised(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)


def memberships(y, certainty):
    """`certainty` on the class of each row, the rest spread evenly over the other classes."""
    n_classes = y.max() + 1
    spread = np.full((len(y), n_classes), (1 - certainty) / (n_classes - 1))
    spread[np.arange(len(y)), y] = certainty
    return spread


def answers(y, per_row, n_annotators=59, accuracy=0.7, seed=0):
    """So many answers a row on average, at least one, by annotators of uneven skill; NaN where there is none."""
    rng = np.random.default_rng(seed)
    skill = np.clip(rng.normal(accuracy, 0.15, n_annotators), 0.2, 0.97)
    table = np.full((len(y), n_annotators), np.nan)
    for row, label in zip(table, y, strict=True):
        who = rng.choice(n_annotators, np.clip(rng.poisson(per_row), 1, n_annotators), replace=False)
        row[who] = np.where(rng.random(len(who)) < skill[who], label, rng.integers(0, y.max() + 1, len(who)))
    return table


def soft_classes(shape: Shape, seed=0):
    """X and P: uneven memberships of every class in every row, drawn around what ten of the features say."""
    n, d, c = shape
    rng = np.random.default_rng(seed)
    signal = rng.standard_normal((n, 10))
    odds = np.exp(signal @ rng.standard_normal((10, c)) / 2)
    P = np.array([rng.dirichlet(1 + 8 * row / row.sum()) for row in odds])
    return np.hstack([signal + 0.5 * rng.standard_normal((n, 10)), rng.standard_normal((n, d - 10))]), P
