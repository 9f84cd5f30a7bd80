"""Judges: classifiers that score subsets of features, fitted to memberships rather than to classes."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, log_softmax, softmax
from sklearn.base import clone
from sklearn.ensemble import RandomForestRegressor
from sklearn.multioutput import MultiOutputClassifier
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.validation import has_fit_parameter

from .. import _validation
from ..distances.scaling import turned
from ..labels._out_of_sample import seeded

_NEIGHBOURS = 10
_TREES = 50
_MANY_VALUES = 20_000
"""A forest for fewer is fitted before threads are there: 600 x 30 takes 1.3 times as long with two."""
_LEAST_GRADIENT = 1e-3  # a row: what is gained beyond it is less than the noise of a loss
_LEAST_WEIGHT = 1e-3


class NeighbourJudge:
    """The mean membership of the ten nearest rows."""

    name = "nearest neighbours"

    def predict(self, X, T, unseen, *, seed, one_class):
        near = NearestNeighbors(n_neighbors=min(_NEIGHBOURS, len(X))).fit(X)
        return T[near.kneighbors(unseen, return_distance=False)].mean(axis=1)


class TreeJudge:
    """A random forest, whose leaves hold mean memberships."""

    name = "random forest"

    def __init__(self, n_threads=1):
        self._n_threads = n_threads

    def predict(self, X, T, unseen, *, seed, one_class):
        how = {"max_features": "sqrt", "min_samples_leaf": 2, "random_state": seed}
        n_jobs = self._n_threads if X.size > _MANY_VALUES else 1
        forest = RandomForestRegressor(_TREES, n_jobs=n_jobs, **how).fit(X, T if T.shape[1] > 1 else T.ravel())
        forest.set_params(n_jobs=1)  # threads would add up the trees in any order
        return forest.predict(unseen).reshape(len(unseen), -1)


class LinearJudge:
    """Logistic regression with a penalty of half the squared length: multinomial, or one for each label of a set."""

    name = "logistic regression"

    def predict(self, X, T, unseen, *, seed, one_class):
        if X.shape[1] > len(X):  # the penalty does not see rotations: as many directions as rows are enough
            X, unseen = turned(X, unseen)
        X = np.column_stack([X, np.ones(len(X))])
        shape, total = (X.shape[1], T.shape[1]), T.sum(axis=1, keepdims=True)
        penalty = np.ones((X.shape[1], 1))
        penalty[-1] = 0.0

        def loss(flat):
            w = flat.reshape(shape)
            z = X @ w
            if one_class:
                value, p = -(T * log_softmax(z, axis=1)).sum(), total * softmax(z, axis=1)
            else:
                value, p = (np.logaddexp(0, z) - T * z).sum(), expit(z)
            return value + 0.5 * (penalty * w**2).sum(), (X.T @ (p - T) + penalty * w).ravel()

        how = {"gtol": _LEAST_GRADIENT * len(X), "maxiter": 100}
        w = minimize(loss, np.zeros(shape).ravel(), jac=True, method="L-BFGS-B", options=how).x.reshape(shape)
        z = unseen @ w[:-1] + w[-1]
        return softmax(z, axis=1) if one_class else expit(z)


class ClassifierJudge:
    """A classifier of scikit-learn's kind; if it takes weights, a row counts for each class by its membership."""

    def __init__(self, classifier):
        self._classifier, self.name = classifier, type(classifier).__name__

    def predict(self, X, T, unseen, *, seed, one_class):
        return _validation.check_predictions(self._classifier, self._predicted(X, T, unseen, seed, one_class))

    def _predicted(self, X, T, unseen, seed, one_class):
        model = seeded(self._classifier, seed)
        if not one_class:
            return self._labels(model, X, T, unseen)
        if has_fit_parameter(model, "sample_weight"):
            rows, codes = np.nonzero(T > _LEAST_WEIGHT)
            model.fit(X[rows], codes, sample_weight=T[rows, codes])
        else:
            model.fit(X, T.argmax(axis=1))
        return _spread(model.classes_, _probabilities(model, unseen), T.shape[1])

    def _labels(self, model, X, T, unseen):
        varies = np.flatnonzero((T.max(axis=0) > 0.5) & (T.min(axis=0) <= 0.5))
        found = np.tile(T.mean(axis=0), (len(unseen), 1))
        for label, one in zip(varies, MultiOutputClassifier(model).fit(X, T[:, varies] > 0.5).estimators_, strict=True):
            found[:, label] = _probabilities(one, unseen)[:, -1]
        return found


def resolve_judges(judge, n_threads=1) -> list:
    """Judges from "auto", a classifier or several; those of "auto" take so many threads, for the same answers."""
    if isinstance(judge, str) and judge == "auto":
        return [NeighbourJudge(), TreeJudge(n_threads), LinearJudge()]
    given = list(judge) if isinstance(judge, (list, tuple)) else [judge]
    return [ClassifierJudge(clone(_validation.check_judge(one))) for one in given or [()]]


def _probabilities(model, X):
    """Of its classes; of a classifier that only decides, zeros and ones."""
    if hasattr(model, "predict_proba"):
        return model.predict_proba(X)
    return (np.asarray(model.predict(X))[:, None] == model.classes_).astype(float)


def _spread(codes, probabilities, n_classes):
    """Columns at the places of the classes that a classifier has met."""
    found = np.zeros((len(probabilities), n_classes))
    found[:, codes] = probabilities
    return found
