"""Probabilities of classifiers for samples that they have not seen."""

from __future__ import annotations

import warnings

import numpy as np
from scipy.sparse import issparse
from sklearn.base import clone, is_classifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

from .. import _validation
from .._kernels.blas import one_blas_thread
from .._validation import Rows
from ..distances.scaling import has_gaps, tamed, turned
from ._weights import ALIKE

FOLDS = 5
MOST_ROWS = 50_000
"""That a tree of the default forest, or its linear model, is fitted to."""

_FLOAT32 = 100
"""Forests take numbers below 2**128, and a linear model multiplies them."""


def probabilities_of(estimator, X, codes, *, seed, n_jobs, rows=ALIKE) -> list[np.ndarray]:
    """Of each classifier, probabilities of the classes for every sample from a fit without it.

    `codes` are -1 for samples that are asked about only. `rows` are weights, for the classifiers that take them, and
    groups, of which none is in a fit and in what it is asked about.
    """
    if isinstance(estimator, str) and estimator == "auto":
        return _by_default(tamed(X, far=_FLOAT32), codes, seed, n_jobs, rows)
    classifiers = list(estimator) if isinstance(estimator, (list, tuple)) else [estimator]
    for one in classifiers or [()]:
        decides = not isinstance(one, type) and hasattr(one, "fit") and is_classifier(one)
        if not (decides and hasattr(one, "predict_proba")):
            raise ValueError(
                f"estimator must be 'auto', 'precomputed', None, or classifiers with predict_proba; got {one!r}. Wrap "
                "it in CalibratedClassifierCV if it only decides."
            )
    folds = _folds(codes, seed, rows)
    return [_out_of_sample(seeded(one, seed), X, codes, folds, rows) for one in classifiers]


def opinions_of(estimator, X, codes, n_classes, *, seed, n_jobs, rows=ALIKE) -> list[np.ndarray]:
    """As `probabilities_of`, where some of the classes may have too few samples: these have their shares everywhere."""
    known = codes >= 0
    share = np.bincount(codes[known], rows.of(known).weight, n_classes) / rows.of(known).weights(known.sum()).sum()
    alone = codes[known] if rows.group is None else np.unique(rows.group[known] * n_classes + codes[known]) % n_classes
    learned = np.flatnonzero(np.bincount(alone, minlength=n_classes) >= FOLDS)
    opinion = np.tile(share, (len(codes), 1))
    if len(learned) < 2:
        return [opinion]
    place = np.full(n_classes + 1, -1)  # the last one for code -1
    place[learned] = np.arange(len(learned))
    opinions = []
    for found in probabilities_of(estimator, X, place[codes], seed=seed, n_jobs=n_jobs, rows=rows):
        opinions.append(opinion.copy())
        opinions[-1][:, learned] = found * share[learned].sum()
    return opinions


def seeded(classifier, seed):
    """A copy in which everything that draws random numbers and has no seed of its own has this one."""
    copy = clone(classifier)
    names = [name for name, value in copy.get_params().items() if name.endswith("random_state") and value is None]
    return copy.set_params(**dict.fromkeys(names, seed))


def _by_default(X, codes, seed, n_jobs, rows):
    """A forest and a linear model: they err in different places, and their exponents decide whom to believe."""
    n = np.count_nonzero(codes >= 0)
    how = {"max_samples": MOST_ROWS / n} if n > MOST_ROWS else {}  # a share, as folds have fewer rows
    forest = RandomForestClassifier(100, min_samples_leaf=5, oob_score=True, random_state=seed, n_jobs=n_jobs, **how)
    folds = _folds(codes, seed, rows)
    found = _out_of_sample(forest, X, codes, folds, rows)
    with one_blas_thread():
        # Its penalty does not see rotations. With columns that tell where the gaps are, which the forest sees, suspects
        # were no better, even where gaps depend on the class: ROC AUC of wrong labels on iris with 30 % such gaps 0.983
        # with them, 0.988 without, on two other sets equal. Gaps that depend on the recorded class were believed.
        few = X
        if X.shape[1] > X.shape[0] and not issparse(X):
            few = turned(_filled(X, X)[1] if has_gaps(X) else X)[0]
        return [found, _out_of_sample(LogisticRegression(max_iter=1000), few, codes, folds, rows, most=MOST_ROWS)]


def _out_of_sample(classifier, X, codes, folds, rows, *, most=None) -> np.ndarray:
    """Out of bag where the classifier offers that (`oob_score=True`), else by stratified cross-validation.

    Of rows that have weights or groups there may be copies, which a bag does not leave out together, so these are
    cross-validated always. Of more than `most` rows the fits of a cross-validation see every second, third, ... row of
    each class.
    """
    if getattr(classifier, "oob_score", False):
        if rows.are_alike:
            return _out_of_bag(classifier, X, codes)
        classifier = clone(classifier).set_params(oob_score=False)
    n_classes = int(codes.max()) + 1
    found = np.empty((X.shape[0], n_classes))
    for train, test in folds:
        train = _every_few(train, codes[train], most)
        # With groups a class may have gone: it was not seen, and has no probability.
        classes, seen = np.unique(codes[train], return_inverse=True)
        known, asked = _without_gaps(classifier, X[train], X[test], rows.of(train))
        if len(classes) == 1:
            given = np.ones((len(test), 1))
        else:
            given = _predicted(_fitted(classifier, known, seen, rows.of(train)), asked, len(test), len(classes))
        found[test] = 0.0
        found[np.ix_(test, classes)] = given
    return found


def _out_of_bag(classifier, X, codes):
    n_classes, known = int(codes.max()) + 1, codes >= 0
    others = np.flatnonzero(~known)
    learned, asked = _without_gaps(classifier, X[known] if len(others) else X, X[others])
    fitted = _fitted(classifier, learned, codes[known])
    given = fitted.oob_decision_function_
    given = _validation.check_out_of_sample(classifier, given, known.sum(), n_classes, gaps=True)
    # A sample that was in every bag knows nothing.
    given = np.where(np.isfinite(given), given, 1.0 / n_classes)
    if not len(others):
        return given
    found = np.empty((len(codes), n_classes))
    found[known] = given
    found[others] = _predicted(fitted, asked, len(others), n_classes)
    return found


def _predicted(fitted, X, n_samples, n_classes):
    if "n_jobs" in fitted.get_params(deep=False):  # threads would add up the trees of a forest in any order
        fitted.set_params(n_jobs=1)
    return _validation.check_out_of_sample(fitted, fitted.predict_proba(X), n_samples, n_classes)


def _fitted(classifier, X, codes, rows=ALIKE):
    """A copy fitted with the weights if it takes them; if not, every sample counts once."""
    takes_weights = rows.weight is not None and has_fit_parameter(classifier, "sample_weight")
    fitted = clone(classifier)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The number of unique classes is greater", UserWarning)  # said of all rows
        fitted.fit(X, codes, **({"sample_weight": rows.weight} if takes_weights else {}))
    return fitted


def _folds(codes, seed, rows) -> list[tuple[np.ndarray, np.ndarray]]:
    """Samples to fit to and samples to ask about; every sample is asked about once, with the others of its group."""
    known, others = np.flatnonzero(codes >= 0), np.flatnonzero(codes < 0)
    if not len(others):
        return _folds_of_known(codes, seed, rows)
    group = None if rows.group is None else np.unique(rows.group[known], return_inverse=True)[1]
    folds = _folds_of_known(codes[known], seed, Rows(group=group))
    asked = np.arange(len(others)) % len(folds)
    if rows.group is not None:
        for fold, (_, test) in enumerate(folds):
            asked[np.isin(rows.group[others], rows.group[known[test]])] = fold
    return [
        (known[train], np.concatenate([known[test], others[asked == fold]])) for fold, (train, test) in enumerate(folds)
    ]


def _folds_of_known(codes, seed, rows):
    how = {"shuffle": True, "random_state": seed}
    if rows.group is None:
        return list(StratifiedKFold(min(FOLDS, np.bincount(codes).min()), **how).split(codes, codes))
    n_classes = int(codes.max()) + 1
    groups, classes = np.divmod(np.unique(rows.group * n_classes + codes), n_classes)
    n_folds = min(FOLDS, np.bincount(classes).min())
    if len(groups) > int(rows.group.max()) + 1:  # some have several classes
        folds = list(StratifiedGroupKFold(n_folds, **how).split(codes, codes, rows.group))
        return [(train, test) for train, test in folds if len(test)]
    asked = [np.isin(rows.group, groups[test]) for _, test in StratifiedKFold(n_folds, **how).split(groups, classes)]
    return [(np.flatnonzero(~test), np.flatnonzero(test)) for test in asked]


def _without_gaps(classifier, known, asked, rows=ALIKE):
    """Both tables as the classifier takes them: with their gaps, or filled."""
    if not (has_gaps(known) or has_gaps(asked)) or get_tags(classifier).input_tags.allow_nan:
        return known, asked
    return _filled(known, asked, rows)


def _filled(known, asked, rows=ALIKE):
    """Two tables whose gaps are filled with the means of the first; columns it has no values of become zero."""
    there = ~np.isnan(known)
    filled = np.where(there, known, known.dtype.type(0))
    total = rows.weighted(there).sum(axis=0)
    means = (rows.weighted(filled).sum(axis=0, dtype=float) / np.where(total > 0, total, 1.0)).astype(known.dtype)
    return np.where(there, known, means), np.where(np.isnan(asked) | (total == 0), means, asked)


def _every_few(rows, codes, most):
    """About so many rows, at regular places within each class."""
    if most is None or len(rows) <= most:
        return rows
    places = np.empty(len(rows), dtype=np.intp)
    order = np.argsort(codes, kind="stable")
    places[order] = np.arange(len(rows)) - np.concatenate([[0], np.cumsum(np.bincount(codes))])[codes[order]]
    return rows[places % -(-len(rows) // most) == 0]
