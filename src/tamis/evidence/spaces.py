"""Where classes are: points whose squared distances are those between the classes, so that losses have their units."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh

from ..distances.classes import ClassDistance

_MOST_DIRECTIONS, _ENOUGH = 64, 0.999
_AT_ONCE = 2**22


class PlainSpace:
    """No distances: memberships are places, and all mistakes are alike.

    Attributes
    ----------
    has_distance : bool
        Whether places are others than memberships.
    n_scored : int or None
        The first so many coordinates of a place count in losses; None for all.
    unit : float
        What a squared distance of one between places is as a distance between classes.
    """

    has_distance = False
    n_scored: int | None = None
    unit = 1.0

    def __init__(self, one_class: bool):
        self._one_class = one_class

    def place(self, memberships) -> np.ndarray:
        """Where rows are by their classes: (n_rows, n_coordinates)."""
        return memberships

    def decided(self, places) -> np.ndarray:
        """The class that is predicted at a place; of label sets, all labels that are more probable than not."""
        if not self._one_class:
            return places > 0.5
        return one_of(places.argmax(axis=-1), places.shape[-1])  # of equally probable classes the first

    def costs(self, targets, decided) -> np.ndarray | None:
        """The expected distance between the class decided and the true one, by row; None without distances."""
        return None


class ClassSpace:
    """Classes as points.

    Squared distances between the points are distances between the classes: exactly for those of a tree, and whenever
    there are such points. Directions in which the classes of the rows vary little are left out, and all beyond the 64
    in which they vary most: with hundreds of classes that are all as far apart, losses then count the frequent ones.

    Parameters
    ----------
    distance : ClassDistance
    shares : ndarray of shape (n_classes,)
        How frequent each class is.
    """

    has_distance = True
    n_scored = None

    def __init__(self, distance: ClassDistance, shares):
        scaled = distance.scaled()
        self.unit = _unit_of(distance, scaled)
        self._matrix = scaled.matrix
        points = _points(scaled)
        points = points - shares @ points / shares.sum()
        _, sizes, directions = np.linalg.svd(points * np.sqrt(shares)[:, None], full_matrices=False)
        held = np.cumsum(sizes**2) / max((sizes**2).sum(), np.finfo(float).tiny)
        n = min(_MOST_DIRECTIONS, 1 + int(np.searchsorted(held, _ENOUGH)), len(sizes))
        self._points, self._lengths = points @ directions[:n].T, (points**2).sum(axis=1)
        self.varies = bool(sizes[0] > 0)

    def place(self, memberships) -> np.ndarray:
        return memberships @ self._points

    def decided(self, places) -> np.ndarray:
        """The class with the smallest expected distance: the nearest point.

        Lengths are of all directions: without those left out, a class of hardly any rows would be near to everything.
        """
        flat, lengths = places.reshape(-1, places.shape[-1]), self._lengths
        step = max(1, _AT_ONCE // len(lengths))
        nearest = [
            (lengths - 2 * flat[begin : begin + step] @ self._points.T).argmin(axis=1)
            for begin in range(0, len(flat), step)
        ]
        return one_of(np.concatenate([*nearest, np.empty(0, int)]).reshape(places.shape[:-1]), len(lengths))

    def costs(self, targets, decided) -> np.ndarray:
        expected = targets @ self._matrix
        return self.unit * expected[np.arange(len(targets)), decided.argmax(axis=-1)]


class LabelSpace:
    """Sets of labels in a tree: a row is at the nodes of its labels, and at all above.

    Places have those nodes first, which count, and then the labels themselves.

    Parameters
    ----------
    distance : ClassDistance
        Between the labels.
    """

    has_distance = True

    def __init__(self, distance: ClassDistance):
        scaled = distance.scaled()
        self.unit = _unit_of(distance, scaled)
        lengths, self._below = scaled.parts(with_root=True)
        self._roots, self.n_scored = np.sqrt(lengths), len(lengths)

    def place(self, memberships) -> np.ndarray:
        nodes = [1 - np.prod(1 - memberships[..., part], axis=-1) for part in self._below.T]
        return np.concatenate([np.stack(nodes, axis=-1) * self._roots, memberships], axis=-1)

    def decided(self, places) -> np.ndarray:
        return places[..., self.n_scored :] > 0.5

    def costs(self, targets, decided):
        return None


def space_of(distance: ClassDistance | None, memberships, *, one_class: bool):
    """The space of the classes, or of the labels of sets; a plain one without distances, or without two classes."""
    if distance is None or len(distance.matrix) < 2:
        return PlainSpace(one_class)
    return ClassSpace(distance, memberships.sum(axis=0)) if one_class else LabelSpace(distance)


def one_of(codes, n_classes) -> np.ndarray:
    """One-hot truth values."""
    return np.arange(n_classes) == np.asarray(codes)[..., None]


def _unit_of(distance, scaled) -> float:
    return float(distance.matrix.max() / scaled.matrix.max())


def _points(distance) -> np.ndarray:
    """Of a tree by its edges; else by classical scaling, without the directions of negative squares."""
    if distance.tree is not None:
        return distance.tree.below * np.sqrt(distance.tree.weights)
    D = distance.matrix
    middle = D.mean(axis=0)
    values, vectors = eigh(-0.5 * (D - middle - middle[:, None] + D.mean()))
    return vectors * np.sqrt(np.maximum(values, 0.0))
