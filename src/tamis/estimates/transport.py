"""The cost of moving one distribution over the classes onto another."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from .. import _kernels, _validation
from ..distances.classes import ClassDistance

_BLOCK = 2**22  # numbers held at once


def wasserstein_of(p, q, distance: ClassDistance) -> np.ndarray:
    """Costs of moving each row of p onto that of q, both (n_pairs, n_classes): exact, by a sum if it is a tree."""
    if distance.tree is None:
        return _kernels.transport(np.ascontiguousarray(p), np.ascontiguousarray(q), distance.matrix)
    weights, below = distance.tree
    # Sparse, as it sums in the same order for any number of threads.
    edges = csr_array(below, dtype=float)
    costs = np.empty(len(p))
    rows = max(1, _BLOCK // max(1, below.shape[1]))  # a single class is in no edge
    for begin in range(0, len(p), rows):
        moved = (p[begin : begin + rows] - q[begin : begin + rows]) @ edges
        costs[begin : begin + rows] = (np.abs(moved) * weights).sum(axis=1)
    return costs


def wasserstein(p, q, class_distance=None):
    """Least cost of moving one distribution over the classes onto another, exactly (no regularisation).

    Parameters
    ----------
    p, q : array-like of shape (n_classes,) or (n_pairs, n_classes)
        Probabilities; one distribution is compared with each of many.
    class_distance : ClassDistance or array-like of shape (n_classes, n_classes), default=None
        What it costs to move from class to class, in the order of the columns of p and q. None is 0/1: the result is
        then the total variation.

    Returns
    -------
    float or ndarray of shape (n_pairs,)
        In units of the class distance.

    References
    ----------
    Rubner, Tomasi and Guibas (2000). The earth mover's distance as a metric for image retrieval.

    Examples
    --------
    >>> from tamis import ClassDistance, wasserstein
    >>> distance = ClassDistance.from_paths(["pet/husky", "pet/malamute", "car"])
    >>> wasserstein([1, 0, 0], [[0, 1, 0], [0, 0, 1], [0.5, 0, 0.5]], distance)
    array([1.  , 2.5 , 1.25])
    """
    (p, one_p), (q, one_q) = _validation.check_distributions("p", p), _validation.check_distributions("q", q)
    p, q = _validation.check_pairs(p, q)
    costs = wasserstein_of(p, q, _distance_in_order(class_distance, p.shape[1]))
    return float(costs[0]) if one_p and one_q else costs


def noise_bound(class_distance, joint) -> float:
    """How much wrong labels can hurt a selection, at most: the mean distance between true and recorded class.

    It bounds eps_1, the mean cost of moving p(Y | X) onto p(recorded Y | X), whatever made the mistakes. For every
    subset of features the loss d_1 with true labels and d_2 with recorded ones differ by at most 2 eps_1, and the
    exact optimum found with recorded labels loses at most 4 eps_1 (Theorems 1 and 2 of the reference). With an
    estimated `joint` it is an estimate, and a greedy search need not find the optimum.

    Parameters
    ----------
    class_distance : ClassDistance, array-like of shape (n_classes, n_classes) or None
        None is 0/1: the bound is then the share of wrong labels.
    joint : array-like of shape (n_classes, n_classes)
        Probability that the true class is i and the recorded one j; the whole sums to one, classes in the order of
        the distance.

    References
    ----------
    Feature selection based on Wasserstein distance, section III.

    Examples
    --------
    >>> from tamis import ClassDistance, noise_bound
    >>> grades = ClassDistance.from_tree([("low", "middle", 1), ("middle", "high", 1)])
    >>> round(noise_bound(grades, [[0.3, 0.1, 0], [0, 0.3, 0], [0.05, 0, 0.25]]), 3)
    0.2
    """
    known = isinstance(class_distance, ClassDistance)
    n_classes = len(class_distance.matrix if known else _validation.check_list("joint", joint, "rows"))
    joint = _validation.check_joint(joint, n_classes)
    return float((joint * _distance_in_order(class_distance, n_classes).matrix).sum())


def _distance_in_order(class_distance, n_classes) -> ClassDistance:
    """The distance of columns that have no names."""
    if class_distance is None:
        return ClassDistance.zero_one(range(n_classes))
    if not isinstance(class_distance, ClassDistance):
        class_distance = ClassDistance(class_distance)
    _validation.check_size(len(class_distance.matrix), n_classes)
    return class_distance
