"""Labels made wrong on purpose, depending on the features of each row (noise not at random)."""

from __future__ import annotations

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from .. import _validation
from ..distances.scaling import scaled
from ..labels._out_of_sample import FOLDS, probabilities_of
from .spoil import Spoiled, with_drawn

_LEAST_WEIGHT = 1e-3


def flip_by_probabilities(y, probabilities, *, X=None, random_state=None) -> Spoiled:
    """Draw a label for every row from probabilities of its own.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
    probabilities : array-like of shape (n_samples, n_classes), or callable
        Entry (i, t) is the probability that row i, given its true class and its features, is recorded as t, classes
        being sorted; rows sum to one. A callable gets X and y and returns such an array.
    X : array-like of shape (n_samples, n_features), default=None
        For a callable.
    random_state : int, RandomState instance or None, default=None

    References
    ----------
    Frenay and Verleysen (2014). Classification in the presence of label noise: a survey: noise not at random.

    Examples
    --------
    >>> import numpy as np
    >>> from tamis.datasets import flip_by_probabilities
    >>> X = np.linspace(-9, 10, 20)[:, None]
    >>> y = (X[:, 0] > 0).astype(int)
    >>> def often_near_zero(X, y):
    ...     wrong = np.exp(-0.6 * np.abs(X))
    ...     return np.where(np.eye(2)[y] == 1, 1 - wrong, wrong)
    >>> X[flip_by_probabilities(y, often_near_zero, X=X, random_state=0).changed, 0].tolist()
    [-2.0, -1.0, 0.0]
    """
    classes, codes = _validation.check_classes(y)
    if callable(probabilities):
        if X is None:
            raise ValueError("flip_by_probabilities needs X if probabilities is a function of X and y; pass X.")
        samples = _validation.check_samples(X)
        _validation.check_rows_match(samples, codes)
        probabilities = probabilities(samples, classes[codes])
    chances = _validation.check_class_probabilities("probabilities", probabilities, classes, len(codes))
    rng = _validation.check_seed(random_state)
    return with_drawn(classes, codes, np.arange(len(codes)), chances, rng)


def flip_near_boundary(y, rate, X, *, estimator=None, random_state=None) -> Spoiled:
    """Give a share of the rows the class that a classifier takes for the most probable other one.

    Rows are drawn without replacement with weights proportional to its probability, for rows that the classifier has
    not seen: most wrong labels are near the boundary between two classes, where people make mistakes too.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
    rate : float in [0, 1]
        Share of rows to change; their number is rounded, never drawn.
    X : array-like of shape (n_samples, n_features)
    estimator : classifier with predict_proba, default=None
        What probabilities are from, by stratified cross-validation with 5 folds on standardised features. None is a
        random forest.
    random_state : int, RandomState instance or None, default=None

    Notes
    -----
    Weights are at least 0.001, so that rows far from every boundary can be drawn too.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from tamis.datasets import flip_near_boundary
    >>> X, y = load_iris(return_X_y=True)
    >>> flipped = flip_near_boundary(y, 0.1, X, random_state=0)
    >>> len(flipped.changed), int((y[flipped.changed] == 0).sum())  # no flower of class 0 is near another
    (15, 0)
    """
    classes, codes = _validation.check_classes(y)
    rate = _validation.check_share("rate", rate)
    X = scaled(_validation.check_samples(X), "standard")
    _validation.check_rows_match(X, codes)
    _validation.check_class_counts(codes, classes, "a classifier", FOLDS, trusts=False)
    rng = _validation.check_seed(random_state)
    seed = rng.randint(np.iinfo(np.int32).max)
    classifier = RandomForestClassifier(100, min_samples_leaf=5) if estimator is None else estimator
    others = probabilities_of([classifier], X, codes, seed=seed, n_jobs=1)[0].copy()
    others[np.arange(len(codes)), codes] = -1.0
    weights = np.clip(others.max(axis=1), _LEAST_WEIGHT, None)
    rows = rng.choice(len(codes), round(rate * len(codes)), replace=False, p=weights / weights.sum())
    return with_drawn(classes, codes, rows, np.eye(len(classes))[others.argmax(axis=1)[rows]], rng)
