"""Generated hierarchies of three levels in which most classes have a handful of rows."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from tamis import ClassDistance

N_TRAIN = N_TEST = 2000
N_COPIES, N_NOISE = 2, 50
LEVELS = (0, 0, 0, 1, 1, 1, 1, 2, 2, 2)
"""Of each of the ten true features: whether it differs between branches, between twigs or between leaves."""
DEVIATIONS = (0.5, 0.7, 0.5, 0.4, 0.5, 0.6, 0.5, 0.3, 0.4, 0.5)


class Table(NamedTuple):
    """Rows to select and train on, with a class each; rows to test on, and which classes they have."""

    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    truth: np.ndarray
    distance: ClassDistance


class Hierarchy:
    """Branches, twigs and leaves; the classes are the leaves, whose sizes follow Zipf's law to some power."""

    def __init__(self, rng, n_classes, n_branches, n_twigs, power):
        branch_of_twig = np.concatenate([np.arange(n_branches), rng.integers(0, n_branches, n_twigs - n_branches)])
        self.twig = np.concatenate([np.arange(n_twigs), rng.integers(0, n_twigs, n_classes - n_twigs)])
        rng.shuffle(self.twig)
        self.branch = branch_of_twig[self.twig]
        self.paths = np.array(
            [f"{b}/{t}/{leaf}" for leaf, (b, t) in enumerate(zip(self.branch, self.twig, strict=True))]
        )
        sizes = 1 / np.arange(1, n_classes + 1) ** power
        rng.shuffle(sizes)
        self.shares = sizes / sizes.sum()

    def nodes(self, level) -> np.ndarray:
        """The node of each class at a level."""
        return (self.branch, self.twig, np.arange(len(self.twig)))[level]

    def means(self, rng, level, n_columns) -> np.ndarray:
        """Random means that are alike for classes of one node: (n_classes, n_columns)."""
        nodes = self.nodes(level)
        return rng.normal(size=(nodes.max() + 1, n_columns))[nodes]

    def table(self, rng, draw) -> Table:
        """`draw` makes the columns of rows from their classes."""
        y, y_test = (rng.choice(len(self.paths), n, p=self.shares) for n in (N_TRAIN, N_TEST))
        distance = ClassDistance.from_paths(np.sort(self.paths).tolist())
        truth = self.paths[y_test][:, None] == distance.classes
        return Table(draw(y), self.paths[y], draw(y_test), truth, distance)


def planted(seed, n_classes) -> Table:
    """Ten true features at three levels, two noisy copies of each, 50 columns of noise."""
    rng = np.random.default_rng([seed, n_classes])
    n_branches = int(rng.integers(3, 7))
    tree = Hierarchy(rng, n_classes, n_branches, max(2 * n_branches, round(1.5 * np.sqrt(n_classes))), 1.0)
    means = np.column_stack([tree.means(rng, level, 1) for level in LEVELS])
    spoiled = rng.uniform(0.3, 0.8, N_COPIES * len(LEVELS))

    def draw(y):
        true = means[y] + np.array(DEVIATIONS) * rng.normal(size=(len(y), len(LEVELS)))
        copies = np.repeat(true, N_COPIES, axis=1)
        return np.hstack([true, copies + spoiled * rng.normal(size=copies.shape), rng.normal(size=(len(y), N_NOISE))])

    return tree.table(rng, draw)


def mixtures(seed, n_classes=200, n_latent=24, n_columns=250) -> Table:
    """Descriptors that are sparse noisy mixtures of what the classes differ in."""
    rng = np.random.default_rng([seed, 1])
    tree, means = _latent(rng, n_classes, 5, 25, n_latent)
    mixing = rng.normal(size=(n_latent, n_columns)) * (rng.random((n_latent, n_columns)) < 0.12)
    mixing *= rng.gamma(1, 1, n_columns)
    noise = rng.uniform(0.3, 3, n_columns)
    return tree.table(rng, _drawn(rng, means, 1.0, mixing, noise))


def outlines(seed, n_classes=300, n_latent=40, n_columns=300) -> Table:
    """Smooth curves: a column is nearly a copy of the next."""
    rng = np.random.default_rng([seed, 2])
    tree, means = _latent(rng, n_classes, 6, 50, n_latent)
    fading = 1 / np.sqrt(np.arange(1, n_latent + 1))
    centres, widths = rng.uniform(0, n_columns, (n_latent, 1)), rng.uniform(4, 25, (n_latent, 1))
    bumps = np.exp(-0.5 * ((np.arange(n_columns) - centres) / widths) ** 2)
    return tree.table(rng, _drawn(rng, means * fading, 1.2 * fading, bumps, 0.15))


def _latent(rng, n_classes, n_branches, n_twigs, n_latent):
    tree = Hierarchy(rng, n_classes, n_branches, n_twigs, 0.7)
    return tree, sum(scale * tree.means(rng, level, n_latent) for level, scale in enumerate((1.0, 0.8, 0.8)))


def _drawn(rng, means, spread, mixing, noise):
    def draw(y):
        latent = means[y] + spread * rng.normal(size=(len(y), means.shape[1]))
        return latent @ mixing + noise * rng.normal(size=(len(y), mixing.shape[1]))

    return draw


GENERATED = {f"gen {n}": partial(planted, n_classes=n) for n in (50, 100, 200, 400)}
GENERATED |= {"mixtures": mixtures, "outlines": outlines}
