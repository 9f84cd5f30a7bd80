"""Artificial problems of which the relevant features are known.

They are those of Doquire and Verleysen (2012), section 5.2. All features are uniform on [0, 1], but for the ones that
`make_spheres` and `make_circle` draw again until they fall where a class is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .. import _validation

_CENTRES = np.array([[0.25, 0.25, 0.25], [0.25, 0.75, 0.75], [0.75, 0.75, 0.25], [0.75, 0.25, 0.75]])
_NOWHERE = -1


class Problem(NamedTuple):
    """Samples, their classes 0, 1, ..., and the features (sorted indices) that the classes depend on."""

    X: np.ndarray
    y: np.ndarray
    relevant: np.ndarray


def make_spheres(n_samples=50, *, n_features=6, random_state=None) -> Problem:
    """Four spheres of radius 0.25 that the first three features are the coordinates of; no sample is between them.

    Parameters
    ----------
    n_samples : int, default=50
    n_features : int, default=6
        At least the 3 relevant ones.
    random_state : int, RandomState instance or None, default=None

    Examples
    --------
    >>> from tamis.datasets import make_spheres
    >>> X, y, relevant = make_spheres(random_state=0)
    >>> X.shape, sorted(set(y.tolist())), relevant.tolist()
    ((50, 6), [0, 1, 2, 3], [0, 1, 2])
    """

    def sphere_of(points):
        inside = ((points[:, None] - _CENTRES) ** 2).sum(axis=2) < 0.25**2
        return np.where(inside.any(axis=1), inside.argmax(axis=1), _NOWHERE)

    return _geometric(n_samples, n_features, 3, sphere_of, random_state)


def make_squares(n_samples=100, *, n_features=6, random_state=None) -> Problem:
    """Four squares side by side that the first two features are the coordinates of.

    Parameters
    ----------
    n_samples : int, default=100
    n_features : int, default=6
        At least the 2 relevant ones.
    random_state : int, RandomState instance or None, default=None

    Examples
    --------
    >>> from tamis.datasets import make_squares
    >>> X, y, relevant = make_squares(random_state=0)
    >>> [X[y == square, :2].round().mean(axis=0).tolist() for square in range(4)]
    [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    """

    def square_of(points):
        return (points >= 0.5) @ np.array([2, 1])

    return _geometric(n_samples, n_features, 2, square_of, random_state)


def make_circle(n_samples=500, *, n_features=6, radius=0.4, gap=0.05, random_state=None) -> Problem:
    """Inside (class 1) and outside (class 0) of a circle in the middle of the square of the first two features.

    Parameters
    ----------
    n_samples : int, default=500
    n_features : int, default=6
        At least the 2 relevant ones.
    radius : float, default=0.4
    gap : float, default=0.05
        Width of the empty ring around the circle. Both together are at most 0.5.
    random_state : int, RandomState instance or None, default=None

    Notes
    -----
    The weighted Laplacian score compares class means, and these are equal here: it sees the two features only as long
    as the inside is the larger class, and takes them for the worst of all with a radius of 0.3.

    Examples
    --------
    >>> from tamis.datasets import make_circle
    >>> X, y, relevant = make_circle(random_state=0)
    >>> X.shape, sorted(set(y.tolist())), relevant.tolist()
    ((500, 6), [0, 1], [0, 1])
    """
    radius, gap = _validation.check_ring(radius, gap)

    def side_of(points):
        distance = np.hypot(*(points - 0.5).T)
        return np.where(distance < radius, 1, np.where(distance > radius + gap, 0, _NOWHERE))

    return _geometric(n_samples, n_features, 2, side_of, random_state)


def make_y4(n_samples=300, *, n_features=10, printed=False, random_state=None) -> Problem:
    """Three classes of equal size, from low to high values of cos(2 f1) cos(2 f2) exp(2 f3) exp(2 f4).

    Parameters
    ----------
    n_samples : int, default=300
        Class sizes differ by one if it is not a multiple of 3.
    n_features : int, default=10
        At least 4.
    printed : bool, default=False
        Take eq. (11) as printed, cos(2 f1) cos(f3) exp(2 f3) exp(2 f4). It has three relevant features, while the
        percentages that the paper reports need four.
    random_state : int, RandomState instance or None, default=None

    Examples
    --------
    >>> from tamis.datasets import make_y4
    >>> make_y4(random_state=0).relevant.tolist(), make_y4(printed=True, random_state=0).relevant.tolist()
    ([0, 1, 2, 3], [0, 2, 3])
    """
    printed = _validation.check_flag("printed", printed)

    def output(f1, f2, f3, f4):
        return np.cos(2 * f1) * (np.cos(f3) if printed else np.cos(2 * f2)) * np.exp(2 * f3) * np.exp(2 * f4)

    relevant = [0, 2, 3] if printed else [0, 1, 2, 3]
    return _sliced(n_samples, n_features, 4, output, 3, relevant, random_state)


def make_y5(n_samples=300, *, n_features=10, printed=False, random_state=None) -> Problem:
    """Two classes of equal size: low and high values of f1 + f2 + f3 + f4 + f5.

    Parameters
    ----------
    n_samples : int, default=300
        Class sizes differ by one if it is odd.
    n_features : int, default=10
        At least the 5 relevant ones.
    printed : bool, default=False
        Take eq. (12) as printed, 10 sin(f1 f2) + 20 (f3 - 0.5)² + 10 f4 + 5 f5. The weighted Laplacian score cannot see
        f3 there, while the percentages that the paper reports need all five features to be seen about equally well.
    random_state : int, RandomState instance or None, default=None

    Examples
    --------
    >>> from tamis.datasets import make_y5
    >>> X, y, relevant = make_y5(random_state=0)
    >>> bool(X[y == 0, :5].sum(axis=1).max() < X[y == 1, :5].sum(axis=1).min())
    True
    """
    printed = _validation.check_flag("printed", printed)

    def output(f1, f2, f3, f4, f5):
        if printed:
            return 10 * np.sin(f1 * f2) + 20 * (f3 - 0.5) ** 2 + 10 * f4 + 5 * f5
        return f1 + f2 + f3 + f4 + f5

    return _sliced(n_samples, n_features, 5, output, 2, range(5), random_state)


def _geometric(n_samples, n_features, n_relevant, class_of, random_state) -> Problem:
    """Points drawn until there are enough that belong to a class, then features that say nothing."""
    n_samples = _validation.check_count("n_samples", n_samples)
    n_features = _validation.check_count("n_features", n_features, least=n_relevant)
    rng = _validation.check_seed(random_state)
    points, classes = np.empty((0, n_relevant)), np.empty(0, dtype=np.intp)
    while len(points) < n_samples:
        drawn = rng.uniform(size=(n_samples, n_relevant))
        y = class_of(drawn)
        points = np.vstack([points, drawn[y != _NOWHERE]])
        classes = np.concatenate([classes, y[y != _NOWHERE]])
    noise = rng.uniform(size=(n_samples, n_features - n_relevant))
    return Problem(np.hstack([points[:n_samples], noise]), classes[:n_samples], np.arange(n_relevant))


def _sliced(n_samples, n_features, n_arguments, output, n_classes, relevant, random_state) -> Problem:
    """Classes of equal size, by the rank of an output of the first features."""
    n_samples = _validation.check_count("n_samples", n_samples, least=n_classes)
    n_features = _validation.check_count("n_features", n_features, least=n_arguments)
    X = _validation.check_seed(random_state).uniform(size=(n_samples, n_features))
    y = np.empty(n_samples, dtype=np.intp)
    y[np.argsort(output(*X[:, :n_arguments].T), kind="stable")] = np.arange(n_samples) * n_classes // n_samples
    return Problem(X, y, np.array(relevant))
