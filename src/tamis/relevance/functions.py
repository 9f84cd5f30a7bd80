"""The estimates as plain functions of arrays, for any kind of label."""

import warnings

import numpy as np

from .. import _validation
from ..estimates import entropy_of
from ..labels import fit_labels, fresh_labels
from .information import MutualInformation
from .laplacian import WeightedLaplacian
from .refitting import scorer_of
from .risk import BayesRisk


def entropy(X, *, n_neighbors=8, sample_weight=None, groups=None, n_jobs=None):
    """Differential entropy of the columns of X together, in nats (Kozachenko and Leonenko).

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Without missing values: a density has no value where a coordinate is not known.
    n_neighbors : int, default=8
    sample_weight : array-like of shape (n_samples,), default=None
        How often each row counts; an integer is the row repeated. A row is never its own neighbour, however often it
        counts.
    groups : array-like of shape (n_samples,), default=None
        Rows of one group are not compared with each other.
    n_jobs : int, default=None
        Threads; the result does not depend on it.

    Returns
    -------
    float
        Minus infinity, with a warning, where repeated rows leave a ball without volume.

    Examples
    --------
    >>> import numpy as np
    >>> from tamis import entropy
    >>> X = np.random.default_rng(0).uniform(0, 2, size=(2000, 1))
    >>> round(entropy(X), 1)  # log 2
    0.7
    """
    X = _validation.check_samples(X)
    n_neighbors = _validation.check_count("n_neighbors", n_neighbors)
    X, _, _, rows = _validation.present_rows(X, None, None, sample_weight=sample_weight, groups=groups)
    _validation.check_company(rows, len(X), "entropy")
    value = entropy_of(X, n_neighbors=n_neighbors, n_threads=_validation.check_threads(n_jobs), rows=rows)
    if np.isneginf(value):
        warnings.warn(
            f"rows of X repeat more than n_neighbors = {n_neighbors} times, so the entropy is minus infinity. Raise "
            "n_neighbors or drop repeated rows.",
            UserWarning,
            stacklevel=2,
        )
    return value


def mutual_information(
    X,
    y,
    *,
    labels="hard",
    n_neighbors=8,
    estimator="count",
    include_self=False,
    memberships=None,
    sample_weight=None,
    groups=None,
    n_jobs=None,
    random_state=None,
):
    """Mutual information between the columns of X together and the class, in nats.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        A pair of rows with a missing value counts twice the variance of that column in place of the squared difference.
    y : array-like of shape (n_samples,) or (n_samples, n_classes)
        Classes, or with `labels="soft"` probabilities.
    labels : {"hard", "noisy", "soft", "crowd", "multilabel"} or label model, default="hard"
    n_neighbors : int, default=8
    estimator : {"count", "distance"}, default="count"
    include_self : bool, default=False
        Whether a sample is its own nearest neighbour (the literal Algorithm 1). One-hot probabilities give exactly the
        value of the classes only without it.
    memberships : array-like of shape (n_samples, n_classes), default=None
    sample_weight : array-like of shape (n_samples,), default=None
        How often each row counts; an integer is the row repeated. A row is never its own neighbour, however often it
        counts.
    groups : array-like of shape (n_samples,), default=None
        Rows of one group are not compared with each other.
    n_jobs : int, default=None
        Threads; the result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        For label models that draw random numbers ("noisy", "multilabel") and have no seed of their own. With None
        the result may vary from call to call.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from tamis import mutual_information
    >>> X, y = load_iris(return_X_y=True)
    >>> round(mutual_information(X[:, 2:], y), 2), round(mutual_information(X[:, :2], y), 2)
    (1.04, 0.7)
    """
    criterion = MutualInformation(n_neighbors, estimator=estimator, include_self=include_self)
    return float(_score(criterion, X, y, labels, memberships, sample_weight, groups, n_jobs, random_state)[0])


def bayes_risk(
    X,
    y,
    *,
    labels="hard",
    kind="expected",
    n_neighbors=8,
    include_self=False,
    memberships=None,
    sample_weight=None,
    groups=None,
    n_jobs=None,
    random_state=None,
):
    """Probability of error of the best decision from the columns of X together.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        A pair of rows with a missing value counts twice the variance of that column in place of the squared difference.
    y : array-like of shape (n_samples,) or (n_samples, n_classes)
    labels : {"hard", "noisy", "soft", "crowd", "multilabel"} or label model, default="hard"
    kind : {"expected", "count"}, default="expected"
        Mean of one minus the largest posterior, or share of wrong decisions.
    n_neighbors : int, default=8
    include_self : bool, default=False
    memberships : array-like of shape (n_samples, n_classes), default=None
    sample_weight : array-like of shape (n_samples,), default=None
        How often each row counts; an integer is the row repeated. A row is never its own neighbour, however often it
        counts.
    groups : array-like of shape (n_samples,), default=None
        Rows of one group are not compared with each other.
    n_jobs : int, default=None
        Threads; the result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        For label models that draw random numbers ("noisy", "multilabel") and have no seed of their own. With None
        the result may vary from call to call.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from tamis import bayes_risk
    >>> round(bayes_risk(*load_iris(return_X_y=True), kind="count"), 2)
    0.03
    """
    criterion = BayesRisk(kind, n_neighbors=n_neighbors, include_self=include_self)
    return -float(_score(criterion, X, y, labels, memberships, sample_weight, groups, n_jobs, random_state)[0])


def weighted_laplacian_score(
    X, y, *, labels="hard", memberships=None, sample_weight=None, n_jobs=None, random_state=None
):
    """Weighted Laplacian score of each column of X, as printed by Doquire and Verleysen (2012): lower is better.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        A column with missing values is scored on the rows where it is there.
    y : array-like of shape (n_samples,) or (n_samples, n_classes)
    labels : {"hard", "noisy", "soft", "crowd", "multilabel"} or label model, default="hard"
    memberships : array-like of shape (n_samples, n_classes), default=None
    sample_weight : array-like of shape (n_samples,), default=None
        How often each row counts; an integer is the row repeated.
    n_jobs : int, default=None
        Threads; the result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        For label models that draw random numbers ("noisy", "multilabel") and have no seed of their own. With None
        the result may vary from call to call.

    Returns
    -------
    ndarray of shape (n_features,)
        Infinity for constant columns.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from tamis import weighted_laplacian_score
    >>> weighted_laplacian_score(*load_iris(return_X_y=True)).round(3)
    array([0.146, 0.25 , 0.02 , 0.024])
    """
    how = {"sample_weight": sample_weight, "groups": None, "n_jobs": n_jobs, "random_state": random_state}
    scorer, features = _scorer(WeightedLaplacian(), X, y, labels, memberships, sparse=True, **how)
    return -scorer.with_each((), features)[:, 0]


def _score(criterion, X, y, labels, memberships, sample_weight, groups, n_jobs, random_state):
    how = {"sample_weight": sample_weight, "groups": groups, "n_jobs": n_jobs, "random_state": random_state}
    scorer, features = _scorer(criterion, X, y, labels, memberships, **how)
    return scorer.of(features)


def _scorer(criterion, X, y, labels, memberships, *, sample_weight, groups, n_jobs, random_state, sparse=False):
    X = _validation.check_samples(X, sparse=sparse, missing=True)
    given = {"sample_weight": sample_weight, "groups": groups}
    X, y, memberships, rows = _validation.present_rows(X, y, memberships, **given)
    model = fit_labels(fresh_labels(labels, random_state=random_state, n_jobs=n_jobs), X, y, memberships, rows)
    return scorer_of(criterion, model, X, rows=rows, n_threads=_validation.check_threads(n_jobs)), range(X.shape[1])
