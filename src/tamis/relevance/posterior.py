"""The posterior of the classes at every row, for any kind of label."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .. import _validation
from ..estimates.posterior import posterior_of
from ..labels import fit_labels, fresh_labels
from .risk import decided


@dataclass(frozen=True)
class ClassPosterior:
    """What the features of each row say about its class, as `class_posterior` returns it.

    Attributes
    ----------
    classes : ndarray of shape (n_classes,)
    posterior : ndarray of shape (n_samples, n_classes)
        Probability of each class given the features of the row; rows sum to one.
    log_density : ndarray of shape (n_samples, n_classes)
        Logarithm of the density of each class at the row, in the units of X. Infinite where the ball of a class has
        radius zero, minus infinity for a class of no other row.
    decision : ndarray of shape (n_samples,)
        The most probable class; of equal ones the first.
    """

    classes: np.ndarray
    posterior: np.ndarray
    log_density: np.ndarray
    decision: np.ndarray


def class_posterior(
    X,
    y,
    *,
    labels="hard",
    n_neighbors=8,
    include_self=False,
    memberships=None,
    sample_weight=None,
    groups=None,
    n_jobs=None,
    random_state=None,
) -> ClassPosterior:
    r"""Probability of each class and log-density of each class at every row, from nearest neighbours.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        A pair of rows with a missing value counts twice the variance of that column in place of the squared difference.
    y : array-like of shape (n_samples,) or (n_samples, n_classes)
        Classes, or what the label model takes.
    labels : {"hard", "noisy", "soft", "crowd", "multilabel"} or label model, default="hard"
    n_neighbors : int, default=8
        Weight of a complete ball.
    include_self : bool, default=False
        Whether a row takes part in the densities at its own place.
    memberships : array-like of shape (n_samples, n_classes), default=None
    sample_weight : array-like of shape (n_samples,), default=None
        How often each row counts; an integer is the row repeated. A row is never its own neighbour, however often it
        counts. Rows of weight 0 are left out of the result too.
    groups : array-like of shape (n_samples,), default=None
        Rows of one group are not compared with each other.
    n_jobs : int, default=None
        Threads; the result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        For label models that draw random numbers ("noisy", "multilabel") and have no seed of their own. With None
        the result may vary from call to call.

    Returns
    -------
    ClassPosterior

    Notes
    -----
    These are the densities of `bayes_risk`: the mean of one minus the largest posterior is its `kind="expected"`, the
    share of wrong decisions its `kind="count"`, over the rows of which something is known. Other rows (without an
    answer, or with a rare label set) are in no ball, but have a posterior as well. The prior of a class is its share of
    the memberships. With ``include_self=False`` a row's own label has no influence on its posterior but through the
    priors.

    A ball takes in all rows that tie with its last one. Where rows repeat so often that the ball of a class has radius
    zero, its density is infinite; only classes of infinite density are possible there, with probabilities proportional
    to their weights. A class of no other row (or group) has density zero at its row, and a warning names it; where all
    classes are like that, they are equally probable.

    References
    ----------
    Doquire, Frenay and Verleysen (2013). Risk estimation and feature selection, eqs. (6)-(11).

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from tamis import bayes_risk, class_posterior
    >>> X, y = load_iris(return_X_y=True)
    >>> found = class_posterior(X[:, 2:], y)
    >>> found.posterior[70].round(2)
    array([0.  , 0.41, 0.58])
    >>> risk = (1 - found.posterior.max(axis=1)).mean()
    >>> bool(abs(risk - bayes_risk(X[:, 2:], y)) < 1e-12)
    True
    """
    X = _validation.check_samples(X, missing=True)
    n_neighbors = _validation.check_count("n_neighbors", n_neighbors)
    include_self = _validation.check_flag("include_self", include_self)
    given = {"sample_weight": sample_weight, "groups": groups}
    X, y, memberships, rows = _validation.present_rows(X, y, memberships, **given)
    model = fit_labels(fresh_labels(labels, random_state=random_state, n_jobs=n_jobs), X, y, memberships, rows)
    P = _validation.check_label_model(model, len(X))
    _validation.check_one_unit_a_row(P)
    _validation.check_class_sizes(P, model.classes_, n_neighbors, rows, so=decided(include_self))
    n_threads = _validation.check_threads(n_jobs)
    how = {"n_neighbors": n_neighbors, "include_self": include_self, "n_threads": n_threads}
    found = posterior_of(X, P, rows=rows, **how)
    classes = np.asarray(model.classes_)
    return ClassPosterior(classes, found.posterior, found.log_density, classes[found.decision])
