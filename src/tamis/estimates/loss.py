"""How far predictions are from the truth."""

from __future__ import annotations

import numpy as np

from .. import _validation
from ..distances.balls import log2_scale
from ..distances.classes import ClassDistance, resolve_class_distance


def top_k_loss(y_true, scores, class_distance, k=1, *, classes=None) -> float:
    """Mean distance from each of the k highest-scored classes to the nearest true one.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_classes), or list of sets
        A class per sample, or several: as zeros and ones in the order of the columns of `scores`, or as sets.
    scores : array-like of shape (n_samples, n_classes)
        The higher, the more probable; of equal scores the first column counts as higher.
    class_distance : ClassDistance, array-like of shape (n_classes, n_classes) or None
        None is 0/1: with k=1 the loss is then the share of wrong predictions.
    k : int, default=1
    classes : array-like of shape (n_classes,), default=None
        What the columns of `scores` stand for, such as `classes_` of a classifier. By default the sorted classes of
        the distance if it has names, else those of `y_true`.

    References
    ----------
    Feature selection based on Wasserstein distance, section IV.

    Examples
    --------
    >>> from tamis import ClassDistance, top_k_loss
    >>> distance = ClassDistance.from_paths(["car", "pet/cat", "pet/dog"])
    >>> scores = [[0.1, 0.6, 0.3], [0.5, 0.3, 0.2]]
    >>> top_k_loss(["pet/cat", "pet/dog"], scores, distance)
    1.25
    >>> top_k_loss([{"pet/cat", "pet/dog"}, {"car"}], scores, distance, k=2)
    0.625
    """
    scores = _validation.check_scores(scores)
    n_samples, n_classes = scores.shape
    k = _validation.check_count("k", k, most=n_classes)
    if classes is None and isinstance(class_distance, ClassDistance) and class_distance.classes is not None:
        classes = _validation.check_sortable(class_distance.classes.tolist())
    names, truth = _validation.check_truth(y_true, n_samples, n_classes, classes)
    distance = resolve_class_distance(class_distance, names).matrix
    top = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    nearest = np.full(top.shape, np.inf)
    for s in range(n_classes):
        rows = np.flatnonzero(truth[:, s])
        nearest[rows] = np.minimum(nearest[rows], distance[s][top[rows]])
    exponent = log2_scale(nearest)
    return float(np.ldexp(np.ldexp(nearest, -exponent).mean(), exponent))  # the sum of huge distances is infinite
