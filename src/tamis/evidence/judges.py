"""Judges: classifiers that score subsets of features, fitted to memberships rather than to classes.

They predict places in a space of the classes (`spaces`): memberships, where all mistakes are alike. They get
standardised columns: a missing value is NaN, the mean of a column zero. Weights, if there are any, are those of the
rows that they learn from.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_array
from scipy.special import expit, log_softmax, softmax
from sklearn.base import clone
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import RidgeCV
from sklearn.multioutput import MultiOutputClassifier
from sklearn.neighbors import NearestNeighbors
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

from .. import _validation
from ..distances.gaps import gap_constants, squared_distances
from ..distances.scaling import has_gaps, turned
from ..labels._out_of_sample import seeded
from .spaces import PlainSpace
from .units import means_of

ALIKE = PlainSpace(True)
"""All mistakes are alike."""
_NEIGHBOURS = 10
_TIES = 1 + 1e-9
_AT_ONCE = 512
_TREES = 50
_MANY_VALUES = 20_000
"""A forest for fewer is fitted before threads are there: 600 x 30 takes 1.3 times as long with two."""
_LEAST_GRADIENT = 1e-3  # a row: what is gained beyond it is less than the noise of a loss
_LEAST_WEIGHT = 1e-3
_MOST_TARGETS = 8
"""Directions that a forest splits by where there are distances between classes: all together take many times longer."""
MANY_TARGETS = 32
"""Classes or labels, without distances, beyond which forests do the same and ridge regression takes the place of the
logistic one: both take seconds for each subset with some hundreds."""
_PENALTIES = np.logspace(-1, 5, 7)


class NeighbourJudge:
    """The mean membership of the ten nearest rows.

    Where values are missing by the distances of `tamis.distances.gaps`, with all rows that are as near as the tenth.
    """

    name = "nearest neighbours"

    def predict(self, X, T, unseen, *, seed, one_class, space=ALIKE, weight=None):
        T = space.place(T)
        n_neighbors = min(_NEIGHBOURS, len(X))
        if has_gaps(X) or has_gaps(unseen):
            return self._with_gaps(X, T, unseen, n_neighbors, weight)
        near = NearestNeighbors(n_neighbors=n_neighbors).fit(X).kneighbors(unseen, return_distance=False)
        if weight is None:
            return T[near].mean(axis=1)
        counts = weight[near]
        return (T[near] * counts[..., None]).sum(axis=1) / counts.sum(axis=1, keepdims=True)

    def _with_gaps(self, X, T, unseen, n_neighbors, weight):
        counts = np.ones(len(X)) if weight is None else weight
        gaps, found = gap_constants(X, counts), np.empty((len(unseen), T.shape[1]))
        least = np.finfo(float).eps * X.shape[1]  # what is nearer is a rounding
        for begin in range(0, len(unseen), _AT_ONCE):
            rows = slice(begin, begin + _AT_ONCE)
            apart = squared_distances(unseen[rows], X, gaps)
            tenth = np.partition(apart, n_neighbors - 1, axis=1)[:, [n_neighbors - 1]]
            near = np.where(apart <= tenth * _TIES + least, counts, 0.0)
            found[rows] = near @ T / near.sum(axis=1, keepdims=True)
        return found


class TreeJudge:
    """A random forest, whose leaves hold mean memberships; each split sends missing values to one of its sides."""

    name = "random forest"

    def __init__(self, n_threads=1):
        self._n_threads = n_threads

    def predict(self, X, T, unseen, *, seed, one_class, space=ALIKE, weight=None):
        T, main = space.place(T), None
        if T.shape[1] > (_MOST_TARGETS if space.has_distance else MANY_TARGETS):
            main = _main_directions(T, _MOST_TARGETS)
        how = {"max_features": "sqrt", "min_samples_leaf": 2, "random_state": seed}
        if weight is not None:  # older forests draw rows whatever their weight, and leaves would be of light ones alone
            how["min_weight_fraction_leaf"] = min(0.5, 1 / len(X))
        n_jobs = self._n_threads if X.size > _MANY_VALUES else 1
        forest = RandomForestRegressor(_TREES, n_jobs=n_jobs, **how)
        learned = T if main is None else main
        forest.fit(X, learned if learned.shape[1] > 1 else learned.ravel(), sample_weight=weight)
        forest.set_params(n_jobs=1)  # threads would add up the trees in any order
        if main is not None:
            return _means_of_leaves(forest.apply(X), forest.apply(unseen), T, weight)
        return forest.predict(unseen).reshape(len(unseen), -1)


class LinearJudge:
    """Logistic regression with a penalty of half the squared length: multinomial, or one for each label of a set.

    In a space with distances, and for more than 32 classes or labels, ridge regression of the places, whose penalty
    cross-validation chooses. A missing value is the mean of its column, and whether it is missing is a column more.
    """

    name, name_of_many = "logistic regression", "ridge regression"

    def predict(self, X, T, unseen, *, seed, one_class, space=ALIKE, weight=None):
        X, unseen = _with_indicators(X, unseen, weight)
        if X.shape[1] > len(X):  # the penalty does not see rotations: as many directions as rows are enough
            X, unseen = turned(X, unseen)
        if space.has_distance or T.shape[1] > MANY_TARGETS:
            ridge = RidgeCV(_PENALTIES).fit(X, space.place(T), sample_weight=weight)
            return ridge.predict(unseen).reshape(len(unseen), -1)
        X = np.column_stack([X, np.ones(len(X))])
        shape, total = (X.shape[1], T.shape[1]), T.sum(axis=1, keepdims=True)
        penalty = np.ones((X.shape[1], 1))
        penalty[-1] = 0.0
        counts = 1.0 if weight is None else weight[:, None]

        def loss(flat):
            w = flat.reshape(shape)
            z = X @ w
            if one_class:
                value, p = -(counts * T * log_softmax(z, axis=1)).sum(), total * softmax(z, axis=1)
            else:
                value, p = (counts * (np.logaddexp(0, z) - T * z)).sum(), expit(z)
            return value + 0.5 * (penalty * w**2).sum(), (X.T @ (counts * (p - T)) + penalty * w).ravel()

        n_rows = len(X) if weight is None else weight.sum()
        how = {"gtol": _LEAST_GRADIENT * n_rows, "maxiter": 100}
        w = minimize(loss, np.zeros(shape).ravel(), jac=True, method="L-BFGS-B", options=how).x.reshape(shape)
        z = unseen @ w[:-1] + w[-1]
        return softmax(z, axis=1) if one_class else expit(z)


class ClassifierJudge:
    """A classifier of scikit-learn's kind; if it takes weights, a row counts for each class by its membership.

    A missing value is NaN to it if its tags allow that, else the mean of the column. A classifier without weights
    learns every row alike.
    """

    def __init__(self, classifier):
        self._classifier, self.name = classifier, type(classifier).__name__

    def predict(self, X, T, unseen, *, seed, one_class, space=ALIKE, weight=None):
        if (has_gaps(X) or has_gaps(unseen)) and not get_tags(self._classifier).input_tags.allow_nan:
            X, unseen = np.nan_to_num(X, nan=0.0), np.nan_to_num(unseen, nan=0.0)
        found = self._predicted(X, T, unseen, seed, one_class, weight)
        return space.place(_validation.check_predictions(self._classifier, found))

    def _predicted(self, X, T, unseen, seed, one_class, weight):
        model = seeded(self._classifier, seed)
        takes_weights = has_fit_parameter(model, "sample_weight")
        if not one_class:
            return self._labels(model, X, T, unseen, weight, takes_weights)
        if takes_weights:
            rows, codes = np.nonzero(T > _LEAST_WEIGHT)
            shares = T[rows, codes]
            model.fit(X[rows], codes, sample_weight=shares if weight is None else shares * weight[rows])
        else:
            model.fit(X, T.argmax(axis=1))
        return _spread(model.classes_, _probabilities(model, unseen), T.shape[1])

    def _labels(self, model, X, T, unseen, weight, takes_weights):
        varies = np.flatnonzero((T.max(axis=0) > 0.5) & (T.min(axis=0) <= 0.5))
        found = np.tile(means_of(T, weight), (len(unseen), 1))
        how = {"sample_weight": weight} if takes_weights and weight is not None else {}
        fitted = MultiOutputClassifier(model).fit(X, T[:, varies] > 0.5, **how)
        for label, one in zip(varies, fitted.estimators_, strict=True):
            found[:, label] = _probabilities(one, unseen)[:, -1]
        return found


def names_of(judges, space, n_targets) -> tuple[str, ...]:
    """What the judges are called where so many classes or labels are predicted in a space."""
    many = space.has_distance or n_targets > MANY_TARGETS
    return tuple(getattr(judge, "name_of_many", judge.name) if many else judge.name for judge in judges)


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


def _main_directions(T, n) -> np.ndarray:
    """Coordinates of places in the directions in which they vary most."""
    centred = T - T.mean(axis=0)
    return centred @ np.linalg.svd(centred, full_matrices=False)[2][:n].T


def _means_of_leaves(leaves, unseen_leaves, T, weight) -> np.ndarray:
    """The mean place of the rows in the same leaf, averaged over the trees."""
    n_rows, n_trees = leaves.shape
    counts, found = np.ones(n_rows) if weight is None else weight, np.zeros((len(unseen_leaves), T.shape[1]))
    for one, unseen in zip(leaves.T, unseen_leaves.T, strict=True):
        held = csr_array((counts, one, np.arange(n_rows + 1)), shape=(n_rows, 1 + max(one.max(), unseen.max())))
        sizes = np.bincount(one, counts, held.shape[1])
        found += ((held.T @ T) / np.where(sizes > 0, sizes, 1.0)[:, None])[unseen]
    return found / n_trees


def _with_indicators(X, unseen, weight):
    """Both without gaps, and with a standardised column for each one that has gaps in X."""
    if not (has_gaps(X) or has_gaps(unseen)):
        return X, unseen
    missing = np.isnan(X)
    gaps = missing.any(axis=0)
    share = means_of(missing[:, gaps].astype(float), weight)
    spread = np.sqrt(share * (1 - share))
    return [np.hstack([np.nan_to_num(Z, nan=0.0), (np.isnan(Z[:, gaps]) - share) / spread]) for Z in (X, unseen)]
