"""Labels made wrong on purpose, so that there is a truth to compare with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import cdist

from .. import _validation
from ..distances.classes import resolve_class_distance
from ..distances.scaling import tamed


class Spoiled(NamedTuple):
    """Labels of which some are wrong, and the rows (sorted) where they are."""

    y: np.ndarray
    changed: np.ndarray


def flip_uniform(y, rate, *, random_state=None) -> Spoiled:
    """Give a share of the rows another class, each other class being equally likely.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
    rate : float in [0, 1]
        Share of rows to change; their number is rounded, never drawn.
    random_state : int, RandomState instance or None, default=None

    Examples
    --------
    >>> from tamis.datasets import flip_uniform
    >>> spoiled = flip_uniform(["cat", "dog", "cat", "cow", "cow"], 0.4, random_state=0)
    >>> spoiled.y.tolist(), spoiled.changed.tolist()
    (['dog', 'dog', 'dog', 'cow', 'cow'], [0, 2])
    """
    classes, codes = _validation.check_classes(y)
    rate = _validation.check_share("rate", rate)
    rng = _validation.check_seed(random_state)
    rows = _draw(np.arange(len(codes)), rate, rng)
    return _flip(classes, codes, rows, _anyone_else(len(classes)), rng)


def flip_per_class(y, rates, *, random_state=None) -> Spoiled:
    """Give a share of the rows of each class another class, each other class being equally likely.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
    rates : mapping from class to rate, or array-like of shape (n_classes,) in the order of the sorted classes
        Classes that a mapping does not name keep their labels.
    random_state : int, RandomState instance or None, default=None
    """
    classes, codes = _validation.check_classes(y)
    if isinstance(rates, Mapping):
        _validation.check_known("rates", rates, classes)
        rates = [rates.get(c, 0.0) for c in classes.tolist()]
    rates = _validation.check_list("rates", rates, "numbers, one per class")
    _validation.check_length("rates", rates, len(classes), "one per class")
    rates = [_validation.check_share("rates", rate) for rate in rates]
    rng = _validation.check_seed(random_state)
    rows = [_draw(np.flatnonzero(codes == s), rate, rng) for s, rate in enumerate(rates)]
    return _flip(classes, codes, np.concatenate(rows), _anyone_else(len(classes)), rng)


def flip_by_transition(y, transition, *, random_state=None) -> Spoiled:
    """Draw a label for every row from the row of its class in a transition matrix.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
    transition : array-like of shape (n_classes, n_classes)
        Entry (s, t) is the probability that a row of class s is recorded as t, classes being sorted; rows sum to one.
    random_state : int, RandomState instance or None, default=None
    """
    classes, codes = _validation.check_classes(y)
    transition = _validation.check_transition(transition, len(classes))
    rng = _validation.check_seed(random_state)
    return _flip(classes, codes, np.arange(len(codes)), transition, rng)


def flip_near(y, rate, *, X=None, class_distance=None, n_near=1, random_state=None) -> Spoiled:
    """Give a share of the rows one of the classes nearest to their own, as tired experts do.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
    rate : float in [0, 1]
        Share of rows to change; their number is rounded, never drawn.
    X : array-like of shape (n_samples, n_features), default=None
        Classes are as far apart as their means in standardised features. Either this or `class_distance` is needed.
    class_distance : array-like of shape (n_classes, n_classes), default=None
        Distances between the sorted classes.
    n_near : int, default=1
        How many classes count as near; one of them is drawn. Of classes equally near the first are taken.
    random_state : int, RandomState instance or None, default=None
    """
    classes, codes = _validation.check_classes(y)
    rate = _validation.check_share("rate", rate)
    n_near = _validation.check_count("n_near", n_near, most=len(classes) - 1)
    if (X is None) == (class_distance is None):
        raise ValueError("flip_near needs either X or class_distance, to know which classes are near; pass one.")
    if class_distance is None:
        X = tamed(_validation.check_samples(X))
        _validation.check_rows_match(X, codes)
        spread = X.std(axis=0)
        means = np.array([X[codes == s].mean(axis=0) for s in range(len(classes))]) / np.where(spread > 0, spread, 1.0)
        class_distance = cdist(means, means)
    distance = _validation.check_square("class_distance", class_distance, len(classes)).copy()
    np.fill_diagonal(distance, np.inf)
    near = np.argsort(distance, axis=1, kind="stable")[:, :n_near]
    chances = np.zeros_like(distance)
    np.put_along_axis(chances, near, 1 / n_near, axis=1)
    rng = _validation.check_seed(random_state)
    return _flip(classes, codes, _draw(np.arange(len(codes)), rate, rng), chances, rng)


def flip_within(y, rate, class_distance, distance, *, random_state=None) -> Spoiled:
    """Give a share of the rows a class near their own, each class within a distance being equally likely.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
    rate : float in [0, 1]
        Share of rows to change, among those whose class has another one near; their number is rounded, never drawn.
    class_distance : ClassDistance or array-like of shape (n_classes, n_classes)
        An array is of distances between the sorted classes.
    distance : float
        Classes are near if they are at most so far apart (up to a factor of 1 + 1e-9, for sums that are rounded).
    random_state : int, RandomState instance or None, default=None

    Examples
    --------
    >>> from tamis import ClassDistance
    >>> from tamis.datasets import flip_within
    >>> distance = ClassDistance.from_paths({"cat": "pet/cat", "dog": "pet/dog", "car": "car"})
    >>> flip_within(["cat", "dog", "car", "cat"], 1.0, distance, 1, random_state=0).y.tolist()
    ['dog', 'cat', 'car', 'dog']
    """
    classes, codes = _validation.check_classes(y)
    rate = _validation.check_share("rate", rate)
    distance = _validation.check_positive("distance", distance)
    apart = resolve_class_distance(class_distance, classes).matrix
    near = _validation.check_near(apart <= distance * (1 + 1e-9), apart, distance)
    rng = _validation.check_seed(random_state)
    n_near = near.sum(axis=1)
    rows = _draw(np.flatnonzero(n_near[codes] > 0), rate, rng)
    return _flip(classes, codes, rows, near / np.maximum(1, n_near)[:, None], rng)


def _draw(rows, rate, rng):
    return rng.choice(rows, round(rate * len(rows)), replace=False)


def _anyone_else(n_classes):
    return (1 - np.eye(n_classes)) / (n_classes - 1)


def _flip(classes, codes, rows, chances, rng) -> Spoiled:
    """The given rows with a class drawn from the line of their class in `chances`."""
    return with_drawn(classes, codes, rows, chances[codes[rows]], rng)


def with_drawn(classes, codes, rows, chances, rng) -> Spoiled:
    """The given rows with a class drawn from their own line of `chances`."""
    cumulated = np.cumsum(chances, axis=1)
    # A draw between the last two rounded sums must not fall out of the classes.
    drawn = (rng.uniform(size=(len(rows), 1)) * cumulated[:, -1:] >= cumulated).sum(axis=1)
    spoiled = codes.copy()
    spoiled[rows] = drawn
    return Spoiled(classes[spoiled], np.flatnonzero(spoiled != codes))
