"""Who selects: functions of (X, recorded labels, seed) that give an order of features, the most wanted first.

X is standardised. ReliefF is imported when it is asked for: `pip install --group experiments` brings skrebate.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import f_classif
from sklearn.svm import LinearSVC

from experiments.wide.halves import SIZES
from tamis import SequentialSelector
from tamis.selectors._sieve import first_to_leave

TREES, NEIGHBOURS = 500, 10
LEAST_CORRELATION = 0.001  # of mrmr-selection


class WithoutSieve(SequentialSelector):
    """The default search, from all features."""

    def _sieved(self, columns, labels, required, rows):
        return []


class SievedByRecorded(SequentialSelector):
    """The same sieve by the labels as recorded, before a noise model has cleaned them."""

    def _sieved(self, columns, labels, required, rows):
        recorded = SimpleNamespace(memberships_=labels.memberships_, search_memberships=labels.recorded)
        return first_to_leave(columns, recorded, required, rows)


def ours(labels, kind=SequentialSelector, **how):
    """A search down to one feature. It wants two rows of each class: of a class that flips left one, none is used."""

    def select(X, y, seed):
        rows = np.bincount(y)[y] > 1
        selector = kind(labels=labels, n_features_to_select=1, random_state=seed, **how)
        return selector.fit(X[rows], y[rows]).path_.lasting()

    return select


def rfe(X, y, seed):
    """Recursive elimination by the weights of a linear SVM, a tenth of those left per pass.

    scikit-learn's RFE takes a tenth of all features per pass, and so cannot go below a tenth of them finely.
    """
    left, gone = np.arange(X.shape[1]), []
    while len(left) > 1:
        weights = (LinearSVC(random_state=seed).fit(X[:, left], y).coef_ ** 2).sum(axis=0)
        order = np.argsort(weights, kind="stable")[: max(1, len(left) // 10)]
        gone += left[order].tolist()
        left = np.delete(left, order)
    return np.array([*left, *gone[::-1]])


def mrmr(X, y, seed):
    """F statistic by mean absolute correlation with those chosen: the order of the package mrmr-selection, faster."""
    relevance = _f_statistic(X, y)
    columns = X - X.mean(axis=0)
    length = np.linalg.norm(columns, axis=0)
    columns /= np.where(length > 0, length, np.inf)
    chosen, redundancy = [int(relevance.argmax())], np.zeros(X.shape[1])
    while len(chosen) < max(SIZES):
        redundancy += np.maximum(np.abs(columns.T @ columns[:, chosen[-1]]), LEAST_CORRELATION)
        scores = relevance / (redundancy / len(chosen))
        scores[chosen] = -np.inf
        chosen.append(int(scores.argmax()))
    return np.array(chosen)


def relief(X, y, seed):
    """ReliefF of the package skrebate with ten neighbours."""
    from skrebate import ReliefF

    return np.argsort(-ReliefF(n_neighbors=NEIGHBOURS).fit(X, y).feature_importances_, kind="stable")


def k_best(X, y, seed):
    return np.argsort(-_f_statistic(X, y), kind="stable")


def _f_statistic(X, y):
    with np.errstate(all="ignore"):
        return np.nan_to_num(f_classif(X, y)[0], nan=-1.0)


def forest(X, y, seed):
    scores = RandomForestClassifier(TREES, random_state=seed).fit(X, y).feature_importances_
    return np.argsort(-scores, kind="stable")


CONTENDERS = {
    "tamis, hard": ours("hard"),
    "tamis, noisy": ours("noisy"),
    "RFE, linear SVM": rfe,
    "mRMR": mrmr,
    "ReliefF": relief,
    "SelectKBest, F": k_best,
    "forest importance": forest,
}
VARIANTS = {
    "hard, no sieve": ours("hard", WithoutSieve),
    "noisy, no sieve": ours("noisy", WithoutSieve),
    "noisy, recorded sieve": ours("noisy", SievedByRecorded),
}
