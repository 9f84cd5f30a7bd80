"""How far apart the classes are."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist

from .. import _validation
from .balls import log2_scale
from .trees import Tree, path_lengths, tree_of


class ClassDistance:
    """Distances between classes: a metric, so that a mistake costs no more than its detours.

    Parameters
    ----------
    matrix : array-like of shape (n_classes, n_classes)
        Symmetric, zero on the diagonal and positive off it, with the triangle inequality; equality is meant up to a
        factor of 1e-9. A table with names of classes as its header gives `classes`.
    classes : array-like of shape (n_classes,), default=None
        What the rows stand for. Without names they follow the sorted classes of y.

    Attributes
    ----------
    matrix : ndarray of shape (n_classes, n_classes), read-only
    classes : ndarray of shape (n_classes,) or None
    tree : Tree or None
        The edges of the tree whose ways are as long as the distances, if there is such a tree: then distributions are
        compared without a solver. It is looked for in every matrix.
    is_tree : bool

    Examples
    --------
    >>> from tamis import ClassDistance
    >>> distance = ClassDistance.from_paths(["pet/cat", "pet/dog", "car"])
    >>> distance
    ClassDistance(3 classes, tree)
    >>> distance.matrix
    array([[0. , 1. , 2.5],
           [1. , 0. , 2.5],
           [2.5, 2.5, 0. ]])
    """

    def __init__(self, matrix, classes=None):
        checked, names = _validation.check_class_matrix(matrix, classes)
        self._store(checked, names)
        if self.tree is None:  # the ways in a tree are a metric
            _validation.check_triangle(checked, names)

    def _store(self, matrix, classes):
        self.matrix, self.classes = np.array(matrix, dtype=float), classes
        self.matrix.flags.writeable = False
        self.tree: Tree | None = tree_of(self.matrix)

    @classmethod
    def _trusted(cls, matrix, classes) -> ClassDistance:
        """A metric by the way it was made."""
        distance = cls.__new__(cls)
        distance._store(matrix, classes)
        return distance

    @classmethod
    def zero_one(cls, classes) -> ClassDistance:
        """All classes are one apart: every mistake is as bad as any other."""
        names = _validation.check_class_names(classes)
        return cls._trusted(1 - np.eye(len(names)), names)

    @classmethod
    def from_paths(cls, paths, *, weights=None, separator="/") -> ClassDistance:
        """Classes in a hierarchy, each given by the way to it from the top.

        Parameters
        ----------
        paths : list of str, or mapping from class to str
            Such as "inbox/primary/discussion". A class may have others below it; groups are paths of two levels.
        weights : list of float, default=None
            Lengths of the edges of each level, the first from the root to the top level. By default 1, 1/2, 1/4 ...
        separator : str, default="/"
        """
        names, parts = _validation.check_paths(paths, separator)
        lengths = _validation.check_level_weights(weights, parts)
        places = dict.fromkeys(place[: level + 1] for place in parts for level in range(len(place)))
        walk: list[tuple] = [((), None, 0.0)]
        # A path is made known after those that it begins with.
        walk += [(place, place[:-1], lengths[len(place) - 1]) for place in places]
        return cls._in_tree(walk, parts, _validation.check_class_names(names))

    @classmethod
    def from_tree(cls, edges, *, classes=None) -> ClassDistance:
        """Classes at nodes of a tree, as far apart as the way between them is long.

        Parameters
        ----------
        edges : iterable of (node, node, weight)
            Classes in an order, such as grades, are a chain: [("low", "middle", 1), ("middle", "high", 1)].
        classes : array-like of shape (n_classes,), default=None
            The nodes that are classes, inner ones too; by default all of them.
        """
        walk = _validation.check_tree(edges)
        nodes = [node for node, _, _ in walk]
        names = _validation.check_class_names(nodes if classes is None else classes)
        _validation.check_nodes(names.tolist(), nodes)
        return cls._in_tree(walk, names.tolist(), names)

    @classmethod
    def _in_tree(cls, walk, nodes, names) -> ClassDistance:
        place = {node: i for i, (node, _, _) in enumerate(walk)}
        here = [place[node] for node in nodes]
        return cls._trusted(path_lengths(walk)[np.ix_(here, here)], names)

    @classmethod
    def from_vectors(cls, vectors, *, classes=None) -> ClassDistance:
        """Classes as far apart as their vectors, such as embeddings of their names (Euclidean).

        Parameters
        ----------
        vectors : array-like of shape (n_classes, n_dimensions)
            No two are equal.
        classes : array-like of shape (n_classes,), default=None
        """
        V, names = _validation.check_vectors(vectors, classes)
        exponent = log2_scale(V)
        unit = np.ldexp(V, -exponent)
        return cls._trusted(np.ldexp(cdist(unit, unit), exponent), names)

    @property
    def is_tree(self) -> bool:
        return self.tree is not None

    def for_classes(self, classes, *, extra="error") -> ClassDistance:
        """The same distances with a row for each of `classes`, in their order.

        Parameters
        ----------
        classes : array-like of shape (n_classes,)
            Every one must be known here. A distance without names takes these for its rows.
        extra : {"error", "drop"}, default="error"
            What to do with classes known here that are not among them.
        """
        names = _validation.check_class_names(classes)
        if self.classes is None:
            _validation.check_size(len(self.matrix), len(names))
            return self._trusted(self.matrix, names)
        here = _validation.check_classes_match(names.tolist(), self.classes.tolist(), extra)
        return self._trusted(self.matrix[np.ix_(here, here)], names)

    def __repr__(self):
        return f"ClassDistance({len(self.matrix)} classes{', tree' if self.is_tree else ''})"


def resolve_class_distance(class_distance, classes) -> ClassDistance:
    """The distance between these classes: None is 0/1, an array follows their order."""
    if class_distance is None:
        return ClassDistance.zero_one(classes)
    if not isinstance(class_distance, ClassDistance):
        class_distance = ClassDistance(class_distance)
    return class_distance.for_classes(classes)
