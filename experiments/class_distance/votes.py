"""The judge: nearest neighbours vote for their labels, and the k classes of most votes are compared with the truth."""

from __future__ import annotations

import numpy as np
from scipy.sparse import issparse

BLOCK = 500


class Votes:
    """Top-k losses of a subset of features, by row of the test set.

    The neighbours of a row are all training rows that are as near as the k-th nearest: with few discrete features many
    are equally near, and none of them is preferred. The score of a class is its share of their labels; of equal scores
    the class that is more frequent in training counts as higher.

    Parameters
    ----------
    X, X_test : ndarray or sparse array of levels
    labels, truth : ndarray of shape (n_rows, n_classes)
        Zeros and ones, for one label or several.
    distances : ndarray of shape (n_classes, n_classes)
    metric : {"euclidean", "cosine"}
    """

    def __init__(self, X, labels, X_test, truth, distances, *, n_neighbors=10, metric="euclidean"):
        self.X, self.labels, self.X_test = X, labels.astype(float), X_test
        self.n_neighbors, self.metric = n_neighbors, metric
        # What it costs to answer each class: the distance to the nearest of the true ones.
        self.costs = np.array([distances[row].min(axis=0) for row in truth.astype(bool)])

    def losses(self, subset, ks=(1,)) -> np.ndarray:
        """(len(ks), n_test_rows)"""
        return self._losses(self.scores(subset), ks)

    def _losses(self, scores, ks):
        top = np.argsort(-scores, axis=1, kind="stable")[:, : max(ks)]
        paid = np.take_along_axis(self.costs, top, axis=1).cumsum(axis=1)
        return np.array([paid[:, k - 1] / k for k in ks])

    def scores(self, subset) -> np.ndarray:
        """(n_test_rows, n_classes)"""
        return self.scores_by_number(subset, (self.n_neighbors,))[0]

    def losses_by_number(self, subset, ks, numbers) -> np.ndarray:
        """Mean losses with several numbers of neighbours: (len(numbers), len(ks))"""
        found = (self._losses(scores, ks) for scores in self.scores_by_number(subset, numbers))
        return np.array([losses.mean(axis=1) for losses in found])

    def scores_by_number(self, subset, numbers) -> np.ndarray:
        """(len(numbers), n_test_rows, n_classes)"""
        here, there = self.X[:, subset], self.X_test[:, subset]
        squares = here.multiply(here) if issparse(here) else here * here
        squares = np.asarray(squares.sum(axis=1)).ravel()
        frequent = 1e-6 * self.labels.mean(axis=0)
        voted = []
        for begin in range(0, there.shape[0], BLOCK):
            products = there[begin : begin + BLOCK] @ here.T
            products = products.toarray() if issparse(products) else products
            if self.metric == "cosine":
                apart = np.round(-products / np.sqrt(np.where(squares > 0, squares, 1.0)), 9)
            else:
                apart = squares - 2.0 * products  # less the square of the row itself, which is common to all
            furthest = np.partition(apart, [number - 1 for number in numbers], axis=1)
            voted.append([(apart <= furthest[:, number - 1, None]).astype(float) @ self.labels for number in numbers])
        counts = np.concatenate(voted, axis=1)
        return counts / counts.sum(axis=2, keepdims=True) + frequent
