"""Artificial problems with several labels per sample, of which the relevant features are known.

They are problems (9) and (10) of Doquire and Verleysen (2013), section 5.1: four labels in eight combinations, features
drawn uniformly from [0, 1].
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .. import _validation


class MultiLabelProblem(NamedTuple):
    """Samples, their labels as zeros and ones, and the features that the labels depend on.

    `relevant` are sorted indices if each of them is needed, and sets of indices, one feature of each set being needed,
    if some can stand for others.
    """

    X: np.ndarray
    Y: np.ndarray
    relevant: Any


def make_multilabel_1(n_samples=1000, *, random_state=None) -> MultiLabelProblem:
    """Redundant features: ten drawn ones, and five made of the first five of them.

    With features counted from 0: label 0 is f0 > f1, label 1 is f3 > f2, label 2 that exactly one of these two is
    present, label 3 is f4 > 0.8. Then f10 = (f0 - f1) / 2, f11 = (f0 + f1) / 2, f12 = f2 + 0.1, f13 = f3 - 0.2 and
    f14 = 2 f4: four features tell everything, f10 and one of each of the pairs f2, f12 and f3, f13 and f4, f14.

    Parameters
    ----------
    n_samples : int, default=1000
    random_state : int, RandomState instance or None, default=None

    Examples
    --------
    >>> from tamis.datasets import make_multilabel_1
    >>> X, Y, relevant = make_multilabel_1(random_state=0)
    >>> X.shape, Y.shape, [sorted(alike) for alike in relevant]
    ((1000, 15), (1000, 4), [[10], [2, 12], [3, 13], [4, 14]])
    """
    f = _uniform(n_samples, 10, random_state)
    made = [(f[:, 0] - f[:, 1]) / 2, (f[:, 0] + f[:, 1]) / 2, f[:, 2] + 0.1, f[:, 3] - 0.2, 2 * f[:, 4]]
    first, second = f[:, 0] > f[:, 1], f[:, 3] > f[:, 2]
    Y = np.column_stack([first, second, first != second, f[:, 4] > 0.8]).astype(np.intp)
    return MultiLabelProblem(np.column_stack([f, *made]), Y, ({10}, {2, 12}, {3, 13}, {4, 14}))


def make_multilabel_2(n_samples=1000, *, random_state=None) -> MultiLabelProblem:
    """Features that tell nothing alone: each label says whether two of the first four are on the same side of 0.5.

    With features counted from 0, these pairs are (0, 1), (2, 3), (0, 3) and (1, 2); four more features are irrelevant.

    Parameters
    ----------
    n_samples : int, default=1000
    random_state : int, RandomState instance or None, default=None

    Examples
    --------
    >>> from tamis.datasets import make_multilabel_2
    >>> X, Y, relevant = make_multilabel_2(random_state=0)
    >>> X.shape, Y.shape, relevant.tolist()
    ((1000, 8), (1000, 4), [0, 1, 2, 3])
    """
    X = _uniform(n_samples, 8, random_state)
    high = X > 0.5
    Y = np.column_stack([high[:, a] == high[:, b] for a, b in ((0, 1), (2, 3), (0, 3), (1, 2))]).astype(np.intp)
    return MultiLabelProblem(X, Y, np.arange(4))


def _uniform(n_samples, n_features, random_state):
    n_samples = _validation.check_count("n_samples", n_samples)
    return _validation.check_seed(random_state).uniform(size=(n_samples, n_features))
