"""Probabilities of classifiers for samples that they have not seen."""

from __future__ import annotations

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

from .. import _validation
from .._kernels.blas import one_blas_thread
from ..distances.scaling import tamed, turned

FOLDS = 5
MOST_ROWS = 50_000
"""That a tree of the default forest, or its linear model, is fitted to."""

_FLOAT32 = 100
"""Forests take numbers below 2**128, and a linear model multiplies them."""


def probabilities_of(estimator, X, codes, *, seed, n_jobs) -> list[np.ndarray]:
    """Of each classifier, probabilities of the classes for every sample from a fit without it."""
    if isinstance(estimator, str) and estimator == "auto":
        return _by_default(tamed(X, far=_FLOAT32), codes, seed, n_jobs)
    classifiers = list(estimator) if isinstance(estimator, (list, tuple)) else [estimator]
    for one in classifiers or [()]:
        decides = not isinstance(one, type) and hasattr(one, "fit") and is_classifier(one)
        if not (decides and hasattr(one, "predict_proba")):
            raise ValueError(
                f"estimator must be 'auto', 'precomputed', None, or classifiers with predict_proba; got {one!r}. Wrap "
                "it in CalibratedClassifierCV if it only decides."
            )
    return [_out_of_sample(seeded(one, seed), X, codes, seed) for one in classifiers]


def seeded(classifier, seed):
    """A copy in which everything that draws random numbers and has no seed of its own has this one."""
    copy = clone(classifier)
    names = [name for name, value in copy.get_params().items() if name.endswith("random_state") and value is None]
    return copy.set_params(**dict.fromkeys(names, seed))


def _by_default(X, codes, seed, n_jobs):
    """A forest and a linear model: they err in different places, and their exponents decide whom to believe."""
    how = {"max_samples": MOST_ROWS} if len(X) > MOST_ROWS else {}
    forest = RandomForestClassifier(100, min_samples_leaf=5, oob_score=True, random_state=seed, n_jobs=n_jobs, **how)
    found = _out_of_sample(forest, X, codes, seed)
    with one_blas_thread():
        few = X if X.shape[1] <= len(X) else turned(X)[0]  # its penalty does not see rotations
        return [found, _out_of_sample(LogisticRegression(max_iter=1000), few, codes, seed, most=MOST_ROWS)]


def _out_of_sample(classifier, X, codes, seed, *, most=None) -> np.ndarray:
    """Out of bag where the classifier offers that (`oob_score=True`), else by stratified cross-validation.

    Of more than `most` rows the fits of a cross-validation see every second, third, ... row of each class.
    """
    n_classes = int(codes.max()) + 1
    if getattr(classifier, "oob_score", False):
        fitted = clone(classifier)
        fitted.fit(X, codes)
        given = fitted.oob_decision_function_
        found = _validation.check_out_of_sample(classifier, given, len(X), n_classes, gaps=True)
    else:
        folds = StratifiedKFold(min(FOLDS, np.bincount(codes).min()), shuffle=True, random_state=seed)
        found = np.empty((len(X), n_classes))
        for train, test in folds.split(X, codes):
            train = _every_few(train, codes[train], most)
            fitted = clone(classifier)
            fitted.fit(X[train], codes[train])
            given = fitted.predict_proba(X[test])
            found[test] = _validation.check_out_of_sample(classifier, given, len(test), n_classes)
    # A sample that was in every bag knows nothing.
    return np.where(np.isfinite(found), found, 1.0 / found.shape[1])


def _every_few(rows, codes, most):
    """About so many rows, at regular places within each class."""
    if most is None or len(rows) <= most:
        return rows
    places = np.empty(len(rows), dtype=np.intp)
    order = np.argsort(codes, kind="stable")
    places[order] = np.arange(len(rows)) - np.concatenate([[0], np.cumsum(np.bincount(codes))])[codes[order]]
    return rows[places % -(-len(rows) // most) == 0]
